"""The whole report: a first page, the pictures, what was found, and the figures as JSON."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from fairdeal.cli.report import bars, style, svg
from fairdeal.cli.report.chosen import Choice
from fairdeal.cli.report.heat import MOST_CARDS, heat
from fairdeal.cli.report.picturing import pictures
from fairdeal.cli.report.subject import Source, Subject
from fairdeal.cli.report.tallies import SeatSum, Tally, tally_all
from fairdeal.cli.stats.looks import LEAST_DEALS
from verifier import VERSION
from verifier.selfhash import self_hash

_NOT_SHOWN: Final = (
    "Who sat at the table, and whether partners talked.",
    "That the site showed the players these cards: a player's own record does (--my-record).",
    "Games that were never in this input: only the log's complete_to_index speaks of those.",
    "Whether the service, which sees all cards, told anybody of them.",
    "By its pictures, cheating that is small or rare; and they can look odd by chance alone.",
)
_SECTIONS: Final = (
    ("findings", "What was found"),
    ("heat-map", "Shuffles: card by position"),
    ("seats", "Seats against their band"),
    ("promises-made", "The log's growth and promises"),
    ("game", "One game, drawn by the root"),
    ("data", "Figures as JSON"),
)


def write_page(source: Source) -> str:
    """Return the page; ASCII and UTF-8 are the same for it but for names in the input."""
    subject = source.subject
    choice = Choice(subject.root)
    tallies = tally_all(choice.take(source.transcripts()))
    parts = [
        *_head(subject),
        *_findings(subject),
        *_heat(tallies, subject),
        *_seats(tallies),
        *_log(subject),
        *pictures(choice.chosen(), source),
        *_data(subject, choice, tallies),
    ]
    return "\n".join(parts) + "\n"


def _head(subject: Subject) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Audit report: {escape(subject.verdict)}</title>"
    yield f"<style>{style.STYLE}</style>\n</head>\n<body>"
    yield svg.patterns()
    yield "<header><h1>Audit report</h1>"
    yield f'<p class="verdict"><b>{escape(subject.verdict)}</b> {escape(subject.sentence)}</p>'
    yield "</header>\n<main>"
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in subject.scope
    )
    yield f"<h2>Scope</h2><table><caption>What was looked at</caption><tbody>{rows}</tbody></table>"
    yield f"<h2>Method</h2><ul>{_items(subject.method)}</ul>"
    yield f"<h2>What this report does not show</h2><ul>{_items(_NOT_SHOWN)}</ul>"
    yield "<h2>Made with</h2>"
    yield (
        f"<p>fairdeal-verify {escape(VERSION)}, sha256 of its sources"
        f" <code>{self_hash()}</code>. The same input and the same version give this file again,"
        " byte for byte:</p>"
    )
    yield f"<pre>{escape(subject.command)}</pre>"
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in _SECTIONS)
    yield f'<nav aria-label="Contents"><h2>Contents</h2><ol>{links}</ol></nav>'


def _items(sentences: Sequence[str]) -> str:
    return "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)


def _findings(subject: Subject) -> Iterator[str]:
    yield _title("findings")
    if not subject.found:
        yield "<p>Nothing was found against any of it.</p>"
        return
    rows = "".join(
        f"<tr><td>{escape(one.code)}</td><td>{escape(_plain(one.where))}</td>"
        f"<td>{escape(_plain(one.sentence))}</td></tr>"
        for one in subject.faults
    )
    yield f"<p>{subject.found:,} findings; {len(subject.faults):,} are listed.</p>"
    yield (
        '<table><caption>Findings</caption><thead><tr><th scope="col">code</th>'
        '<th scope="col">where</th><th scope="col">what</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _plain(text: str) -> str:
    """Return text that any page may hold: what cannot be printed is escaped."""
    return "".join(
        one if one.isprintable() else one.encode("ascii", "backslashreplace").decode()
        for one in text
    )


def _heat(tallies: Sequence[Tally], subject: Subject) -> Iterator[str]:
    yield _title("heat-map")
    pictured = [one for one in tallies if len(one.shape.deck) <= MOST_CARDS]
    if not pictured:
        yield f"<p>There is no deal of at most {MOST_CARDS} cards to be pictured.</p>"
        return
    yield from heat(pictured[0], subject.root)
    for other in tallies:
        if other is not pictured[0]:
            size = len(other.shape.deck)
            yield f"<p>Not pictured: {other.deals:,} deals of {size} cards.</p>"


def _seats(tallies: Sequence[Tally]) -> Iterator[str]:
    yield _title("seats")
    sums = _most(tallies)
    if not sums:
        yield "<p>There is no deal of canasta to look at.</p>"
        return
    deals, found = sums
    limit = bars.seat_limit(len(found))
    outside = sum(abs(one.z) > limit for one in found)
    words = (
        f"{len(found)} looks at {deals:,} deals: {outside} are more than {limit:.2f} standard"
        " deviations off."
    )
    yield f"<figure>{bars.draw_seats('strip', found, limit, words)}<figcaption>{words} The grey"
    yield (
        " band holds 95 of a hundred fair looks, for this number of deals; between the dashed"
        " lines lie all fair looks of 99 reports in a hundred.</figcaption></figure>"
    )
    if deals < LEAST_DEALS:
        yield f"<p>{deals} deals are too few to judge by; {LEAST_DEALS} are needed.</p>"
    rows = "".join(
        f"<tr><td>{one.measure}</td><td>{one.seat}</td><td>{one.mean:.3f}</td>"
        f"<td>{one.due:.3f}</td><td>{one.z:+.2f}</td></tr>"
        for one in found
    )
    yield (
        '<table><caption>A deal, on average</caption><thead><tr><th scope="col">measure</th>'
        '<th scope="col">seat</th><th scope="col">found</th><th scope="col">due</th>'
        f'<th scope="col">standard deviations</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _most(tallies: Sequence[Tally]) -> tuple[int, list[SeatSum]] | None:
    for tally in tallies:
        if sums := list(tally.seat_sums()):
            return tally.deals, sums
    return None


def _log(subject: Subject) -> Iterator[str]:
    yield _title("promises-made")
    if subject.promises is None:
        yield "<p>A folder of transcripts has no log: nothing is known of its promises.</p>"
        return
    yield "<p>The secret of a hand is promised within 5 s of its score, by the records' times.</p>"
    yield f"<figure>{bars.draw_promises(*subject.promises)}</figure>"
    if subject.days:
        yield f"<figure>{bars.draw_growth(subject.days)}<figcaption>Finished games a day, by the"
        yield " day of the master record.</figcaption></figure>"
    if subject.statistics:
        yield f"<pre>{escape(chr(10).join(subject.statistics))}</pre>"


def _data(subject: Subject, choice: Choice, tallies: Sequence[Tally]) -> Iterator[str]:
    yield _title("data")
    said = {
        "kind": "fairdeal-report-1",
        "verdict": subject.verdict,
        "exit": subject.exit_status,
        "root": subject.root,
        "audit": subject.figures,
        "found": subject.found,
        "games": choice.games,
        "left_out": choice.left_out,
        "deals": [_tally(one) for one in tallies],
    }
    text = json.dumps(said, ensure_ascii=True, separators=(",", ":"))
    yield f'<pre id="figures">{escape(text, quote=False)}</pre>\n</main>\n</body>\n</html>'


def _tally(tally: Tally) -> dict[str, object]:
    size = len(tally.shape.deck)
    cells = tally.cells.tolist() if size <= MOST_CARDS else None
    return {
        "cards": size,
        "deals": tally.deals,
        "seats": tally.shape.seats,
        "canasta": tally.shape.is_canasta,
        "positions_by_card": cells,
        "sums": [
            [one.measure, one.seat, round(one.mean, 6), round(one.due, 6), round(one.z, 6)]
            for one in tally.seat_sums()
        ],
    }


def _title(name: str) -> str:
    return f'<h2 id="{name}">{dict(_SECTIONS)[name]}</h2>'
