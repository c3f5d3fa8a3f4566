"""The flags of a check and what they hold: files read, keys and numbers parsed (§3.1)."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

from verifier.bundle import Bundle
from verifier.ed25519 import PublicKey
from verifier.held import (
    Held,
    HeldFault,
    OwnSeed,
    parse_commit,
    parse_hand_cards,
    parse_note_list,
    parse_player_key,
    parse_player_signatures,
    parse_seed,
    parse_table_code,
)
from verifier.level import LEVELS
from verifier.mirror import CHECKPOINT, open_mirror
from verifier.myrecord import MyRecord, parse_my_record
from verifier.notes import (
    COSIGNATURE_TYPE,
    ED25519_TYPE,
    KeyFault,
    VerifierKey,
    parse_key,
    split_notes,
)
from verifier.proofs import parse_proof

_MAX_EVIDENCE: Final = 16 * 2**20  # bytes of one file of receipts, cards or notes

# Flag, its value's name, its help; all of them may come several times.
_MANY: Final = (
    ("--receipts", "FILE", "signed receipts and card notes"),
    ("--log-key", "VKEY", "the log's public key, NAME+KEYID+BASE64"),
    ("--receipt-key", "VKEY", "a key that signs receipts; without it, the log's key"),
    ("--seed", "[EPOCH:]TEXT", "the text you typed, exactly; :TEXT takes all of it"),
    ("--checkpoint", "FILE", "signed checkpoints of the log; needs --log and --log-key"),
    ("--proof", "FILE", "a .tlog-proof of one record; needs --log-key and not the log"),
    ("--witness", "VKEY", "a witness you trust"),
    ("--player-key", "SEAT=HEX", "the key that the player at a seat is known to have"),
)
_ONE: Final = (
    ("--commit", "HEX", "a hash you noted: that of record 0, or master_commit"),
    ("--table-code", "CODE", "the table code you noted; blanks and hyphens are free"),
    ("--my-record", "FILE", "my record: receipts, seeds, cards, card notes"),
    ("--hand-cards", "FILE", "JSON list of {hand, seat, cards, salt}: what you saw"),
    ("--log", "FILE|DIR", "the log's lines in order, or a mirror of its tiles and checkpoint"),
    ("--player-signatures", "FILE", "what the service answers for seed signatures"),
    ("--seating", "FILE", "the record of the draw for seats"),
)


class UsageFault(Exception):
    """The arguments are wrong or a file cannot be read; nothing was judged."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a check."""
    add = parser.add_argument
    for flag, value, text in _ONE:
        add(flag, metavar=value, help=text)
    for flag, value, text in _MANY:
        add(flag, metavar=value, action="append", default=[], help=f"{text}; repeatable")
    add("--seat", metavar="N", type=number, help="the seat you typed it for, from 0")
    add("--quorum", metavar="K", type=number, help="how many witnesses; without it, all of them")
    add("--now", metavar="MS", type=number, help="a trusted time, ms since 1970, for the deadline")
    add("--require", choices=LEVELS, help="exit with 3 if VALID comes with a lower level")
    add("--evidence-out", metavar="FILE", help="where to write everything needed if it is FRAUD")
    add("--json", action="store_true", help="print one JSON object")
    add("--explain", action="store_true", help="say how each check went; show all hands")


def number(text: str) -> int:
    """Return a number from 0, for a flag."""
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        raise argparse.ArgumentTypeError("not a number from 0")
    return int(text)


def read_held(options: argparse.Namespace, bundle: Bundle | None, stack: ExitStack) -> Held:
    """Return what the flags hold, with what an evidence file adds.

    Args:
        options: Of a parser with ``add_options``.
        bundle: The evidence file that is checked, if it is one.
        stack: Closes the files that stay open.

    Raises:
        UsageFault, HeldFault, OSError: Something cannot be read.
    """
    mine = parse_my_record(read_text(options.my_record)) if options.my_record else None
    notes = [note for path in options.receipts for note in _read_notes(path)]
    checkpoints = [note for path in options.checkpoint for note in _read_notes(path)]
    mirror = None if options.log is None or not Path(options.log).is_dir() else Path(options.log)
    if mirror and not checkpoints:
        checkpoints = list(_read_notes(str(mirror / CHECKPOINT)))
    log = stack.enter_context(open_mirror(mirror)) if mirror else _open(options.log, stack)
    if bundle:
        notes, checkpoints = notes + bundle.notes, checkpoints + bundle.checkpoints
        log = log or bundle.log
    _check_together(options, has_checkpoints=bool(checkpoints), has_log=log is not None)
    log_keys = tuple(_key("--log-key", text) for text in options.log_key)
    witnesses = tuple(_key("--witness", text, COSIGNATURE_TYPE) for text in options.witness)
    if len({witness.key.raw for witness in witnesses}) < len(set(options.witness)):
        raise UsageFault("two --witness are one key under two names; a witness counts once")
    cards = options.hand_cards
    return Held(
        commit=_commit(options, mine),
        table_code=None if options.table_code is None else parse_table_code(options.table_code),
        game=mine.game if mine else None,
        notes=(*notes, *(mine.notes if mine else ())),
        receipt_keys=tuple(_key("--receipt-key", text) for text in options.receipt_key) or log_keys,
        own_seed=_own_seed(options, mine),
        hand_cards=(
            *(parse_hand_cards(read_text(cards)) if cards is not None else ()),
            *(mine.hand_cards if mine else ()),
        ),
        now=options.now,
        log_keys=log_keys,
        checkpoints=tuple(checkpoints),
        log=log,
        proofs=tuple(map(_read_proof, options.proof)),
        witnesses=witnesses,
        quorum=len(witnesses) if options.quorum is None else options.quorum,
        player_keys=_player_keys(options),
        player_signatures=(
            parse_player_signatures(read_text(options.player_signatures))
            if options.player_signatures
            else ()
        ),
        seating=_open(options.seating, stack),
    )


def read_text(path: str) -> str:
    """Return the text of a file of evidence."""
    with Path(path).open("rb") as file:
        data = file.read(_MAX_EVIDENCE + 1)
    if len(data) > _MAX_EVIDENCE:
        raise UsageFault(f"{path}: more than {_MAX_EVIDENCE} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UsageFault(f"{path}: no UTF-8") from None


def _open(path: str | None, stack: ExitStack) -> BinaryIO | None:
    return None if path is None else stack.enter_context(Path(path).open("rb"))


def _check_together(options: argparse.Namespace, *, has_checkpoints: bool, has_log: bool) -> None:
    if has_checkpoints and not (has_log and options.log_key):
        raise UsageFault("--checkpoint needs --log and --log-key")
    if options.log and not has_checkpoints:
        raise UsageFault("--log needs --checkpoint: its lines alone prove nothing")
    if options.proof and not options.log_key:
        raise UsageFault("--proof needs --log-key")
    is_signed = has_checkpoints or options.proof
    if (options.witness or options.quorum is not None) and not is_signed:
        raise UsageFault("--witness and --quorum need --checkpoint or --proof")
    if options.quorum is not None and options.quorum > len(set(options.witness)):
        raise UsageFault("--quorum asks for more witnesses than were given")
    if bool(options.player_key) != bool(options.player_signatures):
        raise UsageFault("--player-key and --player-signatures go together")


def _key(option: str, text: str, key_type: bytes = ED25519_TYPE) -> VerifierKey:
    try:
        return parse_key(text, key_type)
    except KeyFault as fault:
        raise UsageFault(f"{option}: {fault}") from None


def _commit(options: argparse.Namespace, mine: MyRecord | None) -> str | None:
    noted = None if options.commit is None else parse_commit(options.commit)
    if noted and mine and noted != mine.open_hash:
        raise UsageFault("--commit and my record name two hashes")
    return noted or (mine.open_hash if mine else None)


def _own_seed(options: argparse.Namespace, mine: MyRecord | None) -> OwnSeed | None:
    if not options.seed and options.seat is None:
        return mine.own_seed if mine else None
    if mine:
        raise UsageFault("--my-record holds your seeds; --seed and --seat go without it")
    if not options.seed or options.seat is None:
        raise UsageFault("--seed and --seat go together")
    texts: dict[int | None, bytes] = {}
    for argument in options.seed:
        epoch, text = parse_seed(argument)
        if epoch in texts:
            raise UsageFault("--seed: two texts for one epoch")
        texts[epoch] = text
    return OwnSeed(seat=options.seat, texts=texts)


def _player_keys(options: argparse.Namespace) -> dict[int, PublicKey]:
    keys = dict(map(parse_player_key, options.player_key))
    if len(keys) < len(options.player_key):
        raise HeldFault("--player-key: two keys for one seat")
    return keys


def _read_proof(path: str) -> str:
    text = read_text(path)
    try:
        parse_proof(text)
    except HeldFault as fault:
        raise UsageFault(f"{path}: {fault}") from None
    return text


def _read_notes(path: str) -> Sequence[str]:
    text = read_text(path)
    if text.lstrip(" \t\r\n").startswith("["):
        return parse_note_list(text)
    return split_notes(text)
