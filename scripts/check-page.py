"""Tests the page of `throng view` in Chromium, which it drives through the debugging pipe.

Usage: check-page.py BROWSER PROGRAM FOLDER [million]. With `million` it prints what a frame of a million agents costs. Needs only Python's standard library; screenshots go to FOLDER.
"""

import os
import pathlib
import shutil
import sys
import tempfile

from browser import Browser
from page.access import contrast, fingers_in_space, install_axe, keyboard, phone
from page.editing import environment, items
from page.languages import languages
from page.playing import lost, million, recorded, shipped
from page.running import panel, small_world, time_travel
from page.seeing import bodies_and_items, charts, gallery, looks, markup, saving, storeys
from page.stage import falcon, first_steps, motion, plan
from page.steps import Viewer, paused, say
from page.worlds import OTHER, SCENARIO


def main():
    browser_path, program, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="throng-page-"))
    os.environ["XDG_STATE_HOME"] = str(scratch / "state")
    scenarios = scratch / "scenarios"
    scenarios.mkdir()
    for name, text in (("page", SCENARIO), ("other", OTHER), ("broken", "format = 1\n[world]\nsize = 7\n")):
        (scenarios / f"{name}.toml").write_text(text)
    scenario = str(scenarios / "page.toml")
    axe = install_axe(scratch)
    browser = Browser(browser_path, scratch / "profile")
    browser.program = program
    browser.resize(1280, 800)
    try:
        if sys.argv[4:] == ["million"]:
            million(browser, program, "murmuration", "[5400,3000]")
            million(browser, program, "shoal", "[700,400,260]")
            return
        viewer = Viewer(program, scenario)
        try:
            browser.call("Page.navigate", url=viewer.url)
            small_world(browser, program, folder)
            looks(browser, folder)
            browser.press("#play")
            paused(browser)
            environment(browser)
            time_travel(browser)
            panel(browser)
            contrast(browser)
            keyboard(browser)
            phone(browser, folder, axe)
            gallery(browser, folder)
            charts(browser)
            saving(browser)
        finally:
            viewer.close()
        markup(browser, program, scratch)
        items(browser, program, folder, scratch)
        bodies_and_items(browser, program, folder, scratch)
        storeys(browser, program, folder)
        fingers_in_space(browser, program, folder)
        plan(browser, program, folder, scratch)
        motion(browser, program, scratch)
        falcon(browser, program, scratch)
        first_steps(browser, program, scratch)
        languages(browser, program, folder)
        lost(browser, program, scenario, folder)
        recorded(browser, program, scenario, folder)
        for name in ("murmuration", "shoal"):
            shipped(browser, program, folder, name)
        # The program ends before its page, so the errors of the page about that do not count.
        complaints = [text for text in browser.complaints if "WebSocket" not in text]
        assert not complaints, complaints
        say("no error on the console")
    finally:
        browser.close()
        shutil.rmtree(scratch, ignore_errors=True)


main()
