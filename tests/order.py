"""Orders of the public log that tests hold in their hands."""

from fairdeal.errors import Busy
from fairdeal.service.publiclog.watching import LOG_BEHIND, AnyOrder


class Told(AnyOrder):
    """An order in which what is public is what a test says.

    Attributes:
        public: Of each game the types of records that are: `open`, `lock`.
        waits: How many times somebody waited for nothing.
        is_behind: Whether new work is refused.
    """

    def __init__(self):
        self.public = {}
        self.waits = 0
        self.is_behind = False

    @property
    def is_kept(self):
        return True

    def permits(self, game, needed):
        return needed in self.public.get(game, ())

    def await_it(self, game, needed):
        if not self.permits(game, needed):
            self.waits += 1
            raise Busy(LOG_BEHIND, "The public log does not keep up.")

    def check_pace(self):
        if self.is_behind:
            raise Busy(LOG_BEHIND, "The public log does not keep up.")


def stalled():
    """Return an order in which nothing is public, and nothing will be soon."""
    told = Told()
    told.is_behind = True
    return told
