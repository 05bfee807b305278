"""Opens throng's files with the programs that they are for, and compares what these read. scripts/formats.sh runs it."""

import json
import pathlib
import resource
import subprocess
import sys

import numpy
import pandas

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
SCENARIOS = pathlib.Path("scenarios").resolve()
ENDINGS = ["parquet", "sqlite", "txt", "vtp", "ply", "usda", "csv"]
IN_FOLDERS = ["vtp", "ply", "usda"]  # a file per frame


def throng(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, cwd=WORK)


def equal(one, other, what, tolerance=0.0):
    one, other = numpy.asarray(one), numpy.asarray(other)
    assert one.shape == other.shape, (what, one.shape, other.shape)
    if one.size and one.dtype.kind in "fiu":
        worst = float(numpy.max(numpy.abs(one.astype("float64") - other.astype("float64"))))
        assert worst <= tolerance, (what, worst)
    else:
        assert (one == other).all(), what


def number(text):
    """The id of the CSV as the number in other formats."""
    slot, _, used = str(text).partition("v")
    return int(slot) + (int(used or 0) << 32)


def table(path):
    rows = pandas.read_csv(path, dtype={"id": str}, keep_default_na=False, na_values=[""])
    rows["id"] = rows.id.map(number)
    return rows


def check_parquet(path, rows):
    import polars
    import pyarrow.parquet

    for name, found in [
        ("polars", polars.read_parquet(path).to_pandas()),
        ("pyarrow", pyarrow.parquet.read_table(path).to_pandas()),
        ("pandas", pandas.read_parquet(path)),
    ]:
        assert list(found.columns) == list(rows.columns), (name, found.columns, rows.columns)
        for column in rows.columns:
            own, other = rows[column], found[column]
            assert (own.isna() == other.isna()).all(), (name, column)
            own, other = own[own.notna()], other[other.notna()]
            if other.dtype == "float32":
                own = own.astype("float32")
            equal(own, other, (name, column))
    types = dict(zip(polars.read_parquet(path).columns, polars.read_parquet(path).dtypes))
    assert types["tick"] == polars.Int64 and types["x"] == polars.Float32 and types["species"] == polars.String, types
    metadata = {key.decode(): value.decode() for key, value in pyarrow.parquet.read_metadata(path).metadata.items()}
    for key in ["scenario", "seed", "tick_seconds", "every", "frame_rate", "throng.version", "unit.x", "unit.vx"]:
        assert key in metadata, (key, metadata)
    # A part of the ticks is read without the rest of the file.
    some = polars.scan_parquet(path).filter(polars.col("tick") == rows.tick.max()).collect()
    assert len(some) == (rows.tick == rows.tick.max()).sum()
    return float(metadata["frame_rate"])


def positions(rows):
    """The columns that formats for PedPy have, in the order of frames and ids."""
    unwrapped = "x_unwrapped" in rows
    own = pandas.DataFrame({
        "frame": rows.frame,
        "id": rows.id,
        "x": rows.x_unwrapped if unwrapped else rows.x,
        "y": rows.y_unwrapped if unwrapped else rows.y,
    })
    return own.sort_values(["frame", "id"]).reset_index(drop=True)


def compare_pedpy(found, rows, rate, what):
    assert abs(found.frame_rate - rate) < 1e-9, (what, found.frame_rate, rate)
    data = found.data.sort_values(["frame", "id"]).reset_index(drop=True)
    own = positions(rows)
    for column in ["frame", "id"]:
        equal(own[column], data[column], (what, column))
    for column in ["x", "y"]:
        equal(own[column], data[column], (what, column), 1e-9)


def check_pedpy(folder, rows, rate, frames):
    import jupedsim
    import pedpy

    text = pedpy.load_trajectory(trajectory_file=folder / "run.txt")
    compare_pedpy(text, rows, rate, "text")
    path = folder / "run.sqlite"
    found = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
    compare_pedpy(found, rows, rate, "sqlite")
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
    assert area.area > 0.0
    speeds = pedpy.compute_individual_speed(traj_data=found, frame_step=1)
    assert speeds.speed.notna().all()
    recording = jupedsim.Recording(str(path))
    own = positions(rows)
    assert recording.num_frames == frames and abs(recording.fps - rate) < 1e-9
    bounds = recording.bounds()
    assert bounds.xmin <= own.x.min() and bounds.xmax >= own.x.max(), bounds
    for frame in [rows.frame.min(), rows.frame.max()]:
        agents = recording.frame(int(frame)).agents
        part = own[own.frame == frame]
        equal(part.id, [agent.id for agent in agents], "Recording, id")
        equal(part[["x", "y"]], [agent.position for agent in agents], "Recording", 1e-9)
        lengths = numpy.hypot(*numpy.array([agent.orientation for agent in agents]).T)
        assert numpy.abs(lengths - 1.0).max() < 1e-6
    assert recording.geometry().area > 0.0
    return area.area


def places(rows):
    unwrapped = "x_unwrapped" in rows
    axes = ["x", "y", "z"] if "z" in rows else ["x", "y"]
    return rows[[f"{axis}_unwrapped" if unwrapped else axis for axis in axes]].astype("float32")


def check_vtk(folder, rows, frames):
    import pyvista

    reader = pyvista.get_reader(str(folder / "run.pvd"))
    assert len(reader.time_values) == frames
    times = sorted(rows.time.unique())
    assert set(times) <= set(reader.time_values)
    axes = ["x", "y", "z"] if "z" in rows else ["x", "y"]
    for time in [times[0], times[-1]]:
        reader.set_active_time_value(time)
        mesh = reader.read()[0]
        part = rows[rows.time == time]
        assert mesh.n_points == len(part) and mesh.n_verts == len(part), (mesh.n_points, len(part))
        equal(part.id, mesh["id"], "vtk, id")
        equal(places(part), mesh.points[:, : len(axes)], "vtk, points")
        equal(part[[f"v{axis}" for axis in axes]].astype("float32"), mesh["velocity"][:, : len(axes)], "vtk, velocity")


def check_ply(folder, rows, frames):
    import plyfile

    files = json.loads((folder / "run.ply.series").read_text())["files"]
    assert len(files) == frames
    for file in [files[0], files[-1]]:
        part, points = rows[rows.time == file["time"]], plyfile.PlyData.read(folder / file["name"])["vertex"]
        assert len(points) == len(part)
        equal(part.id, points["id"], "ply, id")
        for own, axis in zip(places(part).T.to_numpy(), "xyz"):
            equal(own, points[axis], "ply, points")
            equal(part[f"v{axis}"].astype("float32"), points[f"v{axis}"], "ply, velocity")


def check_usd(folder, rows, rate, every, frames):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(folder / "run.usda"))
    agents = UsdGeom.PointInstancer(stage.GetPrimAtPath("/World/agents"))
    assert abs(stage.GetTimeCodesPerSecond() - rate) < 1e-9
    assert len(agents.GetPositionsAttr().GetTimeSamples()) == frames
    for tick in [rows.tick.min(), rows.tick.max()]:
        part, frame = rows[rows.tick == tick], float(tick // every)
        equal(part.id, agents.GetIdsAttr().Get(frame), "usd, id")
        at = numpy.array(agents.GetPositionsAttr().Get(frame)).reshape(-1, 3)
        own = places(part).to_numpy()
        equal(own, at[:, : own.shape[1]], "usd, positions")
        velocities = numpy.array(agents.GetVelocitiesAttr().Get(frame)).reshape(-1, 3)
        columns = [f"v{axis}" for axis in "xyz"[: own.shape[1]]]
        equal(part[columns].astype("float32"), velocities[:, : own.shape[1]], "usd, velocities")
        # The first axis of a prototype is turned to the velocity of its agent.
        turns = agents.ComputeInstanceTransformsAtTime(frame, frame)
        assert len(turns) == len(part)
        for turn, velocity in list(zip(turns, velocities))[:50]:
            length = numpy.linalg.norm(velocity[:2])
            ahead = numpy.array(turn.GetRow3(0))
            if length > 1e-3:
                cosine = (ahead[:2] @ velocity[:2]) / numpy.linalg.norm(ahead[:2]) / length
                assert cosine > 0.99, (velocity, ahead)
        colours = UsdGeom.PrimvarsAPI(agents).GetPrimvar("displayColor").Get(frame)
        assert len(colours) == len(part) and numpy.array(colours).min() >= 0.0


def check(name, ticks, every, *more):
    folder = WORK / name
    flat = "dimensions = 3" not in (SCENARIOS / f"{name}.toml").read_text()
    endings = [ending for ending in ENDINGS if flat or ending != "sqlite"]
    files = [text for ending in endings for text in ("--trajectory", folder / f"run.{ending}")]
    throng("run", SCENARIOS / f"{name}.toml", "--quiet", "--ticks", ticks, "--out", folder, "--every", every, *files, *more)
    rows = table(folder / "run.csv")
    rate = check_parquet(folder / "run.parquet", rows)
    rows["frame"] = rows.tick // every
    frames = ticks // every + 1
    area = check_pedpy(folder, rows, rate, frames) if flat else None
    check_vtk(folder, rows, frames)
    check_ply(folder, rows, frames)
    check_usd(folder, rows, rate, every, frames)
    size = {ending: (folder / f"run.{ending}").stat().st_size for ending in endings if ending not in IN_FOLDERS}
    for ending in IN_FOLDERS:
        size[ending] = sum(file.stat().st_size for file in (folder / "run").glob(f"0*.{ending}"))
    per = {ending: round(bytes / len(rows), 1) for ending, bytes in size.items()}
    print(f"{name}: {len(rows)} rows, {rows.frame.nunique()} frames, walkable area {area}, bytes per row {per}")


def check_tables():
    import polars

    folder = WORK / "tables"
    set_measures = ["--set", "output.measures={every=5, names=['polarisation', 'mean_speed', 'agents']}"]
    throng("run", SCENARIOS / "hunt.toml", "--quiet", "--ticks", 40, "--out", folder, *set_measures,
           "--measures", folder / "measures.parquet")
    one, other = pandas.read_csv(folder / "measures.csv"), polars.read_parquet(folder / "measures.parquet").to_pandas()
    assert list(one.columns) == list(other.columns)
    for column in one.columns:
        equal(one[column], other[column], column)
    sweep = ["sweep", SCENARIOS / "mill.toml", "--quiet", "--ticks", 20, "--from", 10, "--seeds", 2,
             "--vary", "world.tick=0.05,0.1"]
    for ending in ["csv", "parquet"]:
        throng(*sweep, "-o", folder / f"sweep.{ending}")
    one = pandas.read_csv(folder / "sweep.csv", dtype={"scenario_hash": str, "state_hash": str})
    other = polars.read_parquet(folder / "sweep.parquet").to_pandas()
    assert list(one.columns) == list(other.columns)
    for column in one.columns:
        equal(one[column], other[column], column)
    for ending in ["csv", "parquet"]:
        throng("plot", folder / f"sweep.{ending}", "--x", "world.tick", "--y", "mean_speed", "-o", folder / f"{ending}.svg")
    assert (folder / "csv.svg").read_bytes() == (folder / "parquet.svg").read_bytes()
    print("tables: measures and a sweep are equal as CSV and as Parquet")


def seconds(*arguments):
    """The processor time and the summary of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([PROGRAM, *map(str, arguments)], check=True, cwd=WORK, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, json.loads(output)


def speed(ticks=400, every=10, rounds=5):
    """The processor time that each format adds to the murmuration, over alternating runs."""
    base = ["run", SCENARIOS / "murmuration.toml", "--json", "--ticks", ticks, "--force", "--out", WORK / "speed"]
    times = {ending: [] for ending in [None, *ENDINGS]}
    sizes, frames = {}, ticks // every + 1
    for _ in range(rounds):
        for ending in times:
            file = WORK / f"speed.{ending}"
            more = [] if ending is None else ["--trajectory", file, "--every", every]
            try:
                time, summary = seconds(*base, *more)
            except subprocess.CalledProcessError as error:
                print(ending, error.stderr.decode().strip())
                continue
            times[ending].append(time)
            agents = summary["agents"]
            if ending in IN_FOLDERS:
                sizes[ending] = sum(part.stat().st_size for part in (WORK / "speed").glob(f"0*.{ending}"))
            elif ending is not None:
                sizes[ending] = file.stat().st_size
    least = min(times[None])
    print(f"murmuration, {agents} agents, {ticks} ticks, every {every}; processor seconds without {least:.2f}")
    for ending in ENDINGS:
        if not times[ending]:
            continue
        added = min(times[ending]) - least
        rows = agents * frames
        rate = rows / added / 1e6 if added > 0 else float("inf")
        print(f"{ending}: {sizes[ending] / rows:.1f} bytes per agent and frame, {rate:.2f} million agent-frames per "
              f"processor second, {100 * added / least:+.1f} % processor time")


if "--speed" in sys.argv:
    speed()
else:
    check("hunt", 60, 4)
    check("bottleneck", 200, 20)
    check("shoal", 20, 5)
    check("murmuration", 30, 10, "--set", "output.trajectory={every=10, unwrapped=true}", "--threads", 2)
    check_tables()
    print("all formats are read by the programs that they are for, with equal rows")
