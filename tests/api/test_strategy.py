"""The pages on strategy: one list of what hints give as reasons, and a page for each."""

from html import unescape

import pytest

from fairdeal.bots.reasons import ORDER
from fairdeal.service import lessons


def read(service, path):
    answer = service.call("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "text/html; charset=utf-8"
    return unescape(answer.text)


def test_the_list_leads_to_each_reason_in_the_order_of_hints(service):
    listed = read(service, "/help/strategy")
    at = [listed.index(f"<a href='/help/strategy/{code}'>") for code in ORDER]
    assert at == sorted(at)
    assert all(lesson.title in listed and lesson.text in listed for lesson in lessons().values())


@pytest.mark.parametrize("code", ORDER)
def test_a_page_tells_the_paragraph_the_position_and_the_reasons(service, code):
    told, lesson = read(service, f"/help/strategy/{code}"), lessons()[code]
    for text in (lesson.title, lesson.text, code, lesson.line, lesson.act):
        assert text in told
    assert all(f"<li>{one}</li>" in told for one in (*lesson.position, *lesson.reasons))


def test_a_reason_of_a_hint_has_its_page(service):
    _, (player,) = service.started("hbbb")
    for reason in player.get("hint")["reasons"]:
        assert read(service, f"/help/strategy/{reason['code']}")


@pytest.mark.parametrize("code", ["frozen", "Fat_pile", "no_such_code"])
def test_what_no_hint_gives_has_no_page(service, code):
    answer = service.call("GET", f"/help/strategy/{code}")
    assert (answer.status_code, answer.json["code"]) == (404, "no_such_code")
