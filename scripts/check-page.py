"""Tests the page of `throng view` in Chromium, which it drives through the debugging pipe.

Usage: check-page.py BROWSER PROGRAM FOLDER. Needs only Python's standard library; screenshots go to FOLDER.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SCENARIO = """format = 1
[world]
name = "page test"
dimensions = 2
size = [160.0, 90.0]
tick = 0.05
seed = 3
[species.starling]
count = 600
max_speed = [9.0, 9.0]      # drawn for each
min_speed = 6.0
behaviours = [
  { rule = "separation", radius = 2.5 },
  { rule = "alignment", radius = 12.0, weight = 0.0 },
  { rule = "cohesion", radius = 12.0, weight = 0.1, fov = 270.0 },
  { rule = "avoid_obstacles", weight = 4.0 },
  { rule = "seek", target = [80.0, 45.0], weight = 0.0 },
]
"""


class Browser:
    """A headless browser with one page. Messages are JSON, ended by a zero byte, on file descriptors 3 and 4."""

    def __init__(self, program, folder):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # Duplicates with numbers other than 3 and 4, so that the copies below do not overwrite each other.
        source, sink = os.dup(to_browser), os.dup(from_browser)
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader",
                 "--enable-unsafe-swiftshader", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}",
                 "--window-size=1440,860", "--force-device-scale-factor=1", "about:blank"]
        script = f"exec 3<&{source} 4>&{sink} \"$@\""
        self.process = subprocess.Popen(["bash", "-c", script, "browser", program, *flags], pass_fds=(source, sink),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_browser, from_browser, source, sink):
            os.close(end)
        self.buffer, self.last, self.complaints, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, what = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(what["exceptionDetails"].get("exception", {}).get("description", str(what)))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            self.complaints.append(str(what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.complaints.append(what["entry"]["text"])
        return message

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}")
            time.sleep(0.05)
        return value

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, selector):
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)


class Viewer:
    """The program under test."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "view", "--no-open", *arguments], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

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
    downloads = browser.downloads
    for old in downloads.iterdir():
        old.unlink()
    how()
    end = time.monotonic() + 20
    while not (files := [file for file in downloads.iterdir() if file.suffix == ".toml"]):
        assert time.monotonic() < end, "nothing was saved"
        browser.run("0")
        time.sleep(0.05)
    assert [file.name for file in files] == ["page.toml"], files
    return files[0]


def bodies(browser, program, folder):
    """Tests the sliders of a species' quantities and the file that is saved afterwards."""
    assert saved(browser, lambda: browser.press("#save")).read_text() == SCENARIO
    say("an unchanged world is saved as its original file")

    def move(quantity, value):
        browser.run(f"""(() => {{
          const slider = document.getElementById('p-0.body.{quantity}');
          slider.value = {value};
          slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
        }})()""")

    before = browser.run("app.numbers.mean_speed")
    move("min_speed", 1)
    move("max_speed.to", 3)
    browser.press("#play")
    browser.until("app.numbers.mean_speed < 3.1")
    speeds = browser.run("app.world.species[0].quantities.find(({ name }) => name === 'max_speed').value")
    assert speeds == [3, 3], speeds
    browser.press("#play")
    say(f"the sliders of speeds take the mean speed from {before:.1f} to {browser.run('app.numbers.mean_speed'):.1f} m/s")

    browser.run("""(() => {
      const field = document.getElementById('p-0.body.mass').nextSibling;
      field.value = -1;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()""")
    browser.until("document.getElementById('notice').textContent.includes('mass = -1: must be')")
    browser.press("#tools button:nth-child(4)")
    browser.click(*on_canvas(browser, [30, 20]))
    browser.until("app.scenery.obstacles?.length === 1")
    assert browser.run("document.getElementById('p-0.body.mass').nextSibling.value") == "1", "the refused value is still shown"
    browser.run("document.querySelector('[data-key=\"starling.body\"]').scrollIntoView()")
    browser.screenshot(folder / "bodies.png")
    key = {"key": "s", "text": "s"}
    file = saved(browser, lambda: [browser.call("Input.dispatchKeyEvent", type=kind, **key) for kind in ("keyDown", "keyUp")])
    checked = subprocess.run([program, "check", file], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    text = file.read_text()
    for line in ("max_speed = [3.0, 3.0]", "min_speed = 1.0", "[[obstacle]]"):
        assert line in text, text
    assert "mass" not in text
    say(f"the file that the browser saves is a scenario: {checked.stdout.strip()}")
    browser.press("#reset")
    browser.until("app.world.species[0].quantities.find(({ name }) => name === 'min_speed').value === 6")
    browser.press("#tools button:nth-child(1)")


def small_world(browser, program, folder):
    browser.until("typeof app !== 'undefined' && app.frame && app.numbers.tick > 3 && app.drawn >= 0 && !app.failed")
    say("the page loads and receives frames")

    changed = browser.run("""(async () => {
      const before = app.pixels(), tick = app.frame.tick;
      while (app.frame.tick < tick + 5) await new Promise(requestAnimationFrame);
      const after = app.pixels();
      let changed = 0, lit = 0;
      for (let at = 3; at < after.length; at += 4) {
        lit += after[at] > 0;
        changed += before[at] !== after[at];
      }
      return [lit, changed];
    })()""")
    assert changed[0] > 600 and changed[1] > 600, changed
    say(f"agents move: {changed[1]} pixels differ after five ticks, {changed[0]} are lit")

    before = browser.run("app.numbers.polarisation")
    slide(browser, "alignment", "weight", 3)
    browser.press("#overlay")
    browser.until("app.numbers.polarisation > 0.6", 60)
    after = browser.run("app.numbers.polarisation")
    say(f"the slider of alignment takes the polarisation from {before:.2f} to {after:.2f}")
    assert before < 0.35 < after
    assert browser.run("app.world.species[0].rules[1].parameters[0].value") == 3

    browser.press("#play")
    browser.until("!app.pace.playing")
    tick = browser.run("new Promise((done) => setTimeout(() => done(app.frame.tick), 300))")
    time.sleep(0.5)
    assert browser.run("app.frame.tick") == tick
    browser.press("#step")
    browser.until(f"app.frame.tick === {tick + 1}")
    say("pause stops, a step is one tick")

    agent = browser.run("positionOf(app.frame, Math.floor(app.frame.agents / 3))")
    browser.click(*on_canvas(browser, agent))
    browser.until("app.watched?.why")
    rows = browser.run("[...document.querySelectorAll('#forces tr')].length")
    rules = browser.run("app.watched.why.contributions.map(({ rule }) => rule)")
    assert rules == ["separation", "alignment", "cohesion", "avoid_obstacles", "seek"] and rows == 7, (rules, rows)
    assert browser.run("app.watched.why.contributions.some(({ force }) => Math.hypot(...force) > 0)")
    seen = browser.run("app.watched.why.neighbours === app.watched.why.offsets.length && app.watched.why.neighbours > 0")
    assert seen
    say(f"a click on an agent shows {len(rules)} forces and its neighbours")
    time.sleep(0.4)
    browser.screenshot(folder / "chosen.png")
    browser.run("app.watch(null)")

    browser.press("#tools button:nth-child(4)")
    browser.run("app.tools.values.radius = 12")
    count = """(() => {
      let inside = 0;
      for (let agent = 0; agent < app.frame.agents; agent++) {
        const [x, y] = positionOf(app.frame, agent);
        inside += Math.hypot(x - 80, y - 45) < 11;
      }
      return inside;
    })()"""
    browser.press("#play")
    # Agents are inside before the click, and none a few seconds after it.
    browser.until(f"{count} > 5", 60)
    browser.click(*on_canvas(browser, [80, 45]))
    browser.until("app.scenery.obstacles?.length === 1")
    time.sleep(3)
    inside = browser.run(f"""(async () => {{
      let sum = 0;
      for (let n = 0; n < 60; n++) {{ sum += {count}; await new Promise(requestAnimationFrame); }}
      return sum / 60;
    }})()""")
    assert inside < 2, inside
    say(f"a click adds an obstacle, and agents avoid it: {inside:.2f} are within it")
    browser.screenshot(folder / "obstacle.png")

    browser.press("#options button")
    browser.until("app.scenery.obstacles.length === 0")
    browser.until(f"{count} > 5", 60)
    say("without the obstacle they come back")

    browser.press("#play")
    browser.until("!app.pace.playing")
    first, second = hash_after(browser, 20), hash_after(browser, 20)
    assert first == second and len(first) == 16, (first, second)
    say(f"reset with the same seed, 20 ticks: {first} twice")

    bodies(browser, program, folder)
    browser.press("#theme")
    browser.press("#play")
    time.sleep(1)
    browser.screenshot(folder / "light.png")


def shipped(browser, program, folder, name):
    """Prints the figures of a shipped scenario at full size."""
    viewer = Viewer(program, f"scenarios/{name}.toml")
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until(f"typeof app !== 'undefined' && app.frame && app.world.file === '{name}.toml' && app.frame.tick > 40", 60)
        time.sleep(6)
        browser.screenshot(folder / f"{name}.png")
        figures = browser.run("[app.frame.agents, app.frame.bytes, app.rate, app.numbers.ticks_per_second, "
                              "app.link.dropped + app.skipped]")
        say("{}: {} agents, {} bytes per frame, {:.0f} frames drawn per second, {:.0f} ticks per second, "
            "{} frames dropped".format(name, *figures))
        if name == "shoal":
            at = browser.run("positionOf(app.frame, 700)")
            browser.press("#play")
            browser.until("!app.pace.playing")
            at = browser.run("new Promise((done) => setTimeout(() => done(positionOf(app.frame, 700)), 300))")
            browser.click(*on_canvas(browser, at))
            browser.until("app.watched?.why")
            time.sleep(0.3)
            browser.screenshot(folder / "shoal-chosen.png")
    finally:
        viewer.close()


def main():
    browser_path, program, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-page-"))
    scenario = scratch / "page.toml"
    scenario.write_text(SCENARIO)
    browser = Browser(browser_path, scratch / "profile")
    try:
        viewer = Viewer(program, str(scenario))
        try:
            browser.call("Page.navigate", url=viewer.url)
            small_world(browser, program, folder)
        finally:
            viewer.close()
        for name in ("murmuration", "shoal"):
            shipped(browser, program, folder, name)
        # The program ends before its page, so the errors of the page about that do not count.
        complaints = [text for text in browser.complaints if "WebSocket" not in text]
        assert not complaints, complaints
        say("no error on the console")
    finally:
        browser.close()
        shutil.rmtree(scratch, ignore_errors=True)


main()
