"""Warnings: values that are hardly meant, and what went wrong in ticks."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import throng


def issued(world: throng.World, ticks: int = 1) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world.step(ticks)
    assert all(warning.category is throng.ThrongWarning for warning in caught)
    return [str(warning.message) for warning in caught]


def flock(tick: float) -> throng.World:
    world = throng.World((100, 100), tick_seconds=tick)
    world.add_species("bird", max_speed=1.0, rules=[throng.Rule("alignment", weight=3.0)])
    world.place("bird", 10, speed=1.0)
    return world


def test_rules_that_overshoot_are_named_once_in_a_world() -> None:
    world = flock(1.0)
    (text,) = issued(world)
    assert text.startswith("species.bird.response: rules overshoot") and "response of at least 6 s" in text
    assert world.warnings() == [text]
    assert issued(world) == []
    world.set_parameter("bird", "alignment.weight", 4.0)
    assert issued(world) == []
    assert issued(flock(0.03)) == []
    assert issued(flock(1.0)) != []


def test_inexact_neighbours_are_counted_and_named() -> None:
    world = throng.World((100, 100), tick_seconds=0.01, pair_budget=64)
    world.add_species("bird", rules=[throng.Rule("cohesion", radius=5.0)])
    world.spawn("bird", np.full((900, 2), 50.0, "f4"), np.zeros((900, 2), "f4"))
    (text,) = issued(world, 2)
    assert text.startswith("neighbours are not exact: 100 %")
    assert (world.faults()["inexact"], world.faults()["ticks"]) == (1800, 2)
    assert issued(world) == []


def test_models_of_all_pairs_are_exact_beyond_the_budget() -> None:
    world = throng.World((400, 400), edge="open", tick_seconds=0.001, pair_budget=64)
    world.add_species("bird", motion=throng.Motion("cucker_smale"))
    world.place("bird", 500, speed=1.0)
    assert issued(world) == []
    assert world.profile()["capped"] == 0


def test_files_are_checked_when_they_are_loaded(scenarios: Path) -> None:
    with pytest.warns(throng.ThrongWarning, match="too stiff for a tick of 5 s"):
        world = throng.World.from_file(scenarios / "mill.toml", world={"tick": 5.0})
    texts = issued(world, 60)
    assert any("was dropped" in text for text in texts) and not any("stiff" in text for text in texts)
    assert world.faults()["quarantined"] > 0 and world.faults()["lost"] == world.faults()["left"] > 0


def test_sweeps_have_columns_of_faults(scenarios: Path) -> None:
    with pytest.warns(throng.ThrongWarning, match=r"was dropped .* \(in 1 of 2 runs\)"):
        table = throng.sweep(scenarios / "mill.toml", {"world.tick": [0.01, 5.0]}, ticks=60, start=40)
    assert table["inexact"].tolist() == [0, 0]
    assert table["quarantined"][0] == table["left"][0] == 0
    assert table["quarantined"][1] > 0 and table["left"][1] > 0


def test_an_explanation_has_the_velocity_that_a_motion_chooses() -> None:
    world = throng.World((10, 10))
    world.add_species("bird", max_speed=0.5, motion="vicsek")
    (bird,) = world.spawn("bird", [[5.0, 5.0]], [[0.5, 0.0]])
    explained = world.explain(int(bird))
    assert explained["motion"] == "vicsek" and abs(np.linalg.norm(explained["chosen"]) - 0.5) < 1e-5
