"""Asks a witness that nobody here wrote, as a log asks it, and says whether it answers as it must.

``python -m tests.publiclog.realwitness`` prints the log to tell the witness of; with the witness'
vkey and submission prefix it tries it. For a witness that has not seen this log before, and that
one may spoil: at the end it has seen a fork (docs/witnesses.md).
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from fairdeal.service.publiclog.ports import StopSigning
from fairdeal.service.publiclog.witnesses import PolicyWitnesses
from fairdeal.service.publiclog.witnessmember import Pace
from fairdeal.tlog.checkpoint import open_checkpoint
from fairdeal.tlog.cosignature import parse_witness_key
from fairdeal.tlog.policy import Policy, Witness
from tests.publiclog.smalllog import KEY, OPENING, Head, SmallLog

LOG = SmallLog([b'{"n":%d}\n' % n for n in range(200)])
OTHER = SmallLog([b'{"n":%d}\n' % (n if n < 4 else -n) for n in range(200)])


class Trial:
    """One witness, and a log that starts anew as often as it likes.

    Args:
        witness: Whom to ask.
    """

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def open(self, folder: Path) -> PolicyWitnesses:
        """Return a log that knows of the witness what its folder holds."""
        policy = Policy((KEY.verifying_key,), (self._witness,), 1)
        return PolicyWitnesses(policy, folder, opening=OPENING, pace=Pace(timeout_s=5, every_s=0))

    def signs(self, asks: PolicyWitnesses, head: Head) -> bool:
        """Say whether it cosigns a head."""
        note = asks.cosign(head.note, head.checkpoint, head.proof)
        opened = open_checkpoint(note, [KEY.verifying_key], [self._witness.key])
        return len(opened.cosignatures) == 1

    def stops(self, head: Head) -> bool:
        """Say whether a log without memory that shows a head has to stop."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.signs(self.open(Path(folder)), head)
            except StopSigning as stopped:
                print(f"      {stopped.sentence}")
                return True
        return False

    def run(self) -> bool:
        """Print each fact; say whether all hold."""
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            asks, anew = self.open(Path(one)), self.open(Path(two))
            facts: list[tuple[str, Callable[[], bool]]] = [
                ("a probe finds nothing", lambda: asks.probe() == (0,)),
                ("it cosigns 5", lambda: self.signs(asks, LOG.at(5))),
                ("it cosigns 64 after 5", lambda: self.signs(asks, LOG.at(64))),
                ("a probe finds 64", lambda: asks.probe() == (64,)),
                ("it corrects a log that forgot", lambda: self.signs(anew, LOG.at(64))),
                ("it cosigns 200 after 64", lambda: self.signs(anew, LOG.at(200))),
                ("it corrects a log that lost an answer", lambda: self.signs(asks, LOG.at(200))),
                ("a log that was set back stops", lambda: self.stops(LOG.at(64))),
                ("a fork of one size stops the log", lambda: self.stops(OTHER.at(200))),
            ]
            held = [_holds(what, holds) for what, holds in facts]
        return all(held)


def main(arguments: list[str]) -> int:
    """Run the trial, or print what the witness has to know; return the exit status."""
    if len(arguments) != 2:
        print(f"origin {KEY.name}\nvkey   {KEY.vkey}")
        return 2
    vkey, url = arguments
    return 0 if Trial(Witness(parse_witness_key(vkey), url)).run() else 1


def _holds(what: str, holds: Callable[[], bool]) -> bool:
    held = holds()
    print(f"{'yes' if held else 'NO':5} {what}")
    return held


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
