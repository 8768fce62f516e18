/** The checker of a robot's last plan, kept for the next one: covering links and compiling their checks is what a first plan pays for. */
import type { SphereModel } from '../geometry/sphere-model.js';
import { sceneAssumptions } from '../scene/assumptions.js';
import { createSphereChecker, type SphereChecker } from '../scene/spheres/sphere-checker.js';
import type { Scene, SceneRobot } from '../scene/types.js';

interface KeptChecker {
  readonly scene: Scene;
  readonly key: string;
  readonly spheres: SphereModel | undefined;
  readonly checker: SphereChecker;
}

const checkers = new WeakMap<SceneRobot, KeptChecker>();

/** The checker of the robot's last plan, where it is for the same and has nothing to say of its own. */
export function findChecker(
  scene: Scene,
  robot: SceneRobot,
  indices: ArrayLike<number>,
  start: Float64Array,
  spheres: SphereModel | undefined,
): SphereChecker {
  const still = Float64Array.from(start);
  for (let k = 0; k < indices.length; k++) still[indices[k]] = 0;
  const key = `${Array.from(indices).join()} ${still.join()}`;
  const known = checkers.get(robot);
  const isSame = known?.scene === scene && known.key === key && known.spheres === spheres;
  if (isSame && known.checker.assumed.length === sceneAssumptions(scene).assumed.length) return known.checker;
  const checker = createSphereChecker(scene, robot, { indices, rest: start, spheres, prove: false });
  checkers.set(robot, { scene, key, spheres, checker });
  return checker;
}
