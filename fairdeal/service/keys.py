"""The keys of a site, as its operators look after them."""

from dataclasses import replace
from threading import Lock

from fairdeal.errors import Conflict
from fairdeal.service.callers import Caller, Scope
from fairdeal.service.clerk import Clerk
from fairdeal.service.founding import Founder
from fairdeal.service.keyring import Key, Keyring, NewKey, ended_already
from fairdeal.service.repeats import Once
from fairdeal.store.ports import Write


class Keys:
    """Lists, makes, follows and takes away keys, each site its own.

    Args:
        clerk: Keeps the books.
        founder: Draws the tokens.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._ring = Keyring(clerk.store, clerk.clock, lambda: founder.token("operator"))
        # One at a time, or two keys could go at once, each because the other one is there. Where
        # several processes serve a site that can happen; `fairdeal key add` makes another then.
        self._one_at_a_time = Lock()

    def listed(self, caller: Caller) -> tuple[Key, ...]:
        """Return the keys of the caller's site that open anything, oldest first.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
        """
        operator = self._clerk.callers.check_operator(caller, write=False)
        return self._ring.listed(operator.site)

    def add(self, caller: Caller, label: str, scope: Scope, *, once: Once | None = None) -> NewKey:
        """Make a further key of the caller's site.

        Args:
            caller: An operator.
            label: What the site calls it.
            scope: `full` or `read`.
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator, or may only look.
            Conflict: `too_many`: the site has as many keys as there may be.
        """
        operator = self._clerk.callers.check_operator(caller)
        return self._keep(*self._ring.added(operator.site, label, scope), once)

    def roll(self, caller: Caller, key: str, overlap_s: int, *, once: Once | None = None) -> NewKey:
        """Make a key that follows another one, of the same scope and label.

        Args:
            caller: An operator.
            key: The public name of the one that is followed.
            overlap_s: So long it still works; 0 for no longer at all.
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator, or may only look.
            NotFound: `no_such_key`: the site has no such key, or it has ended.
            Conflict: `too_many`.
        """
        operator = self._clerk.callers.check_operator(caller)
        try:
            return self._keep(*self._ring.rolled(operator.site, key, overlap_s), once)
        except Conflict as refusal:
            if refusal.code != "no_such_grant":
                raise
            raise ended_already() from refusal  # Taken away meanwhile.

    def remove(self, caller: Caller, key: str, *, once: Once | None = None) -> None:
        """Take a key away at once; one that is gone already stays so.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator, or may only look.
            NotFound: `no_such_key`.
            Conflict: `last_key`: the site would have no full key without an end.
        """
        operator = self._clerk.callers.check_operator(caller)
        with self._one_at_a_time:
            write = self._ring.removed(operator.site, key)
            self._clerk.store.write(replace(write, answer=self._clerk.repeats.kept(once, None)))

    def _keep(self, new: NewKey, write: Write, once: Once | None) -> NewKey:
        self._clerk.store.write(replace(write, answer=self._clerk.repeats.kept(once, new)))
        return new
