"""Lines and writes for the store tests; a store reads no line, so these say little."""

from fairdeal.store.ports import NEW_GAME, StoredLine, Write

GAME = "gaaaaaaaaaaaaaaaa"


def line(n, type_="act", hand=None, game=GAME, mark=""):
    text = f'{{"game":"{game}","n":{n},"type":"{type_}"{mark}}}\n'.encode()
    return StoredLine(n=n, type=type_, hand=hand, text=text)


def opening(game=GAME, **more):
    return Write(game=game, lines=(line(0, "open", game=game),), **more)


def acts(after, count=1, game=GAME, mark=""):
    lines = tuple(line(after + 1 + i, game=game, mark=mark) for i in range(count))
    return Write(game=game, after=after, lines=lines)


__all__ = ["GAME", "NEW_GAME", "acts", "line", "opening"]
