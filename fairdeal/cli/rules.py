"""``fairdeal rules``: list, show and compare rulesets, and write the pages about them."""

import json
from collections.abc import Mapping
from pathlib import Path

import click

from fairdeal.bots.reasons import strategy
from fairdeal.canasta import pages
from fairdeal.canasta.notation import parse_rules
from fairdeal.canasta.pages.rules import difference_lines, page
from fairdeal.canasta.presets import PRESETS, build, missing
from fairdeal.canasta.ruleset import to_json

_LIST_HELP = """List the presets, and how far each is from classic.

\b
Examples:
  fairdeal rules list
"""

_SHOW_HELP = """Print a ruleset in plain words: a preset, or one with fields changed.

\b
Examples:
  fairdeal rules show partnership
  fairdeal rules show 'classic;canastas_to_go_out=2;go_out_needs_natural=true'
  fairdeal rules show classic@1 --json
"""

_DIFF_HELP = """Name in plain words what differs between two rulesets, FIRST and SECOND.

\b
Examples:
  fairdeal rules diff classic partnership
"""

_PAGE_HELP = """Write the pages on rulesets, terms, refusals, questions, strategy and more.

FOLDER is where they go, docs by default.

\b
Examples:
  fairdeal rules page
  fairdeal rules page docs --check
"""


def _read(text: str) -> tuple[str, Mapping[str, object]]:
    """Give name and JSON object of a preset, or of one with single fields changed."""
    name, mark, changes = text.partition(";")
    name = name if "@" in name else f"{name}@1"
    if name not in PRESETS:
        build(name)  # says which presets there are
    if not mark:
        return name, PRESETS[name]
    return name + mark + changes, to_json(parse_rules(name + mark + changes))


@click.group()
def rules() -> None:
    """Look at the rulesets: what each of them says, and how they differ."""


@rules.command("list", help=_LIST_HELP)
def list_presets() -> None:
    """List the presets, and how far each is from classic."""
    classic = PRESETS["classic@1"]
    for name, preset in PRESETS.items():
        differs = sum(preset[field] != classic[field] for field in preset)
        asks = f"; to be chosen: {', '.join(missing(name))}" if missing(name) else ""
        told = "field differs" if differs == 1 else "fields differ"
        click.echo(f"{name:<26} {differs:>2} {told} from classic{asks}")


@rules.command("show", help=_SHOW_HELP)
@click.argument("ruleset")
@click.option("--json", "as_json", is_flag=True, help="Print the ruleset as JSON.")
def show(ruleset: str, *, as_json: bool) -> None:
    """Print a ruleset in plain words."""
    name, fields = _read(ruleset)
    if as_json:
        click.echo(json.dumps(fields, indent=1))
        return
    click.echo(page(name, fields), nl=False)


@rules.command("diff", help=_DIFF_HELP)
@click.argument("first")
@click.argument("second")
def diff(first: str, second: str) -> None:
    """Name in plain words what differs between two rulesets."""
    for line in difference_lines(*_read(first), *_read(second)):
        click.echo(line)


@rules.command("page", help=_PAGE_HELP)
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path("docs")
)
@click.option("--check", is_flag=True, help="Write nothing; fail if a page is out of date.")
def write_pages(folder: Path, *, check: bool) -> None:
    """Write the pages on rulesets, terms, refusals, questions, strategy and what is absent."""
    written = {**pages.pages(), "strategy.md": strategy.page()}
    stale = [name for name, text in written.items() if _text(folder / name) != text]
    if check and stale:
        raise click.ClickException(f"out of date in {folder}: {', '.join(stale)}")
    for name in stale:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(written[name], "utf-8")
        click.echo(f"wrote {path}")


def _text(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None
