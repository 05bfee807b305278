"""Tests of what the page shows."""

import struct
import time

from page.steps import Viewer, downloaded, on_canvas, open_world, say
from page.worlds import BODIES, MARKUP, SPACE


def looks(browser, folder):
    """Tests the meanings of colours, the two ways to draw agents, trails, density maps, forces and the legend."""
    lit = "app.pixels().filter((_, at) => at % 4 === 3).reduce((all, alpha) => all + (alpha > 0), 0)"
    browser.run("setTrails(0)")
    for style in ("points", "arrows"):
        browser.run(f"app.style = '{style}'")
        for colour in ("species", "heading", "speed", "neighbours"):
            browser.run(f"setColour('{colour}')")
            if colour in ("speed", "neighbours"):
                # The first frame with values may be one of agents that are still alike.
                browser.until("app.frame.valueBytes !== null && new Set(app.frame.valueBytes).size > 5")
            assert browser.run(lit) > 600, (style, colour)
    browser.until("document.querySelector('#legend .bar')?.textContent.length > 1")
    colours = "new Set([...new Uint32Array(app.pixels().buffer)]).size"
    varied = browser.run(colours)
    browser.run("setColour('species')")
    browser.until("app.frame.valueBytes === null")
    browser.run("app.style = 'points'")
    assert varied > 20 and browser.run(colours) == 2, (varied, browser.run(colours))
    say(f"colours show the species, the heading, the speed and the neighbours: {varied} colours of a continuous scale")

    browser.run("setTrails(3); app.style = 'arrows'")
    tick = browser.run("app.send({ do: 'speed', times: 1 }); app.frame.tick")
    browser.until(f"app.frame.tick > {tick + 15} && app.drawing.trails.ways.length > 3")
    assert browser.run(lit) > 1500, browser.run(lit)
    browser.run("setTrails(0); app.style = 'auto'; app.density = true; app.redraw()")
    assert browser.run(lit) > 20000
    browser.run("app.density = false; app.send({ do: 'forces', on: true })")
    browser.until("app.frame.forces?.length === 2 * app.frame.agents && app.frame.forces.some((force) => force !== 0)")
    browser.run("app.send({ do: 'forces', on: false }); setColour('heading')")
    scale = browser.run("[document.querySelector('#legend .scale').offsetWidth, parseFloat(app.legend.length.textContent) * app.camera.scale]")
    assert abs(scale[0] - scale[1]) <= 1, scale
    say("trails, density map and forces are drawn; the scale bar has the length that it states")


def gallery(browser, folder):
    """Tests the gallery and a scenario with mistakes."""
    browser.press("#open")
    browser.until("document.querySelector('.gallery').querySelectorAll('img').length === 2", 60)
    browser.screenshot(folder / "gallery.png")
    titles = browser.run("[...document.querySelector('.gallery').querySelectorAll('b')].map(({ textContent }) => textContent)")
    assert titles == ["broken.toml", "States", "Page test"], titles
    groups = browser.run("[...document.querySelectorAll('.gallery-group')].map(({ textContent }) => textContent)")
    assert groups[:2] == ["This folder", "Flocks"], groups
    faulty = browser.run("document.querySelector('.gallery small').textContent")
    assert faulty.startswith("broken.toml:"), faulty
    browser.press(".gallery button:nth-child(1)")
    browser.until("!document.getElementById('error').hidden")
    assert browser.run("document.getElementById('open-name').textContent") == "Page test"
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
    assert browser.run("app.tabs.show('charts'); element('inspector').hidden")
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
        browser.until("document.querySelector('.gallery')?.querySelectorAll('img').length === 1", 60)
        assert browser.run("document.getElementById('caption').textContent").startswith("<img src=x")
        assert browser.run("document.querySelectorAll('img[src=x], body script').length") == 1
        assert browser.run("typeof window.hit") == "undefined"
        say("names that contain markup are shown as text")
    finally:
        viewer.close()


def storeys(browser, program, folder):
    """Tests that the storeys of a building have names, and that each can be seen by itself."""
    with Viewer(program, "office") as viewer:
        open_world(browser, viewer, "office")
        browser.until("app.plan.labels.filter(([text]) => ['ground', 'first', 'second'].includes(text)).length === 3")
        assert not browser.run("app.scenery.walls.some(({ solid }) => solid)"), "a room is not filled"
        whole = browser.run("app.camera.scale")
        browser.screenshot(folder / "storeys.png")
        browser.run("(storey => { storey.value = '1'; storey.onchange(); })(document.getElementById('storey'))")
        [name, left, right] = browser.run("""(({ name, low, size }) =>
          [name, app.camera.project(low).x, app.camera.project([low[0] + size[0], low[1]]).x])(app.world.outputs.storeys[1])""")
        width = browser.run("app.camera.size[0]")
        assert name == "first" and 0 <= left < right <= width, (name, left, right, width)
        assert browser.run("app.camera.scale") > 1.5 * whole
        browser.run("home()")
        assert browser.run("app.camera.scale") == whole and browser.run("document.getElementById('storey').value") == ""
        say("storeys have names, and fill the view one at a time")


# The pixels of agents: how many are lit, the darkest and the lightest, in a part of the canvas.
LIT = """((left, top, right, bottom) => {
  const pixels = app.pixels(), { width } = element("raster"), found = [];
  for (let y = Math.max(0, Math.round(top)); y < bottom; y++) {
    for (let x = Math.max(0, Math.round(left)); x < right; x++) {
      const at = 4 * (y * width + x);
      if (pixels[at + 3] > 127) found.push(pixels[at] + pixels[at + 1] + pixels[at + 2]);
    }
  }
  found.sort((a, b) => a - b);
  const part = (share) => found[Math.floor(share * (found.length - 1))] ?? 0;
  return [found.length, part(0.02), part(0.5), part(0.98)];
})"""


def lit_around(browser, agent, reach):
    """The lit pixels within `reach` pixels of an agent."""
    return browser.run(f"""(() => {{
      const {{ x, y }} = app.camera.project(positionOf(app.frame, {agent}));
      return {LIT}(x - {reach}, y - {reach}, x + {reach}, y + {reach});
    }})()""")


def bodies_and_items(browser, program, folder, scratch):
    """Tests the sizes of bodies, the shading of balls, and that every item of the environment is drawn."""
    file = scratch / "bodies.toml"
    file.write_text(BODIES)
    with Viewer(program, str(file)) as viewer:
        open_world(browser, viewer, "bodies")
        browser.run("app.style = 'arrows'; setColour('species'); app.redraw()")
        radii = browser.run("[0, 1].map((agent) => app.frame.sizes === null ? 1 : "
                            "new Uint8Array(app.frame.buffer, app.frame.sizes, app.frame.agents)[agent] / 255 * app.frame.radii[0])")
        scale = browser.run("app.camera.scale")
        covered = browser.run(f"{LIT}(0, 0, app.camera.project([36, 0]).x, 1e4)")[0]
        apart = browser.run("Math.hypot(...positionOf(app.frame, 0).map((at, axis) => at - positionOf(app.frame, 1)[axis]))")
        area = sum(3.1416 * (radius * scale) ** 2 for radius in radii)
        overlap = apart < sum(radii)
        assert covered < 1.05 * area and (overlap or covered > 0.95 * area), (covered, area, radii)
        # The smaller one is a disc too, and the points of the other species are darts.
        midge = lit_around(browser, 2, 40)[0]
        assert 0 < midge < 400, midge
        browser.screenshot(folder / "bodies-true-size.png")
        say(f"bodies of {radii[0]:.1f} and {radii[1]:.1f} m cover {covered} pixels: as many as their discs ({area:.0f})")

        inked = """((at, reach) => {
          app.overlay.draw(app);
          app.plan.draw(app);
          const { x, y } = app.camera.project(at);
          return ["overlay", "ground"].reduce((all, layer) => {
            const { data } = element(layer).getContext("2d").getImageData(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1);
            return data.filter((_, at) => at % 4 === 3).reduce((all, alpha) => all + (alpha > 0), all);
          }, 0);
        })"""
        places = {"wall": [30, 5], "mark": [30, 35], "obstacle": [52, 33], "edge of a region": [10, 34], "path": [47, 12]}
        shown = {name: browser.run(f"{inked}({at}, 8)") for name, at in places.items()}
        browser.run("window.kept = [app.scenery, app.parameters]; app.scenery = {}; app.parameters = () => []")
        bare = {name: browser.run(f"{inked}({at}, 8)") for name, at in places.items()}
        browser.run("[app.scenery, app.parameters] = window.kept")
        assert all(shown[name] > bare[name] for name in places), (shown, bare)
        fields = browser.run("app.world.flows.length")
        assert fields > 0
        say(f"walls, marks, obstacles, regions, paths and {fields} arrows of a field are drawn")
    file.write_text(SPACE)
    with Viewer(program, str(file)) as viewer:
        open_world(browser, viewer, "space")
        assert browser.run("app.colour") == "heading", "the default in three dimensions"
        browser.run("app.style = 'arrows'; setColour('speed')")
        browser.until("app.frame.valueBytes !== null")
        near, far = (lit_around(browser, agent, 45) for agent in (0, 1))
        browser.screenshot(folder / "balls.png")
        assert near[3] > 1.5 * near[1], f"a ball is shaded: {near}"
        assert near[0] > far[0] > 0 and near[3] > far[3], f"a distant ball is smaller and fainter: {near}, {far}"
        browser.screenshot(folder / "balls.png")
        say(f"balls are shaded ({near[1]} to {near[3]}), and smaller and fainter where they are far ({far[0]} of {near[0]} pixels)")
        browser.press("#step")
        browser.until("Boolean(app.numbers.warnings?.length && document.querySelector('#facts .warn'))")
        assert browser.run("document.querySelector('#facts .warn').textContent") == "inexact: 100 %"
        browser.press("#facts .warn")
        text = browser.run("element('dialog-body').textContent")
        assert "looked at their nearest candidates only; raise world.pair_budget" in text, text
        browser.screenshot(folder / "inexact.png")
        browser.run("element('dialog').close()")
        say("inexact neighbours are explained")
        # Darts that take longer than a twentieth of a second each give way to points.
        slow = browser.run("""(() => {
          const real = app.frame;
          app.frame = { agents: 5000 };
          for (let paint = 1; paint < 9; paint++) { app.drewDarts = true; measurePace(performance.now() + 60 * paint); }
          app.frame = real;
          app.style = "auto";
          return [app.slow, asPoints()];
        })()""")
        assert slow == [True, True], slow
        say("points replace darts below twenty frames a second")


CHART = "[...document.querySelectorAll('.chart canvas')].find(({ ariaLabel }) => ariaLabel?.startsWith('Agents per state: '))"


def charts(browser):
    """Tests the charts of a world with states and removals, while it plays: lines, ends, and the values under the pointer."""
    browser.run("app.tabs.show('charts'); app.send({ do: 'speed', times: 12 }); app.send({ do: 'play' })")
    browser.until("app.charts.samples.length > 20 && app.charts.samples.at(-1).tick > 100")
    browser.run("app.send({ do: 'pause' })")
    browser.until("!app.pace.playing && app.numbers.hash")
    titles = browser.run("app.charts.charts.map(({ title }) => title)")
    assert titles[:2] == ["Agents per state", "Mean speed in m/s"], f"a flat chart, such as a constant population, is left out: {titles}"
    assert browser.run("app.charts.samples[0].tick") == 0, "charts start with the run"
    sums = browser.run("app.charts.samples.every(({ story: { populations } }) => populations.every(({ agents, states }) => "
                       "!states.length || states.reduce((all, one) => all + one) === agents))")
    assert sums, "states add up to the population"
    assert " to " in browser.run(f"{CHART}.ariaLabel")
    middle = browser.run(f"""(() => {{
      {CHART}.scrollIntoView();
      const box = {CHART}.getBoundingClientRect();
      return [box.left + (GUTTER + box.width) / 2, box.top + box.height / 2];
    }})()""")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=middle[0], y=middle[1])
    tick = browser.until("app.charts.samples[app.charts.pointed() ?? -1]?.tick")
    # A slow machine leaves wide gaps between samples: the sample nearest to the pointer is right, however far it is.
    share, ticks = browser.run("[app.charts.at, app.charts.samples.map((sample) => sample.tick)]")
    last = ticks[-1]
    assert abs(share - 0.5) < 0.01, share
    assert abs(tick - share * last) == min(abs(one - share * last) for one in ticks), (tick, share, ticks)
    browser.click(*middle)
    browser.until(f"app.frame.tick === {tick} && app.numbers.tick === {tick}")
    say(f"charts grow from the start; the pointer shows tick {tick} of {last}, and a click goes there")
    before = browser.run("app.charts.samples.map(({ tick }) => tick)")
    browser.call("Page.reload")
    browser.until(f"typeof app !== 'undefined' && app.numbers.tick === {tick} && app.tabs.current")
    browser.run("app.tabs.show('charts')")
    browser.until("app.charts.charts.length > 1")
    after = browser.run("app.charts.samples.map(({ tick }) => tick)")
    assert after[0] == 0 and set(before) <= set(after), (before, after)
    assert " to " in browser.run(f"{CHART}.ariaLabel")
    say(f"a page that is loaded again has the charts of the run: {len(after)} samples from tick 0 to {after[-1]}")


def saving(browser):
    """Tests the buttons that save a picture and a film of the view."""
    file = downloaded(browser, ".png", lambda: browser.press("#picture"))
    size = struct.unpack(">II", file.read_bytes()[16:24])
    assert list(size) == browser.run("[element('overlay').width, element('overlay').height]"), size
    browser.run("app.send({ do: 'play' })")

    def film():
        browser.press("#film")
        browser.until("app.film && element('film').ariaPressed === 'true'")
        # A recorder may keep what it has until the film ends.
        time.sleep(4)
        browser.press("#film")

    mp4 = browser.run("MediaRecorder.isTypeSupported('video/mp4;codecs=avc1.42E01E')")
    film = downloaded(browser, ".mp4" if mp4 else ".webm", film)
    browser.run("app.send({ do: 'pause' })")
    head = film.read_bytes()[:8]
    assert (head[4:] == b"ftyp" if mp4 else head[:4] == b"\x1a\x45\xdf\xa3") and film.stat().st_size > 2000, head
    say(f"a picture of {size[0]} x {size[1]} and a film of {film.stat().st_size // 1024} KiB are saved")
