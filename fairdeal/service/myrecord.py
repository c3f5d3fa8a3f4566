"""My record: all that one seat should keep of a game, as one file (protocol 6.5)."""

from collections.abc import Mapping
from typing import Any, Final

from fairdeal.game import Game
from fairdeal.records.chain import reread
from fairdeal.records.tablecode import table_code
from fairdeal.service.clerk import Clerk

FORM: Final = "fairdeal-my-record-1"


def my_record(
    clerk: Clerk, game: Game, seat: int, receipt_keys: tuple[str, ...]
) -> Mapping[str, Any]:
    """Give the file of a seat; text and nonce of its seeds are left to the player's program.

    Receipts are signed anew over every record that is no act, and over the newest: each covers
    all records before it.

    Args:
        clerk: Reads and signs.
        game: As it stands.
        seat: Whose.
        receipt_keys: Under which the service has signed; for information.
    """
    lines = clerk.store.lines(game.id, limit=game.version + 1)
    records = [reread(line) for line in lines]
    told = [(record, clerk.shown(game, record, seat).get("private", {})) for record in records]
    kept = [record for record in records if record.type != "act"]
    seeds = {
        record.body["epoch"]
        for record in kept
        if record.type == "share" and record.body["seat"] == seat
    }
    return {
        "v": FORM,
        "game": game.id,
        "seat": seat,
        "origin": clerk.key.name,
        "open_hash": game.open_hash,
        "table_code": table_code(game.open_hash),
        "receipt_keys": list(receipt_keys),
        "receipts": list(clerk.receipts(*kept, records[-1])),
        "card_notes": [card["note"] for _, facts in told for card in facts.get("drawn", ())],
        "hand_cards": [
            {
                "hand": record.body["hand"],
                "seat": seat,
                "cards": facts["cards"],
                "salt": facts["salt"],
            }
            for record, facts in told
            if "salt" in facts
        ],
        "seeds": [{"epoch": epoch, "text": None, "nonce": None} for epoch in sorted(seeds)],
    }
