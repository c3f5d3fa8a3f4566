"""Seeds and deals that are not those locked and derived (protocol §2.3 to §2.7)."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final

from fairdeal.fairness.lines import commit, seat_line
from scripts.vectors.lies import Lie, keeps_code
from scripts.vectors.script import Body, Script, swap

OTHER_HEX: Final = sha256(b"fairdeal vectors: another value").hexdigest()


def _deal(hand: int, change: Callable[[Body], None]) -> Callable[[Script], int]:
    """Change the body of a hand's deal record."""

    def tell(script: Script) -> int:
        place = script.at("deal", hand=hand)
        change(script.entries[place].body)
        return place

    return tell


def _hands(hand: int, change: Callable[[list[list[int]]], None]) -> Callable[[Script], int]:
    return lambda script: script.deal_otherwise(hand, change)


def _between_seats(hands: list[list[int]]) -> None:
    hands[1][4], hands[3][7] = hands[3][7], hands[1][4]


def _from_the_stock(script: Script) -> int:
    stock = script.sitting.dealt(1).stock

    def change(hands: list[list[int]]) -> None:
        hands[2][0] = stock[-1]

    return script.deal_otherwise(1, change)


def _other_upcard(script: Script) -> int:
    place = script.at("deal", hand=2)
    script.entries[place].body["up"][-1] = script.sitting.dealt(2).stock[0]
    return place


def _other_laid(script: Script) -> int:
    """Put another red three on the table than was dealt, in the first hand that has one."""
    deck = script.sitting.game.deck
    for place, entry in enumerate(script.entries):
        for cards in entry.body["laid"] if entry.type == "deal" else ():
            if cards:
                face = "3H" if deck[cards[0]] == "3D" else "3D"
                cards[0] = deck.index(face)
                return place
    raise LookupError("no hand has a red three on the table")


def _one_card_short(body: Body) -> None:
    body["stock"] -= 1


def _next_first_seat(body: Body) -> None:
    body["first_seat"] = (body["first_seat"] + 1) % 4


def _other_share(script: Script) -> int:
    """Put another nonce under a player's name, lock included; the deal stays."""
    game = script.sitting.game
    share = script.body("share")
    share["nonce"] = OTHER_HEX
    line = seat_line(game.id, 1, share["seat"], game.open_hash, OTHER_HEX, share["seed_sha256"])
    script.body("lock")["shares"][share["seat"]] = commit(line)
    return script.at("deal")


def _other_nonce(script: Script) -> int:
    script.body("share")["nonce"] = OTHER_HEX
    return script.at("lock")


def _lock(change: Callable[[Body], None]) -> Callable[[Script], int]:
    def tell(script: Script) -> int:
        place = script.at("lock")
        change(script.entries[place].body)
        return place

    return tell


def _share_left_out(script: Script) -> int:
    del script.entries[script.at("share", nth=1)]
    script.body("lock")["shares"][2] = None
    return script.at("lock")


def _share_again(script: Script) -> int:
    return script.insert(script.at("lock"), "share", dict(script.body("share")))


def _bot_shares(script: Script) -> int:
    return script.insert(script.at("lock"), "share", {**script.body("share"), "seat": 3})


def _share_after_lock(script: Script) -> int:
    return script.insert(script.at("deal"), "share", dict(script.body("share")))


def _new_epoch(script: Script) -> int:
    """Ask for new seeds while a hand is in play."""
    return script.insert(script.at("act") + 4, "share", {**script.body("share"), "epoch": 2})


def _first_epoch_left_out(script: Script) -> int:
    place = script.at("share")
    script.entries[place].body["epoch"] = 2
    return place


def _new_seeds_between(script: Script) -> int:
    """Ask for new seeds between two hands that one epoch serves."""
    return script.insert(script.at("deal", hand=2), "share", {**script.body("share"), "epoch": 2})


def _void_thrice(script: Script) -> int:
    """Give two epochs up, as often as one may, and go on asking for seeds."""
    place = script.at("share")
    share = dict(script.body("share"))
    for epoch in (1, 2):
        if epoch == 2:
            script.insert(place, "share", {**share, "epoch": 2})
        body = {"epoch": epoch, "reason": "a seat does not answer", "seats": [2]}
        place = script.insert(place + 1, "void", body) + 1
    script.entries[place].body["epoch"] = 3
    return place


def _sealed_in_open(script: Script) -> int:
    body = {"epoch": 1, "seat": 0, "seal": OTHER_HEX}
    return script.insert(script.at("share"), "seal", body)


def _beacon(script: Script) -> int:
    body = {"epoch": 1, "round": 1, "signature": "00" * 48}
    return script.insert(script.at("deal"), "beacon", body)


def _reuse_commit(body: dict[str, Any]) -> None:
    body["hand_commits"][2] = body["hand_commits"][0]


def _strange_commit(body: dict[str, Any]) -> None:
    body["hand_commits"][2] = OTHER_HEX


def _deals() -> Iterator[Lie]:
    yield Lie(
        of="V03a",
        slug="two-seats-swapped",
        title="two cards change places between two seats",
        error="E_DEAL_HANDS",
        tell=_hands(2, _between_seats),
    )
    yield Lie(
        of="V10a",
        slug="card-from-below",
        title="a seat is dealt the last card of the stock",
        error="E_DEAL_HANDS",
        tell=_from_the_stock,
    )
    yield Lie(
        of="V07a",
        slug="order-in-hand",
        title="two cards of one hand change places; no receipt was kept",
        error="E_DEAL_HANDS",
        verdict="INVALID",
        keeps=keeps_code,
        tell=_hands(1, lambda hands: swap(hands[2], 0, 1)),
    )
    yield Lie(
        of="V06a",
        slug="other-nonce-locked",
        title="another nonce in the player's name, locked too",
        error="E_DEAL_HANDS",
        tell=_other_share,
    )
    yield Lie(
        of="V05a",
        slug="other-upcard",
        title="the first card of the stock is turned up instead",
        error="E_DEAL_UPCARD",
        tell=_other_upcard,
    )
    yield Lie(
        of="V02a",
        slug="other-red-three",
        title="another red three lies before a seat than was dealt",
        error="E_DEAL_LAID",
        tell=_other_laid,
    )
    yield Lie(
        of="V04a",
        slug="stock-short",
        title="the stock has one card less",
        error="E_DEAL_STOCK",
        tell=_deal(1, _one_card_short),
    )
    yield Lie(
        of="V02a",
        slug="other-first-seat",
        title="another seat is dealt first",
        error="E_FIRST_SEAT",
        tell=_deal(2, _next_first_seat),
    )
    yield Lie(
        of="V04a",
        slug="commitment-twice",
        title="two hands have one commitment",
        error="E_COMMIT_REUSED",
        bend=_reuse_commit,
        tell=lambda _script: 0,
    )
    yield Lie(
        of="V04a",
        slug="strange-commitment",
        title="the commitment of a hand never dealt is not of this master",
        error="E_HAND_NOT_FROM_MASTER",
        bend=_strange_commit,
        tell=lambda script: script.at("master"),
    )


def _seeds() -> Iterator[Lie]:
    yield Lie(
        of="V03a",
        slug="other-nonce",
        title="another nonce than the one locked",
        error="E_LOCK_SHARES",
        tell=_other_nonce,
    )
    yield Lie(
        of="V10a",
        slug="share-for-bot",
        title="the lock has a share for a bot",
        error="E_LOCK_SHARES",
        tell=_lock(lambda body: body["shares"].__setitem__(2, OTHER_HEX)),
    )
    yield Lie(
        of="V03a",
        slug="share-left-out",
        title="a player's share is left out",
        error="E_SHARE_MISSING",
        tell=_share_left_out,
    )
    yield Lie(
        of="V05a",
        slug="lock-for-later",
        title="the lock names another first hand",
        error="E_HAND_ORDER",
        tell=_lock(lambda body: body.update(first_hand=2)),
    )
    yield Lie(
        of="V03a",
        slug="share-again",
        title="a seat shares a second time",
        error="E_SEAT_TWICE",
        tell=_share_again,
    )
    yield Lie(
        of="V05a",
        slug="bot-shares",
        title="a bot shares",
        error="E_SEAT",
        tell=_bot_shares,
    )
    yield Lie(
        of="V05a",
        slug="share-after-lock",
        title="a share after the lock",
        error="E_SEED_AFTER_LOCK",
        tell=_share_after_lock,
    )
    yield Lie(
        of="V05a",
        slug="seeds-in-hand",
        title="new seeds while a hand is in play",
        error="E_SEEDS_DURING_HAND",
        tell=_new_epoch,
    )
    yield Lie(
        of="V04a",
        slug="second-epoch-first",
        title="the seeds begin with epoch 2",
        error="E_EPOCH_ORDER",
        tell=_first_epoch_left_out,
    )
    yield Lie(
        of="V05a",
        slug="new-seeds-between",
        title="new seeds between two hands that one epoch serves",
        error="E_EPOCH_ORDER",
        tell=_new_seeds_between,
    )
    yield Lie(
        of="V03a",
        slug="void-thrice",
        title="seeds again after two void epochs",
        error="E_VOID_LIMIT",
        tell=_void_thrice,
    )
    yield Lie(
        of="V05a",
        slug="seal-in-open",
        title="a seal in a game without seals",
        error="E_ORDER",
        tell=_sealed_in_open,
    )
    yield Lie(
        of="V05a",
        slug="beacon-unasked",
        title="a beacon round in a game without a beacon",
        error="E_ORDER",
        tell=_beacon,
    )


LIES: Final = (*_deals(), *_seeds())
