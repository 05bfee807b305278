// Controls of parameters: a slider and a field for a number, and controls for the other kinds of values.

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
  if (Array.isArray(value?.[0])) return say("points", { count: value.length });
  if (Array.isArray(value)) return value.map((one) => (typeof one === "number" ? round(one) : one)).join(", ");
  return typeof value === "number" ? round(value) : String(value ?? say("noLimit"));
}

/** The controls of a parameter, and the function that shows a value in them. */
function controls(id, parameter, set, done) {
  if (parameter.form === "number") return numberControl(id, parameter, set, done);
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

function numberControl(id, parameter, set, done) {
  const { bottom, top, step } = sliderRange(parameter);
  const slider = make("input", { id, type: "range", min: bottom, max: top, step, title: parameter.help });
  // JSON has no infinity: an empty field means no limit, with the slider at its end.
  const endless = parameter.high === null;
  const field = make("input", { type: "number", step: "any", placeholder: endless ? "∞" : "", ariaLabel: say("exactly", { name: words(parameter.name) }) });
  slider.oninput = () => {
    // An open range excludes its lower bound.
    const value = parameter.above && slider.valueAsNumber <= parameter.low ? step : slider.valueAsNumber;
    field.value = round(value);
    set(Number(round(value)));
  };
  slider.onchange = () => done();
  field.onchange = () => {
    if (Number.isFinite(field.valueAsNumber)) set(field.valueAsNumber);
    else if (endless) set(null);
    done();
  };
  return [[slider, field], (value) => {
    if (document.activeElement !== slider) slider.value = value ?? top;
    if (document.activeElement !== field && document.activeElement !== slider) field.value = value === null ? "" : round(value);
  }];
}
