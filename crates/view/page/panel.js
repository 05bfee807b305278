// The panel of rules: a control for each parameter of each rule and species, built from the engine's tables.
const FIRST = 6; // the most numbers that are shown before the folded rules

/** The numbers that matter first, by their places, with the names of their owners: how much and how far rules act. */
function firstNumbers(world) {
  const found = new Map();
  if (world.recorded) return found;
  const several = world.species.length > 1;
  // Those that the file names come first, and alone.
  const shown = new Set(world.outputs?.show);
  world.species.forEach(({ name, quantities, rules }, species) => {
    quantities.forEach((quantity) => { if (shown.has(`${name}.${quantity.name}`)) found.set(`${species}.body.${quantity.name}`, several ? name : ""); });
    rules.forEach(({ rule, parameters }, number) => parameters.forEach((parameter) => {
      if (shown.has(`${name}.${rule}.${parameter.name}`)) found.set(`${species}.${number}.${parameter.name}`, [several ? name : "", words(rule)].filter(Boolean).join(" "));
    }));
  });
  if (found.size) return found;
  const add = (key, owner) => { if (found.size < FIRST) found.set(key, owner); };
  // A file's own constants.
  world.species.forEach(({ name, quantities }, species) => quantities.forEach(({ name: quantity }) => {
    if (quantity.startsWith("variables.")) add(`${species}.body.${quantity}`, several ? name : "");
  }));
  // With a model of motion, how fast and how far agents go says more than how much a rule counts.
  const models = world.species.some(({ quantities }) => quantities.some(({ name }) => name.startsWith("motion.")));
  world.species.forEach(({ name, quantities, rules }, species) => {
    const own = several ? name : "";
    if (models || rules.length === 0) {
      for (const { name: quantity, form } of quantities) {
        if (form === "number" && (quantity === "max_speed" || quantity.startsWith("motion."))) add(`${species}.body.${quantity}`, own);
      }
      return;
    }
    rules.filter(({ during }) => during.length === 0).forEach((rule) => {
      const number = rules.indexOf(rule), owner = [own, words(rule.rule)].filter(Boolean).join(" ");
      for (const wanted of ["weight", "radius"]) {
        if (rule.parameters.some(({ name, form }) => name === wanted && form === "number")) add(`${species}.${number}.${wanted}`, owner);
      }
    });
  });
  return found;
}

class Panel {
  constructor(root, send) {
    Object.assign(this, { send, rows: new Map(), built: null, weights: new Map() });
    this.search = make("input", { type: "search", id: "search", placeholder: say("search"), ariaLabel: say("search"), oninput: () => this.filter() });
    this.first = make("div", { id: "first" });
    this.list = make("div");
    root.replaceChildren(this.first, make("h2", {}, say("allRules")), this.search, this.list);
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
    this.first.replaceChildren();
    this.chosen = firstNumbers(world);
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
        const during = own.during.length ? make("small", {}, say("whileStates", { states: own.during.map(words).join(", ") })) : "";
        const rows = own.parameters.map((parameter) => this.row(`${species}.${rule}`, { species, rule }, parameter)).filter(Boolean);
        return section(rule, words(own.rule), during, false, this.switch(species, rule, own), make("p", {}, ...prose(own.summary)), ...rows);
      });
      const rows = quantities.flatMap((quantity) => this.quantity(species, quantity)).filter(Boolean);
      parts.push(section("body", say("body"), make("small", {}, say("ofEachAgent")), false, make("span"), ...rows));
      this.list.append(make("h3", {}, swatch(Colours.species(species)), name), ...(rules.length || world.recorded ? [] : [make("p", {}, say("noRules"))]), ...(world.recorded ? [] : parts));
    });
    this.filter();
  }

  /** A switch that takes the weight of a rule to zero and back. */
  switch(species, rule, own) {
    const key = `${species}.${rule}`;
    const box = make("input", { type: "checkbox", className: "switch", role: "switch", title: say("switchTip"), ariaLabel: say("acts", { rule: words(own.rule) }) });
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
    for (const row of this.first.children) row.hidden = !row.textContent.toLowerCase().includes(wanted);
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

  /** A row with the controls of a parameter; null if it is among the first numbers, which are above the rules. */
  row(place, subject, parameter) {
    const key = [place, parameter.name, ...(parameter.end ? [parameter.end] : [])].join("."), id = `p-${key}`;
    const set = (value) => this.send({ do: "set", ...subject, name: parameter.name, value: parameter.with?.(value) ?? value });
    const unit = [parameter.end && say(parameter.end), parameter.unit.replace("degrees", "°")].filter(Boolean).join(" ");
    const label = make("label", { htmlFor: id, title: `${parameter.help} ${parameter.unit}` }, words(parameter.name.replace(/^(motion|variables)\./, "")), make("small", {}, unit));
    const [inputs, show] = controls(id, parameter, set, () => this.send({ do: "done" }));
    const back = make("button", { className: "back", type: "button", hidden: true }, "↺");
    const row = make("div", { className: "row" }, label, back, ...inputs);
    this.rows.set(key, (value, original) => {
      show(value);
      const changed = original !== undefined && JSON.stringify(value) !== JSON.stringify(original);
      row.classList.toggle("changed", changed);
      back.hidden = !changed;
      back.title = say("backTip", { value: formatValue(original) });
      back.ariaLabel = say("backTo", { name: words(parameter.name), value: formatValue(original) });
      back.onclick = () => set(original);
    });
    const owner = this.chosen.get(`${place}.${parameter.name}`);
    if (owner === undefined) return row;
    if (owner) label.prepend(`${owner}: `);
    this.first.append(row);
    return null;
  }
}
