"""What is told at the table: names, why a pile is frozen, new cards, score sheets."""

import os

import pytest

from fairdeal.canasta.presets import build
from fairdeal.canasta.ruleset import to_json
from fairdeal.canasta.scoring import LINES
from fairdeal.cli.client import ApiError
from fairdeal.cli.play.kept import Cut, Folder, Seat, waiting, with_cut
from fairdeal.cli.play.opening import is_open, split_link
from fairdeal.cli.play.picture import pile_told
from fairdeal.cli.play.remote import Remote
from fairdeal.cli.play.scored import LABELS, hand_told
from fairdeal.cli.play.screen import visible
from fairdeal.cli.play.story import Names, Story, fresh
from fairdeal.cli.server import Server
from tests.table import quick_folder

BOT = {"kind": "bot", "label": "bot:steady@1"}
RUTH = {"kind": "player", "label": "Ruth"}
NOBODY = {"kind": "player", "label": ""}


def opening(preset="classic@1", seats=(NOBODY, BOT, BOT, BOT), **changes):
    rules = build(preset, changes)
    sides = [list(seats) for seats in rules.side_seats]
    deck = ["JK", "2C", "3H", "9D", "4C", "8S", "KD", "5H"]
    play = {"ruleset": to_json(rules), "sides": sides, "preset": preset}
    body = {
        "rules": {"deck": deck, "play": play},
        "seats": list(seats),
        "profile": "open",
        "epoch_hands": 0,
    }
    return {"n": 0, "type": "open", "body": body}


def dealt(*up, n=1, laid=((), (), (), ())):
    body = {"hand": 1, "up": list(up), "stock": 60, "laid": [list(one) for one in laid]}
    return {"n": n, "type": "deal", "body": body}


def act(n, seat, text, took=(), shown=(), by="seat", **private):
    body = {"seat": seat, "act": text, "took": list(took), "shown": list(shown), "by": by}
    return {"n": n, "type": "act", "body": body, "private": private}


def told(*events, me=0):
    story = Story(me)
    return story, list(story.tell(events))


def side(opened):
    return {"seats": [], "opened": opened}


def table(story, opened, frozen, mine=0):
    pile = {"count": len(story.pile), "top": story.pile[-1], "frozen": frozen}
    sides = [{"seats": list(s), "opened": o} for s, o in zip(story.sides, opened, strict=True)]
    return {"pile": pile, "sides": sides, "you": {"side": mine}}


def test_seats_are_named_as_seen_from_one_s_own():
    names = Names.of([NOBODY, BOT, RUTH, BOT], [[0, 2], [1, 3]], 0)
    assert names.short == ("You", "Left", "Ruth", "Right")
    assert names.full[1] == "Left, computer (steady)"
    assert names.side([2, 0]) == "You and Ruth"
    assert Names.of([BOT, BOT, NOBODY], [[0], [1], [2]], 2).short == ("Left", "Right", "You")
    assert Names.of([NOBODY, BOT], [[0], [1]], 0).short == ("You", "Opponent")


def test_a_label_of_somebody_else_cannot_steer_the_terminal():
    names = Names.of(
        [NOBODY, {"kind": "player", "label": "\x1b[2JAnn\x07" + "x" * 90}], [[0], [1]], 0
    )
    assert names.short[1].isprintable()
    assert len(names.short[1]) <= 24
    assert visible("a\x1b[31mb\n") == "a?[31mb\n"


def test_each_turn_of_another_seat_is_one_line_and_one_s_own_cards_are_named():
    _, lines = told(
        opening(),
        dealt(3, laid=((), (2,), (), ())),
        act(2, 1, "draw", took=[4, 5], shown=["3D"]),
        act(3, 1, "lay 4:4C,4D,4H x 8S"),
        act(4, 2, "ask"),
        act(5, 0, "yes"),
        act(6, 2, "take 8:8C,8D"),
        act(7, 0, "draw", took=[6], drawn=[{"face": "KD"}]),
        act(8, 0, "discard KD", by="clock"),
    )
    assert lines == [
        "Hand 1 is dealt. Turned up: the nine of diamonds.",
        "Left lays one red three.",
        "Left: draws, lays one red three, lays three fours, discards the eight of spades.",
        "Partner: asks to go out.",
        "Partner: takes the pile of two cards under the eight of spades with two eights.",
        (
            "You: the new card is the king of diamonds, discards the king of diamonds"
            " (the time was over)."
        ),
    ]


def test_a_record_is_told_once():
    story, first = told(opening(), dealt(3))
    assert first
    assert list(story.tell([dealt(3)])) == []
    assert story.version == 1


def test_a_pile_is_frozen_for_everybody_by_the_cards_that_are_named():
    story, _ = told(opening(), dealt(1, 3), act(2, 1, "discard JK"), act(3, 2, "discard 5H"))
    assert story.freezing == ("2C", "JK")
    assert pile_told(table(story, (True, False), frozen=True), story) == (
        "Pile: 4 cards, the five of hearts on top."
        " Frozen for everybody: the deuce of clubs and the joker in it."
    )


def test_a_card_that_freezes_only_where_it_was_turned_up_is_named_there_alone():
    rules = {"frozen_by_contents": [], "upcard_freeze": ["wild"]}
    story, _ = told(opening(**rules), dealt(1, 3), act(2, 1, "discard JK"))
    assert story.freezing == ("2C",)


def test_a_pile_that_was_taken_freezes_nothing_more_and_is_counted_anew():
    story, lines = told(
        opening(),
        dealt(1, 3),
        act(2, 1, "take 9:9C,9H"),
        act(3, 1, "discard 8S"),
        act(4, 2, "take 8:8C,8D"),
    )
    assert story.freezing == story.pile == ()
    assert lines[-1].startswith("Partner: takes the pile of one card under the eight of spades")


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        ((False, True), "Frozen for you until you open."),
        ((True, False), "Frozen for Left and Right until they open."),
        ((False, False), "Frozen for everybody until they open."),
        ((True, True), "Not frozen."),
    ],
)
def test_a_pile_is_frozen_for_a_side_that_has_not_opened(opened, said):
    story, _ = told(opening(), dealt(3))
    assert pile_told(table(story, opened, frozen=False), story).endswith(said)


def test_where_an_unopened_side_may_take_the_pile_is_not_frozen_for_it():
    story, _ = told(opening(frozen_before_opening=False), dealt(3))
    assert pile_told(table(story, (False, False), frozen=False), story).endswith("Not frozen.")


def test_of_equal_cards_the_last_ones_are_new():
    assert fresh(("4C", "9H"), ("4C", "4C", "9H", "JK")) == [False, True, False, True]


def test_every_line_of_a_score_sheet_has_its_words():
    assert tuple(LABELS) == LINES


@pytest.mark.parametrize(
    ("verdict", "status", "said"),
    [
        ("INCOMPLETE", "verified", "Hand 2 checks out"),
        ("VALID", "verified", "Hand 2 checks out"),
        ("INCOMPLETE", "not-run", "nothing is wrong so far"),
        ("FRAUD", "verified", "Hand 2 does not check out: FRAUD E_X"),
        ("INVALID", "wrong", "Hand 2 does not check out: INVALID E_X"),
    ],
)
def test_a_hand_checks_out_only_where_the_verifier_says_so(verdict, status, said):
    found = {"verdict": verdict, "error": "E_X", "hands": [{"hand": 2, "status": status}]}
    assert said in hand_told(found, 2)


def test_what_is_kept_of_a_seat_is_read_back_and_names_no_secret(tmp_path):
    seat = Seat(url="", token="cd_live_seat_x", seat=0, vkey="v", game="g1", open_hash="h")
    seat = with_cut(seat, Cut(epoch=1, text="my text", nonce="n"))
    older, newer = Folder.new(tmp_path / "play"), Folder.new(tmp_path / "play")
    older.keep(seat)
    newer.keep(seat)
    os.utime(older.path / "seat.json", ns=(1, 1))
    assert [one.path.name for one in waiting(tmp_path / "play")] == ["table-2", "table-1"]
    assert newer.seat() == seat
    assert "cd_live" not in repr(seat)
    assert "my text" not in repr(seat)
    (newer.path / "seat.json").write_text(seat.text())
    assert newer.seat() == seat


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "5",
        "null",
        '"x"',
        "[" * 100_000,
        '{"url":"","token":"a","seat":0,"vkey":"k","cuts":[5]}',
        '{"url":"","token":"a","seat":0,"vkey":"k","cuts":null}',
        '{"url":"","token":"a","seat":0,"vkey":"k","cuts":[{"epoch":"1","text":"","nonce":""}]}',
        '{"url":"","token":5,"seat":0,"vkey":"k"}',
        '{"url":"","token":"a","seat":true,"vkey":"k"}',
        '{"url":"","token":"a","seat":0,"vkey":"k","over":"no"}',
    ],
)
def test_a_damaged_seat_is_refused_by_the_name_of_its_file(text, tmp_path):
    folder = Folder.new(tmp_path)
    (folder.path / "seat.json").write_text(text)
    with pytest.raises(ValueError, match=r"seat\.json is damaged"):
        folder.seat()


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        (
            "https://cards.example/claim#cd_live_claim_x",
            ("https://cards.example", "cd_live_claim_x"),
        ),
        ("http://127.0.0.1:8000/deal/claim#c", ("http://127.0.0.1:8000/deal", "c")),
        ("/claim#c", ("", "c")),
        ("c", ("", "c")),
    ],
)
def test_a_link_says_where_and_what(link, parts):
    assert split_link(link) == parts


def test_only_plain_http_to_another_machine_can_be_read_on_its_way():
    assert is_open("http://cards.example/deal")
    assert not is_open("https://cards.example/deal")
    assert not is_open("http://127.0.0.1:8000")


@pytest.mark.slow
def test_a_service_beside_the_game_that_ended_is_started_again_unasked():
    def say(line):
        raise AssertionError(f"one try more was not enough: {line}")

    with (
        quick_folder() as folder,
        Server(folder / "service", "fairdeal.localhost/beside") as server,
        Remote(server.url, None, say, server.mend) as remote,
    ):
        before = remote.get("/v1/bots")
        assert server.process is not None
        os.killpg(server.process.pid, 9)
        server.process.wait()
        assert remote.get("/v1/bots") == before
        with pytest.raises(ApiError):
            remote.get("/v1/nothing")
