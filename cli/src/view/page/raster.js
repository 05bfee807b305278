// The raster: points, trails and density maps, pixel by pixel on the processor. Without a graphics card it is many
// times as fast as WebGL.
const CELL = 2; // pixels on each side of a cell of a density map

class Raster {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.trails = null;
  }

  resize(width, height) {
    this.canvas.width = Math.max(1, Math.round(width));
    this.canvas.height = Math.max(1, Math.round(height));
    this.image = null;
    this.trails = null;
  }

  clear() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Calls `each` with the place of every agent on the canvas, its depth and its number. */
  project(frame, camera, each) {
    const { dimensions: d, low, high, places } = frame, { right, up, forward, focus, scale, distance } = camera.uniforms();
    const [width, height] = [this.canvas.width / 2, this.canvas.height / 2];
    const step = [0, 1, 2].map((axis) => (high[axis] - low[axis]) / 65535);
    const start = [0, 1, 2].map((axis) => low[axis] - focus[axis]);
    if (d === 2) {
      for (let agent = 0, at = 0; agent < frame.agents; agent++, at += 2) {
        each(width + (start[0] + places[at] * step[0]) * scale, height - (start[1] + places[at + 1] * step[1]) * scale, 0, agent, scale);
      }
      return;
    }
    for (let agent = 0, at = 0; agent < frame.agents; agent++, at += 3) {
      const x = start[0] + places[at] * step[0], y = start[1] + places[at + 1] * step[1], z = start[2] + places[at + 2] * step[2];
      const depth = x * forward[0] + y * forward[1] + z * forward[2];
      if (distance + depth < 1e-2) continue;
      const near = (scale * distance) / (distance + depth);
      each(width + (x * right[0] + y * right[1] + z * right[2]) * near, height - (x * up[0] + y * up[1] + z * up[2]) * near, depth, agent, near);
    }
  }

  /** Returns a function from the number of an agent and its fog (0 to 7) to the number of its pixel. */
  palette(frame, camera, shade) {
    const fogs = frame.dimensions === 3 ? 8 : 1, ground = rgb(Colours.ground);
    const faded = (colour) => [...Array(fogs).keys()].map((fog) => {
      const far = fogs === 1 ? 0 : fog / 7, share = far * LOOKS.fog[0] + far * far * LOOKS.fog[1];
      return pixel(colour.map((channel, at) => channel + (ground[at] - channel) * share));
    });
    const { turns, valueBytes: values } = frame;
    if (shade === "heading") {
      const table = Uint32Array.from(this.headings(frame, camera).flatMap(faded));
      if (fogs === 1) return (agent) => table[turns[agent]];
      return (agent, fog) => table[((turns[2 * agent] << 4) + (turns[2 * agent + 1] >> 4)) * 8 + fog];
    }
    if (values && shade !== "species") {
      const { amount, kinds } = Colours.looks;
      const of = (value) => (value === 255 ? Colours.obstacle : shade === "state" ? kinds[value % 7] : amount[Math.round((value / 254) * (amount.length - 1))]);
      const table = Uint32Array.from([...Array(256).keys()].flatMap((value) => faded(rgb(of(value)))));
      return (agent, fog) => table[values[agent] * fogs + fog];
    }
    const ends = speciesEnds(frame);
    const table = frame.counts.map((_, species) => faded(rgb(Colours.species(species))));
    let species = 0;
    return (agent, fog) => {
      if (agent === 0) species = 0;
      while (agent >= ends[species]) species += 1;
      return table[species][fog];
    };
  }

  /** The colours of all headings as the camera sees them. */
  headings(frame, camera) {
    const [right, up] = camera.axes(), slopes = frame.dimensions === 3 ? 16 : 1, colours = [];
    for (let turn = 0; turn < 256; turn++) {
      for (let slope = 0; slope < slopes; slope++) {
        const a = (turn / 256) * 2 * Math.PI, b = slopes === 1 ? 0 : ((slope + 0.5) / 16 - 0.5) * Math.PI;
        const ahead = [Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)];
        const dot = (axis) => axis[0] * ahead[0] + axis[1] * ahead[1] + axis[2] * ahead[2];
        colours.push(Colours.heading(dot(right), dot(up)));
      }
    }
    return colours;
  }

  /** Draws a square for each agent, at least two pixels wide. */
  points(frame, camera, shade, size) {
    const { width, height } = this.canvas;
    this.image ??= this.context.createImageData(width, height);
    const pixels = new Uint32Array(this.image.data.buffer);
    pixels.fill(0);
    this.plot(pixels, frame, camera, shade, size);
    this.context.putImageData(this.image, 0, 0);
  }

  plot(pixels, frame, camera, shade, size) {
    const { width, height } = this.canvas, space = frame.dimensions === 3, reach = camera.reach;
    const colour = this.palette(frame, camera, shade), depths = space ? new Float32Array(width * height).fill(Infinity) : null;
    const least = Math.max(2, Math.round(2 * size)), ends = speciesEnds(frame);
    let species = 0;
    this.project(frame, camera, (x, y, depth, agent, scale) => {
      while (agent >= ends[species]) species += 1;
      const across = Math.min(12, Math.max(least, Math.round(2 * frame.radii[species] * scale)));
      const left = Math.round(x - across / 2), top = Math.round(y - across / 2);
      if (left < 0 || top < 0 || left + across > width || top + across > height) return;
      const fog = space ? Math.min(7, Math.max(0, Math.round(((depth + reach) / (2 * reach)) * 7))) : 0;
      const own = colour(agent, fog);
      for (let row = top; row < top + across; row++) {
        for (let at = row * width + left; at < row * width + left + across; at++) {
          if (depths) {
            if (depths[at] <= depth) continue;
            depths[at] = depth;
          }
          pixels[at] = own;
        }
      }
    });
  }

  /** Fades the trails and adds the present places of agents to them. A moved camera starts them again. */
  trail(frame, camera, shade, keep) {
    const { width, height } = this.canvas, view = JSON.stringify(camera.uniforms());
    if (this.trails?.view !== view || this.trails.world !== frame.world || frame.tick < this.trails.tick) {
      this.trails = { view, world: frame.world, tick: -1, image: this.context.createImageData(width, height) };
    }
    const { image } = this.trails;
    if (this.trails.tick !== frame.tick) {
      const { data } = image;
      for (let at = 3; at < data.length; at += 4) if (data[at]) data[at] = data[at] * keep - 0.5;
      const pixels = new Uint32Array(data.buffer), colour = this.palette(frame, camera, shade);
      this.project(frame, camera, (x, y, depth, agent) => {
        const [column, row] = [Math.round(x), Math.round(y)];
        if (column >= 0 && row >= 0 && column < width && row < height) pixels[row * width + column] = colour(agent, 0) & 0x00ffffff | 0xb0000000;
      });
      this.trails.tick = frame.tick;
    }
    this.context.putImageData(image, 0, 0);
  }

  /** Draws the number of agents per area, smoothed, as pictures of `throng render --density` do. */
  density(frame, camera) {
    const columns = Math.ceil(this.canvas.width / CELL), rows = Math.ceil(this.canvas.height / CELL), cells = columns * rows;
    let counts = new Float32Array(cells);
    this.project(frame, camera, (x, y) => {
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
      if (column >= 0 && row >= 0 && column < columns && row < rows) counts[row * columns + column] += 1;
    });
    const mean = Math.max(1, frame.agents) / cells;
    const reach = Math.floor(Math.min(0.02 * (columns + rows) + 1, Math.max(1, 0.8 / Math.sqrt(mean))));
    for (let pass = 0; pass < 3; pass++) counts = smooth(smooth(counts, columns, rows, 1, columns, reach), rows, columns, columns, 1, reach);
    const small = new OffscreenCanvas(columns, rows), context = small.getContext("2d"), image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer), table = Uint32Array.from(Colours.looks.density.map((colour) => pixel(rgb(colour))));
    for (let cell = 0; cell < cells; cell++) {
      if (counts[cell] > 0) pixels[cell] = table[Math.min(table.length - 1, Math.floor(Math.sqrt(counts[cell] / (6 * mean)) * table.length))];
    }
    context.putImageData(image, 0, 0);
    this.clear();
    this.context.drawImage(small, 0, 0, columns * CELL, rows * CELL);
    // Agents per square metre at the end of the scale.
    return (6 * mean) / (CELL / camera.scale) ** 2;
  }
}

/** The number after the last agent of each species. */
function speciesEnds(frame) {
  let end = 0;
  return frame.counts.map((count) => (end += count));
}

/** Replaces each number by the mean of those within `reach` of it along one axis. */
function smooth(numbers, length, lines, step, stride, reach) {
  const means = new Float32Array(numbers.length);
  for (let line = 0; line < lines; line++) {
    const start = line * stride;
    let sum = 0;
    for (let at = 0; at < Math.min(reach, length); at++) sum += numbers[start + at * step];
    for (let at = 0; at < length; at++) {
      if (at + reach < length) sum += numbers[start + (at + reach) * step];
      if (at > reach) sum -= numbers[start + (at - reach - 1) * step];
      means[start + at * step] = Math.max(0, sum) / (2 * reach + 1);
    }
  }
  return means;
}
