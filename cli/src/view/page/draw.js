// Draws a small dart for each agent, directly from the bytes of the frame. A dart is one point, which the fragment
// shader cuts to shape. That takes fewer vertices than triangles, and no instancing, which is slow without a GPU.
const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;   // 0 to 1 between the corners
layout(location = 1) in vec2 heading; // 0 to 1: a turn; the slope
uniform vec3 low, high, right, up, forward, focus;
uniform vec2 canvas;
uniform float scale, distance_, body, least;
uniform bool space;
uniform bool byHeading;
uniform vec3 own, toRight, toLeft, toUp, toDown, ground;
uniform float ratio;
out vec3 colour;
out vec2 along;
out float pixels, shown;
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
  pixels = ratio * max(body * scale * near, least * (space ? sqrt(near) : 1.0));
  shown = max(shown, 0.45);
  gl_PointSize = 1.24 * pixels + 2.0;
  vec2 at = vec2(dot(offset, right), dot(offset, up)) * scale * near;
  gl_Position = vec4(at / canvas * 2.0, clamp(depth / (distance_ + 1.0) * 0.5, -0.99, 0.99), 1.0);
  if (space && distance_ + depth < 1e-2) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  float share = along.x * along.x;
  vec3 hue = byHeading ? mix(along.y > 0.0 ? toUp : toDown, along.x > 0.0 ? toRight : toLeft, share) : own;
  colour = space ? mix(hue, ground, clamp(depth / distance_ * 0.9, 0.0, 0.65)) : hue;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
in vec2 along;
in float pixels, shown;
uniform bool space;
out vec4 pixel;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * vec2(1.0, -1.0) * (1.24 + 2.0 / pixels);
  // Along and across the heading: the nose at 0.6, the tails at -0.4, with a notch between them.
  float x = dot(at, along) / shown, y = abs(dot(at, vec2(-along.y, along.x)));
  float inside = min((0.32 * (0.6 - x) - y) * 0.95, (x + 0.22 + 0.56 * y) * 0.87);
  float cover = clamp(inside * pixels + 0.6, 0.0, 1.0);
  if (cover < (space ? 0.5 : 0.02)) discard;
  pixel = space ? vec4(colour, 1.0) : vec4(colour * cover, cover);
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
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.loaded = null;
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
  }

  /** Draws a frame, with colours by heading if `byHeading`, else by species. */
  draw(frame, camera, byHeading) {
    const { gl, at } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
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
    gl.uniform1f(at.body, this.bodyLength(frame));
    gl.uniform1f(at.least, 3.2 * this.size);
    gl.uniform1i(at.space, space ? 1 : 0);
    gl.uniform1i(at.byHeading, byHeading ? 1 : 0);
    const headings = Colours.headings();
    gl.uniform3fv(at.toRight, rgb(headings.right));
    gl.uniform3fv(at.toLeft, rgb(headings.left));
    gl.uniform3fv(at.toUp, rgb(headings.up));
    gl.uniform3fv(at.toDown, rgb(headings.down));
    gl.uniform3fv(at.ground, rgb(Colours.ground));
    let before = 0;
    frame.counts.forEach((count, species) => {
      const [places, turns] = [2 * frame.dimensions, frame.dimensions - 1];
      gl.vertexAttribPointer(0, frame.dimensions, gl.UNSIGNED_SHORT, true, places, frame.positions + before * places);
      gl.vertexAttribPointer(1, turns, gl.UNSIGNED_BYTE, true, turns, frame.headings + before * turns);
      gl.uniform3fv(at.own, rgb(Colours.species(species)));
      if (count > 0) gl.drawArrays(gl.POINTS, 0, count);
      before += count;
    });
  }

  /** The length of a dart in metres: about the mean distance between agents. */
  bodyLength(frame) {
    const extent = [0, 1, 2].map((axis) => frame.high[axis] - frame.low[axis]);
    const mean = frame.dimensions === 2
      ? 0.8 * Math.sqrt((extent[0] * extent[1]) / frame.agents)
      : 0.7 * Math.cbrt((extent[0] * extent[1] * extent[2]) / frame.agents);
    return this.size * Math.min(mean, 0.022 * Math.hypot(...extent));
  }
}
