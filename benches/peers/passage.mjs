/**
 * Two ways through one passage: 60 agents against 60 through a gap in a wall 10 m thick, at 4 m/s, with bodies of 0.5 m,
 * 60 ticks a second. Prints for each gap and program: the median and the longest time of the seeds until all are across,
 * the most agents that are not across after 120 s, the deepest overlap of two bodies as a share of a body, the pairs in a
 * tick that overlap by more than a tenth, the deepest overlap with a wall, and the least time of a tick of the seeds.
 *
 * node benches/peers/passage.mjs FOLDER PROGRAM [SEEDS]: FOLDER has Detour, installed by npm, PROGRAM is throng.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Walkers, floor, load } from "./detour.mjs";

const [LENGTH, WIDTH] = [100, 40];
/** Where the wall begins and ends; how far from the ends of the world agents leave it. */
const [WALL, LEAVE] = [[45, 55], 6];
const [RADIUS, SPEED, EACH] = [0.5, 4, 60];
const [TICK, TICKS] = [1 / 60, 7200];

/** Whether an agent comes from the left. */
const isFromLeft = (agent) => agent < EACH;

/** A function that draws numbers in [0, 1) from a seed. */
function noise(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** The first places of all agents: four columns on either side, each agent up to 0.1 m off its place on both axes. */
function places(seed) {
  const draw = noise(seed);
  const off = () => 0.2 * draw() - 0.1;
  return Array.from({ length: 2 * EACH }, (_, agent) => {
    const x = 38 - 2.3 * Math.floor((agent % EACH) / 15) + off();
    return [isFromLeft(agent) ? x : LENGTH - x, 3.9 + 2.3 * (agent % 15) + off()];
  });
}

/** The bounds of the gap. */
const bounds = (gap) => [(WIDTH - gap) / 2, (WIDTH + gap) / 2];

/** Follows a run: `see` takes the points of all agents after each tick, null for those that have left. */
class Watch {
  ticks = 0;
  deepest = 0;
  pressed = 0;
  walled = 0;
  times = Array(2 * EACH).fill(Infinity);

  constructor(gap) {
    this.gap = gap;
  }

  see(points) {
    this.ticks += 1;
    points.forEach((at, agent) => {
      const isAcross = at === null || (isFromLeft(agent) ? at[0] > WALL[1] + 2 : at[0] < WALL[0] - 2);
      if (isAcross) this.times[agent] = Math.min(this.times[agent], this.ticks * TICK);
    });
    const there = points.filter((at) => at !== null).sort((one, other) => one[0] - other[0]);
    there.forEach(([x, y], one) => {
      for (let other = one + 1; other < there.length && there[other][0] - x < 2 * RADIUS; other += 1) {
        const share = 1 - Math.hypot(there[other][0] - x, there[other][1] - y) / (2 * RADIUS);
        this.deepest = Math.max(this.deepest, share);
        this.pressed += share > 0.1 ? 1 : 0;
      }
      const toWall = [Math.max(WALL[0] - x, x - WALL[1], 0), Math.max(this.gap / 2 - Math.abs(y - WIDTH / 2), 0)];
      this.walled = Math.max(this.walled, (RADIUS - Math.hypot(...toWall)) / (2 * RADIUS));
    });
  }

  get time() {
    return Math.max(...this.times);
  }

  get stuck() {
    return this.times.filter((time) => time === Infinity).length;
  }

  get isOver() {
    return this.ticks >= TICKS || this.stuck === 0;
  }
}

/** The passage as a scenario of throng. */
function scenario(model, gap, seed) {
  const [low, high] = bounds(gap);
  const wall = (from, to) => `[[wall]]\ncentre = [50, ${(from + to) / 2}]\nsize = [10, ${to - from}]\n`;
  const army = (name, x, at) => `
[[region]]
name = "${name}"
centre = [${x}, ${WIDTH / 2}]
size = [${LEAVE}, ${WIDTH}]
[[sink]]
name = "${name}"
region = "${name}"
[navigation.${name}]
goals = ["region:${name}"]
clearance = ${RADIUS}
[species.to_${name}]
radius = ${RADIUS}
max_speed = ${SPEED}
motion = { model = "${model}" }
place = { positions = ${JSON.stringify(at)}, speed = 0 }
behaviours = [{ rule = "walk_to", goals = ["${name}"] }]
`;
  const all = places(seed);
  return `format = 1
[world]
dimensions = 2
size = [${LENGTH}, ${WIDTH}]
edge = "bounce"
tick = ${TICK}
ticks = ${TICKS}
until = "empty"
seed = ${seed}
${wall(0, low)}${wall(high, WIDTH)}
${army("right", LENGTH - LEAVE / 2, all.filter((_, agent) => isFromLeft(agent)))}
${army("left", LEAVE / 2, all.filter((_, agent) => !isFromLeft(agent)))}`;
}

/** Runs a model of throng, and reads its trajectory. */
function throng(program, model, gap, seed) {
  const folder = mkdtempSync(join(tmpdir(), "passage-"));
  const [file, table] = [join(folder, "passage.toml"), join(folder, "passage.csv")];
  writeFileSync(file, scenario(model, gap, seed));
  const options = ["--threads", "1", "--every", "1", "--trajectory", table, "--out", folder, "--quiet", "--json"];
  const { seconds, ticks } = JSON.parse(execFileSync(program, ["run", file, ...options], { encoding: "utf8" }));
  const [head, ...rows] = readFileSync(table, "utf8").trimEnd().split("\n");
  rmSync(folder, { recursive: true });
  const keys = head.split(",");
  const [tick, id, x, y] = ["tick", "id", "x", "y"].map((key) => keys.indexOf(key));
  const records = Array.from({ length: ticks + 1 }, () => Array(2 * EACH).fill(null));
  const numbers = new Map();
  let [fromLeft, fromRight] = [0, EACH];
  for (const row of rows) {
    const cells = row.split(",");
    if (!numbers.has(cells[id])) numbers.set(cells[id], cells[x] < LENGTH / 2 ? fromLeft++ : fromRight++);
    records[cells[tick]][numbers.get(cells[id])] = [Number(cells[x]), Number(cells[y])];
  }
  const watch = new Watch(gap);
  for (const points of records.slice(1)) if (!watch.isOver) watch.see(points);
  return { watch, tick: seconds / ticks };
}

/** Runs Detour's crowd. */
function detour(library, apart, gap, seed) {
  const rooms = [[0, 0, WALL[0], WIDTH], [WALL[0], bounds(gap)[0], WALL[1], bounds(gap)[1]], [WALL[1], 0, LENGTH, WIDTH]];
  const goal = (agent, y) => [isFromLeft(agent) ? LENGTH - LEAVE / 2 : LEAVE / 2, y];
  const agents = places(seed).map((at, agent) => ({ at, goal: goal(agent, at[1]) }));
  const walkers = new Walkers(library, floor(library, rooms, RADIUS), agents, { radius: RADIUS, speed: SPEED, apart });
  const watch = new Watch(gap);
  let milliseconds = 0;
  while (!watch.isOver) {
    const start = performance.now();
    walkers.step(TICK);
    milliseconds += performance.now() - start;
    const points = walkers.points();
    watch.see(points);
    points.forEach((at, agent) => {
      if (at !== null && (isFromLeft(agent) ? at[0] > LENGTH - LEAVE : at[0] < LEAVE)) walkers.remove(agent);
    });
  }
  walkers.free();
  return { watch, tick: milliseconds / 1000 / watch.ticks };
}

const [folder, program, seeds = "10"] = process.argv.slice(2);
const library = await load(folder);
const programs = {
  "throng, `orca`": (gap, seed) => throng(program, "orca", gap, seed),
  "throng, `pedvo`": (gap, seed) => throng(program, "pedvo", gap, seed),
  "Detour": (gap, seed) => detour(library, false, gap, seed),
  "Detour, separation": (gap, seed) => detour(library, true, gap, seed),
};
for (const gap of [8, 4]) {
  for (const [name, run] of Object.entries(programs)) {
    const runs = Array.from({ length: Number(seeds) }, (_, seed) => run(gap, seed + 1));
    const times = runs.map(({ watch }) => watch.time).sort((one, other) => one - other);
    const median = (times[(times.length - 1) >> 1] + times[times.length >> 1]) / 2;
    const most = (key) => Math.max(...runs.map(({ watch }) => watch[key]));
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const pressed = runs.reduce((sum, { watch }) => sum + watch.pressed / watch.ticks / runs.length, 0);
    const time = (seconds) => (seconds === Infinity ? "over 120 s" : `${seconds.toFixed(1)} s`);
    const tick = `${(1000 * Math.min(...runs.map((run) => run.tick))).toFixed(2)} ms`;
    const measured = [time(median), time(times.at(-1)), most("stuck"), percent(most("deepest")), pressed.toFixed(2)];
    console.log(`| ${[`${gap} m`, name, ...measured, percent(most("walled")), tick].join(" | ")} |`);
    if (process.env.TIMES) console.error(times.map((seconds) => seconds.toFixed(1)).join(" "));
  }
}
