"""More time for a turn: who may ask for it, and how often (decision 0012)."""

from dataclasses import asdict

from fairdeal.errors import Conflict, StaleVersion
from fairdeal.game import Game, check_in_turn
from fairdeal.service.answers import MoreTime
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.clocks import is_limited
from fairdeal.service.repeats import Once
from fairdeal.store.askport import Asked
from fairdeal.store.ports import Write


class Extensions:
    """Gives seats in turn more time.

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def ask(
        self, caller: Caller, game_id: str, expect: int, *, once: Once | None = None
    ) -> MoreTime:
        """Have the turn of the caller's seat end later; at one version it is given once.

        What is kept is that it was asked for, with the version; when the turn ends is computed
        from that by whoever looks, in any process, and those who wait are woken.

        Args:
            caller: Holds the seat in turn.
            game_id: The game.
            expect: The number of the newest record when it was decided.
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on.
            RuleBroken: `not_your_turn`.
            Conflict: `game_over`, `no_hand`; `no_clock`: the turn has no end; `no_more_time`: the
                seat has asked as often as it may in this hand, or the time is over.
            StorageFailure: It could not be kept, or nobody knows whether it was.
        """
        seat = self._clerk.callers.check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        if expect != game.version:
            raise self._clerk.stale(game, expect, seat)
        with self._clerk.repeats.refusals(once, game_id):
            check_in_turn(game, seat)
        settings = self._clerk.settings(game_id)
        if not is_limited(game, settings):
            raise Conflict("no_clock", "This turn has no end, so it needs no more time.")
        wish = Asked(game=game_id, kind="time", hand=game.hand, seat=seat, n=game.version)
        given = [one for one in self._clerk.more_time(game) if one.seat == seat]
        is_new = wish not in given
        left = settings.extends - len(given) - is_new
        if is_new:
            self._check(game, left)
        end = self._clerk.turn_end(game, wish if is_new else None)
        answer = MoreTime(version=game.version, left=max(0, left), **asdict(end))
        if is_new:
            self._keep(wish, answer, once)
        else:
            self._clerk.repeats.keep(once, answer, game_id)
        return answer

    def _check(self, game: Game, left: int) -> None:
        most = self._clerk.settings(game.id).extends
        if left < 0:
            said = "Your seat has had all the more time that there is in a hand."
            raise Conflict("no_more_time", said, {"extends": most})
        deadline = self._clerk.turn_end(game).deadline
        if deadline is not None and deadline <= self._clerk.clock():
            raise Conflict("no_more_time", "The time of your turn is over.", {"extends": most})

    def _keep(self, wish: Asked, answer: MoreTime, once: Once | None) -> None:
        repeats = self._clerk.repeats
        try:
            self._clerk.store.write(
                Write(
                    game=wish.game,
                    after=wish.n,
                    stands=True,
                    asked=wish,
                    answer=repeats.kept(once, answer, wish.game),
                )
            )
        except StaleVersion:
            raise self._clerk.stale(self._clerk.game(wish.game), wish.n, wish.seat) from None
        except Conflict as refusal:
            if refusal.code != "key_taken":
                raise
            # The same wish came twice at once, under two idempotency keys or none.
            repeats.keep(once, answer, wish.game)
