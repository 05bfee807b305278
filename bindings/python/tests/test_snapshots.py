"""Snapshots, pickles and copies continue with the same bits."""

import contextlib
import copy
import os
import pickle
import resource
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import throng

WAYS: dict[str, Callable[[throng.World], throng.World]] = {
    "pickle": lambda world: pickle.loads(pickle.dumps(world)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "bytes": lambda world: throng.World.from_bytes(world.to_bytes()),
}


@pytest.mark.parametrize("way", WAYS)
def test_another_world_continues_with_the_same_bits(world: throng.World, way: str) -> None:
    world.step(7)
    other = WAYS[way](world)
    assert other.state_hash() == world.state_hash() and other.tick == 7
    world.step(9)
    assert other.state_hash() != world.state_hash()
    other.step(9)
    assert other.state_hash() == world.state_hash()


def test_files(world: throng.World, tmp_path: Path) -> None:
    world.save(tmp_path / "world.snapshot")
    world.step()
    world.save(str(tmp_path / "world.snapshot"))
    assert throng.World.load(tmp_path / "world.snapshot").state_hash() == world.state_hash()
    assert [path.name for path in tmp_path.iterdir()] == ["world.snapshot"]
    with pytest.raises(OSError):
        world.save(tmp_path / "no folder" / "world.snapshot")


def test_a_full_disk_leaves_the_last_snapshot(world: throng.World, tmp_path: Path) -> None:
    path = tmp_path / "world.snapshot"
    world.save(path)
    before = path.read_bytes()
    world.step()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError):
            world.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_a_pipe_is_written_to_and_stays_one(world: throng.World, tmp_path: Path) -> None:
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    thread = threading.Thread(target=lambda: read.append(path.read_bytes()))
    thread.start()
    world.save(path)
    thread.join()
    assert throng.World.from_bytes(read[0]).state_hash() == world.state_hash()
    assert path.is_fifo() and len(list(tmp_path.iterdir())) == 1


def test_every_flipped_byte_is_refused_or_harmless(world: throng.World) -> None:
    whole = world.to_bytes()
    for place in range(0, len(whole), len(whole) // 200):
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        with contextlib.suppress(throng.SnapshotError):
            throng.World.from_bytes(bytes(flipped)).step()


def test_every_cut_of_a_snapshot_is_refused(world: throng.World) -> None:
    whole = world.to_bytes()
    for length in range(0, len(whole), len(whole) // 50):
        with pytest.raises((throng.SnapshotError, OSError)):
            throng.World.from_bytes(whole[:length])
