"""The C floor of a deal, compiled where there is a compiler: what the construction itself costs."""

import ctypes
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from fairdeal.fairness.keys import Secret

_SOURCE: Final = Path(__file__).with_name("floor.c")


def load() -> Callable[[Sequence[Secret], Sequence[bytes], int], list[Sequence[int]]]:
    """Compile the floor and return it: secrets, mixes and size to orders.

    Raises:
        RuntimeError: There is no C compiler, or it fails.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("no C compiler")
    with tempfile.TemporaryDirectory(prefix="fairdeal-floor-") as home:
        (Path(home) / "constants.h").write_text(_constants(), "ascii")
        target = Path(home) / "floor.so"
        command = [compiler, "-O3", "-shared", "-fPIC", "-I", home, str(_SOURCE), "-o", str(target)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"the C compiler failed: {run.stderr[:200]}")
        library = ctypes.CDLL(str(target))

    def orders(secrets: Sequence[Secret], mixes: Sequence[bytes], n: int) -> list[Sequence[int]]:
        out = (ctypes.c_uint16 * (len(secrets) * n))()
        keys = b"".join(secret.raw for secret in secrets)
        library.orders(keys, b"".join(mixes), len(secrets), n, out)
        flat = memoryview(out).cast("B").cast("H")
        return [flat[at : at + n] for at in range(0, len(out), n)]

    return orders


def _constants() -> str:
    """Return SHA-512's constants: roots of the first primes, as FIPS 180-4 says."""
    primes = [p for p in range(2, 410) if all(p % d for d in range(2, math.isqrt(p) + 1))]
    rounds = [_cube_root(p << 192) % 2**64 for p in primes]
    start = [math.isqrt(p << 128) % 2**64 for p in primes[:8]]
    return (
        f"static const uint64_t K[80] = {{{', '.join(f'{k}u' for k in rounds)}}};\n"
        f"static const uint64_t H0[8] = {{{', '.join(f'{h}u' for h in start)}}};\n"
    )


def _cube_root(value: int) -> int:
    low, high = 0, 1 << (value.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= value else (low, middle - 1)
    return low
