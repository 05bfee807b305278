// The legend: what the colours mean, how long a metre is, and the time of the run.
class Legend {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.time = make("output", { className: "time" });
    this.scale = make("span", { className: "scale" });
    this.length = make("span");
    this.colours = make("div", { className: "colours" });
    root.replaceChildren(make("div", {}, this.time), make("div", {}, this.scale, this.length), this.colours);
  }

  /** Shows the time and the scale, and the colours if they have changed. */
  show() {
    const { app } = this, { world, frame, camera } = app;
    if (!world || !frame) return;
    this.time.textContent = clock(frame.tick, 1);
    const metres = roundUp(60 / camera.scale), width = Math.round(metres * camera.scale);
    this.scale.style.width = `${Math.min(width, 400)}px`;
    this.length.textContent = `${short(metres)} m${camera.dimensions === 3 ? " in the middle" : ""}`;
    const shown = JSON.stringify([world.number, app.colour, app.density, frame.scale, Colours.light, app.densest && short(app.densest)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.colours.replaceChildren(...this.entries());
  }

  entries() {
    const { app } = this, { world, frame } = app, { looks } = Colours;
    const entry = (colour, text) => make("span", {}, swatch(colour), text);
    const bar = (colours, low, high, title) => [make("span", {}, title), make("span", { className: "bar" }, short(low),
      make("i", { style: { background: `linear-gradient(90deg, ${colours.join(",")})` } }), short(high))];
    if (app.density) return bar(looks.density, 0, app.densest ?? 0, app.camera.dimensions === 3 ? "agents along the line of sight" : "agents per m²");
    switch (app.colour) {
      case "species": return world.species.map(({ name }, number) => entry(Colours.species(number), name));
      case "heading": {
        const wheel = [...Array(25).keys()].map((step) => Colours.heading(Math.sin((step / 24) * 2 * Math.PI), Math.cos((step / 24) * 2 * Math.PI)));
        const stops = wheel.map((colour) => `rgb(${colour.map((channel) => Math.round(channel * 255))})`);
        return [make("span", {}, make("i", { className: "wheel", style: { background: `conic-gradient(${stops.join(",")})` } }), "heading on the screen")];
      }
      case "state": {
        let number = 0;
        return world.species.flatMap(({ name, states }) => (states.length ? states : [""]).map((state) =>
          entry(Colours.species(number++), world.species.length > 1 ? `${name} ${words(state)}` : words(state || name))));
      }
      default: {
        const titles = { speed: "speed in m/s", neighbours: "others nearby" };
        return bar(looks.amount, ...frame.scale, titles[app.colour] ?? words(app.colour.replace("column:", "")));
      }
    }
  }
}
