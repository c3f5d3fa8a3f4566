"""Declares routes: each says once what it takes, what it answers, and whether it writes."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

import flask_smorest
from flask import Response, jsonify
from flask_smorest.utils import resolve_schema_instance
from marshmallow import Schema

from api.dumping import dumper
from api.once import KEY_PARAMETER, REPLAYED, REPLAYED_HEADER, Owner, Writing, shown_token
from api.refusals import NEVER, REFUSES
from api.strict import StrictParser
from fairdeal.service import Once

WRITES: Final = "fairdeal_writes"
"""The attribute by which a test knows the views that take an idempotency key."""

View = Callable[..., Any]

_HEADERS: Final = "fairdeal_headers"


class Blueprint(flask_smorest.Blueprint):
    """A blueprint that reads strictly and writes once."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: type[Schema], **more: Any) -> Callable[[View], View]:  # noqa: ANN401  passed on
        """Declare what a route takes (contract: `flask_smorest.Blueprint.arguments`).

        The schema is made here, once: the framework would make it anew with every request.
        """
        declared: Callable[[View], View] = super().arguments(
            resolve_schema_instance(schema), **more
        )
        return declared

    def response(
        self,
        status_code: int,
        schema: type[Schema] | Mapping[str, str] | None = None,
        **more: Any,  # noqa: ANN401  passed on
    ) -> Callable[[View], View]:
        """Declare what a route answers (contract: `flask_smorest.Blueprint.response`).

        What a view returns without a status or headers of its own is written here.
        """
        declared: Callable[[View], View] = super().response(status_code, schema, **more)
        if not isinstance(schema, type):  # a description alone
            return declared
        dump = dumper(resolve_schema_instance(schema))

        def decorate(view: View) -> View:
            @wraps(view)
            def answered(*args: object, **named: object) -> object:
                made = view(*args, **named)
                if isinstance(made, tuple | Response):
                    return made
                written = jsonify(dump(made))
                written.status_code = status_code
                return written

            return declared(answered)

        return decorate

    def header(self, parameter: Mapping[str, Any]) -> Callable[[View], View]:
        """Describe a header that a route reads, beside its other parameters.

        Args:
            parameter: As OpenAPI has it. (`doc(parameters=...)` takes the place of the others.)
        """

        def decorate(view: View) -> View:
            @wraps(view)
            def described(*args: object, **named: object) -> object:
                return view(*args, **named)

            known = getattr(view, "_apidoc", {})
            headers = [*known.get(_HEADERS, ()), dict(parameter)]
            vars(described)["_apidoc"] = {**known, _HEADERS: headers}
            return described

        return decorate

    def _prepare_arguments_doc(
        self,
        doc: dict[str, Any],
        doc_info: dict[str, Any],
        **more: Any,  # noqa: ANN401  passed on
    ) -> dict[str, Any]:
        made: dict[str, Any] = super()._prepare_arguments_doc(doc, doc_info, **more)
        if doc_info.get(_HEADERS):
            made["parameters"] = [*made.get("parameters", ()), *doc_info[_HEADERS]]
        return made

    def writes(
        self, status: int, schema: type[Schema] | None = None, *, owner: Owner = shown_token
    ) -> Callable[[View], Callable[..., Response]]:
        """Make a view a write: it takes an idempotency key, and its answer is kept.

        It stands below `arguments` and in the place of `response`; the view gets `once` beside
        its other arguments, hands it to the service, and returns what that answers.

        Args:
            status: What success is answered with.
            schema: Of the service's answer; None where it has no body.
            owner: Whose key it is, told from the view's arguments; who shows the token, if not
                given.
        """
        shape = None if schema is None else dumper(resolve_schema_instance(schema))

        def decorate(view: View) -> Callable[..., Response]:
            @wraps(view)
            def answered(*args: object, **named: object) -> Response:
                def do(once: Once | None) -> object:
                    return view(*args, once=once, **named)

                return Writing(status, shape).answer(do, owner(*args, **named))

            described: Callable[..., Response] = self.header(KEY_PARAMETER)(
                self.response(status, schema, headers={REPLAYED: REPLAYED_HEADER})(answered)
            )
            setattr(described, WRITES, True)
            return described

        return decorate

    def refuses(self, *codes: str, but: tuple[str, ...] = ()) -> Callable[[View], View]:
        """Declare what a route can refuse, beside what follows from what it is.

        Args:
            codes: As api/reasons has them; api/refusals.py adds those of roles, paths and bodies.
            but: Those of them that cannot come of it.
        """
        declared: Callable[[View], View] = self.doc(**{REFUSES: list(codes), NEVER: list(but)})
        return declared
