"""A folder of transcripts as the subject of a report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.running import BAD, Audit, run_audit, transcripts, word_of
from fairdeal.cli.report.subject import Fault, Subject

MOST_FAULTS: Final = 200
FAST: Final = (
    "Which files were verified fully follows from the input, so that this report can be made"
    " again; who made the input could prepare for it. fairdeal audit --fast draws afresh."
)
_CHUNK: Final = 2**20
_SENTENCES: Final = {
    "VALID": "Every transcript is valid: the cards were dealt exactly as the locked decks and the"
    " players' seeds say.",
    "re-derived": "Every deal came out as its secrets and seeds give it; one file in a hundred was"
    " verified fully, and the play of the others was not judged.",
    "INCOMPLETE": "Nothing is wrong so far; some games are not over, or a check could not run.",
    "INVALID": "Something contradicts itself; nobody's signature proves who changed it.",
    "FRAUD": "A signature of the dealer proves a false deal or record.",
    "MALFORMED": "At least one file is no readable game record.",
    "unreadable": "At least one file could not be read.",
}


@dataclass(frozen=True, slots=True)
class FolderSource:
    """Transcripts in a folder, audited."""

    folder: Path
    audit: Audit
    subject: Subject

    def transcripts(self) -> Iterator[bytes]:
        """Yield the games that are VALID, or whose deals came out, in the order of their paths."""
        for one in self.audit.files:
            if one.verdict == "VALID" or one.how == "re-derived":
                yield (self.folder / one.path).read_bytes()

    def places(self, game: str) -> dict[int, int]:
        """Return nothing: there is no log."""
        del game
        return {}


def from_folder(
    folder: Path, *, now: int | None, is_fast: bool, jobs: int | None
) -> FolderSource | None:
    """Audit a folder for a report; None where there is no transcript.

    Raises:
        OSError: A file cannot be read.
    """
    paths = transcripts(folder)
    if not paths:
        return None
    root = _root(folder, paths)
    audit = run_audit(
        folder, paths, state=None, now=now, is_fast=is_fast, sample_seed=root, jobs=jobs
    )
    return FolderSource(folder, audit, _subject(audit, root, now, is_fast=is_fast))


def _root(folder: Path, paths: Sequence[str]) -> str:
    """Return the hash over the files' own hashes, whatever the files are called."""
    digests = sorted(_digest(folder / path) for path in paths)
    return sha256("\n".join(digests).encode()).hexdigest()


def _digest(path: Path) -> str:
    found = sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _subject(audit: Audit, root: str, now: int | None, *, is_fast: bool) -> Subject:
    words = Counter(map(word_of, audit.files))
    faults = [
        Fault(one.fault.code if one.fault else "unreadable", one.path, _why(one.fault))
        for one in audit.files
        if word_of(one) in BAD
    ]
    faults += [Fault(one.code, ", ".join(one.files) or "-", one.detail) for one in audit.across]
    hands = sum(one.hands for one in audit.files)
    verdict = audit.worst
    full = f"The verifier judged {audit.sample if is_fast else len(audit.files):,} files fully"
    rest = " and the deals of the others were derived anew in bulk." if is_fast else "."
    options = (" --fast" if is_fast else "") + ("" if now is None else f" --now {now}")
    return Subject(
        kind="folder",
        verdict=verdict if verdict == verdict.upper() else verdict.upper(),
        sentence=_SENTENCES[verdict],
        exit_status=audit.exit_status,
        root=root,
        scope=(
            ("input", f"a folder of {len(audit.files):,} transcripts"),
            ("hash over the files' hashes", root),
            ("complete_to_index", "not known: a folder has no log that says what is missing"),
            *((word, f"{number:,} files") for word, number in sorted(words.items())),
            ("hands dealt", f"{hands:,}"),
        ),
        method=(
            full + rest,
            *([FAST] if is_fast else []),
            "Files were compared for reused secrets, names and aborted hands.",
        ),
        command=f"fairdeal report DIR -o report.html{options}",
        faults=tuple(faults[:MOST_FAULTS]),
        found=len(faults),
        figures={
            "files": len(audit.files),
            "hands": hands,
            "aborted": sum(one.aborted for one in audit.files),
            "verdicts": dict(sorted(words.items())),
        },
    )


def _why(fault: object) -> str:
    return str(getattr(fault, "detail", "")) or "no detail"
