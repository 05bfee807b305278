"""Tests of the languages of the page."""

import pathlib
import re

from page.steps import Viewer, open_world, say

FOLDER = pathlib.Path(__file__).parents[2] / "crates" / "view"
# Names of keys, the only literals of scripts that begin with a capital.
KEYS = {"Arrow", "Enter"}
# Where some words are, and how they begin in German and in French.
SEEN = {
    "element('share').textContent": ("Teilen", "Partager"),
    "element('play').textContent": ("▶ Start", "▶ Lecture"),
    "element('save').title": ("Szenariodatei mit allen Änderungen speichern", "Enregistrer le fichier du scénario avec toutes"),
    "element('tools').ariaLabel": ("Werkzeuge", "Outils"),
    "document.querySelector('[data-tool=spawn]').title": ("Agenten hinzufügen (A)", "Ajouter des agents (A)"),
    "element('lost').querySelector('code').textContent": ("--port", "--port"),
    "app.panel.search.placeholder": ("Regeln und Werte", "Chercher règles et valeurs"),
    "element('facts').textContent": ("Agenten", "agents"),
    "say('countNeighbours', { count: 1 })": ("1 Nachbar", "1 voisin"),
    "say('countNeighbours', { count: 0 })": ("0 Nachbarn", "0 voisin"),
    "say('countNeighbours', { count: 2 })": ("2 Nachbarn", "2 voisins"),
}
# Steps that show words of the page: the help, the gallery, the panel and the tools.
STEPS = ("showHelp()", "app.gallery.show()", "showFigures(true); app.tabs.show('charts')", "app.pick(640, 400, Infinity)",
         *(f"app.tools.choose(TOOLS.find(({{ name }}) => name === '{name}'))" for name in ("falcon", "obstacle", "wall", "spawn", "select")))
# The texts, titles and labels of the page, hidden ones too.
TEXTS = """(() => {
  const found = new Set(), walk = document.createTreeWalker(document.body);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement?.closest("script, style")) continue;
    for (const text of [node.nodeType === Node.TEXT_NODE ? node.data : "", node.title, node.ariaLabel, node.placeholder]) found.add(text?.trim());
  }
  return [...found].filter(Boolean);
})()"""


def words(table, number):
    """Tests that each text is there in all languages with the same values, and that the page has no words elsewhere."""
    for key, texts in table.items():
        assert len(texts) == number and all(texts), f"{key} lacks a language: {texts}"
        forms = [text.split("|") for text in texts]
        values = {frozenset(re.findall(r"\{(\w+)\}", form)) for some in forms for form in some}
        assert len(values) == 1 and max(map(len, forms)) <= 2, f"{key} has other values or forms in another language: {texts}"
    document = (FOLDER / "page" / "page.html").read_text()
    scripts = "\n".join(path.read_text() for path in (FOLDER / "page").glob("*.js") if path.name != "words.js")
    literals = set(re.findall(r'["`]([A-Z][a-z]+(?: [^"`\n]*)?)["`]', scripts))
    assert literals <= KEYS, f"outside words.js: {literals - KEYS}"
    fixed = re.findall(r'(?:title|aria-label|placeholder)="[^"]*"|>[^<\n]*[A-Za-z]{2}[^<\n]*<', document.split("<body>")[1])
    assert set(fixed) <= {">throng<"}, f"outside words.js: {fixed}"
    groups = re.findall(r'^    "(.+?)":', (FOLDER / "src" / "built_in.rs").read_text(), re.MULTILINE)
    asked = {*groups, *re.findall(r'\bsay\("(\w+)"', scripts), *re.findall(r'\bdata-(?:text|tip|label)="(\w+)"', document)}
    assert groups and asked <= table.keys(), f"not in words.js: {asked - table.keys()}"
    # Some keys are computed, such as the names of backgrounds.
    idle = [key for key in table.keys() - asked if not re.search(rf"\b{key}\b", scripts)]
    assert not idle, f"no script has them: {idle}"


def languages(browser, program, folder):
    """Tests the page in each language, which the browser or the address chooses."""
    agent = browser.run("navigator.userAgent")
    with Viewer(program, "scenarios/flock.toml") as viewer:
        open_world(browser, viewer, "flock")
        names, table = browser.run("[LANGUAGES, WORDS]")
        assert browser.run("document.documentElement.lang") == "en"
        words(table, len(names))
        for number, name in enumerate(names[1:], 1):
            browser.call("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=f"pt-BR,{name}-CH,en")
            browser.call("Page.navigate", url="about:blank")
            open_world(browser, viewer, "flock")
            assert browser.run("document.documentElement.lang") == name
            for script, found in SEEN.items():
                browser.until(f"{script}.includes({found[number - 1]!r})")
            texts = set()
            for step in STEPS:
                browser.run(f"{step}; new Promise((done) => setTimeout(done, 500))")
                texts.update(browser.run(TEXTS))
                browser.run("element('dialog').close()")
            # A single word in small letters may be a name of the engine.
            foreign = {text[0] for text in table.values() if text[0] != text[number] and re.match("[A-Z]|.* ", text[0])}
            assert len(texts) > 150 and not texts & foreign, f"English in the language {name}: {texts & foreign}"
            holes = [text for text in texts if re.search(r"undefined|\{\w+\}", text)]
            assert not holes, holes
            browser.screenshot(folder / f"page-{name}.png")
        browser.call("Page.navigate", url=f"{viewer.url}&lang=de")
        browser.until("typeof app !== 'undefined' && app.frame && document.documentElement.lang === 'de'")
    browser.call("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage="en")
    say(f"{len(table)} texts are in {len(names)} languages, which the browser or the address chooses")
