"""When each reason holds, read off the whole position and the hand so far: no word of `bots`.

For each code what its facts are, or None where there is nothing to say. Where several facts would
do, as with two canastas in one act, it is a list of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from fairdeal.canasta import acts, cards, engine, finish
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import Position
from fairdeal.canasta.whereabouts import held_for_sure

RANKS = GROUP_RANKS[:11]
LAYING = (acts.Lay, acts.Take)


def is_wild(face):
    return face == "JK" or face[0] == "2"


def rank_of(face):
    return "W" if is_wild(face) else face[0]


def points_of(faces):
    return sum(cards.VALUES[cards.CLASS_OF[cards.NUMBER[face]]] for face in faces)


@dataclass(frozen=True)
class World:
    """A legal act before a position of which everything is known.

    Attributes:
        position: The position.
        act: What the seat in turn does.
        up: The cards that were turned at the deal.
        played: Seat and act of all that was done before.
        before: The positions of these acts.
    """

    position: Position
    act: acts.Act
    up: Sequence[str]
    played: Sequence[tuple[int, acts.Act]]
    before: Sequence[Position]

    @property
    def seat(self):
        return self.position.turn

    @property
    def side(self):
        return self.position.side_of[self.seat]

    @property
    def rules(self):
        return self.position.rules

    @property
    def pile(self):
        return [cards.FACES[card] for card in self.position.pile]

    @cached_property
    def after(self):
        return engine.apply(self.position, self.seat, self.act).position

    @property
    def used(self):
        """The faces that the act lays from the holding."""
        if isinstance(self.act, acts.Take):
            return [*self.act.own, *(face for one in self.act.groups for face in one.cards)]
        if isinstance(self.act, acts.Lay):
            return [face for one in self.act.groups for face in one.cards]
        return []

    @property
    def worth(self):
        return points_of(self.used + (self.pile[-1:] if isinstance(self.act, acts.Take) else []))

    @property
    def discard(self):
        if isinstance(self.act, acts.Discard):
            return self.act.card
        return self.act.discard if isinstance(self.act, acts.Lay) else None

    @cached_property
    def out(self):
        """The hand after the seat went out, with the act or with the one card that it leaves."""
        if not isinstance(self.act, (*LAYING, acts.Discard)):
            return None
        if isinstance(self.act, acts.Take) and {"3D", "3H"} & set(self.pile[:-1]):
            return None
        if self.after.out == self.seat:
            return self.after
        if self.discard is not None or self.after.end or self.after.sizes[self.seat] != 1:
            return None
        (last,) = self.after.holding(self.seat)
        act = acts.Discard(cards.FACES[last])
        if next(faults(self.after, self.seat, act), None) is not None:
            return None
        return engine.apply(self.after, self.seat, act).position

    def holding(self, position=None):
        """The seat's own faces, now or after the act, without what came with the pile."""
        return [cards.FACES[card] for card in (position or self.position).holding(self.seat)]

    @property
    def wilds_left(self):
        spent = [*self.used, *([self.discard] if self.discard else [])]
        return sum(map(is_wild, self.holding())) - sum(map(is_wild, spent))

    def melds(self, position, side):
        """Slot and faces of each meld, black threes left out."""
        return {
            rank: [cards.FACES[card] for card in position.laid[side][slot]]
            for slot, rank in enumerate(GROUP_RANKS[:12])
            if position.laid[side][slot]
        }

    @property
    def grown(self):
        """Rank, size before, faces after, of each meld that the act begins or adds to."""
        if not isinstance(self.act, LAYING):
            return []
        before, after = (self.melds(one, self.side) for one in (self.position, self.after))
        return [
            (rank, len(before.get(rank, ())), faces)
            for rank, faces in after.items()
            if len(faces) > len(before.get(rank, ()))
        ]

    def suffices(self, position, side):
        done = [faces for faces in self.melds(position, side).values() if len(faces) >= 7]
        pure = [faces for faces in done if not any(map(is_wild, faces))]
        enough = len(done) >= self.rules.canastas_to_go_out
        return enough and bool(pure or not self.rules.go_out_needs_natural)

    @property
    def next(self):
        return (self.seat + 1) % self.rules.players

    @property
    def next_side(self):
        return self.position.side_of[self.next]

    @property
    def thrown(self):
        """The face that is thrown while the hand goes on."""
        return None if self.out is not None else self.discard

    @property
    def rank(self):
        """Its rank, where it is one from four to ace."""
        return (
            self.thrown[0]
            if self.thrown and self.thrown[0] in RANKS and self.thrown != "JK"
            else None
        )

    @property
    def shut(self):
        """Whether the pile on which it is thrown is frozen for the next side."""
        unopened = self.rules.frozen_before_opening and not self.position.opened(self.next_side)
        return self.after.frozen or unopened

    @property
    def lay_on(self):
        doors = self.rules.take_frozen if self.shut else self.rules.take_unfrozen
        return "lay_on_meld" in doors

    @property
    def fed(self):
        """Whether the next side has a meld that takes what is thrown."""
        if self.rank is None or self.next_side == self.side or not self.lay_on:
            return False
        meld = self.melds(self.position, self.next_side).get(self.rank, [])
        return bool(meld) and (len(meld) < 7 or self.rules.lay_on_completed_canasta)

    @property
    def elsewhere(self):
        """How many cards of the rank are in the stock and with others, and how many all saw."""
        slot = RANKS.index(self.rank)
        others = [one for one in range(self.rules.players) if one != self.seat]
        stock = self.position.stock[self.position.drawn :]
        hidden = sum(self.position.counts[one][slot] for one in others)
        hidden += sum(cards.CLASS_OF[card] == slot for card in stock)
        held = held_for_sure(self.rules.players, self.up, self.played)
        sure = sum(
            number
            for one in others
            for face, number in held[one].items()
            if rank_of(face) == self.rank
        )
        return hidden, sure

    @property
    def takes(self):
        listed = engine.legal_acts(self.position)
        return [one for one in listed if isinstance(one, acts.Take)]


def only_move(w):
    alone = len(list(islice(engine.legal_acts(w.position), 2))) == 1
    return {} if alone and not isinstance(w.act, LAYING) else None


def must(w):
    bound = w.position.answer == "yes" and w.rules.permission_yes == "must_go_out"
    taking = isinstance(w.act, acts.Take) and not w.position.stock_left
    forced = taking and "MUST_TAKE_PILE" in set(faults(w.position, w.seat, acts.End()))
    bound = bound and isinstance(w.act, acts.Lay | acts.Discard)
    return {} if bound or forced or isinstance(w.act, acts.Show) else None


def goes_out(w):
    return None if w.out is None else {"points": w.rules.going_out_bonus}


def concealed(w):
    points = w.rules.concealed_extra
    return {"points": points} if w.out and w.out.concealed and points else None


def partner_may_lose(w):
    partners = [one for one in w.rules.side_seats[w.side] if one != w.seat]
    most = max((w.position.sizes[one] for one in partners), default=0)
    return {"cards": most} if w.out and most >= 5 else None


def asks_partner(w):
    return {} if isinstance(w.act, acts.Ask) else None


def answers_partner(w):
    if not isinstance(w.act, acts.Answer):
        return None
    held = w.holding()
    melds = w.melds(w.position, w.side)
    loose, room = [face for face in held if face[0] == "3"], 0
    for rank in RANKS:
        mine = [face for face in held if rank_of(face) == rank]
        there = melds.get(rank, [])
        if len(mine) < w.rules.meld_min_size and not there:
            loose += mine
            continue
        naturals = len(mine) + sum(not is_wild(face) for face in there)
        cap = 999 if w.rules.meld_max_wilds is None else w.rules.meld_max_wilds
        cap = cap if w.rules.wild_ratio == "free" else min(cap, naturals)
        room += max(0, cap - sum(map(is_wild, there)))
    wild = sorted((face for face in held if is_wild(face)), key=lambda face: face != "JK")
    return {"loose": points_of(loose + wild[room:]), "most": 100}


def opens_now(w):
    if not isinstance(w.act, LAYING) or w.position.opened(w.side):
        return None
    return {"points": w.worth, "need": w.position.minimum(w.side)}


def opens_cheaply(w):
    if opens_now(w) is None or any(map(is_wild, w.used)) or w.out:
        return None
    return {"wilds": w.wilds_left} if w.wilds_left else None


def _canastas(w, *, pure):
    done = [(rank, faces) for rank, was, faces in w.grown if was < 7 <= len(faces)]
    return [(rank, faces) for rank, faces in done if pure != any(map(is_wild, faces))]


def natural_canasta(w):
    points = w.rules.natural_canasta
    return [{"ranks": rank, "points": points} for rank, _ in _canastas(w, pure=True)] or None


def completes_canasta(w):
    wild, mixed = w.rules.wild_canasta_bonus, w.rules.mixed_canasta
    return [
        {"ranks": rank, "points": wild if rank == "W" else mixed}
        for rank, _ in _canastas(w, pure=False)
    ] or None


def way_out(w):
    if not w.grown or w.suffices(w.position, w.side) or not w.suffices(w.after, w.side):
        return None
    return {"canastas": w.rules.canastas_to_go_out}


def nearly_canasta(w):
    near = [(len(faces), rank) for rank, _, faces in w.grown if len(faces) in (5, 6)]
    most = max((size for size, _ in near), default=0)
    found = [{"ranks": rank, "have": size} for size, rank in near if size == most]
    return found or None if w.out is None else None


def fat_pile(w):
    if not isinstance(w.act, acts.Take) or len(w.pile) < 5:
        return None
    return {"cards": len(w.pile), "points": points_of(w.pile)}


def saves_wild(w):
    if not isinstance(w.act, LAYING) or not w.position.opened(w.side) or w.out:
        return None
    return {"wilds": w.wilds_left} if w.wilds_left and not any(map(is_wild, w.used)) else None


def they_may_go_out(w):
    near = [
        {"seat": seat, "cards": size}
        for seat, size in enumerate(w.position.sizes)
        if size <= 3
        and (side := w.position.side_of[seat]) != w.side
        and w.suffices(w.position, side)
    ]
    return near[0] if near and isinstance(w.act, LAYING) and not w.out else None


def stock_runs_out(w):
    if isinstance(w.act, acts.End):
        return {}
    left = w.position.stock_left
    return {"cards": left} if isinstance(w.act, LAYING) and left <= 8 and not w.out else None


def lays_points(w):
    return {"points": w.worth} if isinstance(w.act, LAYING) else None


def pile_too_small(w):
    few = isinstance(w.act, acts.Draw) and len(w.pile) <= 3
    return {"cards": len(w.pile)} if few and w.takes else None


def pile_costs_wild(w):
    if not isinstance(w.act, acts.Draw) or not w.takes:
        return None
    least = min(sum(map(is_wild, acts.cards_of(one))) for one in w.takes)
    return {"wilds": least} if least else None


def pile_blocked(w):
    if not isinstance(w.act, acts.Draw) or not w.pile:
        return None
    word = cards.class_word(cards.CLASS_OF[w.position.pile[-1]])
    return {} if word in w.rules.top_blocks else None


def frozen_needs_pair(w):
    if not isinstance(w.act, acts.Draw) or not w.pile or rank_of(w.pile[-1]) not in RANKS:
        return None
    rank = w.pile[-1][0]
    have = sum(rank_of(face) == rank for face in w.holding())
    unopened = w.rules.frozen_before_opening and not w.position.opened(w.side)
    shut = (w.position.frozen or unopened) and tuple(w.rules.take_frozen) == ("pair",)
    return {"ranks": rank, "have": have} if shut and have < 2 else None


def black_three_safe(w):
    return {} if w.thrown in ("3C", "3S") and "black3" in w.rules.top_blocks else None


def freeze_pile(w):
    if w.thrown is None or w.position.frozen or w.rules.always_frozen or not w.after.frozen:
        return None
    return {"cards": len(w.after.pile)}


def feeds_them(w):
    return {"ranks": w.rank, "cards": len(w.after.pile)} if w.fed else None


def all_copies_seen(w):
    if w.rank is None or w.fed:
        return None
    hidden, _ = w.elsewhere
    total = 4 * w.rules.decks
    return {"ranks": w.rank, "seen": total - hidden, "total": total} if hidden < 2 else None


def few_unseen(w):
    if w.rank is None or w.fed:
        return None
    hidden, sure = w.elsewhere
    found = {"ranks": w.rank, "unseen": hidden, "total": 4 * w.rules.decks}
    return found if hidden in (2, 3) and not sure else None


def frozen_shields(w):
    other = w.rank is not None and w.next_side != w.side
    return {"ranks": w.rank} if other and w.shut and w.rules.take_frozen == ("pair",) else None


def not_their_meld(w):
    if w.rank is None or w.next_side == w.side or not w.position.opened(w.next_side):
        return None
    return (
        {"ranks": w.rank} if w.rank not in w.melds(w.position, w.next_side) and w.lay_on else None
    )


def left_before(w):
    if w.rank is None:
        return None
    times = sum(
        seat == w.next
        and isinstance(act, acts.Draw)
        and len(before.pile) > 1
        and rank_of(cards.FACES[before.pile[-1]]) == w.rank
        for before, (seat, act) in zip(w.before, w.played, strict=True)
    )
    return {"ranks": w.rank, "times": times} if times else None


def thrown_before(w):
    thrown = [
        act.card if isinstance(act, acts.Discard) else act.discard
        for seat, act in w.played
        if seat == w.next and isinstance(act, acts.Discard | acts.Lay)
    ]
    times = sum(face is not None and rank_of(face) == w.rank for face in thrown)
    return {"ranks": w.rank, "cards": times} if w.rank and times else None


def keeps_pair(w):
    if w.rank is None:
        return None
    left = [rank_of(face) for face in w.holding(w.after)]
    kept = [rank for rank in RANKS if left.count(rank) > 1]
    return {"ranks": w.rank, "kept": kept} if kept and w.rank not in left else None


def new_card(w):
    left = w.position.stock_left
    draw = min(w.rules.draw_count, left)
    return {"draw": draw, "cards": left} if isinstance(w.act, acts.Draw) else None


def sheds_points(w):
    return {"points": points_of([w.discard])} if w.discard else None


def can_go_out(w):
    """Whether the seat could go out this turn."""
    view = finish.table(w.position, w.seat)
    return finish.can_finish(view, w.position.counts[w.seat])
