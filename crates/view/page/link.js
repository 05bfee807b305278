// The link to the engine: commands as JSON, frames as bytes. A channel carries them: program.js or worker.js.
class Link {
  constructor(on) {
    this.on = on;
    this.dropped = 0;
    this.open();
  }

  /** Connects, again after a loss. */
  open() {
    this.serial = null;
    this.takeFile = null;
    this.channel = new Channel({
      opened: () => this.on.opened(),
      message: (data) => {
        if (typeof data === "string") this.on.message(JSON.parse(data));
        else if (this.takeFile) this.receiveFile(data);
        else this.receive(data);
      },
      closed: (reason) => this.on.closed(reason),
    });
  }

  send(command) {
    this.channel.send(JSON.stringify(command));
  }

  receive(buffer) {
    const frame = decode(buffer);
    if (this.serial !== null && frame.world === this.world) this.dropped += Math.max(0, frame.serial - this.serial - 1);
    this.serial = frame.serial;
    this.world = frame.world;
    this.on.frame(frame);
  }

  /** Passes the bytes on that follow a message about a file. */
  receiveFile(buffer) {
    const take = this.takeFile;
    this.takeFile = null;
    take(buffer);
  }

  /** Acknowledges a drawn frame, so that the engine sends the next one. */
  drawn() {
    this.send({ do: "drawn" });
  }
}
