"""Drafts of records, and the ones that end a hand or a game (protocol §2.8, §2.9)."""

from collections.abc import Mapping
from typing import TypeAlias

from fairdeal.game.dealing import secret_of
from fairdeal.game.state import Game
from fairdeal.records import bodies

Draft: TypeAlias = tuple[str, Mapping[str, object]]
"""A record to be made: its type and body."""


def revealing(game: Game) -> Draft:
    """Open the newest hand's secret: the very next record after its end."""
    secret = secret_of(game, game.hand)
    return ("reveal", bodies.reveal_body(hand=game.hand, secret=secret.hex()))


def closing(game: Game, reason: str) -> tuple[Draft, ...]:
    """Close the game and open its master secret.

    Raises:
        LookupError: The master secret is not at hand.
    """
    if game.master is None:
        raise LookupError(f"the master secret of {game.id!r} is not at hand")
    close = bodies.close_body(reason=reason, hands=game.hand)
    return (("close", close), ("master", bodies.master_body(secret=game.master.hex())))
