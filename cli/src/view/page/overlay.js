// The overlay: the edge of the world, obstacles, marks and paths, and the forces on the selected agent.
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
    this.edge(app.world);
    this.flows(app.world);
    this.scenery(app);
    if (app.frame?.forces) this.forces(app.frame);
    if (app.handles.chosen) this.handle(app.handles.place());
    if (app.watched) this.selection(app);
    const radius = app.tools.radius(), at = app.tools.pointer;
    if (radius && at) {
      c.setLineDash([4, 4]);
      this.ring(app.camera.ground(at.x, at.y), radius, Colours.selected);
      c.setLineDash([]);
    }
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

  scenery(app) {
    const { context: c } = this;
    const { obstacles = [], walls = [], marks = [], regions = [] } = app.scenery;
    for (const [centre, radius] of obstacles) this.ring(centre, radius, Colours.selected, Colours.obstacle);
    for (const { edges, disc } of walls) {
      if (disc) this.ring(disc[0], disc[1], Colours.selected, Colours.obstacle);
      for (const edge of edges) this.line(edge);
    }
    c.setLineDash([3, 5]);
    for (const region of regions) {
      if (region?.radius) this.ring(region.centre, region.radius, Colours.soft);
      else if (region) this.box(region);
    }
    c.setLineDash([]);
    for (const mark of marks) this.cross(mark.at, mark.name);
    for (const { parameter, label } of app.parameters()) {
      if (parameter.form === "target" && Array.isArray(parameter.value)) this.cross(parameter.value, label);
      if (parameter.form === "points" && parameter.value?.length) this.path(parameter.value);
    }
  }

  /** Arrows along the flow fields. */
  flows({ flows = [] }) {
    const { context: c } = this;
    c.strokeStyle = c.fillStyle = Colours.soft;
    c.globalAlpha = 0.4;
    c.lineWidth = 1;
    c.beginPath();
    for (const [from, to] of flows) {
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

  ring(centre, radius, stroke, fill) {
    const { context: c } = this;
    const at = this.camera.project(centre);
    if (!at.visible) return;
    c.beginPath();
    c.arc(at.x, at.y, Math.max(1, radius * at.scale), 0, 2 * Math.PI);
    if (fill) {
      c.globalAlpha = 0.8;
      c.fillStyle = fill;
      c.fill();
      c.globalAlpha = 1;
    }
    c.strokeStyle = stroke;
    c.lineWidth = 1.2;
    c.stroke();
  }

  box({ centre, half }) {
    const low = this.camera.project(centre.map((at, axis) => at - half[axis]));
    const high = this.camera.project(centre.map((at, axis) => at + half[axis]));
    this.context.strokeStyle = Colours.soft;
    this.context.strokeRect(Math.min(low.x, high.x), Math.min(low.y, high.y), Math.abs(high.x - low.x), Math.abs(high.y - low.y));
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
    c.strokeStyle = Colours.ground;
    c.lineWidth = 3;
    c.lineJoin = "round";
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
    [c.strokeStyle, c.lineWidth] = [ink, 1.5];
  }

  line(points) {
    const { context: c } = this;
    const seen = points.map((point) => this.camera.project(point)).filter(({ visible }) => visible);
    c.strokeStyle = Colours.selected;
    c.lineWidth = 2;
    c.beginPath();
    seen.forEach(({ x, y }) => c.lineTo(x, y));
    c.stroke();
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

  /** Draws the selected agent: fields of view, neighbours, and the force of each rule. */
  selection(app) {
    const { context: c } = this;
    const { position, why } = app.watched;
    const at = this.camera.project(position);
    if (!at.visible) return;
    if (why?.offsets) {
      const [right, up] = this.camera.axes();
      const flat = (v) => {
        const dot = (a) => a[0] * v[0] + a[1] * v[1] + a[2] * (v[2] || 0);
        return { x: dot(right), y: -dot(up) };
      };
      this.views(at, why, flat);
      c.strokeStyle = Colours.selected;
      c.lineWidth = 1;
      for (const offset of why.offsets) {
        const end = this.camera.project(position.map((value, axis) => value + (offset[axis] || 0)));
        c.globalAlpha = 0.35;
        c.beginPath();
        c.moveTo(at.x, at.y);
        c.lineTo(end.x, end.y);
        c.stroke();
        c.globalAlpha = 0.9;
        c.beginPath();
        c.arc(end.x, end.y, 3.5, 0, 2 * Math.PI);
        c.stroke();
      }
      c.globalAlpha = 1;
      // One scale for all forces: the largest is 90 pixels long.
      const forces = why.contributions.map(({ force }) => force);
      const most = Math.max(1e-9, ...[...forces, why.steering].map((force) => Math.hypot(...force)));
      const arrow = (force, colour, width) => {
        const { x, y } = flat(force);
        this.arrow(at, (x / most) * 90, (y / most) * 90, colour, width);
      };
      arrow(why.steering, Colours.selected, 4);
      forces.forEach((force, rule) => arrow(force, Colours.rule(rule), 2.4));
    }
    c.strokeStyle = Colours.selected;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(at.x, at.y, 9, 0, 2 * Math.PI);
    c.stroke();
  }

  views(at, why, flat) {
    const { context: c } = this;
    const ahead = flat(why.velocity), heading = Math.atan2(ahead.y, ahead.x);
    const wide = why.velocity.length === 3 || Math.hypot(...why.velocity) === 0;
    why.views.forEach(({ radius, fov }) => {
      const half = wide || fov >= 360 ? Math.PI : (fov / 2) * (Math.PI / 180);
      c.beginPath();
      if (half < Math.PI) c.moveTo(at.x, at.y);
      c.arc(at.x, at.y, radius * at.scale, heading - half, heading + half);
      c.closePath();
      c.fillStyle = c.strokeStyle = Colours.selected;
      c.globalAlpha = 0.05;
      c.fill();
      c.globalAlpha = 0.4;
      c.lineWidth = 1;
      c.stroke();
      c.globalAlpha = 1;
    });
  }

  arrow(from, dx, dy, colour, width) {
    const { context: c } = this;
    const length = Math.hypot(dx, dy);
    if (length < 2) return;
    const [ux, uy] = [dx / length, dy / length], head = Math.min(length, 4 + 2 * width);
    const [x, y] = [from.x + dx, from.y + dy], [bx, by] = [x - ux * head, y - uy * head];
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(from.x, from.y);
    c.lineTo(bx, by);
    c.stroke();
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(bx - uy * head * 0.45, by + ux * head * 0.45);
    c.lineTo(bx + uy * head * 0.45, by - ux * head * 0.45);
    c.fill();
  }
}
