"""Proofs that records are in the public log; the log itself is served by `api.logsite`."""

from typing import Final

from flask import Response

from api.auth import dealer
from api.blueprint import Blueprint

_PROOF: Final = "text/plain; charset=utf-8"

blueprint = Blueprint("publiclog", __name__, description="Proofs of the public log.")


@blueprint.route("/v1/games/<game>/proofs/<int:n>", methods=["GET"])
@blueprint.response(
    200, {"type": "string"}, content_type="text/plain", description="A .tlog-proof (C2SP)"
)
@blueprint.refuses("not_public_yet", "log_unreadable", but=("vault_shut", "records_damaged"))
@blueprint.doc(operationId="getProof")
def proof(game: str, n: int) -> Response:
    """Download the proof that a record is in the public log, under its newest checkpoint.

    The proof is of the form c2sp.org/tlog-proof@v1, and auditors' own programs check it; its entry
    is the record's line, with its line feed. Acts are in no log: the next `score` covers them. A
    record is public a second or two after it was made.
    """
    return Response(dealer().proofs.of_record(game, n), content_type=_PROOF)
