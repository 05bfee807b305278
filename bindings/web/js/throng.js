// throng in JavaScript: worlds of agents in WebAssembly, with the bits of every other machine.
//
//   import { load } from "./throng.js";
//   const throng = await load(fetch("throng.wasm"));
//   const world = throng.fromText(scenario);
//   world.step(100);
//   console.log(world.stateHash(), world.positions("bird", 0));

/** The largest numbers of 32 and 64 bits. */
const SMALL = 2 ** 32 - 1, LARGE = 2n ** 64n - 1n;

/** The version of the C interface that this file is written for. */
const INTERFACE = 2;

/** A refused call: `status` is its name, such as "BadValue", and `message` has the place and the allowed values. */
export class ThrongError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "ThrongError";
    this.status = status;
  }
}

const STATUSES = [
  "Ok", "Null", "Stale", "WrongThread", "InUse", "BadValue", "NotFound", "Scenario", "Io", "Snapshot", "Arithmetic",
  "Rule", "Memory", "Version", "Panic",
];

/** Loads the module from a response, a promise of one, or its bytes. */
export async function load(source) {
  let bytes = await source;
  if (typeof Response === "function" && bytes instanceof Response) {
    if (!bytes.ok) throw new ThrongError("Io", `${bytes.url}: status ${bytes.status}`);
    bytes = await bytes.arrayBuffer();
  }
  let wasm;
  try {
    wasm = (await WebAssembly.instantiate(bytes, {})).instance.exports;
  } catch (error) {
    throw new ThrongError("Version", `not the module of throng: ${error.message}`);
  }
  if (!("throng_check_interface" in wasm)) throw new ThrongError("Version", "not the module of throng");
  return new Throng(wasm);
}

/** A whole number of an argument. WebAssembly would cut others, and count NaN as zero. */
function whole(what, number, most) {
  if (Number.isInteger(Number(number)) && number >= 0 && number <= most) return number;
  throw new ThrongError("BadValue", `${what} = ${number}: must be a whole number from 0 to ${most}`);
}

class Throng {
  constructor(wasm) {
    this.wasm = wasm;
    this.check(wasm.throng_check_interface(INTERFACE));
  }

  /** The version of the physics: the same state continues with the same bits as long as it does not change. */
  get physics() { return this.wasm.throng_physics(); }

  /** The world of a scenario in TOML. It cannot name other files. */
  fromText(scenario) {
    return this.withText(scenario, (text) => this.world((to) => this.wasm.throng_from_text(text, to)));
  }

  /** An empty world: `size` has a number per dimension, in metres. */
  create(size, { edge = "wrap", tickSeconds = 1 / 60, seed = 0 } = {}) {
    return this.withText(edge, (edge) => this.withNumbers(size, (numbers) => this.world((to) =>
      this.wasm.throng_create(size.length, numbers, edge, tickSeconds, BigInt(whole("seed", seed, LARGE)), to))));
  }

  /** The world of a snapshot, the bytes that `save` gives. It continues with the same bits. */
  load(snapshot) {
    return this.withMemory(snapshot.length, (memory) => {
      new Uint8Array(this.wasm.memory.buffer, memory, snapshot.length).set(snapshot);
      return this.world((to) => this.wasm.throng_load_from(memory, snapshot.length, to));
    });
  }

  /** The colours and the numbers that pictures of throng have. */
  get looks() { return JSON.parse(this.text(this.wasm.throng_looks())); }

  // ---- what the classes share ----

  world(create) {
    return new World(this, this.read(create, (view, at) => view.getBigUint64(at, true)));
  }

  check(status) {
    if (status === 0) return;
    throw new ThrongError(STATUSES[status] ?? String(status), this.text(this.wasm.throng_error()));
  }

  /** The text at an address, which ends with a zero byte. */
  text(from) {
    const memory = new Uint8Array(this.wasm.memory.buffer);
    return new TextDecoder().decode(memory.subarray(from, memory.indexOf(0, from)));
  }

  /** Calls `use` with `bytes` bytes of memory. */
  withMemory(bytes, use) {
    const memory = this.wasm.throng_allocate(bytes);
    if (memory === 0) throw new ThrongError("Memory", `memory does not suffice for ${bytes} bytes`);
    try {
      return use(memory);
    } finally {
      this.wasm.throng_release(memory, bytes);
    }
  }

  withText(text, use) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    return this.withMemory(bytes.length, (memory) => {
      new Uint8Array(this.wasm.memory.buffer, memory, bytes.length).set(bytes);
      return use(memory);
    });
  }

  withNumbers(numbers, use) {
    return this.withMemory(4 * numbers.length, (memory) => {
      new Float32Array(this.wasm.memory.buffer, memory, numbers.length).set(numbers);
      return use(memory);
    });
  }

  /** Calls a function that writes its results to an address, and reads them. */
  read(call, results) {
    return this.withMemory(16, (memory) => {
      this.check(call(memory));
      return results(new DataView(this.wasm.memory.buffer), memory);
    });
  }
}

class World {
  constructor(throng, handle) {
    this.throng = throng;
    this.wasm = throng.wasm;
    this.handle = handle;
  }

  /** Frees the world. Further calls are refused. */
  free() { this.throng.check(this.wasm.throng_free(this.handle)); }

  /** Another world with the same state, for rollback and for looking ahead: both continue with the same bits. */
  clone() { return this.throng.world((to) => this.wasm.throng_clone(this.handle, to)); }

  /** The state as bytes, as `throng run` writes snapshots. */
  save() {
    const length = this.one("throng_save_to", (view, at) => view.getUint32(at, true), [0, 0]);
    return this.throng.withMemory(length, (memory) => {
      this.one("throng_save_to", () => null, [memory, length]);
      return new Uint8Array(this.wasm.memory.buffer, memory, length).slice();
    });
  }

  /** Advances the world by this many ticks. */
  step(ticks = 1) { this.throng.check(this.wasm.throng_step(this.handle, BigInt(whole("ticks", ticks, LARGE)))); }

  /** The hash of the state: 16 hexadecimal digits, as `throng run` prints them. */
  stateHash() { return this.large("throng_state_hash").toString(16).padStart(16, "0"); }

  /** The number of ticks the world has advanced by. */
  get tick() { return Number(this.large("throng_tick")); }

  /** The simulated time in seconds. */
  get time() { return this.one("throng_time", (view, at) => view.getFloat64(at, true)); }

  /** The number of dimensions: 2 or 3. */
  get dimensions() { return this.small("throng_dimensions"); }

  /** The number of agents of all species. */
  get population() { return this.small("throng_population"); }

  /** The number of species. Species are numbered from 0. */
  get speciesCount() { return this.small("throng_species_count"); }

  /** The size of the world along each axis, in metres. */
  get size() {
    const { dimensions } = this;
    return this.one("throng_size", (view, at) => [...Array(dimensions).keys()].map((axis) => view.getFloat32(at + 4 * axis, true)));
  }

  /** The names of the species, in the order of their numbers. */
  get speciesNames() {
    return [...Array(this.speciesCount).keys()].map((number) => this.throng.withMemory(256, (name) => {
      const length = this.one("throng_species_name", (view, at) => view.getUint32(at, true), [number, name, 256]);
      return new TextDecoder().decode(new Uint8Array(this.wasm.memory.buffer, name, Math.min(length, 255)));
    }));
  }

  /** The radius of the body of the agent in a row, in metres. */
  radius(species, row) {
    return this.one("throng_radius", (view, at) => view.getFloat32(at, true), [this.species(species), whole("row", row, SMALL)]);
  }

  /** The number of a species, from its name or its number. */
  species(which) {
    if (typeof which === "number") return whole("species", which, SMALL);
    return this.throng.withText(which, (name) =>
      this.one("throng_species_named", (view, at) => view.getUint32(at, true), [name]));
  }

  /** A copy of the ids of a species' agents, row by row. Rows move in every step; an id belongs to its agent for life. */
  ids(species) {
    const number = this.species(species);
    const count = this.one("throng_ids", (view, at) => view.getUint32(at, true), [number, 0, 0]);
    return this.throng.withMemory(8 * count, (memory) => {
      this.one("throng_ids", () => null, [number, memory, count]);
      const view = new DataView(this.wasm.memory.buffer);
      return BigUint64Array.from({ length: count }, (_, row) => view.getBigUint64(memory + 8 * row, true));
    });
  }

  /** A copy of the positions of a species' agents along an axis, in metres, row by row: see `ids`. */
  positions(species, axis) { return this.numbers("throng_positions", species, axis); }

  /** A copy of the velocities of a species' agents along an axis, in metres per second, row by row: see `ids`. */
  velocities(species, axis) { return this.numbers("throng_velocities", species, axis); }

  /**
   * Keeps the positions before each tick from now on, for `drawn`, or stops. They are part of neither the hash nor
   * snapshots.
   */
  keepPrevious(keep = true) { this.throng.check(this.wasm.throng_keep_previous(this.handle, Number(Boolean(keep)))); }

  /**
   * The positions at which to draw a species' agents between two ticks, as [x, y, ...] one after the other, row by row:
   * `share` of the way from those before the last tick to the present ones, across the seam by the shortest way. New
   * agents are where they are, as are all unless `keepPrevious` was called.
   */
  drawn(species, share) {
    const number = this.species(species), { dimensions } = this;
    const count = this.one("throng_drawn", (view, at) => view.getUint32(at, true), [number, share, 0, 0]);
    return this.throng.withMemory(4 * dimensions * count, (memory) => {
      this.one("throng_drawn", () => null, [number, share, memory, count]);
      return new Float32Array(this.wasm.memory.buffer, memory, dimensions * count).slice();
    });
  }

  /** The edges of the walls that stand now: the corners at both ends of each, in metres. */
  get edges() {
    const { dimensions } = this;
    return this.records("throng_edges", 2 * dimensions).map((numbers) => [numbers.slice(0, dimensions), numbers.slice(dimensions)]);
  }

  /** The discs or balls of obstacles and of walls that stand now: the centre and the radius of each, in metres. */
  get discs() {
    const { dimensions } = this;
    return this.records("throng_discs", dimensions + 1).map((numbers) => [numbers.slice(0, dimensions), numbers[dimensions]]);
  }

  /** Adds agents at positions with velocities, each as [x, y, ...] one after the other. */
  spawn(species, positions, velocities) {
    const count = positions.length / this.dimensions;
    if (!Number.isInteger(count) || velocities.length !== positions.length) {
      throw new ThrongError("BadValue", "positions and velocities must have the same number of whole vectors");
    }
    this.throng.withNumbers(positions, (positions) => this.throng.withNumbers(velocities, (velocities) =>
      this.throng.check(this.wasm.throng_spawn(this.handle, this.species(species), positions, velocities, count, 0))));
  }

  /** Removes agents by their ids. If one does not exist or is there twice, none is removed. */
  despawn(ids) { this.withIds(ids, (ids, count) => this.wasm.throng_despawn(this.handle, ids, count)); }

  /** Sets the goals of agents: as [x, y, ...] one after the other, or `null` for none. */
  setGoals(ids, goals) {
    if (goals !== null && goals.length !== ids.length * this.dimensions) {
      throw new ThrongError("BadValue", "there must be a whole vector for each id");
    }
    this.withIds(ids, (ids, count) => goals === null ? this.wasm.throng_set_goals(this.handle, ids, 0, count) :
      this.throng.withNumbers(goals, (goals) => this.wasm.throng_set_goals(this.handle, ids, goals, count)));
  }

  /** Puts the mark with a name, which rules and ways to goals follow, to a point. */
  setMark(name, point) {
    if (point.length !== this.dimensions) throw new ThrongError("BadValue", "the point must be a whole vector");
    this.throng.withText(name, (name) => this.throng.withNumbers(point, (point) =>
      this.throng.check(this.wasm.throng_set_mark(this.handle, name, point))));
  }

  /** Adds a species without agents, and returns its number. */
  addSpecies(name) {
    return this.throng.withText(name, (name) =>
      this.one("throng_add_species", (view, at) => view.getUint32(at, true), [name]));
  }

  /** Removes a species and all its agents. */
  removeSpecies(species) {
    this.throng.check(this.wasm.throng_remove_species(this.handle, this.species(species)));
  }

  /** Adds a rule of the engine to a species, by its name. */
  addRule(species, rule, weight = 1) {
    this.throng.withText(rule, (rule) =>
      this.throng.check(this.wasm.throng_add_rule(this.handle, this.species(species), rule, weight)));
  }

  /** Sets a number of a species by its path, such as "separation.radius". */
  setParameter(species, path, value) {
    this.throng.withText(path, (path) =>
      this.throng.check(this.wasm.throng_set_parameter(this.handle, this.species(species), path, value)));
  }

  one(call, result, before = []) {
    return this.throng.read((to) => this.wasm[call](this.handle, ...before, to), result);
  }
  small(call) { return this.one(call, (view, at) => view.getUint32(at, true)); }
  large(call) { return this.one(call, (view, at) => view.getBigUint64(at, true)); }

  /** Copies records of `width` numbers, whose count a call gives. */
  records(call, width) {
    const count = this.one(call, (view, at) => view.getUint32(at, true), [0, 0]);
    return this.throng.withMemory(4 * width * count, (memory) => {
      this.one(call, () => null, [memory, count]);
      const all = [...new Float32Array(this.wasm.memory.buffer, memory, width * count)];
      return [...Array(count).keys()].map((record) => all.slice(record * width, (record + 1) * width));
    });
  }

  withIds(ids, call) {
    this.throng.withMemory(8 * ids.length, (memory) => {
      const view = new DataView(this.wasm.memory.buffer);
      ids.forEach((id, place) => view.setBigUint64(memory + 8 * place, BigInt(id), true));
      this.throng.check(call(memory, ids.length));
    });
  }

  numbers(call, species, axis) {
    const number = this.species(species);
    whole("axis", axis, SMALL);
    return this.throng.read((to) => this.wasm[call](this.handle, number, axis, to, to + 8), (view, at) =>
      new Float32Array(view.buffer, view.getUint32(at, true), view.getUint32(at + 8, true)).slice());
  }
}
