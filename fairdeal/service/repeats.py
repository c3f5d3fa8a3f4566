"""Answers that are kept, encrypted, so that a repeated request gets the same one again."""

from dataclasses import asdict
from hashlib import sha256
from typing import Any, cast

from fairdeal.errors import Conflict
from fairdeal.records.canonical import decode, encode
from fairdeal.service.answers import Claim, Commitment, Created, NewGame
from fairdeal.store.ports import KeptAnswer, Store
from fairdeal.store.vault import Vault


class Repeat:
    """A request to create a game that may come twice.

    Args:
        vault: Seals the answer, which holds claims.
        caller: The SHA-256 of the caller's token: a key means something for one caller only.
        key: The caller's idempotency key, or None: then nothing is kept.
        wanted: The request.
    """

    def __init__(self, vault: Vault, caller: bytes, key: str | None, wanted: NewGame) -> None:
        self._vault = vault
        self._key = None if key is None else sha256(caller + key.encode()).digest()
        self._request = sha256(encode(asdict(wanted))).digest()

    def earlier(self, store: Store) -> Created | None:
        """Return the answer that this request got before, if it was made before.

        Raises:
            Conflict: `idempotency_mismatch`: the key stands for another request.
        """
        kept = None if self._key is None else store.answer(self._key)
        if kept is None:
            return None
        if kept.request != self._request:
            raise Conflict(
                "idempotency_mismatch", "This idempotency key was used for another request."
            )
        return _created(self._vault.open(_purpose(kept.key), kept.sealed))

    def keep(self, created: Created) -> KeptAnswer | None:
        """Return what the store has to keep of the answer."""
        if self._key is None:
            return None
        sealed = self._vault.seal(_purpose(self._key), encode(asdict(created)))
        return KeptAnswer(key=self._key, request=self._request, sealed=sealed)


def _purpose(key: bytes) -> str:
    return f"answer/{key.hex()}"


def _created(text: bytes) -> Created:
    said = cast(dict[str, Any], decode(text))
    return Created(
        id=said["id"],
        version=said["version"],
        commitment=Commitment(**said["commitment"]),
        table_code=said["table_code"],
        receipts=tuple(said["receipts"]),
        claims=tuple(Claim(**claim) for claim in said["claims"]),
    )
