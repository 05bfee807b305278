"""Takes pictures of the page of `throng view` in Chromium.

Usage: view-pictures.py BROWSER PROGRAM [FOLDER]. Without a folder it takes the pictures of the documents, in docs/pictures. With
one it takes eight scenarios at the sizes of a laptop, a desktop and a phone, to look at.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time

from browser import Browser
from page.steps import Viewer

SIZES = {"laptop": (1280, 800, False), "desktop": (1920, 1080, False), "phone": (390, 844, True)}
# The tick of each picture: where something happens.
TICKS = {"murmuration": 150, "shoal": 160, "hunt": 200, "hall": 700, "bottleneck": 900, "stadium": 300, "mill": 700, "topological": 200}


# The pictures of the documents: a scenario, a size, and what to do there.
DOCUMENTS = {
    # The engine has more samples than a slow browser took.
    "view-hall": ("hall", "laptop", "app.send({ do: 'hello' }); app.tabs.show('charts')"),
    "view-hunt": ("hunt", "laptop", """
        app.tools.choose(TOOLS[1]);
        const { x, y } = app.camera.project([100, 45]), at = { bubbles: true, clientX: x, clientY: y, button: 0 };
        element("overlay").setPointerCapture = () => {};
        element("overlay").dispatchEvent(new PointerEvent("pointerdown", at));
        app.send({ do: "speed", times: 1 });
        app.send({ do: "play" });
        new Promise((done) => setTimeout(done, 6000))"""),
    "view-shoal": ("shoal", "laptop", "app.style = 'arrows'; app.redraw()"),
    "view-phone": ("bottleneck", "phone", "showPanel(true)"),
}


def ready(browser, viewer, name):
    """Opens a scenario and takes it to its tick."""
    browser.resize(1280, 800)
    browser.call("Page.navigate", url=viewer.url)
    browser.until("typeof app !== 'undefined' && app.frame && app.frame.world === app.world?.number", 120)
    browser.run("hideHints(); app.send({ do: 'speed', times: 4 })")
    browser.until(f"app.frame.tick >= {TICKS[name] - 30}", 300)
    # The last ticks in real time, for trails.
    browser.run("app.send({ do: 'speed', times: 1 })")
    browser.until(f"app.frame.tick >= {TICKS[name]}", 120)
    browser.run("app.send({ do: 'pause' })")
    browser.until("!app.pace.playing && app.frame.back === 0", 60)


def look(browser, program, folder):
    for name in TICKS:
        with Viewer(program, f"scenarios/{name}.toml") as viewer:
            ready(browser, viewer, name)
            for size, (width, height, mobile) in SIZES.items():
                browser.resize(width, height, mobile)
                time.sleep(1.5)
                browser.screenshot(folder / f"{name}-{size}.png")
        print(name, flush=True)


def documents(browser, program, folder):
    for picture, (name, size, script) in DOCUMENTS.items():
        with Viewer(program, f"scenarios/{name}.toml") as viewer:
            ready(browser, viewer, name)
            browser.resize(*SIZES[size])
            time.sleep(1)
            browser.run(script)
            time.sleep(2)
            browser.screenshot(folder / f"{picture}.png")
        print(picture, flush=True)


def main():
    browser_path, program, *folder = sys.argv[1:]
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-pictures-"))
    os.environ["XDG_STATE_HOME"] = str(scratch / "state")
    browser = Browser(browser_path, scratch / "profile")
    try:
        if folder:
            folder = pathlib.Path(folder[0])
            folder.mkdir(parents=True, exist_ok=True)
            look(browser, program, folder)
        else:
            documents(browser, program, pathlib.Path("docs/pictures"))
    finally:
        browser.close()
        shutil.rmtree(scratch, ignore_errors=True)


main()
