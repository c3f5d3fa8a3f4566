"""The verifier's own version and hash, for people who compare it with a published one (§3.1)."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable


def self_hash() -> str:
    """Return the hash of this package's sources, whether they lie in a folder or in a zip.

    The same by hand, inside the folder ``verifier``:
    ``find . -name '*.py' -o -name '*.json' | LC_ALL=C sort | xargs sha256sum | sha256sum``
    """
    lines = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {path}\n"
        for path, data in sorted(_sources(files("verifier"), "."))
    )
    return hashlib.sha256(lines.encode()).hexdigest()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}/{entry.name}")
        elif entry.name.endswith((".py", ".json")):
            yield f"{path}/{entry.name}", entry.read_bytes()
