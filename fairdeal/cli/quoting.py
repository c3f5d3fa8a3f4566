"""Writes commands as one types them in a shell."""

import shlex


def quoted(argument: str) -> str:
    """Write an argument as one types it in a shell (bash, zsh, ksh), in visible characters.

    A control character would not survive being copied from a screen, or would steer it.
    """
    if argument.isprintable():
        return shlex.quote(argument)
    visible = (
        f"\\{char}"
        if char in "\\'"
        else char
        if char.isprintable()
        else "".join(f"\\x{byte:02x}" for byte in char.encode())
        for char in argument
    )
    return f"$'{''.join(visible)}'"
