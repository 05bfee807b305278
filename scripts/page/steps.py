"""Steps that tests of the page share."""

import json
import re
import subprocess
import time


class Viewer:
    """The program under test."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "view", "--no-open", *arguments], stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+?(?=[\s:]*(\s|$))", self.process.stdout.readline()).group()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def kill(self):
        self.process.kill()
        self.process.wait(10)

    def close(self):
        self.process.terminate()
        code = self.process.wait(10)
        assert code == 143, f"the program ended with code {code}"


def say(text):
    print(f"  {text}", flush=True)


def hash_after(browser, ticks):
    """Resets the world, runs this number of ticks and returns the hash of the state."""
    number = browser.run("app.world.number")
    browser.press("#reset")
    browser.until(f"app.world.number > {number} && app.frame?.world === app.world.number && app.frame.tick === 0")
    for _ in range(ticks):
        browser.press("#step")
    return browser.until(f"app.frame.tick === {ticks} && app.numbers.tick === {ticks} && app.numbers.hash")


def paused(browser):
    """Waits until the world rests and its last frame has arrived; returns its tick."""
    return browser.until("!app.pace.playing && app.numbers.hash && app.numbers.tick === app.frame.tick && app.frame.tick + 1") - 1


def slide(browser, rule, parameter, value):
    browser.run(f"""(() => {{
      const found = app.parameters().find((one) => one.label.endsWith(': {rule}') && one.parameter.name === '{parameter}');
      const slider = document.getElementById(`p-${{found.species}}.${{found.rule}}.{parameter}`);
      slider.value = {value};
      slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
    }})()""")


def on_canvas(browser, point):
    """Returns the position of a point of the world in the window."""
    return browser.run(f"""(() => {{
      const at = app.camera.project({json.dumps(point)}), box = document.getElementById('overlay').getBoundingClientRect();
      return [at.x + box.left, at.y + box.top];
    }})()""")


def saved(browser, how):
    """Calls `how` and returns the scenario file that the browser then saves."""
    file = downloaded(browser, ".toml", how)
    assert file.name == "page.toml", file
    return file


def open_world(browser, viewer, name):
    """Opens the page of a viewer, and pauses its world at once."""
    browser.call("Page.navigate", url=viewer.url)
    browser.until(f"typeof app !== 'undefined' && app.world?.name === {json.dumps(name)} && app.frame?.world === app.world.number", 60)
    browser.run("app.send({ do: 'pause' })")
    return paused(browser)


def downloaded(browser, suffix, how):
    """Calls `how` and returns the file with this suffix that the browser then saves."""
    downloads = browser.downloads
    for old in downloads.iterdir():
        old.unlink()
    how()
    end = time.monotonic() + 20
    while not (files := [file for file in downloads.iterdir() if file.suffix == suffix]):
        assert time.monotonic() < end, "nothing was saved"
        browser.run("0")
        time.sleep(0.05)
    return files[0]
