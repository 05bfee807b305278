#!/usr/bin/env python3
"""Runs tests of docs/standards.md with JuPedSim 1.4.2, and writes tools/validation/results/jupedsim.tsv.

    pip install jupedsim==1.4.2
    cargo build --release -p throng-cli
    python scripts/standards-jupedsim.py [--seeds 10] [--throng target/release/throng] [TEST ...]

Then scripts/standards.sh --page --out docs writes the pages. The collision-free speed model has the defaults of
JuPedSim and its tick of 0.01 s. A run has the walls, the goals, the start positions and the free speeds of the scene in
tools/validation/standards with the same seed: throng takes one tick of it with people that feel only their own drive.
"""

import argparse
import csv
import math
import pathlib
import statistics
import subprocess
import tempfile
import tomllib
import warnings

import jupedsim as jps
import shapely
from shapely import box
from shapely.geometry import LineString, Point

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENES = ROOT / "tools" / "validation" / "standards"
RECORD = ROOT / "tools" / "validation" / "results" / "jupedsim.tsv"
TICK = 0.01
# The speed after one tick of a person at rest, as a part of the free speed: tick 0.05 s, relaxation 0.5 s.
STARTED = 0.1 / 1.1
ALONE = '{ model = "social_force", strength = 0.0, stiffness = 0.0, friction = 0.0, radius = 0.0 }'
NEVER = math.inf


class Scene:
    """A scene with its people at the start, and overrides of some keys."""

    def __init__(self, throng, name, seed, overrides=()):
        self.file = SCENES / f"{name}.toml"
        self.keys = tomllib.loads(self.file.read_text())
        self.walls = self.keys["walls"]
        sets = [*overrides]
        for key, value in overrides:
            if key == "walls":
                self.walls = tomllib.loads(f"walls = {value}")["walls"]
            if key == "region.1.centre":
                self.keys["region"][1]["centre"] = tomllib.loads(f"at = {value}")["at"]
            if key == "region.1.size":
                self.keys["region"][1]["size"] = tomllib.loads(f"at = {value}")["at"]
        for species in self.keys["species"]:
            sets.append((f"species.{species}.motion", ALONE))
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "start.csv"
            command = [throng, "run", self.file, "--quiet", "--ticks", "1", "--seed", str(seed)]
            command += ["--out", f"{folder}/out", "--trajectory", table]
            for key, value in sets:
                command += ["--set", f"{key}={value}"]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            last = {row["id"]: row for row in csv.DictReader(table.open()) if row["tick"] == "1"}
        self.people = []
        for row in last.values():
            velocity = (float(row["vx"]), float(row["vy"]))
            at = tuple(float(row[axis]) - speed * 0.05 for axis, speed in zip("xy", velocity))
            self.people.append((row["species"], at, math.hypot(*velocity) / STARTED))

    def radius(self, species, overrides):
        return float(dict(overrides).get(f"species.{species}.radius", self.keys["species"][species]["radius"]))

    def region(self, name):
        found = next(region for region in self.keys["region"] if region["name"] == name)
        (x, y), (width, height) = found["centre"], found["size"]
        # Off the walls at its border, since JuPedSim's exits lie on the ground.
        half_width, half_height = width / 2 - 0.05, height / 2 - 0.05
        return box(x - half_width, y - half_height, x + half_width, y + half_height)

    def ground(self):
        """The part of the world, cut by its walls, in which the first person stands."""
        width, height = self.keys["world"]["size"]
        lines = shapely.union_all([LineString(wall).buffer(0.002, cap_style="square") for wall in self.walls])
        parts = shapely.get_parts(box(0, 0, width, height).difference(lines))
        return next(part for part in parts if part.contains(Point(self.people[0][1])))

    def run(self, goals, overrides=(), look=lambda time, simulation: None):
        """Runs until all have reached the goals of their species; returns the species and the time of each exit."""
        ground = self.ground()
        simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=ground, dt=TICK)
        ways = {}
        for species, region in goals.items():
            exit_ = simulation.add_exit_stage(self.region(region))
            ways[species] = (simulation.add_journey(jps.JourneyDescription([exit_])), exit_)
        kinds = {}
        for species, at, speed in self.people:
            journey, stage = ways[species]
            # JuPedSim wants bodies clear of walls: those that touch one start some millimetres off it.
            room = ground.buffer(-self.radius(species, overrides) - 0.003)
            at = shapely.get_coordinates(shapely.shortest_line(room, Point(at)))[0]
            parameters = jps.CollisionFreeSpeedModelAgentParameters(
                position=tuple(at),
                journey_id=journey,
                stage_id=stage,
                desired_speed=speed,
                radius=self.radius(species, overrides),
            )
            kinds[simulation.add_agent(parameters)] = species
        self.kinds, exits = kinds, []
        end = self.keys["world"]["ticks"] * 0.05
        while simulation.agent_count() and simulation.elapsed_time() < end:
            simulation.iterate()
            exits += [(kinds[gone], simulation.elapsed_time()) for gone in simulation.removed_agents()]
            if look(simulation.elapsed_time(), simulation):
                break
        self.left = simulation.agent_count()
        return exits

    def last(self, goals, overrides=()):
        exits = self.run(goals, overrides)
        return NEVER if self.left else exits[-1][1]


def rimea_01(throng, seed):
    return {"time for 40 m": Scene(throng, "rimea_01", seed).last({"person": "end"})}


def rimea_06(throng, seed):
    scene, inside = Scene(throng, "rimea_06", seed), 0

    def look(_, simulation):
        nonlocal inside
        for agent in simulation.agents():
            x, y = agent.position
            inside += x < 1.5 or y < 1.5 or x > 13.5 or (x < 11.5 and y > 3.5)

    exits = scene.run({"person": "end"}, look=look)
    return {
        "positions inside walls": inside,
        "share that arrives": len(exits) / len(scene.people),
        "time of the last": NEVER if scene.left else exits[-1][1],
    }


def iso_11(throng, seed):
    scene, times = Scene(throng, "iso_11", seed), {}

    def look(time, simulation):
        for agent in simulation.agents():
            if agent.position[0] >= 9.0:
                times.setdefault(agent.id, time)

    exits = scene.run({"person": "exit"}, look=look)
    crossed = sorted(times.values())
    flow = (len(crossed) - 1) / (crossed[-1] - crossed[0])
    return {
        "flow": flow,
        "flow above the bound of the regulation": flow - 1.33,
        "share that arrives": len(exits) / len(scene.people),
    }


def iso_06(throng, seed):
    def against(others):
        scene, times = Scene(throng, "iso_06", seed, [("source.1.number", str(others))]), {}

        def look(time, simulation):
            for agent in simulation.agents():
                if scene.kinds[agent.id] == "east" and agent.position[0] >= 21.0:
                    times.setdefault(agent.id, time)
            return len(times) == 100

        scene.run({"east": "right_end", "west": "left_end"}, look=look)
        if len(times) < 100:
            return len(times) / 100, NEVER, NEVER
        return 1.0, statistics.mean(times.values()), max(times.values())

    none, few, half, all_ = [against(others) for others in (0, 10, 50, 100)]
    values = {f"share that arrives against {n}": of[0] for n, of in zip((0, 10, 50, 100), (none, few, half, all_))}
    values |= {"mean time against 0": none[1], "mean time against 100": all_[1]}
    for what, name in ((1, "mean time"), (2, "last")):
        for more, less, words in ((few, none, "10 above 0"), (half, few, "50 above 10"), (all_, half, "100 above 50")):
            values[f"{name}: {words}"] = more[what] - less[what] if math.isfinite(less[what]) else NEVER
    return values


def iso_07(throng, seed):
    goals = {"person": "exit", "slow": "exit"}
    slow = Scene(throng, "iso_07", seed).last(goals)
    like = [("species.slow.max_speed", "1.25"), ("species.slow.radius", "0.2")]
    alike = Scene(throng, "iso_07", seed, like).last(goals, like)
    return {"time": slow, "time without the slow person": alike, "longer": slow - alike}


def neck(width, length):
    low, high, end = 6.0 - 0.5 * width, 6.0 + 0.5 * width, 11.0 + length
    below = [[end + 6.0, 1.0], [end, 1.0], [end, low], [11.0, low], [11.0, 1.0], [1.0, 1.0]]
    above = [[1.0, 11.0], [11.0, 11.0], [11.0, high], [end, high], [end, 11.0], [end + 6.0, 11.0]]
    return [("walls", str([below + above]))]


def slow_door(throng, seed):
    values = {}
    for width in (0.8, 0.9):
        keys = [*neck(width, 0.2), ("source.0.number", "1"), ("species.person.max_speed", "0.4")]
        values[f"door of {width} m"] = Scene(throng, "room_and_neck", seed, keys).last({"person": "goal"})
    return values


TESTS = {test.__name__: test for test in (rimea_01, rimea_06, iso_11, iso_06, iso_07, slow_door)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--throng", default=ROOT / "target" / "release" / "throng")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = [line.split("\t") for line in RECORD.read_text().splitlines()[1:]] if RECORD.exists() else []
    for name in options.tests or TESTS:
        runs = [TESTS[name](options.throng, seed) for seed in range(1, options.seeds + 1)]
        lines = [line for line in lines if line[0] != name]
        for what in runs[0]:
            of = [run[what] for run in runs]
            numbers = [sum(of) / len(of), min(of), max(of), len(of), len(of)]
            lines.append([name, str(options.seeds), what, *(str(number) for number in numbers)])
            print(name, what, *numbers[:3], flush=True)
    lines.sort(key=lambda line: line[0])
    head = "test seeds value shown least most kept numbers".split()
    RECORD.write_text("".join("\t".join(line) + "\n" for line in [head, *lines]))


if __name__ == "__main__":
    main()
