"""Tests of changes with the pointer and the keyboard."""

import time
import tomllib

from page.steps import Viewer, on_canvas, paused, saved, say
from page.worlds import ITEMS


def environment(browser):
    """Tests items that are dragged, resized and removed, a target that follows the pointer, undo and redo."""
    obstacles = "JSON.stringify(app.scenery.obstacles.map(([at, radius]) => [...at, radius].map(Math.round)))"
    browser.press("[data-tool=obstacle]")
    browser.run("app.tools.values.radius = 6")
    browser.click(*on_canvas(browser, [40, 60]))
    browser.until("app.scenery.obstacles?.length === 1")
    browser.press("[data-tool=select]")
    browser.drag(on_canvas(browser, [40, 60]), on_canvas(browser, [60, 60]))
    browser.until(f"{obstacles} === '[[60,60,6]]'")
    browser.drag(on_canvas(browser, [66, 60]), on_canvas(browser, [72, 60]))
    browser.until(f"{obstacles} === '[[60,60,12]]'")
    for expected in ("[[60,60,6]]", "[[40,60,6]]", "[]"):
        browser.press("#undo")
        browser.until(f"{obstacles} === '{expected}'")
    for expected in ("[[40,60,6]]", "[[60,60,6]]"):
        browser.press("#redo")
        browser.until(f"{obstacles} === '{expected}'")
    browser.key("Escape", code="Escape", windowsVirtualKeyCode=27)
    browser.until("app.handles.chosen === null")
    browser.key("h")
    browser.until("app.handles.chosen === 'obstacle 1'")
    browser.key("ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    browser.until(f"{obstacles} === '[[61,60,6]]'")
    browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
    browser.until("app.scenery.obstacles.length === 0")
    say("an obstacle is dragged, resized, moved by keys and removed; undo and redo go through the gestures")

    agents = browser.run("app.frame.agents")
    browser.press("[data-tool=spawn]")
    browser.click(*on_canvas(browser, [30, 30]))
    browser.until(f"app.frame.agents === {agents + 50}")
    browser.press("#undo")
    browser.until(f"app.frame.agents === {agents}")
    say("added agents are taken back")

    target = "app.world.species[0].rules[4].parameters.find(({ name }) => name === 'target').value"
    browser.press("[data-tool=target]")
    browser.press("#follow-pointer")
    for point in ([20, 20], [25, 22], [130, 70]):
        x, y = on_canvas(browser, point)
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        time.sleep(0.1)
    browser.until(f"Math.hypot({target}[0] - 130, {target}[1] - 70) < 1")
    browser.press("[data-tool=select]")
    say("a target follows the pointer")


def items(browser, program, folder, scratch):
    """Tests that marks, waypoints and walls are dragged and removed one by one, and saved where they are in the file."""
    scenario = scratch / "items" / "page.toml"
    scenario.parent.mkdir()
    scenario.write_text(ITEMS)
    viewer = Viewer(program, str(scenario))
    try:
        browser.call("Page.navigate", url=viewer.url)
        browser.until("typeof app !== 'undefined' && app.frame && app.world.name === 'items' && app.scenery.walls?.length === 3", 60)
        browser.press("#play")
        paused(browser)
        points = "JSON.stringify(app.world.species[0].rules[1].parameters.find(({ name }) => name === 'points').value.map((at) => at.map(Math.round)))"
        place = "app.scenery.walls[{0}].at.map(Math.round).join()"
        browser.drag(on_canvas(browser, [20, 20]), on_canvas(browser, [25, 30]))
        browser.until("app.scenery.marks[0].at.map(Math.round).join() === '25,30'")
        browser.drag(on_canvas(browser, [50, 20]), on_canvas(browser, [50, 40]))
        browser.until(f"{points} === '[[30,10],[50,40],[70,30]]'")
        browser.press("[data-tool=waypoint]")
        browser.click(*on_canvas(browser, [90, 40]))
        browser.until(f"{points} === '[[30,10],[50,40],[70,30],[90,40]]'")
        browser.press("[data-tool=select]")
        browser.click(*on_canvas(browser, [30, 10]))
        browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
        browser.until(f"{points} === '[[50,40],[70,30],[90,40]]'")
        browser.drag(on_canvas(browser, [80, 15]), on_canvas(browser, [85, 20]))
        browser.until(f"{place.format(0)} === '85,20'")
        browser.drag(on_canvas(browser, [70, 50]), on_canvas(browser, [70, 55]))
        browser.until(f"{place.format(2)} === '60,55'")
        browser.screenshot(folder / "items.png")
        browser.click(*on_canvas(browser, [25, 50]))
        browser.key("Delete", code="Delete", windowsVirtualKeyCode=46)
        browser.until("app.scenery.walls.length === 2")
        file = tomllib.loads(saved(browser, lambda: browser.press("#save")).read_text())
        whole = lambda value: [whole(one) for one in value] if isinstance(value, list) else round(value)
        rules = file["species"]["ant"]["behaviours"]
        assert whole(file["marks"]["lamp"]) == [25, 30] and whole(file["wall"][0]["centre"]) == [85, 20], file
        assert whole(file["walls"]) == [[[60, 55], [90, 55]]] and whole(rules[1]["points"])[0] == [50, 40], file
        say("marks, waypoints and walls are dragged and removed one by one, and saved in their places")
    finally:
        viewer.close()
