// The state of the page: messages from the engine, buttons and the start.
const app = {
  world: null, scenery: {}, numbers: {}, pace: { playing: true, speed: 60 },
  frame: null, watched: null, following: false, colour: null, style: "auto", keep: 0, density: false, size: 1,
  arrived: 0, drawn: 0, rate: 0, skipped: 0, paintMs: 0, interval: null, measured: 0, slow: false,
  redrawAgents: true, redrawOverlay: true, lost: false, figures: false, film: null,
  camera: new Camera(), paintAgents,

  send(command) { this.link.send(command); },
  /** Requests a redraw of agents and overlay. A new frame by itself redraws the overlay only if an agent is selected. */
  redraw() { this.redrawAgents = this.redrawOverlay = true; },

  /** Every parameter of every rule, with its species and rule. */
  parameters() {
    return (this.world?.species ?? []).flatMap(({ name, rules }, species) => rules.flatMap((own, rule) =>
      own.parameters.map((parameter) => ({ species, rule, parameter, label: `${name}: ${words(own.rule)}` }))));
  },

  /** Selects the agent nearest to a point of the canvas, if one is within reach. */
  pick(x, y, within = 16) {
    const { frame } = this;
    let best = null, least = within;
    for (let agent = 0; frame && agent < frame.agents; agent++) {
      const at = positionOf(frame, agent), seen = this.camera.project(at), off = Math.hypot(seen.x - x, seen.y - y);
      if (off < least && seen.visible) [best, least] = [at, off];
    }
    if (best) this.send({ do: "pick", point: best.slice(0, frame.dimensions) });
    else this.watch(null);
  },

  watch(id) {
    this.send({ do: "watch", id });
    if (id === null) [this.watched, this.following] = [null, false];
    this.inspector.show();
    this.redraw();
  },

  follow() {
    this.following = Boolean(this.watched) && !this.following;
    this.inspector.show();
    this.redraw();
  },

  /** Draws the agents and returns the pixels of all layers below the overlay, for tests. */
  pixels() {
    paintAgents();
    const { width, height } = element("raster"), c = new OffscreenCanvas(width, height).getContext("2d");
    for (const layer of ["raster", "agents"]) c.drawImage(element(layer), 0, 0, width, height);
    return c.getImageData(0, 0, width, height).data;
  },
};

function receive(message) {
  if (message.world) {
    const fresh = message.world.number !== app.world?.number, other = message.world.file !== app.world?.file;
    app.world = message.world;
    app.pace = message.world.pace;
    if (fresh) startWorld(other);
    app.panel.show(app.world);
    app.tools.showOptions();
    app.redraw();
  }
  if (message.pace) app.pace = message.pace;
  if (message.gallery) app.gallery.add(message.gallery);
  // A frame may arrive before the description of the world.
  if (!app.world) return;
  if (message.samples) app.charts.restore(message.samples);
  if (message.numbers) {
    app.numbers = message.numbers;
    const { scenery } = message.numbers, marks = app.scenery.marks?.length;
    if (JSON.stringify(scenery) !== JSON.stringify(app.scenery)) app.redraw();
    app.scenery = scenery;
    app.charts.add(message.numbers);
    if (marks !== scenery.marks.length) app.tools.refresh();
  }
  if (message.watched === null) app.watch(null);
  else if (message.watched) {
    app.place = message.watched.place;
    if (message.watched.why) {
      app.watched = { position: message.watched.why.position, ...app.watched, why: message.watched.why };
      app.inspector.show();
    }
  }
  if (message.file) {
    download(message.file.name, new Blob([message.file.text], { type: "application/toml" }));
    notice(`Saved as ${message.file.name}: the scenario with all changes.`);
  }
  if (message.error) {
    showError(message.error);
    // A refused value is replaced by the world's.
    app.panel.show(app.world);
  }
  app.timeline.show();
}

function startWorld(other) {
  const { world } = app;
  [app.scenery, app.watched, app.following, app.numbers] = [{}, null, false, {}];
  [app.interval, app.measured, app.slow] = [null, 0, other ? false : app.slow];
  app.charts.clear();
  app.handles.chosen = null;
  if (other) app.camera.fit(world.size, world.low);
  document.title = `${world.name} – throng`;
  element("open-name").textContent = world.name;
  element("title").textContent = world.name;
  element("caption").replaceChildren(...world.caption.split("\n").filter(Boolean).map((text) => make("p", {}, text)));
  element("seed").value = world.seed;
  showRecorded(world.recorded);
  const names = colourings(world).map(([name]) => name), usual = world.dimensions === 3 || world.species.length === 1 ? "heading" : "species";
  const colour = !other && names.includes(app.colour) ? app.colour : usual;
  app.colour = colour;
  element("view-settings").replaceChildren(...viewSettings());
  setColour(colour);
  app.tools.refresh();
  app.inspector.show();
  app.redraw();
}

/** Turns off what changes a world if this one is recorded, and gives the reason; turns it on if it is not. */
function showRecorded(reason) {
  for (const id of ["open", "reset", "seed", "save", "undo", "redo"]) {
    const control = element(id);
    control.dataset.title ??= control.title;
    control.disabled = Boolean(reason) || ["undo", "redo"].includes(id);
    control.title = reason ?? control.dataset.title;
  }
}

function receiveFrame(frame) {
  app.arrived += 1;
  if (frame.world !== app.world?.number) return app.send({ do: "hello" });
  if (app.arrived > 1) app.skipped += 1;
  app.frame = frame;
  if (app.watched && app.place < frame.agents) app.watched.position = positionOf(frame, app.place);
  app.redrawAgents = true;
  app.redrawOverlay ||= Boolean(app.watched);
  app.timeline.show();
}

function restart(keep) {
  const seed = element("seed").value.trim();
  app.send({ do: "reset", keep, seed: /^\d+$/.test(seed) ? seed : null });
}

function save() {
  app.send({ do: "save" });
}

/** Opens or closes the panel of a narrow window. */
function showPanel(open) {
  document.body.classList.toggle("panel", open);
  element("panel").ariaExpanded = String(open);
  element("panel").textContent = open ? "Close" : "Panel";
  app.charts.draw();
}

try {
  app.drawing = new Drawing(element("agents"));
} catch {
  // Without WebGL 2, agents are points.
  app.drawing = null;
}
app.raster = new Raster(element("raster"));
app.overlay = new Overlay(element("overlay"));
app.legend = new Legend(element("legend"), app);
app.charts = new Charts(element("charts"), app);
app.panel = new Panel(element("rules"), (command) => app.send(command));
app.inspector = new Inspector(element("inspector"), app);
app.handles = new Handles(app);
app.tools = new Tools(app, element("overlay"), element("tools"), element("options"));
app.timeline = new Timeline(app);
app.gallery = new Gallery(app);
app.link = new Link({
  message: receive, frame: receiveFrame, closed: showLoss,
  opened: () => {
    // A restarted engine numbers its worlds anew.
    Object.assign(app, { lost: false, world: null, frame: null });
    element("lost").hidden = true;
  },
});
element("restart").onclick = () => restart(true);
element("reset").onclick = () => restart(false);
element("seed").onchange = () => restart(true);
element("save").onclick = save;
element("picture").onclick = () => savePicture(app);
element("film").onclick = () => toggleFilm(app);
element("theme").onclick = () => theme(!Colours.light);
element("help").onclick = showHelp;
element("figures").onclick = () => showFigures(!app.figures);
element("panel").onclick = () => showPanel(!document.body.classList.contains("panel"));
element("error-close").onclick = () => (element("error").hidden = true);
element("lost-again").onclick = tryAgain;
addEventListener("keydown", key);
new ResizeObserver(resize).observe(element("stage"));
theme(matchMedia("(prefers-color-scheme: light)").matches);
setInterval(() => { app.rate = app.drawn; app.drawn = 0; showStatus(); }, 1000);
setInterval(showStatus, 250);
requestAnimationFrame(paint);
