// The state of the page: messages from the engine, buttons and the start.
const app = {
  world: null, scenery: {}, numbers: {}, pace: { playing: true, times: 1 },
  frame: null, watched: null, following: false, colour: null, style: "auto", trail: 0, density: false, size: 1,
  background: "automatic", orbiting: false,
  arrived: 0, drawn: 0, rate: 0, skipped: 0, paintMs: 0, interval: null, measured: 0, slow: false,
  redrawAgents: true, redrawOverlay: true, lost: false, figures: false, film: null,
  camera: new Camera(), motion: new Motion(), densities: new Density(), paintAgents,

  send(command) { this.link.send(command); },
  /** Requests a redraw of agents and overlay. A new frame by itself redraws the overlay only if an agent is selected. */
  redraw() { this.redrawAgents = this.redrawOverlay = true; },

  /** Every parameter of every rule, with its species and rule. */
  parameters() {
    return (this.world?.species ?? []).flatMap(({ name, rules }, species) => rules.flatMap((own, rule) =>
      own.parameters.map((parameter) => ({ species, rule, parameter, label: `${name}: ${words(own.rule)}` }))));
  },

  /** Records that the view was moved by hand. */
  touched() {
    this.orbiting = false;
    this.redraw();
  },

  /** The number of the agent of the frame that is nearest to a point of the canvas, within this distance; -1 for none. */
  nearest(x, y, within) {
    let best = -1, least = within * within;
    this.raster.project(this.frame, this.camera, (left, top, _, agent) => {
      const off = (left - x) ** 2 + (top - y) ** 2;
      if (off < least) [best, least] = [agent, off];
    });
    return best;
  },

  /** Selects the agent nearest to a point of the canvas, if one is within reach. */
  pick(x, y, within = 16) {
    const { frame } = this, agent = frame ? this.nearest(x, y, within) : -1;
    if (agent < 0) return this.watch(null);
    const { back } = frame;
    frame.back = 0; // the engine knows the place of the agent at its tick
    this.send({ do: "pick", point: positionOf(frame, agent).slice(0, frame.dimensions) });
    frame.back = back;
    this.picking = true;
  },

  watch(id) {
    this.send({ do: "watch", id });
    if (id === null) {
      [this.watched, this.following] = [null, false];
      if (this.tabs.current === "inspector") this.tabs.show("adjust");
    }
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
    for (const layer of ["raster", "agents"]) if (!element(layer).hidden) c.drawImage(element(layer), 0, 0, width, height);
    return c.getImageData(0, 0, width, height).data;
  },
};

function receive(message) {
  if (message.world) {
    const first = !app.world, fresh = message.world.number !== app.world?.number;
    // An edited text may have another size.
    const other = message.world.file !== app.world?.file || String(message.world.size) !== String(app.world.size);
    app.world = message.world;
    // A mistake that was shown is mended.
    element("error").hidden = true;
    app.pace = message.world.pace;
    if (fresh) startWorld(other);
    if (first && location.hash === "#gallery") app.gallery.show();
    if (fresh) app.worlds?.start(app.world);
    if (first && location.hash !== "#gallery" && !app.worlds?.embedded) showHints();
    app.panel.show(app.world);
    app.tools.showOptions();
    app.redraw();
  }
  if (message.pace) app.pace = message.pace;
  if (message.gallery) app.gallery.add(message.gallery);
  if (message.bench !== undefined) Bench.show(message.bench);
  if (message.failed) {
    app.worlds?.report(message.failed);
    showLoss(message.failed);
  }
  // A frame may arrive before the description of the world.
  if (!app.world) return;
  if (message.samples) app.charts.restore(message.samples);
  if (message.numbers) {
    app.numbers = message.numbers;
    const { scenery } = message.numbers, marks = app.scenery.marks?.length;
    // The scenery stays the same object while nothing of it moves.
    if (JSON.stringify(scenery) !== JSON.stringify(app.scenery)) {
      app.scenery = scenery;
      app.redraw();
    }
    app.charts.add(message.numbers);
    app.worlds?.follow(message.numbers);
    if (marks !== scenery.marks.length) app.tools.refresh();
  }
  if (message.watched === null) app.watch(null);
  else if (message.watched) {
    app.place = message.watched.place;
    if (message.watched.why) {
      app.watched = { position: message.watched.why.position, ...app.watched, why: message.watched.why };
      app.inspector.show();
      if (app.picking) app.tabs.show("inspector");
      app.picking = false;
    }
  }
  if (message.file && !app.worlds?.read(message.file)) {
    download(message.file.name, new Blob([message.file.text], { type: "application/toml" }));
    notice(say("saved", { name: message.file.name }));
  }
  if (message.recording) {
    const { name } = message.recording;
    app.link.takeFile = (bytes) => {
      download(name, new Blob([bytes]));
      notice(say("savedRecording", { name }));
    };
  }
  if (message.link) app.worlds?.share(message.link);
  if (message.error) {
    if (!app.worlds?.report(message.error)) showError(message.error);
    // A refused value is replaced by the world's.
    app.panel.show(app.world);
  }
  app.timeline.show();
}

function startWorld(other) {
  const { world } = app;
  Object.assign(app, { scenery: {}, watched: null, following: false, numbers: {}, interval: null, measured: 0, slow: other ? false : app.slow });
  app.charts.clear();
  app.motion.clear();
  app.drawing?.trails.clear();
  app.handles.chosen = null;
  document.title = `${titled(world.name)} – throng`;
  element("open-name").textContent = element("title").textContent = titled(world.name);
  element("caption").replaceChildren(...world.caption.split("\n").filter(Boolean).map((text) => make("p", { title: text }, ...prose(text))));
  element("seed").value = world.seed;
  showMissing(world);
  const names = colourings(world).map(([name]) => name);
  app.colour = !other && names.includes(app.colour) ? app.colour : usualColour(world);
  const people = world.species.some(({ person }) => person);
  // In plans, the arrows of a field would be a carpet.
  if (other) Object.assign(app, { density: false, fields: !people, background: "automatic", fresh: true });
  element("view-settings").replaceChildren(...viewSettings());
  setColour(app.colour);
  setBackground(app.background);
  app.tools.refresh();
  if (app.tabs.current === "inspector") app.tabs.show("adjust");
  app.inspector.show();
  if (other) openView(world);
  app.redraw();
}

/** The first view of a world: a flat one without edges fills the window, one in space turns. */
function openView(world) {
  app.camera.fit(world.size, world.low);
  const fills = world.dimensions === 2 && world.edge.every((edge) => edge === "wrap") && Background.scene !== "plan";
  if (fills) app.camera.cover();
  app.orbiting = world.dimensions === 3;
}

/** Adapts the view to the first frame of a world: small flocks have trails. */
function adapt(frame) {
  app.fresh = false;
  const people = app.world.species.some(({ person }) => person);
  setTrails(frame.agents <= 5000 && !people && app.drawing ? 1 : 0);
  app.camera.body = 2 * Math.max(0, ...frame.radii);
  if (!app.camera.covering && frame.agents > 0) fitCrowd(frame, isOpen(app.world) ? Infinity : 0.35);
}

/** Turns off the controls that a recorded world or one of another program lacks, and gives the reason; turns on the others. */
function showMissing({ recorded, hosted }) {
  for (const id of ["open", "reset", "seed", "save", "recording", "undo", "redo", "restart", "time"]) {
    const control = element(id), reason = hosted ?? (["restart", "time"].includes(id) ? undefined : recorded);
    control.dataset.title ??= control.title;
    control.disabled = Boolean(reason) || ["undo", "redo"].includes(id);
    control.title = reason ?? control.dataset.title;
  }
}

function receiveFrame(frame) {
  app.arrived += 1;
  if (frame.world !== app.world?.number) return app.send({ do: "hello" });
  if (app.arrived > 1) app.skipped += 1;
  app.motion.add(frame, app.world);
  app.frame = frame;
  if (app.fresh) adapt(frame);
  frame.back = remaining(frame, app.pace, app.world, performance.now());
  app.drawing?.trails.add(frame, trailTicks(), app.trail ? app.raster.palette(frame, app.camera, shadeOf(frame)) : null);
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

try {
  app.drawing = new Drawing(element("agents"));
} catch {
  // Without WebGL 2, agents are points.
  app.drawing = null;
}
app.raster = new Raster(element("raster"));
app.plan = new Plan(element("ground"));
app.overlay = new Overlay(element("overlay"));
app.legend = new Legend(element("legend"), app);
app.charts = new Charts(element("charts"), app);
app.panel = new Panel(element("rules"), (command) => app.send(command));
app.inspector = new Inspector(element("inspector"), app);
app.handles = new Handles(app);
app.tools = new Tools(app, element("overlay"), element("tools"), element("options"));
app.pointer = new Pointer(app, element("overlay"));
app.tabs = new Tabs(app, element("tabs"));
app.timeline = new Timeline(app);
app.gallery = new Gallery(app);
if (Channel.inside) app.worlds = new Worlds(app);
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
element("recording").onclick = () => app.send({ do: "recording" });
element("picture").onclick = () => savePicture(app);
element("film").onclick = () => toggleFilm(app);
element("theme").onclick = () => theme(!Colours.light);
element("help").onclick = showHelp;
element("figures").onclick = () => showFigures(!app.figures);
element("panel").onclick = () => showPanel(!document.body.classList.contains("panel"));
for (const menu of document.querySelectorAll(".menu")) {
  menu.onclick = (event) => { if (event.target.matches("button")) menu.hidePopover(); };
}
element("error-close").onclick = () => (element("error").hidden = true);
element("lost-again").onclick = tryAgain;
addEventListener("keydown", key);
addEventListener("pointerdown", () => (app.pointed = true), true);
addEventListener("click", release);
addEventListener("change", release);
new ResizeObserver(resize).observe(element("stage"));
theme(matchMedia("(prefers-color-scheme: light)").matches);
const narrow = matchMedia("(max-width: 699px)");
narrow.onchange = () => showPanel(!narrow.matches);
showPanel(!narrow.matches && !app.worlds?.embedded);
setInterval(() => { app.rate = app.drawn; app.drawn = 0; showStatus(); }, 1000);
setInterval(showStatus, 250);
requestAnimationFrame(paint);
