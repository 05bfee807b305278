"""Columns without a copy: their guarantees while a view lives, and afterwards."""

import copy
import gc
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import throng

World = throng.World


def first(world: World) -> int:
    return int(world.ids("bird")[0])


def point(world: World) -> list[float]:
    return [1.0] * world.dimensions


MOVERS: dict[str, Callable[[World], object]] = {
    "step": lambda world: world.step(),
    "spawn": lambda world: world.spawn("bird", np.full((1, world.dimensions), 5.0)),
    "place": lambda world: world.place("bird", 1),
    "remove": lambda world: world.remove(world.ids("bird")[:1]),
    "clear": lambda world: world.clear(),
    "write": lambda world: world.write("bird", "velocity", world.velocities("bird")),
    "write a goal": lambda world: world.write("bird", "goal", world.positions("bird")),
    "write a column": lambda world: world.write("bird", "load", world.column("bird", "load")),
    "set_column_value": lambda world: world.set_column_value(first(world), "load", 2.0),
    "set_position": lambda world: world.set_position(first(world), point(world)),
    "set_velocity": lambda world: world.set_velocity(first(world), point(world)),
    "set_goal": lambda world: world.set_goal(first(world), None),
    "form": lambda world: world.form([first(world)], "line", 1.0, point(world), point(world)),
    "set_quantity": lambda world: world.set_quantity(first(world), "mass", 2.0),
    "set_state": lambda world: world.set_state(first(world), "late"),
    "set_parameter": lambda world: world.set_parameter("bird", "max_speed", 3.0),
    "set_settings": lambda world: world.set_settings(seed=1),
    "add_column": lambda world: world.add_column("bird", "other"),
    "remove_column": lambda world: world.remove_column("bird", "load"),
    "add_species": lambda world: world.add_species("hawk"),
    "add_rule": lambda world: world.add_rule("bird", "cohesion"),
    "remove_rule": lambda world: world.remove_rule("bird", 0),
    "remove_species": lambda world: world.remove_species("bird"),
    "add_wall": lambda world: world.add_wall(centre=point(world), radius=1.0),
    "set_wall_open": lambda world: world.set_wall_open(world.walls()[0]["handle"], [[0.0, 1.0]]),
    "remove_wall": lambda world: world.remove_wall(world.walls()[0]["handle"]),
    "add_obstacle": lambda world: world.add_obstacle(point(world), 1.0),
    "remove_obstacle": lambda world: world.remove_obstacle(world.obstacles()[0]["handle"]),
    "set_mark": lambda world: world.set_mark("here", point(world)),
    "remove_mark": lambda world: world.remove_mark(HANDLES["mark"]),
    "add_region": lambda world: world.add_region("yard", point(world), radius=1.0),
    "remove_region": lambda world: world.remove_region(world.regions()[0]["handle"]),
    "set_flow_field": lambda world: world.set_flow_field("wind", flow(world)),
    "remove_flow_field": lambda world: world.remove_flow_field(world.flow_fields()["breeze"]),
    "add_navigation": lambda world: world.add_navigation("ways", [[1.0, 1.0]]),
    "remove_navigation": lambda world: world.remove_navigation(world.navigations()[0]["handle"]),
    "add_queue": lambda world: world.add_queue("till", [point(world), [9.0] * world.dimensions]),
    "add_waiting_area": lambda world: world.add_waiting_area("bench", point(world), radius=2.0),
    "remove_places": lambda world: world.remove_places(world.places()[0]["handle"]),
    "add_tracks": lambda world: world.add_tracks("bird", track(world), name="film", frame_seconds=0.5),
    "remove_tracks": lambda world: world.remove_tracks(world.tracks()[0]["handle"]),
    "add_floor_plan": lambda world: world.add_floor_plan("LINESTRING (2 2, 8 2)"),
    "add_exit": lambda world: world.add_exit("gate"),
    "add_source": lambda world: world.add_source("out", "bird", "gate", rate=1.0),
    "remove_source": lambda world: world.remove_source(world.sources()[0]["handle"]),
    "add_sink": lambda world: world.add_sink("drain", "gate"),
    "remove_sink": lambda world: world.remove_sink(world.sinks()[0]["handle"]),
    "add_zone": lambda world: world.add_zone("gate", 0.5),
    "remove_zone": lambda world: world.remove_zone(world.zones()[0]["handle"]),
    "add_lift": lambda world: world.add_lift("down", ["gate"] * 2, ["gate"] * 2, [0.0, 3.0]),
    "remove_lift": lambda world: world.remove_lift(world.lifts()[0]["handle"]),
    "add_link": lambda world: world.add_link("drop", "gate", "gate", 2.0),
    "remove_link": lambda world: world.remove_link(world.links()[0]["handle"]),
    "add_substance": lambda world: world.add_substance("dust", 10.0),
    "remove_substance": lambda world: world.remove_substance(world.substances()[0]["handle"]),
    "set_substance_amounts": lambda world: world.set_substance_amounts(
        world.substances()[0]["handle"], np.ones((10,) * world.dimensions, np.float32)
    ),
    "explain": lambda world: world.explain(first(world)),
    "keep_previous": lambda world: world.keep_previous(),
}
HANDLES: dict[str, int] = {}
READERS = {
    "backlog", "column", "column_names", "column_value", "contains", "copy", "count", "dimensions", "drawn",
    "event_array", "events", "faults", "find", "flow", "flow_fields", "ids", "is_clear", "lifts", "links", "marks",
    "navigation_distances", "navigations", "nearest", "nearest_free", "neighbours", "obstacles", "pairs", "parameter",
    "picture", "places", "population", "position", "positions", "preferred_velocity", "prepare", "profile", "ray", "record",
    "regions", "removed", "route", "rules", "save", "save_recording", "settings", "show", "sinks", "sources", "spawned", "species",
    "state", "state_hash", "state_names", "states", "steering", "steering_of", "table", "tick", "tick_seconds",
    "time", "to_bytes", "tracks", "velocities", "velocity", "view", "walls", "walls_within", "warnings", "way", "within",
    "substance_amounts", "substances", "zones",
}
CREATORS = {"from_bytes", "from_dict", "from_file", "from_text", "load"}


def track(world: World) -> dict[str, list[float]]:
    axes = {axis: [5.0, 6.0] for axis in "xyz"[: world.dimensions]}
    return {"id": [3, 3], "frame": [0, 1], **axes}


def flow(world: World) -> Any:
    return np.zeros((2,) * world.dimensions + (world.dimensions,), np.float32)


def furnished(dimensions: int) -> World:
    """A world with one item of each kind."""
    world = World((100.0,) * dimensions, tick_seconds=0.1, seed=7)
    world.add_species("bird", rules=["separation"], states=["calm", "late"])
    world.place("bird", 50, speed=5.0)
    world.add_column("bird", "load", 1.5)
    world.add_wall(centre=[50.0] * dimensions, radius=1.0)
    world.add_obstacle([60.0] * dimensions, 1.0)
    HANDLES["mark"] = world.set_mark("there", [9.0] * dimensions)
    world.add_region("gate", [20.0] * dimensions, radius=2.0)
    world.set_flow_field("breeze", flow(world))
    if dimensions == 2:
        world.add_navigation("exit", [[90.0, 90.0]])
    world.add_queue("line", [[5.0] * dimensions, [8.0] * dimensions])
    world.add_source("in", "bird", "gate", rate=1.0)
    world.add_tracks("bird", track(world), frame_seconds=0.5)
    world.add_sink("out", "gate")
    world.add_zone("gate", 0.5)
    world.add_lift("up", ["gate"] * 2, ["gate"] * 2, [0.0, 3.0])
    world.add_link("jump", "gate", "gate", 1.0)
    world.add_substance("trail", 10.0)
    return world


def test_every_method_is_one_that_moves_columns_or_one_that_does_not() -> None:
    methods = {name for name in vars(World) if not name.startswith("_")}
    assert methods == {name for name in MOVERS if " " not in name} | READERS | CREATORS


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("name", MOVERS)
def test_nothing_moves_columns_while_a_view_lives(dimensions: int, name: str) -> None:
    if dimensions == 3 and any(part in name for part in ("navigation", "floor_plan", "exit")):
        pytest.skip("it has two dimensions")
    world = furnished(dimensions)
    before = world.state_hash()
    with world.view("bird"), pytest.raises(BufferError, match="views"):
        MOVERS[name](world)
    assert world.state_hash() == before
    MOVERS[name](world)


def test_a_view_shows_the_columns_without_a_copy(world: throng.World) -> None:
    names = "xyz"[: world.dimensions]
    with world.view("bird") as columns:
        assert len(columns) == 200
        assert columns.keys() == ["id", *names, *(f"v{name}" for name in names), "load"] == world.column_names("bird")
        assert "load" in columns and "mass" not in columns
        arrays = [columns[name] for name in columns.keys()[1:]]
        assert all(array.dtype == np.float32 and not array.flags.owndata for array in arrays)
        assert columns["x"].ctypes.data == columns["x"].ctypes.data
        np.testing.assert_array_equal(np.stack(columns.position, axis=1), world.positions("bird"))
        np.testing.assert_array_equal(np.stack(columns.velocity, axis=1), world.velocities("bird"))
        with pytest.raises(throng.NotFoundError, match="energy"):
            columns["energy"]
        del arrays
    world.step()


def test_a_view_cannot_be_written_to(world: throng.World) -> None:
    before = world.state_hash()
    with world.view("bird") as columns:
        for name in ["x", "vx", "load"]:
            array = columns[name]
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1.0
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
            with pytest.raises(ValueError, match="WRITEABLE"):
                array[3:].flags.writeable = True
        del array
    assert world.state_hash() == before


def test_a_closed_view_gives_nothing(world: throng.World) -> None:
    view = world.view("bird")
    for use in [lambda: view["x"], lambda: view.position, lambda: len(view), view.keys, view.__arrow_c_stream__]:
        with pytest.raises(ValueError, match="closed"):
            use()
    with view:
        view["x"]
    with pytest.raises(ValueError, match="closed"):
        view["x"]
    world.step()


def test_an_array_that_outlives_its_block_keeps_the_columns_in_place(world: throng.World) -> None:
    with world.view("bird") as columns:
        escaped = columns["x"][10:20]
    expected = world.positions("bird")[10:20, 0]
    with pytest.raises(BufferError):
        world.step()
    np.testing.assert_array_equal(escaped, expected)
    del escaped
    world.step()


def test_an_array_that_outlives_its_world_is_whole() -> None:
    world = throng.World((100.0, 100.0), seed=3)
    world.add_species("bird")
    world.place("bird", 5000)
    expected = world.positions("bird")[:, 0]
    with world.view("bird") as columns:
        escaped = columns["x"]
    del world, columns
    gc.collect()
    noise = [np.ones(5000, np.float32) for _ in range(100)]
    np.testing.assert_array_equal(escaped, expected)
    del noise


def test_a_view_that_is_dropped_in_its_block_ends(world: throng.World) -> None:
    view = world.view("bird")
    view.__enter__()
    with pytest.raises(BufferError):
        world.step()
    del view
    world.step()


def test_a_world_is_copied_and_saved_in_the_middle_of_a_view(world: throng.World) -> None:
    before = world.state_hash()
    with world.view("bird") as columns:
        copies = [pickle.loads(pickle.dumps(world)), copy.deepcopy(world)]
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(columns)
    for other in copies:
        assert other.state_hash() == before
        other.step()


def test_an_error_in_the_block_ends_the_view(world: throng.World) -> None:
    with pytest.raises(KeyError), world.view("bird") as columns:
        raise KeyError(len(columns))
    world.step()


def test_views_of_empty_species_and_wide_columns() -> None:
    world = throng.World((10.0, 10.0))
    world.add_species("none")
    world.add_column("none", "wide", [1, 2, 3], dtype="uint32")
    with world.view("none") as columns:
        assert columns["x"].shape == (0,)
        assert columns["wide"].shape == (0, 3)
    world.spawn("none", [[1, 2], [3, 4]])
    with world.view("none") as columns:
        wide = columns["wide"]
        assert wide.dtype == np.uint32
        np.testing.assert_array_equal(wide, [[1, 2, 3]] * 2)
        del wide


def test_threads_read_at_the_same_time(world: throng.World) -> None:
    sums: list[Any] = []

    def read() -> None:
        for _ in range(50):
            with world.view("bird") as columns:
                sums.append(float(columns["x"].sum()))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sums) == 200 and len(set(sums)) == 1
    world.step()
