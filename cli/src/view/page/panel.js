// The panel: a slider for each parameter of each rule and species, built from the engine's tables, and the inspector of
// the selected agent.

/** Creates an element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "style") Object.assign(element.style, value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function swatch(colour) {
  return make("span", { className: "swatch", style: { background: colour } });
}

/** Returns the range of a slider. The field beside it accepts the whole range of the parameter. */
function sliderRange({ low, high, usual, value, unit }) {
  // An unlimited turn rate, the default, cannot be the end of a slider.
  const some = Math.abs(usual ?? 0) || (unit === "degrees/s" ? 90 : 1);
  const far = roundUp(4 * Math.max(some, Math.abs(value) / 2));
  const top = high !== null && high <= 1000 ? high : far;
  const bottom = low >= -1000 ? low : value < 0 ? -far : 0;
  return { bottom, top, step: roundUp((top - bottom) / 500) };
}

class Panel {
  constructor(root, send) {
    this.root = root;
    this.send = send;
    this.rows = new Map();
    this.built = null;
  }

  /** Shows a world. If its panel is built already, only updates the values. */
  show(world) {
    const drawn = world.species.map(({ quantities }) => quantities.map(({ value }) => Array.isArray(value)));
    const built = JSON.stringify([world.number, Colours.light, drawn]);
    if (built !== this.built) this.build(world);
    this.built = built;
    world.species.forEach(({ rules, quantities }, species) => {
      for (const quantity of quantities) this.rows.get(`${species}.body.${quantity.name}`)?.(quantity.value);
      rules.forEach(({ parameters }, rule) => {
        for (const parameter of parameters) this.rows.get(`${species}.${rule}.${parameter.name}`)?.(parameter.value);
      });
    });
  }

  build(world) {
    const open = new Set([...this.root.querySelectorAll("details:not([open])")].map(({ dataset }) => dataset.key));
    this.rows.clear();
    this.root.replaceChildren();
    world.species.forEach(({ name, rules, quantities }, species) => {
      this.root.append(make("h2", {}, swatch(Colours.species(species)), name));
      if (rules.length === 0) this.root.append(make("p", {}, "no rules"));
      const section = (part, title, during, shown, ...rows) => {
        const key = `${name}.${part}`;
        const details = make("details", { open: !open.has(key) && shown }, make("summary", {}, title, during), make("div", {}, ...rows));
        details.dataset.key = key;
        this.root.append(details);
      };
      rules.forEach((own, rule) => {
        const during = own.during.length ? make("small", {}, `while ${own.during.join(", ")}`) : "";
        const rows = own.parameters.map((parameter) => this.row(`${species}.${rule}`, { species, rule }, parameter));
        section(rule, own.rule, during, rules.length < 7, make("p", {}, own.summary), ...rows);
      });
      const rows = quantities.flatMap((quantity) => this.quantity(species, quantity));
      section("body", "body", make("small", {}, "of each agent"), true, ...rows);
    });
  }

  /** Returns one row, or two for a quantity that differs between agents: the ends of its range, which push each other. */
  quantity(species, quantity) {
    const place = `${species}.body`, { name, value } = quantity;
    if (!Array.isArray(value)) return [this.row(place, { species }, quantity)];
    let ends = value;
    const rows = ["from", "to"].map((end, at) => this.row(place, { species }, { ...quantity, value: value[at], end, with: (value) =>
      (at === 0 ? [value, Math.max(value, ends[1])] : [Math.min(value, ends[0]), value]) }));
    const shows = rows.map((_, at) => this.rows.get(`${place}.${name}.${["from", "to"][at]}`));
    this.rows.set(`${place}.${name}`, (value) => {
      ends = value;
      shows.forEach((show, at) => show(value[at]));
    });
    return rows;
  }

  row(place, subject, parameter) {
    const key = [place, parameter.name, ...(parameter.end ? [parameter.end] : [])].join("."), id = `p-${key}`;
    const set = (value) => this.send({ do: "set", ...subject, name: parameter.name, value: parameter.with?.(value) ?? value });
    const label = make("label", { htmlFor: id, title: `${parameter.help} ${parameter.unit}` }, parameter.name,
      make("small", {}, parameter.end ?? parameter.unit.replace("degrees", "°")));
    const row = make("div", { className: "row" }, label);
    if (parameter.form === "number") row.append(...this.number(key, id, parameter, set));
    else if (parameter.form === "flag") {
      const box = make("input", { id, type: "checkbox", checked: parameter.value, onchange: () => set(box.checked) });
      this.rows.set(key, (value) => (box.checked = value));
      row.append(box);
    } else if (parameter.form === "choice") {
      const options = parameter.words.map((word) => make("option", { value: word }, word));
      const choice = make("select", { id, value: parameter.value, onchange: () => set(choice.value) }, ...options);
      this.rows.set(key, (value) => (choice.value = value));
      row.append(choice);
    } else {
      const text = make("span", { id, className: "wide" });
      this.rows.set(key, (value) => (text.textContent = text.title = formatValue(value)));
      row.append(text);
    }
    return row;
  }

  number(key, id, parameter, set) {
    const { bottom, top, step } = sliderRange(parameter);
    const slider = make("input", { id, type: "range", min: bottom, max: top, step, ariaLabel: parameter.help });
    // JSON has no infinity: an empty field means no limit, with the slider at its end.
    const endless = parameter.high === null;
    const field = make("input", { type: "number", step: "any", placeholder: endless ? "∞" : "", ariaLabel: `${parameter.name}, exactly` });
    slider.oninput = () => {
      // An open range excludes its lower bound.
      const value = parameter.above && slider.valueAsNumber <= parameter.low ? step : slider.valueAsNumber;
      field.value = round(value);
      set(Number(round(value)));
    };
    field.onchange = () => {
      if (Number.isFinite(field.valueAsNumber)) set(field.valueAsNumber);
      else if (endless) set(null);
    };
    this.rows.set(key, (value) => {
      if (document.activeElement !== slider) slider.value = value ?? top;
      if (document.activeElement !== field && document.activeElement !== slider) field.value = value === null ? "" : round(value);
    });
    return [slider, field];
  }
}

function round(value) {
  return String(Number(Number(value).toPrecision(6)));
}

/** Formats a value that is not a number. */
function formatValue(value) {
  if (Array.isArray(value?.[0])) return `${value.length} points`;
  if (Array.isArray(value)) return value.map((one) => (typeof one === "number" ? round(one) : one)).join(", ");
  return String(value ?? "");
}

/** Shows the selected agent in numbers. */
function inspect(root, app) {
  const why = app.watched?.why;
  root.hidden = !why;
  if (!why) return;
  const force = (vector) => `${Math.hypot(...vector).toPrecision(3)} N`;
  const facts = [
    ["State", why.state ?? "–"],
    ...why.columns.map(([name, numbers]) => [name, numbers.map((number) => Number(number.toPrecision(6))).join(", ")]),
    ["Speed", `${Math.hypot(...why.velocity).toFixed(2)} of ${why.max_speed.toFixed(2)} m/s`],
    ["Position", why.position.map((at) => at.toFixed(1)).join(", ")],
    ["Neighbours", String(why.neighbours)],
  ];
  const forces = why.contributions.map(({ rule, weight, force: vector }, number) => make("tr",
    { className: Math.hypot(...vector) === 0 ? "silent" : "" },
    make("td", {}, swatch(Colours.rule(number)), ` ${rule}`), make("td", {}, `× ${round(weight)}`), make("td", {}, force(vector))));
  const total = make("tr", {}, make("td", {}, swatch(Colours.selected), " sum"), make("td", {}, `of ${round(why.max_force)}`),
    make("td", {}, force(why.steering)));
  // The buttons are not replaced, so that they keep the focus.
  if (!root.querySelector("header")) {
    root.append(make("header", {}, make("b"), make("button", { id: "follow", title: "Keep the agent in the middle (F)", onclick: () => app.follow() }, "Follow"),
      make("button", { title: "Clear the selection (Escape)", ariaLabel: "Clear the selection", onclick: () => app.watch(null) }, "×")), make("div"));
  }
  root.querySelector("b").textContent = `${app.world.species[why.species]?.name ?? ""} ${why.name}`;
  root.querySelector("#follow").ariaPressed = String(app.following);
  root.lastChild.replaceChildren(
    make("table", {}, ...facts.map(([name, value]) => make("tr", {}, make("th", {}, name), make("td", {}, value)))),
    make("table", { id: "forces" }, make("tr", {}, make("th", {}, "Rule"), make("th", {}, "Weight"), make("th", { className: "number" }, "Force")), ...forces, total));
}
