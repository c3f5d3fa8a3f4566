"""The page of terms for players."""

from typing import Final

TERMS: Final[dict[str, str]] = {
    "black three": "The threes of clubs and spades. On top of the pile one blocks it for the next "
    "player. Three or four may be laid together by a player who goes out.",
    "blocked": "The top card is one that cannot be taken: a wild card or a three.",
    "canasta": "A meld of seven cards or more. *Natural* without wild cards, *mixed* with them.",
    "concealed": "Going out in one turn without having laid anything before.",
    "deuce": "A two; it is wild.",
    "discard": "The card that a player puts on the pile to end the turn.",
    "door": "A way to take the pile: a natural pair, a natural with a wild card, an existing meld.",
    "draw": "To take the next card of the stock; how a turn begins, unless one takes the pile.",
    "frozen": "A pile that only two natural cards from the hand can take: for everybody while a "
    "wild card or red three lies in it, and for a side that has not opened.",
    "going out": "Playing one's last card, which ends the hand. The side needs a canasta.",
    "hand": "One deal, played until somebody goes out or the stock is used up.",
    "holding": "The cards that a seat holds.",
    "meld": "Three or more cards of one rank on the table, at least two of them natural.",
    "minimum": "The points that a side's first melds of a hand must reach in one act.",
    "natural card": "Any card but jokers and deuces.",
    "opening": "The first melds of a side in a hand. From then on it has *opened*.",
    "pile": "The discards, face up. It is taken whole, and its top card is melded at once.",
    "red three": "The threes of diamonds and hearts. Laid apart as soon as they come, they bring "
    "points, or cost them if the side has no meld.",
    "side": "The seats that score together: two partners, a team of three, or one player.",
    "stock": "The undealt cards, face down.",
    "unfinished meld": "A meld of fewer than seven cards.",
    "upcard": "The card turned after the deal; the pile begins with it.",
    "wild card": "A joker or a deuce; it stands for a card of any rank from four to ace.",
}
"""Term -> meaning, in alphabetical order."""

_OTHERS: Final = (
    "## Not the same as",
    "",
    (
        "- **Buraco, Biriba, Burraco**: there runs of one suit are the heart of the game, and each "
        "side has a reserve hand (the *pot*) to take up. Canasta has ranks only and no reserve."
    ),
    (
        "- **Rummy 500**: one may take part of the pile, lay runs, and add to anybody's melds. In "
        "canasta the pile is taken whole, and nobody adds to another side's melds."
    ),
    "- **Samba, Bolivia, Hand and Foot** and others: see [not-offered](not-offered.md).",
)


def page() -> str:
    """Give the page of terms as Markdown."""
    rows = [f"- **{term}**: {meaning}" for term, meaning in TERMS.items()]
    head = ["# Terms", "", "The words of the game, as the referee uses them.", ""]
    return "\n".join([*head, *rows, "", *_OTHERS]) + "\n"
