// The channel to a program at the other end of a socket.
class Channel {
  /** Whether the engine is part of the page. */
  static inside = false;

  constructor({ opened, message, closed }) {
    const url = new URL("/socket" + location.search, location.href);
    url.protocol = "ws:";
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = opened;
    this.socket.onmessage = ({ data }) => message(data);
    this.socket.onclose = ({ reason }) => closed(reason || say("unreachable"));
  }

  send(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }
}
