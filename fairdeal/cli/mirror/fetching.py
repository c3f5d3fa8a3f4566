"""Fetches a log into a mirror: only what is new, only what is signed, and the checkpoint last."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Asker, Clock, Patience
from fairdeal.cli.mirror.bundlefetch import fetch_bundles
from fairdeal.cli.mirror.findings import (
    FORKED,
    KEY_CHANGED,
    ROLLED_BACK,
    SPLIT,
    UNTRUSTED,
    Found,
    Wrong,
)
from fairdeal.cli.mirror.folder import EVIDENCE, MirrorFolder, seen_path
from fairdeal.cli.mirror.prefix import parse_prefix
from fairdeal.cli.mirror.treefetch import TreeFetch
from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import parse_note
from fairdeal.tlog.checkpoint import Checkpoint, Opened, open_checkpoint, parse_body
from fairdeal.tlog.merkle import is_consistent
from fairdeal.tlog.policy import MAX_POLICY, Policy, parse_policy
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import Tile, tiles_of

CHECKPOINT: Final = "checkpoint"
POLICY: Final = "policy"
ABOUT: Final = "log.json"

MOST_NOTE: Final = 4 * 65_536
"""A checkpoint of more bytes is not read."""

_MOST_ABOUT: Final = 2**20
_LOOKS: Final = 3

Tell = Callable[[int, int], object]
"""Told how many tiles are there, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a fetch brought.

    Attributes:
        checkpoint: The newest one that the log served, signed by a key that is trusted; None where
            it was signed by none.
        before: The size of the mirror until now; 0 for a new one.
        size: Its size now.
        files: So many tiles and bundles of entries were fetched.
        findings: What is wrong; where something is, the mirror may not have got further.
    """

    checkpoint: Checkpoint | None
    before: int
    size: int
    files: int
    findings: tuple[Found, ...]


def fetch(
    prefix: str,
    folder: Path,
    trust: Trust | None,
    *,
    patience: Patience | None = None,
    clock: Clock | None = None,
    tell: Tell = lambda *_: None,
) -> Fetched:
    """Bring a mirror to the newest checkpoint of a log; killed at any moment, it goes on later.

    Args:
        prefix: The log's address.
        folder: The mirror; made where it is not there.
        trust: Whose checkpoints are believed; None for those of the policy that the log publishes.
        patience: How long is waited.
        clock: For `Retry-After` and pauses.
        tell: Progress.

    Raises:
        MalformedInput: `bad_prefix`; `other_log`: the mirror is that of another log.
        CannotLook: Something is not to be had. What was fetched is kept.
    """
    asker = Asker(parse_prefix(prefix), patience, clock)
    try:
        return _Fetch(asker, MirrorFolder(folder), trust, tell).run()
    finally:
        asker.close()


class _Fetch:
    def __init__(self, asker: Asker, mirror: MirrorFolder, trust: Trust | None, tell: Tell) -> None:
        self._asker = asker
        self._mirror = mirror
        self._trust = trust
        self._tell = tell
        self._found: list[Found] = []
        self._files = 0

    def run(self) -> Fetched:
        policy_text = self._asker.get(POLICY, MAX_POLICY)
        policy = self._policy(policy_text)
        kept = kept_checkpoint(self._mirror.root)
        before = 0 if kept is None else kept.size
        newest: Checkpoint | None = None
        size = before
        try:
            opened = self._newest(policy, before)
            newest = opened.checkpoint
            self._mirror.keep_seen(opened)
            self._bring_tree(opened, kept)
            size = newest.size
        except Wrong as wrong:
            self._found.append(wrong.found)
        else:
            self._bring_rest(policy, policy_text, newest, before)
        return Fetched(
            checkpoint=newest,
            before=before,
            size=size,
            files=self._files,
            findings=tuple(self._found),
        )

    def _policy(self, text: bytes | None) -> Policy:
        """Return whom to trust; note where the log names other keys than before."""
        told = None if text is None else _read_policy(text)
        old_text = self._mirror.read(POLICY)
        old = None if old_text is None else _read_policy(old_text)
        if told is not None and old is not None and _keys(told) != _keys(old) and old_text:
            place = f"{EVIDENCE}/policy-before"
            self._mirror.write(place, old_text)
            gone, come = _keys(old) - _keys(told), _keys(told) - _keys(old)
            sentence = (
                f"The log's policy names other keys: new {', '.join(sorted(come)) or 'none'};"
                f" gone {', '.join(sorted(gone)) or 'none'}."
            )
            self._found.append(Found(KEY_CHANGED, POLICY, sentence, (place, POLICY)))
        if self._trust is not None:
            return self._trust.policy
        if told is None:
            raise CannotLook(
                "not_there",
                f"{self._asker.prefix.text}{POLICY} is no policy; say whom to trust (--log-key).",
            )
        return told

    def _newest(self, policy: Policy, before: int) -> Opened:
        """Return the newest checkpoint; a smaller one than is known is asked for once more."""
        look = 1
        while True:
            opened = self._checkpoint(policy, CHECKPOINT)
            if opened is None:
                address = self._asker.prefix.text + CHECKPOINT
                raise CannotLook("not_there", f"{address} is not there.")
            if opened.checkpoint.size >= before or look == _LOOKS:
                return opened
            # A cache on the way may be behind by seconds.
            self._asker.rest(self._asker.patience.pause * 4**look)
            look += 1

    def _checkpoint(self, policy: Policy, path: str) -> Opened | None:
        data = self._asker.get(path, MOST_NOTE)
        if data is None:
            return None
        address = self._asker.prefix.text + path
        try:
            note = data.decode()
            parse_body(parse_note(note).text)
        except (UnicodeDecodeError, MalformedInput) as fault:
            raise CannotLook("other_bytes", f"{address} is no checkpoint.") from fault
        try:
            return open_checkpoint(note, policy.logs, [one.key for one in policy.witnesses])
        except MalformedInput as fault:
            place = f"{EVIDENCE}/untrusted"
            self._mirror.write(place, data)
            sentence = f"{address} is signed by no key that is trusted: {fault.sentence}"
            raise Wrong(Found(UNTRUSTED, path, sentence, (place,))) from fault

    def _bring_tree(self, opened: Opened, kept: Checkpoint | None) -> None:
        newest = opened.checkpoint
        if kept is not None and kept.origin != newest.origin:
            raise MalformedInput(
                "other_log", f"The mirror is that of {kept.origin}, not of {newest.origin}."
            )
        for older in self._known(newest, kept):
            if older.size == newest.size and older.root != newest.root:
                raise Wrong(fork(older, newest))
            if older.size > newest.size:
                raise Wrong(self._rollback(older, newest, is_whole=older == kept))
        before = 0 if kept is None else kept.size
        if kept is None or newest.size > before:
            tree = TreeFetch(self._asker, self._mirror, newest, self._count(newest.size, before))
            tree.hold_to_root()
            for older in self._known(newest, kept):
                if not tree.grew_from(older):
                    raise Wrong(fork(older, newest))
            self._files = tree.run(before)
        self._mirror.write(CHECKPOINT, opened.note.encode())
        self._mirror.drop_partial(before, newest.size)

    def _known(self, newest: Checkpoint, kept: Checkpoint | None) -> list[Checkpoint]:
        """Return the mirror's checkpoint, and those seen that it has not got to."""
        known = [] if kept is None else [kept]
        for _, note in self._mirror.seen():
            try:
                seen = parse_body(parse_note(note).text)
            except MalformedInput:
                continue
            is_further = kept is None or seen.size > kept.size
            if seen.origin == newest.origin and is_further:
                known.append(seen)
        return known

    def _rollback(self, older: Checkpoint, newest: Checkpoint, *, is_whole: bool) -> Found:
        if is_whole and not self._begins_with(older, newest):
            return fork(newest, older)
        return Found(
            ROLLED_BACK,
            f"sizes {older.size}, {newest.size}",
            f"The log serves a checkpoint of {newest.size}; one of {older.size} was seen before.",
            (seen_path(older), seen_path(newest)),
        )

    def _begins_with(self, older: Checkpoint, newest: Checkpoint) -> bool:
        def read(tile: Tile) -> bytes:
            return self._mirror.read(tile.path) or b""

        try:
            path = TileTree(older.size, read).consistency(newest.size)
        except (MalformedInput, IndexError):
            return True
        return is_consistent(newest.size, newest.root, older.size, older.root, path)

    def _bring_rest(
        self, policy: Policy, policy_text: bytes | None, newest: Checkpoint, before: int
    ) -> None:
        """Fetch what is not signed, and what the log says now of sizes that were seen."""
        if policy_text is not None and _read_policy(policy_text) is not None:
            self._mirror.write(POLICY, policy_text)
        about = self._asker.get(ABOUT, _MOST_ABOUT)
        if about is not None:
            self._mirror.write(ABOUT, about)
        for size in sorted({before or newest.size, newest.size}):
            self._earlier(policy, size)
        self._found += fetch_bundles(self._asker, self._mirror)

    def _earlier(self, policy: Policy, size: int) -> None:
        path = f"checkpoints/{size}"
        try:
            opened = self._checkpoint(policy, path)
        except Wrong:
            # Signed with a key that was trusted then; the mirror knows its root all the same.
            return
        if opened is None:
            return
        self._mirror.keep_seen(opened)
        kept = [one for one in self._seen_at(size) if one.origin == opened.checkpoint.origin]
        for other in kept:
            if other.root != opened.checkpoint.root:
                self._found.append(fork(other, opened.checkpoint))
        self._mirror.write(path, opened.note.encode())

    def _seen_at(self, size: int) -> list[Checkpoint]:
        notes = [note for path, note in self._mirror.seen() if f"/{size}-" in path]
        return [parse_body(parse_note(note).text) for note in notes]

    def _count(self, size: int, since: int) -> Callable[[int], object]:
        total = sum(1 for _ in tiles_of(size, since))
        done = 0

        def told(more: int) -> None:
            nonlocal done
            done += more
            self._tell(done, total)

        return told


def kept_checkpoint(folder: Path) -> Checkpoint | None:
    """Return the checkpoint of which a mirror has everything; None where there is none.

    Raises:
        MalformedInput: It is none.
    """
    data = MirrorFolder(folder).read(CHECKPOINT)
    return None if data is None else parse_body(parse_note(data.decode("utf-8", "replace")).text)


def fork(older: Checkpoint, newer: Checkpoint) -> Found:
    """Return the finding that two signed checkpoints cannot both be of one log."""
    return Found(
        SPLIT if older.size == newer.size else FORKED,
        f"sizes {older.size}, {newer.size}",
        f"Of the log two checkpoints are signed, of {older.size} and of {newer.size} leaves, and"
        " the one tree does not begin with the other.",
        (seen_path(older), seen_path(newer)),
    )


def _read_policy(text: bytes) -> Policy | None:
    try:
        return parse_policy(text.decode())
    except (MalformedInput, UnicodeDecodeError):
        return None


def _keys(policy: Policy) -> set[str]:
    return {key.text for key in policy.logs} | {one.key.text for one in policy.witnesses}
