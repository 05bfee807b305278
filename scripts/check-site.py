"""Tests the page in a tab in Chromium, which it drives through the debugging pipe.

Usage: check-site.py BROWSER PROGRAM SITE FOLDER [FIREFOX]. With Firefox, it runs a world and a link there too. Needs only Python's standard library; screenshots go to FOLDER.
"""

import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser
from firefox import Firefox

SCENARIOS = pathlib.Path(__file__).parents[1] / "scenarios"
# Scenarios whose hash is compared with the program's, and the tick.
RUNS = [("flock", 200), ("shoal", 60), ("hunt", 300), ("bottleneck", 200), ("murmuration", 20), ("vicsek", 200), ("circle", 100), ("couzin", 200)]
# A shipped scenario that is fast enough for the tick at which machines are compared.
COMPARED = "seek"


class Tab(Browser):
    """A browser that notes the requests of its workers too."""

    def receive(self):
        message = super().receive()
        if message.get("method") == "Target.attachedToTarget" and self.session:
            # The answer is not needed.
            enable = {"id": 10 ** 9, "method": "Network.enable", "sessionId": message["params"]["sessionId"]}
            os.write(self.write_end, json.dumps(enable).encode() + b"\0")
        return message

    def open(self, url):
        """Opens an address anew; another part after the # alone would not load the page again."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def seek(self, tick):
        self.run(f"app.timeline.seek({tick})")
        return self.until(f"!app.pace.playing && app.frame.tick === {tick} && app.numbers.tick === {tick} && app.numbers.hash", 300)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files, as any. It also has the page `probe.html`, whose state a script of Firefox can reach."""

    def do_GET(self):
        folder, _, name = self.path.rpartition("/")
        if name not in ("probe.html", "probe.js"):
            return super().do_GET()
        text = "window.tab = { app, element };"
        if name == "probe.html":
            document = pathlib.Path(self.translate_path(f"{folder}/index.html")).read_text()
            text = document.replace("</body>", '<script src="probe.js"></script></body>')
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if name == "probe.html" else "text/javascript")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def serve(site, root):
    """Serves the site from a subfolder, and returns its address."""
    (root / "deep").mkdir()
    (root / "deep" / "site").symlink_to(site.resolve(), target_is_directory=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/deep/site/"


def say(text):
    print(f"  {text}", flush=True)


def hash_of(program, name, ticks, folder):
    """The hash that the program prints. It writes its results to a folder."""
    command = [program, "run", SCENARIOS / f"{name}.toml", "--ticks", str(ticks), "--quiet", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)["hash"]


def opening(browser, url, folder):
    """The first world moves soon, the pointer is the falcon, and six tiles are beside it."""
    start = time.monotonic()
    browser.open(url)
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    seconds = time.monotonic() - start
    assert browser.run("app.world.name") == "murmuration"
    browser.until("document.querySelectorAll('.tiles img').length === 6", 60)
    for x in range(300, 700, 40):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=400)
        time.sleep(0.06)
    browser.until("app.numbers.edited", 30)
    browser.screenshot(folder / "site.png")
    say(f"the first world moves after {seconds:.1f} s, and flees from the pointer")


def worlds(browser, url, program, folder):
    """All scenarios run, and the hashes of some are the program's."""
    names = sorted(path.stem for path in SCENARIOS.glob("*.toml"))
    browser.open(f"{url}#scenario=seek")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    assert sorted(browser.run("app.world.files")) == names
    for name in names:
        browser.run(f"app.send({{ do: 'open', name: {json.dumps(name)} }})")
        browser.until(f"app.world.shipped === {json.dumps(name)} && app.frame?.world === app.world.number && app.frame.tick > 0", 60)
    say(f"all {len(names)} scenarios run")
    for name, ticks in RUNS:
        browser.run(f"app.send({{ do: 'open', name: {json.dumps(name)} }})")
        browser.until(f"app.world.shipped === {json.dumps(name)} && app.frame?.world === app.world.number", 60)
        found, wanted = browser.seek(ticks), hash_of(program, name, ticks, folder)
        assert found == wanted, f"{name}: {found} in the tab, {wanted} by the program"
    say(f"the hashes of {len(RUNS)} are the program's")


def everywhere(browser, url):
    """At the recorded tick, other machines have the same state."""
    browser.open(f"{url}#scenario={COMPARED}")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    browser.run("document.querySelector('#everywhere button').click()")
    browser.until("app.worlds.milestone", 120)
    marks = browser.run("[...document.querySelectorAll('#everywhere div b')].map((mark) => mark.textContent)")
    assert len(marks) > 2 and set(marks[1:]) == {"✓"}, marks
    say(f"at tick 1 000 {len(marks) - 1} other machines have the same state")


def links(browser, url, folder):
    """A run with edits has the same states in a page that opens its link, also afterwards."""
    browser.open(f"{url}#scenario=flock")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    browser.seek(30)
    edit = lambda command: browser.run(f"app.send({json.dumps(command)})")
    middle = browser.run("app.world.size.map((length) => length / 3)")
    edit({"do": "obstacle", "point": middle, "radius": 3.1})
    edit({"do": "set", "species": 0, "rule": 0, "name": "radius", "value": 1.7})
    edit({"do": "spawn", "species": 0, "point": middle, "radius": 5, "count": 40})
    edit({"do": "remove", "point": [at * 2 for at in middle], "radius": 9})
    edit({"do": "undo"})
    edit({"do": "play"})
    for share in (0.3, 0.4, 0.5):
        edit({"do": "falcon", "point": [at * share * 3.3 for at in middle], "radius": 12})
        time.sleep(0.3)
    edit({"do": "falcon", "point": None, "radius": 12})
    browser.seek(150)
    hashes = [browser.run("app.numbers.hash")]
    browser.press("#link")
    link = browser.until("location.hash.startsWith('#world=') && location.href")
    browser.screenshot(folder / "site-link.png")
    hashes.append(browser.seek(220))
    browser.open(link)
    browser.until("typeof app !== 'undefined' && app.frame?.tick === 150 && !app.expected", 60)
    assert "bit for bit" in browser.run("element('notice').textContent"), browser.run("element('notice').textContent")
    found = [browser.run("app.numbers.hash"), browser.seek(220)]
    assert found == hashes, (found, hashes)
    assert browser.run("app.numbers.reversible") == [True, False], "the edits of a link can be reverted"
    # What made the link makes the same one from it.
    browser.seek(150)
    browser.press("#link")
    assert browser.until("location.hash.startsWith('#world=') && location.href") == link
    say(f"a run with edits goes round as a link of {len(link)} letters")


def text(browser, url):
    """The text of a scenario is edited in place; a mistake is shown with its line, and the present world stays."""
    browser.open(f"{url}#scenario=seek")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    browser.run("document.querySelector('#worlds details').open = true")
    browser.until("document.querySelector('#worlds textarea').value.startsWith('#')", 20)
    run = """(from, to) => { const area = document.querySelector('#worlds textarea');
        area.value = area.value.replace(from, to); document.querySelector('#worlds details button').click(); }"""
    browser.run(f"({run})('count = 40', 'cuont = 40')")
    found = browser.until("!element('error').hidden && element('error').textContent", 20)
    assert "cuont" in found and "scenario:" in found, found
    assert browser.run("app.frame.agents") == 40
    browser.run(f"({run})('cuont = 40', 'count = 70')")
    browser.until("app.frame?.agents === 70 && app.world.shipped === null && element('error').hidden", 20)
    browser.until("location.hash.startsWith('#written=')", 20)
    browser.call("Page.reload")
    browser.until("typeof app !== 'undefined' && app.frame?.agents === 70 && app.world.shipped === null", 60)
    say("the text of a scenario is edited and run, and a reload keeps it")


def hostile(browser, url):
    """Links that are damaged or too large are refused with a reason, and the page works afterwards."""
    browser.open(f"{url}#scenario=seek")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    scenario = (SCENARIOS / "seek.toml").read_text()
    good = {"version": 1, "name": "seek", "scenario": scenario, "tick": 3, "hash": "0" * 16, "edits": []}
    packed = lambda text: browser.run(f"packed({json.dumps(text)})")
    changed = lambda **changes: packed(json.dumps({**good, **changes}))
    links = {
        "not base64": ("!!!!", "damaged"),
        "not compressed": ("AAAA", "damaged"),
        "not JSON": (packed("{"), "damaged"),
        "another version": (changed(version=2), "another version"),
        "a far tick": (changed(tick=10 ** 9), "damaged"),
        "an unknown edit": (changed(edits=[[1, {"do": "fly"}]]), "damaged"),
        "a wrong scenario": (changed(scenario="format = 1"), "world"),
        "a bomb": (browser.run("packed(' '.repeat(50 << 20))"), "larger than 4 MiB"),
        "a file": (changed(scenario='floor_plan = { file = "/etc/passwd" }\n' + scenario), "floor_plan"),
    }
    for what, (letters, reason) in links.items():
        browser.open(f"{url}#world={letters}")
        browser.until("typeof element !== 'undefined' && !element('lost').hidden", 60)
        found = browser.run("element('lost-reason').textContent")
        assert reason in found, f"{what}: {found}"
    browser.press("#lost-again")
    browser.until("app.frame?.tick > 0 && app.world.name === 'murmuration' && element('lost').hidden", 60)
    # A link whose hash is wrong runs, and says so.
    browser.open(f"{url}#world={changed()}")
    browser.until("typeof app !== 'undefined' && app.frame?.tick === 3 && !element('error').hidden", 60)
    say(f"{len(links)} bad links are refused with a reason")


def embedded(browser, url, folder):
    """A frame of another page has the world without controls."""
    browser.open(f"{url}#scenario=hall&embed")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    shown = "['side', 'tools', 'share', 'panel', 'hints'].filter((id) => element(id).offsetParent || element(id).getClientRects().length)"
    assert browser.run(shown) == [], browser.run(shown)
    browser.press("#play")
    browser.until("!app.pace.playing")
    browser.screenshot(folder / "site-embed.png")
    browser.press("#play")
    browser.until("app.pace.playing && app.frame.tick > 60", 60)
    browser.press("#again")
    browser.until("app.frame.tick < 60")
    # Out of the sight of the document around it.
    browser.call("Page.navigate", url=f"{url}book/docs/units.html")
    browser.until("document.readyState === 'complete' && location.pathname.endsWith('units.html')")
    browser.run(f"""document.body.innerHTML = '<iframe src="{url}#scenario=hall&embed" style="width: 500px; height: 300px"></iframe><p style="height: 4000px">'""")
    playing = lambda pressed: browser.until(f"document.querySelector('iframe').contentDocument?.querySelector('#play')?.ariaLabel === '{pressed}'", 60)
    playing("Pause")
    browser.run("scrollTo(0, 3000)")
    playing("Play")
    browser.run("scrollTo(0, 0)")
    playing("Pause")
    say("an embedded world has no panels, restarts, and rests out of sight")


# A page of a rule, of a model and the tutorial; the heading before the world, and a number of its text that is changed.
LIVE = [("docs/behaviours.html", "wander", "count = 300", "count = 90"), ("docs/models/vicsek.html", "vicsek", "count = 300", "count = 150"),
        ("docs/tutorial.html", "2. A flock", "count = 250", "count = 120")]


def book(browser, url, folder):
    """Worlds of the book load when they are asked for, run beside their text, and show mistakes at line and column."""
    for page, heading, before, after in LIVE:
        browser.requests.clear()
        browser.open(f"{url}book/{page}")
        browser.until("document.querySelectorAll('.live button').length")
        assert not any("engine" in request for request in browser.requests), browser.requests
        live = "document.querySelector('.live:has(iframe)')"
        browser.run(f"""(() => {{ const all = [...document.querySelectorAll('.live button')];
            const after = [...document.querySelectorAll('main h1, main h2')].find((head) => head.textContent === {json.dumps(heading)});
            const next = all.find((button) => after.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING);
            next.scrollIntoView(); next.click(); }})()""")
        inside = f"{live}?.querySelector('iframe').contentDocument"
        shows = lambda agents, live=live, inside=inside: browser.until(
            f"/agents {agents}tick ([5-9]|[0-9][0-9])/.test({inside}?.querySelector('#facts')?.textContent)", 60)
        shows(before.split()[-1])
        write = f"""(from, to) => {{ const area = {live}.querySelector('textarea'); area.value = area.value.replace(from, to);
            {live}.querySelector('div button').click(); }}"""
        line = browser.run(f"{live}.querySelector('textarea').value.split({json.dumps(before)})[0].split('\\n').length")
        browser.run(f"({write})({json.dumps(before)}, 'cuont = 7')")
        found = browser.until(f"!{live}.querySelector('pre').hidden && {live}.querySelector('pre').textContent")
        assert f"scenario:{line}:1: " in found and "cuont" in found, found
        browser.run(f"({write})('cuont = 7', {json.dumps(after)})")
        shows(after.split()[-1])
        assert browser.run(f"{live}.querySelector('pre').hidden")
        browser.screenshot(folder / f"site-book-{pathlib.Path(page).stem}.png")
        assert all(request.startswith(url) for request in browser.requests if not request.startswith(("data:", "blob:", "about:"))), browser.requests
    browser.run(f"[...{live}.querySelectorAll('button')].find((button) => button.textContent === 'Close').click()")
    assert not browser.run("document.querySelector('.live iframe')")
    browser.requests.clear()
    say(f"worlds of {len(LIVE)} pages of the book run, are edited, and show mistakes at their place")


def bench(browser, url, program, folder):
    """The figures of `throng bench` in the tab, whose hashes are the program's, are a text to paste. Then the first world opens."""
    browser.open(f"{url}#scenario=seek")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    browser.run("[...document.querySelectorAll('#worlds button')].find((button) => button.textContent === say('bench')).click()")
    browser.until("location.hash === '#bench' && typeof element !== 'undefined' && element('dialog').innerText.includes('A click selects')", 600)
    text = browser.run("element('bench').textContent")
    assert text.startswith(browser.run("navigator.userAgent")), text
    rows = {tuple(row[:2]): row[3] for row in map(str.split, text.splitlines()) if row[1:2] in (["2D"], ["3D"])}
    command = [program, "bench", "--threads", "1", "--repetitions", "1", "--json"]
    wanted = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)["rows"]
    assert len(rows) == len(wanted) == 6, (text, wanted)
    for row in wanted:
        found = rows[str(round(row["agents"])), f"{row['dimensions']}D"]
        assert found == row["hash"], f"{row['agents']} agents: {found} in the tab, {row['hash']} by the program"
    browser.screenshot(folder / "site-bench.png")
    browser.press("#dialog .main")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0 && app.world.name === 'murmuration'", 60)
    say("the tab measures the flocks of throng bench, with the program's hashes:")
    print(text, flush=True)


def speed(browser, url):
    """Ticks per second of a large world in space, without a limit."""
    browser.open(f"{url}#scenario=shoal")
    browser.until("typeof app !== 'undefined' && app.frame?.tick > 0", 60)
    browser.run("app.send({ do: 'speed', times: 0 })")
    time.sleep(4)
    rate, agents = browser.run("[app.numbers.ticks_per_second, app.frame.agents]")
    say(f"shoal, {agents} agents in space: {rate:.0f} ticks a second")


def elsewhere(program, url, wanted, scratch, folder):
    """Another browser has the same state, and its links lead to the same one."""
    browser = Firefox(program, scratch / "firefox")
    try:
        at = lambda tick: (f"!page.tab.app.pace.playing && page.tab.app.frame.tick === {tick} && page.tab.app.numbers.tick === {tick}"
                           " && page.tab.app.numbers.hash")
        browser.open(f"{url}probe.html#scenario=hunt")
        browser.until("page.tab && page.tab.app.frame && page.tab.app.frame.tick > 0")
        browser.run("page.tab.app.timeline.seek(300)")
        found = browser.until(at(300), 120)
        assert found == wanted, f"{found} in Firefox, {wanted} by the program"
        browser.run("""page.tab.app.send(page.JSON.parse('{"do":"obstacle","point":[20,20],"radius":3}'))""")
        browser.run("page.tab.app.timeline.seek(340)")
        edited = browser.until(at(340))
        browser.run("page.tab.element('link').click()")
        link = browser.until("location.hash.startsWith('#world=') && location.href")
        browser.open(link)
        browser.until("page.tab && page.tab.app.frame && page.tab.app.frame.tick === 340 && !page.tab.app.expected")
        assert browser.until(at(340)) == edited
        browser.screenshot(folder / "site-firefox.png")
    finally:
        browser.close()
    say("Firefox has the same state, and a link leads there")


def main():
    browser_path, program, site, folder, *firefox = sys.argv[1:]
    program, site, folder = pathlib.Path(program).resolve(), pathlib.Path(site), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="throng-site-") as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "root").mkdir()
        url = serve(site, scratch / "root")
        browser = Tab(browser_path, scratch / "profile")
        try:
            browser.call("Network.enable")
            browser.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
            browser.resize(1280, 800)
            opening(browser, url, folder)
            worlds(browser, url, program, scratch)
            everywhere(browser, url)
            links(browser, url, folder)
            text(browser, url)
            hostile(browser, url)
            embedded(browser, url, folder)
            speed(browser, url)
            bench(browser, url, program, folder)
            own = {f"{url}{name}" for name in ("", "index.html", "page.js", "page.css", "engine.js", "engine.wasm")}
            asked = {request.split("#")[0] for request in browser.requests if not request.startswith(("data:", "blob:", "about:", f"{url}book/"))}
            assert asked <= own and f"{url}engine.wasm" in asked, asked
            book(browser, url, folder)
            assert not browser.complaints, browser.complaints
            say("the page asks for its own files only, and has no error on the console")
        finally:
            browser.close()
        if firefox:
            elsewhere(firefox[0], url, hash_of(program, "hunt", 300, scratch), scratch, folder)


main()
