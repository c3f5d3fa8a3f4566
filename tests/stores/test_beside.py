"""What is kept beside the records: listings, rooms, grants, who was there, answers, signatures."""

from dataclasses import replace

import pytest

from fairdeal.errors import Conflict
from fairdeal.store.ports import (
    Exchange,
    Grant,
    GrantChange,
    KeptAnswer,
    Listing,
    RoomState,
    SeedSignature,
    Seen,
    Write,
)
from tests.stores.contract import GAME, line, opening


def refused(store, write):
    with pytest.raises(Conflict) as refusal:
        store.write(write)
    return refusal.value.code


def listed(game, made=0, **more):
    return Write(game=game, listing=Listing(game=game, **({"site": "s"} | more), made=made))


def test_a_listing_comes_back_as_it_was_written(store):
    listing = Listing(game=GAME, site="s", room="r", made=2**40, settings=b'{"a":"\xc3\xa4"}')
    store.write(opening(listing=listing))
    assert store.listing(GAME) == listing
    assert store.listing("other") is None


def test_a_game_is_listed_once(store):
    store.write(listed(GAME))
    assert refused(store, listed(GAME, made=1)) == "key_taken"


def test_games_are_listed_newest_first_page_by_page(store):
    made = {"ga": 5, "gb": 7, "gc": 7, "gd": 1}
    for game, at in made.items():
        store.write(listed(game, at, room="r" if game < "gc" else ""))
    store.write(listed("gz", 9, site="other"))
    names = [one.game for one in store.listings(site="s", limit=9)]
    assert names == ["gc", "gb", "ga", "gd"]
    assert [one.game for one in store.listings(site="s", before=(7, "gb"), limit=1)] == ["ga"]
    assert [one.game for one in store.listings(room="r", limit=9)] == ["gb", "ga"]


def test_names_are_ordered_byte_by_byte(store):
    """As in a language where a comes before B, or not: the page behind a name must be the same."""
    for name in ("b", "B", "a", "_", "ä", "A0", "A_"):
        store.write(Write(room=RoomState(room=name, site="s", version=0, body=b"")))
    names = [room.room for room in store.rooms("s", limit=9)]
    assert names == ["A0", "A_", "B", "_", "a", "b", "ä"]
    assert [room.room for room in store.rooms("s", after="B", limit=2)] == ["_", "a"]


def test_a_room_moves_one_version_at_a_time(store):
    room = RoomState(room="r", site="s", version=0, body=b"{}")
    assert refused(store, Write(room=replace(room, version=1))) == "room_moved"
    store.write(Write(room=room))
    assert refused(store, Write(room=room)) == "room_moved"
    later = replace(room, version=1, body=b"[]")
    store.write(Write(room=later))
    assert refused(store, Write(room=replace(room, version=3))) == "room_moved"
    assert store.room("r") == later
    assert store.room("s") is None


def test_grants_come_back_by_place_role_time_and_digest(store):
    seats = [
        Grant(digest=bytes([9 - at]) * 32, role="seat", game=GAME, seat=at, made=at // 2)
        for at in range(4)
    ]
    others = [
        Grant(digest=b"w" * 32, role="watch", game=GAME),
        Grant(digest=b"r" * 32, role="seat", room="r", seat=0),
        Grant(digest=b"o" * 32, role="operator", site="s", scope="full", label="ä ♠", until=5),
    ]
    store.write(Write(grants=(*seats, *others)))
    order = (seats[1], seats[0], seats[3], seats[2])
    assert store.grants(role="seat", game=GAME) == order
    assert store.grants(role="watch", game=GAME) == (others[0],)
    assert store.grants(role="seat", room="r") == (others[1],)
    assert store.grants(role="operator", site="s") == (others[2],)
    assert store.grants(role="operator", site="t") == ()


def test_a_public_name_is_given_once_and_no_name_to_many(store):
    for at in range(2):
        store.write(Write(grants=(Grant(digest=bytes([at]) * 32, role="operator"),)))
    store.write(Write(grants=(Grant(digest=b"a" * 32, role="operator", id="key_a"),)))
    again = Write(grants=(Grant(digest=b"b" * 32, role="operator", id="key_a"),))
    assert refused(store, again) == "key_taken"


def test_a_refusal_quotes_nothing_of_what_was_to_be_written(store):
    grant = Grant(digest=b"d" * 32, role="operator", id="key_hidden", label="hidden")
    store.write(Write(grants=(grant,)))
    with pytest.raises(Conflict) as refusal:
        store.write(Write(grants=(grant,)))
    said = f"{refusal.value!r} {refusal.value.facts}"
    assert "hidden" not in said
    assert "dddd" not in said
    assert "6464" not in said


def test_a_grant_is_changed_where_there_is_one(store):
    grant = Grant(digest=b"d" * 32, role="claim", game=GAME, seat=1)
    store.write(Write(grants=(grant,)))
    change = GrantChange(digest=grant.digest, state="revoked", until=7)
    store.write(Write(changes=(change,)))
    assert store.grant(grant.digest) == replace(grant, state="revoked", until=7)
    gone = replace(change, digest=b"n" * 32)
    assert refused(store, Write(changes=(change, gone))) == "no_such_grant"
    used = Write(exchange=Exchange(claim=grant.digest, token=b"t" * 32))
    assert refused(store, used) == "claim_used"


@pytest.mark.parametrize("state", ["used", "replaced", "revoked"])
def test_a_grant_that_is_not_open_is_not_opened_again(store, state):
    """Whoever read it as open, before it ended, does not revive it."""
    grant = Grant(digest=b"d" * 32, role="operator", site="s", state=state)
    store.write(Write(grants=(grant,)))
    change = GrantChange(digest=grant.digest, state="open", until=7)
    assert refused(store, Write(changes=(change,))) == "no_such_grant"
    assert store.grant(grant.digest) == grant


def test_a_seat_token_takes_over_what_its_claim_said(store):
    claim = Grant(
        digest=b"c" * 32, role="claim", site="s", id="clm_a", room="r", seat=3,
        label="north", made=4, until=9,
    )  # fmt: skip
    store.write(Write(grants=(claim,)))
    store.write(Write(exchange=Exchange(claim=claim.digest, token=b"t" * 32, made=6)))
    token = replace(claim, digest=b"t" * 32, role="seat", id="", made=6, until=None)
    assert store.grant(b"t" * 32) == token
    assert store.grant(claim.digest) == replace(claim, state="used", successor=b"t" * 32)


def test_of_two_times_somebody_was_there_the_later_stands(store):
    for at in (5, 9, 7):
        store.write(Write(seen=(Seen(place=GAME, seat=1, at=at), Seen(place="r", seat=0, at=at))))
    store.write(Write(seen=(Seen(place=GAME, seat=0, at=1),)))
    assert store.seen(GAME) == (Seen(place=GAME, seat=0, at=1), Seen(place=GAME, seat=1, at=9))
    assert store.seen("nowhere") == ()


def test_old_answers_are_forgotten_but_for_those_of_games_that_are_not_over(store):
    store.write(opening("g-running"))
    store.write(opening("g-over"))
    store.write(Write(game="g-over", after=0, lines=(line(1, "master", game="g-over"),)))
    kept = [
        KeptAnswer(key=bytes([at]) * 32, request=b"r" * 32, sealed=b"s", game=game, made=made)
        for at, (game, made) in enumerate(
            [("", 1), ("", 5), ("g-over", 1), ("g-over", 5), ("g-running", 1)]
        )
    ]
    for answer in kept:
        store.write(Write(answer=answer))
    store.write(Write(forget=5))
    assert [store.answer(answer.key) for answer in kept] == [None, kept[1], None, *kept[3:]]


def test_signatures_come_back_by_epoch_and_seat_and_are_given_once(store):
    made = [
        SeedSignature(epoch=epoch, seat=seat, pk=f"{epoch}{seat}" * 32, signature="e" * 128)
        for epoch in (2, 1)
        for seat in (1, 0)
    ]
    for one in made:
        store.write(Write(game=GAME, signature=one))
    assert store.signatures(GAME) == (made[3], made[2], made[1], made[0])
    assert store.signatures("other") == ()
    assert refused(store, Write(game=GAME, signature=made[0])) == "key_taken"
