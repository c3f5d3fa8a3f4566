"""Runs the carried vectors: whole games, planted faults, notes, trees and rounds."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final, TypeAlias

from verifier.beacon.chains import QUICKNET
from verifier.beacon.pairing import CAN_CHECK, is_signed
from verifier.chain import NO_PREVIOUS
from verifier.checkpoints import read_checkpoint
from verifier.held import Held
from verifier.merkle import Tree, is_extension, leaf_hash, root_by_path
from verifier.notes import COSIGNATURE_TYPE, parse_key
from verifier.strictjson import write_canonical
from verifier.verdict import Report
from verifier.verify import verify

# A name and whether it came out as published; None where it could not run here.
Result: TypeAlias = tuple[str, bool | None]
_PLACE: Final = "verifier.selftest"


def run_selftest(write: Callable[[str], None]) -> int:
    """Print what did not come out as published, and a count; return the exit status."""
    results = list(results_of(load_vectors()))
    for name, passed in results:
        if not passed:
            write(f"{'not run' if passed is None else 'WRONG'}: {name}\n")
    wrong = sum(passed is False for _, passed in results)
    ran = sum(passed is not None for _, passed in results)
    write(f"selftest: {ran - wrong} of {len(results)} as published, {wrong} wrong\n")
    return int(wrong > 0)


def load_vectors() -> dict[str, Any]:
    """Return the carried vectors."""
    vectors: dict[str, Any] = json.loads(files(_PLACE).joinpath("vectors.json").read_bytes())
    return vectors


def results_of(vectors: Mapping[str, Any]) -> Iterator[Result]:
    """Yield the result of every vector, in a fixed order."""
    games = vectors["games"]
    for name, game in games.items():
        report = _check(game["lines"], [game["receipt"]], game["key"])
        found = (report.verdict, report.level, report.errors)
        yield f"honest game {name}", found == ("VALID", "pinned", ())
    for fault in vectors["planted"]:
        report = _check(plant(games[fault["game"]]["lines"], fault), [], None)
        name = f"{fault['error']} planted in {fault['game']}, record {fault['at']}"
        due = "MALFORMED" if fault["error"] == "E_SCHEMA" else "INVALID"
        yield name, (report.verdict, _first(report)) == (due, fault["error"])
    fraud = vectors["fraud"]
    for key, verdict in ((fraud["key"], "FRAUD"), (None, "INVALID")):
        report = _check(fraud["lines"], fraud["receipts"], key)
        found_so = (report.verdict, _first(report)) == (verdict, fraud["error"])
        yield f"signed fault, {'with' if key else 'without'} the key", found_so
    yield from _log_results(vectors["merkle"], vectors["cosignature"])
    yield from _beacon_results(vectors["beacon"])


def plant(lines: Sequence[str], fault: Mapping[str, Any]) -> list[str]:
    """Return a game's lines with one value changed and the chain mended after it."""
    made: list[str] = []
    prev = NO_PREVIOUS
    for at, line in enumerate(lines):
        record = json.loads(line)
        record["prev"] = prev
        if at == fault["at"]:
            *path, last = fault["path"].split(".")
            place: Any = record
            for name in path:
                place = place[int(name) if isinstance(place, list) else name]
            place[int(last) if isinstance(place, list) else last] = fault["value"]
        made.append(write_canonical(record).decode())
        prev = hashlib.sha256(f"{made[-1]}\n".encode()).hexdigest()
    return made


def _check(lines: Sequence[str], notes: Sequence[str], key: str | None) -> Report:
    data = "".join(f"{line}\n" for line in lines).encode()
    keys = (parse_key(key),) if key else ()
    return verify(io.BytesIO(data), Held(notes=tuple(notes), receipt_keys=keys))


def _first(report: Report) -> str | None:
    return report.errors[0].code if report.errors else None


def _log_results(merkle: Mapping[str, Any], cosignature: Mapping[str, Any]) -> Iterator[Result]:
    tree = Tree()
    roots = {0: tree.root()}
    leaves = [leaf.encode() for leaf in merkle["leaves"]]
    for leaf in leaves:
        tree.add(leaf)
        roots[tree.size] = tree.root()
    for vector in merkle["roots"]:
        fits = roots[vector["size"]].hex() == vector["root"]
        yield f"root of {vector['size']} leaves", fits
    for vector in merkle["inclusion"]:
        index, size, path = vector["index"], vector["size"], _hashes(vector["path"])
        found = root_by_path(leaf_hash(leaves[index]), index, size, path)
        yield f"leaf {index} of {size} is included", found == roots[size]
    for vector in merkle["consistency"]:
        old, new, path = vector["old"], vector["new"], _hashes(vector["path"])
        fits = is_extension(old, roots[old], new, roots[new], path)
        yield f"{new} leaves continue {old}", fits
    witnesses = [
        parse_key(witness["vkey"], COSIGNATURE_TYPE) for witness in cosignature["witnesses"]
    ]
    read = read_checkpoint(cosignature["note"], [parse_key(cosignature["key"])], witnesses)
    for quorum, time in cosignature["time_of_quorum"].items():
        fits = read is not None and read.time(int(quorum)) == 1000 * time
        yield f"time of a checkpoint for a quorum of {quorum}", fits


def _hashes(path: Sequence[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in path]


def _beacon_results(beacon: Mapping[str, Any]) -> Iterator[Result]:
    for vector in beacon["round_rule"]:
        fits = QUICKNET.due_round(vector["time_ms"]) == vector["round"]
        yield f"round due at {vector['time_ms']} ms", fits
    for kind, due in (("valid", True), ("invalid", False)):
        for vector in beacon[kind]:
            signature = bytes.fromhex(vector["signature"])
            found = is_signed(QUICKNET, vector["round"], signature)
            name = f"signature of round {vector['round']}, {vector.get('why', kind)}"
            yield name, None if found is None and not CAN_CHECK else found is due
