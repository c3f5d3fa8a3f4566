"""Test mode, and the sandbox: whose tokens open what, and how a service comes to be either."""

import os
import re

import pytest
from click.testing import CliRunner

from api import config
from fairdeal.cli.main import cli
from fairdeal.errors import StorageFailure
from fairdeal.service import open_premises
from fairdeal.service.callers import SANDBOX_OPERATOR
from tests.table import OPERATOR, Clock, Entropy, Service

TEST_ORIGIN = "cards.example/deal/test"
LIVE_ORIGIN = "cards.example/deal"
FIRST = "cd_test_op_" + "f" * 43
SEATS = [{"kind": "human"}] + [{"kind": "bot"}] * 3


def code(answer):
    return answer.status_code, answer.json.get("code")


@pytest.fixture
def sandbox(folder):
    opened = Service(folder, origin=TEST_ORIGIN, nobody=SANDBOX_OPERATOR)
    yield opened
    opened.close()


def premises(folder, origin, **more):
    return open_premises(folder, origin, entropy=Entropy(), clock=Clock(), **more)


# ----------------------------------------------------------------------------------- test mode


def test_in_test_mode_every_token_says_so(folder):
    opened = premises(folder, TEST_ORIGIN)
    key = (folder / "operator.key").read_text().strip()
    assert key.startswith("cd_test_op_")
    dealer = opened.dealer
    caller = dealer.identify(key)
    assert dealer.sites.mine(caller).mode == "test"
    assert dealer.keys.add(caller, "", "read").token.startswith("cd_test_op_")
    opened.close()


def test_a_game_in_test_mode_is_played_with_test_tokens(folder):
    service = Service(folder, origin=TEST_ORIGIN, nobody=SANDBOX_OPERATOR)
    created = service.call("POST", "/v1/games", {"seats": SEATS}).json
    assert created["claims"][0]["claim"].startswith("cd_test_claim_")
    for key in (None, "k" * 20):
        made = service.call("POST", f"/v1/games/{created['id']}/seats/0/reissue", {}).json
        body = {"claim": made["claim"], "key": key} if key else {"claim": made["claim"]}
        token = service.call("POST", "/v1/claims", body).json["token"]
        assert token.startswith("cd_test_seat_")
        view = service.call("GET", f"/v1/games/{created['id']}/view", token=token)
        assert view.status_code == 200
    watcher = service.call("POST", f"/v1/games/{created['id']}/watchers", {}).json
    assert watcher["token"].startswith("cd_test_watch_")
    service.close()


@pytest.mark.parametrize("word", ["op", "seat", "watch", "claim"])
def test_a_token_of_the_other_mode_opens_nothing_even_if_nobody_gave_it_out(service, folder, word):
    answer = service.call("GET", "/healthz", token=f"cd_test_{word}_" + "x" * 43)
    assert code(answer) == (403, "mode_mismatch")
    assert answer.json["facts"] == {"token": "test", "service": "live"}
    (folder / "test").mkdir()
    test = Service(folder / "test", origin=TEST_ORIGIN)
    answer = test.call("GET", "/healthz", token=f"cd_live_{word}_" + "x" * 43)
    assert code(answer) == (403, "mode_mismatch")
    test.close()


def test_a_claim_of_the_other_mode_is_told_so(service):
    claim = "cd_test_claim_" + "x" * 43
    assert code(service.call("POST", "/v1/claims", {"claim": claim})) == (403, "mode_mismatch")


@pytest.mark.parametrize(
    ("first", "second"), [(LIVE_ORIGIN, TEST_ORIGIN), (TEST_ORIGIN, LIVE_ORIGIN)]
)
def test_a_folder_of_one_mode_is_not_opened_in_the_other(folder, first, second):
    premises(folder, first).close()
    with pytest.raises(StorageFailure) as refused:
        premises(folder, second)
    assert refused.value.code == "other_origin"
    premises(folder, first).close()


# ------------------------------------------------------------------------------------- sandbox


def test_in_a_sandbox_whoever_shows_no_token_runs_it(sandbox):
    assert sandbox.call("GET", "/v1/site").json["id"] == "site_demo"
    created = sandbox.call("POST", "/v1/games", {"seats": SEATS})
    assert created.status_code == 201
    listed = sandbox.call("GET", "/v1/games").json["games"]
    assert [game["id"] for game in listed] == [created.json["id"]]


def test_in_a_sandbox_rooms_need_no_token_either(sandbox):
    room = sandbox.call("POST", "/v1/rooms", {"seats": SEATS}).json["id"]
    assert sandbox.call("GET", f"/v1/rooms/{room}").json["state"] == "lobby"
    released = sandbox.call("POST", f"/v1/rooms/{room}/seats/0/release", {})
    assert (released.status_code, released.json["seats"][0]["state"]) == (200, "open")
    assert sandbox.call("DELETE", f"/v1/rooms/{room}").json["state"] == "closed"


def test_in_a_sandbox_a_token_is_what_it_is(sandbox):
    created = sandbox.call("POST", "/v1/games", {"seats": SEATS}).json
    player = sandbox.seat(created)
    refused = sandbox.call("POST", f"{player.path}/close", {"reason": "x"}, player.token)
    assert code(refused) == (403, "wrong_role")
    assert code(sandbox.call("GET", "/v1/site", token="cd_test_op_guess")) == (401, "bad_key")


@pytest.mark.parametrize(
    "header",
    [
        {"Forwarded": "for=192.0.2.1"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"x-forwarded-host": "cards.example"},
        {"X-Forwarded-Anything": ""},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "192.0.2.1"},
        {"Host": "cards.example"},
        {"Host": "127.0.0.1.cards.example"},
        {"Host": "[::1"},
        {"Origin": "https://cards.example"},
        {"Origin": "null"},
    ],
)
def test_a_sandbox_answers_nothing_that_came_by_way_of_another_machine(sandbox, header):
    for path in ("/v1/site", "/healthz"):
        answer = sandbox.call("GET", path, headers=header)
        assert code(answer) == (403, "sandbox_local_only"), header
    with_token = sandbox.call("GET", "/healthz", headers=header, token="cd_test_op_x")
    assert code(with_token) == (403, "sandbox_local_only")


@pytest.mark.parametrize(
    "header",
    [{"Host": "127.0.0.1:8000"}, {"Host": "[::1]:8000"}, {"Origin": "http://localhost:3000"}],
)
def test_a_sandbox_answers_its_own_machine(sandbox, header):
    assert sandbox.call("GET", "/v1/site", headers=header).status_code == 200


class Socket:
    """A connection that was accepted at an address of this machine."""

    def __init__(self, address):
        self.address = address

    def getsockname(self):
        return (self.address, 8000)


@pytest.mark.parametrize(("called", "status"), [("127.0.0.1", 200), ("192.0.2.7", 403)])
def test_a_sandbox_that_was_bound_to_another_address_answers_nobody(sandbox, called, status):
    """However it was started: what counts is the address that was called, not who calls."""
    environment = {"gunicorn.socket": Socket(called), "REMOTE_ADDR": "127.0.0.1"}
    answer = sandbox.call("GET", "/v1/site", environ_overrides=environment)
    assert answer.status_code == status


def test_who_calls_from_this_machine_is_nobody_s_operator_elsewhere(service):
    """A sandbox is one because it was started as one, never because of the peer's address."""
    answer = service.call("GET", "/v1/site", environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
    assert code(answer) == (401, "no_key")
    proxied = service.call("GET", "/healthz", headers={"X-Forwarded-For": "192.0.2.1"})
    assert proxied.status_code == 200


def test_a_sandbox_is_in_test_mode_and_its_first_key_is_its_site_s(folder):
    with pytest.raises(StorageFailure):
        premises(folder / "live", LIVE_ORIGIN, sandbox=True)
    opened = premises(folder / "sandbox", TEST_ORIGIN, sandbox=True)
    key = (folder / "sandbox" / "operator.key").read_text().strip()
    assert opened.dealer.sites.mine(opened.dealer.identify(key)).id == "site_demo"
    assert opened.dealer.sites.mine(opened.dealer.identify(None)).id == "site_demo"
    opened.close()


# --------------------------------------------------------------------------- the command line


@pytest.fixture
def started(monkeypatch):
    """Let `serve` come as far as the server's own process, and tell what it would be given."""
    seen = {}

    def become(_, command):
        seen.update({name: os.environ.get(name) for name in (config.FOLDER, config.ORIGIN)})
        seen["sandbox"] = os.environ.get(config.SANDBOX)
        seen["command"] = command

    for name in (config.FOLDER, config.ORIGIN, config.SANDBOX):
        monkeypatch.setenv(name, "")  # So that they are as before afterwards.
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "execv", become)

    def serve(*arguments):
        seen.clear()
        done = CliRunner().invoke(cli, ["serve", *arguments])
        return done, dict(seen)

    return serve


@pytest.mark.parametrize(
    ("arguments", "folder", "origin", "sandbox"),
    [
        ([], "var/fairdeal", "fairdeal.localhost/live", ""),
        (["--test"], "var/fairdeal-test", "fairdeal.localhost/test", ""),
        (["--demo"], "var/fairdeal-sandbox", "fairdeal.localhost/sandbox/test", "1"),
        (["--test", "--folder", "f", "--origin", "a.example/test"], "f", "a.example/test", ""),
        (["--demo", "--host", "::1"], "var/fairdeal-sandbox", None, "1"),
        (["--demo", "--host", "localhost"], "var/fairdeal-sandbox", None, "1"),
    ],
)
def test_serve_starts_in_the_mode_that_is_asked_for(started, arguments, folder, origin, sandbox):
    done, seen = started(*arguments)
    assert done.exit_code == 0, done.output
    assert (seen[config.FOLDER], seen["sandbox"]) == (folder, sandbox)
    assert origin in (None, seen[config.ORIGIN])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--origin", "a.example/test"], "--test"),
        (["--test", "--origin", "a.example/deal"], "ends in /test"),
        (["--demo", "--origin", "a.example/deal"], "ends in /test"),
        (["--demo", "--host", "0.0.0.0"], "binds 127.0.0.1"),
        (["--demo", "--host", "192.0.2.1"], "binds 127.0.0.1"),
        (["--demo", "--host", "cards.example"], "binds 127.0.0.1"),
    ],
)
def test_serve_refuses_a_mode_that_does_not_fit(started, arguments, said):
    done, seen = started(*arguments)
    assert (done.exit_code, seen) == (2, {})
    assert said in done.output


def test_a_left_over_variable_makes_no_sandbox(started, monkeypatch):
    monkeypatch.setenv(config.SANDBOX, "1")
    assert started()[1]["sandbox"] == ""


def test_the_configuration_takes_a_public_address_that_is_one(monkeypatch):
    for text, url in (("", ""), ("https://cards.example/", "https://cards.example"),
                      ("http://127.0.0.1:8000/deal", "http://127.0.0.1:8000/deal")):  # fmt: skip
        assert config.read_config({config.PUBLIC_URL: text}).public_url == url
    for text in ("cards.example", "javascript:alert(1)", "https://a.example/#", "https://a b"):
        with pytest.raises(StorageFailure) as refused:
            config.read_config({config.PUBLIC_URL: text})
        assert refused.value.code == "bad_public_url"


# -------------------------------------------------------------------------- `fairdeal key ...`


def key_command(folder, *arguments, fails=False):
    done = CliRunner().invoke(cli, ["key", *arguments, "--folder", str(folder)])
    assert (done.exit_code != 0) is fails, done.output
    return done


@pytest.mark.parametrize("origin", [LIVE_ORIGIN, TEST_ORIGIN])
def test_the_owner_of_a_folder_gives_another_site_its_first_key_while_the_service_runs(
    folder, origin
):
    opened = premises(folder, origin)
    token = key_command(folder, "add", "--site", "club", "--label", "first").stdout.strip()
    assert token.startswith("cd_test_op_" if origin == TEST_ORIGIN else "cd_live_op_")
    site = opened.dealer.sites.mine(opened.dealer.identify(token))
    assert site.id == "site_club"
    listed = key_command(folder, "list", "--site", "site_club").stdout
    assert re.fullmatch(r"key_[a-z2-7]{16}  full  \S+Z  no end  first\n", listed)
    opened.close()


def test_the_owner_of_a_folder_follows_and_revokes_keys_of_a_stopped_service(folder):
    premises(folder, LIVE_ORIGIN).close()
    first = key_command(folder, "list").stdout.split()[0]
    new = key_command(folder, "roll", first, "--overlap", "0").stdout.strip()
    assert first not in key_command(folder, "list").stdout
    (rolled,) = re.findall(r"key_\S+", key_command(folder, "list").stdout)
    refused = key_command(folder, "revoke", rolled, fails=True)
    assert refused.exception.code == "last_key"
    key_command(folder, "add", "--scope", "read")
    key_command(folder, "add")
    key_command(folder, "revoke", rolled)
    opened = premises(folder, LIVE_ORIGIN)
    for token in (new, (folder / "operator.key").read_text().strip()):
        with pytest.raises(Exception, match=r"bad_key|token_replaced"):
            opened.dealer.identify(token)
    opened.close()


def test_keys_are_looked_after_where_a_service_is_alone(folder):
    refused = key_command(folder, "list", fails=True)
    assert refused.exception.code == "key_file"
    assert list(folder.iterdir()) == []
    premises(folder, LIVE_ORIGIN).close()
    (folder / "games.db").unlink()
    refused = key_command(folder, "list", fails=True)
    assert refused.exception.code == "store_unavailable"
    assert not (folder / "games.db").exists()
    assert key_command(folder, "list", "--site", "Club!", fails=True).exit_code == 2


def test_a_live_token_of_the_tests_is_one(service):
    assert service.call("GET", "/v1/site", token=OPERATOR).json["mode"] == "live"
