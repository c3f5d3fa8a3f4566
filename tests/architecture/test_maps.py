"""Whoever opens a large package finds on its first page what each of its modules is for."""

import importlib
import pkgutil

import pytest


@pytest.mark.parametrize("name", ["api", "fairdeal.service"])
def test_the_first_page_of_a_large_package_names_each_of_its_modules(name):
    package = importlib.import_module(name)
    modules = [module.name for module in pkgutil.iter_modules(package.__path__)]
    assert len(modules) > 20
    page = str(package.__doc__)
    assert [module for module in modules if f"`{module}`" not in page] == []
