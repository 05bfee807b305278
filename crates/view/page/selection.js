// The selected agent on the stage: its fields of view, its neighbours, and the force of each rule.
class Selection {
  constructor(context, camera) {
    Object.assign(this, { context, camera });
  }

  draw({ position, why }) {
    const { context: c } = this;
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
