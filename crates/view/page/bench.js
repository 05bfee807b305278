// `throng bench` in this tab: with #bench in the address the engine measures its flocks instead of opening a world, and
// the page shows a text to paste. The text is the same in every language, so that the book can collect it.
const Bench = {
  /** The times of each flock, by the first columns of its row, and its hash. */
  flocks: new Map(),

  /** Adds a measurement of the engine, and shows all; null ends them. */
  show(measured) {
    // The first world opens instead.
    element("dialog").onclose = () => (location.hash = "");
    if (measured) {
      const [version, dimensions, agents, ms, hash] = measured, flock = `${String(agents).padStart(8)} ${dimensions}D`;
      this.version = version;
      this.flocks.set(flock, { hash, times: [...(this.flocks.get(flock)?.times ?? []), ms] });
    }
    dialog(make("h2", {}, say("bench")), make("p", {}, ...prose(say(measured ? "benchRuns" : "benchDone"))),
      make("pre", { id: "bench" }, this.text()));
  },

  /** The machine and the rows, with the medians of the times. */
  text() {
    const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(3).padStart(11);
    const rows = [...this.flocks].map(([flock, { hash, times }]) => `${flock}${median(times)}  ${hash}`);
    const day = new Date().toISOString().slice(0, 10);
    return [navigator.userAgent, `hardwareConcurrency ${navigator.hardwareConcurrency}`,
      `throng ${this.version}, WebAssembly, one thread, ${day}`, `${"agents".padStart(11)}${"ms a tick".padStart(11)}  state hash`, ...rows].join("\n");
  },
};
