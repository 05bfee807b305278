// The camera: from above with pan and zoom in 2D, around a point in 3D. One projection serves both.
class Camera {
  constructor() {
    this.size = [1, 1];
    this.dimensions = 2;
    this.fit([1, 1]);
  }

  /** Shows the whole world, from its lowest corner. */
  fit(size, low = [0, 0, 0]) {
    this.dimensions = size.length;
    this.world = size;
    this.focus = [0, 1, 2].map((axis) => (axis < size.length ? low[axis] + size[axis] / 2 : 0));
    this.zoom = 1;
    this.turn = 0.58;
    this.tilt = 0.3;
  }

  resize(width, height) {
    this.size = [Math.max(1, width), Math.max(1, height)];
  }

  /** Pixels per metre at the focus. */
  get scale() {
    const [width, height] = this.size;
    if (this.dimensions === 2) return this.zoom * 0.96 * Math.min(width / this.world[0], height / this.world[1]);
    return (this.zoom * 0.82 * Math.min(width, height * 1.5)) / Math.hypot(...this.world);
  }

  /** The directions right, up and forward, in the world's axes. */
  axes() {
    if (this.dimensions === 2) return [[1, 0, 0], [0, 1, 0], [0, 0, -1]];
    const [c, s, ct, st] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    return [[c, -s, 0], [s * st, c * st, ct], [s * ct, c * ct, -st]];
  }

  /** The distance of the eye from the focus in 3D, in metres. */
  get distance() {
    return (2.4 * Math.hypot(...this.world)) / 2 / this.zoom;
  }

  /** Half of the diagonal of the world, in metres. */
  get reach() {
    return Math.hypot(...this.world) / 2;
  }

  /** Projects a point to the canvas: x and y in pixels, depth relative to the focus, and pixels per metre there. */
  project(point) {
    const [right, up, forward] = this.axes();
    const offset = [0, 1, 2].map((axis) => (point[axis] || 0) - this.focus[axis]);
    const dot = (a) => a[0] * offset[0] + a[1] * offset[1] + a[2] * offset[2];
    const depth = dot(forward);
    const scale = this.dimensions === 2 ? this.scale : this.scale * this.distance / Math.max(1e-3, this.distance + depth);
    const visible = this.dimensions === 2 || this.distance + depth > 1e-3;
    return { x: this.size[0] / 2 + dot(right) * scale, y: this.size[1] / 2 - dot(up) * scale, depth, scale, visible };
  }

  /** The point of the world under a point of the canvas; in 3D, at the height of the focus. */
  ground(x, y) {
    const across = (x - this.size[0] / 2) / this.scale, along = (this.size[1] / 2 - y) / this.scale;
    if (this.dimensions === 2) return [this.focus[0] + across, this.focus[1] + along];
    const [right, up, forward] = this.axes();
    const eye = [0, 1, 2].map((axis) => -forward[axis] * this.distance);
    const ray = [0, 1, 2].map((axis) => forward[axis] * this.distance + right[axis] * across + up[axis] * along);
    const reach = ray[2] < -1e-6 ? -eye[2] / ray[2] : 1;
    return [0, 1, 2].map((axis) => this.focus[axis] + eye[axis] + ray[axis] * reach);
  }

  pan(dx, dy) {
    const [right, up] = this.axes();
    for (let axis = 0; axis < this.dimensions; axis++) {
      this.focus[axis] -= (right[axis] * dx - up[axis] * dy) / this.scale;
    }
  }

  orbit(dx, dy) {
    this.turn += dx * 0.006;
    this.tilt = Math.min(1.5, Math.max(-1.5, this.tilt + dy * 0.006));
  }

  /** Zooms around the pointer. */
  zoomAt(factor, x, y) {
    const before = this.ground(x, y);
    this.zoom = Math.min(400, Math.max(0.2, this.zoom * factor));
    if (this.dimensions === 2) {
      const after = this.ground(x, y);
      for (let axis = 0; axis < 2; axis++) this.focus[axis] += before[axis] - after[axis];
    }
  }

  /** The uniforms of the shader. */
  uniforms() {
    const [right, up, forward] = this.axes();
    return {
      right, up, forward, focus: this.focus, scale: this.scale,
      distance: this.dimensions === 2 ? 0 : this.distance,
      size: this.size,
    };
  }
}
