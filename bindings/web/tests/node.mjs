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
assert.equal(world.ids(0).length, x.length);
assert.equal(new Set(world.ids(0)).size, x.length);

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
own.setParameter("bird", "separation.radius", 3);
own.spawn("bird", [10, 10, 11, 10], [1, 0, 0, 1]);
own.step(20);
assert.equal(own.population, 2);
const apart = (world) => Math.hypot(...[0, 1].map((axis) => world.positions(bird, axis)).map(([a, b]) => a - b));
assert.equal(apart(own) > 1, true);

// Between two ticks: a quarter of the way over the seam, and a new agent where it is.
const drawn = throng.create([100, 100], { tickSeconds: 0.1 });
drawn.keepPrevious();
drawn.addSpecies("ball");
drawn.spawn("ball", [99.9, 50], [4, 0]);
drawn.step();
drawn.spawn("ball", [7, 8], [1, 0]);
const at = drawn.drawn("ball", 0.75);
assert.equal(Math.abs(at[0] - 0.2) < 1e-4 && at[1] === 50 && at[2] === 7 && at[3] === 8, true, String(at));
drawn.keepPrevious(false);
assert.equal(Math.abs(drawn.drawn("ball", 0)[0] - 0.3) < 1e-4, true);

// Copies in memory continue with the same bits, and then go their own ways.
const copies = [drawn.clone(), throng.load(drawn.save())];
for (const copy of [drawn, ...copies]) copy.step(10);
assert.deepEqual(copies.map((copy) => copy.stateHash()), [drawn.stateHash(), drawn.stateHash()]);
drawn.addRule("ball", "arrive");
drawn.setMark("flag", [1, 2]);
drawn.setGoals(drawn.ids("ball"), [80, 50, 20, 20]);
drawn.step(100);
const [x0, x1] = drawn.positions("ball", 0);
assert.equal(Math.min(x0, x1) > 10 && Math.max(x0, x1) > 60, true, `${x0} ${x1}`);
drawn.setGoals(drawn.ids("ball"), null);
drawn.despawn([drawn.ids("ball")[0]]);
assert.equal(drawn.population, 1);
assert.notEqual(copies[0].stateHash(), drawn.stateHash());
assert.throws(() => throng.load(drawn.save().slice(0, 100)), (error) => error.status === "Snapshot");
for (const world of [drawn, ...copies]) world.free();

const CROWD = `format = 1
[world]
dimensions = 2
size = [50, 50]
[species.bird]
count = 100
`;

// Wrong calls are refused with a status and a text, and change nothing.
const before = own.stateHash();
for (const [call, status, text] of [
  [() => throng.fromText("format = 1\nsped = 2\n"), "Scenario", /scenario.toml:2:1/],
  [() => own.spawn(bird, [1, 2, 3], [1, 2, 3]), "BadValue", /whole vectors/],
  [() => own.spawn(bird, [NaN, 2], [1, 2]), "BadValue", /NaN/],
  [() => own.spawn(bird, ["east", 2], [1, 2]), "BadValue", /NaN/],
  [() => own.spawn(bird, [1, 2], [1, 2, 3, 4]), "BadValue", /same number/],
  [() => own.setParameter(bird, "separation.radius", -1), "BadValue", /radius/],
  [() => own.positions("fish", 0), "NotFound", /fish/],
  [() => own.positions(bird, 2), "BadValue", /axis/],
  [() => own.positions(NaN, 0), "BadValue", /species = NaN/],
  [() => own.positions(0.5, 0), "BadValue", /species = 0.5/],
  [() => own.positions(bird, "x"), "BadValue", /axis = x/],
  [() => own.positions(bird), "BadValue", /axis = undefined/],
  [() => own.positions(7, 0), "NotFound", /species 7/],
  [() => own.radius(bird, 2), "NotFound", /row 2/],
  [() => own.radius(bird, -1), "BadValue", /row = -1/],
  [() => own.despawn([7n, 7n]), "NotFound", /agent/],
  [() => own.setGoals(own.ids(bird), [1, 2]), "BadValue", /each id/],
  [() => own.setGoals(own.ids(bird), [1, 2, NaN, 2]), "BadValue", /goal/],
  [() => own.setMark("flag", [1]), "BadValue", /point/],
  [() => own.drawn("fish", 0), "NotFound", /fish/],
  [() => own.drawn(bird), "BadValue", /share/],
  [() => own.step(-1), "BadValue", /ticks = -1/],
  [() => own.step(1.5), "BadValue", /ticks = 1.5/],
  [() => own.step(NaN), "BadValue", /ticks = NaN/],
  [() => own.spawn(bird, [1e39, 2], [1, 2]), "BadValue", /position/],
  [() => own.addSpecies("bird"), "BadValue", /bird/],
  [() => own.addRule(bird, "separate"), "NotFound", /separate/],
  [() => own.addRule(bird, "alignment", NaN), "BadValue", /weight/],
  [() => own.setParameter(bird, "separation.radius", "far"), "BadValue", /NaN/],
  [() => throng.create([10]), "BadValue", /dimensions/],
  [() => throng.create([1e30, 10]), "BadValue", /size/],
  [() => throng.create([10, 10], { seed: -1 }), "BadValue", /seed = -1/],
  [() => throng.create([10, 10], { seed: 2n ** 64n }), "BadValue", /seed/],
  [() => throng.create([10, 10], { tickSeconds: "soon" }), "BadValue", /tick/],
  [() => throng.create([10, 10], { edge: "round" }), "BadValue", /edge/],
  [() => throng.fromText(CROWD.replace("100", "100000000")), "Memory", /memory/],
  [() => throng.fromText(CROWD.replace("100", "4000000000")), "Scenario", /more than one world/],
  [() => throng.fromText("walls_file = 'plan.svg'"), "Scenario", /scenario.toml:1/],
  [() => throng.fromText(`a = ${"[".repeat(100_000)}`), "Scenario", /scenario.toml:1/],
  [() => throng.fromText("\0"), "Scenario", /format/],
]) {
  assert.throws(call, (error) => error.status === status && text.test(error.message), `${call}`);
}
assert.equal(own.stateHash(), before);
own.free();
assert.throws(() => own.free(), (error) => error.status === "Stale");
// A freed handle stays refused when its place has a new world.
const next = throng.fromText(CROWD);
assert.throws(() => own.positions(0, 0), (error) => error.status === "Stale");
next.free();

// The types have every method, and no other.
const types = await readFile(new URL("../js/throng.d.ts", import.meta.url), "utf8");
for (const [value, name] of [[throng, "Throng"], [world, "World"]]) {
  const declared = types.match(new RegExp(`interface ${name} \\{(.*?)\n\\}`, "s"))[1].matchAll(/^  (?:readonly )?(\w+)[(:]/gm);
  const internal = ["constructor", "world", "check", "text", "withMemory", "withText", "withNumbers", "read", "one", "small",
    "large", "records", "withIds", "numbers"];
  const found = Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter((method) => !internal.includes(method));
  assert.deepEqual([...declared].map(([, method]) => method).sort(), found.sort());
}

// Files that are not the module.
const emptyModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
for (const [source, status] of [
  [new TextEncoder().encode("<html>"), "Version"],
  [new Uint8Array(), "Version"],
  [emptyModule, "Version"],
  [(await readFile(wasm)).subarray(0, 5000), "Version"],
  [new Response("", { status: 404 }), "Io"],
  [undefined, "Version"],
]) {
  await assert.rejects(load(source), (error) => error.status === status, String(source));
}
assert.throws(() => own.step(), (error) => error.status === "Stale");
console.log(`  ${world.population} agents after ${ticks} ticks: ${hash} in Node`);
