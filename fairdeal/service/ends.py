"""When what was given out ends."""

from typing import Final

from fairdeal.errors import Unprocessable

DAY_MS: Final = 24 * 3600 * 1000
YEAR_MS: Final = 365 * DAY_MS


def check_until(until: int, now: int) -> None:
    """Refuse an end that is over or too far away (both ms since 1970).

    Raises:
        Unprocessable: `until_out_of_range`.
    """
    if not now < until <= now + YEAR_MS:
        raise Unprocessable(
            "until_out_of_range", "What is given out must end in the future, within a year."
        )


def claim_end(reveal_by: int, now: int) -> int:
    """Return when a claim ends where nobody said: with the game's last date, or in a day."""
    return max(reveal_by, now + DAY_MS)
