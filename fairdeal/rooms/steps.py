"""What may happen in a room, step by step: each gives the room after it, or refuses.

A step that changes nothing gives the room itself. The version is counted up by whoever keeps the
room. `by` is the seat that asks; None for the operator, who may do what the host may.

Every step may raise `NotAllowed` `host_only` or `not_your_seat`, `NotFound` `no_such_seat` and
`Gone` `room_closed`, as far as it looks at hosts, seats and open rooms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairdeal.errors import Conflict, Gone, NotAllowed, NotFound
from fairdeal.rooms.matching import matched
from fairdeal.rooms.room import KEPT_GAMES, KEPT_LOSSES, Drawn, Played, Room, Seat, Seating

# ------------------------------------------------------------------------- giving seats out


def invite(room: Room, by: int | None, seat: int, label: str | None = None) -> Room:
    """Give out a claim for a seat that nobody holds; one given out before is replaced.

    Args:
        room: The room.
        by: Who asks.
        seat: Which seat.
        label: The public name of whoever is invited; None leaves the seat's as it is.

    Raises:
        Conflict: `seat_taken`, `seat_is_bot`; `game_running` for a host, see `reissue`.
        NotAllowed, NotFound, Gone: As every step.
    """
    there = _for_human(_given_out(room, by), seat)
    if there.held:
        raise Conflict("seat_taken", "Somebody holds this seat; release or reissue it first.")
    label = there.label if label is None else label
    return _put(room, seat, replace(there, state="invited", label=label, issued=there.issued + 1))


def reissue(room: Room, by: int | None, seat: int) -> Room:
    """Give out a new claim for a seat, whoever holds it: the old claim and token end at once.

    While a game runs only the operator may: whoever takes a seat over sees its cards, and the
    host is one of the players.

    Raises:
        Conflict: `seat_is_bot`; `game_running` for a host.
        NotAllowed, NotFound, Gone: As every step.
    """
    there = _for_human(_given_out(room, by), seat)
    there = replace(there, state="invited", ready=False, issued=there.issued + 1)
    return _host_passed_on(_put(_noted(room, seat), seat, there))


def release(room: Room, by: int | None, seat: int) -> Room:
    """Take a seat back: its claim and its token end at once, and so does its label.

    Raises:
        Conflict: `seat_is_bot`; `game_running` for a host, see `reissue`.
        NotAllowed, NotFound, Gone: As every step.
    """
    there = _for_human(_given_out(room, by), seat)
    vacant = replace(there, state="open", ready=False, label="")
    return _host_passed_on(_put(_noted(room, seat), seat, vacant))


def claim(room: Room, seat: int) -> Room:
    """Seat whoever shows a claim of this seat; the first one seated is the host.

    Raises:
        Conflict: `seat_taken`, `seat_is_bot`; `bot_plays`: a bot plays the seat until the running
            game is over, and whoever held it would see that bot's cards.
        NotFound, Gone: As every step.
    """
    there = _for_human(_alive(room), seat)
    if there.held:
        raise Conflict("seat_taken", "Somebody holds this seat.")
    if room.running is not None and seat in room.running.bots:
        raise Conflict("bot_plays", "A bot plays this seat until the game is over; take it then.")
    # Whoever comes by quick match asked for this game and no other.
    ready = room.filling is not None
    return _host_passed_on(_put(room, seat, replace(there, state="claimed", ready=ready)))


def leave(room: Room, by: int) -> Room:
    """Get up from a seat: at once in the lobby, in a game when it is over.

    Until then the seat's token plays on, for a seat that nobody plays would hold up the others;
    but the seat is no longer host. When it is free its token still reads the games that were
    played, so that nobody loses evidence by leaving: until the seat is given out anew, or until
    the next game starts, for whoever holds a seat sees its cards.

    Raises:
        NotAllowed, NotFound, Gone: As every step.
    """
    there = seat_of(_alive(room), by)
    if there.state in ("leaving", "left"):
        return room
    there = _sitting(room, by)
    if room.state == "lobby":
        return _left(room, by, there)
    return _host_passed_on(_put(room, by, replace(there, state="leaving")))


def put_bot(room: Room, by: int | None, seat: int, bot: str) -> Room:
    """Let a bot play a seat that nobody holds.

    Raises:
        Conflict: `game_running`, `seat_taken`.
        NotAllowed, NotFound, Gone: As every step.
    """
    there = seat_of(_in_lobby(_hosted(room, by)), seat)
    if there.held:
        raise Conflict("seat_taken", "Somebody holds this seat; release it first.")
    return _put(room, seat, replace(there, state="bot", bot=bot, label="", custody="player"))


def remove_bot(room: Room, by: int | None, seat: int) -> Room:
    """Open the seat of a bot for a human (raises as `put_bot`)."""
    there = seat_of(_in_lobby(_hosted(room, by)), seat)
    return _put(room, seat, replace(there, state="open")) if there.state == "bot" else room


def pass_host(room: Room, by: int | None, seat: int) -> Room:
    """Make another seat the host.

    Raises:
        Conflict: `seat_not_claimed`: nobody sits there, or whoever does is leaving.
        NotAllowed, NotFound, Gone: As every step.
    """
    if not seat_of(_hosted(room, by), seat).seated:
        raise Conflict("seat_not_claimed", "Nobody sits there who could be the host.")
    return replace(room, host=seat)


def relieve_host(room: Room, here: Sequence[bool]) -> Room:
    """Make the next one clockwise who is here the host of a lobby whose host has gone.

    Args:
        room: The room.
        here: Of each seat whether its player is there now.
    """
    if room.state != "lobby" or room.host is None or here[room.host]:
        return room
    count = len(room.seats)
    around = ((room.host + step) % count for step in range(1, count))
    host = next((seat for seat in around if room.seats[seat].seated and here[seat]), room.host)
    return room if host == room.host else replace(room, host=host)


# ------------------------------------------------------------------------------ the next game


def change_game(
    room: Room,
    by: int | None,
    wanted: Mapping[str, Any],
    *,
    auto_start: bool,
    seating: Seating = "given",
) -> Room:
    """Change what is to be played; where it differs, nobody is ready, and no seat drawn any more.

    Raises:
        Conflict: `game_running`; `room_filling`: those who are still to come were promised it.
        NotAllowed, Gone: As every step.
    """
    if _in_lobby(_hosted(room, by)).filling:
        raise Conflict("room_filling", "Quick match brings players here for the game as it is.")
    after = replace(room, wanted=wanted, auto_start=auto_start, seating=seating)
    return room if after == room else replace(_unready(after), drawn=None)


def ready(room: Room, by: int, *, yes: bool) -> Room:
    """Say whether a seat wants the game as it stands.

    Raises:
        Conflict: `game_running`.
        NotAllowed, Gone: As every step.
    """
    return _put(room, by, replace(_sitting(_in_lobby(room), by), ready=yes))


def rematch(room: Room, by: int, game: str) -> Room:
    """Be ready for the game that follows a finished one.

    Where it was started already, nothing happens: whoever asks late gets the same new game.

    Raises:
        Conflict: `game_running`: the game named is not over.
        NotFound: `no_such_game`: it was not played here, or so long ago that the room forgot it.
        Gone: As every step.
    """
    names = [played.game for played in _alive(room).games]
    if game not in names:
        raise NotFound("no_such_game", "No such game was played in this room.")
    if game != names[-1]:
        return room
    return ready(room, by, yes=True)


def check_start(room: Room, by: int | None) -> Room:
    """Return the room where this caller may start its game, or where one runs already.

    Raises:
        Conflict: `nobody_seated`; `not_ready`: its facts name the seats.
        NotAllowed, Gone: As every step.
    """
    if _hosted(room, by).state == "playing":
        return room
    seated = [number for number, seat in enumerate(room.seats) if seat.seated]
    if not seated:
        raise Conflict("nobody_seated", "Nobody is seated who could play.")
    waiting = [number for number in seated if not room.seats[number].ready]
    if waiting:
        raise Conflict("not_ready", "Not everybody who is seated is ready.", {"seats": waiting})
    return room


def humans(room: Room, behind: Played | None = None) -> tuple[int, ...]:
    """Return the seats that humans have in a game that starts now; bots play the others.

    Args:
        room: The room.
        behind: The draw for its seats: of whoever drew and was given a claim anew since, the seat
            is kept until it is taken.
    """
    drew = frozenset[int]() if behind is None else set(range(len(room.seats))) - {*behind.bots}
    return tuple(
        number
        for number, seat in enumerate(room.seats)
        if seat.seated or (seat.state == "invited" and number in drew)
    )


def started(
    room: Room, game: str, drawn: Drawn | None = None, behind: Played | None = None
) -> Room:
    """Return the room while a game is played in it; bots play where `humans` says nobody does.

    Args:
        room: The room.
        game: The game.
        drawn: How its seats were drawn; None where each has the room's number.
        behind: The draw that was over a moment ago, or None.
    """
    seats = () if drawn is None else drawn.seats
    return replace(_begun(room, Played(game=game, seats=seats), behind), drawn=drawn)


def drawing(room: Room, draw: str) -> Room:
    """Return the room while its seats are drawn for in a game of their own."""
    return replace(_begun(room, Played(game=draw, kind="draw"), None), drawn=None)


def settled(room: Room) -> Room:
    """Return the room after its game is over: in the lobby, without those who were leaving.

    A draw brings no game with it here: whoever knows what was drawn starts it (`started`).
    """
    if room.running is None:
        return room
    games = (*room.games[:-1], replace(room.running, over=True))
    room = replace(_unready(room), state="lobby", games=games)
    for number, seat in enumerate(room.seats):
        if seat.state == "leaving":
            room = _left(room, number, seat)
    return room


def closed(room: Room) -> Room:
    """Close the room for good; its seats' tokens still read the games played (decisions 12).

    Raises:
        Conflict: `game_running`.
    """
    if room.state == "closed":
        return room
    _in_lobby(room)
    seats = tuple(
        replace(seat, state="open") if seat.state == "invited" else seat for seat in room.seats
    )
    return replace(_unready(replace(room, seats=seats)), state="closed")


# ---------------------------------------------------------------------------------- inside


def seat_of(room: Room, seat: int) -> Seat:
    """Return a seat by its number (raises `NotFound`: `no_such_seat`)."""
    if not 0 <= seat < len(room.seats):
        raise NotFound("no_such_seat", "This room has no such seat.")
    return room.seats[seat]


def _sitting(room: Room, by: int) -> Seat:
    """Return the seat of whoever asks (raises `NotAllowed`: `not_your_seat`)."""
    there = seat_of(room, by)
    if not there.held:
        raise NotAllowed("not_your_seat", "You hold this seat no more.")
    return there


def _alive(room: Room) -> Room:
    """Refuse a step in a room that is closed (raises `Gone`: `room_closed`)."""
    if room.state == "closed":
        raise Gone("room_closed", "This room is closed.")
    return room


def _hosted(room: Room, by: int | None) -> Room:
    """Refuse a step that only the host and the operator may do.

    Raises:
        NotAllowed: `host_only`.
        Gone: `room_closed`.
    """
    _alive(room)
    # The first to come by quick match has no say over those who come after.
    if by is not None and (by != room.host or room.filling):
        raise NotAllowed("host_only", "Only the host of the room and its operator may do this.")
    return room


def _given_out(room: Room, by: int | None) -> Room:
    """Refuse a host to give out or take back a seat of a running game."""
    if _hosted(room, by).state == "playing" and by is not None:
        raise _game_running("While a game runs, only the operator gives seats out or takes them.")
    return room


def _in_lobby(room: Room) -> Room:
    if _alive(room).state == "playing":
        raise _game_running("A game is running in this room; wait for its end.")
    return room


def _game_running(sentence: str) -> Conflict:
    return Conflict("game_running", sentence)


def _for_human(room: Room, number: int) -> Seat:
    seat = seat_of(room, number)
    if seat.state == "bot":
        raise Conflict("seat_is_bot", "A bot has this seat; remove it first.")
    return seat


def _put(room: Room, number: int, seat: Seat) -> Room:
    if room.seats[number] == seat:
        return room
    seats = (*room.seats[:number], seat, *room.seats[number + 1 :])
    return replace(room, seats=seats)


def _noted(room: Room, number: int) -> Room:
    """Note in the running game that the token of a seat is taken away: everybody is told."""
    if room.running is None or not room.seats[number].held:
        return room
    lost = (*room.running.lost, number)[:KEPT_LOSSES]
    return replace(room, games=(*room.games[:-1], replace(room.running, lost=lost)))


def _begun(room: Room, played: Played, behind: Played | None) -> Room:
    there = humans(room, behind)
    bots = tuple(number for number in range(len(room.seats)) if number not in there)
    games = (*room.games, replace(played, bots=bots))[-KEPT_GAMES:]
    seats = tuple(
        replace(seat, state="open") if seat.state == "left" else seat for seat in room.seats
    )
    match = None if room.match is None else matched(room.match, played.game, bots)
    return replace(_unready(replace(room, seats=seats)), state="playing", games=games, match=match)


def _left(room: Room, number: int, seat: Seat) -> Room:
    vacant = replace(seat, state="left", ready=False, label="")
    return _host_passed_on(_put(room, number, vacant))


def _unready(room: Room) -> Room:
    seats = tuple(replace(seat, ready=False) for seat in room.seats)
    return replace(room, seats=seats)


def _host_passed_on(room: Room) -> Room:
    """Return the room with its host seated: the next one clockwise who is, where it was not."""
    count = len(room.seats)
    start = 0 if room.host is None else room.host
    around = ((start + step) % count for step in range(count))
    host = next((number for number in around if room.seats[number].seated), None)
    return room if host == room.host else replace(room, host=host)
