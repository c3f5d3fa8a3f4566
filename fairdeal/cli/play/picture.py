"""The table as one seat sees it, as a picture of lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fairdeal.canasta import cards
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Card
from fairdeal.cli.play.screen import Screen, visible
from fairdeal.cli.play.story import Names, Story

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_STYLES: Final = {"C": "green", "D": "cyan", "H": "red", "S": ""}
_WILD: Final = "bold magenta"
LONGEST_LIST: Final = 24
"""The most lines of one kind of choice that are listed unasked."""


class Picture:
    """Draws for one screen.

    Args:
        screen: Says what it can show.
    """

    def __init__(self, screen: Screen) -> None:
        self._plain = screen.plain
        self._signs = screen.has_signs

    def table(
        self, view: Mapping[str, Any], story: Story, marks: Sequence[bool]
    ) -> "RenderableType":
        """Draw the table: both sides, the pile, the own cards.

        Args:
            view: As the service gives it.
            story: Knows the seats' names and what lies in the pile.
            marks: Of each own card, whether it is new.
        """
        from rich.console import Group  # noqa: PLC0415  late: start-up time
        from rich.panel import Panel  # noqa: PLC0415  late: start-up time

        table = view["table"]
        mine = table["you"]["side"]
        lines: list[Text] = []
        for number, side in enumerate(table["sides"]):
            if number != mine:
                lines += self._side(side, story.names)
        lines += self._side(table["sides"][mine], story.names)
        lines.append(self._held(table, story.names))
        lines.append(self._line(pile_told(table, story)))
        lines += self.holding(table["you"]["holding"], marks)
        title = f"Hand {view['hand']}"
        if self._plain:
            return Group(self._line(f"--- {title} ---"), *lines)
        return Panel(Group(*lines), title=title, title_align="left")

    def holding(self, holding: Sequence[str], marks: Sequence[bool]) -> "Iterator[Text]":
        """Draw the own cards, sorted, the new ones marked."""
        line = self._line(f"Your {len(holding)} cards: ", "bold")
        for face, new in zip(holding, marks, strict=True):
            line.append_text(self.card(face))
            line.append("* " if new else " ", "bold")
        if any(marks):
            line.append("(* new)")
        yield line

    def left(self, name: str, faces: Sequence[str]) -> "Text":
        """Draw what a seat had left when the hand was over."""
        line = self._line(f"{name} had left: ")
        for face in faces:
            line.append_text(self.card(face))
            line.append(" ")
        return line

    def card(self, face: str) -> "Text":
        """Draw a card: its rank and suit, in colour where there are colours."""
        if face == cards.JOKER_FACE:
            return self._line(face, _WILD)
        style = _WILD if face[0] == "2" else _STYLES[face[1]]
        return self._line(face[0] + (_SIGNS[face[1]] if self._signs else face[1]), style)

    def choices(
        self, can: Sequence[Mapping[str, Any]], *, everything: bool = False
    ) -> "RenderableType":
        """Draw the numbered lines, each with its sentence and what to mind."""
        from rich.table import Table  # noqa: PLC0415  late: start-up time

        grid = Table.grid(padding=(0, 1), pad_edge=False)
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(overflow="fold")
        left_out = 0
        for number, choice in enumerate(can, 1):
            if number > LONGEST_LIST and not everything and not choice["act"].startswith("discard"):
                left_out += 1
                continue
            told = self._line(choice["sentence"])
            for warning in choice["warnings"]:
                told.append(f" Mind: {warning['sentence']}", "" if self._plain else "yellow")
            grid.add_row(self._line(f"{number}", "bold"), told)
        if left_out:
            more = f"{left_out} more ways: m lists them, or type the cards, as: lay 9H 9S 2H"
            grid.add_row(self._line(""), self._line(more))
        return grid

    def _side(self, side: Mapping[str, Any], names: Names) -> "Iterator[Text]":
        head = f"{names.side(side['seats'])}: {side['total']:,} points. "
        head += "Opened." if side["opened"] else f"Needs {side['minimum']} to open."
        yield self._line(head, "bold")
        for meld in side["melds"]:
            line = self._line("  ")
            for face in meld["cards"]:
                line.append_text(self.card(face))
                line.append(" ")
            size = f"{meld['kind']} canasta" if meld["canasta"] else f"{len(meld['cards'])} cards"
            line.append(f" {size}", "bold" if meld["canasta"] and not self._plain else "")
            yield line
        if side["red_threes"]:
            line = self._line("  red threes: ")
            for face in side["red_threes"]:
                line.append_text(self.card(face))
                line.append(" ")
            yield line

    def _held(self, table: Mapping[str, Any], names: Names) -> "Text":
        me = table["you"]["seat"]
        held = [
            f"{names.full[one['seat']]}: {one['cards']}"
            for one in table["seats"]
            if one["seat"] != me
        ]
        return self._line(f"Cards held. {'; '.join(held)}. Stock: {table['stock']}.")

    def _line(self, text: str, style: str = "") -> "Text":
        from rich.text import Text  # noqa: PLC0415  late: start-up time

        # As its own last part, so that what is appended does not take the style.
        return Text().append(visible(text), "" if self._plain else style)


def pile_told(table: Mapping[str, Any], story: Story) -> str:
    """Say what the pile is, for whom it is frozen, and why."""
    pile = table["pile"]
    if not pile["count"]:
        return "The pile is empty."
    size = f"{pile['count']} card" + ("s" if pile["count"] > 1 else "")
    top = ENGLISH.write(Card(pile["top"]))
    return f"Pile: {size}, the {top} on top. {_frozen(table, story)}"


def _frozen(table: Mapping[str, Any], story: Story) -> str:
    if table["pile"]["frozen"]:
        found = [f"the {ENGLISH.write(Card(face))}" for face in _once(story.freezing)]
        why = f": {ENGLISH.listed(found, ' and ')} in it" if found else ""
        return f"Frozen for everybody{why}."
    if story.rules is not None and story.rules.frozen_before_opening:
        shut = [side for side in table["sides"] if not side["opened"]]
        mine = table["you"]["side"]
        whose = [
            ("you" if story.me in side["seats"] else story.names.side(side["seats"]))
            for side in sorted(shut, key=lambda one: table["sides"].index(one) != mine)
        ]
        if len(shut) == len(table["sides"]):
            return "Frozen for everybody until they open."
        if whose:
            verb = "you open" if whose == ["you"] else "they open"
            return f"Frozen for {ENGLISH.listed(whose, ' and ')} until {verb}."
    return "Not frozen."


def _once(faces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(faces))
