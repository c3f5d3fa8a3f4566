"""What the quick reading of `--fast` refuses; the verifier then says what is wrong, if anything."""


class NotPlain(Exception):
    """This is no finished game that fits itself as far as it was read: the verifier's case."""


def hold(fits: object, why: str) -> None:
    """Go on only where something fits.

    Raises:
        NotPlain: It does not.
    """
    if not fits:
        raise NotPlain(why)
