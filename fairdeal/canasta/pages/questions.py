"""The questions that players ask, each as a position with the referee's own answer."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from fairdeal.canasta import acts, explain
from fairdeal.canasta.notation import parse_position


class Answered(NamedTuple):
    """One position: the line of it, who tries what, and what the referee is to answer.

    Attributes:
        position: In the notation of notation.py, as the seat knows it.
        act: What the seat in turn tries; of a hand that is over, empty: then its score is told.
        code: The first rule broken, a warning's name, or the code of a score line.
        sentence: What the referee says.
    """

    position: str
    act: str
    code: str
    sentence: str


class Question(NamedTuple):
    """A question, the rule in short, and its positions."""

    name: str
    question: str
    rule: str
    answer: str
    cases: tuple[Answered, ...]


QUESTIONS: Final = (
    Question(
        "points-to-open",
        "How many points do we need to open?",
        "R-27",
        "That depends on your side's total before the hand: 15 below zero, then 50, from 1,500 on "
        "90, from 3,000 on 120. Only the values of the cards laid in one act count, no bonuses.",
        (
            Answered(
                "cp1 classic@1 0.play 4C5S7H9D9H9SQDKDKHKS3C/?11/?11/?11 / / |6C 0+?20 1640/905 "
                "drew=stock shown=0123",
                "lay 9:9D,9H,9S;K:KD,KH,KS",
                "OPENING_MINIMUM",
                "That makes 60. Your side must open with 90, so 30 are missing.",
            ),
        ),
    ),
    Question(
        "natural-and-wild",
        "May I take the pile with one natural card and a wild one?",
        "R-43",
        "Here the texts disagree. hoyle, glintwick, cardems and pagat allow it when the pile is "
        "not frozen; partnership and basics never do. The ruleset in force decides.",
        (
            Answered(
                "cp1 partnership@1 0.draw 4C7D9HQD2S/?11/?11/?11 K:KCKDKH/ / |6C9D 0+?20 0/0 "
                "began=K melded=02 shown=0123",
                "take 9:9H,2S",
                "TAKE_MODE_NOT_ALLOWED",
                "Here only a natural pair or a meld of your side can take the pile, and these "
                "cards do not fit.",
            ),
            Answered(
                "cp1 classic@1 0.draw 4C7D9HQD2S/?11/?11/?11 K:KCKDKH/ / |6C9D 0+?20 0/0 "
                "began=K melded=02 shown=0123",
                "take 9:9H,2S",
                "last_wild",
                "This uses your last wild card.",
            ),
        ),
    ),
    Question(
        "cannot-go-out",
        "Why can't I go out?",
        "R-55",
        "Your side needs a canasta, a meld of seven cards, on the table; some rulesets ask for "
        "two, or for a natural one. Without it you must keep a card.",
        (
            Answered(
                "cp1 classic@1 0.play QD/?11/?11/?11 K:KCKDKHKS2C/ / |6C 0+?20 0/0 drew=stock "
                "began=K melded=02 shown=0123",
                "discard QD",
                "KEEP_CARD",
                "You would have no card left, and your side still needs one canasta to go out.",
            ),
        ),
    ),
    Question(
        "red-threes-without-meld",
        "We had two red threes and no meld. What do they count?",
        "R-71",
        "Against you: each 100, all four 800. A single meld on the table at the end turns them "
        "into points for you.",
        (
            Answered(
                "cp1 classic@1 0.over 4SQDKC/9C9H/7H/5D /K:KHKSKD 3D3H/ |6C5S 0+ 0/0 melded=13 "
                "shown=0123 end=STOCK_EXHAUSTED",
                "",
                "RED_THREES",
                "Your side has laid no meld, so its two red threes count 200 against it.",
            ),
        ),
    ),
    Question(
        "frozen-with-joker",
        "A joker lies in the pile. What takes it now?",
        "R-37",
        "A wild card or a red three anywhere in the pile freezes it for everybody until somebody "
        "takes it. Then only two natural cards from your hand do, even if your meld would fit.",
        (
            Answered(
                "cp1 classic@1 0.draw 4C7D9HQD2S/?11/?11/?11 9:9C9S9S/ / |5HJK6C9D 0+?20 0/0 "
                "began=9 melded=02 shown=0123",
                "take 9",
                "FROZEN",
                "The pile is frozen: only two nines from your hand take it, and you hold one nine.",
            ),
        ),
    ),
    Question(
        "black-three",
        "Does a black three block the pile or freeze it?",
        "R-40",
        "On top it blocks: the next player cannot take the pile. Under another card it does "
        "nothing, except in Bicycle's rules, where it freezes the pile as a wild card does.",
        (
            Answered(
                "cp1 classic@1 0.draw 4C7D9C9HQD/?11/?11/?11 K:KCKDKH/ / |6C9D3S 0+?20 0/0 "
                "began=K melded=02 shown=0123",
                "take 9:9C,9H",
                "TOP_BLACK3",
                "A black three is on top: it blocks the pile until another card covers it.",
            ),
            Answered(
                "cp1 bicycle@1 0.draw 4C7D9HQD2S/?11/?11/?11 K:KCKDKH/ / |6C3S9D 0+?20 0/0 "
                "began=K melded=02 shown=0123",
                "take 9:9H,2S",
                "FROZEN",
                "The pile is frozen: only two nines from your hand take it, and you hold one nine.",
            ),
        ),
    ),
    Question(
        "wild-on-natural-canasta",
        "May a wild card go on a natural canasta?",
        "R-24",
        "Yes, but it becomes a mixed canasta and counts 300 instead of 500. A ruleset can forbid "
        "it; none of the texts does.",
        (
            Answered(
                "cp1 classic@1 0.play 4C7D8HQD2S/?11/?11/?11 K:KCKDKHKSKCKDKH/ / |6C 0+?20 0/0 "
                "drew=stock began=K melded=02 shown=0123",
                "lay K:2S",
                "natural_becomes_mixed",
                "This makes your natural canasta of kings a mixed one: 300 instead of 500.",
            ),
            Answered(
                'cp1 classic@1;wild_on_natural_canasta="forbidden" 0.play 4C7D8HQD2S/?11/?11/?11 '
                "K:KCKDKHKSKCKDKH/ / |6C 0+?20 0/0 drew=stock began=K melded=02 shown=0123",
                "lay K:2S",
                "CANASTA_CLOSED",
                "Your natural canasta of kings takes no wild card in this game.",
            ),
        ),
    ),
    Question(
        "pile-to-open",
        "Can I take the pile to open?",
        "R-32",
        "Yes, with two natural cards of the top card's rank, if the top card and your own cards "
        "alone reach the minimum. The cards under it never count.",
        (
            Answered(
                "cp1 classic@1 0.draw 4H5D6S8C9H9SQCQDKS2H3C/?11/?11/?11 / / |2CTCKD5S8H6C9D "
                "0+?20 1640/905 shown=0123",
                "take 9:9H,9S;Q:QC,QD,2H",
                "OPENING_MINIMUM",
                "That makes 70. Your side must open with 90, so 20 are missing.",
            ),
        ),
    ),
    Question(
        "one-card-left",
        "Why may I not lay down to one card?",
        "R-52",
        "Because you would have to discard it, and that is going out. Until your side may go out "
        "you must keep two cards: one to discard, one to hold.",
        (
            Answered(
                "cp1 classic@1 0.play 8C8D8HQD/?11/?11/?11 K:KCKDKHKS2C/ / |6C 0+?20 0/0 "
                "drew=stock began=K melded=02 shown=0123",
                "lay 8:8C,8D,8H",
                "KEEP_CARD",
                "You would be left with one card, and your side still needs one canasta to go out.",
            ),
        ),
    ),
    Question(
        "stock-empty",
        "The stock is empty. May I just end the hand?",
        "R-65",
        "Not if the top card fits one of your melds and you can take the pile with it: then you "
        "must. hoyle and Britannica oblige you whenever you can take it at all.",
        (
            Answered(
                "cp1 classic@1 0.draw 4S7H8CQD/?11/?11/?11 5:5C5D5H/ / |6C5S 0+?0 0/0 began=5 "
                "melded=02 shown=0123",
                "end",
                "MUST_TAKE_PILE",
                "The stock is empty and the top card fits your fives, so you must take the pile.",
            ),
        ),
    ),
)


def answers(case: Answered) -> Iterator[tuple[str, str]]:
    """Ask the referee about a case: codes and sentences, those of refusals before all others."""
    position = parse_position(case.position)
    seat = position.turn
    if not case.act:
        for line in explain.score_lines(position, position.side_of[seat]):
            yield line.code, line.sentence
        return
    act = acts.parse(case.act)
    for broken in explain.judge_cards(position, seat, act):
        yield broken.code, broken.sentence
    for warned in explain.warnings(position, seat, act):
        yield warned.name, warned.sentence


def page() -> str:
    """Give the page of questions as Markdown."""
    told = [
        "# Questions that players ask",
        "",
        (
            "Each with positions and what the referee itself says to them. The lines are the "
            "notation of `fairdeal/canasta/notation.py`; `?11` are cards that the seat can't see."
        ),
    ]
    for one in QUESTIONS:
        told += ["", f"## {one.question}", "", f"{one.answer} ({one.rule})"]
        for case in one.cases:
            tried = f"The seat tries `{case.act}`" if case.act else "The hand is over"
            told += ["", f"    {case.position}", ""]
            told.append(f"{tried}. `{case.code}`: *{case.sentence}*")
    return "\n".join(told) + "\n"
