"""Floor plans, exits, agents placed in areas, and recorded tracks."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng

ROOM = "POLYGON ((0 0, 10 0, 10 4, 15 4, 15 6, 10 6, 10 10, 0 10, 0 0))"
PLAN = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"name": name, **more},
            "geometry": {"type": "Polygon", "coordinates": [[*corners, corners[0]]]},
        }
        for name, more, corners in [
            ("hall", {}, [[0, 0], [12, 0], [12, 5], [5, 5], [5, 9], [0, 9]]),
            ("exit", {"kind": "zone"}, [[11, 0], [12, 0], [12, 5], [11, 5]]),
        ]
    ],
}


def empty(size: tuple[float, float] = (16, 10)) -> throng.World:
    world = throng.World(size, edge="bounce", tick_seconds=0.05, seed=3)
    world.add_species("person", people=True, rules=[throng.Rule("walk_to", goals=["exit"])])
    return world


def distances(places: Any) -> Any:
    """The distance of each agent from its nearest other."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return apart.min(axis=1)


def test_the_first_example_of_jupedsim_takes_fifteen_lines() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    path = Path(__file__).parents[1] / "examples" / "bottleneck.ipynb"
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len([line for line in cells[0].splitlines() if line]) <= 15
    names: dict[str, Any] = {}
    exec(compile("\n".join(cells), path.name, "exec"), names)
    world, paths = names["world"], names["paths"]
    assert world.population == 0 and world.removed == {"sink:exit": 50} and len(paths) == 50
    assert 15 < world.time < 120
    starts = np.array([way[0] for way in paths.values()])
    assert ((starts >= [1, 1]) & (starts <= [8, 9])).all() and distances(starts).min() >= 0.6
    for way in paths.values():
        x, y = np.array(way).T
        assert x[-1] > 13 and (x < 15).all() and ((x < 10) | ((4 < y) & (y < 6))).all()


def test_agents_fill_areas_by_name_and_by_polygon(tmp_path: Path) -> None:
    world = empty()
    path = tmp_path / "hall.geojson"
    path.write_text(json.dumps(PLAN))
    areas = world.add_floor_plan(path, scale=1.0)
    assert set(areas) == {"hall", "exit"} and len(areas["hall"][0]) == 6
    assert [region["name"] for region in world.regions()] == ["exit"] and world.walls()
    world.add_exit("exit")
    world.place("person", 60, area="hall", speed=0)
    places = world.positions("person")
    in_leg, in_foot = (places < [5, 9]).all(axis=1), (places < [12, 5]).all(axis=1)
    assert (in_leg | in_foot).all() and (places > 0.2).all() and distances(places).min() > 0.39
    # Areas differ by their size: 60 square metres and 20.
    assert 30 <= in_foot.sum() < 60 and 5 < (~in_foot).sum() < 30
    before = world.state_hash()
    refused: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"area": "cellar"}, throng.NotFoundError, "cellar"),
        ({"area": "exit", "count": 500}, ValueError, "room for"),
        ({"area": [(0, 0), (4, 4), (4, 0), (0, 4)]}, ValueError, "crosses"),
        ({"area": [(0, 0), (4, 4)]}, ValueError, "at least 3"),
        ({"area": "hall", "low": (0, 0)}, TypeError, "either"),
        ({"apart": -1.0}, ValueError, "apart"),
    ]
    for wrong, kind, text in refused:
        arguments: dict[str, Any] = {"count": 3, **wrong}
        with pytest.raises(kind, match=text):
            world.place("person", **arguments)
    assert world.state_hash() == before
    world.place("person", 5, area="exit", speed=0)
    assert (world.positions("person")[60:] > [11, 0]).all()
    while world.population:
        world.step(100)
    assert world.removed == {"sink:exit": 65} and world.time < 120


def test_areas_have_holes_and_scenarios_have_areas(tmp_path: Path) -> None:
    class Ring:
        def __init__(self, coords: list[tuple[float, float]]) -> None:
            self.coords = [*coords, coords[0]]

    class Polygon:
        exterior = Ring([(1, 1), (9, 1), (9, 9), (1, 9)])
        interiors = [Ring([(3, 3), (7, 3), (7, 7), (3, 7)])]

    world = empty()
    world.place("person", 40, area=Polygon(), apart=0.8)
    places = world.positions("person")
    assert ((places > 1) & (places < 9)).all() and not ((places > 3) & (places < 7)).all(axis=1).any()
    assert distances(places).min() >= 0.8
    # A world of a scenario knows the areas of its plan.
    (tmp_path / "hall.geojson").write_text(json.dumps(PLAN))
    scenario = tmp_path / "hall.toml"
    scenario.write_text(
        'format = 1\nfloor_plan = { file = "hall.geojson", scale = 1.0 }\n[world]\ndimensions = 2\nsize = [12.0, 9.0]\nedge = "bounce"\n'
        "[species.person]\ncount = 0\n"
    )
    world = throng.World.from_file(scenario)
    assert len(world.place("person", 30, area="hall")) == 30


def test_a_plan_in_dxf_is_read(tmp_path: Path) -> None:
    corners = [(0, 0), (12_000, 0), (12_000, 9000), (0, 9000)]
    words = ["0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC 0 SECTION 2 ENTITIES 0 LWPOLYLINE 8 A-WALL 90 4 70 1"]
    words += [f"10 {x} 20 {y}" for x, y in corners] + ["0 ENDSEC 0 EOF\n"]
    path = tmp_path / "office.dxf"
    path.write_text("\n".join(" ".join(words).split()) + "\n")
    world = empty()
    world.add_floor_plan(path)
    assert len(world.walls()) == 1


def test_plans_and_exits_that_do_not_fit_are_refused() -> None:
    world = empty()
    before = world.state_hash()
    for plan, text in [
        ("POLYGON ((0 0, 40 0, 40 5, 0 0))", "out of the world"),
        ("POLYGON ((0 0, 4 0, 4", "plan|1:"),
        ("none.wkt", "none.wkt"),
    ]:
        with pytest.raises(ValueError, match=text):
            world.add_floor_plan(plan)
    with pytest.raises(TypeError, match="plan"):
        world.add_floor_plan(7)
    with pytest.raises(ValueError, match="rectangle"):
        world.add_exit("exit", [(0, 0), (2, 0), (1, 2)])
    with pytest.raises(throng.NotFoundError, match="exit"):
        world.add_exit("exit")
    assert world.state_hash() == before
    with pytest.raises(ValueError, match="two dimensions"):
        throng.World((9, 9, 9)).add_floor_plan(ROOM)


def test_agents_follow_tracks_of_tables_and_files(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frames = np.arange(40)
    rows = {
        "id": np.repeat([7, 9], 40),
        "frame": np.concatenate([frames, frames + 10]),
        "x": np.concatenate([1 + 0.1 * frames, 9 - 0.1 * frames]),
        "y": np.repeat([4.0, 5.0], 40),
    }
    file = tmp_path / "tracks.txt"
    lines = [f"{a} {f} {x} {y}" for a, f, x, y in zip(*rows.values(), strict=True)]
    file.write_text("# framerate: 10\n" + "\n".join(lines))
    hashes = set()
    for tracks in (rows, pandas.DataFrame(rows), file, str(file)):
        world = empty((10, 10))
        world.add_wall([(3, 0), (3, 10)])
        seconds: dict[str, Any] = {} if isinstance(tracks, (Path, str)) else {"frame_seconds": 0.1}
        handle = world.add_tracks("person", tracks, **seconds)
        (listed,) = world.tracks()
        assert (listed["handle"], listed["name"], listed["tracks"], listed["agents"]) == (handle, "person", 2, {})
        populations = []
        for _ in range(110):
            world.step()
            populations.append(world.population)
        assert populations == [1] * 19 + [2] * 59 + [1] * 20 + [0] * 12
        assert world.removed == {"track": 2}
        hashes.add(world.state_hash())
    assert len(hashes) == 1
    world = empty((10, 10))
    world.add_tracks("person", rows, frame_seconds=0.1)
    world.step(60)
    agents = world.tracks()[0]["agents"]
    for agent, track in agents.items():
        expected = [(4.0, 4.0), (7.0, 5.0)][track]
        np.testing.assert_allclose(world.position(agent), expected, atol=1e-5)
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "frame_seconds"), ({"frame_seconds": 0.0}, "frame_seconds"), ({"frame_seconds": 0.1, "start": 90}, "from 90")
    ]
    for wrong, text in refused:
        with pytest.raises(ValueError, match=text):
            world.add_tracks("person", rows, name="more", **wrong)
    with pytest.raises(ValueError, match="none.txt"):
        world.add_tracks("person", tmp_path / "none.txt", name="more")


WALKERS = """format = 1
[world]
dimensions = 2
size = [20.0, 4.0]
edge = ["wrap", "bounce"]
tick = 0.05
[species.walker]
count = 12
max_speed = 1.3
motion = { model = "collision_free_speed" }
behaviours = [{ rule = "seek", target = [19.0, 2.0] }]
place = { region = "box", centre = [4.0, 2.0], size = [6.0, 3.0] }
"""


def test_a_fit_compares_person_by_person(tmp_path: Path) -> None:
    path, tracks = tmp_path / "walkers.toml", tmp_path / "tracks.csv"
    path.write_text(WALKERS)
    world = throng.World.from_file(path)
    with throng.TrajectoryWriter(tracks, every=2) as writer:
        world.step(120, observe=writer)
    same = throng.fit(path, tracks, persons="all")
    assert len(same.persons["id"]) == 12 and not same.patterns["pattern"].size
    assert same.distance == pytest.approx(same.persons["place"].mean()) and same.persons.units["speed"] == "m/s"
    slow = throng.fit(path, tracks, persons=4, overrides={"species.walker.max_speed": 0.4})
    assert len(slow.persons["id"]) == 4 and slow.distance > 2 * same.distance + 0.2
    with pytest.raises(ValueError, match="persons"):
        throng.fit(path, tracks, persons=0)
