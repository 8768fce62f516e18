/** An arm of two links that turn and one that slides, 0.5 m above its base, for tests of arms on bases. */
import { buildModel } from '../model/build-model.js';
import type { JointDescription } from '../model/description.js';
import type { ArmDescription } from './fleet-arm.js';

const at = (x: number, y: number, z: number) => Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z]);

export function createArmModel(): ArmDescription {
  const joint = (
    name: string,
    type: JointDescription['type'],
    parent: string,
    child: string,
    origin: Float64Array,
    axis: readonly [number, number, number],
    limit: readonly [number, number],
  ): JointDescription => ({
    name,
    type,
    parent,
    child,
    origin,
    axis,
    limits: { lower: limit[0], upper: limit[1], velocity: 1 },
  });
  const { model } = buildModel({
    name: 'arm',
    links: ['foot', 'upper', 'fore', 'tip'].map((name) => ({ name })),
    joints: [
      joint('turn', 'revolute', 'foot', 'upper', at(0, 0, 0.6), [0, 0, 1], [-3, 3]),
      joint('bend', 'revolute', 'upper', 'fore', at(0.6, 0, 0), [0, 1, 0], [-2, 2]),
      joint('reach', 'prismatic', 'fore', 'tip', at(0.5, 0, 0), [1, 0, 0], [0, 0.3]),
    ],
  });
  return {
    model,
    shapes: [
      { link: 'upper', shape: { type: 'box', size: [0.6, 0.1, 0.1] }, placement: [0.3, 0, 0, 0, 0, 0, 1] },
      {
        link: 'fore',
        shape: { type: 'capsule', radius: 0.05, length: 0.4 },
        placement: [0.25, 0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2],
      },
      { link: 'tip', shape: { type: 'sphere', radius: 0.05 } },
    ],
    gripper: 'tip',
  };
}
