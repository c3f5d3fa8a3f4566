"""Whom an auditor trusts: the policy file that a log publishes (C2SP tlog-policy)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from fairdeal.errors import MalformedInput
from fairdeal.records.notes import VerifyingKey, parse_vkey
from fairdeal.tlog.cosignature import WitnessKey, parse_witness_key

MAX_POLICY: Final = 65_536
_Key = TypeVar("_Key")

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_URL: Final = re.compile(r"https?://[!-~]{1,500}")


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness as a policy names it.

    Attributes:
        key: Its public key.
        url: Its submission prefix; empty where the policy is only for checking.
    """

    key: WitnessKey
    url: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """A log's keys, its witnesses, and how many of them have to have signed.

    Attributes:
        logs: The keys of the log.
        witnesses: In order.
        quorum: So many of the witnesses; 0 for none.
    """

    logs: tuple[VerifyingKey, ...]
    witnesses: tuple[Witness, ...] = ()
    quorum: int = 0

    @property
    def text(self) -> str:
        """The policy file."""
        names = [f"w{at}" for at in range(1, len(self.witnesses) + 1)]
        lines = [f"log {key.text}" for key in self.logs]
        lines += [
            " ".join(filter(None, ("witness", name, one.key.text, one.url)))
            for name, one in zip(names, self.witnesses, strict=True)
        ]
        if self.quorum:
            lines += [f"group g {self.quorum} {' '.join(names)}", "quorum g"]
        else:
            lines.append("quorum none")
        return "".join(f"{line}\n" for line in lines)


def parse_policy(text: str) -> Policy:
    """Read a policy file whose quorum is none, one witness, or one group of witnesses.

    A group may say `any`, `all` or a number. Empty lines and those that begin with `#` are passed
    over.

    Raises:
        MalformedInput: `bad_policy`: with the number of the line; also for groups of groups, which
            are not read here.
    """
    if len(text) > MAX_POLICY:
        raise MalformedInput("bad_policy", f"The policy has more than {MAX_POLICY} characters.")
    logs: list[VerifyingKey] = []
    witnesses: dict[str, Witness] = {}
    groups: dict[str, tuple[int, frozenset[str]]] = {}
    quorum: tuple[int, frozenset[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        match words:
            case ["log", vkey, *rest] if len(rest) <= 1:
                logs.append(_read(parse_vkey, vkey, number))
            case ["witness", name, vkey, *rest] if _is_new(name, witnesses, groups) and _is_url(
                rest
            ):
                witnesses[name] = Witness(_read(parse_witness_key, vkey, number), *rest)
            case ["group", name, count, *members] if _is_new(name, witnesses, groups):
                groups[name] = (_count(count, members, number), _known(members, witnesses, number))
            case ["quorum", "none"] if quorum is None:
                quorum = 0, frozenset()
            case ["quorum", name] if quorum is None and name in witnesses:
                quorum = 1, frozenset({name})
            case ["quorum", name] if quorum is None and name in groups:
                quorum = groups[name]
            case _:
                raise _bad(number)
    if not logs or quorum is None:
        raise MalformedInput("bad_policy", "The policy names no log, or no quorum.")
    needed, counted = quorum
    kept = tuple(one for name, one in witnesses.items() if not counted or name in counted)
    return Policy(tuple(logs), kept, needed)


def _read(parse: Callable[[str], _Key], vkey: str, number: int) -> _Key:
    try:
        return parse(vkey)
    except MalformedInput:
        raise _bad(number) from None


def _is_new(name: str, *taken: Mapping[str, object]) -> bool:
    return _NAME.fullmatch(name) is not None and not any(name in one for one in (*taken, "none"))


def _is_url(words: list[str]) -> bool:
    return not words or (len(words) == 1 and _URL.fullmatch(words[0]) is not None)


def _count(word: str, members: list[str], number: int) -> int:
    count = {"any": 1, "all": len(members)}.get(word)
    if count is None and re.fullmatch(r"[1-9][0-9]{0,3}", word):
        count = int(word)
    if count is None or not 1 <= count <= len(members):
        raise _bad(number)
    return count


def _known(members: list[str], witnesses: Mapping[str, Witness], number: int) -> frozenset[str]:
    if len(set(members)) != len(members) or not set(members) <= set(witnesses):
        raise _bad(number)
    return frozenset(members)


def _bad(number: int) -> MalformedInput:
    return MalformedInput("bad_policy", f"Line {number} of the policy is not understood.")
