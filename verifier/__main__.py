"""Starts the command line: ``python -m verifier FILE``."""

import sys

from verifier.cli import main

if __name__ == "__main__":
    sys.exit(main())
