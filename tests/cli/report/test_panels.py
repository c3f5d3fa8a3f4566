"""What the heat map outlines, and that fair deals seldom do."""

import zlib
from math import comb
from struct import unpack

import numpy as np
import pytest

from fairdeal.cli.report.panels import FAMILY, fair, limits, panel, planted
from fairdeal.cli.report.png import png


@pytest.mark.parametrize(("deals", "excess"), [(1000, 1.61), (10_000, 0.51), (100_000, 0.16)])
def test_the_limits_are_those_of_the_design(deals, excess):
    bounds = limits(deals, 108)
    assert round(bounds.sigma, 2) == 4.92
    assert round(bounds.excess, 2) == excess


@pytest.mark.parametrize("deals", [1, 12, 300])
def test_the_limits_are_exact_binomial_ones(deals):
    bounds, size = limits(deals, 108), 108
    alpha = FAMILY / (2 * size * size)

    def chance(count):
        return comb(deals, count) * (1 / size) ** count * (1 - 1 / size) ** (deals - count)

    assert sum(map(chance, range(bounds.most + 1, deals + 1))) < alpha
    assert sum(map(chance, range(bounds.most, deals + 1))) >= alpha
    assert sum(map(chance, range(bounds.least))) < alpha


def test_fair_panels_are_outlined_in_about_one_report_of_a_hundred():
    deals, size = 500, 20
    bounds = limits(deals, size)
    outlined = sum(
        bool(panel(fair(f"run {run}", deals, size), deals, bounds).beyond) for run in range(300)
    )
    assert outlined <= 9


@pytest.mark.parametrize("deals", [500, 5000, 20_000])
def test_the_planted_cell_is_outlined(deals):
    size = 108
    cells, what = planted("ab" * 32, deals, size)
    found = panel(cells, deals, limits(deals, size))
    assert (what.position, what.card) in found.beyond
    assert cells.sum() == deals * size
    assert (cells.sum(axis=0) == deals).all()


def test_the_simulations_are_the_same_each_time_and_differ_by_root():
    assert (fair("a", 5000, 52) == fair("a", 5000, 52)).all()
    assert (fair("a", 5000, 52) != fair("b", 5000, 52)).any()


def test_the_picture_of_pixels_is_png_with_a_row_a_position():
    z = np.array([[0.0, 9.0, -9.0], [1.0, 0.0, 0.0]])
    data = png(z)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, {}
    while place < len(data):
        length, kind = unpack(">I4s", data[place : place + 8])
        chunks[kind] = data[place + 8 : place + 8 + length]
        (crc,) = unpack(">I", data[place + 8 + length : place + 12 + length])
        assert crc == zlib.crc32(kind + chunks[kind])
        place += 12 + length
    assert unpack(">II", chunks[b"IHDR"][:8]) == (3, 2)
    assert zlib.decompress(chunks[b"IDAT"]) == bytes([0, 127, 254, 0, 0, 148, 127, 127])
    assert chunks[b"PLTE"][127 * 3 : 128 * 3] == b"\xff\xff\xff"
