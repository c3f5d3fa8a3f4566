"""Write the OpenAPI description of the API to a file, the same bytes for the same code.

``api.app.openapi_document()`` gives the document as a JSON object; it needs no database and no
running service.
"""

import json
import sys
from importlib import import_module
from pathlib import Path


def rendered() -> str:
    """Return the document as it stands in docs/openapi.json."""
    document = import_module("api.app").openapi_document()
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(rendered(), "utf-8")
