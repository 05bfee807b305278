"""Rules that are functions of Python."""

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest
import throng


def push(columns: throng.View) -> Any:
    """A force along x that grows with x."""
    forces = np.zeros((len(columns), len(columns.position)), np.float32)
    forces[:, 0] = columns["x"] * np.float32(0.01)
    return forces


def other_push(columns: throng.View) -> Any:
    x, *rest = columns.position
    return (x * np.float32(0.01), *(np.zeros_like(axis) for axis in rest))


def plain(dimensions: int, *rules: Any) -> throng.World:
    world = throng.World((100.0,) * dimensions, tick_seconds=0.1, edge="open", seed=2)
    world.add_species("bird", mass=2.0, rules=list(rules))
    world.place("bird", 300, speed=0)
    return world


@pytest.mark.parametrize("dimensions", [2, 3])
def test_forces_accelerate_agents(dimensions: int) -> None:
    world = plain(dimensions, push)
    expected = world.positions("bird").astype(np.float64)
    ids = world.ids("bird")
    speed = np.zeros(300)
    for _ in range(20):
        speed += expected[:, 0] * 0.01 / 2.0 * 0.1
        expected[:, 0] += speed * 0.1
        world.step()
    row = np.argsort(world.ids("bird"))
    np.testing.assert_allclose(world.positions("bird")[row], expected[np.argsort(ids)], rtol=1e-5)
    assert world.column("bird", "push").shape == (300, dimensions)


def test_a_tuple_of_axes_and_an_array_are_the_same() -> None:
    worlds = [plain(2, push), plain(2, throng.Rule(other_push))]
    for world in worlds:
        world.step(10)
    np.testing.assert_array_equal(worlds[0].positions("bird"), worlds[1].positions("bird"))


def test_other_rules_and_weights_apply() -> None:
    world = plain(2, throng.Rule(push, weight=0.0), "separation")
    other = plain(2, "separation")
    world.step(10)
    other.step(10)
    np.testing.assert_array_equal(world.positions("bird"), other.positions("bird"))


def test_a_function_that_fails_stops_the_step() -> None:
    def fail(columns: throng.View) -> Any:
        raise ZeroDivisionError("in the function")

    world = plain(2, fail)
    before = world.state_hash()
    with pytest.raises(ZeroDivisionError, match="in the function"):
        world.step(3)
    assert world.state_hash() == before


def test_a_function_that_fails_undoes_the_forces_of_others() -> None:
    def fail(columns: throng.View) -> Any:
        raise ZeroDivisionError("in the function")

    world = plain(2, push)
    world.step()
    world.add_rule("bird", fail)
    before = world.state_hash()
    with pytest.raises(ZeroDivisionError):
        world.step()
    assert world.state_hash() == before


def test_a_function_that_goes_may_use_its_world() -> None:
    seen: list[Any] = []

    class Last:
        __name__ = "last"

        def __call__(self, columns: throng.View) -> None: ...

        def __del__(self) -> None:
            world.step()
            seen.append(world.tick)

    world = plain(2)
    world.add_rule("bird", Last())
    world.remove_rule("bird", 0)
    assert seen == [1]


@pytest.mark.parametrize(
    ("returned", "kind", "text"),
    [
        (np.zeros((299, 2), np.float32), ValueError, "299 forces for 300"),
        (np.zeros((300, 3), np.float32), ValueError, "dimensions"),
        (np.full((300, 2), np.nan, np.float32), ValueError, "not finite"),
        ((np.zeros(300, np.float32),), ValueError, "shape"),
        ("forces", (TypeError, ValueError), "numbers"),
    ],
)
def test_wrong_forces_are_refused(returned: Any, kind: type[Exception], text: str) -> None:
    def wrong(columns: throng.View) -> Any:
        return returned

    world = plain(2, wrong)
    before = world.state_hash()
    with pytest.raises(kind, match=text):
        world.step()
    assert world.state_hash() == before


def test_a_function_reads_its_world_and_cannot_change_it() -> None:
    seen: list[Any] = []

    def look(columns: throng.View) -> None:
        seen.append((world.tick, world.positions("bird").shape))
        for change in [world.clear, world.step]:
            with pytest.raises((RuntimeError, BufferError)):
                change()
        with pytest.raises(ValueError, match="read-only"):
            columns["x"][0] = 1.0

    world = plain(2, look)
    world.step(2)
    assert seen == [(0, (300, 2)), (1, (300, 2))]


def test_an_array_that_a_function_keeps_stops_the_step() -> None:
    kept: list[Any] = []

    def keep(columns: throng.View) -> None:
        kept.append(columns["x"])

    world = plain(2, keep)
    with pytest.raises(BufferError):
        world.step()
    kept.clear()
    assert world.tick == 0


@pytest.mark.parametrize("way", [copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_have_the_function(way: Any) -> None:
    world = plain(2, push)
    world.step(3)
    other = way(world)
    for each in (world, other):
        each.step(5)
    assert other.state_hash() == world.state_hash()


def test_rules_are_added_and_removed() -> None:
    world = plain(2)
    world.add_rule("bird", push)
    assert world.rules("bird")[0]["rule"] == "host_forces" and "push" in world.column_names("bird")
    with pytest.raises(ValueError, match="taken"):
        world.add_rule("bird", push)
    world.step()
    assert (world.velocities("bird") != 0).any()
    world.remove_rule("bird", 0)
    assert "push" not in world.column_names("bird")
    world.step()
    with pytest.raises(ValueError, match="lambda"):
        throng.Rule(lambda columns: None)
    with pytest.raises(ValueError, match="taken"):
        plain(2, push, push)
    with pytest.raises(TypeError):
        throng.Rule(push, radius=3.0)


def test_a_world_in_a_circle_is_collected() -> None:
    world = plain(2)

    def mine(columns: throng.View) -> None:
        world.tick  # noqa: B018

    world.add_rule("bird", mine)
    gone = weakref.ref(world)
    del world, mine
    gc.collect()
    assert gone() is None


def test_columns_that_a_function_returns_move_with_their_agents() -> None:
    """Rows move inside the step: what is returned stays with its agents, what is kept by row does not."""
    kept: dict[str, Any] = {}

    def turn(columns: throng.View) -> Any:
        kept["id"], kept["phase"] = columns["id"], columns["phase"] + np.float32(1.0)
        return {"force": None, "phase": kept["phase"], "count": columns["count"] + 1}

    world = throng.World((20, 20), tick_seconds=0.1, seed=1)
    world.add_species("s", rules=[turn, "separation", "alignment"])
    world.add_column("s", "phase", 0.0)
    world.add_column("s", "count", 0, dtype="uint32")
    world.place("s", 200, speed=5.0)
    world.write("s", "phase", np.arange(200), order="id")
    moved = 0
    for tick in range(1, 101):
        world.step()
        moved += not np.array_equal(kept["id"], world.ids("s"))
        np.testing.assert_array_equal(world.column("s", "phase", order="id"), np.arange(200) + tick)
        np.testing.assert_array_equal(world.column("s", "phase", ids=kept["id"]), kept["phase"])
    assert moved > 0 and world.column("s", "count").tolist() == [100] * 200


@pytest.mark.parametrize(
    ("returned", "kind", "text"),
    [
        ({"phase": np.zeros(299)}, ValueError, "shape"),
        ({"phase": np.full(300, np.nan)}, ValueError, "NaN"),
        ({"phase": ["a"] * 300}, TypeError, "float32"),
        ({"thirst": np.full(300, 2.0)}, throng.BadValueError, "thirst"),
        ({"phaze": np.zeros(300)}, LookupError, "did you mean `phase`"),
        ({"position": np.zeros((300, 2))}, LookupError, "position"),
        ({"force": np.zeros((299, 2))}, ValueError, "299 forces"),
    ],
)
def test_wrong_columns_of_a_function_are_refused(returned: Any, kind: type[Exception], text: str) -> None:
    def wrong(columns: throng.View) -> Any:
        return returned

    world = throng.World((100, 100), seed=2)
    world.add_species("bird", rules=[push, wrong], variables={"thirst": (0.5, 0.0, 1.0)})
    world.place("bird", 300, speed=0)
    world.add_column("bird", "phase", 0.0)
    before = world.state_hash()
    with pytest.raises(kind, match=text):
        world.step()
    assert world.state_hash() == before and world.tick == 0


def test_a_removed_species_takes_its_agents_and_functions_along() -> None:
    world = plain(2, push)
    world.add_species("fly", rules=["wander"])
    ids = world.place("fly", 5, speed=1)
    persons = throng.Persons()
    world.step(observe=persons)
    world.remove_species("bird")
    assert world.species == ["fly"]
    world.step(observe=persons)
    assert {event["species"] for event in world.events()} == {""}
    assert sorted(set(persons.table()["species"])) == ["bird", "fly"]
    again = pickle.loads(pickle.dumps(world))
    again.step()
    world.step()
    assert again.state_hash() == world.state_hash()
    assert sorted(world.ids("fly")) == sorted(ids)
    for call in (world.remove_species, world.positions, world.rules):
        with pytest.raises(throng.NotFoundError, match="bird"):
            call("bird")
