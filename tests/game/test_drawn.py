"""The draw for seats: who sits where, and who draws again."""

import itertools
from random import Random

import pytest

from fairdeal.fairness.keys import Secret
from fairdeal.game import (
    Draft,
    GameConfig,
    SeatConfig,
    decide_abort,
    decide_seats,
    decide_seed,
    draw_due,
    draw_rules,
    fold,
    open_body,
    replay,
)
from fairdeal.game.drawn import FOR_PARTNERS, RANKS, draw_on, ranked
from fairdeal.records.chain import make

FACES = [rank + suit for suit in "CDHS" for rank in RANKS]


def heights(faces):
    return [RANKS.index(face[0]) for face in faces]


# ------------------------------------------------------------------------------------- the cards


def test_a_draw_has_52_cards_and_deals_one_each():
    rules = draw_rules(partners=False)
    assert sorted(rules.deck) == sorted(FACES)
    assert list(rules.steps) == [{"op": "deal", "count": 1, "packet": 1}]


def test_aces_are_high_and_deuces_low():
    assert ranked([["2S"], ["AC"], ["KS"], ["TD"]]) == (1, 2, 3, 0)


def test_nobody_draws_again_where_all_ranks_differ():
    assert draw_on(["2S", "AC", "KS", "TD"], ["AS", "AD"]) == ()


def test_those_alike_draw_again_and_the_others_do_not():
    further = draw_on(["7S", "KC", "7D", "KS"], ["2C", "AD", "3C", "4C", "5C"])
    # The higher ones first; a suit parts nobody.
    assert further == ((1, "2C"), (3, "AD"), (0, "3C"), (2, "4C"))


def test_those_alike_again_draw_once_more():
    further = draw_on(["7S", "7C", "7D"], ["9C", "9D", "2C", "QC", "JC", "KS"])
    assert further == ((0, "9C"), (1, "9D"), (2, "2C"), (0, "QC"), (1, "JC"))


def test_a_further_card_parts_those_alike_and_nobody_else():
    drew = [["7S", "2C"], ["8C"], ["7D", "AS"], ["6H"]]
    assert ranked(drew) == (1, 2, 0, 3)


@pytest.mark.parametrize("stock", [[], ["AC"], ["9C", "9D"], ["9C", "9D", "9S"]])
def test_where_the_pack_parts_nobody_the_suit_of_the_first_card_does(stock):
    further = draw_on(["7S", "7C"], stock)
    assert len(further) == len(stock) // 2 * 2
    drew = [["7S"], ["7C"]]
    for seat, face in further:
        drew[seat].append(face)
    assert ranked(drew) == (0, 1)


def test_any_pack_parts_up_to_six_seats_by_rank_alone():
    chance = Random(7)
    drawn_again = 0
    for count in itertools.islice(itertools.cycle(range(1, 7)), 3000):
        pack = chance.sample(FACES, 52)
        first, stock = pack[:count], pack[count:]
        further = draw_on(first, stock)
        assert [face for _, face in further] == stock[: len(further)]
        drew = [[face] for face in first]
        for seat, face in further:
            drew[seat].append(face)
        said = [heights(drew[seat]) for seat in ranked(drew)]
        assert said == sorted(said, reverse=True)
        assert len({tuple(one) for one in said}) == count
        for seat, faces in enumerate(drew):
            alike = [n for n in range(count) if n != seat and drew[n][0][0] == faces[0][0]]
            assert (len(faces) > 1) == bool(alike)
        drawn_again += bool(further)
    assert drawn_again > 300


# ----------------------------------------------------------------------------------- the records


def drawn_game(number, *, partners=True, seats=4, bots=0):
    """Give a draw whose seeds are locked, and the records so far."""
    name = f"g{number:016}"
    master = Secret(number.to_bytes(64, "big"))
    config = GameConfig(
        origin="fairdeal.localhost/demo",
        seats=tuple(SeatConfig(kind="bot" if n < bots else "player") for n in range(seats)),
        dealt=draw_rules(partners=partners),
        hands=1,
        first_seat=0,
        reveal_by=10**12,
    )
    first = make(None, name, 1, "open", open_body(config, name, master))
    game = replay((first,), master)
    assert not draw_due(game)
    for seat in range(bots, seats):
        game = recorded(game, decide_seed(game, seat, 1, game.open_hash, f"{seat:064}", "ab" * 32))
    return game


def recorded(game, drafts):
    for type_, body in drafts:
        game = fold(game, make(game.head, game.id, game.head.t, type_, body))
    return game


def drawn_out(game):
    """Draw to the end; give the game and all that was recorded."""
    made: list[Draft] = []
    while drafts := decide_seats(game):
        made.extend(drafts)
        game = recorded(game, drafts)
    return game, made


@pytest.mark.parametrize("partners", [True, False], ids=["partners", "seats"])
def test_a_draw_deals_scores_and_closes_and_states_who_sits_where(partners):
    ties = 0
    for number in range(1, 40):
        game = drawn_game(number, partners=partners, bots=number % 3)
        game, made = drawn_out(game)
        assert game.finished
        types = [type_ for type_, _ in made]
        draws = types.count("draw")
        assert types == ["deal", *["draw"] * draws, "score", "reveal", "close", "master"]
        result = made[1 + draws][1]["result"]
        assert sorted(result) == ["drew", "order"]
        said = {seat: heights(faces) for seat, faces in enumerate(result["drew"])}
        by_card = sorted(said, key=said.__getitem__, reverse=True)
        high, second, third, low = by_card
        # Seats 0 and 2 of the game are partners, and so are 1 and 3; seat 0 plays first.
        expected = [high, third, second, low] if partners else by_card
        assert result["order"] == expected
        found = game.deal_of(1)
        assert [drew[0] for drew in result["drew"]] == [game.faces(one)[0] for one in found.hands]
        assert made[-2][1] == {"hands": 1, "reason": "complete"}
        ties += draws > 0
    assert ties >= 3


def test_a_draw_that_was_cut_off_among_its_further_cards_goes_on_with_the_same_ones():
    for number in range(1, 60):
        game = drawn_game(number)
        dealt = recorded(game, decide_seats(game))
        whole = decide_seats(dealt)
        if whole[0][0] != "draw":
            continue
        after_one = recorded(dealt, whole[:1])
        assert decide_seats(after_one) == whole[1:]
        return
    pytest.fail("no tie came up")


def test_a_draw_whose_hand_was_stopped_closes_without_a_score():
    game = drawn_game(1)
    dealt = recorded(game, decide_seats(game))
    stopped = recorded(dealt, decide_abort(dealt, "enough"))
    game, made = drawn_out(stopped)
    assert [type_ for type_, _ in made] == ["close", "master"]
    assert game.finished


def test_the_kind_of_a_draw_stands_in_record_0():
    assert drawn_game(1).opening["rules"]["name"] == FOR_PARTNERS
    assert drawn_game(1, partners=False).opening["rules"]["name"] == "draw for seats"
