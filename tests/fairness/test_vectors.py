"""The fairness core gives the published values, section by section."""

import json
from hashlib import sha256, sha512

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.fairness import deal as dealing
from fairdeal.fairness.framing import tup, u64
from fairdeal.fairness.keys import Secret, card_salt, hand_secret
from fairdeal.fairness.lines import (
    card_line,
    commit,
    hand_line,
    master_line,
    seat_line,
    seed_sha256,
)
from fairdeal.fairness.shuffle import order, shuffle
from fairdeal.fairness.steps import parse_steps
from fairdeal.fairness.stream import below, block, mix, words
from tests.published import pfd1

KEYS = pfd1()["keys"]
STREAMS = pfd1()["mix_and_stream"]


def named(section):
    return [pytest.param(case, id=str(case.get("name", at))) for at, case in enumerate(section)]


def repeated(case):
    return case["repeat"]["char"] * case["repeat"]["count"] if case["repeat"] else case["text"]


class CountedWords:
    """An iterator that counts what is taken from it."""

    def __init__(self, source):
        self.source = iter(source)
        self.taken = []

    def __iter__(self):
        return self

    def __next__(self):
        self.taken.append(next(self.source))
        return self.taken[-1]


@pytest.mark.parametrize("case", named(pfd1()["tup"]))
def test_a_tuple_is_framed_as_published(case):
    framed = tup(case["label"], *map(bytes.fromhex, case["fields"]))
    assert framed.hex() == case["out"]
    assert sha512(framed).hexdigest() == case["sha512"]


@pytest.mark.parametrize("case", named(pfd1()["seed_text"]))
def test_a_seed_text_has_the_published_hash(case):
    text = repeated(case)
    if case["utf8_hex"] is not None:
        assert text.encode().hex() == case["utf8_hex"]
    assert seed_sha256(text) == case["seed_sha256"]


@pytest.mark.parametrize("case", named(pfd1()["seed_text_rejected"]))
def test_a_published_bad_seed_text_is_refused(case):
    # Bytes that are no UTF-8 never become a text: decoding refuses them (see canonical).
    raw = case.get("json", "").encode() or bytes.fromhex(case.get("hex", ""))
    with pytest.raises((MalformedInput, UnicodeDecodeError)) as refused:
        seed_sha256(json.loads(raw) if raw else repeated(case))
    assert "hex" in case or getattr(refused.value, "code", "") == "bad_seed_text"


def test_the_master_line_and_its_commitment_are_as_published():
    line = master_line(KEYS["game"], Secret.from_hex(KEYS["master"]))
    assert line.decode() == KEYS["master_line"] + "\n"
    assert commit(line) == KEYS["master_commit"]


@pytest.mark.parametrize("case", KEYS["hands"], ids=lambda case: str(case["hand"]))
def test_a_hand_secret_and_its_commitment_are_as_published(case):
    game, hand = KEYS["game"], case["hand"]
    secret = hand_secret(Secret.from_hex(KEYS["master"]), game, hand)
    assert tup("pfd1/hand", game.encode(), u64(hand)).hex() == case["tup"]
    assert secret.hex() == case["secret"]
    assert hand_line(game, hand, secret).decode() == case["line"] + "\n"
    assert commit(hand_line(game, hand, secret)) == case["commit"]


def test_a_seat_line_and_its_seal_are_as_published():
    case = pfd1()["seat"]
    line = seat_line(
        case["game"],
        case["epoch"],
        case["seat"],
        case["open_hash"],
        case["nonce"],
        seed_sha256(case["seed_text"]),
    )
    assert line.decode() == case["line"] + "\n"
    assert commit(line) == case["seal"]


@pytest.mark.parametrize("case", named(STREAMS["cases"]))
def test_mix_blocks_and_words_are_as_published(case):
    mixed = mix(
        game=STREAMS["game"],
        open_hash=STREAMS["open_hash"],
        epoch=case["epoch"],
        hand=case["hand"],
        first_seat=case["first_seat"],
        lines=[f"{line}\n".encode() if line else b"" for line in case["lines"]],
        beacon=bytes.fromhex(case["beacon"]),
    )
    secret = Secret.from_hex(STREAMS["hand_secret"])
    assert mixed.hex() == case["mix"]
    assert block(secret, mixed, 1).hex() == case["block1"]
    assert block(secret, mixed, 2).hex() == case["block2"]
    stream = words(secret, mixed)
    assert [next(stream) for _ in case["first_words"]] == case["first_words"]


@pytest.mark.parametrize("case", pfd1()["uniform"], ids=lambda case: f"m={case['m']}")
def test_below_takes_and_rejects_the_published_words(case):
    taken = CountedWords(case["words"])
    assert below(case["m"], taken) == case["result"]
    assert len(taken.taken) == case["words_used"]


@pytest.mark.parametrize("case", pfd1()["shuffle"], ids=lambda case: f"n={case['n']}")
def test_both_shuffles_give_the_published_order(case):
    secret, mixed, n = Secret.from_hex(case["hand_secret"]), bytes.fromhex(case["mix"]), case["n"]
    taken = CountedWords(words(secret, mixed))
    reference = shuffle(n, taken)
    assert order(secret, mixed, n) == reference
    assert reference[: len(case["order"])] == case["order"]
    assert case["order_is_prefix"] or len(reference) == len(case["order"])
    packed = b"".join(card.to_bytes(2, "big") for card in reference)
    assert sha256(packed).hexdigest() == case["sha256_of_u16be"]
    assert len(taken.taken) == case["words_used"]
    assert len(taken.taken) - (n - 1) == case["words_rejected"]


@pytest.mark.parametrize("case", named(pfd1()["deal"]))
def test_the_steps_deal_as_published(case):
    deck = case["deck"] or pfd1()["decks"][case["deck_name"]]
    seats = case["seats"]
    steps = parse_steps(case["steps"], cards=len(deck), seats=seats)
    dealt = dealing.deal(case["order"], deck, steps, seats, case["first_seat"])
    assert list(map(list, dealt.hands)) == case["hands"]
    assert list(map(list, dealt.laid)) == case["laid"]
    assert list(dealt.up) == case["up"]
    assert {name: list(cards) for name, cards in dealt.sets} == case["sets"]
    assert list(dealt.stock) == case["stock"]


def test_the_published_vectors_of_the_shuffle_reject_words():
    rejected = [case["words_rejected"] for case in pfd1()["shuffle"]]
    assert any(rejected), "no vector reaches the rare path"


def test_a_card_line_its_salt_and_its_hash_are_as_published():
    case = pfd1()["cards_line"]
    secret = Secret.from_hex(case["hand_secret"])
    salt = card_salt(secret, case["seat"])
    line = card_line(case["game"], case["hand"], case["seat"], salt, case["cards"])
    assert salt == case["salt"]
    assert line.decode() == case["line"] + "\n"
    assert commit(line) == case["sha256"]
