"""Seeds: seals, shares, locks, and what follows when one is missing (protocol §2.5, §2.6).

Each wish gives the drafts that follow from it at once; a repeat of what is recorded gives none,
so that "please send it again" never is a way to roll the deck anew.
"""

from dataclasses import replace
from typing import Final

from fairdeal.errors import Conflict, MalformedInput, NotFound, Unprocessable
from fairdeal.fairness.beacon import CHAINS
from fairdeal.fairness.lines import commit, seat_line
from fairdeal.game.dealing import body_of
from fairdeal.game.draft import Draft, closing
from fairdeal.game.epoch import (
    LOCKED,
    MOST_VOIDS,
    SEALED,
    SEALING,
    SHARING,
    Epoch,
    fresh,
    with_beacon,
    with_lock,
    with_seal,
    with_share,
)
from fairdeal.game.state import Game
from fairdeal.records import bodies

SEEDS_MISSING: Final = "seeds_missing"


def next_epoch(game: Game) -> Epoch:
    """Give the epoch that seeds are for now: the one begun, or a fresh one that is due.

    Raises:
        Conflict: ``game_over``, ``seeds_locked`` (its hands are still to come),
            ``hands_used_up``.
    """
    if game.closed or game.voids >= MOST_VOIDS:
        raise Conflict("game_over", "This game takes no more seeds.")
    epoch = game.epoch
    if epoch is not None and epoch.phase in (SEALING, SHARING):
        return epoch
    if epoch is not None and epoch.phase == LOCKED and not game.epoch_spent:
        raise Conflict("seeds_locked", "The seeds are locked.")
    if game.hand >= len(game.opening["hand_commits"]):
        raise Conflict("hands_used_up", "All hands that this game committed to are dealt.")
    number = 1 if epoch is None else epoch.number + 1
    return fresh(number, game.seats, game.opening["profile"])


def decide_seal(game: Game, seat: int, epoch: int, open_hash: str, seal: str) -> tuple[Draft, ...]:
    """Accept a seat's seal; with the last one ``sealed`` follows.

    Raises:
        NotFound: ``no_such_seat``.
        Conflict: ``open_hash_differs``, ``seeds_locked``, ``seed_given``, ``seed_repeated``,
            ``sealing_closed``, ``game_over``.
        MalformedInput: A field of another shape, another epoch, or profile open.
    """
    _check_seat(game, seat, open_hash)
    if game.opening["profile"] != SEALED:
        raise MalformedInput("bad_field", "This game takes no seals: its profile is open.")
    body = bodies.seal_body(epoch=epoch, seat=seat, seal=seal)
    if (known := _known(game, epoch)) is not None and known.seals[seat] == seal:
        return ()
    due = next_epoch(game)
    _check_epoch(due, epoch)
    if due.seals[seat] is not None:
        raise Conflict("seed_given", "This seat has sealed another seed already.")
    if due.phase != SEALING:
        raise Conflict("sealing_closed", "All seals of this epoch are in.")
    if seal in due.seals:
        raise Conflict("seed_repeated", "Another seat has this very seal.")
    after = with_seal(due, body)
    drafts: tuple[Draft, ...] = (("seal", body),)
    if all(after.seals[one] is not None for one in players(game)):
        drafts += (_sealed(after),)
    return drafts


def decide_seed(
    game: Game, seat: int, epoch: int, open_hash: str, nonce: str, seed_sha256: str, t: int = 0
) -> tuple[Draft, ...]:
    """Accept a seat's share; with the last one the seeds lock and a refereed hand is dealt.

    Args:
        game: The game.
        seat: Whose share it is.
        epoch: The epoch that it is for.
        open_hash: The hash of record 0, as the player noted it.
        nonce: 64 hex digits of the player's program.
        seed_sha256: The hash of the typed text.
        t: Now, ms since 1970: fixes the round where the game has a beacon.

    Raises:
        NotFound: ``no_such_seat``.
        Conflict: ``open_hash_differs``, ``seeds_locked``, ``seed_given``, ``game_over``,
            ``sealing_open``, ``seal_differs``.
        MalformedInput: A field of another shape, or another epoch.
    """
    _check_seat(game, seat, open_hash)
    body = bodies.share_body(epoch=epoch, seat=seat, nonce=nonce, seed_sha256=seed_sha256)
    line = seat_line(game.id, epoch, seat, open_hash, nonce, seed_sha256)
    if (known := _known(game, epoch)) is not None and known.lines[seat] == line:
        return ()
    due = next_epoch(game)
    _check_epoch(due, epoch)
    if due.lines[seat]:
        raise Conflict("seed_given", "This seat has given another seed already.")
    if due.phase != SHARING:
        raise Conflict("sealing_open", "Seeds are opened when every seat has sealed its own.")
    if game.opening["profile"] == SEALED and due.seals[seat] != commit(line):
        raise Conflict("seal_differs", "This seed is not the one that this seat sealed.")
    after = with_share(due, game.id, game.open_hash, body)
    drafts: tuple[Draft, ...] = (("share", body),)
    if all(after.lines[one] for one in players(game)):
        drafts += _lock(game, after, t)
    return drafts


def start_due(game: Game) -> bool:
    """Say whether an epoch is due that locks at once, since no seat is a player's (§2.5)."""
    if players(game) or game.closed or game.hand >= len(game.opening["hand_commits"]):
        return False
    return game.epoch is None or game.epoch_spent


def decide_start(game: Game, t: int = 0) -> tuple[Draft, ...]:
    """Lock a due epoch at once where no seat is a player's; nothing otherwise (§2.5)."""
    if not start_due(game):
        return ()
    due = next_epoch(game)
    drafts: tuple[Draft, ...] = ()
    if due.phase == SEALING:
        drafts = (_sealed(due),)
        due = replace(due, phase=SHARING)
    return drafts + _lock(game, due, t)


def decide_overdue(game: Game, t: int = 0) -> tuple[Draft, ...]:
    """Go on where seeds are missing after their time: void, drop, or the end (§2.5).

    Missing seals, and missing shares under ``missing_share`` void, make the epoch void; after a
    second void epoch the game closes. Under ``drop`` the seeds lock without the missing ones.

    Raises:
        Conflict: ``no_seeds_awaited``.
    """
    epoch = game.epoch
    if game.closed or epoch is None or epoch.phase not in (SEALING, SHARING):
        raise Conflict("no_seeds_awaited", "No epoch is waiting for seeds.")
    given = epoch.seals if epoch.phase == SEALING else epoch.lines
    missing = [seat for seat in players(game) if not given[seat]]
    if epoch.phase == SHARING and game.opening["missing_share"] == "drop":
        return _lock(game, epoch, t)
    body = bodies.void_body(epoch=epoch.number, reason=SEEDS_MISSING, seats=missing)
    drafts: tuple[Draft, ...] = (("void", body),)
    if game.voids + 1 >= MOST_VOIDS:
        drafts += closing(game, SEEDS_MISSING)
    return drafts


def decide_beacon(game: Game, round_number: int, signature: str) -> tuple[Draft, ...]:
    """Record the round that the lock waits for; a refereed hand is dealt.

    Raises:
        Conflict: ``no_beacon_awaited``.
        MalformedInput: Another round, or a signature of another shape.
    """
    epoch = game.epoch
    if epoch is None or round_awaited(game) is None:
        raise Conflict("no_beacon_awaited", "No lock is waiting for its round.")
    if round_number != epoch.round:
        raise MalformedInput("bad_field", f"round must be {epoch.round}.")
    body = bodies.beacon_body(epoch=epoch.number, round=round_number, signature=signature)
    after = with_beacon(epoch, game.opening["beacon"]["chain"], body)
    return (("beacon", body), *_first_deal(game, after))


def round_awaited(game: Game) -> int | None:
    """Give the round that the newest lock waits for, or None."""
    epoch = game.epoch
    if game.closed or epoch is None or epoch.phase != LOCKED or epoch.beacon:
        return None
    return epoch.round


def players(game: Game) -> tuple[int, ...]:
    """Give the seats of humans, in rising order."""
    return tuple(seat for seat in range(game.seats) if game.is_player(seat))


def _check_seat(game: Game, seat: int, open_hash: str) -> None:
    if not 0 <= seat < game.seats or not game.is_player(seat):
        raise NotFound("no_such_seat", f"Seat {seat} is no player's seat of this game.")
    if open_hash != game.open_hash:
        raise Conflict(
            "open_hash_differs",
            "Your seed names another game record than this game's first one.",
            {"open_hash": game.open_hash},
        )


def _check_epoch(due: Epoch, epoch: int) -> None:
    if epoch != due.number:
        raise MalformedInput("bad_field", f"epoch must be {due.number} now.")


def _known(game: Game, epoch: int) -> Epoch | None:
    return next((one for one in game.epochs if one.number == epoch), None)


def _sealed(epoch: Epoch) -> Draft:
    return ("sealed", bodies.sealed_body(epoch=epoch.number, seals=epoch.seals))


def _lock(game: Game, epoch: Epoch, t: int) -> tuple[Draft, ...]:
    shares = [commit(line) if line else None for line in epoch.lines]
    body = bodies.lock_body(
        epoch=epoch.number, first_hand=game.hand + 1, shares=shares, round=_round(game, t)
    )
    return (("lock", body), *_first_deal(game, with_lock(epoch, body)))


def _round(game: Game, t: int) -> int | None:
    """Fix the round by the time that the lock record gets (§2.6)."""
    beacon = game.opening["beacon"]
    if beacon is None:
        return None
    if beacon["chain"] not in CHAINS:
        raise Unprocessable("no_such_chain", "This beacon's chain is not known here.")
    return CHAINS[beacon["chain"]].round_after(max(t, game.head.t) + beacon["delay_ms"])


def _first_deal(game: Game, epoch: Epoch) -> tuple[Draft, ...]:
    """Deal the epoch's first hand where the service referees; sites deal by asking."""
    if game.ruleset is None or not epoch.ready:
        return ()
    after = replace(game, epochs=(*game.epochs, epoch))
    return (("deal", body_of(after, game.hand + 1)),)
