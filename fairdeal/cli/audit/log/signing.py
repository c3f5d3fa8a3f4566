"""Pass 1: the checkpoint, its signatures, its quorum, its age (log.md 2.4 to 2.7, 7)."""

from dataclasses import dataclass

from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.errors import MalformedInput
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from fairdeal.tlog.policy import parse_policy
from fairdeal.tlog.witnessing import FUTURE_S

CHECKPOINT = "checkpoint"
_CODES = {
    "bad_note": "E_NOTE",
    "bad_signature": "E_SIGNATURE",
    "bad_checkpoint": "E_CHECKPOINT",
    "other_origin": "E_ORIGIN",
}


@dataclass(frozen=True, slots=True)
class Head:
    """A checkpoint that its log signed.

    Attributes:
        cosigned: By witness, when, seconds since 1970; none from the future.
        time: The k-th smallest of these for a quorum of k (protocol 2.11); None for none.
        note: As it was read.
    """

    checkpoint: Checkpoint
    cosigned: dict[str, int]
    time: int | None
    note: str


def own_policy(source: Mirror, found: Found) -> Trust | None:
    """Return the trust that the log itself proposes."""
    data = source.read("policy")
    try:
        return Trust(parse_policy((data or b"").decode()), is_pinned=False)
    except (MalformedInput, UnicodeDecodeError):
        found.add("M_POLICY", "The log has no policy that can be read.", path="policy")
        return None


def read_head(
    source: Mirror, trust: Trust, *, clock_ms: int, max_age_s: int | None, found: Found
) -> Head | None:
    """Return the checkpoint of a mirror; None where there is none that is signed."""
    data = source.read(CHECKPOINT)
    if data is None:
        found.add("M_CHECKPOINT", "There is no checkpoint.", path=CHECKPOINT)
        return None
    head = open_head(data, trust, CHECKPOINT, found)
    if head is None:
        return None
    for name, time in head.cosigned.items():
        if time * 1000 > clock_ms + FUTURE_S * 1000:
            found.add(
                "E_COSIGNATURE_FUTURE",
                f"{name} cosigned at {time}, more than {FUTURE_S} s from now.",
                path=CHECKPOINT,
            )
    if max_age_s is not None:
        _hold_age(head, trust, clock_ms, max_age_s, found)
    return head


def open_head(data: bytes, trust: Trust, path: str | None, found: Found) -> Head | None:
    """Return what a note says that the log signed; None, and why, where it does not hold."""
    policy = trust.policy
    try:
        note = data.decode()
        opened = open_checkpoint(note, policy.logs, [one.key for one in policy.witnesses])
    except UnicodeDecodeError:
        found.add("E_NOTE", "The checkpoint is not UTF-8.", path=path)
        return None
    except MalformedInput as error:
        found.add(_CODES.get(error.code, "E_NOTE"), error.sentence, path=path)
        return None
    cosigned = {one.witness.name: one.time for one in opened.cosignatures}
    if path == CHECKPOINT and len(cosigned) < policy.quorum:
        found.add(
            "E_QUORUM",
            f"{len(cosigned)} trusted witnesses cosigned, {policy.quorum} have to.",
            path=path,
        )
    times = sorted(cosigned.values())
    has_time = 0 < policy.quorum <= len(times)
    time = times[policy.quorum - 1] if has_time else None
    return Head(opened.checkpoint, cosigned, time, note)


def _hold_age(head: Head, trust: Trust, clock_ms: int, max_age_s: int, found: Found) -> None:
    fresh = [time for time in head.cosigned.values() if time * 1000 >= clock_ms - max_age_s * 1000]
    if not trust.policy.quorum:
        found.add(
            "W_AGE_UNKNOWN",
            "Nobody has to cosign by this policy, so the checkpoint's age is not known.",
            path=CHECKPOINT,
        )
    elif len(fresh) < trust.policy.quorum:
        found.add(
            "E_STALE",
            f"{len(fresh)} trusted witnesses cosigned within {max_age_s} s,"
            f" {trust.policy.quorum} have to.",
            path=CHECKPOINT,
        )
