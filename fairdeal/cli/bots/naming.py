"""Names of bots as the command line takes them, budgets included."""

from fairdeal.bots.levels import is_known, level_of


def is_bot(name: str) -> bool:
    """Say whether there is such a bot: by name and version, a budget behind it if it searches."""
    try:
        level_of(name)
    except KeyError:
        return is_known(name)
    return True
