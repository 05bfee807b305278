"""Runs the flocking model of JuliaDynamics/ABMFrameworksComparison in Mesa or mesa-frames and prints a line of JSON.

    python benches/peers/birds.py mesa|mesa-frames small|large SEEDS

The time includes creating the model and 100 steps. In Mesa the birds move one after the other in a random order, as
the model is declared. mesa-frames has no continuous space, and updates columns: there all birds move at once, and NumPy
computes all pairs of the columns.
"""

import json
import sys
import time

import numpy as np

COHERE, SEPARATE, MATCH, SEPARATION = 0.03, 0.015, 0.05, 1.0
STEPS = 100
CASES = {"small": (200, 100.0, 5.0), "large": (400, 150.0, 15.0)}


def with_mesa():
    from mesa import Model
    from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

    class Bird(ContinuousSpaceAgent):
        def __init__(self, space, model, position, velocity, radius):
            super().__init__(space, model)
            self.position = position
            self.velocity = velocity
            self.radius = radius

        def step(self):
            others, distances = self.get_neighbors_in_radius(radius=self.radius)
            if others:
                offsets = self.space.calculate_difference_vector(self.position, agents=others)
                near = offsets[distances < SEPARATION].sum(axis=0)
                velocities = np.sum([other.velocity for other in others], axis=0)
                change = offsets.sum(axis=0) * COHERE - near * SEPARATE + velocities * MATCH
                self.velocity = self.velocity + change / len(others)
            self.velocity = self.velocity / np.linalg.norm(self.velocity)
            self.position = self.position + self.velocity

    class Birds(Model):
        def __init__(self, agents, side, radius, seed):
            super().__init__(seed=seed)
            sides = [[0, side], [0, side]]
            space = ContinuousSpace(sides, torus=True, random=self.random, n_agents=agents)
            for _ in range(agents):
                Bird(space, self, self.rng.uniform(0, side, 2), self.rng.uniform(-1, 1, 2), radius)

        def step(self):
            self.agents.shuffle_do("step")

    return Birds


def with_mesa_frames():
    import polars as pl
    from mesa_frames import AgentSetPolars, ModelDF

    class Birds(AgentSetPolars):
        def __init__(self, model, agents, side, radius):
            super().__init__(model)
            self.side, self.radius = side, radius
            draw = model.random.uniform
            positions = {name: draw(0, side, agents) for name in "xy"}
            velocities = {name: draw(-1, 1, agents) for name in "uv"}
            self += pl.DataFrame({"unique_id": np.arange(agents), **positions, **velocities})

        def step(self):
            at = np.stack([self["x"].to_numpy(), self["y"].to_numpy()], axis=1)
            velocity = np.stack([self["u"].to_numpy(), self["v"].to_numpy()], axis=1)
            offset = at[None] - at[:, None]
            offset -= np.round(offset / self.side) * self.side
            distance = np.sqrt((offset**2).sum(axis=2))
            np.fill_diagonal(distance, np.inf)
            sees, near = distance <= self.radius, distance < SEPARATION
            change = (offset * sees[..., None]).sum(axis=1) * COHERE - (offset * near[..., None]).sum(axis=1) * SEPARATE
            change += sees @ velocity * MATCH
            velocity = velocity + change / np.maximum(sees.sum(axis=1), 1)[:, None]
            velocity /= np.linalg.norm(velocity, axis=1)[:, None]
            at = (at + velocity) % self.side
            self["x"], self["y"] = pl.Series(at[:, 0]), pl.Series(at[:, 1])
            self["u"], self["v"] = pl.Series(velocity[:, 0]), pl.Series(velocity[:, 1])

    class Flock(ModelDF):
        def __init__(self, agents, side, radius, seed):
            super().__init__(seed)
            self.agents += Birds(self, agents, side, radius)

        def step(self):
            self.agents.do("step")

    return Flock


def main():
    library, case, seeds = sys.argv[1:]
    model = {"mesa": with_mesa, "mesa-frames": with_mesa_frames}[library]()
    agents, side, radius = CASES[case]
    seconds, processor = [], time.process_time()
    for seed in range(int(seeds)):
        start = time.perf_counter()
        flock = model(agents, side, radius, seed)
        for _ in range(STEPS):
            flock.step()
        seconds.append(round(time.perf_counter() - start, 6))
    row = {"agents": agents, "threads": 1, "ticks": STEPS, "seconds": seconds}
    print(json.dumps({**row, "processor_seconds": round(time.process_time() - processor, 6)}))


if __name__ == "__main__":
    main()
