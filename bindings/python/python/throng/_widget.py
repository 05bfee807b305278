"""The widget of a world, and its player on the loop of the kernel."""

import asyncio
import pathlib
import threading
import time
import weakref
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from throng._native import Window, World, page

# The page in a frame, which passes messages on.
_SCRIPT = pathlib.Path(__file__).parent / "_widget.js"
# The seconds for which ticks run before the kernel gets its turn.
_TURN = 0.02
# The seconds between two frames of a world that a cell steps.
_GLANCE = 0.1

_players: "weakref.WeakSet[Player]" = weakref.WeakSet()


def glance() -> None:
    """Show the worlds that a running cell steps: the kernel cannot play them and hears no page before it ends."""
    for player in list(_players):
        player.glance()


class Player:
    """Plays a world between the cells of a notebook, and sends the frames of its window.

    Parameters
    ----------
    world : World
        The world.
    height : int
        The height of the widget in pixels.
    """

    def __init__(self, world: World, height: int) -> None:
        self._world = world
        self._window = Window(world)
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._last = 0.0
        self._task: asyncio.Task[None] | None = None
        self._views = 0
        self._widget = anywidget.AnyWidget(_esm=_SCRIPT.read_text(encoding="utf-8"))
        self._widget.add_traits(
            page=traitlets.Unicode(page()).tag(sync=True), height=traitlets.Int(height).tag(sync=True)
        )
        self._widget.on_msg(self._receive)
        _players.add(self)

    def show(self) -> None:
        """Show the widget below the cell."""
        display(self._widget)

    def glance(self) -> None:
        """Send a frame, unless the last one was sent a moment ago."""
        now = time.monotonic()
        if self._views > 0 and now - self._last > _GLANCE and threading.get_ident() == self._thread:
            # The page has time to draw in between.
            self._window.receive('{"do":"drawn"}')
            self._send()

    def _receive(self, _widget: anywidget.AnyWidget, content: dict[str, Any], _buffers: list[bytes]) -> None:
        # Messages may come in another thread.
        self._loop.call_soon_threadsafe(self._execute, content)

    def _execute(self, content: dict[str, Any]) -> None:
        self._views += content.get("views", 0)
        if "command" in content:
            self._window.receive(content["command"])
        if self._views > 0 and self._task is None:
            self._task = self._loop.create_task(self._play())
        if self._views <= 0:
            # The cell runs again, or its output was removed: the world need not live for it.
            self._widget.close()

    async def _play(self) -> None:
        while self._views > 0 and not self._window.left:
            self._step()
            self._send()
            await asyncio.sleep(self._window.wait)
        self._window.pause()
        self._task = None

    def _step(self) -> None:
        end = time.monotonic() + _TURN
        while self._window.due and time.monotonic() < end:
            try:
                self._world.step()
            except Exception as error:
                return self._window.pause(f"{type(error).__name__}: {error}")
            self._window.passed()

    def _send(self) -> None:
        self._last = time.monotonic()
        messages = self._window.look()
        if messages:
            texts = [message if isinstance(message, str) else None for message in messages]
            self._widget.send({"messages": texts}, [message for message in messages if isinstance(message, bytes)])
