"""Fetches the bundles of transcripts: what was appended to them, held to the hashes of their index.

Nothing here is signed; the games in them are held to the log's leaves by the audit.
"""

from hashlib import sha256
from pathlib import Path
from typing import Final

from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Asker
from fairdeal.cli.mirror.findings import BUNDLE_CHANGED, Found
from fairdeal.cli.mirror.folder import MirrorFolder
from fairdeal.errors import MalformedInput
from fairdeal.tlog.bundlefile import (
    INDEX,
    MOST_INDEX_BYTES,
    BundleDay,
    BundleIndex,
    parse_bundle_index,
)

_PIECE: Final = 2**20


def fetch_bundles(asker: Asker, mirror: MirrorFolder) -> tuple[Found, ...]:
    """Bring the bundles of a mirror to the index that the log serves; none where it has none.

    A day is appended to in place: the mirror's own index, which is replaced last, says how many of
    its bytes count.

    Raises:
        CannotLook: One is not to be had; `web_page`: the index is none.
    """
    data = asker.get(INDEX, MOST_INDEX_BYTES)
    if data is None:
        return ()
    try:
        index = parse_bundle_index(data)
    except MalformedInput as fault:
        raise CannotLook(
            "other_bytes", f"{asker.prefix.text}{INDEX} is no index of bundles: {fault.sentence}"
        ) from fault
    known = _index(mirror)
    before = {one.day: one for one in known.days}
    found = [
        Found(
            BUNDLE_CHANGED,
            day.path,
            f"{day.path}, which had {day.bytes} bytes, is shorter now or gone from the index.",
            (day.path,),
        )
        for day in known.days
        if not any(one.day == day.day and one.bytes >= day.bytes for one in index.days)
    ]
    if found:
        return tuple(found)
    for day in index.days:
        if before.get(day.day) != day:
            found += _bring(asker, mirror, day, before.get(day.day))
    if not found:
        mirror.write(INDEX, data)
    return tuple(found)


def _bring(
    asker: Asker, mirror: MirrorFolder, day: BundleDay, before: BundleDay | None
) -> list[Found]:
    target = mirror.root / day.path
    target.parent.mkdir(parents=True, exist_ok=True)
    have = target.stat().st_size if target.is_file() else 0
    # What is behind the bytes that were counted is of a fetch that did not get to its end.
    _append(asker, day, target, min(have, day.bytes))
    if _digest(target, day.bytes) == day.sha256:
        return []
    # All of it anew, beside the old one: either may be damaged, or the log's was exchanged.
    draft = target.with_name(f".{target.name}.new")
    draft.unlink(missing_ok=True)
    _append(asker, day, draft, 0)
    if _digest(draft, day.bytes) != day.sha256:
        sentence = f"{day.path} is not what its index says: the first {day.bytes} bytes differ."
        return [Found(BUNDLE_CHANGED, day.path, sentence, (day.path,))]
    if before is not None and _digest(draft, before.bytes) != before.sha256:
        sentence = f"{day.path} was changed within the {before.bytes} bytes that it had before."
        return [Found(BUNDLE_CHANGED, day.path, sentence, (day.path,))]
    draft.replace(target)
    return []


def _append(asker: Asker, day: BundleDay, target: Path, begin: int) -> None:
    with target.open("ab") as file:
        file.truncate(begin)
        if not asker.stream(day.path, begin, day.bytes, file.write):
            raise CannotLook(
                "not_there", f"{asker.prefix.text}{day.path} is not there; the index names it."
            )


def _digest(file: Path, size: int) -> str:
    digest, rest = sha256(), size
    with file.open("rb") as opened:
        while rest and (piece := opened.read(min(rest, _PIECE))):
            digest.update(piece)
            rest -= len(piece)
    return "" if rest else digest.hexdigest()


def _index(mirror: MirrorFolder) -> BundleIndex:
    data = mirror.read(INDEX)
    try:
        return BundleIndex() if data is None else parse_bundle_index(data)
    except MalformedInput:
        return BundleIndex()
