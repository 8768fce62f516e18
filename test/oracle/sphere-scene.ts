/** The robots and problems of sphere-robot.ts as robots and objects of a scene. */
import { createTransform, type Pose } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { JointDescription } from '../../src/model/description.js';
import type { AllowedPair } from '../../src/scene/allowed-collisions.js';
import type { GeometryDescription } from '../../src/scene/description.js';
import { addRobot } from '../../src/scene/robot.js';
import { addObject } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import type { Obstacle, SphereRobot } from './sphere-robot.js';

/** Its spheres as collision geometry; exactly the listed pairs of links are checked. */
export function addSphereRobot(scene: Scene, robot: SphereRobot): SceneRobot {
  const frameOf = (joint: number): string => (joint < 0 ? 'base of all' : `frame ${joint}`);
  const joints: JointDescription[] = robot.joints.map((joint, j) => {
    const origin = createTransform();
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) origin[3 * r + c] = joint.T[r][c];
      origin[9 + r] = joint.T[r][3];
    }
    const { name, type, lower, upper, axis } = joint;
    const limits = { lower, upper, velocity: 1, effort: 1 };
    const [x, y, z] = axis;
    return { name, type, parent: frameOf(joint.parent), child: frameOf(j), origin, axis: [x, y, z], limits };
  });
  for (const { name, joint } of robot.links)
    joints.push({
      name: `to ${name}`,
      type: 'fixed',
      parent: frameOf(joint),
      child: name,
      origin: createTransform(),
      axis: [1, 0, 0],
    });
  const frames = [-1, ...robot.joints.keys()].map(frameOf);
  const collisions = robot.links.flatMap(({ name, spheres }) =>
    spheres.map(([x, y, z, radius]): GeometryDescription => {
      const origin = createTransform();
      origin.set([x, y, z], 9);
      return { link: name, origin, shape: { type: 'sphere', radius } };
    }),
  );
  const description = {
    name: robot.name,
    model: {
      name: robot.name,
      links: [...frames, ...robot.links.map(({ name }) => name)].map((name) => ({ name })),
      joints,
    },
    collisions,
    visuals: [],
  };
  const checked = new Set(robot.pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const pairs: AllowedPair[] = [];
  for (let i = 0; i < robot.links.length; i++)
    for (let j = i + 1; j < robot.links.length; j++)
      if (!checked.has(`${i} ${j}`)) pairs.push({ a: robot.links[i].name, b: robot.links[j].name, reason: 'user' });
  const { model } = buildModel(description.model);
  return addRobot(scene, { model, description, allowed: { pairs, replace: true } });
}

export function addObstacles(scene: Scene, obstacles: readonly Obstacle[]): void {
  for (const { name, type, position, quaternion_xyzw, half_extents, length, radius } of obstacles) {
    const pose = [...position, ...quaternion_xyzw] as unknown as Pose;
    const shape =
      type === 'box'
        ? ({ type, size: half_extents!.map((x) => 2 * x) as unknown as readonly [number, number, number] } as const)
        : type === 'sphere'
          ? ({ type, radius: radius! } as const)
          : ({ type, radius: radius!, length: length! } as const);
    addObject(scene, { name: `obstacle ${name}`, shape, pose });
  }
}
