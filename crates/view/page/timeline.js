// The time of the run: play, pace, earlier ticks, undo and redo, and the command that gives the present state.
const SPEEDS = [0.5, 1, 2, 5, 10, 0]; // multiples of real time; 0 for no limit

class Timeline {
  constructor(app) {
    this.app = app;
    this.slider = element("time");
    this.slider.oninput = () => {
      this.wanted = this.slider.valueAsNumber;
      // One request per eighth of a second: an earlier tick may take a while.
      this.timer ??= setTimeout(() => { this.timer = null; this.seek(this.wanted); }, 125);
    };
    element("play").onclick = () => this.toggle();
    element("step").onclick = () => app.send({ do: "step" });
    element("speed").append(...SPEEDS.map((times, at) => make("option", { value: at }, times ? `${times}x` : say("unlimited"))));
    element("speed").onchange = () => this.speed(0);
    element("command").onclick = () => this.copy();
  }

  toggle() {
    this.app.send({ do: this.app.pace.playing ? "pause" : "play" });
  }

  seek(tick) {
    this.app.send({ do: "seek", tick: Math.round(tick) });
  }

  speed(more) {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, Number(element("speed").value) + more));
    element("speed").value = at;
    this.app.send({ do: "speed", times: SPEEDS[at] });
  }

  show() {
    const { pace, numbers, frame } = this.app, { playing, times } = pace;
    const play = element("play"), name = say(playing ? "pause" : "play"), text = `${playing ? "❚❚" : "▶"}${innerWidth < 700 ? "" : ` ${name}`}`;
    if (play.textContent !== text) [play.textContent, play.ariaLabel] = [text, name];
    const at = SPEEDS.indexOf(times);
    if (document.activeElement !== element("speed") && at >= 0) element("speed").value = at;
    if (numbers.reversible) [element("undo").disabled, element("redo").disabled] = numbers.reversible.map((able) => !able);
    element("command").disabled = !this.command();
    if (!frame) return;
    element("clock").textContent = clock(frame.tick, 1);
    this.slider.min = numbers.first ?? 0;
    this.slider.max = Math.max(numbers.last ?? 0, frame.tick, 1);
    if (document.activeElement !== this.slider || playing) this.slider.value = frame.tick;
    this.slider.setAttribute("aria-valuetext", say("atTick", { tick: frame.tick }));
  }

  /** The command that gives the present hash; null while playing, or after edits. */
  command() {
    const { world, numbers, frame, pace } = this.app;
    if (!world || pace.playing || numbers.edited || !numbers.hash || numbers.tick !== frame?.tick) return null;
    const seed = world.run.includes(" --seed ") ? "" : ` --seed ${world.seed}`;
    return `${world.run}${seed} --ticks ${numbers.tick} --expect-hash ${numbers.hash}`;
  }

  copy() {
    const command = this.command();
    if (!command) return;
    navigator.clipboard?.writeText(command).catch(() => {});
    dialog(make("h2", {}, say("commandTitle")), make("pre", {}, command),
      make("p", {}, say("commandCopied")));
  }
}
