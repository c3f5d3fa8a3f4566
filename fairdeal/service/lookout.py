"""Looks, for all processes on a database, after games that the process which had them left alone.

Whoever gives an answer goes on with its game. Where that process dies, nobody would: so one
process at a time holds a post, looks through the unfinished games when it takes it, and later asks
once after each that stands still for some seconds. If it dies itself, another one takes the post.
Nothing depends on there being one at a time: two that go on with the same game at once get in each
other's way, as any two writers do, and one of them looks again.
"""

import logging
from typing import Final

from fairdeal.errors import FairdealError
from fairdeal.store.ports import Store

LOOK_S: Final = 2.0
"""So often the post is asked for, or made sure of."""

STILL_S: Final = 10.0
"""So often the leader looks which games stand still."""

_LOG: Final = logging.getLogger("fairdeal.lookout")


class Lookout:
    """Names games that may have been left alone.

    Args:
        store: Gives out the post.

    Attributes:
        leads: Whether this process held the post at the last look.
    """

    def __init__(self, store: Store) -> None:
        self.leads = False
        self._store = store
        self._still_at = 0.0
        self._stood: dict[str, tuple[int, bool]] = {}  # newest record, and whether it was asked

    def look(self, now: float) -> tuple[str, ...]:
        """Return the games to ask after; none where another process holds the post.

        Args:
            now: In seconds that pass.
        """
        try:
            return self._look(now)
        except FairdealError as error:
            _LOG.error("no game was looked after: %s", error.code)
            self.leads = False
            return ()

    def _look(self, now: float) -> tuple[str, ...]:
        led, self.leads = self.leads, self._store.lead("upkeep")
        if not self.leads:
            return ()
        if not led:
            _LOG.info("this process looks after the games now")
            self._stood, self._still_at = {}, now + STILL_S
            return self._store.unfinished()
        if now < self._still_at:
            return ()
        self._still_at = now + STILL_S
        return self._standing_still()

    def _standing_still(self) -> tuple[str, ...]:
        """Return the games in which nothing was recorded since the last look, each once."""
        before, self._stood = self._stood, {}
        named = []
        for game in self._store.unfinished():
            newest = self._store.newest(game)
            if newest is None:
                continue
            stood, was_asked = before.get(game, (None, False))
            is_still = stood == newest
            if is_still and not was_asked:
                named.append(game)
            self._stood[game] = (newest, is_still)
        return tuple(named)
