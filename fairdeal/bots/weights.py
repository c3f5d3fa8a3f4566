"""What ``appraisal`` adds up, in eighths of a point: fitted to hands played out by ``fast``.

Fitted by least squares to 12,000 hands of the classic ruleset, in three ranges of the stock.
"""

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """Worth of what a side has, in eighths of a point.

    Attributes:
        held: By the state of the rank's meld and how many a seat holds, 0 to 4.
        meld: By its state.
        wild: By whether the side has opened and how many a seat holds, 0 to 4.
        size: By whether the side has a canasta and how many cards a seat holds, 0 to 15.
        canastas: By their number, 0 to 3.
        need: Of a side that has not opened, by the band of its minimum.
        red: A red three, by whether the side has opened.
        point: A point of the cards held.
        laid: A point of the cards on the table.
        black3: A black three in a holding.
        turn: To be in turn: always, if the pile can be taken, a card of it then, and a card of
            a pile that cannot be taken, open or frozen.
    """

    held: tuple[tuple[int, ...], ...]
    meld: tuple[int, ...]
    wild: tuple[tuple[int, ...], ...]
    size: tuple[tuple[int, ...], ...]
    canastas: tuple[int, ...]
    need: tuple[int, ...]
    red: tuple[int, ...]
    point: int
    laid: int
    black3: int
    turn: tuple[int, int, int, int, int]


WEIGHTS: Final = (
    Weights(
        held=(
            (0, -447, -264, -754, -394),
            (0, -401, -8, -1455, -668),
            (0, 250, 1007, -407, 137),
            (0, -475, -141, -686, -92),
            (0, -799, 670, 1451, 855),
            (0, 582, 1478, 1200, 53),
            (0, 617, 1258, 0, 0),
            (0, 803, 0, 0, 0),
            (0, -18, 414, 1166, 1255),
            (0, -468, 685, 441, -134),
            (0, 942, 379, 25, 0),
            (0, -94, 0, 0, 0),
            (0, -438, 198, 218, 0),
        ),
        meld=(0, 0, 0, 0, 6, -184, 663, 1573, 46, 796, 947, 3749, 2227),
        wild=(
            (-1107, 556, 681, 1005, 865),
            (-1046, -482, -178, -11, -284),
        ),
        size=(
            (0, -1497, -613, -192, -388, -93, -301, -334, 872, 328, -19, 365, 699, 599, 1038, 202),
            (0, -287, -394, -497, -419, -119, -538, -529, -695, 8, 233, 362, 24, 998, 417, 772),
        ),
        canastas=(332, -124, -479, 271),
        need=(991, 1079, 530, -1599),
        red=(972, 1204),
        point=-4,
        laid=7,
        black3=-156,
        turn=(477, -838, 323, -4, -31),
    ),
    Weights(
        held=(
            (0, -607, -217, -693, -355),
            (0, -453, -613, -1182, -1180),
            (0, 76, 311, 35, 200),
            (0, -381, -410, -279, -146),
            (0, 224, 816, 1552, 845),
            (0, 503, 1454, 1360, 52),
            (0, 874, 1480, 0, 0),
            (0, 931, 0, 0, 0),
            (0, -502, 356, 1226, 1325),
            (0, -790, 755, 490, -134),
            (0, 1070, 379, 25, 0),
            (0, -97, 0, 0, 0),
            (0, -362, 235, 218, 0),
        ),
        meld=(0, 0, 0, 0, -84, 115, 478, 1231, 66, 412, 961, 3828, 2519),
        wild=(
            (-323, 1052, 306, 360, 288),
            (-977, -455, -25, 557, -783),
        ),
        size=(
            (0, -1126, -545, -162, -111, 21, -774, -600, -290, 280, 582, 638, 698, 599, 1038, 202),
            (0, -364, -599, -634, -393, -385, -373, -447, -164, -133, 495, 544, -36, 975, 320, 743),
        ),
        canastas=(225, 115, -221, -119),
        need=(991, 1131, 145, -1426),
        red=(297, 1114),
        point=3,
        laid=9,
        black3=-280,
        turn=(449, -899, 303, -31, -32),
    ),
    Weights(
        held=(
            (0, -363, -539, -847, -612),
            (0, -623, -961, -1208, -878),
            (0, -179, -218, -310, 68),
            (0, -422, -544, -732, -129),
            (0, 94, 527, 1794, 1276),
            (0, 520, 1626, 1669, 73),
            (0, 660, 1703, 0, 0),
            (0, 1167, 0, 0, 0),
            (0, -66, 377, 1314, 1664),
            (0, 96, 928, 638, -200),
            (0, 1258, 543, 36, 0),
            (0, -103, 0, 0, 0),
            (0, -690, 275, 323, 0),
        ),
        meld=(0, 0, 0, 0, -48, 87, 421, 1243, 33, 441, 1002, 3761, 2324),
        wild=(
            (-605, 405, 812, 1199, 1020),
            (-1433, -1005, -430, -99, 137),
        ),
        size=(
            (0, -1051, -923, -697, -620, -444, -299, -194, 26, 250, 250, 360, 855, 785, 1359, 375),
            (0, -565, -730, -675, -588, -552, -497, -309, -167, 89, 297, 591, 157, 1226, 612, 1078),
        ),
        canastas=(16, 30, -31, -16),
        need=(1180, 1205, 585, -1555),
        red=(424, 984),
        point=8,
        laid=10,
        black3=-333,
        turn=(396, -904, 221, -36, -24),
    ),
)
"""With at most 15 cards in the stock, at most 29, and more."""
