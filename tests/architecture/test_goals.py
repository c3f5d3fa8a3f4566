"""What `make bench` prints beside a goal says whether it was met."""

import pytest

from benchmarks.timing import Timed, against, ratio


@pytest.mark.parametrize(
    ("found", "goal", "said"),
    [
        (4.0, "at least 4", "(goal: at least 4; met)"),
        (3.99, "at least 4", "(goal: at least 4; MISSED)"),
        (2.5, "at most 2.5", "(goal: at most 2.5; met)"),
        (
            2.51,
            "at most 2.5 for a compiled tier",
            "(goal: at most 2.5 for a compiled tier; MISSED)",
        ),
        (999.0, "at least 1,000", "(goal: at least 1,000; MISSED)"),
        (7.0, "none set", "(goal: none set)"),
    ],
)
def test_a_goal_is_marked_met_or_missed_by_the_figure_as_measured(found, goal, said):
    assert against(found, goal) == said


def test_a_ratio_is_that_of_the_median_times(capsys):
    slow, fast = Timed(cpu=3.0, least=1.0, wall=9.0), Timed(cpu=1.0, least=1.0, wall=1.0)
    ratio("slow against fast", slow, fast, "at least 4")
    assert capsys.readouterr().out.split(maxsplit=3)[3:] == [
        "3.0 times   (goal: at least 4; MISSED)\n"
    ]
