"""Public lines: what all see of a hand, and other hidden cards under which the same is seen.

A hand is played out by its rules alone. For each moment of it and each role the cards are known
that the role has not seen by then and that nobody's public act has needed; these may lie in any
other order. Whether the line is still legal with them is tried out, not believed.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

from fairdeal.bots import greedy
from fairdeal.canasta import acts, cards, engine
from fairdeal.errors import FairdealError
from fairdeal.fairness.deal import Deal, deal, first_seat_of
from fairdeal.fairness.steps import parse_steps
from fairdeal.game import Game, decide_act, fold, seat_knowledge
from fairdeal.game.dealing import position_of
from fairdeal.records.chain import make
from fairdeal.service.botplay import chosen

ODD_ACTS = 0.25
"""This share of the acts is drawn from all legal ones; the others a bot chooses."""

TRIES = 8


@dataclass(frozen=True, slots=True)
class Step:
    """An act of a line and all that is public of it."""

    seat: int
    text: str
    took: tuple[int, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A hand that was played out.

    Attributes:
        start: The game as the hand was dealt.
        steps: All acts but the one that ended the hand.
        last: That one, as seat and text.
        moments: The game before each act of `steps`, and before the last.
    """

    start: Game
    steps: tuple[Step, ...]
    last: tuple[int, str]
    moments: tuple[Game, ...]


def played_out(game: Game, chance: Random, humans: Container[int]) -> Line:
    """Play a refereed hand out; all seats but those of humans act as the service's bots do."""
    start = game
    steps: list[Step] = []
    moments: list[Game] = []
    while True:
        assert game.position is not None
        seat = game.position.turn
        text = _chosen(game, seat, chance, odd=seat in humans)
        (_, body), *after = decide_act(game, seat, text)
        moments.append(game)
        if after:
            return Line(start, tuple(steps), (seat, text), tuple(moments))
        steps.append(_step(seat, text, body))
        game = _acted(game, body)


def _chosen(game: Game, seat: int, chance: Random, *, odd: bool) -> str:
    if not game.is_player(seat):
        return acts.format_act(chosen(game, seat))
    known = seat_knowledge(game, seat)
    if odd and chance.random() < ODD_ACTS:
        legal = list(islice(engine.legal_acts(known), 40))
        # Whoever goes out at random ends each hand at once.
        return acts.format_act(chance.choice(legal))
    return acts.format_act(greedy.choose(known, seat))


def _step(seat: int, text: str, body: Any) -> Step:
    return Step(seat, text, tuple(body["took"]), tuple(body["shown"]))


def _acted(game: Game, body: Any) -> Game:
    head = game.head
    return fold(game, make(head, head.game, head.t, "act", body))


# ----------------------------------------------------------------------------- what is hidden


def unseen(
    line: Line, upto: int, seat: int | None, humans: Container[int]
) -> tuple[set[int], set[int]]:
    """Return the cards, as positions in the deck, that a role has not seen before an act.

    Args:
        line: The hand.
        upto: The number of the act.
        seat: The role's seat; None for one without.
        humans: Seats whose cards may be others; a bot would not play the same with other cards.

    Returns:
        Those in holdings of others that no act needed, and those that may be red threes as well:
        what is left of the stock, and the holdings of those who have not had to show theirs.
    """
    found, position = line.start.deal_of(line.start.hand), line.moments[upto].position
    assert position is not None
    held = [_by_face(line.start, hand) for hand in found.hands]
    for step, (before, after) in zip(
        line.steps[:upto], zip(line.moments, line.moments[1:], strict=False), strict=False
    ):
        _follow(held[step.seat], line.start, step, before, after)
    waits = line.start.referee.red3_initial_when == "at_own_first_turn"
    closed, free = set(), set(found.stock[position.drawn :])
    for other, faces in enumerate(held):
        if other == seat or other not in humans:
            continue
        mine = {card for copies in faces.values() for card in copies if card is not None}
        if waits and not position.shown[other]:
            free |= mine
        else:
            closed |= mine
    return closed, free


def _by_face(game: Game, hand: Sequence[int]) -> dict[str, list[int | None]]:
    held: dict[str, list[int | None]] = {}
    for card in hand:
        held.setdefault(game.deck[card], []).append(card)
    return held


def _follow(
    held: dict[str, list[int | None]], game: Game, step: Step, before: Game, after: Game
) -> None:
    """Let a holding lose what an act used, and gain what it brought; None is a card of the pile.

    Copies that came from the pile are used first: their faces are known to all.
    """
    act = acts.parse(step.text)
    used = list(acts.cards_of(act))
    if isinstance(act, acts.Show):
        used = list(step.shown)
    for face in used:
        copies = held[face]
        copies.remove(None) if None in copies else copies.pop()
    stock = game.deal_of(game.hand).stock
    for place in step.took:
        face = game.deck[stock[place]]
        if cards.CLASS_OF[cards.NUMBER[face]] != cards.RED3:
            held.setdefault(face, []).append(stock[place])
    assert before.position is not None
    assert after.position is not None
    for card, number in enumerate(after.position.held[step.seat]):
        copies = held.setdefault(cards.FACES[card], [])
        assert len(copies) <= number, (step, cards.FACES[card])
        copies += [None] * (number - len(copies))


def redealt(
    line: Line,
    order: Sequence[int],
    upto: int,
    seat: int | None,
    chance: Random,
    humans: Container[int],
) -> list[int] | None:
    """Return another order with which the same line is seen by a role up to an act.

    Args:
        line: The hand.
        order: The order in which it was dealt.
        upto: The number of the act.
        seat: The role's seat; None for one without.
        chance: Draws the other order.
        humans: As for `unseen`.

    Returns:
        None where none was found in a few tries.
    """
    closed, free = unseen(line, upto, seat, humans)
    stock = set(line.start.deal_of(line.start.hand).stock)
    for attempt in range(TRIES):
        # The last tries leave all holdings as they are: then no act can have needed another card.
        hidden = (closed, free) if attempt < TRIES - 2 else (set[int](), free & stock)
        twin = _shuffled(line.start, order, *hidden, chance)
        if _differs(line.start, order, twin) and _is_line_of(line, twin, upto, seat):
            return twin
    return None


def _shuffled(
    game: Game, order: Sequence[int], closed: set[int], free: set[int], chance: Random
) -> list[int]:
    """Shuffle hidden cards over their places; red threes get only to places that are free."""
    here = [place for place, card in enumerate(order) if card in closed | free]
    pool = [order[place] for place in here]
    red = [card for card in pool if game.deck[card] in ("3D", "3H")]
    plain = [card for card in pool if game.deck[card] not in ("3D", "3H")]
    chance.shuffle(plain)
    twin = list(order)
    for place in [place for place in here if order[place] in closed]:
        twin[place] = plain.pop()
    rest = plain + red
    chance.shuffle(rest)
    for place in [place for place in here if order[place] in free]:
        twin[place] = rest.pop()
    return twin


def _differs(game: Game, one: Sequence[int], other: Sequence[int]) -> bool:
    return any(game.deck[a] != game.deck[b] for a, b in zip(one, other, strict=True))


def dealt_as(game: Game, order: Sequence[int]) -> Deal:
    """Return the deal of the game's newest hand, were it dealt in this order."""
    rules = game.opening["rules"]
    return deal(
        order,
        game.deck,
        parse_steps(rules["steps"], cards=len(game.deck), seats=game.seats),
        game.seats,
        first_seat_of(game.opening["first_seat"], game.hand, game.seats),
    )


def _is_line_of(line: Line, order: Sequence[int], upto: int, seat: int | None) -> bool:
    """Say whether a deal gives the role the same cards and lets all act the same."""
    before, found = line.start.deal_of(line.start.hand), dealt_as(line.start, order)
    same = (before.up, before.laid) == (found.up, found.laid)
    if not same or (seat is not None and before.hands[seat] != found.hands[seat]):
        return False
    game = replace(
        line.start,
        deals=(*line.start.deals[:-1], found),
        position=position_of(line.start, line.start.hand, found),
    )
    mine = [place for step in line.steps[:upto] if step.seat == seat for place in step.took]
    if any(before.stock[place] != found.stock[place] for place in mine):
        return False
    for step, was in zip(line.steps[:upto], line.moments, strict=False):
        try:
            (_, body), *after = decide_act(game, step.seat, step.text)
        except FairdealError:
            return False
        assert game.position is not None
        assert was.position is not None
        if after or _step(step.seat, step.text, body) != step:
            return False
        game = _acted(game, body)
    now, then = game.position, line.moments[upto].position
    return now is not None and then is not None and (now.turn, now.phase) == (then.turn, then.phase)


# ----------------------------------------------------------------------------- dealt only


def redealt_only(
    game: Game, order: Sequence[int], seat: int | None, chance: Random
) -> list[int] | None:
    """Return another order of a dealt-only hand with which a role has seen the same so far."""
    found = game.deal_of(game.hand)
    seen = {*found.up, *(card for pile in found.laid for card in pile)}
    if seat is not None:
        seen |= set(found.hands[seat])
        seen |= {found.stock[place] for place, by in enumerate(game.draws) if by == seat}
    for _ in range(TRIES):
        twin = _shuffled(game, order, set(), set(order) - seen, chance)
        if _differs(game, order, twin) and _same_to(found, dealt_as(game, twin), seat):
            return twin
    return None


def _same_to(one: Deal, other: Deal, seat: int | None) -> bool:
    public = (one.up, one.laid) == (other.up, other.laid)
    return public and (seat is None or one.hands[seat] == other.hands[seat])


def wrong_acts(game: Game, seat: int, chance: Random) -> Iterator[str]:
    """Give acts of every kind that a seat may not make now, in its own cards and in others'."""
    assert game.position is not None
    held = [cards.FACES[card] for card in game.position.holding(seat)]
    lacking = [face for face in cards.FACES if face not in held]
    ranks = list("456789TJQKA")
    rank, other = chance.sample(ranks, 2)
    wanted = [
        "draw", "end", "ask", "yes", "no", "show", f"discard {chance.choice(lacking)}",
        f"discard {chance.choice(held)}" if held else "draw",
        f"take {rank}", f"take {rank}:{rank}C,{rank}D", f"take {other}:{other}H,2S",
        f"lay {rank}:{rank}C,{rank}D,{rank}H", f"lay {other}:{other}S,{other}S,JK",
        f"lay W:2C,2C,JK x {chance.choice(lacking)}", f"lay {rank}:{rank}C",
        "take W", "lay 4:4D,4C,4H", "discard 1C",
    ]  # fmt: skip
    for text in chance.sample(wanted, len(wanted)):
        try:
            decide_act(game, seat, text)
        except FairdealError:
            yield text


def right_acts(game: Game, seat: int, chance: Random, most: int) -> Iterator[str]:
    """Give some of the acts that a seat may make now; none where another seat is in turn."""
    position = game.position
    if position is not None and position.turn == seat:
        legal = list(islice(engine.legal_acts(seat_knowledge(game, seat)), 40))
        for act in chance.sample(legal, min(most, len(legal))):
            yield acts.format_act(act)
