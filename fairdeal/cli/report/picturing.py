"""The section on one game: its lanes, scores and luck, and one hand of it card by card."""

from collections.abc import Iterator
from html import escape

from fairdeal.cli.report import bars
from fairdeal.cli.report.cards import draw_cards
from fairdeal.cli.report.chosen import Chosen
from fairdeal.cli.report.frames import frames
from fairdeal.cli.report.ladder import draw_ladder, draw_pile, pile_history, totals
from fairdeal.cli.report.lanes import draw_lanes
from fairdeal.cli.report.luck import luck_of, so_odd
from fairdeal.cli.report.subject import Source


def pictures(chosen: Chosen | None, source: Source) -> Iterator[str]:
    """Yield the section's parts."""
    yield '<h2 id="game">One game, drawn by the root</h2>'
    if chosen is None:
        yield "<p>There is no finished game to picture.</p>"
        return
    number = chosen.hand.number
    yield (
        f"<p>Game <code>{escape(chosen.game)}</code>, and of it hand {number}: nobody chose them,"
        " the hash over the input did.</p>"
    )
    yield from _lanes(chosen, source)
    picture, told = draw_cards(chosen.story, chosen.state.seats)
    yield f"<h3>Where every card of hand {number} went</h3><figure>{picture}<figcaption>By place in"
    yield f" the deck, with the face and a letter. {escape(told)}.</figcaption></figure>"
    yield from _scores(chosen)
    yield from _luck(chosen)
    text = "\n".join(frames(chosen.story, chosen.state.seats))
    yield f"<h3>Hand {number}, record by record</h3><pre>{escape(text)}</pre>"


def _lanes(chosen: Chosen, source: Source) -> Iterator[str]:
    places = source.places(chosen.game)
    picture, rows = draw_lanes(chosen, places)
    order = "the places in the log" if places else "the record numbers in the file (no log)"
    yield f"<h3>Who knew what when</h3><figure>{picture}<figcaption>Left to right are {order}, not"
    yield (
        " clocks. c commits, s a seat's seed, p public, h own cards, r a secret comes"
        " out.</figcaption></figure>"
    )
    cells = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    yield (
        '<table><caption>The same as a table</caption><thead><tr><th scope="col">record</th>'
        '<th scope="col">place in the log</th><th scope="col">type</th><th scope="col">what it'
        f" tells</th></tr></thead><tbody>{cells}</tbody></table>"
    )


def _scores(chosen: Chosen) -> Iterator[str]:
    rows = totals(chosen)
    if rows:
        yield f"<h3>Score ladder</h3><figure>{draw_ladder(rows, chosen.game)}</figure>"
    history = pile_history(chosen.story)
    if history:
        number = chosen.hand.number
        yield f"<h3>The pile of hand {number}</h3><figure>{draw_pile(history, number)}</figure>"


def _luck(chosen: Chosen) -> Iterator[str]:
    found = list(luck_of(chosen))
    if not found:
        return
    hands = sum(hand.table is not None for hand in chosen.state.hands)
    limit = bars.seat_limit(len(found))
    words = f"Luck of {chosen.state.seats} seats in the {hands} hands of game {chosen.game}."
    yield f"<h3>Luck of the seats</h3><figure>{bars.draw_seats('luck', found, limit, words)}"
    yield "<figcaption>Luck is what chance gives; it is no fault of anybody.</figcaption></figure>"
    rows = "".join(
        f"<tr><td>{one.measure}</td><td>{one.seat}</td><td>{one.mean:.2f}</td>"
        f"<td>{one.due:.2f}</td><td>{so_odd(one)}</td></tr>"
        for one in found
    )
    yield (
        '<table><caption>A hand, on average</caption><thead><tr><th scope="col">measure</th>'
        '<th scope="col">seat</th><th scope="col">found</th><th scope="col">due</th>'
        '<th scope="col">players who would look as odd, or more</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
