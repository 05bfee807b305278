"""Studies of evacuations: persons, outcomes and convergence."""

import sqlite3
from pathlib import Path

import numpy as np
import polars
import pytest
import throng
from throng import measures

ROOMS = """format = 1
[world]
dimensions = 2
size = [20.0, 10.0]
edge = "bounce"
tick = 0.05
ticks = 1200
until = "empty"
[[wall]]
line = [[10.0, 0.0], [10.0, 4.0]]
[[wall]]
line = [[10.0, 6.0], [10.0, 10.0]]
[[region]]
name = "out"
centre = [18.0, 5.0]
size = [4.0, 10.0]
[[sink]]
name = "east"
region = "out"
[navigation.out]
goals = ["region:out"]
[species.person]
count = 9
max_speed = 1.3
place = { region = "box", centre = [6.0, 7.0], size = [6.0, 4.0] }
motion = { model = "collision_free_speed" }
behaviours = [{ rule = "walk_to", goals = ["out"] }]
[output.measures.line.door]
from = [10.0, 6.0]
to = [10.0, 4.0]
"""


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    path = tmp_path / "rooms.toml"
    path.write_text(ROOMS)
    return path


def test_persons_of_a_world_and_the_outcomes_of_a_sweep(rooms: Path) -> None:
    world, persons = throng.World.from_file(rooms), throng.Persons()
    while world.population:
        world.step(100, observe=persons)
    table = persons.table()
    assert set(table["species"].tolist()) == {"person"} and set(table["exit"].tolist()) == {"east"}
    assert (table["way_m"] >= 8).all() and (table["exit_s"] > table["departure_s"]).all()
    times = persons.exit_times()
    assert persons.remaining == 0 and times.tolist() == sorted(table["exit_s"].tolist()) and len(times) == 9
    names = ["exit_first", "mean_speed", "exit_last", "persons.door", "remaining"]
    swept = throng.sweep(rooms, {"species.person.count": [9]}, ticks=1200, measures=names, statistics=["sd", "mean"])
    row = {name: column[0] for name, column in swept.items()}
    assert (row["exit_first"], row["exit_last"]) == (times[0], times[-1])
    assert (row["persons.door"], row["remaining"]) == (9, 0) and row["mean_speed_sd"] > 0
    world.step(2)
    with pytest.raises(ValueError, match="observe"):
        persons.observe(world)
    with pytest.raises(throng.BadValueError, match="door"):
        throng.sweep(rooms, {"species.person.count": [9]}, ticks=10, measures=["flow.dor"])
    assert "flow.LINE" in measures.outcomes() and measures.level_of_service(1.5) == "E"


def test_seeds_are_added_until_the_curves_have_converged(rooms: Path) -> None:
    key = "species.person.count"
    one, two = (
        throng.sweep(rooms, {key: [3, 9]}, ticks=1200, until=0.2, measures=["exit_last"], threads=threads)
        for threads in (1, 2)
    )
    assert one["seed"].tolist() == two["seed"].tolist() and one["exit_last"].tolist() == two["exit_last"].tolist()
    for count in (3, 9):
        seeds = one["seed"][one[key] == count]
        assert 12 <= len(seeds) < 100 and np.array_equal(seeds, np.arange(seeds[0], seeds[0] + len(seeds)))
    convergence = throng.Convergence(0.01)
    while not convergence.add([2.0, 1.0, 3.0], 3):
        pass
    assert convergence.is_reached and convergence.runs == 12
    with pytest.raises(ValueError, match="tolerance"):
        throng.Convergence(1.0)


def test_trajectories_in_the_formats_of_other_programs(rooms: Path, tmp_path: Path) -> None:
    world = throng.World.from_file(rooms)
    places = world.positions("person", order="id")
    files = [tmp_path / f"walk.{ending}" for ending in ("sqlite", "txt", "csv", "parquet")]
    writers = [throng.TrajectoryWriter(file, every=4, name="rooms") for file in files]
    world.step(8, observe=writers)
    for writer in writers:
        writer.close()
    with sqlite3.connect(files[0]) as database:
        rows = database.execute("SELECT frame, id, pos_x, pos_y FROM trajectory_data ORDER BY frame, id").fetchall()
        (area,) = database.execute("SELECT wkt FROM geometry").fetchone()
    assert len(rows) == 27 and {row[0] for row in rows} == {0, 1, 2}
    assert np.allclose([row[2:] for row in rows[:9]], places, atol=1e-6)
    # The walls beside the door are cut out of the world.
    assert area.startswith("GEOMETRYCOLLECTION (POLYGON") and "9.995 4.005" in area and "9.995 5.995" in area
    lines = [line for line in files[1].read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 27
    assert polars.read_parquet(files[3])["tick"].unique().sort().to_list() == [0, 4, 8]
    assert len(files[2].read_text().splitlines()) == 28
    with pytest.raises(ValueError, match="closed"):
        writers[0].observe(world)
    for wrong in ("walk.usda", "walk"):
        with pytest.raises(ValueError, match="sqlite"):
            throng.TrajectoryWriter(tmp_path / wrong)
    with pytest.raises(OSError, match="missing"), throng.TrajectoryWriter(tmp_path / "missing" / "a.csv") as writer:
        world.step(4, observe=writer)
