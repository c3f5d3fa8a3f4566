"""A position as one line: exact both ways, and strict."""

import pytest

from fairdeal.canasta.notation import format_position, format_rules, parse_position, parse_rules
from fairdeal.canasta.position import Position
from fairdeal.canasta.presets import PRESETS, build
from fairdeal.canasta.view import knowledge
from fairdeal.errors import MalformedInput
from tests.canasta.positions import CANASTA, at, do
from tests.explain.games import SIX, positions, rulesets

LINE = (
    "cp1 classic@1 0.play 4C5S7H9DKS3C/?11/?11/?11 K:KCKDKH2C/ 3D/ 6CQH|9D 2+?20 1640/-35 "
    "drew=stock began=K melded=0 shown=0123"
)


def state(position: Position) -> dict[str, object]:
    """All that a position holds; the stock cards that are gone have no face any more."""
    names = [name for kind in Position.__mro__ for name in getattr(kind, "__slots__", ())]
    held = {name: getattr(position, name) for name in names}
    return {**held, "stock": position.stock[position.drawn :]}


@pytest.mark.slow
def test_a_position_survives_its_line_whole_and_as_a_seat_knows_it():
    for position, _ in positions(400, seed=51):
        for one in (position, knowledge(position, position.turn)):
            line = format_position(one)
            assert state(parse_position(line)) == state(one)
            assert format_position(parse_position(line)) == line


def test_the_line_of_a_position_is_what_a_person_reads():
    position = at(
        {0: "4C 5S", 1: "7H", 2: "8H", 3: "9H"}, a={"9": CANASTA}, pile="6C KD", stock="10S JK"
    )
    assert format_position(position) == (
        "cp1 classic@1 0.draw 4C5S/7H/8H/9H 9:9C9C9D9D9H9H9S/ / |6CKD 0+TSJK 0/0 "
        "began=9 melded=0 shown=0123"
    )


def test_a_line_written_by_hand_reads_and_writes_back():
    position = parse_position(LINE)
    assert format_position(position) == LINE
    assert (position.turn, position.phase, position.drew) == (0, "play", "stock")
    assert (position.totals, position.upcards, position.drawn) == ((1640, -35), 2, 2)
    assert position.sizes == [6, 11, 11, 11]


def test_the_state_of_a_turn_is_in_the_line():
    position = do(at({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}, phase="play", pile="6C"), "ask")
    line = format_position(position)
    assert " 2.asked " in line
    assert "asker=0" in line
    assert "marks=asked" in line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cp1 ", "cp2 "),
        ("classic@1", "classical@1"),
        ("classic@1", "classic@1;hand_size=11"),
        ("classic@1", "classic@1;hand_size= 12"),
        ("classic@1", "classic@1;hand_size=12;hand_size=12"),
        ("classic@1", "classic@1;hand_size=99"),
        ("classic@1", "classic@1;hand_size"),
        ("classic@1", "classic@1;hand_size=" + "[" * 3000),
        ("0.play", "4.play"),
        ("0.play", "0.sleep"),
        ("0.play", "00.play"),
        ("4C5S", "5S4C"),
        ("4C5S", "4C5X"),
        ("4C5S", "4C5"),
        ("/?11/?11/?11", "/?11/?11"),
        ("/?11", "/?011"),
        ("K:KC", "Z:KC"),
        ("K:KCKDKH2C/", "K:KCKDKH2C"),
        ("K:KCKDKH2C", "K:KCKDKH2C,4:4C4D4H"),
        ("3D/ ", "3D "),
        ("6CQH|9D", "6CQH9D"),
        ("2+?20", "2?20"),
        ("2+?20", "2+4C"),
        ("1640/-35", "1640"),
        ("1640/-35", "1640/-0"),
        ("1640/-35", "+1640/-35"),
        ("drew=stock", "drew=hat"),
        ("drew=stock", "drew=stock drew=stock"),
        ("drew=stock began=K", "began=K drew=stock"),
        ("melded=0", "melded=9"),
        ("shown=0123", "shown=3210"),
        ("shown=0123", "shown=0123 mood=good"),
        (" shown=0123", "  shown=0123"),
        ("melded=0", "melded="),
    ],
)
def test_a_line_that_is_not_the_one_way_to_write_it_is_refused(old, new):
    assert old in LINE
    with pytest.raises(MalformedInput) as refused:
        parse_position(LINE.replace(old, new, 1))
    assert refused.value.code == "bad_position"


@pytest.mark.parametrize("text", ["", "cp1", "x" * 30_000, "cp1 " * 12])
def test_what_is_no_line_at_all_is_refused(text):
    with pytest.raises(MalformedInput):
        parse_position(text)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_written_by_its_own_name(name):
    rules = build(name, SIX if name == "six-player@1" else {})
    assert format_rules(rules).split(";")[0] == name
    assert parse_rules(format_rules(rules)) == rules


def test_a_ruleset_is_written_as_the_nearest_preset_and_what_differs():
    rules = build("classic@1", {"canastas_to_go_out": 2, "opening_bands": [[None, 20]]})
    assert format_rules(rules) == "classic@1;opening_bands=[[null,20]];canastas_to_go_out=2"
    for one in rulesets():
        assert parse_rules(format_rules(one)) == one
