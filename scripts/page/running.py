"""Tests of a running world: controls, agents, time and the panel."""

import subprocess
import time

from page.steps import hash_after, on_canvas, paused, saved, say, slide
from page.worlds import SCENARIO


def small_world(browser, program, folder):
    browser.until("typeof app !== 'undefined' && app.frame && app.numbers.tick > 3 && app.drawn >= 0 && !app.failed")
    say("the page loads and receives frames")
    browser.run("hideHints(); home(); setTrails(0); app.send({ do: 'speed', times: 3 })")

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

    browser.press("[data-tool=obstacle]")
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
    browser.press("[data-tool=obstacle]")
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
    browser.press("[data-tool=select]")


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
