"""The composition root: one application around one dealer."""

from collections.abc import Callable
from json import JSONEncoder
from typing import Any, Final

from flask import Flask, request
from flask.json.provider import DefaultJSONProvider

from api import auth, cors, hygiene, logsite, openapi, problems, sandbox
from api.strict import MAX_BODY_BYTES, PathNumber, PresetName
from api.views import (
    access,
    events,
    explained,
    games,
    hands,
    keys,
    me,
    publiclog,
    quickmatch,
    requests,
    rooms,
    rules,
    seats,
    site,
)
from fairdeal.errors import MalformedInput
from fairdeal.service import Dealer

#: The routes that take a query; every other refuses one, so that a misplaced field shows.
WITH_QUERY = frozenset(
    {
        "events.events",
        "access.listed",
        "me.games",
        "quickmatch.look",
        "requests.find",
        "rooms.listed",
        "rooms.look",
        "rules.diff",
        "seats.act",
        "seats.view",
    }
)

#: What is answered also while the service is being stopped; the second one says so.
AT_ANY_TIME = frozenset({"site.health", "site.readiness"})


class Json(DefaultJSONProvider):
    """Writes JSON as the framework does, with an encoder that is made once."""

    def dumps(self, obj: Any, **more: Any) -> str:  # noqa: ANN401  as the library has it
        """Return a value as JSON."""
        return _ENCODE(obj) if more == _COMPACT else super().dumps(obj, **more)


_COMPACT: Final = {"separators": (",", ":")}
_ENCODE: Final = JSONEncoder(default=Json.default, sort_keys=True, separators=(",", ":")).encode


class Application(Flask):
    """An application in which nothing is a coroutine."""

    json_provider_class = Json

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a view or a hook as it is, without looking at each request what it is."""
        return func


def create_app(
    dealer: Dealer | None, *, entropy: Callable[[int], bytes], public_url: str = ""
) -> Flask:
    """Return the application.

    Args:
        dealer: The service behind it; None for an application that is only described.
        entropy: Gives the names of requests.
        public_url: What stands before the path of its own addresses; empty for the path alone.

    Raises:
        StorageFailure: `bad_log_path`: the public log cannot be served at the service's name.
    """
    app = Application("fairdeal", static_folder=None)
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, PROPAGATE_EXCEPTIONS=False, TRAP_HTTP_EXCEPTIONS=False
    )
    app.config[problems.PUBLIC_URL] = public_url
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = True
    app.url_map.converters.update(int=PathNumber, preset=PresetName)
    app.extensions[auth.EXTENSION] = dealer
    hygiene.install(app, entropy)
    problems.install(app)
    sandbox.install(app)
    auth.install(app)
    app.before_request(_refuse_late)
    app.before_request(_refuse_stray_query)
    described = openapi.install(app)
    for part in (
        events,
        explained,
        games,
        hands,
        keys,
        me,
        publiclog,
        quickmatch,
        access,
        requests,
        rooms,
        rules,
        seats,
        site,
    ):
        described.register_blueprint(part.blueprint)
    auth.close(app, openapi.description(app)["paths"])
    cors.install(app, openapi.description(app)["paths"])
    logsite.install(app, entropy)
    return app


def openapi_document() -> dict[str, Any]:
    """Return the description of the interface; no database is opened for it."""
    return openapi.description(create_app(None, entropy=bytes))


def _refuse_late() -> None:
    if request.endpoint not in AT_ANY_TIME:
        auth.dealer().readiness.check_going()


def _refuse_stray_query() -> None:
    if not request.query_string or request.routing_exception is not None:
        return
    if request.endpoint not in WITH_QUERY:
        raise MalformedInput("unknown_field", "This address takes no query.")
