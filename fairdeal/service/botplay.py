"""What bots do in games: which one sits where, and which act it chooses from what it sees.

A bot is handed what its seat knows and what everybody could have noticed, never the game
(docs/decisions/0012).
"""

from typing import Final

from fairdeal.bots import levels
from fairdeal.bots.seen import Seen, see
from fairdeal.canasta.acts import Act
from fairdeal.canasta.memory import Memory
from fairdeal.game import Game, seat_knowledge

_LABEL: Final = "bot:"


def bot_of(game: Game, seat: int) -> str:
    """Return the bot of a seat by name and version; of a player's seat the one that stands in.

    A name that is not known here, of a later version of this service, counts as the default.
    """
    said = game.opening["seats"][seat]
    name = str(said["label"]).removeprefix(_LABEL)
    if said["kind"] == "bot" and levels.is_known(name):
        return name
    return levels.DEFAULT


def chosen(game: Game, seat: int) -> Act:
    """Choose what a bot does on a seat that is in turn.

    Raises:
        LookupError: No hand is in play.
        ValueError: The seat is not in turn.
    """
    seed = levels.seed_of(bytes.fromhex(game.head.hash), seat)
    memory = _memory(game)
    return levels.choose(bot_of(game, seat), seat_knowledge(game, seat), seat, memory, seed)


def seen_by(game: Game, seat: int) -> Seen:
    """Return the hand in play as a bot on a seat would see it.

    Raises:
        LookupError: No hand is in play.
    """
    return see(seat_knowledge(game, seat), seat, _memory(game))


def weight_of(game: Game, seat: int) -> int:
    """Return how many acts of a quick bot an act of this seat's bot takes."""
    return levels.weight_of(bot_of(game, seat))


def _memory(game: Game) -> Memory:
    if game.memory is None:
        raise LookupError("no hand is in play")
    return game.memory
