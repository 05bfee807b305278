// Charts of the last half minute: a few measures, and the stages of a tick.
const HISTORY = 300;

class Charts {
  constructor(root) {
    this.root = root;
    this.rows = [
      { name: "Polarisation", key: "polarisation", low: 0, high: 1, text: (v) => v.toFixed(3) },
      { name: "Mean speed", key: "mean_speed", low: 0, text: (v) => `${v.toFixed(2)} m/s` },
      { name: "Mean neighbours", key: "mean_neighbours", low: 0, text: (v) => v.toFixed(1) },
    ];
    root.replaceChildren(make("h2", {}, "Measures"));
    for (const row of this.rows) {
      row.values = [];
      row.label = make("b");
      row.canvas = make("canvas", { role: "img", ariaLabel: row.name });
      root.append(make("div", { className: "chart" }, make("div", {}, make("span", {}, row.name), row.label), row.canvas));
    }
    this.stages = [];
    this.total = make("b");
    this.canvas = make("canvas", { role: "img", ariaLabel: "Milliseconds per stage" });
    this.legend = make("div", { className: "legend" });
    root.append(make("div", { className: "chart" }, make("div", {}, make("span", {}, "Time of a tick"), this.total), this.canvas, this.legend));
  }

  clear() {
    for (const row of this.rows) row.values = [];
    this.stages = [];
  }

  add(numbers) {
    for (const row of this.rows) pushBounded(row.values, numbers[row.key]);
    pushBounded(this.stages, numbers.stages);
    this.draw();
  }

  draw() {
    for (const row of this.rows) {
      const last = row.values.at(-1);
      if (last === undefined) continue;
      row.label.textContent = row.text(last);
      const high = row.high ?? roundUp(Math.max(...row.values));
      const { context, width, height } = prepare(row.canvas);
      line(context, row.values, width, height, high, Colours.species(0));
    }
    this.drawStages();
  }

  drawStages() {
    const last = this.stages.at(-1);
    if (!last) return;
    const sum = (stages) => stages.reduce((all, [, ms]) => all + ms, 0);
    this.total.textContent = `${sum(last).toFixed(2)} ms`;
    const { context, width, height } = prepare(this.canvas);
    const high = roundUp(Math.max(...this.stages.map(sum), 1e-3));
    const step = width / (HISTORY - 1), start = HISTORY - this.stages.length;
    const floor = this.stages.map(() => 0);
    last.forEach(([,], stage) => {
      context.fillStyle = Colours.rule(stage);
      context.beginPath();
      this.stages.forEach((_, at) => context.lineTo((start + at) * step, height * (1 - floor[at] / high)));
      for (let at = this.stages.length - 1; at >= 0; at--) {
        floor[at] += this.stages[at][stage][1];
        context.lineTo((start + at) * step, height * (1 - floor[at] / high));
      }
      context.fill();
    });
    this.legend.replaceChildren(...last
      .map(([name, ms], stage) => ({ name, ms, stage }))
      .filter(({ ms }) => ms >= 0.01)
      .map(({ name, ms, stage }) => make("span", {}, swatch(Colours.rule(stage)), `${name} ${ms.toFixed(2)}`)));
  }
}

function pushBounded(values, value) {
  values.push(value);
  if (values.length > HISTORY) values.shift();
}

function prepare(canvas) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return { context, width, height };
}

function line(context, values, width, height, high, colour) {
  const step = width / (HISTORY - 1), start = HISTORY - values.length;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.beginPath();
  values.forEach((value, at) => context.lineTo((start + at) * step, 1 + (height - 2) * (1 - value / high)));
  context.stroke();
  context.lineTo(width, height);
  context.lineTo(start * step, height);
  context.globalAlpha = 0.14;
  context.fillStyle = colour;
  context.fill();
}

/** Rounds up to 1, 2, 5 or 10 times a power of ten. */
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((factor) => factor * power >= value) * power;
}
