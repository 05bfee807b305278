"""Worlds that several tests share."""

from pathlib import Path

import pytest
import throng

REPOSITORY = Path(__file__).resolve().parents[3]
SCENARIOS = REPOSITORY / "scenarios"


@pytest.fixture
def scenarios() -> Path:
    return SCENARIOS


@pytest.fixture(params=[2, 3])
def world(request: pytest.FixtureRequest) -> throng.World:
    """A flock in two and in three dimensions, with a column of the host."""
    world = throng.World((100.0,) * request.param, tick_seconds=0.1, seed=7)
    world.add_species("bird", max_speed=(8, 12), rules=[throng.Rule("separation", radius=3.0), "alignment"])
    world.place("bird", 200, speed=5.0)
    world.add_column("bird", "load", 1.5)
    return world
