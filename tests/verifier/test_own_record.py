"""My record, card notes, player signatures, the draw for seats (2.4, 6.1, 6.5)."""

import hashlib
import io
import json
from functools import cache
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from scripts.vectors import sitting as sittings
from scripts.vectors import styles
from scripts.vectors.sitting import Sitting
from tests.verifier.forge import ORIGIN, Forge, Signer, check, codes, warned
from verifier.cli import main
from verifier.derive import cards_salt
from verifier.held import (
    Held,
    HeldFault,
    parse_player_key,
    parse_player_signatures,
)

ME = Signer()
GAME = Forge().share().lock().deal()
GAME.add("draw", hand=1, seat=0, pos=0).add("draw", hand=1, seat=1, pos=1).score().reveal().end()
DATA = GAME.data()
REVEAL = next(at for at, (kind, _) in enumerate(GAME.records) if kind == "reveal")
STOCK = [GAME.open_body["rules"]["deck"][card] for card in GAME.table(1).stock]


def card_note(position: int = 0, face: str | None = None, seat: int = 0, **changes: Any) -> str:
    fields = {"origin": ORIGIN, "game": GAME.game, "hand": 1, **changes}
    face = STOCK[position] if face is None else face
    text = f"pfd1 card\n{fields['origin']}\n{fields['game']}\n{fields['hand']}\n"
    return ME.note(f"{text}{seat}\n{position}\n{face}\n")


# --------------------------------------------------------------------------------- card notes


def test_a_card_note_that_fits_is_nothing_to_report():
    report = check(DATA, ME.held(card_note(0), card_note(1, seat=1)))
    assert (report.verdict, report.errors) == ("VALID", ())
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN"}


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (card_note(0, "JK" if STOCK[0] != "JK" else "AC"), f"due is {STOCK[0]}"),
        (card_note(0, seat=2), "the records give that card to seat 0"),
        (card_note(1, seat=0), "the records give that card to seat 1"),
        (card_note(len(STOCK), "JK"), f"the stock had {len(STOCK)} cards"),
    ],
)
def test_another_card_is_named_at_the_reveal_and_fraud_where_that_is_signed(note, said):
    report = check(DATA, ME.held(note))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_SHOWN_OTHER_CARD"])
    assert (report.errors[0].at, report.errors[0].hand) == (REVEAL, 1)
    assert said in report.errors[0].detail
    for n, verdict in ((REVEAL - 1, "INVALID"), (REVEAL, "FRAUD"), (REVEAL + 1, "FRAUD")):
        assert check(DATA, ME.held(note, ME.receipt(DATA, n))).verdict == verdict


def test_a_card_note_of_a_hand_that_is_not_opened_is_not_run():
    data = b"".join(DATA.splitlines(keepends=True)[:REVEAL])
    report = check(data, ME.held(card_note(0, "JK")))
    assert (report.verdict, report.errors) == ("INCOMPLETE", ())
    assert [each.name for each in report.checks if each.status == "not-run"] == ["own cards"]


def test_a_card_note_pins_nothing_and_a_strange_one_is_skipped():
    assert check(DATA, ME.held(card_note())).level == "consistent"
    stranger = Signer(seed=9)
    for held in (
        stranger.held(card_note(0, "JK")),
        Held(notes=(card_note(0, "JK"),)),
        ME.held(card_note(0, "JK", game="another-game")),
        ME.held(card_note(0, "JK", hand="01")),
    ):
        report = check(DATA, held)
        assert (report.verdict, report.errors) == ("VALID", ())
        assert "W_RECEIPT_UNUSABLE" in warned(report)


def test_a_card_note_of_another_origin_is_named_and_not_used():
    report = check(DATA, ME.held(card_note(0, "JK", origin="other.example/pfd1")))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_ORIGIN"])


# --------------------------------------------------------------------------------- my record


def my_record(**changes: Any) -> dict[str, Any]:
    share = GAME.records[1][1]
    return {
        "v": "fairdeal-my-record-1",
        "game": GAME.game,
        "seat": 0,
        "origin": ORIGIN,
        "open_hash": GAME.open_hash,
        "table_code": "",
        "receipt_keys": [ME.vkey],
        "receipts": [ME.receipt(DATA, REVEAL)],
        "card_notes": [card_note()],
        "hand_cards": [
            {
                "hand": 1,
                "seat": 0,
                "cards": GAME.table(1).hands[0],
                "salt": cards_salt(GAME.secret(1), 0),
            }
        ],
        "seeds": [{"epoch": 1, "text": "hello", "nonce": share["nonce"]}],
        **changes,
    }


@pytest.fixture
def run(tmp_path, capsysbinary):
    game = tmp_path / "game.jsonl"
    game.write_bytes(DATA)

    def run(record: object, *more: str) -> tuple[int, dict[str, Any], str]:
        mine = tmp_path / "mine.json"
        mine.write_text(record if isinstance(record, str) else json.dumps(record, indent=1))
        try:
            status = main([str(game), "--my-record", str(mine), "--json", *more])
        except SystemExit as left:
            status = int(left.code or 0)
        out, err = capsysbinary.readouterr()
        return status, json.loads(out) if out else {}, err.decode("ascii")

    return run


KEY = ("--receipt-key", ME.vkey)


def test_my_record_that_fits_pins_and_is_nothing_to_report(run):
    status, report, _ = run(my_record(), *KEY)
    assert (status, report["verdict"], report["level"]) == (0, "VALID", "pinned")
    assert (report["errors"], report["warnings"]) == ([], [])
    names = {each["name"]: each["status"] for each in report["checks"]}
    assert [names[name] for name in ("receipts", "own seed", "own cards")] == ["ok"] * 3


def test_a_key_that_my_record_names_is_not_trusted(run):
    _, report, _ = run(my_record(card_notes=[card_note(0, "JK")]))
    assert (report["verdict"], report["error"]) == ("VALID", None)
    assert [each["code"] for each in report["warnings"]] == ["W_RECEIPT_UNUSABLE"]


@pytest.mark.parametrize(
    ("changes", "verdict", "error"),
    [
        ({"open_hash": "00" * 32}, "INVALID", "E_PINNED_COMMIT"),
        ({"seeds": [{"epoch": 1, "text": "Hello", "nonce": None}]}, "INVALID", "E_OWN_SEED"),
        ({"seeds": [{"epoch": 1, "text": None, "nonce": "00" * 32}]}, "INVALID", "E_OWN_SEED"),
        ({"seeds": [{"epoch": 1, "text": None, "nonce": None}]}, "VALID", None),
        ({"seeds": []}, "VALID", None),
        ({"card_notes": [card_note(0, "JK")]}, "FRAUD", "E_SHOWN_OTHER_CARD"),
        (
            {"hand_cards": [{"hand": 1, "seat": 0, "cards": [0, 1], "salt": "00" * 32}]},
            "INVALID",
            "E_OWN_HAND",
        ),
    ],
)
def test_what_my_record_says_is_judged_like_the_flags(run, changes, verdict, error):
    _, report, _ = run(my_record(**changes), *KEY)
    assert (report["verdict"], report["error"]) == (verdict, error)


@pytest.mark.parametrize(
    "record",
    [
        "{}",
        "[]",
        "",
        my_record(v="fairdeal-my-record-2"),
        my_record(game="another-game"),
        my_record(more=1),
        my_record(seat=-1),
        my_record(seat=True),
        my_record(open_hash="00"),
        my_record(receipts="x"),
        my_record(receipt_keys=[1]),
        my_record(origin=None),
        my_record(seeds=[{"epoch": 0, "text": "", "nonce": None}]),
        my_record(seeds=[{"epoch": 1, "text": "", "nonce": None}] * 2),
        my_record(seeds=[{"epoch": 1, "text": "x" * 1025, "nonce": None}]),
        my_record(seeds=[{"epoch": 1, "text": "\ud800", "nonce": None}]),
        my_record(hand_cards=[{"hand": 1, "cards": [], "salt": None}]),
        "[" * 100_000,
    ],
)
def test_a_record_of_another_form_or_game_is_status_2(run, record):
    status, report, err = run(record)
    assert (status, report) == (2, {})
    assert "Traceback" not in err


@pytest.mark.parametrize("more", [("--seed", "hello", "--seat", "0"), ("--commit", "00" * 32)])
def test_flags_that_say_the_same_again_are_status_2(run, more):
    assert run(my_record(), *more)[0] == 2


# --------------------------------------------------------------------------- player signatures


PLAYER = Ed25519PrivateKey.from_private_bytes(bytes([77]) * 32)
PK = PLAYER.public_key().public_bytes_raw().hex()
LINE = GAME.lines[0].encode() + b"\n"


def signed(line: bytes = LINE, **changes: Any) -> Held:
    entry = {"epoch": 1, "seat": 0, "pk": PK, "signature": PLAYER.sign(line).hex(), **changes}
    text = json.dumps({"game": GAME.game, "signatures": [entry]})
    return Held(
        player_keys=dict([parse_player_key(f"0={PK}")]),
        player_signatures=parse_player_signatures(text),
    )


def test_a_player_s_signature_of_the_line_fits():
    report = check(DATA, signed())
    assert (report.verdict, report.errors) == ("VALID", ())


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (signed(LINE[:-1]), "of another line"),
        (signed(b"x"), "of another line"),
        (signed(epoch=2), "no signature by that key"),
        (signed(seat=1), "no signature by that key"),
        (signed(pk="00" * 32), "no signature by that key"),
    ],
)
def test_another_signature_or_none_is_named_and_never_fraud(held, said):
    report = check(DATA, held)
    assert (report.verdict, codes(report)) == ("INVALID", ["E_PLAYER_SIGNATURE"])
    assert (report.errors[0].at, said in report.errors[0].detail) == (1, True)
    last = len(GAME.records) - 1
    everything = ME.held(
        ME.receipt(DATA, last),
        player_keys=held.player_keys,
        player_signatures=held.player_signatures,
    )
    assert check(DATA, everything).verdict == "INVALID"


def test_only_epochs_that_the_file_locks_are_judged():
    forge = Forge().share()
    assert check(forge, signed(b"x")).errors == ()


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"game":"forged-game-1","signatures":[{}]}',
        '{"game":1,"signatures":[]}',
        f'{{"game":"forged-game-1","signatures":[{{"epoch":1,"seat":0,"pk":"{PK}","signature":"00"}}]}}',
    ],
)
def test_signatures_of_another_form_are_refused(text):
    with pytest.raises(HeldFault):
        parse_player_signatures(text)


# -------------------------------------------------------------------------- the draw for seats


def draw_game(**changes: Any) -> Forge:
    """Four seats draw one card each of 52."""
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    steps = [{"op": "deal", "count": 1, "packet": 1}]
    rules = {"deck": deck, "name": "draw", "seats": 4, "steps": steps, "v": "pfd1-rules"}
    terms = {"rules": rules, "origin": sittings.ORIGIN, "game": "draw-for-seats", **changes}
    return Forge(kinds="pppp", **terms).share(0).share(1).share(2).share(3).lock().play().end()


def last_hash(forge: Forge) -> str:
    return hashlib.sha256(forge.data().splitlines(keepends=True)[-1]).hexdigest()


@cache
def seated(game: str, master_record: str) -> bytes:
    def bend(body: dict[str, Any]) -> None:
        seating = {"how": "draw", "game": game, "master_record": master_record}
        body["rules"]["play"]["seating"] = seating

    sitting = Sitting("seated", 0, seats="pbbb", hands=1, texts={0: ""}, bend=bend)
    sitting.seed()
    sitting.play(styles.closed, most=2)
    sitting.close("x")
    return b"".join(record.line for record in sitting.records)


DRAW = draw_game()
SEATED = seated("draw-for-seats", last_hash(DRAW))


def test_the_draw_that_record_0_names_fits():
    report = check(SEATED, Held(seating=io.BytesIO(DRAW.data())))
    assert (report.verdict, report.errors) == ("VALID", ())
    assert {each.name: each.status for each in report.checks}["seating"] == "ok"


def test_without_its_file_the_draw_is_named_for_whoever_has_it():
    details = {each.name: each.detail for each in check(SEATED).checks}
    assert "draw-for-seats" in details["seating"]


def other_draw() -> Forge:
    return draw_game(first_seat=2)


def cut_draw() -> bytes:
    return b"".join(DRAW.data().splitlines(keepends=True)[:-1])


@pytest.mark.parametrize(
    ("game", "draw", "said"),
    [
        (SEATED, other_draw().data(), "record 0 names the draw"),
        (SEATED, cut_draw(), "INCOMPLETE, not VALID"),
        (SEATED, b"{}\n", "MALFORMED (E_SCHEMA), not VALID"),
        (DATA, DRAW.data(), "names no draw"),
        (seated("another-draw", last_hash(DRAW)), DRAW.data(), "record 0 names the draw another"),
        (
            seated("draw-for-seats", last_hash(draw_game(origin=ORIGIN))),
            draw_game(origin=ORIGIN).data(),
            "the draw is of deal.example/pfd1",
        ),
    ],
)
def test_another_draw_is_named_at_record_0_and_never_fraud(game, draw, said):
    report = check(game, Held(seating=io.BytesIO(draw)))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_SEATING"])
    assert (report.errors[0].at, said in report.errors[0].detail) == (0, True)


def test_a_draw_of_another_number_of_seats_or_after_the_game_is_named():
    small = Forge(origin=sittings.ORIGIN).share().lock().play().end()
    game = seated(small.game, last_hash(small))
    report = check(game, Held(seating=io.BytesIO(small.data())))
    assert "3 seats drew, the game has 4" in report.errors[0].detail
    late = draw_game()
    late.times = {number: sittings.START_MS + number for number in range(1, len(late.records))}
    report = check(seated(late.game, last_hash(late)), Held(seating=io.BytesIO(late.data())))
    assert "the draw ended after the game was opened" in report.errors[0].detail


def test_a_refereed_game_is_no_draw():
    refereed = seated("draw-for-seats", "00" * 32)
    name = json.loads(refereed.splitlines()[0])["game"]
    digest = hashlib.sha256(refereed.splitlines(keepends=True)[-1]).hexdigest()
    report = check(seated(name, digest), Held(seating=io.BytesIO(refereed)))
    assert "no dealt-only game" in report.errors[0].detail
