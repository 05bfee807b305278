"""throng: a parallel crowd engine.

A `World` holds species of agents in columns. `World.step` advances it; between steps the host reads arrays, edits and
queries. The same settings, edits and version give the same bits on any number of threads.

Examples
--------
>>> import throng
>>> world = throng.World((200, 200), tick_seconds=0.05, seed=7)
>>> world.add_species("starling", rules=[throng.Rule("separation", radius=2.5), "alignment", "cohesion"])
>>> ids = world.place("starling", 100, speed=5.0)
>>> world.step(10)
>>> world.positions("starling").shape
(100, 2)
"""

from throng import measures
from throng._native import (
    PHYSICS,
    BadValueError,
    Convergence,
    Displacements,
    Motion,
    NotFoundError,
    Persons,
    Picture,
    Recorder,
    ReplayError,
    Rule,
    RuleError,
    ScenarioError,
    SnapshotError,
    Table,
    ThrongWarning,
    TrajectoryWriter,
    View,
    World,
    __version__,
    definitions,
    models,
    replay,
    rules,
    set_threads,
    threads,
)
from throng._ensemble import Ensemble, ensemble
from throng._fit import Fit, fit
from throng._nearest import Nearest
from throng._results import Results
from throng._sweep import sweep

__all__ = [
    "PHYSICS",
    "BadValueError",
    "Convergence",
    "Displacements",
    "Ensemble",
    "Fit",
    "Motion",
    "Nearest",
    "NotFoundError",
    "Persons",
    "Picture",
    "Recorder",
    "ReplayError",
    "Results",
    "Rule",
    "RuleError",
    "ScenarioError",
    "SnapshotError",
    "Table",
    "ThrongWarning",
    "TrajectoryWriter",
    "View",
    "World",
    "__version__",
    "definitions",
    "ensemble",
    "fit",
    "measures",
    "models",
    "replay",
    "rules",
    "set_threads",
    "sweep",
    "threads",
]
