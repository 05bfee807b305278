// The state of the page: handles messages from the engine, buttons and keys, and schedules drawing.
const SPEEDS = [1, 2, 5, 10, 20, 30, 60, 120, 240, 0];
const element = (id) => document.getElementById(id);

const app = {
  world: null, scenery: {}, numbers: {}, pace: { playing: true, speed: 60 },
  frame: null, watched: null, following: false, colour: null,
  arrived: 0, drawn: 0, rate: 0, skipped: 0, redrawAgents: true, redrawOverlay: true, failed: null,
  camera: new Camera(),

  send(command) { this.link.send(command); },
  /** Requests a redraw of agents and overlay. A new frame by itself redraws the overlay only if an agent is selected. */
  redraw() { this.redrawAgents = this.redrawOverlay = true; },

  /** Every parameter of every rule, with its species and rule. */
  parameters() {
    return (this.world?.species ?? []).flatMap(({ name, rules }, species) => rules.flatMap((own, rule) =>
      own.parameters.map((parameter) => ({ species, rule, parameter, label: `${name}: ${own.rule}` }))));
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
    inspect(element("inspector"), this);
    this.redraw();
  },

  follow() {
    this.following = Boolean(this.watched) && !this.following;
    inspect(element("inspector"), this);
    this.redraw();
  },

  /** Draws the agents and returns the pixels, for tests. */
  pixels() {
    this.drawing.draw(this.frame, this.camera, this.colour === "heading");
    const { gl, canvas } = this.drawing, bytes = new Uint8Array(canvas.width * canvas.height * 4);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return bytes;
  },
};

function notice(text) {
  element("notice").textContent = text;
  clearTimeout(notice.timer);
  if (text && !app.failed) notice.timer = setTimeout(() => (element("notice").textContent = ""), 8000);
}

function receive(message) {
  if (message.world) {
    const fresh = message.world.number !== app.world?.number, other = message.world.file !== app.world?.file;
    app.world = message.world;
    app.pace = message.world.pace;
    if (fresh) startWorld(other);
    app.panel.show(app.world);
    app.redraw();
  }
  if (message.pace) app.pace = message.pace;
  // A frame may arrive before the description of the world.
  if (!app.world) return;
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
      inspect(element("inspector"), app);
    }
  }
  if (message.file) download(message.file);
  if (message.error) {
    notice(message.error);
    // A refused value is replaced by the world's.
    app.panel.show(app.world);
  }
  showPace();
}

function startWorld(other) {
  const { world } = app;
  [app.scenery, app.watched, app.following] = [{}, null, false];
  app.charts.clear();
  if (other) app.camera.fit(world.size);
  app.colour = other || !app.colour ? (world.species.length > 1 ? "species" : "heading") : app.colour;
  document.title = `${world.name} – throng`;
  element("files").replaceChildren(...[...new Set([world.file, ...world.files])].sort().map((name) => make("option", { value: name }, name)));
  element("files").value = world.file;
  element("seed").value = world.seed;
  element("view-settings").replaceChildren(...viewSettings());
  app.tools.refresh();
  inspect(element("inspector"), app);
  app.redraw();
}

/** The settings of the view: the meaning of colours, and the size of agents. */
function viewSettings() {
  const choice = make("select", { id: "colour", onchange: () => { app.colour = choice.value; app.redraw(); } },
    make("option", { value: "heading" }, "heading"), make("option", { value: "species" }, "species"));
  choice.value = app.colour;
  const size = make("input", { id: "size", type: "range", min: 0.4, max: 3, step: 0.1, value: app.drawing.size });
  size.oninput = () => { app.drawing.size = size.valueAsNumber; app.redraw(); };
  const row = (name, input) => make("div", { className: "row" }, make("label", { htmlFor: input.id }, name), input);
  size.style.gridColumn = "2 / 4";
  return [make("h2", {}, "View"), row("Colour", choice), row("Size", size)];
}

function showPace() {
  const { playing, speed } = app.pace;
  element("play").textContent = playing ? "❚❚ Pause" : "▶ Play";
  element("step").disabled = false;
  const at = SPEEDS.indexOf(speed);
  if (document.activeElement !== element("speed") && at >= 0) element("speed").value = at;
  element("speed-text").textContent = speed > 0 ? `${speed} ticks/s` : "unlimited";
}

function showStatus() {
  const { numbers, frame, world } = app;
  if (!frame || !world) return;
  const fact = (name, value, warn) => make("span", warn ? { className: "warn" } : {}, `${name} `, make("b", {}, value));
  const dropped = app.link.dropped + app.skipped;
  const time = frame.tick * world.tick_seconds;
  const facts = [
    fact("tick", `${frame.tick.toLocaleString("en").replaceAll(",", "\u202f")}`), fact("time", `${time.toFixed(1)} s`),
    fact("agents", frame.agents.toLocaleString("en").replaceAll(",", "\u202f")),
    fact("engine", `${(numbers.ticks_per_second ?? 0).toFixed(0)} ticks/s`),
    fact("drawn", `${app.rate.toFixed(0)} frames/s`),
    fact("frame", `${frame.bytes.toLocaleString("en").replaceAll(",", "\u202f")} bytes`),
    fact("dropped frames", String(dropped)), fact("threads", `${world.threads} · ${world.instruction_set}`),
  ];
  if (numbers.advice) facts.push(make("span", { className: "warn" }, numbers.advice));
  if (!app.pace.playing && numbers.hash && numbers.tick === frame.tick) facts.push(fact("hash", numbers.hash));
  element("status").replaceChildren(...facts);
}

function receiveFrame(frame) {
  app.arrived += 1;
  if (frame.world !== app.world?.number) return app.send({ do: "hello" });
  if (app.arrived > 1) app.skipped += 1;
  app.frame = frame;
  if (app.watched && app.place < frame.agents) app.watched.position = positionOf(frame, app.place);
  app.redrawAgents = true;
  app.redrawOverlay ||= Boolean(app.watched);
}

function resize() {
  const { clientWidth: width, clientHeight: height } = element("stage"), ratio = devicePixelRatio || 1;
  app.camera.resize(width, height);
  app.drawing.resize(width, height, ratio);
  app.overlay.resize(width, height, ratio);
  app.redraw();
}

function paint() {
  requestAnimationFrame(paint);
  if (app.redrawAgents) {
    app.redrawAgents = false;
    if (app.following && app.watched) app.camera.focus = [...app.watched.position, 0].slice(0, 3);
    app.drawing.draw(app.frame, app.camera, app.colour === "heading");
    if (app.redrawOverlay) app.overlay.draw(app);
    app.redrawOverlay = false;
  }
  if (app.arrived) app.drawn += 1;
  for (; app.arrived > 0; app.arrived--) app.link.drawn();
}

function theme(light) {
  Colours.light = light;
  document.documentElement.classList.toggle("light", light);
  if (app.world) app.panel.show(app.world);
  app.charts.draw();
  inspect(element("inspector"), app);
  app.redraw();
}

function restart(keep) {
  const seed = element("seed").value.trim();
  app.send({ do: "reset", keep, seed: /^\d+$/.test(seed) ? seed : null });
}

function dialog(...content) {
  element("dialog-body").replaceChildren(...content);
  element("dialog").showModal();
}

function save() {
  app.send({ do: "save" });
}

/** Lets the browser save the scenario file. */
function download({ name, text }) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  notice(`Saved as ${name}: the scenario with all changes.`);
}

function showHelp() {
  const rows = [
    ["space", "play or pause"], [".", "advance by one tick"], ["R", "restart with all changes"], ["Shift R", "restart without changes"],
    ["[ ]", "slower, faster"], ...TOOLS.map(({ key, help }) => [key.toUpperCase(), help.toLowerCase()]),
    ["Enter", "use the tool in the middle of the view"], ["N", "select the agent nearest to the middle"], ["F", "follow the selected agent"], ["Escape", "clear the selection"],
    ["arrows", "move the view (in 3D: turn it; with Shift: move it)"], ["+ −", "zoom"], ["0", "show the whole world"], ["C", "colour by species or by heading"], ["D", "dark or light background"], ["S", "save the scenario with all changes"],
  ];
  dialog(make("h2", {}, "Keyboard shortcuts"), make("dl", {}, ...rows.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])),
    make("p", {}, "Dragging moves the view in 2D and turns it in 3D; with Shift or the right button it always moves the view. The wheel zooms."));
}

function arrow(dx, dy, shift) {
  if (app.camera.dimensions === 3 && !shift) app.camera.orbit(dx, dy);
  else app.camera.pan(-dx, -dy);
  app.redraw();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || element("dialog").open) return;
  const typing = event.target.matches("input[type=text], input[type=number], select");
  const moving = event.target.matches("input") && event.key.startsWith("Arrow");
  const pressing = event.target.matches("button, summary, input[type=checkbox]") && [" ", "Enter"].includes(event.key);
  if (typing || moving || pressing) return;
  const [width, height] = app.camera.size, tool = TOOLS.find((tool) => tool.key === event.key.toLowerCase());
  const actions = {
    " ": () => app.send({ do: app.pace.playing ? "pause" : "play" }), ".": () => app.send({ do: "step" }),
    r: () => restart(true), R: () => restart(false), f: () => app.follow(), Escape: () => app.watch(null),
    n: () => app.pick(width / 2, height / 2, Infinity), Enter: () => app.tools.use(width / 2, height / 2),
    "[": () => speed(-1), "]": () => speed(1), 0: () => { app.camera.fit(app.world.size); app.redraw(); },
    c: () => { app.colour = app.colour === "heading" ? "species" : "heading"; element("colour").value = app.colour; app.redraw(); },
    d: () => theme(!Colours.light), s: save, "?": showHelp,
    "+": () => { app.camera.zoomAt(1.25, width / 2, height / 2); app.redraw(); }, "-": () => { app.camera.zoomAt(0.8, width / 2, height / 2); app.redraw(); },
    ArrowLeft: () => arrow(-30, 0, event.shiftKey), ArrowRight: () => arrow(30, 0, event.shiftKey),
    ArrowUp: () => arrow(0, -30, event.shiftKey), ArrowDown: () => arrow(0, 30, event.shiftKey),
  };
  const action = actions[event.key] ?? (tool && (() => app.tools.choose(tool)));
  if (action) {
    event.preventDefault();
    action();
  }
}

function speed(more) {
  const at = Math.min(SPEEDS.length - 1, Math.max(0, Number(element("speed").value) + more));
  element("speed").value = at;
  app.send({ do: "speed", ticks: SPEEDS[at] });
}

try {
  app.drawing = new Drawing(element("agents"));
  app.overlay = new Overlay(element("overlay"));
  app.charts = new Charts(element("charts"));
  app.panel = new Panel(element("rules"), (command) => app.send(command));
  app.tools = new Tools(app, element("overlay"), element("tools"), element("options"));
  app.link = new Link({
    message: receive, frame: receiveFrame,
    closed: (reason) => { app.failed = true; notice(`The engine has stopped${reason ? `: ${reason}` : ""}. Start it again and open the address that it prints.`); },
  });
  element("play").onclick = () => app.send({ do: app.pace.playing ? "pause" : "play" });
  element("step").onclick = () => app.send({ do: "step" });
  element("speed").oninput = () => speed(0);
  element("restart").onclick = () => restart(true);
  element("reset").onclick = () => restart(false);
  element("seed").onchange = () => restart(true);
  element("files").onchange = () => app.send({ do: "open", name: element("files").value });
  element("save").onclick = save;
  element("theme").onclick = () => theme(!Colours.light);
  element("help").onclick = showHelp;
  addEventListener("keydown", key);
  new ResizeObserver(resize).observe(element("stage"));
  theme(matchMedia("(prefers-color-scheme: light)").matches);
  setInterval(() => { app.rate = app.drawn; app.drawn = 0; showStatus(); }, 1000);
  setInterval(showStatus, 200);
  requestAnimationFrame(paint);
} catch (error) {
  app.failed = true;
  notice(error.message);
}
