"""Dealt-only hands: a site that referees by itself has them dealt, drawn from and opened (§6)."""

from fairdeal.errors import Conflict, NotFound
from fairdeal.game.dealing import body_of
from fairdeal.game.draft import Draft, revealing
from fairdeal.game.state import Game
from fairdeal.records import bodies


def decide_deal(game: Game) -> tuple[Draft, ...]:
    """Deal the next hand.

    Raises:
        Conflict: ``game_over``, ``refereed`` (such hands follow by themselves), ``hand_in_play``,
            ``seeds_awaited``, ``hands_used_up``.
    """
    _check_site_referees(game)
    if game.closed:
        raise Conflict("game_over", "The game is closed.")
    if game.in_play:
        raise Conflict("hand_in_play", "The last hand is neither scored nor aborted yet.")
    if game.hand >= len(game.opening["hand_commits"]):
        raise Conflict("hands_used_up", "All hands that this game committed to are dealt.")
    if game.epoch is None or not game.epoch.ready or game.epoch_spent:
        raise Conflict("seeds_awaited", "The next hand waits for its seeds.")
    return (("deal", body_of(game, game.hand + 1)),)


def decide_draw(game: Game, hand: int, seat: int) -> tuple[Draft, ...]:
    """Give a seat the next stock card; its face is that seat's alone.

    Raises:
        Conflict: ``refereed``, ``no_hand`` (that hand is not in play), ``stock_used_up``.
        NotFound: ``no_such_seat``.
    """
    _check_in_play(game, hand)
    if not 0 <= seat < game.seats:
        raise NotFound("no_such_seat", f"This game has no seat {seat}.")
    if len(game.draws) >= len(game.deal_of(hand).stock):
        raise Conflict("stock_used_up", "The stock is used up.")
    return (("draw", bodies.draw_body(hand=hand, seat=seat, pos=len(game.draws))),)


def decide_score(game: Game, hand: int, result: object) -> tuple[Draft, ...]:
    """Record a hand's result as the site states it; the hand's secret opens (§2.8).

    Raises:
        Conflict: ``refereed``, ``no_hand``.
        MalformedInput: The result has no canonical form.
    """
    _check_in_play(game, hand)
    return (("score", bodies.score_body(hand=hand, result=result)), revealing(game))


def _check_site_referees(game: Game) -> None:
    if game.ruleset is not None:
        raise Conflict("refereed", "This service referees this game; its hands go by themselves.")


def _check_in_play(game: Game, hand: int) -> None:
    _check_site_referees(game)
    if not game.in_play or hand != game.hand:
        raise Conflict("no_hand", f"Hand {hand} is not in play.")
