/** What a search of a leg is made of. */
import type { StateSpace } from 'clearance/planning';
import type { SceneSphereChecks, SphereChecker } from 'clearance/scene';

/** What a search is made of: which coordinates vary, where the others stand. */
export interface Task {
  readonly indices: Int32Array;
  readonly rest: Float64Array;
  space: StateSpace;
  readonly checker: SphereChecker;
}

/** Spheres where they prove straight motions: not where a joint turns by several coordinates. */
export function takeTier(checker: SphereChecker): SceneSphereChecks | null {
  const tier = checker.spheres();
  return tier?.checks.isStraight ? tier : null;
}

export function widen({ indices, rest }: Task, state: Float64Array): Float64Array {
  const q = Float64Array.from(rest);
  for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
  return q;
}

export function lengthOf(space: StateSpace, path: readonly Float64Array[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += space.distance(path[i - 1], path[i]);
  return sum;
}
