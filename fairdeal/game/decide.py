"""What may be said next: a wish becomes record drafts, or a refusal with its reason.

Pure: no clock, no entropy. The caller numbers, links and stores the drafts in one transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fairdeal.canasta import acts, engine, match
from fairdeal.canasta.position import Position
from fairdeal.canasta.scoring import sheet
from fairdeal.errors import Conflict, MalformedInput, NotFound
from fairdeal.game.dealing import body_of
from fairdeal.game.draft import Draft, closing, revealing
from fairdeal.game.state import BETWEEN_HANDS, Game
from fairdeal.records import bodies
from fairdeal.records.chain import MAX_RECORDS

COMPLETE: Final = "complete"
HANDS_USED_UP: Final = "hands_used_up"
RECORDS_LOST: Final = "records_lost"
"""The reason of a game that closes because newer records of it may be lost."""
RECORD_LIMIT: Final = "record_limit"
HintCounts = Callable[[Game], Sequence[int]]
"""Gives how many hints each seat was given in the newest hand of a game."""

_LONGEST_HAND: Final = 2000
"""More records than any hand makes: a game this near its limit closes (decisions, 23)."""


def no_hints(game: Game) -> Sequence[int]:
    """Count no hints: none were given."""
    return (0,) * game.seats


def decide_act(
    game: Game,
    seat: int,
    text: str,
    by: str = "seat",
    *,
    deal_on: bool = True,
    hints: HintCounts = no_hints,
) -> tuple[Draft, ...]:
    """Accept an act, with everything that follows from it at once.

    Gives the act; where it ends the hand also ``score`` and ``reveal``, then the next ``deal``
    or ``close`` and ``master`` (§2.8, decisions 14).

    Args:
        game: The game.
        seat: Whose act it is.
        text: The act (§6.2).
        by: ``seat``, ``stand-in`` or ``clock``.
        deal_on: Whether the next hand is dealt at once; if not, ``decide_next`` deals it.
        hints: Asked where the act ends the hand, for what the score says of it.

    Raises:
        Conflict: ``game_over``, ``no_hand`` (the seeds are not locked).
        NotFound: ``no_such_seat``.
        MalformedInput: ``bad_act``.
        RuleBroken: The rules forbid it.
    """
    act, position = read_act(game, seat, text)
    after, effect = engine.apply(position, seat, act)
    body = bodies.act_body(
        hand=game.hand,
        seat=seat,
        by=by,
        act=acts.format_act(act),
        took=effect.took,
        shown=effect.shown,
    )
    if not after.end:
        return (("act", body),)
    stood_in = list(game.stood_in)
    stood_in[seat] += by != "seat"
    ended = replace(game, position=after, stood_in=tuple(stood_in))
    return (("act", body), *_end_of_hand(ended, after, list(hints(game)), deal_on=deal_on))


def read_act(game: Game, seat: int, text: str) -> tuple[acts.Act, Position]:
    """Read an act for a hand that is in play; whether the rules allow it is not looked at.

    Raises:
        Conflict, NotFound, MalformedInput: As ``decide_act``.
    """
    if not 0 <= seat < game.seats:
        raise NotFound("no_such_seat", f"This game has no seat {seat}.")
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if game.position is None:
        raise _no_hand(game)
    return acts.parse(text), game.position


def check_in_turn(game: Game, seat: int) -> None:
    """Refuse what only the seat in turn may do, with the very words that refuse an act.

    Raises:
        Conflict, NotFound: As ``decide_act``.
        RuleBroken: ``not_your_turn``.
    """
    act, position = read_act(game, seat, "draw")
    if position.turn != seat:
        engine.check(position, seat, act)


def _no_hand(game: Game) -> Conflict:
    if game.state == BETWEEN_HANDS:
        return Conflict("no_hand", "No hand is in play: the next one is dealt in a moment.")
    return Conflict("no_hand", "No hand is in play: the seeds are not locked yet.")


def _end_of_hand(
    game: Game, after: Position, hints: list[int], *, deal_on: bool
) -> tuple[Draft, ...]:
    scores = sheet(after)
    totals = tuple(before + side.hand for before, side in zip(game.totals, scores, strict=True))
    result = {
        "concealed": after.concealed,
        "end": after.end,
        "hints": hints,
        "seat": after.out if after.out >= 0 else None,
        "sides": [
            {"hand": side.hand, "lines": [list(line) for line in side.lines], "total": total}
            for side, total in zip(scores, totals, strict=True)
        ],
        "stood_in": list(game.stood_in),
    }
    score = bodies.score_body(hand=game.hand, result=result)
    scored = replace(game, totals=totals, scored=game.scored + 1)
    return (("score", score), revealing(game), *_next(scored, deal_on=deal_on))


def decide_next(game: Game) -> tuple[Draft, ...]:
    """Deal the next hand where it was left for later; nothing otherwise (decisions 14)."""
    if game.state != BETWEEN_HANDS:
        return ()
    return (("deal", body_of(game, game.hand + 1)),)


def _next(game: Game, *, deal_on: bool) -> tuple[Draft, ...]:
    """Deal the next hand, or close the game where it has ended (R-76, decisions 14)."""
    if match.is_over(game.referee, game.totals, game.scored):
        return closing(game, COMPLETE)
    if game.hand >= len(game.opening["hand_commits"]):
        return closing(game, HANDS_USED_UP)
    if game.head.n > MAX_RECORDS - _LONGEST_HAND:
        return closing(game, RECORD_LIMIT)
    if replace(game, in_play=False).epoch_spent:
        return ()  # the next epoch's seeds come first (§2.5)
    if not deal_on:
        return ()
    return (("deal", body_of(game, game.hand + 1)),)


def decide_abort(game: Game, reason: str, *, deal_on: bool = True) -> tuple[Draft, ...]:
    """Stop the hand in play: it is opened and counted, and a refereed game deals on (§2.9).

    Args:
        game: The game.
        reason: Published.
        deal_on: As for ``decide_act``.

    Raises:
        Conflict: ``no_hand``.
    """
    if not game.in_play:
        raise _no_hand(game)
    abort = bodies.abort_body(hand=game.hand, reason=reason)
    after = replace(game, in_play=False, position=None)
    further = _next(after, deal_on=deal_on) if game.ruleset is not None else ()
    return (("abort", abort), revealing(game), *further)


def decide_close(game: Game, reason: str) -> tuple[Draft, ...]:
    """Give the game up: a hand in play is aborted and opened, then all is opened (§2.9).

    Raises:
        Conflict: ``game_over``: it is closed already.
        MalformedInput: ``bad_field``: a refereed game alone says when it is complete.
    """
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if game.ruleset is not None and reason in (COMPLETE, HANDS_USED_UP):
        raise MalformedInput(
            "bad_field", f"reason may not be {reason!r}: only the game itself ends so."
        )
    drafts: tuple[Draft, ...] = ()
    if game.in_play:
        abort = bodies.abort_body(hand=game.hand, reason=reason)
        drafts = (("abort", abort), revealing(game))
    return drafts + closing(game, reason)
