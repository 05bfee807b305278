"""SciPy's tree for the same agents: it is made, and asked for the k nearest of all agents. One thread.

`nearest.py [AGENTS] [K]` is the comparison of `benches/examples/nearest.rs`. Needs SciPy. Prints milliseconds of processor time.
"""
import sys
import time

import numpy as np
from scipy.spatial import cKDTree

agents, k = (int(sys.argv[place]) if len(sys.argv) > place else usual for place, usual in ((1, 100_000), (2, 7)))
for dimensions in (2, 3):
    side = agents ** (1 / dimensions)
    points = np.random.default_rng(0).uniform(0, side, (agents, dimensions))
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        cKDTree(points, boxsize=side).query(points, k=k + 1)
        best = min(best, time.process_time() - start)
    print(f"{dimensions} dimensions, {agents} agents, the nearest {k}: {best * 1e3:.3f} ms")
