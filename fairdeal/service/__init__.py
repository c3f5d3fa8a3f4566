"""The shell: one short method a use case, load, decide, append.

Entropy and the clock come in here, as arguments. Which module knows what:

- The front door is `dealer`; what it is asked and answers are `answers` and `settings`.
- Who calls and whose it is: `callers`, `places`. Keys: `keyring` draws up, `keys` over HTTP and
  `keydesk` from the folder have it kept. `sites`, `gamelist`, `watchers`; `claims` for the seats
  of games, `grants` for what the store keeps of claims and tokens.
- What bots do: `botplay`; what one would do: `hints`; how strong they are: `play`.
- A game, opened: `founding`, `configure`; read and added to: `shelf`, `clerk`, `batch`; by seats
  and sites: `seeds`, `hands`; in time:
  `clocks`, `moretime`; by itself: `upkeep`, `onward` (the thread), `lookout`
  (of several processes the one that looks for all).
- A game, shown: `looks`, `shown` (a record), `publicly` (as everybody may know it), `myrecord`;
  followed: `feed`, `items`, `following`; who is there: `presence`; kept at hand: `recent`.
- Sent twice: `repeats`.
- Rooms: `rooms` and `roomseats` are the steps, `roombook` keeps them with what they give out and
  end (`roomgrants`) and what starts in them (`starts`), `roomview` and `wantedgame` tell them.
- Players brought together: `quickmatch`, `tickets`. What a seat's token opens: `mygames`.
- The rules in words: `rulebook`, `sentences`; how to play well: `strategy`.
- The log that everybody can check: `publiclog`.
- A process, begun and ended: `premises` (the service), `gallery` (streams alone), `readiness`;
  on `folder`, `database` and `signing`. On a folder without a process: `rotation`, `resealing`,
  `recovery`.
"""

from fairdeal.records.canonical import check as check_json
from fairdeal.records.canonical import decode_loose as read_json
from fairdeal.rooms import Seating as RoomSeating
from fairdeal.service import settings as bounds
from fairdeal.service.answers import (
    Answer,
    Choices,
    Claim,
    Commitment,
    Counts,
    Created,
    Hint,
    MoreTime,
    NewDealt,
    NewGame,
    NewSeat,
    Page,
    PublicGame,
    PublicSeat,
    Seating,
    SignedSeed,
    View,
)
from fairdeal.service.callers import Anyone, Caller
from fairdeal.service.claims import SeatTold
from fairdeal.service.configure import BOTS
from fairdeal.service.database import Database, load_drivers, read_database
from fairdeal.service.dealer import Dealer
from fairdeal.service.feed import BEAT_S, PAGE, Feed
from fairdeal.service.following import Step, follow
from fairdeal.service.gallery import Gallery, open_gallery
from fairdeal.service.hands import VOID_REASONS
from fairdeal.service.items import Item, as_json, end
from fairdeal.service.keydesk import KeyDesk, key_desk
from fairdeal.service.keyring import MOST_OVERLAP_S, OVERLAP_S, Key, NewKey
from fairdeal.service.premises import Premises, open_premises
from fairdeal.service.publiclog.serving import PublicFolder, Served, path_of_origin
from fairdeal.service.recovery import Loss, Recovered, look, recover
from fairdeal.service.repeats import Kept, Once
from fairdeal.service.resealing import Resealed
from fairdeal.service.roombook import Asked
from fairdeal.service.rooms import NewRoom, RoomsListed
from fairdeal.service.roomview import RoomView
from fairdeal.service.rotation import rotate_receipt_key, rotate_vault_key
from fairdeal.service.seeds import Seed
from fairdeal.service.sentences import RULE_SENTENCES
from fairdeal.service.settings import Settings
from fairdeal.service.sites import Site
from fairdeal.service.strategy import STRATEGY, Lesson, lessons
from fairdeal.service.tickets import DEFAULT_WAIT_S, QuickWanted, TicketView
from fairdeal.service.tickets import WAIT_S as QUICK_WAIT_S
from fairdeal.service.watchers import NewWatcher, Watcher

__all__ = [
    "BEAT_S",
    "BOTS",
    "DEFAULT_WAIT_S",
    "MOST_OVERLAP_S",
    "OVERLAP_S",
    "PAGE",
    "QUICK_WAIT_S",
    "RULE_SENTENCES",
    "STRATEGY",
    "VOID_REASONS",
    "Answer",
    "Anyone",
    "Asked",
    "Caller",
    "Choices",
    "Claim",
    "Commitment",
    "Counts",
    "Created",
    "Database",
    "Dealer",
    "Feed",
    "Gallery",
    "Hint",
    "Item",
    "Kept",
    "Key",
    "KeyDesk",
    "Lesson",
    "Loss",
    "MoreTime",
    "NewDealt",
    "NewGame",
    "NewKey",
    "NewRoom",
    "NewSeat",
    "NewWatcher",
    "Once",
    "Page",
    "Premises",
    "PublicFolder",
    "PublicGame",
    "PublicSeat",
    "QuickWanted",
    "Recovered",
    "Resealed",
    "RoomSeating",
    "RoomView",
    "RoomsListed",
    "SeatTold",
    "Seating",
    "Seed",
    "Served",
    "Settings",
    "SignedSeed",
    "Site",
    "Step",
    "TicketView",
    "View",
    "Watcher",
    "as_json",
    "bounds",
    "check_json",
    "end",
    "follow",
    "key_desk",
    "lessons",
    "load_drivers",
    "look",
    "open_gallery",
    "open_premises",
    "path_of_origin",
    "read_database",
    "read_json",
    "recover",
    "rotate_receipt_key",
    "rotate_vault_key",
]
