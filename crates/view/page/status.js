// What the page reports: notices, errors, the footer and the loss of the engine.

/** Shows a passing notice. */
function notice(text) {
  element("notice").textContent = text;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => (element("notice").textContent = ""), 8000);
}

/** Shows an error until it is dismissed. */
function showError(text) {
  const box = element("error");
  box.hidden = false;
  box.querySelector("pre").textContent = text;
}

/** Explains the loss of the engine, and offers to connect again. */
function showLoss(reason) {
  app.lost = true;
  element("lost").hidden = false;
  element("lost-reason").textContent = reason;
  element("lost-again").focus();
}

function tryAgain() {
  element("lost-reason").textContent = "Connecting …";
  if (Channel.inside) history.replaceState(null, "", location.pathname + location.search);
  app.link.open();
}

/** Shows or hides the statistics for developers. */
function showFigures(shown) {
  app.figures = shown;
  element("figures").ariaPressed = String(shown);
  app.charts.draw();
  showStatus();
}

function showStatus() {
  const { numbers, frame, world, pace } = app;
  if (!frame || !world) return;
  const fact = (name, value, title = "") => make("span", { title }, `${name} `, make("b", {}, value));
  const facts = [
    ...(world.recorded ? [make("b", { className: "recorded", title: world.recorded }, "recorded")] : []),
    fact("agents", grouped(frame.agents)), fact("tick", grouped(frame.tick)), ...slowness(numbers, pace, world),
  ];
  if (numbers.warnings?.length > 0) {
    const what = numbers.capped > 0 ? `inexact: ${percent(numbers.capped_share)}` : "rules at fault";
    facts.push(make("button", { className: "warn", type: "button", onclick: explainFaults }, what));
  }
  if (!pace.playing && numbers.hash && numbers.tick === frame.tick) facts.push(fact("state", numbers.hash, "The hash of the state: equal states have equal hashes"));
  if (app.figures) {
    facts.push(fact("speed", `${grouped(Math.round(numbers.ticks_per_second ?? 0))} ticks/s`), fact("drawn", `${app.rate.toFixed(0)} frames/s`),
      fact("frame", `${grouped(frame.bytes)} bytes`), fact("encoded in", `${(numbers.encode_ms ?? 0).toFixed(1)} ms`),
      fact("painted in", `${app.paintMs.toFixed(1)} ms`), fact("dropped frames", String(app.link.dropped + app.skipped)),
      fact("as", asPoints() ? "points" : "darts"), ...(world.recorded ? [] : [fact("threads", `${world.threads} · ${world.instruction_set}`)]));
  }
  const bar = element("facts"), focused = bar.contains(document.activeElement);
  bar.classList.toggle("many", app.figures);
  if (app.figures) bar.tabIndex = 0;
  else bar.removeAttribute("tabindex");
  bar.replaceChildren(...facts);
  if (focused) bar.querySelector("button")?.focus();
}

/** Says that a world is slower than asked for, as one that its machine cannot keep up with. */
function slowness({ ticks_per_second: ticks }, { playing, times }, { tick_seconds: tick }) {
  if (!playing) return [make("span", {}, "paused")];
  const real = (ticks ?? 0) * (tick ?? 0);
  if (!tick || !real || (times > 0 && real > 0.85 * times)) return [];
  return [make("span", { title: "The multiple of real time that this machine reaches" }, "runs at ", make("b", {}, `${short(Number(real.toPrecision(2)))}x`))];
}

/** A share in per cent, as the program writes it. */
function percent(share) {
  if (share < 0.001) return "less than 0.1 %";
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function explainFaults() {
  const warnings = (app.numbers.warnings ?? []).map((warning) => make("p", {}, `In this tick, ${warning}.`));
  dialog(make("h2", {}, "Faults of the tick"), ...(warnings.length > 0 ? warnings : [make("p", {}, "This tick has none.")]),
    make("p", {}, "Where very many agents stand in one place, a tick has a limit on the pairs that it looks at. Agents beyond it perceive "
      + "the nearest candidates only. Results stay the same on every platform compared, but they differ from an exact search."));
}

function dialog(...content) {
  element("dialog-body").replaceChildren(...content);
  if (!element("dialog").open) element("dialog").showModal();
}
