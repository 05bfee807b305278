// The programs of the graphics card. An agent is one point, which the fragment shader cuts to shape. That takes fewer
// vertices than triangles, and no instancing, which is slow without a graphics card.

/** The place on the canvas of an offset from the focus, in clip coordinates. */
const PROJECTION = `
uniform vec3 low, high, right, up, forward, focus;
uniform vec2 canvas, shift;
uniform float scale, distance_, back;
uniform bool space;
float closeness(float depth) {
  return space ? distance_ / max(distance_ + depth, 1e-3) : 1.0;
}
vec4 projected(vec3 offset) {
  float depth = dot(offset, forward);
  vec2 at = vec2(dot(offset, right), dot(offset, up)) * scale * closeness(depth);
  if (space && distance_ + depth < 1e-2) return vec4(2.0, 2.0, 2.0, 1.0);
  return vec4((at + shift) / canvas * 2.0, clamp(depth / (distance_ + 1.0) * 0.5, -0.99, 0.99), 1.0);
}`;

const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;   // 0 to 1 between the corners
layout(location = 1) in vec2 heading; // 0 to 1: a turn; the slope
layout(location = 2) in float size;   // the radius, as a share of the species' largest
layout(location = 3) in float value;
layout(location = 4) in vec3 moved;   // since the last frame, in steps of the encoding
${PROJECTION}
uniform vec3 wraps;
uniform float dart, least, most, radius, smallest, reach, ratio, bottom;
uniform int shade; // 0: species, 1: heading, 2: amount, 3: state
uniform bool person, shadow;
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
  vec3 at = place - back * moved / 65535.0;
  at = mix(at, fract(at), wraps * step(0.5, abs(at - 0.5)));
  at = low + at * (high - low);
  if (shadow) at.z = bottom;
  vec3 offset = at - focus;
  float depth = dot(offset, forward), near = closeness(depth);
  float turn = heading.x * 255.0 / 256.0 * 6.2831853;
  float slope = space ? (heading.y - 0.5) * 3.1415927 : 0.0;
  vec3 ahead = vec3(cos(turn) * cos(slope), sin(turn) * cos(slope), sin(slope));
  vec2 seen = vec2(dot(ahead, right), dot(ahead, up));
  shown = length(seen);
  along = shown > 1e-4 ? seen / shown : vec2(1.0, 0.0);
  // Darts grow with the root of the radius: in proportion, large bodies would fill the view.
  float usual = ratio * min(max(dart * scale * near, least * (space ? near : 1.0)), most * (space ? near : 1.0));
  // The largest body of the species decides: one species has one look. People are discs of their true size.
  float across = ratio * 2.0 * radius * scale * near;
  body = person || across > usual * larger(radius) * float(${LOOKS.body}) ? 1 : 0;
  pixels = body == 1 ? max(ratio * (person ? 3.0 : 2.0), across * size) : usual * larger(radius * size);
  shown = body == 1 ? 1.0 : max(shown, 0.45);
  if (shadow) pixels = 1.5 * pixels;
  gl_PointSize = (body == 1 || shadow ? 1.0 : 1.24) * pixels + 2.0;
  gl_Position = projected(offset);
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
uniform bool space, shadow;
out vec4 pixel;
void main() {
  float wide = body == 1 || shadow ? 1.0 : 1.24;
  vec2 at = (gl_PointCoord - 0.5) * vec2(1.0, -1.0) * (wide + 2.0 / pixels);
  if (shadow) {
    // Soft, and flat on the ground.
    float dark = clamp(1.0 - 2.0 * length(at), 0.0, 1.0);
    pixel = vec4(0.0, 0.0, 0.0, 0.45 * dark);
    return;
  }
  // Along and across the heading.
  float x = dot(at, along) / shown, side = dot(at, vec2(-along.y, along.x)), y = abs(side);
  // A dart has its nose at 0.6 and its tails at -0.4, with a notch between them; a body is a disc or a ball.
  float inside = body == 1 ? 0.5 - length(at) : min((0.32 * (0.6 - x) - y) * 0.95, (x + 0.22 + 0.56 * y) * 0.87);
  float cover = clamp(inside * pixels + 0.6, 0.0, 1.0);
  if (cover < (space ? 0.5 : 0.02)) discard;
  vec3 lit = colour;
  if (body == 1) {
    vec3 normal = vec3(at * 2.0, sqrt(max(0.0, 1.0 - 4.0 * dot(at, at))));
    if (space) lit *= min(1.0, float(${LOOKS.shade}) + float(${LOOKS.lit}) * max(0.0, dot(normal, vec3(${LOOKS.toLight}))));
    // A line from the middle to the front shows the heading.
    else if (x > 0.0 && y * pixels < max(0.8, 0.05 * pixels) && pixels > 5.0) lit *= float(${LOOKS.front});
  } else if (space) {
    // A cone: one flank is in the light, the other in the shade.
    vec2 out_ = vec2(-along.y, along.x) * clamp(4.0 * side, -1.0, 1.0);
    lit *= clamp(0.86 + 0.34 * dot(out_, vec2(-0.55, 0.83)), 0.5, 1.15);
  }
  pixel = space ? vec4(lit, 1.0) : vec4(lit * cover, cover);
}`;

const TRAIL_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place; // in metres
layout(location = 1) in vec3 way;   // since the frame before, in metres
layout(location = 2) in vec3 tint;
${PROJECTION}
out vec3 colour;
void main() {
  // Lines: every other vertex is the start of a way.
  vec3 at = place - way * (gl_VertexID % 2 == 0 ? 1.0 : back);
  colour = tint;
  gl_Position = projected(at - focus);
}`;

const TRAIL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
uniform float strength;
out vec4 pixel;
void main() {
  pixel = vec4(colour * strength, strength);
}`;
