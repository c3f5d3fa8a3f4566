"""Lines, leaves and a signer for the tests of the log's side of a store."""

from fairdeal.store.logport import LogHead, SignedHead
from fairdeal.store.ports import StoredLine, Write
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from tests.stores.contract import GAME


def sign(head: LogHead, leaves: tuple[bytes, ...]) -> SignedHead:
    """Sign as the sequencer does, but for the key."""
    edge, _ = grow(Edge.read(head.size, head.edge), leaves)
    return SignedHead(edge.size, edge.root, edge.text, f"note of {edge.size}\n")


def line(n: int, type_: str = "share", game: str = GAME) -> StoredLine:
    """Return a record that is a leaf, unless it is an act."""
    text = f'{{"game":"{game}","n":{n}}}\n'.encode()
    return StoredLine(
        n=n, type=type_, hand=None, text=text, leaf=None if type_ == "act" else leaf_hash(text)
    )


def write(*lines: StoredLine, game: str = GAME) -> Write:
    """Return the write of lines that follow on what is there."""
    return Write(game=game, after=lines[0].n - 1, lines=lines)
