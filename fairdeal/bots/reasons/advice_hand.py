"""Advice on melds, going out and the partner: a paragraph and a position each."""

from typing import Final

from fairdeal.bots.reasons.lesson import Advice

HAND: Final[dict[str, Advice]] = {
    "only_move": Advice(
        "The only move",
        "Often nothing has to be decided: the pile is barred or out of reach, so you draw. It "
        "is worth a look all the same which door would have been open with one card more, for "
        "that card is the one to keep.",
        "cp1 classic@1 0.draw 4C7D9HQSKS/?11/?11/?11 / / |3C 0+?31 0/0 shown=0123",
        "draw",
    ),
    "must": Advice(
        "What the rules ask for",
        "Some things are not yours to choose. Red threes are laid before anything else; "
        "whoever was told yes has to go out; and once the stock is empty, a pile that fits "
        "one of your melds has to be taken. See such a duty coming a turn before: it may cost "
        "you the cards you wanted to keep.",
        "cp1 classic@1 0.draw 5C7D8HQSKS/?11/?11/?11 5:5D5H5S/ / |9C5C 0+?0 0/0 began=5 "
        "melded=0 shown=0123",
        "take 5",
    ),
    "goes_out": Advice(
        "Go out",
        "Going out ends the hand where it suits you: it brings a bonus, and what the other "
        "side still holds counts against it. The more cards the others hold, the better the "
        "moment. While your own side has canastas to finish and the others are far from going "
        "out, waiting may bring more.",
        "cp1 classic@1 0.play 4CKS/?11/?3/?11 9:9C9C9D9D9H9H9S,K:KCKDKH/ / | 0+?20 0/0 "
        "drew=stock began=9K melded=0 shown=0123",
        "lay K:KS x 4C",
    ),
    "concealed": Advice(
        "Go out concealed",
        "Whoever lays nothing until one turn in which everything goes down is paid more for "
        "it. It is seldom worth waiting for: your side has nothing on the table meanwhile, "
        "and if somebody else ends the hand, all that you hold counts against you.",
        "cp1 classic@1 0.play 4C9C9C9D9D9H9H9SKCKDKH/?11/?11/?11 / / | 0+?20 0/0 drew=stock "
        "shown=0123",
        "lay 9:9C,9C,9D,9D,9H,9H,9S;K:KC,KD,KH x 4C",
    ),
    "partner_may_lose": Advice(
        "Mind your partner's cards",
        "What your partner holds when you go out counts against your side. A partner with "
        "many cards may hold a canasta's worth of points. Where you may ask, ask; where you "
        "may not, weigh the bonus against what so many cards usually count, some eight to ten "
        "points each.",
        "cp1 classic@1 0.play 4CKS/?11/?11/?11 9:9C9C9D9D9H9H9S,K:KCKDKH/ / | 0+?20 0/0 "
        "drew=stock began=9K melded=0 shown=0123",
        "lay K:KS x 4C",
    ),
    "asks_partner": Advice(
        "Ask before going out",
        "Where the rules let you ask, asking costs nothing and tells you what you cannot see: "
        "whether your partner can afford the end of the hand. The answer binds, so ask only "
        "when you mean to go out.",
        "cp1 classic@1 0.play 4CKS/?11/?11/?11 9:9C9C9D9D9H9H9S,K:KCKDKH/ / | 0+?20 0/0 "
        "drew=stock began=9K melded=0 shown=0123",
        "ask",
    ),
    "answers_partner": Advice(
        "Answer the question",
        "Look at what you could lay at once, were it your turn, and count the rest: that is "
        "the price of a yes. Up to about a hundred points the end of the hand is worth it, "
        "for the others lose what they hold too. With much more in your hand, or a canasta "
        "all but finished, say no.",
        "cp1 classic@1 0.asked 5C9D9SQCQSAS/?11/?11/?11 9:9C9C9D9D9H9H9S,K:KCKDKH/ / | 0+?20 "
        "0/0 asker=2 drew=stock began=9K marks=asked melded=0 shown=0123",
        "yes",
    ),
    "opens_now": Advice(
        "Watch the opening ladder",
        "Before your side has laid anything you cannot lay on melds, and the pile is all but "
        "shut to you. What the first melds must count depends on your side's total, so look "
        "it up before you plan: with a high need it may take wild cards or high ranks, with a "
        "low one open as soon as you can.",
        "cp1 classic@1 0.play 4H7D9C9D9SKCKDKH/?11/?11/?11 / / | 0+?20 0/0 drew=stock shown=0123",
        "lay 9:9C,9D,9S;K:KC,KD,KH",
    ),
    "opens_cheaply": Advice(
        "Open without wild cards",
        "Wild cards make an opening easy, and are missed later, when each could finish a "
        "canasta. If naturals reach the count, open with them. At a high need this is often "
        "not possible: then a wild card is well spent, for a side that cannot open cannot do "
        "anything else.",
        "cp1 classic@1 0.play 4H7D9C9D9SKCKDKH2C/?11/?11/?11 / / | 0+?20 0/0 drew=stock shown=0123",
        "lay 9:9C,9D,9S;K:KC,KD,KH",
    ),
    "natural_canasta": Advice(
        "Prefer natural canastas",
        "A canasta without wild cards brings more than a mixed one, and every wild card that "
        "it does not need can finish another. Keep a meld natural while the missing cards may "
        "still come; how many of the rank have been seen tells you.",
        "cp1 classic@1 0.play 4H7CKS/?11/?11/?11 K:KCKCKDKDKHKH/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay K:KS",
    ),
    "completes_canasta": Advice(
        "Finish canastas",
        "Seven cards of a rank bring far more than the cards themselves, and without a "
        "canasta nobody may go out. Wild cards are best used for the sixth and the seventh "
        "card: that is where they earn a bonus.",
        "cp1 classic@1 0.play 4H7C9S2C/?11/?11/?11 K:KCKCKDKDKH2S/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay K:2C",
    ),
    "way_out": Advice(
        "Get the canastas to go out",
        "A side without the canastas that going out takes can be made to play on. The first "
        "one is therefore worth more than its points: from then on you choose when the hand "
        "ends, and the others have to lay their cards in time.",
        "cp1 classic@1 0.play 4H7CKS/?11/?11/?11 K:KCKCKDKDKHKH/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay K:KS",
    ),
    "nearly_canasta": Advice(
        "Bring melds close to seven",
        "Six cards wait for one, and your partner may hold it. Adding to a meld that is near "
        "a canasta shows your partner what to keep, and any card of the rank, thrown by "
        "whomever, then gives your side the pile as well.",
        "cp1 classic@1 0.play 4H7CKSKS/?11/?11/?11 K:KCKCKDKD/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay K:KS,KS",
    ),
    "saves_wild": Advice(
        "Keep wild cards",
        "A wild card finishes a canasta in the right moment, or freezes the pile when the "
        "others threaten to take it. Lay naturals first, and add wild cards only where they "
        "finish something or where you go out.",
        "cp1 classic@1 0.play 5C8DQCQDQS2HJK/?11/?11/?11 K:KCKDKH/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay Q:QC,QD,QS",
    ),
    "they_may_go_out": Advice(
        "Lay before they go out",
        "When somebody on the other side holds two or three cards, and that side has its "
        "canastas, the hand may end at any moment. Cards in your hand then cost twice: they "
        "do not count for you, and they count against you. Lay what you can, even if it gives "
        "up a plan.",
        "cp1 classic@1 0.play 5C8DQCQDQSAS/?2/?11/?11 K:KCKDKH/9:9C9C9D9D9H9H9S / | 0+?20 "
        "0/0 drew=stock began=K melded=0 shown=0123",
        "lay Q:QC,QD,QS",
    ),
    "stock_runs_out": Advice(
        "Watch the stock",
        "A hand also ends when the stock is used up, and then too everything held counts "
        "against its side. With a few cards left there is no time to collect: turn pairs into "
        "melds where wild cards are at hand, and lay what is ready.",
        "cp1 classic@1 0.play 5C8DQCQDQSAS/?11/?11/?11 K:KCKDKH/ / | 0+?5 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay Q:QC,QD,QS",
    ),
    "lays_points": Advice(
        "Points on the table",
        "What lies on the table counts for your side whoever ends the hand. Against that "
        "stands what it tells the others, and that a card laid cannot take the pile any more: "
        "the first melds are worth laying early, pairs are not.",
        "cp1 classic@1 0.play 5C8D9SACADAS/?11/?11/?11 K:KCKDKH/ / | 0+?20 0/0 drew=stock "
        "began=K melded=0 shown=0123",
        "lay A:AC,AD,AS",
    ),
}
