"""The file that shows one entry in one signed tree: ``.tlog-proof`` (C2SP tlog-proof)."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import MalformedInput
from fairdeal.records.notes import VerifyingKey
from fairdeal.tlog.checkpoint import Opened, open_checkpoint
from fairdeal.tlog.cosignature import WitnessKey
from fairdeal.tlog.merkle import is_included, leaf_hash

_FORM: Final = re.compile(
    r"c2sp\.org/tlog-proof@v1\n"
    r"(?:extra ((?:[A-Za-z0-9+/]{4}){0,1024}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\n)?"
    r"index (0|[1-9][0-9]{0,18})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(.+)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofFile:
    """A proof as it stands in its file; nothing of it is verified.

    Attributes:
        index: Of the entry, from 0.
        path: The hashes, the leaf's sibling first.
        note: The signed checkpoint, cosignatures included.
        extra: Bytes that nobody signed, or None.
    """

    index: int
    path: tuple[bytes, ...]
    note: str
    extra: bytes | None = None

    @property
    def text(self) -> str:
        """The file."""
        extra = "" if self.extra is None else f"extra {b64encode(self.extra).decode()}\n"
        hashes = "".join(f"{b64encode(one).decode()}\n" for one in self.path)
        return f"c2sp.org/tlog-proof@v1\n{extra}index {self.index}\n{hashes}\n{self.note}"

    def holds(
        self, entry: bytes, log_keys: Iterable[VerifyingKey], witnesses: Iterable[WitnessKey] = ()
    ) -> Opened:
        """Return the checkpoint under which the entry is.

        Raises:
            MalformedInput: As `open_checkpoint`; `not_included`.
        """
        opened = open_checkpoint(self.note, log_keys, witnesses)
        seen = opened.checkpoint
        if not is_included(leaf_hash(entry), self.index, seen.size, self.path, seen.root):
            raise MalformedInput(
                "not_included", f"The entry is not number {self.index} of the {seen.size}."
            )
        return opened


def parse_proof(text: str) -> ProofFile:
    """Read a proof file; ``parse_proof(x).text == x``.

    Raises:
        MalformedInput: `bad_proof`.
    """
    match = _FORM.fullmatch(text)
    if match is not None:
        read = ProofFile(
            index=int(match[2]),
            path=tuple(b64decode(line) for line in match[3].split()),
            note=match[4],
            extra=None if match[1] is None else b64decode(match[1]),
        )
        if read.text == text:
            return read
    raise MalformedInput("bad_proof", "This is not a proof of the form c2sp.org/tlog-proof@v1.")
