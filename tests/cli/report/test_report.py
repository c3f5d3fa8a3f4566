"""The report: a whole page, the same bytes each time, and the audit's own figures on it."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.cli.audit.running import run_audit, transcripts
from fairdeal.cli.main import cli
from fairdeal.cli.report.folder import from_folder
from fairdeal.cli.report.mirrored import source_of
from fairdeal.cli.report.page import write_page
from fairdeal.cli.stats.deals import gather
from fairdeal.cli.stats.looks import _seats, _strengths
from tests.audit.games import transcript
from tests.audit.log.made import KEY, audit, honest

ROOT = Path(__file__).parents[3]
VOID = {"meta", "link", "br", "hr", "img", "input", "col"}
SELF_CLOSED = {"rect", "line", "circle", "polyline", "path", "image"}


def folder_page(folder):
    source = from_folder(folder, now=None, is_fast=False, jobs=1)
    assert source is not None
    return write_page(source)


def group(pattern, text):
    found = re.search(pattern, text, re.DOTALL)
    assert found, pattern
    return found[1]


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Return a folder of finished games."""
    folder = tmp_path_factory.mktemp("games")
    for seed in range(1, 7):
        (folder / f"{seed}.jsonl").write_bytes(transcript(seed, 2))
    return folder


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Return an honest log of four games."""
    return honest(4, 2).write(tmp_path_factory.mktemp("logs") / "log")


@pytest.fixture(scope="module")
def page(games):
    """Return the page of the folder."""
    return folder_page(games)


@pytest.fixture(scope="module")
def log_page(log):
    """Return the page of the log."""
    return write_page(source_of(log, audit(log)))


@pytest.fixture(params=["page", "log_page"])
def each(request):
    """Return each of the two pages."""
    return request.getfixturevalue(request.param)


class Reader(HTMLParser):
    """Holds a page to nesting, unique names, and what an element needs."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.links, self.tags, self.faults = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.tags.append(tag)
        self.names += [said["id"]] if "id" in said else []
        self.links += [value for key, value in attrs if key in {"href", "src", "xlink:href"}]
        if len(said) != len(attrs):
            self.faults.append(f"an attribute twice in {tag}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in SELF_CLOSED:
            self.faults.append(f"{tag} closes itself")
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} is closed out of place")


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def figures(page):
    text = group(r'<pre id="figures">(.*?)</pre>', page)
    return json.loads(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


# ------------------------------------------------------------------------------------ the page


def test_the_page_is_well_formed_with_unique_names_and_links_that_lead_somewhere(each):
    reader = read(each)
    assert (reader.faults, reader.open) == ([], [])
    assert each.startswith("<!DOCTYPE html>\n<html lang=")
    assert len(set(reader.names)) == len(reader.names)
    inner = [link[1:] for link in reader.links if link.startswith("#")]
    assert inner
    assert set(inner) <= set(reader.names)
    labels = re.findall(r'aria-labelledby="([^"]+)"', each)
    assert set(labels) <= set(reader.names)


def test_the_page_has_no_script_and_loads_nothing(each):
    reader = read(each)
    assert not {"script", "link", "iframe", "object", "embed", "form"} & set(reader.tags)
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in reader.links)
    assert "://" not in each
    assert "@import" not in each
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", each))
    assert not re.search(r"\son[a-z]+=", each)


def test_every_picture_has_words_with_counts(each):
    pictures = re.findall(r'<svg role="img".*?</svg>', each, re.DOTALL)
    assert len(pictures) >= 8
    for picture in pictures:
        words = group(r"<title[^>]*>([^<]+)</title>", picture)
        assert re.search(r"\d", words), words


def test_every_page_says_what_it_does_not_show_and_claims_no_more_than_can_be_proved(each):
    assert "does not show" in each
    lowered = each.lower()
    assert [
        claim for claim in ("provably random", "100 % fair", "100% fair") if claim in lowered
    ] == []
    assert "would escape" in each


def test_the_page_is_made_for_dark_light_and_paper(each):
    assert "prefers-color-scheme:dark" in each
    assert "size:A4" in each
    assert "break-inside:avoid" in each
    assert "table-header-group" in each


def test_no_colour_of_the_page_is_plainly_red_or_green(each):
    for one in re.findall(r"#([0-9a-f]{6})\b", each.split("</style>")[0]):
        red, green, blue = (int(one[at : at + 2], 16) for at in (0, 2, 4))
        assert not (green > 1.5 * max(red, blue)), one
        assert not (red > 2 * max(green, blue)), one


def test_a_name_in_the_input_cannot_become_part_of_the_page(tmp_path):
    (tmp_path / "<b>&x.jsonl").write_bytes(b"{}\n")
    page = folder_page(tmp_path)
    assert "&lt;b&gt;&amp;x.jsonl" in page
    assert read(page).faults == []


# ----------------------------------------------------------------------------- the same bytes


def test_other_hash_order_processes_and_place_give_the_same_bytes(games, page, tmp_path):
    copied = tmp_path / "elsewhere"
    copied.mkdir()
    for path in games.iterdir():
        (copied / path.name).write_bytes(path.read_bytes())
    out = tmp_path / "report.html"
    for seed, jobs in (("1", "1"), ("2", "2")):
        code = "import sys; from fairdeal.cli.main import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, "report", copied, "-o", out, "--jobs", jobs],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
        )
        assert (done.returncode, out.read_text("utf-8")) == (0, page)


def test_other_input_gives_another_game_and_other_simulations(games, page, tmp_path):
    (tmp_path / "1.jsonl").write_bytes((games / "1.jsonl").read_bytes())
    other = folder_page(tmp_path)
    assert figures(other)["root"] != figures(page)["root"]
    heat = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]+")
    assert not set(heat.findall(other)) & set(heat.findall(page))


# ---------------------------------------------------------------------------------- figures


def test_the_figures_are_the_audit_s_and_those_of_the_looks(games, page):
    found = run_audit(games, transcripts(games), state=None, jobs=1)
    said = figures(page)
    assert (said["verdict"], said["exit"]) == (found.worst, found.exit_status)
    assert said["audit"]["files"] == said["games"] == len(found.files)
    assert said["audit"]["hands"] == sum(one.hands for one in found.files)
    (deals,) = gather(games, found.files).deals
    (one,) = said["deals"]
    assert one["deals"] == len(deals)
    for position, row in enumerate(one["positions_by_card"]):
        counts = [0] * 108
        for order in deals.orders:
            counts[order[position]] += 1
        assert row == counts
    means = {f"{name} of seat {seat}": (mean, due) for name, seat, mean, due, _ in one["sums"]}
    for look in _seats(deals, _strengths(deals)):
        mean, due = means[look.name]
        assert look.found.startswith(f"{mean:.3f} a deal, due {due:.3f} ")


def test_the_figures_of_a_log_are_its_audit_s(log, log_page):
    found = audit(log)
    said = figures(log_page)
    assert said["verdict"] == found.word
    assert said["root"] == found.root
    assert said["audit"]["hands"] == found.counts.hands
    assert said["games"] == found.counts.transcripts == 4
    assert f"<td>{found.complete_to_index:,}</td>" in log_page


def test_the_lanes_of_a_log_are_in_the_order_of_its_places(log_page):
    table = log_page.split("The same as a table")[1].split("</table>")[0]
    places = [int(row) for row in re.findall(r"<tr><td>\d+</td><td>(\d+)</td>", table)]
    assert len(places) > 5
    assert places == sorted(places)


def test_the_cells_of_a_hand_name_each_card_once(page):
    words = group(r"Where each of the 108 cards went\. ([^<]*)</title>", page)
    assert sum(int(number) for number in re.findall(r": (\d+)", words)) == 108


def test_the_frames_end_with_what_the_last_record_left(page):
    frames = page.split("record by record</h3><pre>")[1].split("</pre>")[0]
    counts = re.findall(r"after it: (.*); pile (\d+); stock (\d+)", frames)
    assert len(counts) > 10
    assert all(int(number) >= 0 for one in counts for number in re.findall(r"\d+", " ".join(one)))


def test_a_bad_file_is_named_and_the_verdict_is_not_valid(games, tmp_path):
    data = (games / "1.jsonl").read_bytes()
    (tmp_path / "bad.jsonl").write_bytes(data.replace(b'"total":', b'"total":1', 1))
    page = folder_page(tmp_path)
    assert figures(page)["verdict"] == "INVALID"
    assert "<td>E_CHAIN_BROKEN</td><td>bad.jsonl</td>" in page
    assert "There is no finished game to picture." in page


def test_a_wrong_log_says_so_first(tmp_path):
    folder = honest(2, 1).write(tmp_path / "log")
    tile = next((folder / "tile/entries").rglob("*.p/*"))
    tile.write_bytes(tile.read_bytes()[:-3] + b"x}\n")
    found = audit(folder)
    page = write_page(source_of(folder, found))
    assert found.exit_status == 1
    assert "<b>WRONG</b>" in page
    assert all(one.code in page for one in found.findings)


# ----------------------------------------------------------------------------- command line


def run(*arguments):
    return CliRunner().invoke(cli, ["report", *map(str, arguments)])


def test_standard_output_and_a_file_are_the_same_and_the_file_is_replaced(games, page, tmp_path):
    out = tmp_path / "r.html"
    out.write_text("before")
    assert run(games, "-o", out, "--jobs", 1).exit_code == 0
    assert out.read_text("utf-8") == page
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
    assert run(games, "-o", "-", "--jobs", 1).stdout_bytes.decode() == page


def test_a_log_is_reported_by_the_command_under_the_key_given_and_fast_again(log, tmp_path):
    vkey = KEY.verifying_key.text
    pages = []
    for jobs in (1, 2):
        done = run(log, "-o", tmp_path / "r.html", "--log-key", vkey, "--fast", "--jobs", jobs)
        pages.append((done.exit_code, (tmp_path / "r.html").read_text("utf-8")))
    assert pages[0] == pages[1]
    assert "NOT PINNED" not in pages[0][1]
    assert f"<pre>fairdeal report DIR -o report.html --fast --log-key {vkey}" in pages[0][1]
    assert "could prepare for it" in pages[0][1]


def test_a_log_is_reported_by_the_command_without_a_policy_as_not_pinned(log, tmp_path):
    out = tmp_path / "r.html"
    done = run(log, "-o", out, "--jobs", 1)
    page = out.read_text("utf-8")
    assert figures(page)["exit"] == done.exit_code
    assert "NOT PINNED" in page


@pytest.mark.parametrize(
    "arguments",
    [
        ["-o"],
        [],
        ["-o", "-", "--policy", "POLICY"],
        ["-o", "-", "--log-key", KEY.verifying_key.text],
    ],
)
def test_wrong_arguments_are_refused(games, arguments, tmp_path):
    policy = tmp_path / "policy"
    policy.write_text("log x\n")
    given = [policy if one == "POLICY" else one for one in arguments]
    assert run(games, *given).exit_code == 2


def test_an_empty_folder_and_a_place_that_cannot_be_written_are_refused(games, tmp_path):
    assert run(tmp_path, "-o", "-").exit_code == 2
    assert run(games, "-o", tmp_path / "absent" / "r.html", "--jobs", 1).exit_code == 2
