// The connection to the engine: commands as JSON, frames as bytes.
class Link {
  constructor(on) {
    this.on = on;
    this.dropped = 0;
    this.open();
  }

  /** Connects, again after a loss. */
  open() {
    this.serial = null;
    const url = new URL("/socket" + location.search, location.href);
    url.protocol = "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.on.opened();
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.on.message(JSON.parse(event.data));
      else this.receive(event.data);
    };
    socket.onclose = (event) => this.on.closed(event.reason);
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
