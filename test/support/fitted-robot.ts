/** A robot of the reference data with fitted spheres and the pairs of its links that are not adjacent. */
import type { SphereModel } from '../../src/geometry/sphere-model.js';
import { buildModel } from '../../src/model/build-model.js';
import type { Model } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { adjacentPairs } from '../../src/scene/allowed-collisions.js';
import { fitRobotSpheres } from '../../src/scene/robot-spheres.js';

export interface FittedRobot {
  readonly model: Model;
  readonly spheres: SphereModel;
  readonly pairs: readonly (readonly [string, string])[];
}

/** `path`: of the file, below `robots/<package>/`. */
export async function loadFittedRobot(path: string): Promise<FittedRobot> {
  const folder = /^(.*\/robots\/[^/]+)\//.exec(path)?.[1] as string;
  const { value, issues } = await loadRobot(path, { packagePaths: [folder] });
  if (!value) throw new Error(issues[0].message);
  const { model } = buildModel(value.description.model);
  const spheres = fitRobotSpheres(value, { count: 4 });
  const names = spheres.links.map(({ link }) => link);
  const adjacent = adjacentPairs(value.description.model, (link) => names.includes(link));
  const skipped = new Set(adjacent.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const pairs: [string, string][] = [];
  names.forEach((a, i) => {
    for (const b of names.slice(i + 1)) if (!skipped.has(`${a} ${b}`)) pairs.push([a, b]);
  });
  return { model, spheres, pairs };
}
