// The address of a page with its own engine: #scenario=NAME opens a shipped scenario, #world=… a link, #written=… a text
// that was edited here, and &embed hides the controls. With #text the document around this one sends the text. #bench
// measures the engine. The part after the # stays in the browser.

/** The first world. */
const FIRST_WORLD = "murmuration";
/** The longest packed link in letters, and the largest in bytes when it is unpacked. */
const LONGEST_LINK = 200_000, LARGEST_LINK = 4 << 20;

/** The parts of the address. */
function parts() {
  return new URLSearchParams(location.hash.slice(1));
}

/** The texts of scenarios that the document around this one sends: the first opens, later ones replace it. */
const Embedder = {
  /** Whether it has the text. */
  writes: parts().has("text") && parent !== window,

  /** Reports to it that the page waits for the first text (`ready`), that its world runs, or an error. */
  report(throng, reason) {
    if (this.writes) parent.postMessage({ throng, reason }, "*");
  },

  /** The first text, as a request to the engine. `next` takes later ones. */
  first(next) {
    return new Promise((open) => {
      let take = (text) => {
        take = next;
        open({ text });
      };
      addEventListener("message", ({ source, data }) => {
        if (source === parent && typeof data?.text === "string") take(data.text);
      });
      this.report("ready");
    });
  },
};

/** The request of the address to the engine: a name, a link, a text, or figures. */
async function address() {
  const asked = parts(), world = asked.get("world");
  if (Embedder.writes) return Embedder.first((text) => app.link.channel.write(text));
  if (asked.has("bench")) return { bench: true };
  const written = asked.get("written");
  if (written !== null) return { text: (app.tried = await unpacked(written)) };
  if (world === null) return { name: asked.get("scenario") ?? FIRST_WORLD };
  const link = await unpacked(world);
  try {
    const { tick, hash } = JSON.parse(link);
    app.expected = { tick, hash };
  } catch {
    // The engine refuses it, with the reason.
  }
  return { link };
}

/** The letters of a text in an address: compressed, then in base64 without letters that addresses change. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4096) letters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text that was packed. One that grows beyond the limit is refused before it is unpacked to the end. */
async function unpacked(letters) {
  const refuse = (key, most) => { throw new Error(say(key, { most })); };
  if (letters.length > LONGEST_LINK) refuse("linkLong", grouped(LONGEST_LINK));
  const chunks = [];
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let part = await reader.read(); !part.done && size <= LARGEST_LINK; part = await reader.read()) {
      chunks.push(part.value);
      size += part.value.length;
    }
    if (size > LARGEST_LINK) await reader.cancel();
  } catch {
    refuse("linkDamaged");
  }
  if (size > LARGEST_LINK) refuse("linkLarge", LARGEST_LINK >> 20);
  return new Blob(chunks).text();
}
