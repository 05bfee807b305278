// The tools: the actions of clicks, and moving the view with the pointer.
const TOOLS = [
  { name: "select", label: "Select", key: "v", icon: "M5 3l12 7-5 2-2 5z", help: "Select an agent, or drag an obstacle, a mark, a waypoint or a wall" },
  { name: "target", label: "Target", key: "t", icon: "M10 3v14M3 10h14M10 6a4 4 0 100 8 4 4 0 000-8z", help: "Move a target", form: "target" },
  { name: "waypoint", label: "Waypoint", key: "w", icon: "M3 16l5-8 4 4 5-9M3 16h.01M17 3h.01", help: "Add a point to a path", form: "points" },
  { name: "obstacle", label: "Obstacle", key: "o", icon: "M10 4a6 6 0 100 12 6 6 0 000-12z", help: "Add an obstacle" },
  { name: "spawn", label: "Add", key: "a", icon: "M10 4v12M4 10h12", help: "Add agents" },
  { name: "remove", label: "Remove", key: "x", icon: "M5 5l10 10M15 5L5 15", help: "Remove agents" },
];

class Tools {
  constructor(app, canvas, bar, options) {
    Object.assign(this, { app, canvas, options, current: TOOLS[0], pointer: null, fingers: new Map() });
    this.values = { follow: false };
    const svg = (d) => {
      const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      icon.setAttribute("viewBox", "0 0 20 20");
      icon.appendChild(document.createElementNS(icon.namespaceURI, "path")).setAttribute("d", d);
      return icon;
    };
    this.buttons = TOOLS.map((tool) => make("button", { title: `${tool.help} (${tool.key.toUpperCase()})`, onclick: () => this.choose(tool) }, svg(tool.icon), tool.label));
    bar.append(...this.buttons);
    options.onsubmit = (event) => event.preventDefault();
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.app.camera.zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
      this.app.redraw();
    }, { passive: false });
  }

  /** Returns the parameters and marks that a tool can change. */
  subjects(tool) {
    const { app } = this;
    const marks = tool.name === "target" ? (app.scenery.marks ?? []).map(({ name }) => ({ label: name, mark: name })) : [];
    const parameters = app.parameters().filter(({ parameter }) => parameter.form === tool.form
      && (tool.form !== "target" || Array.isArray(parameter.value)));
    return [...marks, ...parameters];
  }

  /** Adapts sizes to a new world, and disables the tools that cannot change anything in it. */
  refresh() {
    const { app } = this;
    const length = Math.min(...app.world.size);
    this.values = { radius: Number((length / 14).toPrecision(2)), count: 50, species: 0, subject: 0, follow: false };
    TOOLS.forEach((tool, number) => {
      const idle = tool !== TOOLS[0] && app.world.recorded
        || (tool.form && this.subjects(tool).length === 0 && `No rule of this scenario has a ${tool.name}`);
      this.buttons[number].disabled = Boolean(idle);
      this.buttons[number].title = idle || `${tool.help} (${tool.key.toUpperCase()})`;
    });
    this.choose(this.buttons[TOOLS.indexOf(this.current)].disabled ? TOOLS[0] : this.current);
  }

  choose(tool) {
    if (this.buttons[TOOLS.indexOf(tool)].disabled) return;
    this.current = tool;
    TOOLS.forEach((other, number) => (this.buttons[number].ariaPressed = String(other === tool)));
    this.canvas.classList.toggle("tool", tool !== TOOLS[0]);
    this.showOptions();
  }

  /** Shows the options of the tool, or of the chosen item. */
  showOptions() {
    const { world, handles } = this.app, tool = this.current, item = handles.place();
    const rows = [];
    const slider = (key, label, max, unit) => {
      const out = make("output", {}, `${this.values[key]}${unit}`);
      const input = make("input", { type: "range", min: max / 100, max, step: max / 100, value: this.values[key] });
      input.oninput = () => (out.textContent = `${(this.values[key] = Number(input.valueAsNumber.toPrecision(3)))}${unit}`);
      rows.push(make("label", {}, label, input, out));
    };
    const choice = (key, label, names) => {
      const options = names.map((name, number) => make("option", { value: number }, name));
      const select = make("select", { onchange: () => (this.values[key] = Number(select.value)) }, ...options);
      select.value = this.values[key];
      rows.push(make("label", {}, label, select));
    };
    if (tool === TOOLS[0] && item) {
      rows.push(make("b", {}, item.key));
      if (item.resize) {
        const size = make("input", { type: "range", min: 0, max: Math.min(...world.size) / 2, step: "any", value: item.radius, oninput: () => handles.place()?.resize(Math.max(1e-3, size.valueAsNumber)) });
        rows.push(make("label", {}, "Radius", size));
      }
      if (item.remove) rows.push(make("button", { type: "button", title: "Remove it (Delete)", onclick: () => handles.remove() }, "Remove"));
    }
    if (tool.form) choice("subject", tool.label, this.subjects(tool).map(({ label }) => label));
    if (world && ["obstacle", "spawn", "remove"].includes(tool.name)) slider("radius", "Radius", Math.min(...world.size) / 4, " m");
    if (tool.name === "spawn") {
      choice("species", "Species", world.species.map(({ name }) => name));
      slider("count", "Agents", 1000, "");
    }
    if (tool.name === "target") {
      const box = make("input", { type: "checkbox", id: "follow-pointer", checked: this.values.follow, onchange: () => (this.values.follow = box.checked) });
      rows.push(make("label", {}, box, "Follow the pointer"));
    }
    if (tool.name === "obstacle") rows.push(make("button", { type: "button", onclick: () => this.app.send({ do: "clear" }) }, "Remove all obstacles"));
    this.options.replaceChildren(...rows);
  }

  /** Returns the radius of the tool's effect in metres; zero for a tool without a radius. */
  radius() {
    return ["obstacle", "spawn", "remove"].includes(this.current.name) ? this.values.radius : 0;
  }

  hover(at) {
    this.pointer = at;
    if (this.radius()) this.app.redraw();
    // At most twenty targets a second.
    if (at && this.current.name === "target" && this.values.follow && performance.now() - (this.aimed ?? 0) > 50) {
      this.aimed = performance.now();
      this.use(at.x, at.y);
    }
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    const { offsetX: x, offsetY: y } = event;
    this.fingers.set(event.pointerId, { x, y });
    if (this.fingers.size === 2) this.drag = { pinch: this.pinch() };
    if (this.fingers.size > 1) return;
    const grabbed = this.current === TOOLS[0] && event.button === 0 && this.app.handles.grab(x, y);
    this.drag = { x, y, moved: false, grabbed, pan: event.button !== 0 || event.shiftKey };
  }

  /** The middle, the distance and the direction of two fingers. */
  pinch() {
    const [a, b] = [...this.fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(b.x - a.x, b.y - a.y), turn: Math.atan2(b.y - a.y, b.x - a.x) };
  }

  move(event) {
    const { offsetX: x, offsetY: y } = event, { camera, handles } = this.app;
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
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
    const [dx, dy] = [x - this.drag.x, y - this.drag.y];
    if (!this.drag.moved && Math.hypot(dx, dy) < 4) return;
    Object.assign(this.drag, { x, y, moved: true });
    if (this.drag.grabbed) handles.pull(x, y);
    else if (camera.dimensions === 3 && !this.drag.pan) camera.orbit(dx, dy);
    else camera.pan(dx, dy);
    this.app.redraw();
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    if (this.drag?.grabbed) this.app.handles.drop();
    else if (this.drag && !this.drag.pinch && !this.drag.moved && event.type === "pointerup" && event.button === 0) this.use(event.offsetX, event.offsetY);
    if (this.fingers.size === 0) this.drag = null;
  }

  /** Applies the tool at a point of the canvas. */
  use(x, y) {
    const { app, values } = this;
    const point = app.camera.ground(x, y), { radius } = values;
    const subject = this.current.form && this.subjects(this.current)[values.subject];
    if (this.current.name !== "target" || !values.follow) setTimeout(() => app.send({ do: "done" }));
    switch (this.current.name) {
      case "select": return app.pick(x, y);
      case "target":
        if (subject?.mark) return app.send({ do: "mark", name: subject.mark, point });
        return subject && app.send({ do: "set", species: subject.species, rule: subject.rule, name: subject.parameter.name, value: point });
      case "waypoint":
        return subject && app.send({ do: "waypoint", species: subject.species, rule: subject.rule, name: subject.parameter.name, point });
      case "obstacle": return app.send({ do: "obstacle", point, radius });
      case "spawn": return app.send({ do: "spawn", species: values.species, point, radius, count: Math.round(values.count) });
      case "remove": return app.send({ do: "remove", point, radius });
    }
  }
}
