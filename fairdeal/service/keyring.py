"""The keys of a site: how its programs show who they are, and how one key follows another.

Nothing is kept here: what is to change is returned as a write, for whoever may have it kept.
"""

from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from fairdeal.errors import Conflict, NotFound
from fairdeal.service.callers import Scope, digest
from fairdeal.store.ports import Grant, GrantChange, Store, Write

MOST_KEYS: Final = 100
"""A site has at most so many keys that open anything."""

OVERLAP_S: Final = 24 * 3600
"""So long the old key works beside the one that follows it, where nothing else is said."""

MOST_OVERLAP_S: Final = 7 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as its site is told of it; never the token.

    Attributes:
        id: Its public name.
        label: What the site calls it.
        scope: `full` or `read`.
        made: When, ms since 1970.
        until: From then on it opens nothing, ms since 1970; None for no end.
    """

    id: str
    label: str
    scope: str
    made: int
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey(Key):
    """A key that was just made, with its token, which is never shown again."""

    token: str = field(repr=False)


class Keyring:
    """Draws up what is to change in a site's keys.

    Args:
        store: Where the keys are.
        clock: Tells the time in milliseconds since 1970.
        draw: Gives a new operator token.
    """

    def __init__(self, store: Store, clock: Callable[[], int], draw: Callable[[], str]) -> None:
        self._store = store
        self._clock = clock
        self._draw = draw

    def listed(self, site: str) -> tuple[Key, ...]:
        """Return the keys of a site that open anything, oldest first."""
        return tuple(_key(grant) for grant in self._open(site))

    def added(self, site: str, label: str, scope: Scope) -> tuple[NewKey, Write]:
        """Return a further key of a site, and the write that puts it in force.

        Raises:
            Conflict: `too_many`: the site has as many keys as there may be.
        """
        if len(self._open(site)) >= MOST_KEYS:
            raise too_many(MOST_KEYS)
        token = self._draw()
        mine = digest(token)
        grant = Grant(
            digest=mine,
            role="operator",
            site=site,
            id=key_id(mine),
            scope=scope,
            label=label,
            made=self._clock(),
        )
        key = _key(grant)
        new = NewKey(
            id=key.id,
            label=key.label,
            scope=key.scope,
            made=key.made,
            until=key.until,
            token=token,
        )
        return new, Write(grants=(grant,))

    def rolled(self, site: str, key: str, overlap_s: int) -> tuple[NewKey, Write]:
        """Return a key that follows another one, of the same scope and label, and its write.

        Args:
            site: Whose keys.
            key: The public name of the one that is followed.
            overlap_s: So long it still works; 0 for no longer at all.

        Raises:
            NotFound: `no_such_key`: the site has no such key, or it has ended.
            Conflict: `too_many`.
        """
        old = self._named(site, key)
        if not self._is_open(old):
            raise ended_already()
        new, write = self.added(site, old.label, "read" if old.scope == "read" else "full")
        end = self._clock() + overlap_s * 1000
        change = GrantChange(
            digest=old.digest,
            state="open" if overlap_s else "replaced",
            until=end if old.until is None else min(end, old.until),
        )
        return new, Write(grants=write.grants, changes=(change,))

    def removed(self, site: str, key: str) -> Write:
        """Return the write that takes a key away; an empty one where it is gone already.

        Raises:
            NotFound: `no_such_key`.
            Conflict: `last_key`: the site would have no full key without an end.
        """
        old = self._named(site, key)
        if old.state != "open":
            return Write()
        others = [one for one in self._open(site) if one.digest != old.digest]
        if _lasts(old) and not any(map(_lasts, others)):
            raise Conflict(
                "last_key", "This is your site's last full key that does not end; make another."
            )
        return Write(changes=(GrantChange(digest=old.digest, state="revoked", until=old.until),))

    def _open(self, site: str) -> tuple[Grant, ...]:
        grants = self._store.grants(role="operator", site=site)
        return tuple(grant for grant in grants if self._is_open(grant))

    def _is_open(self, grant: Grant) -> bool:
        return grant.state == "open" and (grant.until is None or self._clock() < grant.until)

    def _named(self, site: str, key: str) -> Grant:
        for grant in self._store.grants(role="operator", site=site):
            if key_id(grant.digest) == key:
                return grant
        raise NotFound("no_such_key", "Your site has no key of this name.")


def key_id(digest: bytes) -> str:
    """Return the public name of a key; it follows from the token, so that older keys have one."""
    short = sha256(b"fairdeal/key-id\n" + digest).digest()[:10]
    return "key_" + b32encode(short).decode("ascii").lower()


def ended_already() -> NotFound:
    """Return the refusal to have a key followed that opens nothing any more."""
    return NotFound("no_such_key", "This key has ended already.")


def too_many(most: int) -> Conflict:
    """Return the refusal of one more where there may be no more."""
    return Conflict("too_many", f"There are {most} already; take one away first.", {"most": most})


def _key(grant: Grant) -> Key:
    return Key(
        id=key_id(grant.digest),
        label=grant.label,
        scope=grant.scope or "full",
        made=grant.made,
        until=grant.until,
    )


def _lasts(grant: Grant) -> bool:
    return grant.scope != "read" and grant.until is None
