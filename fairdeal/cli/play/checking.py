"""Has each opened hand and the whole game checked, and says where the two files are."""

from fairdeal.cli.play import scored
from fairdeal.cli.play.kept import Folder, Seat
from fairdeal.cli.play.picture import Picture
from fairdeal.cli.play.remote import Remote
from fairdeal.cli.play.screen import Screen
from fairdeal.cli.play.story import Story
from fairdeal.cli.retell import left_in_hands


class Check:
    """Checks one seat's game.

    Args:
        screen: Where it is told.
        remote: Speaks with the seat's token.
        folder: Where the two files go.
    """

    def __init__(self, screen: Screen, remote: Remote, folder: Folder) -> None:
        self._screen = screen
        self._remote = remote
        self._folder = folder
        self._picture = Picture(screen)

    def hand(self, hand: int, seat: Seat, story: Story) -> None:
        """Say whether a hand that was opened checks out, and what the others had left."""
        self._fetch(seat)
        found = scored.verify(self._folder, seat)
        self._screen.say(scored.hand_told(found, hand))
        for number, faces in enumerate(left_in_hands(self._folder.transcript)[hand]):
            if faces and number != seat.seat:
                self._screen.show(self._picture.left(story.names.short[number], faces))

    def game(self, seat: Seat, story: Story) -> int:
        """Say what the verifier says of the whole game; give its exit status."""
        self._fetch(seat)
        found = scored.verify(self._folder, seat)
        screen, folder = self._screen, self._folder
        screen.say()
        screen.say(scored.winners(story))
        screen.say("The verifier, a separate program that shares no code with the dealer, says:")
        for line in scored.said(folder, seat, whole=found["status"] != 0):
            screen.say(line, "bold")
        if found["status"] == 0:
            screen.say(scored.SHOWN)
        screen.say(scored.NOT_SHOWN)
        screen.say("Kept, to check again on any machine, without a network:")
        screen.copyable(f"  {folder.transcript}   the game's record")
        screen.copyable(f"  {folder.mine}   what you were shown, and your cut")
        screen.say("Check it again:")
        screen.copyable(f"  {scored.again(folder, seat)}")
        return int(found["status"])

    def _fetch(self, seat: Seat) -> None:
        """Keep the game's record so far and what the seat was shown, with its cuts."""
        mine = self._remote.get(f"/v1/games/{seat.game}/my-record")
        known = {one.epoch: one for one in seat.cuts}
        for seed in mine["seeds"]:
            if seed["epoch"] in known:
                one = known[seed["epoch"]]
                seed.update(text=one.text, nonce=one.nonce)
        transcript = self._remote.get_bytes(f"/v1/games/{seat.game}/transcript")
        self._folder.keep_files(transcript, mine)
