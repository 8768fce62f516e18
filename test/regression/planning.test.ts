/** Faults seen in other planners and our own, at the level of the planner: sampling, seeds, frames, limits. Bugs U150, U152, U154; use T65. */
import { describe, expect, test } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { JointDescription } from '../../src/model/description.js';
import { createData, findFrame, type Model } from '../../src/model/model.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { densifyPath } from '../../src/planning/path.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { createRrtConnect, planRrtConnect } from '../../src/planning/rrt-connect.js';
import type { ValidityChecker } from '../../src/planning/types.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const cube = createRealVectorSpace({ lower: [0, 0, 0], upper: [1, 1, 1] });

describe('planning', () => {
  test('U150: a goal sealed in a box is not solved, and a partial path starts at the start', () => {
    const start = f(0.1, 0.1, 0.1);
    const goal = f(0.8, 0.8, 0.8);
    const inside = (q: Float64Array, half: number): boolean =>
      Math.max(...q.map((value, k) => Math.abs(value - goal[k]))) < half;
    const checker = { isValid: (q: Float64Array) => !inside(q, 0.15) || inside(q, 0.1) };
    let time = 0;
    // A clock that advances a millisecond per iteration: 0.1 s.
    const request = { space: cube, checker, start, goals: [goal], timeoutMs: 100, clock: () => time++ };
    const plain = planRrtConnect(request);
    expect(plain.status).toBe('timeout');
    expect(plain.path).toEqual([]);
    const partial = planRrtConnect({ ...request, allowPartial: true });
    expect(partial.status).toBe('timeout');
    expect(partial.path.length).toBeGreaterThan(0);
    expect(partial.path[0]).toEqual(start);
    for (const q of partial.path) expect(q).not.toEqual(goal);
    const limited = planRrtConnect({
      space: cube,
      checker,
      start,
      goals: [goal],
      maxIterations: 200,
      allowPartial: true,
    });
    expect(limited.status).toBe('approximate');
    expect(limited.path[0]).toEqual(start);
  });

  test('T65: what takes more than a hundred thousand iterations is solved without being told so', () => {
    // A gap of a thousandth in a wall; radii keep the trees small.
    const checker = { isValid: (q: Float64Array) => Math.abs(q[0]) > 0.2 || Math.abs(q[1] - 0.37) < 0.0005 };
    const space = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1] });
    const ends = { start: f(-0.6, 0), goals: [f(0.6, 0)], seed: 1, range: 0.5, resolution: 0.01 };
    const request = { space, checker, ...ends, dynamicDomain: { radius: 0.1, minRadius: 0.01, alpha: 0.1 } };
    const found = planRrtConnect(request);
    expect(found.status).toBe('solved');
    expect(found.iterations).toBeGreaterThan(100_000);
    expect(planRrtConnect({ ...request, maxIterations: 100_000 }).status).toBe('limit');
  });

  test('U152: seeds are local: planners in one process equal their runs alone', () => {
    const checker = { isValid: (q: Float64Array) => Math.hypot(q[0] - 0.5, q[1] - 0.5, q[2] - 0.5) > 0.45 };
    const request = (seed: number) => ({ space: cube, checker, start: f(0, 0, 0), goals: [f(1, 1, 1)], seed });
    const first = createRrtConnect(request(1));
    const second = createRrtConnect(request(2));
    while (!(first.done && second.done)) {
      second.step(3);
      first.step(2);
    }
    expect(first.result()).toEqual(planRrtConnect(request(1)));
    expect(second.result()).toEqual(planRrtConnect(request(2)));
    expect(first.result().path).not.toEqual(second.result().path);
  });

  test('U154: the base stands at z = 0.9: an obstacle on the straight joint path, in world coordinates, is avoided', () => {
    const model = twoLinkArm([0, 0, 0.9]);
    const data = createData(model);
    const tip = findFrame(model, 'tip');
    const X_WT = createTransform();
    const tipAt = (q: Float64Array): Float64Array => {
      forwardKinematics(model, data, q);
      return computeFramePlacement(X_WT, model, data, tip).subarray(9, 12);
    };
    const start = f(-1, 0.4);
    const goal = f(1, 0.4);
    const centre = tipAt(f(0, 0.4)).slice();
    expect(centre[2]).toBeCloseTo(0.9 - Math.sin(0.4), 14);
    const checker: ValidityChecker = {
      isValid: (q) => Math.hypot(...tipAt(q).map((value, k) => value - centre[k])) > 0.2,
    };
    const { status, path } = planRrtConnect({ space: createConfigurationSpace(model), checker, start, goals: [goal] });
    expect(status).toBe('solved');
    expect(path.length).toBeGreaterThan(2);
    for (const q of densifyPath(createConfigurationSpace(model), path, 1 / 128)) expect(checker.isValid(q)).toBe(true);
  });
});

/** Turns about z at the base, then about y; reach 1 along x. */
function twoLinkArm(base: readonly number[]): Model {
  const joint = (name: string, parent: string, child: string, axis: readonly [number, number, number]) =>
    ({
      name,
      type: 'revolute',
      parent,
      child,
      origin: createTransform(),
      axis,
      limits: { lower: -3, upper: 3 },
    }) satisfies JointDescription;
  const toTip = createTransform();
  toTip[9] = 1;
  const X_WB = createTransform();
  X_WB.set(base, 9);
  const { model } = buildModel(
    {
      name: 'arm',
      links: ['base', 'turret', 'boom', 'tip'].map((name) => ({ name })),
      joints: [
        joint('pan', 'base', 'turret', [0, 0, 1]),
        joint('tilt', 'turret', 'boom', [0, 1, 0]),
        { name: 'end', type: 'fixed', parent: 'boom', child: 'tip', origin: toTip, axis: [0, 0, 1] },
      ],
    },
    { basePlacement: X_WB },
  );
  return model;
}
