"""Every field of every record is of its form, or the file is malformed (docs/protocol.md 2.10)."""

import copy
from typing import Any

import pytest

from tests.verifier.forge import Forge, canonical, check, codes, honest
from verifier.schema import read_body, read_record
from verifier.shapes import SchemaFault
from verifier.strictjson import MAX_INTEGER, LineFault

HASH = "0" * 64
SECRET = "0" * 128
BODIES: dict[str, dict[str, Any]] = {
    "open": Forge().open_body,
    "seal": {"epoch": 1, "seat": 0, "seal": HASH},
    "sealed": {"epoch": 1, "seals": [HASH, None]},
    "share": {"epoch": 1, "seat": 0, "nonce": HASH, "seed_sha256": HASH},
    "void": {"epoch": 1, "reason": "r", "seats": [0, 1]},
    "lock": {"epoch": 1, "first_hand": 1, "shares": [HASH, None], "round": None},
    "beacon": {"epoch": 1, "round": 1, "signature": "0" * 96},
    "deal": {"hand": 1, "first_seat": 0, "hands": [HASH], "up": [1], "laid": [[2]], "stock": 3},
    "draw": {"hand": 1, "seat": 0, "pos": 0},
    "act": {"hand": 1, "seat": 0, "by": "seat", "act": "draw", "took": [0], "shown": ["3D"]},
    "score": {"hand": 1, "result": {"any": [None, "thing"]}},
    "abort": {"hand": 1, "reason": "r"},
    "reveal": {"hand": 1, "secret": SECRET},
    "close": {"reason": "complete", "hands": 1},
    "master": {"secret": SECRET},
}
OPEN = BODIES["open"]


def is_accepted(kind: str, body: object) -> bool:
    try:
        read_body(kind, copy.deepcopy(body))  # type: ignore[arg-type]
    except SchemaFault:
        return False
    return True


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_of_each_type_is_read(kind):
    assert is_accepted(kind, BODIES[kind])


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_is_closed(kind):
    body = BODIES[kind]
    assert not is_accepted(kind, body | {"extra": 1})
    for name in body:
        assert not is_accepted(kind, {key: body[key] for key in body if key != name}), name
    others: list[Any] = [None, [], "", 1, True]
    for other in others:
        assert not is_accepted(kind, other)


ANY_VALUE = {("score", "result")}


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, body in BODIES.items() for n in body])
def test_a_field_of_another_type_is_refused(kind, name):
    if (kind, name) in ANY_VALUE:
        assert all(is_accepted(kind, BODIES[kind] | {name: v}) for v in (None, 1, "x", [True]))
        return
    nullable = BODIES[kind][name] is None
    values: list[Any] = [True, {}, {"x": 1}, -1, [-1], [True], ["\n"], 2**53, [[[]]]]
    for value in values:
        assert not is_accepted(kind, BODIES[kind] | {name: value}), value
    assert is_accepted(kind, BODIES[kind] | {name: None}) == nullable


@pytest.mark.parametrize(
    ("kind", "name", "good", "bad"),
    [
        ("seal", "seal", ["a" * 64], ["A" * 64, "a" * 63, "a" * 65, "g" * 64, " " + "a" * 63]),
        ("reveal", "secret", ["f" * 128], ["f" * 64, "F" * 128, "f" * 128 + "\n"]),
        ("beacon", "signature", ["f" * 96], ["f" * 95, "f" * 192]),
        (
            "abort",
            "reason",
            ["", "x" * 200, "\U0001f0cf" * 200],
            ["x" * 201, "a\nb", "\x85", "\x7f"],
        ),
        ("seal", "epoch", [0, MAX_INTEGER], [MAX_INTEGER + 1, -1]),
        ("sealed", "seals", [[None] * 16, [HASH]], [[], [None] * 17, ["x"]]),
        ("lock", "shares", [[None] * 16], [[], [None] * 17, [0]]),
        ("lock", "round", [0, 1], ["1", False]),
        ("act", "by", ["seat", "stand-in", "clock"], ["bot", "", "Seat"]),
        ("act", "act", ["x", "x" * 400, "\x7f"], ["", "x" * 401, "\u00e9"]),
        ("act", "shown", [[], ["12345678"]], [[""], ["123456789"], ["a b"], ["\u00e9"], [1]]),
        ("act", "took", [[], [5, 3]], [[-1], ["1"], [None]]),
        ("deal", "laid", [[[]] * 16], [[], [[]] * 17, [1], [["a"]]]),
        ("deal", "hands", [[HASH] * 16], [[], [HASH] * 17, [None]]),
        ("void", "seats", [[], [3, 3]], [["0"], None]),
        ("open", "origin", ["a", "x" * 200], ["", "x" * 201, "a+b", "a b", "\u00e9"]),
        ("open", "profile", ["open", "sealed"], ["Open", ""]),
        ("open", "beacon", [None, {"chain": HASH, "delay_ms": 0}], [{"chain": HASH}, {}]),
        ("open", "missing_share", ["void"], ["drop", "wait"]),
        ("open", "first_seat", [0, 2], [3]),
        ("open", "epoch_hands", [0, 512], [513]),
        ("open", "hand_commits", [[HASH], [HASH] * 512], [[], [HASH] * 513]),
        ("open", "seats", [], [[], [{"kind": "bot", "label": ""}] * 2]),
    ],
)
def test_a_field_keeps_to_its_range_and_alphabet(kind, name, good, bad):
    for value in good:
        assert is_accepted(kind, BODIES[kind] | {name: value}), value
    for value in bad:
        assert not is_accepted(kind, BODIES[kind] | {name: value}), value


def with_rules(**changes: object) -> dict[str, Any]:
    return OPEN | {"rules": OPEN["rules"] | changes}


def with_step(*steps: dict[str, Any]) -> dict[str, Any]:
    return with_rules(steps=list(steps))


DEAL = {"op": "deal", "count": 1, "packet": 1}


def test_drop_needs_a_beacon():
    beacon = {"chain": HASH, "delay_ms": 6000}
    assert is_accepted("open", OPEN | {"missing_share": "drop", "beacon": beacon})


def test_seats_of_the_rules_are_those_of_the_record():
    assert not is_accepted("open", with_rules(seats=2))
    assert not is_accepted("open", with_rules(seats=True))
    many = [{"kind": "bot", "label": ""}] * 16
    assert is_accepted("open", with_rules(seats=16, steps=[]) | {"seats": many})
    many = [{"kind": "bot", "label": ""}] * 17
    assert not is_accepted("open", with_rules(seats=17, steps=[]) | {"seats": many})


@pytest.mark.parametrize(
    "changes",
    [
        {"deck": []},
        {"deck": ["AC"] * 1025},
        {"deck": [""] * 20},
        {"name": 1},
        {"name": "x" * 201},
        {"v": "pfd2-rules"},
        {"v": 1},
        {"steps": {}},
        {"extra": 1},
        {"play": None},
        {"play": {}},
        {"play": {"v": "1"}},
        {"play": {"v": True}},
        {"play": {"v": 1}},
    ],
)
def test_faulty_rules_are_refused(changes):
    assert not is_accepted("open", with_rules(**changes))


@pytest.mark.parametrize("version", [0, 2, -1, MAX_INTEGER])
def test_a_play_of_another_version_is_not_judged(version):
    assert is_accepted("open", with_rules(play={"v": version, "anything": [1]}))


@pytest.mark.parametrize(
    "step",
    [
        None,
        {},
        {"op": "cut"},
        {"op": "deal", "count": 1},
        {"op": "deal", "count": 0, "packet": 1},
        {"op": "deal", "count": 1, "packet": 0},
        {"op": "deal", "count": 1, "packet": 1025},
        {"op": "deal", "count": True, "packet": 1},
        DEAL | {"extra": 1},
        {"op": "turn", "until_not": "2C"},
        {"op": "turn", "until_not": [""]},
        {"op": "replace", "faces": [3]},
        {"op": "set", "name": "", "count": 1},
        {"op": "set", "name": "x", "count": 0},
        {"op": ["deal"], "count": 1, "packet": 1},
    ],
)
def test_a_faulty_step_is_refused(step):
    assert not is_accepted("open", with_step(step))


def test_steps_take_no_more_cards_than_there_are_and_name_a_set_once():
    assert is_accepted("open", with_step(DEAL | {"count": 4}))  # 12 cards for 3 seats
    assert not is_accepted("open", with_step(DEAL | {"count": 5}))
    kitty = {"op": "set", "name": "kitty", "count": 1}
    assert is_accepted("open", with_step(DEAL | {"count": 3}, kitty | {"count": 3}))
    assert not is_accepted("open", with_step(DEAL | {"count": 3}, kitty | {"count": 4}))
    assert not is_accepted("open", with_step(kitty, kitty))
    assert is_accepted("open", with_step(kitty, kitty | {"name": "talon"}))


# ----------------------------------------------------------------------- around the body

RECORD: dict[str, Any] = {
    "v": "pfd1",
    "game": "abcdefgh",
    "n": 0,
    "prev": HASH,
    "t": 1,
    "type": "close",
    "body": BODIES["close"],
}


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "E_SCHEMA"),
        ([], "E_SCHEMA"),
        ({}, "E_SCHEMA"),
        (RECORD | {"v": "pfd2"}, "E_VERSION"),
        (RECORD | {"v": 1}, "E_VERSION"),
        ({"v": "pfd2"}, "E_VERSION"),
        ({"v": "pfd1"}, "E_SCHEMA"),
        (RECORD | {"extra": 1}, "E_SCHEMA"),
        (RECORD | {"type": "shuffle"}, "E_SCHEMA"),
        (RECORD | {"type": None}, "E_SCHEMA"),
        (RECORD | {"n": -1}, "E_SCHEMA"),
        (RECORD | {"n": "0"}, "E_SCHEMA"),
        (RECORD | {"t": None}, "E_SCHEMA"),
        (RECORD | {"prev": "0" * 63}, "E_SCHEMA"),
        (RECORD | {"game": "abcdefg"}, "E_SCHEMA"),
        (RECORD | {"game": "x" * 65}, "E_SCHEMA"),
        (RECORD | {"game": ".abcdefgh"}, "E_SCHEMA"),
        (RECORD | {"game": "Abcdefgh"}, "E_SCHEMA"),
        (RECORD | {"game": "abcdefgh\n"}, "E_SCHEMA"),
    ],
)
def test_the_fields_around_the_body_are_checked(record, code):
    with pytest.raises(LineFault) as caught:
        read_record(record)
    assert caught.value.code == code


def test_a_record_is_read_whole():
    fields, body = read_record(RECORD)
    assert (fields.game, fields.n, fields.t, fields.kind) == ("abcdefgh", 0, 1, "close")
    assert body.__class__.__name__ == "Close"


def test_a_malformed_record_is_named_with_its_line():
    forge = honest()
    forge.records[3][1]["extra"] = 1
    report = check(forge)
    assert (report.verdict, codes(report), report.errors[0].at) == ("MALFORMED", ["E_SCHEMA"], 3)
    assert report.level is None


def test_the_first_malformed_line_is_the_one_named():
    forge = honest()
    forge.records[5][1]["extra"] = 1
    data = forge.data().replace(canonical(RECORD), b"")
    data = data.replace(b'"v":"pfd1"}\n', b'"v":"pfd9"}\n', 3).replace(b"pfd9", b"pfd1", 2)
    report = check(data)
    assert (codes(report), report.errors[0].at) == (["E_VERSION"], 2)
