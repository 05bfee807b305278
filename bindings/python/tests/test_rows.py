"""Rows move from tick to tick: the same agents are read, followed and written by their ids."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import throng


def fliers(edge: str = "open", seconds: float = 0.1) -> throng.World:
    """A thousand agents without rules, which fly straight at 1 m/s."""
    world = throng.World((20, 20), edge=edge, tick_seconds=seconds, seed=1)
    world.add_species("p", max_speed=1.0, min_speed=1.0)
    world.place("p", 1000)
    return world


def test_rows_move() -> None:
    world = fliers()
    before = world.ids("p")
    world.step(100)
    assert not np.array_equal(before, world.ids("p"))


def test_the_same_agents_are_read_again() -> None:
    world = fliers()
    ids = world.ids("p")
    start, velocity = world.positions("p"), world.velocities("p")
    ordered = world.positions("p", order="id")
    world.step(100)
    for now, then in [(world.positions("p", ids=ids), start), (world.positions("p", order="id"), ordered)]:
        assert ((now - then) ** 2).sum(axis=1).mean() == pytest.approx(100.0, rel=1e-4)
    assert (world.velocities("p", ids=ids) * velocity).sum(axis=1).mean() == pytest.approx(1.0, rel=1e-5)
    np.testing.assert_array_equal(world.column("p", "id", order="id"), np.sort(ids))
    np.testing.assert_array_equal(world.column("p", "id", ids=ids), ids)
    np.testing.assert_array_equal(world.column("p", "x", ids=ids), world.positions("p", ids=ids)[:, 0])
    np.testing.assert_array_equal(world.column("p", "mass", ids=ids[:3]), np.ones(3))
    np.testing.assert_array_equal(world.table("p", ids=ids)["id"], ids)
    np.testing.assert_array_equal(world.table("p", order="id")["y"], world.column("p", "y", order="id"))
    assert world.states("p", ids=ids[:7]).shape == (7,) and world.steering("p", order="id").shape == (1000, 2)
    some = [int(ids[5]), int(ids[0]), int(ids[5])]
    np.testing.assert_array_equal(world.positions("p", ids=some), [world.position(agent) for agent in some])
    with world.view("p") as columns:
        assert columns.keys()[0] == "id" and "id" in columns
        np.testing.assert_array_equal(columns["id"], world.ids("p"))
        with pytest.raises(ValueError, match="read-only"):
            columns["id"][0] = 3


def test_agents_that_are_gone_or_elsewhere_are_not_found() -> None:
    world = fliers()
    world.add_species("q")
    (other,) = world.spawn("q", [[1.0, 1.0]])
    gone = world.ids("p")[:1]
    world.remove(gone)
    for ids in (gone, [int(other)], [2**40]):
        with pytest.raises(throng.NotFoundError):
            world.positions("p", ids=ids)
    wrong: list[tuple[type[Exception], dict[str, Any]]] = [
        (ValueError, {"order": "size"}), (TypeError, {"order": "id", "ids": [0]}), (TypeError, {"ids": [0.5]})
    ]
    for kind, options in wrong:
        with pytest.raises(kind):
            world.positions("p", **options)
    assert world.positions("p", ids=[]).shape == (0, 2)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_columns_are_written_by_ids(dimensions: int) -> None:
    world = throng.World((20.0,) * dimensions, tick_seconds=0.1, seed=1)
    world.add_species("p", max_speed=2.0)
    world.add_column("p", "load", 0.0)
    world.add_column("p", "tag", [0, 0], dtype="uint64")
    ids = world.place("p", 500)
    tags = np.stack([ids, ids + 7], axis=1)
    world.step(50)
    some, at = ids[10:20], np.full((10, dimensions), 3.0)
    others = np.setdiff1d(ids, some)
    before = {name: world.column("p", name, ids=others) for name in ["x", "vx", "load", "mass"]}
    world.write("p", "tag", tags, ids=ids)
    world.write("p", "load", np.arange(10), ids=some)
    world.write("p", "position", at, ids=some)
    world.write("p", "velocity", -at, ids=some)
    world.write("p", "mass", np.full(10, 5.0), ids=some)
    for name, values in before.items():
        np.testing.assert_array_equal(world.column("p", name, ids=others), values)
    np.testing.assert_array_equal(world.column("p", "tag", ids=ids), tags)
    np.testing.assert_array_equal(world.column("p", "load", ids=some), np.arange(10))
    np.testing.assert_array_equal(world.positions("p", ids=some), at)
    np.testing.assert_array_equal(world.velocities("p", ids=some), -at)
    np.testing.assert_array_equal(world.column("p", "mass", ids=some), np.full(10, 5.0))
    world.write("p", "load", np.arange(500), order="id")
    world.step(50)
    np.testing.assert_array_equal(world.column("p", "load", order="id"), np.arange(500))
    state = world.state_hash()
    for column, array in [("position", np.full((10, dimensions), 1e9)), ("load", np.arange(9)), ("mass", -np.ones(10))]:
        with pytest.raises(ValueError):
            world.write("p", column, array, ids=some)
    with pytest.raises(ValueError, match="twice"):
        world.write("p", "load", [1.0, 2.0], ids=[int(ids[0])] * 2)
    assert world.state_hash() == state


def test_displacements_cross_seams() -> None:
    for edge in ("wrap", "open"):
        world, moved = fliers(edge), throng.Displacements()
        world.step(300, observe=moved)
        world.step(700, observe=moved)
        vectors = moved.vectors(world, "p")
        # 100 m in a world of 20 m.
        assert vectors.shape == (1000, 2) and vectors.dtype == np.float64
        np.testing.assert_allclose((vectors**2).sum(axis=1), 1e4, rtol=1e-3)
        ids = moved.ids(world, "p")
        np.testing.assert_array_equal(ids, world.column("p", "id", order="id"))
        np.testing.assert_allclose(vectors / 100.0, world.velocities("p", ids=ids), atol=1e-3)


def test_displacements_are_those_of_agents_that_stay() -> None:
    world, moved = fliers("wrap"), throng.Displacements()
    moved.observe(world)
    ids = world.ids("p")
    world.remove(ids[:500])
    world.place("p", 300)
    world.step(2, observe=[moved])
    np.testing.assert_array_equal(moved.ids(world, "p"), np.sort(ids[500:]))


def test_observers_that_missed_ticks_say_so() -> None:
    world = fliers("wrap")
    moved = throng.Displacements()
    recorder = throng.Recorder(["mean_squared_displacement", "mean_speed"])
    with pytest.raises(ValueError, match="never"):
        moved.vectors(world, "p")
    world.step(10, observe=(recorder, moved))
    world.step(200)
    with pytest.raises(ValueError, match="last at tick 10"):
        moved.vectors(world, "p")
    before = world.state_hash()
    observers: list[Callable[[], object]] = [
        lambda: recorder.observe(world), lambda: moved.observe(world), lambda: world.step(3, observe=recorder),
    ]
    for observe in observers:
        with pytest.raises(ValueError, match="observe="):
            observe()
    assert world.state_hash() == before and recorder.table()["tick"].tolist() == list(range(11))
    # Measures of one moment need no tick in between, and neither do displacements in a world without a seam.
    for edge, names in [("wrap", ["mean_speed"]), ("open", ["mean_squared_displacement"])]:
        world, recorder = fliers(edge), throng.Recorder(names)
        for _ in range(3):
            recorder.observe(world)
            world.step(100)
        assert len(recorder.table()) == 3
    for wrong in [3, "recorder", [recorder, 3]]:
        with pytest.raises(TypeError, match="observer"):
            world.step(observe=wrong)  # type: ignore[arg-type]


def test_a_recorder_in_a_step_has_the_records_of_one_in_a_loop() -> None:
    tables = []
    for gap in (1, 50):
        world = throng.World((10, 10), tick_seconds=0.05, seed=4)
        motion = throng.Motion("active_brownian", rotational_diffusion=0.5)
        world.add_species("p", max_speed=2.0, radius=0.01, motion=motion)
        world.place("p", 500)
        recorder = throng.Recorder(["mean_squared_displacement"], every=10, lines={"door": [[5, 0], [5, 10]]})
        if gap == 1:
            recorder.observe(world)
        for _ in range(400 // gap):
            if gap == 1:
                world.step()
                recorder.observe(world)
            else:
                world.step(gap, observe=recorder)
        tables.append({name: recorder.table()[name].tolist() for name in recorder.table().keys()})
    assert tables[0] == tables[1] and len(tables[0]["tick"]) == 41
    # 2 v²/D (t - (1 - exp(-D t)) / D) with v = 2 m/s, D = 0.5 1/s and t = 20 s; the standard error is about 6 %.
    assert tables[0]["mean_squared_displacement"][-1] == pytest.approx(288.0, rel=0.2)


def test_agents_start_as_in_scenario_files() -> None:
    starts: list[tuple[Any, float]] = [(3.0, 3.0), ((2.0, 5.0), 2.0)]
    for distribution, speed in starts:
        world = throng.World((50, 50), seed=5)
        world.add_species("p", max_speed=distribution)
        world.place("p", 300)
        np.testing.assert_allclose(np.linalg.norm(world.velocities("p"), axis=1), speed, rtol=1e-5)
        heading = (world.velocities("p") / speed).mean(axis=0)
        assert np.linalg.norm(heading) < 0.2
    world.add_species("walker", max_speed={"mean": 1.3, "sd": 0.2})
    world.place("walker", 300)
    speeds = np.linalg.norm(world.velocities("walker"), axis=1)
    np.testing.assert_allclose(speeds, world.column("walker", "max_speed"), rtol=1e-5)
    world.add_species("slow", max_speed=5.0)
    world.place("slow", 300, speed=(1.0, 2.0))
    speeds = np.linalg.norm(world.velocities("slow"), axis=1)
    assert 1.0 <= speeds.min() < 1.1 and 1.9 < speeds.max() <= 2.0
    (resting,) = world.spawn("slow", [[1.0, 1.0]])
    assert world.velocity(resting) == [0.0, 0.0]


@pytest.mark.parametrize("model", ["vicsek", "gregoire_chate", "couzin", "active_brownian"])
def test_models_of_constant_speed_move_from_any_start(model: str) -> None:
    for start in ("place", "rest"):
        world = throng.World((7, 7), tick_seconds=1.0, seed=1)
        world.add_species("b", max_speed=0.03, radius=0.01, motion=throng.Motion(model))
        if start == "place":
            world.place("b", 300)
        else:
            world.spawn("b", np.random.default_rng(1).uniform(0, 7, (300, 2)))
        world.step(20)
        assert throng.measures.mean_speed(world) == pytest.approx(0.03, rel=1e-3)
        assert throng.measures.polarisation(world) > 0.0


def test_agents_are_drawn_between_two_ticks() -> None:
    world = fliers(edge="wrap")
    world.keep_previous()
    ids, start = world.ids("p"), world.positions("p")
    world.step()
    now = world.positions("p", ids=ids)
    way = (now - start + 10) % 20 - 10
    quarter = world.drawn("p", 0.25, ids=ids)
    np.testing.assert_allclose((quarter - start - 0.25 * way + 10) % 20 - 10, 0, atol=1e-5)
    assert quarter.min() >= 0 and quarter.max() <= 20
    (newborn,) = world.spawn("p", [[3.0, 4.0]])
    np.testing.assert_array_equal(world.drawn("p", 0.25, ids=[int(newborn)]), [[3.0, 4.0]])
    world.keep_previous(False)
    np.testing.assert_array_equal(world.drawn("p", 0.0), world.positions("p"))
