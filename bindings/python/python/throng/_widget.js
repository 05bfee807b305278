// The widget of a world: the page of throng in a frame, and the messages between it and the kernel.
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = "A world of throng";
    Object.assign(frame.style, { display: "block", width: "100%", height: `${model.get("height")}px`, border: "0", borderRadius: "8px" });
    let port = null;
    const receive = ({ messages }, buffers) => {
      let next = 0;
      for (const text of messages) {
        if (text !== null) {
          port?.postMessage(text);
          continue;
        }
        const { buffer, byteOffset, byteLength } = buffers[next++];
        const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
        port?.postMessage(bytes, [bytes]);
      }
    };
    model.on("msg:custom", receive);
    // A frame that is moved in the document loads again.
    frame.onload = () => {
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      port.onmessage = ({ data }) => model.send({ command: data });
      frame.contentWindow.postMessage("throng", "*", [channel.port2]);
    };
    frame.srcdoc = model.get("page");
    el.append(frame);
    model.send({ views: 1 });
    return () => {
      model.off("msg:custom", receive);
      model.send({ views: -1 });
    };
  },
};
