"""Bodies have exactly the fields of §2.10, within its bounds, and name the field at fault."""

import inspect
from copy import deepcopy
from typing import Any

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.records.bodies import BODIES, check_body
from fairdeal.records.canonical import encode
from fairdeal.records.chain import RECORD_TYPES

HASH, OTHER, SECRET = "ab" * 32, "cd" * 32, "ef" * 64


def nested(levels):
    """Return a value that is so many levels deep; a record has two around its body's fields."""
    return 0 if levels == 0 else [nested(levels - 1)]


#: §2.10's table, copied from the text by hand.
FIELDS = {
    "open": "origin profile beacon seats rules first_seat master_commit hand_commits epoch_hands"
    " missing_share reveal_by",
    "seal": "epoch seat seal",
    "sealed": "epoch seals",
    "share": "epoch seat nonce seed_sha256",
    "void": "epoch reason seats",
    "lock": "epoch first_hand shares round",
    "beacon": "epoch round signature",
    "deal": "hand first_seat hands up laid stock",
    "draw": "hand seat pos",
    "act": "hand seat by act took shown",
    "score": "hand result",
    "abort": "hand reason",
    "reveal": "hand secret",
    "close": "reason hands",
    "master": "secret",
}

PLAY: dict[str, Any] = {
    "custody": ["player", "service-bot"],
    "game": "canasta",
    "preset": "classic@1",
    "ruleset": {"players": 2},
    "seating": {"how": "given"},
    "sides": [[0], [1]],
    "v": 1,
}
RULES: dict[str, Any] = {
    "deck": ["AC", "2C", "JK", "3H", "9S", "9S"],
    "name": "small",
    "seats": 2,
    "steps": [
        {"op": "deal", "count": 2, "packet": 1},
        {"op": "turn", "until_not": ["2C"]},
        {"op": "replace", "faces": ["3H"]},
        {"op": "set", "name": "kitty", "count": 1},
    ],
    "v": "pfd1-rules",
}
GOOD: dict[str, dict[str, Any]] = {
    "open": {
        "origin": "deal.example/pfd1",
        "profile": "open",
        "beacon": None,
        "seats": [{"kind": "player", "label": "süd"}, {"kind": "bot", "label": "bot:greedy@1"}],
        "rules": RULES,
        "first_seat": 1,
        "master_commit": HASH,
        "hand_commits": [HASH, OTHER],
        "epoch_hands": 0,
        "missing_share": "void",
        "reveal_by": 1790086400000,
    },
    "seal": {"epoch": 1, "seat": 0, "seal": HASH},
    "sealed": {"epoch": 1, "seals": [HASH, None]},
    "share": {"epoch": 1, "seat": 0, "nonce": HASH, "seed_sha256": OTHER},
    "void": {"epoch": 1, "reason": "nobody came", "seats": [0]},
    "lock": {"epoch": 1, "first_hand": 1, "shares": [HASH, None], "round": None},
    "beacon": {"epoch": 1, "round": 1000, "signature": "b4" * 48},
    "deal": {
        "hand": 1, "first_seat": 1, "hands": [HASH, OTHER], "up": [3], "laid": [[], [4]],
        "stock": 1,
    },
    "draw": {"hand": 1, "seat": 0, "pos": 0},
    "act": {"hand": 1, "seat": 0, "by": "seat", "act": "draw", "took": [0, 1], "shown": ["3H"]},
    "score": {"hand": 1, "result": {"any": [1, None]}},
    "abort": {"hand": 1, "reason": ""},
    "reveal": {"hand": 1, "secret": SECRET},
    "close": {"reason": "complete", "hands": 0},
    "master": {"secret": SECRET},
}  # fmt: skip


def with_value(body, path, value):
    """Return a copy of a body in which the value at a dotted path is another one."""
    changed = deepcopy(body)
    *way, last = path.replace("]", "").replace("[", ".").split(".")
    place = changed
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = value
    return changed


def refusal(kind, body):
    with pytest.raises(MalformedInput) as refused:
        BODIES[kind](**body)
    assert refused.value.code == "bad_field"
    field = str(refused.value.facts["field"])
    assert field in refused.value.sentence
    return field


def test_there_is_one_function_for_each_type_of_record():
    assert set(BODIES) == set(RECORD_TYPES) == set(FIELDS) == set(GOOD)


@pytest.mark.parametrize("kind", RECORD_TYPES)
def test_a_body_has_exactly_the_fields_of_the_protocol(kind):
    names = set(FIELDS[kind].split())
    assert set(inspect.signature(BODIES[kind]).parameters) == names
    assert set(BODIES[kind](**GOOD[kind])) == names


@pytest.mark.parametrize("kind", RECORD_TYPES)
def test_a_good_body_is_taken_as_it_is_and_copied(kind):
    given = deepcopy(GOOD[kind])
    built = BODIES[kind](**given)
    assert built == given == GOOD[kind]
    assert built is not given
    assert encode(built)
    check_body(kind, built)


@pytest.mark.parametrize("kind", RECORD_TYPES)
def test_a_body_with_a_field_too_many_or_too_few_is_refused(kind):
    for body in (GOOD[kind] | {"extra": 1}, dict(list(GOOD[kind].items())[1:])):
        with pytest.raises(MalformedInput, match="exactly the fields"):
            check_body(kind, body)


def test_an_unknown_type_has_no_body():
    with pytest.raises(MalformedInput, match="no type of record"):
        check_body("entry", {})


def test_tuples_become_lists():
    assert BODIES["lock"](epoch=1, first_hand=1, shares=(HASH, None), round=None) == GOOD["lock"]


NO_HASH: list[Any] = ["", HASH[:-1], HASH.upper(), HASH + "\n", 7]
NO_HAND: list[Any] = [0, -1, 2**53, True, "1", None, 1.0]
NO_SEAT: list[Any] = [-1, 16, False, "0", None]
NO_TEXT: list[Any] = ["a\n", "a\x00", "\x7f", "\x85", "\ud800", "a" * 201, 7, None]
REFUSED: dict[str, dict[str, list[Any]]] = {
    "open": {
        "origin": ["", "a+b", "a b", "é", "a" * 201, None],
        "profile": ["closed", "", None, ["open"]],
        "beacon": [{}, {"chain": HASH}, [], {"chain": HASH, "delay_ms": 6000, "x": 1}, 0],
        "seats": [[], "seats", GOOD["open"]["seats"] * 9, GOOD["open"]["seats"][:1] * 17],
        "seats[0]": [{}, {"kind": "bot"}, 0],
        "seats[0].kind": ["human", None, True],
        "seats[1].label": NO_TEXT,
        "rules": [{}, None, RULES | {"x": 1}],
        "rules.deck": [[], ["AC"] * 1025, "AC"],
        "rules.deck[1]": ["", "a b", "123456789", "é", None],
        "rules.name": NO_TEXT,
        "rules.seats": [1, 3, None, True],
        "rules.steps": [
            None,
            {},
            [{"op": "deal", "count": 4, "packet": 1}],
            [{"op": "set", "name": "a", "count": 7}],
            [{"op": "set", "name": "a", "count": 1}] * 2,
        ],
        "rules.steps[0]": [{"op": "deal", "count": 1}, {"op": "turn", "faces": []}],
        "rules.steps[0].op": ["burn", None, 1],
        "rules.steps[0].count": [0, 1025, True, "1"],
        "rules.steps[0].packet": [0, 1025, None],
        "rules.steps[1].until_not": ["2C", None],
        "rules.steps[1].until_not[0]": [2, "a b"],
        "rules.steps[2].faces": ["3H"],
        "rules.steps[3].name": ["", "a\n", "a" * 201],
        "rules.steps[3].count": [0],
        "rules.v": ["pfd1", 1],
        "first_seat": [-1, 2, True, None],
        "master_commit": NO_HASH,
        "hand_commits": [[], [HASH] * 513, HASH],
        "hand_commits[1]": NO_HASH,
        "epoch_hands": [-1, 513, None],
        "missing_share": ["drop", "wait", None],
        "reveal_by": [-1, 2**53, "0", None],
    },
    "seal": {"epoch": NO_HAND, "seat": NO_SEAT, "seal": NO_HASH},
    "sealed": {"epoch": NO_HAND, "seals": [[], [HASH] * 17, None], "seals[0]": NO_HASH},
    "share": {"epoch": NO_HAND, "seat": NO_SEAT, "nonce": NO_HASH, "seed_sha256": NO_HASH},
    "void": {
        "epoch": NO_HAND,
        "reason": NO_TEXT,
        "seats": [[], None, [1] * 17],
        "seats[0]": NO_SEAT,
    },
    "lock": {
        "epoch": NO_HAND,
        "first_hand": NO_HAND,
        "shares": [[], [None] * 17],
        "shares[0]": NO_HASH,
        "round": [-1, "1", True],
    },
    "beacon": {
        "epoch": NO_HAND,
        "round": [-1, None],
        "signature": ["", "b", "B4", "b4" * 97, None],
    },
    "deal": {
        "hand": NO_HAND,
        "first_seat": NO_SEAT,
        "hands": [[], [HASH] * 17],
        "hands[1]": [*NO_HASH, None],
        "up": [None, [1] * 1025],
        "up[0]": [-1, 1024, True, "3"],
        "laid": [[], [[]] * 17],
        "laid[0]": [None, 3],
        "laid[1][0]": [-1, 1024],
        "stock": [-1, 1025, None],
    },
    "draw": {"hand": NO_HAND, "seat": NO_SEAT, "pos": [-1, True, None]},
    "act": {
        "hand": NO_HAND,
        "seat": NO_SEAT,
        "by": ["bot", "", None],
        "act": ["", "é", "a" * 401, None],
        "took": [None, "0", [0] * 1025],
        "took[0]": [-1, True],
        "shown": [None, "3H", ["3H"] * 1025],
        "shown[0]": ["", "a b"],
    },
    "score": {"hand": NO_HAND, "result": [0.5, {"a": 2**53}, {"ä": 1}, "\ud800", nested(63)]},
    "abort": {"hand": NO_HAND, "reason": NO_TEXT},
    "reveal": {"hand": NO_HAND, "secret": ["", SECRET[:-1], SECRET.upper(), None]},
    "close": {"reason": NO_TEXT, "hands": [-1, 513, True]},
    "master": {"secret": ["", HASH, SECRET + "\n", None]},
}
CASES = [
    pytest.param(kind, path, value, id=f"{kind}-{path}-{repr(value)[:24]}")
    for kind, paths in REFUSED.items()
    for path, values in paths.items()
    for value in values
]


@pytest.mark.parametrize(("kind", "path", "value"), CASES)
def test_a_value_out_of_bounds_is_refused_by_the_name_of_its_field(kind, path, value):
    assert refusal(kind, with_value(GOOD[kind], path, value)) == path


def test_every_field_of_every_body_is_refused_somewhere():
    for kind, names in FIELDS.items():
        assert set(names.split()) <= {path.split(".")[0].split("[")[0] for path in REFUSED[kind]}


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("open", "epoch_hands", 512),
        ("open", "seats[0].label", "🃏" * 200),
        ("open", "hand_commits", [HASH] * 512),
        ("open", "reveal_by", 2**53 - 1),
        ("lock", "round", 0),
        ("open", "seats", [{"kind": "bot", "label": ""}] * 16),
        ("open", "seats", [{"kind": "player", "label": ""}]),
        ("open", "rules.steps", [{"op": "deal", "count": 3, "packet": 3}]),
        ("open", "rules.steps", [{"op": "set", "name": "a", "count": 6}]),
        ("open", "first_seat", 0),
        ("open", "hand_commits", [HASH]),
        ("seal", "seat", 15),
        ("sealed", "seals", [None]),
        ("sealed", "seals", [HASH] * 16),
        ("void", "seats", list(range(16))),
        ("lock", "shares", [HASH] * 16),
        ("beacon", "signature", "b4" * 96),
        ("deal", "first_seat", 0),
        ("deal", "first_seat", 15),
        ("deal", "hands", [HASH]),
        ("deal", "laid", [[1023]] * 16),
        ("deal", "stock", 0),
        ("deal", "stock", 1024),
        ("act", "act", "a"),
        ("act", "act", "a" * 400),
        ("act", "took", list(range(1024))),
        ("act", "took", []),
        ("act", "shown", ["3H"] * 1024),
        ("act", "shown", []),
        ("close", "hands", 512),
        ("deal", "up", list(range(1024))),
        ("score", "result", None),
        ("score", "result", nested(62)),
    ],
)
def test_a_value_on_the_bound_is_taken(kind, path, value):
    body = with_value(GOOD[kind], path, value)
    if path == "seats" and kind == "open":
        body = with_value(body, "rules", RULES | {"seats": len(value), "steps": []})
        body["first_seat"] = 0
    assert BODIES[kind](**body) == body


def test_a_body_that_was_read_is_checked_in_its_values_too():
    with pytest.raises(MalformedInput, match="field hand "):
        check_body("abort", {"hand": 0, "reason": ""})


def test_a_deck_may_have_one_card_or_1024():
    for deck in (["A"], ["A"] * 1024):
        body = with_value(GOOD["open"], "rules", RULES | {"deck": deck, "steps": []})
        assert BODIES["open"](**body) == body


def test_drop_is_taken_with_a_beacon():
    body = GOOD["open"] | {"beacon": {"chain": HASH, "delay_ms": 6000}, "missing_share": "drop"}
    assert BODIES["open"](**body) == body


def refereed(**changed):
    return with_value(GOOD["open"], "rules", RULES | {"play": PLAY | changed})


@pytest.mark.parametrize(
    "play",
    [
        {},
        {"custody": ["site", "site-bot"]},
        {"preset": "x", "sides": [[0, 1]]},
        {"seating": {"how": "draw", "game": "draw-0001", "master_record": HASH}},
    ],
)
def test_a_refereed_open_is_taken(play):
    assert BODIES["open"](**refereed(**play)) == refereed(**play)


@pytest.mark.parametrize(
    ("play", "field"),
    [
        ({"x": 1}, "rules.play"),
        ({"v": None}, "rules.play.v"),
        ({"v": True}, "rules.play.v"),
        ({"game": "rummy"}, "rules.play.game"),
        ({"preset": ""}, "rules.play.preset"),
        ({"ruleset": []}, "rules.play.ruleset"),
        ({"custody": ["player"]}, "rules.play.custody"),
        ({"custody": ["player", "robot"]}, "rules.play.custody[1]"),
        ({"custody": ["player", "site"]}, "rules.play.custody[1]"),
        ({"custody": ["site-bot", "site-bot"]}, "rules.play.custody[0]"),
        ({"sides": []}, "rules.play.sides"),
        ({"sides": [[0], [2]]}, "rules.play.sides[1][0]"),
        ({"sides": [[0], []]}, "rules.play.sides[1]"),
        ({"seating": "given"}, "rules.play.seating.how"),
        ({"seating": {"how": "cut"}}, "rules.play.seating.how"),
        ({"seating": {"how": "given", "game": "draw-0001"}}, "rules.play.seating"),
        ({"seating": {"how": "draw", "game": "draw-0001"}}, "rules.play.seating"),
        (
            {"seating": {"how": "draw", "game": "x", "master_record": HASH}},
            "rules.play.seating.game",
        ),
        (
            {"seating": {"how": "draw", "game": "draw-0001", "master_record": "x"}},
            "rules.play.seating.master_record",
        ),
    ],
)
def test_what_does_not_fit_in_play_is_refused_by_name(play, field):
    assert refusal("open", refereed(**play)) == field


def test_play_that_is_no_object_is_refused():
    body = with_value(GOOD["open"], "rules", RULES | {"play": None})
    assert refusal("open", body) == "rules.play.v"


def test_of_another_version_of_play_nothing_else_is_judged():
    body = with_value(GOOD["open"], "rules", RULES | {"play": {"v": 2, "anything": [1]}})
    assert BODIES["open"](**body) == body


@pytest.mark.parametrize("play", [{"v": 2, "x": 0.5}, PLAY | {"ruleset": {"x": 0.5}}])
def test_a_value_in_play_without_a_canonical_form_is_refused(play):
    with pytest.raises(MalformedInput):
        BODIES["open"](**with_value(GOOD["open"], "rules", RULES | {"play": play}))


@pytest.mark.parametrize("kind", ["reveal", "master"])
def test_a_malformed_secret_is_not_quoted(kind):
    with pytest.raises(MalformedInput) as refused:
        BODIES[kind](**GOOD[kind] | {"secret": "5ec2e7" * 20})
    assert "5ec2e7" not in str(refused.value) + str(refused.value.facts)
