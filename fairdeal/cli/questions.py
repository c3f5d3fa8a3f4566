"""What scenarios ask that is no act of a seat: deals, sums and the match, by the engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairdeal.canasta import acts, cards, engine, match
from fairdeal.canasta.endings import WENT_OUT
from fairdeal.canasta.play import begin_turn
from fairdeal.canasta.position import BLACK3_SLOT, Position, minimum_at
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.shape import fits
from fairdeal.cli.situations import SIDES, face_of
from fairdeal.fairness.deal import Deal, deal, first_seat_of
from fairdeal.fairness.steps import Replace, Step, Turn, parse_steps
from fairdeal.game.table import steps


def by_side(values: Sequence[Any]) -> dict[str, Any]:
    """Name values of sides as scenarios do."""
    return dict(zip(SIDES, values, strict=False))


def hand_scores(position: Position) -> dict[str, int]:
    """Give the points that each side would book now."""
    return by_side([side.hand for side in sheet(position)])


def answer(
    rules: Ruleset, situation: Mapping[str, Any], position: Position, action: Mapping[str, Any]
) -> dict[str, Any]:
    """Give everything that the engine has to say to a question, by the file's own keys."""
    match action["type"]:
        case "turn_upcard":
            return _upcard(rules, situation)
        case "expose_red_threes":
            return _red_threes(rules, situation, position)
        case "deal_counts":
            return _counts(rules)
        case "next_deal":
            first = first_seat_of((situation["dealer"] + 1) % rules.players, 2, rules.players)
            return {"dealer": (first - 1) % rules.players, "first_seat": first}
        case "end_hand":
            return _hand_ended(rules, situation, position, action)
        case "score_hand":
            return _scored(position, action)
        case "deck_totals":
            return _totals(rules)
        case "opening_minimum":
            return {"minimums": [minimum_at(rules, total) for total in action["scores"]]}
        case "count_melds":
            return {"count": _melds(rules)}
        case other:
            raise KeyError(other)


def _steps(rules: Ruleset, kind: type[Step] | None = None) -> list[Step]:
    found = parse_steps(steps(rules), cards=rules.cards, seats=rules.players)
    return [step for step in found if kind is None or isinstance(step, kind)]


def _upcard(rules: Ruleset, situation: Mapping[str, Any]) -> dict[str, Any]:
    deck = [face_of(one) for one in situation["stock"]]
    found = deal(range(len(deck)), deck, _steps(rules, Turn), rules.players, 0)
    position = engine.start(
        rules,
        holdings=[[] for _ in range(rules.players)],
        laid=[[] for _ in range(rules.players)],
        up=[deck[card] for card in found.up],
        stock=[deck[card] for card in found.stock],
        first_seat=0,
        totals=[0] * len(rules.side_seats),
    )
    return {
        "pile": [cards.FACES[card] for card in position.pile],
        "frozen": position.frozen,
        "stock_left": position.stock_left,
    }


def _red_threes(rules: Ruleset, situation: Mapping[str, Any], position: Position) -> dict[str, Any]:
    """Lay the red threes of the deal: by its steps, or by the acts of the first turns (R-9)."""
    first = (situation.get("dealer", rules.players - 1) + 1) % rules.players
    if rules.red3_initial_when == "before_first_turn":
        return _replaced(rules, situation, first)
    position.shown = [False] * rules.players
    for seat in (*range(first, rules.players), *range(first)):
        begin_turn(position, seat)
        if next(engine.legal_acts(position)) == acts.Show():
            engine.play(position, seat, acts.Show())
    return {
        "hands": {
            str(seat): [cards.FACES[card] for card in position.holding(seat)]
            for seat in range(rules.players)
        },
        "red_threes": by_side([[cards.FACES[card] for card in laid] for laid in position.red3]),
        "stock_left": position.stock_left,
    }


def _replaced(rules: Ruleset, situation: Mapping[str, Any], first: int) -> dict[str, Any]:
    """Deal a situation's holdings from the top, then run the step that lays red threes."""
    hands = situation["hands"]
    order = [(first + at) % rules.players for at in range(rules.players)]
    deck = [face_of(one) for seat in order for one in hands.get(str(seat), [])]
    deck += [face_of(one) for one in situation["stock"]]
    found = _deal_uneven(rules, deck, [len(hands.get(str(seat), [])) for seat in order], first)
    laid = [[deck[card] for card in one] for one in found.laid]
    return {
        "hands": {str(seat): [deck[card] for card in one] for seat, one in enumerate(found.hands)},
        "red_threes": by_side(
            [[face for seat in seats for face in laid[seat]] for seats in rules.side_seats]
        ),
        "stock_left": len(found.stock),
    }


def _deal_uneven(rules: Ruleset, deck: Sequence[str], sizes: Sequence[int], first: int) -> Deal:
    """Replace in holdings of unequal size: seat by seat, each from what the last one left."""
    hands: dict[int, tuple[int, ...]] = {}
    laid: dict[int, tuple[int, ...]] = {}
    replaces = _steps(rules, Replace)
    start, stock = 0, list(range(sum(sizes), len(deck)))
    for at, size in enumerate(sizes):
        order = [*range(start, start + size), *stock]
        faces = [deck[card] for card in order]
        dealt = [*parse_steps(_one_hand(size), cards=len(order), seats=1), *replaces]
        found = deal(range(len(order)), faces, dealt, 1, 0)
        seat = (first + at) % rules.players
        hands[seat] = tuple(order[card] for card in found.hands[0])
        laid[seat] = tuple(order[card] for card in found.laid[0])
        start, stock = start + size, [order[card] for card in found.stock]
    seats = range(rules.players)
    return Deal(
        hands=tuple(hands[seat] for seat in seats),
        laid=tuple(laid[seat] for seat in seats),
        up=(),
        sets=(),
        stock=tuple(stock),
    )


def _one_hand(size: int) -> list[dict[str, object]]:
    return [{"op": "deal", "count": size, "packet": size}] if size else []


def _counts(rules: Ruleset) -> dict[str, Any]:
    """Count a deal in which nothing is covered or replaced: its special cards lie last."""
    deck = sorted(cards.deck(rules.decks, rules.jokers), key=_is_special)
    found = deal(range(len(deck)), deck, _steps(rules), rules.players, 0)
    return {
        "dealt": sum(map(len, found.hands)),
        "pile": len(found.up),
        "stock": len(found.stock),
    }


def _is_special(face: str) -> bool:
    return cards.class_word(cards.CLASS_OF[cards.NUMBER[face]]) != ""


def _hand_ended(
    rules: Ruleset, situation: Mapping[str, Any], position: Position, action: Mapping[str, Any]
) -> dict[str, Any]:
    gained = action["hand_scores"]
    totals = [total + gained.get(SIDES[side], 0) for side, total in enumerate(position.totals)]
    over = match.is_over(rules, totals, situation.get("hands_played", 0) + 1)
    best = match.winner(totals)
    winner = ("tie" if best is None else SIDES[best]) if over else None
    return {
        "scores": by_side(totals),
        "match_over": over,
        "winner": winner,
        "next_minimums": by_side([minimum_at(rules, total) for total in totals]),
    }


def _scored(position: Position, action: Mapping[str, Any]) -> dict[str, Any]:
    if action["went_out"] is not None:
        position.out, position.end = action["went_out"], WENT_OUT
    position.concealed = action["concealed"]
    return {"hand_scores": hand_scores(position)}


def _totals(rules: Ruleset) -> dict[str, Any]:
    deck = cards.deck(rules.decks, rules.jokers)
    classes = [cards.CLASS_OF[cards.NUMBER[face]] for face in deck]
    points = sum(cards.VALUES[klass] for klass in classes)
    red = classes.count(cards.RED3) * rules.red3_each
    return {
        "cards": len(deck),
        "points_without_red_threes": points,
        "points_with_red_threes": points + red,
    }


def _melds(rules: Ruleset) -> int:
    """Count the melds of one laying as (rank, naturals, deuces, jokers), suits ignored (R-89)."""
    copies = 4 * rules.decks
    ordinary = sum(
        fits(rules, 0, (0, 0), naturals, deuces + jokers)
        for naturals in range(copies + 1)
        for deuces in range(copies + 1)
        for jokers in range(rules.jokers + 1)
    )
    threes = (fits(rules, BLACK3_SLOT, (0, 0), black, 0) for black in range(2 * rules.decks + 1))
    return len(cards.MELD_RANKS) * ordinary + sum(threes)
