// The floors of buildings: the parts of a world that walls enclose. Gaps as wide as doors close a room too.
const Floors = {
  scenery: null, mask: null,

  /** The floors as a picture of opaque pixels; null if walls enclose less than a twentieth of the world. */
  of(size, scenery) {
    const { walls = [], regions = [] } = scenery;
    if (scenery !== this.scenery) this.mask = walls.length ? this.find(size, walls, regions) : null;
    this.scenery = scenery;
    return this.mask;
  },

  find(size, walls, regions) {
    const cell = Math.max(...size) / 420, columns = Math.max(1, Math.round(size[0] / cell)), rows = Math.max(1, Math.round(size[1] / cell));
    const wall = this.walls(walls, cell, columns, rows), reach = Math.ceil(GAP / cell);
    const near = this.steps(wall, columns, rows, reach);
    // Outside is what the edge of the world reaches without coming near to a wall. Where people come and go at the
    // edge, it is a door.
    const outside = new Uint8Array(columns * rows), queue = [], rim = [];
    const enter = (at) => { if (!outside[at] && near[at] > reach) { outside[at] = 1; queue.push(at); } };
    const open = (x, y) => regions.some((region) => region?.half && (region.sinks?.length || region.sources?.length)
      && Math.abs(x - region.centre[0]) <= region.half[0] + cell && Math.abs(y - region.centre[1]) <= region.half[1] + cell);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const edge = row === 0 || column === 0 || row === rows - 1 || column === columns - 1;
        if (!edge || open((column + 0.5) * cell, (row + 0.5) * cell)) continue;
        rim.push(row * columns + column);
        enter(row * columns + column);
      }
    }
    this.flood(queue, columns, rows, enter);
    return this.picture(wall, near, outside, rim, reach, columns, rows);
  },

  /** The cells on walls. */
  walls(walls, cell, columns, rows) {
    const wall = new Uint8Array(columns * rows);
    for (const { edges } of walls) {
      for (const [from, to] of edges) {
        const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (0.45 * cell)) + 1;
        for (let step = 0; step <= steps; step++) {
          const [x, y] = [0, 1].map((axis) => Math.floor((from[axis] + ((to[axis] - from[axis]) * step) / steps) / cell));
          if (x >= 0 && y >= 0 && x < columns && y < rows) wall[y * columns + x] = 1;
        }
      }
    }
    return wall;
  },

  /** The number of steps from each cell to a wall, counted up to `reach`; beyond, one more. */
  steps(wall, columns, rows, reach) {
    const steps = new Uint16Array(wall.length).fill(reach + 1);
    let edge = [];
    wall.forEach((on, at) => { if (on) { steps[at] = 0; edge.push(at); } });
    for (let step = 1; step <= reach; step++) {
      const next = [];
      this.around(edge, columns, rows, (at) => { if (steps[at] > step) { steps[at] = step; next.push(at); } });
      edge = next;
    }
    return steps;
  },

  flood(queue, columns, rows, enter) {
    while (queue.length) this.around(queue.splice(0), columns, rows, enter);
  },

  around(cells, columns, rows, each) {
    for (const at of cells) {
      const column = at % columns;
      if (column > 0) each(at - 1);
      if (column < columns - 1) each(at + 1);
      if (at >= columns) each(at - columns);
      if (at < columns * (rows - 1)) each(at + columns);
    }
  },

  /**
   * Inside and outside grow towards each other up to the walls, and meet in the doors. Strips between a wall and the
   * edge of the world are outside too: they begin when the rooms have grown to their walls.
   */
  picture(wall, near, outside, rim, reach, columns, rows) {
    const side = new Uint8Array(wall.length); // 1 outside, 2 inside
    let edge = [];
    near.forEach((steps, at) => { if (steps > reach) { side[at] = outside[at] ? 1 : 2; edge.push(at); } });
    for (let step = 0; edge.length || step <= reach; step++) {
      const next = [];
      if (step === reach) rim.forEach((at) => { if (!side[at] && !wall[at]) { side[at] = 1; next.push(at); } });
      for (const from of edge) {
        this.around([from], columns, rows, (at) => { if (!side[at] && !wall[at]) { side[at] = side[from]; next.push(at); } });
      }
      edge = next;
    }
    const inside = side.reduce((all, one) => all + (one === 2), 0);
    if (inside < 0.05 * side.length) return null;
    const canvas = new OffscreenCanvas(columns, rows), context = canvas.getContext("2d"), image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    side.forEach((one, at) => {
      // Walls belong to both sides. Pictures begin at the top.
      if (one !== 1) pixels[(rows - 1 - Math.floor(at / columns)) * columns + (at % columns)] = 0xffffffff;
    });
    context.putImageData(image, 0, 0);
    return canvas;
  },
};
