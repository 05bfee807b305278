"""The live view of a world in a notebook."""

import sys

from throng._native import World


def show(world: World, height: int) -> None:
    """Show a world in the notebook whose cell calls this.

    Parameters
    ----------
    world : World
        The world.
    height : int
        The height in pixels.
    """
    if not 200 <= height <= 4000:
        raise ValueError(f"height = {height}: must be from 200 to 4000 pixels")
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if getattr(shell, "kernel", None) is None:
        raise RuntimeError(
            'world.show() needs a notebook, such as JupyterLab. Elsewhere world.picture().save("world.png") draws the '
            "world, and the program shows a scenario: throng view FILE"
        )
    try:
        from throng._widget import Player
    except ImportError as error:
        raise ImportError('world.show() needs the package anywidget: pip install "throng-crowd[show]"') from error
    Player(world, height).show()
