/** Short hand for model descriptions in tests. */
import { originToTransform } from '../src/math/transform.js';
import type {
  InertialDescription,
  JointDescription,
  JointType,
  LinkDescription,
  ModelDescription,
} from '../src/model/description.js';

type Triple = readonly [number, number, number];

export function placement(xyz: Triple = [0, 0, 0], rpy: Triple = [0, 0, 0]): Float64Array {
  return originToTransform(new Float64Array(12), xyz, rpy);
}

export function joint(
  name: string,
  type: JointType,
  parent: string,
  child: string,
  extra: Partial<JointDescription> = {},
): JointDescription {
  return { name, type, parent, child, origin: placement(), axis: [0, 0, 1], ...extra };
}

/** A robot of the given joints; links are those the joints name, in order of appearance, unless listed. */
export function robot(
  joints: readonly JointDescription[],
  links?: readonly (LinkDescription | string)[],
): ModelDescription {
  const names = new Set(joints.flatMap((each) => [each.parent, each.child]));
  return {
    name: 'test',
    links: (links ?? [...names]).map((link) => (typeof link === 'string' ? { name: link } : link)),
    joints,
  };
}

export function inertial(
  mass: number,
  diagonal: Triple,
  xyz: Triple = [0, 0, 0],
  rpy: Triple = [0, 0, 0],
): InertialDescription {
  return { mass, origin: placement(xyz, rpy), inertia: [diagonal[0], 0, 0, diagonal[1], 0, diagonal[2]] };
}
