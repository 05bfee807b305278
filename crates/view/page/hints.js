// The first steps, shown once in a browser.
const SEEN = "throng-hints";

/** Shows them on the first visit. A cookie remembers the visit: unlike other storage it holds for every port. */
function showHints() {
  const box = element("hints");
  if (app.world.recorded || app.world.hosted || document.cookie.includes(`${SEEN}=`)) return;
  const close = make("button", { className: "main", type: "button", onclick: hideHints }, "Got it");
  const step = (key, text) => make("span", {}, make("kbd", {}, key), ` ${text}`);
  box.replaceChildren(...(app.tools.hovers ? [] : [step("Click", "an agent: why does it move so?")]), step("Drag", "a slider: the crowd obeys at once"),
    app.tools.hovers ? step("Move", "the pointer: you are the falcon") : step("P", "be the falcon: hold, and they flee"), step("G", `${Math.max(1, app.world.files.length)} worlds to open`), close);
  box.hidden = false;
}

function hideHints() {
  element("hints").hidden = true;
  document.cookie = `${SEEN}=1; max-age=31536000; samesite=strict`;
}
