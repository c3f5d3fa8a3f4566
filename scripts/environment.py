"""Make the virtual environments that the Makefile works in. Standard library only.

``python3 scripts/environment.py run`` installs ``requirements.lock``, ``dev`` installs
``requirements-dev.lock``; ``clients`` installs ``requirements-clients.lock`` into an environment
of its own, ``.venv-clients``, in which nothing of ours is. All check every hash. uv does it where
uv installs (its own hash is in the development lock too), pip otherwise: slower, the same packages.

The project itself is linked, not installed (docs/decisions/0006): a ``.pth`` file names the
checkout, and one launcher is written for each entry of ``[project.scripts]``.
"""

import re
import shlex
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
CLIENTS = ROOT / ".venv-clients"
LOCKS = {
    "run": "requirements.lock",
    "dev": "requirements-dev.lock",
    "clients": "requirements-clients.lock",
}

# Read by sh, then by Python: a shebang cannot name a path that is long or holds a space.
LAUNCHER = """\
#!/bin/sh
'''exec' {python} "$0" "$@"
' '''
import sys

from {module} import {function}

sys.exit({function}())
"""


def lock_entry(lock: str, name: str) -> str:
    """Return the lines of one package in a lock, hashes included.

    Args:
        lock: The text of a lock file.
        name: The package's name as the lock spells it.

    Raises:
        LookupError: The lock does not name the package.
    """
    found = re.search(rf"^{re.escape(name)}==.*\n(?:[ ].*\n)*", lock, re.MULTILINE)
    if found is None:
        message = f"the lock does not name {name!r}"
        raise LookupError(message)
    return found.group()


def python_of(home: Path) -> str:
    """Return the path of an environment's interpreter."""
    return str(home / "bin" / "python")


def make_home(home: Path) -> None:
    """Create an environment if it is absent or its interpreter no longer runs."""
    python = Path(python_of(home))
    if python.exists() and subprocess.run([python, "-c", ""], check=False).returncode == 0:
        return
    venv.create(home, clear=True, with_pip=True, symlinks=True)


def has_uv(home: Path) -> bool:
    """Return whether uv runs in an environment, after trying to install the locked one."""
    uv = home / "bin" / "uv"
    if not uv.exists():
        wanted = home / "uv.lock.txt"
        wanted.write_text(lock_entry((ROOT / LOCKS["dev"]).read_text("utf-8"), "uv"), "utf-8")
        pip = [python_of(home), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*pip, "--require-hashes", "--only-binary=:all:", "-r", str(wanted)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return (
        uv.exists()
        and subprocess.run([uv, "--version"], check=False, stdout=subprocess.DEVNULL).returncode
        == 0
    )


def install(kind: str, home: Path) -> None:
    """Install one lock into an environment; ``dev`` also removes what the lock does not name."""
    lock = ROOT / LOCKS[kind]
    if has_uv(home):
        verb = ["sync"] if kind == "dev" else ["install", "-r"]
        # Copies, since a cache on another file system cannot be hard-linked.
        options = ["--quiet", "--require-hashes", "--link-mode=copy", "--python", python_of(home)]
        command = [str(home / "bin" / "uv"), "pip", *verb, str(lock), *options]
    else:
        print("uv does not install here; pip takes longer")
        command = [
            python_of(home),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        command += ["--require-hashes", "-r", str(lock)]
    subprocess.run(command, check=True)


def link_project() -> None:
    """Put the checkout on the path of ``.venv`` and write the launchers."""
    python = python_of(HOME)
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    (packages / "fairdeal.pth").write_text(f"{ROOT}\n", "utf-8")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    for name, target in scripts.items():
        module, function = target.split(":")
        launcher = HOME / "bin" / name
        text = LAUNCHER.format(python=shlex.quote(python), module=module, function=function)
        launcher.write_text(text, "utf-8")
        launcher.chmod(0o755)


def main(kind: str) -> None:
    """Make or renew the environment and stamp it.

    Args:
        kind: ``run``, ``dev``, which holds all that ``run`` needs, or ``clients``.
    """
    home = CLIENTS if kind == "clients" else HOME
    make_home(home)
    install(kind, home)
    if home == HOME:
        link_project()
    for stamp in ("run", "dev") if kind == "dev" else (kind,):
        (home / f".stamp-{stamp}").touch()


if __name__ == "__main__":
    if sys.argv[1:] not in ([kind] for kind in LOCKS):
        sys.exit(f"usage: environment.py {'|'.join(LOCKS)}")
    main(sys.argv[1])
