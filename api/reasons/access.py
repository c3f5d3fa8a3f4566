"""Keys, claims, watchers, seats and rooms: who may come where."""

from collections.abc import Mapping
from typing import Final

from api.reasons.reason import Reason

REASONS: Final[Mapping[int, Mapping[str, Reason]]] = {
    403: {
        "host_only": Reason(
            "Only the host of the room and its operator may do this.",
            "Ask the host.",
        ),
        "not_your_game": Reason(
            "The game or room belongs to another site, or the token is for another one.",
            "Use the token of the site that made it, or that was given out for it.",
        ),
        "not_your_seat": Reason(
            "The token you sent belongs to another seat, or to another game.",
            "Use the token that you got for this seat.",
        ),
        "watch_closed": Reason(
            "Until the game is over, only those whom its site chose may watch it.",
            "Ask the site for a watcher's token, or wait for the game's end.",
        ),
    },
    404: {
        "no_such_claim": Reason(
            "Nobody gave out this claim, or it was taken back.",
            "Copy the whole link again, or ask whoever sent it.",
        ),
        "no_such_key": Reason(
            "The site has no key of this name, or it has ended.",
            "List the site's keys.",
        ),
        "no_such_room": Reason(
            "There is no room with this name.",
            "Compare the name with the one that opening the room gave.",
        ),
        "no_such_seat": Reason(
            "There is no such seat, or no human sits there.",
            "Count seats from 0, as the game or room lists them.",
        ),
        "no_such_ticket": Reason(
            "There is no ticket of this name.",
            "Compare the name with the one that quick match gave.",
        ),
        "no_such_watcher": Reason(
            "There is no watcher of this name.",
            "List the game's watchers.",
        ),
    },
    409: {
        "bot_plays": Reason(
            "A bot plays this seat until the game is over.",
            "Take the seat then.",
        ),
        "game_running": Reason(
            "That cannot be done while the room's game is running.",
            "Wait for its end, or close it.",
        ),
        "last_key": Reason(
            "It is the site's last full key that does not end.",
            "Make another one first.",
        ),
        "match_started": Reason(
            "The player is in the game that quick match started.",
            "The player may leave the room.",
        ),
        "nobody_seated": Reason(
            "Nobody is seated who could play.",
            "Invite somebody first.",
        ),
        "not_ready": Reason(
            "Not everybody who is seated is ready; the facts name the seats.",
            "Wait for them.",
            {"seats": [0, 1]},
        ),
        "room_filling": Reason(
            "Quick match brings players to this room for the game as it is.",
            "Wait for the game's end, or open another room.",
        ),
        "room_moved": Reason(
            "Somebody else changed the room first.",
            "Look at the room again and decide anew.",
            {"expected": 4, "version": 5},
        ),
        "seat_is_bot": Reason(
            "A bot has this seat.",
            "Remove the bot first.",
        ),
        "seat_not_claimed": Reason(
            "Nobody sits there, or whoever does is leaving.",
            "Choose a seat on which somebody sits.",
        ),
        "seat_taken": Reason(
            "Somebody holds this seat.",
            "Release or reissue it first.",
        ),
        "too_many": Reason(
            "There are as many of these already as there may be.",
            "Take one away first.",
            {"most": 100},
        ),
    },
    410: {
        "claim_expired": Reason(
            "The claim has ended.",
            "Ask your site for another one.",
            {"until": 1796000060000},
        ),
        "claim_used": Reason(
            "Each claim gives its seat's token once, and this one was used before.",
            "If it was you, repeat the same request; else ask your site for another claim.",
        ),
        "room_closed": Reason(
            "The room is closed.",
            "Open another one.",
        ),
    },
    422: {
        "not_in_a_room": Reason(
            "A room plays games that this service referees.",
            "Open a dealt-only game by itself.",
        ),
        "until_out_of_range": Reason(
            "What is given out must end in the future, within a year.",
            "Choose another date, or leave it out.",
        ),
    },
}
