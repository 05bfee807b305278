// Runs the module in Node: node node.mjs WASM SCENARIO TICKS HASH. Compares the hash with that of the program, and tries
// wrong calls.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { load } from "../js/throng.js";

const [, , wasm, file, ticks, hash] = process.argv;
const throng = await load(readFile(wasm));
const world = throng.fromText(await readFile(file, "utf8"));
world.step(Number(ticks));
assert.equal(world.stateHash(), hash);
assert.equal(world.tick, Number(ticks));

// Columns are copies: writing to one leaves the world as it is.
const x = world.positions(0, 0);
assert.equal(x.length > 0 && x.every(Number.isFinite), true);
x.fill(NaN);
assert.equal(world.stateHash(), hash);

// Walls and obstacles.
const walled = throng.fromText(`format = 1
walls = [[[1, 2], [3, 4], [5, 6]]]
[[obstacle]]
centre = [7, 8]
radius = 2
[world]
dimensions = 2
size = [50, 50]
[species.bird]
count = 1
`);
assert.deepEqual(walled.edges, [[[1, 2], [3, 4]], [[3, 4], [5, 6]]]);
assert.deepEqual(walled.discs, [[[7, 8], 2]]);
assert.deepEqual(world.edges, []);
walled.free();

// A world in code.
const own = throng.create([100, 100], { tickSeconds: 0.1, seed: 7 });
const bird = own.addSpecies("bird");
own.addRule(bird, "separation", 2);
own.set("bird", "separation.radius", 3);
own.spawn("bird", [10, 10, 11, 10], [1, 0, 0, 1]);
own.step(20);
assert.equal(own.population, 2);
const apart = (world) => Math.hypot(...[0, 1].map((axis) => world.positions(bird, axis)).map(([a, b]) => a - b));
assert.equal(apart(own) > 1, true);

// Wrong calls are refused with a status and a text, and change nothing.
const before = own.stateHash();
for (const [call, status, text] of [
  [() => throng.fromText("format = 1\nsped = 2\n"), "Scenario", /scenario.toml:2:1/],
  [() => own.spawn(bird, [1, 2, 3], [1, 2, 3]), "BadValue", /whole vectors/],
  [() => own.spawn(bird, [NaN, 2], [1, 2]), "BadValue", /NaN/],
  [() => own.spawn(bird, ["east", 2], [1, 2]), "BadValue", /NaN/],
  [() => own.spawn(bird, [1, 2], [1, 2, 3, 4]), "BadValue", /same number/],
  [() => own.set(bird, "separation.radius", -1), "BadValue", /radius/],
  [() => own.positions("fish", 0), "NotFound", /fish/],
  [() => own.positions(bird, 2), "BadValue", /axis/],
  [() => throng.create([10]), "BadValue", /dimensions/],
]) {
  assert.throws(call, (error) => error.status === status && text.test(error.message), `${call}`);
}
assert.equal(own.stateHash(), before);
own.free();
assert.throws(() => own.step(), (error) => error.status === "Stale");
console.log(`  ${world.population} agents after ${ticks} ticks: ${hash} in Node`);
