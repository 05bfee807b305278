"""Measures, series, sweeps and pictures."""

import csv
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
import throng
from throng import measures


def test_measures_against_numpy(world: throng.World) -> None:
    world.step(5)
    velocity = world.velocities("bird").astype(np.float64)
    speed = np.linalg.norm(velocity, axis=1)
    assert measures.mean_speed(world) == pytest.approx(speed.mean(), rel=1e-6)
    heading = (velocity / speed[:, None]).mean(axis=0)
    assert measures.polarisation(world, species="bird") == pytest.approx(np.linalg.norm(heading), rel=1e-5)
    assert measures.density(world) == pytest.approx(200 / 100.0**world.dimensions)
    assert sum(measures.clusters(world, 5.0)) == 200
    assert measures.largest_cluster(world, 5.0) == measures.clusters(world, 5.0)[0] / 200
    distances = measures.nearest_distances(world)
    assert measures.nearest_distance(world) == pytest.approx(float(distances.mean(dtype=np.float64)), rel=1e-6)
    assert measures.local_density(world, 10.0) > 0 and 0 <= measures.overlaps(world) <= 1
    assert measures.overlap_depth(world) >= 0 and measures.milling(world) >= 0
    assert measures.yielding(world) == 0
    centre = measures.centre(world)
    assert centre is not None and len(centre) == world.dimensions
    at, values = measures.pair_correlation(world, 20.0, 10)
    assert at.shape == values.shape == (10,) and measures.velocity_correlation(world, 20.0, 7)[0].shape == (7,)
    assert np.isfinite(measures.correlation_length(world)) or np.isnan(measures.correlation_length(world))
    assert measures.measure(world, "agents") == 200 and "polarisation" in measures.names()
    for name in ["mean_squared_displacement", "stuck"]:
        with pytest.raises(ValueError, match="Recorder"):
            measures.measure(world, name)
    for range, bins in [(0.0, 5), (5.0, 0), (float("nan"), 5)]:
        with pytest.raises(ValueError):
            measures.pair_correlation(world, range, bins)


def test_a_recorder(scenarios: Path) -> None:
    world = throng.World.from_file(scenarios / "flock.toml")
    recorder = throng.Recorder(["polarisation", "mean_squared_displacement"], every=5)
    recorder.observe(world)
    for _ in range(10):
        world.step()
        recorded = recorder.observe(world)
    assert recorded
    table = recorder.table()
    assert table["tick"].tolist() == [0, 5, 10] and table["mean_squared_displacement"][0] == 0
    assert table["polarisation"][-1] == measures.polarisation(world)
    assert polars.DataFrame(table).shape[0] == 3
    flow = throng.Recorder([], lines={"door": [[10, 0], [10, 20]]}, areas={"room": [[5, 5], [4, 4]]})
    flow.observe(world)
    assert {"forward.door", "classic_density.room"} <= set(flow.table().keys())


def test_own_measures(scenarios: Path) -> None:
    path = scenarios / "kuramoto.toml"
    order = "order = length(mean(vector(cos(phase), sin(phase))))"
    world = throng.World.from_file(path)
    recorder = throng.Recorder([order, "fast [1] = mean(speed > 0.5)"])
    recorder.observe(world)
    for _ in range(10):
        world.step()
        recorder.observe(world)
    expected = abs(np.exp(1j * world.column("firefly", "phase").astype(np.float64)).mean())
    assert measures.measure(world, order) == pytest.approx(expected, rel=1e-5)
    assert recorder.table()["order"][-1] == pytest.approx(expected, rel=1e-5)
    table = throng.sweep(path, {"species.firefly.variables.coupling.start": [0, 4]}, ticks=40, start=20, measures=[order])
    assert table["order"][0] < table["order"][1]
    with pytest.raises(ValueError, match="at character 9"):
        measures.measure(world, "order = phase")


def test_a_sweep_has_the_runs_of_worlds(scenarios: Path) -> None:
    path = scenarios / "alignment.toml"
    world = throng.World.from_file(path)
    key = f"species.{world.species[0]}.max_speed"
    done: list[tuple[int, int]] = []
    table = throng.sweep(
        path, {key: [3, 4]}, ticks=20, start=10, seeds=2, first_seed=5, measures=["mean_speed", "stuck"], threads=2,
        progress=lambda *counts: done.append(counts),
    )
    assert table[key].tolist() == [3, 3, 4, 4] and table["seed"].tolist() == [5, 6, 5, 6] and done[-1] == (4, 4)
    for row in range(4):
        world = throng.World.from_file(path, **{key: int(table[key][row]), "world.seed": int(table["seed"][row])})
        world.step(10)
        speeds = []
        for _ in range(10):
            world.step()
            speeds.append(measures.mean_speed(world))
        assert table["state_hash"][row] == world.state_hash()
        assert table["mean_speed"][row] == pytest.approx(np.mean(speeds), rel=1e-12)
        assert table["mean_speed_sd"][row] == pytest.approx(np.std(speeds, ddof=0), rel=1e-6, abs=1e-9)
    with pytest.raises(throng.ScenarioError, match="max_speed"):
        throng.sweep(path, {key: [1, -1]}, ticks=5)
    with pytest.raises(ValueError, match="start"):
        throng.sweep(path, {key: [1]}, ticks=5, start=5)
    with pytest.raises(ValueError, match="beauty"):
        throng.sweep(path, {key: [1]}, ticks=5, measures=["beauty"])


def test_an_interrupted_sweep_goes_on(scenarios: Path, tmp_path: Path) -> None:
    path, saved, key = scenarios / "vicsek.toml", tmp_path / "sweep.jsonl", "species.bird.motion.noise"

    def sweep(ticks: int = 30, **more: Any) -> throng.Results:
        return throng.sweep(path, {key: [1, 3]}, ticks=ticks, seeds=3, statistics=["mean", "se"], save=saved, **more)

    def interrupt(done: int, _all: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(threads=1, progress=interrupt)
    lines = saved.read_text().splitlines(keepends=True)
    assert 3 <= len(lines) < 7
    # The last run was cut short.
    saved.write_text("".join([*lines[:-1], lines[-1][:20]]))
    table, alone = sweep(), throng.sweep(path, {key: [1, 3]}, ticks=30, seeds=3, statistics=["mean", "se"])
    assert len(saved.read_text().splitlines()) == 7 and all(
        np.array_equal(table[name], alone[name], equal_nan=table[name].dtype.kind == "f") for name in alone
    )
    # All runs are read from the file, one of them with another hash.
    saved.write_text(re.sub(r"(\[0, \[.*?\]\], )\d+", r"\g<1>255", saved.read_text()))
    assert sweep()["state_hash"][0] == f"{255:016x}"
    with pytest.raises(ValueError, match="another sweep"):
        sweep(ticks=31)


def test_pandas_makes_a_frame_of_the_table_of_a_recorder(world: throng.World) -> None:
    pandas = pytest.importorskip("pandas")
    recorder = throng.Recorder(["polarisation", "mean_speed"])
    world.step(3, observe=recorder)
    frame = pandas.DataFrame(recorder.table())
    assert frame.columns.tolist() == ["tick", "polarisation", "mean_speed"] and frame["tick"].tolist() == [0, 1, 2, 3]
    assert frame["mean_speed"].tolist() == recorder.table()["mean_speed"].tolist() and frame.dtypes.iloc[2] == "float64"


def test_keys_move_together_and_a_run_ends_when_its_error_is_small(scenarios: Path) -> None:
    path = scenarios / "vicsek.toml"
    together = ("species.bird.count", "world.size")
    table = throng.sweep(
        path, {together: [(50, [5, 5]), (200, [10, 10])], "species.bird.motion.noise": [5.5]}, ticks=20000, start="auto",
        measures=["polarisation"], statistics=["mean", "se", "binder"], precision={"polarisation": 0.01},
    )
    assert table["species.bird.count"].tolist() == [50, 200] and table["world.size"].tolist() == [[5, 5], [10, 10]]
    assert (table["polarisation_se"] <= 0.01).all() and (table["ticks"] == 8192).all()
    assert (table["from"] <= table["ticks"] / 2).all() and (table["from"] >= table["ticks"] // 5).all()
    # Disorder: the larger world has the smaller order.
    assert table["polarisation"][1] < table["polarisation"][0] and (table["polarisation_binder"] < 0.5).all()


def test_sweeps_and_recorders_without_anything_to_do_are_refused(scenarios: Path) -> None:
    flock = scenarios / "flock.toml"
    one = {"world.tick": [0.1]}
    refused: dict[str, Callable[[], object]] = {
        "must be a tick or 'auto'": lambda: throng.sweep(flock, one, ticks=3, start="soon"),  # type: ignore[arg-type]
        "a key is varied twice": lambda: throng.sweep(flock, {("world.tick", "world.tick"): [(1, 2)]}, ticks=3),
        "must have a value for each of the 2 keys": lambda: throng.sweep(flock, {("a", "b"): [(1,)]}, ticks=3),
        "must be one of mean, sd": lambda: throng.sweep(flock, one, ticks=3, statistics=["mode"]),
        "it is not measured": lambda: throng.sweep(flock, one, ticks=3, precision={"milling": 0.1}),
        "seeds = 0": lambda: throng.sweep(flock, one, ticks=3, seeds=0),
        "world.tick has no values": lambda: throng.sweep(flock, {"world.tick": []}, ticks=3),
        "must be a whole number from 1 to": lambda: throng.sweep(flock, one, ticks=3, threads=0),
        "start = 3": lambda: throng.sweep(flock, one, ticks=3, start=3),
        "unknown species": lambda: throng.sweep(flock, {"species.crow.max_speed": [1]}, ticks=3),
        'measure = "beauty"': lambda: throng.sweep(flock, one, ticks=3, measures=["beauty"]),
        "`stuck` is there twice": lambda: throng.sweep(flock, one, ticks=3, measures=["stuck", "stuck"]),
        "seeds are varied by seeds=": lambda: throng.sweep(flock, {"world.seed": [1, 2, 3]}, ticks=3, seeds=2),
        "world: seeds are varied by": lambda: throng.sweep(flock, {"world": [{"seed": 1}, {"seed": 2}]}, ticks=3),
        "are the same": lambda: throng.sweep(flock, {"world.tick": [0.1, 0.1]}, ticks=3),
        "of species.starling.max_speed=8.0 are the same": lambda: throng.sweep(flock, {"species.starling.max_speed": [8, 8.0]}, ticks=3),
        "must not exceed": lambda: throng.sweep(flock, one, ticks=3, first_seed=2**63 - 1, seeds=2),
        "every = 0": lambda: throng.Recorder(["polarisation"], every=0),
        "the measure `stuck` is there twice": lambda: throng.Recorder(["stuck", "stuck = mean(speed)"]),
        "unknown name `sped`": lambda: throng.sweep(flock, one, ticks=3, measures=["x = mean(sped)"]),
        "`mean_speed` is there twice": lambda: throng.sweep(flock, one, ticks=3, measures=["mean_speed", "mean_speed = mean(speed)"]),
    }
    for text, wrong in refused.items():
        with pytest.raises(ValueError, match=text):
            wrong()


@pytest.mark.skipif("THRONG" not in os.environ, reason="THRONG does not name the program")
def test_a_sweep_has_the_rows_of_the_program(scenarios: Path, tmp_path: Path) -> None:
    path, table = scenarios / "alignment.toml", tmp_path / "table.csv"
    key = f"species.{throng.World.from_file(path).species[0]}.max_speed"
    command = [os.environ["THRONG"], "sweep", str(path), "--vary", f"{key}=3,4", "--seeds", "2", "--ticks", "20"]
    subprocess.run([*command, "--from", "10", "-o", str(table), "-q"], check=True, cwd=tmp_path)
    rows = list(csv.DictReader(table.read_text().splitlines()))
    own = throng.sweep(path, {key: [3, 4]}, ticks=20, start=10, seeds=2)
    assert len(rows) == len(own["seed"]) == 4
    for number, row in enumerate(rows):
        for name, column in own.items():
            if column.dtype.kind == "f":
                assert float(row[name]) == column[number], name
            else:
                assert row[name] == str(column[number]), name


def test_pictures(world: throng.World, tmp_path: Path) -> None:
    assert world._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    picture = world.picture(width=200, height=100, colour="speed", light=True, zoom=2.0)
    assert (picture.width, picture.height, picture.pixels.shape) == (200, 100, (100, 200, 3))
    assert len(np.unique(picture.pixels.reshape(-1, 3), axis=0)) > 2
    picture.save(tmp_path / "world.png")
    assert (tmp_path / "world.png").read_bytes() == picture._repr_png_()
    with pytest.raises(OSError):
        picture.save(tmp_path / "no folder" / "world.png")
    (tmp_path / "full.png").symlink_to("/dev/full")
    with pytest.raises(OSError, match="space"):
        picture.save(tmp_path / "full.png")
    for name in ["world.jpg", "world"]:
        with pytest.raises(ValueError, match=r"must end in \.png"):
            picture.save(tmp_path / name)


def test_a_name_that_agents_lack_is_refused_where_it_is_measured(scenarios: Path) -> None:
    wrong = "x = mean(phse)"
    world = throng.World.from_file(scenarios / "kuramoto.toml")
    worlds = throng.ensemble(scenarios / "kuramoto.toml", worlds=2)
    for measured in (
        lambda: throng.measures.measure(world, wrong), lambda: throng.Recorder([wrong]).observe(world),
        lambda: worlds.measure(wrong), lambda: worlds.record(2, [wrong]),
    ):
        with pytest.raises(ValueError, match="phse"):
            measured()


def test_the_error_of_a_series_is_that_of_the_closed_form() -> None:
    # Each value of an autoregressive series of order one is worth (1 - a) / (1 + a) independent ones.
    random, memory, held = np.random.default_rng(4), 0.8, 0
    for _ in range(40):
        noise = random.standard_normal(4096)
        values = np.zeros(4096)
        for at in range(1, 4096):
            values[at] = memory * values[at - 1] + noise[at]
        error, inefficiency = throng.measures.error_of_mean(values)
        held += abs(values.mean()) <= 1.96 * error
        assert 3.0 < inefficiency < 25.0
    assert 34 <= held <= 40
    assert np.isnan(throng.measures.error_of_mean(np.arange(1000.0))[0])


def test_measures_of_the_file_and_short_names(scenarios: Path) -> None:
    path, few = scenarios / "kuramoto.toml", {"species.firefly.count": 30}
    own = throng.sweep(path, {"world.tick": [0.05]}, ticks=9, measures=["order"], overrides=few)
    same = throng.sweep(
        path, {"world.tick": [0.05]}, ticks=9, measures=["order = length(mean(vector(cos(phase), sin(phase))))"],
        overrides=few, precision={"order": 0.5},
    )
    assert own["order"].tolist() == same["order"].tolist() and 0.0 < own["order"][0] < 1.0
    worlds = throng.ensemble(path, worlds=3, overrides=few)
    table = worlds.record(4, ["fast [rad] = max(phase)", "none = mean(phase) / 0"], every=2)
    assert list(table)[:4] == ["tick", "fast", "fast_sd", "fast_se"] and table.units["fast_se"] == "rad"
    assert np.isnan(table["none"]).all() and np.isnan(table["none_sd"]).all() and np.isnan(table["none_se"]).all()


def test_seeds_that_differ_and_a_precision_out_of_reach_are_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "drawn.toml"
    file.write_text("""format = 1
[world]
dimensions = 2
size = [10.0, 10.0]
tick = 0.1
ticks = 10
seed = 1
[species.bird]
count = 4
variables = { mood = { start = [0.0, 1.0], low = 0.0, high = 1.0 } }
behaviours = [{ rule = "wander" }]
""", encoding="utf-8")
    # Each run keeps what it has drawn.
    measures, one = ["m = mean(mood) + 0.2 * mean(heading.x)"], {"world.tick": [0.1]}
    with pytest.warns(throng.ThrongWarning, match="m: seeds differ by up to"):
        throng.sweep(file, one, ticks=6000, seeds=2, measures=measures, statistics=["mean", "se"])
    with pytest.warns(throng.ThrongWarning, match="the run ended before its error was at most"):
        throng.sweep(file, one, ticks=3000, measures=measures, precision={"m": 1e-6})
