// The worker beside the page: drives the session of the WebAssembly module by the page's messages and by a timer.
//
// The page sends first { open } with the { name } of a scenario, a { link }, a { text } or { bench: true }, and then
// commands as text, or { text } of a scenario. It gets { ready: true } or { failed: reason }, and then messages: texts, and
// bytes of frames and files.
"use strict";
let engine = null, start = null, timer = 0;
const awake = new MessageChannel(), encoder = new TextEncoder(), decoder = new TextDecoder();
awake.port1.onmessage = () => proceed();

/** Loads the module. A server may not know its type. */
async function load() {
  const imports = { env: { throng_now: () => performance.now() } };
  const response = await fetch("engine.wasm");
  if (!response.ok) throw new Error(`engine.wasm: status ${response.status}`);
  const typed = response.headers.get("Content-Type") === "application/wasm";
  const source = typed ? WebAssembly.instantiateStreaming(response, imports)
    : WebAssembly.instantiate(await response.arrayBuffer(), imports);
  return (await source).instance.exports;
}

/** Passes a text to a function of the module. */
function call(name, text) {
  const bytes = encoder.encode(text);
  const at = engine.throng_input(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  engine[name]();
}

/** Sends the messages that wait to the page. */
function deliver() {
  for (let kind = engine.throng_take(); kind !== 0; kind = engine.throng_take()) {
    const bytes = new Uint8Array(engine.memory.buffer, engine.throng_output(), engine.throng_output_length());
    if (kind === 1) postMessage(decoder.decode(bytes));
    else {
      const copy = bytes.slice().buffer;
      postMessage(copy, [copy]);
    }
  }
}

/** Measures the flocks of `throng bench`, seven times each as it does. Sends each measurement at once, and null at the end. */
function bench() {
  for (const dimensions of [2, 3]) {
    for (const agents of [1e3, 1e4, 1e5]) {
      for (let time = 0; time < 7; time++) {
        engine.throng_bench(dimensions, agents);
        deliver();
      }
    }
  }
  postMessage('{"bench":null}');
}

/** Advances the session, and wakes up when it has more to do. Commands that wait come before. */
function proceed() {
  if (!engine) return;
  attempt(() => {
    clearTimeout(timer);
    const wait = engine.throng_advance();
    deliver();
    if (wait < 1) awake.port2.postMessage(null);
    else if (wait < 2e6) timer = setTimeout(proceed, wait);
  });
}

/** Reports to the page why the engine stops, as when memory does not suffice. */
function attempt(run) {
  try {
    run();
  } catch (error) {
    engine = null;
    postMessage({ stopped: String(error.message) });
  }
}

/** Loads the module, and opens the world that the page asked for. */
function open() {
  load().then((loaded) => {
    engine = loaded;
    postMessage({ ready: true });
    attempt(() => {
      if (start.bench) return bench();
      const [[kind, text]] = Object.entries(start);
      call({ name: "throng_open", link: "throng_follow", text: "throng_write" }[kind], text);
      call("throng_receive", '{"do":"hello"}');
    });
    proceed();
  }).catch((error) => postMessage({ failed: error.message }));
}

onmessage = ({ data }) => {
  if (data.open) {
    start = data.open;
    open();
  } else if (!engine) {
    // A newer text for the engine that loads.
    if (data.text !== undefined) start = data;
  } else {
    attempt(() => call(data.text === undefined ? "throng_receive" : "throng_write", data.text ?? data));
    proceed();
  }
};
