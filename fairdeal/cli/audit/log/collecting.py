"""Collects findings as the passes make them."""

from fairdeal.cli.audit.log.findings import MOST_FINDINGS, Finding


class Found:
    """The findings of an audit; of a log that is wrong all over the first ones are kept.

    Attributes:
        kept: In order.
        count: How many there were.
    """

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.count = 0
        self._is_wrong = False

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong, and not only told or incomplete."""
        return self._is_wrong

    def add(
        self,
        code: str,
        sentence: str,
        *,
        index: int | None = None,
        game: str | None = None,
        path: str | None = None,
    ) -> None:
        """Take a finding."""
        self.take(Finding(code, sentence, index, game, path))

    def take(self, finding: Finding) -> None:
        """Take a finding that was made elsewhere."""
        is_wrong = finding.code[:2] in {"E_", "M_"}
        # The first error is never lost behind warnings.
        if len(self.kept) < MOST_FINDINGS or (is_wrong and not self._is_wrong):
            self.kept.append(finding)
        self.count += 1
        self._is_wrong |= is_wrong

    def merge(self, other: "Found") -> None:
        """Take the findings of another collection, those that it only counted too."""
        for finding in other.kept:
            self.take(finding)
        self.count += other.count - len(other.kept)
        self._is_wrong |= other.is_wrong
