"""What each code of a refusal means, in one sentence, for the page that explains it.

The codes of broken rules and their sentences belong to the engine; these are the others.
"""

from collections.abc import Mapping
from typing import Final

from fairdeal.service import RULE_SENTENCES

CODES: Final[Mapping[str, str]] = {
    "bad_act": "The act is not written in its canonical form; docs/protocol.md 6.2 says how.",
    "bad_field": "A field has a value that its type does not allow; the answer names it.",
    "bad_idempotency_key": "An idempotency key has 1 to 200 visible ASCII characters.",
    "bad_key": "The token you sent is not known here, or is not sent as a bearer token.",
    "beacon_delay": "The beacon's delay must be at least two of its rounds.",
    "broken": "Something broke on our side; quote the request id when you ask about it.",
    "claim_used": "Each claim gives its seat's token once, and this one was used before.",
    "game_over": "The game is closed; its transcript is complete and nothing can be added.",
    "hand_in_play": "The last hand is neither scored nor aborted yet.",
    "hands_out_of_range": "A game commits to 1 to 512 hands.",
    "hands_used_up": "All hands that the game committed to are dealt; open another game.",
    "idempotency_mismatch": "The idempotency key was used for another request; make a new one.",
    "key_expired": "The token you sent has ended; ask whoever gave it out for another.",
    "malformed": "The request cannot be read as what it should be; the answer names the place.",
    "mode_mismatch": "A test token opens nothing on a live service, nor a live one in test mode.",
    "no_beacon_awaited": "No lock of the game is waiting for its round.",
    "no_hand": "No hand is in play: seeds are still awaited, or the game is over.",
    "no_key": "This needs a token, sent as Authorization: Bearer TOKEN.",
    "no_seeds_awaited": "The game is not waiting for seeds.",
    "no_such_bot": "There is no bot of this name and version.",
    "no_such_chain": "The beacon's chain is not known here.",
    "no_such_claim": "Nobody gave out this claim.",
    "no_such_code": "There is no refusal with this code.",
    "no_such_game": "There is no game with this name.",
    "no_such_grant": "There is no key or claim of this name.",
    "no_such_page": "There is nothing at this address.",
    "no_such_preset": "There is no ruleset of this name and version.",
    "no_such_room": "There is no room with this name.",
    "no_such_seat": "The game has no such seat, or no human sits there.",
    "not_json": "The body has to be sent as application/json in UTF-8.",
    "not_your_game": "The game or room belongs to another site, or the token is for another one.",
    "not_your_seat": "The token you sent belongs to another seat, or to another game.",
    "open_hash_differs": "Your seed names another first record than this game's; do not go on.",
    "read_only_key": "The key you sent may look at everything of its site, and change nothing.",
    "record_too_large": "The record would be larger than the public log can hold, 65,535 bytes.",
    "records_damaged": "The stored records of the game contradict themselves; it stands still.",
    "refereed": "The service referees this game, so its hands go by themselves.",
    "reveal_by_out_of_range": "The master secret must be due in the future, within a year.",
    "room_moved": "Somebody else changed the room first; look again and decide anew.",
    "rules_conflict": "The fields of the ruleset contradict each other; docs/rules.md says how.",
    "rules_incomplete": "The preset leaves open what the table must choose.",
    "ruleset_field": "A field of the ruleset has a value that docs/rules.md does not list.",
    "seal_differs": "The seed is not the one that the seat sealed.",
    "sealing_closed": "All seals of the epoch are in; now the seeds are opened.",
    "sealing_open": "Seeds are opened when every seat has sealed its own.",
    "seating_differs": "No dealt-only game of that name ended here with that record.",
    "seed_given": "The seat has given another seed; send exactly the one you sent before.",
    "seed_repeated": "Another seat has this very seal; make a nonce of your own.",
    "seeds_awaited": "The next hand waits for its seeds.",
    "seeds_locked": "The seeds are locked, so the deck can no longer change.",
    "signature_wrong": "The signature over your seed does not verify under the key sent with it.",
    "stale_version": "You decided on an older version of the game; look again and decide anew.",
    "stock_used_up": "The stock is used up.",
    "store_closed": "The service is being stopped; try again in a moment.",
    "store_failed": "Nothing can be kept just now, so nothing was answered; try again.",
    "store_slow": "The disk did not answer in time; repeat the same request to learn the outcome.",
    "token_replaced": "Another token or claim was given out in place of this one; it alone counts.",
    "too_large": "The request is larger than any that is needed here.",
    "unknown_field": "The request has a field that does not exist here; perhaps it is misspelt.",
    "vault_shut": "A sealed secret does not open with the vault key of this service.",
    "watch_closed": "Until the game is over, only those whom its site chose may watch it.",
    "wrong_method": "The address exists, but not with this method.",
    "wrong_role": "The token you sent is of the other kind: an operator's, or a seat's.",
    "wrong_seats": "The ruleset is for another number of seats.",
}


def sentence_of(code: str) -> str | None:
    """Return the sentence of a code, or None where there is no such code."""
    return CODES.get(code) or RULE_SENTENCES.get(code)
