"""What a lying server changes, one thing a vector, before it signs everything anew."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fairdeal.records.tablecode import table_code
from scripts.vectors.folder import Vector, pinning, receipts
from scripts.vectors.script import Script, Written

Tell = Callable[[Script], int | None]
"""Changes the script; gives the place of the record at which the first error is due."""
Keeps = Callable[[Script, Written], dict[str, Any]]
"""Gives what the player holds against the file, given the script as told and as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """A tampered twin of an honest game.

    Attributes:
        of: The honest game's name.
        slug: The rest of its own name.
        error: The first error due; None where a verifier must not be misled.
        rule: With E_ACT_RULE the rule.
        verdict: Due; FRAUD where the server's signature covers the error.
        warning: One that must be there.
        keeps: What the player holds; a receipt of the last record unless said otherwise.
        bend: Changes record 0 before the seeds; the game is then played from it.
    """

    of: str
    slug: str
    title: str
    tell: Tell
    error: str | None
    rule: str | None = None
    verdict: str = "FRAUD"
    warning: str | None = None
    keeps: Keeps | None = None
    bend: Callable[[dict[str, Any]], None] | None = None

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"{self.of[:3]}-{self.slug}"

    def vector(self, script: Script) -> Vector:
        """Tell the lie; the script is spent by it."""
        at = self.tell(script)
        written = script.write()
        expect: dict[str, Any] = {
            "id": self.name,
            "of": self.of,
            "title": self.title,
            "verdict": self.verdict,
            "error": self.error,
            "warning": self.warning,
        }
        if at is not None:
            expect["at"] = at
        if self.rule is not None:
            expect["rule"] = self.rule
        keeps = self.keeps or keeps_receipts
        return Vector(
            name=self.name,
            data=b"".join(written.lines),
            evidence=keeps(script, written),
            expect=expect,
        )


def keeps_receipts(script: Script, written: Written) -> dict[str, Any]:
    """Hold the table code and the receipts of the lock and of the last record."""
    numbers = sorted({min(pinning(script.sitting), len(written.lines) - 1), len(written.lines) - 1})
    return {"table_code": table_code(written.hashes[0])} | receipts(written, numbers)


def keeps_code(_script: Script, written: Written) -> dict[str, Any]:
    """Hold the table code and no receipt."""
    return {"table_code": table_code(written.hashes[0])}
