"""Steps: the lock of the interpreter, signals, progress and threads."""

import signal
import threading
import time

import numpy as np
import pytest
import throng


def long_world() -> throng.World:
    world = throng.World((100.0, 100.0), tick_seconds=0.05)
    world.add_species("bird", rules=["separation", "alignment", "cohesion"])
    world.place("bird", 2000, speed=5.0)
    return world


def test_tick_time_and_events() -> None:
    world = throng.World((10.0, 10.0), tick_seconds=0.5, edge="remove")
    world.add_species("bird")
    (bird,) = world.spawn("bird", [[9.0, 5.0]], [[4.0, 0.0]])
    world.step()
    assert (world.tick, world.time, world.dimensions) == (1, 0.5, 2)
    assert world.events() == [{"event": "left", "agent": bird, "species": "bird"}]
    array = world.event_array()
    assert array["agent"].tolist() == [bird] and array.dtype.names == ("kind", "species", "agent", "other", "depth")
    world.step(2)
    assert (world.tick, world.population, world.spawned, world.removed) == (3, 0, 1, {"left": 1})
    assert world.event_array().shape == (0,)
    world.step(0)
    assert world.tick == 3
    for wrong in [-1, 1.5, "two"]:
        with pytest.raises((TypeError, OverflowError)):
            world.step(wrong)  # type: ignore[arg-type]


def test_a_step_releases_the_interpreter() -> None:
    world, stop, turns = long_world(), threading.Event(), 0

    def count() -> None:
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    while time.monotonic() - began < 0.5:
        world.step(5)
    stop.set()
    thread.join()
    assert turns > 5


def test_an_interrupt_ends_a_step_after_a_whole_tick() -> None:
    world = long_world()
    expected = world.copy()
    # A process that was started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            world.step(1_000_000_000)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert 0 < world.tick < 1_000_000_000
    expected.step(world.tick)
    assert world.state_hash() == expected.state_hash()


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    world, seen = long_world(), []
    world.step(7, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (7, 7)
    world.step(3, progress=True)
    assert "3/3 ticks\n" in capsys.readouterr().err
    world.step(3, progress=False)
    assert capsys.readouterr().err == ""

    def fail(done: int, total: int) -> None:
        raise ArithmeticError

    tick = world.tick
    with pytest.raises(ArithmeticError):
        world.step(3, progress=fail)
    assert world.tick > tick


def test_a_second_thread_gets_an_error() -> None:
    world, refused = long_world(), 0
    thread = threading.Thread(target=world.step, args=[400])
    thread.start()
    while thread.is_alive():
        try:
            world.set_settings(seed=99)
        except RuntimeError as error:
            assert "in use" in str(error)
            refused += 1
        time.sleep(0.002)
    thread.join()
    assert refused > 0
    assert world.tick == 400


def test_threads_that_change_one_world_get_errors_and_leave_it_whole() -> None:
    world = long_world()
    others: list[BaseException] = []
    placed = [0] * 8

    def use(number: int) -> None:
        for _ in range(40):
            try:
                world.step()
                world.positions("bird")
                with world.view("bird") as columns:
                    columns["x"].sum()
                world.place("bird", 1)
                placed[number] += 1
            except (RuntimeError, BufferError):
                pass
            except BaseException as error:
                others.append(error)

    threads = [threading.Thread(target=use, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert others == []
    assert world.population == 2000 + sum(placed)
    world.step()


def test_an_agent_crosses_a_seam() -> None:
    seam = ([(10, 6), (10, 2)], (50, 1))
    with pytest.raises(ValueError, match="seams = 1: must be in a world of two dimensions whose axes do not wrap"):
        throng.World((100, 20), seams=[seam])
    world = throng.World((100, 20), edge="bounce", tick_seconds=0.1, seams=[seam])
    assert world.settings["seams"] == [([[10.0, 6.0], [10.0, 2.0]], [50.0, 1.0])]
    world.add_species("walker", max_speed=2.0)
    ids = world.spawn("walker", [(12.0, 4.0), (9.0, 4.0)], [(-2.0, 0.0), (2.0, 0.0)])
    world.step(15)
    # The segment leads down, so its left are the points with x > 10.
    assert world.positions("walker", ids=ids) == pytest.approx(np.array([[59.0, 5.0], [12.0, 4.0]]), abs=1e-4)
