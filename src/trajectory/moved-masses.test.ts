/** Torque limits of joints that move no mass: refused by whatever computes torques. */
import { expect, it } from 'vitest';
import { createTransform, setIdentityTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import type { InertialDescription, JointDescription } from '../model/description.js';
import { createBlendedPath } from './blended-path.js';
import { createLimits } from './limits.js';
import { listMasslessJoints } from './moved-masses.js';
import { parameterizeTimeOptimal } from './time-optimal.js';
import { validateTrajectory } from './validate-trajectory.js';

const origin = setIdentityTransform(createTransform());
const heavy: InertialDescription = { mass: 1, origin, inertia: [0.1, 0, 0, 0.1, 0, 0.1] };
/** A row of links; `masses` says which have one. */
function createRow(masses: readonly boolean[], mimic?: JointDescription['mimic']) {
  const links = masses.map((has, i) => ({ name: `l${i}`, ...(has && { inertial: heavy }) }));
  const joints = masses.slice(1).map(
    (_, i): JointDescription => ({
      name: `j${i + 1}`,
      type: 'revolute',
      parent: `l${i}`,
      child: `l${i + 1}`,
      origin,
      axis: [0, 0, 1],
      limits: { lower: -1, upper: 1, velocity: 1, effort: 5 },
      ...(i === 1 && mimic && { mimic }),
    }),
  );
  return buildModel({ name: 'row', links, joints }).model;
}
const names = (masses: readonly boolean[], mimic?: JointDescription['mimic']): string[] => {
  const model = createRow(masses, mimic);
  return listMasslessJoints(model).map((j) => model.jointNames[j]);
};

it('a joint moves what hangs on it, followers what hangs on them for their driver', () => {
  expect(names([true, false, false])).toEqual(['j1', 'j2']);
  expect(names([true, false, true])).toEqual([]);
  expect(names([true, true, false])).toEqual(['j2']);
  expect(names([false, false, true], { joint: 'j1', multiplier: 2, offset: 0 })).toEqual([]);
});

it('limits of torque are refused there, and taken with armature or without such a limit', () => {
  const model = createRow([true, false]);
  const path = createBlendedPath(model, [[0], [0.9]]);
  const limits = createLimits(model, { acceleration: 1000, torque: 'model' });
  const message = /parameterizeTimeOptimal: limits\.torque, got limits of joints that move no mass \("j1"\), expected/;
  expect(() => parameterizeTimeOptimal(path, { limits })).toThrow(message);
  expect(parameterizeTimeOptimal(path, { limits, dynamics: { armature: [0.1] } }).status).toBe('solved');
  const { trajectory } = parameterizeTimeOptimal(path, { limits: createLimits(model, { acceleration: 1 }) });
  expect(() => validateTrajectory(trajectory!, { limits })).toThrow(/validateTrajectory: limits\.torque/);
});
