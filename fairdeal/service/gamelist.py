"""The games of a site, as its operators list them."""

from dataclasses import dataclass

from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGame:
    """A game of a site.

    Attributes:
        id: The game.
        room: The room in which it was started, or empty.
        made: When, ms since 1970.
        over: Whether it is over, so that all of it is public.
    """

    id: str
    room: str
    made: int
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesListed:
    """Part of a site's games, newest first.

    Attributes:
        games: In order.
        behind: What to ask for the next part with: `(made, id)` of the last one; None at the end.
    """

    games: tuple[ListedGame, ...]
    behind: tuple[int, str] | None


class GameList:
    """Lists games.

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def listed(
        self, caller: Caller, limit: int, behind: tuple[int, str] | None = None
    ) -> GamesListed:
        """Return games of the caller's site, newest first; none that is older than sites.

        Args:
            caller: An operator.
            limit: At most so many.
            behind: As the part before gave it; None for the first one.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
        """
        operator = self._clerk.callers.check_operator(caller, write=False)
        store, places = self._clerk.store, self._clerk.callers.places
        found = store.listings(site=operator.site, before=behind, limit=limit + 1)
        games = tuple(
            ListedGame(id=one.game, room=one.room, made=one.made, over=places.over(one.game))
            for one in found[:limit]
        )
        last = (games[-1].made, games[-1].id) if len(found) > limit else None
        return GamesListed(games=games, behind=last)
