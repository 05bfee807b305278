// The overlay: the edge of the world, fields, marks and paths, forces, and what the tools show.
class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
  }

  draw(app) {
    const { context: c } = this;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!app.world) return;
    this.camera = app.camera;
    if (Background.scene !== "plan") this.edge(app.world);
    if (app.fields) this.arrows(app.world.flows, [Colours.soft, 0.4, 1]);
    this.arrows(app.scenery.links, [Colours.entry, 0.9, 1.5]);
    this.items(app);
    writeLabels(c, app.plan.labels, app.camera);
    if (app.frame?.forces) this.forces(app.frame);
    if (app.handles.chosen) this.handle(app.handles.place());
    if (app.watched) new Selection(c, app.camera).draw(app.watched);
    this.tool(app.tools);
  }

  /** What the tool would do at the pointer. */
  tool(tools) {
    const { context: c } = this, radius = tools.radius(), at = tools.pointer, drawn = tools.drawn;
    if (drawn) {
      const [a, b] = [this.camera.project(drawn.from), this.camera.project(drawn.to)];
      Object.assign(c, { strokeStyle: Colours.mark, lineWidth: 3 });
      c.beginPath();
      c.moveTo(a.x, a.y);
      c.lineTo(b.x, b.y);
      c.stroke();
      const metres = Math.hypot(drawn.to[0] - drawn.from[0], drawn.to[1] - drawn.from[1]);
      c.fillStyle = Colours.mark;
      this.text(`${short(metres)} m`, b.x + 10, b.y - 8);
    }
    if (radius && at) {
      c.setLineDash([4, 4]);
      this.ring(this.camera.ground(at.x, at.y), radius, tools.falcon ? Colours.closed : Colours.selected);
      c.setLineDash([]);
    }
    if (tools.falcon && at) this.bird(at.x, at.y);
  }

  /** A bird of prey at the pointer. */
  bird(x, y) {
    const { context: c } = this;
    c.save();
    c.translate(x, y);
    c.scale(1.5, 1.5);
    Object.assign(c, { fillStyle: Colours.closed, strokeStyle: Colours.light ? "#fff" : "#000", lineWidth: 0.8 });
    c.fill(new Path2D("M0-9 2-4 14 0 13 2 3 2 4 8 0 6-4 8-3 2-13 2-14 0-2-4z"));
    c.stroke(new Path2D("M0-9 2-4 14 0 13 2 3 2 4 8 0 6-4 8-3 2-13 2-14 0-2-4z"));
    c.restore();
  }

  edge({ size, low = [0, 0, 0] }) {
    const { context: c } = this;
    const corners = [...Array(2 ** size.length).keys()];
    const at = (corner) => this.camera.project(size.map((length, axis) => low[axis] + ((corner >> axis) & 1 ? length : 0)));
    c.strokeStyle = Colours.edge;
    c.lineWidth = 1;
    c.beginPath();
    for (const from of corners) {
      for (const to of size.map((_, axis) => from | (1 << axis)).filter((to) => to !== from)) {
        const [a, b] = [at(from), at(to)];
        if (!a.visible || !b.visible) continue;
        c.moveTo(a.x, a.y);
        c.lineTo(b.x, b.y);
      }
    }
    c.stroke();
  }

  items(app) {
    for (const mark of app.scenery.marks ?? []) this.cross(mark.at, mark.name);
    for (const { parameter, label, species } of app.parameters()) {
      // Agents with goals of their own do not go to the target of the rule.
      const aims = parameter.form === "target" && Array.isArray(parameter.value) && !app.world.species[species].goals;
      if (aims) this.cross(parameter.value, label);
      if (parameter.form === "points" && parameter.value?.length) this.path(parameter.value);
    }
  }

  /** Arrows: along the flow fields, and from end to end of links. */
  arrows(lines = [], [colour, opacity, width]) {
    const { context: c } = this;
    c.strokeStyle = colour;
    c.globalAlpha = opacity;
    c.lineWidth = width;
    c.beginPath();
    for (const [from, to] of lines) {
      const [a, b] = [this.camera.project(from), this.camera.project(to)];
      if (!a.visible || !b.visible) continue;
      c.moveTo(a.x, a.y);
      c.lineTo(b.x, b.y);
      const [x, y] = [a.x - b.x, a.y - b.y], share = Math.min(1 / 3, 6 / Math.hypot(x, y));
      for (const aside of [0.5, -0.5]) {
        c.moveTo(b.x, b.y);
        c.lineTo(b.x + share * (0.87 * x - aside * y), b.y + share * (0.87 * y + aside * x));
      }
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  /** The forces of the last tick on a sample of agents, on one scale. */
  forces(frame) {
    const { context: c } = this, { dimensions: d, forces, stride } = frame, [right, up] = this.camera.axes();
    c.strokeStyle = Colours.mark;
    c.lineWidth = 1.2;
    c.beginPath();
    for (let number = 0; number * d < forces.length; number++) {
      const at = this.camera.project(positionOf(frame, number * stride));
      if (!at.visible) continue;
      const force = [0, 1, 2].map((axis) => (axis < d ? forces[number * d + axis] / 127 : 0));
      const dot = (axis) => axis[0] * force[0] + axis[1] * force[1] + axis[2] * force[2];
      c.moveTo(at.x, at.y);
      c.lineTo(at.x + dot(right) * 40, at.y - dot(up) * 40);
    }
    c.stroke();
  }

  /** Marks the chosen item of the environment. */
  handle(place) {
    if (!place) return;
    const { context: c } = this, { x, y, scale } = this.camera.project(place.at);
    c.strokeStyle = Colours.selected;
    c.lineWidth = 1.5;
    c.setLineDash([3, 3]);
    const half = Math.max(10, (place.radius ?? 0) * scale + 4);
    c.strokeRect(x - half, y - half, 2 * half, 2 * half);
    c.setLineDash([]);
  }

  ring(centre, radius, stroke) {
    const { context: c } = this;
    const at = this.camera.project(centre);
    if (!at.visible) return;
    c.beginPath();
    c.arc(at.x, at.y, Math.max(1, radius * at.scale), 0, 2 * Math.PI);
    c.strokeStyle = stroke;
    c.lineWidth = 1.2;
    c.stroke();
  }

  cross(point, label) {
    const { context: c } = this;
    const { x, y, visible } = this.camera.project(point);
    if (!visible) return;
    c.strokeStyle = c.fillStyle = Colours.mark;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, 7, 0, 2 * Math.PI);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      c.moveTo(x + 4 * dx, y + 4 * dy);
      c.lineTo(x + 11 * dx, y + 11 * dy);
    }
    c.stroke();
    this.text(label, x + 13, y - 8);
  }

  /** Writes a text in the present colour, with a halo that keeps it readable above agents. */
  text(text, x, y) {
    const { context: c } = this, ink = c.strokeStyle;
    c.font = "11px system-ui, sans-serif";
    c.strokeStyle = Background.far;
    c.lineWidth = 3;
    c.lineJoin = "round";
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
    [c.strokeStyle, c.lineWidth] = [ink, 1.5];
  }

  path(points) {
    const { context: c } = this;
    const seen = points.map((point) => this.camera.project(point)).filter(({ visible }) => visible);
    c.strokeStyle = c.fillStyle = Colours.mark;
    c.lineWidth = 1.5;
    c.beginPath();
    seen.forEach(({ x, y }) => c.lineTo(x, y));
    c.stroke();
    seen.forEach(({ x, y }, number) => {
      c.beginPath();
      c.arc(x, y, 4, 0, 2 * Math.PI);
      c.fill();
      this.text(String(number + 1), x + 7, y - 6);
    });
  }
}
