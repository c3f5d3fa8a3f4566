"""What cannot be played is refused with what can."""

import subprocess
import sys


def test_a_preset_that_there_is_not_is_refused_with_those_that_there_are(tmp_path):
    command = ["-m", "fairdeal.cli", "play", "--preset", "foo", "--data", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert "There is no preset 'foo' here; there are: classic@1, partnership@1," in done.stderr
