"""What the player holds says otherwise, and forms that no refereed record may have (§3.1, §6.1)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from fairdeal.records.notes import SigningKey
from scripts.vectors.folder import pinning, receipt, receipts
from scripts.vectors.lies import Lie, Tell, keeps_code, keeps_receipts
from scripts.vectors.script import Script, Written, as_written
from scripts.vectors.sitting import KEY, OTHER_KEY

_ELSEWHERE: Final = SigningKey("deal.example/elsewhere", b"fairdeal vectors: elsewhere key.")


def _relabelled(script: Script) -> int:
    """Make record 0 anew after the seeds: the first seat has another name."""
    script.entries[0].body["seats"][0]["label"] = "somebody else"
    return 0


def _keeps_commit(script: Script, written: Written) -> dict[str, Any]:
    """Hold the hash of the honest record 0, and the receipts of the file."""
    held = receipts(written, [pinning(script.sitting), len(written.lines) - 1])
    return {"commit": as_written(script.sitting.records).hashes[0]} | held


def _later(script: Script) -> int:
    """Say that an act came a millisecond later."""
    place = script.at("act", nth=7)
    script.entries[place].t += 1
    return place


def _keeps_both(script: Script, written: Written) -> dict[str, Any]:
    """Hold the receipt of that act as it was, beside those of the file."""
    honest = as_written(script.sitting.records)
    held = keeps_receipts(script, written)
    held["receipts"].insert(1, receipt(honest, script.at("act", nth=7)))
    return held


def _cut(script: Script) -> int:
    """Leave out all after the second hand's deal; the player holds a receipt of the end."""
    del script.entries[script.at("deal", hand=2) + 1 :]
    return len(script.sitting.records) - 1


def _keeps_the_end(script: Script, written: Written) -> dict[str, Any]:
    honest = as_written(script.sitting.records)
    held = keeps_receipts(script, written)
    held["receipts"].append(receipt(honest, len(honest.lines) - 1))
    return held


def _keeps_other_text(script: Script, written: Written) -> dict[str, Any]:
    held = keeps_receipts(script, written)
    return held | {"own_seed": {"seat": 0, "text": "three crows on a wire "}}


def _keeps_other_cards(script: Script, written: Written) -> dict[str, Any]:
    """Hold other cards, without the salt that could show it."""
    shown = script.sitting.shown(2, 0)
    cards = shown["cards"]
    assert isinstance(cards, list)
    cards[3] = next(card for card in range(108) if card not in cards)
    del shown["salt"]
    return keeps_receipts(script, written) | {"hand_cards": [shown]}


def _keeps_foreign(_script: Script, written: Written) -> dict[str, Any]:
    """Hold a receipt under a key of another name, and take that name's key for the service's."""
    note = receipt(written, len(written.lines) - 1, _ELSEWHERE)
    return {"log_vkey": _ELSEWHERE.vkey, "receipts": [note]}


def _keeps_forged(_script: Script, written: Written) -> dict[str, Any]:
    """Hold a receipt that a stranger signed in the service's name."""
    note = receipt(written, len(written.lines) - 1, OTHER_KEY)
    return {"log_vkey": KEY.vkey, "receipts": [note]}


def _nothing(_script: Script) -> None:
    return None


def _form(change: Callable[[dict[str, Any]], None], kind: str = "open") -> Tell:
    """Change a body so that it is no longer one."""

    def tell(script: Script) -> int:
        place = script.at(kind)
        change(script.entries[place].body)
        return place

    return tell


def _ruleset(**fields: object) -> Tell:
    return _form(lambda body: body["rules"]["play"]["ruleset"].update(fields))


def _custody(body: dict[str, Any]) -> None:
    body["rules"]["play"]["custody"][1] = "player"


def _sides(body: dict[str, Any]) -> None:
    body["rules"]["play"]["sides"] = [[0, 1], [2, 3]]


def _steps(body: dict[str, Any]) -> None:
    body["rules"]["steps"].reverse()


def _field_left_out(body: dict[str, Any]) -> None:
    del body["rules"]["play"]["ruleset"]["red3_table"]


def _malformed(slug: str, title: str, tell: Tell) -> Lie:
    return Lie(
        of="V05a",
        slug=slug,
        title=title,
        error="E_SCHEMA",
        verdict="MALFORMED",
        keeps=keeps_code,
        tell=tell,
    )


def _held() -> Iterator[Lie]:
    yield Lie(
        of="V05a",
        slug="record-0-anew",
        title="record 0 is not the one that the player noted",
        error="E_PINNED_COMMIT",
        tell=_relabelled,
        keeps=_keeps_commit,
    )
    yield Lie(
        of="V05a",
        slug="two-versions",
        title="the player holds a receipt of another version of an act",
        error="E_EQUIVOCATION",
        tell=_later,
        keeps=_keeps_both,
    )
    yield Lie(
        of="V05a",
        slug="cut",
        title="the file is shorter than what was signed",
        error="E_TRUNCATED",
        verdict="INVALID",
        tell=_cut,
        keeps=_keeps_the_end,
    )
    yield Lie(
        of="V05a",
        slug="other-text",
        title="the player says to have typed a text with a blank behind",
        error="E_OWN_SEED",
        verdict="INVALID",
        tell=lambda script: script.at("share"),
        keeps=_keeps_other_text,
    )
    yield Lie(
        of="V05a",
        slug="other-cards",
        title="the player says to have been shown another card",
        error="E_OWN_HAND",
        verdict="INVALID",
        tell=lambda script: script.at("deal", hand=2),
        keeps=_keeps_other_cards,
    )
    yield Lie(
        of="V05a",
        slug="other-origin",
        title="a receipt under a key of another name",
        error="E_ORIGIN",
        verdict="INVALID",
        tell=lambda _script: 0,
        keeps=_keeps_foreign,
    )
    yield Lie(
        of="V02a",
        slug="forged-receipt",
        title="a receipt that a stranger signed in the service's name",
        error=None,
        verdict="VALID",
        warning="W_RECEIPT_UNUSABLE",
        tell=_nothing,
        keeps=_keeps_forged,
    )


def _forms() -> Iterator[Lie]:
    yield _malformed("strange-by", "an unknown word in by", _form(_robot, "act"))
    yield _malformed("custody", "a bot's seat in a player's custody", _form(_custody))
    yield _malformed("sides", "other sides than the ruleset gives", _form(_sides))
    yield _malformed("steps", "the steps in another order", _form(_steps))
    yield _malformed("field-left-out", "a field of the ruleset is left out", _form(_field_left_out))
    yield _malformed("decks-out-of-range", "a value out of its range", _ruleset(decks=7))
    yield _malformed("no-end", "a clash: neither target nor max_hands", _ruleset(target=None))


def _robot(body: dict[str, Any]) -> None:
    body["by"] = "robot"


LIES: Final = (*_held(), *_forms())
