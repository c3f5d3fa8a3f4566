"""What the verifier says of a game that a service of the tests dealt."""

import io
import json

from verifier import held as held_module
from verifier.held import Held
from verifier.verify import verify


def report(service, game, **held):
    """Check a game's transcript as anybody gets it."""
    data = service.call("GET", f"/v1/games/{game}/transcript").data
    return verify(io.BytesIO(data), Held(**held))


def seed_of(seat, text):
    """Return what a player holds of a typed text."""
    return held_module.OwnSeed(seat=seat, texts={None: text.encode()})


def cut_before_master(service, game):
    """Check a transcript without its last record."""
    lines = service.call("GET", f"/v1/games/{game}/transcript").data.splitlines(keepends=True)
    assert json.loads(lines[-1])["type"] == "master"
    return verify(io.BytesIO(b"".join(lines[:-1])), Held())
