// Pictures and films of the view, with their legend and the name of the world.

/** Draws the view into one canvas: the ground, the agents, everything above them, and what it all means. */
function compose(app, canvas) {
  const { width, height } = element("overlay"), { ratio } = app.overlay;
  Object.assign(canvas, canvas.width === width && canvas.height === height ? {} : { width, height });
  const c = canvas.getContext("2d");
  Background.paint(c, width, height);
  app.paintAgents();
  app.overlay.draw(app);
  for (const layer of ["ground", "raster", "agents", "overlay"]) {
    if (!element(layer).hidden) c.drawImage(element(layer), 0, 0, width, height);
  }
  c.save();
  c.scale(ratio, ratio);
  explain(app, c, width / ratio, height / ratio);
  c.restore();
  return canvas;
}

/** Writes the name, the time, the scale and the colours along the lower edge. */
function explain(app, c, width, height) {
  const { legend, world, frame } = app, ink = Colours.selected, y = height - 18;
  const write = (text, x, align = "left") => {
    Object.assign(c, { font: "600 14px system-ui, sans-serif", textAlign: align, textBaseline: "middle", strokeStyle: Background.far, lineWidth: 4, lineJoin: "round", fillStyle: ink });
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
    return x + c.measureText(text).width;
  };
  let x = write(say("pictureCaption", { world: titled(world.name), time: clock(frame.tick, 1), agents: grouped(frame.agents) }), 16) + 24;
  const { offsetWidth: long } = legend.scale;
  c.fillRect(x, y - 1, long, 3);
  x = write(legend.length.textContent, x + long + 8) + 24;
  for (const { colour, colours, ends, text } of legend.parts()) {
    if (x > width - 260) break;
    if (colours) {
      const gradient = c.createLinearGradient(x, 0, x + 90, 0);
      colours.forEach((one, at) => gradient.addColorStop(at / (colours.length - 1), one));
      c.fillStyle = gradient;
      c.fillRect(x, y - 5, 90, 10);
      x = write(ends ? `${text}: ${say("range", { low: short(ends[0]), high: short(ends[1]) })}` : text, x + 98) + 20;
    } else {
      c.fillStyle = colour;
      c.fillRect(x, y - 5, 10, 10);
      x = write(text, x + 16) + 16;
    }
  }
  write("throng", width - 16, "right");
}

function savePicture(app) {
  compose(app, make("canvas")).toBlob((blob) => download(`${app.world.name}-${app.frame.tick}.png`, blob));
}

/** Starts or ends a film of the view, which the browser saves. */
function toggleFilm(app) {
  if (app.film) return app.film.recorder.stop();
  const type = ["video/mp4;codecs=avc1.42E01E", "video/webm"].find((type) => MediaRecorder.isTypeSupported(type));
  const canvas = compose(app, make("canvas")), chunks = [], started = performance.now(), button = element("film");
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type });
  const count = setInterval(() => {
    notice(say("filming", { seconds: Math.round((performance.now() - started) / 1000) }));
  }, 500);
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  recorder.onstop = () => {
    clearInterval(count);
    app.film = null;
    button.ariaPressed = "false";
    notice("");
    const plain = type.split(";")[0];
    download(`${app.world.name}.${plain.split("/")[1]}`, new Blob(chunks, { type: plain }));
  };
  recorder.start(500);
  app.film = { recorder, canvas };
  button.ariaPressed = "true";
}
