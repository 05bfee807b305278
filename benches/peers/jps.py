"""Measures JuPedSim (`pip install jupedsim numpy`) on the scenes of `benches/examples/walkers speed`.

python benches/peers/jps.py social_force|collision_free_speed [AGENTS]
"""

import math
import sys
import time

import jupedsim as jps
import numpy as np
import shapely

RADIUS, SPEED, DT = 0.25, 1.225, 0.02


def walls(side):
    """Walls of 10 x 0.2 m, one in each square of 20 m."""
    places = np.arange(10, side - 10, 20)
    return [shapely.box(x, y - 0.1, x + 10, y + 0.1) for x in places for y in places]


def measure(name, agents):
    side = math.ceil(math.sqrt(agents))
    area = shapely.box(0, 0, side, side)
    social = name == "social_force"
    if social:
        area = area.difference(shapely.union_all(walls(side)))
    model = jps.SocialForceModel() if social else jps.CollisionFreeSpeedModel()
    sim = jps.Simulation(model=model, geometry=area, dt=DT)
    stage = sim.add_direct_steering_stage()
    journey = sim.add_journey(jps.JourneyDescription([stage]))
    rng = np.random.default_rng(8)
    ids = []
    for number in range(agents):
        jitter = rng.uniform(0.4, 0.6, 2)
        position = (number % side + jitter[0], number // side + jitter[1])
        same = {"position": position, "journey_id": journey, "stage_id": stage, "radius": RADIUS}
        if social:
            ids.append(sim.add_agent(jps.SocialForceModelAgentParameters(desired_speed=SPEED, **same)))
        else:
            ids.append(sim.add_agent(jps.CollisionFreeSpeedModelAgentParameters(desired_speed=SPEED, **same)))
    for agent, goal in zip(ids, rng.uniform(0.5, side - 0.5, (agents, 2))):
        sim.agent(agent).target = tuple(np.floor(goal) + 0.5)  # in no wall
    sim.iterate(4)
    times, cpu = [], []
    for _ in range(8):
        start, used = time.perf_counter(), time.process_time()
        sim.iterate(2)
        times.append((time.perf_counter() - start) * 500)
        cpu.append((time.process_time() - used) * 500)
    print(
        f"| JuPedSim {name} | {agents} | 1 | {np.min(times):.1f} / {np.median(times):.1f} ms "
        f"| {np.min(cpu):.1f} / {np.median(cpu):.1f} ms | |"
    )


if __name__ == "__main__":
    name, *agents = sys.argv[1:]
    measure(name, int(agents[0]) if agents else 10_000)
