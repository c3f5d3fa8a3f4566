"""Who calls: tokens are random texts of which only the SHA-256 is kept.

The prefix of a token tells its role and its mode, to people and to programs that look for leaked
ones. Here, and nowhere else, a token becomes a caller, and a caller is let through to a use case.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Final, Literal, TypeAlias

from fairdeal.errors import Gone, NotAllowed, NotIdentified
from fairdeal.service.places import Places
from fairdeal.store.ports import Grant, GrantState, Role, Store

Mode: TypeAlias = Literal["live", "test"]
Scope: TypeAlias = Literal["full", "read"]

SITE_MAIN: Final = "site_main"
"""The site of a folder's first key, and of whatever is older than sites."""

SITE_DEMO: Final = "site_demo"
"""The site of a sandbox."""

LIVE: Final[Mode] = "live"
TEST: Final[Mode] = "test"
_WORDS: Final[dict[Role, str]] = {
    "operator": "op",
    "claim": "claim",
    "seat": "seat",
    "watch": "watch",
}
TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Anyone:
    """Shows no token, so that there is no digest of one."""

    digest: ClassVar[bytes] = b""


@dataclass(frozen=True, slots=True)
class Operator:
    """Runs a site's games; sees no more of a running hand than anyone.

    Attributes:
        digest: SHA-256 of the token, as with each caller; empty in a sandbox, if none was shown.
        site: Whose key it is.
        scope: `read` may only look.
        key: The key's public name; empty for one that is older than names.
    """

    digest: bytes
    site: str = SITE_MAIN
    scope: str = "full"
    key: str = ""


SANDBOX_OPERATOR: Final = Operator(b"", SITE_DEMO)
"""Whoever shows no token in a sandbox; no token, so none that could have ended."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Holds the token of one seat, of a game or of all games of a room.

    Attributes:
        game: The game; empty in a room.
        seat: From 0.
        room: The room; empty for a game.
        digest: SHA-256 of the token.
    """

    game: str
    seat: int
    room: str = ""
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class Watching:
    """May watch one game.

    Attributes:
        game: The game.
        digest: SHA-256 of the token.
    """

    game: str
    digest: bytes


Caller: TypeAlias = Anyone | Operator | Seated | Watching


def mode_of(origin: str) -> Mode:
    """Return the mode of a service by its name: one in test mode ends in `/test`."""
    return TEST if origin.endswith("/test") else LIVE


def prefix(role: Role, mode: Mode = LIVE) -> str:
    """Return what tokens of this role begin with."""
    return f"cd_{mode}_{_WORDS[role]}_"


def token(prefix: str, random: bytes) -> str:
    """Return the token that these 32 bytes make."""
    return prefix + urlsafe_b64encode(random).rstrip(b"=").decode("ascii")


def digest(text: str) -> bytes:
    """Return what the store keeps of a token."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def seat_token(claim: str, key: str, mode: Mode = LIVE) -> str:
    """Return the seat token that a claim and the claimer's own key give.

    The same two always give the same, so an answer that was lost can be asked for again; whoever
    has only seen the claim cannot make it.
    """
    material = f"fairdeal/seat-token\n{claim}\n{key}\n".encode()
    return token(prefix("seat", mode), sha256(material).digest())


class Callers:
    """Tells who shows a token, and lets callers through to what is theirs.

    Each use case asks one question: `check_operator`, `check_seated`, `check_in_room` or
    `check_reader`.

    Args:
        store: Keeps the grants.
        clock: Tells the time in milliseconds since 1970.
        mode: Tokens of the other mode are refused, known or not.
        nobody: Who shows no token; in a sandbox its operator.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        mode: Mode = LIVE,
        nobody: Anyone | Operator = Anyone(),
    ) -> None:
        self.mode = mode
        self.places = Places(store, SITE_MAIN)
        self._store = store
        self._clock = clock
        self._nobody = nobody

    @property
    def is_sandbox(self) -> bool:
        """Whether whoever shows no token is an operator."""
        return isinstance(self._nobody, Operator)

    def identify(self, text: str | None) -> Caller:
        """Return who shows this token.

        Raises:
            NotIdentified: `bad_key`: nobody gave it out, it was revoked, or it does not open
                anything by itself; `key_expired`.
            NotAllowed: `mode_mismatch`.
            Gone: `token_replaced`.
        """
        if text is None:
            return self._nobody
        self.check_mode(text)
        return self._caller(self._store.grant(digest(text)))

    def check_still(self, caller: Caller) -> None:
        """Look again at the token that a caller showed before (raises as `identify`)."""
        if caller.digest:
            self._caller(self._store.grant(caller.digest))

    def _caller(self, grant: Grant | None) -> Caller:
        if grant is None or grant.state == "revoked":
            raise NotIdentified("bad_key", "This token is not known here.")
        if grant.role == "claim":
            raise NotIdentified("bad_key", "Exchange a claim for a token first.")
        check_state(grant.state)
        if self.expired(grant):
            raise NotIdentified("key_expired", "This token has ended.", {"until": grant.until})
        if grant.role == "operator":
            # A key that is older than sites and scopes names neither.
            scope, site = grant.scope or "full", grant.site or SITE_MAIN
            return Operator(grant.digest, site, scope, grant.id)
        if grant.role == "watch":
            return Watching(grant.game, grant.digest)
        if grant.seat is None:
            raise NotIdentified("bad_key", "This token is not known here.")
        return Seated(grant.game, grant.seat, grant.room, grant.digest)

    def check_mode(self, text: str) -> None:
        """Refuse a token or claim of the other mode (raises `NotAllowed`: `mode_mismatch`)."""
        other = TEST if self.mode == LIVE else LIVE
        if text.startswith(f"cd_{other}_"):
            raise NotAllowed(
                "mode_mismatch",
                f"This is a token of {other} mode, and the service runs in {self.mode} mode.",
                {"token": other, "service": self.mode},
            )

    def expired(self, grant: Grant) -> bool:
        """Say whether a grant has ended."""
        return grant.until is not None and self._clock() >= grant.until

    def check_operator(
        self, caller: Caller, game: str = "", *, room: str = "", write: bool = True
    ) -> Operator:
        """Return the operator who calls, where the game and the room are of his site.

        Args:
            caller: Who calls.
            game: The game it is about, or empty.
            room: The room it is about, or empty.
            write: Whether anything may change.

        Raises:
            NotIdentified: `no_key`.
            NotAllowed: `wrong_role`; `read_only_key`; `not_your_game`: another site's.
            NotFound: `no_such_game`, `no_such_room`.
        """
        if isinstance(caller, Anyone):
            raise NotIdentified("no_key", "Send the operator's token with this.")
        if not isinstance(caller, Operator):
            raise NotAllowed("wrong_role", "This needs the token of an operator.")
        if write and caller.scope != "full":
            raise NotAllowed("read_only_key", "This key may look, and change nothing.")
        if game and self.places.game(game).site != caller.site:
            raise NotAllowed("not_your_game", "This game belongs to another site.")
        if room and self.places.room(room) != caller.site:
            raise NotAllowed("not_your_game", "This room belongs to another site.")
        return caller

    def check_seated(self, caller: Caller, game: str, seat: int | None = None) -> int:
        """Return the seat of the game that the caller holds, by the game or by its room.

        Where seats were drawn it is another one than that of the room.

        Args:
            caller: Who calls.
            game: The game it must belong to.
            seat: The one that it must be, or None for any of the game.

        Raises:
            NotIdentified: `no_key`.
            NotAllowed: `wrong_role`, `not_your_seat`.
            NotFound: `no_such_game`.
        """
        held = _held(caller)
        mine = self._seat_in(held, game)
        if mine is None or seat not in (None, mine):
            raise NotAllowed("not_your_seat", "This token belongs to another seat or game.")
        return mine

    def check_holds_seat(self, caller: Caller) -> Seated:
        """Return who holds a seat, of whatever game or room (raises as `check_seated`)."""
        return _held(caller)

    def check_in_room(self, caller: Caller, room: str, seat: int | None = None) -> int:
        """Return the seat of the room that the caller holds (raises as `check_seated`)."""
        held = _held(caller)
        if held.room != room or seat not in (None, held.seat):
            raise NotAllowed("not_your_seat", "This token belongs to another seat or room.")
        return held.seat

    def check_reader(self, caller: Caller, game: str) -> int | None:
        """Return the seat of whoever may read the game, or None for what the public sees.

        Raises:
            NotAllowed: `not_your_seat`, `not_your_game`: the token belongs elsewhere;
                `watch_closed`: the game is running and is watched by invitation.
            NotFound: `no_such_game`.
        """
        match caller:
            case Seated():
                return self.check_seated(caller, game)
            case Operator():
                self.check_operator(caller, game, write=False)
            case Watching():
                if caller.game != game:
                    raise NotAllowed("not_your_game", "This token is for watching another game.")
            case Anyone():
                if not self.places.game(game).open and not self.places.over(game):
                    raise NotAllowed("watch_closed", "This game is watched by invitation.")
        return None

    def _seat_in(self, held: Seated, game: str) -> int | None:
        """Return the seat of the game that somebody holds, or None."""
        if held.game:
            return held.seat if held.game == game else None
        if not held.room:
            return None
        place = self.places.game(game)
        return place.seat_of(held.seat) if place.room == held.room else None


def check_state(state: GrantState) -> None:
    """Refuse what another token stands in for now (raises `Gone`: `token_replaced`)."""
    if state == "replaced":
        raise Gone("token_replaced", "This was replaced by another one, which alone counts now.")


def _held(caller: Caller) -> Seated:
    match caller:
        case Seated():
            return caller
        case Anyone():
            raise NotIdentified("no_key", "Send the token of your seat with this.")
        case _:
            raise NotAllowed("wrong_role", "This needs the token of a seat.")
