"""Mutants of the rules, one at a time: ``python -m benchmarks.mutants [--limit N] FILE…``.

Each small change of a module is made in a copy of the tree and tried by ``tests/canasta``, stopping
at the first failure: scenarios and unit tests first, properties last and with few examples. What no
test notices is printed with its line. docs/mutants.md lists those that change no rule.

A mutant runs in a fork of this process, which has pytest at hand but nothing of the tree.
"""

import argparse
import ast
import compileall
import copy
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import hypothesis
import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
TESTS: Final = (
    "scoring", "shape", "pile", "counting", "opening", "keeping", "question", "stock", "acts",
    "mutants", "scenarios", "properties",
)  # fmt: skip
EXAMPLES: Final = 5
SECONDS: Final = 60
COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module: where, and the text of the node before and after."""

    line: int
    before: str
    after: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Give every mutant of a module in the order of its tree."""
    tree = ast.parse(source)
    words = sorted(set(_codes(tree)))
    count = sum(1 for _ in ast.walk(tree))
    for index in range(count):
        node = _node(tree, index)
        for changed in _changes(node, words):
            fresh = copy.deepcopy(tree)
            target = _node(fresh, index)
            _replace(fresh, target, changed)
            ast.fix_missing_locations(fresh)
            text = ast.unparse(fresh)
            yield Mutant(getattr(node, "lineno", 0), _text(node), _text(changed), text)


def _codes(tree: ast.AST) -> Iterator[str]:
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def _node(tree: ast.AST, index: int) -> ast.AST:
    return next(node for at, node in enumerate(ast.walk(tree)) if at == index)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
                return
            if isinstance(value, list):
                for at, item in enumerate(value):
                    if item is old:
                        value[at] = new
                        return


def _changes(node: ast.AST, words: Sequence[str]) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for at, operator in enumerate(ops):
                for other in COMPARISONS[type(operator)]:
                    yield ast.Compare(left, [*ops[:at], other(), *ops[at + 1 :]], others)
        case ast.BoolOp(op=ast.And(), values=values):
            yield ast.BoolOp(ast.Or(), values)
            yield from values
        case ast.BoolOp(op=ast.Or(), values=values):
            yield ast.BoolOp(ast.And(), values)
            yield from values
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            if not isinstance(left, ast.Name) or left.id[:1].islower():  # not a union of types
                yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.AugAssign(target=target, op=operator, value=value):
            if type(operator) in ARITHMETIC:
                yield ast.AugAssign(target, ARITHMETIC[type(operator)](), value)
            yield ast.Pass()
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Constant(value=bool() as truth):
            yield ast.Constant(not truth)
        case ast.Constant(value=int() as number):
            yield ast.Constant(number + 1)
            yield ast.Constant(number - 1)
        case ast.Constant(value=str() as word) if word in words and len(words) > 1:
            yield ast.Constant(words[(words.index(word) + 1) % len(words)])
        case ast.Return(value=ast.Constant(value=bool())):
            pass  # the constant itself is turned
        case ast.Return(value=value) if value is not None:
            yield ast.Return(None)
        case ast.Return():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Expr(value=ast.Yield() | ast.YieldFrom() | ast.Call()):
            yield ast.Pass()
        case _:
            pass


def survives(tree: Path, seconds: float, tests: Sequence[str] = TESTS) -> bool | None:
    """Say whether all tests pass in a copy of the tree; None where the time ran out."""
    child = os.fork()
    if child == 0:
        os._exit(_run(tree, tests))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _run(tree: Path, tests: Sequence[str]) -> int:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(tree)
    sys.path[:] = [str(tree), *(entry for entry in sys.path if entry not in ("", str(ROOT)))]
    sys.dont_write_bytecode = True
    os.environ["HYPOTHESIS_PROFILE"] = "few"
    hypothesis.settings.register_profile(
        "few", max_examples=EXAMPLES, derandomize=True, deadline=None, database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    files = [f"tests/canasta/test_{name}.py" for name in tests]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "fairdeal")]:
        del sys.modules[name]
    return int(
        pytest.main(
            ["-x", "-q", "-p", "no:cacheprovider", "-n0", "--tb=no", "--assert=plain", *files]
        )
    )


def _copy(into: Path) -> None:
    for name in ("fairdeal", "tests", "docs", "verifier", "api"):
        shutil.copytree(ROOT / name, into / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", into)
    compileall.compile_dir(into, quiet=2)


def main(argv: Sequence[str]) -> int:
    """Try the mutants of the files named; 1 where one survives."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("--limit", type=int, default=0, help="mutants a file, evenly chosen")
    parser.add_argument("--until", type=float, default=0, help="seconds in all")
    parser.add_argument("--lines", default="", help="only these lines, as 12,40")
    parser.add_argument("--quick", action="store_true", help="without the properties")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args(argv)
    lines = {int(line) for line in given.lines.split(",") if line}
    tests = TESTS[:-1] if given.quick else TESTS
    began, run, killed, late, left = time.monotonic(), 0, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="mutants") as name:
        tree = Path(name)
        _copy(tree)
        if survives(tree, SECONDS, tests) is not True:
            print("the tests fail without a change", file=sys.stderr)
            return 2
        print(f"unchanged: {time.monotonic() - began:.1f} s", flush=True)
        for file in given.files:
            source = (ROOT / file).read_text(encoding="utf-8")
            every = [one for one in mutants(source) if not lines or one.line in lines]
            for stale in (tree / file).parent.glob(f"__pycache__/{Path(file).stem}.*"):
                stale.unlink()  # its date and size could be those of a mutant
            step = max(1, -(-len(every) // given.limit)) if given.limit else 1
            chosen = every[::step]
            tried = 0
            for one in chosen:
                if given.until and time.monotonic() - began > given.until:
                    break
                tried += 1
                (tree / file).write_text(one.source, encoding="utf-8")
                verdict = survives(tree, SECONDS, tests)
                run += 1
                killed += verdict is False
                late += verdict is None
                if verdict:
                    left += 1
                    print(f"{file}:{one.line}: {one.before}  ->  {one.after}", flush=True)
            (tree / file).write_text(source, encoding="utf-8")
            print(f"{file}: {tried} of {len(every)} mutants", flush=True)
    print(f"{run} run, {killed} killed, {late} too long, {left} survive")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
