// The cost of a tick in Node: node cost.mjs WASM SCENARIO [TICKS]. Prints the least processor time of five runs of that
// many ticks, by default 32, after as many to begin with, in milliseconds per tick. `throng run` with one thread is beside
// it in docs/performance.md.
import { readFile } from "node:fs/promises";
import { load } from "../js/throng.js";

const [, , wasm, file, ticks = "32"] = process.argv;
const throng = await load(readFile(wasm));
const world = throng.fromText(await readFile(file, "utf8"));
world.step(Number(ticks));
const runs = Array.from({ length: 5 }, () => {
  const before = process.cpuUsage();
  world.step(Number(ticks));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / Number(ticks);
});
console.log(`${Math.min(...runs).toFixed(3)} ms per tick, ${world.population} agents`);
