"""Runs the page in Chromium: page.py BROWSER INDEX_HTML PROGRAM FOLDER. Compares its hashes with the hashes of the program.

Screenshots go to FOLDER.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "scripts"))
from browser import Browser  # noqa: E402

SCENARIOS = pathlib.Path(__file__).parents[3] / "scenarios"
RUNS = [("flock", 200), ("shoal", 60), ("hunt", 100), ("bottleneck", 60)]


def hash_of(program, name, ticks, folder):
    """The hash that the program prints. It writes its results to a folder."""
    command = [pathlib.Path(program).resolve(), "run", SCENARIOS / f"{name}.toml", "--ticks", str(ticks), "--quiet", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)["hash"]


def main():
    """Runs every scenario in the page, then its buttons and its errors."""
    program_of_browser, page, program, folder = sys.argv[1:]
    page = pathlib.Path(page).resolve().as_uri()
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program_of_browser, pathlib.Path(profile))
        browser.resize(1280, 800)
        for name, ticks in RUNS:
            wanted = hash_of(program, name, ticks, folder)
            browser.call("Page.navigate", url=f"{page}?scenario={name}&ticks={ticks}")
            found = browser.until("/^[0-9a-f]{16}$/.test(document.getElementById('hash')?.textContent)"
                                  " && document.getElementById('hash').textContent", 120)
            assert found == wanted, f"{name}: {found} in the browser, {wanted} by the program"
            lit = browser.run("""(() => { page.drawing.clear();
                page.drawing.draw(page.frame, page.camera, "species", page.described);
                const { gl } = page.drawing, { width, height } = gl.canvas, pixels = new Uint8Array(4 * width * height);
                gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
                return pixels.filter((byte, at) => at % 4 === 3 && byte > 0).length; })()""")
            assert lit > 100, f"{name}: {lit} pixels are drawn"
            walls = browser.run("page.world.edges.length + page.world.discs.length")
            drawn = browser.run("""(() => { const { context, canvas } = page.plan;
                const all = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
                // The colours of walls in the dark and the light theme, as bytes of a pixel from the last to the first.
                return all.filter((pixel) => pixel === 0xfff2e6df || pixel === 0xff33261f).length; })()""")
            assert (drawn > 100) == (walls > 0), f"{name}: {walls} walls and obstacles, and {drawn} pixels of walls are drawn"
            browser.screenshot(folder / f"{name}.png")
            print(f"  {name}: {found} after {ticks} ticks in Chromium, as by the program; {lit} pixels drawn")
        # A refused text leaves the world as it was and shows the place of the mistake.
        browser.run("document.getElementById('text').value = 'format = 1\\nsped = 2\\n'")
        browser.press("#apply")
        assert "scenario.toml:2:1" in browser.run("document.getElementById('error').textContent")
        assert browser.run("page.world.population") > 0
        browser.press("#again")
        browser.resize(390, 844, mobile=True)
        browser.call("Page.navigate", url=f"{page}?scenario=flock&ticks=50")
        browser.until("document.getElementById('tick')?.textContent === '50'", 60)
        browser.screenshot(folder / "phone.png")
        # The whole speed of a flock of 10 000, without drawing.
        text = (SCENARIOS / "murmuration.toml").read_text()
        rate = browser.run(f"""(() => {{ page.playing = false; const text = {json.dumps(text)}
            .replace(/^count = .*$/m, "count = 10000");
            const world = page.throng.fromText(text); world.step(20);
            const began = performance.now(); world.step(40); const rate = 40000 / (performance.now() - began);
            world.free(); return rate; }})()""")
        print(f"  murmuration with 10 000 agents: {rate:.0f} ticks a second on one thread in Chromium")
        assert not browser.complaints, browser.complaints
        browser.close()


if __name__ == "__main__":
    main()
