// The gallery: the scenarios of the folder with pictures, and pictures and films of the view.
class Gallery {
  constructor(app) {
    this.app = app;
    this.entries = new Map();
    element("open").onclick = () => this.show();
  }

  show() {
    this.list = make("div", { className: "gallery" });
    for (const name of this.app.world.files) this.list.append(this.card(name));
    dialog(make("h2", {}, "Scenarios of this folder"), this.list);
    if (this.entries.size < this.app.world.files.length) this.app.send({ do: "gallery" });
  }

  card(name) {
    const { title, caption, picture } = this.entries.get(name) ?? {};
    const image = picture ? make("img", { src: picture, alt: "" }) : make("span", { className: "blank" });
    const card = make("button", { type: "button", ariaLabel: `Open ${title ?? name}`, title: caption ?? "" }, image, make("b", {}, title ?? name), make("small", {}, caption ?? name));
    card.dataset.name = name;
    card.onclick = () => {
      element("dialog").close();
      this.app.send({ do: "open", name });
    };
    return card;
  }

  /** Shows the picture of a scenario. */
  add(entry) {
    this.entries.set(entry.name, entry);
    const old = [...(this.list?.children ?? [])].find(({ dataset }) => dataset.name === entry.name);
    if (!old) return;
    const focused = old === document.activeElement, card = this.card(entry.name);
    old.replaceWith(card);
    if (focused) card.focus();
  }
}

/** Draws the view into one canvas: the agents and everything above them. */
function compose(app, canvas) {
  const { width, height } = element("overlay");
  Object.assign(canvas, canvas.width === width && canvas.height === height ? {} : { width, height });
  const c = canvas.getContext("2d");
  c.fillStyle = Colours.ground;
  c.fillRect(0, 0, width, height);
  app.paintAgents();
  app.overlay.draw(app);
  for (const layer of ["raster", "agents", "overlay"]) c.drawImage(element(layer), 0, 0, width, height);
  c.fillStyle = Colours.soft;
  c.font = `${13 * app.overlay.ratio}px system-ui, sans-serif`;
  const { scale, length } = app.legend, x = 12 * app.overlay.ratio, y = height - x;
  c.fillText(`${app.world.name} · ${app.legend.time.textContent} · ${length.textContent}`, x, y - x);
  c.fillRect(x, y - 4 * app.overlay.ratio, scale.offsetWidth * app.overlay.ratio, 2 * app.overlay.ratio);
  return canvas;
}

function savePicture(app) {
  compose(app, make("canvas")).toBlob((blob) => download(`${app.world.name}-${app.frame.tick}.png`, blob));
}

/** Starts or ends a film of the view, which the browser saves. */
function toggleFilm(app) {
  if (app.film) return app.film.recorder.stop();
  const canvas = compose(app, make("canvas")), chunks = [];
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  recorder.onstop = () => {
    app.film = null;
    element("film").ariaPressed = "false";
    download(`${app.world.name}.webm`, new Blob(chunks, { type: "video/webm" }));
  };
  recorder.start(500);
  app.film = { recorder, canvas };
  element("film").ariaPressed = "true";
}
