"""The published values, through the verifier's own code."""

import hashlib
import io
import json
from itertools import count, islice
from pathlib import Path

import pytest

from verifier.bodies import DealStep, ReplaceStep, SetStep, TurnStep
from verifier.dealing import deal_out
from verifier.derive import (
    below,
    block,
    cards_hasher,
    cards_salt,
    hand_line,
    hand_secret,
    hash_line,
    master_line,
    mix,
    seat_line,
    shuffle,
    tup,
    u64,
    words,
)
from verifier.held import MAX_SEED_BYTES, Held, HeldFault, parse_seed, table_code
from verifier.notes import parse_key, read_receipt, verify_note
from verifier.strictjson import parse_canonical, write_canonical
from verifier.verify import verify

VECTORS = json.loads((Path(__file__).parents[1] / "vectors/pfd1-vectors.json").read_bytes())
TRANSCRIPTS = VECTORS["transcripts"]
KEY = parse_key(VECTORS["signed_note"]["vkey"])


@pytest.mark.parametrize("vector", VECTORS["tup"])
def test_tup_gives_the_published_bytes(vector):
    made = tup(vector["label"], map(bytes.fromhex, vector["fields"]))
    assert made.hex() == vector["out"]
    assert hashlib.sha512(made).hexdigest() == vector["sha512"]


@pytest.mark.parametrize("vector", VECTORS["seed_text"], ids=lambda vector: vector["name"])
def test_a_seed_text_is_hashed_exactly_as_given(vector):
    repeat = vector["repeat"]
    text = vector["text"] if repeat is None else repeat["char"] * repeat["count"]
    epoch, typed = parse_seed(f":{text}")
    assert epoch is None
    assert hashlib.sha256(typed).hexdigest() == vector["seed_sha256"]


def test_a_seed_text_that_no_player_may_have_is_refused():
    for text in ("\ud800", "x" * (MAX_SEED_BYTES + 1)):
        with pytest.raises(HeldFault):
            parse_seed(f":{text}")


def test_master_and_hand_secrets_have_the_published_lines_and_commitments():
    keys = VECTORS["keys"]
    master = bytes.fromhex(keys["master"])
    assert master_line(keys["game"], master) == keys["master_line"]
    assert hash_line(keys["master_line"]) == keys["master_commit"]
    for vector in keys["hands"]:
        assert tup("pfd1/hand", [b"vector-game-1", u64(vector["hand"])]).hex() == vector["tup"]
        secret = hand_secret(keys["game"], master, vector["hand"])
        assert secret.hex() == vector["secret"]
        assert hand_line(keys["game"], vector["hand"], secret) == vector["line"]
        assert hash_line(vector["line"]) == vector["commit"]


def test_the_seat_line_and_its_seal_are_the_published_ones():
    vector = VECTORS["seat"]
    line = seat_line(
        vector["game"],
        vector["epoch"],
        vector["seat"],
        vector["open_hash"],
        vector["nonce"],
        vector["seed_sha256"],
    )
    assert line == vector["line"]
    assert hash_line(line) == vector["seal"]


@pytest.mark.parametrize("case", VECTORS["mix_and_stream"]["cases"], ids=lambda case: case["name"])
def test_mix_blocks_and_words_are_the_published_ones(case):
    shared = VECTORS["mix_and_stream"]
    mixed = mix(
        game=shared["game"],
        open_hash=shared["open_hash"],
        epoch=case["epoch"],
        hand=case["hand"],
        first_seat=case["first_seat"],
        beacon=bytes.fromhex(case["beacon"]),
        lines=[line or None for line in case["lines"]],
    )
    secret = bytes.fromhex(shared["hand_secret"])
    assert mixed.hex() == case["mix"]
    assert block(secret, mixed, 1).hex() == case["block1"]
    assert block(secret, mixed, 2).hex() == case["block2"]
    stream = words(secret, mixed)
    assert list(islice(stream, len(case["first_words"]))) == case["first_words"]


@pytest.mark.parametrize("vector", VECTORS["uniform"])
def test_below_takes_the_published_words(vector):
    used = count()
    stream = (word for word in vector["words"] if next(used) >= 0)
    assert below(vector["m"], stream) == vector["result"]
    assert next(used) == vector["words_used"]


@pytest.mark.parametrize("m", [0, 65537])
def test_below_refuses_what_two_bytes_cannot_serve(m):
    with pytest.raises(ValueError, match="below takes"):
        below(m, iter([0]))


@pytest.mark.parametrize("vector", VECTORS["shuffle"], ids=lambda vector: f"n={vector['n']}")
def test_the_shuffle_gives_the_published_order(vector):
    used = count()
    stream = words(bytes.fromhex(vector["hand_secret"]), bytes.fromhex(vector["mix"]))
    order = shuffle(vector["n"], (word for word in stream if next(used) >= 0))
    expected = vector["order"]
    assert (order[: len(expected)] if vector["order_is_prefix"] else order) == expected
    packed = b"".join(card.to_bytes(2, "big") for card in order)
    assert hashlib.sha256(packed).hexdigest() == vector["sha256_of_u16be"]
    assert next(used) == vector["words_used"]


def _step(step):
    match step:
        case {"op": "deal", "count": number, "packet": packet}:
            return DealStep(number, packet)
        case {"op": "turn", "until_not": faces}:
            return TurnStep(frozenset(faces))
        case {"op": "replace", "faces": faces}:
            return ReplaceStep(frozenset(faces))
        case {"op": "set", "name": name, "count": number}:
            return SetStep(name, number)
        case _:
            raise AssertionError(step)


@pytest.mark.parametrize("vector", VECTORS["deal"], ids=lambda vector: vector["name"])
def test_the_steps_of_a_deal_leave_the_published_table(vector):
    deck = vector["deck"] or VECTORS["decks"][vector["deck_name"]]
    steps = [_step(step) for step in vector["steps"]]
    table = deal_out(vector["order"], deck, steps, vector["seats"], vector["first_seat"])
    for name in ("hands", "laid", "up", "sets", "stock"):
        assert getattr(table, name) == vector[name]


def test_the_cards_line_is_the_published_one():
    vector = VECTORS["cards_line"]
    salt = cards_salt(bytes.fromhex(vector["hand_secret"]), vector["seat"])
    assert salt == vector["salt"]
    hash_cards = cards_hasher(vector["game"], vector["hand"], vector["seat"], salt)
    assert hash_cards(vector["cards"]) == vector["sha256"] == hash_line(vector["line"])


@pytest.mark.parametrize("vector", VECTORS["canonical_json"])
def test_canonical_bytes_are_the_published_ones_and_parse_back(vector):
    written = write_canonical(vector["value"])
    assert written.hex() == vector["bytes_hex"]
    assert parse_canonical(written.decode()) == vector["value"]


def test_the_published_notes_verify_and_the_receipt_reads():
    vector = VECTORS["signed_note"]
    verified = verify_note(vector["note"], (KEY,))
    assert verified is not None
    assert verified[0] == vector["text"]
    receipt = read_receipt(vector["receipt"], (KEY,))
    assert receipt is not None
    assert (receipt.n, receipt.game) == (0, "vector-game-1")
    assert read_receipt(vector["note"], (KEY,)) is None


def test_the_table_code_is_the_published_one():
    assert table_code(VECTORS["table_code"]["open_hash"]) == VECTORS["table_code"]["code"]


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_published_transcript_gets_its_verdict_and_hashes(name):
    vector = TRANSCRIPTS[name]
    lines = [line.encode() + b"\n" for line in vector["lines"]]
    assert [hashlib.sha256(line).hexdigest() for line in lines] == vector["record_hashes"]
    assert table_code(vector["record_hashes"][0]) == vector["table_code"]
    held = Held(notes=(vector["open_receipt"],), receipt_keys=(KEY,))
    report = verify(io.BytesIO(b"".join(lines)), held)
    assert (report.verdict, report.level) == ("VALID", vector["expect"]["level"])
    assert report.errors == ()
    assert [warning.code for warning in report.warnings] == vector["expect"]["warnings"]


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_head_receipt_of_a_transcript_alone_pins_nothing(name):
    vector = TRANSCRIPTS[name]
    held = Held(notes=(vector["head_receipt"],), receipt_keys=(KEY,))
    data = "".join(f"{line}\n" for line in vector["lines"]).encode()
    assert verify(io.BytesIO(data), held).level == "consistent"
