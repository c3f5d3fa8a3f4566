"""Build the verifier as one file that any Python 3.11+ runs. Standard library only.

The same sources give the same bytes: files in order, stored without compression (whose output
changes between zlib releases), one fixed time, one fixed mode.
"""

import hashlib
import io
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHEBANG = b"#!/usr/bin/env python3\n"
ENTRY = b"import sys\n\nfrom verifier.cli import main\n\nsys.exit(main())\n"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold
READABLE = 0o100644 << 16


def build() -> bytes:
    """Return the bytes of the zipapp."""
    files = {"__main__.py": ENTRY}
    for path in sorted((ROOT / "verifier").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    out = io.BytesIO(SHEBANG)
    out.seek(0, io.SEEK_END)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system = 3  # Unix, wherever it is built
            entry.external_attr = READABLE
            archive.writestr(entry, files[name])
    return out.getvalue()


def main(target: Path) -> None:
    """Write the zipapp and print its place, size and SHA-256."""
    built = build()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(built)
    target.chmod(0o755)
    print(f"{target}  {len(built)} bytes  sha256 {hashlib.sha256(built).hexdigest()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
