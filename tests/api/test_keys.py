"""The keys of a site, and the site itself: made, followed, taken away; told once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from fairdeal.errors import Conflict
from fairdeal.service import keyring
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, GrantChange, Write
from fairdeal.store.sql import SqlStore
from tests.table import OPERATOR, START_MS, Service

DAY_MS = 24 * 3600 * 1000


def keys(service, token=OPERATOR):
    answer = service.call("GET", "/v1/keys", token=token)
    assert answer.status_code == 200, answer.text
    return answer.json["keys"]


def add(service, token=OPERATOR, **wanted):
    answer = service.call("POST", "/v1/keys", wanted, token)
    assert answer.status_code == 201, answer.text
    return answer.json


def roll(service, key, token=OPERATOR, **wanted):
    return service.call("POST", f"/v1/keys/{key}/roll", wanted, token)


def delete(service, key, token=OPERATOR):
    return service.call("DELETE", f"/v1/keys/{key}", token=token)


def says(service, token):
    """Return what a token is answered, by status and code."""
    answer = service.call("GET", "/v1/site", token=token)
    return (answer.status_code, answer.json.get("code"))


def test_the_first_key_has_a_name_and_no_end(service):
    (key,) = keys(service)
    assert key["id"].startswith("key_")
    assert (key["scope"], key["until"], key["made"]) == ("full", None, START_MS)


def test_a_new_key_opens_what_the_first_one_does(service):
    made = add(service, label="reports")
    assert made["token"].startswith("cd_live_op_")
    assert (made["label"], made["scope"]) == ("reports", "full")
    seats = [{"kind": "bot"}] * 4
    assert service.call("POST", "/v1/games", {"seats": seats}, made["token"]).status_code == 201
    listed = service.call("GET", "/v1/games", token=OPERATOR).json["games"]
    assert len(listed) == 1


def test_a_key_is_shown_once_and_kept_as_its_hash(service, folder):
    token = add(service)["token"]
    assert token not in service.call("GET", "/v1/keys", token=OPERATOR).text
    service.close()
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert digest(token) in kept
    assert token.encode() not in kept
    assert token.split("_")[-1].encode() not in kept


def test_a_key_that_may_only_look_lists_and_changes_nothing(service):
    token = add(service, scope="read")["token"]
    game = service.create()["id"]
    for path in ("/v1/site", "/v1/keys", "/v1/games", f"/v1/games/{game}/watchers"):
        assert service.call("GET", path, token=token).status_code == 200, path
    refused = service.call("POST", f"/v1/games/{game}/close", {"reason": "rain"}, token)
    assert (refused.status_code, refused.json["code"]) == (403, "read_only_key")


def test_a_key_that_is_followed_works_until_the_overlap_is_over(service):
    old = add(service, label="web", scope="read")
    new = roll(service, old["id"], overlap_s=60).json
    assert (new["label"], new["scope"], new["until"]) == ("web", "read", None)
    assert says(service, old["token"]) == says(service, new["token"]) == (200, None)
    ends = {key["id"]: key["until"] for key in keys(service)}[old["id"]]
    service.clock.set(ends - 10)
    assert says(service, old["token"]) == (200, None)
    service.clock.set(ends)
    assert says(service, old["token"]) == (401, "key_expired")
    assert says(service, new["token"]) == (200, None)
    assert old["id"] not in {key["id"] for key in keys(service)}


def test_the_overlap_is_a_day_where_nothing_is_said(service):
    old = add(service)
    roll(service, old["id"])
    (ends,) = [key["until"] for key in keys(service) if key["id"] == old["id"]]
    assert DAY_MS <= ends - START_MS < DAY_MS + 1000


def test_without_an_overlap_the_old_key_is_replaced_at_once(service):
    old = add(service)
    new = roll(service, old["id"], overlap_s=0).json
    assert says(service, old["token"]) == (410, "token_replaced")
    assert says(service, new["token"]) == (200, None)


def test_a_second_roll_does_not_lengthen_the_first(service):
    old = add(service)
    roll(service, old["id"], overlap_s=60)
    roll(service, old["id"], overlap_s=600)
    (ends,) = [key["until"] for key in keys(service) if key["id"] == old["id"]]
    assert ends < START_MS + 61_000


@pytest.mark.parametrize("overlap_s", [-1, 604_801, "60", 1.5])
def test_an_overlap_beyond_a_week_or_of_another_kind_is_refused(service, overlap_s):
    answer = roll(service, add(service)["id"], overlap_s=overlap_s)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")


def test_a_key_that_ended_cannot_be_followed(service):
    old = add(service)
    assert delete(service, old["id"]).status_code == 204
    answer = roll(service, old["id"])
    assert (answer.status_code, answer.json["code"]) == (404, "no_such_key")


class Overtaken(SqlStore):
    """A store in which a key is taken away just before the next write."""

    key = b""

    def write(self, write):
        key, self.key = self.key, b""
        if key:
            super().write(Write(changes=(GrantChange(digest=key, state="revoked", until=None),)))
        super().write(write)


def test_a_key_that_is_taken_away_while_it_is_followed_stays_away(folder):
    service = Service(folder, maker=Overtaken)
    old = add(service)
    service.store.key = digest(old["token"])
    answer = roll(service, old["id"])
    assert (answer.status_code, answer.json["code"]) == (404, "no_such_key")
    assert says(service, old["token"]) == (401, "bad_key")
    assert len(keys(service)) == 1
    service.close()


def test_a_key_that_is_taken_away_opens_nothing_and_stays_away(service):
    old = add(service)
    answer = delete(service, old["id"])
    assert (answer.status_code, answer.data) == (204, b"")
    assert says(service, old["token"]) == (401, "bad_key")
    assert delete(service, old["id"]).status_code == 204
    assert [key["id"] for key in keys(service)] == [keys(service)[0]["id"]]


def test_the_last_full_key_that_lasts_stays(service):
    (first,) = keys(service)
    add(service, scope="read")
    rolled = add(service)
    roll(service, rolled["id"])
    new = [key for key in keys(service) if key["until"] is None and key["scope"] == "full"]
    for key in new[1:]:
        assert delete(service, key["id"]).status_code == 204
    refused = delete(service, first["id"])
    assert (refused.status_code, refused.json["code"]) == (409, "last_key")
    assert says(service, OPERATOR) == (200, None)


def test_of_two_keys_that_are_taken_away_at_once_one_stays(service):
    caller, desk = service.dealer.identify(OPERATOR), service.dealer.keys
    together = Barrier(2)

    def remove(key):
        together.wait()
        try:
            desk.remove(caller, key)
        except Conflict as refusal:
            return refusal.code
        return "gone"

    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            desk.add(caller, "", "full")
            two = [key.id for key in desk.listed(caller)]
            assert sorted(pool.map(remove, two)) == ["gone", "last_key"]


def test_a_site_has_so_many_keys_only(service, monkeypatch):
    monkeypatch.setattr(keyring, "MOST_KEYS", 3)
    add(service)
    last = add(service)
    answer = service.call("POST", "/v1/keys", {}, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (409, "too_many")
    assert roll(service, last["id"]).status_code == 409
    delete(service, last["id"])
    add(service)


def test_a_site_sees_its_own_keys_and_games_alone(service):
    other = "cd_live_op_" + "o" * 43
    grant = Grant(digest=digest(other), role="operator", site="site_other", scope="full", made=7)
    service.store.write(Write(grants=(grant,)))
    (mine,), (theirs,) = keys(service), keys(service, other)
    assert mine["id"] != theirs["id"]
    assert (delete(service, mine["id"], other)).json["code"] == "no_such_key"
    service.create("bbbb")
    assert service.call("GET", "/v1/games", token=other).json["games"] == []
    assert service.call("GET", "/v1/site", token=other).json == {
        "id": "site_other", "name": "", "mode": "live", "made": 7,
    }  # fmt: skip


def test_a_site_calls_itself_what_it_likes(service):
    before = service.call("GET", "/v1/site", token=OPERATOR).json
    assert before == {"id": "site_main", "name": "", "mode": "live", "made": START_MS}
    for name in ("The Card Room", "Kartenhaus Süd"):
        answer = service.call("PATCH", "/v1/site", {"name": name}, OPERATOR)
        assert answer.json == {**before, "name": name}
        assert service.call("GET", "/v1/site", token=OPERATOR).json["name"] == name
    assert service.call("PATCH", "/v1/site", {"name": ""}, OPERATOR).status_code == 400
    assert service.call("GET", "/v1/rooms/site%2Fsite_main", token=OPERATOR).status_code == 404
    assert service.call("GET", "/v1/rooms", token=OPERATOR).json["rooms"] == []


def test_a_site_s_games_are_listed_newest_first_and_in_parts(service):
    made = [service.create("bbbb" if at % 2 else "hbbb")["id"] for at in range(5)]
    service.call("POST", f"/v1/games/{made[0]}/close", {"reason": "rain"}, OPERATOR)
    first = service.call("GET", "/v1/games?limit=2", token=OPERATOR).json
    assert [game["id"] for game in first["games"]] == made[:2:-1]
    assert first["has_more"] is True
    second = service.call("GET", f"/v1/games?limit=2&cursor={first['cursor']}", token=OPERATOR).json
    third = service.call("GET", f"/v1/games?limit=2&cursor={second['cursor']}", token=OPERATOR).json
    listed = [game for part in (first, second, third) for game in part["games"]]
    assert [game["id"] for game in listed] == made[::-1]
    assert (third["has_more"], third["cursor"]) == (False, "")
    assert {game["id"]: game["over"] for game in listed}[made[0]] is True
    assert {game["id"]: game["over"] for game in listed}[made[2]] is False


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "cursor=!", "cursor=-1-gaaaaaaaa", "cursor=", "state=over"],
)
def test_a_list_is_asked_for_in_the_one_way(service, query):
    answer = service.call("GET", f"/v1/games?{query}", token=OPERATOR)
    assert answer.status_code == 400, query


def test_games_made_at_the_same_moment_are_listed_each_once(service):
    service.clock.__class__.__call__, before = lambda _: START_MS, service.clock.__class__.__call__
    try:
        made = {service.create("bbbb")["id"] for _ in range(4)}
    finally:
        service.clock.__class__.__call__ = before
    seen, cursor = [], None
    while True:
        query = "?limit=1" + (f"&cursor={cursor}" if cursor else "")
        part = service.call("GET", f"/v1/games{query}", token=OPERATOR).json
        seen += [game["id"] for game in part["games"]]
        if not part["has_more"]:
            break
        cursor = part["cursor"]
    assert sorted(seen) == sorted(made)
