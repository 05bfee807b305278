// The channel to the engine in a worker beside the page.
class Channel {
  /** Whether the engine is part of the page. */
  static inside = true;

  constructor({ opened, message, closed }) {
    this.worker = new Worker("engine.js");
    const end = (reason) => {
      this.worker.terminate();
      closed(reason);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      end(say("stopped", { reason: event.message || say("noEngine") }));
    };
    this.worker.onmessage = ({ data }) => {
      if (data.ready) opened();
      else if (data.failed) end(data.failed);
      else if (data.stopped) end(say("stoppedInTab", { reason: data.stopped }));
      else message(data);
    };
    address().then((start) => this.worker.postMessage({ open: start }), (error) => end(error.message));
  }

  send(text) {
    this.worker.postMessage(text);
  }

  /** Opens the scenario with this text. */
  write(text) {
    this.worker.postMessage({ text });
  }
}
