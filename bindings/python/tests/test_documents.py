"""Every public name is documented, in NumPy's form, with all of its parameters and what it returns."""

import ast
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throng
from throng import measures

CLASSES = [
    throng.World, throng.View, throng.Table, throng.Picture, throng.Recorder, throng.Displacements, throng.Persons,
    throng.Convergence, throng.TrajectoryWriter, throng.Rule, throng.Motion, throng.Ensemble, throng.Nearest, throng.Results,
]
CALLABLES = [
    (f"{kind.__name__}.{name}", getattr(kind, name))
    for kind in CLASSES
    for name in vars(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
]
FUNCTIONS = [throng.sweep, throng.ensemble, throng.fit, throng.replay, throng.set_threads, throng.threads, throng.rules, throng.models, throng.definitions]
CALLABLES += [(function.__name__, function) for function in FUNCTIONS]
CALLABLES += [(f"measures.{name}", getattr(measures, name)) for name in measures.__all__]


def without_results() -> set[str]:
    """The methods and functions of the package that return `None`."""
    folder = Path(throng.__file__).parent
    found = set()
    for node in [node for name in ("_native.pyi", "_ensemble.py") for node in ast.parse((folder / name).read_text()).body]:
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(function, ast.FunctionDef) and isinstance(function.returns, ast.Constant):
                found.add(owner + function.name)
    return found


WITHOUT_RESULTS = without_results()


@pytest.mark.parametrize(("name", "item"), CALLABLES, ids=[name for name, _item in CALLABLES])
def test_a_callable_documents_its_parameters_and_its_result(name: str, item: Any) -> None:
    text = inspect.getdoc(item)
    assert text
    documented = text.split("Parameters\n")[-1].split("Returns\n")[0].replace("*", "")
    for parameter in inspect.signature(item).parameters:
        if parameter not in ("self", "cls"):
            assert any(
                parameter in line.split(":")[0].replace(",", " ").split() for line in documented.splitlines()
            ), parameter
    assert ("Returns\n-------\n" in text) == (name not in WITHOUT_RESULTS)


def test_modules_and_classes_are_documented() -> None:
    for item in [throng, measures, *CLASSES]:
        assert inspect.getdoc(item), item
    for kind in CLASSES:
        for name, item in vars(kind).items():
            assert name.startswith("_") or inspect.getdoc(item), name


def test_the_examples_of_the_read_me_run() -> None:
    """All of them in one module, in their order, with the columns that they speak of."""
    text = (Path(__file__).parents[1] / "README.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) >= 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    world = names["world"]
    assert abs(names["autocorrelation"]) <= 12**2 and 0 < names["msd"] <= (12 * 10.0) ** 2
    world.place("moth", 100)
    world.place("swarmalator", 100)
    world.write("swarmalator", "phase", np.linspace(0, 6, 100), order="id")
    world.step(30)
    expected = (np.linspace(0, 6, 100) + 3.0) % (2 * np.pi)
    error = np.abs(world.column("swarmalator", "phase", order="id") - expected)
    assert np.minimum(error, 2 * np.pi - error).max() < 1e-3


def test_the_example_of_the_front_page_has_the_hash_of_the_one_in_rust() -> None:
    """The example asserts its hash; that in Rust is tested with the library."""
    text = (Path(__file__).parents[3] / "README.md").read_text()
    (block,) = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    (rust,) = [block.split("```")[0] for block in text.split("```rust\n")[1:]]
    names: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["world"].state_hash() in rust
    assert names["x"].shape == names["y"].shape == (500,)
