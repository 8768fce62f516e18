import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform, originToTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { randomConfiguration } from '../model/configuration.js';
import type { JointDescription, ModelDescription } from '../model/description.js';
import { createData, findFrame, type Model } from '../model/model.js';
import { boundReach } from './reach.js';
import { createIkSolver } from './solve-ik.js';

type Origin = readonly [number, number, number, number, number, number];

function joint(
  index: number,
  origin: Origin,
  axis: readonly [number, number, number],
  limits: { lower: number; upper: number },
): JointDescription {
  const [x, y, z, roll, pitch, yaw] = origin;
  return {
    name: `joint${index}`,
    type: 'revolute',
    parent: `link${index - 1}`,
    child: `link${index}`,
    origin: originToTransform(createTransform(), [x, y, z], [roll, pitch, yaw]),
    axis,
    limits,
  };
}

function chain(joints: JointDescription[]): Model {
  const description: ModelDescription = {
    name: 'chain',
    links: Array.from({ length: joints.length + 1 }, (_, i) => ({ name: `link${i}` })),
    joints,
  };
  return buildModel(description).model;
}

const wide = { lower: -2.8, upper: 2.8 };
const sevenJoints = chain([
  joint(1, [0, 0, 0.34, 0, 0, 0], [0, 0, 1], wide),
  joint(2, [0, 0, 0, 0, 0, 0], [0, 1, 0], { lower: -2, upper: 2 }),
  joint(3, [0, 0, 0.4, 0, 0, 0], [0, 0, 1], wide),
  joint(4, [0, 0, 0, 0, 0, 0], [0, -1, 0], { lower: -2, upper: 2 }),
  joint(5, [0, 0, 0.4, 0, 0, 0], [0, 0, 1], wide),
  joint(6, [0, 0, 0, 0, 0, 0], [0, 1, 0], { lower: -2, upper: 2 }),
  joint(7, [0, 0, 0.126, 0, 0, 0], [0, 0, 1], wide),
]);

function placeTip(model: Model, q: Float64Array): Float64Array {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return computeFramePlacement(createTransform(), model, data, tip(model));
}
const tip = (model: Model): number => findFrame(model, model.linkNames.at(-1)!, 'link');

describe('inverse kinematics', () => {
  it('reaches every target made from a configuration, inside the limits, to tolerance', () => {
    const solver = createIkSolver(sevenJoints, tip(sevenJoints));
    const random = createRandom(11);
    const q = new Float64Array(7);
    for (let k = 0; k < 300; k++) {
      const target = placeTip(sevenJoints, randomConfiguration(q, sevenJoints, random));
      const result = solver.solve({ target, seed: k });
      expect(result.status).toBe('solved');
      const reached = placeTip(sevenJoints, result.q);
      expect(
        Math.hypot(reached[9] - target[9], reached[10] - target[10], reached[11] - target[11]),
      ).toBeLessThanOrEqual(1.000001e-6);
      for (let i = 0; i < 9; i++) expect(Math.abs(reached[i] - target[i])).toBeLessThan(2e-6);
      for (let i = 0; i < 7; i++) {
        expect(result.q[i]).toBeGreaterThanOrEqual(sevenJoints.lower[i]);
        expect(result.q[i]).toBeLessThanOrEqual(sevenJoints.upper[i]);
      }
    }
  });

  it('gives the same bits for the same request', () => {
    const solver = createIkSolver(sevenJoints, tip(sevenJoints));
    const target = placeTip(sevenJoints, Float64Array.from([1, 1.5, -2, -1, 2, 1.9, 0.3]));
    const first = solver.solve({ target, seed: 4 });
    createIkSolver(sevenJoints, tip(sevenJoints)).solve({ target: createTransform() });
    expect(solver.solve({ target, seed: 4 })).toEqual(first);
  });

  it('says unreachable beyond the reach, and keeps the best configuration otherwise', () => {
    const solver = createIkSolver(sevenJoints, tip(sevenJoints));
    expect(boundReach(sevenJoints, tip(sevenJoints)).radius).toBeCloseTo(0.926, 12);
    const far = createTransform();
    far[9] = 2;
    expect(solver.solve({ target: far }).status).toBe('unreachable');
    for (const distance of [1e20, 1e155, 1e300]) {
      const off = far.slice();
      off[9] = distance;
      expect(solver.solve({ target: off }).status).toBe('unreachable');
    }
    const some = createIkSolver(sevenJoints, tip(sevenJoints), { velocities: [1, 3, 5] });
    expect(some.solve({ target: far }).status).toBe('unreachable');
    const awkward = originToTransform(createTransform(), [0.9, 0, 0.34], [0, 0, 0]);
    const result = solver.solve({ target: awkward, restarts: 3 });
    expect(result.status).toBe('limit');
    expect(Number.isFinite(result.positionError + result.rotationError)).toBe(true);
  });

  it('goes round a turning joint whose limits leave room for a full turn, and stops at the limits of the others', () => {
    const turning = (range: number): Model => {
      const limits = { lower: -range, upper: range };
      return chain([
        joint(1, [0, 0, 0, 0, 0, 0], [0, 0, 1], limits),
        joint(2, [0.5, 0, 0, 0, 0, 0], [0, 0, 1], wide),
        joint(3, [0.5, 0, 0, 0, 0, 0], [0, 0, 1], wide),
      ]);
    };
    const start = Float64Array.of(3.1, 0.4, 0.5);
    for (const [range, status] of [
      [Math.PI, 'solved'],
      [3.13, 'limit'],
    ] as const) {
      const model = turning(range);
      const goal = Float64Array.of(-3.1, 0.5, 0.4);
      const solver = createIkSolver(model, tip(model));
      const result = solver.solve({ target: placeTip(model, goal), start, restarts: 0 });
      expect(result.status).toBe(status);
      expect(Math.abs(result.q[0])).toBeLessThanOrEqual(range);
      if (status === 'solved')
        expect([...result.q].map((x, i) => Math.abs(x - goal[i]) < 1e-5)).toEqual([true, true, true]);
    }
  });

  it('U095: never leaves the limits; a planar 2R arm ends at its best', () => {
    const arm = chain([
      joint(1, [0, 0, 0, 0, 0, 0], [0, 0, 1], { lower: -3, upper: 3 }),
      joint(2, [1, 0, 0, 0, 0, 0], [0, 0, 1], { lower: 0.2, upper: 2.5 }),
      { ...joint(3, [1, 0, 0, 0, 0, 0], [0, 0, 1], wide), type: 'fixed' },
    ]);
    const target = originToTransform(createTransform(), [2, 0, 0], [0, 0, 0]);
    const { status, q, positionError } = createIkSolver(arm, tip(arm)).solve({ target, task: 'position' });
    expect(status).toBe('limit');
    expect(q[1]).toBeGreaterThanOrEqual(0.2);
    expect(positionError).toBeCloseTo(0.00999, 4);
  });

  it('U099: honours limits by default; ignoring them is an explicit choice', () => {
    const frame = tip(sevenJoints);
    const target = placeTip(sevenJoints, Float64Array.from([0.3, 2.6, 0.2, 0.4, -0.1, 0.3, 0.5]));
    const ignoring = createIkSolver(sevenJoints, frame, { limits: 'ignore' });
    const start = Float64Array.from([0.3, 2.5, 0.2, 0.4, -0.1, 0.3, 0.5]);
    const beyond = ignoring.solve({ target, start });
    expect(beyond.status).toBe('solved');
    expect(beyond.q[1]).toBeGreaterThan(sevenJoints.upper[1]);
    const within = createIkSolver(sevenJoints, frame).solve({ target, start });
    for (let i = 0; i < 7; i++) expect(Math.abs(within.q[i])).toBeLessThanOrEqual(sevenJoints.upper[i]);
  });

  it('refuses solutions that the checker refuses', () => {
    const solver = createIkSolver(sevenJoints, tip(sevenJoints));
    const target = placeTip(sevenJoints, Float64Array.from([0.5, 0.8, 0.2, 1.2, -0.4, 0.9, 0]));
    const result = solver.solve({ target, isValid: (q) => q[3] < 0 });
    expect(result.status).toBe('solved');
    expect(result.q[3]).toBeLessThan(0);
    expect(solver.solve({ target, restarts: 2, isValid: () => false }).status).toBe('limit');
  });

  it('never throws or returns NaN for any finite target', () => {
    const solver = createIkSolver(sevenJoints, tip(sevenJoints));
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1.2, max: 1.2, noNaN: true }), { minLength: 6, maxLength: 6 }),
        ([x, y, z, a, b, c]) => {
          const target = originToTransform(createTransform(), [x, y, z], [3 * a, 3 * b, 3 * c]);
          const { q, positionError, rotationError } = solver.solve({ target, restarts: 1 });
          expect([...q, positionError, rotationError].every(Number.isFinite)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
