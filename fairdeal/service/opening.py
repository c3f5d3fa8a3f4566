"""Opens games."""

from dataclasses import replace

from fairdeal.records.tablecode import table_code
from fairdeal.service.answers import Created, NewGame
from fairdeal.service.callers import Operator
from fairdeal.service.claims import claim_grant
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.ends import check_until, claim_end
from fairdeal.service.founding import Founder
from fairdeal.service.repeats import Once


class Opener:
    """Commits to new games.

    Args:
        clerk: Keeps the books.
        founder: Draws up games and claims.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._founder = founder

    def create(self, operator: Operator, wanted: NewGame, once: Once | None) -> Created:
        """Commit to a game (contract: `Dealer.create_game`).

        Args:
            operator: Whose game it will be.
            wanted: The game.
            once: The request, where its answer is to be kept.
        """
        founded = self._founder.found(wanted, operator.site)
        until = wanted.claims_until
        if until is None:
            until = claim_end(founded.first.body["reveal_by"], founded.first.t)
        else:
            check_until(until, founded.first.t)
        claims = self._founder.claims(wanted, until)
        created = Created(
            id=founded.id,
            version=founded.batch.game.version,
            commitment=commitment(founded.first),
            table_code=table_code(founded.first.hash),
            receipts=self._clerk.receipts(*founded.records),
            claims=claims,
        )
        write = replace(
            founded.write,
            grants=tuple(
                claim_grant(claim, site=operator.site, game=founded.id) for claim in claims
            ),
            answer=self._clerk.repeats.kept(once, created, founded.id),
        )
        self._clerk.store.write(write)
        self._clerk.settled(founded.batch)
        return created
