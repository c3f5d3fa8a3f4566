"""Those who may watch a game that is not open to everybody."""

from dataclasses import dataclass, field
from typing import Final

from fairdeal.errors import NotFound
from fairdeal.service.callers import Caller, digest
from fairdeal.service.clerk import Clerk
from fairdeal.service.founding import Founder
from fairdeal.service.grants import check_until
from fairdeal.service.keyring import too_many
from fairdeal.service.repeats import Once
from fairdeal.store.ports import Grant, GrantChange, Write

MOST_WATCHERS: Final = 100
"""A game has at most so many watchers at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """A watcher as the game's site is told of it.

    Attributes:
        id: Its public name.
        label: What the site calls it.
        made: When, ms since 1970.
        until: From then on its token opens nothing, ms since 1970; None for no end.
    """

    id: str
    label: str
    made: int
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWatcher(Watcher):
    """A watcher that was just let in, with the token, which is never shown again."""

    token: str = field(repr=False)


class Watchers:
    """Lets watchers in and out; they see what the public sees, and later if the game says so.

    Args:
        clerk: Keeps the books.
        founder: Draws the tokens and names.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._founder = founder

    def listed(self, caller: Caller, game: str) -> tuple[Watcher, ...]:
        """Return who may watch a game, oldest first.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
        """
        self._check(caller, game, write=False)
        return tuple(
            Watcher(id=one.id, label=one.label, made=one.made, until=one.until)
            for one in self._open(game)
        )

    def add(
        self,
        caller: Caller,
        game: str,
        label: str,
        until: int | None,
        *,
        once: Once | None = None,
    ) -> NewWatcher:
        """Let a watcher in.

        Args:
            caller: An operator of the game's site.
            game: The game.
            label: What the site calls the watcher.
            until: When the token ends, ms since 1970; None for no end.
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game, or may only look.
            NotFound: `no_such_game`.
            Conflict: `too_many`.
            Unprocessable: `until_out_of_range`.
        """
        site = self._check(caller, game, write=True)
        if until is not None:
            check_until(until, self._clerk.clock())
        if len(self._open(game)) >= MOST_WATCHERS:
            raise too_many(MOST_WATCHERS)
        token = self._founder.token("watch")
        grant = Grant(
            digest=digest(token),
            role="watch",
            site=site,
            id=self._founder.name("watch_"),
            game=game,
            label=label,
            made=self._clerk.clock(),
            until=until,
        )
        new = NewWatcher(id=grant.id, label=label, made=grant.made, until=until, token=token)
        answer = self._clerk.repeats.kept(once, new, game)
        self._clerk.store.write(Write(game=game, grants=(grant,), answer=answer))
        return new

    def remove(self, caller: Caller, game: str, id_: str, *, once: Once | None = None) -> None:
        """Let a watcher see nothing more; one that is gone already stays so.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game, or may only look.
            NotFound: `no_such_game`, `no_such_watcher`.
        """
        self._check(caller, game, write=True)
        grants = self._clerk.store.grants(role="watch", game=game)
        found = next((one for one in grants if one.id == id_), None)
        if found is None:
            raise NotFound("no_such_watcher", "This game has no watcher of this name.")
        change = GrantChange(digest=found.digest, state="revoked", until=found.until)
        answer = self._clerk.repeats.kept(once, None, game)
        self._clerk.store.write(Write(game=game, changes=(change,), answer=answer))

    def _check(self, caller: Caller, game: str, *, write: bool) -> str:
        """Return the site of whoever may let watchers in (raises as the others say)."""
        return self._clerk.callers.check_operator(caller, game, write=write).site

    def _open(self, game: str) -> tuple[Grant, ...]:
        grants = self._clerk.store.grants(role="watch", game=game)
        return tuple(
            one for one in grants if one.state == "open" and not self._clerk.callers.expired(one)
        )
