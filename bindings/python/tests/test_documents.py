"""Every public name is documented, in NumPy's form, with all of its parameters."""

import inspect
from typing import Any

import pytest
import throng
from throng import measures

CLASSES = [throng.World, throng.View, throng.Table, throng.Picture, throng.Recorder, throng.Rule, throng.Motion]
CALLABLES = [
    (f"{kind.__name__}.{name}", getattr(kind, name))
    for kind in CLASSES
    for name in vars(kind)
    if not name.startswith("_")
] + [("sweep", throng.sweep), ("set_threads", throng.set_threads), ("threads", throng.threads)]


@pytest.mark.parametrize(("name", "item"), CALLABLES, ids=[name for name, _item in CALLABLES])
def test_a_callable_documents_its_parameters(name: str, item: Any) -> None:
    text = inspect.getdoc(item)
    assert text
    if not callable(item):
        return
    documented = text.split("Parameters\n")[-1].split("Returns\n")[0].replace("*", "")
    for parameter in inspect.signature(item).parameters:
        if parameter not in ("self", "cls"):
            assert any(
                parameter in line.split(":")[0].replace(",", " ").split() for line in documented.splitlines()
            ), parameter


def test_modules_and_classes_are_documented() -> None:
    for item in [throng, measures, *CLASSES, *(getattr(measures, name) for name in measures.__all__)]:
        assert inspect.getdoc(item), item
