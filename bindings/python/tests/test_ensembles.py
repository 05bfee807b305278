"""Ensembles of worlds, tables with units, and fits to recorded tracks."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng
from throng import measures


def test_an_ensemble_has_the_bits_of_its_worlds(scenarios: Path) -> None:
    path = scenarios / "flock.toml"
    few = {"species.starling.count": 60}
    flocks = throng.ensemble(path, worlds=5, first_seed=3, overrides=few)
    table = flocks.record(20, ["polarisation", "mean_squared_displacement.starling"], every=5)
    assert table["tick"].tolist() == [5, 10, 15, 20] and table.units == {
        "mean_squared_displacement.starling": "m2", "mean_squared_displacement.starling_sd": "m2",
        "mean_squared_displacement.starling_se": "m2",
    }
    order = []
    for number, seed in enumerate(range(3, 8)):
        world = throng.World.from_file(path, **few, **{"world.seed": seed})
        world.step(20)
        assert world.state_hash() == flocks[number].state_hash()
        assert (flocks.positions("starling")[number] == world.positions("starling", order="id")).all()
        order.append(measures.polarisation(world))
    assert flocks.measure("polarisation").tolist() == order
    assert table["polarisation"][-1] == pytest.approx(np.mean(order))
    assert table["polarisation_se"][-1] == pytest.approx(np.std(order, ddof=1) / 5**0.5)
    # A column of all worlds, written and read.
    velocities = flocks.velocities("starling")
    assert velocities.shape == (5, 60, 2)
    flocks.write("starling", "velocity", -velocities)
    assert (flocks.velocities("starling") == -velocities).all()
    for world in flocks:
        world.add_column("starling", "mood", 0.0)
    moods = np.arange(300, dtype=np.float32).reshape(5, 60)
    flocks.write("starling", "mood", moods)
    flocks.step(30)
    assert (flocks.column("starling", "mood") == moods).all()


def test_an_ensemble_refuses_what_worlds_cannot_do_together(scenarios: Path) -> None:
    flocks = throng.ensemble(scenarios / "flock.toml", worlds=2, overrides={"species.starling.count": 10})
    with pytest.raises(ValueError, match="one row for each of the 2 worlds"):
        flocks.write("starling", "velocity", np.zeros((3, 10, 2)))
    flocks[1].remove([int(flocks[1].ids("starling")[0])])
    with pytest.raises(ValueError, match="world 1 has 9 agents, and world 0 has 10"):
        flocks.positions("starling")

    def push(columns: throng.View) -> None:
        """Push nothing."""

    flocks[0].add_rule("starling", push)
    with pytest.raises(ValueError, match="functions of Python"):
        flocks.step()
    with pytest.raises(ValueError, match="worlds = 0"):
        throng.ensemble(scenarios / "flock.toml", worlds=0)
    with pytest.raises(ValueError, match="beauty"):
        flocks.record(1, ["beauty"])
    world = flocks[1]
    with pytest.raises(RuntimeError, match="in use"):
        throng.Ensemble([world, world]).step()


def test_results_are_frames_with_units(scenarios: Path) -> None:
    pandas = pytest.importorskip("pandas")
    together = ("species.bird.count", "world.size")
    table = throng.sweep(
        scenarios / "vicsek.toml", {together: [(50, [5, 5]), (200, [10, 10])]}, ticks=20, start=10,
        measures=["mean_speed", "polarisation.bird", "density"],
    )
    assert table.units["mean_speed"] == table.units["mean_speed_sd"] == "m/s" and table.units["density"] == "1/m2"
    frame = table.pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"] == table.units
    assert frame["world.size"].tolist() == [[5, 5], [10, 10]] and len(frame) == 2
    assert table.polars().shape == (2, len(table))
    with pytest.raises(LookupError, match="owl"):
        throng.sweep(scenarios / "vicsek.toml", {"world.tick": [1.0]}, ticks=2, measures=["polarisation.owl"])


def test_measures_of_structure(scenarios: Path) -> None:
    world = throng.World((40, 20), seed=2)
    world.add_species("gas")
    world.place("gas", 8000, speed=1.0)
    found = measures.number_fluctuations(world)
    assert found["boxes"][0] == 16 and np.allclose(found["mean"] * found["boxes"], 8000)
    assert found["variance"][-1] / found["mean"][-1] == pytest.approx(1.0, abs=0.1)
    assert measures.fluctuation_exponent(world) == pytest.approx(0.5, abs=0.05)
    wave, factor = measures.structure_factor(world, 20)
    assert factor[10:].mean() == pytest.approx(1.0, abs=0.2) and wave[0] == pytest.approx(2 * np.pi / 40, rel=0.2)
    slabs = measures.slabs(world, 1, 4)
    assert slabs["agents"].sum() == 8000 and slabs["velocity"].shape == (4, 2) and slabs.units["density"] == "1/m2"
    assert measures.mean_cluster_size(world, 0.0001) == pytest.approx(1.0, abs=0.01)
    with pytest.raises(ValueError, match="axis = 2"):
        measures.slabs(world, 2, 4)
    with pytest.raises(ValueError, match="count = 0"):
        measures.structure_factor(world, 0)


def record(world: throng.World, path: Path, frames: int, every: int) -> None:
    """Write the tracks of a world as a table."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["tick", "id", "species", "x", "y", "vx", "vy", "time"])
        for _ in range(frames):
            places, velocities = world.positions("bird"), world.velocities("bird")
            for agent, (x, y), (vx, vy) in zip(world.ids("bird"), places, velocities, strict=True):
                table.writerow([world.tick, agent, "bird", x, y, vx, vy, world.time])
            world.step(every)


def test_a_fit_finds_a_speed_again(scenarios: Path, tmp_path: Path) -> None:
    path, tracks, key = scenarios / "vicsek.toml", tmp_path / "tracks.csv", "species.bird.max_speed"
    few = {"species.bird.count": 80}
    record(throng.World.from_file(path, **few, **{key: 0.05, "world.seed": 50}), tracks, 6, 10)
    done: list[tuple[int, int]] = []
    fit = throng.fit(
        path, tracks, {key: (0.01, 0.1)}, points=25, overrides=few, patterns=["speed", "spacing"],
        progress=lambda *counts: done.append(counts),
    )
    assert fit.values[key] == pytest.approx(0.05, abs=0.002) and fit.distance == fit.points["distance"].min()
    assert fit.patterns["pattern"].tolist() == ["speed", "spacing"] and fit.patterns["unit"].tolist() == ["m/s", "m"]
    again = throng.fit(path, tracks, overrides={**few, **fit.values}, patterns=["speed", "spacing"])
    assert again.distance == fit.distance and not again.values
    with pytest.raises(throng.ScenarioError, match="max_speed"):
        throng.fit(path, tracks, {key: (-3.0, 15.0)})
    for wrong, text in [({"patterns": ["beauty"]}, "must be one of order"), ({"vary": {key: (2.0, 1.0)}}, "lower first")]:
        with pytest.raises(ValueError, match=text):
            throng.fit(path, tracks, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="none.csv"):
        throng.fit(path, tmp_path / "none.csv")


def test_tracks_of_other_libraries_are_fitted_like_those_of_a_file(scenarios: Path, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    path, tracks, key = scenarios / "vicsek.toml", tmp_path / "tracks.csv", "species.bird.max_speed"
    few = {"species.bird.count": 40}
    record(throng.World.from_file(path, **few, **{"world.seed": 50}), tracks, 8, 10)

    def fit(tracks: Any, **more: Any) -> throng.Fit:
        return throng.fit(path, tracks, overrides=few, patterns=["speed", "spacing"], **more)

    frame = pandas.read_csv(tracks)
    expected = fit(tracks).distance
    for table in (frame, polars.from_pandas(frame), {name: frame[name].to_numpy() for name in frame}):
        assert fit(table).distance == expected
    # Without a time, and with a height and a column of another program.
    plain = frame.drop(columns="time").rename(columns={"tick": "frame"}).assign(z=1.7, vz=0.0, mass=3.0)
    with pytest.warns(throng.ThrongWarning) as warned:
        assert fit(plain, frame_seconds=1.0).distance == pytest.approx(expected, rel=1e-9)
    texts = " ".join(str(warning.message) for warning in warned)
    assert "z is not read" in texts and "column mass not read" in texts
    with pytest.raises(ValueError, match="a file has its own"):
        fit(tracks, frame_seconds=1.0)
    with pytest.raises(ValueError, match="has no column id"):
        fit(frame.drop(columns="id"))
    # The recording twice is the same distribution.
    assert fit([frame, tracks]).distance == pytest.approx(expected, rel=1e-9)
    found = fit([frame] * 5, vary={key: (0.01, 0.1)}, points=12, interval=True)
    ends = found.intervals[key]
    # Equal recordings leave no chance.
    assert ends is not None and 0.027 < ends[0] <= ends[1] < 0.033 and not fit(tracks).intervals


def test_an_archive_in_hdf5_is_read(scenarios: Path, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path, file = scenarios / "vicsek.toml", tmp_path / "walk.h5"
    columns = np.dtype([("id", "i8"), ("frame", "i8"), ("x", "f8"), ("y", "f8"), ("z", "f8")])
    rows = np.array([(agent, frame, 1.0 + agent + 0.03 * frame, 2.0, 1.7) for frame in range(4) for agent in range(3)], columns)
    with h5py.File(file, "w") as archive:
        archive.create_dataset("trajectory", data=rows).attrs["fps"] = 1.0
    with pytest.warns(throng.ThrongWarning, match="z is not read"):
        fit = throng.fit(path, file, patterns=["speed"])
    assert fit.patterns["recorded"][0] == pytest.approx(0.03, rel=1e-4)
    with h5py.File(file, "w") as archive:
        archive.create_dataset("other", data=rows)
    with pytest.raises(ValueError, match="has no data set `trajectory`"):
        throng.fit(path, file)
