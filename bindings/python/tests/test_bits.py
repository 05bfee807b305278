"""The state equals the engine's: the hashes are equal in its own tests and in the program."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import throng

REPOSITORY = Path(__file__).resolve().parents[3]
GOLDEN = re.findall(r"^(\w+) (\d+) ([0-9a-f]{16})$", (REPOSITORY / "scenarios/golden.txt").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("name", "ticks", "expected"), GOLDEN)
def test_every_scenario_has_its_golden_hash(scenarios: Path, name: str, ticks: str, expected: str) -> None:
    world = throng.World.from_file(scenarios / f"{name}.toml")
    world.step(int(ticks))
    assert world.state_hash() == expected


def test_the_table_of_golden_hashes_was_read() -> None:
    assert len(GOLDEN) >= 40


def test_the_number_of_threads_and_of_calls_changes_no_bit(scenarios: Path) -> None:
    hashes = set()
    before = throng.threads()
    try:
        for threads, calls in [(1, 1), (2, 1), (3, 20)]:
            throng.set_threads(threads)
            assert throng.threads() == threads
            world = throng.World.from_file(scenarios / "hunt.toml")
            for _ in range(calls):
                world.step(20 // calls)
            hashes.add(world.state_hash())
    finally:
        throng.set_threads(before)
    assert len(hashes) == 1


def test_overrides_are_those_of_the_program(scenarios: Path) -> None:
    path = scenarios / "flock.toml"
    nested = throng.World.from_file(path, world={"seed": 5})
    dotted = throng.World.from_file(path, **{"world.seed": 5})
    text = throng.World.from_text(path.read_text(), world={"seed": 5})
    usual = throng.World.from_file(path)
    assert nested.state_hash() == dotted.state_hash() == text.state_hash() != usual.state_hash()
    assert nested.settings["seed"] == 5


@pytest.mark.skipif("THRONG" not in os.environ, reason="THRONG does not name the program")
def test_the_program_prints_the_same_hash(scenarios: Path, tmp_path: Path) -> None:
    command = [os.environ["THRONG"], "run", str(scenarios / "flock.toml"), "--ticks", "25"]
    command += ["--out", str(tmp_path / "out"), "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    world = throng.World.from_file(scenarios / "flock.toml")
    world.step(25)
    assert f'"{world.state_hash()}"' in printed


def test_a_child_after_fork_steps(world: throng.World) -> None:
    world.step()
    expected = world.copy()
    expected.step(3)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        world.step(3)
        os.write(write, world.state_hash().encode())
        os._exit(0)
    os.close(write)
    found = os.read(read, 100).decode()
    os.waitpid(child, 0)
    assert found == expected.state_hash()


def test_overrides_reach_tables_that_the_file_lacks() -> None:
    text = "format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\n[species.bird]\ncount = 5\n"
    nested = throng.World.from_text(text, species={"bird": {"place": {"heading": [0, 1]}}})
    overrides: dict[str, Any] = {"species.bird.place.heading": [0, 1]}
    dotted = throng.World.from_text(text, **overrides)
    for world in (nested, dotted):
        velocities = world.velocities("bird")
        assert (velocities[:, 0] == 0).all() and (velocities[:, 1] > 0).all()
