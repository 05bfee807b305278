"""Tests of small windows, fingers, keyboards and accessibility."""

import json
import subprocess
import time

from page.steps import Viewer, open_world, say


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
    browser.until("Math.abs(document.getElementById('side').getBoundingClientRect().height / innerHeight - 0.35) < 0.01")
    seen = browser.run("[[0, 0], [160, 0], [0, 90], [160, 90]].map((at) => app.camera.project(at).y)")
    assert all(0 < y < 549 for y in seen), f"the world is seen above the sheet: {seen}"
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


def install_axe(folder):
    """Returns the script of axe-core from the package registry; without one, accessibility is not checked."""
    try:
        subprocess.run(["npm", "pack", "--silent", "axe-core@4.10.2"], cwd=folder, check=True, capture_output=True, timeout=60)
        subprocess.run(["tar", "xzf", "axe-core-4.10.2.tgz", "package/axe.min.js"], cwd=folder, check=True)
        return (folder / "package" / "axe.min.js").read_text() + "; 0"
    except (OSError, subprocess.SubprocessError):
        say("SKIPPED: accessibility, for npm could not fetch axe-core")
        return None


# The contrast of two lists of colours, each laid over the ones before it, after WCAG 2.2.
CONTRAST = """((one, other) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => byte / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
})"""


def contrast(browser):
    """Tests the contrast of controls (3:1) and of what the page draws itself (lines and marks 3:1, text of charts 4.5:1), in
    both themes and on every background."""
    for theme in ("dark", "light"):
        browser.run(f"theme({json.dumps(theme == 'light')})")
        faint = browser.run(f"""(() => {{
          const contrast = {CONTRAST}, faint = [];
          const behind = (node) => (node ? [...behind(node.parentElement), getComputedStyle(node).backgroundColor] : ["black"]);
          for (const node of document.querySelectorAll("button:not(:disabled), select, input:is([type=text], [type=number], [type=search])")) {{
            if (!node.offsetWidth) continue;
            const style = getComputedStyle(node), ground = behind(node.parentElement);
            // A tool or a tab without an edge is known by its icon or its text.
            const bare = node.closest("#tools, #tabs") ? contrast([...ground, style.color], [...ground, style.backgroundColor]) : 0;
            const best = Math.max(bare, contrast([...ground, style.borderTopColor], ground), contrast([...ground, style.backgroundColor], ground));
            if (best < 3) faint.push([node.id || node.textContent, best]);
          }}
          const panel = getComputedStyle(element("side")).backgroundColor;
          for (const scene of Object.keys(SCENES)) {{
            setBackground(scene);
            for (const ground of scene === "plan" ? [Background.floor] : Background.stops) {{
              for (const [name, colour, least] of [["edge", Colours.edge, 3], ["marks", Colours.mark, 3], ["walls", Colours.wall, 3],
                ["regions", Colours.soft, 3], ["exits", Colours.exit, 3], ["entrances", Colours.entry, 3]]) {{
                if (contrast([colour], [ground]) < least) faint.push([scene, name, ground, contrast([colour], [ground])]);
              }}
            }}
          }}
          setBackground("automatic");
          for (const [name, colour, least] of [["labels of charts", Colours.soft, 4.5], ["frames of charts", Colours.edge, 3]]) {{
            if (contrast([colour], [panel]) < least) faint.push([name, contrast([colour], [panel])]);
          }}
          return faint;
        }})()""")
        assert not faint, f"{theme}: {faint}"
    browser.run("theme(false)")
    say("controls and lines have a contrast of 3:1 and text of 4.5:1, in both themes and on every background")


KEYS = {"Escape": 27, "Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowUp": 38}


def press(browser, key, **more):
    """Presses a key with its code, as a keyboard does."""
    code = {"code": key, "windowsVirtualKeyCode": KEYS[key]} if key in KEYS else {"text": key}
    for kind in ("rawKeyDown" if key in KEYS else "keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, **{**code, **more})


def keyboard(browser):
    """Tests that keys do what the pointer does, and that Tab reaches every control."""
    browser.run("document.activeElement.blur(); app.send({ do: 'pause' })")
    browser.until("!app.pace.playing && app.numbers.hash")
    tick = browser.run("app.frame.tick")
    press(browser, ".")
    browser.until(f"app.frame.tick === {tick + 1} && app.numbers.tick === {tick + 1}")
    press(browser, ",")
    browser.until(f"app.frame.tick === {tick} && app.numbers.tick === {tick}")
    press(browser, " ")
    browser.until(f"app.pace.playing && app.frame.tick > {tick}")
    press(browser, " ")
    browser.until("!app.pace.playing && app.numbers.hash && app.numbers.tick === app.frame.tick")
    # A button that the pointer pressed does not take the space bar.
    x, y = browser.run("(({ left, top, width, height }) => [left + width / 2, top + height / 2])(element('tab-view-settings').getBoundingClientRect())")
    browser.click(x, y)
    assert browser.run("app.tabs.current") == "view-settings"
    press(browser, " ")
    browser.until("app.pace.playing")
    press(browser, " ")
    browser.until("!app.pace.playing && app.numbers.hash && app.numbers.tick === app.frame.tick")
    agents = browser.run("app.frame.agents")
    press(browser, "a")
    press(browser, "Enter")
    browser.until(f"app.frame.agents === {agents + 50}")
    press(browser, "z", modifiers=2)
    browser.until(f"app.frame.agents === {agents}")
    press(browser, "v")
    press(browser, "n")
    browser.until("app.watched?.why")
    press(browser, "Escape")
    browser.until("!app.watched")
    zoom = browser.run("app.camera.zoom")
    press(browser, "+")
    assert browser.run("app.camera.zoom") > zoom
    x = browser.run("app.camera.focus[0]")
    press(browser, "ArrowRight")
    assert browser.run("app.camera.focus[0]") > x
    press(browser, "0")
    assert browser.run("app.camera.zoom") == 1
    colour = browser.run("app.colour")
    press(browser, "c")
    assert browser.run("app.colour") != colour
    browser.run(f"setColour({json.dumps(colour)})")
    assert browser.run("!app.figures && !element('facts').textContent.includes('bytes')"), "the footer is for users"
    press(browser, "i")
    browser.until("element('facts').textContent.includes('bytes')")
    press(browser, "i")
    press(browser, "?")
    browser.until("element('dialog').open")
    press(browser, "Escape")
    browser.until("!element('dialog').open")
    for _ in range(browser.run("document.querySelectorAll('button, input, select, summary, canvas[tabindex]').length") + 20):
        press(browser, "Tab")
        browser.run("document.activeElement.dataset.tabbed = '1'")
    missed = browser.run("[...document.querySelectorAll('button:not(:disabled), input, select, summary, canvas[tabindex]')]"
                         ".filter((node) => node.offsetWidth && node.checkVisibility() && !node.disabled && node.tabIndex >= 0 && !node.dataset.tabbed)"
                         ".map((node) => node.id || node.title || node.textContent)")
    assert not missed, missed
    browser.run("app.tabs.buttons[0].focus(); app.tabs.show('adjust')")
    press(browser, "ArrowRight")
    assert browser.run("[app.tabs.current, document.activeElement.id]") == ["view-settings", "tab-view-settings"]
    browser.run("app.tabs.show('adjust'); document.activeElement.blur()")
    say("keys play, step, add, undo, select, zoom and move; Tab reaches every control")


def fingers_in_space(browser, program, folder):
    """Tests that two fingers turn a world of three dimensions, and the layout of a tablet."""
    with Viewer(program, "scenarios/shoal.toml") as viewer:
        open_world(browser, viewer, "shoal")
        browser.resize(820, 1180, mobile=True)
        browser.until("document.documentElement.scrollWidth <= 820 && app.camera.size[0] > 300")
        turn = browser.run("app.camera.turn")
        fingers = lambda *points: [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers((200, 500), (400, 500)))
        for rise in (20, 60, 100):
            browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers((200, 500 - rise), (400, 500 + rise)))
        browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        assert abs(browser.run("app.camera.turn") - turn) > 0.5
        browser.run("app.camera.fit(app.world.size); app.redraw()")
        time.sleep(0.5)
        browser.screenshot(folder / "tablet.png")
        browser.resize(1280, 800)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        assert browser.run("document.getAnimations().length") == 0
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        say("two fingers turn a world of three dimensions; nothing of the page is animated")
