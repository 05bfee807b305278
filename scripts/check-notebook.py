"""Tests `world.show()` in JupyterLab, in Chromium, which it drives through the debugging pipe.

Usage: check-notebook.py BROWSER FOLDER, with the Python that has throng and JupyterLab. Screenshots go to FOLDER.
"""

import json
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import tempfile

from browser import Browser

CELLS = [
    """import throng
world = throng.World((100, 60), tick_seconds=0.05, seed=7)
world.add_species("bird", max_speed=(8, 12), rules=[throng.Rule("separation", radius=3.0), "alignment", "cohesion"])
world.place("bird", 300)
world.show(height=520)""",
    "print('tick', world.tick)",
    "world.place('bird', 200)\nworld.add_species('hawk', max_speed=14)\nworld.place('hawk', 3)\nprint('placed')",
    "world.step(50)\nprint('at', world.tick, world.state_hash())",
    "print('weight', world.parameter('bird', 'separation.weight'))",
    "def fail(columns):\n    raise ValueError('no such wind')\nworld.add_rule('bird', throng.Rule(fail))\nprint('added')",
    "import time\nfor _ in range(100):\n    world.step()\n    time.sleep(0.05)\nprint('ended', world.tick)",
]
NAME = "show.ipynb"


def say(text):
    print(f"  {text}", flush=True)


def notebook():
    cells = [{"cell_type": "code", "id": f"cell{number}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
             for number, source in enumerate(CELLS)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells})


class Lab:
    """JupyterLab on a notebook in an empty folder."""

    def __init__(self, scratch):
        (scratch / "work").mkdir()
        (scratch / "work" / NAME).write_text(notebook())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        token = secrets.token_hex(16)
        folders = {name: str(scratch / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
        options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}", "--allow-root",
                   "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        self.log = open(scratch / "lab.log", "wb")
        self.process = subprocess.Popen([sys.executable, "-m", "jupyterlab", *options], cwd=scratch / "work", env={**os.environ, **folders},
                                        stdout=self.log, stderr=self.log)
        self.url = f"http://127.0.0.1:{port}/lab/tree/{NAME}?token={token}"
        self.port = port

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Notebook:
    """The notebook in the browser."""

    def __init__(self, browser, lab):
        self.browser = browser
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", lab.port), 1).close()
                break
            except OSError:
                assert lab.process.poll() is None, "JupyterLab has ended"
                browser.run("new Promise((done) => setTimeout(done, 100))")
        browser.call("Page.navigate", url=lab.url)
        browser.until("window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'", 180)

    def run(self, number):
        """Runs a cell, without waiting for its end."""
        self.browser.run(f"jupyterapp.shell.currentWidget.content.activeCellIndex = {number}; jupyterapp.commands.execute('notebook:run-cell'); 0")

    def printed(self, number, start, seconds=20):
        """The line that a cell prints, by its start."""
        find = f"""[...(document.querySelectorAll('.jp-Notebook .jp-CodeCell')[{number}]?.querySelectorAll('.jp-OutputArea-output') ?? [])]
            .map((output) => output.textContent).find((text) => text.startsWith({json.dumps(start)}))"""
        return self.browser.until(find, seconds).split()

    def page(self, script):
        return f"document.querySelector('.jp-Notebook iframe')?.contentWindow.eval({json.dumps(script)})"

    def until(self, script, seconds=20):
        return self.browser.until(self.page(f"typeof app !== 'undefined' && ({script})"), seconds)

    def send(self, **command):
        self.browser.run(self.page(f"app.send({json.dumps(command)})"))


def playing(book, folder):
    """The widget appears and plays, and the world in Python advances, while other cells run."""
    book.run(0)
    book.until("app.frame?.agents === 300 && app.frame.tick === 0 && !app.pace.playing", 60)
    book.until("element('open').disabled && element('time').disabled && !element('play').disabled")
    book.browser.run(book.page("element('play').click()"))
    book.until("app.frame.tick > 20")
    book.run(1)
    (_, tick) = book.printed(1, "tick")
    assert int(tick) > 0
    book.until(f"app.pace.playing && app.frame.tick > {int(tick) + 20}")
    book.browser.screenshot(folder / "notebook.png")
    say("the widget plays the world of Python, and another cell runs meanwhile")


def following(book):
    """What Python changes is seen, and the states are the same."""
    book.run(2)
    book.printed(2, "placed")
    book.until("app.frame.agents === 503 && app.world.species.length === 2")
    book.browser.run(book.page("element('play').click()"))
    book.until("!app.pace.playing && app.numbers.tick === app.frame.tick && app.numbers.hash")
    book.run(3)
    (_, tick, state) = book.printed(3, "at")
    book.until(f"app.frame.tick === {tick} && app.numbers.tick === {tick} && app.numbers.hash === '{state}'")
    say("agents and ticks of Python are seen, with the same state")


def following_a_loop(book):
    """The steps of a cell are seen while it runs."""
    (start,) = book.browser.run(book.page("[app.frame.tick]"))
    book.run(6)
    book.until(f"app.frame.tick > {start + 10} && app.frame.tick < {start + 90}")
    (_, tick) = book.printed(6, "ended")
    book.until(f"app.frame.tick === {tick}")
    say("a loop of steps in a cell is seen while it runs")


def inspecting(book):
    """A click explains an agent; a slider changes the rule in Python's world; what it cannot do is refused."""
    book.send(do="pick", point=[50, 30])
    book.until("app.watched?.why?.contributions.length >= 3")
    before = book.until("app.numbers.hash")
    book.send(do="set", species=0, rule=0, name="weight", value=2.5)
    book.until("app.world.species[0].rules[0].parameters[0].value === 2.5")
    book.until(f"app.numbers.hash !== '{before}'")
    book.run(4)
    assert book.printed(4, "weight") == ["weight", "2.5"]
    book.send(do="seek", tick=3)
    book.until("!element('error').hidden && element('error').textContent.includes('belongs to a program')")
    say("the inspector answers, and a slider changes the rule")


def failing(book):
    """A rule of Python that fails pauses, and the page has the reason."""
    book.run(5)
    book.printed(5, "added")
    book.browser.run(book.page("element('play').click()"))
    book.until("!app.pace.playing && element('error').textContent.includes('no such wind')")
    say("a failing rule pauses, with its reason")


def again(book):
    """A cell that runs again has a new widget, and the old one is gone."""
    book.run(0)
    book.until("app.frame?.agents === 300 && app.frame.tick === 0", 60)
    assert book.browser.run("document.querySelectorAll('.jp-Notebook iframe').length") == 1
    say("a cell that runs again shows its new world")


def main():
    browser_path, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="throng-notebook-") as scratch:
        scratch = pathlib.Path(scratch)
        lab = Lab(scratch)
        browser = Browser(browser_path, scratch / "profile")
        try:
            browser.resize(1280, 900)
            book = Notebook(browser, lab)
            playing(book, folder)
            following(book)
            following_a_loop(book)
            inspecting(book)
            failing(book)
            again(book)
            complaints = [text for text in browser.complaints if "about:srcdoc" in text]
            assert not complaints, complaints
        finally:
            browser.close()
            lab.close()


main()
