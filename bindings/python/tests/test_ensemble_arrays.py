"""Arrays that an ensemble observes and writes in one call, against NumPy and against its worlds one by one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import throng

NONE = 2**64 - 1
SIZE = 20.0


def flock(dimensions: int, agents: int, seed: int, *, edge: str = "wrap", insects: int = 7) -> throng.World:
    """Birds that are steered by two variables, among insects."""
    world = throng.World((SIZE,) * dimensions, edge=edge, tick_seconds=0.1, seed=seed)
    third = ", 0" * (dimensions - 2)
    push = throng.Rule("expression", set=[f"velocity = vector(push_x, push_y{third}) / 9"])
    world.add_species("insect", max_speed=1.0, states=["calm", "late"], rules=["wander"])
    world.add_species("bird", max_speed=(3.0, 5.0), rules=[push, "separation"],
                      variables={"push_x": (0.0, -9.0, 9.0), "push_y": (0.0, -9.0, 9.0)})
    for species, number in (("insect", insects), ("bird", agents)):
        if number:
            world.place(species, number, speed=1.0)
    return world


def ensemble(worlds: int, build: Callable[[int], throng.World]) -> throng.Ensemble:
    return throng.Ensemble([build(seed) for seed in range(worlds)], build=build)


def images(difference: npt.NDArray[np.float32], wraps: bool) -> npt.NDArray[np.float32]:
    """The nearest images of differences of coordinates."""
    if not wraps:
        return difference
    size = np.float32(SIZE)
    lowered = np.where(difference > size / 2, difference - size, difference)
    return np.where(difference < -size / 2, difference + size, lowered).astype(np.float32)


def oracle(
    world: throng.World, count: int, among: Sequence[str], radius: float, wraps: bool
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """The features, ids and counts of the birds' neighbours, by comparing all pairs."""
    at, moves = world.positions("bird", order="id"), world.velocities("bird", order="id")
    own = world.column("bird", "id", order="id")
    others = np.concatenate([world.positions(name) for name in among])
    other_moves = np.concatenate([world.velocities(name) for name in among])
    ids = np.concatenate([world.ids(name) for name in among])
    features = np.full((len(at), count, 2 * at.shape[1] + 1), np.nan, np.float32)
    found, counts = np.full((len(at), count), NONE, np.uint64), np.zeros(len(at), np.uint32)
    for agent in range(len(at)):
        offset = images(others - at[agent], wraps)
        squared = np.zeros(len(others), np.float32)
        for axis in offset.T:
            squared += axis * axis
        near = np.argsort(squared, kind="stable")
        near = near[(ids[near] != own[agent]) & (squared[near] <= np.float32(radius) ** 2)][:count]
        counts[agent] = len(near)
        found[agent, : len(near)] = ids[near]
        parts = [offset[near], other_moves[near] - moves[agent], np.sqrt(squared[near])[:, None]]
        features[agent, : len(near)] = np.concatenate(parts, axis=1)
    return features, found, counts


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("edge", ["wrap", "bounce"])
@pytest.mark.parametrize(("agents", "among", "radius"), [
    (40, None, None), (40, "own", 4.0), (40, ["bird", "insect"], 5.0), (40, "insect", None), (4, "own", None),
    (1, "own", 3.0), (600, None, None), (600, "bird", 0.9),
])
def test_neighbours_are_those_of_all_pairs(
    dimensions: int, edge: str, agents: int, among: str | list[str] | None, radius: float | None
) -> None:
    worlds = ensemble(3, lambda seed: flock(dimensions, agents, seed, edge=edge))
    names = {None: ["insect", "bird"], "own": ["bird"], "bird": ["bird"], "insect": ["insect"]}
    seen = ["insect", "bird"] if isinstance(among, list) else names[among]
    kept: throng.Nearest | None = None
    for ticks in (0, 4):
        worlds.step(ticks)
        near = worlds.nearest("bird", 6, among=among, radius=radius, out=kept)
        assert kept is None or near is kept
        kept = near
        for number, world in enumerate(worlds):
            features, ids, counts = oracle(world, 6, seen, radius if radius is not None else np.inf, edge == "wrap")
            assert (near.id[number] == ids).all() and (near.count[number] == counts).all()
            assert np.array_equal(near.features[number], features, equal_nan=True)
    assert (near.found == (near.id != NONE)).all() and (near.count < 6).any() == (agents < 7 or radius is not None)
    assert near.offset.shape == near.velocity.shape == (3, agents, 6, dimensions)
    assert near.distance.shape == near.id.shape == (3, agents, 6) and near.count.shape == (3, agents)
    for part in (near.offset, near.velocity, near.distance):
        assert np.shares_memory(part, near.features)


def test_neighbours_on_one_point_are_in_the_order_of_species_and_rows() -> None:
    for agents in (30, 600):
        worlds = ensemble(2, lambda seed: flock(2, agents, seed))
        worlds.write("bird", "position", np.full((2, agents, 2), 4.0))
        near = worlds.nearest("bird", 5)
        for number, world in enumerate(worlds):
            features, ids, _ = oracle(world, 5, ["insect", "bird"], np.inf, wraps=True)
            assert (near.id[number] == ids).all() and np.array_equal(near.features[number], features)
            assert (near.distance[number] == 0.0).all()


def test_neighbours_in_a_state() -> None:
    worlds = ensemble(2, lambda seed: flock(2, 20, seed))
    late = [int(world.ids("insect")[number]) for number, world in enumerate(worlds)]
    for world, id in zip(worlds, late, strict=True):
        world.set_state(id, "late")
    near = worlds.nearest("bird", 2, among="insect:late", fill=0.0)
    assert (near.count == 1).all() and (near.id[..., 0] == np.array(late, np.uint64)[:, None]).all()
    assert (near.features[:, :, 1] == 0.0).all() and (near.id[..., 1] == NONE).all()


def test_buffers_are_filled_in_place_and_shared_by_dlpack() -> None:
    worlds = ensemble(2, lambda seed: flock(2, 20, seed))
    near = throng.Nearest(
        np.zeros((2, 20, 3, 5), np.float32), np.zeros((2, 20, 3), np.uint64), np.zeros((2, 20), np.uint32)
    )
    exported = np.from_dlpack(near.features)
    positions = np.zeros((2, 20, 2), np.float32)
    shared = np.from_dlpack(positions)
    for _ in range(3):
        worlds.step()
        assert worlds.nearest("bird", 3, out=near) is near
        assert worlds.positions("bird", out=positions) is positions
        assert np.array_equal(exported, worlds.nearest("bird", 3).features)
        assert np.array_equal(shared, [world.positions("bird", order="id") for world in worlds])


def test_headings_are_the_directions_of_velocities() -> None:
    for dimensions in (2, 3):
        worlds = ensemble(2, lambda seed, dimensions=dimensions: flock(dimensions, 20, seed))  # type: ignore[misc]
        moves = worlds.velocities("bird")
        directions = moves / np.linalg.norm(moves, axis=-1, keepdims=True)
        np.testing.assert_allclose(worlds.column("bird", "heading"), directions, atol=1e-6)


def test_what_a_batch_cannot_observe() -> None:
    worlds = ensemble(2, lambda seed: flock(2, 20, seed))
    for name in ["beetle", "insect:early"]:
        with pytest.raises(ValueError, match=f"among = '{name}': must be own, all, SPECIES or SPECIES:STATE"):
            worlds.nearest("bird", 3, among=["insect", name])
    with pytest.raises(ValueError, match="for all agents alike"):
        worlds.rays("bird", np.zeros((20, 3)), 1.0)
    near = worlds.nearest("bird", 3)
    with pytest.raises(ValueError, match=r"out.features: has the shape \(2, 20, 3, 5\), and must have \(2, 20, 4, 5\)"):
        worlds.nearest("bird", 4, out=near)
    with pytest.raises(ValueError, match="contiguous"):
        worlds.nearest("bird", 3, out=throng.Nearest(near.features[::-1], near.id, near.count))
    with pytest.raises(ValueError, match="contiguous, in the order of C"):
        worlds.velocities("bird", out=np.zeros((2, 20, 2)[::-1], np.float32).T)
    with pytest.raises(ValueError, match="contiguous, in the order of C"):
        worlds.nearest("bird", 3, out=throng.Nearest(np.asfortranarray(near.features), near.id, near.count))
    with pytest.raises(TypeError):
        worlds.nearest("bird", 3, out=throng.Nearest(near.features.astype(float), near.id, near.count))
    with pytest.raises(TypeError):
        worlds.positions("bird", out=np.zeros((2, 20, 2)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\[2, 21, 2\], not \[2, 20, 2\]"):
        worlds.positions("bird", out=np.zeros((2, 21, 2), np.float32))
    for count, radius, text in [(0, 1.0, "count = 0: must be at least 1"), (3, -1.0, "radius = -1"), (3, np.nan, "nan")]:
        with pytest.raises(ValueError, match=text):
            worlds.nearest("bird", count, radius=radius)
    with pytest.raises(LookupError, match="crow"):
        worlds.nearest("crow", 3)
    worlds[1].remove(worlds[1].ids("bird")[:1])
    with pytest.raises(ValueError, match="world 1 has 19 agents, and world 0 has 20"):
        worlds.nearest("bird", 3)
    with pytest.raises(ValueError, match="world 1 has 19 agents, and world 0 has 20"):
        worlds.rays("bird", [0.0], 5.0)
    empty = ensemble(2, lambda seed: flock(2, 0, seed))
    assert empty.nearest("bird", 3).features.shape == (2, 0, 3, 5) and empty.positions("bird").shape == (2, 0, 2)
    empty.write("bird", "velocity", np.zeros((2, 0, 2)))
    empty[1].place("bird", 3)
    with pytest.raises(ValueError, match="world 1 has 3 agents, and world 0 has 0"):
        empty.nearest("bird", 3)
    with pytest.raises(ValueError, match="world 1 has 3 agents, and world 0 has 0"):
        empty.positions("bird")


def wanderers(seed: int) -> throng.World:
    """People with a goal, a mass, a number and two numbers each."""
    world = throng.World((SIZE, SIZE), edge="bounce", tick_seconds=0.1, seed=seed)
    world.add_species("person", rules=[throng.Rule("seek", target=[1.0, 1.0])], variables={"stamina": (1.0, 0.0, 2.0)})
    world.place("person", 25, speed=1.0)
    world.add_column("person", "badge", dtype="uint64")
    world.add_column("person", "home", [0.0, 0.0])
    return world


@pytest.mark.parametrize("column", ["position", "velocity", "goal", "stamina", "badge", "home", "mass"])
def test_actions_move_agents_as_the_writing_of_single_worlds_does(column: str) -> None:
    together, alone = ensemble(4, wanderers), [wanderers(seed) for seed in range(4)]
    for worlds in (together, alone):
        for world in worlds:
            world.step(3)
    random = np.random.default_rng(1)
    shape = (4, 25) if column in ("stamina", "badge", "mass") else (4, 25, 2)
    for _ in range(3):
        array: npt.NDArray[Any] = random.uniform(0.5, 1.5, shape)
        if column == "badge":
            array = random.integers(0, 2**60, shape, np.uint64)
        if column in ("position", "goal"):
            array *= 10
        if column == "goal":
            array[:, ::3] = np.nan
        together.write("person", column, array)
        together.step()
        for world, row in zip(alone, array, strict=True):
            if column == "goal":
                for agent, goal in zip(sorted(world.ids("person").tolist()), row.tolist(), strict=True):
                    world.set_goal(agent, None if np.isnan(goal[0]) else goal)
            else:
                world.write("person", column, row, order="id")
            world.step()
    assert [world.state_hash() for world in together] == [world.state_hash() for world in alone]
    if column == "goal":
        alone[0].write("person", "goal", array[0], order="id")
        assert alone[0].state_hash() == together[0].state_hash()
    elif column not in ("position", "velocity"):
        assert np.array_equal(together.column("person", column), array.astype(together.column("person", column).dtype))


def test_what_a_batch_cannot_write() -> None:
    worlds = ensemble(3, wanderers)
    before = [world.state_hash() for world in worlds]
    for column, array, text in [
        ("velocity", np.zeros((3, 24, 2)), r"shape \[3, 24, 2\], not \[3, 25, 2\]"),
        ("velocity", np.full((3, 25, 2), np.nan), "NaN at number 0"),
        ("goal", np.full((3, 25, 2), np.inf), "goal = .*inf.* must be numbers from -"),
        ("goal", np.full((3, 25, 2), [np.nan, 1.0]), "goal = .*NaN in all of them"),
        ("stamina", np.full((3, 25), 3.0), "stamina"),
    ]:
        with pytest.raises(ValueError, match=text):
            worlds.write("person", column, array)
    with pytest.raises(LookupError, match="beauty"):
        worlds.write("person", "beauty", np.zeros((3, 25)))
    assert [world.state_hash() for world in worlds] == before
    # A world that refuses keeps its values, the others are written.
    stamina = np.full((3, 25), 0.5, np.float32)
    stamina[1, 4] = 3.0
    with pytest.raises(ValueError, match="stamina"):
        worlds.write("person", "stamina", stamina)
    assert worlds.column("person", "stamina")[:, 0].tolist() == [0.5, 1.0, 0.5]


def walled(seed: int, edge: str = "bounce") -> throng.World:
    world = throng.World((SIZE, SIZE), edge=edge, tick_seconds=0.1, seed=seed)
    world.add_species("person", max_speed=1.0)
    world.place("person", 30, low=(3.0, 3.0), high=(17.0, 17.0), speed=1.0)
    world.add_wall([[2.0, 2.0], [18.0, 2.5], [18.0, 18.0]])
    world.add_wall([[6.0, 12.0], [14.0, 13.0]], open=[(0.0, 1.0)])
    world.add_obstacle([10.0, 8.0], 0.5)
    return world


def crossing(from_: Any, along: Any, a: Any, b: Any) -> float:
    """How far a ray is from a segment."""
    along, from_, a, b = (np.asarray(vector, np.float64) for vector in (along, from_, a, b))
    sides = np.array([along, a - b]).T
    if abs(np.linalg.det(sides)) < 1e-9:
        return float("inf")
    length, share = np.linalg.solve(sides, a - from_)
    return float(length) if length >= 0 and 0 <= share <= 1 else float("inf")


def reaching(from_: Any, along: Any, centre: Any, radius: float) -> float:
    """How far a ray is from a disc."""
    to = np.asarray(centre) - from_
    if np.linalg.norm(to) < radius:
        return 0.0
    middle = float(to @ along)
    height = float(to @ to) - middle * middle
    return middle - np.sqrt(radius**2 - height) if height < radius**2 and middle > 0 else float("inf")


@pytest.mark.parametrize("edge", ["bounce", "wrap"])
def test_rays_end_at_walls(edge: str) -> None:
    angles, reach = [-90.0, -30.0, 0.0, 45.0, 180.0], 9.0
    worlds = ensemble(2, lambda seed: walled(seed, edge))
    walls = [([2.0, 2.0], [18.0, 2.5]), ([18.0, 2.5], [18.0, 18.0])]
    shifts = [(x, y) for x in (-SIZE, 0.0, SIZE) for y in (-SIZE, 0.0, SIZE)] if edge == "wrap" else [(0.0, 0.0)]
    out = np.zeros((2, 30, len(angles)), np.float32)
    for ticks, is_open in ((0, True), (12, False)):
        worlds.step(ticks)
        assert worlds.rays("person", angles, reach, out=out) is out
        hit = 0
        for number, world in enumerate(worlds):
            velocity = world.velocities("person", order="id").astype(float)
            for agent, at in enumerate(world.positions("person", order="id").astype(float)):
                for ray, angle in enumerate(np.radians(angles)):
                    x, y = velocity[agent] / np.linalg.norm(velocity[agent])
                    along = np.array([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
                    lengths = [reach]
                    for shift in shifts:
                        standing = walls + ([] if is_open else [([6.0, 12.0], [14.0, 13.0])])
                        lengths += [crossing(at, along, np.add(a, shift), np.add(b, shift)) for a, b in standing]
                        lengths.append(reaching(at, along, np.add([10.0, 8.0], shift), 0.5))
                    assert out[number, agent, ray] == pytest.approx(min(lengths), abs=2e-4)
                    hit += min(lengths) < reach
        assert 50 < hit < 250


def test_what_rays_need() -> None:
    worlds = ensemble(2, lambda seed: walled(seed, "wrap"))
    for angles, reach, text in [
        ([], 5.0, "angles"), ([np.nan], 5.0, "angles"), ([0.0], 0.0, "reach = 0"), ([0.0], np.nan, "reach = NaN"),
        ([0.0], 10.5, "reach = 10.5: .* at most 10, half of the period"),
    ]:
        with pytest.raises(ValueError, match=text):
            worlds.rays("person", angles, reach)
    with pytest.raises(ValueError, match="out: has the shape"):
        worlds.rays("person", [0.0], 5.0, out=np.zeros((2, 30, 2), np.float32))
    with pytest.raises(ValueError, match="dimensions = 3"):
        ensemble(1, lambda seed: flock(3, 4, seed)).rays("bird", [0.0], 5.0)


def test_bits_depend_neither_on_the_batch_nor_on_threads(scenarios: Path) -> None:
    def run(seeds: Sequence[int], threads: int) -> list[tuple[str, bytes]]:
        """Each world steers towards its neighbours."""
        throng.set_threads(threads)
        worlds = throng.Ensemble([flock(2, 50, seed) for seed in seeds])
        near = worlds.nearest("bird", 4)
        seen = [near.features.tobytes()]
        for _ in range(15):
            worlds.nearest("bird", 4, out=near)
            seen.append(near.features.tobytes())
            push = near.offset.sum(axis=2).clip(-9, 9)
            worlds.write("bird", "push_x", push[..., 0])
            worlds.write("bird", "push_y", push[..., 1])
            worlds.step()
        states = [world.state_hash() for world in worlds]
        return [(state, near.features[number].tobytes()) for number, state in enumerate(states)]

    before = throng.threads()
    try:
        together = run(range(6), 4)
        assert together == run(range(6), 1)
        assert together == [run([seed], 2)[0] for seed in range(6)]
    finally:
        throng.set_threads(before)
