// The tools: what a click or a drag on the stage does, and their options.
const TOOLS = [
  { name: "select", label: say("select"), key: "v", icon: "M5 3l12 7-5 2-2 5z", help: say("selectTip") },
  { name: "falcon", label: say("falcon"), key: "p", icon: "M10 4l2 3 6 2-1 2-5 0 1 4-3-2-3 2 1-4-5 0-1-2 6-2z", help: say("falconTip") },
  { name: "target", label: say("target"), key: "t", icon: "M10 3v14M3 10h14M10 6a4 4 0 100 8 4 4 0 000-8z", help: say("targetTip"), form: "target" },
  { name: "waypoint", label: say("waypoint"), key: "w", icon: "M3 16l5-8 4 4 5-9M3 16h.01M17 3h.01", help: say("waypointTip"), form: "points" },
  { name: "obstacle", label: say("obstacle"), key: "o", icon: "M10 4a6 6 0 100 12 6 6 0 000-12z", help: say("obstacleTip") },
  { name: "wall", label: say("wall"), key: "l", icon: "M4 16L16 4M2.5 14.5l3 3M14.5 2.5l3 3", help: say("wallTip"), flat: true },
  { name: "spawn", label: say("add"), key: "a", icon: "M10 4v12M4 10h12", help: say("addTip") },
  { name: "remove", label: say("remove"), key: "x", icon: "M5 5l10 10M15 5L5 15", help: say("removeTip") },
];
const ACTIONS = [
  { id: "undo", label: say("undo"), keys: `${say("ctrl")}+Z`, icon: "M7 5L3 9l4 4M3 9h9a4 4 0 010 8h-2", act: () => app.send({ do: "undo" }) },
  { id: "redo", label: say("redo"), keys: `${say("ctrl")}+${say("shift")}+Z`, icon: "M13 5l4 4-4 4M17 9H8a4 4 0 000 8h2", act: () => app.send({ do: "redo" }) },
  { id: "home", label: say("home"), keys: "0", icon: "M3 10l7-6 7 6M5 9v8h10V9", act: () => home() },
];

class Tools {
  constructor(app, canvas, bar, options) {
    Object.assign(this, { app, canvas, options, current: TOOLS[0], pointer: null, drawn: null, hovers: false, values: { follow: false } });
    const svg = (d) => {
      const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      icon.setAttribute("viewBox", "0 0 20 20");
      icon.appendChild(document.createElementNS(icon.namespaceURI, "path")).setAttribute("d", d);
      return icon;
    };
    this.buttons = TOOLS.map((tool) => {
      const button = make("button", { title: `${tool.help} (${tool.key.toUpperCase()})`, ariaLabel: tool.label, onclick: () => this.choose(tool) }, svg(tool.icon));
      button.dataset.tool = tool.name;
      return button;
    });
    const actions = ACTIONS.map(({ id, label, keys, icon, act }) => make("button", { id, title: `${label} (${keys})`, ariaLabel: label, onclick: act }, svg(icon)));
    bar.append(...this.buttons, make("hr", { ariaHidden: "true" }), ...actions);
    options.onsubmit = (event) => event.preventDefault();
  }

  get falcon() { return this.current.name === "falcon"; }

  /** Returns the parameters and marks that a tool can change. */
  subjects(tool) {
    const { app } = this;
    const marks = tool.name === "target" ? (app.scenery.marks ?? []).map(({ name }) => ({ label: name, mark: name })) : [];
    const parameters = app.parameters().filter(({ parameter }) => parameter.form === tool.form
      && (tool.form !== "target" || Array.isArray(parameter.value)));
    return [...marks, ...parameters];
  }

  /** Adapts sizes to a new world, and hides the tools that cannot change anything in it. */
  refresh() {
    const { world } = this.app, length = Math.min(...world.size), sensible = (share) => Number((length * share).toPrecision(2));
    this.values = { radius: sensible(1 / 14), panic: sensible(1 / 6), count: 50, species: 0, subject: 0, follow: false };
    TOOLS.forEach((tool, number) => {
      const idle = (tool !== TOOLS[0] && world.recorded) || (tool.name === "falcon" && world.hosted) || (tool.form && this.subjects(tool).length === 0) || (tool.flat && world.dimensions === 3);
      this.buttons[number].hidden = Boolean(idle);
    });
    this.choose(this.buttons[TOOLS.indexOf(this.current)].hidden ? TOOLS[0] : this.current);
  }

  choose(tool) {
    if (this.buttons[TOOLS.indexOf(tool)].hidden) return;
    this.current = tool;
    this.hovers &&= this.falcon; // the falcon of the first world flies without a button
    this.drawn = null;
    TOOLS.forEach((other, number) => (this.buttons[number].ariaPressed = String(other === tool)));
    this.canvas.classList.toggle("tool", tool !== TOOLS[0]);
    this.showOptions();
    this.app.redraw();
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
        rows.push(make("label", {}, say("radius"), size));
      }
      if (item.remove) rows.push(make("button", { type: "button", title: say("removeItem"), onclick: () => handles.remove() }, say("remove")));
    }
    if (tool.form) choice("subject", tool.label, this.subjects(tool).map(({ label }) => label));
    if (world && ["obstacle", "spawn", "remove"].includes(tool.name)) slider("radius", say("radius"), Math.min(...world.size) / 4, " m");
    if (world && tool.name === "falcon") slider("panic", say("fearWithin"), Math.min(...world.size) / 2, " m");
    if (tool.name === "wall") rows.push(make("span", {}, say("drawWall")));
    if (tool.name === "spawn") {
      choice("species", say("ofSpecies"), world.species.map(({ name }) => name));
      slider("count", say("agents"), 1000, "");
    }
    if (tool.name === "target") {
      const box = make("input", { type: "checkbox", id: "follow-pointer", checked: this.values.follow, onchange: () => (this.values.follow = box.checked) });
      rows.push(make("label", {}, box, say("followPointer")));
    }
    if (tool.name === "obstacle") rows.push(make("button", { type: "button", onclick: () => this.app.send({ do: "clear" }) }, say("removeObstacles")));
    this.options.replaceChildren(...rows);
  }

  /** Returns the radius of the tool's effect in metres; zero for a tool without a radius. */
  radius() {
    if (this.falcon) return this.values.panic;
    return ["obstacle", "spawn", "remove"].includes(this.current.name) ? this.values.radius : 0;
  }

  /** Takes the falcon to a point of the canvas, at most twenty times a second; null ends its flight. */
  fly(at) {
    const { app, values } = this;
    clearTimeout(this.landing);
    if (at && performance.now() - (this.flown ?? 0) < 50) return;
    this.flown = performance.now();
    app.send({ do: "falcon", point: at && app.camera.ground(at.x, at.y), radius: values.panic });
  }

  /** Ends a wall at a point of the canvas. */
  build(x, y) {
    const { from } = this.drawn, to = this.app.camera.ground(x, y);
    this.drawn = null;
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) * this.app.camera.scale < 6) return;
    this.app.send({ do: "draw_wall", from, to });
    this.app.send({ do: "done" });
  }

  /** Applies the tool at a point of the canvas. */
  use(x, y) {
    const { app, values } = this;
    const point = app.camera.ground(x, y), { radius } = values;
    const subject = this.current.form && this.subjects(this.current)[values.subject];
    if (this.current.name !== "target" || !values.follow) setTimeout(() => app.send({ do: "done" }));
    switch (this.current.name) {
      case "select": return app.pick(x, y);
      case "falcon":
        this.fly({ x, y });
        this.landing = setTimeout(() => this.fly(null), 900);
        return;
      case "wall":
        if (this.drawn) this.build(x, y);
        else this.drawn = { from: point, to: point };
        return app.redraw();
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
