"""``steady@1``: sound rules of thumb (``fast``), and the partner's question before going out."""

from fairdeal.bots import fast
from fairdeal.bots.level import Weighed
from fairdeal.bots.partner import may_ask
from fairdeal.bots.seen import Seen
from fairdeal.canasta.moves import ASK, Move


def choose(seen: Seen, seed: int) -> Move:  # noqa: ARG001  plays without chance
    """Choose a move."""
    return Move(ASK) if may_ask(seen.core) else fast.move(seen.core)


def weigh(seen: Seen, seed: int) -> tuple[Weighed, ...]:
    """Give the move, without a value: nothing was weighed."""
    return (Weighed(choose(seen, seed)),)
