"""Environments for learning that are made of an ensemble, against the checkers of Gymnasium and PettingZoo."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import throng

for library in ("gymnasium", "pettingzoo"):
    pytest.importorskip(library)

import gymnasium
import pettingzoo  # type: ignore[import-untyped]
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test  # type: ignore[import-untyped]

BIRDS, SEEN, LENGTH = 6, 3, 20
Array = npt.NDArray[Any]


def flock(seed: int) -> throng.World:
    """Birds that go where their wish is."""
    world = throng.World((10.0, 10.0), tick_seconds=0.1, seed=seed)
    steer = throng.Rule("expression", set="velocity = vector(wish_x, wish_y)")
    world.add_species("bird", max_speed=2.0, motion="kinematic", rules=[steer],
                      variables={"wish_x": (0.0, -1.0, 1.0), "wish_y": (0.0, -1.0, 1.0)})
    world.place("bird", BIRDS, speed=1.0)
    return world


class Flock:
    """One world, in which a bird observes its nearest neighbours, and the reward is the order of all."""

    def __init__(self) -> None:
        self.worlds = throng.Ensemble([flock(1)], build=flock)
        self.tick = 0

    def observed(self) -> Array:
        seen: Array = self.worlds.nearest("bird", SEEN).features[0].reshape(BIRDS, -1)
        return seen

    def reset(self, seed: int | None) -> Array:
        self.worlds.reset([0], None if seed is None else [seed])
        self.tick = 0
        return self.observed()

    def step(self, wishes: Array) -> tuple[Array, float, bool]:
        self.worlds.write("bird", "wish_x", wishes[None, :, 0])
        self.worlds.write("bird", "wish_y", wishes[None, :, 1])
        self.worlds.step()
        self.tick += 1
        order = float(self.worlds.measure("polarisation")[0])
        return self.observed(), order if np.isfinite(order) else 0.0, self.tick >= LENGTH


def spaces(*birds: int) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    """The spaces of observations and of actions."""
    seen = gymnasium.spaces.Box(-np.inf, np.inf, (*birds, 5 * SEEN), np.float32)
    return seen, gymnasium.spaces.Box(-1.0, 1.0, (*birds, 2), np.float32)


class Single(gymnasium.Env[Array, Array]):
    """One agent that moves all birds."""

    def __init__(self) -> None:
        self.flock = Flock()
        self.observation_space, self.action_space = spaces(BIRDS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        return self.flock.reset(seed), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        observed, order, is_over = self.flock.step(action)
        return observed, order, False, is_over, {}


class Many(pettingzoo.ParallelEnv):  # type: ignore[misc]
    """Birds as agents."""

    metadata = {"name": "flock"}

    def __init__(self) -> None:
        self.flock = Flock()
        self.possible_agents = [f"bird_{number}" for number in range(BIRDS)]
        self.agents: list[str] = []
        self.spaces = spaces()

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        return self.spaces[0]

    def action_space(self, agent: str) -> gymnasium.spaces.Box:
        return self.spaces[1]

    def _all(self, values: Any) -> dict[str, Any]:
        return dict(zip(self.possible_agents, values, strict=True))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], ...]:
        self.agents = list(self.possible_agents)
        return self._all(self.flock.reset(seed)), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Array]) -> tuple[dict[str, Any], ...]:
        observed, order, is_over = self.flock.step(np.stack([actions[agent] for agent in self.possible_agents]))
        if is_over:
            self.agents = []
        rest: tuple[list[Any], ...] = ([order] * BIRDS, [False] * BIRDS, [is_over] * BIRDS, [{} for _ in range(BIRDS)])
        return self._all(observed), *map(self._all, rest)


@pytest.mark.filterwarnings("ignore:.*Box observation space")
def test_gymnasium_accepts_an_environment_of_a_world() -> None:
    check_env(Single(), skip_render_check=True)


def test_pettingzoo_accepts_birds_as_agents() -> None:
    parallel_api_test(Many(), num_cycles=100)
