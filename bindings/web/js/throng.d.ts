/** The types of throng.js, which documents every method. Units are metres, seconds and radians. */

/** A refused call. */
export class ThrongError extends Error {
  readonly status: string;
}

/** A species, by its number or its name. */
export type Species = number | string;

export interface Options {
  edge?: "wrap" | "bounce" | "open" | "remove" | "respawn";
  tickSeconds?: number;
  seed?: number | bigint;
}

/** Loads the module from a response, a promise of one, or its bytes. */
export function load(source: BufferSource | Response | Promise<BufferSource | Response>): Promise<Throng>;

/** The module. `load` makes it. */
export interface Throng {
  readonly physics: number;
  fromText(scenario: string): World;
  create(size: ArrayLike<number>, options?: Options): World;
  load(snapshot: Uint8Array): World;
  readonly looks: Record<string, unknown>;
}

/** A world. A `Throng` makes it. */
export interface World {
  free(): void;
  clone(): World;
  save(): Uint8Array;
  step(ticks?: number): void;
  stateHash(): string;
  readonly tick: number;
  readonly time: number;
  readonly dimensions: number;
  readonly population: number;
  readonly speciesCount: number;
  readonly size: number[];
  readonly speciesNames: string[];
  radius(species: Species, row: number): number;
  species(which: Species): number;
  ids(species: Species): BigUint64Array;
  positions(species: Species, axis: number): Float32Array;
  velocities(species: Species, axis: number): Float32Array;
  keepPrevious(keep?: boolean): void;
  drawn(species: Species, share: number): Float32Array;
  readonly edges: number[][][];
  readonly discs: [number[], number][];
  spawn(species: Species, positions: ArrayLike<number>, velocities: ArrayLike<number>): void;
  despawn(ids: BigUint64Array | bigint[]): void;
  setGoals(ids: BigUint64Array | bigint[], goals: ArrayLike<number> | null): void;
  setMark(name: string, point: ArrayLike<number>): void;
  addSpecies(name: string): number;
  removeSpecies(species: Species): void;
  addRule(species: Species, rule: string, weight?: number): void;
  setParameter(species: Species, path: string, value: number): void;
}
