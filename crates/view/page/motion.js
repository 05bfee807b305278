// Motion between frames: which way each agent has come since the last frame, found by its id. Agents are shown on this
// way, so that they move in every picture of the screen, not only once a tick.
class Motion {
  constructor() {
    this.clear();
  }

  clear() {
    this.last = null;
    this.rows = new Int32Array(0); // the row of each slot in the last frame
  }

  /**
   * Adds `moved` to a new frame: the way of each agent since the last one, in steps of its encoding. It is zero for
   * agents that are new or were put elsewhere, and null if the frames do not follow each other.
   */
  add(frame, world) {
    const { last } = this, ticks = last ? frame.tick - last.tick : 0;
    const follows = last?.ids && frame.ids && last.world === frame.world && last.dimensions === frame.dimensions && ticks > 0;
    if (follows) Object.assign(frame, { ticks, moved: this.ways(last, frame, world, ticks) });
    frame.arrival = performance.now();
    // The same tick again, for example in other colours: its agents keep moving.
    const again = last && ticks === 0 && last.world === frame.world && last.agents === frame.agents;
    if (again) Object.assign(frame, { ticks: last.ticks, moved: last.moved, arrival: last.arrival });
    this.keep(frame);
  }

  keep(frame) {
    this.last = frame;
    if (!frame.ids) return;
    let slots = this.rows.length;
    for (const id of frame.ids) if (id >>> 8 >= slots) slots = (id >>> 8) + 1;
    if (slots > this.rows.length) this.rows = new Int32Array(2 * slots);
    frame.ids.forEach((id, row) => (this.rows[id >>> 8] = row));
  }

  ways(last, frame, world, ticks) {
    const { dimensions: d, agents, ids, places } = frame, moved = new Int16Array(d * agents), way = [0, 0, 0];
    const fastest = Math.max(...world.species.map(({ fastest }) => fastest ?? 0));
    const axes = [...Array(d).keys()].map((axis) => {
      const span = frame.high[axis] - frame.low[axis], steps = 65535 / span;
      return {
        ratio: (last.high[axis] - last.low[axis]) / span, shift: (last.low[axis] - frame.low[axis]) * steps,
        half: world.edge[axis] === "wrap" ? 65535 / 2 : Infinity,
        // Farther than an agent can have come: it was put there.
        far: Math.min(32767, world.tick_seconds && fastest ? 1.2 * fastest * ticks * world.tick_seconds * steps + 4 : 6000),
      };
    });
    for (let row = 0; row < agents; row++) {
      const before = this.rows[ids[row] >>> 8];
      if (before >= last.agents || last.ids[before] !== ids[row]) continue;
      let near = true;
      for (let axis = 0; axis < d; axis++) {
        const { ratio, shift, half, far } = axes[axis];
        way[axis] = places[row * d + axis] - (last.places[before * d + axis] * ratio + shift);
        if (way[axis] > half) way[axis] -= 65535;
        else if (way[axis] < -half) way[axis] += 65535;
        near &&= Math.abs(way[axis]) <= far;
      }
      if (near) for (let axis = 0; axis < d; axis++) moved[row * d + axis] = way[axis];
    }
    return moved;
  }
}

/** The share of its last way that an agent has still to go, from 1 right after a frame to 0 one frame later. */
function remaining(frame, pace, world, now) {
  if (!frame.moved || !frame.ticks) return 0;
  const real = pace.times > 0 && world.tick_seconds ? (1000 * frame.ticks * world.tick_seconds) / pace.times : 0;
  // Frames that come about as often as pictures of the screen need nothing between them.
  if (real < 20 || real > 1500) return 0;
  return Math.max(0, 1 - (now - frame.arrival) / real);
}
