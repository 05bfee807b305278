"""Takes pictures of the page of `throng view` in Chromium: scenarios at the sizes of a laptop, a desktop and a phone.

Usage: view-pictures.py BROWSER PROGRAM FOLDER [NAME ...]. Without names it takes those of the documents.
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


def main():
    browser_path, program, folder, *names = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-pictures-"))
    os.environ["XDG_STATE_HOME"] = str(scratch / "state")
    browser = Browser(browser_path, scratch / "profile")
    try:
        for name in names or TICKS:
            with Viewer(program, f"scenarios/{name}.toml") as viewer:
                browser.resize(1280, 800)
                browser.call("Page.navigate", url=viewer.url)
                browser.until(f"typeof app !== 'undefined' && app.frame && app.frame.world === app.world?.number && app.frame.tick >= {TICKS.get(name, 200)}", 300)
                browser.run("app.send({ do: 'pause' })")
                browser.until("!app.pace.playing", 60)
                for size, (width, height, mobile) in SIZES.items():
                    browser.resize(width, height, mobile)
                    time.sleep(1.5)
                    browser.screenshot(folder / f"{name}-{size}.png")
            print(name, flush=True)
    finally:
        browser.close()
        shutil.rmtree(scratch, ignore_errors=True)


main()
