"""A game followed step by step: what is sent, in which order, and when it ends."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import Gone, NotIdentified, StorageFailure
from fairdeal.service import Item, end, follow
from fairdeal.service.callers import digest
from fairdeal.service.feed import DELAYED_S, PAGE, Feed
from fairdeal.store.ports import GrantChange, Write
from tests.table import OPERATOR, Service, play_out, quick_folder


class Ticks:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class PassingFeed(Feed):
    """A feed of which the seconds pass when a test says so."""

    def __init__(self, service):
        self._passing = Ticks()
        super().__init__(service.dealer._clerk, service.dealer.presences, ticks=self._passing)

    def stagger_s(self, game_id, seat):
        return 0.0

    def pass_s(self, seconds):
        self._passing.now += seconds


@pytest.fixture
def feed(service):
    """The feed of a service whose seconds a test lets pass."""
    return PassingFeed(service)


def told(items):
    return [item.kind if item.n is None else item.n for item in items]


def until_it_waits(steps):
    """Return the items up to where a stream waits, or to its end, and how long it would wait."""
    sent: list[Item] = []
    for step in steps:
        if isinstance(step, float):
            return sent, step
        sent.extend(step)
    return sent, None


def test_a_stream_begins_with_the_view_and_then_sends_what_is_behind_its_point(service, feed):
    created, (player,) = service.started("hbbb")
    version = player.get("view")["version"]
    sent, waits = until_it_waits(follow(feed, player.token, created["id"], 2))
    assert told(sent) == ["snapshot", *range(3, version + 1)]
    snapshot = json.loads(sent[0].data)
    assert snapshot["version"] == version
    assert snapshot["view"] == player.get("view")
    assert waits == feed.beat_s == 10.0


def test_what_is_recorded_while_it_waits_is_sent_at_the_next_step(service, feed):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    answer = player.act(*player.choose())
    sent, _ = until_it_waits(steps)
    assert told(sent) == [event["n"] for event in answer["events"]]
    assert [json.loads(item.data) for item in sent] == answer["events"]


def test_a_beat_comes_in_its_time_and_says_what_silence_leaves_open(service, feed):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    feed.pass_s(9.5)
    assert until_it_waits(steps) == ([], 0.5)
    feed.pass_s(0.5)
    sent, waits = until_it_waits(steps)
    assert told(sent) == ["beat"]
    assert waits == 10.0
    beat = json.loads(sent[0].data)
    assert set(beat) == {"version", "deadline", "warn_at", "warned", "presence", "now"}
    assert beat["version"] == player.get("view")["version"]
    assert [seat["presence"] for seat in beat["presence"]] == ["here"] * 4


def test_a_seat_is_here_as_long_as_it_follows_and_away_when_nothing_was_heard_of_it(service, feed):
    created, players = service.started("hhbb")
    last = service.clock()
    steps = follow(feed, players[0].token, created["id"], -1)
    until_it_waits(steps)
    service.clock.set(last + 60_000)
    feed.pass_s(10)
    beat = json.loads(until_it_waits(steps)[0][0].data)
    assert [seat["presence"] for seat in beat["presence"]] == ["here", "away", "here", "here"]
    since = [seat["since"] for seat in beat["presence"]]
    assert since[0] is since[2] is None
    assert last - 1000 < since[1] <= last


@pytest.mark.parametrize("point", [None, 4000, -2, 10**15])
def test_where_nothing_can_be_resumed_the_stream_says_so_and_goes_on_from_the_view(
    service, feed, point
):
    created, (player,) = service.started("hbbb")
    version = player.get("view")["version"]
    steps = follow(feed, player.token, created["id"], point)
    sent, _ = until_it_waits(steps)
    assert told(sent) == ["reset", "snapshot"]
    assert json.loads(sent[0].data) == {"version": version}
    player.act(*player.choose())
    assert told(until_it_waits(steps)[0])[0] == version + 1


def test_the_public_resumes_at_its_own_line_and_not_at_that_of_the_seats(service, feed):
    created, (player,) = service.started("hbbb")
    assert player.get("view")["version"] > 2
    sent, _ = until_it_waits(follow(feed, None, created["id"], 3))
    assert told(sent) == ["reset", "snapshot"]
    assert json.loads(sent[0].data) == {"version": 2}


def test_the_public_sees_no_record_of_a_hand_in_play_and_all_of_it_afterwards(service, feed):
    created, players = service.started("hhbb", hands=1)
    public = follow(feed, None, created["id"], -1)
    sent, _ = until_it_waits(public)
    assert told(sent) == ["snapshot", 0, 1, 2, 3]
    assert json.loads(sent[0].data)["view"]["table"] is None
    for _ in range(3):
        player = next(p for p in players if p.choose())
        player.act(*player.choose())
        assert until_it_waits(public) == ([], 10.0)
    play_out(players)
    sent, waits = until_it_waits(public)
    assert waits is None
    newest = service.store.newest(created["id"])
    assert told(sent) == [*range(4, newest + 1), "end"]
    assert b"private" not in b"".join(item.data for item in sent)


def test_who_watches_with_a_delay_gets_a_hand_when_it_is_due_though_nobody_rings(service, feed):
    created, _ = service.started("hbbb", watch={"delay_s": 30})
    path = f"/v1/games/{created['id']}/hands/1/abort"
    public = follow(feed, None, created["id"], -1)
    assert until_it_waits(public)[1] == DELAYED_S
    assert service.call("POST", path, {"reason": "rain"}, OPERATOR).status_code == 200
    opened = service.clock()
    assert until_it_waits(public) == ([], DELAYED_S)
    service.clock.set(opened + 29_000)
    assert until_it_waits(public) == ([], DELAYED_S)
    service.clock.set(opened + 30_000)
    assert 3 in told(until_it_waits(public)[0])


@pytest.mark.parametrize("token", [None, OPERATOR])
def test_the_snapshot_of_those_without_a_seat_is_folded_without_a_secret(service, feed, token):
    created, _ = service.started("hbbb")
    steps = follow(feed, token, created["id"], -1)
    (snapshot,), _ = until_it_waits(itertools.islice(steps, 1))
    view = json.loads(snapshot.data)["view"]
    assert view["version"] == 2
    assert view["seat"] is None
    assert (view["table"], view["dealt"]) == (None, None)
    assert feed._publicly.game(created["id"], 2).master is None


def test_a_public_fold_that_goes_on_is_the_one_from_the_beginning(service, feed):
    created, players = service.started("hhbb", hands=2)
    game = created["id"]
    ends = [3]
    while service.store.last_of_type(game, "master") is None:
        player = next(p for p in players if p.choose())
        player.act(*player.choose())
        ends.append(feed.line(game, None)[1])
    for newest in sorted(set(ends)):
        went_on = feed._publicly.game(game, newest)
        fresh = Feed(service.dealer._clerk, service.dealer.presences)
        assert went_on == fresh._publicly.game(game, newest)
        assert went_on.version == newest
    assert len(set(ends)) >= 3
    assert feed._publicly.game(game, 3).version == 3


def test_a_game_that_is_over_ends_every_stream_behind_its_last_record(service, feed):
    created = service.create("bbbb", hands=1)
    game = created["id"]
    while service.dealer.advance(game):
        pass
    newest = service.store.newest(game)
    for point in (-1, newest - 1, newest):
        sent, waits = until_it_waits(follow(feed, None, game, point))
        assert told(sent) == ["snapshot", *range(point + 1, newest + 1), "end"]
        assert sent[-1] == end("game_over")
        assert waits is None


def test_a_stop_lets_a_stream_send_what_is_there_first(service, feed):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    answer = player.act(*player.choose())
    feed.stop()
    sent, waits = until_it_waits(steps)
    assert told(sent) == [*(event["n"] for event in answer["events"]), "end"]
    assert sent[-1] == end("stopping")
    assert waits is None


def test_beats_of_many_streams_do_not_come_all_at_once(service):
    feed = service.dealer.feed
    phases = {feed.stagger_s(f"g{number}", seat) for number in range(50) for seat in (None, 0, 1)}
    assert len(phases) > 50
    assert all(0 <= phase < feed.beat_s / 2 for phase in phases)


@pytest.mark.parametrize("state", ["replaced", "revoked"])
def test_a_token_that_counts_no_more_ends_its_stream_at_the_next_beat(service, feed, state):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    change = GrantChange(digest=digest(player.token), state=state, until=None)
    service.store.write(Write(changes=(change,)))
    feed.pass_s(9)
    assert until_it_waits(steps) == ([], 1.0)
    feed.pass_s(1)
    assert until_it_waits(steps) == ([end("token_replaced")], None)


@pytest.mark.parametrize("state", ["replaced", "revoked"])
def test_a_token_that_counts_no_more_is_sent_nothing_of_what_comes_before_the_beat(
    service, feed, state
):
    created, players = service.started("hhhh")
    playing = next(player for player in players if player.get("choices")["can"])
    other = players[(players.index(playing) + 1) % 4]
    steps = follow(feed, other.token, created["id"], -1)
    until_it_waits(steps)
    change = GrantChange(digest=digest(other.token), state=state, until=None)
    service.store.write(Write(changes=(change,)))
    playing.act(*playing.choose())
    assert until_it_waits(steps) == ([end("token_replaced")], None)


class Returning:
    """An act that is made while somebody waits, behind the end of the waiting one's token."""

    def __init__(self, service, state):
        created, players = service.started("hhhh")
        self.game = created["id"]
        self._service, self._state = service, state
        self._playing = next(player for player in players if player.get("choices")["can"])
        waiting = players[(players.index(self._playing) + 1) % 4]
        self._token = waiting.token
        self.version = waiting.get("view")["version"]
        self.caller = service.dealer.identify(waiting.token)

    def happen(self):
        """End the token, act; nobody is told to have hung up."""
        if self._state:
            change = GrantChange(digest=digest(self._token), state=self._state, until=None)
            self._service.store.write(Write(changes=(change,)))
            self._state = None
            self._playing.act(*self._playing.choose())
        return False


@pytest.mark.parametrize("state", ["replaced", "revoked"])
def test_a_poll_gives_nothing_that_came_behind_the_end_of_its_token(service, state):
    about = Returning(service, state)
    with pytest.raises((Gone, NotIdentified)):
        service.dealer.feed.poll(about.caller, about.game, about.version, 100, 20, about.happen)


@pytest.mark.parametrize("state", ["replaced", "revoked"])
def test_a_view_that_was_waited_for_shows_nothing_that_came_behind_the_end_of_its_token(
    service, state
):
    about = Returning(service, state)
    with pytest.raises((Gone, NotIdentified)):
        service.dealer.looks.view(about.caller, about.game, about.version + 1, 10, about.happen)


def test_a_token_that_expires_ends_its_stream_at_the_next_beat(service, feed):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    now = service.clock()
    change = GrantChange(digest=digest(player.token), state="open", until=now + 1000)
    service.store.write(Write(changes=(change,)))
    feed.pass_s(10)
    assert told(until_it_waits(steps)[0]) == ["beat"]
    service.clock.set(now + 1000)
    feed.pass_s(10)
    assert until_it_waits(steps) == ([end("token_replaced")], None)


def test_a_store_that_fails_breaks_a_stream_off_and_ends_it_with_nothing(service, feed):
    created, (player,) = service.started("hbbb")
    steps = follow(feed, player.token, created["id"], -1)
    until_it_waits(steps)
    service.store.close()
    with pytest.raises(StorageFailure):
        until_it_waits(steps)


def test_more_than_a_page_comes_in_several_steps_none_of_which_waits(service, feed):
    game = service.create("bbbb", hands=12)["id"]
    while service.dealer.advance(game):
        pass
    newest = service.store.newest(game)
    assert newest > 2 * PAGE
    steps = [step for step in follow(feed, None, game, -1) if not isinstance(step, float)]
    assert len(steps) == len(list(follow(feed, None, game, -1)))
    assert max(len(step) for step in steps) == PAGE
    assert told(item for step in steps for item in step)[1:-1] == list(range(newest + 1))


def test_records_already_sent_to_one_are_the_same_for_the_next_but_not_for_another_seat(
    service, feed
):
    created, players = service.started("hhbb")
    sent: dict[str | None, tuple[Item, ...]] = {}
    for token in [None, *(player.token for player in players)] * 2:
        steps = follow(feed, token, created["id"], -1)
        items = tuple(until_it_waits(steps)[0][1:])
        assert sent.setdefault(token, items) == items
    (one, other) = (sent[player.token] for player in players)
    assert [a.n for a in one] == [b.n for b in other]
    deals = [i for i, item in enumerate(one) if b'"type":"deal"' in item.data]
    assert all(one[i].data != other[i].data for i in deals)
    assert deals


@pytest.fixture(scope="module")
def finished():
    """A finished game of two seats, and what each role was sent of it in one go."""
    with quick_folder() as folder:
        service = Service(folder)
        created, players = service.started("hhbb", hands=1)
        play_out(players)
        feed = service.dealer.feed
        whole = {}
        for token in (None, OPERATOR, *(player.token for player in players)):
            sent, _ = until_it_waits(follow(feed, token, created["id"], -1))
            whole[token] = [item for item in sent if item.kind == "record"]
        yield feed, created["id"], whole
        service.close()


@given(
    role=st.integers(0, 3),
    cuts=st.lists(st.integers(0, 40), max_size=12),
    first=st.integers(-1, 100),
)
def test_a_stream_that_is_cut_anywhere_and_resumed_gives_each_record_once(
    finished, role, cuts, first
):
    feed, game, whole = finished
    token = list(whole)[role]
    newest = len(whole[token]) - 1
    point = start = min(first, newest)
    got = []
    for taken in [*cuts, 10**6]:
        items = iter(until_it_waits(follow(feed, token, game, point))[0])
        assert next(items).kind == "snapshot"
        for item, _ in zip(items, range(taken), strict=False):
            if item.kind == "record":
                got.append(item)
                point = item.n
    assert got == whole[token][start + 1 :]
    assert [item.n for item in got] == list(range(start + 1, newest + 1))
