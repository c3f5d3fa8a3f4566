"""A hand told record by record as text, with what lies where after each."""

from collections import defaultdict
from collections.abc import Iterator

from fairdeal.cli.report.ladder import pile_history
from verifier.story.follow import Step, Story


def frames(story: Story, seats: int) -> Iterator[str]:
    """Yield one frame a record: what moved, then how many cards lie where."""
    moved: dict[int, list[tuple[int, Step]]] = defaultdict(list)
    for card, steps in story.steps.items():
        for step in steps:
            moved[step.at].append((card, step))
    pile = dict(pile_history(story))
    held, stock, heap = [0] * seats, len(story.table.stock), 0
    for number, at in enumerate(sorted(moved)):
        heap = pile.get(at, heap)
        yield f"record {at}"
        if number == 0:
            held = [len(cards) for cards in story.table.hands]
            for seat, cards in enumerate(story.table.hands):
                faces = " ".join(story.deck[card] for card in cards)
                yield f"  seat {seat} is dealt {faces}"
            turned = " ".join(story.deck[card] for card in story.table.up)
            yield f"  turned up {turned or 'nothing'}"
        else:
            by_words: dict[str, list[str]] = {}
            for card, step in moved[at]:
                by_words.setdefault(step.words, []).append(story.deck[card])
                for seat in range(seats):
                    held[seat] += _change(step, seat)
                stock -= _is_drawn(step)
            yield from (f"  {words}: {' '.join(faces)}" for words, faces in by_words.items())
        counts = ", ".join(f"seat {seat} {count}" for seat, count in enumerate(held))
        yield f"  after it: {counts}; pile {heap}; stock {stock}"


def _is_drawn(step: Step) -> bool:
    return " draws it" in step.words


def _change(step: Step, seat: int) -> int:
    """Return by how much a step changes what a seat holds."""
    words = step.words
    if not words.startswith(f"seat {seat} "):
        return 0
    if words.endswith((" draws it", " takes it with the pile")):
        return 1
    if " discards it" in words or " shows it" in words or f"seat {seat} lays it: " in words:
        return -1
    return 0  # red threes drawn and laid, and the pile's top card melded, are never held
