// Draws all agents: one small dart each, from the bytes of the frame as they came.
const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;   // 0 to 1 between the corners
layout(location = 1) in vec2 heading; // 0 to 1: a turn; the slope
uniform vec3 low, high, right, up, forward, focus;
uniform vec2 canvas;
uniform float scale, distance_, body, least;
uniform bool space, byHeading;
uniform vec3 own, toRight, toLeft, toUp, toDown, ground;
out vec3 colour;
const vec2 DART[4] = vec2[4](vec2(0.6, 0.0), vec2(-0.4, 0.32), vec2(-0.22, 0.0), vec2(-0.4, -0.32));
void main() {
  vec3 offset = low + place * (high - low) - focus;
  float depth = dot(offset, forward);
  float near = space ? distance_ / max(distance_ + depth, 1e-3) : 1.0;
  float turn = heading.x * 255.0 / 256.0 * 6.2831853;
  float slope = space ? (heading.y - 0.5) * 3.1415927 : 0.0;
  vec3 ahead = vec3(cos(turn) * cos(slope), sin(turn) * cos(slope), sin(slope));
  vec2 seen = vec2(dot(ahead, right), dot(ahead, up));
  float shown = length(seen);
  vec2 along = shown > 1e-4 ? seen / shown : vec2(1.0, 0.0);
  float pixels = max(body * scale * near, least * (space ? sqrt(near) : 1.0));
  vec2 corner = DART[gl_VertexID] * pixels;
  corner.x *= max(shown, 0.45);
  vec2 at = vec2(dot(offset, right), dot(offset, up)) * scale * near
    + corner.x * along + corner.y * vec2(-along.y, along.x);
  gl_Position = vec4(at / canvas * 2.0, clamp(depth / (distance_ + 1.0) * 0.5, -0.99, 0.99), 1.0);
  if (space && distance_ + depth < 1e-2) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  float share = along.x * along.x;
  vec3 hue = byHeading ? mix(along.y > 0.0 ? toUp : toDown, along.x > 0.0 ? toRight : toLeft, share) : own;
  colour = space ? mix(hue, ground, clamp(depth / distance_ * 0.9, 0.0, 0.65)) : hue;
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.0); }`;

/** Whether the browser draws with the processor: smooth edges would cost more than all the rest. */
function withoutGraphicsCard() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const name = gl?.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER) ?? "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: !withoutGraphicsCard(), alpha: true });
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
    for (const place of [0, 1]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribDivisor(place, 1);
    }
    this.loaded = null;
  }

  resize(width, height, ratio) {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
  }

  /** Draws a frame; `byHeading` says what colours mean. */
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
      if (count > 0) gl.drawArraysInstanced(gl.TRIANGLE_FAN, 0, 4, count);
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
