// The connection to the engine: commands as JSON, frames as bytes. frame.rs documents the layout of a frame.
class Link {
  constructor(on) {
    this.on = on;
    this.dropped = 0;
    this.serial = null;
    this.open();
  }

  open() {
    const url = new URL("/socket" + location.search, location.href);
    url.protocol = "ws:";
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => {
      if (typeof event.data === "string") this.on.message(JSON.parse(event.data));
      else this.receive(event.data);
    };
    this.socket.onclose = (event) => this.on.closed(event.reason);
  }

  send(command) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  receive(buffer) {
    const frame = decode(buffer);
    if (this.serial !== null && frame.world === this.world) this.dropped += Math.max(0, frame.serial - this.serial - 1);
    this.serial = frame.serial;
    this.world = frame.world;
    this.on.frame(frame);
  }

  /** Acknowledges a drawn frame, so that the engine sends the next one. */
  drawn() {
    this.send({ do: "drawn" });
  }
}

function decode(buffer) {
  const view = new DataView(buffer);
  if (view.getUint8(0) !== 1) throw new Error("the page is older than the program: reload the page");
  const dimensions = view.getUint8(1), speciesCount = view.getUint16(2, true), agents = view.getUint32(4, true);
  const corner = (at) => [0, 1, 2].map((axis) => view.getFloat32(at + 4 * axis, true));
  const positions = 48 + 4 * speciesCount, headings = positions + 2 * dimensions * agents;
  return {
    dimensions, agents, buffer, positions, headings,
    bytes: buffer.byteLength,
    tick: view.getFloat64(8, true),
    serial: view.getUint32(16, true),
    world: view.getUint32(20, true),
    low: corner(24),
    high: corner(36),
    counts: Array.from(new Uint32Array(buffer, 48, speciesCount)),
    places: new Uint16Array(buffer, positions, dimensions * agents),
    turns: new Uint8Array(buffer, headings, (dimensions - 1) * agents),
  };
}

/** The position of an agent of a frame, in metres. */
function positionOf(frame, agent) {
  const { dimensions, low, high, places } = frame;
  const at = [0, 0, 0];
  for (let axis = 0; axis < dimensions; axis++) {
    at[axis] = low[axis] + (places[agent * dimensions + axis] / 65535) * (high[axis] - low[axis]);
  }
  return at;
}
