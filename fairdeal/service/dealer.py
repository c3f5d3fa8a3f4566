"""The front door: one short method a use case, each of them load, decide, append, answer.

Nothing here knows a rule of the game or HTTP: what may be recorded next is decided by
`fairdeal.game`, entropy and the clock are arguments, and only what the store has acknowledged is
ever answered.
"""

from collections.abc import Callable, Mapping
from typing import Any

from fairdeal.errors import Conflict, FairdealError, StaleVersion
from fairdeal.game import BETWEEN_HANDS, decide_act
from fairdeal.records.notes import SigningKey
from fairdeal.service.answers import Answer, Created, NewGame, Seating
from fairdeal.service.callers import Anyone, Caller, Callers, Operator, mode_of
from fairdeal.service.claims import Claims
from fairdeal.service.clerk import ASKED_MEANWHILE, Clerk
from fairdeal.service.feed import Feed
from fairdeal.service.founding import Founder
from fairdeal.service.gamelist import GameList
from fairdeal.service.hands import Hands
from fairdeal.service.hints import Hints
from fairdeal.service.keys import Keys
from fairdeal.service.looks import Looks
from fairdeal.service.moretime import Extensions
from fairdeal.service.mygames import MyGames
from fairdeal.service.myrecord import my_record
from fairdeal.service.presence import Presences
from fairdeal.service.publiclog.serving import Proofs, PublicFolder
from fairdeal.service.publiclog.watching import LATER_S, PAUSE_S, SOON_MS, AnyOrder
from fairdeal.service.quickmatch import QuickMatch
from fairdeal.service.readiness import Readiness
from fairdeal.service.repeats import Once
from fairdeal.service.roombook import RoomBook
from fairdeal.service.rooms import Rooms
from fairdeal.service.seeds import Seeds
from fairdeal.service.sites import Sites
from fairdeal.service.upkeep import Upkeep
from fairdeal.service.watchers import Watchers
from fairdeal.store.beacons import NO_BEACON, BeaconSource
from fairdeal.store.ports import Store
from fairdeal.store.vault import Entropy, Vault


class Dealer:
    """Deals and referees games.

    Args:
        store: Keeps the records.
        vault: Seals the secrets.
        key: Signs the receipts; its name is the origin of every game, and tells the mode.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.
        beacons: Where rounds of a beacon come from; without one no game may have a beacon.
        earlier_vkeys: Public keys under which receipts were signed before.
        nobody: Who shows no token; in a sandbox its operator.
        public_url: What stands before the path of a link; empty gives paths alone.
        log_folder: The public folder of the log; None where it is not served here.
        order: What has to be public in the log before a record is made.

    Attributes:
        seeds: Takes what players contribute.
        hands: Deals, draws and scores for sites that referee; stops hands and games.
        hints: Gives hints to seats in turn.
        more_time: Gives seats in turn more time.
        repeats: Finds the answers that are kept for requests that come twice.
        presences: Notes who is there.
        keys: Looks after the keys of sites.
        sites: Tells sites what they are.
        game_list: Lists the games of sites.
        claims: Gives out seats, anew too, and takes them back.
        watchers: Lets watchers in and out.
        feed: Lets callers follow games.
        looks: Shows games, and tries acts out.
        rooms: Opens rooms and lets callers take steps in them.
        quick_match: Brings players together who wish the same.
        my_games: Lists what the token of a seat opens.
        readiness: Whether requests can be taken.
        proofs: Gives out proofs of the public log.
        earlier_vkeys: As given.
    """

    def __init__(
        self,
        *,
        store: Store,
        vault: Vault,
        key: SigningKey,
        entropy: Entropy,
        clock: Callable[[], int],
        beacons: BeaconSource = NO_BEACON,
        earlier_vkeys: tuple[str, ...] = (),
        nobody: Anyone | Operator = Anyone(),  # noqa: B008  frozen
        public_url: str = "",
        log_folder: PublicFolder | None = None,
        order: AnyOrder = AnyOrder(),  # noqa: B008  has no state
    ) -> None:
        self._store = store
        self._callers = Callers(store, clock, mode_of(key.name), nobody)
        self._clerk = Clerk(store, vault, key, clock, self._callers, order)
        founder = self._founder = Founder(self._clerk, vault, entropy, beacons.chains, public_url)
        self._upkeep = Upkeep(self._clerk, beacons)
        self.seeds = Seeds(self._clerk)
        self.hands = Hands(self._clerk)
        self.hints = Hints(self._clerk)
        self.more_time = Extensions(self._clerk)
        self.keys = Keys(self._clerk, founder)
        self.sites = Sites(self._clerk)
        self.game_list = GameList(self._clerk)
        self.presences = Presences(store, clock)
        book = RoomBook(self._clerk, founder, self.presences)
        self._clerk.ended = book.settle
        self.claims = Claims(self._clerk, founder, book)
        self.watchers = Watchers(self._clerk, founder)
        self.repeats = self._clerk.repeats
        self.presences.returns = self._upkeep.returns
        self.presences.onward = self._clerk.go_on
        self.feed = Feed(self._clerk, self.presences)
        self.rooms = Rooms(self._clerk, founder, book, self.feed, entropy)
        self.my_games = MyGames(self._clerk, book)
        self.quick_match = QuickMatch(self._clerk, founder, book, self.feed, entropy)
        self.looks = Looks(self._clerk, self.feed, self._upkeep, self.claims)
        self.readiness = Readiness(store, self.feed, clock, order)
        self.proofs = Proofs(store, log_folder)
        self.earlier_vkeys = earlier_vkeys

    @property
    def origin(self) -> str:
        """The name under which all games are opened and all receipts signed."""
        return self._clerk.key.name

    @property
    def vkey(self) -> str:
        """The public key of the receipts, `NAME+KEYID+BASE64`."""
        return self._clerk.key.vkey

    @property
    def is_sandbox(self) -> bool:
        """Whether whoever shows no token is an operator."""
        return self._callers.is_sandbox

    def identify(self, token: str | None) -> Caller:
        """Return who shows this token (raises as `Callers.identify`)."""
        return self._callers.identify(token)

    # ----------------------------------------------------------------------- before the deal

    def create_game(self, caller: Caller, wanted: NewGame, *, once: Once | None = None) -> Created:
        """Commit to a new game and hand out a claim for each human seat.

        Args:
            caller: An operator.
            wanted: The game.
            once: The request, where its answer is to be kept, claims included.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
            MalformedInput, Unprocessable: There cannot be such a game.
            Conflict: `answer_kept`: the same request made one meanwhile.
        """
        return self._founder.create(self._callers.check_operator(caller).site, wanted, once)

    def claim(self, claim: str, key: str | None = None, *, once: Once | None = None) -> Seating:
        """Exchange a claim for the token of its seat (contract: `Claims.exchange`)."""
        return self.claims.exchange(claim, key, once=once)

    # -------------------------------------------------------------------------------- play

    def act(
        self, caller: Caller, game_id: str, expect: int, text: str, *, once: Once | None = None
    ) -> Answer:
        """Record an act of the caller's seat, and what follows from it.

        Args:
            caller: Holds a seat.
            game_id: The game.
            expect: The number of the newest record when the act was decided.
            text: The act in its canonical form (protocol 6.2).
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on, and not by this very act.
            MalformedInput, RuleBroken, Conflict: As `fairdeal.game.decide_act`.
        """
        seat = self._callers.check_seated(caller, game_id)
        while True:
            try:
                return self._act(game_id, seat, expect, text, once)
            except Conflict as refusal:
                if refusal.code != ASKED_MEANWHILE:
                    raise

    def _act(self, game_id: str, seat: int, expect: int, text: str, once: Once | None) -> Answer:
        game = self._clerk.game(game_id, at=expect)
        if expect != game.version:
            return self._clerk.repeated(game, seat, expect, text, once)
        try:
            drafts = decide_act(game, seat, text, deal_on=False, hints=self._clerk.hints)
        except FairdealError:
            game = self._clerk.game(game_id)
            if expect != game.version:
                return self._clerk.repeated(game, seat, expect, text, once)
            with self._clerk.repeats.refusals(once, game_id):
                raise
        try:
            return self._clerk.append(game, drafts, seat, once=once)
        except StaleVersion:
            # Somebody was faster; perhaps it was this very request, sent twice.
            return self._clerk.repeated(self._clerk.game(game_id), seat, expect, text, once)

    def my_record(self, caller: Caller, game_id: str) -> Mapping[str, Any]:
        """Return what the caller's seat should keep of the game so far, as one file.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
        """
        seat = self._callers.check_seated(caller, game_id)
        keys = (self.vkey, *self.earlier_vkeys)
        return my_record(self._clerk, self._clerk.game(game_id), seat, keys)

    # ----------------------------------------------------------------------------- by itself

    def advance(self, game_id: str) -> bool:
        """Do what a game has to do by itself; return whether it has to go on at once.

        Bots act, a hand's worth; a round of the beacon that is out is recorded, and the hand that
        waited for it is dealt; so is the hand whose pause is over; where a limit has passed, one
        act is made in place of a player; a game that nobody goes on with closes in time
        (decisions 14, 15).

        Raises:
            NotFound: `no_such_game`.
            StaleVersion: Somebody else wrote first; try again.
            StorageFailure: It could not be kept.
        """
        return self._upkeep.advance(game_id)

    def awaits_round(self, game_id: str) -> bool:
        """Say whether a game waits for a round of its beacon (raises `NotFound`)."""
        return self._upkeep.awaits_round(game_id)

    def wakes_in(self, game_id: str) -> float | None:
        """Return in how many seconds a game has something to do by itself; None for no time.

        Something that is done in the game, or a player who comes back to it, may change that.

        Raises:
            NotFound: `no_such_game`.
        """
        game = self._clerk.game(game_id)
        at = self._upkeep.wakes_at(game)
        if at is None:
            return None
        now = self._clerk.clock()
        least = 0.001
        waits = game.state == BETWEEN_HANDS or self._clerk.draws_seats(game)
        if waits and self._clerk.order.is_kept:
            # A hand that is due and was not dealt waits for its lock to be public.
            least = PAUSE_S if now - at < SOON_MS else LATER_S
        return max(least, (at - now) / 1000)

    def start_matches(self) -> float | None:
        """Start the games of quick match that are due; return in how many seconds the next one is.

        None where none is known to come (raises as `QuickMatch.start_due`).
        """
        at = self.quick_match.start_due()
        return None if at is None else max(0.001, (at - self._clerk.clock()) / 1000)

    def due(self) -> tuple[str, ...]:
        """Return the games that have to be looked at now and then (contract: `Upkeep.due`)."""
        return self._upkeep.due()

    def go_on_with(self, onward: Callable[[str], None]) -> tuple[str, ...]:
        """Have games named that have to go on by themselves after an answer was given.

        Returns:
            The unfinished games: in some of them bots may have been cut off in the middle.
        """
        self._clerk.onward = onward
        return self._store.unfinished()

    def check(self) -> None:
        """Read the store once.

        Raises:
            StorageFailure: It does not answer.
        """
        self._store.newest("")
