"""Tests of the stage: plans, motion between ticks, the falcon, walls, first steps, and that nothing leaves the page."""

import time
import urllib.parse

from page.steps import Viewer, on_canvas, open_world, paused, say
from page.worlds import ROOM, TRAIN

# The colour of a pixel of a layer at a point of the world: red, green, blue and opacity.
COLOUR = """((layer, point) => {
  const { x, y } = app.camera.project(point);
  return [...element(layer).getContext("2d").getImageData(Math.round(x), Math.round(y), 1, 1).data];
})"""


def plan(browser, program, folder, scratch):
    """Tests a building with people: its floor and walls, the colours of its file, its counts and its charts."""
    file = scratch / "room.toml"
    file.write_text(ROOM)
    with Viewer(program, str(file)) as viewer:
        open_world(browser, viewer, "room")
        browser.run("hideHints()")
        assert browser.run("[app.colour, Background.scene, app.trail]") == ["speed", "plan", 0]
        browser.until(f"{COLOUR}('ground', [10, 4])[3] > 0")  # the floor is drawn with the next frame of the browser
        inside, outside, wall = (browser.run(f"{COLOUR}('ground', {at})") for at in ([10, 4], [1, 19], [2, 10]))
        assert sum(inside[:3]) < 200 and outside[3] == 0 and wall[3] > 200 and sum(wall[:3]) > 500, f"a plan is dark in the dark theme: {(inside, outside, wall)}"
        scale = browser.run("app.frame.scale")
        assert [round(one, 3) for one in scale] == [0, 1.5], f"the scale of speeds is that of the file: {scale}"
        browser.run("app.send({ do: 'speed', times: 10 }); app.send({ do: 'play' })")
        browser.until("app.numbers.story?.sinks?.[0] > 5 && app.numbers.story.lines[0] > 5", 60)
        browser.run("app.tabs.show('charts'); app.send({ do: 'pause' })")
        paused(browser)
        titles = browser.run("app.charts.charts.map(({ title }) => title)")
        assert titles[:4] == ["People inside", "People who passed", "Flow in people/s", "Density in people/m²"], titles
        label = browser.run("document.querySelectorAll('.chart canvas')[1].ariaLabel")
        assert label.startswith("People who passed: door "), label
        lines = browser.run("app.numbers.story.lines")
        browser.run("app.density = true; app.redraw()")
        browser.until("app.densest === 6 && document.querySelector('#legend').textContent.includes('people per m²')")
        browser.screenshot(folder / "room.png")
        browser.run("app.density = false; app.camera.zoom = 0.5; app.redraw()")
        size = browser.run("""(() => {
          const pixels = app.pixels();
          return Math.sqrt(pixels.filter((_, at) => at % 4 === 3).reduce((all, alpha) => all + (alpha > 40), 0) / app.frame.agents);
        })()""")
        assert size > 1.5, f"people are at least three pixels wide: {size}"
        say(f"a building is a plan: floor, walls, counts ({lines[0]} passed the door), its own charts, densities up to 6 per m²")


def motion(browser, program, scratch):
    """Tests that agents move between ticks, also across a seam, and that new ones rest."""
    file = scratch / "train.toml"
    file.write_text(TRAIN)
    with Viewer(program, str(file)) as viewer:
        open_world(browser, viewer, "train")
        # Ticks of half a second: where the agents are in every picture of the screen.
        places = browser.run("""(async () => {
          app.send({ do: "play" });
          const places = [], start = performance.now();
          while (performance.now() < start + 9000) {
            await new Promise(requestAnimationFrame);
            places.push([app.frame.tick, positionOf(app.frame, 0)[0], app.frame.back]);
          }
          app.send({ do: "pause" });
          return places;
        })()""")
        ticks = len({tick for tick, *_ in places})
        distinct = len({round(x, 2) for _, x, _ in places})
        assert ticks > 8 and distinct > 2 * ticks, (ticks, distinct)
        jumps = [abs(after[1] - before[1]) for before, after in zip(places, places[1:])]
        # 10 m/s in a world of 100 m: no picture is farther from the one before than time allows, except at the seam.
        far = [jump for jump in jumps if 12 < jump < 88]
        assert not far, far
        assert any(jump > 88 for jump in jumps), "it crosses the seam"
        paused(browser)
        browser.run("app.send({ do: 'spawn', species: 0, point: [50, 30], radius: 0, count: 1 })")
        browser.until("app.frame.agents === 2")
        browser.press("#step")
        moved = browser.until("app.frame.ticks === 1 && [...app.frame.moved]")
        assert moved[0] != 0, moved
        tick = browser.run("app.frame.tick")
        browser.run("app.send({ do: 'spawn', species: 0, point: [50, 20], radius: 0, count: 1 }); app.send({ do: 'step' })")
        browser.until(f"app.frame.tick === {tick + 1} && app.frame.agents === 3")
        say(f"agents move between ticks: {distinct} places in {ticks} ticks, and across the seam")


def falcon(browser, program, scratch):
    """Tests that agents flee the pointer while it is held, that an earlier tick has equal bits, and walls that are drawn."""
    with Viewer(program, "scenarios/hunt.toml") as viewer:
        open_world(browser, viewer, "hunt")
        browser.run("hideHints(); home(); app.send({ do: 'speed', times: 4 }); app.send({ do: 'play' })")
        near = """(() => {
          let near = 0;
          for (let agent = 0; agent < app.frame.agents; agent++) {
            const [x, y] = positionOf(app.frame, agent);
            near += Math.hypot(x - 110, y - 45) < 9;
          }
          return near;
        })()"""
        browser.until(f"{near} > 3", 60)
        browser.press("[data-tool=falcon]")
        browser.run("app.tools.values.panic = 16")
        x, y = on_canvas(browser, [110, 45])
        browser.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        for step in range(12):
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + step % 2, y=y, button="left", buttons=1)
            time.sleep(0.1)
        browser.until(f"{near} <= 1", 60)
        rules = browser.run("app.world.species.map(({ rules }) => rules.length)")
        browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
        browser.until(f"{near} > 3", 60)
        browser.run("app.send({ do: 'pause' })")
        tick = paused(browser)
        late = browser.run("app.numbers.hash")
        wait = "app.numbers.tick === {0} && app.frame.tick === {0} && app.numbers.hash"
        browser.run(f"app.timeline.seek({tick // 3})")
        browser.until(wait.format(tick // 3))
        browser.run(f"app.timeline.seek({tick})")
        assert browser.until(wait.format(tick), 60) == late
        assert browser.run("app.timeline.command()") is None and rules == [6, 4], rules
        say("agents flee the falcon while it is held, and come back; an earlier tick has equal bits")

        browser.press("[data-tool=wall]")
        browser.drag(on_canvas(browser, [60, 20]), on_canvas(browser, [60, 70]))
        browser.until("app.scenery.walls.length === 1")
        browser.press("#undo")
        browser.until("app.scenery.walls.length === 0")
        browser.press("#redo")
        browser.until("app.scenery.walls.length === 1 && app.tools.drawn === null")
        ends = browser.run("app.scenery.walls[0].edges[0].map((end) => end.map(Math.round))")
        assert ends == [[60, 20], [60, 70]], ends
        browser.press("[data-tool=select]")
        say("a wall is drawn by dragging, undone and repeated")


def first_steps(browser, program, scratch):
    """Tests that the first steps are shown once, what hovering shows, and that nothing leaves the page."""
    browser.run("document.cookie = 'throng-hints=; max-age=0'")
    browser.call("Network.enable")
    browser.requests.clear()
    with Viewer(program, "scenarios/flock.toml") as viewer:
        open_world(browser, viewer, "flock")
        assert not browser.run("element('hints').hidden")
        browser.press("#hints button")
        browser.call("Page.navigate", url="about:blank")
        open_world(browser, viewer, "flock")
        assert browser.run("element('hints').hidden && app.trail > 0")
        browser.run("home()")
        agent = browser.run("positionOf(app.frame, 7)")
        x, y = on_canvas(browser, agent)
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + 1, y=y)
        name = browser.until("element('hover').textContent")
        assert name.startswith("starling "), name
        browser.run("app.camera.zoomAt(1e6, 640, 400)")
        shown = browser.run("Math.min(...app.camera.size) / app.camera.scale")
        assert shown > 1, f"the limit of zoom: {shown} m"
        browser.press("#home")
        assert browser.run("app.camera.zoom") == 1
        start = time.monotonic()
        browser.press("#open")
        browser.until("document.querySelectorAll('.gallery img').length === app.world.files.length", 60)
        took = time.monotonic() - start
        groups = browser.run("[...document.querySelectorAll('.gallery-group')].map(({ textContent }) => textContent)")
        assert groups == ["Flocks", "Hunters", "People", "Papers", "Single rules"], groups
        assert took < 20, f"scripts/view-thumbnails.py takes the pictures of changed scenarios: {took} s"
        browser.run("element('dialog').close()")
        pages = urllib.parse.urlsplit(viewer.url)
        foreign = [url for url in browser.requests if urllib.parse.urlsplit(url).netloc not in (pages.netloc, "") ]
        assert not foreign and browser.requests, foreign
    browser.call("Network.disable")
    say(f"the first steps are shown once; {len(groups)} groups of thumbnails are there in {took:.1f} s; no request leaves the page")
