// The view: how agents are drawn, and when.

/** The quantities that colours can show in this world: names and titles. */
function colourings(world) {
  const columns = [...new Set(world.species.flatMap(({ columns }) => columns))];
  const states = world.species.some(({ states }) => states.length > 1);
  return [["heading", "heading"], ["species", "species"], ...(states ? [["state", "state"]] : []), ["speed", "speed"],
    ["neighbours", "neighbours"], ...columns.map((name) => [`column:${name}`, words(name)])];
}

function nextColour() {
  const names = colourings(app.world).map(([name]) => name);
  setColour(names[(names.indexOf(app.colour) + 1) % names.length]);
}

/** Changes the meaning of colours. The engine sends the values of all but two. */
function setColour(name) {
  app.colour = name;
  element("colour").value = name;
  app.send({ do: "colour", by: name });
  app.redraw();
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
  const size = make("input", { id: "size", type: "range", min: 0.4, max: 3, step: 0.1, value: app.drawing?.size ?? 1 });
  size.oninput = () => { app.size = size.valueAsNumber; app.redraw(); };
  const row = (name, input) => make("div", { className: "row" }, make("label", { htmlFor: input.id }, name), make("span"), input);
  return [make("h2", {}, "View"),
    row("Colour", choice("colour", colourings(app.world), app.colour, setColour)),
    row("Agents", choice("style", [["auto", "automatic"], ["arrows", "arrows"], ["points", "points"]], app.style, (style) => (app.style = style))),
    row("Trails", choice("trails", [["0", "none"], ["0.9", "short"], ["0.97", "long"]], String(app.keep), (keep) => (app.keep = Number(keep)))),
    row("Density map", flag("density", app.density, (density) => (app.density = density))),
    ...(app.world.recorded ? [] : [row("Forces on agents", flag("forces-shown", Boolean(app.pace.forces), (on) => app.send({ do: "forces", on })))]),
    row("Size", size)];
}

/** Whether agents are drawn as points: as chosen, or because arrows would be slow here. */
function asPoints() {
  return app.style === "points" || !app.drawing || (app.style === "auto" && app.slow);
}

/** Measures the pace of drawing. Below twenty frames a second, arrows give way to points. */
function measurePace(now) {
  if (app.drewArrows && app.lastPaint) {
    const interval = Math.min(1000, now - app.lastPaint);
    app.interval = app.interval === null ? interval : app.interval * 0.7 + interval * 0.3;
    app.measured += 1;
    if (app.measured >= 4 && app.interval > 50 && app.frame?.agents > 3000) app.slow = true;
  }
  app.lastPaint = now;
}

/** Draws the agents, their trails or their density. */
function paintAgents() {
  const { frame, camera, raster, drawing } = app;
  const shade = frame?.valueBytes || ["species", "heading"].includes(app.colour) ? app.colour : "species";
  app.drewArrows = false;
  if (!frame || frame.agents === 0) {
    raster.clear();
    drawing?.clear();
  } else if (app.density) {
    drawing?.clear();
    app.densest = raster.density(frame, camera);
  } else if (asPoints()) {
    drawing?.clear();
    if (app.keep) raster.trail(frame, camera, shade, app.keep);
    else raster.points(frame, camera, shade, app.size);
  } else {
    if (app.keep) raster.trail(frame, camera, shade, app.keep);
    else if (raster.used) raster.clear();
    drawing.size = app.size;
    drawing.draw(frame, camera, shade);
    app.drewArrows = true;
  }
  raster.used = app.density || asPoints() || app.keep > 0;
}

function resize() {
  const { clientWidth: width, clientHeight: height } = element("stage"), ratio = devicePixelRatio || 1;
  app.camera.resize(width, height);
  app.drawing?.resize(width, height, ratio);
  app.raster.resize(width, height);
  app.overlay.resize(width, height, ratio);
  app.redraw();
}

function paint(now) {
  requestAnimationFrame(paint);
  measurePace(now);
  if (app.redrawAgents) {
    app.redrawAgents = false;
    const start = performance.now();
    if (app.following && app.watched) app.camera.focus = [...app.watched.position, 0].slice(0, 3);
    paintAgents();
    if (app.redrawOverlay || app.frame?.forces) app.overlay.draw(app);
    app.redrawOverlay = false;
    if (app.film) compose(app, app.film.canvas);
    app.legend.show();
    app.paintMs = app.paintMs * 0.9 + (performance.now() - start) * 0.1;
  }
  if (app.arrived) app.drawn += 1;
  for (; app.arrived > 0; app.arrived--) app.link.drawn();
}

function theme(light) {
  Colours.light = light;
  document.documentElement.classList.toggle("light", light);
  if (app.world) app.panel.show(app.world);
  app.charts.draw();
  app.inspector.show();
  app.redraw();
}
