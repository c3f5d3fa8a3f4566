"""Advice on the pile and on discards: a paragraph and a position each."""

from typing import Final

from fairdeal.bots.reasons.lesson import Advice

TURN: Final[dict[str, Advice]] = {
    "fat_pile": Advice(
        "Take a fat pile",
        "Cards win hands: a large pile brings pairs, melds, and points, and it takes them "
        "from the others. Take it even if that spoils a nice plan, and look through it for "
        "what your side has melds of.",
        "cp1 classic@1 0.draw 4H9C9DJSQS/?11/?11/?11 K:KCKDKH/ / |4C7DQHAS6SJD9S 0+?24 0/0 "
        "began=K melded=0 shown=0123",
        "take 9:9C,9D",
    ),
    "pile_too_small": Advice(
        "Leave a small pile",
        "Taking the pile costs the pair with which you take it, and shows what you hold. For "
        "two or three cards that is a poor trade while your pair may catch a bigger pile "
        "later.",
        "cp1 classic@1 0.draw 4H9C9DJSQCQS/?11/?11/?11 K:KCKDKH/ / |4C9S 0+?24 0/0 began=K "
        "melded=0 shown=0123",
        "draw",
    ),
    "pile_costs_wild": Advice(
        "A wild card for the pile",
        "Where the top card and one of yours need a wild card to make a meld, the pile has a "
        "price. Pay it for a fat pile, not for a thin one: the wild card would finish a "
        "canasta.",
        "cp1 classic@1 0.draw 4H9CJSQS2D/?11/?11/?11 K:KCKDKH/ / |4C7DQH6S9S 0+?24 0/0 "
        "began=K melded=0 shown=0123",
        "draw",
    ),
    "pile_blocked": Advice(
        "A barred pile",
        "A wild card or a three on top bars the pile. There is nothing to do but to draw; "
        "what lies below is not lost, for the next card covers the bar.",
        "cp1 classic@1 0.draw 4H9C9DJSQS/?11/?11/?11 K:KCKDKH/ / |9S3C 0+?24 0/0 began=K "
        "melded=0 shown=0123",
        "draw",
    ),
    "frozen_needs_pair": Advice(
        "Frozen piles take a pair",
        "A frozen pile, and any pile while your side has not opened, is taken only with two "
        "natural cards of its top card's rank out of your hand. That is why pairs are kept "
        "together, and why the number of your pairs tells how likely the pile is yours.",
        "cp1 classic@1 0.draw 4H9CJSQS2D/?11/?11/?11 K:KCKDKH/ / |4CJKQH6S9S 0+?24 0/0 "
        "began=K melded=0 shown=0123",
        "draw",
    ),
    "black_three_safe": Advice(
        "The black three",
        "A black three on top bars the pile for the next player, whatever that player holds, "
        "and it is worth next to nothing to you otherwise. Do not throw it at the first "
        "chance: keep it for the turn in which every other discard is dangerous.",
        "cp1 classic@1 0.play 9D9SJSQCQS3C/?11/?11/?11 K:KCKDKH/ / |4C7D8H5C 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 3C",
    ),
    "freeze_pile": Advice(
        "When to freeze",
        "A wild card in the pile freezes it: nobody takes it without a natural pair any more. "
        "That is worth a wild card when the others have opened and could take nearly anything "
        "while your side has not, or when the pile is fat and you hold more pairs than they "
        "do. Freezing a pile that your own side could take more easily is a gift to the "
        "others.",
        "cp1 classic@1 0.play 9D9SJSQCQS2C/?11/?11/?11 /7:7C7D7H,A:ACADAH / |4CTD8H5C 0+?20 "
        "0/0 drew=stock shown=0123",
        "discard 2C",
    ),
    "feeds_them": Advice(
        "A discard that feeds them",
        "A card of a rank that the next side has laid takes the whole pile for it, however "
        "many cards lie there. Sometimes every discard is bad; then throw the one that gives "
        "least: into a small pile, or one that only makes their meld longer.",
        "cp1 classic@1 0.play 7S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CTD8H5C 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 7S",
    ),
    "all_copies_seen": Advice(
        "Count the cards",
        "There are eight cards of a rank in two packs. When seven of them lie on the table, "
        "in the pile or in your own hand, nobody can hold a pair of them, and the eighth is "
        "as safe a discard as there is. Counting the ranks you throw most is all the counting "
        "that one needs.",
        "cp1 classic@1 0.play 4S9D9SQCQS/?11/?11/?11 4:4C4C4D4D4H/K:KCKDKH / |4STD 0+?20 0/0 "
        "drew=stock began=4 melded=0 shown=0123",
        "discard 4S",
    ),
    "few_unseen": Advice(
        "Few of a rank are left",
        "Not every count ends at seven. With two or three cards of a rank unseen, and four "
        "players and a stock among whom they lie, a pair in one hand is seldom. Such a rank "
        "is a good discard until somebody keeps a pile for it.",
        "cp1 classic@1 0.play 4S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4HTD4D8S4C4H6C "
        "0+?20 0/0 drew=stock began=K melded=0 shown=0123",
        "discard 4S",
    ),
    "frozen_shields": Advice(
        "What a frozen pile protects",
        "While the pile is frozen, or the next side has not opened, single cards are safer to "
        "throw than they look: only a natural pair takes them. Use that time to get rid of "
        "high single cards, and stop when the pile is no longer frozen.",
        "cp1 classic@1 0.play 7S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CJK8H5C 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 7S",
    ),
    "not_their_meld": Advice(
        "Throw what they have not laid",
        "A side lays its cards on melds that it has. A rank that the next side has not laid "
        "takes at least a pair, or a natural and a wild card, out of the hand; so look at "
        "their melds first whenever you throw.",
        "cp1 classic@1 0.play 6S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CTD 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 6S",
    ),
    "left_before": Advice(
        "What they let lie",
        "Whoever drew although such a card lay on top probably could not take it. One hand "
        "later that may have changed, but until then a card of the same rank is one of the "
        "safer discards.",
        "cp1 classic@1 0.play 6S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CTD 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 6S",
        left=((1, "6", 2),),
    ),
    "thrown_before": Advice(
        "What they throw themselves",
        "Nobody likes to break a pair. A rank that the next player has thrown is one of which "
        "that player held a single card: another of it is rarely taken, the sooner after it "
        "the better.",
        "cp1 classic@1 0.play 6S9D9SQCQS/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CTD 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 6S",
        thrown=((1, "6", 1),),
    ),
    "keeps_pair": Advice(
        "Keep pairs",
        "Two of a rank take the pile, even a frozen one, and three of them are a meld. A "
        "single card does neither. So throw singles, from the low ranks up, and hold on to "
        "pairs until late in the hand.",
        "cp1 classic@1 0.play 6S9D9SQCQDQS/?11/?11/?11 K:KCKDKH/ / |4CTD 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 6S",
    ),
    "new_card": Advice(
        "Draw",
        "Drawing keeps your hand as it is and adds one card to it. It is the right start "
        "where the pile would cost more than it brings.",
        "cp1 classic@1 0.draw 4H5S9C9DJSQCQS/?11/?11/?11 K:KCKDKH/ / |4C7D8H5C9S 0+?24 0/0 "
        "began=K melded=0 shown=0123",
        "draw",
    ),
    "sheds_points": Advice(
        "Throw what costs",
        "When nothing else tells two discards apart, the one that counts more is better "
        "thrown late in a hand and kept early: late it only costs you, early it may still "
        "open for your side.",
        "cp1 classic@1 0.play 9D9SQCQS2C/?11/?11/?11 K:KCKDKH/7:7C7D7H / |4CJKTD 0+?20 0/0 "
        "drew=stock began=K melded=0 shown=0123",
        "discard 2C",
    ),
}
