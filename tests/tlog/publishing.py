"""Publishes what a service in a test has kept, in one turn and without a sequencer."""

from contextlib import closing
from pathlib import Path

from fairdeal.records.notes import SigningKey
from fairdeal.service.publiclog.serving import Proofs, PublicFolder
from fairdeal.store.logbook import SqlLogBook
from fairdeal.store.logport import LogHead, SignedHead
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import Edge, grow
from tests.tlog.logmaker import make_log

MOST = 5_000


def publish(service) -> Path:
    """Give places to all that waits, write the public folder, and have the service serve it."""
    folder = Path(service.path.parent, "public")
    with closing(SqlLogBook(service.path)) as book:

        def sign(head: LogHead, leaves: tuple[bytes, ...]) -> SignedHead:
            edge, _ = grow(Edge.read(head.size, head.edge), leaves)
            return SignedHead(edge.size, edge.root, edge.text, note(service.key, edge))

        book.advance(MOST, sign)
        head = book.head()
        entries = [one.entry for one in book.entries(0, head.size)]
        make_log(folder, entries, key=service.key)
        book.publish(head.size, note(service.key, Edge.read(head.size, head.edge)))
    service.dealer.proofs = Proofs(service.store, PublicFolder(folder))
    return folder


def note(key: SigningKey, edge: Edge) -> str:
    """Return the signed checkpoint of a tree."""
    return Checkpoint(key.name, edge.size, edge.root).sign(key)
