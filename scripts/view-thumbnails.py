"""Takes the thumbnails of the gallery of `throng view` from the page itself, in Chromium, and writes them to
crates/view/src/thumbnails.json: a line for each scenario, with the checksum of its text.

Usage: view-thumbnails.py BROWSER PROGRAM [NAME ...]. Without names it takes those of all scenarios whose text has changed.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import zlib

from browser import Browser
from page.steps import Viewer

FILE = pathlib.Path("crates/view/src/thumbnails.json")
# The tick of a picture, where it is not the usual one: where something happens.
TICK, TICKS = 220, {"hall": 700, "bottleneck": 900, "stadium": 260, "mill": 1500, "circle": 1500, "couzin": 600, "vicsek": 300,
                    "platform": 500, "murmuration": 120, "shoal": 150, "follow_flow_field": 60,
                    "pursue": 120, "offset_pursuit": 120}
# The stage without controls, in a small window.
TAKE = """(() => {
  covered = () => ({ left: 6, right: 6, top: 6, bottom: 6 });
  resize();
  if (!app.camera.covering) fitCrowd(app.frame, isOpen(app.world) ? Infinity : 0.35);
  paintAgents();
  const canvas = new OffscreenCanvas(320, 200), c = canvas.getContext("2d");
  Background.paint(c, 320, 200);
  for (const layer of ["ground", "raster", "agents"]) if (!element(layer).hidden) c.drawImage(element(layer), 0, 0, 320, 200);
  const coded = (quality) => canvas.convertToBlob({ type: "image/webp", quality }).then((blob) => new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  }));
  // At most about nine kilobytes.
  return [0.7, 0.5, 0.3, 0.15].reduce((found, quality) => found.then((text) => (text.length < 12000 ? text : coded(quality))), Promise.resolve(" ".repeat(12000)));
})()"""


def take(browser, program, name):
    with Viewer(program, f"scenarios/{name}.toml") as viewer:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.frame && app.frame.world === app.world?.number", 120)
        tick = TICKS.get(name, TICK)
        browser.run(f"theme(false); app.timeline.seek({tick})")
        browser.until(f"app.frame.tick === {tick} && app.numbers.tick === {tick}", 300)
        # A second in real time, for trails.
        browser.run("app.send({ do: 'play' })")
        time.sleep(1)
        browser.run("app.send({ do: 'pause' })")
        browser.until("!app.pace.playing && app.numbers.tick === app.frame.tick", 60)
        return browser.run(TAKE)


def main():
    browser_path, program, *names = sys.argv[1:]
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    found = {}
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-thumbnails-"))
    os.environ["XDG_STATE_HOME"] = str(scratch / "state")
    browser = Browser(browser_path, scratch / "profile")
    browser.resize(640, 400)
    try:
        for file in sorted(pathlib.Path("scenarios").glob("*.toml")):
            name, text = file.stem, zlib.crc32(file.read_bytes().replace(b"\r\n", b"\n"))
            old = known.get(name)
            fresh = name not in names if names else old and old["text"] == text
            picture = old["picture"] if old and fresh else take(browser, program, name)
            found[name] = {"text": text, "picture": picture}
            print(f"{name}: {len(picture) * 3 // 4} bytes", flush=True)
            lines = [f"{json.dumps(name)}: {json.dumps(found.get(name) or known[name])}" for name in sorted({*found, *known})]
            FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    finally:
        browser.close()
        shutil.rmtree(scratch, ignore_errors=True)


main()
