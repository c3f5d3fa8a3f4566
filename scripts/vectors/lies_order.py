"""Records out of place, numbers and times that do not follow (protocol §2.8 to §2.10)."""

from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha512
from typing import Any, Final

from fairdeal.game.dealing import body_of, secret_of
from scripts.vectors.lies import Lie, Tell, keeps_code
from scripts.vectors.script import Script

OTHER_SECRET: Final = sha512(b"fairdeal vectors: another secret").hexdigest()


def _reveal_of(script: Script, hand: int) -> dict[str, Any]:
    return {"hand": hand, "secret": secret_of(script.sitting.game, hand).hex()}


def _reveal_later(script: Script) -> int:
    """Let the next hand be dealt before the secret is out."""
    place = script.at("reveal", hand=1)
    script.move(place, place + 1)
    return place


def _reveal_early(script: Script) -> int:
    return script.insert(script.at("act") + 9, "reveal", _reveal_of(script, 1))


def _reveal_other(script: Script) -> int:
    place = script.at("reveal", hand=1)
    script.entries[place].body.update(_reveal_of(script, 2))
    return place


def _reveal_again(script: Script) -> int:
    place = script.at("deal", hand=2)
    return script.insert(place, "reveal", dict(script.body("reveal", hand=1)))


def _other_secret(hand: int) -> Tell:
    def tell(script: Script) -> int:
        place = script.at("reveal", hand=hand)
        script.entries[place].body["secret"] = OTHER_SECRET
        return place

    return tell


def _other_master(script: Script) -> int:
    script.body("master")["secret"] = OTHER_SECRET
    return script.at("master")


def _number(hand: int) -> Tell:
    """Number the second deal otherwise."""

    def tell(script: Script) -> int:
        place = script.at("deal", nth=1)
        script.entries[place].body["hand"] = hand
        return place

    return tell


def _overlap(script: Script) -> int:
    return script.insert(script.at("act") + 6, "deal", dict(script.body("deal", hand=2)))


def _uncommitted(script: Script) -> int:
    body = {**script.body("deal", hand=2), "hand": 3}
    return script.insert(script.at("close"), "deal", body)


def _unlocked(script: Script) -> int:
    del script.entries[script.at("lock")]
    return script.at("deal")


def _without(kind: str, due: str) -> Tell:
    """Leave a record out; the error is due at the next of another type."""

    def tell(script: Script) -> int:
        del script.entries[script.at(kind)]
        return script.at(due)

    return tell


def _unscored(script: Script) -> int:
    del script.entries[script.at("abort") : script.at("close")]
    return script.at("close")


def _after_close(script: Script) -> int:
    return script.insert(script.at("master"), "reveal", _reveal_of(script, 3))


def _after_end(script: Script) -> int:
    return script.add("close", dict(script.body("close")))


def _open_again(script: Script) -> int:
    return script.insert(script.at("deal"), "open", deepcopy(script.entries[0].body))


def _not_open(script: Script) -> int:
    del script.entries[0]
    return 0


def _count(hands: int) -> Tell:
    def tell(script: Script) -> int:
        script.body("close")["hands"] = hands
        return script.at("close")

    return tell


def _act_elsewhere(script: Script) -> int:
    place = script.at("act", nth=3)
    script.entries[place].body["hand"] = 2
    return place


def _draw_record(script: Script) -> int:
    seat = script.sitting.positions[script.at("act")].turn
    return script.insert(script.at("act"), "draw", {"hand": 1, "seat": seat, "pos": 0})


def _abort_elsewhere(script: Script) -> int:
    return script.insert(script.at("deal"), "abort", {"hand": 1, "reason": "no hand yet"})


def _after_the_games_end(script: Script) -> int:
    """Deal one hand more after the target is reached, then give it up."""
    game = script.sitting.game
    hand = game.hand + 1
    place = script.insert(script.at("close"), "deal", body_of(game, hand))
    script.insert(place + 1, "abort", {"hand": hand, "reason": "on second thoughts"})
    script.insert(place + 2, "reveal", _reveal_of(script, hand))
    script.body("close")["hands"] = hand
    return place


def _reason(reason: str) -> Tell:
    def tell(script: Script) -> int:
        script.body("close")["reason"] = reason
        return script.at("close")

    return tell


def _fixed(nth: int, **fields: object) -> Tell:
    """Let fields of an act record not be written anew."""

    def tell(script: Script) -> int:
        place = script.at("act", nth=nth)
        script.entries[place].fixed = fields
        return place

    return tell


def _earlier(script: Script) -> int:
    place = script.at("act", nth=12)
    script.entries[place].t = script.entries[place - 1].t - 1
    return place


def _lie(of: str, slug: str, error: str, title: str, tell: Tell, *, proven: bool = True) -> Lie:
    if proven:
        return Lie(of=of, slug=slug, title=title, error=error, tell=tell)
    return Lie(
        of=of, slug=slug, title=title, error=error, tell=tell, verdict="INVALID", keeps=keeps_code
    )


def _release() -> Iterator[Lie]:
    yield _lie(
        "V02a", "revealed-late", "E_REVEAL_LATE", "the next hand before the reveal", _reveal_later
    )
    yield _lie(
        "V04a", "revealed-early", "E_REVEAL_EARLY", "a reveal while the hand runs", _reveal_early
    )
    yield _lie(
        "V02a",
        "revealed-other",
        "E_REVEAL_WRONG_HAND",
        "the secret of the next hand comes instead",
        _reveal_other,
    )
    yield _lie("V03a", "revealed-twice", "E_ORDER", "a hand is revealed twice", _reveal_again)
    yield _lie(
        "V04a",
        "aborted-unopened",
        "E_HAND_OPENING",
        "the aborted hand gets another secret",
        _other_secret(2),
    )
    yield _lie(
        "V02a",
        "other-secret",
        "E_HAND_OPENING",
        "a hand gets another secret; no receipt was kept",
        _other_secret(1),
        proven=False,
    )
    yield _lie("V02a", "other-master", "E_MASTER_OPENING", "another master", _other_master)


def _hands() -> Iterator[Lie]:
    yield _lie("V02a", "hand-skipped", "E_HAND_SKIPPED", "hand 3 follows hand 1", _number(3))
    yield _lie("V02a", "hand-repeated", "E_HAND_REPEATED", "hand 1 is dealt again", _number(1))
    yield _lie("V02a", "hands-overlap", "E_HAND_OVERLAP", "hand 2 within hand 1", _overlap)
    yield _lie("V02a", "hand-uncommitted", "E_HAND_UNCOMMITTED", "hand 3 of 2", _uncommitted)
    yield _lie("V05a", "dealt-unlocked", "E_DEAL_BEFORE_LOCK", "dealt without a lock", _unlocked)
    yield _lie("V04a", "unscored", "E_HAND_UNSCORED", "closed with a hand in play", _unscored)
    yield _lie(
        "V05a", "aborted-uncounted", "E_HAND_COUNT", "close leaves the aborted hand out", _count(1)
    )
    yield _lie("V05a", "act-elsewhere", "E_ORDER", "an act for a hand not dealt", _act_elsewhere)
    yield _lie("V05a", "draw-record", "E_ORDER", "a draw record in a refereed game", _draw_record)
    yield _lie("V05a", "abort-elsewhere", "E_ORDER", "an abort before any hand", _abort_elsewhere)


def _ends() -> Iterator[Lie]:
    yield _lie(
        "V04a",
        "master-early",
        "E_MASTER_EARLY",
        "the master without a close",
        _without("close", "master"),
    )
    yield _lie("V04a", "after-close", "E_AFTER_CLOSE", "a reveal after close", _after_close)
    yield _lie("V02a", "after-end", "E_AFTER_END", "a record after the master", _after_end)
    yield _lie("V05a", "opened-twice", "E_SECOND_OPEN", "record 0 comes again", _open_again)
    yield _lie("V02a", "not-opened", "E_NO_OPEN", "record 0 is missing", _not_open)
    yield _lie(
        "V01a", "after-the-end", "E_GAME_END", "dealt on after the target", _after_the_games_end
    )
    yield _lie(
        "V02a", "not-complete", "E_GAME_END", "closed as complete too early", _reason("complete")
    )
    yield _lie(
        "V03a",
        "not-used-up",
        "E_GAME_END",
        "closed as used up with hands left",
        _reason("hands_used_up"),
    )
    yield _lie(
        "V01a",
        "used-up-instead",
        "E_GAME_END",
        "a complete game is closed as used up",
        _reason("hands_used_up"),
    )


def _chain() -> Iterator[Lie]:
    yield _lie("V05a", "earlier", "E_TIME_REVERSED", "a record is older than the last", _earlier)
    yield _lie("V05a", "number-again", "E_SEQUENCE", "a number comes twice", _fixed(12, n=5))
    yield _lie(
        "V05a",
        "other-game",
        "E_GAME_MIXED",
        "a record of another game",
        _fixed(12, game="ours-v99a-00000"),
    )
    yield _lie(
        "V05a",
        "link-broken",
        "E_CHAIN_BROKEN",
        "a record does not follow the one before",
        _fixed(12, prev=OTHER_SECRET[:64]),
        proven=False,
    )


LIES: Final = (*_release(), *_hands(), *_ends(), *_chain())
