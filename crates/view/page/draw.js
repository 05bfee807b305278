// Draws the agents with WebGL, directly from the bytes of the frame: people as discs, others as a dart each, or as a
// body at its true size where that is larger. In space, their shadows are on the floor.
class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.start();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.start());
    this.size = 1;
  }

  start() {
    const { gl } = this;
    this.agents = new Program(gl, VERTEX, FRAGMENT);
    this.lines = new Program(gl, TRAIL_VERTEX, TRAIL_FRAGMENT);
    this.buffer = gl.createBuffer();
    this.ways = gl.createBuffer();
    this.trails = new Trails(gl, this.lines);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.loaded = null;
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
  }

  /** Clears the canvas. */
  clear() {
    const { gl } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /** Sets what both programs know of the camera. */
  view(program, camera) {
    const { gl } = this, { at } = program, view = camera.uniforms();
    for (const name of ["right", "up", "forward", "focus"]) gl.uniform3fv(at[name], view[name]);
    gl.uniform2fv(at.canvas, view.size);
    gl.uniform2f(at.shift, view.middle[0] - view.size[0] / 2, view.size[1] / 2 - view.middle[1]);
    gl.uniform1f(at.scale, view.scale);
    gl.uniform1f(at.distance_, view.distance);
    gl.uniform1i(at.space, camera.dimensions === 3 ? 1 : 0);
  }

  /** Draws the trails below the agents. */
  drawTrails(frame, camera) {
    const { gl, lines } = this;
    gl.useProgram(lines.program);
    this.view(lines, camera);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    this.trails.draw(frame);
  }

  /** Draws a frame in these colours: `species`, `heading`, `state`, or an amount. */
  draw(frame, camera, shade, world) {
    const { gl } = this, { at, program } = this.agents;
    gl.useProgram(program);
    this.load(frame);
    const space = frame.dimensions === 3;
    gl.uniform1f(at.ratio, this.ratio);
    this.view(this.agents, camera);
    gl.uniform3fv(at.low, frame.low);
    gl.uniform3fv(at.high, frame.high);
    gl.uniform3fv(at.wraps, [0, 1, 2].map((axis) => (world.edge[axis] === "wrap" ? 1 : 0)));
    gl.uniform1f(at.back, frame.moved ? frame.back : 0);
    gl.uniform1f(at.reach, camera.reach);
    gl.uniform1f(at.dart, this.size * dartLength(frame));
    gl.uniform1f(at.least, (space ? 2.4 : 3.2) * this.size);
    gl.uniform1f(at.most, 24 * this.size);
    gl.uniform1f(at.smallest, smallestRadius(frame));
    gl.uniform1f(at.bottom, frame.low[2]);
    this.colours(frame, shade);
    if (space) {
      gl.disable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      // Overlapping shadows are as dark as one.
      gl.blendEquation(gl.MAX);
      this.species(frame, world, true);
      gl.blendEquation(gl.FUNC_ADD);
    }
    (space ? gl.enable : gl.disable).call(gl, gl.DEPTH_TEST);
    (space ? gl.disable : gl.enable).call(gl, gl.BLEND);
    this.species(frame, world, false);
  }

  /** Takes the bytes of a frame to the graphics card. */
  load(frame) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.ways);
    if (this.loaded !== frame && frame.moved) gl.bufferData(gl.ARRAY_BUFFER, frame.moved, gl.STREAM_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    if (this.loaded !== frame) gl.bufferData(gl.ARRAY_BUFFER, frame.buffer, gl.STREAM_DRAW);
    this.loaded = frame;
  }

  /** Draws the agents of all species, or their shadows. */
  species(frame, world, shadow) {
    const { gl } = this, { at } = this.agents, d = frame.dimensions;
    gl.uniform1i(at.shadow, shadow ? 1 : 0);
    let before = 0;
    frame.counts.forEach((count, species) => {
      for (const place of [0, 1]) gl.enableVertexAttribArray(place);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
      gl.vertexAttribPointer(0, d, gl.UNSIGNED_SHORT, true, 2 * d, frame.positions + before * 2 * d);
      gl.vertexAttribPointer(1, d - 1, gl.UNSIGNED_BYTE, true, d - 1, frame.headings + before * (d - 1));
      this.layer(2, frame.sizes, before);
      this.layer(3, frame.values, before);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.ways);
      (frame.moved ? gl.enableVertexAttribArray : gl.disableVertexAttribArray).call(gl, 4);
      if (frame.moved) gl.vertexAttribPointer(4, d, gl.SHORT, false, 2 * d, before * 2 * d);
      gl.uniform3fv(at.own, rgb(Colours.species(species)));
      gl.uniform1f(at.radius, frame.radii[species]);
      gl.uniform1i(at.person, world.species[species]?.person ? 1 : 0);
      if (count > 0) gl.drawArrays(gl.POINTS, 0, count);
      before += count;
    });
  }

  colours(frame, shade) {
    const { gl } = this, { at } = this.agents, { looks } = Colours;
    const kind = frame.valueBytes ? { species: 0, heading: 1, state: 3 }[shade] ?? 2 : shade === "heading" ? 1 : 0;
    gl.uniform1i(at.shade, kind);
    looks.compass.forEach((colour, number) => gl.uniform3fv(at[["toRight", "toLeft", "toUp", "toDown"][number]], rgb(colour)));
    gl.uniform3fv(at.ground, rgb(Background.far));
    gl.uniform3fv(at.none, rgb(Colours.obstacle));
    const stops = kind === 3
      ? looks.kinds : [...Array(16).keys()].map((step) => looks.amount[Math.round((step / 15) * (looks.amount.length - 1))]);
    gl.uniform3fv(at["stops"], stops.flatMap(rgb));
  }

  /** Reads a layer of one byte per agent; its value is 1 where the frame does not have it. */
  layer(place, start, before) {
    const { gl } = this;
    if (start === null) {
      gl.disableVertexAttribArray(place);
      gl.vertexAttrib1f(place, 1);
    } else {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 1, gl.UNSIGNED_BYTE, true, 1, start + before);
    }
  }
}

/** A program of the graphics card, and the places of its uniforms. */
class Program {
  constructor(gl, vertex, fragment) {
    this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    this.at = new Proxy({}, { get: (known, name) => (known[name] ??= gl.getUniformLocation(this.program, name)) });
  }
}
