// Trails: the ways of all agents in the last ticks as lines, which fade.
const MOST_TRAILS = 20000; // agents
const MOST_WAYS = 500000; // of all agents in all frames

class Trails {
  constructor(gl, program) {
    Object.assign(this, { gl, program, ways: [] });
  }

  clear() {
    for (const { buffer } of this.ways) this.gl.deleteBuffer(buffer);
    this.ways = [];
  }

  /** Adds the ways since the last frame, and keeps the ways of this number of ticks. `colour` gives the pixel of an agent. */
  add(frame, length, colour) {
    const { gl } = this, last = this.ways.at(-1);
    const ends = length === 0 || frame.agents > MOST_TRAILS || !frame.moved || (last && (frame.tick < last.tick || frame.world !== last.world));
    if (ends) this.clear();
    const most = Math.max(2, Math.floor(MOST_WAYS / Math.max(1, frame.agents)));
    while (this.ways.length && (this.ways.length > most || this.ways[0].tick <= frame.tick - length)) gl.deleteBuffer(this.ways.shift().buffer);
    // A way over many ticks would be a straight line past everything.
    if (length === 0 || frame.agents > MOST_TRAILS || !frame.moved || frame.tick === last?.tick || frame.ticks > length) return;
    const { dimensions: d, agents, low, high, places, moved } = frame;
    const bytes = new ArrayBuffer(2 * agents * 28), floats = new Float32Array(bytes), pixels = new Uint32Array(bytes);
    const step = [0, 1, 2].map((axis) => (high[axis] - low[axis]) / 65535);
    let end = 0;
    for (let agent = 0; agent < agents; agent++) {
      let rest = true;
      for (let axis = 0; axis < d; axis++) rest &&= moved[agent * d + axis] === 0;
      const own = colour(agent, 0);
      if (rest) continue;
      for (let copy = 0; copy < 2; copy++, end += 7) {
        for (let axis = 0; axis < d; axis++) {
          floats[end + axis] = low[axis] + places[agent * d + axis] * step[axis];
          floats[end + 3 + axis] = moved[agent * d + axis] * step[axis];
        }
        pixels[end + 6] = own;
      }
    }
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, floats.subarray(0, end), gl.STATIC_DRAW);
    this.ways.push({ buffer, vertices: end / 7, tick: frame.tick, world: frame.world });
  }

  draw(frame) {
    const { gl, ways, program: { at } } = this;
    for (const place of [0, 1, 2]) gl.enableVertexAttribArray(place);
    for (const place of [3, 4]) gl.disableVertexAttribArray(place);
    ways.forEach(({ buffer, vertices, tick }, number) => {
      gl.uniform1f(at.strength, 0.75 * ((number + 1) / ways.length) ** 1.5);
      gl.uniform1f(at.back, tick === frame.tick ? frame.back : 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 28, 0);
      gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 28, 12);
      gl.vertexAttribPointer(2, 3, gl.UNSIGNED_BYTE, true, 28, 24);
      gl.drawArrays(gl.LINES, 0, vertices);
    });
  }
}
