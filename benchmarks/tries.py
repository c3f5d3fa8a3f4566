"""Acts to try at a position: listed ones, listed ones changed, and acts made at random.

Texts only, of the grammar or nearly so; most of them break a rule.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from verifier.canasta.faces import FACES, MELD_RANKS, WILD_RANK, is_wild, rank
from verifier.canasta.grammar import Act, Group, Verb, format_act, parse_act
from verifier.canasta.melds import Count
from verifier.canasta.turn import Play

_PLAIN: Final = (Verb.DRAW, Verb.SHOW, Verb.ASK, Verb.YES, Verb.NO, Verb.END)
_ALL_FACES: Final = tuple(sorted(FACES))


def tries(play: Play, listed: Sequence[str], chance: Random, number: int) -> list[str]:
    """Give so many texts of acts, listed and unlisted, each once.

    Args:
        play: The hand; its seat in turn holds the cards of most of them.
        listed: Texts of legal acts.
        chance: Where to draw from.
        number: How many are wanted.
    """
    made: dict[str, None] = {}
    for _ in range(4 * number):
        if len(made) >= number:
            break
        kind = chance.random()
        if kind < 0.2 and listed:
            made[chance.choice(listed)] = None
        elif kind < 0.55 and listed:
            made[_changed(play, chance.choice(listed), listed, chance)] = None
        elif kind < 0.62:
            empty = play.turn.phase == "draw" and not play.position.stock_left
            made["end" if empty and chance.random() < 0.5 else chance.choice(_PLAIN)] = None
        elif kind < 0.7:
            faces = [*play.held()] or ["4C"]
            face = chance.choice(faces if chance.random() < 0.8 else _ALL_FACES)
            made[f"discard {face}"] = None
        else:
            made[format_act(_random_act(play, chance))] = None
    return list(made)


def _groups(
    held: Counter[str],
    melds: Mapping[str, Count],
    chance: Random,
    wanted: str | None,
    share: float,
) -> list[Group]:
    """Give groups of the holding at random: ranks, how many of each, wilds anywhere."""
    wilds = [face for face in held.elements() if is_wild(face)]
    chance.shuffle(wilds)
    by_rank: dict[str, list[str]] = {}
    for face in held.elements():
        if not is_wild(face):
            by_rank.setdefault(rank(face), []).append(face)
    groups: dict[str, list[str]] = {}
    for name, faces in by_rank.items():
        if chance.random() > share and name != wanted:
            continue
        number = len(faces) if chance.random() < 0.75 else chance.randint(1, len(faces))
        groups[name] = faces[:number]
    for wild in wilds:
        if chance.random() < share:
            names = [*groups, chance.choice([*MELD_RANKS, "W", "W"])]
            groups.setdefault(chance.choice(names), []).append(wild)
    made = [Group(name, tuple(faces)) for name, faces in groups.items()]
    if chance.random() < 0.2:
        return made
    return [group for group in made if group.rank == wanted or _is_likely(group, melds)]


def _is_likely(group: Group, melds: Mapping[str, Count]) -> bool:
    """Say whether a group looks like a meld, or joins one."""
    naturals = sum(not is_wild(face) for face in group.cards)
    return group.rank in melds or (
        len(group.cards) >= 3 and (naturals >= 2 or group.rank == WILD_RANK)
    )


def _random_act(play: Play, chance: Random) -> Act:
    top = play.position.top()
    takes = play.turn.phase == "draw" if chance.random() < 0.9 else chance.random() < 0.5
    if top is not None and rank(top) not in MELD_RANKS and chance.random() < 0.7:
        takes = False
    share = chance.choice((0.15, 0.4, 0.7, 1.0))
    if takes and top is not None:
        wanted = rank(top)
        groups = _groups(play.held(), play.melds(), chance, wanted, share)
        first = [group for group in groups if group.rank == wanted]
        if not first or (chance.random() < 0.2 and wanted in MELD_RANKS):
            first = [Group(wanted if wanted in MELD_RANKS else chance.choice(MELD_RANKS), ())]
        if chance.random() < 0.4:
            return Act(Verb.TAKE, tuple(first))
        return Act(Verb.TAKE, (*first, *(g for g in groups if g.rank != first[0].rank)))
    groups = _groups(play.held(), play.melds(), chance, None, share)
    if not groups:
        return Act(Verb.DISCARD, card=chance.choice([*play.held()] or _ALL_FACES))
    left = play.held() - Counter(face for group in groups for face in group.cards)
    card = chance.choice([*left]) if left and chance.random() < 0.4 else None
    return Act(Verb.LAY, tuple(groups), card)


def _changed(play: Play, text: str, listed: Sequence[str], chance: Random) -> str:
    """Change one act: a card more or less, a group more, another discard, or none."""
    act = parse_act(text)
    if act.verb not in (Verb.TAKE, Verb.LAY):
        return text if chance.random() < 0.5 else format_act(_random_act(play, chance))
    groups = {group.rank: list(group.cards) for group in act.groups}
    left = play.held() - Counter(act.cards())
    card = act.card
    match chance.randrange(5):
        case 0 if left:
            groups[chance.choice([*groups])].append(chance.choice([*left]))
        case 1:
            name = chance.choice([*groups])
            groups[name] = groups[name][:-1]
        case 2:
            other = parse_act(chance.choice(listed))
            for group in other.groups:
                if Counter(group.cards) <= left:
                    groups.setdefault(group.rank, []).extend(group.cards)
                    left -= Counter(group.cards)
        case 3:
            for group in _groups(left, play.melds(), chance, None, 0.5):
                groups.setdefault(group.rank, []).extend(group.cards)
        case _:
            card = chance.choice([*left]) if left and card is None else None
    keeps_empty = act.verb is Verb.TAKE
    made = [
        Group(name, tuple(cards))
        for place, (name, cards) in enumerate(groups.items())
        if cards or (keeps_empty and place == 0)
    ]
    if not made:
        return text
    if act.verb is Verb.TAKE:
        card = None
    return format_act(Act(act.verb, tuple(made), card))
