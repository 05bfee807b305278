// Live worlds in the book, where it is part of the site: beside each comment `live FILE`, a button runs the scenario of this
// file in the page, with its text to edit. Nothing is loaded before; without JavaScript the book has no buttons.
(() => {
  const book = new URL("../../", document.currentScript.src), tab = new URL("../index.html#text&embed", book);
  // A page from a disk cannot start the engine.
  if (location.protocol === "file:") return;
  let running = null;

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /** The world of one comment: a button, and in its place the world and the text while it runs. */
  class Live {
    constructor(file) {
      this.file = file;
      this.start = make("button", { type: "button", onclick: () => this.open() }, "▶ Run this world here");
      this.box = make("div", { className: "live" }, this.start);
    }

    async open() {
      this.start.disabled = true;
      try {
        const response = await fetch(new URL(this.file, book));
        if (!response.ok) throw new Error(`${this.file}: status ${response.status}`);
        this.show(await response.text());
      } catch (error) {
        this.start.disabled = false;
        this.start.textContent = `▶ Try again: ${error.message}`;
      }
    }

    /** Shows the world. Only one runs, so that a page with many stays quick. */
    show(text) {
      running?.close();
      running = this;
      this.frame = make("iframe", { title: `A live world: ${this.file}`, src: tab });
      this.text = make("textarea", { value: text, rows: 16, spellcheck: false, ariaLabel: `The scenario ${this.file}` });
      this.error = make("pre", { hidden: true });
      this.error.setAttribute("role", "alert");
      this.text.onkeydown = (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
        // The keys of the book turn pages.
        event.stopPropagation();
      };
      const run = make("button", { type: "button", title: "Ctrl+Enter", onclick: () => this.run() }, "Run this text");
      const close = make("button", { type: "button", onclick: () => this.close() }, "Close");
      this.box.replaceChildren(this.frame, this.text, this.error, make("div", {}, run, close));
    }

    run() {
      this.frame.contentWindow.postMessage({ text: this.text.value }, tab.origin);
    }

    close() {
      if (running === this) running = null;
      this.start.disabled = false;
      this.box.replaceChildren(this.start);
      this.frame = null;
    }

    /** Takes a message of the world: it waits for a text, it runs, or the text has mistakes. */
    receive({ throng, reason }) {
      if (throng === "ready") this.run();
      this.error.hidden = throng !== "error";
      if (throng !== "error") return;
      this.error.textContent = reason;
      const [, line, column] = /^scenario:(\d+):(\d+)/m.exec(reason) ?? [];
      if (line === undefined) return;
      const before = this.text.value.split("\n").slice(0, line - 1), at = before.join("\n").length + (before.length ? 1 : 0) + Number(column) - 1;
      this.text.focus();
      this.text.setSelectionRange(at, at);
    }
  }

  addEventListener("message", ({ source, origin, data }) => {
    if (running && origin === tab.origin && source === running.frame.contentWindow) running.receive(data);
  });
  const comments = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_COMMENT), found = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  for (const comment of found) {
    const [, file] = /^ live (\S+) $/.exec(comment.data) ?? [];
    if (file) comment.after(new Live(file).box);
  }
})();
