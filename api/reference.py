"""The reference page: every operation and every shape of the description, as plain HTML.

It is made of the description alone, loads nothing and runs no code, so it reads without a network.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final

from api import examples
from api.refusals import CODES_OF, operations

Said = Mapping[str, Any]

ORDER: Final = ("games", "seats", "events", "rooms", "hands", "access", "keys", "rules", "requests")
"""In which order the groups stand; others follow."""

VARIABLES: Final[Mapping[str, str]] = {"operator": "OPERATOR", "seat": "SEAT", "watcher": "WATCHER"}
"""What a shell calls a token in the examples."""

_CODE: Final = re.compile(r"`([^`]+)`")
_INTRODUCTION: Final = (
    "<p>The same for programs: <a href='/openapi.json'>openapi.json</a>. Every code of a refusal:"
    " <a href='/help'>help</a>. In the examples <code>BASE</code> is the address of the service,"
    " and <code>OPERATOR</code>, <code>SEAT</code> and <code>WATCHER</code> are tokens.</p>"
)


def body(said: Said) -> str:
    """Return the page below its title.

    Args:
        said: The description.
    """
    groups = _groups(said)
    listed = "".join(
        f"<h3>{escape(name)}</h3><ul>{''.join(map(_line, group))}</ul>"
        for name, group in groups.items()
    )
    parts = [_text(said["info"]["description"]), _INTRODUCTION, f"<nav>{listed}</nav>"]
    meanings = {tag["name"]: tag.get("description", "") for tag in said.get("tags", ())}
    for name, group in groups.items():
        parts.append(f"<h2>{escape(name)}</h2>{_text(meanings.get(name, ''))}")
        parts += [_operation(said, *one) for one in group]
    parts.append("<h2>Shapes</h2><p>What is sent has these fields alone; answers may get more.</p>")
    parts += [_shape(name, shape) for name, shape in said["components"]["schemas"].items()]
    return "".join(parts)


def _groups(said: Said) -> dict[str, list[tuple[str, str, Said]]]:
    found: dict[str, list[tuple[str, str, Said]]] = {}
    for path, method, operation in operations(said):
        found.setdefault(operation["tags"][0], []).append((path, method, operation))
    known = [name for name in ORDER if name in found]
    return {name: found[name] for name in (*known, *sorted(found.keys() - set(known)))}


def _line(one: tuple[str, str, Said]) -> str:
    path, method, operation = one
    name = operation["operationId"]
    return (
        f"<li><a href='#{name}'><code>{method.upper()} {escape(path)}</code></a>"
        f" {_inline(operation['summary'])}</li>"
    )


# ---------------------------------------------------------------------------------- operations


def _operation(said: Said, path: str, method: str, operation: Said) -> str:
    name = operation["operationId"]
    parts = [
        f"<section id='{name}'><h3><code>{method.upper()} {escape(path)}</code></h3>",
        _text(operation["summary"]),
        _text(operation.get("description", "")),
        f"<p>Token: {_tokens(operation)}. Name: <code>{name}</code>.</p>",
    ]
    parameters = [*said["paths"][path].get("parameters", ()), *operation.get("parameters", ())]
    if parameters:
        parts.append(f"<h4>Parameters</h4><dl>{''.join(map(_parameter, parameters))}</dl>")
    if "requestBody" in operation:
        forms = _forms(operation["requestBody"]["content"])
        parts.append(f"<h4>Body</h4><p>{forms}</p>")
    answers = "".join(
        _answer(status, response) for status, response in operation["responses"].items()
    )
    parts.append(f"<h4>Answers</h4><dl>{answers}</dl>{_example(operation)}</section>")
    return "".join(parts)


def _tokens(operation: Said) -> str:
    wanted = operation.get("security") or [{}]
    roles = [role for one in wanted for role in one]
    if not roles:
        return "none"
    return " or ".join(roles) + (", or none" if {} in wanted else "")


def _parameter(parameter: Said) -> str:
    needed = "needed" if parameter.get("required") else "optional"
    return (
        f"<dt><code>{escape(parameter['name'])}</code> in the {parameter['in']}, {needed}:"
        f" {_kind(parameter['schema'])}</dt><dd>{_inline(_meaning(parameter))}</dd>"
    )


def _meaning(parameter: Said) -> str:
    default = parameter["schema"].get("default")
    left_out = "" if default is None else f" Left out: {json.dumps(default)}."
    return f"{parameter.get('description', '')}{left_out}"


def _forms(content: Said) -> str:
    return "; ".join(f"{_kind(one['schema'])} as {escape(form)}" for form, one in content.items())


def _answer(status: str, response: Said) -> str:
    if CODES_OF in response:
        codes = (f"<a href='/help/{code}'>{code}</a>" for code in response[CODES_OF])
        return f"<dt>{status}</dt><dd>{', '.join(codes)}</dd>"
    forms = _forms(response.get("content", {})) or "without a body"
    return f"<dt>{status}</dt><dd>{_inline(response['description'])}: {forms}</dd>"


def _example(operation: Said) -> str:
    exchange = examples.exchanges().get(operation["operationId"])
    if exchange is None:  # An operation that is new, until its example is recorded.
        return ""
    parts = [f"<h4>Example</h4><pre>{escape(_curl(operation, exchange))}</pre>"]
    for form, told in exchange["answers"].items():
        text = told if isinstance(told, str) else json.dumps(told, indent=1, ensure_ascii=False)
        shown = f"{exchange['status']} as {form}"
        parts.append(f"<details><summary>{shown}</summary><pre>{escape(text)}</pre></details>")
    return "".join(parts)


def _curl(operation: Said, exchange: Said) -> str:
    method = exchange["method"]
    lines = ["curl" + ("" if method == "GET" else f" -X {method}") + f' "$BASE{exchange["path"]}"']
    if exchange["token"]:
        role = next(role for wanted in operation["security"] for role in wanted)
        lines.append(f'-H "Authorization: Bearer ${VARIABLES[role]}"')
    lines += [f'-H "{name}: {value}"' for name, value in exchange["headers"].items()]
    if "request" in exchange:
        sent = json.dumps(exchange["request"], ensure_ascii=False).replace("'", "'\\''")
        lines += ['-H "Content-Type: application/json"', f"-d '{sent}'"]
    return " \\\n  ".join(lines)


# -------------------------------------------------------------------------------------- shapes


def _shape(name: str, shape: Said) -> str:
    needed = shape.get("required", ())
    fields = "".join(
        f"<dt><code>{escape(field)}</code>{', needed' * (field in needed)}: {_kind(kind)}</dt>"
        f"<dd>{_inline(kind.get('description', ''))}</dd>"
        for field, kind in shape.get("properties", {}).items()
    )
    return f"<section id='{name}'><h3>{name}</h3><dl>{fields}</dl></section>"


def _kind(schema: Said) -> str:
    """Say in HTML what a schema allows."""
    return " or ".join(_alternatives(schema))


def _alternatives(schema: Said) -> Iterator[str]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield f"<a href='#{name}'>{name}</a>"
    elif "anyOf" in schema:
        yield from map(_kind, schema["anyOf"])
    elif "enum" in schema:
        yield from (f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    else:
        types = schema.get("type", "anything")
        for kind in [types] if isinstance(types, str) else types:
            yield _narrowed(kind, schema)


def _narrowed(kind: str, schema: Said) -> str:
    if kind == "array":
        return f"list of {_kind(schema['items'])}{_bounds(schema, 'minItems', 'maxItems')}"
    if kind in ("integer", "number"):
        return f"{kind}{_bounds(schema, 'minimum', 'maximum')}"
    if kind == "string" and "pattern" in schema:
        return f"string like <code>{escape(schema['pattern'])}</code>"
    return kind


def _bounds(schema: Said, least: str, most: str) -> str:
    if least in schema and most in schema:
        return f" ({schema[least]} to {schema[most]})"
    return f" ({schema[least]} or more)" if least in schema else ""


# --------------------------------------------------------------------------------------- texts


def _text(text: str) -> str:
    return "".join(_paragraphs(text.split("\n\n")))


def _paragraphs(parts: Iterable[str]) -> Iterator[str]:
    yield from (f"<p>{_inline(part)}</p>" for part in parts if part.strip())


def _inline(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(" ".join(text.split())))
