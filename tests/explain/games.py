"""Random play over every preset, and positions drawn from it; always the same for a seed."""

import random
from collections.abc import Iterator
from itertools import islice

from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.position import Position
from fairdeal.canasta.presets import PRESETS, build
from fairdeal.canasta.ruleset import Ruleset

SIX: dict[str, object] = {
    "decks": 3,
    "jokers": 6,
    "hand_size": 13,
    "red3_all": 1000,
    "target": 10000,
}
HOUSE_RULES: list[tuple[str, dict[str, object]]] = [
    ("classic@1", {"canastas_to_go_out": 2, "incomplete_meld_limit": 3}),
    ("classic@1", {"go_out_needs_natural": True, "go_out_discard": "required"}),
    ("classic@1", {"permission": "required", "opening_canasta_satisfies": True}),
    ("classic@1", {"buried_usable_same_turn": False, "wild_ratio": "lt_naturals"}),
    ("classic@1", {"wild_on_natural_canasta": "forbidden", "meld_max_size": 8}),
    ("classic@1", {"lay_on_completed_canasta": False, "canastas_to_go_out": 0}),
    ("classic@1", {"take_frozen": ["natural_wild"], "frozen_before_opening": False}),
    ("partnership@1", {"wild_melds": "allowed", "wild_canasta_bonus": 1000}),
]


def rulesets() -> list[Ruleset]:
    presets = [build(name, SIX if name == "six-player@1" else {}) for name in PRESETS]
    return presets + [build(name, changes) for name, changes in HOUSE_RULES]


def deal(rules: Ruleset, rng: random.Random) -> Position:
    """Deal a hand in the order of docs/rules.md, with red threes replaced where they are."""
    deck = list(cards.deck(rules.decks, rules.jokers))
    rng.shuffle(deck)
    holdings = [[deck.pop() for _ in range(rules.hand_size)] for _ in range(rules.players)]
    up = [deck.pop()]
    while cards.class_word(cards.CLASS_OF[cards.NUMBER[up[-1]]]) in rules.upcard_cover:
        up.append(deck.pop())
    laid: list[list[str]] = [[] for _ in holdings]
    if rules.red3_initial_when == "before_first_turn":
        for seat, holding in enumerate(holdings):
            for place in range(len(holding)):
                while holding[place] in ("3D", "3H"):
                    laid[seat].append(holding[place])
                    holding[place] = deck.pop()
    totals = [rng.choice([-100, 0, 700, 1500, 3000]) for _ in rules.side_seats]
    return engine.start(
        rules,
        holdings=holdings,
        laid=laid,
        up=up,
        stock=deck[::-1],
        first_seat=rng.randrange(rules.players),
        totals=totals,
    )


def pick(position: Position, rng: random.Random) -> acts.Act:
    """Choose a legal act: lays and takes more often than their share, to get far."""
    listed = list(islice(engine.legal_acts(position), 80))
    if rng.random() < 0.05 and any(isinstance(act, acts.Ask) for act in listed):
        return acts.Ask()
    good = [act for act in listed if isinstance(act, acts.Lay | acts.Take)]
    if good and rng.random() < 0.8:
        return rng.choice(good)
    return rng.choice(listed)


def walk(rules: Ruleset, rng: random.Random) -> Iterator[tuple[Position, int, acts.Act | None]]:
    """Play a hand; give each position with the act that follows it, None at the end."""
    position = deal(rules, rng)
    while not position.end:
        act = pick(position, rng)
        yield position, position.turn, act
        position = engine.apply(position, position.turn, act).position
    yield position, position.turn, None


def positions(count: int, seed: int) -> Iterator[tuple[Position, random.Random]]:
    """Give positions from random play, rulesets in turn, a few of each hand."""
    rng = random.Random(seed)
    rules = rulesets()
    given = 0
    while True:
        for one in rules:
            for position, _, _ in walk(one, rng):
                if rng.random() < 0.15:
                    yield position, rng
                    given += 1
                    if given == count:
                        return


def hidden_permuted(position: Position, seat: int, rng: random.Random) -> Position:
    """Give the position with everything that a seat cannot see dealt anew, sizes kept."""
    twin = position.copy()
    others = [one for one in range(position.rules.players) if one != seat]
    pool = list(position.stock[position.drawn :])
    for one in others:
        pool += [card for card, held in enumerate(position.held[one]) for _ in range(held)]
    reds = position.rules.red3_initial_when == "before_first_turn"
    rng.shuffle(pool)
    if reds:  # nobody holds a red three, and everybody knows it
        pool.sort(key=lambda card: cards.CLASS_OF[card] == cards.RED3)
    for one in others:
        size = position.sizes[one]
        mine, pool = pool[:size], pool[size:]
        twin.held[one] = [mine.count(card) for card in range(cards.CARD_KINDS)]
        twin.counts[one] = [
            sum(twin.held[one][card] for card in cards.CARDS_OF[klass])
            for klass in range(cards.CLASSES)
        ]
    rng.shuffle(pool)
    twin.stock = position.stock[: position.drawn] + tuple(pool)
    return twin


def random_act(position: Position, seat: int, rng: random.Random) -> acts.Act:
    """Propose something: mostly from the holding, sometimes not, seldom sensible."""
    held = [
        cards.FACES[card] for card, number in enumerate(position.held[seat]) for _ in range(number)
    ]
    if rng.random() < 0.1 or not held:
        held.append(rng.choice(cards.FACES))
    words: list[acts.Act] = [acts.Draw(), acts.End(), acts.Ask(), acts.Answer(True), acts.Show()]
    kind = rng.random()
    if kind < 0.15:
        return rng.choice(words)
    if kind < 0.3:
        return acts.Discard(rng.choice(held))
    rng.shuffle(held)
    groups: dict[str, list[str]] = {}
    wilds = [face for face in held if face == "JK" or face[0] == "2"]
    for rank in rng.sample(acts.GROUP_RANKS, rng.randint(1, 3)):
        mine = [face for face in held if face[0] == rank and face != "JK"]
        chosen = mine[: rng.randint(0, len(mine))]
        chosen += [wilds.pop() for _ in range(min(len(wilds), rng.choice([0, 0, 1, 1, 2, 4])))]
        if rng.random() < 0.05:
            chosen.append(rng.choice(held))
        if chosen:
            groups[rank] = chosen
    made = tuple(
        sorted((acts.group(rank, faces) for rank, faces in groups.items()), key=acts.group_order)
    )
    if rng.random() < 0.4:
        top = cards.FACES[position.pile[-1]] if position.pile else "4C"
        rank = "W" if top == "JK" or top[0] == "2" else top[0]
        own = [face for face in held if face[0] == rank and face != "JK"][: rng.randint(0, 3)]
        own += wilds[: rng.choice([0, 0, 1, 2])]
        if not own and rank not in cards.MELD_RANKS:
            rank = "4"
        return acts.Take(
            rank, acts.group(rank, own).cards, tuple(one for one in made if one.rank != rank)
        )
    if made:
        return acts.Lay(made, rng.choice(held) if rng.random() < 0.3 else None)
    return acts.Discard(rng.choice(held))
