"""Runs all, or some, and prints what failed; the status is 1 if anything did."""

import argparse
import sys
from collections import Counter

from benchmarks import schema


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.schema", description=schema.__doc__)
    parser.add_argument("--examples", type=int, default=100, help="per operation, phase and run")
    parser.add_argument("--only", action="append", default=[], help="a run, by its name")
    given = parser.parse_args()
    failed, answers = 0, Counter[tuple[str, int]]()
    for said in schema.ask(given.examples, given.only):
        lines = said.text.splitlines()
        print(f"=== {said.name}: {'passed' if said.passed else 'FAILED'}")
        print("\n".join(lines if not said.passed else [one for one in lines if "generated" in one]))
        by_status: Counter[int] = Counter()
        for (_, status), count in said.answers.items():
            by_status[status] += count
        print("  " + ", ".join(f"{status}: {count}" for status, count in sorted(by_status.items())))
        answers += said.answers
        failed += not said.passed
    print("never answered with success:", ", ".join(schema.never(answers)) or "none")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
