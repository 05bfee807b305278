"""A flock learns to align: an environment with the shapes of Gymnasium's vector environments, and evolution in NumPy.

Each of the worlds has a flock and a linear policy of its own, by which every agent weights three directions: its own
velocity, and the mean velocity and the mean offset of its five nearest neighbours. The reward is the order of the flock
(the polarisation), and evolution by the cross-entropy method keeps the policies of the best worlds.
"""

import time
from typing import Any

import numpy as np
import numpy.typing as npt
import throng

WORLDS, AGENTS, NEIGHBOURS, SPEED, SIZE = 64, 40, 5, 1.0, 14.0
Array = npt.NDArray[Any]


def flock(seed: int) -> throng.World:
    """Birds that go where their wish is, with some noise."""
    world = throng.World((SIZE, SIZE), tick_seconds=0.2, seed=seed)
    steer = throng.Rule("expression", set="velocity = vector(wish_x + uniform(-0.3, 0.3), wish_y + uniform(-0.3, 0.3))")
    world.add_species(
        "bird", max_speed=2.0 * SPEED, rules=[steer], motion="kinematic",
        variables={"wish_x": (0.0, -SPEED, SPEED), "wish_y": (0.0, -SPEED, SPEED)},
    )
    world.place("bird", AGENTS, speed=SPEED)
    return world


class Flocks:
    """Flocks as a vector environment: `reset` and `step` have the arguments and the results of `gymnasium.vector`."""

    def __init__(self, worlds: int, length: int) -> None:
        self.num_envs, self.length = worlds, length
        self.ensemble = throng.Ensemble([flock(seed) for seed in range(worlds)], build=flock)
        self.near = self.ensemble.nearest("bird", NEIGHBOURS, fill=0.0)
        self.velocity = self.ensemble.velocities("bird")
        self.ticks = np.zeros(worlds, int)

    def _observed(self) -> Array:
        """Of shape (worlds, agents, 3, 2): the three directions."""
        self.ensemble.nearest("bird", NEIGHBOURS, fill=0.0, out=self.near)
        self.ensemble.velocities("bird", out=self.velocity)
        others = self.velocity + self.near.velocity.mean(axis=2)
        return np.stack([self.velocity, others, self.near.offset.mean(axis=2)], axis=2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode in every world, or in the worlds of ``options["reset_mask"]``."""
        which = (options or {}).get("reset_mask", np.ones(self.num_envs, bool))
        seeds = None if seed is None else [seed + int(number) for number in np.flatnonzero(which)]
        self.ensemble.reset(which, seeds)
        self.ticks[which] = 0
        return self._observed(), {}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Act by velocities that agents wish, of shape (worlds, agents, 2)."""
        self.ensemble.write("bird", "wish_x", actions[..., 0].clip(-SPEED, SPEED))
        self.ensemble.write("bird", "wish_y", actions[..., 1].clip(-SPEED, SPEED))
        self.ensemble.step()
        self.ticks += 1
        observed = self._observed()
        speeds = np.linalg.norm(self.velocity, axis=-1, keepdims=True)
        rewards = np.linalg.norm((self.velocity / np.maximum(speeds, 1e-6)).mean(axis=1), axis=-1)
        return observed, rewards, np.zeros(self.num_envs, bool), self.ticks >= self.length, {}


def scores(flocks: Flocks, policies: Array, seed: int) -> Array:
    """The mean reward of each policy, of shape (worlds, 3), in the second half of an episode."""
    observed, _ = flocks.reset(seed=seed)
    rewards = []
    for _ in range(flocks.length):
        wish = np.einsum("wapd,wp->wad", observed, policies)
        length = np.linalg.norm(wish, axis=-1, keepdims=True)
        observed, reward, _, _, _ = flocks.step(SPEED * wish / np.maximum(length, 1e-6))
        rewards.append(reward)
    order: Array = np.mean(rewards[flocks.length // 2 :], axis=0)
    return order


def main() -> None:
    """Print the order of the flocks in each generation."""
    random, flocks = np.random.default_rng(1), Flocks(WORLDS, 60)
    mean, deviation, began = np.array([1.0, 0.0, 0.0]), np.ones(3), time.perf_counter()
    for generation in range(12):
        policies = mean + deviation * random.standard_normal((WORLDS, 3))
        order = scores(flocks, policies, seed=1000 * generation)
        best = policies[np.argsort(order)[-WORLDS // 4 :]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.02
        print(f"generation {generation}: order {order.mean():.2f} on average, {order.max():.2f} at best")
    for name, policy in (("straight on", np.array([1.0, 0.0, 0.0])), ("learned", mean)):
        order = scores(flocks, np.tile(policy, (WORLDS, 1)), seed=10**6)
        print(f"{name}: order {order.mean():.2f} in {WORLDS} flocks, weights {policy.round(2).tolist()}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
