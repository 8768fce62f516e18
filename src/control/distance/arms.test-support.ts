/** Seeded arms whose links carry given shapes, among objects of given shapes. */
import { joint, placement, robot } from '../../../test/models.js';
import { sampleRotation } from '../../../test/sample-shapes.js';
import type { Shape } from '../../geometry/shapes.js';
import type { Random } from '../../math/random.js';
import type { Pose } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import type { JointType } from '../../model/description.js';
import { attachObject } from '../../scene/attach.js';
import { addRobot } from '../../scene/robot.js';
import { addObject, createScene } from '../../scene/scene.js';
import type { Scene, SceneRobot } from '../../scene/types.js';

export interface ArmOptions {
  readonly types: readonly JointType[];
  /** On the last link of each arm. */
  readonly shapes: readonly Shape[];
  readonly objects: readonly Shape[];
}

type Triple = [number, number, number];
const triple = (random: Random, reach: number): Triple => [
  random.uniform(-reach, reach),
  random.uniform(-reach, reach),
  random.uniform(-reach, reach),
];

/** One arm per shape, each of the given joints, and the objects about them. */
export function createArms(
  random: Random,
  { types, shapes, objects }: ArmOptions,
): { scene: Scene; robots: SceneRobot[] } {
  const scene = createScene();
  const robots = shapes.map((shape, n) => {
    const links = Array.from({ length: types.length + 1 }, (_, i) => ({ name: `l${i}` }));
    const joints = types.map((type, i) =>
      joint(`j${i}`, type, `l${i}`, `l${i + 1}`, {
        axis: triple(random, 1),
        origin: placement(triple(random, 0.3), triple(random, 3)),
        ...(type === 'revolute' && { limits: { lower: -3, upper: 3, velocity: 1, effort: 1 } }),
        ...(type === 'prismatic' && { limits: { lower: -0.5, upper: 0.5, velocity: 1, effort: 1 } }),
      }),
    );
    const model = robot(joints, links);
    const description = { name: `arm${n}`, model, collisions: [], visuals: [] };
    const arm = addRobot(scene, { model: buildModel(model).model, description, placement: poseAt(random, 0.6) });
    const tool = addObject(scene, { name: `tool${n}`, shape, pose: [0, 0, 0, 0, 0, 0, 1] });
    attachObject(scene, tool, { robot: arm, link: `l${types.length}`, placement: poseAt(random, 0.1) });
    return arm;
  });
  objects.forEach((shape, i) => {
    addObject(scene, { name: `object${i}`, shape, pose: poseAt(random, 0.6) });
  });
  return { scene, robots };
}

export function poseAt(random: Random, reach: number): Pose {
  return [...triple(random, reach), ...sampleRotation(random)] as unknown as Pose;
}
