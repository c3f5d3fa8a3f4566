"""What a seat is told of its acts follows from that seat's knowledge alone.

Of every route and role: `tests.secrecy.noninterference`. Here many more acts are tried at each
position than could be sent.
"""

import random
from dataclasses import replace
from typing import Any

import pytest

from fairdeal.canasta import cards
from fairdeal.errors import FairdealError
from fairdeal.game import decide_act
from tests.table import play_out

RANKS = "456789TJQKA"


def others(position, seat):
    return [other for other in range(len(position.sizes)) if other != seat]


def with_hidden_cards_shuffled(position, seat, chance):
    """Return the position with all that the seat cannot see dealt anew."""
    twin = position.copy()
    stock = list(position.stock[position.drawn :])
    red = [card for card in stock if cards.CLASS_OF[card] == cards.RED3]
    pool = [card for card in stock if cards.CLASS_OF[card] != cards.RED3]
    for other in others(position, seat):
        pool += [card for card, number in enumerate(position.held[other]) for _ in range(number)]
    chance.shuffle(pool)
    for other in others(position, seat):
        twin.held[other] = [0] * cards.CARD_KINDS
        twin.counts[other] = [0] * cards.CLASSES
        for _ in range(position.sizes[other]):
            card = pool.pop()
            twin.held[other][card] += 1
            twin.counts[other][cards.CLASS_OF[card]] += 1
    rest = pool + red
    chance.shuffle(rest)
    twin.stock = (*position.stock[: position.drawn], *rest)
    return twin


def with_hidden_deal_shuffled(deal, seat, drawn_by_seat, chance):
    """Return the deal with the others' hands and all stock cards but the seat's own shuffled."""
    free = [at for at in range(len(deal.stock)) if at not in drawn_by_seat]
    pool = [card for other, hand in enumerate(deal.hands) if other != seat for card in hand]
    pool += [deal.stock[at] for at in free]
    chance.shuffle(pool)
    hands = tuple(
        hand if other == seat else tuple(pool.pop() for _ in hand)
        for other, hand in enumerate(deal.hands)
    )
    stock = list(deal.stock)
    for at in free:
        stock[at] = pool.pop()
    return replace(deal, hands=hands, stock=tuple(stock))


def all_events(player):
    """Return all of a seat's events, page by page."""
    events: list[Any] = []
    more = True
    while more:
        page = player.get(f"events?after={len(events) - 1}")
        events, more = events + page["events"], page["has_more"]
    return events


def twin_of(game, seat, events, chance):
    """Return a game that differs from this one in what the seat cannot see, and in nothing else."""
    mine = {
        place
        for event in events
        if event["type"] == "act"
        and (event["body"]["seat"], event["body"]["hand"]) == (seat, game.hand)
        for place in event["body"]["took"]
    }
    deals = (*game.deals[:-1], with_hidden_deal_shuffled(game.deals[-1], seat, mine, chance))
    position = with_hidden_cards_shuffled(game.position, seat, chance)
    return replace(game, deals=deals, position=position)


def acts_to_try():
    """Acts of every kind: most of them are refused in most positions."""
    yield from ("draw", "end", "ask", "yes", "no", "show")
    for face in cards.FACES:
        yield f"discard {face}"
    for rank in (*RANKS, "W", "3"):
        yield f"take {rank}"
    for rank in RANKS:
        yield f"lay {rank}:{rank}C,{rank}D,{rank}H"
        yield f"lay {rank}:{rank}S,{rank}S,JK"
        yield f"take {rank}:{rank}C,{rank}D"
        yield f"take {rank}:{rank}H,2S"


def judged(game, seat, act):
    """Return what the seat is told when it tries an act, up to what the act itself uncovers."""
    try:
        (_, body), *_ = decide_act(game, seat, act)
    except FairdealError as refusal:
        return type(refusal), refusal.code, refusal.sentence, refusal.facts
    # The next stock card decides what a draw uncovers; everything else is the seat's own doing.
    return "accepted", [] if body["took"] else body["shown"]


@pytest.fixture
def positions(service):
    """Positions all through a game of four humans, with their seats."""
    _, players = service.started("hhhh", hands=2)
    players.sort(key=lambda player: player.seat)

    def walk():
        step = 0
        while chosen := [(p, c) for p in players if (c := p.choose()) is not None]:
            if step % 19 == 0:
                yield service.dealer._clerk.game(players[0].game), players
            player, (expect, act) = chosen[0]
            player.act(expect, act)
            step += 1

    return walk()


@pytest.mark.slow
def test_hidden_cards_change_no_refusal(positions):
    chance = random.Random(6)
    tried = 0
    for game, players in positions:
        for player in players[:: 1 + tried % 3]:
            events = all_events(player)
            twin = twin_of(game, player.seat, events, chance)
            for act in acts_to_try():
                assert judged(twin, player.seat, act) == judged(game, player.seat, act), act
                tried += 1
    assert tried > 1000


def test_live_answers_never_tell_two_equal_cards_apart(service):
    """Views and acts name faces; only `deal` names copies, and of hands only one's own."""
    _, (player,) = service.started()
    for _ in range(10):
        player.act(*player.choose())
    for event in player.get("events")["events"]:
        if event["type"] == "act":
            assert all(isinstance(face, str) for face in event["body"]["shown"])
            for drawn in event.get("private", {}).get("drawn", ()):
                assert set(drawn) == {"position", "face", "note"}
                assert drawn["face"] in cards.FACES
    holding = player.get("view")["table"]["you"]["holding"]
    assert holding == sorted(holding, key=cards.FACES.index)


def test_what_a_seat_was_shown_is_what_was_dealt(service):
    """After the reveal the derived deal agrees with each seat's private facts."""
    created, players = service.started("hhbb", hands=1)
    shown: dict[int, list[int]] = {player.seat: [] for player in players}
    play_out(players)
    for player in players:
        for event in player.get("events")["events"]:
            if event["type"] == "deal":
                shown[player.seat] += event["private"]["cards"]
    deal = service.dealer._clerk.game(created["id"]).deals[0]
    for seat, cards_shown in shown.items():
        assert tuple(cards_shown) == deal.hands[seat]
