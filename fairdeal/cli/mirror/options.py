"""Options of every command that reads a log: where its mirror is, and whom to trust."""

import os
from hashlib import sha256
from pathlib import Path

import click

from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.prefix import parse_prefix
from fairdeal.errors import MalformedInput
from fairdeal.records.notes import parse_vkey
from fairdeal.tlog.policy import MAX_POLICY, Policy, parse_policy

log_key_option = click.option(
    "--log-key", "log_keys", multiple=True, help="A key of the log to trust, NAME+KEYID+BASE64."
)
policy_option = click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A policy file to trust; from somewhere else than the log.",
)
quorum_option = click.option(
    "--quorum", type=click.IntRange(0, 1000), help="So many witnesses of it have to have signed."
)


def read_trust(log_keys: tuple[str, ...], policy: Path | None, quorum: int | None) -> Trust | None:
    """Return whom the caller trusts; None where it is left to the log.

    Raises:
        click.UsageError: A key or a file that is none, or a quorum of no witnesses.
    """
    try:
        if policy is not None:
            with policy.open("rb") as file:
                told = parse_policy(file.read(MAX_POLICY + 1).decode("utf-8", "replace"))
        elif log_keys:
            told = Policy(())
        elif quorum is None:
            return None
        else:
            raise click.UsageError("--quorum counts the witnesses of --policy")
        keys = (*told.logs, *map(parse_vkey, log_keys))
    except MalformedInput as fault:
        raise click.UsageError(fault.sentence) from fault
    needed = told.quorum if quorum is None else quorum
    if needed > len(told.witnesses):
        raise click.UsageError(f"--quorum {needed} of {len(told.witnesses)} witnesses cannot be")
    return Trust(Policy(keys, told.witnesses, needed), is_pinned=True)


def mirror_place(prefix: str, given: Path | None) -> Path:
    """Return the folder of a log's mirror: the one given, or one in the user's own state folder.

    Raises:
        click.UsageError: The address is none.
    """
    if given is not None:
        return given
    try:
        address = parse_prefix(prefix).text
    except MalformedInput as fault:
        raise click.UsageError(fault.sentence) from fault
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    name = sha256(address.encode()).hexdigest()[:16]
    return Path(home) / "fairdeal" / "mirrors" / name
