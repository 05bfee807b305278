"""Every public name is documented, in NumPy's form, with all of its parameters and what it returns."""

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest
import throng
from throng import measures

CLASSES = [throng.World, throng.View, throng.Table, throng.Picture, throng.Recorder, throng.Rule, throng.Motion]
CALLABLES = [
    (f"{kind.__name__}.{name}", getattr(kind, name))
    for kind in CLASSES
    for name in vars(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
]
FUNCTIONS = [throng.sweep, throng.set_threads, throng.threads, throng.rules, throng.models]
CALLABLES += [(function.__name__, function) for function in FUNCTIONS]
CALLABLES += [(f"measures.{name}", getattr(measures, name)) for name in measures.__all__]


def without_results() -> set[str]:
    """The methods and functions of the stubs that return `None`."""
    stubs = ast.parse((Path(throng.__file__).parent / "_native.pyi").read_text())
    found = set()
    for node in stubs.body:
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
