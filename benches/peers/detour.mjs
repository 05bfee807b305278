/** Detour's crowd, from the npm packages @recast-navigation/core and @recast-navigation/generators. */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Flags of an agent, which the package does not name: turns early, avoids others, takes short cuts; and keeps apart. */
const [DEMO, APART] = [1 | 2 | 8 | 16, 4];
/** The length of a cell of the mesh, in metres. */
const CELL = 0.1;

/** Loads the packages from the folder in which npm installed them. */
export async function load(folder) {
  const found = createRequire(pathToFileURL(join(resolve(folder), "all.js")));
  const [core, generators] = await Promise.all(
    ["core", "generators"].map((name) => import(pathToFileURL(found.resolve(`@recast-navigation/${name}`)))),
  );
  await core.init();
  return { core, generators };
}

/** The mesh of a floor of rectangles [x, y, x, y], whose edges are walls for bodies of this radius. */
export function floor({ generators }, rectangles, radius) {
  const corners = rectangles.flatMap(([x, y, u, v]) => [x, 0, y, x, 0, v, u, 0, v, u, 0, y]);
  const faces = rectangles.flatMap((_, at) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * at + corner));
  // Recast takes one cell more than the radius off each edge.
  const sizes = { cs: CELL, ch: CELL, walkableHeight: 20, walkableRadius: Math.round(radius / CELL) - 1 };
  const made = generators.generateSoloNavMesh(corners, faces, sizes);
  if (!made.success) throw new Error(made.error);
  return made.navMesh;
}

/** Agents of the crowd with the settings of Recast's demo program, at points with goals. */
export class Walkers {
  constructor({ core }, mesh, agents, { radius, speed, apart }) {
    this.crowd = new core.Crowd(mesh, { maxAgents: agents.length, maxAgentRadius: radius });
    this.agents = agents.map(({ at: [x, z], goal }) => {
      const agent = this.crowd.addAgent(
        { x, y: 0, z },
        {
          radius,
          height: 2,
          maxAcceleration: 8,
          maxSpeed: speed,
          collisionQueryRange: 12 * radius,
          pathOptimizationRange: 30 * radius,
          separationWeight: 2,
          updateFlags: apart ? DEMO | APART : DEMO,
        },
      );
      if (!agent.requestMoveTarget({ x: goal[0], y: 0, z: goal[1] })) throw new Error(`no way to ${goal}`);
      return agent;
    });
  }

  step(seconds) {
    this.crowd.update(seconds);
  }

  /** The points of the agents, null for those that were removed. */
  points() {
    return this.agents.map((agent) => {
      const point = agent?.position();
      return point ? [point.x, point.z] : null;
    });
  }

  remove(number) {
    this.crowd.removeAgent(this.agents[number]);
    this.agents[number] = null;
  }

  free() {
    this.crowd.destroy();
  }
}
