"""When somebody acts in place of a player who does not (decisions 15).

Nothing here looks at a clock: when a seat came in turn stands in the records, when its player was
last there in the store, and what follows is the same for every process that asks.

A turn has `turn_s`, counted from the record that put the seat in turn; what the seat does in its
turn does not give it more, but each time it asks for more it has `extend_s` longer (decision 0012).
An open question has `answer_s`, or where there is none `turn_s`. Then
the stand-in makes one act, and goes on act by act until the turn is over. Between two acts of a
seat are three seconds at least, whoever makes them: a player who comes back acts next. For a seat
that is away the stand-in acts without that limit, as long as another player is there who waits.

Where no player was there for ten minutes before a turn began, the clock stands still; whoever
comes back first finds the whole time of the turn before them. A turn that began while somebody was
there runs to its end: so a game with turns of a day goes on although nobody is there for hours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from fairdeal.canasta.acts import Answer, format_act
from fairdeal.canasta.position import ASKED
from fairdeal.game import SEEDING, Draft, Game, HintCounts, decide_act, no_hints, seat_in_turn
from fairdeal.game.epoch import SEALING, SHARING, VOID
from fairdeal.service.botplay import chosen
from fairdeal.service.presence import HERE_MS
from fairdeal.service.settings import Settings
from fairdeal.store.askport import Asked
from fairdeal.store.ports import Seen

DESERTED_MS: Final = 10 * 60 * 1000
"""A turn that begins so long after the last player was there has no time."""

SEEDLESS_MS: Final = 5 * 60 * 1000
"""So long a game in a room waits for the seed of somebody of whom there is no sign."""

STEP_MS: Final = 3000
"""So long after an act of a seat nothing is done in its place."""

RETURN: Final = 16
"""In `Seen.seat`, in place of a seat: when somebody came back and found the clock standing.

No seat has this number (protocol 2.10). It is kept because the last signs alone do not tell how
long the table was empty before them.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """An act that is due in place of a player.

    Attributes:
        at: From when on, ms since 1970; perhaps passed.
        seat: Whose act it is.
        by: `clock` where a limit has passed, `stand-in` where the player is away.
    """

    at: int
    seat: int
    by: Literal["clock", "stand-in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """Until when the seat in turn has time; all of it follows from the records and the store.

    Attributes:
        deadline: ms since 1970; None for no end.
        warn_at: From when on the end is near, ms since 1970; None for never.
        warned: Whether it is near now.
    """

    deadline: int | None = None
    warn_at: int | None = None
    warned: bool = False


NO_END: Final = TurnEnd()


def due_of(
    game: Game, settings: Settings, seen: Iterable[Seen], asked: Iterable[Asked] = ()
) -> Due | None:
    """Return what will be done for the seat in turn if nobody does anything.

    Args:
        game: The game.
        settings: Its clocks.
        seen: Who was there and when last, in the game and in its room.
        asked: The hand's wishes for more time.

    Returns:
        None where no hand is in play, a bot is in turn, there is no limit, or the clock stands.
    """
    seat = seat_in_turn(game)
    if seat is None or not game.is_player(seat) or not settings.ticks:
        return None
    table = _Table(game, seen)
    found = [
        _by_clock(game, settings, seat, table, asked),
        _by_absence(game, settings, seat, table),
    ]
    due = min((one for one in found if one is not None), key=lambda one: one.at, default=None)
    return None if due is None else replace(due, at=max(due.at, _free_from(game)))


def turn_end(
    game: Game, settings: Settings, seen: Iterable[Seen], asked: Iterable[Asked], now: int
) -> TurnEnd:
    """Return until when the seat in turn has time.

    Args:
        game: The game.
        settings: Its clocks.
        seen: As for `due_of`.
        asked: As for `due_of`.
        now: ms since 1970.
    """
    seat = seat_in_turn(game)
    if seat is None or not game.is_player(seat):
        return NO_END
    due = _by_clock(game, settings, seat, _Table(game, seen), asked)
    if due is None:
        return NO_END
    at = max(due.at, _free_from(game))
    if settings.warn_s is None:
        return TurnEnd(deadline=at)
    warn_at = at - 1000 * settings.warn_s
    return TurnEnd(deadline=at, warn_at=warn_at, warned=now >= warn_at)


def is_limited(game: Game, settings: Settings) -> bool:
    """Say whether the turn has a time, be it that the clock stands."""
    return _limit_s(game, settings) is not None


def stand_in(game: Game, due: Due, hints: HintCounts = no_hints) -> tuple[Draft, ...]:
    """Make the one act that is due; a question that nobody answered counts as *no*.

    Args:
        game: The game.
        due: What is due in it.
        hints: As for `decide_act`.
    """
    act = Answer(yes=False) if _is_asked(game) else chosen(game, due.seat)
    return decide_act(game, due.seat, format_act(act), due.by, deal_on=False, hints=hints)


def stands(game: Game, settings: Settings, seen: Iterable[Seen]) -> bool:
    """Say whether a turn's time would be running, were any player there.

    Args:
        game: The game.
        settings: Its clocks.
        seen: As for `due_of`, but for the sign of whoever comes back now.
    """
    seat = seat_in_turn(game)
    if seat is None or not game.is_player(seat) or _limit_s(game, settings) is None:
        return False
    return _by_clock(game, settings, seat, _Table(game, seen), ()) is None


def lacks_seed(game: Game, settings: Settings, seen: Iterable[Seen], now: int) -> bool:
    """Say whether a game that has not begun waits in vain: a seed is missing whose player is away.

    As in a turn somebody else has to be there who waits; a game without a limit waits on.

    Args:
        game: The game.
        settings: Its clocks.
        seen: As for `due_of`.
        now: ms since 1970.
    """
    if game.state != SEEDING or game.hand or not settings.ticks:
        return False
    table = _Table(game, seen)
    missing = (seat for seat in table.players if _owes_seed(game, seat))
    away = [seat for seat in missing if table.signs[seat] <= now - SEEDLESS_MS]
    return bool(away) and any(
        table.signs[seat] > now - HERE_MS for seat in table.players if seat not in away
    )


class _Table:
    """When each seat was last heard or seen, the last of them, and the last return."""

    def __init__(self, game: Game, seen: Iterable[Seen]) -> None:
        self.signs = list(game.heard)
        self.returned = self.last = 0
        for one in seen:
            if one.seat == RETURN:
                self.returned = max(self.returned, one.at)
            elif one.seat < game.seats:
                self.signs[one.seat] = max(self.signs[one.seat], one.at)
                # Not what was heard: an act that ends an absence must not start the old time.
                self.last = max(self.last, one.at)
        self.players = [seat for seat in range(game.seats) if game.is_player(seat)]


def _by_clock(
    game: Game, settings: Settings, seat: int, table: _Table, asked: Iterable[Asked]
) -> Due | None:
    limit_s = _limit_s(game, settings)
    if limit_s is None:
        return None
    since = max(game.turn_since, table.returned)
    if since > table.last + DESERTED_MS:
        return None
    # Two wishes at once may both be kept although only one was left.
    own = [one for one in asked if one.seat == seat][: settings.extends]
    more = sum(one.n >= game.turn_from for one in own)
    time_s = limit_s + more * settings.extend_s
    return Due(at=since + 1000 * time_s, seat=seat, by="clock")


def _by_absence(game: Game, settings: Settings, seat: int, table: _Table) -> Due | None:
    if settings.if_away != "bot" or settings.away_grace_s is None:
        return None
    grace_ms = 1000 * settings.away_grace_s
    at = max(game.turn_since, table.signs[seat] + grace_ms)
    waiting = any(table.signs[one] > at - HERE_MS for one in table.players if one != seat)
    return Due(at=at, seat=seat, by="stand-in") if waiting else None


def _limit_s(game: Game, settings: Settings) -> int | None:
    if _is_asked(game) and settings.answer_s is not None:
        return settings.answer_s
    return settings.turn_s


def _free_from(game: Game) -> int:
    """Return until when the seat in turn is left alone after an act of its own or in its place."""
    head = game.head
    again = head.type == "act" and head.body["seat"] == seat_in_turn(game)
    return head.t + STEP_MS if again else 0


def _owes_seed(game: Game, seat: int) -> bool:
    """Say whether a game that waits for seeds waits for this seat's seal or share."""
    epoch = game.epoch
    if epoch is None or epoch.phase == VOID:
        return True
    if epoch.phase == SEALING:
        return epoch.seals[seat] is None
    return epoch.phase == SHARING and not epoch.lines[seat]


def _is_asked(game: Game) -> bool:
    return game.position is not None and game.position.phase == ASKED
