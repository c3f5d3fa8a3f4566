"""Which check of a report an error belongs to (§3.4)."""

from typing import Final

from verifier.bodies import Open
from verifier.findings import Finding

# Which check an error belongs to; what is not listed here is a matter of order.
CODES: Final[dict[str, frozenset[str]]] = {
    "chain": frozenset({"E_GAME_MIXED", "E_SEQUENCE", "E_CHAIN_BROKEN", "E_TIME_REVERSED"}),
    "commitment": frozenset({"E_PINNED_COMMIT"}),
    "receipts": frozenset({"E_ORIGIN", "E_EQUIVOCATION", "E_TRUNCATED"}),
    "checkpoints": frozenset(
        {
            "E_CHECKPOINT_SIGNATURE",
            "E_WITNESS_QUORUM",
            "E_LOG_TRUNCATED",
            "E_LOG_ROOT",
            "E_PROOF",
            "E_GAME_ID_REUSED",
            "E_NOT_IN_LOG",
        }
    ),
    "seating": frozenset({"E_SEATING"}),
    "seeds": frozenset(
        {
            "E_SEAL_AFTER_SEALED",
            "E_SHARE_BEFORE_SEALED",
            "E_SEAT_TWICE",
            "E_SEAL_COPIED",
            "E_SEALED_LIST",
            "E_SHARE_WITHOUT_SEAL",
            "E_SEAL_OPENING",
            "E_SHARE_MISSING",
            "E_LOCK_SHARES",
        }
    ),
    "beacon": frozenset(
        {
            "E_BEACON_CHAIN",
            "E_BEACON_DELAY",
            "E_BEACON_ROUND",
            "E_BEACON_EARLY",
            "E_BEACON_MISSING",
        }
    ),
    "beacon signatures": frozenset({"E_BEACON_SIGNATURE"}),
    "player signatures": frozenset({"E_PLAYER_SIGNATURE"}),
    "own seed": frozenset({"E_OWN_SEED"}),
    "deals": frozenset(
        {
            "E_COMMIT_REUSED",
            "E_FIRST_SEAT",
            "E_HAND_OPENING",
            "E_DEAL_HANDS",
            "E_DEAL_UPCARD",
            "E_DEAL_LAID",
            "E_DEAL_STOCK",
        }
    ),
    "own cards": frozenset({"E_OWN_HAND", "E_SHOWN_OTHER_CARD"}),
    "rules": frozenset(
        {
            "E_ACT_FORM",
            "E_ACT_TURN",
            "E_ACT_PILE",
            "E_ACT_CARD",
            "E_ACT_RULE",
            "E_ACT_RED_THREE",
            "E_HAND_END",
            "E_SCORE_TOTAL",
            "E_SCORE_LINES",
        }
    ),
    "game end": frozenset({"E_GAME_END"}),
    "master": frozenset({"E_MASTER_OPENING", "E_HAND_NOT_FROM_MASTER"}),
    "deadline": frozenset({"E_REVEAL_WITHHELD"}),
}


def check_of(error: Finding, terms: Open | None) -> str:
    """Return the name of the check that an error is a fault of."""
    if error.code == "E_DRAW_ORDER":
        return "rules" if terms and terms.is_refereed else "order"
    return next((name for name, codes in CODES.items() if error.code in codes), "order")
