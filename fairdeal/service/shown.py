"""Records as a seat is shown them, each drawn face under the service's signature (§6.5)."""

from fairdeal.game import Game, event
from fairdeal.records.chain import Record
from fairdeal.records.notes import SigningKey, card_text
from fairdeal.service.answers import Event


def shown(key: SigningKey, game: Game, record: Record, seat: int | None) -> Event:
    """Give a record with the private facts of a seat.

    Args:
        key: Signs a note over each face that was drawn.
        game: The game at or after the record.
        record: One of its records.
        seat: Whose facts; None for nobody's.
    """
    told = event(game, record, seat)
    drawn = told.get("private", {}).get("drawn", ())
    for card in drawn:
        body = record.body
        card["note"] = key.sign(
            card_text(key.name, game.id, body["hand"], body["seat"], card["position"], card["face"])
        )
    return told
