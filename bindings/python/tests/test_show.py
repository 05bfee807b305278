"""The window behind `World.show`. `scripts/check-notebook.py` tests the widget in JupyterLab."""

import json
import sys
import time
import types
from typing import Any

import pytest
import throng
from throng._native import Window, page


def looks(window: Window) -> tuple[list[dict[str, Any]], list[bytes]]:
    """The messages of a look at which a frame may be due again."""
    time.sleep(0.11)
    window.receive('{"do":"drawn"}')
    messages = window.look()
    texts = [json.loads(text) for text in messages if isinstance(text, str)]
    return texts, [frame for frame in messages if isinstance(frame, bytes)]


def merged(texts: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: value for text in texts for name, value in text.items()}


def test_outside_of_a_notebook_show_says_what_to_do(world: throng.World) -> None:
    with pytest.raises(RuntimeError, match="picture\\(\\)"):
        world.show()
    with pytest.raises(ValueError, match="height = 3"):
        world.show(height=3)


def test_without_its_package_show_names_it(world: throng.World, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "throng._widget", raising=False)
    with pytest.raises(ImportError, match=r"throng-crowd\[show\]"):
        world.show()


def test_a_page_gets_the_world_and_its_changes(world: throng.World) -> None:
    assert "<script>" in page() and "<!--" not in page()
    window = Window(world)
    window.receive('{"do":"hello"}')
    texts, frames = looks(window)
    described = merged(texts)["world"]
    assert described["dimensions"] == world.dimensions and described["species"][0]["name"] == "bird" and frames
    assert looks(window) == ([], []), "nothing has changed"

    world.place("bird", 10)
    texts, frames = looks(window)
    assert merged(texts)["numbers"]["agents"] == 210 and frames
    world.set_parameter("bird", "separation.radius", 4.0)
    texts, _frames = looks(window)
    assert merged(texts)["world"]["species"][0]["rules"][0]["parameters"][1]["value"] == 4.0
    world.step(3)
    texts, frames = looks(window)
    numbers = merged(texts)["numbers"]
    assert (numbers["tick"], numbers["hash"]) == (3, world.state_hash()) and frames


def test_a_page_plays_and_changes_the_world(world: throng.World) -> None:
    window = Window(world)
    window.receive('{"do":"hello"}')
    assert not window.due, "it starts paused"
    window.receive('{"do":"step"}')
    assert window.due
    window.passed()
    assert not window.due
    window.receive('{"do":"play"}')
    assert window.due
    window.pause("no such wind")
    assert not window.due

    window.receive('{"do":"set","species":0,"rule":0,"name":"weight","value":2.5}')
    assert world.parameter("bird", "separation.weight") == 2.5
    window.receive(json.dumps({"do": "pick", "point": [50.0] * world.dimensions}))
    texts, _frames = looks(window)
    all_texts = merged(texts)
    assert all_texts["error"] == "no such wind"
    assert int(all_texts["watched"]["why"]["id"]) in world.ids("bird")
    for refused in ('{"do":"undo"}', '{"do":"falcon","point":[1,1],"radius":3}'):
        window.receive(refused)
        texts, _frames = looks(window)
        assert "program" in merged(texts)["error"]
    window.receive("nonsense")


def test_a_page_has_the_reason_while_columns_are_in_use(world: throng.World) -> None:
    window = Window(world)
    window.receive('{"do":"hello"}')
    with world.view("bird"):
        window.receive('{"do":"set","species":0,"rule":0,"name":"weight","value":2.5}')
        texts, frames = looks(window)
        assert "views" in merged(texts)["error"] and frames
    assert world.parameter("bird", "separation.weight") == 1.0
