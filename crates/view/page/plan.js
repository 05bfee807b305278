// The ground of the stage: floors, walls, doors, exits, entrances, regions and obstacles; in space, the floor below the
// agents. It is drawn when the camera or the scenery changes.
const GAP = 2.2; // metres: a gap in a wall of at most twice this width is a door, not the end of a room

class Plan {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.shown = null;
    this.labels = [];
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
    this.shown = null;
  }

  draw(app) {
    const { world, camera, scenery } = app, { story, substances = [] } = app.numbers;
    const shown = JSON.stringify([world.number, Background.scene, Colours.light, camera.uniforms(), story?.sinks, story?.lines, substances.length && app.numbers.tick]);
    if (shown === this.shown && scenery === this.scenery) return;
    Object.assign(this, { shown, scenery });
    const { context: c } = this;
    Object.assign(this, { camera, labels: [] });
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, ...camera.size);
    if (world.dimensions === 3) this.space(world);
    const { walls = [], doors = [], regions = [], obstacles = [] } = scenery;
    if (Background.scene === "plan") this.floor(world, scenery);
    if (world.dimensions === 2) substances.forEach((substance) => this.substance(substance, world.size));
    regions.filter(Boolean).forEach((region) => this.region(region, story?.sinks ?? []));
    // An exit has the number of its line.
    const exits = new Set(regions.flatMap((region) => region?.sinks ?? []).map(([, name]) => name));
    this.lines(world.outputs?.lines ?? [], story?.lines ?? [], exits);
    for (const { name, low, size } of world.outputs?.storeys ?? []) {
      const at = camera.project([low[0], low[1] + size[1]]);
      this.labels.push([words(name), at.x, at.y - 10, Colours.soft, 13, "left"]);
    }
    doors.forEach(({ edges, open }) => edges.forEach((edge) => this.bar(edge, open ? Colours.exit : Colours.closed)));
    for (const [centre, radius] of obstacles) this.disc(centre, radius);
    // Walls inside of a solid one are drawn over it.
    for (const solid of [true, false]) walls.filter((wall) => Boolean(wall.solid) === solid).forEach((wall) => this.wall(wall));
    // The overlay writes the labels above the agents.
    app.redrawOverlay = true;
  }

  /** The floor below a world in space: a plane with lines, which fades far away. */
  space({ size, low = [0, 0, 0] }) {
    const { context: c, camera } = this, at = (x, y) => camera.project([low[0] + x * size[0], low[1] + y * size[1], low[2]]);
    const corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    if (corners.some(({ visible }) => !visible)) return;
    c.beginPath();
    corners.forEach(({ x, y }) => c.lineTo(x, y));
    c.closePath();
    c.fillStyle = Colours.light ? "rgb(255 255 255 / .35)" : "rgb(130 160 200 / .07)";
    c.fill();
    c.strokeStyle = Colours.light ? "rgb(40 60 90 / .13)" : "rgb(160 190 230 / .10)";
    c.lineWidth = 1;
    c.beginPath();
    for (let line = 0; line <= 12; line++) {
      for (const [a, b] of [[at(line / 12, 0), at(line / 12, 1)], [at(0, line / 12), at(1, line / 12)]]) {
        c.moveTo(a.x, a.y);
        c.lineTo(b.x, b.y);
      }
    }
    c.stroke();
  }

  /** The floor: the inside of walls, or the whole world where they enclose nothing. */
  floor(world, scenery) {
    const { size, low = [0, 0] } = world, { context: c, camera } = this, from = camera.project([low[0], low[1] + size[1]]);
    const [width, height] = size.map((length) => length * camera.scale);
    const mask = Floors.of(size, scenery);
    c.fillStyle = Background.floor;
    if (!mask && isOpen(world)) return c.fillRect(0, 0, ...camera.size);
    if (!mask) return c.fillRect(from.x, from.y, width, height);
    const tinted = new OffscreenCanvas(mask.width, mask.height), ink = tinted.getContext("2d");
    ink.drawImage(mask, 0, 0);
    ink.globalCompositeOperation = "source-in";
    ink.fillStyle = Background.floor;
    ink.fillRect(0, 0, mask.width, mask.height);
    c.imageSmoothingQuality = "high";
    c.drawImage(tinted, from.x, from.y, width, height);
  }

  /** The amounts of a substance, from the ground to a bright colour. */
  substance({ cells: [columns, rows], number, shares }, size) {
    const { context: c, camera } = this, image = new ImageData(columns, rows), from = camera.project([0, size[1]]);
    const colour = rgb(Colours.looks.substances[number % 3]).map((channel) => 255 * channel);
    for (let cell = 0; cell < shares.length; cell++) {
      const share = (shares.charCodeAt(cell) - 48) / 63, row = rows - 1 - Math.floor(cell / columns);
      image.data.set([...colour, 230 * Math.sqrt(share)], 4 * (row * columns + (cell % columns)));
    }
    const small = new OffscreenCanvas(columns, rows);
    small.getContext("2d").putImageData(image, 0, 0);
    c.drawImage(small, from.x, from.y, ...size.map((length) => length * camera.scale));
  }

  /** A region: an exit in green with its name and its count, an entrance dashed in blue, another one dotted. */
  region({ name, centre, radius, half, sinks, sources }, counts) {
    const { context: c, camera } = this, exit = sinks?.length > 0, entry = sources?.length > 0;
    c.beginPath();
    if (radius) {
      const at = camera.project(centre);
      if (!at.visible) return;
      c.arc(at.x, at.y, Math.max(1, radius * at.scale), 0, 2 * Math.PI);
    } else if (centre.length === 2) {
      const [a, b] = [-1, 1].map((sign) => camera.project(centre.map((at, axis) => at + sign * half[axis])));
      c.rect(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y));
    } else {
      boxEdges(centre, half).forEach((edge) => this.trace(edge));
    }
    c.strokeStyle = exit ? Colours.exit : entry ? Colours.entry : Colours.soft;
    c.lineWidth = exit ? 2 : 1.4;
    if (exit) {
      c.fillStyle = Colours.exit;
      c.globalAlpha = 0.16;
      c.fill();
      c.globalAlpha = 1;
    }
    c.setLineDash(exit ? [] : entry ? [8, 6] : [3, 5]);
    c.stroke();
    c.setLineDash([]);
    const at = camera.project(centre), text = exit ? sinks.map(([number, sink]) => say("out", { name: words(sink), count: grouped(counts[number] ?? 0) })).join(" · ") : entry ? "" : words(name);
    // Regions that share a name have it once. A name that is wider than its region would cover others.
    if (text && (exit || !this.labels.some(([other]) => other === text))) this.labels.push([text, at.x, at.y, exit ? Colours.exit : Colours.soft, exit ? 13 : 11, "center", exit ? Infinity : 2 * (radius ?? half[0]) * at.scale]);
  }

  /** The lines through which people are counted, with their numbers. */
  lines(lines, counts, exits) {
    const { camera } = this;
    lines.forEach(({ name, from, to }, number) => {
      this.bar([from, to], Colours.exit);
      if (exits.has(name)) return;
      const at = camera.project(from.map((one, axis) => (one + to[axis]) / 2)), flat = Math.abs(from[0] - to[0]) > Math.abs(from[1] - to[1]);
      this.labels.push([say("passedBy", { name: words(name), count: grouped(counts[number] ?? 0) }), at.x + (flat ? 0 : 12), at.y - (flat ? 12 : 0), Colours.exit, 12, flat ? "center" : "left"]);
    });
  }

  bar(edge, colour) {
    const { context: c } = this;
    c.beginPath();
    this.trace(edge);
    c.strokeStyle = colour;
    c.lineWidth = 4;
    c.stroke();
  }

  trace([from, to]) {
    const [a, b] = [this.camera.project(from), this.camera.project(to)];
    if (!a.visible || !b.visible) return;
    this.context.moveTo(a.x, a.y);
    this.context.lineTo(b.x, b.y);
  }

  wall({ edges, disc, solid }) {
    const { context: c, camera } = this;
    if (disc) return this.disc(disc[0], disc[1], Colours.wall);
    c.beginPath();
    if (solid && edges[0]?.[0].length === 2) {
      outline(edges).forEach((point) => { const { x, y } = camera.project(point); c.lineTo(x, y); });
      c.closePath();
      c.fillStyle = Colours.obstacle;
      c.fill();
    } else {
      // One stroke, so that corners are joined.
      let last = null;
      for (const [from, to] of edges) {
        const [a, b] = [camera.project(from), camera.project(to)];
        if (!a.visible || !b.visible) continue;
        if (!last || last[0] !== from[0] || last[1] !== from[1] || last[2] !== from[2]) c.moveTo(a.x, a.y);
        c.lineTo(b.x, b.y);
        last = to;
      }
    }
    Object.assign(c, { strokeStyle: Colours.wall, lineWidth: 3, lineJoin: "miter", lineCap: "square" });
    c.stroke();
    c.lineCap = "butt";
  }

  disc(centre, radius, edge = Colours.wall) {
    const { context: c } = this, at = this.camera.project(centre);
    if (!at.visible) return;
    c.beginPath();
    c.arc(at.x, at.y, Math.max(1, radius * at.scale), 0, 2 * Math.PI);
    c.fillStyle = Colours.obstacle;
    c.fill();
    c.strokeStyle = edge;
    c.lineWidth = 1.5;
    c.stroke();
  }
}

/** The corners of a solid wall in their order: the corners of a polygon, or of a box. */
function outline(edges) {
  const follow = edges.every(([from], at) => at === 0 || (from[0] === edges[at - 1][1][0] && from[1] === edges[at - 1][1][1]));
  if (follow) return edges.map(([from]) => from);
  const [left, right, low, high] = [[0, Math.min], [0, Math.max], [1, Math.min], [1, Math.max]].map(([axis, most]) => most(...edges.flat().map((point) => point[axis])));
  return [[left, low], [right, low], [right, high], [left, high]];
}

/** The edges of a box. */
function boxEdges(centre, half) {
  const corner = (number) => centre.map((at, axis) => at + ((number >> axis) & 1 ? half[axis] : -half[axis]));
  const corners = [...Array(2 ** centre.length).keys()];
  return corners.flatMap((from) => half.map((_, axis) => from | (1 << axis)).filter((to) => to !== from).map((to) => [corner(from), corner(to)]));
}

/** Writes labels with a halo that keeps them readable, within the free part of the canvas and one below another. */
function writeLabels(c, labels, { size: [width, height], free }) {
  const boxes = [];
  for (const [text, x, y, colour, size, align, room] of labels) {
    Object.assign(c, { font: `600 ${size}px system-ui, sans-serif`, textAlign: align, textBaseline: "middle", lineJoin: "round" });
    const wide = c.measureText(text).width, left = align === "center" ? wide / 2 : 0;
    if (wide > room || x < -wide || y < -20 || x > width + wide || y > height + 20) continue;
    const [least, most] = x < free.left || x > width - free.right ? [0, width] : [free.left, width - free.right];
    const at = [Math.min(most - wide + left - 6, Math.max(least + left + 6, x)), Math.min(height - 10, Math.max(10, y))];
    while (boxes.some((box) => Math.abs(box.y - at[1]) < 15 && box.x < at[0] - left + wide && at[0] - left < box.x + box.wide)) at[1] += 15;
    boxes.push({ x: at[0] - left, y: at[1], wide });
    Object.assign(c, { strokeStyle: Background.scene === "plan" ? Background.floor : Background.far, lineWidth: 4, fillStyle: colour });
    c.strokeText(text, ...at);
    c.fillText(text, ...at);
  }
  Object.assign(c, { textAlign: "start", textBaseline: "alphabetic" });
}
