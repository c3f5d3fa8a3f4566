"""What may be said next: a wish becomes record drafts, or a refusal with its reason.

Pure: no clock, no entropy. The caller numbers, links and stores the drafts in one transaction.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from fairdeal.canasta import acts, engine, match
from fairdeal.canasta.position import Position
from fairdeal.canasta.scoring import sheet
from fairdeal.errors import Conflict, MalformedInput, NotFound
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.lines import commit, seat_line
from fairdeal.game.dealing import EPOCH, body_of, secret_of
from fairdeal.game.state import Game
from fairdeal.records import bodies
from fairdeal.records.chain import MAX_RECORDS

Draft: TypeAlias = tuple[str, Mapping[str, object]]
"""A record to be made: its type and body."""

COMPLETE: Final = "complete"
HANDS_USED_UP: Final = "hands_used_up"
RECORD_LIMIT: Final = "record_limit"
_LONGEST_HAND: Final = 2000
"""More records than any hand makes: a game this near its limit closes (decisions, 23)."""


def decide_seed(
    game: Game, seat: int, epoch: int, open_hash: str, nonce: str, seed_sha256: str
) -> tuple[Draft, ...]:
    """Accept a seat's share; with the last one the seeds lock and hand 1 is dealt.

    A repeat of the same share gives no draft at all.

    Raises:
        Conflict: ``open_hash_differs``, ``seeds_locked``, ``seed_given``, ``game_over``.
        NotFound: ``no_such_seat``.
        MalformedInput: A field of another shape, or another epoch.
    """
    if not 0 <= seat < game.seats or not game.is_player(seat):
        raise NotFound("no_such_seat", f"Seat {seat} is no player's seat of this game.")
    if open_hash != game.open_hash:
        raise Conflict(
            "open_hash_differs",
            "Your seed names another game record than this game's first one.",
            {"open_hash": game.open_hash},
        )
    if epoch != EPOCH:
        raise MalformedInput("bad_field", f"epoch must be {EPOCH} in this game.")
    body = bodies.share_body(epoch=epoch, seat=seat, nonce=nonce, seed_sha256=seed_sha256)
    line = seat_line(game.id, epoch, seat, open_hash, nonce, seed_sha256)
    if game.lines[seat] == line:
        return ()
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if game.lines[seat]:
        raise Conflict("seed_given", "This seat has given another seed already.")
    if game.locked:
        raise Conflict("seeds_locked", "The seeds are locked.")
    lines = (*game.lines[:seat], line, *game.lines[seat + 1 :])
    return (("share", body), *_lock_when_complete(replace(game, lines=lines)))


def decide_start(game: Game) -> tuple[Draft, ...]:
    """Lock and deal at once where no seat is a player's; nothing otherwise (§2.5)."""
    return _lock_when_complete(game) if not game.locked else ()


def _lock_when_complete(game: Game) -> tuple[Draft, ...]:
    if any(game.is_player(seat) and not game.lines[seat] for seat in range(game.seats)):
        return ()
    shares = [commit(line) if line else None for line in game.lines]
    lock = bodies.lock_body(epoch=EPOCH, first_hand=1, shares=shares, round=None)
    return (("lock", lock), ("deal", body_of(game, 1)))


def decide_act(game: Game, seat: int, text: str, by: str = "seat") -> tuple[Draft, ...]:
    """Accept an act, with everything that follows from it at once.

    Gives the act; where it ends the hand also ``score`` and ``reveal``, then the next ``deal``
    or ``close`` and ``master`` (§2.8, decisions 14).

    Raises:
        Conflict: ``game_over``, ``no_hand`` (the seeds are not locked).
        NotFound: ``no_such_seat``.
        MalformedInput: ``bad_act``.
        RuleBroken: The rules forbid it.
    """
    if not 0 <= seat < game.seats:
        raise NotFound("no_such_seat", f"This game has no seat {seat}.")
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if game.position is None:
        raise Conflict("no_hand", "No hand is in play: the seeds are not locked yet.")
    act = acts.parse(text)
    after, effect = engine.apply(game.position, seat, act)
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
    return (("act", body), *_end_of_hand(ended, after))


def _end_of_hand(game: Game, after: Position) -> tuple[Draft, ...]:
    scores = sheet(after)
    totals = tuple(before + side.hand for before, side in zip(game.totals, scores, strict=True))
    result = {
        "concealed": after.concealed,
        "end": after.end,
        # Hints come with the bots (issue 7); until then nobody can ask for one.
        "hints": [0] * game.seats,
        "seat": after.out if after.out >= 0 else None,
        "sides": [
            {"hand": side.hand, "lines": [list(line) for line in side.lines], "total": total}
            for side, total in zip(scores, totals, strict=True)
        ],
        "stood_in": list(game.stood_in),
    }
    score = bodies.score_body(hand=game.hand, result=result)
    scored = replace(game, totals=totals, scored=game.scored + 1)
    return (("score", score), _reveal(game), *_next(scored))


def _reveal(game: Game) -> Draft:
    secret = secret_of(game, game.hand)
    return ("reveal", bodies.reveal_body(hand=game.hand, secret=secret.hex()))


def _next(game: Game) -> tuple[Draft, ...]:
    """Deal the next hand, or close the game where it has ended (R-76, decisions 14)."""
    if match.is_over(game.ruleset, game.totals, game.scored):
        return _close(game, COMPLETE)
    if game.hand >= len(game.opening["hand_commits"]):
        return _close(game, HANDS_USED_UP)
    if game.head.n > MAX_RECORDS - _LONGEST_HAND:
        return _close(game, RECORD_LIMIT)
    return (("deal", body_of(game, game.hand + 1)),)


def _close(game: Game, reason: str) -> tuple[Draft, ...]:
    close = bodies.close_body(reason=reason, hands=game.hand)
    return (("close", close), ("master", bodies.master_body(secret=_master(game).hex())))


def _master(game: Game) -> Secret:
    if game.master is None:
        raise LookupError(f"the master secret of {game.id!r} is not at hand")
    return game.master


def decide_abort(game: Game, reason: str) -> tuple[Draft, ...]:
    """Stop the hand in play: it is opened and counted, and the next one is dealt (§2.9).

    Raises:
        Conflict: ``no_hand``.
    """
    if game.position is None:
        raise Conflict("no_hand", "No hand is in play.")
    abort = bodies.abort_body(hand=game.hand, reason=reason)
    return (("abort", abort), _reveal(game), *_next(replace(game, position=None)))


def decide_close(game: Game, reason: str) -> tuple[Draft, ...]:
    """Give the game up: a hand in play is aborted and opened, then all is opened (§2.9).

    Raises:
        Conflict: ``game_over``: it is closed already.
        MalformedInput: ``bad_field``: the reason is one that the rules of the game give.
    """
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if reason in (COMPLETE, HANDS_USED_UP):
        raise MalformedInput(
            "bad_field", f"reason may not be {reason!r}: only the game itself ends so."
        )
    drafts: tuple[Draft, ...] = ()
    if game.position is not None:
        abort = bodies.abort_body(hand=game.hand, reason=reason)
        drafts = (("abort", abort), _reveal(game))
    return drafts + _close(game, reason)
