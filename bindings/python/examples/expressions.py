"""Oscillators in space: milliseconds per tick of a rule `expression`, of `alignment`, and of NumPy with SciPy's tree.

Needs SciPy. Each line is the least of several runs on one thread, which take turns.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import throng
from scipy.spatial import cKDTree  # type: ignore[import-not-found,import-untyped,unused-ignore]

TICK, SPEED, COUPLING, NEIGHBOURS = 0.05, 1.0, 2.0, 10.0
UPDATE = "phase += dt * (omega + 2 * mean(sin(phase_j - phase)))"


def world_of(agents: int, rule: throng.Rule) -> tuple[throng.World, float]:
    """Agents at density one that move straight on, and the radius that holds ten neighbours."""
    size = float(np.sqrt(agents))
    world = throng.World((size, size), tick_seconds=TICK, seed=1)
    variables = {"phase": ((0.0, 6.28), -1e6, 1e6), "omega": ((0.5, 1.5), -10.0, 10.0)}
    world.add_species("clock", rules=[rule], variables=variables, max_speed=SPEED)
    world.place("clock", agents, speed=SPEED)
    return world, float(np.sqrt(NEIGHBOURS / np.pi))


def by_numpy(world: throng.World, radius: float) -> Callable[[], None]:
    """The same model as arrays, from the present state of a world."""
    state: dict[str, Any] = {
        "at": world.positions("clock").astype(float),
        "phase": world.column("clock", "phase").astype(float),
    }
    velocity, omega = world.velocities("clock").astype(float), world.column("clock", "omega").astype(float)
    size = float(np.sqrt(len(omega)))

    def tick() -> None:
        at, phase = state["at"], state["phase"]
        pairs = cKDTree(at % size, boxsize=size).query_pairs(radius, output_type="ndarray")
        one, other = pairs.T
        pull = np.sin(phase[other] - phase[one])
        count = len(phase)
        total = np.bincount(one, pull, count) - np.bincount(other, pull, count)
        seen = np.bincount(one, minlength=count) + np.bincount(other, minlength=count)
        state["phase"] = phase + TICK * (omega + COUPLING * total / np.maximum(seen, 1))
        state["at"] = at + TICK * velocity

    return tick


def main() -> None:
    """Print a line for each number of agents."""
    throng.set_threads(1)
    for agents in [int(number) for number in sys.argv[1:]] or [1000, 20_000, 200_000]:
        radius = float(np.sqrt(NEIGHBOURS / np.pi))
        phases, _ = world_of(agents, throng.Rule("expression", set=UPDATE, radius=radius))
        # The weight is zero, so that agents move alike in both worlds.
        aligned, _ = world_of(agents, throng.Rule("alignment", radius=radius, weight=0.0))
        ways: dict[str, Callable[[], None]] = {
            "expression": phases.step,
            "alignment": aligned.step,
            "numpy": by_numpy(phases, radius),
        }
        least = dict.fromkeys(ways, float("inf"))
        for _ in range(60):
            for name, tick in ways.items():
                began = time.perf_counter()
                tick()
                least[name] = min(least[name], (time.perf_counter() - began) * 1e3)
        shown = ", ".join(f"{name} {milliseconds:.3f} ms" for name, milliseconds in least.items())
        print(
            f"{agents} agents: {shown}; expression / alignment {least['expression'] / least['alignment']:.2f}, "
            f"numpy / expression {least['numpy'] / least['expression']:.1f}"
        )


if __name__ == "__main__":
    main()
