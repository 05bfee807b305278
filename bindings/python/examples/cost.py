"""Measures the cost of calls: the least time of many, in microseconds."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import throng

AGENTS = 1_000_000


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


if __name__ == "__main__":
    main()
