"""``fairdeal demo``: one whole game against bots over HTTP, proved by a separate program."""

import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import click

from fairdeal.bots import levels
from fairdeal.cli.client import Client
from fairdeal.cli.player import Player
from fairdeal.cli.quoting import quoted
from fairdeal.cli.server import LOOPBACK, Server
from fairdeal.fairness.lines import seed_sha256
from fairdeal.records.tablecode import grouped

ORIGIN: Final = "fairdeal.localhost/demo"
SEED_VARIABLE: Final = "FAIRDEAL_SEED"
_ROOT: Final = Path(__file__).resolve().parents[2]


def seed_text(given: str | None) -> str:
    """Give the seed: as given, else from the environment, else a fresh one.

    Raises:
        MalformedInput: It is longer than a seed may be, or no Unicode text (protocol §2.4).
    """
    seed = os.environ.get(SEED_VARIABLE, f"demo {secrets.token_hex(8)}") if given is None else given
    # Now, not when a whole game has been played and the verifier does not take it.
    seed_sha256(seed)
    return seed


def run(seed: str, out: Path, log: Path | None) -> int:
    """Play and prove one game; give the verifier's exit status.

    Args:
        seed: What the player types.
        out: Folder for the transcript and what the player keeps; one folder a game in it.
        log: Where the service's own output goes; None drops it.
    """
    began = time.monotonic()
    # First: a game that is over cannot be kept where this fails.
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fairdeal-demo-") as home:
        folder = Path(home) / "service"
        with (
            (log or Path(os.devnull)).open("ab") as sink,
            Server(folder, ORIGIN, sink, has_log=True) as server,
        ):
            player = _sit_down(server, seed)
            hands = _play(player)
            public = Client(LOOPBACK, server.port)
            transcript = public.get_bytes(f"/v1/games/{player.game}/transcript")
            public.close()
            player.client.close()
            vkey = (folder / "receipt.vkey").read_text(encoding="ascii").strip()
    kept = _keep(out / player.game, transcript, player)
    acts = sum(event["type"] == "act" for event in player.news)
    click.echo(
        f"\n{hands} hands, {acts} acts ({player.acts} of your seat), {player.version + 1} records, "
        f"{time.monotonic() - began:.1f} s"
    )
    return _verify(kept, player, vkey, seed)


def _sit_down(server: Server, seed: str) -> Player:
    operator = (server.folder / "operator.key").read_text(encoding="ascii").strip()
    site = Client(LOOPBACK, server.port, operator)
    created = site.send(
        "POST",
        "/v1/games",
        {
            "seats": [{"kind": "human"}] + [{"kind": "bot", "bot": levels.DEFAULT}] * 3,
            "clock": {"between_hands_s": 0},
        },
    )
    site.close()
    player = Player.sit_down(LOOPBACK, server.port, created["claims"][0]["claim"])
    click.echo(f"The service runs on {server.url}. You are seat 0, seat 2 is your partner.")
    click.echo("Seats 1 to 3 are bots. The service's secret is locked before your seed is given:")
    click.echo(f"  commitment  {player.open_hash}")
    click.echo(f"  table code  {grouped(created['table_code'])}")
    click.echo(f"Your seed: {seed!r}\n")
    player.give_seed(seed)
    return player


def _play(player: Player) -> int:
    """Play to the end, a line a hand; give the number of hands."""
    shown = hands = 0
    while True:
        acted = player.play_on()
        if not acted:
            player.catch_up()
        for event in player.news[shown:]:
            if event["type"] == "score":
                hands += 1
                click.echo(hand_line(event["body"]))
            if event["type"] == "master":
                return hands
        shown = len(player.news)
        if not acted:
            time.sleep(0.02)


def hand_line(body: dict[str, Any]) -> str:
    """Say how a hand ended and what it scored."""
    result = body["result"]
    if result["end"] == "WENT_OUT":
        who = {0: "you", 2: "your partner"}.get(result["seat"], f"seat {result['seat']}")
        how = f"{who} went out" + (" concealed" if result["concealed"] else "")
    else:
        how = {
            "STOCK_EXHAUSTED": "the stock ran out",
            "LAST_STOCK_RED3": "the last stock card was a red three",
        }.get(result["end"], "no play was left")
    ours, theirs = result["sides"]
    return (
        f"Hand {body['hand']:>2}: {how:<38} you {ours['hand']:>5}  they {theirs['hand']:>5}"
        f"   total {ours['total']:>5} : {theirs['total']}"
    )


def _keep(folder: Path, transcript: bytes, player: Player) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "receipts.txt").write_text("".join(player.receipts), encoding="utf-8")
    path = folder / "game.jsonl"
    path.write_bytes(transcript)
    return path


def _verify(transcript: Path, player: Player, vkey: str, seed: str) -> int:
    """Run the verifier as a process of its own, with what the player noted at the start."""
    shown = [
        "-m", "verifier", _near(transcript),
        "--commit", player.open_hash,
        "--log-key", vkey,
        "--receipts", _near(transcript.with_name("receipts.txt")),
        f"--seed=:{seed}", "--seat", str(player.seat),
    ]  # fmt: skip
    click.echo("\nThe verifier, a separate program that shares no code with the dealer, says:")
    sys.stdout.flush()
    ended = subprocess.run(  # noqa: S603  our own verifier
        [sys.executable, *shown], cwd=_ROOT, check=False
    )
    click.echo(f"\nTranscript: {_near(transcript)}")
    click.echo("Check it again:\n  " + " ".join(map(quoted, ["python3", *shown])))
    return ended.returncode


def _near(path: Path) -> str:
    """Name a path as one types it from the project's folder."""
    try:
        return str(path.resolve().relative_to(_ROOT))
    except ValueError:
        return str(path.resolve())
