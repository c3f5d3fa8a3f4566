"""A take, lay or discard with what it would leave behind (R-X4)."""

from collections import Counter

from verifier.canasta.faces import THREE_RANK, sort, value
from verifier.canasta.finish import Way, can_go_out
from verifier.canasta.grammar import Act, Verb
from verifier.canasta.melds import NONE, Count, Melds, count, exempt_canastas, may_go_out
from verifier.canasta.pile import buried, replacements
from verifier.canasta.turn import Play


def can_finish(
    play: Play, holding: Counter[str], melds: Melds, waiting: Counter[str] | None = None
) -> bool:
    """Whether the seat in turn could go out with this holding and these melds.

    Args:
        play: The hand; what its turn allows holds, the partner's answer apart.
        holding: The cards held then, by face.
        melds: The side's melds then.
        waiting: How many of each sort may not be laid this turn; as the turn says if not given.
    """
    way = Way(
        minimum=None if melds else play.minimum(),
        exempt=exempt_canastas(play.rules, drew_stock=play.turn.drew_stock),
        may_discard=play.may_discard(),
        waiting=play.turn.waiting if waiting is None else waiting,
    )
    return can_go_out(play.rules, holding, melds, way)


class Laying:
    """What an act lays and leaves.

    Attributes:
        before: The side's melds.
        added: For each group its rank and faces, the top card of a take with them.
        points: What these cards count for an opening.
        after: The side's melds after the act.
        left: The cards known to be left, by face.
        replaced: Cards that a take brings besides, whose faces nobody knows.
        cards_left: How many cards are left.
        left_before_discard: How many there are before the act's own discard.
        ends_turn: Whether it discards.
    """

    def __init__(self, play: Play, act: Act) -> None:
        self.before = play.melds()
        self.added: list[tuple[str, list[str]]] = [
            (group.rank, list(group.cards)) for group in act.groups
        ]
        self.left = play.held()
        self.left.subtract(face for group in act.groups for face in group.cards)
        self.replaced = 0
        self._waiting = play.turn.waiting
        if act.verb is Verb.TAKE:
            self.added[0][1].append(str(play.position.top()))
            brought = Counter(buried(play))
            self.left.update(brought)
            self.replaced = replacements(play)
            if not play.rules.buried_usable_same_turn:
                self._waiting = Counter(map(sort, brought.elements()))
        self.left = +self.left
        self.left_before_discard = self.left.total() + self.replaced
        if act.card is not None:
            self.left = self.left - Counter([act.card])
        self.cards_left = self.left.total() + self.replaced
        self.after: dict[str, Count] = dict(self.before)
        for name, faces in self.added:
            self.after[name] = self.after.get(name, NONE).plus(count(faces))
        self.points = sum(value(face) for _, faces in self.added for face in faces)
        self.ends_turn = act.card is not None

    @property
    def lays_threes(self) -> bool:
        """Whether a group of black threes is laid."""
        return any(name == THREE_RANK for name, _ in self.added)

    def can_finish(self, play: Play) -> bool:
        """Whether what is left can go out in this turn, the partner's answer apart."""
        if not self.cards_left or (self.replaced and self.cards_left == 1):
            # The one card that nobody knows yet can be discarded, whatever it is.
            return may_go_out(play.rules, self.after)
        return not self.replaced and can_finish(play, self.left, self.after, self._waiting)

    def leaves_one_to_go(self, play: Play) -> bool:
        """Whether it leaves at most one card before its discard, which then must go too.

        Where the turn cannot end with a discard, a card that is left may be kept (R-12): then
        only leaving none goes out.
        """
        return self.left_before_discard <= (1 if play.may_discard() else 0)

    def goes_out(self, play: Play) -> bool:
        """Whether the hand is over with this act, or with the one card that it leaves."""
        return self.leaves_one_to_go(play) and self.can_finish(play)
