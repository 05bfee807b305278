// The story of the run as charts: populations, events and measures over the simulated time.
const MOST_SAMPLES = 1200;
const GUTTER = 44; // pixels on the left of a chart, for the numbers of its axis

class Charts {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.samples = [];
    this.spacing = 0; // the least number of ticks between two samples; the last one may be nearer
    this.list = make("div");
    root.replaceChildren(make("h2", {}, "Story"), this.list);
    this.charts = [];
    this.at = null;
  }

  clear() {
    this.samples = [];
    this.spacing = 0;
    this.charts = [];
    this.list.replaceChildren();
  }

  /** Takes the samples of the run before this page was opened. */
  restore(samples) {
    this.samples = samples;
    this.spacing = samples.length ? (2 * (samples.at(-1).tick - samples[0].tick)) / MOST_SAMPLES : 0;
    this.draw();
  }

  /** Adds the numbers of a tick. After a return to an earlier tick, later samples are dropped. */
  add(numbers) {
    const { samples } = this, returned = samples.length > 0 && samples.at(-1).tick >= numbers.tick;
    while (samples.length && samples.at(-1).tick >= numbers.tick) samples.pop();
    if (samples.length > 1 && samples.at(-1).tick - samples.at(-2).tick < this.spacing) samples.pop();
    samples.push(numbers);
    const full = samples.length > MOST_SAMPLES;
    if (full) this.samples = samples.filter((_, at) => at % 2 === 0);
    if (full || returned) this.spacing = (2 * (numbers.tick - samples[0].tick)) / MOST_SAMPLES;
    this.draw();
  }

  /** The charts of this world, each with its lines: a name, a colour and the value in a sample. */
  plan() {
    const { world } = this.app, last = this.samples.at(-1);
    const populations = world.species.map(({ name }, number) => ({ name, colour: Colours.species(number), of: (sample) => sample.story.populations[number]?.agents ?? 0 }));
    let kind = 0;
    const states = world.species.flatMap(({ name, states }, species) => (states.length ? states : [null]).map((state, number) => ({
      name: world.species.length > 1 ? `${name} ${words(state ?? "")}` : words(state ?? name), colour: Colours.species(kind++), hidden: state === null,
      of: (sample) => sample.story.populations[species]?.states[number] ?? 0,
    }))).filter(({ hidden }) => !hidden);
    const events = Object.keys(last.story.events).map((name, number) => ({ name: words(name), colour: Colours.rule(number), of: (sample) => sample.story.events[name] ?? 0 }));
    const measure = (name, key, high) => ({ title: name, high, lines: key in last ? [{ name, colour: Colours.rule(1), of: (sample) => sample[key] }] : [] });
    const stages = last.stages.map(([name], number) => ({ name, colour: Colours.rule(number), of: (sample) => sample.stages[number]?.[1] ?? 0 }));
    return [
      { title: "Population", lines: populations }, { title: "Agents per state", lines: states }, { title: "Events so far", lines: events },
      measure("Polarisation", "polarisation", 1), measure("Mean speed in m/s", "mean_speed"), measure("Mean neighbours", "mean_neighbours"),
      ...(this.app.figures ? [{ title: "Milliseconds per stage", lines: stages }] : []),
    ].filter(({ lines }) => lines.length > 0);
  }

  draw() {
    if (!this.samples.length || !this.app.world) return;
    this.plan().forEach((plan, number) => {
      if (this.charts[number]?.title !== plan.title) this.rebuild(number, plan.title);
      this.chart(this.charts[number], plan);
    });
  }

  /** Replaces the charts from this one on. */
  rebuild(number, title) {
    for (const { root } of this.charts.splice(number)) root.remove();
    const canvas = make("canvas", { role: "img" }), legend = make("div", { className: "legend" });
    const root = make("div", { className: "chart" }, make("h3", {}, title), canvas, legend);
    const share = (event) => (event.offsetX - GUTTER) / (canvas.clientWidth - GUTTER);
    const move = (event) => { this.at = Math.min(1, Math.max(0, share(event))); this.draw(); };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerleave", () => { this.at = null; this.draw(); });
    canvas.addEventListener("click", () => { const sample = this.pointed(); if (sample) this.app.timeline.seek(sample.tick); });
    this.list.append(root);
    this.charts.push({ root, canvas, legend, title });
  }

  /** The sample under the pointer; null if the pointer is elsewhere. */
  pointed() {
    if (this.at === null) return null;
    const first = this.samples[0].tick, last = this.samples.at(-1).tick, tick = first + this.at * (last - first);
    return this.samples.reduce((best, sample) => (Math.abs(sample.tick - tick) < Math.abs(best.tick - tick) ? sample : best));
  }

  chart({ canvas, legend, title }, { lines, high: fixed }) {
    const { samples } = this, ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    const all = lines.flatMap(({ of }) => samples.map(of)).filter(Number.isFinite);
    const most = Math.max(0, ...all), high = fixed ?? roundUp(most || 1, [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]);
    const bottom = height - 14, top = 5;
    const first = samples[0].tick, span = Math.max(1, samples.at(-1).tick - first);
    const x = (sample) => GUTTER + ((sample.tick - first) / span) * (width - GUTTER), y = (value) => bottom - (value / high) * (bottom - top);
    c.strokeStyle = Colours.edge;
    c.lineWidth = 1;
    c.strokeRect(GUTTER + 0.5, top + 0.5, width - GUTTER - 1, bottom - top);
    c.lineWidth = 1.5;
    c.lineJoin = "round";
    for (const { colour, of } of lines) {
      c.strokeStyle = colour;
      c.beginPath();
      for (const sample of samples) c.lineTo(x(sample), y(of(sample)));
      c.stroke();
    }
    c.fillStyle = Colours.soft;
    c.font = "10px system-ui, sans-serif";
    const seconds = (sample) => clock(sample.tick);
    const pointed = this.pointed();
    if (!pointed) {
      c.fillText(seconds(samples[0]), GUTTER, height - 2);
      c.textAlign = "right";
      c.fillText(seconds(samples.at(-1)), width, height - 2);
    }
    c.textAlign = "right";
    c.fillText(short(high), GUTTER - 4, top + 5);
    c.fillText("0", GUTTER - 4, bottom + 3);
    if (pointed) {
      c.strokeStyle = Colours.selected;
      c.lineWidth = 1;
      c.beginPath();
      c.moveTo(x(pointed), top);
      c.lineTo(x(pointed), bottom);
      c.stroke();
      c.textAlign = x(pointed) > width / 2 ? "right" : "left";
      c.fillText(seconds(pointed), x(pointed), height - 2);
    }
    const shown = pointed ?? samples.at(-1);
    const texts = lines.map(({ name, colour, of }) => {
      const values = samples.map(of).filter(Number.isFinite);
      const range = `${short(Math.min(...values))} to ${short(Math.max(...values))}`;
      return make("span", { title: `${name}: ${range}` }, swatch(colour), name === title ? "" : `${name} `, make("b", {}, short(of(shown))),
        make("small", {}, ` (${range})`));
    });
    legend.replaceChildren(...texts);
    canvas.setAttribute("aria-label", `${title}: ${texts.map(({ textContent }) => textContent).join(", ")}`);
  }
}
