"""``fairdeal explain``: the explanations of a position, for bug reports and forums."""

from click.testing import CliRunner

from fairdeal.cli.main import cli

FROZEN = "cp1 classic@1 0.draw 5C9C2S/?11/?11/?11 K:KCKDKH/ / |JK9H 0+?20 0/0 shown=0123"


def run(*words):
    found = CliRunner().invoke(cli, ["explain", *words])
    return found.output.splitlines()


def test_a_position_is_explained_with_what_can_and_what_cannot_be_done():
    lines = run(FROZEN)
    assert lines[0] == (
        "The pile is frozen: only two nines from your hand take it, and you hold one nine."
    )
    assert lines[1].endswith(" Draw one card from the stock, which holds 20 cards.")
    assert len([line for line in lines if line.startswith("  cannot  take")]) == 3


def test_an_act_is_judged_with_every_rule_that_it_breaks():
    assert run(FROZEN, "take 9:9C,2S") == [
        (
            "FROZEN: The pile is frozen: only two nines from your hand take it, "
            "and you hold one nine. [R-46]"
        ),
    ]
    assert run(FROZEN, "draw") == ["That is allowed."]


def test_a_line_written_in_another_order_is_told_the_right_one():
    found = CliRunner().invoke(cli, ["explain", FROZEN.replace("5C9C", "9C5C")])
    assert found.exception is not None
    assert "'9C5C2S/?11/?11/?11' is written '5C9C2S/?11/?11/?11'" in str(found.exception)


def test_a_seat_that_the_table_does_not_have_is_refused():
    found = CliRunner().invoke(cli, ["explain", FROZEN, "draw", "--seat", "5"])
    assert str(found.exception) == "no_such_seat: The seats here are 0 to 3."


def test_another_seat_may_ask():
    assert run(FROZEN, "draw", "--seat", "2") == [
        "NOT_YOUR_TURN: It is not your turn: seat 0 is to act. [R-16]"
    ]
