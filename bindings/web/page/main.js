// The page: one world, stepped and drawn frame by frame. It shares camera, colours, drawing, plan and overlay with
// `throng view`.
// Before these, build.sh puts the engine (`throng`), the scenarios (SCENARIOS) and the looks of pictures (LOOKS).
const options = new URLSearchParams(location.search);
const page = {
  throng,
  world: null, frame: null, playing: true,
  camera: new Camera(),
  drawing: new Drawing(element("agents")),
  overlay: new Overlay(element("overlay")),
  plan: new Plan(element("ground")),
  /** The tick at which the world stops: ?ticks=100 in the address. */
  last: options.has("ticks") ? Number(options.get("ticks")) : Infinity,
  stepped: 0, spent: 0, started: 0,
};
globalThis.page = page;
page.scene = scene;

/** Agents as the drawing reads them: see the frame of `throng view`. Places have two bytes per axis, headings one. */
function frameOf(world) {
  const { dimensions, size } = world, species = [...Array(world.speciesCount).keys()];
  const columns = species.map((number) => ["positions", "velocities"].map((column) =>
    [...Array(dimensions).keys()].map((axis) => world[column](number, axis))));
  const counts = columns.map(([[x]]) => x.length), agents = counts.reduce((sum, count) => sum + count, 0);
  const low = [0, 0, 0], high = [0, 1, 2].map((axis) => size[axis] ?? 0);
  for (const [places] of columns) {
    places.forEach((column, axis) => column.forEach((at) => {
      low[axis] = Math.min(low[axis], at);
      high[axis] = Math.max(high[axis], at);
    }));
  }
  const headings = 2 * dimensions * agents, turns = dimensions - 1;
  const buffer = new ArrayBuffer(headings + turns * agents);
  const place = new Uint16Array(buffer, 0, dimensions * agents), turn = new Uint8Array(buffer, headings);
  let agent = 0;
  for (const [places, velocities] of columns) {
    for (let row = 0; row < places[0].length; row++, agent++) {
      for (let axis = 0; axis < dimensions; axis++) {
        place[agent * dimensions + axis] = ((places[axis][row] - low[axis]) / (high[axis] - low[axis])) * 65535 + 0.5;
      }
      const [x, y, z] = velocities.map((column) => column[row]);
      turn[agent * turns] = Math.round((Math.atan2(y, x) / (2 * Math.PI)) * 256 + 256) & 255;
      if (dimensions === 3) turn[agent * turns + 1] = (Math.atan2(z, Math.hypot(x, y)) / Math.PI) * 255 + 128;
    }
  }
  const radii = counts.map((count, number) => (count > 0 ? world.radius(number, 0) : 0));
  return {
    dimensions, agents, buffer, positions: 0, headings, low, high, counts, radii,
    sizes: null, values: null, valueBytes: null, moved: null, back: 0,
  };
}

/** The world as plan and overlay of `throng view` read it, without choices and edits there. */
function scene() {
  const { camera, plan, described, scenery } = page;
  return { camera, plan, world: described, scenery, numbers: {}, handles: {}, tools: { radius: () => 0 }, parameters: () => [] };
}

/** Reads the walls that stand now. The scenery stays the same object while nothing of it changes, as the plan expects. */
function lookAround() {
  const scenery = { obstacles: page.world.discs, walls: [{ edges: page.world.edges }] };
  if (JSON.stringify(scenery) !== JSON.stringify(page.scenery)) page.scenery = scenery;
}

function start(text) {
  const next = page.throng.fromText(text);
  page.world?.free();
  page.world = next;
  // The engine does not say who is a person; the scenario's models do.
  const people = /model\s*=\s*"(orca|social_force|collision_free_speed)"/.test(text) && next.dimensions === 2;
  page.started += 1;
  page.described = {
    number: page.started, size: next.size, dimensions: next.dimensions, edge: [],
    species: next.speciesNames.map((name) => ({ name, person: people })),
  };
  Background.scene = sceneOf(page.described);
  light();
  page.camera.fit(next.size);
  element("error").hidden = true;
  element("legend").replaceChildren(...next.speciesNames.map((name, number) =>
    make("li", {}, make("span", { className: "swatch", style: { background: Colours.species(number) } }), name)));
  show();
}

/** Chooses the theme: the browser's, and paper for a plan. */
function light() {
  Colours.light = Background.scene === "plan" || matchMedia("(prefers-color-scheme: light)").matches;
}

/** Starts a text, or shows why it is refused. */
function attempt(text) {
  try {
    start(text);
  } catch (error) {
    if (error.name !== "ThrongError") throw error;
    element("error").textContent = error.message;
    element("error").hidden = false;
  }
}

/** Draws the world and shows its numbers. */
function show() {
  const { world } = page;
  page.frame = frameOf(world);
  lookAround();
  element("time").textContent = `${world.time.toFixed(2)} s`;
  element("tick").textContent = world.tick;
  element("count").textContent = world.population;
  element("hash").textContent = page.playing && world.tick < page.last ? "…" : world.stateHash();
  page.redraw = true;
}

function advance() {
  const { world } = page, began = performance.now();
  if (page.playing && world.tick < page.last) {
    // At least one tick, and as many as keep the page at 60 frames a second with time left for drawing.
    do {
      world.step();
      page.stepped += 1;
    } while (performance.now() - began < 10 && world.tick < page.last && world.time < (page.shown ?? 0) + 1 / 30);
    page.spent += performance.now() - began;
    page.shown = world.time;
    if (page.stepped >= 20) {
      element("rate").textContent = Math.round((1000 * page.stepped) / page.spent);
      [page.stepped, page.spent] = [0, 0];
    }
    show();
  }
  if (page.redraw) {
    page.redraw = false;
    light();
    Background.show();
    page.plan.draw(scene());
    page.drawing.clear();
    page.drawing.draw(page.frame, page.camera, element("heading").checked ? "heading" : "species", page.described);
    page.overlay.draw(scene());
  }
  requestAnimationFrame(advance);
}

function play(playing) {
  page.playing = playing;
  element("play").textContent = playing ? "Pause" : "Play";
  element("play").setAttribute("aria-pressed", playing);
  show();
}

new ResizeObserver(([{ contentRect: { width, height } }]) => {
  page.camera.resize(width, height, { left: 0, top: 0, right: 0, bottom: 0 });
  page.plan.resize(width, height, devicePixelRatio);
  page.drawing.resize(width, height, devicePixelRatio);
  page.overlay.resize(width, height, devicePixelRatio);
  page.redraw = true;
}).observe(element("agents"));

element("scenario").append(...Object.keys(SCENARIOS).map((name) => make("option", { value: name }, words(name))));
element("scenario").value = options.get("scenario") in SCENARIOS ? options.get("scenario") : "flock";
const chosen = () => SCENARIOS[element("scenario").value];
element("scenario").onchange = () => {
  element("text").value = chosen();
  attempt(chosen());
};
element("play").onclick = () => play(!page.playing);
element("step").onclick = () => {
  page.world.step();
  play(false);
};
element("again").onclick = () => attempt(element("text").value);
element("apply").onclick = element("again").onclick;
element("heading").onchange = () => { page.redraw = true; };
element("bar").onsubmit = (event) => event.preventDefault();

const canvas = element("overlay");
canvas.onwheel = (event) => {
  event.preventDefault();
  page.camera.zoomAt(Math.exp(-event.deltaY / 500), event.offsetX, event.offsetY);
  page.redraw = true;
};
canvas.onpointermove = (event) => {
  if (event.buttons === 0) return;
  page.camera[page.world.dimensions === 3 ? "orbit" : "pan"](event.movementX, event.movementY);
  page.redraw = true;
};

element("text").value = chosen();
element("heading").checked = /dimensions = 3/.test(chosen());
attempt(chosen());
requestAnimationFrame(advance);
