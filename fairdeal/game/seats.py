"""What a seat, and a bot on a seat, gets to see of its game (product §7; protocol §6.5)."""

from collections.abc import Iterable
from typing import Any

from fairdeal.canasta import acts, cards, engine, explain
from fairdeal.canasta.describe import describe
from fairdeal.canasta.explain.choices import as_json
from fairdeal.canasta.position import Position
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.view import seat_view as hand_view
from fairdeal.canasta.whereabouts import Whereabouts, held_for_sure, whereabouts
from fairdeal.fairness.keys import card_salt
from fairdeal.game.dealing import secret_of
from fairdeal.game.decide import read_act
from fairdeal.game.state import Game
from fairdeal.records.chain import PROTOCOL, Record


def seat_in_turn(game: Game) -> int | None:
    """Give the seat that must act now, if a hand is in play."""
    return None if game.position is None else game.position.turn


def bot_turn(game: Game) -> int | None:
    """Give the bot seat that must act now, or None."""
    seat = seat_in_turn(game)
    return None if seat is None or game.is_player(seat) else seat


def seat_knowledge(game: Game, seat: int) -> Position:
    """Give the hand in play as far as a seat knows it: what a bot is handed.

    Raises:
        LookupError: No hand is in play.
    """
    if game.position is None:
        raise LookupError("no hand is in play")
    return knowledge(game.position, seat)


def seat_view(game: Game, seat: int | None) -> dict[str, Any]:
    """Give what a seat (None: a watcher) may see of the game now, as JSON."""
    epoch = game.epoch
    view: dict[str, Any] = {
        "game": game.id,
        "version": game.version,
        "state": game.state,
        "open_hash": game.open_hash,
        "hand": game.hand,
        "totals": list(game.totals),
        "epoch": None if epoch is None else epoch.number,
        "phase": None if epoch is None else epoch.phase,
        "seals": [] if epoch is None else [seal is not None for seal in epoch.seals],
        "seeds": [bool(line) for line in epoch.lines] if epoch else [False] * game.seats,
        "seats": [dict(seat_entry) for seat_entry in game.opening["seats"]],
        "table": None,
        "dealt": None,
    }
    if game.position is not None:
        view["table"] = hand_view(game.position, seat)
    elif game.ruleset is None and game.in_play:
        view["dealt"] = _dealt_view(game, seat)
    return view


def _dealt_view(game: Game, seat: int | None) -> dict[str, Any]:
    """Give what a seat sees of a dealt-only hand: its own cards, and how many all have drawn."""
    found = game.deal_of(game.hand)
    drawn = [place for place, by in enumerate(game.draws) if by == seat]
    you = None
    if seat is not None:
        you = {
            "seat": seat,
            "dealt": game.faces(found.hands[seat]),
            "drawn": game.faces(tuple(found.stock[place] for place in drawn)),
        }
    return {
        "you": you,
        "up": game.faces(found.up),
        "laid": [game.faces(cards) for cards in found.laid],
        "sets": [[name, len(cards)] for name, cards in found.sets],
        "stock": len(found.stock) - len(game.draws),
        "draws": list(game.draws),
    }


def choices(game: Game, seat: int) -> dict[str, Any]:
    """Give what a seat can and cannot do now, as JSON (product §6.5).

    ``can`` is empty unless the seat must act now; ``cannot`` says why not, the three ways to take
    the pile among it. Warnings are advice, so they follow the ruleset's ``hints``.
    """
    if game.position is None:
        return {"headline": "", "can": [], "cannot": [], "opening": None}
    return as_json(explain.choices(game.position, seat, warn=_switched_on(game.position)))


def would(game: Game, seat: int, text: str) -> dict[str, Any]:
    """Give what an act would do, as JSON, judged by what the seat knows; nothing is done.

    Raises:
        FairdealError: As ``decide_act``: what is refused here is refused there, and with the
            same words.
    """
    act, position = read_act(game, seat, text)
    known = knowledge(position, seat)
    engine.check(known, seat, act)
    warned = explain.warnings(known, seat, act, on=_switched_on(position))
    return {
        "act": acts.format_act(act),
        "sentence": describe(known, act),
        "warnings": [{"name": one.name, "sentence": one.sentence} for one in warned],
    }


def counts(game: Game, seat: int | None, records: Iterable[Record]) -> tuple[Whereabouts, ...]:
    """Count where the cards of the refereed hand in play are, as a seat (None: all) knows it.

    Args:
        game: The game.
        seat: Whose knowledge.
        records: Those from the hand's deal on, in order.

    Returns:
        Nothing while no such hand is in play.
    """
    position = game.position
    if position is None:
        return ()
    played = [
        (record.body["seat"], acts.parse(record.body["act"]))
        for record in records
        if record.type == "act"
    ]
    up = game.faces(game.deal_of(game.hand).up)
    known = position if seat is None else knowledge(position, seat)
    return whereabouts(known, seat, held_for_sure(game.seats, up, played))


def _switched_on(position: Position) -> tuple[str, ...]:
    """Give the warnings that the ruleset allows: they are advice, as hints are."""
    return tuple(explain.WARNINGS) if position.rules.hints == "on" else ()


def event(game: Game, record: Record, seat: int | None) -> dict[str, Any]:
    """Give a record as an event: its public fields and the private facts of one seat.

    The body is the record's own, which nobody may change.

    Args:
        game: The game at or after the record.
        record: One of its records.
        seat: Whose private facts to add; None for the public.
    """
    public: dict[str, Any] = {
        "v": PROTOCOL,
        "game": record.game,
        "n": record.n,
        "prev": record.prev,
        "t": record.t,
        "type": record.type,
        "body": record.body,
    }
    if seat is None:
        return public
    private = _private(game, record, seat)
    return {**public, "private": private} if private else public


def _private(game: Game, record: Record, seat: int) -> dict[str, Any]:
    """Give what only this seat may see: its own deal, and the faces that it drew."""
    body = record.body
    if record.type == "deal":
        found = game.deal_of(body["hand"])
        return {
            "cards": list(found.hands[seat]),
            "faces": game.faces(found.hands[seat]),
            "salt": card_salt(secret_of(game, body["hand"]), seat),
        }
    if record.type == "draw" and body["seat"] == seat:
        index = game.deal_of(body["hand"]).stock[body["pos"]]
        return {"drawn": [{"position": body["pos"], "face": game.deck[index]}]}
    if record.type == "act" and body["seat"] == seat and body["took"]:
        stock = game.deal_of(body["hand"]).stock
        drawn = [(place, game.deck[stock[place]]) for place in body["took"]]
        return {
            "drawn": [
                {"position": place, "face": face}
                for place, face in drawn
                if cards.CLASS_OF[cards.NUMBER[face]] != cards.RED3
            ]
        }
    return {}
