"""Profile sealed, epochs and void, bots and dropped shares (docs/protocol.md 2.5, 3.2)."""

from typing import Any

import pytest

from tests.verifier.forge import Forge, check, codes, warned
from verifier.held import Held, OwnSeed


def seeded(kinds: str = "ppb", **terms: Any) -> Forge:
    """A game of the profile sealed up to the end of its sealing."""
    forge = Forge(kinds=kinds, profile="sealed", **terms)
    for seat, kind in enumerate(kinds):
        if kind == "p":
            forge.seal(seat)
    return forge.sealed()


def shared(forge: Forge, *left_out: int) -> Forge:
    for seat, info in enumerate(forge.open_body["seats"]):
        if info["kind"] == "player" and seat not in left_out:
            forge.share(seat)
    return forge


def sealing(forge: Forge) -> Forge:
    """Seal and share a further epoch."""
    forge.next_epoch()
    for seat, info in enumerate(forge.open_body["seats"]):
        if info["kind"] == "player":
            forge.seal(seat)
    return shared(forge.sealed()).lock()


def only(forge: Forge) -> list[str]:
    """The errors, each code once, in order."""
    return list(dict.fromkeys(codes(check(forge))))


@pytest.mark.parametrize("kinds", ["p", "pp", "ppb", "bpbp", "pppppp"])
def test_an_honest_sealed_game_is_valid_and_has_no_last_chooser(kinds):
    report = check(shared(seeded(kinds, first_seat=0)).lock().play(2).end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN"}


def test_a_sealed_table_of_bots_has_nulls_only():
    report = check(seeded("bbb").lock().play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN", "W_NO_PLAYER_SEED"}


def test_a_sealed_table_of_bots_needs_its_sealed_record():
    assert only(Forge(kinds="bb", profile="sealed").lock()) == ["E_ORDER"]


def test_seals_may_come_in_any_order_and_shares_in_another():
    forge = Forge(kinds="ppp", profile="sealed").seal(2).seal(0).seal(1).sealed()
    report = check(forge.share(1).share(2).share(0).lock().play().end())
    assert (report.verdict, report.errors) == ("VALID", ())


FAULTS = {
    "a share before all seals are closed": (
        Forge(kinds="pp", profile="sealed").seal(0).share(0),
        "E_SHARE_BEFORE_SEALED",
    ),
    "a share as the first record of the epoch": (
        Forge(kinds="pp", profile="sealed").share(0),
        "E_SHARE_BEFORE_SEALED",
    ),
    "a seal after sealing": (
        Forge(kinds="pp", profile="sealed").seal(0).sealed().seal(1),
        "E_SEAL_AFTER_SEALED",
    ),
    "a second seal of a seat": (
        Forge(kinds="pp", profile="sealed").seal(0).seal(0),
        "E_SEAT_TWICE",
    ),
    "a seal of a bot": (Forge(kinds="pb", profile="sealed").seal(1), "E_SEAT"),
    "a seal of no seat": (Forge(kinds="pb", profile="sealed").seal(7), "E_SEAT"),
    "a second sealed": (seeded().sealed(), "E_ORDER"),
    "a lock while sealing": (Forge(kinds="pp", profile="sealed").seal(0).lock(), "E_ORDER"),
    "a seal in the profile open": (Forge(kinds="pp").seal(0), "E_ORDER"),
    "a sealed in the profile open": (Forge(kinds="pp").sealed(), "E_ORDER"),
    "an epoch begun while another is sealing": (
        Forge(kinds="pp", profile="sealed").seal(0).next_epoch().seal(0),
        "E_EPOCH_ORDER",
    ),
    "a deal while sealing": (
        Forge(kinds="pp", profile="sealed").seal(0).seal(1).deal(),
        "E_DEAL_BEFORE_LOCK",
    ),
    "a deal while sharing": (shared(seeded()).deal(), "E_DEAL_BEFORE_LOCK"),
    "a lock without a share": (shared(seeded(), 1).lock(shares=[None] * 3), "E_SHARE_MISSING"),
    "a share without a seal": (
        Forge(kinds="pp", profile="sealed").seal(0).sealed().share(1),
        "E_SHARE_WITHOUT_SEAL",
    ),
    "a share that does not open its seal": (seeded().share(0, "other"), "E_SEAL_OPENING"),
    "a share with another nonce": (seeded().share(0, nonce="ab" * 32), "E_SEAL_OPENING"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_seals_is_named(name):
    forge, error = FAULTS[name]
    report = check(forge)
    assert (report.verdict, codes(report)[0]) == ("INVALID", error)
    assert report.errors[0].at == len(forge.records) - 1


def test_a_copied_seal_is_named_at_once_and_can_never_be_opened():
    forge = Forge(kinds="pp", profile="sealed").seal(0)
    forge.add("seal", epoch=1, seat=1, seal=forge.records[1][1]["seal"])
    forge.add("sealed", epoch=1, seals=[forge.records[1][1]["seal"]] * 2)
    assert codes(check(forge.share(0).share(1))) == ["E_SEAL_COPIED", "E_SEAL_OPENING"]


@pytest.mark.parametrize("change", ["swap", "none", "short"])
def test_another_list_of_seals_is_named(change):
    forge = seeded()
    seals = forge.records[-1][1]["seals"]
    forge.records[-1][1]["seals"] = {
        "swap": [seals[1], seals[0], None],
        "none": [None, seals[1], None],
        "short": seals[:2],
    }[change]
    assert codes(check(forge)) == ["E_SEALED_LIST"]


def test_shares_are_not_exchanged_between_epochs():
    forge = shared(seeded(epoch_hands=1)).lock().play()
    first = forge.records[1][1]["seal"]
    forge.next_epoch()
    forge.line(1)
    forge.add("seal", epoch=2, seat=0, seal=first).seal(1)
    forge.add("sealed", epoch=2, seals=[first, forge.records[-1][1]["seal"], None])
    assert codes(check(forge.share(0))) == ["E_SEAL_OPENING"]


# ------------------------------------------------------------------------------ epochs, void


def void(forge: Forge, *seats: int) -> Forge:
    return forge.add("void", epoch=forge.epoch, reason="no answer", seats=list(seats))


def test_every_epoch_deals_its_hands_and_the_last_may_end_early():
    forge = shared(seeded(epoch_hands=2)).lock().play(2)
    report = check(sealing(forge).play(1).end())
    assert (report.verdict, report.errors) == ("VALID", ())


@pytest.mark.parametrize("hands", [0, 1])
def test_no_new_seeds_before_an_epoch_has_dealt_its_hands(hands):
    forge = shared(seeded(epoch_hands=2)).lock().play(hands).next_epoch().seal(0)
    assert codes(check(forge)) == ["E_EPOCH_ORDER"]


def test_an_aborted_hand_counts_for_its_epoch():
    forge = shared(seeded(epoch_hands=1)).lock().deal().abort().reveal()
    report = check(sealing(forge).play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert "W_HAND_ABORTED" in warned(report)


def test_an_epoch_is_given_up_for_the_seats_that_are_missing_and_counted():
    sealing_one = Forge(kinds="ppp", profile="sealed").seal(1)
    sharing_one = seeded("ppp").share(1)
    for forge in (sealing_one, sharing_one):
        report = check(sealing(void(forge, 0, 2)).play().end())
        assert (report.verdict, report.errors) == ("VALID", ())
        assert "W_EPOCH_VOIDED" in warned(report)


@pytest.mark.parametrize("seats", [(), (0,), (2, 0), (0, 1, 2), (0, 2, 2)])
def test_an_epoch_is_not_given_up_for_other_seats(seats):
    forge = void(Forge(kinds="ppp", profile="sealed").seal(1), *seats)
    assert codes(check(forge)) == ["E_SEAT"]


def test_after_two_void_epochs_only_close_may_follow():
    forge = void(Forge(kinds="pp", profile="sealed").seal(1), 0).next_epoch()
    void(forge.seal(0), 1)
    assert check(forge).verdict == "INCOMPLETE"
    assert codes(check(forge.next_epoch().seal(0))) == ["E_VOID_LIMIT"]
    forge.records.pop()
    report = check(forge.end())
    assert (report.verdict, report.errors) == ("VALID", ())


def test_a_void_epoch_takes_no_seeds_and_deals_nothing():
    forge = void(seeded("pp").share(1), 0)
    assert codes(check(forge.share(0))) == ["E_SEED_AFTER_LOCK"]
    forge.records.pop()
    assert codes(check(forge.deal())) == ["E_DEAL_BEFORE_LOCK"]


# ------------------------------------------------------------------------------- own evidence


def test_own_seed_is_judged_in_sealed_epochs_too():
    forge = shared(seeded()).lock().play().end()
    assert check(forge, Held(own_seed=OwnSeed(seat=1, texts={None: b"hello"}))).errors == ()
    report = check(forge, Held(own_seed=OwnSeed(seat=1, texts={1: b"hello "})))
    assert codes(report) == ["E_OWN_SEED"]
    assert "with" in report.errors[0].detail or "without" in report.errors[0].detail


def test_an_own_nonce_that_differs_is_named():
    forge = shared(seeded()).lock().play().end()
    nonce = forge.records[4][1]["nonce"]
    for given, errors in ((nonce, []), ("00" * 32, ["E_OWN_SEED"])):
        own = OwnSeed(seat=0, texts={}, nonces={1: given})
        assert codes(check(forge, Held(own_seed=own))) == errors


def test_an_own_nonce_in_an_epoch_that_left_the_seat_out_is_named():
    forge = Forge(kinds="pp").share(0).lock()
    own = OwnSeed(seat=1, texts={}, nonces={1: "00" * 32})
    assert codes(check(forge, Held(own_seed=own))) == ["E_SHARE_MISSING", "E_OWN_SEED"]
