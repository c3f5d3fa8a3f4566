"""The address of a log, below which its files are."""

import re
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import MalformedInput

_ADDRESS: Final = re.compile(
    r"(https?)://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?(/[!-~]{0,500})?"
)


@dataclass(frozen=True, slots=True)
class Prefix:
    """Where a log is read: the address that its paths are put behind.

    Attributes:
        scheme: http or https.
        host: A name or an address.
        port: 1 to 65535.
        path: Begins and ends with a slash.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def text(self) -> str:
        """The address, as people write it."""
        usual = {"http": 80, "https": 443}[self.scheme]
        port = "" if self.port == usual else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}{self.path}"


def is_address(text: str) -> bool:
    """Say whether somebody means an address, not a folder."""
    return text.startswith(("http://", "https://"))


def parse_prefix(text: str) -> Prefix:
    """Read the address of a log.

    Raises:
        MalformedInput: `bad_prefix`: no address, or one with a user, a query or a fragment.
    """
    match = _ADDRESS.fullmatch(text)
    if match is None or any(sign in text for sign in "?#@"):
        raise MalformedInput(
            "bad_prefix", "The address of a log is http(s)://HOST/PATH/, with no query and no user."
        )
    port = int(match[3] or {"http": 80, "https": 443}[match[1]])
    if not 1 <= port <= 65_535:
        raise MalformedInput("bad_prefix", f"There is no port {port}.")
    return Prefix(match[1], match[2], port, (match[4] or "/").rstrip("/") + "/")
