"""What a ruleset gives to record 0: deck, steps and sides (protocol.md 6.1)."""

from collections.abc import Mapping

from verifier.canasta.faces import DECK_RANKS, JOKER, KIND_FACES, RED_THREES, SUITS


def deck_of(decks: int, jokers: int) -> list[str]:
    """The faces of the whole deck in order: packs in turn, each followed by its jokers.

    Args:
        decks: How many packs of 52.
        jokers: How many in all; each pack gets ``jokers // decks``, the last the remainder too.
    """
    pack = [rank + suit for suit in SUITS for rank in DECK_RANKS]
    share, remainder = divmod(jokers, decks)
    return (pack + [JOKER] * share) * decks + [JOKER] * remainder


def steps_of(hand_size: int, upcard_cover: list[str], red3_initial_when: str) -> list[object]:
    """The steps of a deal as record 0 must state them, face lists in ascending ASCII order."""
    covered = sorted(face for word in upcard_cover for face in KIND_FACES[word])
    steps: list[object] = [
        {"op": "deal", "count": hand_size, "packet": 1},
        {"op": "turn", "until_not": covered},
    ]
    if red3_initial_when == "before_first_turn":
        steps.append({"op": "replace", "faces": list(RED_THREES)})
    return steps


def sides_of(sides: str, players: int) -> list[list[int]]:
    """The seats of each side, in the order of ``play.sides`` (rules.md, after the clashes)."""
    if sides == "partners":
        return [[seat, seat + players // 2] for seat in range(players // 2)]
    if sides == "two_teams_of_three":
        return [[0, 2, 4], [1, 3, 5]]
    return [[seat] for seat in range(players)]


def same_json(given: object, due: object) -> bool:
    """Whether two JSON values are the same, types included: true is not 1.

    Args:
        given: Any JSON value, however deep.
        due: What it is compared with; only as deep as this is looked at.
    """
    if type(given) is not type(due):
        return False
    if isinstance(due, Mapping) and isinstance(given, Mapping):
        return given.keys() == due.keys() and all(same_json(given[key], due[key]) for key in due)
    if isinstance(due, list) and isinstance(given, list):
        return len(given) == len(due) and all(map(same_json, given, due))
    return given == due
