"""A game is played with the keyboard, at a pseudo-terminal, to its verified end."""

import fcntl
import json
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeal.cli.client import Client
from fairdeal.cli.server import LOOPBACK, Server
from tests.cli.play.terminal import Terminal
from tests.table import quick_folder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
CUT = r"Your cut \[[^\]]+\]: "
MOVE = r"Your move \(\? for help\): "
OVER = "Check it again:"
CARDS = re.compile(r"Your \d+ cards: [^│\n]*[^│\s]")


@pytest.fixture
def folder():
    with quick_folder() as path:
        yield path


@pytest.fixture(scope="module")
def service():
    """A service that several games share; nothing of one shows in another."""
    with (
        quick_folder() as path,
        (path / "log").open("ab") as log,
        Server(path / "service", "fairdeal.localhost/elsewhere", log) as server,
    ):
        yield server


@pytest.fixture
def sit(service, folder):
    """Sit down at a game of one hand at that service, and give a cut."""
    opened = []

    def sit_down(*words, waits=True, **settings):
        key = service.folder / "operator.key"
        place = ("--server", service.url, "--key", str(key), "--data", str(folder / "kept"))
        player = Terminal(*place, "--hands", "1", *words, cwd=folder, **settings)
        opened.append(player)
        player.until(CUT)
        player.type("my grandmother's birthday")
        if waits:
            player.until(MOVE)
        return player

    yield sit_down
    for player in opened:
        player.__exit__()


def play_by_hints(player):
    """Do what hints say until the game is over; give what was printed."""
    while not (said := player.until(MOVE, CUT, OVER)).endswith(OVER):
        if re.search(f"{CUT}$", said):
            player.type("another cut")
            continue
        player.type("h")
        assert "Hint: " in player.until(MOVE)
        player.type("0")
    return player.text


def play_on(player):
    """Play with what the lines offer until the game is over; give what was printed."""
    said = player.until(MOVE, OVER)
    lines: dict[str, str] = {}
    tried = False
    while not said.endswith(OVER):
        lines = dict(re.findall(r"^ *(\d+) ([A-Z].*)$", said, re.MULTILINE)) or lines
        lays = [number for number, line in lines.items() if line.startswith("Lay")]
        discards = [number for number, line in lines.items() if line.startswith("Discard")]
        # Two lines together, once; what is refused then is done one by one.
        together = bool(lays and discards) and not tried
        tried = together
        player.type(f"{lays[0]} {discards[-1]}" if together else next(iter(lines)))
        said = player.until(MOVE, "n does not: ", OVER)
        if said.endswith("n does not: "):
            player.type("")
            said = player.until(MOVE, OVER)
    return player.text


def test_a_game_is_played_to_its_verified_end_and_kept_with_the_command_that_checks_it_again(
    folder,
):
    with Terminal("--hands", "1", "--level", "random", cwd=folder) as player:
        player.until("The deck is locked, before your cut.*\n", "\n")
        player.until(CUT)
        player.type("my grandmother's birthday")
        player.until("Hand 1 is dealt", MOVE)
        text = play_on(player)
        status, rest = player.end()
    assert status == 0, text[-2000:]
    assert text.index("The deck is locked, before your cut") < text.index("Your cut [")
    assert "Hand 1 checks out: dealt exactly as the locked deck and your cut say." in text
    assert "VALID [pinned] The cards were dealt exactly" in text
    assert re.search(r"Left, computer \(random\)", text)
    assert "Not shown:" in text
    kept = folder / "var" / "play" / "table-1"
    assert sorted(path.name for path in kept.iterdir()) == [
        "game.jsonl",
        "my-record.json",
        "seat.json",
    ]
    assert {path.stat().st_mode & 0o777 for path in kept.iterdir()} == {0o600}
    assert "grandmother" not in (kept / "game.jsonl").read_text("utf-8")
    assert json.loads((kept / "my-record.json").read_text("utf-8"))["seeds"][0]["text"]
    (command,) = (line for line in rest.splitlines() if "my-record" in line and "--commit" in line)
    words = shlex.split(command)
    again = [sys.executable, "-m", "verifier", *words[words.index("verifier") + 1 :]]
    checked = subprocess.run(
        again, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.startswith("VALID [pinned]")


def test_a_game_played_by_hints_alone_checks_out_and_tells_how_many_there_were(sit, folder):
    player = sit("--level", "random", waits=False)
    text = play_by_hints(player)
    assert player.end()[0] == 0
    assert "VALID [pinned]" in text
    kept = (folder / "kept" / "table-1" / "game.jsonl").read_text("utf-8").splitlines()
    (score,) = (one for one in map(json.loads, kept) if one["type"] == "score")
    assert score["body"]["result"]["hints"] == [text.count("Hint: "), 0, 0, 0]


def test_where_cuts_are_sealed_and_given_anew_for_each_hand_each_is_asked_for(service, folder):
    site = Client(LOOPBACK, service.port, (service.folder / "operator.key").read_text().strip())
    game = {
        "rules": {"preset": "classic@1", "overrides": {"target": None, "max_hands": 2}},
        "seats": [{"kind": "human"}] + [{"kind": "bot", "bot": "random@1"}] * 3,
        "profile": "sealed",
        "epoch_hands": 1,
        "clock": {"between_hands_s": 0},
    }
    created = site.send("POST", "/v1/games", game)
    site.close()
    with Terminal("--server", service.url, created["claims"][0]["claim"], cwd=folder) as player:
        text = play_by_hints(player)
        assert player.end()[0] == 0
    assert len(re.findall(CUT, text)) == 2
    assert "Hand 2 checks out" in text
    assert "VALID [pinned]" in text


def test_who_leaves_comes_back_to_the_same_cards_and_a_closed_program_leaves_nothing_running(
    folder,
):
    with Terminal("--hands", "1", cwd=folder) as player:
        player.until(CUT)
        player.type("")
        player.until(MOVE)
        held = CARDS.findall(player.text)[-1]
        player.type("q")
        status, rest = player.end()
    assert (status, "fairdeal play --resume" in rest) == (0, True)
    with Terminal("--resume", cwd=folder) as player:
        player.until(MOVE)
        assert CARDS.findall(player.text)[-1] == held
        assert "Your cut" not in player.text
        player.process.terminate()
        assert player.end()[0] == 143
    with (folder / "var" / "play" / "table-1" / "service" / "lock").open() as lock:
        # Nobody holds it: the service beside the game has ended too.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_either_key_that_ends_programs_leaves_the_game_in_good_order(key, sit):
    player = sit()
    player.press(key)
    status, rest = player.end()
    assert (status, "The game waits for you" in rest) == (0, True)
    assert "Traceback" not in player.text


def test_who_leaves_before_the_cut_is_asked_for_it_again(sit, service, folder):
    data = ("--data", str(folder / "kept"))
    key = str(service.folder / "operator.key")
    with Terminal("--server", service.url, "--key", key, *data, cwd=folder) as player:
        player.until(CUT)
        player.press("\x03")
        assert player.end()[0] == 0
    with Terminal("--resume", *data, cwd=folder) as player:
        player.until(CUT)
        player.type("")
        player.until(MOVE)


def test_nothing_happens_by_what_is_refused_and_the_reason_is_told(sit):
    player = sit()
    before = CARDS.findall(player.text)[-1]
    for line, reason in (
        ("99", "There is no line 99"),
        ("lay 9X", "is no card"),
        ("lay 4C 4D 4H; discard 5C", "Draw a card or take the pile before you lay or discard."),
        ("discard 4C", "Draw a card or take the pile before you lay or discard."),
        ("no", "Nobody has asked you anything"),
        ("w", r"Lay\? Draw a card or take the pile"),
    ):
        player.type(line)
        assert re.search(reason, player.until(MOVE))
    player.type("t")
    assert CARDS.findall(player.until(MOVE))[-1] == before


def test_what_is_typed_as_cards_is_tried_first_and_a_warned_player_may_think_again(sit):
    player = sit()
    warned = None
    while warned is None:
        player.type("draw")
        said = " ".join(player.until(MOVE).split())
        warned = re.search(r"Discard the (\w+) of (\w+)\. Mind: [^.]+\.", said)
        if warned is None:
            player.type(re.findall(r"(\d+) Discard", said)[0])
            player.until(MOVE)
    before = CARDS.findall(player.text)[-1]
    ranks = {"four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}
    ranks |= {"deuce": "2", "three": "3"}
    rank = ranks.get(warned[1], warned[1][0])
    player.type(f"discard {rank}{warned[2][0]}")
    said = " ".join(player.until("n does not: ").split())
    assert warned[0] in said
    player.type("n")
    player.until(MOVE)
    player.type("t")
    assert CARDS.findall(player.until(MOVE))[-1] == before


def test_counts_scores_and_help_are_told_on_demand(sit):
    player = sit()
    player.type("c")
    counted = player.until(MOVE)
    assert re.search(r"yours +table +pile +others +unseen", counted)
    ranks = re.findall(r"^(?:[a-z ]+?)((?: +(?:\d+|-)){5}) *$", counted, re.MULTILINE)
    assert sum(int(one) for row in ranks for one in row.split() if one != "-") == 108
    player.type("s")
    assert re.search(r"You and Partner: 0 points, (opened|needs 50 to open)\.", player.until(MOVE))
    player.type("?")
    assert "h hint" in player.until(MOVE)


def test_a_new_card_is_marked_and_named(sit):
    player = sit()
    player.type("draw")
    said = player.until(MOVE)
    assert "You: the new card" in said
    assert re.search(r"Your \d+ cards: .*\S\S\* .*\(\* new\)", said)


def test_without_colours_nothing_that_a_terminal_obeys_is_printed(sit):
    player = sit(NO_COLOR="1")
    player.type("q")
    player.end()
    assert "\x1b" not in player.raw
    assert "--- Hand 1 ---" in player.raw
    assert player.raw.isascii()


def test_in_sixty_columns_no_line_is_longer_but_what_is_copied(sit):
    player = sit(columns=60)
    for line in ("c", "s", "?", "w", "1"):
        player.type(line)
        player.until(MOVE)
    player.type("q")
    player.end()
    lines = player.text.splitlines()
    assert "╭─ Hand 1 " in player.text
    assert [line for line in lines if len(line) > 60] == []


def test_where_no_terminal_is_it_plays_with_lines_from_a_pipe(service, folder):
    key = str(service.folder / "operator.key")
    words = ["play", "--server", service.url, "--key", key, "--data", "kept", "--hands", "1"]
    program = "import sys; from fairdeal.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        input="\n1\n", capture_output=True, text=True, cwd=folder, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "the new card" in done.stdout
    assert "The game waits for you" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_lost_connection_is_told_and_comes_back_by_itself(folder):
    with Server(folder / "service", "fairdeal.localhost/shaky") as server:
        place = ("--server", server.url, "--key", str(server.folder / "operator.key"))
        with Terminal(*place, "--hands", "1", cwd=folder) as player:
            player.until(CUT)
            player.type("")
            player.until(MOVE)
            server.kill()
            server._socket.close()
            player.type("draw")
            player.until("The connection to the service is lost")
            server._socket = socket.create_server((LOOPBACK, server.port))
            server.start()
            player.until("Connected again")
            assert re.search(r"Your \d+ cards", player.until(MOVE))


def test_a_claim_link_is_enough(service, folder):
    site = Client(LOOPBACK, service.port, (service.folder / "operator.key").read_text().strip())
    seats = [{"kind": "human", "label": "Ruth"}] + [{"kind": "bot"}] * 3
    created = site.send("POST", "/v1/games", {"seats": seats})
    site.close()
    link = f"{service.url}/claim#{created['claims'][0]['claim']}"
    with Terminal(link, cwd=folder) as player:
        player.until(CUT)
        player.type("")
        player.until(MOVE)
    with Terminal(link, cwd=folder) as player:
        status, rest = player.end()
    assert status == 1
    assert "claim" in rest.lower()
    assert len(list((folder / "var" / "play").iterdir())) == 1


def test_in_a_room_the_player_gets_ready_and_the_game_begins(service, folder):
    site = Client(LOOPBACK, service.port, (service.folder / "operator.key").read_text().strip())
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    room = site.send("POST", "/v1/rooms", {"seats": seats, "auto_start": True})
    link = f"{service.url}/claim#{room['claims'][0]['claim']}"
    with Terminal(link, cwd=folder) as player:
        player.until("Enter when you are ready: ")
        player.press("\x03")
        assert player.end()[0] == 0
    with Terminal("--resume", cwd=folder) as player:
        assert room["code"] in player.until("Enter when you are ready: ")
        player.type("")
        player.until("The deck is locked")
        player.until(CUT)
        player.type("")
        player.until(MOVE)
    site.close()


def test_in_a_room_that_draws_its_seats_the_player_cuts_for_the_draw_and_plays_where_it_sits(
    service, folder
):
    site = Client(LOOPBACK, service.port, (service.folder / "operator.key").read_text().strip())
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    wanted = {"seats": seats, "auto_start": True, "seating": "draw", "profile": "sealed"}
    room = site.send("POST", "/v1/rooms", wanted)
    link = f"{service.url}/claim#{room['claims'][0]['claim']}"
    with Terminal(link, cwd=folder) as player:
        player.until("Enter when you are ready: ")
        player.type("")
        player.until("The seats are drawn first")
        player.until(CUT)
        player.press("\x03")
        assert player.end()[0] == 0
    with Terminal("--resume", cwd=folder) as player:
        player.until(CUT)
        player.type("high card, please")
        assert re.search(r"You drew [2-9TJQKA][CDHS]", player.until("The deck is locked"))
        player.until(CUT)
        player.type("")
        player.until(MOVE)
    now = site.get(f"/v1/rooms/{room['id']}")
    assert [played["kind"] for played in now["games"]] == ["draw", "game"]
    kept = json.loads((folder / "var" / "play" / "table-1" / "seat.json").read_text())
    assert kept["seat"] == now["seats"][0]["game_seat"]
    site.close()


def test_where_turns_have_an_end_it_is_told_and_more_time_can_be_asked_for(service, folder):
    site = Client(LOOPBACK, service.port, (service.folder / "operator.key").read_text().strip())
    clock = {"turn_s": 600, "extend_s": 60, "extends": 1}
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    created = site.send("POST", "/v1/games", {"seats": seats, "clock": clock})
    site.close()
    place = ("--server", service.url, created["claims"][0]["claim"])
    with Terminal(*place, cwd=folder) as player:
        player.until(CUT)
        player.type("")
        player.until(r"(A turn has 600 seconds|Your time ends at [\d:]+); \+ asks for more")
        player.until(MOVE)
        player.type("+")
        assert "You may ask again 0 times in this hand." in player.until(MOVE)


def test_rules_can_be_changed_one_by_one(sit):
    player = sit("--preset", "two-player@1", "--rule", "hand_size=13", "--level", "steady")
    assert "Opponent, computer (steady)" in player.text
    assert re.search(r"Your 1[234] cards", player.text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--level", "sleepy"), "There is no bot 'sleepy' here; there are"),
        (("--bots", "random,random"), "one for each of the 3 bots"),
        (("--preset", "bridge@1"), "There is no preset 'bridge@1' here; there are"),
        (("--rule", "decks"), "'decks' is no FIELD=VALUE"),
        (("--rule", "sleeves=3"), "sleeves"),
    ],
)
def test_a_game_that_there_is_not_is_refused_and_leaves_nothing_behind(
    words, reason, service, folder
):
    key = str(service.folder / "operator.key")
    with Terminal("--server", service.url, "--key", key, *words, cwd=folder) as player:
        status, _ = player.end()
    assert status == 1
    assert reason in " ".join(player.text.split())
    kept = folder / "var" / "play"
    assert not kept.exists() or list(kept.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--resume",), "No game waits in"),
        (("--server", "http://127.0.0.1:9", "--key", "key"), "Nothing answers at"),
        (("cd_live_claim_x",), "add --server URL"),
        (("--server", "http://127.0.0.1:9"), "--server needs --key"),
    ],
)
def test_a_table_that_cannot_be_found_is_told_and_leaves_nothing_behind(words, reason, folder):
    (folder / "key").write_text("cd_live_op_x\n")
    with Terminal(*words, cwd=folder) as player:
        status, _ = player.end()
    assert status in (1, 2)
    assert reason in " ".join(player.text.split())
    kept = folder / "var" / "play"
    assert not kept.exists() or list(kept.iterdir()) == []
