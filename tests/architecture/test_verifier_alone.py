"""The verifier stands alone: the standard library, itself, and nothing else."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "verifier").rglob("*.py"))
PAIRING = "verifier/beacon/pairing.py"  # tries the extra, and does without it
HIDDEN_IMPORTS = {"__import__", "import_module", "exec", "eval", "run_path", "run_module"}


def import_roots(source: str) -> set[str]:
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            assert node.module is not None
            roots.add(node.module.split(".")[0])
    return roots


def called_names(source: str) -> set[str]:
    return {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_verifier_module_imports_the_standard_library_and_the_verifier_only(module):
    source = module.read_text("utf-8")
    extra = {"py_arkworks_bls12381"} if module == ROOT / PAIRING else set()
    assert import_roots(source) <= sys.stdlib_module_names | {"verifier"} | extra
    assert not called_names(source) & HIDDEN_IMPORTS


def test_the_one_foreign_import_is_tried_and_never_needed():
    tries = [
        node
        for node in ast.parse((ROOT / PAIRING).read_text("utf-8")).body
        if isinstance(node, ast.Try)
    ]
    assert [import_roots(ast.unparse(node)) for node in tries] == [{"py_arkworks_bls12381"}]
    caught = [handler.type for handler in tries[0].handlers]
    assert [ast.unparse(kind) for kind in caught if kind] == ["ImportError"]


def test_a_foreign_import_is_seen_wherever_it_stands():
    hidden = "def f():\n    if True:\n        from fairdeal.canasta import cards\n"
    assert import_roots(hidden) == {"fairdeal"}
    assert called_names("import importlib\nimportlib.import_module('x')") & HIDDEN_IMPORTS


def test_a_bare_copy_of_the_verifier_runs_without_site_packages_or_environment(tmp_path):
    shutil.copytree(
        ROOT / "verifier", tmp_path / "verifier", ignore=shutil.ignore_patterns("__pycache__")
    )
    run = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "verifier", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert "usage" in run.stdout.lower()
