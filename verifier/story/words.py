"""The story of a hand as text, ASCII only."""

from collections.abc import Iterator, Sequence

from verifier.replay.state import Hand, State
from verifier.story.follow import PILE, STOCK, Story, holding, laid

_ROW = 15  # cards a line


def title(state: State, hand: Hand) -> str:
    """Return the line that says which hand this is and whether it was dealt as derived."""
    ending = {"score": "scored", "abort": "aborted", None: "in play"}
    how = ending[hand.ending[1] if hand.ending else None]
    fits = "WRONG, only its due deal is told" if hand.is_wrong else "dealt exactly as derived"
    return f"game {state.game}, hand {hand.number} (record {hand.at}): {how}, {fits}"


def tell_face(story: Story, face: str) -> str:
    """Return where every copy of a face went."""
    copies = [card for card, there in enumerate(story.deck) if there == face]
    lines = [f"{face}: {len(copies)} of the {len(story.deck)} cards"]
    for card in copies:
        lines.append(f"card {card}")
        lines += [f"  record {step.at}: {step.words}" for step in story.steps[card]]
        lines.append(f"  at the end: {_end(story, card)}")
    return "\n".join(lines) + "\n"


def tell_hand(story: Story, seats: int) -> str:
    """Return where all cards of a hand went, place by place."""
    return "\n".join(_hand_lines(story, seats)) + "\n"


def melds(story: Story) -> list[str]:
    """Return the places of melds, side by side and rank by rank."""
    return sorted(
        {place for place in story.places.values() if place.startswith("meld ")}, key=_side
    )


def _hand_lines(story: Story, seats: int) -> Iterator[str]:
    table = story.table
    yield "dealt"
    for seat in range(seats):
        yield from _row(story, f"seat {seat}", table.hands[seat])
        yield from _row(story, f"laid by seat {seat}", table.laid[seat])
    yield from _row(story, "turned up", table.up)
    for name, cards in table.sets.items():
        yield from _row(story, f"put aside as {name!a}", cards)
    yield from _row(story, "stock", table.stock)
    yield "drawn" if story.drawn else "drawn: nothing"
    for seat in range(seats):
        positions = [place for place in sorted(story.drawn) if story.drawn[place] == seat]
        yield from _row(story, f"by seat {seat}", [table.stock[place] for place in positions])
    yield "at the end"
    for place in melds(story):
        yield from _row(story, place, story.at(place))
    for seat in range(seats):
        yield from _row(story, laid(seat), story.at(laid(seat)))
        yield from _row(story, holding(seat), story.at(holding(seat)))
    yield from _row(story, PILE, story.at(PILE))
    yield from _row(story, "stock left", story.at(STOCK))


def _row(story: Story, name: str, cards: Sequence[int]) -> Iterator[str]:
    if not cards:
        return
    faces = [story.deck[card] for card in cards]
    yield f"  {name} ({len(cards)}): {' '.join(faces[:_ROW])}"
    for start in range(_ROW, len(faces), _ROW):
        yield f"    {' '.join(faces[start : start + _ROW])}"


def _end(story: Story, card: int) -> str:
    place = story.places[card]
    return {STOCK: "still in the stock", PILE: "in the pile"}.get(place, place)


def _side(place: str) -> tuple[str, str]:
    return place.rpartition(" ")[2], place
