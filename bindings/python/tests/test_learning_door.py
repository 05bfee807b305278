"""The example in which people learn a door."""

import importlib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cma")


def test_people_learn_to_leave_by_a_door_with_less_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "examples")
    example = importlib.import_module("learn_door")
    worlds = 12
    rooms = example.Rooms(worlds, people=20, length=90)
    learned = example.learn(rooms, policies=worlds, generations=16)
    before, after = (
        rooms.episode(np.tile(policy, (worlds, 1)), list(range(10**6, 10**6 + worlds)))
        for policy in (example.straight(), learned)
    )
    assert after["cost"].mean() < 0.8 * before["cost"].mean()
    assert after["contact"].mean() < 0.8 * before["contact"].mean()
    assert after["remaining"].sum() == 0
