"""The one-file verifier: the same bytes from the same sources, and it runs."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from scripts import build_pyz

ROOT = Path(__file__).resolve().parents[2]


def test_the_same_sources_give_the_same_bytes_whatever_their_times(tmp_path, monkeypatch):
    first = build_pyz.build()
    shutil.copytree(ROOT / "verifier", tmp_path / "verifier")
    for number, path in enumerate(sorted((tmp_path / "verifier").rglob("*.py"))):
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
        path.chmod(0o600)
    monkeypatch.setattr(build_pyz, "ROOT", tmp_path)
    assert build_pyz.build() == first


def test_it_holds_the_verifier_and_its_entry_and_nothing_else(tmp_path):
    build_pyz.main(tmp_path / "v.pyz")
    with zipfile.ZipFile(tmp_path / "v.pyz") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "verifier").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert set(names) == sources | {"__main__.py"}
    assert names == sorted(names)


def test_it_runs_alone(tmp_path):
    target = tmp_path / "v.pyz"
    build_pyz.main(target)
    run = subprocess.run(
        [sys.executable, "-S", "-E", target, "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert "usage" in run.stdout.lower()
