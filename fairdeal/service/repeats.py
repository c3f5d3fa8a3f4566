"""Answers that are kept, encrypted, so that a repeated request gets the same bytes again.

Whoever writes builds the answer first, puts what is to be kept of it into the very write that
does the deed, and gives it out only afterwards. So the deed is never done without its answer
being there, and of two equal requests at once the store lets one through (`answer_kept`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import NotIdentified, RuleBroken, Unprocessable
from fairdeal.service.callers import Anyone, Caller
from fairdeal.store.ports import KeptAnswer, Store, Write
from fairdeal.store.vault import Vault

KEPT_MS: Final = 48 * 3600 * 1000
"""So long an answer is kept, and longer where its game is not over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """A request that may come twice, as the caller of the service names it.

    Attributes:
        key: SHA-256 of who asks and of the key that was sent, 32 bytes.
        request: SHA-256 of the request, so that another one under the same key shows.
        render: Writes down an answer, or a refusal by the rules, as it is to be sent; the service
            does not look into it.
    """

    key: bytes
    request: bytes
    render: Callable[[object], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An answer that was kept: what `Once.render` gave, and when, ms since 1970."""

    content: bytes
    made: int


class Repeats:
    """Keeps answers and finds them again.

    Args:
        store: Where they lie.
        vault: Seals them, each for its key alone: they may hold tokens and cards.
        clock: Tells the time in milliseconds since 1970.
    """

    def __init__(self, store: Store, vault: Vault, clock: Callable[[], int]) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock

    def earlier(self, once: Once) -> Kept | None:
        """Return the answer that this request got before, if it was made before.

        Raises:
            Unprocessable: `idempotency_mismatch`: the key stands for another request.
            StorageFailure: It cannot be read, or not opened.
        """
        kept = self._store.answer(once.key)
        if kept is None:
            return None
        if kept.request != once.request:
            raise Unprocessable(
                "idempotency_mismatch", "This idempotency key was used for another request."
            )
        return self._opened(kept)

    def find(self, caller: Caller, key: bytes) -> Kept | None:
        """Return the answer kept under a key, whatever the request was.

        Args:
            caller: Shows the token that the key belongs to.
            key: As `Once.key`.

        Raises:
            NotIdentified: `no_key`: the caller shows none.
            StorageFailure: It cannot be read, or not opened.
        """
        if isinstance(caller, Anyone):
            raise NotIdentified("no_key", "Send the token that you wrote with.")
        kept = self._store.answer(key)
        return None if kept is None else self._opened(kept)

    def kept(self, once: Once | None, answer: object, game: str = "") -> KeptAnswer | None:
        """Return what a write has to keep of its answer; None where no key was sent.

        Args:
            once: As the use case was given it.
            answer: What the use case is going to return.
            game: The game that it speaks of, or empty.
        """
        if once is None:
            return None
        sealed = self._vault.seal(purpose(once.key), once.render(answer))
        return KeptAnswer(
            key=once.key, request=once.request, sealed=sealed, game=game, made=self._clock()
        )

    def keep(self, once: Once | None, answer: object, game: str = "") -> None:
        """Keep an answer for which nothing else had to be written (raises as `Store.write`)."""
        kept = self.kept(once, answer, game)
        if kept is not None:
            self._store.write(Write(answer=kept))

    @contextmanager
    def refusals(self, once: Once | None, game: str) -> Iterator[None]:
        """Keep a refusal by the rules of the game; every other refusal passes as it is."""
        try:
            yield
        except RuleBroken as refusal:
            self.keep(once, refusal, game)
            raise

    def forget(self) -> None:
        """Drop the answers that have been kept for long enough (raises `StorageFailure`)."""
        self._store.write(Write(forget=self._clock() - KEPT_MS))

    def _opened(self, kept: KeptAnswer) -> Kept:
        return Kept(content=self._vault.open(purpose(kept.key), kept.sealed), made=kept.made)


def purpose(key: bytes) -> str:
    """Return what the answer under this key is sealed for."""
    return f"answer/{key.hex()}"
