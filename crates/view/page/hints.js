// The first steps, shown once in a browser.
const SEEN = "throng-hints";

/** Shows them on the first visit. A cookie remembers the visit: unlike other storage it holds for every port. */
function showHints() {
  const box = element("hints");
  if (app.world.recorded || app.world.hosted || document.cookie.includes(`${SEEN}=`)) return;
  const close = make("button", { className: "main", type: "button", onclick: hideHints }, say("gotIt"));
  const step = (key, text) => make("span", {}, make("kbd", {}, key), ` ${text}`);
  box.replaceChildren(...(app.tools.hovers ? [] : [step(say("click"), say("clickHint"))]), step(say("drag"), say("dragHint")),
    app.tools.hovers ? step(say("move"), say("moveHint")) : step("P", say("falconHint")),
    step("G", say("openHint", { count: Math.max(1, app.world.files.length) })), close);
  box.hidden = false;
  resize();
}

/** The height that they take from the stage, which covers nothing of the world. */
function hintsHeight() {
  const { offsetHeight: height } = element("hints");
  return height && height + 8;
}

function hideHints() {
  element("hints").hidden = true;
  resize();
  document.cookie = `${SEEN}=1; max-age=31536000; samesite=strict`;
}
