// Elements of the page: how they are made, and how numbers are written.
const element = (id) => document.getElementById(id);

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

/** A number with six significant digits. */
function round(value) {
  return String(Number(Number(value).toPrecision(6)));
}

/** A number with three significant digits and grouped thousands. */
function short(value) {
  if (!Number.isFinite(value)) return "–";
  const number = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return grouped(number);
}

/** A number with thin spaces between thousands. */
function grouped(number) {
  return number.toLocaleString("en", { maximumFractionDigits: 6 }).replaceAll(",", "\u202f");
}

/** Rounds up to one of these factors times a power of ten. */
function roundUp(value, factors = [1, 2, 5, 10]) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((factors.find((factor) => factor * power >= value * (1 - 1e-9)) * power).toPrecision(6));
}

/** The time of a tick: in seconds where the length of a tick is known. */
function clock(tick, decimals) {
  const { tick_seconds: length } = app.world;
  if (length === null) return say("atTick", { tick: grouped(tick) });
  return `${decimals === undefined ? short(tick * length) : (tick * length).toFixed(decimals)} s`;
}

/** A text with its words in backticks as code. */
function prose(text) {
  return text.split("`").map((part, number) => (number % 2 ? make("code", {}, part) : part));
}

/** A name of the engine as words. */
function words(name) {
  return name.replaceAll("_", " ");
}

/** The name of a scenario as a title: a name of a file begins with a capital. */
function titled(name) {
  const text = words(name);
  return /[A-Z.]/.test(text) ? text : text[0].toUpperCase() + text.slice(1);
}

/** Lets the browser save a file. */
function download(name, blob) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
