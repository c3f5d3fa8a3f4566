"""Names of bots as the command line takes them, budgets included."""

from fairdeal.bots import levels


def is_bot(name: str) -> bool:
    """Say whether there is such a bot: by name and version, a budget behind it if it searches."""
    level_of = getattr(levels, "level_of", None)
    if level_of is not None:
        try:
            level_of(name)
        except (KeyError, ValueError):
            return levels.is_known(name)
        return True
    return levels.is_known(name)
