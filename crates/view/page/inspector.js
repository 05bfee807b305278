// The inspector: the selected agent in numbers, its state, and the force of each rule.
class Inspector {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.title = make("h2");
    this.follow = make("button", { title: say("followTip"), onclick: () => app.follow() }, say("follow"));
    const close = make("button", { title: say("clearTip"), ariaLabel: say("clear"), onclick: () => app.watch(null) }, "×");
    this.body = make("div");
    this.none = make("p", {}, say("pickAgent"));
    this.head = make("div", { className: "head" }, this.title, this.follow, close);
    root.replaceChildren(this.none, this.head, this.body);
  }

  show() {
    const { app } = this, why = app.watched?.why;
    this.none.hidden = Boolean(why);
    this.head.hidden = this.body.hidden = !why;
    if (!why) return;
    const species = app.world.species[why.species];
    this.title.textContent = `${species?.name ?? ""} ${why.name}`;
    this.follow.ariaPressed = String(app.following);
    const speed = Math.hypot(...why.velocity);
    this.body.replaceChildren(
      make("div", { className: "bars" },
        ...this.bar(say("speed"), speed, 0, why.max_speed, say("speedOf", { speed: speed.toFixed(2), most: short(why.max_speed) })),
        ...why.columns.flatMap(([name, numbers]) => this.column(species, name, numbers))),
      make("p", {}, say("atPlace", { place: why.position.map((at) => at.toFixed(1)).join(", ") }),
        app.world.recorded ? "" : ` · ${say("countNeighbours", { count: why.neighbours })}`),
      ...(app.world.recorded ? [] : [...this.state(why), this.forces(why)]));
  }

  /** A name, a bar between the ends of its range, and its value. */
  bar(name, value, low, high, text) {
    const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
    return [make("span", {}, words(name)), make("i", { className: "meter" }, make("i", { style: { width: `${share * 100}%` } })), make("b", {}, text)];
  }

  column(species, name, numbers) {
    const range = species?.variables.find(([variable]) => variable === name);
    const text = numbers.map((number) => round(number)).join(", ");
    if (range) return this.bar(name, numbers[0], range[1], range[2], short(numbers[0]));
    return [make("span", {}, words(name)), make("b", { className: "wide" }, text)];
  }

  /** The state and the transitions out of it, with the present values of what they compare. */
  state({ state, transitions }) {
    if (!state) return [];
    const rows = transitions.map(({ to, when, now }) => make("li", {}, make("b", {}, words(to)), ` ${say("when", { condition: when })}`, now ? make("span", { className: "now" }, say("now", { value: now })) : ""));
    return [make("p", {}, `${say("state")} `, make("b", { id: "state" }, words(state))), make("ul", { id: "transitions" }, ...rows)];
  }

  forces(why) {
    const force = (vector) => `${Math.hypot(...vector).toPrecision(3)} N`;
    const row = ({ rule, weight, force: vector, silent }, number) => make("tr", { className: silent || Math.hypot(...vector) === 0 ? "silent" : "" },
      make("td", {}, swatch(Colours.rule(number)), ` ${words(rule)}`), make("td", {}, `× ${round(weight)}`),
      make("td", {}, silent ? say("silent") : force(vector)));
    return make("table", { id: "forces" },
      make("tr", {}, make("th", { scope: "col" }, say("rule")), make("th", { scope: "col" }, say("weight")), make("th", { scope: "col", className: "number" }, say("force"))),
      ...why.contributions.map(row),
      make("tr", {}, make("td", {}, swatch(Colours.selected), ` ${say("sum")}`), make("td", {}, why.max_force === null || why.motion ? "" : say("atMost", { force: round(why.max_force) })), make("td", {}, force(why.steering))),
      why.motion ? make("tr", {}, make("td", {}, ` ${words(why.motion.model)}`), make("td", {}, say("chooses")), make("td", {}, `${Math.hypot(...why.motion.velocity).toPrecision(3)} m/s`)) : "");
  }
}
