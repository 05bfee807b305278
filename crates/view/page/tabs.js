// The panel and its tabs.
const TABS = [...(Channel.inside ? [["worlds", say("tabWorlds")]] : []), ["adjust", say("tabAdjust")], ["view-settings", say("tabView")],
  ["charts", say("tabCharts")], ["inspector", say("tabAgent")]];

class Tabs {
  constructor(app, list) {
    this.app = app;
    this.buttons = TABS.map(([id, name]) => make("button", { id: `tab-${id}`, role: "tab", "aria-controls": id, onclick: () => this.show(id) }, name));
    list.append(...this.buttons);
    TABS.forEach(([id]) => element(id).setAttribute("aria-labelledby", `tab-${id}`));
    list.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = this.buttons.indexOf(document.activeElement);
      if (!step || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (at + step + TABS.length) % TABS.length;
      this.show(TABS[next][0]);
      this.buttons[next].focus();
    };
    this.show(TABS[0][0]);
  }

  show(wanted) {
    this.current = wanted;
    TABS.forEach(([id], number) => {
      element(id).hidden = id !== wanted;
      this.buttons[number].ariaSelected = String(id === wanted);
      this.buttons[number].tabIndex = id === wanted ? 0 : -1;
    });
    // Numbers that were lost with frames are in the samples of the engine.
    if (wanted === "charts" && this.app.link?.dropped > 0) this.app.send({ do: "hello" });
    this.app.charts?.draw();
  }
}

/** Opens or closes the panel. */
function showPanel(open) {
  document.body.classList.toggle("panel", open);
  element("panel").ariaExpanded = String(open);
  resize();
  app.charts.draw();
}
