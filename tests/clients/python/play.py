"""A whole game of four people, over a client that openapi-python-client generated, unedited.

Run in `.venv-clients`: `python play.py BASE OPERATOR_KEY FOLDER`, with the client on PYTHONPATH.
It leaves the transcript, the receipts and what was noted before the seeds in the folder.
"""

import hashlib
import json
import secrets
import sys
from pathlib import Path

from fairdeal_client import AuthenticatedClient, Client
from fairdeal_client.api.games import create_game, get_game, get_transcript
from fairdeal_client.api.seats import act, claim_seat, get_view, list_choices, share_seed
from fairdeal_client.api.site import get_dealer
from fairdeal_client.models import (
    ActWanted,
    ClaimWanted,
    ClockWanted,
    GameWanted,
    Problem,
    RulesWanted,
    RulesWantedOverrides,
    SeatWanted,
    SeatWantedKind,
    SeedWanted,
)

ORDER = ("take", "lay", "yes", "draw", "discard", "end")
"""What a seat does first, of what it may do."""


def good(answer):
    """Return what was answered, if it is no refusal."""
    assert answer is not None, "an answer that the client does not know"
    assert not isinstance(answer, Problem), f"{answer.status} {answer.code}: {answer.sentence}"
    return answer


class Seat:
    """One of the four people."""

    def __init__(self, base, public, claim):
        wanted = ClaimWanted(claim=claim, key=secrets.token_urlsafe(24))
        self.seating = good(claim_seat.sync(client=public, body=wanted))
        self.client = AuthenticatedClient(
            base_url=base, token=self.seating.token, raise_on_unexpected_status=True
        )
        self.receipts = list(self.seating.receipts)

    def share(self):
        text = f"seat {self.seating.seat} of a generated client"
        seed = SeedWanted(
            epoch=1,
            open_hash=self.seating.commitment.open_hash,
            nonce=secrets.token_hex(32),
            seed_sha256=hashlib.sha256(text.encode()).hexdigest(),
        )
        game, seat = self.seating.game, self.seating.seat
        self.receipts += good(share_seed.sync(game, seat, client=self.client, body=seed)).receipts

    def view(self):
        return good(get_view.sync(self.seating.game, client=self.client))

    def play(self):
        """Make one act of those that may be made."""
        choices = good(list_choices.sync(self.seating.game, client=self.client))
        acts = sorted(one.act for one in choices.can)
        chosen = next(one for word in ORDER for one in acts if one.split()[0] == word)
        wanted = ActWanted(expect=choices.version, act=chosen)
        key = secrets.token_urlsafe(24)
        answer = good(
            act.sync(self.seating.game, client=self.client, body=wanted, idempotency_key=key)
        )
        assert answer.events[0].body["act"] == chosen
        assert not answer.dry_run
        self.receipts += answer.receipts

    def late(self):
        """Return the refusal, with its type, of an act that was decided on record 0."""
        wanted = ActWanted(expect=0, act="draw")
        refused = act.sync(self.seating.game, client=self.client, body=wanted)
        assert isinstance(refused, Problem)
        return refused


def main(base, operator, folder):
    """Play the game out and keep what a careful player keeps."""
    public = Client(base_url=base, raise_on_unexpected_status=True)
    site = AuthenticatedClient(base_url=base, token=operator, raise_on_unexpected_status=True)
    rules = RulesWanted(
        preset="classic@1", overrides=RulesWantedOverrides.from_dict({"target": 200})
    )
    wanted = GameWanted(
        seats=[SeatWanted(kind=SeatWantedKind.HUMAN, label=f"Seat {at}") for at in range(4)],
        rules=rules,
        clock=ClockWanted(between_hands_s=0),
    )
    created = good(create_game.sync(client=site, body=wanted))
    seats = [Seat(base, public, claim.claim) for claim in created.claims]
    for seat in seats:
        assert seat.seating.commitment.open_hash == created.commitment.open_hash
        seat.share()
    acts = 0
    view = seats[0].view()
    while view.state != "closed":
        seats[view.table.turn.seat].play()
        acts += 1
        view = seats[0].view()
    assert good(get_game.sync(created.id, client=public)).state == "closed"
    kept = {
        "game": created.id,
        "open_hash": created.commitment.open_hash,
        "receipt_key": good(get_dealer.sync(client=public)).receipt_key,
        "acts": acts,
        "hands": view.hand,
        "late": seats[0].late().code,
    }
    receipts = [*created.receipts, *(one for seat in seats for one in seat.receipts)]
    (folder / "game.jsonl").write_bytes(
        good(get_transcript.sync(created.id, client=public)).encode()
    )
    (folder / "receipts.json").write_text(json.dumps(receipts), "utf-8")
    (folder / "kept.json").write_text(json.dumps(kept), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
