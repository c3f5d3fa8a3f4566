"""A site and its keys, as its operators look after them."""

from typing import Any

from api.auth import OPERATOR, caller, dealer
from api.blueprint import Blueprint
from api.shapes.access import KeysOut, KeyWanted, NewKeyOut, RollWanted, SiteOut, SiteWanted
from fairdeal.service import NewKey, Once, Site

blueprint = Blueprint("keys", __name__, description="Your site and its keys.")


@blueprint.route("/v1/site", methods=["GET"])
@blueprint.response(200, SiteOut)
@blueprint.doc(operationId="getSite", security=OPERATOR)
def site() -> Site:
    """Look at your own site."""
    return dealer().sites.mine(caller())


@blueprint.route("/v1/site", methods=["PATCH"])
@blueprint.arguments(SiteWanted)
@blueprint.writes(200, SiteOut)
@blueprint.refuses("room_moved")
@blueprint.doc(operationId="renameSite", security=OPERATOR)
def rename(wanted: dict[str, str], *, once: Once | None) -> Site:
    """Call your site otherwise; its id stays."""
    return dealer().sites.rename(caller(), wanted["name"], once=once)


@blueprint.route("/v1/keys", methods=["GET"])
@blueprint.response(200, KeysOut)
@blueprint.doc(operationId="listKeys", security=OPERATOR)
def listed() -> dict[str, object]:
    """List the keys of your site that open anything, oldest first; no token is shown."""
    return {"keys": dealer().keys.listed(caller())}


@blueprint.route("/v1/keys", methods=["POST"])
@blueprint.arguments(KeyWanted)
@blueprint.writes(201, NewKeyOut)
@blueprint.refuses("too_many")
@blueprint.doc(operationId="createKey", security=OPERATOR)
def create(wanted: dict[str, Any], *, once: Once | None) -> NewKey:
    """Make a further key of your site; its token stands in this answer alone."""
    return dealer().keys.add(caller(), wanted["label"], wanted["scope"], once=once)


@blueprint.route("/v1/keys/<key>/roll", methods=["POST"])
@blueprint.arguments(RollWanted)
@blueprint.writes(201, NewKeyOut)
@blueprint.refuses("no_such_key", "too_many")
@blueprint.doc(operationId="rollKey", security=OPERATOR)
def roll(wanted: dict[str, int], key: str, *, once: Once | None) -> NewKey:
    """Make a key that follows another one, which works on until the overlap is over."""
    return dealer().keys.roll(caller(), key, wanted["overlap_s"], once=once)


@blueprint.route("/v1/keys/<key>", methods=["DELETE"])
@blueprint.writes(204)
@blueprint.refuses("no_such_key", "last_key")
@blueprint.doc(operationId="deleteKey", security=OPERATOR)
def delete(key: str, *, once: Once | None) -> None:
    """Take a key away at once; the last full one that does not end cannot be."""
    dealer().keys.remove(caller(), key, once=once)
