"""The peers that playouts are measured against: gin rummy of OpenSpiel and of RLCard.

Both are optional (dependency group ``bench``) and play by chance as we do: a list of legal
actions, one drawn, applied. A peer that is not installed is named as not run.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import ModuleType
from typing import Any, Final

Case = Callable[[], int]
OPEN_SPIEL: Final = "open_spiel gin_rummy, all nodes"
OPEN_SPIEL_APPLY: Final = "open_spiel gin_rummy, apply only"
RLCARD_GAME: Final = "rlcard gin-rummy, game object"
RLCARD_ENV: Final = "rlcard gin-rummy, env.run"
HOW: Final = ".venv/bin/uv pip install --group bench"
"""How the dependency group ``bench`` of pyproject.toml is installed."""


def found(chance: Random, games: int = 8) -> tuple[dict[str, Case], dict[str, Case], list[str]]:
    """Give the peers' cases for playing at random and for replaying, and what is not installed.

    Args:
        chance: Where random choices come from.
        games: Games a run of one case.
    """
    playing: dict[str, Case] = {}
    replaying: dict[str, Case] = {}
    missing = []
    try:
        import pyspiel  # noqa: PLC0415  a peer may be absent
    except ImportError:
        missing.append("open_spiel")
    else:
        playing[OPEN_SPIEL] = _times(games, lambda: len(_open_spiel_game(pyspiel, chance)))
        recorded = [_open_spiel_game(pyspiel, chance) for _ in range(games)]
        replaying[OPEN_SPIEL_APPLY] = lambda: sum(_replayed(pyspiel, one) for one in recorded)
    try:
        import rlcard  # noqa: PLC0415  a peer may be absent
        from rlcard.agents import RandomAgent  # noqa: PLC0415
    except ImportError:
        missing.append("rlcard")
    else:
        playing |= _rlcard_cases(rlcard, RandomAgent, chance, games)
    return playing, replaying, missing


def _times(games: int, play: Callable[[], int]) -> Case:
    return lambda: sum(play() for _ in range(games))


def _open_spiel_game(pyspiel: ModuleType, chance: Random) -> list[int]:
    """Play one game by chance, deal and draws included, and give all its actions."""
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    actions = []
    while not state.is_terminal():
        if state.is_chance_node():
            # Every outcome of this game's chance nodes is as likely as the next.
            outcomes = state.chance_outcomes()
            action = outcomes[int(chance.random() * len(outcomes))][0]
        else:
            legal = state.legal_actions()
            action = legal[int(chance.random() * len(legal))]
        state.apply_action(action)
        actions.append(action)
    return actions


def _replayed(pyspiel: ModuleType, actions: list[int]) -> int:
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    apply = state.apply_action
    for action in actions:
        apply(action)
    return len(actions)


def _rlcard_cases(
    rlcard: ModuleType,
    agent: Any,  # noqa: ANN401  a class of an untyped package
    chance: Random,
    games: int,
) -> Mapping[str, Case]:
    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([agent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def by_game() -> int:
        env.game.init_game()
        acts = 0
        while not env.game.is_over():
            legal = env.game.judge.get_legal_actions()
            env.game.step(legal[int(chance.random() * len(legal))])
            acts += 1
        return acts

    def by_env() -> int:
        before: int = env.timestep
        env.run(is_training=False)
        return int(env.timestep) - before

    return {RLCARD_GAME: _times(games, by_game), RLCARD_ENV: _times(games, by_env)}
