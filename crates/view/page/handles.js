// The items of the environment that can be dragged, resized and removed one by one: obstacles, marks, targets, waypoints
// and walls.
class Handles {
  constructor(app) {
    this.app = app;
    this.chosen = null;
  }

  /** All items: the name and the place of each, and the commands that move, resize and remove it. */
  all() {
    if (this.app.world?.recorded) return [];
    const { app } = this, { obstacles = [], walls = [], marks = [] } = app.scenery, send = (command) => app.send(command);
    const items = obstacles.map(([at, radius], number) => ({
      key: say("itemObstacle", { number: number + 1 }), at, radius,
      move: (point) => send({ do: "obstacle", number, point, radius: this.place()?.radius ?? radius }),
      resize: (radius) => send({ do: "obstacle", number, point: this.place()?.at ?? at, radius }),
      remove: () => send({ do: "remove_obstacle", number }),
    }));
    items.push(...marks.map(({ name, at }) => ({ key: say("itemMark", { name }), at, move: (point) => send({ do: "mark", name, point }) })));
    for (const { species, rule, parameter, label } of app.parameters()) {
      const set = (value) => send({ do: "set", species, rule, name: parameter.name, value });
      if (parameter.form === "target" && Array.isArray(parameter.value)) items.push({ key: say("itemTarget", { name: label }), at: parameter.value, move: set });
      if (parameter.form === "points") {
        const points = parameter.value ?? [];
        items.push(...points.map((at, number) => ({
          key: say("itemWaypoint", { number: number + 1, name: label }), at,
          move: (point) => set(points.map((old, other) => (other === number ? point : old))),
          remove: points.length > 2 ? () => set(points.filter((_, other) => other !== number)) : undefined,
        })));
      }
    }
    items.push(...walls.map(({ number, edges, disc, at }) => ({
      key: say("itemWall", { number: number + 1 }), at, edges, disc,
      move: (point) => send({ do: "wall", number, point }), remove: () => send({ do: "remove_wall", number }),
    })));
    return items;
  }

  /** The chosen item at its present place. */
  place() {
    return this.chosen && this.all().find(({ key }) => key === this.chosen);
  }

  choose(key) {
    this.chosen = key;
    this.app.tools.showOptions();
    this.app.redraw();
  }

  /** Chooses the next item, for keyboards. */
  next() {
    const items = this.all(), at = items.findIndex(({ key }) => key === this.chosen);
    if (items.length) this.choose(items[(at + 1) % items.length].key);
  }

  remove() {
    const item = this.place();
    if (!item?.remove) return;
    item.remove();
    this.app.send({ do: "done" });
    this.choose(null);
  }

  /** Starts a drag if an item is under the pointer; returns whether one is. */
  grab(x, y) {
    const { camera } = this.app;
    for (const item of this.all()) {
      const seen = camera.project(item.at), off = Math.hypot(seen.x - x, seen.y - y);
      if (!seen.visible) continue;
      const size = item.radius === undefined ? 0 : item.radius * seen.scale;
      const onEdge = item.resize && Math.abs(off - size) < 6;
      if (!onEdge && off > Math.max(11, size) && !this.near(item, x, y)) continue;
      const ground = camera.ground(x, y);
      this.drag = { item, resize: onEdge && size > 14, from: item.at.map((at, axis) => at - ground[axis]) };
      this.choose(item.key);
      return true;
    }
    if (this.chosen) this.choose(null);
    return false;
  }

  /** Whether a point of the canvas is near an edge of a wall. */
  near({ edges = [], disc }, x, y) {
    const { camera } = this.app;
    if (disc) {
      const { x: cx, y: cy, scale } = camera.project(disc[0]);
      return Math.hypot(cx - x, cy - y) < disc[1] * scale;
    }
    return edges.some(([from, to]) => {
      const [a, b] = [camera.project(from), camera.project(to)], length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      const along = Math.min(1, Math.max(0, ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length ** 2));
      return Math.hypot(a.x + along * (b.x - a.x) - x, a.y + along * (b.y - a.y) - y) < 6;
    });
  }

  /** Moves or resizes the grabbed item to the pointer. */
  pull(x, y) {
    const { item, resize, from } = this.drag, ground = this.app.camera.ground(x, y);
    if (resize) item.resize(Math.max(1e-3, Math.hypot(...item.at.map((at, axis) => at - ground[axis]))));
    else item.move(item.at.map((_, axis) => ground[axis] + from[axis]));
  }

  drop() {
    this.drag = null;
    this.app.send({ do: "done" });
  }

  /** Moves the chosen item by a share of the world; returns whether there is one. */
  nudge(dx, dy) {
    const item = this.place();
    if (!item) return false;
    const step = Math.min(...this.app.world.size) / 100, [right, up] = this.app.camera.axes();
    item.move(item.at.map((at, axis) => at + step * (dx * right[axis] - dy * up[axis])));
    return true;
  }
}
