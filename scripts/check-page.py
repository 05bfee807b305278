"""Tests the page of `throng view` in Chromium, which it drives through the debugging pipe.

Usage: check-page.py BROWSER PROGRAM FOLDER. Needs only Python's standard library; screenshots go to FOLDER.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

from browser import Browser

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


OTHER = """# Prey and a hunter.
format = 1
[world]
name = "states"
dimensions = 2
size = [100.0, 60.0]
edge = "bounce"
[species.prey]
count = 20
variables = { fear = { start = 0.2, low = 0.0, high = 1.0 } }
[species.prey.states.graze]
behaviours = [{ rule = "wander" }]
transitions = [{ to = "flee", nearer = "hunter", distance = 14.0 }]
[species.prey.states.flee]
behaviours = [{ rule = "evade", from = "hunter", radius = 20.0 }]
transitions = [{ to = "graze", farther = "hunter", distance = 22.0 }]
[species.hunter]
count = 1
place = { region = "point", centre = [99.0, 59.0] }
behaviours = []
"""


# The only names that are free text: the world's, the file's caption and the file's own name.
MARKUP = """# <img src=x onerror="window.hit = 1"><script>window.hit = 1</script>
format = 1
[world]
name = "</title><img src=x onerror='window.hit = 1'>"
dimensions = 2
size = [100.0, 60.0]
tick = 0.05
[species.bird]
count = 20
behaviours = [{ rule = "wander" }]
"""


ITEMS = """format = 1
walls = [[[10.0, 50.0], [40.0, 50.0]], [[60.0, 50.0], [90.0, 50.0]]]
marks = { lamp = [20.0, 20.0] }
[world]
name = "items"
dimensions = 2
size = [100.0, 60.0]
edge = "bounce"
[[wall]]
size = [8.0, 4.0]
centre = [80.0, 15.0]
[species.ant]
count = 3
behaviours = [
  { rule = "seek", target = "mark:lamp" },
  { rule = "follow_path", points = [[30.0, 10.0], [50.0, 20.0], [70.0, 30.0]] },
]
"""


class Viewer:
    """The program under test."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "view", "--no-open", *arguments], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

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
    browser.until("!document.getElementById('error').hidden && document.getElementById('error').textContent.includes('mass = -1: must be')")
    time.sleep(1)
    assert not browser.run("document.getElementById('error').hidden")
    browser.press("#error-close")
    assert browser.run("document.getElementById('error').hidden")
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
    browser.until("app.numbers.polarisation > 0.6", 60)
    after = browser.run("app.numbers.polarisation")
    say(f"the slider of alignment takes the polarisation from {before:.2f} to {after:.2f}")
    assert before < 0.35 < after
    assert browser.run("app.world.species[0].rules[1].parameters[0].value") == 3

    browser.press("#play")
    tick = paused(browser)
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
    browser.press("#play")


def looks(browser, folder):
    """Tests the meanings of colours, the two ways to draw agents, trails, density maps, forces and the legend."""
    lit = "app.pixels().filter((_, at) => at % 4 === 3).reduce((all, alpha) => all + (alpha > 0), 0)"
    for style in ("points", "arrows"):
        browser.run(f"app.style = '{style}'")
        for colour in ("species", "heading", "speed", "neighbours"):
            browser.run(f"setColour('{colour}')")
            if colour in ("speed", "neighbours"):
                browser.until("app.frame.valueBytes !== null")
                assert browser.run("new Set(app.frame.valueBytes).size") > 5
            assert browser.run(lit) > 600, (style, colour)
    browser.until("document.querySelector('#legend .bar')?.textContent.length > 1")
    colours = "new Set([...new Uint32Array(app.pixels().buffer)]).size"
    varied = browser.run(colours)
    browser.run("setColour('species')")
    browser.until("app.frame.valueBytes === null")
    browser.run("app.style = 'points'")
    assert varied > 20 and browser.run(colours) == 2, (varied, browser.run(colours))
    say(f"colours show the species, the heading, the speed and the neighbours: {varied} colours of a continuous scale")

    browser.run("app.keep = 0.97; app.style = 'auto'")
    tick = browser.run("app.frame.tick")
    browser.until(f"app.frame.tick > {tick + 15}")
    assert browser.run(lit) > 1500, browser.run(lit)
    browser.run("app.keep = 0; app.density = true; app.redraw()")
    assert browser.run(lit) > 20000
    browser.run("app.density = false; app.send({ do: 'forces', on: true })")
    browser.until("app.frame.forces?.length === 2 * app.frame.agents && app.frame.forces.some((force) => force !== 0)")
    browser.run("app.send({ do: 'forces', on: false }); setColour('heading')")
    scale = browser.run("[document.querySelector('#legend .scale').offsetWidth, parseFloat(app.legend.length.textContent) * app.camera.scale]")
    assert abs(scale[0] - scale[1]) <= 1, scale
    say("trails, density map and forces are drawn; the scale bar has the length that it states")


def environment(browser):
    """Tests items that are dragged, resized and removed, a target that follows the pointer, undo and redo."""
    obstacles = "JSON.stringify(app.scenery.obstacles.map(([at, radius]) => [...at, radius].map(Math.round)))"
    browser.press("#tools button:nth-child(4)")
    browser.run("app.tools.values.radius = 6")
    browser.click(*on_canvas(browser, [40, 60]))
    browser.until("app.scenery.obstacles?.length === 1")
    browser.press("#tools button:nth-child(1)")
    browser.drag(on_canvas(browser, [40, 60]), on_canvas(browser, [60, 60]))
    browser.until(f"{obstacles} === '[[60,60,6]]'")
    browser.drag(on_canvas(browser, [66, 60]), on_canvas(browser, [72, 60]))
    browser.until(f"{obstacles} === '[[60,60,12]]'")
    for expected in ("[[60,60,6]]", "[[40,60,6]]", "[]"):
        browser.press("#undo")
        browser.until(f"{obstacles} === '{expected}'")
    for expected in ("[[40,60,6]]", "[[60,60,6]]"):
        browser.press("#redo")
        browser.until(f"{obstacles} === '{expected}'")
    browser.key("Escape", code="Escape", windowsVirtualKeyCode=27)
    browser.until("app.handles.chosen === null")
    browser.key("h")
    browser.until("app.handles.chosen === 'obstacle 1'")
    browser.key("ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    browser.until(f"{obstacles} === '[[61,60,6]]'")
    browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
    browser.until("app.scenery.obstacles.length === 0")
    say("an obstacle is dragged, resized, moved by keys and removed; undo and redo go through the gestures")

    agents = browser.run("app.frame.agents")
    browser.press("#tools button:nth-child(5)")
    browser.click(*on_canvas(browser, [30, 30]))
    browser.until(f"app.frame.agents === {agents + 50}")
    browser.press("#undo")
    browser.until(f"app.frame.agents === {agents}")
    say("added agents are taken back")

    target = "app.world.species[0].rules[4].parameters.find(({ name }) => name === 'target').value"
    browser.press("#tools button:nth-child(2)")
    browser.press("#follow-pointer")
    for point in ([20, 20], [25, 22], [130, 70]):
        x, y = on_canvas(browser, point)
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        time.sleep(0.1)
    browser.until(f"Math.hypot({target}[0] - 130, {target}[1] - 70) < 1")
    browser.press("#tools button:nth-child(1)")
    say("a target follows the pointer")


def time_travel(browser):
    """Tests earlier ticks of a run with edits, and the command that gives a state."""
    wait = "app.numbers.tick === {0} && app.frame.tick === {0} && app.numbers.hash"
    browser.press("#reset")
    browser.until("app.frame?.world === app.world.number && app.frame.tick === 0")
    for tick in range(30):
        if tick == 12:
            slide(browser, "alignment", "weight", 2)
        browser.press("#step")
    late = browser.until(wait.format(30))
    browser.run("app.timeline.seek(10)")
    browser.until(wait.format(10))
    assert browser.run("app.world.species[0].rules[1].parameters[0].value") == 0, "the edit of tick 12 is not in tick 10"
    command = browser.run("app.timeline.command()")
    browser.run("app.timeline.seek(30)")
    assert browser.until(wait.format(30)) == late
    assert browser.run("app.world.species[0].rules[1].parameters[0].value") == 2
    assert browser.run("app.timeline.command()") is None, "an edited run has no command"
    browser.run("app.timeline.seek(10)")
    browser.until(wait.format(10))
    run = subprocess.run(command.replace("throng", browser.program, 1) + " -q --out " + str(browser.downloads.parent / "out"), shell=True)
    assert run.returncode == 0, command
    say(f"tick 30 has equal bits after a return to tick 10 and an edit in between: {late}; the command gives tick 10")


def panel(browser):
    """Tests switches, marks of changed values, the way back, and the search."""
    weight = "app.world.species[0].rules[2].parameters[0].value"
    browser.press("#reset")
    browser.until(f"app.frame?.tick === 0 && {weight} === 0.1")
    browser.run("document.querySelectorAll('.switch')[2].click()")
    browser.until(f"{weight} === 0 && document.querySelectorAll('.row.changed').length === 1")
    browser.run("document.querySelectorAll('.switch')[2].click()")
    browser.until(f"{weight} === 0.1 && document.querySelectorAll('.row.changed').length === 0")
    slide(browser, "cohesion", "radius", 20)
    browser.until("document.querySelectorAll('.row.changed').length === 1")
    browser.press(".row.changed .back")
    browser.until("document.querySelectorAll('.row.changed').length === 0")
    shown = "[...document.querySelectorAll('.rule')].filter(({ hidden }) => !hidden).length"
    browser.run("app.panel.search.value = 'fov'; app.panel.filter()")
    few = browser.run(shown)
    browser.run("app.panel.search.value = ''; app.panel.filter()")
    assert 0 < few < browser.run(shown)
    say("switches, marks of changed values, the way back to the file's value and the search work")


def phone(browser, folder, tools):
    """Tests the narrow layout, two fingers, and accessibility in both layouts and themes."""
    browser.resize(390, 844, mobile=True)
    browser.until("document.documentElement.scrollWidth <= 390 && getComputedStyle(document.getElementById('side')).display === 'none'")
    browser.run("app.camera.fit(app.world.size)")
    zoom = browser.run("app.camera.zoom")
    fingers = lambda *points: [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers((150, 300), (240, 300)))
    for apart in (60, 80, 100):
        browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers((195 - apart, 300), (195 + apart, 300)))
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert browser.run("app.camera.zoom") > 1.5 * zoom
    browser.run("app.camera.fit(app.world.size); app.redraw()")
    browser.screenshot(folder / "phone.png")
    accessible(browser, tools, "on a phone")
    browser.press("#panel")
    browser.until("document.getElementById('side').getBoundingClientRect().top > 250")
    accessible(browser, tools, "with the sheet open")
    time.sleep(0.5)
    browser.screenshot(folder / "phone-panel.png")
    browser.press("#panel")
    browser.resize(1280, 800)
    browser.until("getComputedStyle(document.getElementById('side')).display !== 'none'")
    for theme in ("dark", "light"):
        browser.run(f"theme({json.dumps(theme == 'light')})")
        accessible(browser, tools, f"in the {theme} theme")
        browser.screenshot(folder / f"{theme}.png")
    browser.run("theme(false)")
    say("under 700 pixels the panel is a sheet, and two fingers zoom")


def accessible(browser, axe, where):
    """Runs axe-core, if it could be installed."""
    if axe is None:
        return
    browser.run(axe)
    options = '{ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }'
    found = browser.run(f"axe.run(document, {options}).then(({{ violations }}) => violations.map(({{ id, nodes }}) => "
                        "[id, nodes.map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? '')).slice(0, 3)]))")
    assert not found, f"{where}: {json.dumps(found, indent=1)}"


def gallery(browser, folder):
    """Tests the gallery and a scenario with mistakes."""
    browser.press("#open")
    browser.until("document.querySelectorAll('.gallery img').length === 2", 60)
    browser.screenshot(folder / "gallery.png")
    titles = browser.run("[...document.querySelectorAll('.gallery b')].map(({ textContent }) => textContent)")
    assert titles == ["broken.toml", "states", "page test"], titles
    browser.press(".gallery button:nth-child(1)")
    browser.until("!document.getElementById('error').hidden")
    assert browser.run("document.getElementById('open-name').textContent") == "page test"
    browser.press("#error-close")
    say("the gallery shows the scenarios of the folder; one with mistakes leaves the old one in place")

    browser.press("#open")
    browser.press(".gallery button:nth-child(2)")
    browser.until("app.world.file === 'other.toml' && app.frame?.world === app.world.number")
    assert browser.run("document.getElementById('caption').textContent") == "Prey and a hunter."
    browser.run("app.send({ do: 'play' })")
    agent = browser.run("app.send({ do: 'pause' }); positionOf(app.frame, 3)")
    browser.run(f"app.send({{ do: 'pick', point: {agent[:2]} }})")
    browser.until("app.watched?.why?.transitions.length === 1")
    text = browser.run("document.getElementById('transitions').textContent")
    assert text.startswith("flee when hunter is nearer than 14 m: now ") and text.endswith(" m"), text
    assert browser.run("document.querySelector('#forces .silent').textContent").endswith("silent")
    assert browser.run("document.querySelectorAll('.meter').length") == 2
    browser.until("app.charts.charts.some(({ title }) => title === 'Agents per state')")
    browser.screenshot(folder / "states.png")
    say(f"the inspector shows the transitions: {text}")
    browser.run("setColour('column:fear')")
    browser.until("app.frame.valueBytes && document.querySelector('#legend').textContent.includes('fear')")
    say("colours show a variable")


def markup(browser, program, scratch):
    """Tests names that contain markup."""
    folder = scratch / "markup"
    folder.mkdir()
    file = folder / "<img src=x onerror='window.hit = 1'>.toml"
    file.write_text(MARKUP)
    viewer = Viewer(program, str(file))
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.frame && app.numbers.tick > 3")
        browser.press("#open")
        browser.until("document.querySelectorAll('.gallery img').length === 1", 60)
        assert browser.run("document.getElementById('caption').textContent").startswith("<img src=x")
        assert browser.run("document.querySelectorAll('img[src=x], body script').length") == 1
        assert browser.run("typeof window.hit") == "undefined"
        say("names that contain markup are shown as text")
    finally:
        viewer.close()


def lost(browser, program, scenario, folder):
    """Tests the loss of the engine, and its return on the same port."""
    port = "47113"
    first = Viewer(program, scenario, "--port", port)
    second = None
    try:
        browser.call("Page.navigate", url=first.url)
        browser.until("typeof app !== 'undefined' && app.frame && app.numbers.tick > 3")
        first.kill()
        browser.until("!document.getElementById('lost').hidden")
        browser.screenshot(folder / "lost.png")
        browser.press("#lost-again")
        time.sleep(0.5)
        browser.until("!document.getElementById('lost').hidden && !document.getElementById('lost-reason').textContent.includes('Connecting')")
        second = Viewer(program, scenario, "--port", port)
        browser.press("#lost-again")
        browser.until("document.getElementById('lost').hidden && app.frame && app.frame.world === app.world?.number")
        say("the page reports a lost engine, and connects again after a restart on the same port")
    finally:
        (second or first).process.terminate()
        (second or first).process.wait(10)


def items(browser, program, folder, scratch):
    """Tests that marks, waypoints and walls are dragged and removed one by one, and saved where they are in the file."""
    scenario = scratch / "items" / "page.toml"
    scenario.parent.mkdir()
    scenario.write_text(ITEMS)
    viewer = Viewer(program, str(scenario))
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.frame && app.world.name === 'items' && app.scenery.walls?.length === 3", 60)
        browser.press("#play")
        paused(browser)
        points = "JSON.stringify(app.world.species[0].rules[1].parameters.find(({ name }) => name === 'points').value.map((at) => at.map(Math.round)))"
        place = "app.scenery.walls[{0}].at.map(Math.round).join()"
        browser.drag(on_canvas(browser, [20, 20]), on_canvas(browser, [25, 30]))
        browser.until("app.scenery.marks[0].at.map(Math.round).join() === '25,30'")
        browser.drag(on_canvas(browser, [50, 20]), on_canvas(browser, [50, 40]))
        browser.until(f"{points} === '[[30,10],[50,40],[70,30]]'")
        browser.press("#tools button:nth-child(3)")
        browser.click(*on_canvas(browser, [90, 40]))
        browser.until(f"{points} === '[[30,10],[50,40],[70,30],[90,40]]'")
        browser.press("#tools button:nth-child(1)")
        browser.click(*on_canvas(browser, [30, 10]))
        browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
        browser.until(f"{points} === '[[50,40],[70,30],[90,40]]'")
        browser.drag(on_canvas(browser, [80, 15]), on_canvas(browser, [85, 20]))
        browser.until(f"{place.format(0)} === '85,20'")
        browser.drag(on_canvas(browser, [70, 50]), on_canvas(browser, [70, 55]))
        browser.until(f"{place.format(2)} === '60,55'")
        browser.screenshot(folder / "items.png")
        browser.click(*on_canvas(browser, [25, 50]))
        browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
        browser.until("app.scenery.walls.length === 2")
        file = tomllib.loads(saved(browser, lambda: browser.press("#save")).read_text())
        whole = lambda value: [whole(one) for one in value] if isinstance(value, list) else round(value)
        rules = file["species"]["ant"]["behaviours"]
        assert whole(file["marks"]["lamp"]) == [25, 30] and whole(file["wall"][0]["centre"]) == [85, 20], file
        assert whole(file["walls"]) == [[[60, 55], [90, 55]]] and whole(rules[1]["points"])[0] == [50, 40], file
        say("marks, waypoints and walls are dragged and removed one by one, and saved in their places")
    finally:
        viewer.close()


def recorded(browser, program, scenario, folder):
    """Tests the playback of a trajectory, with the summary of its run and without one."""
    run = folder / "recorded-run"
    sets = ["--set", "output.trajectory={every=5}", "--set", "world.name='recorded run'"]
    subprocess.run([program, "run", scenario, "--ticks", "200", "--out", run, "--force", "--quiet", *sets], check=True)
    rows = [line.split(",") for line in (run / "trajectory.csv").read_text().splitlines()[1:]]
    last = {row[1]: (float(row[3]), float(row[4])) for row in rows if row[0] == "200"}
    alone = folder / "alone.csv"
    alone.write_text("tick,id,species,x,y,vx,vy\n" + "".join(f"{tick},{id},{'fox' if id else 'hen'},{x + tick},{-5 - 3 * id},1,0\n"
                                                             for tick in (10, 20, 40) for id, x in ((0, -40), (1, 60))))
    viewer = Viewer(program, str(run / "trajectory.csv"))
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.world?.recorded && app.frame?.agents === 600", 60)
        assert browser.run("[app.world.size, app.world.tick_seconds]") == [[160, 90], 0.05]
        browser.until("app.frame.tick === 200 && !app.pace.playing", 30)
        shown = browser.run("[...Array(app.frame.agents).keys()].map((agent) => positionOf(app.frame, agent).slice(0, 2))")
        far = max(min(abs(x - a) + abs(y - b) for a, b in shown) for x, y in list(last.values())[::20])
        assert far < 0.01, far
        browser.run("app.timeline.seek(97)")
        browser.until("app.frame.tick === 95 && app.numbers.tick === 95 && element('time').max === '200'")
        browser.press("#step")
        browser.until("app.frame.tick === 100")
        browser.run("app.send({ do: 'speed', ticks: 240 }); setColour('speed')")
        browser.until("app.frame.valueBytes && new Set(app.frame.valueBytes).size > 5")
        browser.run("setColour('heading'); app.keep = 0.97; app.send({ do: 'play' })")
        browser.until("app.frame.tick > 150")
        browser.screenshot(folder / "recorded.png")
        browser.run("app.pick(640, 400, Infinity)")
        browser.until("!element('inspector').hidden && element('inspector').textContent.includes('m/s')")
        off = browser.run("[...document.querySelectorAll('#tools button')].map(({ disabled }) => disabled)")
        assert off == [False] + [True] * 5, off
        assert browser.run("['save', 'reset', 'undo'].every((id) => element(id).disabled && element(id).title.includes('recorded'))")
        browser.run("app.send({ do: 'clear' })")
        browser.until("element('error').textContent.includes('recorded run')")
        browser.press("#error-close")
        say("a recorded run plays in its world with time, colours, trails and inspector; its 600 agents are at the recorded places")
    finally:
        viewer.close()
    viewer = Viewer(program, str(alone))
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.world?.recorded && app.frame?.agents === 2 && app.frame.tick === 40", 60)
        browser.until("app.legend.time.textContent === 'tick 40' && app.world.species.map(({ name }) => name).join() === 'hen,fox'")
        assert browser.run("[0, 1].map((agent) => app.camera.project(positionOf(app.frame, agent))).every(({ x, y }) => "
                           "x > 0 && y > 0 && x < app.camera.size[0] && y < app.camera.size[1])")
        browser.resize(390, 844, True)
        browser.screenshot(folder / "recorded-phone.png")
        browser.resize(1280, 800)
        say("a trajectory of another program plays within its own bounds")
    finally:
        viewer.close()


def shipped(browser, program, folder, name):
    """Prints the figures of a shipped scenario at full size."""
    viewer = Viewer(program, f"scenarios/{name}.toml")
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until(f"typeof app !== 'undefined' && app.frame && app.world.file === '{name}.toml' && app.frame.tick > 20", 60)
        browser.until("app.rate > 0")
        time.sleep(3)
        browser.screenshot(folder / f"{name}.png")
        figures = browser.run("[app.frame.agents, app.frame.bytes, asPoints() ? 'points' : 'arrows', app.paintMs, app.numbers.encode_ms, app.rate, "
                              "app.numbers.ticks_per_second, app.link.dropped + app.skipped]")
        say("{}: {} agents, {} bytes per frame, {} painted in {:.1f} ms, encoded in {:.1f} ms, {:.0f} frames drawn per second, "
            "{:.0f} ticks per second, {} frames dropped".format(name, *figures))
        assert browser.run("app.colour") == ("heading" if name == "shoal" else browser.run("app.colour"))
    finally:
        viewer.close()


def install_axe(folder):
    """Returns the script of axe-core from the package registry; without one, accessibility is not checked."""
    try:
        subprocess.run(["npm", "pack", "--silent", "axe-core@4.10.2"], cwd=folder, check=True, capture_output=True, timeout=60)
        subprocess.run(["tar", "xzf", "axe-core-4.10.2.tgz", "package/axe.min.js"], cwd=folder, check=True)
        return (folder / "package" / "axe.min.js").read_text() + "; 0"
    except (OSError, subprocess.SubprocessError):
        say("SKIPPED: accessibility, for npm could not fetch axe-core")
        return None


def main():
    browser_path, program, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-page-"))
    os.environ["XDG_STATE_HOME"] = str(scratch / "state")
    scenarios = scratch / "scenarios"
    scenarios.mkdir()
    for name, text in (("page", SCENARIO), ("other", OTHER), ("broken", "format = 1\n[world]\nsize = 7\n")):
        (scenarios / f"{name}.toml").write_text(text)
    scenario = str(scenarios / "page.toml")
    axe = install_axe(scratch)
    browser = Browser(browser_path, scratch / "profile")
    browser.program = program
    browser.resize(1280, 800)
    try:
        viewer = Viewer(program, scenario)
        try:
            browser.call("Page.navigate", url=viewer.url)
            small_world(browser, program, folder)
            looks(browser, folder)
            browser.press("#play")
            paused(browser)
            environment(browser)
            time_travel(browser)
            panel(browser)
            phone(browser, folder, axe)
            gallery(browser, folder)
        finally:
            viewer.close()
        markup(browser, program, scratch)
        items(browser, program, folder, scratch)
        lost(browser, program, scenario, folder)
        recorded(browser, program, scenario, folder)
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
