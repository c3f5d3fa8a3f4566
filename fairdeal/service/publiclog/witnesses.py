"""Has the witnesses of a policy cosign what the log signed, all at the same time (log.md 3).

Witnesses are asked in rounds, at most so often; a checkpoint in between is not shown to any. What
they answer late is merged when the same checkpoint is brought again. All is kept by the thread
that calls; others only wait for answers.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.records.noteform import parse_note
from fairdeal.service.publiclog.ports import Prove, QuorumUnmet, StopSigning
from fairdeal.service.publiclog.stopmark import StopMark
from fairdeal.service.publiclog.witnesshttp import Asking, NoAnswer, check_prefix
from fairdeal.service.publiclog.witnessmember import STEADY, Member, Pace, Way
from fairdeal.service.publiclog.witnesssizes import WitnessSizes
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.cosignature import read_cosignatures
from fairdeal.tlog.policy import Policy
from fairdeal.tlog.witnessing import request, told_size, understand, with_latest

_LOG: Final = logging.getLogger("fairdeal.witnesses")
_CORRECTIONS: Final = 2
"""So often is a witness asked again at once because the size it began from was another."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The checkpoint at hand."""

    note: str
    checkpoint: Checkpoint
    proof: Prove


class PolicyWitnesses:
    """The witnesses of a policy that have an address (implements `ports.Witnesses`).

    Args:
        policy: Names them, and how many of them are a quorum.
        folder: Where the log's key is; `witnesses.json` and, if need be, `stopped` are kept there.
        opening: The log's signed checkpoint of the empty tree, with which `probe` asks: every tree
            is consistent with it, so it says nothing that could be held against the log.
        signed: Returns the size of the newest checkpoint that the database has. Where two
            sequencers are at work for a moment, one may show what is older than what the other
            one showed: that is no rollback.
        pace: How they are asked.
        clock: Seconds since 1970.
        ticks: Seconds that pass.

    Raises:
        MalformedInput: `bad_policy`: an address is neither https nor http on this machine.
    """

    def __init__(
        self,
        policy: Policy,
        folder: Path,
        *,
        opening: str,
        signed: Callable[[], int] = lambda: 0,
        pace: Pace = STEADY,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._members = [Member(one) for one in policy.witnesses if one.url]
        for member in self._members:
            check_prefix(member.witness.url)
        self._policy, self._pace, self._opening = policy, pace, opening
        self._clock, self._ticks, self._signed = clock, ticks, signed
        self._stop = StopMark(folder)
        self._sizes = WitnessSizes(folder / "witnesses.json")
        self._threads = ThreadPoolExecutor(max(1, len(self._members)), "witness")
        self._round_at = float("-inf")
        self._largest = 0

    def cosign(self, note: str, checkpoint: Checkpoint, proof: Prove) -> str:
        """Return a checkpoint's note with what witnesses have said of it so far.

        Waits for the quorum, at most `patience_s` from when the checkpoint is shown. Brought again,
        a checkpoint gets the lines that came since, and fresher ones for old, without waiting.

        Args:
            note: Signed by the log, perhaps with cosignatures.
            checkpoint: Its body.
            proof: Called on this thread.

        Raises:
            StopSigning: `log_stopped`: a witness has seen another tree of this log, or a larger
                one. It is kept on disk, so a later call says the same.
            QuorumUnmet: `quorum_unmet`, with `require_quorum`: bring the checkpoint again.
        """
        self._check_stop()
        shown = _Shown(note, checkpoint, proof)
        self._take_answers(shown)
        self._begin_round(shown)
        while self._lacks(shown) and (left := self._left()) > 0:
            ways = [one.future for one in self._on_way() if one.text == checkpoint.text]
            if not wait(ways, left, FIRST_COMPLETED).done:
                break
            self._take_answers(shown)
        lacks = self._lacks(shown)
        if lacks and self._pace.require_quorum:
            raise QuorumUnmet(
                "quorum_unmet", f"{lacks} more witnesses have to sign {checkpoint.size} leaves."
            )
        return self._merged(shown)

    def probe(self) -> tuple[int, ...]:
        """Return the size that each witness last cosigned, 0 for none; who is silent is left out.

        For a start, before the first signature: a size above the database's says that the database
        is older than what was signed.

        Raises:
            StopSigning: `log_stopped`: it was stopped before.
        """
        self._check_stop()
        asked = [
            (one, self._threads.submit(self._asking(one, request(0, (), self._opening)).run))
            for one in self._members
        ]
        sizes = []
        for member, future in asked:
            try:
                reply = future.result()
            except NoAnswer as error:
                member.complain(f"its size is not known: {error}")
                continue
            size = 0 if reply.status == 200 else told_size(reply.content_type, reply.body)
            if reply.status not in (200, 409) or size is None:
                member.complain(f"its size is not known: it answered {reply.status}")
                continue
            sizes.append(size)
            self._sizes.put(member.vkey, size)
        return tuple(sizes)

    def close(self) -> None:
        """Let go of all that is on its way."""
        for way in self._on_way():
            way.asking.cut()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _check_stop(self) -> None:
        reason = self._stop.reason()
        if reason is not None:
            raise StopSigning("log_stopped", f"{reason} (kept in {self._stop.path})")

    def _on_way(self) -> list[Way]:
        return [one.way for one in self._members if one.way is not None]

    def _left(self) -> float:
        return self._round_at + self._pace.patience_s - self._ticks()

    def _lacks(self, shown: _Shown) -> int:
        """Return how many more witnesses the quorum needs."""
        if not self._policy.quorum:
            return 0
        keys = [one.key for one in self._policy.witnesses]
        signed = read_cosignatures(parse_note(self._merged(shown)), keys)
        return max(0, self._policy.quorum - len(signed))

    def _merged(self, shown: _Shown) -> str:
        text = shown.checkpoint.text
        said = [one.cosignature for one in self._members if one.text == text]
        return with_latest(shown.note, [one for one in said if one is not None])

    def _begin_round(self, shown: _Shown) -> None:
        now, size = self._ticks(), shown.checkpoint.size
        # A witness that has seen a larger tree of ours would take a smaller one for a rollback.
        if now - self._round_at < self._pace.every_s or size < self._largest:
            return
        text, renew_s = shown.checkpoint.text, self._pace.renew_s
        asked = [one for one in self._members if one.wants(text, now, renew_s)]
        if asked:
            self._round_at, self._largest = now, size
        for member in asked:
            self._ask(member, shown, self._sizes.get(member.vkey))

    def _ask(self, member: Member, shown: _Shown, old: int, corrections: int = 0) -> None:
        # A size above ours is not sent: whether it is still true, the witness says by itself.
        old = min(old, shown.checkpoint.size)
        asking = self._asking(member, request(old, shown.proof(old), shown.note))
        future = self._threads.submit(asking.run)
        member.way = Way(future, asking, shown.checkpoint, old, corrections)

    def _asking(self, member: Member, body: bytes) -> Asking:
        return Asking(member.witness.url, body, self._pace.limit_s)

    def _take_answers(self, shown: _Shown) -> None:
        for member in self._members:
            while (way := member.way) is not None and way.future.done():
                member.way = None
                self._take(member, way, shown)

    def _take(self, member: Member, way: Way, shown: _Shown) -> None:
        try:
            reply = way.future.result()
        except NoAnswer as error:
            member.fail(str(error), self._ticks(), self._pace)
            return
        answer = understand(
            reply.status,
            reply.content_type,
            reply.body,
            witness=member.witness.key,
            text=way.text,
            old=way.old,
            size=way.checkpoint.size,
            now=int(self._clock()),
            signed=self._signed() if reply.status == 409 else 0,
        )
        if answer.outcome == "stop":
            reason = f"witness {member.vkey}: {answer.sentence}"
            _LOG.critical("nothing is signed any more: %s", reason)
            self._stop.set(reason)
            self._check_stop()
        elif answer.cosignature is not None:
            member.take(answer.cosignature, way.text, self._ticks())
            self._sizes.put(member.vkey, way.checkpoint.size)
        elif answer.size is not None:
            self._sizes.put(member.vkey, answer.size)
            if way.text != shown.checkpoint.text:
                return
            if way.corrections < _CORRECTIONS:
                self._ask(member, shown, answer.size, way.corrections + 1)
            else:
                member.fail(answer.sentence, self._ticks(), self._pace)
        else:
            if answer.outcome == "refused":
                member.refused = way.text
            member.fail(answer.sentence, self._ticks(), self._pace, reply.pause)
