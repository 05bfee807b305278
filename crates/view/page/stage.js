// The stage: when it is drawn, in which layers, and which part of it controls leave free.

/** What the colour of agents shows in a frame: as chosen, if the frame has the values. */
function shadeOf(frame) {
  return frame.valueBytes || ["species", "heading"].includes(app.colour) ? app.colour : "species";
}

/** Draws the ground, and the agents with their trails, or their density. */
function paintAgents() {
  const { frame, camera, raster, drawing, world } = app, drawn = frame && frame.agents > 0 && frame.world === world?.number;
  app.drewDarts = false;
  if (world) app.plan.draw(app);
  drawing?.clear();
  const onRaster = drawn && (app.density || asPoints());
  if (!onRaster) raster.clear();
  element("raster").hidden = !onRaster;
  if (!drawn) return;
  if (app.density) {
    app.densest = app.densities.draw(raster, frame, camera, world, app.scenery.walls);
    return;
  }
  drawing?.drawTrails(frame, camera);
  if (asPoints()) return raster.points(frame, camera, shadeOf(frame), app.size, world);
  drawing.size = app.size;
  drawing.draw(frame, camera, shadeOf(frame), world);
  app.drewDarts = true;
}

/** Whether agents are drawn as points: as chosen, or because darts would be slow here. */
function asPoints() {
  return app.style === "points" || !app.drawing || (app.style === "auto" && app.slow);
}

/** Measures the pace of drawing. Below twenty frames a second, darts give way to points. */
function measurePace(now) {
  if (app.drewDarts && app.lastPaint) {
    const interval = Math.min(1000, now - app.lastPaint);
    app.interval = app.interval === null ? interval : app.interval * 0.7 + interval * 0.3;
    app.measured += 1;
    if (app.measured >= 4 && app.interval > 50 && app.frame?.agents > 3000) app.slow = true;
  }
  app.lastPaint = now;
}

/** The pixels at each edge of the window that controls cover. */
function covered() {
  const open = document.body.classList.contains("panel"), narrow = innerWidth < 700;
  if (document.body.classList.contains("embed")) return { left: 12, right: 12, top: 54, bottom: 66 };
  // The legend would cover exits of a plan.
  const below = hintsHeight() + (Background.scene === "plan" ? element("legend").offsetHeight : 0);
  if (narrow) return { left: 8, right: 8, top: 54, bottom: below + (open ? 0.35 * innerHeight + 8 : 122) };
  return { left: 62, right: open ? 352 : 12, top: 54, bottom: below + 66 };
}

function resize() {
  const { clientWidth: width, clientHeight: height } = element("stage"), ratio = devicePixelRatio || 1;
  document.body.style.setProperty("--hints", `${hintsHeight()}px`);
  app.camera.resize(width, height, covered());
  app.drawing?.resize(width, height, ratio);
  app.raster.resize(width, height);
  for (const layer of [app.plan, app.overlay]) layer.resize(width, height, ratio);
  app.redraw();
}

/** Shows the whole world; one that is open, with all its agents. */
function home() {
  app.camera.fit(app.world.size, app.world.low);
  if (element("storey")) element("storey").value = "";
  app.following = false;
  if (app.frame?.agents && isOpen(app.world)) fitCrowd(app.frame, Infinity);
  app.redraw();
}

/** Whether agents can go anywhere, so that the size of a world says little. */
function isOpen({ edge }) {
  return edge.includes("open");
}

/** Shows the agents instead of the world if they fill less than this share of it, and it has neither walls nor regions. */
function fitCrowd(frame, share) {
  const { camera, world, scenery } = app;
  if (scenery.walls?.length || scenery.regions?.length || (Background.scene === "plan" && !isOpen(world))) return;
  const ends = crowdEnds(frame), extent = ends.map(([low, high], axis) => Math.max(high - low, 0.02 * world.size[axis]));
  if (extent.some((length, axis) => length > share * world.size[axis])) return;
  ends.forEach(([low, high], axis) => (camera.focus[axis] = (low + high) / 2));
  const spans = ends.length === 3 ? Math.hypot(...extent) / Math.hypot(...world.size) : Math.max(...extent.map((length, axis) => length / world.size[axis]));
  camera.zoom = (share === Infinity ? 0.7 : 0.55) / spans;
}

/** Where the agents of all species are, on each axis. A few that are far from the others of their species do not count. */
function crowdEnds(frame) {
  const ends = app.world.size.map(() => [Infinity, -Infinity]);
  let first = 0;
  for (const count of frame.counts) {
    const step = Math.ceil(count / 2000), places = [];
    for (let agent = first; agent < first + count; agent += step) places.push(positionOf(frame, agent));
    ends.forEach((end, axis) => {
      const sorted = places.map((at) => at[axis]).sort((a, b) => a - b), last = sorted.length - 1;
      if (last < 0) return;
      end[0] = Math.min(end[0], sorted[Math.floor(0.02 * last)]);
      end[1] = Math.max(end[1], sorted[Math.ceil(0.98 * last)]);
    });
    first += count;
  }
  return ends;
}

/** Turns a world in space slowly until the stage is touched. */
function orbit(now) {
  const seconds = Math.min(0.1, (now - (app.lastTurn ?? now)) / 1000);
  app.lastTurn = now;
  if (!app.orbiting || app.camera.dimensions !== 3 || !app.pace.playing) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  app.camera.turn += 0.05 * seconds;
  app.redraw();
}

function paint(now) {
  requestAnimationFrame(paint);
  measurePace(now);
  orbit(now);
  const { frame } = app;
  if (frame && app.world) {
    const back = app.pace.playing || frame.back > 0 ? remaining(frame, app.pace, app.world, performance.now()) : 0;
    if (back !== frame.back) {
      frame.back = back;
      app.redrawAgents = true;
      app.redrawOverlay ||= Boolean(app.watched);
    }
  }
  if (app.redrawAgents) {
    app.redrawAgents = false;
    const start = performance.now();
    if (app.watched && app.place < frame?.agents) app.watched.position = positionOf(frame, app.place);
    if (app.following && app.watched) app.camera.focus = [...app.watched.position, 0].slice(0, 3);
    paintAgents();
    if (app.redrawOverlay || frame?.forces) app.overlay.draw(app);
    app.redrawOverlay = false;
    if (app.film) compose(app, app.film.canvas);
    app.legend.show();
    app.paintMs = app.paintMs * 0.9 + (performance.now() - start) * 0.1;
    app.drawn += 1;
  }
  for (; app.arrived > 0; app.arrived--) app.link.drawn();
}
