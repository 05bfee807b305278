// A page with its own engine: the tab of worlds, links, hashes of other machines, and the view without controls.
const TILES = [
  ["murmuration", "murmurationTile"],
  ["shoal", "shoalTile"],
  ["hunt", "huntTile"],
  ["hall", "hallTile"],
  ["circle", "circleTile"],
  ["vicsek", "vicsekTile"],
];

class Worlds {
  constructor(app) {
    this.app = app;
    this.embedded = parts().has("embed");
    this.first = location.hash.length < 2;
    document.body.classList.toggle("embed", this.embedded);
    this.tiles = make("div", { className: "tiles" });
    this.everywhere = make("div", { id: "everywhere" });
    const all = make("button", { type: "button", onclick: () => app.gallery.show() }, say("allWorlds"));
    const bench = make("button", { type: "button", onclick: () => (location.hash = "bench") }, say("bench"));
    this.text = make("textarea", { rows: 18, spellcheck: false, ariaLabel: say("asText") });
    const run = make("button", { type: "button", onclick: () => this.write() }, say("runText"));
    const text = make("details", {}, make("summary", {}, say("asText")), make("div", {}, this.text, run));
    text.ontoggle = () => {
      this.reads = text.open;
      this.request();
    };
    element("worlds").replaceChildren(make("p", {}, say("inThisTab")), this.tiles, all, this.everywhere, bench, text);
    const share = make("button", { id: "link", title: say("linkTip") }, say("link"));
    share.onclick = () => app.send({ do: "link" });
    element("share-menu").prepend(share);
    const whole = make("a", { id: "whole", target: "_blank", rel: "noopener" }, "throng");
    whole.onclick = () => {
      whole.href = location.href.replace(/[#&]embed[^&]*/, (found) => (found[0] === "#" ? "#" : ""));
      // The text of another document is in no address: its link is.
      this.leaves = Embedder.writes;
      if (this.leaves) app.send({ do: "link" });
      return !this.leaves;
    };
    const again = make("button", { id: "again", type: "button", title: say("againTip"), ariaLabel: say("again"), onclick: () => restart(true) }, "↻");
    if (this.embedded) {
      element("play").after(again, whole);
      this.rest();
    }
    element("lost").querySelector("p:last-of-type").textContent = say("firstWorld");
    addEventListener("hashchange", () => location.reload());
    this.show();
  }

  /** Runs the edited text. */
  write() {
    this.app.tried = this.text.value;
    this.app.link.channel.write(this.text.value);
  }

  /** The address that opens this world again: the name of a shipped one, or the text that was written here. */
  async keep(shipped) {
    // A text with mistakes starts no world.
    this.app.written = shipped ? null : this.app.tried ?? this.app.written;
    this.app.tried = null;
    const { written } = this.app, rest = this.embedded ? "&embed" : "";
    const letters = written ? await packed(written) : "";
    // Another world may have started meanwhile.
    if (this.app.world?.shipped !== shipped || this.app.expected) return;
    const text = letters && letters.length <= LONGEST_LINK ? `#written=${letters}${rest}` : location.pathname + location.search;
    history.replaceState(null, "", shipped ? `#scenario=${shipped}${rest}` : text);
  }

  /** Notes whether the frame is in sight, and plays when it comes back. `follow` pauses it out of sight. */
  rest() {
    this.seen = true;
    new IntersectionObserver((entries) => {
      this.seen = entries.at(-1).isIntersecting;
      if (!this.seen || !this.resting) return;
      this.resting = false;
      this.app.send({ do: "play" });
    }).observe(document.documentElement);
  }

  /** Asks for the pictures of the tiles, once the first world moves. */
  ask() {
    if (!this.asked && !this.embedded) this.app.send({ do: "gallery" });
    this.asked = true;
  }

  /** Shows the tiles, with the titles and the pictures that are known. */
  show() {
    this.tiles.replaceChildren(...TILES.map(([name, question]) => {
      const { title, picture } = this.app.gallery.entries.get(name) ?? {};
      const image = picture ? make("img", { src: picture, alt: "" }) : make("span", { className: "blank" });
      const tile = make("button", { type: "button" }, image, make("b", {}, titled(title ?? name)), make("small", {}, say(question)));
      tile.onclick = () => this.app.send({ do: "open", name });
      tile.dataset.name = name;
      return tile;
    }));
  }

  /** Adapts the page to a world that starts. */
  start({ shipped }) {
    this.milestone = null;
    this.compare();
    this.request();
    if (this.first || this.app.tools.hovers) {
      this.app.tools.choose(TOOLS.find(({ name }) => name === (this.first ? "falcon" : "select")));
      this.app.tools.hovers = this.first;
    }
    this.first = false;
    if (this.app.expected) return;
    // A first text with mistakes has stopped it.
    element("lost").hidden = true;
    this.app.lost = false;
    Embedder.report("world");
    if (Embedder.writes) return;
    // A link is written when it is made.
    this.keep(shipped);
  }

  /** Reports a mistake to the document around this one, which shows it beside its text. */
  report(reason) {
    this.app.tried = null;
    Embedder.report("error", reason);
    return Embedder.writes;
  }

  /** Asks for the text of the scenario with all changes, if it is shown. */
  request() {
    if (!this.reads) return;
    this.wanted = (this.wanted ?? 0) + 1;
    this.app.send({ do: "save" });
  }

  /** Takes the text that was asked for. Otherwise it is a file to save. */
  read({ text }) {
    if (!this.wanted) return false;
    this.wanted -= 1;
    this.text.value = text;
    return true;
  }

  /** Shows the state at the recorded tick beside the states of other machines. */
  compare() {
    const { world, numbers } = this.app, own = numbers.milestone;
    const recorded = HASHES.worlds[world?.shipped];
    if (!recorded) return this.everywhere.replaceChildren();
    const tick = HASHES.tick, row = (machine, hash, same) => make("div", {}, make("span", {}, machine), make("code", {}, hash), make("b", {}, same));
    const rows = Object.entries(recorded).map(([machine, hash]) => row(machine, hash, own ? (own === hash ? "✓" : say("otherHash")) : ""));
    const go = make("button", { type: "button", onclick: () => this.app.timeline.seek(tick) }, say("goToTick", { tick: grouped(tick) }));
    this.everywhere.replaceChildren(make("h2", {}, say("everywhere")),
      make("p", {}, say(own ? "stateHere" : "stateThere", { tick: grouped(tick) })),
      ...(own ? [row(say("thisTab"), own, "")] : []), ...rows, ...(own ? [] : [go]));
  }

  /** Follows the numbers of the engine: the state at the recorded tick, and the state of a link. */
  follow(numbers) {
    if (numbers.milestone !== this.milestone) {
      this.milestone = numbers.milestone;
      this.compare();
    }
    const { expected, pace } = this.app;
    if (this.seen === false && pace.playing && !this.resting) {
      // A document may have many frames.
      this.resting = true;
      this.app.send({ do: "pause" });
    }
    if (!expected) return this.ask();
    if (numbers.tick < expected.tick) return notice(say("linkComputed", { tick: grouped(numbers.tick), last: grouped(expected.tick) }));
    if (numbers.tick > expected.tick || !numbers.hash) return;
    this.app.expected = null;
    if (numbers.hash === expected.hash) return notice(say("linkSame", { hash: numbers.hash }));
    showError(say("linkOther", { hash: numbers.hash, expected: expected.hash }));
  }

  /** Shows a link, and puts it into the clipboard and into the address. */
  async share(link) {
    const letters = await packed(JSON.stringify(link));
    if (letters.length > LONGEST_LINK) {
      return showError(say("linkEdits", { letters: grouped(letters.length), most: grouped(LONGEST_LINK) }));
    }
    if (this.leaves) return open(`#world=${letters}`);
    history.replaceState(null, "", `#world=${letters}`);
    navigator.clipboard?.writeText(location.href).catch(() => {});
    dialog(make("h2", {}, say("linkTitle")), make("pre", {}, location.href),
      make("p", {}, say("linkCopied", { tick: grouped(link.tick), letters: grouped(letters.length) })));
  }
}
