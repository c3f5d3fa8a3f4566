"""Where every card of a hand went: text and picture (`where`, `show`; golden files looked at)."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from tests.verifier.forge import Forge, honest
from verifier.cli import main
from verifier.held import Held
from verifier.reading import read_transcript
from verifier.replay import replay
from verifier.story.follow import PILE, STOCK, follow

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
VECTORS = HERE.parent / "vectors"
SVG = "{http://www.w3.org/2000/svg}"


def game(name: str) -> str:
    folder = "refereed" if name[0] in "GR" else "cases"
    return str(VECTORS / folder / name / "game.jsonl")


def run(capsysbinary, *arguments: str) -> tuple[int, str, str]:
    try:
        status = main(arguments)
    except SystemExit as left:  # argparse
        status = int(left.code or 0)
    out, err = capsysbinary.readouterr()
    return status, out.decode("ascii"), err.decode("ascii")


@pytest.mark.parametrize("name", ["G01a", "H02a", "H08a"])
def test_show_tells_and_draws_a_golden_hand(name, capsysbinary, tmp_path):
    svg = tmp_path / "hand.svg"
    status, out, err = run(capsysbinary, "show", game(name), "--hand", "1", "--svg", str(svg))
    assert (status, err) == (0, "")
    assert out == (GOLDEN / f"{name}-hand-1.txt").read_text()
    assert svg.read_bytes() == (GOLDEN / f"{name}-hand-1.svg").read_bytes()


@pytest.mark.parametrize("card", ["5S", "3S"])
def test_where_tells_the_way_of_every_copy_of_a_card(card, capsysbinary):
    status, out, err = run(capsysbinary, "where", game("G01a"), "--hand", "1", "--card", card)
    assert (status, err) == (0, "")
    assert out == (GOLDEN / f"G01a-hand-1-{card}.txt").read_text()


def stories():
    for path in sorted((VECTORS / "refereed").glob("G*/game.jsonl")):
        with path.open("rb") as file:
            transcript = read_transcript(file)
            assert transcript.open is not None
            state = replay(transcript, transcript.open, Held(), len(transcript.heads))
        for hand in state.hands:
            if hand.table is not None and not hand.is_wrong:
                yield state, hand, follow(state, hand)


def test_every_card_lies_somewhere_and_agrees_with_what_the_records_say():
    seen = 0
    for state, hand, story in stories():
        seen += 1
        assert sorted(story.places) == list(range(len(state.terms.deck)))
        took = [place for _, body in hand.acts for place in body["took"]]
        assert sorted(story.drawn) == sorted(took)
        assert len(story.at(STOCK)) == len(hand.table.stock) - len(took)
        discards = [body["act"].split()[-1] for _, body in hand.acts if " x " in body["act"]]
        discards += [
            body["act"].split()[1] for _, body in hand.acts if body["act"].startswith("discard")
        ]
        piled = Counter(state.terms.deck[card] for card in story.at(PILE))
        assert piled <= Counter([*discards, *(state.terms.deck[card] for card in hand.table.up)])
    assert seen > 5


def test_a_picture_is_well_formed_and_says_the_way_of_every_card(capsysbinary, tmp_path):
    svg = tmp_path / "hand.svg"
    run(capsysbinary, "show", game("G01a"), "--hand", "1", "--svg", str(svg))
    titles = [node.text or "" for node in ET.parse(svg).iter(f"{SVG}title")]
    assert len(titles) == 2 * 108  # each once as dealt, once at the end
    assert all(title.split(": ")[1].startswith("record ") for title in titles)


def test_names_in_a_record_cannot_leave_the_picture(capsysbinary, tmp_path):
    deck = ["<b>", "&", '"', "A", "B", "C"]
    rules = {
        "deck": deck,
        "name": "odd",
        "seats": 1,
        "steps": [
            {"op": "deal", "count": 2, "packet": 1},
            {"op": "set", "name": "<x>\uffff\u202e", "count": 2},
        ],
        "v": "pfd1-rules",
    }
    forge = Forge(kinds="p", rules=rules, first_seat=0).share().lock().play().end()
    path, svg = tmp_path / "game", tmp_path / "svg"
    path.write_bytes(forge.data())
    assert run(capsysbinary, "show", str(path), "--hand", "1", "--svg", str(svg))[0] == 0
    text = "".join(ET.parse(svg).getroot().itertext())
    assert all(face in text for face in deck)


def test_of_a_wrong_hand_only_the_due_deal_is_told(capsysbinary, tmp_path):
    forge = honest()
    forge.records[3][1]["stock"] += 1
    path = tmp_path / "game"
    path.write_bytes(forge.data())
    status, out, _ = run(capsysbinary, "show", str(path), "--hand", "1")
    assert status == 1
    assert "WRONG, only its due deal is told" in out


def test_draws_of_a_dealt_only_game_name_their_records(capsysbinary, tmp_path):
    forge = Forge().share().lock().deal()
    stock = [forge.open_body["rules"]["deck"][card] for card in forge.table(1).stock]
    forge.add("draw", hand=1, seat=2, pos=0).score().reveal()
    path = tmp_path / "game"
    path.write_bytes(forge.data())
    _, out, _ = run(capsysbinary, "where", str(path), "--hand", "1", "--card", stock[0])
    assert "  record 4: seat 2 draws it\n  at the end: held by seat 2\n" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["where", "GAME", "--hand", "9", "--card", "5S"], "hand 9 is not dealt"),
        (["where", "GAME", "--hand", "1", "--card", "1S"], "no card '1S'"),
        (["where", "GAME", "--hand", "1"], "--card"),
        (["show", "GAME"], "--hand"),
        (["show", "/nowhere/at/all", "--hand", "1"], "No such file"),
        (["show", __file__, "--hand", "1"], "not a readable game record: E_JSON"),
    ],
)
def test_wrong_arguments_are_status_2(arguments, said, capsysbinary):
    given = [game("G01a") if argument == "GAME" else argument for argument in arguments]
    status, out, err = run(capsysbinary, *given)
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_file_of_a_command_s_name_is_still_checked(capsysbinary, tmp_path, monkeypatch):
    (tmp_path / "show").write_bytes(honest().data())
    monkeypatch.chdir(tmp_path)
    assert run(capsysbinary, "./show")[1].startswith("VALID")
