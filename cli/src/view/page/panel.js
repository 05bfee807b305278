// The panel: a control for each parameter of each rule and species, built from the engine's tables.

/** Returns the range of a slider. The field beside it accepts the whole range of the parameter. */
function sliderRange({ low, high, usual, value, unit }) {
  // An unlimited turn rate, the default, cannot be the end of a slider.
  const some = Math.abs(usual ?? 0) || (unit === "degrees/s" ? 90 : 1);
  const far = roundUp(4 * Math.max(some, Math.abs(value) / 2));
  const top = high !== null && high <= 1000 ? high : far;
  const bottom = low >= -1000 ? low : value < 0 ? -far : 0;
  return { bottom, top, step: roundUp((top - bottom) / 500) };
}

/** Formats a value that is not a number. */
function formatValue(value) {
  if (Array.isArray(value?.[0])) return `${value.length} points`;
  if (Array.isArray(value)) return value.map((one) => (typeof one === "number" ? round(one) : one)).join(", ");
  return typeof value === "number" ? round(value) : String(value ?? "no limit");
}

class Panel {
  constructor(root, send) {
    Object.assign(this, { send, rows: new Map(), built: null, weights: new Map() });
    this.search = make("input", { type: "search", id: "search", placeholder: "Search rules and values", ariaLabel: "Search rules and values", oninput: () => this.filter() });
    this.list = make("div");
    root.replaceChildren(make("h2", {}, "Rules"), this.search, this.list);
  }

  /** Shows a world. If its panel is built already, only updates the values. */
  show(world) {
    const drawn = world.species.map(({ quantities }) => quantities.map(({ value }) => Array.isArray(value)));
    const built = JSON.stringify([world.number, Colours.light, drawn]);
    if (built !== this.built) this.build(world);
    this.built = built;
    world.species.forEach(({ rules, quantities }, species) => {
      const original = world.original?.[species];
      for (const [number, quantity] of quantities.entries()) this.rows.get(`${species}.body.${quantity.name}`)?.(quantity.value, original?.quantities[number]?.value);
      rules.forEach(({ parameters }, rule) => {
        this.rows.get(`${species}.${rule}`)?.(parameters[0].value);
        for (const [number, parameter] of parameters.entries()) {
          this.rows.get(`${species}.${rule}.${parameter.name}`)?.(parameter.value, original?.rules[rule]?.parameters[number]?.value);
        }
      });
    });
  }

  build(world) {
    const closed = new Map([...this.list.querySelectorAll("details")].map(({ dataset, open }) => [dataset.key, open]));
    this.rows.clear();
    this.list.replaceChildren(...(world.recorded ? [make("p", { id: "recorded" }, world.recorded)] : []));
    this.search.hidden = Boolean(world.recorded);
    world.species.forEach(({ name, rules, quantities }, species) => {
      const section = (part, title, during, shown, control, ...rows) => {
        const key = `${name}.${part}`;
        const details = make("details", { open: closed.get(key) ?? shown }, make("summary", {}, title, during), make("div", {}, ...rows));
        details.dataset.key = key;
        return make("div", { className: "rule" }, control, details);
      };
      const parts = rules.map((own, rule) => {
        const during = own.during.length ? make("small", {}, `while ${own.during.map(words).join(", ")}`) : "";
        const rows = own.parameters.map((parameter) => this.row(`${species}.${rule}`, { species, rule }, parameter));
        return section(rule, words(own.rule), during, rules.length < 5, this.switch(species, rule, own), make("p", {}, own.summary), ...rows);
      });
      const rows = quantities.flatMap((quantity) => this.quantity(species, quantity));
      parts.push(section("body", "body", make("small", {}, "of each agent"), rules.length === 0, make("span"), ...rows));
      this.list.append(make("h3", {}, swatch(Colours.species(species)), name), ...(rules.length || world.recorded ? [] : [make("p", {}, "no rules")]), ...(world.recorded ? [] : parts));
    });
    this.filter();
  }

  /** A switch that takes the weight of a rule to zero and back. */
  switch(species, rule, own) {
    const key = `${species}.${rule}`;
    const box = make("input", { type: "checkbox", className: "switch", role: "switch", title: "Switch the rule on or off", ariaLabel: `${words(own.rule)} acts` });
    box.onchange = () => this.send({ do: "set", species, rule, name: "weight", value: box.checked ? this.weights.get(key) || 1 : 0 });
    this.rows.set(key, (weight) => {
      if (weight !== 0) this.weights.set(key, weight);
      box.checked = weight !== 0;
    });
    return box;
  }

  /** Shows the rules and rows that contain the words of the search. */
  filter() {
    const wanted = this.search.value.trim().toLowerCase();
    for (const rule of this.list.querySelectorAll(".rule")) {
      const own = rule.querySelector("summary").textContent.toLowerCase().includes(wanted);
      const rows = [...rule.querySelectorAll(".row")];
      for (const row of rows) row.hidden = !own && !row.textContent.toLowerCase().includes(wanted);
      rule.hidden = !own && rows.every(({ hidden }) => hidden);
      if (wanted && !rule.hidden) rule.querySelector("details").open = true;
    }
  }

  /** Returns one row, or two for a quantity that differs between agents: the ends of its range, which push each other. */
  quantity(species, quantity) {
    const place = `${species}.body`, { name, value } = quantity;
    if (!Array.isArray(value)) return [this.row(place, { species }, quantity)];
    let ends = value;
    const rows = ["from", "to"].map((end, at) => this.row(place, { species }, { ...quantity, value: value[at], end, with: (value) =>
      (at === 0 ? [value, Math.max(value, ends[1])] : [Math.min(value, ends[0]), value]) }));
    const shows = rows.map((_, at) => this.rows.get(`${place}.${name}.${["from", "to"][at]}`));
    this.rows.set(`${place}.${name}`, (value, original) => {
      ends = value;
      shows.forEach((show, at) => show(value[at], original?.[at]));
    });
    return rows;
  }

  row(place, subject, parameter) {
    const key = [place, parameter.name, ...(parameter.end ? [parameter.end] : [])].join("."), id = `p-${key}`;
    const set = (value) => this.send({ do: "set", ...subject, name: parameter.name, value: parameter.with?.(value) ?? value });
    const unit = [parameter.end, parameter.unit.replace("degrees", "°")].filter(Boolean).join(" ");
    const label = make("label", { htmlFor: id, title: `${parameter.help} ${parameter.unit}` }, words(parameter.name.replace("motion.", "")), make("small", {}, unit));
    const [controls, show] = this.controls(id, parameter, set);
    const back = make("button", { className: "back", type: "button", hidden: true }, "↺");
    const row = make("div", { className: "row" }, label, back, ...controls);
    this.rows.set(key, (value, original) => {
      show(value);
      const changed = original !== undefined && JSON.stringify(value) !== JSON.stringify(original);
      row.classList.toggle("changed", changed);
      back.hidden = !changed;
      back.title = `Back to the file's value: ${formatValue(original)}`;
      back.ariaLabel = `${words(parameter.name)}: back to ${formatValue(original)}`;
      back.onclick = () => set(original);
    });
    return row;
  }

  /** The controls of a parameter, and the function that shows a value in them. */
  controls(id, parameter, set) {
    if (parameter.form === "number") return this.number(id, parameter, set);
    if (parameter.form === "flag") {
      const box = make("input", { id, type: "checkbox", onchange: () => set(box.checked) });
      return [[box], (value) => (box.checked = value)];
    }
    if (parameter.form === "choice") {
      const choice = make("select", { id, onchange: () => set(choice.value) }, ...parameter.words.map((word) => make("option", { value: word }, word)));
      return [[choice], (value) => (choice.value = value)];
    }
    const text = make("output", { id, className: "wide" });
    return [[text], (value) => (text.textContent = text.title = formatValue(value))];
  }

  number(id, parameter, set) {
    const { bottom, top, step } = sliderRange(parameter);
    const slider = make("input", { id, type: "range", min: bottom, max: top, step, title: parameter.help });
    // JSON has no infinity: an empty field means no limit, with the slider at its end.
    const endless = parameter.high === null;
    const field = make("input", { type: "number", step: "any", placeholder: endless ? "∞" : "", ariaLabel: `${words(parameter.name)}, exactly` });
    slider.oninput = () => {
      // An open range excludes its lower bound.
      const value = parameter.above && slider.valueAsNumber <= parameter.low ? step : slider.valueAsNumber;
      field.value = round(value);
      set(Number(round(value)));
    };
    slider.onchange = () => this.send({ do: "done" });
    field.onchange = () => {
      if (Number.isFinite(field.valueAsNumber)) set(field.valueAsNumber);
      else if (endless) set(null);
      this.send({ do: "done" });
    };
    return [[slider, field], (value) => {
      if (document.activeElement !== slider) slider.value = value ?? top;
      if (document.activeElement !== field && document.activeElement !== slider) field.value = value === null ? "" : round(value);
    }];
  }
}
