"""``python -m fairdeal.cli``: the command line, where its script is not on PATH."""

import sys

from fairdeal.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
