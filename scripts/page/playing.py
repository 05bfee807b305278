"""Tests of recorded runs, of shipped scenarios and of a lost engine."""

import subprocess
import time

from page.steps import Viewer, say


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
        browser.until("app.frame.tick === 200 && !app.pace.playing && app.frame.back === 0", 30)
        shown = browser.run("[...Array(app.frame.agents).keys()].map((agent) => positionOf(app.frame, agent).slice(0, 2))")
        far = max(min(abs(x - a) + abs(y - b) for a, b in shown) for x, y in list(last.values())[::20])
        assert far < 0.01, far
        browser.run("app.timeline.seek(97)")
        browser.until("app.frame.tick === 95 && app.numbers.tick === 95 && element('time').max === '200'")
        browser.press("#step")
        browser.until("app.frame.tick === 100")
        browser.run("app.send({ do: 'speed', times: 12 }); setColour('speed')")
        browser.until("app.frame.valueBytes && new Set(app.frame.valueBytes).size > 5")
        browser.run("setColour('heading'); setTrails(3); app.send({ do: 'play' })")
        browser.until("app.frame.tick > 150")
        browser.screenshot(folder / "recorded.png")
        browser.run("app.pick(640, 400, Infinity)")
        browser.until("!element('inspector').hidden && element('inspector').textContent.includes('m/s')")
        off = browser.run("[...document.querySelectorAll('[data-tool]')].map(({ hidden }) => hidden)")
        assert off == [False] + [True] * 7, off
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
        browser.until("element('clock').textContent === 'tick 40' && app.world.species.map(({ name }) => name).join() === 'hen,fox'")
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
        figures = browser.run("[app.frame.agents, app.frame.bytes, asPoints() ? 'points' : 'darts', app.paintMs, app.numbers.encode_ms, app.rate, "
                              "app.numbers.ticks_per_second, app.link.dropped + app.skipped]")
        say("{}: {} agents, {} bytes per frame, {} painted in {:.1f} ms, encoded in {:.1f} ms, {:.0f} frames drawn per second, "
            "{:.0f} ticks per second, {} frames dropped".format(name, *figures))
        assert browser.run("app.colour") == ("heading" if name == "shoal" else browser.run("app.colour"))
    finally:
        viewer.close()


def million(browser, program, name, size):
    """Prints what a frame of a million agents costs: the least of many, in the program and in the page."""
    species = {"murmuration": "starling", "shoal": "sardine"}[name]
    sets = ["--set", f"species.{species}.count=1000000", "--set", f"world.size={size}"]
    with Viewer(program, f"scenarios/{name}.toml", *sets) as viewer:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.frame?.agents >= 1000000 && app.frame.tick > 2", 120)
        least = browser.run("""(async () => {
          let least = Infinity;
          for (let tick = 0; tick < 40; tick++) {
            const last = app.numbers;
            const end = performance.now() + 5000;
            while (app.numbers === last && performance.now() < end) await new Promise((done) => setTimeout(done, 5));
            least = Math.min(least, app.numbers.encode_ms || Infinity);
          }
          return least;
        })()""")
        browser.run("app.send({ do: 'pause' })")
        browser.until("!app.pace.playing && app.numbers.tick === app.frame.tick", 60)
        painted = browser.run("""(async () => {
          const figures = [];
          for (const style of ["points", "arrows"]) {
            app.style = style;
            let least = Infinity;
            for (let time = 0; time < 8; time++) {
              const start = performance.now();
              style === "points" ? paintAgents() : app.pixels();
              least = Math.min(least, performance.now() - start);
            }
            figures.push(least);
          }
          return figures;
        })()""")
        say(f"{name}: {browser.run('app.frame.agents')} agents, {browser.run('app.frame.bytes')} bytes per frame, encoded in {least:.1f} ms, "
            f"painted in {painted[0]:.1f} ms as points and {painted[1]:.1f} ms as darts")
