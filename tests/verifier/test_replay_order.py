"""A record out of place ends the replay, and is named (docs/protocol.md 2.5, 2.8, 3.2 stage 4)."""

import pytest

from tests.verifier.forge import Forge, check, codes, honest, warned


def started() -> Forge:
    return Forge().share().lock()


def test_an_honest_game_has_no_error():
    for hands in (0, 1, 4):
        report = check(honest(hands))
        assert (report.verdict, report.level) == ("VALID", "consistent")
        assert codes(report) == []
        assert [hand.status for hand in report.hands] == ["verified"] * hands


def test_every_beginning_of_an_honest_game_is_incomplete():
    records = honest(2).records
    for end in range(1, len(records)):
        forge = honest(2)
        del forge.records[end:]
        report = check(forge)
        assert (report.verdict, codes(report)) == ("INCOMPLETE", [])


SEAL = {"epoch": 1, "seat": 0, "seal": "0" * 64}
SEALED = {"epoch": 1, "seals": [None, None, None]}
BEACON = {"epoch": 1, "round": 1, "signature": "0" * 96}
DRAW = {"hand": 1, "seat": 0, "pos": 0}
ACT = {"hand": 1, "seat": 0, "by": "seat", "act": "draw", "took": [], "shown": []}

OUT_OF_PLACE = {
    "a record after the master": (honest().score(1), "E_AFTER_END"),
    "a second master": (honest().master(), "E_AFTER_END"),
    "a record between close and master": (started().close().share(), "E_AFTER_CLOSE"),
    "a second close": (started().close().close(), "E_AFTER_CLOSE"),
    "a second open": (started().add("open", **Forge().open_body), "E_SECOND_OPEN"),
    "another secret than the one due": (
        started().deal().score().reveal(2),
        "E_REVEAL_WRONG_HAND",
    ),
    "a deal while a secret is due": (started().deal().score().deal(), "E_REVEAL_LATE"),
    "a close while a secret is due": (started().deal().score().close(), "E_REVEAL_LATE"),
    "a second open at once": (Forge().add("open", **Forge().open_body), "E_SECOND_OPEN"),
    "a second open while a secret is due": (
        started().deal().score().add("open", **Forge().open_body),
        "E_REVEAL_LATE",
    ),
    "seeds during a hand": (started().deal().share(), "E_SEEDS_DURING_HAND"),
    "an epoch left out": (Forge().next_epoch().share(), "E_EPOCH_ORDER"),
    "epoch 0": (
        Forge().add("lock", epoch=0, first_hand=1, shares=[None], round=None),
        "E_EPOCH_ORDER",
    ),
    "an epoch before the last is locked": (Forge().share().next_epoch().share(), "E_EPOCH_ORDER"),
    "a second epoch where one serves all": (
        started().play().next_epoch().share(),
        "E_EPOCH_ORDER",
    ),
    "void of an epoch not begun": (
        Forge().add("void", epoch=1, reason="", seats=[0]),
        "E_ORDER",
    ),
    "void of a next epoch that may not begin": (
        started().add("void", epoch=2, reason="", seats=[0]),
        "E_EPOCH_ORDER",
    ),
    "a share after the lock": (started().share(), "E_SEED_AFTER_LOCK"),
    "a second lock": (started().lock(), "E_SEED_AFTER_LOCK"),
    "void of a locked epoch": (
        started().add("void", epoch=1, reason="", seats=[0]),
        "E_SEED_AFTER_LOCK",
    ),
    "a seal in the profile open": (Forge().add("seal", **SEAL), "E_ORDER"),
    "a sealed in the profile open": (Forge().add("sealed", **SEALED), "E_ORDER"),
    "a beacon without one": (started().add("beacon", **BEACON), "E_ORDER"),
    "a hand while another is in play": (started().deal().deal(), "E_HAND_OVERLAP"),
    "a hand dealt again": (started().play().deal(1), "E_HAND_REPEATED"),
    "a hand left out": (started().deal(2), "E_HAND_SKIPPED"),
    "an abort of hand 0": (started().deal().add("abort", hand=0, reason=""), "E_ORDER"),
    "a deal without seeds": (Forge().deal(), "E_DEAL_BEFORE_LOCK"),
    "a deal before the lock": (Forge().share().deal(), "E_DEAL_BEFORE_LOCK"),
    "a draw before any deal": (started().add("draw", **DRAW), "E_ORDER"),
    "a draw for another hand": (started().deal().add("draw", **(DRAW | {"hand": 2})), "E_ORDER"),
    "an act in a dealt-only game": (started().deal().add("act", **ACT), "E_ORDER"),
    "a score of no hand": (started().score(1), "E_ORDER"),
    "an abort of another hand": (started().deal().abort(2), "E_ORDER"),
    "a secret before the hand is over": (started().deal().reveal(), "E_REVEAL_EARLY"),
    "a secret of a hand never dealt": (started().play().reveal(2), "E_REVEAL_EARLY"),
    "a secret a second time": (started().play().reveal(1), "E_ORDER"),
    "a close while a hand is in play": (started().deal().close(), "E_HAND_UNSCORED"),
    "the master before close": (started().play().master(), "E_MASTER_EARLY"),
}


@pytest.mark.parametrize("name", OUT_OF_PLACE)
def test_a_record_out_of_place_is_named_and_ends_the_replay(name):
    forge, code = OUT_OF_PLACE[name]
    forge.add("close", reason="never read", hands=77)
    report = check(forge)
    assert codes(report) == [code]
    assert report.errors[0].at == len(forge.records) - 2
    assert report.verdict == "INVALID"


def test_a_hand_number_of_zero_is_a_skipped_one():
    forge = started()
    forge.deal()
    forge.records[-1][1]["hand"] = 0
    assert codes(check(forge)) == ["E_HAND_SKIPPED"]


def test_a_game_that_does_not_begin_with_open_is_not_replayed():
    forge = honest()
    del forge.records[0]
    report = check(forge)
    assert [(error.code, error.at) for error in report.errors] == [("E_NO_OPEN", 0)]


def test_more_hands_than_are_committed_end_the_replay():
    forge = Forge(hands=2).share().lock().play(2)
    forge.deal()
    assert codes(check(forge)) == ["E_HAND_UNCOMMITTED"]


def epochs_of_two() -> Forge:
    return Forge(hands=6, epoch_hands=2).share().lock()


def test_each_epoch_serves_exactly_its_hands():
    game = epochs_of_two().play(2).next_epoch().share().lock().play(2).end()
    assert check(game).verdict == "VALID"
    assert codes(check(epochs_of_two().play(2).deal())) == ["E_EPOCH_ORDER"]
    assert codes(check(epochs_of_two().play(1).next_epoch().share())) == ["E_EPOCH_ORDER"]
    assert codes(check(epochs_of_two().next_epoch().share())) == ["E_EPOCH_ORDER"]


def test_the_last_epoch_may_end_early():
    assert check(epochs_of_two().play(1).end()).verdict == "VALID"


def test_an_aborted_hand_counts_in_its_epoch():
    game = epochs_of_two().play(1).deal().abort().reveal().next_epoch().share().lock().end()
    report = check(game)
    assert report.verdict == "VALID"
    assert "W_HAND_ABORTED" in warned(report)


def two_players() -> Forge:
    return Forge(kinds="ppb").share(0)


def void(forge: Forge, seats: list[int]) -> Forge:
    forge.add("void", epoch=forge.epoch, reason="no answer", seats=seats)
    return forge.next_epoch()


def test_a_void_epoch_may_be_followed_by_the_next_one_or_by_close():
    again = void(two_players(), [1]).share(0).share(1).lock().play().end()
    report = check(again)
    assert report.verdict == "VALID"
    assert "W_EPOCH_VOIDED" in warned(report)
    assert check(void(two_players(), [1]).end()).verdict == "VALID"


def test_after_a_void_epoch_no_hand_is_dealt_from_older_seeds():
    assert codes(check(void(two_players(), [1]).deal())) == ["E_DEAL_BEFORE_LOCK"]


def test_a_void_epoch_takes_no_more_seeds():
    forge = void(two_players(), [1])
    forge.epoch = 1
    assert codes(check(forge.share(1))) == ["E_SEED_AFTER_LOCK"]


def test_after_two_void_epochs_only_close_may_follow():
    twice = void(void(two_players(), [1]).share(1), [0])
    assert check(twice.end()).verdict == "VALID"
    for kind, body in (
        ("share", {"epoch": 3, "seat": 0, "nonce": "0" * 64, "seed_sha256": "0" * 64}),
        ("master", {"secret": "0" * 128}),
        ("reveal", {"hand": 1, "secret": "0" * 128}),
    ):
        twice = void(void(two_players(), [1]).share(1), [0])
        assert codes(check(twice.add(kind, **body))) == ["E_VOID_LIMIT"]
