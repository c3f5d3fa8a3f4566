"""The examples in the docstrings are true."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["fairdeal.fairness", "fairdeal.records"])
def test_the_worked_example_holds(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0
