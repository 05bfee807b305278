// The keyboard: everything that the pointer does.
function showHelp() {
  const rows = [
    [say("space"), say("doPlay")], [".", say("doStep")], [",", say("doBack")], ["[ ]", say("doPace")],
    [`${say("ctrl")} Z`, say("doUndo")], [`${say("ctrl")} ${say("shift")} Z`, say("doRedo")],
    ["R", say("doRestart")], [`${say("shift")} R`, say("doReset")],
    ...TOOLS.map(({ key, help }) => [key.toUpperCase(), uncapitalised(help)]),
    [say("enter"), say("doUse")], ["N", say("doNearest")], ["F", say("doFollow")],
    ["H", say("doItem")], [say("delete"), say("doRemove")], [say("escape"), say("doClear")],
    [say("arrows"), say("doMove")], ["+ −", say("doZoom")], ["0", say("doHome")], ["C", say("doColour")],
    ["D", say("doTheme")], ["G", say("doOpen")], ["S", say("doSave")], ["I", say("doFigures")],
  ];
  dialog(make("h2", {}, say("help")), make("dl", {}, ...rows.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])),
    make("p", {}, say("pointerHelp")));
}

function arrow(dx, dy, shift) {
  if (app.handles.nudge(Math.sign(dx), Math.sign(dy))) return;
  if (app.camera.dimensions === 3 && !shift) app.camera.orbit(dx, dy);
  else app.camera.pan(-dx, -dy);
  app.touched();
}

/** Gives the keys back to the world after a click: a button that the pointer pressed would take the next space bar. */
function release({ detail, type }) {
  const click = type === "click", focused = document.activeElement;
  if (!(click ? detail > 0 : app.pointed) || element("dialog").open) return;
  if (focused.matches(click ? "button, summary, input[type=checkbox]" : "select, input[type=checkbox]")) focused.blur();
}

function key(event) {
  app.pointed = false;
  if (event.altKey || element("dialog").open) return;
  const typing = event.target.matches("input[type=text], input[type=number], input[type=search], select, textarea");
  if (typing) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    return app.send({ do: event.shiftKey ? "redo" : "undo" });
  }
  const moving = event.target.matches("input") && event.key.startsWith("Arrow");
  const pressing = event.target.matches("button, summary, input[type=checkbox]") && [" ", "Enter"].includes(event.key);
  if (moving || pressing) return;
  const [x, y] = app.camera.middle, tool = TOOLS.find((tool) => tool.key === event.key.toLowerCase());
  const zoom = (factor) => { app.camera.zoomAt(factor, x, y); app.touched(); };
  const actions = {
    " ": () => app.timeline.toggle(), ".": () => app.send({ do: "step" }), ",": () => app.timeline.seek(Math.max(0, app.frame.tick - 1)),
    r: () => restart(true), R: () => restart(false), f: () => app.follow(), Escape: () => { app.watch(null); app.handles.choose(null); app.tools.choose(TOOLS[0]); },
    n: () => app.pick(x, y, Infinity), Enter: () => app.tools.use(x, y),
    h: () => { app.tools.choose(TOOLS[0]); app.handles.next(); }, Delete: () => app.handles.remove(), Backspace: () => app.handles.remove(),
    "[": () => app.timeline.speed(-1), "]": () => app.timeline.speed(1), 0: home,
    c: nextColour, d: () => theme(!Colours.light), s: save, g: () => app.gallery.show(), i: () => showFigures(!app.figures), "?": showHelp,
    "+": () => zoom(1.25), "-": () => zoom(0.8),
    ArrowLeft: () => arrow(-30, 0, event.shiftKey), ArrowRight: () => arrow(30, 0, event.shiftKey),
    ArrowUp: () => arrow(0, -30, event.shiftKey), ArrowDown: () => arrow(0, 30, event.shiftKey),
  };
  const action = actions[event.key] ?? (tool && (() => app.tools.choose(tool)));
  if (action) {
    event.preventDefault();
    action();
  }
}
