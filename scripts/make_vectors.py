"""Write tests/vectors/ours: refereed games by the dealer's own code, honest and tampered.

``python -m scripts.make_vectors`` writes them, the same bytes each time;
``--search NAME`` lists games of an honest name that show what it is for.
"""

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts.vectors import (
    lies_acts,
    lies_deals,
    lies_held,
    lies_order,
    lies_rules,
    lies_scores,
    lies_stock,
)
from scripts.vectors.folder import Vector, honest
from scripts.vectors.honest import HONEST
from scripts.vectors.script import Script

OURS: Final = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "ours"
_TRIED: Final = 200
LIES: Final = (
    *lies_acts.LIES,
    *lies_stock.LIES,
    *lies_rules.LIES,
    *lies_deals.LIES,
    *lies_order.LIES,
    *lies_scores.LIES,
    *lies_held.LIES,
)


def vectors() -> Iterator[Vector]:
    """Make every vector, each honest game followed by its twins."""
    for recipe in HONEST:
        sitting = recipe.made()
        yield honest(recipe, sitting)
        for lie in LIES:
            if lie.of != recipe.name:
                continue
            bent = sitting
            if lie.bend is not None:
                bent = recipe.sit(bend=lie.bend)
                recipe.play(bent)
            yield lie.vector(Script(bent))


def write(target: Path) -> None:
    """Write all folders, and remove those that are no longer made; README.md stays."""
    made = {vector.name: vector for vector in vectors()}
    for folder in sorted(path for path in target.glob("*") if path.is_dir()):
        if folder.name not in made:
            shutil.rmtree(folder)
    for name, vector in made.items():
        vector.write(target / name)


def search(name: str) -> Iterator[tuple[int, int]]:
    """List games of an honest name that show what it is for: number and how many records."""
    recipe = next(one for one in HONEST if one.name == name)
    for number in range(_TRIED):
        sitting = recipe.sit(number)
        recipe.play(sitting)
        if recipe.shows(sitting):
            yield number, len(sitting.records)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", metavar="NAME")
    wanted = parser.parse_args().search
    if wanted is None:
        write(OURS)
    else:
        for number, records in search(wanted):
            print(f"number {number}: {records} records")
