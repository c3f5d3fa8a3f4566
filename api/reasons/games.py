"""Games: their rules, their seeds, their hands and their acts."""

from collections.abc import Mapping
from typing import Final

from api.reasons.reason import Reason

REASONS: Final[Mapping[int, Mapping[str, Reason]]] = {
    404: {
        "no_such_game": Reason(
            "There is no game with this name.",
            "Compare the name with the one that opening the game gave.",
        ),
        "not_public_yet": Reason(
            "The record is not in the public log, or not yet; an act never is.",
            "Ask again in a second or two; of an act, for the score that covers it.",
        ),
    },
    409: {
        "game_over": Reason(
            "The game is closed; its transcript is complete and nothing can be added.",
            "Open another game.",
            {"reason": "complete"},
        ),
        "hand_in_play": Reason(
            "The last hand is neither scored nor aborted yet.",
            "Score or abort it first.",
        ),
        "hands_used_up": Reason(
            "All hands that the game committed to are dealt.",
            "Open another game, with more hands.",
        ),
        "no_clock": Reason(
            "The turn has no end, so it needs no more time.",
            "Take all the time that you need.",
        ),
        "no_hand": Reason(
            "No such hand is in play: seeds are still awaited, it ended, or the game is over.",
            "Look at the game, and wait for the next deal.",
        ),
        "no_more_time": Reason(
            "Your seat has had all the more time of this hand, or the time of the turn is over.",
            "Act now.",
            {"extends": 2},
        ),
        "no_seeds_awaited": Reason(
            "The game is not waiting for seeds.",
            "Nothing needs to be done: nobody is missing.",
        ),
        "open_hash_differs": Reason(
            "Your seed names another first record than this game's; do not go on.",
            "Compare the table code with the others at the table before you do anything else.",
            {"open_hash": "<the hash of record 0>"},
        ),
        "refereed": Reason(
            "The service referees this game, so its hands go by themselves.",
            "Leave it alone; only dealt-only games are dealt by request.",
        ),
        "seal_differs": Reason(
            "The seed is not the one that the seat sealed.",
            "Send the text and the nonce of your seal.",
        ),
        "sealing_open": Reason(
            "Seeds are opened when every seat has sealed its own.",
            "Wait until the last seal is in, then send the same again.",
        ),
        "seed_given": Reason(
            "The seat has given another seed.",
            "Send exactly the one you sent before.",
        ),
        "seed_repeated": Reason(
            "Another seat has this very seal.",
            "Make a nonce of your own, and send its seal.",
        ),
        "seeds_awaited": Reason(
            "The next hand waits for its seeds.",
            "Ask for it again when every seat has contributed.",
        ),
        "seeds_locked": Reason(
            "The seeds are locked, so the deck can no longer change.",
            "Play on; this epoch is dealt without your seed.",
        ),
        "stale_version": Reason(
            "You decided on an older version of the game.",
            "Look at the events that came with this, and decide anew on that version.",
            {
                "expected": 41,
                "version": 43,
                "events": ["<record 42>", "<record 43>"],
                "has_more": False,
            },
        ),
        "stock_used_up": Reason(
            "The stock is used up.",
            "Score the hand, or abort it.",
        ),
    },
    422: {
        "bad_act": Reason(
            "The act is not written in its canonical form; docs/protocol.md 6.2 says how.",
            "Send one of the acts that GET .../choices lists, letter by letter.",
        ),
        "bad_field": Reason(
            "A field has a value that does not fit the others, or this game; the answer names it.",
            "Look at the game, and send the value that it waits for.",
        ),
        "beacon_delay": Reason(
            "The beacon's delay must be at least two of its rounds.",
            "Ask for a longer delay.",
            {"least": 6000},
        ),
        "hints_off": Reason(
            "The rules of this game have no hints.",
            "Decide without one; GET .../choices says what your seat may do.",
        ),
        "no_such_bot": Reason(
            "There is no bot of this name and version.",
            "Choose one of those that the facts name.",
            {"bots": ["steady@1"]},
        ),
        "no_such_chain": Reason(
            "The beacon's chain is not known here.",
            "Choose one of those that the facts name, or no beacon.",
            {"offered": []},
        ),
        "no_such_preset": Reason(
            "There is no ruleset of this name and version.",
            "Choose one of those that the facts name.",
            {"offered": ["classic@1"]},
        ),
        "record_too_large": Reason(
            "The record would be larger than the public log can hold, 65,535 bytes.",
            "Send less.",
            {"most": 65535},
        ),
        "reveal_by_out_of_range": Reason(
            "The master secret must be due in the future, within a year.",
            "Choose another date, or leave it out.",
            {"reveal_by": 1},
        ),
        "rules_conflict": Reason(
            "The fields of the ruleset contradict each other; docs/rules.md says how.",
            "Change one of the fields that the sentence names.",
            {"clashes": ["The game has no end: give it a target or a number of hands (CL-3)."]},
        ),
        "rules_incomplete": Reason(
            "The preset leaves open what the table must choose.",
            "Give the fields that the facts name as overrides.",
            {"missing": ["target"]},
        ),
        "ruleset_field": Reason(
            "The ruleset has no such field, or the field no such value; docs/rules.md lists them.",
            "Choose a field and a value from that list.",
            {"unknown": [], "missing": [], "wrong": ["decks"]},
        ),
        "seating_differs": Reason(
            "No dealt-only game of that name ended here with that record.",
            "Name the game in which the seats were drawn for, and its last record.",
        ),
        "signature_wrong": Reason(
            "The signature over your seed does not verify under the key sent with it.",
            "Sign the line of docs/protocol.md 2.4 with its line feed, or send neither.",
        ),
        "wrong_seats": Reason(
            "The ruleset is for another number of seats.",
            "Ask for as many seats as the facts say.",
            {"given": 2, "needed": 4},
        ),
    },
    503: {
        "records_damaged": Reason(
            "The stored records of the game contradict themselves; it stands still.",
            "Tell whoever runs the service.",
        ),
    },
}
