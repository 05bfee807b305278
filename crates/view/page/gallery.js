// The gallery: the scenarios in groups, with pictures.
class Gallery {
  constructor(app) {
    this.app = app;
    this.entries = new Map();
    element("open").onclick = () => this.show();
  }

  show() {
    this.list = make("div");
    for (const name of this.app.world.files) this.place(this.card(name), this.entries.get(name));
    const { length: count } = this.app.world.files;
    dialog(make("h2", {}, say("galleryTitle", { count })), make("p", {}, say("galleryHelp")), this.list);
    if (this.entries.size < this.app.world.files.length) this.app.send({ do: "gallery" });
  }

  card(name) {
    const { title, caption, picture } = this.entries.get(name) ?? {}, heading = titled(title ?? name);
    // The first sentence, or the whole error of a file.
    const text = title === name && name.endsWith(".toml") ? caption : caption?.match(/^.*?(?<! al)[.:](?=\s|$)/s)?.[0].replace(/:$/, ".");
    const image = picture ? make("img", { src: picture, alt: "" }) : make("span", { className: "blank" });
    const card = make("button", { type: "button", ariaLabel: say("openScenario", { title: heading }), title: caption ?? "" }, image, make("b", {}, heading), make("small", {}, ...prose(text ?? caption ?? "")));
    card.dataset.name = name;
    card.onclick = () => {
      element("dialog").close();
      this.app.send({ do: "open", name });
    };
    return card;
  }

  /** Puts a card at the end of its group. Groups come in the order of their numbers. */
  place(card, entry) {
    const own = card.dataset.name.endsWith(".toml") ? [-1, say("thisFolder")] : [99, say("scenarios")];
    const [number, title] = entry?.group ?? own;
    let group = [...this.list.children].find(({ dataset }) => Number(dataset.number) === number);
    if (!group) {
      group = make("section", {}, make("h2", { className: "gallery-group" }, sayName(title)), make("div", { className: "gallery" }));
      group.dataset.number = number;
      const next = [...this.list.children].find(({ dataset }) => Number(dataset.number) > number);
      this.list.insertBefore(group, next ?? null);
    }
    group.lastElementChild.append(card);
  }

  /** Shows the known facts about a scenario. */
  add(entry) {
    const same = this.entries.get(entry.name)?.group?.[0] === entry.group?.[0];
    this.entries.set(entry.name, entry);
    this.app.worlds?.show();
    const old = [...(this.list?.querySelectorAll("[data-name]") ?? [])].find(({ dataset }) => dataset.name === entry.name);
    if (!old) return;
    const focused = old === document.activeElement, card = this.card(entry.name), before = old.parentElement;
    if (same) old.replaceWith(card);
    else {
      old.remove();
      this.place(card, entry);
      if (!before.children.length) before.parentElement.remove();
    }
    if (focused) card.focus();
  }
}
