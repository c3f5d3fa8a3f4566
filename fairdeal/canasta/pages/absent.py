"""The page of variants and features that are not offered, with the reason."""

from typing import Final, NamedTuple


class Absent(NamedTuple):
    """Something that is not offered.

    Attributes:
        name: What it is called.
        kind: ``game``, ``rule`` or ``service``.
        why: The reason.
    """

    name: str
    kind: str
    why: str


_SEQUENCES: Final = (
    "melds of one suit in sequence, several melds of a rank and another rule for the pile by kind "
    "of meld: a new kind of meld, not a setting"
)

ABSENT: Final = (
    Absent("Samba", "game", _SEQUENCES),
    Absent("Bolivia", "game", _SEQUENCES + "; black threes in the hand cost 100"),
    Absent("Brazilian canasta", "game", _SEQUENCES + "; opening by canastas from 7,000 on"),
    Absent("Dollars from Heaven", "game", _SEQUENCES + "; a second hand, and the top five only"),
    Absent(
        "Pennies from Heaven",
        "game",
        "a second hand for each player and a contract of four kinds of canasta",
    ),
    Absent(
        "Hand and Foot",
        "game",
        "a second hand, books that close, and as many rule sheets as tables",
    ),
    Absent(
        "Mexicana", "game", "13 more cards at the first meld; the rest of it is not written down"
    ),
    Absent(
        "Italian canasta",
        "game",
        "a first pile of hidden cards, deuces as a rank of their own, bonuses by kinds of canastas",
    ),
    Absent("Cuban canasta", "game", "we found no written rules that we would stand for"),
    Absent(
        "Modern American canasta",
        "game",
        "special hands replace the score, its sign depends on the number of canastas, and a talon",
    ),
    Absent(
        "Three players, cut-throat",
        "game",
        "who plays alone is settled in mid-hand, so sides would change while they score",
    ),
    Absent(
        "Six players, one of each trio sitting out in turn",
        "game",
        "a seat has one player here; the four who play can play the game for four",
    ),
    Absent("Buraco, Biriba, Burraco", "game", "another game: runs of a suit and reserve hands"),
    Absent(
        "Sequence melds as an option of classic canasta",
        "rule",
        "found at one site only, with its own rule for the pile",
    ),
    Absent(
        "100 off for a black three in the hand",
        "rule",
        "sheets disagree on it; black threes count five",
    ),
    Absent(
        "Bonuses for five or seven canastas",
        "rule",
        "Spanish and Argentine sheets contradict one another",
    ),
    Absent(
        "Taking only the top five or seven cards of the pile",
        "rule",
        "belongs to games that are not offered",
    ),
    Absent("A cut of the deck by hand", "rule", "the players' seeds take its place"),
    Absent(
        "Misdeals and deal corrections",
        "rule",
        "a deal here cannot be short or long; anybody can check it",
    ),
    Absent(
        "Penalties for irregular plays, exposed cards, taking back",
        "rule",
        "what the rules forbid never takes effect, so there is nothing to punish or to undo",
    ),
    Absent(
        "Red threes kept by mistake",
        "rule",
        "they are laid by the service, or must be laid first in the own first turn",
    ),
    Absent(
        "Chat during a hand",
        "service",
        "talk about hands is against the rules; the question to the partner is the only channel",
    ),
    Absent("Languages beyond English", "service", "not yet: the catalogue of sentences is ready"),
    Absent(
        "A directory of sites", "service", "not yet: somebody would have to vouch for each of them"
    ),
    Absent("The daily canary", "service", "not yet: no test log of ours plants faults"),
    Absent(
        "ML-DSA signatures", "service", "not yet: one kind of signature is to prove itself first"
    ),
    Absent(
        "Time-lock escrow of the master",
        "service",
        "not yet: every game would lean on a network of others",
    ),
    Absent(
        "Anchors to outside time stamps",
        "service",
        "not yet: witnesses of the log sign with the time",
    ),
    Absent(
        "Proof against collusion",
        "service",
        "a proven deal does not show whether players talk outside; nobody can offer that",
    ),
)

_HEADINGS: Final = {"game": "Other games", "rule": "Rules", "service": "Features of the service"}


def page() -> str:
    """Give the page as Markdown."""
    told = [
        "# Variants and features not offered",
        "",
        (
            "What is not here, and why. None of it is imitated half: a game that is not "
            "among the presets is not dealt under its name."
        ),
    ]
    for kind, heading in _HEADINGS.items():
        told += ["", f"## {heading}", ""]
        told += [f"- **{one.name}**: {one.why}." for one in ABSENT if one.kind == kind]
    return "\n".join(told) + "\n"
