"""``--fast``: many games' deals derived again at once, with the dealer's bulk code.

Whatever does not come out, or is no plain finished game, goes to the verifier instead, so that a
bad verdict is always the verifier's. What comes out is called re-derived and nothing more.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from fairdeal.cli.audit.judging import MAX_WHOLE, Judged, judge, judge_bytes
from fairdeal.cli.audit.opened import OpenedGame, OpenedHand, read_opened
from fairdeal.cli.audit.plain import NotPlain
from fairdeal.fairness.bulk import orders
from fairdeal.fairness.deal import card_hashes, deal


def judge_fast(
    folder: Path, paths: Sequence[str], now: int | None, kept: dict[str, Judged]
) -> list[Judged]:
    """Re-derive the deals of some files; verify those that do not come out.

    Args:
        folder: Where the paths begin.
        paths: The files.
        now: A time that deadlines are judged by, where the verifier is asked.
        kept: Earlier verdicts by digest: they say more, so they stand.
    """
    found: dict[str, Judged] = {}
    opened: list[tuple[str, bytes, OpenedGame]] = []
    for path in paths:
        data = _whole(folder / path)
        digest = None if data is None else sha256(data).hexdigest()
        if digest in kept:
            found[path] = replace(kept[digest], path=path, how="kept")
            continue
        game = None if data is None else _plain_game(data)
        if data is None or game is None:
            found[path] = judge(folder, path, now, kept)
        else:
            opened.append((path, data, game))
    wrong = deals_that_differ([game for _, _, game in opened])
    for (path, data, game), is_wrong in zip(opened, wrong, strict=True):
        if is_wrong:
            found[path] = judge_bytes(data, path, now, kept)
        else:
            found[path] = _rederived(path, data, game)
    return [found[path] for path in paths]


def _whole(path: Path) -> bytes | None:
    """Return a file's bytes; None where it cannot be read or is very large."""
    try:
        return path.read_bytes() if path.stat().st_size <= MAX_WHOLE else None
    except OSError:
        return None


def _plain_game(data: bytes) -> OpenedGame | None:
    try:
        game = read_opened(data)
    except NotPlain:
        return None
    # A beacon's signature and the reason of a void are the verifier's to check.
    return None if game.has_beacon or game.has_void else game


def deals_that_differ(games: Sequence[OpenedGame]) -> list[bool]:
    """Say of each game whether any of its ``deal`` records is not what its secrets give."""
    wrong = [False] * len(games)
    by_size: dict[int, list[tuple[int, OpenedHand]]] = defaultdict(list)
    for at, game in enumerate(games):
        by_size[len(game.deck)] += ((at, hand) for hand in game.hands)
    for size, hands in by_size.items():
        secrets, mixes = [hand.secret for _, hand in hands], [hand.mix for _, hand in hands]
        for (at, hand), order in zip(hands, orders(secrets, mixes, size), strict=True):
            wrong[at] |= not _is_dealt_so(games[at], hand, order)
    return wrong


def _is_dealt_so(game: OpenedGame, hand: OpenedHand, order: Sequence[int]) -> bool:
    table = deal(order, game.deck, game.steps, game.seats, hand.first_seat)
    return hand.deal == {
        "hand": hand.number,
        "first_seat": hand.first_seat,
        "hands": list(card_hashes(game.game, hand.number, hand.secret, table)),
        "up": list(table.up),
        "laid": [list(cards) for cards in table.laid],
        "stock": len(table.stock),
    }


def _rederived(path: str, data: bytes, game: OpenedGame) -> Judged:
    return Judged(
        path=path,
        how="re-derived",
        digest=sha256(data).hexdigest(),
        game=game.game,
        open_hash=game.open_hash,
        origin=game.origin,
        master=game.master,
        hands=len(game.hands),
        aborted=sum(hand.is_aborted for hand in game.hands),
    )
