"""The complete list of rules that a proposed act breaks, each in a sentence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import acts
from fairdeal.canasta.explain.asif import drawn, in_turn, own_turn
from fairdeal.canasta.explain.case import Case, Told, case_of, rank_of_top, wilds_held
from fairdeal.canasta.explain.reasons import told
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import OVER, Position
from fairdeal.canasta.sentences import ENGLISH, RULES
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import Language, Many, plain

_TOO_LITTLE: Final = frozenset({"MIN_SIZE", "MIN_NATURALS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One broken rule.

    Attributes:
        code: As docs/rules.md has it.
        sentence: At most 140 characters, second person.
        facts: What it rests on; of a take exactly frozen, opened, top and hand.
        counts: Of a take, the numbers that the sentence names; else empty.
        rule: The R-number.
    """

    code: str
    sentence: str
    facts: Mapping[str, object]
    counts: Mapping[str, object]
    rule: str

    @property
    def help(self) -> str:
        """The path of the page that explains the code."""
        return f"/help/{self.code.lower()}"


def judge_cards(
    position: Position, seat: int, act: acts.Act, language: Language = ENGLISH
) -> tuple[Refusal, ...]:
    """Give every rule that an act of a seat breaks, most specific first; empty if it is legal.

    Out of turn the rules follow that it would break in the seat's own turn, as things lie now.

    Args:
        position: The hand, or what the seat knows of it: no more is used.
        seat: The seat that proposes.
        act: What it proposes.
        language: The language of the sentences.
    """
    known = knowledge(position, seat)
    found = list(refusals(known, seat, act, faults(known, seat, act), language))
    if found and not in_turn(known, seat) and known.phase != OVER:
        then = own_turn(known, seat)
        if isinstance(act, acts.Lay | acts.Discard):
            then = drawn(then, seat)
        if not isinstance(act, acts.Ask | acts.Answer | acts.Show):
            found += refusals(then, seat, act, faults(then, seat, act), language)
    if any(one.code in _TOO_LITTLE for one in found):
        found += _belongs_to_others(case_of(known, seat, act), language)
    return tuple(found)


def _belongs_to_others(case: Case, language: Language) -> Iterator[Refusal]:
    """Say that a rank lies on the table, but with another side (R-23): no act can name its meld."""
    known = case.known
    for one in case.merged() if isinstance(case.act, acts.Lay) else ():
        sizes = [
            known.naturals[side][one.heap.slot] + known.wilds[side][one.heap.slot]
            for side in range(len(known.naturals))
        ]
        if not sizes[case.side] and any(sizes) and one.heap.size < known.rules.meld_min_size:
            reason = Told("", {"ranks": Many(one.rank)})
            yield refusal(case, "OPPONENT_MELD", reason, language)
            return


def refusals(
    known: Position,
    seat: int,
    act: acts.Act,
    codes: Iterator[str],
    language: Language = ENGLISH,
) -> Iterator[Refusal]:
    """Put codes that an act breaks into sentences, each once; ``known`` is the seat's knowledge."""
    case = case_of(known, seat, act)
    for code in dict.fromkeys(codes):
        yield refusal(case, code, told(case, code), language)


def refusal(case: Case, code: str, reason: Told, language: Language = ENGLISH) -> Refusal:
    """Make the refusal of a code from its reason."""
    values = {name: plain(value) for name, value in reason.facts.items()}
    takes = isinstance(case.act, acts.Take)
    return Refusal(
        code=code,
        sentence=language.say(code, reason.variant, reason.facts),
        facts=pile_facts(case) if takes else values,
        counts=values if takes else {},
        rule=RULES[code],
    )


def pile_facts(case: Case) -> dict[str, object]:
    """Give the four facts on which a take depends (product F50)."""
    top = case.top
    held = case.naturals_held(rank_of_top(top)) if top else 0
    return {
        "frozen": case.known.frozen,
        "opened": case.known.opened(case.side),
        "top": top,
        "hand": {"naturals": held, "wilds": wilds_held(case.known, case.seat)},
    }
