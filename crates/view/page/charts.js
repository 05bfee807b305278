// The charts of the run, over one axis of simulated time.
const MOST_SAMPLES = 1200;
const GUTTER = 44; // pixels on the left of a chart, for the numbers of its axis

class Charts {
  constructor(root, app) {
    Object.assign(this, { root, app });
    this.samples = [];
    this.spacing = 0; // the least number of ticks between two samples; the last one may be nearer
    this.list = make("div");
    this.events = make("dl", { id: "events" });
    root.replaceChildren(this.list, make("h3", {}, say("events")), this.events);
    this.charts = [];
    this.at = null;
  }

  clear() {
    this.samples = [];
    this.spacing = 0;
    this.charts = [];
    this.list.replaceChildren();
    this.events.replaceChildren();
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

  draw() {
    const { app } = this;
    if (!this.samples.length || !app.world || element("charts").hidden || !document.body.classList.contains("panel")) return;
    const plans = chartsOf(app.world, this.samples, app.scenery, app.figures);
    plans.forEach((plan, number) => {
      if (this.charts[number]?.title !== plan.title) this.rebuild(number, plan.title);
      this.chart(this.charts[number], plan, number === plans.length - 1);
    });
    this.cut(plans.length);
    const { events } = this.samples.at(-1).story;
    this.events.replaceChildren(...Object.entries(events).flatMap(([name, number]) => [make("dt", {}, words(name)), make("dd", {}, grouped(number))]));
    this.events.previousElementSibling.hidden = Object.keys(events).length === 0;
  }

  /** Removes the charts from this one on. */
  cut(number) {
    for (const { root } of this.charts.splice(number)) root.remove();
  }

  /** Replaces the charts from this one on. */
  rebuild(number, title) {
    this.cut(number);
    const canvas = make("canvas", { role: "img" }), legend = make("div", { className: "legend" });
    const root = make("div", { className: "chart" }, make("h3", {}, title), canvas, legend);
    const share = (event) => (event.offsetX - GUTTER) / (canvas.clientWidth - GUTTER);
    const move = (event) => { this.at = Math.min(1, Math.max(0, share(event))); this.draw(); };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerleave", () => { this.at = null; this.draw(); });
    canvas.addEventListener("click", () => { const at = this.pointed(); if (at !== null) this.app.timeline.seek(this.samples[at].tick); });
    this.list.append(root);
    this.charts.push({ root, canvas, legend, title });
  }

  /** The number of the sample under the pointer; null if the pointer is elsewhere. */
  pointed() {
    if (this.at === null || !this.samples.length) return null;
    const first = this.samples[0].tick, tick = first + this.at * (this.samples.at(-1).tick - first);
    return this.samples.reduce((best, sample, at) => (Math.abs(sample.tick - tick) < Math.abs(this.samples[best].tick - tick) ? at : best), 0);
  }

  chart({ canvas, legend, title }, { lines, high: fixed }, isLast) {
    const { samples } = this, ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    const most = lines.reduce((most, { values }) => values.reduce((one, value) => (value > one ? value : one), most), 0);
    const high = fixed ?? roundUp(most || 1, [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]);
    const bottom = height - 14, top = 5;
    const first = samples[0].tick, span = Math.max(1, samples.at(-1).tick - first);
    const x = (at) => GUTTER + ((samples[at].tick - first) / span) * (width - GUTTER), y = (value) => bottom - (value / high) * (bottom - top);
    c.strokeStyle = Colours.edge;
    c.lineWidth = 1;
    c.strokeRect(GUTTER + 0.5, top + 0.5, width - GUTTER - 1, bottom - top);
    c.lineWidth = 1.5;
    c.lineJoin = "round";
    for (const { colour, values } of lines) {
      c.strokeStyle = colour;
      c.beginPath();
      values.forEach((value, at) => { if (Number.isFinite(value)) c.lineTo(x(at), y(value)); });
      c.stroke();
    }
    c.fillStyle = Colours.soft;
    c.font = "10px system-ui, sans-serif";
    const pointed = this.pointed();
    // All charts have the time of the last one.
    if (pointed === null && isLast) {
      c.fillText(clock(samples[0].tick), GUTTER, height - 2);
      c.textAlign = "right";
      c.fillText(clock(samples.at(-1).tick), width, height - 2);
    }
    c.textAlign = "right";
    c.fillText(short(high), GUTTER - 4, top + 5);
    c.fillText("0", GUTTER - 4, bottom + 3);
    if (pointed !== null) {
      c.strokeStyle = Colours.selected;
      c.lineWidth = 1;
      c.beginPath();
      c.moveTo(x(pointed), top);
      c.lineTo(x(pointed), bottom);
      c.stroke();
      c.textAlign = x(pointed) > width / 2 ? "right" : "left";
      c.fillText(clock(samples[pointed].tick), x(pointed), height - 2);
    }
    const shown = pointed ?? samples.length - 1;
    const texts = lines.map(({ name, colour, values }) => {
      const known = values.filter(Number.isFinite), least = known.reduce((a, b) => Math.min(a, b), Infinity);
      const range = say("range", { low: short(least), high: short(known.reduce((a, b) => Math.max(a, b), -Infinity)) });
      return make("span", { title: `${name}: ${range}` }, swatch(colour), name === title ? "" : `${name} `, make("b", {}, short(values[shown])),
        make("small", {}, ` (${range})`));
    });
    legend.replaceChildren(...texts);
    canvas.setAttribute("aria-label", `${title}: ${texts.map(({ textContent }) => textContent).join(", ")}`);
  }
}
