/**
 * Composite joints in a Model: each part is a joint of the Model of its own, with a body without mass between one and the next,
 * so that every algorithm meets motion subspaces that are constant in their own frames. Coordinates and velocities of the parts
 * lie together; the last part carries the joint's name, part k of n before it is called `NAME/k`.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 4.4 (joints of several degrees of freedom as chains),
 * doi:10.1007/978-1-4899-7560-7.
 * Fails: parts that are missing or of a type that cannot be one, a universal joint without its second axis, and a name that
 * a part has too throw a RangeError with the joint's name.
 * Tested by composite.test.ts, test/contract/joints.test.ts and test/oracle/dynamics.test.ts.
 */

import { requireIndex } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform } from '../math/transform.js';
import type { JointDescription, JointPartDescription } from './description.js';
import { findJointType, JOINT_TYPES } from './joint-types.js';
import { type CompositePart, createComposite } from './joints/composite.js';
import type { JointKind } from './joints/joint-kind.js';
import type { Model } from './model.js';
import { requireModel } from './model.js';

/** The joints that a Model has for one of a description: itself, or its parts in order. */
export function listParts(joint: JointDescription, isTaken: (name: string) => boolean): JointDescription[] {
  if (joint.type !== 'composite' && joint.type !== 'universal') return [joint];
  const parts = joint.type === 'composite' ? (joint.parts ?? []) : listTurns(joint);
  if (parts.length === 0)
    throw new MisuseError(`buildModel: joint "${joint.name}", got no parts, expected at least one`);
  return parts.map((part, k) => {
    if (!findJointType(part.type)?.isPart) {
      const expected = Object.keys(JOINT_TYPES)
        .filter((type) => findJointType(type)?.isPart)
        .join(', ');
      throw new MisuseError(
        `buildModel: part ${k + 1} of joint "${joint.name}", got type ${part.type}, expected one of ${expected}`,
      );
    }
    const name = k === parts.length - 1 ? joint.name : `${joint.name}/${k + 1}`;
    if (name !== joint.name && isTaken(name)) {
      throw new MisuseError(`buildModel: joint "${name}", got the name of a part of "${joint.name}", expected another`);
    }
    const { parts: _parts, secondAxis: _secondAxis, pitch: _pitch, limits: _limits, ...shared } = joint;
    return { ...shared, axis: [0, 0, 1], ...part, name, origin: part.origin ?? createTransform() };
  });
}

function listTurns(joint: JointDescription): JointPartDescription[] {
  if (!joint.secondAxis) {
    throw new MisuseError(`buildModel: universal joint "${joint.name}", got no secondAxis, expected the second axis`);
  }
  return [joint.axis, joint.secondAxis].map((axis) => ({
    type: 'revolute',
    axis,
    ...(joint.limits && { limits: joint.limits }),
  }));
}

/** The first joint of the Model that belongs to the same joint of the description as j: j itself unless j is a part. */
export function findFirstPart(model: Model, j: number): number {
  const whole = model.wholeJoints[j];
  let first = j;
  while (first > 1 && model.wholeJoints[first - 1] === whole) first--;
  return first;
}

/**
 * A joint of the description as one: its kind, with a motion subspace that depends on q where it is a composite, and its places in
 * q and v. `axis` and `axisAt` of the kind's functions are `model.axes` and 3 j. X_PM starts at the joint's frame P,
 * `model.placements` of the first part.
 *
 * @param j the joint, as `findJoint` gives it (any of its parts will do)
 * @throws RangeError for the base and for joints that mimic, which have no coordinates
 */
export function createWholeJoint(
  model: Model,
  j: number,
): {
  readonly kind: JointKind;
  readonly first: number;
  readonly last: number;
  readonly iq: number;
  readonly iv: number;
} {
  requireModel('createWholeJoint', model);
  requireIndex('createWholeJoint', 'joint', j, model.jointCount);
  if (!(j >= 1 && j < model.jointCount) || model.mimicDrivers[j] > 0) {
    throw new MisuseError(`createWholeJoint: joint, got ${j}, expected a joint with coordinates of its own`);
  }
  const last = model.wholeJoints[j];
  const first = findFirstPart(model, j);
  const parts: CompositePart[] = [];
  for (let i = first; i <= last; i++) {
    parts.push({
      kind: model.jointKinds[i] as JointKind,
      axis: model.axes.slice(3 * i, 3 * i + 3),
      placement: i === first ? createTransform() : model.placements.slice(12 * i, 12 * i + 12),
    });
  }
  const kind = first === last ? parts[0].kind : createComposite(parts);
  return { kind, first, last, iq: model.idxQ[first], iv: model.idxV[first] };
}
