"""What record 0 says about a refereed game, judged against protocol.md 6.1."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from verifier.canasta.clashes import clash_fault
from verifier.canasta.fields import field_fault
from verifier.canasta.table import deck_of, same_json, sides_of, steps_of

PLAY_KEYS: Final = {"custody", "game", "preset", "ruleset", "seating", "sides", "v"}
CUSTODY_KINDS: Final = {
    "player": "player",
    "site": "player",
    "service-bot": "bot",
    "site-bot": "bot",
}
_GAME_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")
_HEX_256: Final = re.compile(r"[0-9a-f]{64}")


def play_fault(rules: Mapping[str, object], seats: Sequence[object]) -> str | None:
    """Name what is wrong in the ``play`` of a refereed game, or None (protocol.md 6.1).

    Args:
        rules: Record 0's ``rules`` object, with a ``play`` whose ``v`` is 1; any JSON inside.
        seats: Record 0's ``seats``, objects with a ``kind``.
    """
    play = rules.get("play")
    if not isinstance(play, dict):
        return "rules.play is not an object"
    if play.keys() != PLAY_KEYS:
        odd = min(str(key) for key in play.keys() ^ PLAY_KEYS)
        return f"rules.play {'lacks' if odd in PLAY_KEYS else 'has an unknown'} field {odd!r}"
    if not same_json(play["v"], 1):
        return "rules.play.v is not the integer 1"
    if not same_json(play["game"], "canasta"):
        return 'rules.play.game is not "canasta"'
    if not _is_text(play["preset"]):
        return "rules.play.preset is not a text of at most 200 characters"
    ruleset = play["ruleset"]
    return (
        field_fault(ruleset)
        or clash_fault(ruleset)
        or _derived_fault(rules, play, ruleset)
        or _custody_fault(play["custody"], seats)
        or _seating_fault(play["seating"])
    )


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or len(value) > 200:
        return False
    return not any(ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F for letter in value)


def _derived_fault(
    rules: Mapping[str, object], play: Mapping[str, object], ruleset: Mapping[str, object]
) -> str | None:
    """Compare what the ruleset gives: number of seats, sides, deck and steps."""
    players, decks, jokers = ruleset["players"], ruleset["decks"], ruleset["jokers"]
    hand_size, cover = ruleset["hand_size"], ruleset["upcard_cover"]
    assert isinstance(players, int)
    assert isinstance(decks, int)
    assert isinstance(jokers, int)
    assert isinstance(hand_size, int)
    assert isinstance(cover, list)
    if not same_json(rules.get("seats"), players):
        return f"the ruleset is for {players} players, rules.seats says otherwise"
    if not same_json(play["sides"], sides_of(str(ruleset["sides"]), players)):
        return "rules.play.sides is not what the ruleset gives"
    deck = rules.get("deck")
    due = deck_of(decks, jokers)
    if not isinstance(deck, list) or len(deck) != len(due):
        return f"rules.deck does not have the {len(due)} cards of the ruleset"
    for index, face in enumerate(due):
        if not same_json(deck[index], face):
            return f"rules.deck has {deck[index]!r} at {index}, where the ruleset gives {face}"
    if not same_json(
        rules.get("steps"), steps_of(hand_size, cover, str(ruleset["red3_initial_when"]))
    ):
        return "rules.steps are not what the ruleset gives"
    return None


def _custody_fault(custody: object, seats: Sequence[object]) -> str | None:
    if not isinstance(custody, list) or len(custody) != len(seats):
        return "rules.play.custody does not have one word a seat"
    for seat, (word, entry) in enumerate(zip(custody, seats, strict=True)):
        if not isinstance(word, str) or word not in CUSTODY_KINDS:
            return f"rules.play.custody of seat {seat} is none of {', '.join(CUSTODY_KINDS)}"
        if not isinstance(entry, dict) or entry.get("kind") != CUSTODY_KINDS[word]:
            return f"rules.play.custody says {word} of seat {seat}, which is of another kind"
    return None


def _seating_fault(seating: object) -> str | None:
    if same_json(seating, {"how": "given"}):
        return None
    if not isinstance(seating, dict) or seating.keys() != {"how", "game", "master_record"}:
        return 'rules.play.seating is neither {"how":"given"} nor a draw with game and record'
    if not same_json(seating["how"], "draw"):
        return "rules.play.seating.how is neither given nor draw"
    game, record = seating["game"], seating["master_record"]
    if not isinstance(game, str) or not _GAME_ID.fullmatch(game):
        return "rules.play.seating.game is not the name of a game"
    if not isinstance(record, str) or not _HEX_256.fullmatch(record):
        return "rules.play.seating.master_record is not a hash in hex"
    return None
