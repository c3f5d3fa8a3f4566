"""The first half of the profile ``sealed``: every seat's seal, then the list of all (§2.5)."""

from verifier.bodies import Seal, Sealed
from verifier.replay.state import Epoch, State

_SEALS_OPEN = "a seal in a game of the profile open"


def take_seal(state: State, seal: Seal, epoch: Epoch) -> None:
    """Take in a seat's seal."""
    if state.terms.profile == "open":
        state.stop("E_ORDER", _SEALS_OPEN)
    if epoch.phase != "sealing":
        state.stop("E_SEAL_AFTER_SEALED", f"seat {seal.seat} seals after sealing was closed")
    if seal.seat in epoch.seals:
        state.stop("E_SEAT_TWICE", f"seat {seal.seat} seals a second time")
    for seat, other in epoch.seals.items():
        if other == seal.seal:
            state.fail("E_SEAL_COPIED", f"seat {seal.seat} has the seal of seat {seat}")
            break
    epoch.seals[seal.seat] = seal.seal


def take_sealed(state: State, sealed: Sealed, epoch: Epoch) -> None:
    """Close the sealing, after comparing the list with the seals that came."""
    if state.terms.profile == "open":
        state.stop("E_ORDER", _SEALS_OPEN)
    if epoch.phase != "sealing":
        state.stop("E_ORDER", f"the sealing of epoch {epoch.number} is closed a second time")
    due = tuple(epoch.seals.get(seat) for seat in range(state.seats))
    if sealed.seals != due:
        detail = f"{len(sealed.seals)} seals are listed for {len(due)} seats"
        if len(sealed.seals) == len(due):
            wrong = [seat for seat in range(state.seats) if sealed.seals[seat] != due[seat]]
            detail = f"other seals are listed than were given, seats {wrong}"
        state.fail("E_SEALED_LIST", detail)
    epoch.phase = "sharing"
