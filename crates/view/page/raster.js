// The raster: points, pixel by pixel on the processor. Without a graphics card it is many times as fast as WebGL.

class Raster {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  resize(width, height) {
    this.canvas.width = Math.max(1, Math.round(width));
    this.canvas.height = Math.max(1, Math.round(height));
    this.image = null;
  }

  clear() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Calls `each` with the place of every agent on the canvas, its depth and its number. */
  project(frame, camera, each) {
    const { dimensions: d, low, high, places, moved } = frame, back = moved ? frame.back : 0;
    const { right, up, forward, focus, scale, distance, middle: [left, top] } = camera.uniforms();
    const step = [0, 1, 2].map((axis) => (high[axis] - low[axis]) / 65535);
    const start = [0, 1, 2].map((axis) => low[axis] - focus[axis]);
    const place = back ? (at) => places[at] - back * moved[at] : (at) => places[at];
    if (d === 2) {
      for (let agent = 0, at = 0; agent < frame.agents; agent++, at += 2) {
        each(left + (start[0] + place(at) * step[0]) * scale, top - (start[1] + place(at + 1) * step[1]) * scale, 0, agent, scale);
      }
      return;
    }
    for (let agent = 0, at = 0; agent < frame.agents; agent++, at += 3) {
      const x = start[0] + place(at) * step[0], y = start[1] + place(at + 1) * step[1], z = start[2] + place(at + 2) * step[2];
      const depth = x * forward[0] + y * forward[1] + z * forward[2];
      if (distance + depth < 1e-2) continue;
      const near = (scale * distance) / (distance + depth);
      each(left + (x * right[0] + y * right[1] + z * right[2]) * near, top - (x * up[0] + y * up[1] + z * up[2]) * near, depth, agent, near);
    }
  }

  /** Returns a function from the number of an agent and its fog (0 to 7) to the number of its pixel. */
  palette(frame, camera, shade) {
    const fogs = frame.dimensions === 3 ? 8 : 1, ground = rgb(Background.far);
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

  /** Draws a disc for each agent, at least two pixels wide, and three if it is a person. */
  points(frame, camera, shade, size, world) {
    const { width, height } = this.canvas;
    this.image ??= this.context.createImageData(width, height);
    const pixels = new Uint32Array(this.image.data.buffer);
    pixels.fill(0);
    this.plot(pixels, frame, camera, shade, size, world);
    this.context.putImageData(this.image, 0, 0);
  }

  plot(pixels, frame, camera, shade, size, world) {
    const { width, height } = this.canvas, space = frame.dimensions === 3, reach = camera.reach;
    const colour = this.palette(frame, camera, shade), depths = space ? new Float32Array(width * height).fill(Infinity) : null;
    // A point fills up to half of the space that it has.
    const usual = space ? 2 : Math.min(4, Math.max(2, 0.55 * Math.sqrt(extent(frame) / frame.agents) * camera.scale));
    const least = world.species.map(({ person }) => (person ? 3 : Math.max(2, Math.round(usual * size)))), ends = speciesEnds(frame);
    let species = 0;
    this.project(frame, camera, (x, y, depth, agent, scale) => {
      while (agent >= ends[species]) species += 1;
      const across = Math.min(24, Math.max(least[species], Math.round(2 * frame.radii[species] * scale)));
      const left = Math.round(x - across / 2), top = Math.round(y - across / 2);
      if (left < 0 || top < 0 || left + across > width || top + across > height) return;
      const fog = space ? Math.min(7, Math.max(0, Math.round(((depth + reach) / (2 * reach)) * 7))) : 0;
      const own = colour(agent, fog), half = (across - 1) / 2, within = across < 4 ? Infinity : (half + 0.3) ** 2;
      for (let row = 0; row < across; row++) {
        for (let column = 0; column < across; column++) {
          if ((row - half) ** 2 + (column - half) ** 2 > within) continue;
          const at = (top + row) * width + left + column;
          if (depths) {
            if (depths[at] <= depth) continue;
            depths[at] = depth;
          }
          pixels[at] = own;
        }
      }
    });
  }
}

/** The number after the last agent of each species. */
function speciesEnds(frame) {
  let end = 0;
  return frame.counts.map((count) => (end += count));
}

/** The area of the plane of a frame, in square metres. */
function extent({ low, high }) {
  return (high[0] - low[0]) * (high[1] - low[1]);
}
