"""Pass 4: the leaves in their order, game by game and across games, with a book for memory."""

import json
from collections import OrderedDict
from dataclasses import asdict
from hashlib import sha256
from typing import Final

from fairdeal.cli.audit.across import ABORTS_OF
from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.findings import Counts
from fairdeal.cli.audit.log.leaffacts import Fact
from fairdeal.cli.audit.log.standing import Standing, advance, fault
from fairdeal.store.auditbook import AuditBook

MOST_AT_HAND: Final = 2048
"""Games in memory; what stands of the others is in the book."""

LATE_MS: Final = 5_000
"""Within so long after a hand is over its secret is promised (decisions 22)."""

DANGLING_MS: Final = 30 * 24 * 3600 * 1000
"""Each game that was opened is promised to be over within so long; nothing of one came since."""

_ABORTS_PER: Final = 200
_COUNTED: Final = ("leaves", "opened", "closed", "voids", "hands", "aborted", "reveals_late")


class Fold:
    """Takes the facts of leaves in order.

    Args:
        book: Spaces `open` and `over` hold games, `due` the masters without a transcript yet,
            `master`, `commit` and `service` what may be in the log once.
        origin: The log's name.
        trusted: Texts of the keys that the caller trusts.
        found: Takes what is wrong.
    """

    def __init__(self, book: AuditBook, origin: str, trusted: frozenset[str], found: Found) -> None:
        self._book, self._origin, self._trusted, self._found = book, origin, trusted, found
        self._games: OrderedDict[str, Standing] = OrderedDict()
        kept = json.loads(book.get("log", "counts") or b"{}")
        self.counts: dict[str, int] = dict.fromkeys((*_COUNTED, "longest_reveal_ms"), 0) | kept
        self._is_closed = book.get("log", "closed") is not None

    def take(self, fact: Fact) -> None:
        """Take the next leaf."""
        self.counts["leaves"] += 1
        if self._is_closed:
            self._wrong(fact, "E_AFTER_CLOSED", "A leaf follows the one that closed the log.")
        if fact.game is None:
            self._service(fact)
            return
        game = self._game(fact.game)
        if game is None:
            self._first(fact)
            return
        game.digest = sha256(bytes.fromhex(game.digest) + fact.leaf).hexdigest()
        game.leaves += 1
        if game.is_wrong:
            return
        wrong = fault(game, fact)
        if fact.n == 0 and fact.kind == "open" and fact.hash.hex() != game.opened:
            wrong = "E_GAME_ID_REUSED", "The game has a second first record."
        elif fact.n == 0 and fact.kind == "open":
            wrong = "E_LEAF_TWICE", "Record 0 is in the log twice."
        if wrong is not None:
            self._wrong(fact, *wrong)
            game.is_wrong = True
            if game.phase == "over":
                self._book.put("over", fact.game, game.to_bytes())
            return
        if game.phase == "ended":
            self._waited(fact, fact.t - game.ended)
        advance(game, fact)
        game.n, game.t, game.hash = fact.n, fact.t, fact.hash.hex()
        self._count(fact, game)

    def flush(self) -> None:
        """Write what is in memory into the book."""
        for name, game in self._games.items():
            self._book.put("open", name, game.to_bytes())
        self._games.clear()
        self._book.put("log", "counts", json.dumps(self.counts).encode())

    def finish(self, times: tuple[int, ...]) -> int:
        """Judge games that are not over by the times that may be trusted, and rates.

        Args:
            times: ms since 1970; none where no time may be trusted.

        Returns:
            How many games are not over.
        """
        self.flush()
        now, running = max(times, default=None), 0
        for name, data in self._book.each("open"):
            running += 1
            game = Standing.from_bytes(data)
            if now is None or game.is_wrong:
                continue
            if now > game.reveal_by:
                self._found.add(
                    "E_REVEAL_WITHHELD",
                    f"The master was due at {game.reveal_by}; it is not in the log at {now}.",
                    game=name,
                )
            elif now > game.t + DANGLING_MS:
                self._found.add(
                    "W_GAME_DANGLING",
                    f"The game is not over, and nothing of it came since {game.t}.",
                    game=name,
                )
            elif game.phase == "ended" and now > game.ended + LATE_MS:
                self._found.add(
                    "W_REVEAL_PENDING",
                    f"Hand {game.hand} is over since {game.ended}; its secret is not out at {now}.",
                    game=name,
                )
        hands, aborted = self.counts["hands"], self.counts["aborted"]
        if hands >= ABORTS_OF and aborted * _ABORTS_PER > hands:
            self._found.add(
                "W_ABORT_RATE", f"{aborted} of {hands} hands were given up, over 0.5 %."
            )
        return running

    def tell_to(self, found: Found) -> None:
        """Tell further findings to another collection."""
        self._found = found

    def totals(self, counts: Counts) -> Counts:
        """Return counts with those of the leaves."""
        return Counts(**(asdict(counts) | self.counts))

    def _game(self, name: str) -> Standing | None:
        game = self._games.get(name)
        if game is not None:
            self._games.move_to_end(name)
            return game
        data = self._book.get("open", name)
        if data is None:
            over = self._book.get("over", name)
            return None if over is None else Standing.from_bytes(over)
        game = Standing.from_bytes(data)
        self._keep(name, game)
        return game

    def _keep(self, name: str, game: Standing) -> None:
        self._games[name] = game
        if len(self._games) > MOST_AT_HAND:
            other, old = self._games.popitem(last=False)
            self._book.put("open", other, old.to_bytes())

    def _first(self, fact: Fact) -> None:
        assert fact.game is not None
        digest = sha256(fact.leaf).hexdigest()
        is_open = fact.kind == "open" and fact.n == 0
        promised = fact.said if is_open else (self._origin, 2**53, b"", b"", True)
        origin, reveal_by, master_commit, hand_commits, is_refereed = promised
        game = Standing(
            n=fact.n,
            t=fact.t,
            hash=fact.hash.hex(),
            opened=fact.hash.hex() if is_open else "",
            digest=digest,
            leaves=1,
            reveal_by=reveal_by,
            master_commit=master_commit.hex()[:32],
            hand_commits=hand_commits.hex(),
            is_refereed=is_refereed,
        )
        self._keep(fact.game, game)
        if not is_open:
            self._wrong(fact, "E_NO_OPEN", f"The game's first leaf is its record {fact.n}.")
            game.is_wrong = True
            return
        self.counts["opened"] += 1
        if origin != self._origin:
            self._wrong(fact, "E_ORIGIN", f"Record 0 is of {origin[:200]}, not of this log.")
        if fact.prev.strip(b"\0"):
            self._wrong(fact, "E_CHAIN", "Record 0 names a record before it.")
        self._once(fact, "commit", master_commit.hex(), "E_MASTER_REUSED", "The commitment")

    def _count(self, fact: Fact, game: Standing) -> None:
        kind, name = fact.kind, fact.game
        assert name is not None
        self.counts["hands"] += kind == "deal"
        self.counts["aborted"] += kind == "abort"
        self.counts["voids"] += kind == "void"
        if kind != "master":
            return
        self.counts["closed"] += 1
        self._once(fact, "master", fact.said[1], "E_MASTER_REUSED", "The master")
        if fact.t > game.reveal_by:
            self._wrong(fact, "W_REVEAL_LATE", "The master came after record 0's reveal_by.")
        self._book.put("over", name, game.to_bytes())
        self._book.put("due", f"{fact.at:016d}", name.encode())
        self._book.drop("open", name)
        del self._games[name]

    def _once(self, fact: Fact, space: str, key: str, code: str, what: str) -> None:
        before = self._book.get(space, key)
        if before is None:
            self._book.put(space, key, (fact.game or str(fact.at)).encode())
        else:
            self._wrong(fact, code, f"{what} was used before, in {before.decode()}.")

    def _waited(self, fact: Fact, wait: int) -> None:
        if wait <= LATE_MS:
            return
        counts = self.counts
        counts["reveals_late"] += 1
        counts["longest_reveal_ms"] = max(counts["longest_reveal_ms"], wait)
        self._wrong(fact, "W_LATE_REVEAL", f"A hand's secret came {wait} ms after its end.")

    def _service(self, fact: Fact) -> None:
        self._once(fact, "service", fact.hash.hex(), "E_LEAF_TWICE", "The same leaf")
        body: dict[str, str] = fact.said
        if fact.kind == "closed":
            self._is_closed = True
            self._book.put("log", "closed", str(fact.at).encode())
            self._wrong(fact, "W_CLOSED", f"The log was closed: {ascii(body['reason'])[1:-1]}.")
        if fact.kind != "key":
            return
        use, is_first = body["use"], self._book.get("key", body["use"]) is None
        self._book.put("key", use, body["vkey"].encode())
        if body["action"] == "retire" or not (is_first or body["vkey"] in self._trusted):
            self._wrong(
                fact,
                "W_KEY_CHANGE",
                f"The service says of a {ascii(use)[1:-1]} key: {ascii(body['action'])[1:-1]}"
                f" {ascii(body['vkey'])[1:-1]}.",
            )

    def _wrong(self, fact: Fact, code: str, sentence: str) -> None:
        self._found.add(code, sentence, index=fact.at, game=fact.game)
