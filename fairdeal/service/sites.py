"""What a site is told of itself, and what it calls itself."""

from dataclasses import dataclass
from typing import Any

from fairdeal.records.canonical import decode, encode
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.repeats import Once
from fairdeal.store.ports import RoomState, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site as it is told of itself.

    Attributes:
        id: Its name, which never changes.
        name: What it calls itself; empty where it never said.
        mode: `live` or `test`.
        made: When its first key was made, ms since 1970; 0 for a service older than sites.
    """

    id: str
    name: str
    mode: str
    made: int


class Sites:
    """Tells a site what it is, and notes what it calls itself.

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def mine(self, caller: Caller) -> Site:
        """Return what the caller's site is.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
        """
        operator = self._clerk.callers.check_operator(caller, write=False)
        return self._site(operator.site, self._document(operator.site))

    def rename(self, caller: Caller, name: str, *, once: Once | None = None) -> Site:
        """Call the caller's site otherwise.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator, or may only look.
            Conflict: `room_moved`: somebody else did so at the same time.
        """
        operator = self._clerk.callers.check_operator(caller)
        before = self._document(operator.site)
        after = RoomState(
            room=_document_name(operator.site),
            site="",
            version=0 if before is None else before.version + 1,
            body=encode({"name": name}),
        )
        site = self._site(operator.site, after)
        answer = self._clerk.repeats.kept(once, site)
        self._clerk.store.write(Write(room=after, answer=answer))
        return site

    def _document(self, site: str) -> RoomState | None:
        return self._clerk.store.room(_document_name(site))

    def _site(self, site: str, document: RoomState | None) -> Site:
        grants = self._clerk.store.grants(role="operator", site=site)
        said: Any = {"name": ""} if document is None else decode(document.body)
        return Site(
            id=site,
            name=str(said["name"]),
            mode=self._clerk.callers.mode,
            made=min((grant.made for grant in grants), default=0),
        )


def _document_name(site: str) -> str:
    """Return under which name a site's own document is kept, beside the rooms.

    No room has it, and no address can name it: a part of a path holds no slash.
    """
    return f"site/{site}"
