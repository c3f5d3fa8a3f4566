"""``where FILE --hand N --card 9H`` and ``show FILE --hand N [--svg FILE]``."""

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from verifier.chain import find_chain_fault
from verifier.held import Held
from verifier.options import UsageFault, number
from verifier.reading import MalformedFault, read_transcript
from verifier.replay import replay
from verifier.replay.state import Hand, State
from verifier.story.follow import Story, follow
from verifier.story.picture import draw_hand
from verifier.story.words import tell_face, tell_hand, title

Open = Callable[[str, ExitStack], BinaryIO]
Write = Callable[[str], None]


def where(given: Sequence[str], open_game: Open, write: Write) -> int:
    """Tell where the copies of one card went; return the exit status."""
    parser = _parser("where", "Tells where every copy of a card went in one hand.")
    parser.add_argument("--card", metavar="FACE", required=True, help="as in the deck: 9H, TD, JK")
    options = parser.parse_args(given)
    state, hand, story = _story(options, open_game)
    if options.card not in story.deck:
        raise UsageFault(f"the deck of this game has no card {options.card!a}")
    write(f"{title(state, hand)}\n{tell_face(story, options.card)}")
    return int(hand.is_wrong)


def show(given: Sequence[str], open_game: Open, write: Write) -> int:
    """Tell where all cards of one hand went; return the exit status."""
    parser = _parser("show", "Tells where every card of one hand went.")
    parser.add_argument("--svg", metavar="FILE", help="where to draw the same as a picture")
    options = parser.parse_args(given)
    state, hand, story = _story(options, open_game)
    heading = title(state, hand)
    write(f"{heading}\n{tell_hand(story, state.seats)}")
    if options.svg:
        Path(options.svg).write_text(draw_hand(story, state.seats, heading), "utf-8")
    return int(hand.is_wrong)


def _parser(name: str, about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"fairdeal-verify {name}", description=about, allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE", help="the game record; - for standard input")
    parser.add_argument("--hand", metavar="N", type=number, required=True, help="from 1")
    return parser


def _story(options: argparse.Namespace, open_game: Open) -> tuple[State, Hand, Story]:
    with ExitStack() as stack:
        state = _replay(open_game(options.file, stack))
    hands = {hand.number: hand for hand in state.hands}
    hand = hands.get(options.hand)
    if hand is None:
        raise UsageFault(f"hand {options.hand} is not dealt in this file")
    if hand.table is None:
        raise UsageFault(f"the secret of hand {options.hand} is not out, or does not fit")
    return state, hand, follow(state, hand)


def _replay(file: BinaryIO) -> State:
    """Return the replay of a file up to its first fault of the chain."""
    try:
        transcript = read_transcript(file)
    except MalformedFault as malformed:
        raise UsageFault(f"not a readable game record: {malformed.code}") from None
    if transcript.open is None:
        raise UsageFault("the file does not begin with the record of an opening")
    fault = find_chain_fault(transcript.heads)
    end = len(transcript.heads) if fault is None or fault.at is None else fault.at
    return replay(transcript, transcript.open, Held(), end)
