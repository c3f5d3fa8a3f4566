"""An act in words, for people: what a button says (product §6.5)."""

from fairdeal.canasta import acts, cards
from fairdeal.canasta.position import Position
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import LONGEST, Apart, Card, Facts, Language, On, One, Some, Value


def describe(position: Position, act: acts.Act, language: Language = ENGLISH) -> str:
    """Say in one sentence of at most 140 characters what an act does.

    Args:
        position: The position before the act, or what its seat knows of it.
        act: The act.
        language: The language of the sentence.
    """
    for key, variant, facts in _sayings(position, act):
        sentence = language.say(key, variant, facts)
        if len(sentence) <= LONGEST:
            break
    return sentence


def counted(faces: tuple[str, ...] | list[str]) -> tuple[Value, ...]:
    """Give cards as counts of ranks, in their order: two kings, a joker."""
    ranks = [_noun(face) for face in faces]
    return tuple(Some(rank, ranks.count(rank)) for rank in dict.fromkeys(ranks))


def _noun(face: str) -> str:
    if face in (cards.JOKER_FACE, "3D", "3H"):
        return "JK" if face == cards.JOKER_FACE else "red3"
    return face[0]


def _sayings(position: Position, act: acts.Act) -> list[tuple[str, str, Facts]]:
    """Give the ways to say an act, fullest first."""
    match act:
        case acts.Draw():
            wanted = min(position.rules.draw_count, position.stock_left)
            facts = {"draw": Some("card", wanted), "cards": Some("card", position.stock_left)}
            return [("act.draw", "", facts)]
        case acts.Take():
            return _take(position, act)
        case acts.Lay(groups, discard):
            return _lay(groups, discard)
        case acts.Discard(card):
            return [("act.discard", "", {"card": Card(card)})]
        case acts.Show():
            red = position.counts[position.turn][cards.RED3]
            return [("act.show", "", {"cards": Some("red3", red)})]
        case acts.Ask():
            return [("act.ask", "", {})]
        case acts.Answer(yes):
            may = yes and position.rules.permission_yes == "may"
            return [("act.yes" if yes else "act.no", "may" if may else "", {})]
        case acts.End():
            return [("act.end", "red3" if position.last_red3 else "", {})]


def _take(position: Position, act: acts.Take) -> list[tuple[str, str, Facts]]:
    pile: dict[str, Value] = {"cards": Some("card", len(position.pile))}
    own, groups = counted(act.own), told_groups(act.groups)
    laid = len(acts.cards_of(act))
    many: Facts = {
        **pile,
        "laid": Some("card", laid),
        "melds": Some("meld", 1 + len(act.groups)),
    }
    full: Facts = {**pile, "rank": One(act.rank), "own": own, "groups": groups}
    variant = ("with" if own else "") + (
        "_and" if own and act.groups else "and" if act.groups else ""
    )
    return [("act.take", variant, full), ("act.take", "many", many)]


def _lay(groups: tuple[acts.Group, ...], discard: str | None) -> list[tuple[str, str, Facts]]:
    laid = sum(len(one.cards) for one in groups)
    card: dict[str, Value] = {} if discard is None else {"card": Card(discard)}
    few: Facts = {"groups": told_groups(groups), **card}
    many: Facts = {"laid": Some("card", laid), "melds": Some("meld", len(groups)), **card}
    end = "discard" if card else ""
    return [("act.lay", end, few), ("act.lay", f"many_{end}" if end else "many", many)]


def told_groups(groups: tuple[acts.Group, ...]) -> Value:
    """Give groups as they are told: wild cards alone with the meld that they join."""
    return Apart(tuple(_group(one) for one in groups))


def _group(one: acts.Group) -> Value:
    named = one.rank == "W" or any(_noun(face) == one.rank for face in one.cards)
    return counted(one.cards) if named else On(counted(one.cards), one.rank)
