"""One stream of a game: what to send and when to wait, for whoever has the connection.

The same steps whether a thread takes them or an event loop: what waits is outside.
"""

from collections.abc import Generator

from fairdeal.service.feed import Feed
from fairdeal.service.items import Item, as_json, end
from fairdeal.store.ports import NEW_GAME

Step = tuple[Item, ...] | float
"""What a stream does next: send items, or wait for the bell, at most so many seconds."""


def follow(
    feed: Feed, token: str | None, game_id: str, after: int | None
) -> Generator[Step, None, None]:
    """Begin to follow a game; return what to do, step by step.

    First the snapshot, behind a `reset` where nothing can be resumed; then the records, and a beat
    every few seconds, and where the end of a turn moved or is near; last an `end`. Whoever takes
    the steps listens to the bell for the game from before the first one on.

    Args:
        feed: What is followed.
        token: Who follows; looked at again with each beat, and before anything new is sent.
        game_id: The game.
        after: The number of the last record that the caller has, or -1; None for a number from
            which nothing can be resumed.

    Raises:
        NotIdentified, Gone, NotAllowed, NotFound: As `Feed.viewer`.
        StorageFailure: The store cannot be read. Where a step raises it, the stream breaks off
            without an `end`, to be resumed.
    """
    return _steps(feed, token, game_id, feed.viewer(token, game_id), after)


def _steps(
    feed: Feed, token: str | None, game_id: str, seat: int | None, after: int | None
) -> Generator[Step, None, None]:
    feed.note(game_id, seat)
    game, newest = feed.line(game_id, seat)
    told = feed.turn_end(game, seat)
    snapshot = feed.snapshot(game, seat, newest)
    if after is None or not NEW_GAME <= after <= newest:
        after = newest
        yield Item("reset", as_json({"version": newest})), snapshot
    else:
        yield (snapshot,)
    beat_at = feed.ticks() + feed.beat_s - feed.stagger_s(game_id, seat)
    while True:
        stopping = feed.stopping  # Looked at before reading: then nothing is left out.
        game, newest = feed.line(game_id, seat)
        before, told = told, feed.turn_end(game, seat)
        is_due = feed.ticks() >= beat_at or told != before
        items = feed.records(game, seat, after, newest)
        # Behind the reading: nothing is sent that was made after the token's end.
        if (is_due or items) and not feed.is_still(token, game_id, seat):
            yield (end("token_replaced"),)
            return
        if items:
            after += len(items)
        elif game.finished and after >= game.version:
            yield (end("game_over"),)
            return
        elif stopping:
            yield (end("stopping"),)
            return
        if is_due:
            feed.note(game_id, seat)
            items = (*items, feed.beat(game, seat, newest))
            beat_at = feed.ticks() + feed.beat_s
        if items:
            yield items
        else:
            unrung_s = min(feed.unrung_s(game, seat, newest), feed.warn_in_s(told))
            yield max(0.0, min(beat_at - feed.ticks(), unrung_s))
