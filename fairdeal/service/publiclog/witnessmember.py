"""One witness as the log sees it: what is on its way to it, and when it may be asked again."""

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from fairdeal.service.publiclog.witnesshttp import Asking, Reply
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.cosignature import Cosignature
from fairdeal.tlog.policy import Witness

_LOG: Final = logging.getLogger("fairdeal.witnesses")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How witnesses are asked.

    Attributes:
        timeout_s: So long a checkpoint waits for its quorum before it is public without.
        every_s: A round of questions at most so often; public witnesses state a rate.
        renew_s: An unchanged tree is shown again after so long, for a fresher time.
        limit_s: An answer that is not whole by then is none.
        pause_s: The longest pause after failures; it doubles from `every_s`.
        require_quorum: Without a quorum nothing is published, so it is waited for as long as
            anybody may still answer.
    """

    timeout_s: float = 1.0
    every_s: float = 2.0
    renew_s: float = 600.0
    limit_s: float = 10.0
    pause_s: float = 300.0
    require_quorum: bool = False

    @property
    def patience_s(self) -> float:
        """So long a checkpoint waits for its quorum."""
        # A log that went on with the next checkpoint would never have a quorum of slow witnesses.
        return self.limit_s if self.require_quorum else self.timeout_s


STEADY: Final = Pace()
"""What public witnesses take."""


@dataclass(frozen=True, slots=True)
class Way:
    """A question on its way.

    Attributes:
        future: Gives the answer.
        asking: To cut it off.
        checkpoint: What is shown.
        old: The size that the proof begins from.
        corrections: So many were sent before it in the same round, from other sizes.
    """

    future: Future[Reply]
    asking: Asking
    checkpoint: Checkpoint
    old: int
    corrections: int

    @property
    def text(self) -> str:
        """The body of the checkpoint."""
        return self.checkpoint.text


class Member:
    """One witness, and what is known of it.

    Args:
        witness: With its address.

    Attributes:
        vkey: The text of its key.
        way: What is on its way to it.
        cosignature: Its last one.
        text: What it is of; empty for none.
        refused: The checkpoint that it does not take; empty for none.
    """

    def __init__(self, witness: Witness) -> None:
        self.witness, self.vkey = witness, witness.key.text
        self.way: Way | None = None
        self.cosignature: Cosignature | None = None
        self.text = ""
        self.refused = ""
        self._cosigned_at = self._not_before = float("-inf")
        self._failures = 0
        self._complaint = ""

    def wants(self, text: str, now: float, renew_s: float) -> bool:
        """Say whether it may be asked about a checkpoint now, and has not just cosigned it."""
        if self.way is not None or now < self._not_before or text == self.refused:
            return False
        return text != self.text or now - self._cosigned_at >= renew_s

    def take(self, cosignature: Cosignature, text: str, now: float) -> None:
        """Keep what it signed."""
        if self._complaint:
            _LOG.info("witness %s signs again", self.witness.key.name)
        self.cosignature, self.text, self._cosigned_at = cosignature, text, now
        self._failures, self._complaint, self._not_before = 0, "", float("-inf")

    def fail(self, sentence: str, now: float, pace: Pace, pause: int = 0) -> None:
        """Leave it alone for twice as long as the last time, and for as long as it says."""
        doubled = min(pace.every_s * 2 ** min(self._failures, 30), pace.pause_s)
        self._failures += 1
        self._not_before = now + max(doubled, pause)
        self.complain(sentence)

    def complain(self, sentence: str) -> None:
        """Tell the log what is wrong with it, once."""
        if sentence != self._complaint:
            _LOG.warning("witness %s: %s", self.witness.key.name, sentence)
        self._complaint = sentence
