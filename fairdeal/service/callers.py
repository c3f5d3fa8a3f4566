"""Who calls: tokens are random texts of which only the SHA-256 is kept.

The prefix of a token tells its role, to people and to programs that look for leaked ones.
"""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, TypeAlias

from fairdeal.errors import NotAllowed, NotIdentified
from fairdeal.store.ports import Store

OPERATOR_PREFIX: Final = "cd_live_op_"
CLAIM_PREFIX: Final = "cd_live_claim_"
SEAT_PREFIX: Final = "cd_live_seat_"
TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Anyone:
    """Shows no token."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Runs games; sees no more of a running hand than anyone."""

    digest: bytes


@dataclass(frozen=True, slots=True)
class Seated:
    """Holds the token of one seat of one game."""

    game: str
    seat: int


Caller: TypeAlias = Anyone | Operator | Seated


def token(prefix: str, random: bytes) -> str:
    """Return the token that these 32 bytes make."""
    return prefix + urlsafe_b64encode(random).rstrip(b"=").decode("ascii")


def digest(text: str) -> bytes:
    """Return what the store keeps of a token."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def seat_token(claim: str, key: str) -> str:
    """Return the seat token that a claim and the claimer's own key give.

    The same two always give the same, so an answer that was lost can be asked for again; whoever
    has only seen the claim cannot make it.
    """
    material = f"fairdeal/seat-token\n{claim}\n{key}\n".encode()
    return token(SEAT_PREFIX, sha256(material).digest())


def identify(store: Store, text: str | None) -> Caller:
    """Return who shows this token.

    Raises:
        NotIdentified: `bad_key`: nobody gave it out, or it does not open anything by itself.
    """
    if text is None:
        return Anyone()
    grant = store.grant(digest(text))
    if grant is not None and grant.role == "operator":
        return Operator(grant.digest)
    if grant is not None and grant.role == "seat" and grant.seat is not None:
        return Seated(grant.game, grant.seat)
    raise NotIdentified("bad_key", "This token is not known here.")


def check_operator(caller: Caller) -> Operator:
    """Return the operator who calls.

    Raises:
        NotIdentified: `no_key`.
        NotAllowed: `wrong_role`.
    """
    match caller:
        case Operator():
            return caller
        case Anyone():
            raise NotIdentified("no_key", "Send the operator's token with this.")
        case Seated():
            raise NotAllowed("wrong_role", "This needs the operator's token, not that of a seat.")


def check_seated(caller: Caller, game: str, seat: int | None = None) -> int:
    """Return the seat of the game that the caller holds.

    Args:
        caller: Who calls.
        game: The game it must belong to.
        seat: The one that it must be, or None for any of the game.

    Raises:
        NotIdentified: `no_key`.
        NotAllowed: `wrong_role`, `not_your_seat`.
    """
    match caller:
        case Seated():
            if caller.game != game or seat not in (None, caller.seat):
                raise NotAllowed("not_your_seat", "This token belongs to another seat.")
            return caller.seat
        case Anyone():
            raise NotIdentified("no_key", "Send the token of your seat with this.")
        case Operator():
            raise NotAllowed("wrong_role", "This needs the token of a seat, not the operator's.")
