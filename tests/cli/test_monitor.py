"""A monitor tells each thing once, tells that it cannot look, and never alarms about nothing."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import get_args

import pytest

from fairdeal.cli.audit.log.findings import Finding
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Clock, Patience
from fairdeal.cli.monitor.events import Event, event_of, finding_id
from fairdeal.cli.monitor.hook import command_hook
from fairdeal.cli.monitor.looking import Target, look_once
from fairdeal.cli.monitor.watching import Looked, Settings, Watch
from fairdeal.tlog.policy import Policy
from tests.audit.log.made import KEY, NOW_S, WITNESS, Made, leaves_of, lines_of, rechained
from tests.cli.logserver import served
from tests.tlog.logmaker import make_log

EVERY = 3600
TRUST = Trust(Policy((KEY.verifying_key,)), is_pinned=True)
QUICK = Patience(tries=2, pause=0.01, silence=5)
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "monitor.md").read_text("utf-8")


class Site:
    """A monitor in a world where time is told.

    Attributes:
        told: Event and summary of each call of the hook.
        said: What was printed.
    """

    def __init__(self, folder, look=None, **settings):
        self.folder = folder
        self.now = NOW_S
        self.told, self.said = [], []
        self.failing_hook = ""
        self.looked: Looked | Exception = Looked(size=10, newest=10, complete=10)
        self._look = look or self.plain
        self._settings = settings
        self.start()

    def start(self):
        settings = Settings(folder=self.folder, **self._settings)
        self.watch = Watch(settings, self._look, self.hook, lambda: self.now, self.said.append)

    def plain(self):
        if isinstance(self.looked, Exception):
            raise self.looked
        return self.looked

    def hook(self, event, summary, file):
        if not self.failing_hook:
            self.told.append((event, summary, json.loads(file.read_text())))
        return self.failing_hook

    def round(self, looked=None):
        self.looked = looked or self.looked
        self.now += EVERY
        self.watch.round()
        return [event for event, *_ in self.told]

    def health(self):
        return json.loads((self.folder / "health.json").read_text())


def found(*findings, size=10):
    return Looked(
        size=size, newest=size, complete=size, findings=findings, notes={"seen/1": "note"}
    )


FORK = Finding("E_LOG_FORK", "Two trees.", path="checkpoint")
DEAL = Finding("E_INVALID", "Another deal.", index=7, game="game-0001")


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


# ------------------------------------------------------------------------------ what is told


def test_a_finding_is_told_once(site):
    for _ in range(5):
        site.round(found(FORK))
    assert [event for event, *_ in site.told] == ["fork"]


def test_a_finding_stays_told_after_a_start(site):
    site.round(found(FORK))
    site.start()
    assert site.round(found(FORK, DEAL)) == ["fork", "wrong_deal"]


def test_the_file_of_an_event_has_findings_and_evidence(site):
    site.round(found(FORK))
    (_, summary, said) = site.told[0]
    assert summary == "E_LOG_FORK: Two trees."
    assert said["findings"][0]["id"] == finding_id(FORK)
    assert said["notes"] == {"seen/1": "note"}


def test_known_codes_and_ids_are_not_told(tmp_path):
    site = Site(tmp_path, known=frozenset({"E_LOG_FORK", finding_id(DEAL)}))
    other = Finding("E_INVALID", "Another deal.", index=8, game="game-0002")
    assert site.round(found(FORK, DEAL, other)) == ["wrong_deal"]
    assert [one["game"] for one in site.told[0][2]["findings"]] == ["game-0002"]


def test_what_is_only_told_or_not_complete_is_no_event():
    quiet = [Finding("W_ABORT_RATE", ""), Finding("I_TRANSCRIPTS", ""), Finding("W_SEEN", "")]
    assert [event_of(one) for one in quiet] == [None] * 3


def test_a_code_that_is_newer_than_the_table_is_told():
    assert event_of(Finding("E_SOMETHING_NEW", "")) == "wrong_deal"


def test_a_hook_that_fails_is_run_again(site):
    site.failing_hook = "it ended with status 1"
    site.round(found(FORK))
    assert site.health()["hooks_pending"] == 1
    assert any("hook failed for fork" in line for line in site.said)
    site.start()
    site.failing_hook = ""
    assert site.round(found(FORK)) == ["fork"]
    assert site.round(found(FORK)) == ["fork"]
    assert site.health()["hooks_pending"] == 0


# ------------------------------------------------------------------------------ not looking


def test_a_single_failure_is_no_alarm(site):
    site.round(CannotLook("no_answer", "No answer."))
    assert site.health()["ok"] is False
    assert site.round(Looked(size=10, newest=10, complete=10)) == []


def test_an_outage_is_told_at_its_second_look_and_again(site):
    site.round()
    for _ in range(14):
        site.round(CannotLook("no_answer", "No answer."))
    assert [event for event, *_ in site.told] == ["cannot_look"] * 3
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW_S + 2 * EVERY))
    for _, summary, _ in site.told:
        assert f"since {since}" in summary
        assert "up to index 10" in summary


def test_an_error_that_nobody_thought_of_is_an_outage(site):
    for _ in range(2):
        site.round(RuntimeError("a worker died"))
    assert [event for event, *_ in site.told] == ["cannot_look"]
    assert "a worker died" in site.said[-1]


def test_a_log_that_is_behind_is_told_with_since_when_and_again(site):
    stale = Finding("E_STALE", "The newest word of a witness is old.", path="checkpoint")
    for _ in range(8):
        site.round(found(stale))
    assert [event for event, *_ in site.told] == ["behind"] * 2
    assert all("since" in summary and "up to index 10" in summary for _, summary, _ in site.told)
    site.round(found())
    assert site.health()["ok"] is True


def test_a_missing_canary_is_told_each_time_it_is_missed(tmp_path):
    site = Site(tmp_path, canary=24 * 3600)
    for _ in range(50):
        site.round()
    assert [event for event, *_ in site.told] == ["canary_missed"] * 2


def test_a_canary_that_is_found_is_enough(tmp_path):
    site = Site(tmp_path, canary=24 * 3600)
    planted = []
    for hour in range(24 * 5):
        if hour % 24 == 3:
            planted.append(Finding("E_INVALID", "Planted.", index=hour))
        site.round(found(*planted))
    assert [event for event, *_ in site.told] == ["wrong_deal"] * 5


def test_a_memory_that_is_none_is_left_as_it_is(tmp_path):
    (tmp_path / "monitor.json").write_text('{"kind": "something else"}')
    with pytest.raises(FileExistsError):
        Site(tmp_path)
    assert (tmp_path / "monitor.json").read_text() == '{"kind": "something else"}'


# ------------------------------------------------------------------------------ of real logs


class Real(Site):
    """A monitor of a log on loopback, with the real fetch and the real audit."""

    def __init__(self, folder, server, also=""):
        self.server = server
        self.target = Target(
            prefix=server.prefix,
            mirror=folder / "monitor/mirror",
            folder=folder / "monitor",
            trust=TRUST,
            also=also,
            patience=QUICK,
            clock=Clock(lambda: self.now, lambda _: None),
        )
        (folder / "monitor").mkdir()
        super().__init__(folder / "monitor", lambda: look_once(self.target))


def games(count, first=1):
    return [lines_of(seed) for seed in range(first, first + count)]


def written(folder, played, entries=None, **more):
    entries = (
        [leaf for lines in played for leaf in leaves_of(lines)] if entries is None else entries
    )
    days = {"2026-11-30": played} if played else {}
    return Made(list(entries), days, **more).write(folder)


@pytest.fixture
def real(tmp_path):
    with served(written(tmp_path / "log", games(2))) as server:
        yield Real(tmp_path, server)


def test_a_clean_week_has_no_alarm(tmp_path):
    with served(written(tmp_path / "log", games(1))) as server:
        real = Real(tmp_path, server)
        for look in range(7 * 6):
            if look % 6 == 3:
                written(tmp_path / "log", games(1 + look // 6))
            real.now += 3 * EVERY
            real.round()
            assert real.health()["ok"] is True
    assert real.told == []
    assert real.watch.memory.size == len([leaf for one in games(7) for leaf in leaves_of(one)])
    assert len(real.said) == 7 * 6


def test_an_outage_is_told_within_two_looks(real):
    real.round()
    real.server.fault("*", "500")
    real.round()
    assert real.round() == ["cannot_look"]
    real.server.faults.clear()
    assert real.round() == ["cannot_look"]
    assert real.health()["ok"] is True


def fork(log):
    entries = [leaf for one in games(3, 4) for leaf in leaves_of(one)]
    written(log, games(3, 4), entries)


def rollback(log):
    written(log, games(1))


def wrong_deal(log):
    played = games(3)
    lines = played[2]
    at = next(i for i, one in enumerate(lines) if json.loads(one)["type"] == "deal")

    def swap(record):
        slots = record["body"]
        key = next(key for key, value in slots.items() if isinstance(value, list))
        slots[key][0], slots[key][-1] = slots[key][-1], slots[key][0]

    played[2] = tuple(rechained(lines, at, swap))
    written(log, played)


def missing_close(log):
    played = games(2)
    entries = [leaf for lines in games(3) for leaf in leaves_of(lines)][:-1]
    written(log, played, entries)


def late_reveal(log):
    played = games(2)
    late = leaves_of(lines_of(3))
    at = next(i for i, one in enumerate(late) if json.loads(one)["type"] == "reveal")
    written(log, played, [leaf for lines in played for leaf in leaves_of(lines)] + late[:at])


def key_change(log):
    written(log, games(2), witnesses=(WITNESS,), times=[NOW_S])


@pytest.mark.parametrize(
    ("fault", "event", "later"),
    [
        (fork, "fork", 0),
        (rollback, "rollback", 0),
        (wrong_deal, "wrong_deal", 0),
        (missing_close, "missing_close", 10 * 365 * 86_400),
        (late_reveal, "late_reveal", 0),
        (key_change, "key_change", 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_planted_fault_is_told_at_the_next_look_once(real, tmp_path, fault, event, later):
    assert real.round() == []
    fault(tmp_path / "log")
    real.now += later
    assert event in real.round()
    told = len(real.told)
    assert len(real.round()) == told
    assert event in get_args(Event)


def test_two_views_of_one_log_are_a_fork(tmp_path):
    entries = [leaf for one in games(2) for leaf in leaves_of(one)]
    make_log(tmp_path / "other", [*entries[:-1], entries[0]], key=KEY)
    with served(written(tmp_path / "log", games(2))) as server, served(tmp_path / "other") as other:
        real = Real(tmp_path, server, also=other.prefix)
        assert real.round() == []
        assert "fork" in real.round()
    notes = next(said["notes"] for event, _, said in real.told if event == "fork")
    assert len(notes) == 2


# ------------------------------------------------------------------------------ its hook


def test_a_hook_has_event_summary_and_file_and_no_shell(tmp_path):
    code = tmp_path / "tell.py"
    code.write_text(
        "import os, sys\nwith open(sys.argv[1], 'w') as out:\n"
        "    out.write('|'.join(os.environ[name] for name in ('EVENT', 'SUMMARY', 'FILE')))\n"
    )
    run = command_hook(f"{sys.executable} {code} {tmp_path}/out")
    assert run("fork", "a; rm $(b)", Path("/x y")) == ""
    assert (tmp_path / "out").read_text() == "fork|a; rm $(b)|/x y"


def test_the_hook_of_the_page_keeps_a_diary(site, tmp_path, monkeypatch):
    (script,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "tell.sh").write_text(script)
    (tmp_path / "tell.sh").chmod(0o755)
    monkeypatch.setenv("DIARY", str(tmp_path / "diary.txt"))
    assert command_hook(str(tmp_path / "tell.sh"))("fork", "Two $(trees).", Path("/f")) == ""
    assert (tmp_path / "diary.txt").read_text() == "fork\tTwo $(trees).\t/f\n"


def test_the_page_names_every_event():
    told = re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE)
    assert tuple(told) == get_args(Event)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/bin/false", "status 1"),
        ("/no/such/program", "No such file"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "more than"),
    ],
)
def test_a_hook_that_fails_says_why(command, why):
    assert why in command_hook(command, timeout=0.3)("fork", "", Path("x"))


@pytest.mark.parametrize("command", ["", "'open"])
def test_a_hook_that_is_no_command_is_refused(command):
    with pytest.raises(ValueError):
        command_hook(command)


# ------------------------------------------------------------------------------ the command


def command(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "fairdeal.cli", "monitor", *words],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,
    )


def test_one_look_by_the_command_says_ok(tmp_path):
    with served(written(tmp_path / "log", games(1))) as server:
        run = command(server.prefix, "--once", "--to", str(tmp_path / "m"), "--log-key", KEY.vkey)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert " ok: up to index " in out


def test_a_monitor_that_is_ended_says_so(tmp_path):
    with served(written(tmp_path / "log", games(1))) as server:
        run = command(server.prefix, "--every", "1h", "--to", str(tmp_path / "m"))
        assert " ok: " in run.stdout.readline()
        os.kill(run.pid, signal.SIGTERM)
        out, _ = run.communicate(timeout=60)
    assert "stopped by SIGTERM" in out
    assert run.returncode == 128 + signal.SIGTERM
