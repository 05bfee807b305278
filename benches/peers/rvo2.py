"""Measures RVO2 (`pip install pyrvo numpy`) on the scenes of `benches/examples/walkers`.

python benches/peers/rvo2.py swap [AGENTS] | circle [AGENTS RADIUS] | speed [AGENTS]
"""

import math
import sys
import time

import numpy as np
from pyrvo import RVOSimulator


def positions(sim, count):
    return np.array([[p.x, p.y] for p in (sim.get_agent_position(i) for i in range(count))])


def look(at, touching):
    """Pairs of overlapping bodies, and the least distance of two centres."""
    offset = at[:, None, :] - at[None, :, :]
    squared = (offset**2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return (squared < (touching * 0.9999) ** 2).sum() / 2, math.sqrt(squared.min())


def places(rng, count, low, high):
    found, least = [], 0.55
    while len(found) < count:
        for _ in range(10_000):
            place = rng.uniform(low, high)
            if all(np.hypot(*(place - other)) > least for other in found):
                found.append(place)
                break
        else:
            least *= 0.95
    return found


def swap(agents, horizon=3.0, dt=0.05, speed=1.35):
    sim = RVOSimulator(dt, 6.0, 16, horizon, 0.5, 0.25, 1.3 * speed)
    for low, high in [(-1.0, 0.0), (8.0, 9.0)]:
        sim.add_obstacle([(-200.0, low), (400.0, low), (400.0, high), (-200.0, high)])
    sim.process_obstacles()
    rng = np.random.default_rng(6)
    sign = []
    for start, direction in [(100.0, 1.0), (120.0, -1.0)]:
        for place in places(rng, agents // 2, (start, 0.3), (start + 20.0, 7.7)):
            sim.add_agent(tuple(place))
            sign.append(direction)
    sign = np.array(sign)
    overlaps, least, early, ticks = 0.0, math.inf, 0.0, int(60 / dt)
    start = positions(sim, agents)
    for tick in range(ticks):
        for agent in range(agents):
            sim.set_agent_pref_velocity(agent, (speed * sign[agent], 0.0))
        sim.do_step()
        at = positions(sim, agents)
        pairs, distance = look(at, 0.5)
        overlaps, least = overlaps + pairs, min(least, distance)
        if tick + 1 == int(20 / dt):
            early = ((at - start)[:, 0] * sign).mean() / 20
    passed = np.where(sign > 0, at[:, 0] > 140, at[:, 0] < 100).mean()
    print(f"swap {agents}: overlap {overlaps / ticks / agents:.4f} least {least:.3f} early {early:.2f} passed {passed:.3f}")


def circle(agents, radius):
    sim = RVOSimulator(0.25, 15.0, 10, 10.0, 10.0, 1.5, 2.0)
    angles = np.arange(agents) * 2 * math.pi / agents
    start = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for place in start:
        sim.add_agent(tuple(place))
    overlaps, least, ticks, across, arrived = 0.0, math.inf, 0, None, None
    room = 2 * math.pi * radius > 3.0 * agents
    at = start
    while (across is None or (room and arrived is None)) and ticks * 0.25 < 20 * radius:
        wanted = -start - at
        length = np.hypot(wanted[:, 0], wanted[:, 1])
        wanted /= np.maximum(length, 1.0)[:, None]
        for agent in range(agents):
            sim.set_agent_pref_velocity(agent, (wanted[agent, 0], wanted[agent, 1]))
        sim.do_step()
        ticks += 1
        at = positions(sim, agents)
        if agents < 3000 and ticks % 4 == 0:
            pairs, distance = look(at, 3.0)
            overlaps, least = overlaps + 4 * pairs, min(least, distance)
        passed = (at * -start).sum(axis=1) >= 0.9 * radius**2
        if across is None and passed.all():
            across = ticks * 0.25
        if (np.hypot(*(at + start).T) <= 1.5).all():
            arrived = ticks * 0.25
    print(
        f"circle {agents}: overlap {overlaps / ticks / agents:.4f} least {least:.3f} "
        f"across {across} s, {int((~passed).sum())} not; at the goals {arrived} s"
    )


def speed(agents):
    side = math.sqrt(agents * math.pi * 100 / 20)
    sim = RVOSimulator(0.25, 10.0, 20, 5.0, 5.0, 0.75, 2.0)
    rng = np.random.default_rng(3)
    for place in rng.uniform(0, side, (agents, 2)):
        sim.add_agent(tuple(place))
    goals = rng.uniform(0, side, (agents, 2))
    times, processor = [], []
    for _ in range(12):
        wanted = goals - positions(sim, agents)
        wanted /= np.maximum(np.hypot(wanted[:, 0], wanted[:, 1]), 1e-6)[:, None]
        for agent in range(agents):
            sim.set_agent_pref_velocity(agent, (wanted[agent, 0], wanted[agent, 1]))
        start, used = time.perf_counter(), time.process_time()
        sim.do_step()
        times.append((time.perf_counter() - start) * 1e3)
        processor.append((time.process_time() - used) * 1e3)
    neighbours = np.mean([sim.get_agent_num_agent_neighbors(i) for i in range(agents)])
    times, processor = times[2:], processor[2:]
    print(
        f"| RVO2 | {agents} | 1 | {np.min(times):.1f} / {np.median(times):.1f} ms "
        f"| {np.min(processor):.1f} / {np.median(processor):.1f} ms | {neighbours:.1f} |"
    )


if __name__ == "__main__":
    name, *numbers = sys.argv[1:]
    {"swap": swap, "circle": circle, "speed": speed}[name](*[int(n) if n.isdigit() else float(n) for n in numbers])
