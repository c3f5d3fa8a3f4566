"""Where a list goes on, as an opaque word."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from fairdeal.errors import MalformedInput


def to_word(behind: tuple[int, str] | None) -> str:
    """Return the word for a place in a list, a time with a name; empty at its end."""
    if behind is None:
        return ""
    return urlsafe_b64encode(f"{behind[0]}:{behind[1]}".encode()).rstrip(b"=").decode("ascii")


def from_word(word: str | None) -> tuple[int, str] | None:
    """Return the place for which a word stands; None for none.

    Raises:
        MalformedInput: `malformed`: no list gave this word.
    """
    if word is None:
        return None
    try:
        made, _, name = urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode().partition(":")
        place = (int(made), name)
    except ValueError:
        place = (-1, "")
    if to_word(place) != word or not 0 <= place[0] < 2**53:
        raise MalformedInput("malformed", "At /cursor: Not a cursor that a list gave.")
    return place
