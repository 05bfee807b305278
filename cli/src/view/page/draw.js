// Draws the agents with WebGL, directly from the bytes of the frame: a dart each, or a body at its true size where that
// is larger. An agent is one point, which the fragment shader cuts to shape. That takes fewer vertices than triangles,
// and no instancing, which is slow without a GPU.
const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;   // 0 to 1 between the corners
layout(location = 1) in vec2 heading; // 0 to 1: a turn; the slope
layout(location = 2) in float size;   // the radius, as a share of the species' largest
layout(location = 3) in float value;
uniform vec3 low, high, right, up, forward, focus;
uniform vec2 canvas;
uniform float scale, distance_, dart, least, radius, smallest, reach, ratio;
uniform bool space;
uniform int shade; // 0: species, 1: heading, 2: amount, 3: state
uniform vec3 own, toRight, toLeft, toUp, toDown, ground, none;
uniform vec3 stops[16];
out vec3 colour;
out vec2 along;
out float pixels, shown;
flat out int body;
float larger(float body) {
  return body > 0.0 ? clamp(sqrt(body / smallest), 1.0, float(${LOOKS.longest})) : 1.0;
}
void main() {
  vec3 offset = low + place * (high - low) - focus;
  float depth = dot(offset, forward);
  float near = space ? distance_ / max(distance_ + depth, 1e-3) : 1.0;
  float turn = heading.x * 255.0 / 256.0 * 6.2831853;
  float slope = space ? (heading.y - 0.5) * 3.1415927 : 0.0;
  vec3 ahead = vec3(cos(turn) * cos(slope), sin(turn) * cos(slope), sin(slope));
  vec2 seen = vec2(dot(ahead, right), dot(ahead, up));
  shown = length(seen);
  along = shown > 1e-4 ? seen / shown : vec2(1.0, 0.0);
  // Darts grow with the root of the radius: in proportion, large bodies would fill the view.
  float usual = ratio * max(dart * scale * near, least * (space ? near : 1.0));
  // The largest body of the species decides: one species has one look.
  body = ratio * 2.0 * radius * scale * near > usual * larger(radius) * float(${LOOKS.body}) ? 1 : 0;
  pixels = body == 1 ? ratio * max(2.0, 2.0 * radius * size * scale * near) : usual * larger(radius * size);
  shown = body == 1 ? 1.0 : max(shown, 0.45);
  gl_PointSize = (body == 1 ? 1.0 : 1.24) * pixels + 2.0;
  vec2 at = vec2(dot(offset, right), dot(offset, up)) * scale * near;
  gl_Position = vec4(at / canvas * 2.0, clamp(depth / (distance_ + 1.0) * 0.5, -0.99, 0.99), 1.0);
  if (space && distance_ + depth < 1e-2) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if (shade == 1) {
    colour = mix(along.y > 0.0 ? toUp : toDown, along.x > 0.0 ? toRight : toLeft, along.x * along.x);
  } else if (shade == 0) {
    colour = own;
  } else if (value > 0.999) {
    colour = none;
  } else if (shade == 3) {
    colour = stops[int(mod(value * 255.0 + 0.5, 7.0))];
  } else {
    float step = value * 255.0 / 254.0 * 15.0;
    colour = mix(stops[int(step)], stops[min(15, int(step) + 1)], fract(step));
  }
  // Distant agents fade into the background.
  float far = clamp((depth + reach) / (2.0 * reach), 0.0, 1.0);
  if (space) colour = mix(colour, ground, far * float(${LOOKS.fog[0]}) + far * far * float(${LOOKS.fog[1]}));
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
in vec2 along;
in float pixels, shown;
flat in int body;
uniform bool space;
out vec4 pixel;
void main() {
  float wide = body == 1 ? 1.0 : 1.24;
  vec2 at = (gl_PointCoord - 0.5) * vec2(1.0, -1.0) * (wide + 2.0 / pixels);
  // Along and across the heading.
  float x = dot(at, along) / shown, y = abs(dot(at, vec2(-along.y, along.x)));
  // A dart has its nose at 0.6 and its tails at -0.4, with a notch between them; a body is a disc or a ball.
  float inside = body == 1 ? 0.5 - length(at) : min((0.32 * (0.6 - x) - y) * 0.95, (x + 0.22 + 0.56 * y) * 0.87);
  float cover = clamp(inside * pixels + 0.6, 0.0, 1.0);
  if (cover < (space ? 0.5 : 0.02)) discard;
  vec3 lit = colour;
  if (body == 1) {
    vec3 normal = vec3(at * 2.0, sqrt(max(0.0, 1.0 - 4.0 * dot(at, at))));
    if (space) lit *= min(1.0, float(${LOOKS.shade}) + float(${LOOKS.lit}) * max(0.0, dot(normal, vec3(${LOOKS.toLight}))));
    // A line from the middle to the front shows the heading.
    else if (x > 0.0 && y * pixels < 1.0) lit *= float(${LOOKS.front});
  }
  pixel = space ? vec4(lit, 1.0) : vec4(lit * cover, cover);
}`;

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
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.at = new Proxy({}, { get: (known, name) => (known[name] ??= gl.getUniformLocation(program, name)) });
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (const place of [0, 1]) gl.enableVertexAttribArray(place);
    gl.vertexAttrib1f(2, 1);
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

  /** Draws a frame in these colours: `species`, `heading`, `state`, or an amount. */
  draw(frame, camera, shade) {
    const { gl, at } = this;
    this.clear();
    if (!frame || frame.agents === 0) return;
    if (this.loaded !== frame) {
      gl.bufferData(gl.ARRAY_BUFFER, frame.buffer, gl.STREAM_DRAW);
      this.loaded = frame;
    }
    const space = frame.dimensions === 3;
    (space ? gl.enable : gl.disable).call(gl, gl.DEPTH_TEST);
    (space ? gl.disable : gl.enable).call(gl, gl.BLEND);
    gl.uniform1f(at.ratio, this.ratio);
    const view = camera.uniforms();
    for (const name of ["right", "up", "forward", "focus"]) gl.uniform3fv(at[name], view[name]);
    gl.uniform3fv(at.low, frame.low);
    gl.uniform3fv(at.high, frame.high);
    gl.uniform2fv(at.canvas, view.size);
    gl.uniform1f(at.scale, view.scale);
    gl.uniform1f(at.distance_, view.distance);
    gl.uniform1f(at.reach, camera.reach);
    gl.uniform1f(at.dart, this.size * dartLength(frame));
    gl.uniform1f(at.least, (space ? 2.4 : 3.2) * this.size);
    gl.uniform1f(at.smallest, smallestRadius(frame));
    gl.uniform1i(at.space, space ? 1 : 0);
    this.colours(frame, shade);
    let before = 0;
    frame.counts.forEach((count, species) => {
      const [places, turns] = [2 * frame.dimensions, frame.dimensions - 1];
      gl.vertexAttribPointer(0, frame.dimensions, gl.UNSIGNED_SHORT, true, places, frame.positions + before * places);
      gl.vertexAttribPointer(1, turns, gl.UNSIGNED_BYTE, true, turns, frame.headings + before * turns);
      this.layer(2, frame.sizes, before);
      this.layer(3, frame.values, before);
      gl.uniform3fv(at.own, rgb(Colours.species(species)));
      gl.uniform1f(at.radius, frame.radii[species]);
      if (count > 0) gl.drawArrays(gl.POINTS, 0, count);
      before += count;
    });
  }

  colours(frame, shade) {
    const { gl, at } = this, { looks } = Colours;
    const kind = frame.valueBytes ? { species: 0, heading: 1, state: 3 }[shade] ?? 2 : shade === "heading" ? 1 : 0;
    gl.uniform1i(at.shade, kind);
    looks.compass.forEach((colour, number) => gl.uniform3fv(at[["toRight", "toLeft", "toUp", "toDown"][number]], rgb(colour)));
    gl.uniform3fv(at.ground, rgb(looks.far));
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
