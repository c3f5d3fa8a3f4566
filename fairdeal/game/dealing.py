"""A hand's deal within its game: a function of stored data and the master (protocol §2.7)."""

from fairdeal.canasta import engine
from fairdeal.canasta.position import Position
from fairdeal.fairness.deal import Deal, card_hashes, deal, first_seat_of
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.shuffle import order
from fairdeal.fairness.steps import parse_steps
from fairdeal.fairness.stream import mix
from fairdeal.game.state import Game
from fairdeal.records.bodies import deal_body


def secret_of(game: Game, hand: int) -> Secret:
    """Give a hand's secret.

    Raises:
        LookupError: The master secret is not at hand.
    """
    if hand in game.opened:
        return game.opened[hand]
    if game.master is None:
        raise LookupError(f"the master secret of {game.id!r} is not at hand")
    return hand_secret(game.master, game.id, hand)


def deal_of(game: Game, hand: int) -> Deal:
    """Derive the deal of a hand from the newest epoch.

    Raises:
        LookupError: No epoch is ready to deal from, or the hand's secret is not at hand.
    """
    epoch = game.epoch
    if epoch is None or not epoch.ready:
        raise LookupError(f"no epoch of {game.id!r} is ready to deal from")
    rules = game.opening["rules"]
    first = first_seat_of(game.opening["first_seat"], hand, game.seats)
    bound = mix(
        game=game.id,
        open_hash=game.open_hash,
        epoch=epoch.number,
        hand=hand,
        first_seat=first,
        lines=epoch.lines,
        beacon=epoch.beacon,
    )
    cards = len(game.deck)
    return deal(
        order(secret_of(game, hand), bound, cards),
        game.deck,
        parse_steps(rules["steps"], cards=cards, seats=game.seats),
        game.seats,
        first,
    )


def body_of(game: Game, hand: int) -> dict[str, object]:
    """Give the body of a hand's ``deal`` record."""
    found = deal_of(game, hand)
    return deal_body(
        hand=hand,
        first_seat=first_seat_of(game.opening["first_seat"], hand, game.seats),
        hands=card_hashes(game.id, hand, secret_of(game, hand), found),
        up=found.up,
        laid=found.laid,
        stock=len(found.stock),
    )


def position_of(game: Game, hand: int, found: Deal) -> Position:
    """Give the position at the start of a hand."""
    return engine.start(
        game.referee,
        holdings=[game.faces(cards) for cards in found.hands],
        laid=[game.faces(cards) for cards in found.laid],
        up=game.faces(found.up),
        stock=game.faces(found.stock),
        first_seat=first_seat_of(game.opening["first_seat"], hand, game.seats),
        totals=game.totals,
    )
