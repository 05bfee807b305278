// The legend: what the colours mean, and how long a metre is.
class Legend {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.scale = make("span", { className: "scale" });
    this.length = make("span");
    this.colours = make("div", { className: "colours" });
    root.replaceChildren(make("div", {}, this.scale, this.length), this.colours);
  }

  /** Shows the scale, and the colours if they have changed. */
  show() {
    const { app } = this, { world, frame, camera } = app;
    if (!world || !frame) return;
    const metres = roundUp(60 / camera.scale), width = Math.round(metres * camera.scale);
    this.scale.style.width = `${Math.min(width, 400)}px`;
    this.length.textContent = camera.dimensions === 3 ? say("inMiddle", { metres: short(metres) }) : `${short(metres)} m`;
    const shown = JSON.stringify([world.number, shadeOf(frame), app.colour, app.density, frame.scale, Colours.light, app.densest && short(app.densest)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.colours.replaceChildren(...this.entries());
    if (this.height !== (this.height = this.root.offsetHeight)) resize();
  }

  entries() {
    const text = (text) => make("span", {}, text);
    return this.parts().flatMap(({ colour, colours, ends, wheel, text: name }) => {
      if (wheel) return [make("span", {}, make("i", { className: "wheel", style: { background: `conic-gradient(${colours.join(",")})` } }), name)];
      if (colour) return [make("span", {}, swatch(colour), name)];
      return [text(name), make("span", { className: "bar" }, short(ends[0]), make("i", { style: { background: `linear-gradient(90deg, ${colours.join(",")})` } }), short(ends[1]))];
    });
  }

  /** What the colours mean: single colours, or a scale of them between two ends, each with its text. */
  parts() {
    const { app } = this, { world, frame } = app, { looks } = Colours;
    const scale = (colours, ends, title) => [{ colours, ends, text: title }];
    if (app.density) {
      const people = world.species.some(({ person }) => person), kind = say(people ? "peoplePerArea" : "agentsPerArea");
      return scale(looks.density, [0, app.densest ?? 0], app.camera.dimensions === 3 ? say("alongSight") : kind);
    }
    switch (shadeOf(frame)) {
      case "species": return world.species.map(({ name }, number) => ({ colour: Colours.species(number), text: name }));
      case "heading": {
        const wheel = [...Array(25).keys()].map((step) => Colours.heading(Math.sin((step / 24) * 2 * Math.PI), Math.cos((step / 24) * 2 * Math.PI)));
        const colours = wheel.map((colour) => `rgb(${colour.map((channel) => Math.round(channel * 255))})`);
        return [{ colours, wheel: true, text: say("headingOnScreen") }];
      }
      case "state": {
        let number = 0;
        return world.species.flatMap(({ name, states }) => (states.length ? states : [""]).map((state) =>
          ({ colour: Colours.species(number++), text: world.species.length > 1 ? `${name} ${words(state)}` : words(state || name) })));
      }
      default: {
        const titles = { speed: say("speedInMetres"), neighbours: say("othersNearby") };
        return scale(looks.amount, frame.scale, titles[app.colour] ?? words(app.colour.replace("column:", "")));
      }
    }
  }
}
