"""The front door: one short method a use case, each of them load, decide, append, answer.

Nothing here knows a rule of the game or HTTP: what may be recorded next is decided by
`fairdeal.game`, entropy and the clock are arguments, and only what the store has acknowledged is
ever answered.
"""

from collections.abc import Callable
from typing import Final

from fairdeal import game as rules
from fairdeal.errors import Conflict, StaleVersion
from fairdeal.game import bot_turn, decide_act, decide_close, decide_seed, event, seat_view
from fairdeal.records.notes import SigningKey
from fairdeal.records.tablecode import table_code
from fairdeal.service.answers import (
    Answer,
    Choices,
    Created,
    NewGame,
    Page,
    PublicGame,
    PublicSeat,
    Seating,
    View,
)
from fairdeal.service.batch import Batch
from fairdeal.service.callers import Caller, Seated, check_operator, check_seated, identify
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.opening import Opener
from fairdeal.service.past import past_record
from fairdeal.store.ports import NEW_GAME, Store
from fairdeal.store.vault import Entropy, Vault

PAGE: Final = 100
"""At most so many events come in one page."""


class Dealer:
    """Deals and referees games.

    Args:
        store: Keeps the records.
        vault: Seals the secrets.
        key: Signs the receipts; its name is the origin of every game.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.
    """

    def __init__(
        self,
        *,
        store: Store,
        vault: Vault,
        key: SigningKey,
        entropy: Entropy,
        clock: Callable[[], int],
    ) -> None:
        self._store = store
        self._clerk = Clerk(store, vault, key, clock)
        self._opener = Opener(self._clerk, vault, entropy)

    @property
    def origin(self) -> str:
        """The name under which all games are opened and all receipts signed."""
        return self._clerk.key.name

    @property
    def vkey(self) -> str:
        """The public key of the receipts, `NAME+KEYID+BASE64`."""
        return self._clerk.key.vkey

    @property
    def commits(self) -> int:
        """How many commits the store has made since it was opened."""
        return self._store.commits

    def identify(self, token: str | None) -> Caller:
        """Return who shows this token (raises `NotIdentified`)."""
        return identify(self._store, token)

    # ----------------------------------------------------------------------- before the deal

    def create_game(
        self, caller: Caller, wanted: NewGame, idempotency_key: str | None = None
    ) -> Created:
        """Commit to a new game and hand out a claim for each human seat.

        Args:
            caller: An operator.
            wanted: The game.
            idempotency_key: A repeat under the same key gets the same answer, claims included.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
            MalformedInput, Unprocessable: There cannot be such a game.
            Conflict: `idempotency_mismatch`: another game was created under this key.
        """
        return self._opener.create(check_operator(caller).digest, wanted, idempotency_key)

    def claim(self, claim: str, key: str | None = None) -> Seating:
        """Exchange a claim for the token of its seat.

        Args:
            claim: The secret that the game's creator handed on.
            key: A random text of the claimer's own; with it a lost answer can be asked for again.

        Raises:
            NotFound: `no_such_claim`.
            Gone: `claim_used`.
        """
        return self._opener.claim(claim, key)

    def share_seed(
        self,
        caller: Caller,
        game_id: str,
        seat: int,
        *,
        epoch: int,
        open_hash: str,
        nonce: str,
        seed_sha256: str,
    ) -> Answer:
        """Record what a player contributes; with the last of them the hand is dealt.

        The first receipt is that of the share, and a repeat gets it again (protocol 2.5).

        Raises:
            NotIdentified, NotAllowed: The caller does not hold this seat.
            NotFound, Conflict, RuleBroken, MalformedInput: As `fairdeal.game.decide_seed`.
        """
        check_seated(caller, game_id, seat)
        game = self._clerk.game(game_id)
        drafts = decide_seed(game, seat, epoch, open_hash, nonce, seed_sha256)
        if drafts:
            try:
                return self._clerk.append(game, drafts, seat, name_first=True)
            except StaleVersion:
                # Another seat was faster; with what it shared, decide again.
                return self.share_seed(
                    caller, game_id, seat,
                    epoch=epoch, open_hash=open_hash, nonce=nonce, seed_sha256=seed_sha256,
                )  # fmt: skip
        # A repeat of what this seat shared before: it is among the records.
        shares = map(past_record, self._store.lines_of_type(game_id, "share"))
        mine = next(s for s in shares if (s.body["epoch"], s.body["seat"]) == (epoch, seat))
        return self._clerk.again(game, mine, seat, name_first=True)

    # -------------------------------------------------------------------------------- play

    def view(self, caller: Caller, game_id: str) -> View:
        """Return what the caller's seat may see now."""
        seat = check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        return View(version=game.version, seat=seat, view=seat_view(game, seat))

    def choices(self, caller: Caller, game_id: str) -> Choices:
        """Return what the caller's seat can do now and what it cannot, with the reasons."""
        seat = check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        return Choices(version=game.version, **rules.choices(game, seat))

    def act(self, caller: Caller, game_id: str, expect: int, text: str) -> Answer:
        """Record an act of the caller's seat, and what follows from it.

        Args:
            caller: Holds a seat.
            game_id: The game.
            expect: The number of the newest record when the act was decided.
            text: The act in its canonical form (protocol 6.2).

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat of this game.
            NotFound: `no_such_game`.
            StaleVersion: The game has moved on, and not by this very act.
            MalformedInput, RuleBroken, Conflict: As `fairdeal.game.decide_act`.
        """
        seat = check_seated(caller, game_id)
        game = self._clerk.game(game_id)
        if expect != game.version:
            return self._clerk.repeated(game, seat, expect, text)
        drafts = decide_act(game, seat, text)
        try:
            return self._clerk.append(game, drafts, seat)
        except StaleVersion:
            # Somebody was faster; perhaps it was this very request, sent twice.
            return self._clerk.repeated(self._clerk.game(game_id), seat, expect, text)

    def close(self, caller: Caller, game_id: str, reason: str) -> Answer:
        """End a game and publish its master secret; a repeat gets the same records again.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
            NotFound: `no_such_game`.
            Conflict: `game_over`: it was closed for another reason.
            StaleVersion: An act came in between; try again.
        """
        check_operator(caller)
        game = self._clerk.game(game_id)
        if game.state == rules.CLOSED:
            closing = past_record(self._store.lines_of_type(game_id, "close")[0])
            if closing.body["reason"] == reason:
                return self._clerk.again(game, closing, None)
            raise Conflict("game_over", "This game is over.", {"reason": closing.body["reason"]})
        return self._clerk.append(game, decide_close(game, reason), None)

    def advance(self, game_id: str) -> bool:
        """Let bots act that still have to, a hand's worth; return whether they have to go on.

        Raises:
            NotFound: `no_such_game`.
            StaleVersion: Somebody else wrote first; try again.
            StorageFailure: It could not be kept.
        """
        batch = Batch(self._clerk.game(game_id), self._clerk.clock())
        batch.follow()
        if batch.made:
            self._clerk.keep(batch)
        return bot_turn(batch.game) is not None

    def go_on_with(self, onward: Callable[[str], None]) -> tuple[str, ...]:
        """Have games named in which bots still have to act after an answer was given.

        Returns:
            The unfinished games: in some of them bots may have been cut off in the middle.
        """
        self._clerk.onward = onward
        return self._store.unfinished()

    # ----------------------------------------------------------------------------- reading

    def events(
        self, caller: Caller, game_id: str, after: int = NEW_GAME, limit: int = PAGE
    ) -> Page:
        """Return the records behind `after`, in order, as far as the caller may see them.

        Seats see them as they are made, each with its own private facts; everybody else, the
        operator included, sees what the transcript holds.

        Raises:
            NotAllowed: The caller holds a seat of another game.
            NotFound: `no_such_game`.
        """
        seat = check_seated(caller, game_id) if isinstance(caller, Seated) else None
        game = self._clerk.game(game_id)
        end = self._clerk.public_end(game) if seat is None else game.version
        wanted = max(0, min(limit, PAGE, end - after))
        lines = self._store.lines(game_id, after=after, limit=wanted)
        return Page(
            version=end,
            events=tuple(event(game, past_record(line), seat) for line in lines),
            has_more=after + len(lines) < end,
        )

    def transcript(self, game_id: str) -> bytes:
        """Return the game's lines as they are hashed, the same for everybody.

        Of a running game they end at the last `reveal`; before the first one, at the last record
        before the first deal.

        Raises:
            NotFound: `no_such_game`.
        """
        end = self._clerk.public_end(self._clerk.game(game_id))
        return b"".join(self._store.lines(game_id, limit=end + 1))

    def public(self, game_id: str) -> PublicGame:
        """Return what everybody may know of a game.

        Raises:
            NotFound: `no_such_game`.
        """
        game = self._clerk.game(game_id)
        first = self._clerk.first(game_id)
        custody = first.body["rules"]["play"]["custody"]
        seats = zip(first.body["seats"], custody, strict=True)
        return PublicGame(
            id=game_id,
            state=game.state,
            version=self._clerk.public_end(game),
            origin=first.body["origin"],
            commitment=commitment(first),
            table_code=table_code(first.hash),
            seats=tuple(
                PublicSeat(seat=seat, kind=said["kind"], label=said["label"], custody=word)
                for seat, (said, word) in enumerate(seats)
            ),
            reveal_by=first.body["reveal_by"],
        )

    def check(self) -> None:
        """Read the store once.

        Raises:
            StorageFailure: It does not answer.
        """
        self._store.newest("")
