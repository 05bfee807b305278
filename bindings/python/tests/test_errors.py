"""Bad input: a typed error, and the world unchanged."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng

NAN = float("nan")


def positions(world: throng.World) -> Any:
    return world.positions("bird")


BAD: list[tuple[str, type[Exception], str, Callable[[throng.World], object]]] = [
    ("complex numbers", TypeError, "complex128", lambda w: w.write("bird", "load", np.zeros(200, complex))),
    ("texts", TypeError, "float32", lambda w: w.write("bird", "load", ["1"] * 200)),
    ("beyond the type", ValueError, "float32", lambda w: w.write("bird", "load", np.full(200, 1e300))),
    ("shape", ValueError, "shape", lambda w: w.write("bird", "position", positions(w)[:, :1])),
    ("length", ValueError, "shape", lambda w: w.write("bird", "position", positions(w)[:-1])),
    ("length of a column", ValueError, "shape", lambda w: w.write("bird", "load", np.zeros(199, np.float32))),
    ("NaN", ValueError, "NaN", lambda w: w.write("bird", "position", np.full_like(positions(w), np.nan))),
    ("infinity", ValueError, "velocity", lambda w: w.write("bird", "velocity", np.full_like(positions(w), np.inf))),
    ("NaN in a column", ValueError, "NaN", lambda w: w.write("bird", "load", np.full(200, np.nan, np.float32))),
    ("negative mass", ValueError, "mass", lambda w: w.write("bird", "mass", np.full(200, -1, np.float32))),
    ("column", LookupError, "energy", lambda w: w.write("bird", "energy", np.zeros(200, np.float32))),
    ("read a column", LookupError, "energy", lambda w: w.column("bird", "energy")),
    ("species", LookupError, "crow", lambda w: w.positions("crow")),
    ("agent", LookupError, "does not exist", lambda w: w.position(2**40)),
    ("twice", ValueError, "twice", lambda w: w.remove([0, 0])),
    ("remove", LookupError, "does not exist", lambda w: w.remove([0, 2**40])),
    ("spawn NaN", ValueError, "position", lambda w: w.spawn("bird", np.full((2, w.dimensions), np.nan))),
    ("spawn shape", ValueError, "dimensions", lambda w: w.spawn("bird", np.zeros((2, 5)))),
    ("spawn flat", (ValueError, TypeError), "shape", lambda w: w.spawn("bird", [1.0, 2.0])),  # type: ignore[list-item]
    ("spawn text", (ValueError, TypeError), "numbers", lambda w: w.spawn("bird", [["a", "b"]])),  # type: ignore[list-item]
    ("spawn lengths", ValueError, "values", lambda w: w.spawn("bird", positions(w), positions(w)[:3])),
    ("point", ValueError, "dimensions", lambda w: w.within([1.0] * 5, 1.0)),
    ("radius", ValueError, "radius", lambda w: w.within([1.0] * w.dimensions, -1.0)),
    ("parameter", ValueError, "separation.radius", lambda w: w.set_parameter("bird", "separation.radius", -3)),
    ("path", ValueError, "rule", lambda w: w.set_parameter("bird", "seperation.radius", 3)),
    ("quantity", ValueError, "max_speed", lambda w: w.set_parameter("bird", "max_speed", NAN)),
    ("rule", LookupError, "flap", lambda w: w.add_rule("bird", "flap")),
    ("rule's parameter", ValueError, "radius", lambda w: w.add_rule("bird", throng.Rule("separation", radius=NAN))),
    ("rule's type", TypeError, "rule", lambda w: w.add_rule("bird", 3)),  # type: ignore[arg-type]
    ("name", ValueError, "taken", lambda w: w.add_species("bird")),
    ("unknown quantity", TypeError, "wingspan", lambda w: w.add_species("hawk", wingspan=3)),  # type: ignore[call-arg]
    ("column taken", ValueError, "taken", lambda w: w.add_column("bird", "load")),
    ("column type", TypeError, "dtype", lambda w: w.add_column("bird", "other", dtype="complex64")),  # type: ignore[arg-type]
    ("settings", ValueError, "tick_seconds", lambda w: w.set_settings(tick_seconds=0)),
    ("edge", ValueError, "edge", lambda w: w.set_settings(edge="walls")),
    ("state", LookupError, "flee", lambda w: w.set_state(0, "flee")),
    ("handle", LookupError, "wall 77", lambda w: w.remove_wall(77)),
    ("too many", throng.BadValueError, "count.* 0 to 2147", lambda w: w.place("bird", 10**18)),
    ("more than a world has", throng.BadValueError, "0 to 2147", lambda w: w.place("bird", 2**31)),
    ("place a negative number", OverflowError, ".", lambda w: w.place("bird", -1)),
    ("place outside", ValueError, "position", lambda w: w.place("bird", 3, low=[1e30] * w.dimensions, high=[1e30] * w.dimensions)),
    ("place in no box", ValueError, "corners", lambda w: w.place("bird", 3, low=[50] * w.dimensions, high=[10] * w.dimensions)),
    ("place with NaN", ValueError, "speed", lambda w: w.place("bird", 3, speed=NAN)),
    ("ticks", OverflowError, ".", lambda w: w.step(-1)),
    ("half a tick", TypeError, ".", lambda w: w.step(1.5)),  # type: ignore[arg-type]
    ("objects", TypeError, "object", lambda w: w.write("bird", "position", positions(w).astype(object))),
    ("nothing", TypeError, "object", lambda w: w.write("bird", "position", None)),  # type: ignore[arg-type]
    ("column of ids", ValueError, "taken", lambda w: w.add_column("bird", "id")),
    ("misspelt measure", ValueError, "did you mean `polarisation`", lambda w: throng.measures.measure(w, "polarization")),
    ("misspelt rule", LookupError, "did you mean `separation`", lambda w: w.add_rule("bird", "seperation")),
    ("misspelt species", LookupError, "did you mean `bird`", lambda w: w.positions("brid")),
    ("misspelt column", LookupError, "did you mean `load`", lambda w: w.column("bird", "laod")),
    ("misspelt model", LookupError, "did you mean `vicsek`", lambda w: w.add_species("hawk", motion="viscek")),
    ("place at a negative speed", ValueError, "speed", lambda w: w.place("bird", 3, speed=-1)),
    ("ids", LookupError, "id", lambda w: w.write("bird", "id", w.ids("bird"))),
    ("start of a column", ValueError, "NaN", lambda w: w.add_column("bird", "other", NAN)),
    ("width of a column", ValueError, "10 numbers", lambda w: w.add_column("bird", "other", [0.0] * 10)),
    ("remove a column", LookupError, "energy", lambda w: w.remove_column("bird", "energy")),
    ("remove a rule", LookupError, "rule", lambda w: w.remove_rule("bird", 9)),
    ("remove no integer", TypeError, ".", lambda w: w.remove(np.zeros(3))),
    ("set a position", ValueError, "position", lambda w: w.set_position(0, [NAN] * w.dimensions)),
    ("set a velocity", ValueError, "velocity", lambda w: w.set_velocity(0, [1e30] * w.dimensions)),
    ("set a goal", ValueError, "goal", lambda w: w.set_goal(0, [NAN] * w.dimensions)),
    ("set a body", ValueError, "mass", lambda w: w.set_quantity(0, "mass", 0)),
    ("set a value", LookupError, "energy", lambda w: w.set_column_value(0, "energy", 1)),
    ("get", LookupError, "flapping", lambda w: w.parameter("bird", "flapping.radius")),
    ("explain", LookupError, "does not exist", lambda w: w.explain(2**40)),
    ("neighbours", ValueError, "radius", lambda w: w.neighbours(0, NAN)),
    ("nearest", OverflowError, ".", lambda w: w.nearest([1.0] * w.dimensions, -1)),
    ("walls within", ValueError, "radius", lambda w: w.walls_within([1.0] * w.dimensions, NAN)),
    ("flow", LookupError, "wind", lambda w: w.flow("wind", [1.0] * w.dimensions)),
    ("way", LookupError, "3", lambda w: w.way(3, [1.0] * w.dimensions)),
    ("obstacle", ValueError, "radius", lambda w: w.add_obstacle([1.0] * w.dimensions, -1)),
    ("wall", TypeError, ".", lambda w: w.add_wall()),
    ("wall of two shapes", TypeError, "must be one of line", lambda w: w.add_wall([[1.0] * w.dimensions] * 2, radius=1)),
    ("wall with a normal and a radius", TypeError, "must be one of line", lambda w: w.add_wall(centre=[1.0] * w.dimensions, radius=1, normal=[1.0] * w.dimensions)),
    ("wall of NaN", ValueError, ".", lambda w: w.add_wall(centre=[NAN] * w.dimensions, radius=1)),
    ("unknown key", TypeError, "known are name, region", lambda w: w.add_sink("out", "gate", spices=["a"])),  # type: ignore[call-arg]
    ("missing key", TypeError, "`direction` is missing", lambda w: w.add_zone("gate", 1.0, against=0.5)),
    ("mark", ValueError, ".", lambda w: w.set_mark("exit", [NAN] * w.dimensions)),
    ("region", ValueError, "radius", lambda w: w.add_region("hall", [1.0] * w.dimensions, radius=-1)),
    ("flow field", ValueError, ".", lambda w: w.set_flow_field("wind", np.zeros((0, 3, 2), np.float32))),
    ("queue of too many places", ValueError, "places", lambda w: w.add_queue("line", [[0.0] * w.dimensions, [50.0] * w.dimensions], spacing=1e-9)),
    ("navigation", ValueError, ".", lambda w: w.add_navigation("out", [[1.0] * w.dimensions], cell=0)),
    ("zoom", ValueError, "zoom", lambda w: w.picture(zoom=NAN)),
    ("measure", ValueError, "beauty", lambda w: throng.measures.measure(w, "beauty")),
    ("measure's radius", ValueError, "radius", lambda w: throng.measures.measure(w, "clusters")),
    ("picture", ValueError, "width", lambda w: w.picture(width=1)),
    ("colour", ValueError, "colour", lambda w: w.picture(colour="pink")),
]


@pytest.mark.parametrize(("kind", "text", "call"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_call_raises_and_changes_nothing(
    world: throng.World, kind: type[Exception], text: str, call: Callable[[throng.World], object]
) -> None:
    before = world.state_hash()
    with pytest.raises(kind, match=text):
        call(world)
    assert world.state_hash() == before
    world.step()


def test_a_bad_value_has_its_parts(world: throng.World) -> None:
    with pytest.raises(throng.BadValueError) as raised:
        world.set_parameter("bird", "separation.radius", -3)
    error = raised.value
    assert (error.rule, error.what, error.given) == ("separation", "radius", "-3")
    assert "[0, 1e6]" in error.allowed


def test_a_bad_scenario_has_its_places() -> None:
    text = "format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\ntick = -0.1\nspead = 1\n[species.bird]\ncount = 1\n"
    with pytest.raises(throng.ScenarioError) as raised:
        throng.World.from_text(text, file="small.toml")
    error = raised.value
    assert (error.file, error.line, error.column, error.key, error.value) == ("small.toml", 5, 8, "world.tick", "-0.1")
    assert [problem["line"] for problem in error.problems] == [5, 6]
    assert str(error).startswith("small.toml:5:8: world.tick = -0.1: must be")
    with pytest.raises(throng.ScenarioError, match="world.seed"):
        throng.World.from_text(text.replace("tick = -0.1\nspead = 1\n", ""), world={"seed": -1})
    with pytest.raises(throng.ScenarioError):
        throng.World.from_text("this is not TOML")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing.toml"):
        throng.World.from_file(tmp_path / "missing.toml")
    with pytest.raises(OSError):
        throng.World.from_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        throng.World.load(tmp_path / "missing.snapshot")
    (tmp_path / "bytes").write_bytes(b"no snapshot")
    with pytest.raises(throng.SnapshotError):
        throng.World.load(tmp_path / "bytes")
    with pytest.raises(throng.SnapshotError):
        throng.World.from_bytes(b"")


def test_a_dictionary_that_contains_itself_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["world"] = circle
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for scenario in (circle, {"walls": deep}):
        with pytest.raises(ValueError, match="more than 64 deep"):
            throng.World.from_dict(scenario)
        with pytest.raises(ValueError, match="more than 64 deep"):
            throng.World.from_text("format = 1", **scenario)


def test_a_number_of_threads_that_no_machine_has_is_refused() -> None:
    before = throng.threads()
    for number in (5000, 10**9):
        with pytest.raises(throng.BadValueError, match=r"number.*1 to \d+") as refused:
            throng.set_threads(number)
        assert (refused.value.what, refused.value.given) == ("number", str(number))
    with pytest.raises(throng.BadValueError, match=r"threads.*1 to \d+"):
        throng.sweep("no.toml", {}, ticks=1, threads=10**9)
    for number in (0, -1):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            throng.set_threads(number)
    assert throng.threads() == before


@pytest.mark.parametrize("count", [2**31 + 1, 2**53])
def test_more_agents_than_any_world_has_are_an_error_of_the_scenario(count: int) -> None:
    text = f"format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\n[species.bird]\ncount = {count}\n"
    with pytest.raises(throng.ScenarioError, match="more than one world can have") as refused:
        throng.World.from_text(text)
    assert (refused.value.line, refused.value.problems) == (None, [])


def test_worlds_that_cannot_exist() -> None:
    with pytest.raises(MemoryError, match="agents"):
        throng.World.from_text(
            "format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\n[species.bird]\ncount = 2000000000\n"
        )
    for size in [(), (1.0,), (1.0,) * 4]:
        with pytest.raises(ValueError, match="size"):
            throng.World(size)
    with pytest.raises(ValueError, match="size"):
        throng.World((NAN, 1.0))
    with pytest.raises(ValueError, match="edge"):
        throng.World((1.0, 1.0), edge=["wrap"] * 3)
    for wrong in ["large", 7.0, [1.0, "a"], None]:
        with pytest.raises(TypeError, match="one number per dimension, such as"):
            throng.World(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dtype", "given"),
    [
        ("float32", np.arange(200.0)), ("float32", np.arange(200).astype(">f4")), ("float32", np.arange(200, dtype=np.int16)),
        ("float32", list(range(200))), ("float32", np.arange(400, dtype=np.float16)[::2]), ("float32", np.arange(200) > 9),
        ("uint32", np.arange(200)), ("uint32", list(range(200))), ("uint32", np.full(200, 2**32 - 1)),
        ("uint64", np.full(200, 2**64 - 1, np.uint64)), ("uint64", np.arange(200, dtype=np.int8).astype(bool)),
    ],
)
def test_numbers_are_converted_to_the_type_of_a_column(world: throng.World, dtype: Any, given: Any) -> None:
    world.add_column("bird", "own", dtype=dtype)
    world.write("bird", "own", given)
    assert world.column("bird", "own").dtype == dtype
    np.testing.assert_array_equal(world.column("bird", "own"), np.asarray(given).astype(dtype))


def test_numbers_that_a_column_cannot_hold_are_refused(world: throng.World) -> None:
    wrong: list[tuple[str, type[Exception], Any]] = [
        ("uint32", ValueError, np.full(200, -1)), ("uint32", ValueError, np.full(200, 2**32)),
        ("uint64", ValueError, np.full(200, -1)), ("uint32", TypeError, np.zeros(200)),
    ]
    for dtype in ("uint32", "uint64"):
        world.add_column("bird", dtype, dtype=dtype)
    before = world.state_hash()
    for dtype, kind, given in wrong:
        with pytest.raises(kind, match=dtype):
            world.write("bird", dtype, given)
    assert world.state_hash() == before
