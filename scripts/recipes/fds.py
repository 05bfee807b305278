"""Compares scripts/fds-smoke.py with closed forms: fds.py THRONG FOLDER.

Writes the output of FDS as its guides define it: two meshes with different cells beside each other, of nodes or of
cells, with a solid block. The extinction is linear in space and time, so the mean over a square is the value in its
middle. The gases are constant in the first mesh. The doses of people that stand in them are compared with Purser's
formula.
"""

import csv
import math
import pathlib
import subprocess
import sys
import tomllib

import numpy as np

SCRIPT = pathlib.Path(__file__).parent.parent / "fds-smoke.py"
MESHES = [((0.0, 8.0), 0.5), ((8.0, 16.0), 0.25)]  # x, side of the cells; y from 0 to 8 and z from 0 to 3
TIMES = np.arange(0.0, 61.0)
LABELS = {
    "K": ("SOOT EXTINCTION COEFFICIENT", "1/m", lambda x, y, t: 0.2 * x * t / 60.0),
    "D": ("SOOT OPTICAL DENSITY", "1/m", lambda x, y, t: 0.2 * x * t / 60.0 / 2.3),
    "CO": ("CARBON MONOXIDE VOLUME FRACTION", "mol/mol", lambda x, y, t: 0.02 + 0.0 * x),
    "CO2": ("CARBON DIOXIDE VOLUME FRACTION", "mol/mol", lambda x, y, t: 0.03 + 0.0 * x),
    "O2": ("OXYGEN VOLUME FRACTION", "mol/mol", lambda x, y, t: 0.15 + 0.0 * x),
}
PURSER = 4.607e-7 * 20000**1.036 * math.exp(0.1903 * 3.0 + 2.0004) / 7.1 + 1.0 / (60.0 * math.exp(8.13 - 0.54 * 5.9))
SCENARIO = """format = 1

[world]
dimensions = 2
size = [40.0, 30.0]
edge = "bounce"
tick = 0.1
ticks = 600

[species.standing]
count = 8
people = true
place = { region = "box", centre = [22.0, 14.0], size = [2.0, 6.0], speed = 0.0 }
variables = { dose = { start = 0.0, low = 0.0, high = 100.0 } }

[output.trajectory]
every = 600
"""


def record(*parts):
    """A record of Fortran."""
    data = b"".join(np.asarray(part).tobytes() for part in parts)
    length = np.int32(len(data)).tobytes()
    return length + data + length


def axis(name, points):
    return [name, "0", *(f"{number} {point}" for number, point in enumerate(points)), ""]


def write(folder, keys, centred):
    """Writes a simulation with slices of these quantities at z = 2, with a value for each node or for each cell."""
    folder.mkdir()
    lines = ["TITLE", "closed form", "", "CHID", "closed", "", "TOFFSET", "0 0 0", ""]
    lines += ["SURFACE", "INERT", "5000.0 0.9", "0 1 1 1 1 1 1", "null", ""]
    slices = []
    for number, ((low, high), side) in enumerate(MESHES, start=1):
        axes = [np.arange(start, end + side / 2.0, side) for start, end in ((low, high), (0.0, 8.0), (0.0, 3.0))]
        lines += [f"GRID mesh{number}", " ".join(str(len(points) - 1) for points in axes) + " 0", "", "PDIM"]
        lines += [f"{low} {high} 0 8 0 3 0 0 0", ""]
        for name, points in zip(("TRNX", "TRNY", "TRNZ"), axes):
            lines += axis(name, points)
        # A block in the corner of the first mesh: 2 m times 4 m, through all heights.
        blocks = number == 1
        lines += ["OBST", str(int(blocks))]
        lines += ["0 2 0 4 0 3 1 0 0 0 0 0 0", f"0 4 0 8 0 {len(axes[2]) - 1} -1 0"] * blocks
        lines += ["", "VENT", "0 0", "", "CVENT", "0", ""]
        level = int(2.0 / side)
        nodes = [len(points) - 1 for points in axes[:2]]
        x, y = (points - side / 2.0 * centred for points in axes[:2])
        for at, key in enumerate(keys, start=1):
            name, unit, field = LABELS[key]
            file = f"closed_{number}_{at}.sf"
            indices = [0, nodes[0], 0, nodes[1], level, level]
            kind, bounds = "SLCC" if centred else "SLCF", " ".join(map(str, indices))
            slices += [f"{kind} {number} # STRUCTURED & {bounds} ! {at} 0", file, name, key, unit, ""]
            data = b"".join(record(text[:30].ljust(30).encode()) for text in (name, key, unit))
            data += record(np.int32(indices))
            for time in TIMES:
                values = field(*np.meshgrid(x, y, indexing="ij"), time)
                if key in ("CO", "CO2", "O2") and number == 2:
                    values = values * 0.0 + {"CO": 0.0, "CO2": 0.0004, "O2": 0.208}[key]
                inside = np.ix_(x < 2.0, y < 4.0) if number == 1 else np.ix_([], [])
                values[inside] = 77.0  # no value of a gas
                data += record(np.float32(time)) + record(np.float32(values.T))
            (folder / file).write_bytes(data)
    (folder / "closed.smv").write_text("\n".join(lines + slices) + "\n")
    return folder


def run(*arguments):
    return subprocess.check_output([sys.executable, SCRIPT, *map(str, arguments)], text=True)


def at(pairs, time):
    times, values = np.array(pairs, dtype=float).T
    return np.interp(time, times, values)


def compare_cells(text, origin):
    """Compares each zone with the closed form in the middle of the free part of its square."""
    read = tomllib.loads(text)
    boxes = {region["name"]: region for region in read["region"]}
    assert len(boxes) == 8, "four squares by two are all in smoke"
    for zone in read["zone"]:
        centre = np.array(boxes[zone["region"]]["centre"]) - origin
        free = 3.0 if tuple(centre) == (2.0, 2.0) else centre[0]
        for time in (10.0, 30.0, 50.0):
            error = abs(at(zone["extinction"], time) - 0.2 * free * time / 60.0)
            assert error <= 0.01 * 0.2 * free, (centre, time, error)
        assert len(zone["extinction"]) <= 4, "a straight line is thinned"
        if "rate" in zone:
            assert centre[0] < 8.0 and zone["variable"] == "dose"
            assert abs(at(zone["rate"], 30.0) / PURSER - 1.0) < 1e-3, zone["rate"]
    return sum("rate" in zone for zone in read["zone"])


def main(throng, folder):
    folder = pathlib.Path(folder)
    keys = ["K", "CO", "CO2", "O2"]
    origin = np.array([20.0, 10.0])
    for centred in (False, True):
        simulation = write(folder / f"centred-{centred}", keys, centred)
        assert compare_cells(run(simulation), 0.0) == 4
    # An optical density is an extinction too.
    assert compare_cells(run(write(folder / "density", ["D"], False)), 0.0) == 0
    scenario = folder / "standing.toml"
    scenario.write_text(SCENARIO)
    smoky = folder / "smoky.toml"
    smoky.write_text(run(folder / "centred-False", "--scenario", scenario, "--origin", *origin))
    compare_cells(smoky.read_text(), origin)
    subprocess.run([throng, "check", smoky], check=True)
    trajectory = folder / "smoky.csv"
    subprocess.run([throng, "run", smoky, "-o", folder / "run", "--trajectory", trajectory], check=True)
    with open(trajectory) as file:
        rows = csv.DictReader(line for line in file if line[0] != "#")
        doses = [float(row["dose"]) for row in rows if row["tick"] == "600"]
    assert len(doses) == 8 and all(abs(dose / (60.0 * PURSER) - 1.0) < 0.005 for dose in doses), (doses, 60.0 * PURSER)
    print(f"doses of eight people after a minute: {min(doses):.4f} to {max(doses):.4f}; by hand {60.0 * PURSER:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
