"""Acts that were never possible: form, turn, pile, cards held (protocol §6.4)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from fairdeal.canasta import acts, cards
from fairdeal.canasta.position import ASKED, Position
from scripts.vectors.lies import Lie, keeps_code
from scripts.vectors.script import Body, Script

Fits = Callable[[Position, Body], bool]


def says(script: Script, place: int, text: str, took: Sequence[int] = ()) -> int:
    """Let an act say something else; it shows nothing."""
    script.entries[place].body.update(act=text, took=list(took), shown=[])
    return place


def rewritten(fits: Fits, rewrite: Callable[[Position, Body], str]) -> Callable[[Script], int]:
    """Rewrite the text of the first act that fits; what it took and showed stays."""

    def tell(script: Script) -> int:
        place = script.first_act(fits)
        body = script.entries[place].body
        body["act"] = rewrite(script.sitting.positions[place], body)
        return place

    return tell


def begins(*words: str) -> Fits:
    """Fit an act whose text begins with one of these words."""
    return lambda _position, body: bool(body["act"].startswith(words))


def _has_two_faces(_position: Position, body: Body) -> bool:
    """Fit a lay whose last group has two different faces."""
    text: str = body["act"]
    return text.startswith("lay") and _other_order(text) != text


def _other_order(text: str) -> str:
    """Turn the cards of the last group of a lay round."""
    head, mark, tail = text.partition(" x ")
    start, _, faces = head.rpartition(":")
    return f"{start}:{','.join(reversed(faces.split(',')))}{mark}{tail}"


def _other_groups(_position: Position, body: Body) -> str:
    head, mark, tail = body["act"].removeprefix("lay ").partition(" x ")
    return f"lay {';'.join(reversed(head.split(';')))}{mark}{tail}"


def _not_held(position: Position, *, red: bool = False) -> str:
    """Give the first face that the seat in turn does not hold."""
    faces = ("3D", "3H") if red else cards.FACES
    held = position.held[position.turn]
    return next(face for face in faces if not held[cards.NUMBER[face]])


def _with_strange_card(position: Position, body: Body) -> str:
    act = acts.parse(body["act"])
    assert isinstance(act, acts.Lay)
    first, *rest = act.groups
    held = position.held[position.turn]
    suits = [first.rank + suit for suit in cards.SUITS]
    strange = next(face for face in suits if not held[cards.NUMBER[face]])
    group = acts.group(first.rank, (*first.cards[1:], strange))
    return acts.format_act(acts.Lay((group, *rest), act.discard))


def _lays_strange(position: Position, body: Body) -> bool:
    """Fit a lay of which the seat lacks a suit of the first rank, that rank's card being laid."""
    if not body["act"].startswith("lay"):
        return False
    first = acts.groups_of(acts.parse(body["act"]))[0]
    held = position.held[position.turn]
    return first.cards[0][0] == first.rank and any(
        not held[cards.NUMBER[first.rank + suit]] for suit in cards.SUITS
    )


def _seat_plus(step: int) -> Callable[[Script], int]:
    def tell(script: Script) -> int:
        place = script.first_act(begins("discard"))
        body = script.entries[place].body
        body["seat"] = (body["seat"] + step) % 4
        return place

    return tell


def _answers(step: int) -> Callable[[Script], int]:
    """Let a seat so far round from the partner answer the question."""

    def tell(script: Script) -> int:
        place = script.first_act(begins("yes", "no"))
        script.entries[place].body["seat"] = (script.entries[place].body["seat"] + step) % 4
        return place

    return tell


def _asker_goes_on(script: Script) -> int:
    place = script.first_act(begins("no", "yes"))
    del script.entries[place]
    return place


def _after_the_end(script: Script) -> int:
    score = script.at("score", hand=1)
    seat = (script.entries[score - 1].body["seat"] + 1) % 4
    body = {"hand": 1, "seat": seat, "by": "seat", "act": "draw", "took": [], "shown": []}
    return script.insert(score, "act", body)


def _takes_other_rank(position: Position, _body: Body) -> str:
    top = cards.FACES[position.pile[-1]]
    return next(f"take {rank}" for rank in cards.MELD_RANKS if rank != top[0])


def _takes_nothing(script: Script) -> int:
    """Take the pile, and take it again."""
    place = script.first_act(begins("take"))
    body = {**script.entries[place].body, "shown": []}
    return script.insert(place + 1, "act", body)


def _pile_is_wild(position: Position, body: Body) -> bool:
    top = position.pile[-1] if position.pile else 0
    return body["act"] == "draw" and cards.is_wild(cards.CLASS_OF[top])


def _form() -> Iterator[Lie]:
    yield Lie(
        of="V02a",
        slug="cards-out-of-order",
        title="the cards of a group in another order",
        error="E_ACT_FORM",
        tell=rewritten(_has_two_faces, lambda _p, body: _other_order(body["act"])),
    )
    yield Lie(
        of="V02a",
        slug="groups-out-of-order",
        title="the groups of a lay in another order",
        error="E_ACT_FORM",
        tell=rewritten(
            lambda _p, body: ";" in body["act"] and body["act"].startswith("lay"), _other_groups
        ),
    )
    yield Lie(
        of="V03a",
        slug="blank-behind",
        title="a blank behind a word",
        error="E_ACT_FORM",
        tell=rewritten(begins("draw"), lambda _p, _b: "draw "),
    )
    yield Lie(
        of="V03a",
        slug="ten-in-full",
        title="a ten written in full",
        error="E_ACT_FORM",
        tell=rewritten(
            lambda _p, body: body["act"].startswith("discard T"),
            lambda _p, body: body["act"].replace("T", "10"),
        ),
    )
    yield Lie(
        of="V05a",
        slug="take-and-discard",
        title="a take with a discard",
        error="E_ACT_FORM",
        tell=rewritten(begins("take"), lambda _p, body: body["act"] + " x 4C"),
    )


def _turn() -> Iterator[Lie]:
    yield Lie(
        of="V02a",
        slug="partner-discards",
        title="the partner discards for the seat in turn",
        error="E_ACT_TURN",
        tell=_seat_plus(2),
    )
    yield Lie(
        of="V03a",
        slug="next-seat-discards",
        title="the next seat acts too early; no receipt was kept",
        error="E_ACT_TURN",
        verdict="INVALID",
        keeps=keeps_code,
        tell=_seat_plus(1),
    )
    yield Lie(
        of="V10a",
        slug="after-the-end",
        title="a draw after somebody went out",
        error="E_ACT_TURN",
        tell=_after_the_end,
    )
    yield Lie(
        of="V09a",
        slug="opponent-answers",
        title="an opponent answers the question",
        error="E_ACT_TURN",
        tell=_answers(1),
    )
    yield Lie(
        of="V09a",
        slug="asker-answers",
        title="the asker answers the question",
        error="E_ACT_TURN",
        tell=_answers(2),
    )
    yield Lie(
        of="V09a",
        slug="no-answer",
        title="the asker goes on without an answer",
        error="E_ACT_TURN",
        tell=_asker_goes_on,
    )
    yield Lie(
        of="V09a",
        slug="asked-draws",
        title="the partner, who is asked, draws",
        error="E_ACT_RULE",
        rule="WRONG_PHASE",
        tell=rewritten(lambda position, _b: position.phase == ASKED, lambda _p, _b: "draw"),
    )


def _pile() -> Iterator[Lie]:
    yield Lie(
        of="V02a",
        slug="other-top-card",
        title="the pile is taken for a rank that its top card has not",
        error="E_ACT_PILE",
        tell=rewritten(begins("take"), _takes_other_rank),
    )
    yield Lie(
        of="V05a",
        slug="empty-pile",
        title="the pile is taken a second time in one turn",
        error="E_ACT_PILE",
        tell=_takes_nothing,
    )
    yield Lie(
        of="V04a",
        slug="natural-under-wild",
        title="the pile is taken for a natural rank under a wild top card",
        error="E_ACT_PILE",
        tell=rewritten(_pile_is_wild, lambda _p, _b: "take K"),
    )


def _card() -> Iterator[Lie]:
    yield Lie(
        of="V03a",
        slug="strange-discard",
        title="a card is discarded that the seat does not hold",
        error="E_ACT_CARD",
        tell=rewritten(begins("discard"), lambda position, _b: f"discard {_not_held(position)}"),
    )
    yield Lie(
        of="V05a",
        slug="red-three-discarded",
        title="a red three is discarded; no receipt was kept",
        error="E_ACT_CARD",
        verdict="INVALID",
        keeps=keeps_code,
        tell=rewritten(
            begins("discard"), lambda position, _b: f"discard {_not_held(position, red=True)}"
        ),
    )
    yield Lie(
        of="V07a",
        slug="strange-lay",
        title="a card is laid that the seat does not hold",
        error="E_ACT_CARD",
        tell=rewritten(_lays_strange, _with_strange_card),
    )


LIES: Final = (*_form(), *_turn(), *_pile(), *_card())
