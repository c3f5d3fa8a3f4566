"""One file and the verifier's verdict on it, as a value that passes between processes."""

import io
import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from verifier.beacon.pairing import CAN_CHECK
from verifier.findings import Level, Verdict
from verifier.held import Held
from verifier.reading import FileChangedError
from verifier.selfhash import self_hash
from verifier.verdict import Report
from verifier.verify import verify

How = Literal["verified", "kept", "re-derived", "unreadable"]
MAX_WHOLE: Final = 64 * 2**20  # bytes of a file that is read at once; larger ones are not kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The first error of a file, as the verifier has it."""

    code: str
    detail: str
    at: int | None = None
    hand: int | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is known of one file.

    Attributes:
        path: Below the folder, with forward slashes.
        how: ``verified`` now, ``kept`` from an earlier run, only ``re-derived``, ``unreadable``.
        verdict: The verifier's; None where it was not asked or could not answer.
        digest: SHA-256 of the whole file; None where the file is too large to be kept.
        fault: The first error, or why the file could not be read.
        origin: What record 0 says the service is called.
        master: SHA-256 of the master secret of a game that is VALID.
        hands: Dealt ones.
        aborted: How many of them were given up.
    """

    path: str
    how: How
    verdict: Verdict | None = None
    level: Level | None = None
    digest: str | None = None
    fault: Fault | None = None
    game: str | None = None
    open_hash: str | None = None
    origin: str | None = None
    master: str | None = None
    hands: int = 0
    aborted: int = 0

    def to_json(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return asdict(self)


def from_json(value: dict[str, object]) -> Judged:
    """Read what `Judged.to_json` gave.

    Raises:
        TypeError: Another shape.
    """
    fault = value.get("fault")
    if isinstance(fault, dict):
        value = value | {"fault": Fault(**fault)}
    return Judged(**value)  # type: ignore[arg-type]


def conditions(now: int | None) -> str:
    """Return what a kept verdict depends on beside the file: it counts under the same only.

    Args:
        now: The time that deadlines are judged by, ms since 1970.
    """
    pairing = "with" if CAN_CHECK else "without"
    return f"verifier {self_hash()}, {pairing} beacon signatures, now {now}"


def judge(folder: Path, path: str, now: int | None, kept: dict[str, Judged]) -> Judged:
    """Verify one file, unless its very bytes were verified before.

    Args:
        folder: Where `path` begins.
        path: The file.
        now: As in `conditions`.
        kept: Earlier results by digest.
    """
    try:
        if (folder / path).stat().st_size > MAX_WHOLE:
            with (folder / path).open("rb") as file:
                return _told(path, verify(file, Held(now=now)))
        return judge_bytes((folder / path).read_bytes(), path, now, kept)
    except (OSError, FileChangedError) as error:
        return _unreadable(path, f"{error}")
    except Exception as error:  # noqa: BLE001  one file must not stop the others: it is named
        return _unreadable(path, f"the verifier failed: {type(error).__name__}: {error}")


def judge_bytes(data: bytes, path: str, now: int | None, kept: dict[str, Judged]) -> Judged:
    """Verify what was read from a file; what is hashed and what is verified are the same bytes."""
    digest = sha256(data).hexdigest()
    if digest in kept:
        return replace(kept[digest], path=path, how="kept")
    told = replace(_told(path, verify(io.BytesIO(data), Held(now=now))), digest=digest)
    if told.verdict not in {"VALID", "INCOMPLETE"}:
        return told
    lines = data.splitlines()
    origin = json.loads(lines[0])["body"]["origin"]
    if told.verdict == "INCOMPLETE":
        return replace(told, origin=origin)
    # The last record of a VALID game is its master, which opened the commitment.
    secret = bytes.fromhex(json.loads(lines[-1])["body"]["secret"])
    return replace(told, origin=origin, master=sha256(secret).hexdigest())


def _told(path: str, report: Report) -> Judged:
    faults = [
        Fault(code=one.code, detail=one.detail, at=one.at, hand=one.hand, rule=one.rule)
        for one in report.errors[:1]
    ]
    return Judged(
        path=path,
        how="verified",
        verdict=report.verdict,
        level=report.level,
        fault=faults[0] if faults else None,
        game=report.game,
        open_hash=report.open_hash,
        hands=len(report.hands),
        aborted=sum(hand.ending == "abort" for hand in report.hands),
    )


def _unreadable(path: str, why: str) -> Judged:
    return Judged(path=path, how="unreadable", fault=Fault(code="unreadable", detail=why))
