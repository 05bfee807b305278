// The camera: from above with pan and zoom in 2D, around a point in 3D. One projection serves both.
const WIDEST = 40; // the least number of bodies that fit into the view, side by side

class Camera {
  constructor() {
    this.size = [1, 1];
    this.dimensions = 2;
    this.free = { left: 0, top: 0, right: 0, bottom: 0 }; // pixels at the edges of the canvas that controls cover
    this.body = 0; // the width of a body in metres
    this.fit([1, 1]);
  }

  /** Shows the whole world, from its lowest corner. */
  fit(size, low = [0, 0, 0]) {
    this.dimensions = size.length;
    this.world = size;
    this.low = low;
    this.focus = [0, 1, 2].map((axis) => (axis < size.length ? low[axis] + size[axis] / 2 : 0));
    this.zoom = 1;
    this.turn = 0.58;
    this.tilt = 0.34;
    this.covering = false;
  }

  /** Fills the canvas with a flat world, as far as it stays recognisable. */
  cover() {
    const [width, height] = this.size, whole = this.scale / this.zoom;
    this.zoom = Math.min(3, Math.max(width / this.world[0], height / this.world[1]) / whole);
    const [x, y] = this.middle;
    this.focus = [0, 1, 2].map((axis) => (axis < 2 ? this.low[axis] + this.world[axis] / 2 : 0));
    this.focus[0] += (x - width / 2) / this.scale;
    this.focus[1] -= (y - height / 2) / this.scale;
    this.covering = true;
  }

  resize(width, height, free) {
    this.size = [Math.max(1, width), Math.max(1, height)];
    this.free = free;
    if (this.covering) this.cover();
  }

  /** The middle of the part of the canvas that is not covered, in pixels. */
  get middle() {
    const [width, height] = this.size, { left, top, right, bottom } = this.free;
    return [(left + width - right) / 2, (top + height - bottom) / 2];
  }

  /** Pixels per metre at the focus. */
  get scale() {
    const { left, top, right, bottom } = this.free;
    const width = Math.max(40, this.size[0] - left - right), height = Math.max(40, this.size[1] - top - bottom);
    if (this.dimensions === 2) return this.zoom * 0.97 * Math.min(width / this.world[0], height / this.world[1]);
    return (this.zoom * 0.86 * Math.min(width, height * 1.4)) / Math.hypot(...this.world);
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
    const [right, up, forward] = this.axes(), [x, y] = this.middle;
    const offset = [0, 1, 2].map((axis) => (point[axis] || 0) - this.focus[axis]);
    const dot = (a) => a[0] * offset[0] + a[1] * offset[1] + a[2] * offset[2];
    const depth = dot(forward);
    const scale = this.dimensions === 2 ? this.scale : this.scale * this.distance / Math.max(1e-3, this.distance + depth);
    const visible = this.dimensions === 2 || this.distance + depth > 1e-3;
    return { x: x + dot(right) * scale, y: y - dot(up) * scale, depth, scale, visible };
  }

  /** The point of the world under a point of the canvas; in 3D, at the height of the focus. */
  ground(x, y) {
    const [middle, height] = this.middle, across = (x - middle) / this.scale, along = (height - y) / this.scale;
    if (this.dimensions === 2) return [this.focus[0] + across, this.focus[1] + along];
    const [right, up, forward] = this.axes();
    const eye = [0, 1, 2].map((axis) => -forward[axis] * this.distance);
    const ray = [0, 1, 2].map((axis) => forward[axis] * this.distance + right[axis] * across + up[axis] * along);
    const reach = ray[2] < -1e-6 ? -eye[2] / ray[2] : 1;
    return [0, 1, 2].map((axis) => this.focus[axis] + eye[axis] + ray[axis] * reach);
  }

  pan(dx, dy) {
    const [right, up] = this.axes();
    this.covering = false;
    for (let axis = 0; axis < this.dimensions; axis++) {
      this.focus[axis] -= (right[axis] * dx - up[axis] * dy) / this.scale;
    }
  }

  orbit(dx, dy) {
    this.turn += dx * 0.006;
    this.tilt = Math.min(1.5, Math.max(-1.5, this.tilt + dy * 0.006));
  }

  /** Zooms around the pointer, from twice the world to a view of a few bodies. */
  zoomAt(factor, x, y) {
    const before = this.ground(x, y), whole = this.scale / this.zoom;
    const closest = Math.min(...this.size) / Math.max(WIDEST * this.body, Math.max(...this.world) / 400) / whole;
    this.covering = false;
    this.zoom = Math.min(Math.max(2, closest), Math.max(0.5, this.zoom * factor));
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
      size: this.size, middle: this.middle,
    };
  }
}
