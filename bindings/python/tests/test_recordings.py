"""A recording replays to the same hash, or says where it differs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng


def push(columns: throng.View) -> Any:
    """A force along each axis that grows with the place."""
    return tuple(axis * np.float32(0.01) for axis in columns.position)


def test_a_recording_replays(world: throng.World, tmp_path: Path) -> None:
    world.step(3)
    with pytest.raises(ValueError, match="record"):
        world.save_recording(tmp_path / "none.recording")
    world.record(hash_every=2)
    world.add_rule("bird", push)
    for number in range(4):
        world.spawn("bird", np.full((1, world.dimensions), 5.0 + number))
        world.step()
    world.save_recording(tmp_path / "run.recording")
    again = throng.replay(tmp_path / "run.recording")
    assert (again.tick, again.state_hash()) == (world.tick, world.state_hash())


def test_a_damaged_or_wrong_recording_is_refused(world: throng.World, tmp_path: Path) -> None:
    parts = []
    for steps in (4, 5):
        world.set_parameter("bird", "max_speed", steps)
        world.record()
        world.step(steps)
        world.save_recording(tmp_path / "run.recording")
        parts.append((tmp_path / "run.recording").read_bytes())
    (tmp_path / "cut.recording").write_bytes(parts[0][:-9])
    with pytest.raises(throng.SnapshotError, match="recording"):
        throng.replay(tmp_path / "cut.recording")
    # The start of one run, and the end of the other.
    mixed = parts[0][: parts[0].rindex(b"STOP")] + parts[1][parts[1].rindex(b"STOP") :]
    (tmp_path / "mixed.recording").write_bytes(mixed)
    with pytest.raises(throng.ReplayError, match="at tick 9"):
        throng.replay(tmp_path / "mixed.recording")
    with pytest.raises(OSError):
        throng.replay(tmp_path / "none.recording")
