"""People learn to leave a room by its door without contact, beside the model `pedvo` (needs `pip install cma`).

All people of a room share a policy. Each observes its four nearest neighbours and the walls along three rays, and acts
by the velocity that it wishes: straight to the door until it has learned better. They could walk through each other:
contact only costs. The cost of a person is its seconds in the room, and `HARM` for each second in full overlap. CMA-ES,
an evolution strategy of the package `cma`, keeps the policies of low cost.
"""

import functools
import time
from dataclasses import dataclass
from typing import Any

import cma  # type: ignore[import-untyped, import-not-found, unused-ignore]
import numpy as np
import numpy.typing as npt
import throng

WIDTH, DOOR, OUTSIDE = 8.0, 1.0, 32.0           # the sides of the room and the width of its door, in metres
BODY, CORE, SPEED = 0.4, 0.32, 1.34             # diameters of a body and of its core (shoulders yield), metres a second
PEOPLE, NEIGHBOURS, REACH, HARM = 30, 4, 2.0, 100.0
ANGLES = np.array([-60.0, 0.0, 60.0])           # of the rays, from the heading
TICK, ACT, LENGTH = 0.1, 2, 150                 # the tick in seconds, ticks of an action, actions of an episode
FEATURES, HIDDEN = 5, 4                         # of a neighbour
WEIGHTS = HIDDEN * (FEATURES + 2) + 2
Array = npt.NDArray[Any]


def room(seed: int, *, motion: str, people: int = PEOPLE) -> throng.World:
    """People in the left part of a world, beyond whose door they walk on."""
    world = throng.World((WIDTH + OUTSIDE, WIDTH), tick_seconds=TICK, seed=seed, edge="bounce")
    world.add_wall([[WIDTH, 0.0], [WIDTH, 0.5 * (WIDTH - DOOR)]])
    world.add_wall([[WIDTH, 0.5 * (WIDTH + DOOR)], [WIDTH, WIDTH]])
    rule = throng.Rule("prefer_velocity")
    if motion == "pedvo":
        world.add_region("away", [WIDTH + OUTSIDE - 2.0, 0.5 * WIDTH], size=[4.0, WIDTH])
        world.add_navigation("away", ["region:away"])
        rule = throng.Rule("walk_to", goals=["away"])
    world.add_species("person", motion=motion, radius=0.5 * BODY, max_speed=SPEED, rules=[rule])
    world.add_column("person", "preferred", [0.0, 0.0])
    world.place("person", people, low=[0.3, 0.3], high=[WIDTH - 0.5, WIDTH - 0.3], apart=0.5)
    return world


def plane(vectors: Array) -> Array:
    """Vectors as complex numbers, in which a turn is a product."""
    numbers: Array = vectors[..., 0] + 1j * vectors[..., 1]
    return numbers


def unit(numbers: Array) -> Array:
    """Directions of vectors; zero stays zero."""
    directions: Array = numbers / np.maximum(np.abs(numbers), 1e-6)
    return directions


@dataclass
class Observed:
    """Observations of all people, in axes ahead to the door and to the left."""

    door: Array
    """The direction of the door in the axes of the world, of shape (worlds, people)."""
    inside: Array
    features: Array
    """Features of each neighbour, of shape (worlds, people, neighbours, features)."""
    left: Array
    """How far to the left each neighbour is, as a part of its distance."""
    near: Array
    """How near each neighbour is: 1 at the same place, and 0 at the reach or without a neighbour."""
    walls: Array
    """The direction of the walls, longer if they are near."""
    gap: Array
    """The distance of the nearest neighbour, of shape (worlds, people)."""


class Rooms:
    """Rooms that advance together, and learners in them."""

    def __init__(
        self, worlds: int, motion: str = "kinematic", *, people: int = PEOPLE, length: int = LENGTH
    ) -> None:
        build = functools.partial(room, motion=motion, people=people)
        self.worlds = throng.Ensemble([build(seed) for seed in range(worlds)], build=build)
        self.learns, self.length = motion != "pedvo", length
        self.near = self.worlds.nearest("person", NEIGHBOURS, radius=REACH, fill=0.0)

    def observed(self) -> Observed:
        """Look at all worlds."""
        near = self.worlds.nearest("person", NEIGHBOURS, radius=REACH, fill=0.0, out=self.near)
        position = plane(self.worlds.positions("person"))
        heading = unit(plane(self.worlds.velocities("person")))     # zero at rest, where walls are not felt
        inside = position.real <= WIDTH
        aside = (position.imag - 0.5 * WIDTH).clip(-0.25 * DOOR, 0.25 * DOOR)
        door = np.where(inside, unit(WIDTH + 0.3 + 1j * (0.5 * WIDTH + aside) - position), 1.0)
        turn = door.conj()[..., None]
        offset, velocity = unit(plane(near.offset)) * turn, plane(near.velocity) * turn
        approach = velocity.imag * np.sign(offset.imag)
        features = [offset.real, near.distance / BODY - 1.5, velocity.real, approach, np.ones_like(approach)]
        sight = 1.0 - self.worlds.rays("person", ANGLES, REACH) / REACH
        walls = (sight * np.exp(1j * np.radians(ANGLES))).sum(axis=-1) * heading * door.conj()
        return Observed(
            door, inside, np.stack(features, axis=-1), offset.imag, near.found * (1.0 - near.distance / REACH), walls,
            np.where(near.found[..., 0], near.distance[..., 0], np.inf),
        )

    def episode(self, policies: Array, seeds: list[int]) -> dict[str, Array]:
        """Empty the rooms of these seeds, each by its policy, and return the cost and its parts, in seconds."""
        self.worlds.reset(seeds=seeds)
        seen, step = self.observed(), TICK * ACT
        inside, contact, pressed, overlap = (np.zeros(seen.door.shape) for _ in range(4))
        for _ in range(self.length):
            if self.learns:
                wish = wishes(policies, seen)
                self.worlds.write("person", "preferred", np.stack([wish.real, wish.imag], axis=-1))
            self.worlds.step(ACT)
            seen = self.observed()
            inside += step * seen.inside
            contact += step * (seen.inside & (seen.gap < BODY))
            pressed += step * (seen.inside & (seen.gap < CORE))
            overlap += step * seen.inside * (1.0 - seen.gap / BODY).clip(0.0)
            if not seen.inside.any():
                break
        late = step * self.length * seen.inside
        return {
            "cost": (inside + late + HARM * overlap).mean(axis=1), "mean exit": inside.mean(axis=1),
            "95 % out": np.quantile(inside, 0.95, axis=1, method="higher"), "last out": inside.max(axis=1),
            "contact": contact.mean(axis=1), "cores overlap": pressed.mean(axis=1),
            "remaining": seen.inside.sum(axis=1),
        }


def wishes(policies: Array, seen: Observed) -> Array:
    """The velocities that people wish by the policies of their worlds: to the door, changed by neighbours and walls."""
    hidden, out, walls = np.split(policies, [HIDDEN * FEATURES, HIDDEN * (FEATURES + 2)], axis=1)
    units = np.einsum("wanf,wfh->wanh", seen.features, hidden.reshape(-1, FEATURES, HIDDEN))
    change = np.einsum("wanh,whc->wanc", np.tanh(units), out.reshape(-1, HIDDEN, 2)) * seen.near[..., None]
    ahead = 1.0 + change[..., 0].sum(axis=-1) + walls[:, :1] * seen.walls.real
    aside = (change[..., 1] * seen.left).sum(axis=-1) + walls[:, 1:] * seen.walls.imag
    wish = np.where(seen.inside, ahead.clip(0.01, 1.0) + 1j * aside, 1.0)
    velocities: Array = SPEED * seen.door * wish / np.maximum(np.abs(wish), 1.0)
    return velocities


def straight() -> Array:
    """The policy before learning: hidden units at random that change nothing yet."""
    weights = np.random.default_rng(0).standard_normal(WEIGHTS)
    weights[HIDDEN * FEATURES :] = 0.0
    return weights


def learn(rooms: Rooms, policies: int, generations: int, *, prints: bool = False) -> Array:
    """The policy in the middle of the last generation. The policies of each generation meet the same seeds."""
    each = len(rooms.worlds) // policies
    search = cma.CMAEvolutionStrategy(straight(), 0.2, {"popsize": policies, "seed": 1, "verbose": -9})
    for generation in range(generations):
        asked = np.array(search.ask())
        seeds = [each * generation + number for number in range(each)] * policies
        cost = rooms.episode(np.repeat(asked, each, axis=0), seeds)["cost"].reshape(policies, each).mean(axis=1)
        search.tell(asked, cost)
        if prints and generation % 5 == 4:
            print(f"generation {generation + 1}: cost {cost.mean():.1f} on average, {cost.min():.1f} at best")
    return np.array(search.result.xfavorite)


def main() -> None:
    """Learn, and print a table of rooms with seeds that were not learned."""
    began, worlds, policies = time.perf_counter(), 48, 16
    rooms = Rooms(worlds)
    learned = learn(rooms, policies, generations=60, prints=True)
    print(f"{time.perf_counter() - began:.0f} s of learning; means of {worlds} rooms with {PEOPLE} people, in seconds:")
    rows = {"straight": (rooms, straight()), "learned": (rooms, learned), "pedvo": (Rooms(worlds, "pedvo"), straight())}
    for number, (name, (of, policy)) in enumerate(rows.items()):
        found = of.episode(np.tile(policy, (worlds, 1)), [10**6 + seed for seed in range(worlds)])
        if not number:
            print(f"{'':9}" + "".join(f"{column:>15}" for column in found))
        print(f"{name:9}" + "".join(f"{values.mean():15.2f}" for values in found.values()), flush=True)


if __name__ == "__main__":
    main()
