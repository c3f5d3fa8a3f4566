"""Every error that fairdeal raises on purpose.

FairdealError
├── MalformedInput      does not parse; nothing was looked at            (HTTP 400)
├── NotAllowed          this caller may not do that                      (HTTP 403)
│   └── NotIdentified   nobody knows who the caller is                   (HTTP 401)
├── NotFound            there is no such thing                           (HTTP 404)
│   └── Gone            there was one, it is used up                     (HTTP 410)
├── Conflict            not now: the state is another                    (HTTP 409)
│   └── StaleVersion    decided on an older version of the game
├── RuleBroken          well-formed, the rules of the game forbid it     (HTTP 422)
├── Unprocessable       well-formed, but this service cannot take it     (HTTP 422)
├── TooMany             this caller has as much of it as there may be    (HTTP 429)
├── Busy                there is no room for it just now                 (HTTP 503)
└── StorageFailure      the store could not keep it; nothing was done    (HTTP 503)

Each carries a stable ``code`` (snake case, never reused), a ``sentence`` for people and
``facts`` for programs. HTTP statuses live in ``api``, in one table.
"""

from collections.abc import Mapping


class FairdealError(Exception):
    """The root: a refusal with a code, a sentence and facts.

    Args:
        code: Stable, snake case; what programs compare.
        sentence: What a person reads, second person, one sentence.
        facts: JSON values that explain it; never anything the caller may not see.
    """

    def __init__(self, code: str, sentence: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.facts: Mapping[str, object] = dict(facts or {})

    def __reduce__(self) -> tuple[object, ...]:
        """Let it pass between processes, whatever its class takes to be made."""
        return _again, (type(self), self.args, self.__dict__)


def _again(
    kind: type[FairdealError], args: tuple[object, ...], state: dict[str, object]
) -> FairdealError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class MalformedInput(FairdealError, ValueError):
    """The input does not parse or has the wrong shape."""


class NotAllowed(FairdealError):
    """The caller may not do this."""


class NotIdentified(NotAllowed):
    """The caller shows no token, or one that nobody gave out."""


class NotFound(FairdealError):
    """There is no such game, seat or file."""


class Gone(NotFound):
    """There was such a thing, and it is used up for good."""


class Conflict(FairdealError):
    """The game is in a state in which this cannot be done."""


class StaleVersion(Conflict):
    """The caller decided on an older version of the game.

    Args:
        expected: The number of the newest record that the caller knew.
        version: The number of the game's newest record.
        missed: What the caller may know of the records since, as facts.
    """

    def __init__(
        self, expected: int, version: int, missed: Mapping[str, object] | None = None
    ) -> None:
        what = "moved on" if expected < version else "not got so far"
        super().__init__(
            "stale_version",
            f"The game has {what}: you decided on version {expected}, it is at {version}.",
            {"expected": expected, "version": version, **(missed or {})},
        )
        self.version = version


class RuleBroken(FairdealError):
    """A rule of the game forbids a well-formed act.

    Args:
        codes: Every rule that the act breaks, most specific first, upper case as in rules.md.
        sentence: What a person reads about the first of them.
        rule: Its number in docs/rules.md.
        facts: What it rests on, beside the codes and the rule.
    """

    def __init__(
        self,
        codes: tuple[str, ...],
        sentence: str,
        rule: str = "",
        facts: Mapping[str, object] | None = None,
    ) -> None:
        every = {"broken": list(codes), "rule": rule, **(facts or {})}
        super().__init__(codes[0].lower(), sentence, every)
        self.codes = codes
        self.rule = rule


class Unprocessable(FairdealError):
    """Understood, but outside what this service offers."""


class TooMany(FairdealError):
    """The caller has as much of it at a time as there may be."""


class Busy(FairdealError):
    """There is no room for it just now; the caller may try again."""


class StorageFailure(FairdealError):
    """The store could not write; the caller may try again."""

    @property
    def cause(self) -> str:
        """The class of what lies behind it, by SQLite's name for it where it has one."""
        behind = self.__cause__
        return str(getattr(behind, "sqlite_errorname", type(behind).__name__)) if behind else "-"
