"""A fault inside a record is named, and the replay goes on (docs/protocol.md 2.2 to 2.8, 3.2)."""

import copy
from typing import Any

import pytest

from tests.verifier.forge import DECK, Forge, check, codes, honest, warned
from verifier.derive import hand_line, hand_secret, hash_line
from verifier.held import HandCards, Held, OwnSeed


def edit(forge: Forge, kind: str, which: int = 0, **changes: object) -> Forge:
    """Change fields of the which-th record of a kind; the chain is made anew by `data`."""
    body = [body for name, body in forge.records if name == kind][which]
    body.update(copy.deepcopy(changes))
    return forge


def at_of(forge: Forge, kind: str, which: int = 0) -> int:
    return [at for at, (name, _) in enumerate(forge.records) if name == kind][which]


def only_fault(forge: Forge, held: Held | None = None) -> tuple[str, int | None, int | None]:
    report = check(forge, held)
    assert len(report.errors) == 1, codes(report)
    return report.errors[0].code, report.errors[0].at, report.errors[0].hand


def test_a_commitment_used_twice_is_named():
    forge = Forge()
    commits = forge.open_body["hand_commits"]
    commits[3] = commits[0]
    assert codes(check(forge)) == ["E_COMMIT_REUSED"]
    forge.open_body["hand_commits"][3] = forge.open_body["master_commit"]
    assert codes(check(forge)) == ["E_COMMIT_REUSED"]


@pytest.mark.parametrize("seat", [1, 3, 16])
def test_a_share_of_a_bot_or_of_no_seat_is_no_seat_s(seat):
    forge = Forge()
    body = {"epoch": 1, "seat": seat, "nonce": "1" * 64, "seed_sha256": "0" * 64}
    forge.add("share", **body).share().lock().play().end()
    assert only_fault(forge) == ("E_SEAT", 1, None)


def test_a_second_share_of_a_seat_is_named_and_the_first_one_counts():
    forge = Forge().share(text="first")
    first = dict(forge.lines)
    forge.share(text="second")
    forge.lines = first
    assert only_fault(forge.lock().play().end()) == ("E_SEAT_TWICE", 2, None)


@pytest.mark.parametrize("seats", [[], [0], [1, 0], [2], [1, 1], [0, 1]])
def test_a_void_must_list_the_missing_seats(seats):
    forge = Forge(kinds="ppb").share(0).add("void", epoch=1, reason="", seats=seats)
    assert only_fault(forge) == ("E_SEAT", 2, None)


def test_a_void_without_any_missing_seat_is_named():
    forge = Forge().share().add("void", epoch=1, reason="", seats=[])
    assert only_fault(forge) == ("E_SEAT", 2, None)


def test_a_lock_without_a_player_s_share_is_named():
    assert only_fault(Forge(kinds="ppb").share(0).lock()) == ("E_SHARE_MISSING", 2, None)
    assert only_fault(Forge().lock()) == ("E_SHARE_MISSING", 1, None)


@pytest.mark.parametrize(
    "shares", [[None] * 3, ["0" * 64, None, None], [None], [None] * 4, ["0" * 64] * 3]
)
def test_a_lock_over_other_lines_is_named(shares):
    assert only_fault(Forge().share().lock(shares=shares)) == ("E_LOCK_SHARES", 2, None)


def test_a_lock_for_another_hand_or_with_a_round_is_named():
    assert only_fault(Forge().share().lock(first_hand=2)) == ("E_HAND_ORDER", 2, None)
    assert only_fault(Forge().share().lock(round=7)) == ("E_BEACON_ROUND", 2, None)


def test_another_first_seat_is_named():
    forge = edit(honest(2), "deal", 1, first_seat=1)
    assert only_fault(forge) == ("E_FIRST_SEAT", at_of(forge, "deal", 1), 2)


@pytest.mark.parametrize("pos", [0, 2, 99])
def test_a_draw_takes_the_next_position(pos):
    forge = Forge().share().lock().deal()
    forge.add("draw", hand=1, seat=0, pos=0).add("draw", hand=1, seat=1, pos=pos)
    assert only_fault(forge) == ("E_DRAW_ORDER", 5, 1)


def test_a_draw_beyond_the_stock_is_named():
    forge = Forge().share().lock().deal()
    stock = forge.records[-1][1]["stock"]
    for pos in range(stock + 1):
        forge.add("draw", hand=1, seat=pos % 3, pos=pos)
    assert only_fault(forge) == ("E_DRAW_ORDER", len(forge.records) - 1, 1)


def test_a_draw_of_no_seat_is_named():
    forge = Forge().share().lock().deal().add("draw", hand=1, seat=3, pos=0)
    assert only_fault(forge) == ("E_SEAT", 4, 1)


def test_a_secret_that_opens_nothing_is_named_and_its_deal_is_not_judged():
    forge = edit(honest(2), "reveal", 0, secret="00" * 64)
    assert only_fault(forge) == ("E_HAND_OPENING", at_of(forge, "reveal"), 1)
    assert [hand.status for hand in check(forge).hands] == ["wrong", "verified"]


def test_another_master_is_named_twice_once_for_itself_and_once_for_the_hands():
    forge = edit(honest(), "master", 0, secret="00" * 64)
    assert codes(check(forge)) == ["E_MASTER_OPENING", "E_HAND_NOT_FROM_MASTER"]


def test_a_commitment_never_played_must_come_from_the_master_too():
    forge = Forge(hands=3)
    stray = hand_secret(forge.game, bytes(64), 3)
    forge.open_body["hand_commits"][2] = hash_line(hand_line(forge.game, 3, stray))
    forge.share().lock().play().end()
    assert only_fault(forge) == ("E_HAND_NOT_FROM_MASTER", len(forge.records) - 1, None)


def test_close_counts_the_hands_dealt():
    forge = edit(honest(2), "close", 0, hands=1)
    assert only_fault(forge) == ("E_HAND_COUNT", at_of(forge, "close"), None)


# ----------------------------------------------------------------------- deals


def deal_of(forge: Forge, hand: int = 1) -> dict[str, Any]:
    return [body for name, body in forge.records if name == "deal"][hand - 1]


def test_each_part_of_a_deal_has_its_own_error_at_the_deal():
    forge = honest(2)
    deal = deal_of(forge, 2)
    at = at_of(forge, "deal", 1)
    original = copy.deepcopy(deal)
    for change, code in (
        ({"hands": ["0" * 64, *original["hands"][1:]]}, "E_DEAL_HANDS"),
        ({"hands": original["hands"][:-1]}, "E_DEAL_HANDS"),
        ({"up": [*original["up"], 0]}, "E_DEAL_UPCARD"),
        ({"up": []}, "E_DEAL_UPCARD"),
        ({"up": [10**9]}, "E_DEAL_UPCARD"),
        ({"laid": [[0], *original["laid"][1:]]}, "E_DEAL_LAID"),
        ({"laid": original["laid"][:-1]}, "E_DEAL_LAID"),
        ({"stock": original["stock"] + 1}, "E_DEAL_STOCK"),
    ):
        deal.clear()
        deal.update(original | change)
        assert only_fault(forge) == (code, at, 2)


def test_every_exchange_of_two_cards_of_a_published_deal_is_named_with_hand_and_place():
    forge = honest(2)
    table, deal = forge.table(2), deal_of(forge, 2)
    piles = [table.up, *table.hands, *table.laid]
    places = [(pile, place) for pile, cards in enumerate(piles) for place in range(len(cards))]
    for number, one in enumerate(places):
        for other in places[:number]:
            swapped = copy.deepcopy(piles)
            first, second = piles[one[0]][one[1]], piles[other[0]][other[1]]
            swapped[one[0]][one[1]], swapped[other[0]][other[1]] = second, first
            hashes = [forge.hash_cards(2, seat, swapped[1 + seat]) for seat in range(3)]
            deal.update(up=swapped[0], hands=hashes, laid=swapped[4:])
            errors = check(forge).errors
            assert {error.hand for error in errors} == {2}
            said = " ".join(error.detail for error in errors)
            assert "position" in said
            assert f"{DECK[first]} (card {first})" in said
            assert f"{DECK[second]} (card {second})" in said


def test_hands_given_to_each_other_are_recognised():
    forge = honest()
    table, deal = forge.table(1), deal_of(forge)
    deal["hands"][:2] = [
        forge.hash_cards(1, 0, table.hands[1]),
        forge.hash_cards(1, 1, table.hands[0]),
    ]
    (error,) = check(forge).errors
    assert error.code == "E_DEAL_HANDS"
    assert "fits the whole hand of seat 1; seat 1: " in error.detail
    assert error.detail.endswith("fits the whole hand of seat 0")


# ----------------------------------------------------------------------- what the user holds


def shown(forge: Forge, hand: int, seat: int, **changes) -> HandCards:
    fields = {"hand": hand, "seat": seat, "salt": None, **changes}
    fields.setdefault("cards", tuple(forge.table(hand).hands[seat]))
    return HandCards(**fields)


def test_own_cards_may_come_in_any_order():
    forge = honest()
    cards = shown(forge, 1, 0)
    turned = shown(forge, 1, 0, cards=tuple(reversed(cards.cards)))
    assert check(forge, Held(hand_cards=(cards, turned))).verdict == "VALID"


@pytest.mark.parametrize("cards", [(), (0, 0), (10**6, 1)])
def test_other_own_cards_are_named_at_the_deal_and_never_fraud(cards):
    forge = honest()
    held = Held(hand_cards=(shown(forge, 1, 0, cards=cards),))
    assert only_fault(forge, held) == ("E_OWN_HAND", at_of(forge, "deal"), 1)


@pytest.mark.parametrize("seat", [3, 9])
def test_own_cards_of_no_seat_are_named(seat):
    forge = honest()
    held = Held(hand_cards=(HandCards(hand=1, seat=seat, cards=(1,), salt=None),))
    assert only_fault(forge, held) == ("E_OWN_HAND", at_of(forge, "deal"), 1)
    salted = Held(hand_cards=(HandCards(hand=1, seat=seat, cards=(1,), salt="0" * 64),))
    assert codes(check(forge, salted)) == ["E_OWN_HAND", "E_OWN_HAND"]


def test_own_cards_with_their_salt_are_judged_before_the_reveal():
    forge = Forge().share().lock().deal()
    salt = "11" * 32
    held = Held(hand_cards=(shown(forge, 1, 0, salt=salt),))
    assert only_fault(forge, held) == ("E_OWN_HAND", 3, 1)
    without = Held(hand_cards=(shown(forge, 1, 0, cards=(1, 2)),))
    assert codes(check(forge, without)) == []


def test_own_cards_of_a_hand_that_is_not_in_the_file_leave_the_check_not_run():
    forge = honest()
    report = check(forge, Held(hand_cards=(HandCards(hand=2, seat=0, cards=(1,), salt=None),)))
    assert report.verdict == "INCOMPLETE"
    assert [check.name for check in report.checks if check.status == "not-run"] == ["own cards"]


def own(text: str, seat: int = 0, epoch: int | None = None) -> Held:
    return Held(own_seed=OwnSeed(seat=seat, texts={epoch: text.encode()}))


def test_the_own_seed_is_compared_in_every_locked_epoch():
    forge = Forge(epoch_hands=1).share(text="same").lock().play().next_epoch().share(text="same")
    assert check(forge.lock().play().end(), own("same")).verdict == "VALID"
    forge = Forge(epoch_hands=1).share(text="same").lock().play().next_epoch().share(text="other")
    forge.lock().play().end()
    assert only_fault(forge, own("same")) == ("E_OWN_SEED", 6, None)
    assert check(forge, own("same", epoch=1)).verdict == "VALID"
    assert only_fault(forge, own("other", epoch=1)) == ("E_OWN_SEED", 1, None)


def test_the_own_seed_is_not_compared_in_an_epoch_that_is_not_locked():
    forge = Forge(kinds="ppb").share(0, "other").add("void", epoch=1, reason="", seats=[1])
    forge.next_epoch().share(0, "mine").share(1).lock()
    assert codes(check(forge, own("mine"))) == []
    assert codes(check(Forge().share(text="other"), own("mine"))) == []


def test_a_seed_of_an_epoch_that_is_not_in_the_file_is_not_called_compared():
    report = check(honest(), own("30", epoch=7))
    assert report.verdict == "INCOMPLETE"
    (left,) = [check for check in report.checks if check.status == "not-run"]
    assert left.name == "own seed"
    assert "no epoch 7" in left.detail


def test_a_seed_of_a_seat_that_never_shared_is_named_at_the_lock():
    report = check(Forge(kinds="ppb").share(0).lock(), own("mine", seat=1))
    assert [(error.code, error.at) for error in report.errors] == [
        ("E_SHARE_MISSING", 2),
        ("E_OWN_SEED", 2),
    ]


@pytest.mark.parametrize(
    ("typed", "used", "said"),
    [
        ("Zoe\u0308", "Zo\u00eb", "NFC"),
        ("Zo\u00eb", "Zoe\u0308", "NFD"),
        ("\ufb01", "fi", "NFKC"),
        ("\ufb01\u00e9", "fie\u0301", "NFKD"),
        (" hello ", "hello", "blanks"),
        ("hello", "hello\n", "(LF)"),
        ("hello", "hello\r\n", "(CR LF)"),
        ("\ufeffhello", "hello", "byte order mark"),
        ("\u201chello\u201d", '"hello"', "straight"),
        ('"hello"', "\u201chello\u201d", "typographic"),
        ("don't", "don\u2019t", "typographic"),
        ("hello", "good bye", "no usual form"),
    ],
)
def test_another_form_of_the_own_seed_is_recognised(typed, used, said):
    (error,) = check(Forge().share(text=used).lock().play().end(), own(typed)).errors
    assert error.code == "E_OWN_SEED"
    assert said in error.detail


def test_the_empty_seed_is_a_text_like_any_other():
    assert check(Forge().share(text="").lock().end(), own("")).verdict == "VALID"
    assert codes(check(honest(), own(""))) == ["E_OWN_SEED"]


# ----------------------------------------------------------------------- warnings


def test_a_single_player_is_no_last_chooser_and_two_are():
    assert "W_LAST_CHOOSER" not in warned(check(honest()))
    assert "W_LAST_CHOOSER" in warned(check(Forge(kinds="ppb").share(0).share(1).lock()))


def test_a_game_of_bots_has_no_player_s_seed():
    report = check(Forge(kinds="bbb").lock().play().end())
    assert report.verdict == "VALID"
    assert "W_NO_PLAYER_SEED" in warned(report)


def test_the_zero_nonce_is_text_only_and_never_reused():
    forge = Forge(kinds="ppb").share(0, nonce="0" * 64).share(1, nonce="0" * 64).lock()
    assert "W_TEXT_ONLY" in warned(check(forge))
    assert "W_NONCE_REUSED" not in warned(check(forge))


def test_a_nonce_used_before_is_warned_of():
    forge = Forge(kinds="ppb").share(0, nonce="1" * 64).share(1, nonce="1" * 64).lock()
    assert "W_NONCE_REUSED" in warned(check(forge))


def test_a_dealt_only_game_may_close_for_any_reason():
    report = check(Forge().share().lock().play().close("power cut").master())
    assert (report.verdict, warned(report)) == ("VALID", {"W_COMMIT_TIME_UNPROVEN"})


def test_an_aborted_hand_is_derived_and_shown():
    report = check(Forge().share().lock().deal().abort().reveal().end())
    assert report.verdict == "VALID"
    assert "W_HAND_ABORTED" in warned(report)
    assert report.hands[0].cards is not None


def test_a_late_master_is_warned_of_and_a_punctual_one_is_not():
    forge = honest()
    last = len(forge.records) - 1
    forge.times[last] = 10_000_000
    assert "W_REVEAL_LATE" not in warned(check(forge))
    forge.times[last] = 10_000_001
    assert "W_REVEAL_LATE" in warned(check(forge))
    assert check(forge).verdict == "VALID"


def test_a_withheld_master_is_found_only_by_a_trusted_time():
    forge = Forge().share().lock().play()
    assert codes(check(forge, Held(now=10_000_000))) == []
    assert only_fault(forge, Held(now=10_000_001)) == ("E_REVEAL_WITHHELD", None, None)
    assert codes(check(honest(), Held(now=10_000_001))) == []


def test_a_withheld_master_is_not_looked_for_where_something_else_is_wrong():
    forge = Forge().share().lock(round=7)
    assert codes(check(forge, Held(now=10_000_001))) == ["E_BEACON_ROUND"]
