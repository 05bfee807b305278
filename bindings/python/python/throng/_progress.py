"""The progress of a step, on the standard error stream."""

import sys
import time

_WIDTH = 40
_last = 0.0


def show(done: int, total: int) -> None:
    """Write a bar for `done` of `total` ticks, at most ten times a second.

    Parameters
    ----------
    done : int
        The number of ticks so far.
    total : int
        The number of ticks of the whole step.
    """
    global _last
    now = time.monotonic()
    if done < total and now - _last < 0.1:
        return
    _last = now
    filled = _WIDTH * done // total
    bar = "#" * filled + "." * (_WIDTH - filled)
    sys.stderr.write(f"\r[{bar}] {done}/{total} ticks" + ("\n" if done == total else ""))
    sys.stderr.flush()
