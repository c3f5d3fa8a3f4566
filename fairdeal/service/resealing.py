"""Seals everything anew under a new key of the vault, and lets go of the earlier keys.

The new key comes first into the file: from then on it seals, and earlier ones only open. Then
every sealed text is opened and sealed anew, a batch a write. At last, when nothing needs an
earlier key, they go. Killed anywhere in between, all keys are still there, and the next run goes
on with them: more than one key in the file says that a run was cut off.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.service import repeats, shelf
from fairdeal.store.ports import Reseal, Sealed, SealedKind, Store, Write
from fairdeal.store.vault import Entropy, Vault, VaultFile

BATCH: Final = 200
"""So many texts are sealed anew in one write."""

SETTLE_S: Final = 120.0
"""Longer than it takes from the sealing of a text until it is kept, whatever the load."""

PURPOSES: Final[Mapping[SealedKind, Callable[[bytes], str]]] = {
    "secret": lambda name: shelf.purpose(name.decode("ascii")),
    "answer": repeats.purpose,
}
"""What the texts of each kind are sealed for, by their names."""


@dataclass(frozen=True, slots=True)
class Resealed:
    """What a change of the vault's key did.

    Attributes:
        texts: How many texts were sealed anew.
        shut: The games whose master secret opens with no key; each was so before.
    """

    texts: int
    shut: tuple[str, ...]


def reseal(
    store: Store, file: VaultFile, *, entropy: Entropy, settle: Callable[[], None]
) -> Resealed:
    """Put a new key in force, seal everything anew, and let go of the keys before it.

    Args:
        store: Where the sealed texts are.
        file: The vault's key file.
        entropy: Gives the new key.
        settle: Returns when no process keeps anything any more that it sealed under an earlier
            key; at once where none runs.

    Raises:
        StorageFailure: `key_file`: it cannot be read; `key_in_use`: somebody still seals under an
            earlier key, which therefore stays; or a batch could not be kept.
    """
    if len(file.read()) == 1:
        file.add(entropy)
    vault = file.vault(entropy)
    texts = _seal_anew(store, vault)
    settle()
    texts += _seal_anew(store, vault)
    left = tuple(_old(store, vault))
    if any(_content(vault, sealed) is not None for sealed in left):
        raise StorageFailure(
            "key_in_use",
            "A running process still seals under an earlier key, which therefore stays; give it"
            " this key file, and run this again.",
        )
    file.drop_earlier()
    shut = tuple(sealed.name.decode("ascii") for sealed in left if sealed.kind == "secret")
    return Resealed(texts, shut)


def _seal_anew(store: Store, vault: Vault) -> int:
    """Seal under the newest key what is not yet; return how many texts that was."""
    count = 0
    batch: list[Reseal] = []
    for sealed in _old(store, vault):
        content = _content(vault, sealed)
        if content is None:
            continue
        batch.append(Reseal(was=sealed, text=vault.seal(_purpose(sealed), content)))
        if len(batch) == BATCH:
            store.write(Write(reseals=tuple(batch)))
            count += len(batch)
            batch = []
    if batch:
        store.write(Write(reseals=tuple(batch)))
    return count + len(batch)


def _old(store: Store, vault: Vault) -> Iterator[Sealed]:
    """Yield every text that the newest key did not seal."""
    for kind in PURPOSES:
        after = b""
        while rows := store.sealed(kind, after=after, limit=BATCH):
            after = rows[-1].name
            yield from (sealed for sealed in rows if not vault.is_new(sealed.text))


def _content(vault: Vault, sealed: Sealed) -> bytes | None:
    """Return what was sealed, or None where no key opens it."""
    try:
        return vault.open(_purpose(sealed), sealed.text)
    except StorageFailure as failure:
        if failure.code != "vault_shut":
            raise
        return None


def _purpose(sealed: Sealed) -> str:
    return PURPOSES[sealed.kind](sealed.name)
