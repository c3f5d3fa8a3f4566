"""The English templates: code -> case -> text (sentences.py says how they are read)."""

from typing import Final

ENGLISH_TEXTS: Final[dict[str, dict[str, str]]] = {
    # ------------------------------------------------------------------ turn and phase
    "NOT_YOUR_TURN": {
        "help": "Only the seat in turn may act, and nobody after the hand is over.",
        "": "It is not your turn: seat {seat} is to act.",
        "asked": "It is not your turn: seat {seat} is asked and has to answer first.",
        "over": "This hand is over, so nobody is to act.",
        "pair": "It is not your turn; if it were, two {ranks} from your hand would take the pile.",
        "natural_wild": "It is not your turn; if it were, one {rank} and a wild card would take "
        "the pile.",
        "lay_on_meld": "It is not your turn; if it were, your meld of {ranks} would take the pile.",
    },
    "NOT_PARTNER": {
        "help": "Only the partner of the seat that asked may answer.",
        "": "Only seat {seat}, the asker's partner, may answer the question.",
    },
    "WRONG_PHASE": {
        "help": "That belongs to another part of the turn: draw or take, lay, discard.",
        "begin": "Draw a card or take the pile before you lay or discard.",
        "begun": "You have begun this turn already: lay, or discard to end it.",
        "asked": "Your partner has asked you: answer yes or no before anything else.",
        "no_question": "Nobody has asked you anything, so there is nothing to answer.",
        "stock_left": "The stock still holds {cards}, so you cannot end the hand.",
        "show": "You hold {cards} to lay before anything else.",
        "nothing_to_show": "You have no red threes that wait to be laid.",
    },
    "STOCK_EMPTY": {
        "help": "The stock is empty; take the pile or end the hand.",
        "": "The stock has no card left: take the pile or end the hand.",
        "take": "The stock has no card left, and in this game that ends the hand.",
    },
    "MUST_TAKE_PILE": {
        "help": "With the stock empty, a pile that fits must be taken.",
        "fits": "The stock is empty and the top card fits your {ranks}, so you must take the pile.",
        "any": "The stock is empty and you can take the pile with its top {rank}, so you must.",
    },
    # ------------------------------------------------------------------------ the pile
    "PILE_EMPTY": {
        "help": "The pile is empty.",
        "": "The pile is empty, so there is nothing to take.",
    },
    "TOP_WILD": {
        "help": "A wild card on top can never be taken.",
        "": "{top} is on top, and a wild card can never be taken.",
    },
    "TOP_BLACK3": {
        "help": "A black three on top blocks the pile for the seat in turn.",
        "": "A black three is on top: it blocks the pile until another card covers it.",
    },
    "TOP_RED3": {
        "help": "A red three on top cannot be taken.",
        "": "A red three is on top, and it cannot be taken.",
    },
    "ONE_CARD_HAND_ONE_CARD_PILE": {
        "help": "With one card in hand a pile of one card may not be taken.",
        "": "You hold one card and the pile is one card: then you may not take it.",
    },
    "NOT_IN_HAND": {
        "help": "An act may use only cards that the seat holds and may lay now.",
        "": "You do not hold the {card}.",
        "fewer": "That takes {need} copies of the {card}, and you hold {have}.",
        "locked": "Cards that came with this pile may not be laid before your next turn.",
        "pair": "A natural pair needs two {ranks} from your hand; you hold {have}.",
        "natural_wild": "That needs {need} and a wild card; you hold {have} and {wilds}.",
    },
    "TOP_CARD_NOT_USED": {
        "help": "The top card must be melded at once, in the first group.",
        "": "The top card is the {card}, so the first group must be {ranks}.",
    },
    "FROZEN": {
        "help": "A frozen pile is taken only with two natural cards of the top card's rank.",
        "held": "The pile is frozen: only two {ranks} from your hand take it, and you hold {have}.",
        "laid": "The pile is frozen: only two {ranks} from your hand take it, and you lay {have}.",
        "pair": "The pile is frozen: only a natural pair of {ranks} takes it, not {door}.",
        "doors": "The pile is frozen: only {doors} can take it, and that does not fit.",
    },
    "FROZEN_UNOPENED": {
        "help": "For a side that has not opened, the pile counts as frozen: a pair takes it.",
        "held": "Your side has not opened: only two {ranks} from your hand take the pile; "
        "you hold {have}.",
        "laid": "Your side has not opened: only two {ranks} from your hand take the pile; "
        "you lay {have}.",
        "pair": "Your side has not opened: only a natural pair of {ranks} takes the pile, "
        "not {door}.",
        "doors": "Your side has not opened: only {doors} can take the pile, and that does not fit.",
    },
    "TAKE_MODE_NOT_ALLOWED": {
        "help": "The pile is taken only in the ways that the ruleset names.",
        "": "Here only {doors} can take the pile, and these cards do not fit.",
        "absent": "In this game {door} does not take the pile, only {doors}.",
        "no_meld": "Your side has no meld of {ranks} to lay the top card on.",
    },
    # ----------------------------------------------------------------- shape of a meld
    "RANK_MISMATCH": {
        "help": "All natural cards of a meld must be of its rank.",
        "": "The {card} does not belong in a meld of {ranks}.",
    },
    "MIN_SIZE": {
        "help": "A meld needs its least number of cards, three as a rule.",
        "": "A meld of {ranks} needs {need}; that makes {have}.",
    },
    "MIN_NATURALS": {
        "help": "A meld needs its least number of natural cards, two as a rule.",
        "": "A meld of {ranks} needs {need} beside its wild cards; that makes {have}.",
    },
    "MAX_WILDS": {
        "help": "A meld holds a limited number of wild cards, three as a rule.",
        "": "A meld of {ranks} holds {limit} at most; that makes {have}.",
    },
    "WILD_RATIO": {
        "help": "A meld may not have more wild than natural cards where the ruleset says so.",
        "le": "A meld may not have more wild than natural cards; that makes {wilds} to {naturals}.",
        "lt": "A meld must have more natural than wild cards; that makes {naturals} to {wilds}.",
    },
    "CANASTA_MIN_NATURALS": {
        "help": "A canasta needs a least number of natural cards where the ruleset says so.",
        "": "A canasta of {ranks} needs {need}; that makes {have}.",
    },
    "CANASTA_CLOSED": {
        "help": "A meld that is full or closed by the ruleset takes no more cards.",
        "full": "A meld of {ranks} holds {limit} at most; that makes {have}.",
        "spoil": "Your natural canasta of {ranks} takes no wild card in this game.",
        "pile": "Your canasta of {ranks} is complete, and the pile may not be laid on it here.",
    },
    "ALL_WILD_MELD": {
        "help": "Wild cards alone are no meld unless the ruleset allows it.",
        "": "Wild cards alone are no meld in this game: it takes {need} of one rank.",
    },
    "WILD_MELD_FULL": {
        "help": "A wild canasta may grow only where the ruleset says so.",
        "": "A meld of wild cards is full with seven; that makes {have}.",
    },
    "RED3_NOT_MELDABLE": {
        "help": "Red threes are never melded; they lie apart and count by themselves.",
        "": "A red three is never melded: it lies apart and counts by itself.",
    },
    "BLACK3_NO_WILDS": {
        "help": "Black threes are melded without wild cards.",
        "": "Black threes are laid without wild cards; that has {have}.",
    },
    "BLACK3_ONLY_GOING_OUT": {
        "help": "Black threes may only be melded in going out.",
        "": "Black threes may be laid only in going out, and that leaves you {left}.",
    },
    # -------------------------------------------------------------- opening and limits
    "OPENING_MINIMUM": {
        "help": "A side's first melds must reach its minimum count in one act.",
        "": "That makes {total}. Your side must open with {need}, so {missing} are missing.",
        "over": "That makes {total}. Your side must open with more than {need}: "
        "{missing} are missing.",
        "best": "The most you can lay this turn is {total}; your side must open with {need}: "
        "{missing} are missing.",
        "best_over": "The most you can lay this turn is {total}; you must open with more than "
        "{need}: {missing} are missing.",
    },
    "INCOMPLETE_MELD_LIMIT": {
        "help": "Where the ruleset limits unfinished melds, one must be finished first.",
        "": "Your side may have {limit} at most; that makes {have}. Finish one first.",
    },
    # ----------------------------------------------------- going out and the question
    "KEEP_CARD": {
        "help": "A side that may not go out yet must keep a card to go on with.",
        "one": "You would be left with one card, and your side still needs {canastas} to go out.",
        "none": "You would have no card left, and your side still needs {canastas} to go out.",
        "natural_one": "You would be left with one card, and your side needs a natural canasta "
        "to go out.",
        "natural_none": "You would have no card left, and your side needs a natural canasta "
        "to go out.",
    },
    "DISCARD_REQUIRED": {
        "help": "Where the ruleset says so, going out needs a discard.",
        "": "In this game you go out with a discard, so keep one card for it.",
    },
    "ASK_TOO_LATE": {
        "help": "One may ask once a turn, after drawing from the stock and before laying.",
        "early": "You may ask only after drawing from the stock: draw first.",
        "pile": "You may ask only after drawing from the stock, and you took the pile.",
        "laid": "You may ask only before laying, and you have laid this turn.",
        "again": "You may ask once a turn, and you have asked already.",
    },
    "CANNOT_GO_OUT": {
        "help": "One may ask, and go out, only when all cards but one discard can be laid.",
        "": "You may ask only when you can go out: not all your cards can be laid now.",
        "canastas": "You cannot go out: your side needs {need} and has {have}.",
        "natural": "You cannot go out: your side needs a natural canasta and has none.",
        "cards": "You cannot go out: not all your cards can be laid this turn.",
        "asking": "You cannot go out before your partner has said yes.",
        "said_no": "You cannot go out this turn: you asked and your partner said no.",
    },
    "PERMISSION_NOT_IN_RULES": {
        "help": "There is no asking in this game.",
        "": "In this game nobody asks before going out.",
    },
    "MUST_GO_OUT": {
        "help": "After a yes the turn must go out.",
        "": "Your partner said yes, so you must go out; after that you could not any more.",
        "turn": "Your partner said yes, so you must go out; ending the turn leaves you {left}.",
    },
    "PARTNER_SAID_NO": {
        "help": "After a no, or without the yes that the ruleset asks for, no turn may go out.",
        "": "You asked and your partner said no: keep {need}; that leaves {left}.",
        "unasked": "Your partner has not said yes to going out: keep {need}; that leaves {left}.",
    },
    "RED3_NOT_DISCARDABLE": {
        "help": "A red three is never discarded.",
        "": "A red three is never discarded: it is laid on the table.",
    },
    "OPPONENT_MELD": {
        "help": "Nobody may add to the other side's melds.",
        "": "The meld of {ranks} belongs to another side; yours has none to add to.",
    },
    "NO_DISCARD_AFTER_LAST_RED3": {
        "help": "After a red three as the last stock card there is no discard.",
        "": "Your draw ended the stock with a red three: lay what you like, then end the hand.",
    },
    # --------------------------------------------------------------------------- acts
    "act.draw": {
        "": "Draw {draw} from the stock, which holds {cards}.",
    },
    "act.take": {
        "": "Take the pile, {cards}, by laying its top {rank} on your meld.",
        "with": "Take the pile, {cards}, with {own} from your hand.",
        "and": "Take the pile, {cards}, by laying its top {rank} on your meld. Lay {groups}.",
        "with_and": "Take the pile, {cards}, with {own} from your hand. Lay {groups}.",
        "many": "Take the pile, {cards}, and lay {laid} of yours in {melds}.",
    },
    "act.lay": {
        "": "Lay {groups}.",
        "discard": "Lay {groups}. Then discard the {card}.",
        "many": "Lay {laid} in {melds}.",
        "many_discard": "Lay {laid} in {melds}. Then discard the {card}.",
    },
    "act.discard": {"": "Discard the {card}."},
    "act.show": {"": "Lay your {cards} and draw for them."},
    "act.ask": {"": "Ask your partner whether to go out."},
    "act.yes": {"": "Answer yes: your partner is to go out.", "may": "Answer yes: go out or not."},
    "act.no": {"": "Answer no: your partner is not to go out."},
    "act.end": {
        "": "End the hand: the stock is empty and you leave the pile.",
        "red3": "End the hand: the stock ended with a red three.",
    },
    # --------------------------------------------------------- ways to take the pile
    "open": {
        "pair": "Two {ranks} from your hand take the pile.",
        "natural_wild": "One {rank} and a wild card from your hand take the pile.",
        "lay_on_meld": "The top card fits your meld of {ranks}, and so takes the pile.",
    },
    # ------------------------------------------------------------------------ headline
    "headline": {
        "play": "Lay melds if you like, then discard a card to end your turn.",
        "open": "You can lay up to {best}, and your side opens with {need}.",
        "asked": "Your partner asks whether to go out: answer yes or no.",
    },
    # -------------------------------------------------------------------- lines of scores
    "score.CARDS": {"": "The cards on your side's table count {points}."},
    "score.NATURAL_CANASTA": {"": "Natural canastas bring your side {points}."},
    "score.MIXED_CANASTA": {"": "Mixed canastas bring your side {points}."},
    "score.WILD_CANASTA": {"": "Canastas of wild cards bring your side {points}."},
    "score.CONCEALED_CANASTA": {"": "Canastas laid whole from the hand bring your side {points}."},
    "score.RED_THREES": {
        "": "Your side has {cards} on the table: {points}.",
        "no_meld": "Your side has laid no meld, so its {cards} count {points} against it.",
        "no_canasta": "Your side has no canasta, so its {cards} count {points} against it.",
    },
    "score.OUT": {"": "Going out brings your side {points}."},
    "score.CONCEALED": {"": "Going out concealed brings your side {points} more."},
    "score.IN_HAND": {"": "Cards left in your side's hands count {points} against it."},
    "score.PENALTY": {"": "Penalties count {points} against your side."},
    # ------------------------------------------------------------------------ warnings
    "warn.natural_becomes_mixed": {
        "": "This makes your natural canasta of {ranks} a mixed one: {mixed} instead of {natural}.",
    },
    "warn.last_wild": {"": "This uses your last wild card."},
    "warn.next_side_melded": {
        "": "The next side has a meld of {ranks} to lay this card on and take the pile.",
    },
    "warn.cannot_go_out": {"": "After this your side may no longer go out."},
}
