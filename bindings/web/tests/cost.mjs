// The cost of a tick in Node: node cost.mjs WASM SCENARIO [TICKS]. Prints the least processor time of five worlds from
// tick 8 on, for that many ticks, by default 40, in milliseconds per tick.
import { readFile } from "node:fs/promises";
import { load } from "../js/throng.js";

const [, , wasm, file, ticks = "40"] = process.argv;
const throng = await load(readFile(wasm));
const scenario = await readFile(file, "utf8");
const times = Array.from({ length: 5 }, () => {
  const world = throng.fromText(scenario);
  world.step(8);
  const before = process.cpuUsage();
  world.step(Number(ticks));
  const { user, system } = process.cpuUsage(before);
  world.free();
  return (user + system) / 1000 / Number(ticks);
});
console.log(`${Math.min(...times).toFixed(2)} ms per tick`);
