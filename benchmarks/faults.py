"""Sends every write of the interface through a bad network, and looks whether each happened once.

Run it: `python -m benchmarks.faults --each 1000`. Requests are lost, answers are lost, requests
arrive twice at once, late, and again after others (`benchmarks.faultproxy`). The sender does what a
careful client does: it repeats the very same request, under the same `Idempotency-Key`, until it
is answered. Writes that are safe without a key are sent without one every other time.
At the end everything stands in the service exactly once: nothing lost, nothing doubled.
"""

import argparse
import contextlib
import inspect
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks import faultdeeds
from benchmarks.faultproxy import FaultProxy
from benchmarks.faultsender import Sender, Wrong
from fairdeal.cli.server import Server

ORIGIN: Final = "fairdeal.localhost/faults"


@contextlib.contextmanager
def network(seed: int, folder: Path | None = None) -> Iterator[Sender]:
    """Start a service of its own behind a bad network."""
    with contextlib.ExitStack() as stack:
        if folder is None:
            memory = Path("/dev/shm")
            where = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
            folder = Path(stack.enter_context(where))
        server = stack.enter_context(Server(folder / "service", ORIGIN))
        proxy = FaultProxy(server.port, seed)
        stack.callback(proxy.close)
        token = (folder / "service" / "operator.key").read_text("ascii").strip()
        yield Sender(proxy, server.port, token)


def deeds() -> dict[str, Callable[[Sender, int], None]]:
    """Return what there is to do, by name, in the order of the module."""
    functions = inspect.getmembers(faultdeeds, inspect.isfunction)
    named = [(f.__code__.co_firstlineno, name, f) for name, f in functions if name[0] != "_"]
    return {name: f for _, name, f in sorted(named) if f.__module__ == faultdeeds.__name__}


def main() -> int:
    """Run from the command line; give the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=50, help="writes of each route")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="deeds whose name holds this")
    arguments = parser.parse_args()
    began = time.monotonic()
    bad = 0
    with network(arguments.seed) as sender:
        for name, deed in deeds().items():
            if arguments.only not in name:
                continue
            try:
                deed(sender, arguments.each)
                print(f"  {name}: each once", flush=True)
            except Wrong as wrong:
                bad += 1
                print(f"  {name}: WRONG {wrong}", flush=True)
        sender.proxy.flush()
        for route, count in sorted(sender.sent.items()):
            print(f"{count:7d} {route}")
        fates = ", ".join(f"{fate} {count}" for fate, count in sender.proxy.fates.most_common())
        print(f"{sum(sender.sent.values())} writes in {sender.tries} tries: {fates}")
        print(f"{time.monotonic() - began:.0f} s, seed {arguments.seed}; lost or doubled: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
