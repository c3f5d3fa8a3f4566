"""The sentences of the reasons: code -> variant -> template, as in ``canasta.texts``."""

from dataclasses import replace
from typing import Final

from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Language

TEXTS: Final[dict[str, dict[str, str]]] = {
    "only_move": {"": "This is the only thing that you may do now."},
    "must": {
        "take": "The stock is empty and you can take the pile, so the rules make you take it.",
        "bound": "Your partner said yes, so you have to go out this turn.",
        "show": "Red threes are laid before anything else, and you draw for them.",
    },
    # ----------------------------------------------------------------------- going out
    "goes_out": {
        "": "You go out with it, which ends the hand and brings your side {points}.",
        "then": "It leaves you one card: throw that and you are out, which brings {points}.",
    },
    "concealed": {
        "": "You go out without having laid anything before, which brings {points} more.",
    },
    "partner_may_lose": {
        "": "Mind that your partner still holds {cards}, which then count against your side.",
    },
    "asks_partner": {
        "": "You can go out this turn; ask first, for your partner may have much to lose.",
        "unsure": "Your partner's answer tells you whether to try and go out.",
    },
    "answers_partner": {
        "yes": "Of your cards {loose} points could not be laid: a yes costs no more than {most}.",
        "no": "Of your cards {loose} points could not be laid: a yes would cost more than {most}.",
        "yes_though": "It ends the hand for your side, though {loose} of your points go with it.",
        "no_though": "It lets your side play on, though a yes would cost you only {loose}.",
    },
    "way_out": {"": "With it your side has {canastas}, all that going out takes."},
    "they_may_go_out": {
        "": "Seat {seat} holds {cards}, and its side has what going out takes: lay points in time.",
    },
    "stock_runs_out": {
        "": "The stock holds {cards}: when the hand ends, what you still hold counts against you.",
        "end": "The stock is empty, and the hand ends when you leave the pile.",
        "red3": "The stock ended with a red three, so there is no discard: the hand ends here.",
    },
    # --------------------------------------------------------------------------- melds
    "opens_now": {
        "": "It opens for your side with {points}; {need} are needed this hand.",
        "over": "It opens for your side with {points}; more than {need} are needed this hand.",
        "exempt": "It opens for your side with {points}: such a lay needs no {need}.",
    },
    "opens_cheaply": {"": "It opens without a wild card, so you keep {wilds} for later."},
    "natural_canasta": {"": "It makes a canasta of {ranks} without wild cards: {points} points."},
    "completes_canasta": {
        "": "It makes a canasta of {ranks}: {points} points.",
        "wild": "It makes a canasta of {ranks} alone: {points} points.",
    },
    "nearly_canasta": {
        "one": "It makes {have} {ranks}: one more, and they are a canasta.",
        "two": "It makes {have} {ranks}: two more, and they are a canasta.",
    },
    "saves_wild": {"": "It needs no wild card, so you keep {wilds} to finish canastas with."},
    "lays_points": {
        "": "It puts {points} points on the table, where they count for your side.",
        "take": "It puts {points} points on the table, the pile's top card among them.",
    },
    # ----------------------------------------------------------------- pile and stock
    "fat_pile": {"": "The pile is worth having: {cards}, {points} points."},
    "pile_too_small": {"": "You could take the pile, but it is only {cards}."},
    "pile_costs_wild": {"": "You could take the pile, but only by laying {wilds}."},
    "pile_blocked": {
        "wild": "A wild card is on top, so nobody takes the pile this turn.",
        "black3": "A black three is on top, so nobody takes the pile this turn.",
        "red3": "A red three is on top, so nobody takes the pile this turn.",
    },
    "frozen_needs_pair": {
        "": "The pile is frozen: two {ranks} from your hand would take it, and you hold {have}.",
        "unopened": "Your side has not opened: two {ranks} of yours would take the pile, "
        "and you hold {have}.",
    },
    "new_card": {"": "It brings you {draw}, and the stock still holds {cards}."},
    # ------------------------------------------------------------------------ discards
    "black_three_safe": {"": "With a black three on top the next seat cannot take the pile."},
    "freeze_pile": {
        "": "It freezes the pile, {cards}: from now on only a natural pair takes it.",
        "doors": "It freezes the pile, {cards}: from now on there are fewer ways to take it.",
    },
    "feeds_them": {
        "": "Mind that the next side has a meld of {ranks}, on which it takes the pile, {cards}.",
    },
    "all_copies_seen": {
        "": "You see {seen} of the {total} {ranks}, so nobody can hold a pair of them.",
        "every": "You see all {total} {ranks}, so nobody holds one to take it with.",
    },
    "few_unseen": {"": "Of the {total} {ranks} only {unseen} are where you cannot see them."},
    "frozen_shields": {
        "": "The pile is frozen, so the next seat would need two {ranks} of its own to take it.",
        "unopened": "The next side has not opened, so only two {ranks} of its own take the pile.",
    },
    "not_their_meld": {"": "The next side has no meld of {ranks} to lay it on."},
    "left_before": {
        "": "The next seat has left the pile {times} times with one of the {ranks} on top.",
        "once": "The next seat has left the pile before, with one of the {ranks} on top.",
    },
    "thrown_before": {"": "The next seat has thrown {cards} of its own."},
    "keeps_pair": {"": "You hold no second one of the {ranks}; your {kept} stay together."},
    "sheds_points": {"": "It takes {points} points out of your hand, should the hand end soon."},
}
"""In the order in which reasons are given (``reasons.ORDER``)."""

WORDS: Final[Language] = replace(ENGLISH, texts={**ENGLISH.texts, **TEXTS})
"""The language of hints: the sentences of acts and those of reasons."""
