"""Pages generated from the rules as data, as Markdown; ``fairdeal rules page`` writes them."""

from fairdeal.canasta.pages import absent, questions, refusals, rules, terms
from fairdeal.canasta.presets import PRESETS


def pages() -> dict[str, str]:
    """Give every page: its path below ``docs`` -> its text."""
    found = {
        f"presets/{name.partition('@')[0]}.md": rules.page(name, preset)
        for name, preset in PRESETS.items()
    }
    return {
        **found,
        "not-offered.md": absent.page(),
        "questions.md": questions.page(),
        "refusals.md": refusals.page(),
        "terms.md": terms.page(),
    }
