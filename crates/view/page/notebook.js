// The channel to a program behind a notebook: a port, which the document around this one hands over.
class Channel {
  /** Whether the engine is part of the page. */
  static inside = false;

  static port = new Promise((resolve) => addEventListener("message", ({ data, source, ports }) => {
    if (source === parent && data === "throng") resolve(ports[0]);
  }));

  constructor({ opened, message, closed }) {
    element("lost").querySelector("p:last-of-type").textContent = say("runCellAgain");
    let silence = setTimeout(() => closed(say("kernelSilent")), 8000);
    Channel.port.then((port) => {
      this.port = port;
      port.onmessage = ({ data }) => {
        if (silence !== null) {
          clearTimeout(silence);
          silence = null;
          opened();
        }
        message(data);
      };
      this.send('{"do":"hello"}');
    });
  }

  send(text) {
    this.port?.postMessage(text);
  }
}
