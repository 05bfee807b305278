// Density maps: agents counted in cells of a few pixels, and spread by a kernel whose width is in metres. Walls end it.
const CELL = 2; // pixels on each side of a cell
const KERNEL = 0.7; // metres: the standard deviation of the kernel of people
const CROWDED = 6; // people per square metre at the end of the scale

class Density {
  /** Draws the map into the context of the raster; returns the agents per square metre at the end of its scale. */
  draw(raster, frame, camera, world, walls) {
    const { width, height } = raster.canvas, columns = Math.ceil(width / CELL), rows = Math.ceil(height / CELL);
    const counts = new Float32Array(columns * rows), side = CELL / camera.scale;
    raster.project(frame, camera, (x, y) => {
      const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
      if (column >= 0 && row >= 0 && column < columns && row < rows) counts[row * columns + column] += 1;
    });
    const people = world.species.some(({ person }) => person), most = people ? CROWDED : this.usual(frame);
    const kernel = people ? KERNEL : this.kernel(frame);
    const blocked = frame.dimensions === 2 ? this.blocked(walls, camera, columns, rows) : null;
    const means = spread(counts, blocked, columns, rows, kernel / side);
    const small = new OffscreenCanvas(columns, rows), context = small.getContext("2d"), image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer), table = Uint32Array.from(Colours.looks.density.map((colour) => pixel(rgb(colour))));
    for (let cell = 0; cell < means.length; cell++) {
      const share = means[cell] / (side * side) / most;
      if (share > 0.004) {
        // A low density leaves the ground in sight.
        const opacity = Math.round(255 * Math.min(1, 6 * share));
        pixels[cell] = (table[Math.min(table.length - 1, Math.floor(share ** 0.7 * table.length))] & 0xffffff) | (opacity << 24);
      }
    }
    context.putImageData(image, 0, 0);
    raster.clear();
    raster.context.drawImage(small, 0, 0, columns * CELL, rows * CELL);
    return most;
  }

  /** For other agents: six times the mean density of the world, as a round number. */
  usual(frame) {
    return roundUp(6 * Math.max(1, frame.agents) / extent(frame));
  }

  /** For other agents: about the distance between neighbours. */
  kernel(frame) {
    return Math.sqrt(extent(frame) / Math.max(20, frame.agents));
  }

  /** The cells that walls cover. */
  blocked(walls, camera, columns, rows) {
    if (!walls?.length) return null;
    const blocked = new Uint8Array(columns * rows);
    for (const { edges } of walls) {
      for (const [from, to] of edges) {
        const [a, b] = [camera.project(from), camera.project(to)], steps = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / (0.4 * CELL)) + 1;
        if (steps > 20000) continue;
        for (let step = 0; step <= steps; step++) {
          const column = Math.floor((a.x + ((b.x - a.x) * step) / steps) / CELL), row = Math.floor((a.y + ((b.y - a.y) * step) / steps) / CELL);
          if (column >= 0 && row >= 0 && column < columns && row < rows) blocked[row * columns + column] = 1;
        }
      }
    }
    return blocked;
  }
}

/** Spreads counts by a Gaussian kernel of this width in cells: three means along each axis, which end at walls. */
function spread(counts, blocked, columns, rows, width) {
  const reach = Math.max(1, Math.min(80, Math.round((Math.sqrt(4 * width * width + 1) - 1) / 2)));
  for (let pass = 0; pass < 3; pass++) {
    counts = smooth(counts, blocked, columns, rows, 1, columns, reach);
    counts = smooth(counts, blocked, rows, columns, columns, 1, reach);
  }
  return counts;
}

/** Replaces each number by the mean of those within `reach` of it along one axis, on its side of walls. */
function smooth(numbers, blocked, length, lines, step, stride, reach) {
  const means = new Float32Array(numbers.length);
  for (let line = 0; line < lines; line++) {
    for (let from = 0; from < length; ) {
      let to = from, any = numbers[line * stride + from * step];
      // A part of the line that no wall divides.
      for (to += 1; to < length && !blocked?.[line * stride + to * step]; to++) any += numbers[line * stride + to * step];
      if (any) average(numbers, means, line * stride + from * step, to - from, step, reach);
      from = to;
    }
  }
  return means;
}

/** The means of `length` numbers from a start, each over its neighbours within `reach`. */
function average(numbers, means, start, length, step, reach) {
  let sum = 0, number = 0;
  for (let at = 0; at < Math.min(reach, length); at++, number++) sum += numbers[start + at * step];
  for (let at = 0; at < length; at++) {
    if (at + reach < length) {
      sum += numbers[start + (at + reach) * step];
      number += 1;
    }
    if (at > reach) {
      sum -= numbers[start + (at - reach - 1) * step];
      number -= 1;
    }
    means[start + at * step] = Math.max(0, sum) / number;
  }
}
