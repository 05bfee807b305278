// The pointer on the stage: it moves the view, uses the tool, and names the agent below it.
const NEAR = 14; // pixels within which an agent is below the pointer

class Pointer {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas, fingers: new Map(), drag: null });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      app.camera.zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
      app.touched();
    }, { passive: false });
  }

  hover(at) {
    const { tools } = this.app, now = performance.now();
    tools.pointer = at;
    if (tools.radius() || tools.drawn) this.app.redraw();
    if (tools.falcon && tools.hovers && !this.drag) tools.fly(at);
    // At most twenty targets a second.
    if (at && tools.current.name === "target" && tools.values.follow && now - (this.aimed ?? 0) > 50) {
      this.aimed = now;
      tools.use(at.x, at.y);
    }
    if (!at || now - (this.named ?? 0) > 80) {
      this.named = now;
      this.name(at && !this.drag ? at : null);
    }
  }

  /** Shows the species, the id and the speed of the agent below the pointer. */
  name(at) {
    const { frame, world } = this.app, label = element("hover");
    const agent = at && frame && frame.agents < 200_000 ? this.app.nearest(at.x, at.y, NEAR) : -1;
    this.canvas.style.cursor = agent >= 0 && this.app.tools.current === TOOLS[0] ? "pointer" : "";
    if (agent < 0) return label.replaceChildren();
    const speed = speedOf(frame, agent, world);
    label.textContent = [`${world.species[speciesOf(frame, agent)]?.name ?? ""} ${nameOf(frame, agent)}`, speed].filter(Boolean).join(" · ");
    const { clientWidth: width } = element("stage");
    Object.assign(label.style, { left: `${Math.min(width - 170, at.x + 14)}px`, top: `${at.y + 16}px` });
  }

  down(event) {
    const { tools, handles } = this.app;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.app.touched();
    const { offsetX: x, offsetY: y } = event;
    this.fingers.set(event.pointerId, { x, y });
    if (this.fingers.size === 2) {
      this.cancel();
      this.drag = { pinch: this.pinch() };
    }
    if (this.fingers.size > 1) return;
    const plain = event.button === 0 && !event.shiftKey, grabbed = tools.current === TOOLS[0] && plain && handles.grab(x, y);
    this.drag = { x, y, moved: false, grabbed, pan: !plain, flies: plain && tools.falcon, draws: plain && tools.current.name === "wall" && !tools.drawn };
    tools.pointer = { x, y };
    if (this.drag.flies) tools.fly({ x, y });
    if (this.drag.draws) tools.drawn = { from: this.app.camera.ground(x, y), to: this.app.camera.ground(x, y) };
    this.name(null);
  }

  /** Ends what a finger began before another came. */
  cancel() {
    const { tools } = this.app;
    if (this.drag?.flies) tools.fly(null);
    if (this.drag?.draws) tools.drawn = null;
    if (this.drag?.grabbed) this.app.handles.drop();
  }

  /** The middle, the distance and the direction of two fingers. */
  pinch() {
    const [a, b] = [...this.fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(b.x - a.x, b.y - a.y), turn: Math.atan2(b.y - a.y, b.x - a.x) };
  }

  move(event) {
    const { offsetX: x, offsetY: y } = event, { camera, handles, tools } = this.app;
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
    if (tools.drawn) tools.drawn.to = camera.ground(x, y);
    this.hover({ x, y });
    if (!this.drag) return;
    if (this.drag.pinch) {
      if (this.fingers.size < 2) return;
      const [before, now] = [this.drag.pinch, this.pinch()];
      camera.pan(now.x - before.x, now.y - before.y);
      if (before.apart > 0) camera.zoomAt(now.apart / before.apart, now.x, now.y);
      if (camera.dimensions === 3) camera.turn += now.turn - before.turn;
      this.drag.pinch = now;
      return this.app.redraw();
    }
    if (this.drag.flies) return tools.fly({ x, y });
    const [dx, dy] = [x - this.drag.x, y - this.drag.y];
    if (!this.drag.moved && Math.hypot(dx, dy) < 4) return;
    this.drag.moved = true;
    if (this.drag.draws) return this.app.redraw();
    Object.assign(this.drag, { x, y });
    if (this.drag.grabbed) handles.pull(x, y);
    else if (camera.dimensions === 3 && !this.drag.pan) camera.orbit(dx, dy);
    else camera.pan(dx, dy);
    this.app.redraw();
  }

  up(event) {
    const { tools, handles } = this.app, { offsetX: x, offsetY: y } = event, { drag } = this;
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.drag = null;
    if (!drag || drag.pinch) return;
    if (drag.flies) tools.fly(null);
    else if (drag.draws && drag.moved) tools.build(x, y);
    else if (drag.grabbed) handles.drop();
    else if (!drag.draws && !drag.moved && event.type === "pointerup" && event.button === 0) tools.use(x, y);
    this.app.redraw();
  }
}

/** The speed of an agent of a frame as text, from its last way. */
function speedOf(frame, agent, { tick_seconds: tick }) {
  if (!frame.moved || !frame.ticks || !tick) return "";
  const d = frame.dimensions, way = [...Array(d).keys()].map((axis) =>
    (frame.moved[agent * d + axis] / 65535) * (frame.high[axis] - frame.low[axis]));
  return `${(Math.hypot(...way) / (frame.ticks * tick)).toPrecision(2)} m/s`;
}
