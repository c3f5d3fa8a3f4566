"""Plays one seat to the end: tells what happens, asks for moves, checks what was opened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from fairdeal.cli.client import ApiError
from fairdeal.cli.play import asked, cut, scored, typed
from fairdeal.cli.play.checking import Check
from fairdeal.cli.play.kept import Cut, Folder, Seat, with_cut
from fairdeal.cli.play.picture import Picture
from fairdeal.cli.play.remote import Remote
from fairdeal.cli.play.screen import Screen
from fairdeal.cli.play.story import Story, fresh

_WAIT_S: Final = 20
_PROMPT: Final = "Your move (? for help): "


class Leave(Exception):
    """The player leaves the table; the game waits."""


class Loop:
    """One seat at a terminal.

    Args:
        screen: Where it is shown.
        remote: Speaks with the seat's token.
        folder: What is kept.
        seat: Who plays.
    """

    def __init__(self, screen: Screen, remote: Remote, folder: Folder, seat: Seat) -> None:
        self._screen = screen
        self._remote = remote
        self._folder = folder
        self._seat = seat
        self._path = f"/v1/games/{seat.game}"
        self._story = Story(seat.seat)
        self._picture = Picture(screen)
        self._check = Check(screen, remote, folder)
        self._clock: Mapping[str, Any] = {}
        self._held: tuple[str, ...] = ()

    def play(self, *, again: bool) -> int:
        """Play until the game is over; give the verifier's exit status.

        Args:
            again: Whether the player comes back: what happened before is not told again.

        Raises:
            Leave: The player leaves.
        """
        self._clock = self._remote.get(self._path)["clock"]
        self._catch_up(quietly=again)
        while True:
            view = self._remote.get(f"{self._path}/view")
            if view["version"] > self._story.version:
                self._catch_up()
                continue
            if view["state"] == "closed":
                status = self._check.game(self._seat, self._story)
                self._folder.keep(replace(self._seat, over=True))
                return status
            story = self._story
            number, sealed, spent = self._seat.seat, story.is_sealed, story.is_spent
            if owed := cut.owed(view, number, is_sealed=sealed, is_spent=spent):
                self._contribute(owed[0], seal=owed[1])
            elif not self._take_turn(view):
                self._wait()

    # ------------------------------------------------------------------ what happens

    def _catch_up(self, *, quietly: bool = False) -> None:
        after, more = self._story.version, True
        while more:
            page = self._remote.get(f"{self._path}/events?after={after}")
            self._tell(page["events"], quietly=quietly)
            after, more = self._story.version, page["has_more"]

    def _wait(self) -> None:
        page = self._remote.get(f"{self._path}/events?after={self._story.version}&wait={_WAIT_S}")
        self._tell(page["events"])

    def _tell(self, events: Sequence[Mapping[str, Any]], *, quietly: bool = False) -> None:
        begun: list[Mapping[str, Any]] = []
        for event in events:
            begun.append(event)
            # A hand that was opened is shown and checked before the next one is told.
            if event["type"] in ("score", "reveal"):
                self._say(begun, quietly=quietly)
                begun = []
                if event["type"] == "score" and not quietly:
                    self._show_sheet(event["body"])
                if event["type"] == "reveal" and not quietly:
                    self._check.hand(event["body"]["hand"], self._seat, self._story)
        self._say(begun, quietly=quietly)

    def _say(self, events: Iterable[Mapping[str, Any]], *, quietly: bool) -> None:
        for line in self._story.tell(events):
            if not quietly:
                self._screen.say(line)

    def _show_sheet(self, body: Mapping[str, Any]) -> None:
        self._held = ()
        self._screen.say()
        self._screen.show(scored.sheet(body, self._story.names, self._story.sides))

    # ----------------------------------------------------------------------- the cut

    def _contribute(self, epoch: int, *, seal: bool) -> None:
        seat = self._seat
        mine = next((one for one in seat.cuts if one.epoch == epoch), None) or self._ask_cut(epoch)
        body = cut.body(mine, seat.game, seat.seat, seat.open_hash, seal=seal)
        answer = self._remote.send("PUT", f"{self._path}/seats/{seat.seat}/seed", body)
        self._tell(answer["events"])

    def _ask_cut(self, epoch: int) -> Cut:
        mine = cut.ask(self._screen, epoch)
        # Kept before it is sent: after a lost answer the very same is sent again.
        self._seat = with_cut(self._seat, mine)
        self._folder.keep(self._seat)
        return mine

    # ---------------------------------------------------------------------- the turn

    def _take_turn(self, view: Mapping[str, Any]) -> bool:
        """Ask for one move, if it is this seat's turn; say whether it was."""
        offered = self._remote.get(f"{self._path}/choices")
        if not offered["can"] or offered["version"] != view["version"]:
            return bool(offered["can"])
        self._show_turn(view, offered, whole=view["table"]["turn"]["phase"] != "play")
        suggested: str | None = None
        while True:
            line = self._screen.ask(_PROMPT)
            if not line.strip():
                self._show_choices(offered)
                continue
            acts = [choice["act"] for choice in offered["can"]]
            match typed.read(line, acts, view["table"]["pile"]["top"], suggested):
                case typed.Ask("leave"):
                    raise Leave
                case typed.Ask("hint"):
                    found, lines = asked.hint(self._remote, self._path)
                    suggested = found["act"] if found else suggested
                    self._lines(lines)
                case typed.Ask(what):
                    self._answer(what, view, offered)
                case typed.Unclear(sentence):
                    self._screen.say(sentence)
                case typed.Wanted(act, listed):
                    if self._do(act, offered["version"], listed=listed):
                        return True

    def _show_turn(
        self, view: Mapping[str, Any], offered: Mapping[str, Any], *, whole: bool
    ) -> None:
        holding = tuple(view["table"]["you"]["holding"])
        if view["table"]["turn"]["phase"] != "play":
            # Until the turn is over the cards that come now are new.
            self._held = holding
        marks = fresh(self._held, holding) if self._held else [False] * len(holding)
        self._screen.say()
        if whole:
            self._screen.show(self._picture.table(view, self._story, marks))
        else:
            for line in self._picture.holding(holding, marks):
                self._screen.show(line)
        self._screen.say(offered["headline"])
        turn = view["table"]["turn"]
        if told := asked.time_left(self._clock, turn["deadline"]):
            self._screen.say(told)
        opening = offered["opening"]
        if opening and opening["best"] and turn["phase"] == "draw":
            self._screen.say(
                f"Your side needs {opening['need']} to open; you could lay {opening['best']}."
            )
        self._show_choices(offered)

    def _show_choices(self, offered: Mapping[str, Any], *, everything: bool = False) -> None:
        self._screen.show(self._picture.choices(offered["can"], everything=everything))

    def _answer(self, what: str, view: Mapping[str, Any], offered: Mapping[str, Any]) -> None:
        match what:
            case "why":
                self._lines(asked.why(offered["cannot"]))
            case "counts":
                self._screen.show(asked.counts(self._remote.get(f"{self._path}/counts")))
            case "scores":
                self._scores(view)
            case "table":
                self._show_turn(view, offered, whole=True)
            case "time":
                said = asked.more_time(self._remote, self._path, offered["version"])
                self._screen.say(said)
            case "more":
                self._show_choices(offered, everything=True)
            case _:
                self._lines(asked.HELP.splitlines())

    def _scores(self, view: Mapping[str, Any]) -> None:
        for body in self._story.scores:
            self._screen.show(scored.sheet(body, self._story.names, self._story.sides))
            self._screen.say()
        for side in view["table"]["sides"]:
            name = self._story.names.side(side["seats"])
            need = "opened" if side["opened"] else f"needs {side['minimum']} to open"
            self._screen.say(f"{name}: {side['total']:,} points, {need}.")

    def _do(self, act: str, version: int, *, listed: bool) -> bool:
        """Do an act; say whether something changed. What was composed is tried out first."""
        body = {"expect": version, "act": act}
        path = f"{self._path}/actions"
        try:
            if not listed and not self._agreed(
                self._remote.send("POST", f"{path}?dry_run=true", body)
            ):
                return False
            answer = self._remote.send("POST", path, body)
        except ApiError as refusal:
            if refusal.code == "stale_version":
                self._screen.say("Something happened meanwhile; look again.")
                return True
            self._screen.say(refusal.sentence or refusal.code)
            return False
        self._tell(answer["events"])
        return True

    def _agreed(self, tried: Mapping[str, Any]) -> bool:
        """Say what an act would do; where there is something to mind, ask."""
        would = tried["would"]
        self._screen.say(would["sentence"])
        if not would["warnings"]:
            return True
        for warning in would["warnings"]:
            self._screen.say(f"Mind: {warning['sentence']}")
        return self._screen.ask("Enter does it, n does not: ").strip().lower() not in ("n", "no")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._screen.say(line)
