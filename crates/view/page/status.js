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
  element("lost-reason").textContent = say("connecting");
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
    ...(world.recorded ? [make("b", { className: "recorded", title: world.recorded }, say("recorded"))] : []),
    fact(say("agentsFact"), grouped(frame.agents)), fact(say("tickFact"), grouped(frame.tick)), ...slowness(numbers, pace, world),
  ];
  if (numbers.warnings?.length > 0) {
    const what = numbers.capped > 0 ? say("inexact", { share: percent(numbers.capped_share) }) : say("rulesAtFault");
    facts.push(make("button", { className: "warn", type: "button", onclick: explainFaults }, what));
  }
  if (!pace.playing && numbers.hash && numbers.tick === frame.tick) facts.push(fact(say("state"), numbers.hash, say("hashTip")));
  if (app.figures) {
    facts.push(fact(say("speed"), say("ticksPerSecond", { ticks: grouped(Math.round(numbers.ticks_per_second ?? 0)) })),
      fact(say("drawn"), say("framesPerSecond", { frames: app.rate.toFixed(0) })),
      fact(say("frame"), say("bytes", { bytes: grouped(frame.bytes) })), fact(say("encodedIn"), `${(numbers.encode_ms ?? 0).toFixed(1)} ms`),
      fact(say("paintedIn"), `${app.paintMs.toFixed(1)} ms`), fact(say("dropped"), String(app.link.dropped + app.skipped)),
      fact(say("drawnAs"), say(asPoints() ? "asPoints" : world.species.some(({ person }) => person) ? "asBodies" : "asDarts")), ...(world.recorded ? [] : [fact(say("threads"), `${world.threads} · ${world.instruction_set}`)]));
  }
  const bar = element("facts"), focused = bar.contains(document.activeElement);
  bar.classList.toggle("many", app.figures);
  bar.replaceChildren(...facts);
  if (focused) bar.querySelector("button")?.focus();
}

/** Says that a world is slower than asked for, as one that its machine cannot keep up with. */
function slowness({ ticks_per_second: ticks }, { playing, times }, { tick_seconds: tick }) {
  if (!playing) return [make("span", {}, say("paused"))];
  const real = (ticks ?? 0) * (tick ?? 0);
  if (!tick || !real || (times > 0 && real > 0.85 * times)) return [];
  return [make("span", { title: say("runsAtTip") }, `${say("runsAt")} `, make("b", {}, `${short(Number(real.toPrecision(2)))}x`))];
}

/** A share in per cent, as the program writes it. */
function percent(share) {
  if (share < 0.001) return say("hardlyAny");
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function explainFaults() {
  const warnings = (app.numbers.warnings ?? []).map((warning) => make("p", {}, say("fault", { warning })));
  dialog(make("h2", {}, say("faults")), ...(warnings.length > 0 ? warnings : [make("p", {}, say("noFaults"))]),
    make("p", {}, say("faultsHelp")));
}

function dialog(...content) {
  element("dialog-body").replaceChildren(...content);
  if (!element("dialog").open) element("dialog").showModal();
  // The button at the end has the focus.
  element("dialog").scrollTop = 0;
}
