"""A service in its folder: opened with the keys that lie there, and closed in good order.

A database in the folder belongs to one process. One on a server may have several, which share the
folder or have copies of its key files.
"""

import os
import resource
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.service import folder as place
from fairdeal.service.callers import SANDBOX_OPERATOR, SITE_DEMO, SITE_MAIN, TEST, Anyone, mode_of
from fairdeal.service.database import FILE, Database
from fairdeal.service.dealer import Dealer
from fairdeal.service.lookout import Lookout
from fairdeal.service.onward import Onward
from fairdeal.service.publiclog.serving import PublicFolder
from fairdeal.service.publiclog.watching import AnyOrder, PublicOrder
from fairdeal.store.beacons import NO_BEACON, BeaconSource
from fairdeal.store.ports import Store
from fairdeal.store.vault import Entropy

POST_PAUSE_S: Final = 0.05
POST_TRIES: Final = 600


@dataclass(frozen=True, slots=True)
class Premises:
    """An open service.

    Attributes:
        dealer: Its front door.
        made: The files that this start made, by what they are for; empty on later starts.
    """

    dealer: Dealer
    made: dict[str, Path]
    _onward: Onward
    _open: ExitStack

    @property
    def leads(self) -> bool:
        """Whether this process looks after the games in which nobody asks."""
        return self._onward.leads

    def close(self) -> None:
        """Finish what was begun and let go of the database and the folder."""
        self.dealer.feed.stop()
        self._open.close()


def open_premises(
    folder: Path,
    origin: str,
    *,
    database: Database | None = None,
    entropy: Entropy,
    clock: Callable[[], int],
    beacons: BeaconSource = NO_BEACON,
    public_url: str = "",
    sandbox: bool = False,
    log_folder: Path | None = None,
    log: bool = False,
) -> Premises:
    """Open the service of a folder, making what is not there yet.

    Args:
        folder: Made, for its owner alone, where it is not there.
        origin: The name of the service; that of the receipt key in the folder.
        database: Where the records are; None for a file in the folder.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.
        beacons: Where rounds of a beacon come from.
        public_url: What stands before the path of a link; empty gives paths alone.
        sandbox: Whether whoever shows no token is an operator; only in test mode.
        log_folder: Where the public log is served from; None where it is not served here.
        log: Whether the order of the public log is kept; a sequencer has to run then.

    Raises:
        StorageFailure: Another process works here, a key file is not as it must be, or the
            folder belongs to a service of another name (one in test mode has one that ends in
            `/test`), or to another database;
            `database_behind`: the database lacks records that were stored before (decisions 25).
    """
    # Whatever ends this process, no dump is written: it would hold every secret.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    database = database or Database()
    mode = mode_of(origin)
    if sandbox and mode != TEST:
        raise StorageFailure("other_origin", "The name of a sandbox ends in /test.")
    site = SITE_DEMO if sandbox else SITE_MAIN
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made: dict[str, Path] = {}
    with ExitStack() as stack, ExitStack() as start:
        held = start if database.is_shared else stack  # A shared one guards itself.
        held.callback(os.close, place.hold(folder, is_patient=database.is_shared))
        if database.is_shared:
            store = database.open(folder)
            stack.callback(store.close)
            _take_turns(store, start)
            is_new = not store.operators()
            if not is_new:
                place.check_copied(folder)
        else:
            is_new = not (folder / FILE).exists()
        key, earlier, vault = place.keys(folder, origin, entropy, made, is_new=is_new)
        if database.is_shared:
            place.check_vault(store, vault, folder)
        else:
            # Behind the keys: a start that is cut off leaves no database without its vault key.
            store = database.open(folder)
            stack.callback(store.close)
        place.operator(store, folder, entropy, made, mode=mode, site=site, now=clock())
        dealer = Dealer(
            store=store,
            vault=vault,
            key=key,
            entropy=entropy,
            clock=clock,
            beacons=beacons,
            earlier_vkeys=earlier,
            nobody=SANDBOX_OPERATOR if sandbox else Anyone(),
            public_url=public_url,
            log_folder=None if log_folder is None else PublicFolder(log_folder),
            order=PublicOrder(store) if log else AnyOrder(),
        )
        dealer.presences.start()
        stack.callback(dealer.presences.stop)
        onward = Onward(dealer, Lookout(store) if database.is_shared else None)
        onward.start()
        stack.callback(onward.stop)
        return Premises(dealer, made, onward, stack.pop_all())


def _take_turns(store: Store, start: ExitStack) -> None:
    """Let one machine at a time start; the first one makes the keys."""
    for _ in range(POST_TRIES):
        if store.lead("first start"):
            start.callback(store.resign, "first start")
            return
        time.sleep(POST_PAUSE_S)
    raise StorageFailure("in_use", "Another process has been starting on this database for long.")
