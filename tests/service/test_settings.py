"""What a game has beside its records is kept whole and read strictly."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import StorageFailure
from fairdeal.service.settings import (
    AWAY_GRACE_S,
    BETWEEN_HANDS_S,
    EXTEND_S,
    EXTENDS,
    TURN_S,
    WARN_S,
    WATCH_DELAY_S,
    Settings,
    from_bytes,
    to_bytes,
)


def maybe(bound):
    return st.none() | st.integers(*bound)


every = st.builds(
    Settings,
    turn_s=maybe(TURN_S),
    answer_s=maybe(TURN_S),
    warn_s=maybe(WARN_S),
    extend_s=st.integers(*EXTEND_S),
    extends=st.integers(*EXTENDS),
    away_grace_s=maybe(AWAY_GRACE_S),
    if_away=st.sampled_from(["bot", "wait"]),
    between_hands_s=st.integers(*BETWEEN_HANDS_S),
    watch_open=st.booleans(),
    watch_delay_s=st.integers(*WATCH_DELAY_S),
)


@given(every)
def test_what_is_kept_is_read_again(settings):
    assert from_bytes(to_bytes(settings)) == settings


EARLIER = (
    b'{"clock":{"answer_s":20,"away_grace_s":30,"between_hands_s":10,"if_away":"wait",'
    b'"turn_s":60},"watch":{"delay_s":5,"open":false}}'
)
"""What a listing kept before there were warnings and more time."""


def test_the_settings_of_a_game_from_before_warnings_and_more_time_are_read_as_without_them():
    assert from_bytes(EARLIER) == Settings(
        turn_s=60, answer_s=20, away_grace_s=30, if_away="wait", between_hands_s=10,
        warn_s=None, extends=0, watch_open=False, watch_delay_s=5,
    )  # fmt: skip


@pytest.mark.parametrize(
    "more", [b'"extends":0,', b'"warn_s":null,', b'"extend_s":30,"extends":0,']
)
def test_settings_with_some_of_the_later_fields_are_damaged(more):
    kept = EARLIER.replace(b'"if_away"', more + b'"if_away"')
    with pytest.raises(StorageFailure):
        from_bytes(kept)


@pytest.mark.parametrize(
    "beyond",
    [{"warn_s": 0}, {"warn_s": 86_401}, {"extend_s": 4}, {"extend_s": None}, {"extends": 21},
     {"extends": -1}, {"extends": True}],
    ids=str,
)  # fmt: skip
def test_warnings_and_extensions_beyond_their_bounds_cannot_be_made(beyond):
    with pytest.raises(ValueError, match=next(iter(beyond))):
        replace(Settings(), **beyond)


def test_a_game_of_an_older_version_has_neither_clocks_nor_a_pause():
    assert from_bytes(b"{}") == Settings()
    assert not Settings().ticks


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"[]",
        b'{"clock":{}}',
        to_bytes(Settings()).replace(b'"turn_s":null', b'"turn_s":4'),
        to_bytes(Settings()).replace(b'"turn_s":null', b'"turn_s":true'),
        to_bytes(Settings()).replace(b'"open":true', b'"open":1'),
        to_bytes(Settings()).replace(b'"bot"', b'"sleep"'),
        to_bytes(Settings()).replace(b'{"delay', b'{"a":1,"delay'),
        to_bytes(Settings()).replace(b'"answer_s":null,', b""),
        to_bytes(Settings()) + b"\n",
    ],
)
def test_what_was_damaged_is_refused(kept):
    assert kept != to_bytes(Settings())
    with pytest.raises(StorageFailure) as refused:
        from_bytes(kept)
    assert refused.value.code == "records_damaged"


@pytest.mark.parametrize("value", [None, True, -1, 3601])
def test_a_pause_that_is_no_number_of_seconds_up_to_an_hour_cannot_be_made(value):
    with pytest.raises(ValueError, match="between_hands_s"):
        replace(Settings(), between_hands_s=value)


@pytest.mark.parametrize(
    ("ticking", "ticks"),
    [
        ({"turn_s": 60}, True),
        ({"answer_s": 20}, True),
        ({"away_grace_s": 30}, True),
        ({"away_grace_s": 30, "if_away": "wait"}, False),
        ({"between_hands_s": 10}, False),
    ],
)
def test_a_stand_in_acts_only_where_a_limit_was_set(ticking, ticks):
    assert Settings(**ticking).ticks is ticks
