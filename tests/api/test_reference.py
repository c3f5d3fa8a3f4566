"""The reference page says all that the description says, and nothing from elsewhere is on it."""

import re
import shlex
from html.parser import HTMLParser

import pytest

from api import reference
from api.openapi import description
from api.refusals import operations
from tests.table import application

VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page that has to be well formed: what is opened is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.text = ""
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.blocks: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        assert len(named) == len(attrs)
        assert not {"style", "onclick", "src"} & set(named)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        if tag not in VOID:
            self.open.append(tag)
        if tag == "pre":
            self.blocks.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "pre" in self.open:
            self.blocks[-1] += data


@pytest.fixture
def read(service):
    answer = service.call("GET", "/docs")
    assert answer.content_type == "text/html; charset=utf-8"
    return Page(answer.text)


def said():
    return description(application())


def test_every_operation_is_on_the_page_with_its_parameters_and_its_answers(read):
    described = list(operations(said()))
    assert {operation["operationId"] for *_, operation in described} <= set(read.ids)
    for path, method, operation in described:
        assert (
            read.text.count(f"{method.upper()} {path}") >= 2
        )  # In the list, and where it is told.
        parameters = [
            *said()["paths"][path].get("parameters", ()),
            *operation.get("parameters", ()),
        ]
        for one in parameters:
            assert f"{one['name']} in the {one['in']}" in read.text


def test_every_code_of_an_operation_leads_to_its_page(read, service):
    codes = {
        code
        for *_, operation in operations(said())
        for response in operation["responses"].values()
        for code in response.get("x-codes", ())
    }
    assert {f"/help/{code}" for code in codes} == {link for link in read.links if "/help/" in link}
    assert service.call("GET", f"/help/{min(codes)}").status_code == 200


def test_every_shape_is_on_the_page_with_its_fields(read):
    for name, schema in said()["components"]["schemas"].items():
        assert name in read.ids
        for field, kind in schema.get("properties", {}).items():
            assert field in read.text
            assert " ".join(kind.get("description", "").replace("`", "").split()) in read.text


def test_every_link_leads_to_this_service_and_somewhere(read):
    assert len(set(read.ids)) == len(read.ids)
    for link in read.links:
        assert link.startswith(("#", "/help", "/openapi.json"))
        assert link[0] != "#" or link[1:] in read.ids
    # Within a word it is part of a signature, which may have any letters of base64.
    assert not re.search(r"://|(?<![A-Za-z0-9+/])//", read.text)


def test_every_example_is_one_command_of_a_shell(read):
    commands = [block for block in read.blocks if block.startswith("curl ")]
    assert len(commands) == len(list(operations(said())))
    for command in commands:
        words = shlex.split(command)
        (address,) = [word for word in words if word.startswith("$BASE/")]
        assert re.fullmatch(r"\$BASE/[^ {}]*", address)
        assert words[0] == "curl"


def test_a_text_of_the_description_is_shown_and_never_read_as_a_page():
    schema = {"type": "string", "pattern": "^<b>&'$"}
    assert reference._kind(schema) == "string like <code>^&lt;b&gt;&amp;&#x27;$</code>"
    assert reference._inline("a `<i>` b") == "a <code>&lt;i&gt;</code> b"
