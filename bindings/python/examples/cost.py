"""Measures the cost of calls: the least time of many in microseconds, for an ensemble of processor time."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import throng

AGENTS = 1_000_000
WORLDS, BIRDS, NEIGHBOURS = 256, 100, 5


def least(call: Callable[[], object], times: int) -> float:
    """The least time of a call in microseconds."""
    found = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        call()
        found = min(found, time.perf_counter() - began)
    return found * 1e6


def beside_stages(world: throng.World, times: int) -> tuple[float, float]:
    """The median time of a step in microseconds, and the median of what it takes besides the stages of its tick."""
    steps, rest = [], []
    for _ in range(times):
        began = time.perf_counter()
        world.step()
        steps.append((time.perf_counter() - began) * 1e6)
        rest.append(steps[-1] - world.profile()["total"] * 1e3)
    return statistics.median(steps), statistics.median(rest)


def world_of(agents: int, *rules: Any) -> throng.World:
    """Agents in a large world."""
    world = throng.World((3000.0, 3000.0), tick_seconds=0.1)
    world.add_species("agent", rules=list(rules))
    world.place("agent", agents, speed=1.0)
    world.step()
    return world


def centre(columns: throng.View) -> Any:
    """A force towards the origin."""
    x, y = columns.position
    return -x, -y


def flock(seed: int) -> throng.World:
    """Birds that go where their wish is."""
    world = throng.World((20.0, 20.0), tick_seconds=0.1, seed=seed)
    steer = throng.Rule("expression", set="velocity = vector(wish_x, wish_y)")
    world.add_species(
        "bird", max_speed=3.0, rules=[steer], motion="kinematic",
        variables={"wish_x": (0.0, -2.0, 2.0), "wish_y": (0.0, -2.0, 2.0)},
    )
    world.place("bird", BIRDS, speed=1.0)
    return world


def of_ensemble(times: int) -> dict[str, float]:
    """The median processor time of the calls of a step of learning in microseconds, where 4 worlds end in each."""
    birds = throng.Ensemble([flock(seed) for seed in range(WORLDS)])
    near, velocity = birds.nearest("bird", NEIGHBOURS), birds.velocities("bird")
    wish, ended = velocity, np.arange(4)

    def act() -> None:
        birds.write("bird", "wish_x", wish[..., 0])
        birds.write("bird", "wish_y", wish[..., 1])

    calls: dict[str, Callable[[], object]] = {
        "write": act,
        "step": birds.step,
        "nearest": lambda: birds.nearest("bird", NEIGHBOURS, out=near),
        "velocities": lambda: birds.velocities("bird", out=velocity),
        "reset": lambda: birds.reset(ended),
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(times):
        wish = (velocity + near.velocity.mean(axis=2)).clip(-2.0, 2.0)
        for name, call in calls.items():
            began = time.process_time()
            call()
            taken[name].append((time.process_time() - began) * 1e6)
        ended = (ended + 4) % WORLDS
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    """Print one line for each call."""
    empty, world = world_of(0), world_of(AGENTS)
    positions = world.positions("agent")

    def view(names: list[str]) -> None:
        with world.view("agent") as columns:
            for name in names:
                columns[name]

    step = least(empty.step, 2000)
    print(f"step, no agents                {step:12.1f}, of which stages {empty.profile()['total'] * 1e3:.1f}")
    print(f"a tick of step(1000)           {least(lambda: empty.step(1000), 5) / 1000:12.1f}")
    print(f"view of one column             {least(lambda: view(['x']), 2000):12.1f}")
    print(f"view of four columns           {least(lambda: view(['x', 'y', 'vx', 'vy']), 2000):12.1f}")
    print(f"positions                      {least(lambda: world.positions('agent'), 20):12.1f}")
    print(f"table                          {least(lambda: world.table('agent'), 10):12.1f}")
    print(f"write of positions             {least(lambda: world.write('agent', 'position', positions), 5):12.1f}")
    step, rest = beside_stages(world, 20)
    print(f"step                           {step:12.1f}, of which besides stages {rest:.1f}")
    pushed = world_of(AGENTS, centre)
    step = least(pushed.step, 5)
    print(f"step with a function as a rule {step:12.1f}, of which stages {pushed.profile()['total'] * 1e3:.1f}")
    parts = of_ensemble(100)
    for name, taken in parts.items():
        print(f"{WORLDS} worlds of {BIRDS} birds: {name:9} {taken:9.1f} of processor time")
    print(f"all of them                    {sum(parts.values()):12.1f}")


if __name__ == "__main__":
    main()
