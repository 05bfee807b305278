// The view: colours, trails and backgrounds, and its settings.
const TRAILS = [[0, say("none")], [1, say("short")], [3, say("long")]];

/** The quantities that colours can show in this world: names and titles. */
function colourings(world) {
  const columns = [...new Set(world.species.flatMap(({ columns }) => columns))];
  const states = world.species.some(({ states }) => states.length > 1);
  return [["heading", say("heading")], ["species", say("species")], ...(states ? [["state", say("state")]] : []), ["speed", say("speed")],
    ["neighbours", say("neighbours")], ...columns.map((name) => [`column:${name}`, words(name)])];
}

/** The colours of a world that is opened: as its file has it, else people by speed. */
function usualColour(world) {
  if (world.outputs?.colour) return world.outputs.colour;
  if (world.species.some(({ person }) => person) && world.species.length === 1) return "speed";
  return world.dimensions === 3 || world.species.length === 1 ? "heading" : "species";
}

function nextColour() {
  const names = colourings(app.world).map(([name]) => name);
  setColour(names[(names.indexOf(app.colour) + 1) % names.length]);
}

/** Changes the meaning of colours. The engine sends the values of all but two. */
function setColour(name) {
  app.colour = name;
  element("colour").value = name;
  app.drawing?.trails.clear();
  app.send({ do: "colour", by: name });
  app.redraw();
}

/** Changes the length of trails: none, short or long. */
function setTrails(trail) {
  app.trail = trail;
  element("trails").value = trail;
  app.redraw();
}

/** The length of trails in ticks: sixteen, or 0.8 seconds where these are more, times the wish. */
function trailTicks() {
  return app.trail * Math.max(16, Math.round(0.8 / (app.world.tick_seconds ?? 1)));
}

/** Changes the background; `automatic` is the background of the kind of scene. */
function setBackground(choice) {
  app.background = choice;
  Background.scene = choice === "automatic" ? sceneOf(app.world) : choice;
  document.body.dataset.scene = Background.scene;
  Background.show();
  app.drawing?.trails.clear();
  app.legend.shown = null;
  app.redraw();
}

function theme(light) {
  Colours.light = light;
  document.documentElement.classList.toggle("light", light);
  if (app.world) {
    setBackground(app.background);
    app.panel.show(app.world);
    app.charts.draw();
    app.inspector.show();
  }
}

/** Shows one storey of a building, by its number, or all. */
function showStorey(number) {
  const { size, low } = number === "" ? app.world : app.world.outputs.storeys[number];
  app.camera.fit(size, low);
}

/** The settings of the view. */
function viewSettings() {
  const choice = (id, options, value, change) => {
    const select = make("select", { id, onchange: () => { change(select.value); app.redraw(); } }, ...options.map(([value, text]) => make("option", { value }, text)));
    select.value = value;
    return select;
  };
  const flag = (id, checked, change) => {
    const box = make("input", { id, type: "checkbox", checked, onchange: () => { change(box.checked); app.redraw(); } });
    return box;
  };
  const size = make("input", { id: "size", type: "range", min: 0.4, max: 3, step: 0.1, value: app.size });
  size.oninput = () => { app.size = size.valueAsNumber; app.redraw(); };
  const row = (name, input) => make("div", { className: "row" }, make("label", { htmlFor: input.id }, name), make("span"), input);
  const people = app.world.species.some(({ person }) => person);
  const storeys = app.world.outputs?.storeys ?? [];
  return [
    ...(storeys.length > 1 ? [row(say("storey"), choice("storey", [["", say("all")], ...storeys.map(({ name }, number) => [number, words(name)])], "", showStorey))] : []),
    row(say("colour"), choice("colour", colourings(app.world), app.colour, setColour)),
    row(say("trails"), choice("trails", TRAILS, app.trail, (trail) => setTrails(Number(trail)))),
    ...(app.world.flows?.length ? [row(say("flowFields"), flag("fields", app.fields, (fields) => (app.fields = fields)))] : []),
    row(say("densityMap"), flag("density", app.density, (density) => (app.density = density))),
    ...(app.world.recorded ? [] : [row(say("forcesOnAgents"), flag("forces-shown", Boolean(app.pace.forces), (on) => app.send({ do: "forces", on })))]),
    row(say("background"), choice("background", ["automatic", ...Object.keys(SCENES)].map((name) => [name, say(name)]), app.background, setBackground)),
    row(say("agents"), choice("style", [["auto", say("automatic")], ["arrows", say(people ? "asBodies" : "asDarts")], ["points", say("asPoints")]], app.style, (style) => (app.style = style))),
    row(say("sizeOfDarts"), size)];
}
