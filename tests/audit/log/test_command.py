"""The command audits a mirror as it audits a folder: a report, a status, a state."""

import json

from tests.audit.log.made import KEY, NOW_S, WITNESS, honest
from tests.tlog.logmaker import put

NOW = ["--now", NOW_S * 1000, "--jobs", 1]


def test_a_mirror_is_told_by_its_checkpoint_and_its_state_is_kept(folder, fairdeal):
    honest(3).write(folder)
    first = fairdeal("audit", folder, *NOW)
    assert first.exit_code == 0
    head, *rest = first.stdout.splitlines()
    assert head == f"FAIR AS LOGGED   {KEY.name}  33 entries  complete to 33"
    assert any("not pinned" in line for line in rest)
    assert rest[-1] == "  state saved"
    assert "33 -> 33" in fairdeal("audit", folder, *NOW).stdout


def test_json_has_the_whole_result_and_the_key_that_was_given_pins_it(folder, fairdeal):
    honest(3).write(folder)
    vkey = KEY.verifying_key.text
    run = fairdeal("audit", folder, *NOW, "--json", "--no-state", "--log-key", vkey)
    said = json.loads(run.stdout)
    assert (said["exit"], run.exit_code, said["is_pinned"], said["size"]) == (0, 0, True, 33)
    assert said["counts"]["verdicts"] == {"VALID": 3}
    other = vkey.replace(KEY.name, "fairdeal.localhost/none")
    assert fairdeal("audit", folder, "--log-key", other).exit_code == 2


def test_what_is_wrong_gives_its_status_and_its_place(folder, fairdeal):
    honest(3).write(folder)
    put(folder / "tile/0/000.p/33", bytes(33 * 32))
    run = fairdeal("audit", folder, *NOW)
    assert run.exit_code == 1
    assert run.stdout.startswith("WRONG ")
    assert "E_LEAF_HASH at entry 0, tile/0/000.p/33" in run.stdout
    assert run.stdout.endswith("  no state saved\n")


def test_a_checkpoint_that_was_seen_elsewhere_is_read_from_a_file(folder, fairdeal, tmp_path):
    honest(3).write(folder)
    seen = tmp_path / "seen"
    honest(4).write(tmp_path / "more")
    seen.write_bytes((tmp_path / "more" / "checkpoint").read_bytes())
    run = fairdeal("audit", folder, *NOW, "--seen", seen)
    assert (run.exit_code, "E_ROLLBACK" in run.stdout) == (1, True)


def test_a_stale_checkpoint_is_wrong_where_an_age_is_demanded(folder, fairdeal):
    honest(3, witnesses=(WITNESS,)).write(folder)
    late = ["--now", (NOW_S + 601) * 1000, "--jobs", 1, "--no-state"]
    assert fairdeal("audit", folder, *late, "--max-age", 600).exit_code == 1
    assert fairdeal("audit", folder, *late).exit_code == 0


def test_an_address_of_no_cluster_or_source_is_a_wrong_argument(folder, fairdeal):
    assert fairdeal("audit", folder / "nothing").exit_code == 2


def test_a_state_that_is_something_else_is_a_wrong_argument_and_stays(folder, fairdeal, tmp_path):
    honest(3).write(folder)
    state = tmp_path / "precious"
    state.write_bytes(b"precious" * 100)
    run = fairdeal("audit", folder, *NOW, "--state", state)
    assert (run.exit_code, "cannot be used" in run.output) == (2, True)
    assert state.read_bytes() == b"precious" * 100
