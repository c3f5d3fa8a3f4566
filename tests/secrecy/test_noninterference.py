"""Hidden cards change no byte that a role receives; and the search for such a byte finds one.

10,000 pairs of a position and a role: `python -m benchmarks.noninterference --pairs 10000`. Here
a sample of each kind of game, and leaks planted into the product, each of which must be found.
"""

from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from api.asgi import Exchange
from fairdeal import game as rules
from fairdeal.canasta import cards, engine
from fairdeal.canasta.view import seat_view as hand_view
from fairdeal.errors import RuleBroken
from fairdeal.game import seats as seats_of_game
from fairdeal.service import Feed
from fairdeal.service.clerk import Clerk
from tests.secrecy import forms, worlds
from tests.secrecy.asking import ROUTES, Moment, routes_of
from tests.secrecy.forms import Differs
from tests.secrecy.noninterference import (
    Tally,
    first_hand,
    look_at_two_lines,
    look_through,
    play_in,
)
from tests.secrecy.plans import Plan, plans
from tests.secrecy.scripts import script
from tests.secrecy.worlds import application

SAMPLE = 8
SHARE = 0.03
HOUR = {"open": True, "delay_s": 3600}
PLANS = {plan.name: plan for plan in plans()}


def looked_through(name, pairs=SAMPLE, seed=1):
    tally = Tally()
    look_through(PLANS[name], seed, tally, share=SHARE, enough=lambda: tally.all_pairs >= pairs)
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_hidden_cards_change_no_byte_that_a_role_receives(name):
    tally = looked_through(name)
    assert tally.all_pairs >= SAMPLE
    assert tally.answers > 10 * SAMPLE
    # Most answers are equal as they stand: where nothing is left out nothing can hide.
    assert 3 * tally.replaced < tally.answers


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic@1", "clocks, and watched by invitation"])
def test_whoever_holds_no_seat_cannot_tell_how_a_running_hand_is_played(name):
    tally = Tally()
    assert look_at_two_lines(PLANS[name], 1, tally, share=0.15) > 10
    assert tally.all_pairs > 15


def test_a_delay_hides_for_so_long_that_a_hand_is_over_and_how_it_went():
    plan = Plan("an hour later", {"rules": {"preset": "classic@1"}, "watch": HOUR}, "hhhh")
    tally = Tally()
    with first_hand(plan, 1) as (table, look, folder):
        other = script(table, look.game, Random(2))
        assert other.moves != look.hand.moves
        with closing(look.twins(look.order, table, None, tally, folder)) as twins:
            twins.play(look.dealing)
            for world, hand in zip(twins.worlds, (look.hand, other), strict=True):
                for move in (*hand.moves, *hand.onward):
                    play_in(world, table, move)
            games = [world.game(table.id) for world in twins.worlds]
            assert [game.scored for game in games] == [1, 1]
            assert games[0].totals != games[1].totals
            for who in table.without_seat:
                twins.level()
                twins.ask(Moment(look.game, who, table.others, Random(3), all=True))
    assert tally.replaced == 0


def test_every_route_is_asked():
    """A new route has to be asked here too; what it is asked belongs into `asking.ROUTES`."""
    assert routes_of(list(application().url_map.iter_rules())) == set(ROUTES)


def test_the_replaced_fields_are_these_and_no_others():
    assert list(forms.REPLACED) == [
        "prev",
        "body.hands.[other]",
        "receipt: record hash",
        "receipt: signature",
    ]


# ---------------------------------------------------------------------------- planted leaks

SEATS = "fairdeal.game.seats"


def hidden(position, seat):
    """Return a number that follows from cards which the seat may not see."""
    beside = position.holding((0 if seat is None else seat + 1) % len(position.sizes))
    return sum(beside) + sum(position.stock[position.drawn :][:5])


def planted_view(change):
    """Plant what `change` makes of a true view, given the whole position."""

    def plant(monkeypatch):
        def view(position, seat):
            return change(hand_view(position, seat), position, seat)

        monkeypatch.setattr(f"{SEATS}.hand_view", view)

    return plant


def next_of_stock(seen, position, _):
    left = position.stock[position.drawn :]
    return {**seen, "end": cards.FACES[left[0]] if left else None}


def card_beside(seen, position, seat):
    beside = position.holding((seat + 1) % len(position.sizes))
    return {**seen, "pile": {**seen["pile"], "top": cards.FACES[beside[-1]] if beside else ""}}


def pairs_of_others(seen, position, seat):
    others = position.counts[:seat] + position.counts[seat + 1 :]
    return {**seen, "stock": seen["stock"] + sum(n > 1 for row in others for n in row)}


def order_of_seats(seen, position, seat):
    """The right values in an order that tells."""
    return {**seen, "seats": seen["seats"][:: 1 if hidden(position, seat) % 2 else -1]}


def private_facts_of_another(monkeypatch):
    def private(game, record, seat):
        return own_facts(game, record, (seat + 1) % game.seats)

    own_facts = seats_of_game._private
    monkeypatch.setattr(f"{SEATS}._private", private)


def refusal_that_looks_at_others(monkeypatch):
    def check(position, seat, act):
        try:
            check_act(position, seat, act)
        except RuleBroken as refusal:
            again = "!" if hidden(position, seat) % 2 else "."
            refusal.sentence = refusal.sentence[:-1] + again
            raise

    check_act = engine.check
    monkeypatch.setattr(engine, "check", check)


def length_of_a_sentence(monkeypatch):
    def choices(game, seat):
        listed = true_choices(game, seat)
        return {**listed, "headline": listed["headline"] + " " * (hidden(game.position, seat) % 3)}

    true_choices = rules.choices
    monkeypatch.setattr(rules, "choices", choices)


def beat_of_a_stream(monkeypatch):
    def beat(feed, game, seat, newest):
        item = true_beat(feed, game, seat, newest)
        known = feed._clerk.game(game.id).position
        more = b" " * (hidden(known, seat) % 5)
        return replace(item, data=item.data + more)

    true_beat = Feed.beat
    monkeypatch.setattr(Feed, "beat", beat)


def header(monkeypatch):
    def dress(answer):
        world = worlds.here()
        order = next(iter(world.orders.values()), None) or next(iter(world.dealt.values()), [0])
        answer.headers["X-Shard"] = str(order[-1] % 7)
        return answer

    functions = application().after_request_funcs
    monkeypatch.setitem(functions, None, [*functions[None], dress])


def process_of_streams(monkeypatch):
    def give(exchange, body, *, goes_on=True):
        world = worlds.here()
        order = next(iter(world.orders.values()), None) or next(iter(world.dealt.values()), [0])
        return true_give(exchange, body + b"\n" * (order[-1] % 5), goes_on=goes_on)

    true_give = Exchange.give
    monkeypatch.setattr(Exchange, "give", give)


PLANTED = {
    "the next card of the stock": planted_view(next_of_stock),
    "a card of a neighbour": planted_view(card_beside),
    "how many pairs others hold": planted_view(pairs_of_others),
    "an order that tells one bit": planted_view(order_of_seats),
    "private facts of another seat": private_facts_of_another,
    "a sign in the sentence of a refusal": refusal_that_looks_at_others,
    "the length of a sentence": length_of_a_sentence,
    "the length of a beat in a stream": beat_of_a_stream,
    "a header": header,
    "the length of what the process of streams gives": process_of_streams,
}


@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_a_planted_leak_is_found(monkeypatch, plant):
    plant(monkeypatch)
    with pytest.raises(Differs):
        looked_through("classic@1", pairs=100)


def test_a_planted_leak_of_a_public_record_is_found(monkeypatch):
    """Both worlds have the same records live, so only another line shows it."""
    monkeypatch.setattr(Clerk, "public_end", lambda clerk, game: game.version)
    with pytest.raises(Differs):
        look_at_two_lines(PLANS["classic@1"], 1, Tally(), share=0.15)
