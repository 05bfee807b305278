// Frames: positions, headings and layers of all agents. frame.rs documents the layout.
function decode(buffer) {
  const view = new DataView(buffer);
  if (view.getUint8(0) !== 3) throw new Error(say("differs"));
  const dimensions = view.getUint8(1), speciesCount = view.getUint16(2, true), agents = view.getUint32(4, true);
  const corner = (at) => [0, 1, 2].map((axis) => view.getFloat32(at + 4 * axis, true));
  const layers = view.getUint32(48, true), species = [...Array(speciesCount).keys()];
  const positions = 68 + 8 * speciesCount, headings = positions + 2 * dimensions * agents;
  let end = headings + (dimensions - 1) * agents;
  const layer = (bit, bytes) => {
    if (!(layers & bit)) return null;
    end += bytes;
    return end - bytes;
  };
  const frame = {
    dimensions, agents, buffer, positions, headings,
    bytes: buffer.byteLength,
    tick: view.getFloat64(8, true),
    serial: view.getUint32(16, true),
    world: view.getUint32(20, true),
    low: corner(24),
    high: corner(36),
    scale: [view.getFloat32(52, true), view.getFloat32(56, true)],
    strongest: view.getFloat32(60, true),
    stride: view.getUint32(64, true),
    counts: species.map((number) => view.getUint32(68 + 8 * number, true)),
    radii: species.map((number) => view.getFloat32(72 + 8 * number, true)),
    places: new Uint16Array(buffer, positions, dimensions * agents),
    turns: new Uint8Array(buffer, headings, (dimensions - 1) * agents),
    sizes: layer(1, agents),
    values: layer(2, agents),
  };
  const ids = layers & 8 ? new Uint32Array(buffer.slice(buffer.byteLength - 4 * agents)) : null;
  const forces = layers & 4 ? new Int8Array(buffer, end, buffer.byteLength - end - (ids ? 4 * agents : 0)) : null;
  return Object.assign(frame, { ids, forces, moved: null, back: 0, valueBytes: frame.values === null ? null : new Uint8Array(buffer, frame.values, agents) });
}

/** The id of an agent of a frame, as the program writes it. */
function nameOf(frame, agent) {
  if (!frame.ids) return "";
  const id = frame.ids[agent], generation = id & 255;
  return generation ? `${id >>> 8}v${generation}` : String(id >>> 8);
}

/** The number of the species of an agent of a frame. */
function speciesOf(frame, agent) {
  let end = 0;
  return frame.counts.findIndex((count) => agent < (end += count));
}

/** The position of an agent of a frame at the moment that is shown, in metres. */
function positionOf(frame, agent) {
  const { dimensions, low, high, places, moved, back } = frame;
  const at = [0, 0, 0];
  for (let axis = 0; axis < dimensions; axis++) {
    const number = agent * dimensions + axis, place = places[number] - (moved ? back * moved[number] : 0);
    at[axis] = low[axis] + (place / 65535) * (high[axis] - low[axis]);
  }
  return at;
}

/** The smallest radius of the frame's species that is not zero, in metres; infinite if all agents are points. */
function smallestRadius(frame) {
  return Math.min(Infinity, ...frame.radii.filter((radius) => radius > 0));
}

/** The length of a dart in metres: about half of the mean distance between agents. */
function dartLength(frame) {
  const extent = [0, 1, 2].map((axis) => frame.high[axis] - frame.low[axis]);
  const mean = frame.dimensions === 2
    ? 0.6 * Math.sqrt((extent[0] * extent[1]) / frame.agents)
    : 0.55 * Math.cbrt((extent[0] * extent[1] * extent[2]) / frame.agents);
  return Math.min(mean, 0.014 * Math.hypot(...extent));
}
