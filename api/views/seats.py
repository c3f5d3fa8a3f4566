"""What the holder of a seat does and sees."""

from collections.abc import Mapping
from typing import Any

from api.auth import READER, SEAT, caller, dealer
from api.blueprint import Blueprint
from api.codes import ACT_RULES
from api.shapes.answers import AnswerOut, MyRecordOut, SeatingOut
from api.shapes.choices import ChoicesOut, HintOut
from api.shapes.play import ActedOut, CountsOut, MoreTimeOut, TryWanted, ViewWanted
from api.shapes.requests import ActWanted, ClaimWanted, ExpectWanted, SeedWanted
from api.shapes.tables import ViewOut
from api.waiting import polling
from fairdeal.service import Answer, Choices, Counts, Hint, MoreTime, Once, Seating, Seed

blueprint = Blueprint("seats", __name__, description="Take a seat and play.")


def _claim(wanted: dict[str, str | None]) -> str:
    return str(wanted["claim"])


@blueprint.route("/v1/claims", methods=["POST"])
@blueprint.arguments(ClaimWanted)
@blueprint.writes(200, SeatingOut, owner=_claim)
@blueprint.refuses(
    "no_such_claim",
    "claim_used",
    "claim_expired",
    "records_damaged",
    "vault_shut",
    "room_moved",
    "bot_plays",
)
@blueprint.doc(operationId="claimSeat")
def claim(wanted: dict[str, str | None], *, once: Once | None) -> Seating:
    """Exchange a claim, once, for the token of its seat.

    Send a random `key` of your own with it: then the same request gets the same token again,
    should the answer be lost.
    """
    return dealer().claim(str(wanted["claim"]), wanted["key"], once=once)


@blueprint.route("/v1/games/<game>/seats/<int:seat>/seed", methods=["PUT"])
@blueprint.arguments(SeedWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses(
    "bad_field",
    "open_hash_differs",
    "seed_given",
    "seed_repeated",
    "seal_differs",
    "sealing_open",
    "seeds_locked",
    "hands_used_up",
    "game_over",
    "signature_wrong",
    "no_such_seat",
    "log_behind",
)
@blueprint.doc(operationId="shareSeed", security=SEAT)
def seed(wanted: dict[str, Any] | Seed, game: str, seat: int, *, once: Once | None) -> Answer:
    """Contribute to the deck; the last seat's contribution locks the seeds, and a hand follows.

    Where the service keeps a public log the hand is not in the answer: it is dealt by itself, as
    soon as the lock is public.

    In a sealed game each seat first sends `seal`, the hash of its line; when all are in, each
    opens it. Make the nonce and the hash yourself, and repeat exactly the same request if an
    answer is lost: never make a second nonce.
    """
    if isinstance(wanted, Seed):
        return dealer().seeds.share(caller(), game, seat, wanted, once=once)
    return dealer().seeds.seal(caller(), game, seat, **wanted, once=once)


@blueprint.route("/v1/games/<game>/view", methods=["GET"])
@blueprint.arguments(ViewWanted, location="query")
@blueprint.response(200, ViewOut)
@blueprint.refuses("watch_closed", "not_your_seat", "not_your_game", "too_many_streams", "busy")
@blueprint.doc(operationId="getView", security=READER)
def view(wanted: dict[str, Any], game: str) -> Mapping[str, Any]:
    """See the table as you may see it now, or wait for a version of it.

    With the token of a seat: as that seat sees it. Without one: as it stands where the transcript
    ends, so never with a hand in play.
    """
    looks = dealer().looks
    if wanted["wait"] is None:
        return looks.view(caller(), game).view
    with polling() as is_gone:
        return looks.view(caller(), game, wanted["at_least"], wanted["wait"], is_gone).view


@blueprint.route("/v1/games/<game>/choices", methods=["GET"])
@blueprint.response(200, ChoicesOut)
@blueprint.doc(operationId="listChoices", security=SEAT)
def choices(game: str) -> Choices:
    """List what your seat may do now; the list is empty while another is in turn."""
    return dealer().looks.choices(caller(), game)


@blueprint.route("/v1/games/<game>/hint", methods=["GET"])
@blueprint.response(200, HintOut)
@blueprint.refuses("hints_off", "no_hand", "game_over", "not_your_turn", "stale_version")
@blueprint.doc(operationId="getHint", security=SEAT)
def hint(game: str) -> Hint:
    """Ask what a good bot would do in your place, while you are in turn.

    It sees what you see and no more. The score of the hand counts the hints of each seat; asking
    again at the same version gives the same hint and counts once. Nothing is done for you.
    """
    return dealer().hints.give(caller(), game)


@blueprint.route("/v1/games/<game>/counts", methods=["GET"])
@blueprint.response(200, CountsOut)
@blueprint.refuses("watch_closed", "not_your_seat", "not_your_game")
@blueprint.doc(operationId="getCounts", security=READER)
def counts(game: str) -> Counts:
    """Count the cards of the hand in play, as far as you can know where they are."""
    return dealer().looks.counts(caller(), game)


@blueprint.route("/v1/games/<game>/actions", methods=["POST"])
@blueprint.arguments(ActWanted)
@blueprint.arguments(TryWanted, location="query")
@blueprint.writes(200, ActedOut)
@blueprint.refuses("bad_act", "no_hand", "game_over", "stale_version", *ACT_RULES)
@blueprint.doc(operationId="act", security=SEAT)
def act(wanted: dict[str, Any], how: dict[str, bool], game: str, *, once: Once | None) -> Answer:
    """Act; the answer holds your act and all that followed until a human is in turn again.

    A repeat of an accepted act, with the same `expect`, gets the same records again. With another
    version than the game's newest the answer is 409 `stale_version`. With `dry_run` the act is
    only tried out: the answer says what it would do, or is the refusal that the act would get.
    """
    if how["dry_run"]:
        return dealer().looks.try_out(caller(), game, wanted["expect"], wanted["act"])
    return dealer().act(caller(), game, wanted["expect"], wanted["act"], once=once)


@blueprint.route("/v1/games/<game>/more-time", methods=["POST"])
@blueprint.arguments(ExpectWanted)
@blueprint.writes(200, MoreTimeOut)
@blueprint.refuses(
    "stale_version", "game_over", "no_hand", "not_your_turn", "no_clock", "no_more_time"
)
@blueprint.doc(operationId="askForTime", security=SEAT)
def more_time(wanted: dict[str, int], game: str, *, once: Once | None) -> MoreTime:
    """Have your turn end later, by the game's `extend_s`; at one version it is given once.

    Those who follow the game are told the new end. With another version than the game's newest
    the answer is 409 `stale_version`.
    """
    return dealer().more_time.ask(caller(), game, wanted["expect"], once=once)


@blueprint.route("/v1/games/<game>/my-record", methods=["GET"])
@blueprint.response(200, MyRecordOut)
@blueprint.doc(operationId="getMyRecord", security=SEAT)
def my_record(game: str) -> tuple[Any, int, dict[str, str]]:
    """Download all that you should keep of the game, as one file.

    It holds receipts, the cards you were dealt with their salts, and signed notes over the cards
    you drew. Your typed text and your nonce are not known here: put them in.
    """
    disposition = f'attachment; filename="{game}-my-record.json"'
    return dealer().my_record(caller(), game), 200, {"Content-Disposition": disposition}
