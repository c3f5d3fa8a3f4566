"""What each witness last cosigned, in a small file; wrong or lost, a witness corrects it (409)."""

import json
from pathlib import Path
from typing import Final

_MOST_BYTES: Final = 65_536


class WitnessSizes:
    """Sizes by the keys of witnesses.

    Args:
        path: The file; read once, and written whole at each change.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sizes = _read(path)

    def get(self, vkey: str) -> int:
        """Return what a witness last cosigned as far as is known; 0 for nothing."""
        return self._sizes.get(vkey, 0)

    def put(self, vkey: str, size: int) -> None:
        """Keep a size; not durable, as it need not be true."""
        if self._sizes.get(vkey) == size:
            return
        self._sizes[vkey] = size
        draft = self._path.with_name(f"{self._path.name}.new")
        draft.write_text(json.dumps(self._sizes, indent=1, sort_keys=True) + "\n")
        draft.replace(self._path)


def _read(path: Path) -> dict[str, int]:
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_MOST_BYTES))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    if not isinstance(said, dict):
        return {}
    return {key: size for key, size in said.items() if type(size) is int and 0 <= size < 2**63}
