"""The request itself: how it is written, who sends it, and whether it can be taken."""

from collections.abc import Mapping
from typing import Final

from api.reasons.reason import Reason

REASONS: Final[Mapping[int, Mapping[str, Reason]]] = {
    400: {
        "bad_idempotency_key": Reason(
            "An idempotency key has 1 to 200 visible ASCII characters.",
            "Send a random key of letters and digits, or none.",
        ),
        "cut_body": Reason(
            "The body of the request broke off, or is framed wrongly.",
            "Send it again, with the same idempotency key.",
        ),
        "malformed": Reason(
            "The request cannot be read as what it should be; the answer names the place.",
            "Compare what you sent at that place with /openapi.json.",
            {"errors": [{"pointer": "/seats/0/kind", "sentence": "Neither human nor bot."}]},
        ),
        "token_in_address": Reason(
            "A token stands in the address, where logs and histories keep it.",
            "Send it in the Authorization header, and give out another one in its place.",
        ),
        "unknown_field": Reason(
            "The request has a field that does not exist here; perhaps it is misspelt.",
            "Leave it out, or write it as /openapi.json does.",
            {"errors": [{"pointer": "/colour", "sentence": "Unknown field."}]},
        ),
    },
    401: {
        "bad_key": Reason(
            "The token you sent is not known here, or is not sent as a bearer token.",
            "Send Authorization: Bearer TOKEN with a token that was given to you.",
        ),
        "key_expired": Reason(
            "The token you sent has ended.",
            "Ask whoever gave it out for another.",
            {"until": 1796000060000},
        ),
        "no_key": Reason(
            "This needs a token, sent as Authorization: Bearer TOKEN.",
            "Send the token of your site, or of your seat.",
        ),
    },
    403: {
        "mode_mismatch": Reason(
            "A test token opens nothing on a live service, nor a live one in test mode.",
            "Send a token of this service, or ask the service of the token's mode.",
            {"token": "test", "service": "live"},
        ),
        "read_only_key": Reason(
            "The key you sent may look at everything of its site, and change nothing.",
            "Use a key whose scope is full.",
        ),
        "sandbox_local_only": Reason(
            "A sandbox answers programs on its own machine alone, and no proxy.",
            "Run a service with keys, or call the sandbox straight from its machine.",
        ),
        "wrong_role": Reason(
            "The token you sent is of the other kind: an operator's, or a seat's.",
            "Send the token that this route's description asks for.",
        ),
    },
    404: {
        "no_such_code": Reason(
            "There is no refusal with this code.",
            "Look it up at /help.",
        ),
        "no_such_page": Reason(
            "There is nothing at this address.",
            "Look the address up at /docs.",
        ),
    },
    405: {
        "wrong_method": Reason(
            "The address exists, but not with this method.",
            "Use a method that the Allow header names.",
        ),
    },
    410: {
        "token_replaced": Reason(
            "Another token or claim was given out in place of this one; it alone counts.",
            "Use the newer one.",
        ),
    },
    413: {
        "too_large": Reason(
            "The body of the request is larger than any that is needed here.",
            "Send less; 65,536 bytes are the most.",
        ),
    },
    414: {
        "address_too_long": Reason(
            "The address of the request is longer than any that there is here.",
            "Compare it with /openapi.json; 2,048 bytes are the most.",
        ),
    },
    415: {
        "not_json": Reason(
            "The body has to be sent as application/json in UTF-8.",
            "Set Content-Type: application/json.",
        ),
    },
    422: {
        "idempotency_mismatch": Reason(
            "The idempotency key was used for another request.",
            "Make a new key for each new request.",
        ),
    },
    429: {
        "too_many_streams": Reason(
            "One token has only so many streams or polls open at a time.",
            "End one of them first.",
            {"most": 8},
        ),
    },
    431: {
        "headers_too_large": Reason(
            "The headers of the request are larger, or more, than anybody needs here.",
            "Send fewer and shorter ones; a proxy may have added some.",
        ),
    },
    500: {
        "broken": Reason(
            "Something broke on our side; it is not your fault, and it was noted.",
            "Quote the request id when you ask about it.",
        ),
    },
    503: {
        "busy": Reason(
            "All places to wait are taken.",
            "Try again in a moment, or read a page without waiting.",
        ),
        "log_behind": Reason(
            "What this rests on is not public in the log yet, or the log does not keep up.",
            "Repeat the same request in a moment; nothing was done.",
        ),
        "log_unreadable": Reason(
            "A file of the public log cannot be read just now.",
            "Ask again in a moment; if it lasts, tell whoever runs the service.",
        ),
        "store_closed": Reason(
            "The service is being stopped.",
            "Repeat the same request in a moment.",
        ),
        "store_failed": Reason(
            "The records cannot be kept or read just now.",
            "Repeat the same request; it happens once.",
        ),
        "store_slow": Reason(
            "The disk did not answer in time, and nobody knows whether it was kept.",
            "Repeat the same request to learn the outcome; it happens once.",
        ),
        "store_unavailable": Reason(
            "The database does not answer.",
            "Repeat the same request in a moment; it happens once.",
        ),
        "vault_shut": Reason(
            "A sealed secret does not open with the vault key of this service.",
            "Tell whoever runs the service.",
        ),
    },
}
