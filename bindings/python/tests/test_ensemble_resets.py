"""Worlds of an ensemble that go back to their start, and branches of worlds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng

FEW = {"species.starling.count": 60}


def hashes(worlds: throng.Ensemble) -> list[str]:
    return [world.state_hash() for world in worlds]


@pytest.fixture
def flocks(scenarios: Path) -> throng.Ensemble:
    return throng.ensemble(scenarios / "flock.toml", worlds=5, first_seed=3, overrides=FEW)


def fresh(scenarios: Path, seed: int, ticks: int = 0) -> str:
    world = throng.World.from_file(scenarios / "flock.toml", **FEW, **{"world.seed": seed})
    world.step(ticks)
    return world.state_hash()


def test_a_world_that_was_reset_has_the_bits_of_a_fresh_one(flocks: throng.Ensemble, scenarios: Path) -> None:
    members, starts = list(flocks), hashes(flocks)
    flocks.step(10)
    flocks.write("starling", "velocity", -flocks.velocities("starling"))
    flocks[1].add_species("hawk")
    flocks[4].remove(flocks[4].ids("starling")[:3])
    moved = hashes(flocks)
    flocks.reset(np.array([False, True, False, False, True]))
    assert hashes(flocks) == [moved[0], starts[1], moved[2], moved[3], starts[4]]
    assert list(flocks) == members and flocks[1].species == ["starling"]
    flocks.step(8)
    assert [hashes(flocks)[number] for number in (1, 4)] == [fresh(scenarios, seed, 8) for seed in (4, 7)]
    flocks.reset([2, 0])
    assert [hashes(flocks)[number] for number in (0, 2)] == [starts[0], starts[2]]
    flocks.reset()
    assert hashes(flocks) == starts == [fresh(scenarios, seed) for seed in range(3, 8)]
    flocks.reset([])
    flocks.reset(np.zeros(5, bool))
    assert hashes(flocks) == starts


def test_a_reset_with_another_seed_builds_the_world_again(flocks: throng.Ensemble, scenarios: Path) -> None:
    flocks.step(5)
    flocks.reset([3, 1], seeds=[40, 41])
    assert [flocks[number].state_hash() for number in (3, 1)] == [fresh(scenarios, seed) for seed in (40, 41)]
    flocks.step(6)
    assert flocks[3].state_hash() == fresh(scenarios, 40, 6)
    flocks.reset()
    assert hashes(flocks) == [fresh(scenarios, seed) for seed in (3, 41, 5, 40, 7)]


def test_branches_continue_with_the_same_bits(flocks: throng.Ensemble) -> None:
    flocks.step(7)
    now = hashes(flocks)
    branches, all_of_them = flocks.copy([2, 2, 0]), flocks.copy()
    assert hashes(branches) == [now[2], now[2], now[0]] and hashes(all_of_them) == now
    branches[1].write("starling", "velocity", -branches[1].velocities("starling"))
    branches.step(4)
    flocks.step(4)
    assert branches[0].state_hash() == flocks[2].state_hash() != branches[1].state_hash()
    branches.reset([1])
    assert branches[1].state_hash() == now[2]
    branches.reset([0], seeds=[9])
    assert branches[0].tick == 0 and hashes(flocks.copy(np.arange(5) > 3)) == [flocks[4].state_hash()]


def test_functions_of_python_come_back(flocks: throng.Ensemble) -> None:
    calls = []

    def note(columns: throng.View) -> None:
        """Note the call."""
        calls.append(len(columns))

    flocks[0].add_rule("starling", note)
    copy = flocks.copy([0])
    copy[0].step()
    assert calls == [60]
    flocks.reset([0])
    flocks.step()
    assert calls == [60]
    copy[0].remove_rule("starling", 3)
    copy.step()
    copy.reset()
    copy[0].step()
    assert calls == [60, 60]


def test_what_a_reset_refuses(flocks: throng.Ensemble) -> None:
    flocks.step()
    now = hashes(flocks)
    refused: list[tuple[list[Any], list[int] | None, str]] = [
        ([5], None, "from 0 to 4"), ([-1], None, "from 0 to 4"), ([0.5], None, "numbers of worlds"),
        ([1, 1], None, "at most once"), ([True, False], None, "mask"), ([0, 1], [3], "one for each of 2 worlds"),
    ]
    for which, seeds, text in refused:
        with pytest.raises(ValueError, match=text):
            flocks.reset(which, seeds)
    with pytest.raises(ValueError, match="build"):
        throng.Ensemble(list(flocks)).reset([0], seeds=[1])
    with flocks[1].view("starling"), pytest.raises(BufferError, match="views"):
        flocks.reset([1])
    assert hashes(flocks) == now


def test_worlds_at_their_start_have_their_ways() -> None:
    def room(seed: int) -> throng.World:
        world = throng.World((20.0, 10.0), edge="bounce", seed=seed)
        assert world.add_navigation("exit", goals=[[18.0, 5.0]]) == 0
        return world

    rooms = throng.Ensemble([room(seed) for seed in range(2)], build=room)

    def distances() -> list[float]:
        # A world without its ways refuses this.
        return [float(world.navigation_distances(0).max()) for world in rooms]

    first = distances()
    assert first == pytest.approx([18.7, 18.7], abs=0.3)
    rooms.step(3)
    for seeds in [None, [7, 8]]:
        rooms.reset(seeds=seeds)
        assert distances() == first
