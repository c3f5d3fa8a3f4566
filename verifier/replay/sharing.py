"""Shares: what a seat's line is made from, against its seal and the user's own text (§2.4)."""

import hashlib

from verifier.bodies import Share
from verifier.derive import hash_line, seat_line
from verifier.keyboard import explain_seed
from verifier.replay.state import Epoch, State

_NO_NONCE = "0" * 64


def take_share(state: State, share: Share, epoch: Epoch) -> None:
    """Take in a seat's share."""
    if epoch.phase == "sealing":
        detail = f"seat {share.seat} shares before epoch {epoch.number} is sealed"
        state.stop("E_SHARE_BEFORE_SEALED", detail)
    if share.seat not in state.terms.players:
        return
    if share.seat in epoch.shares:
        state.fail("E_SEAT_TWICE", f"seat {share.seat} shares a second time")
        return
    epoch.shares[share.seat] = share
    if state.terms.profile == "sealed":
        _check_seal(state, share, epoch)
    _check_own_share(state, share)
    _check_player_signature(state, share)
    if share.nonce == _NO_NONCE:
        state.warn("W_TEXT_ONLY", f"seat {share.seat} has only its text, and no random nonce")
    elif share.nonce in state.nonces:
        state.warn("W_NONCE_REUSED", f"seat {share.seat} has a nonce that was used before")
    state.nonces.add(share.nonce)


def line_of(state: State, share: Share) -> str:
    """Return line S of a share, without its LF."""
    return seat_line(
        state.game, share.epoch, share.seat, state.open_hash, share.nonce, share.seed_sha256
    )


def _check_seal(state: State, share: Share, epoch: Epoch) -> None:
    seal = epoch.seals.get(share.seat)
    found = hash_line(line_of(state, share))
    if seal is None:
        state.fail("E_SHARE_WITHOUT_SEAL", f"seat {share.seat} shares and did not seal")
    elif seal != found:
        detail = f"seat {share.seat}: its line has the hash {found}, its seal was {seal}"
        state.fail("E_SEAL_OPENING", detail)


def _check_own_share(state: State, share: Share) -> None:
    own = state.held.own_seed
    if own is None or own.seat != share.seat or share.epoch not in state.locked_in_file:
        return
    where = f"epoch {share.epoch}, seat {share.seat}"
    text = own.text_for(share.epoch)
    if text is not None and hashlib.sha256(text).hexdigest() != share.seed_sha256:
        detail = (
            f"{where}: the share has the seed hash {share.seed_sha256}, your text has"
            f" {hashlib.sha256(text).hexdigest()}; {explain_seed(text, share.seed_sha256)}"
        )
        state.fail("E_OWN_SEED", detail)
    elif own.nonces.get(share.epoch, share.nonce) != share.nonce:
        detail = f"{where}: the share has the nonce {share.nonce}, yours is another"
        state.fail("E_OWN_SEED", detail)


def _check_player_signature(state: State, share: Share) -> None:
    """Look for a signature of the seat's line by the key that the player is known to have."""
    key = state.held.player_keys.get(share.seat)
    if key is None or share.epoch not in state.locked_in_file:
        return
    line = line_of(state, share).encode("ascii") + b"\n"
    given = [
        entry
        for entry in state.held.player_signatures
        if (entry.epoch, entry.seat, entry.key) == (share.epoch, share.seat, key.raw.hex())
    ]
    if any(key.verify(line, entry.signature) for entry in given):
        return
    why = "the signature is of another line" if given else "no signature by that key is given"
    detail = f"epoch {share.epoch}, seat {share.seat}: {why}"
    state.fail("E_PLAYER_SIGNATURE", detail)
