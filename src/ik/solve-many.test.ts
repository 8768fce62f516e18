import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform, originToTransform, relativeTransform, type Transform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { distanceConfiguration, randomConfiguration } from '../model/configuration.js';
import { createData, findFrame, type Model } from '../model/model.js';
import { createSevenJointArm } from './arm.test-support.js';
import { solveAllIk } from './solve-all.js';
import { solveIkBatch } from './solve-batch.js';
import { createIkSolver } from './solve-ik.js';
import { solveIkPath } from './solve-path.js';

function place(model: Model, frame: number, q: Float64Array): Transform {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return computeFramePlacement(createTransform(), model, data, frame);
}

/** A 6R arm with a spherical wrist: up to eight postures per pose. */
function createSixJointArm(limit: number) {
  const limits = { lower: -limit, upper: limit };
  const { model } = buildModel(
    robot([
      joint('a', 'revolute', 'l0', 'l1', { limits, origin: placement([0, 0, 0.4]) }),
      joint('b', 'revolute', 'l1', 'l2', { limits, axis: [0, 1, 0] }),
      joint('c', 'revolute', 'l2', 'l3', { limits, axis: [0, 1, 0], origin: placement([0, 0, 0.5]) }),
      joint('d', 'revolute', 'l3', 'l4', { limits, origin: placement([0, 0, 0.2]) }),
      joint('e', 'revolute', 'l4', 'l5', { limits, axis: [0, 1, 0], origin: placement([0, 0, 0.25]) }),
      joint('f', 'revolute', 'l5', 'l6', { limits }),
      joint('t', 'fixed', 'l6', 'tool', { origin: placement([0, 0, 0.1]) }),
    ]),
  );
  return { model, tool: findFrame(model, 'tool') };
}

const seven = createSevenJointArm();

describe('all solutions', () => {
  it('a 6R arm with a spherical wrist has eight postures, and each is a solution', () => {
    const { model, tool } = createSixJointArm(Math.PI);
    const solver = createIkSolver(model, tool);
    const random = createRandom(2);
    for (let round = 0; round < 10; round++) {
      // Well inside the workspace and away from singularities all eight exist.
      const q = Float64Array.of(
        random.uniform(-1, 1),
        random.uniform(0.2, 0.6),
        random.uniform(0.8, 1.4),
        random.uniform(0.4, 1),
        random.uniform(0.5, 1),
        random.uniform(-1, 1),
      );
      const target = place(model, tool, q);
      const { solutions, isSettled } = solveAllIk(solver, { target, starts: 400 });
      expect(solutions.length).toBe(8);
      expect(isSettled).toBe(true);
      expect(solutions.some((found) => found.every((x, i) => Math.abs(x - q[i]) < 1e-4))).toBe(true);
      for (const found of solutions) {
        const error = relativeTransform(createTransform(), place(model, tool, found), target);
        expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
      }
    }
  });

  it('joints that turn more than once give each posture once, nearest to the start, nearest first', () => {
    const { model, tool } = createSixJointArm(6.2);
    const solver = createIkSolver(model, tool);
    const target = place(model, tool, Float64Array.of(0.5, 0.4, 1.1, 0.7, 0.8, -0.4));
    const start = Float64Array.of(-3, 2, 1, 5, -1, 4);
    const { solutions } = solveAllIk(solver, { target, start });
    expect(solutions.length).toBe(8);
    const far = (q: Float64Array): number => distanceConfiguration(model, start, q);
    const every = solveAllIk(solver, { target, start, turns: 'all' }).solutions;
    expect(every.length).toBe(8 * 2 ** 6);
    for (const list of [solutions, every]) {
      for (let k = 1; k < list.length; k++) expect(far(list[k])).toBeGreaterThanOrEqual(far(list[k - 1]));
    }
    for (const q of solutions) {
      const same = every.filter((other) => other.every((x, i) => Math.abs(Math.sin((x - q[i]) / 2)) < 1e-4));
      expect(same.length).toBe(2 ** 6);
      expect(far(q)).toBeLessThanOrEqual(Math.min(...same.map(far)) + 1e-4);
    }
  });

  it('joints that turn more than once give every turn when asked; a cap and a condition are honoured', () => {
    const { model, tool } = createSixJointArm(6.2);
    const solver = createIkSolver(model, tool);
    const q = Float64Array.of(0.5, 0.4, 1.1, 0.7, 0.8, -0.4);
    const target = place(model, tool, q);
    const { solutions } = solveAllIk(solver, { target, turns: 'all' });
    // Each of six joints has two values a turn apart within +-6.2.
    expect(solutions.length).toBe(8 * 2 ** 6);
    for (const found of solutions.slice(0, 40)) {
      const error = relativeTransform(createTransform(), place(model, tool, found), target);
      expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
      for (let i = 0; i < 6; i++) expect(Math.abs(found[i])).toBeLessThanOrEqual(6.2);
    }
    const few = solveAllIk(solver, { target, most: 5 });
    expect(few.solutions.length).toBe(5);
    expect(few.isSettled).toBe(false);
    const positive = solveAllIk(solver, { target, turns: 'all', isValid: (x) => x[0] > 0 });
    expect(positive.solutions.length).toBe(8 * 2 ** 5);
    const folded = solveAllIk(solver, { target, isValid: (x) => x[0] > 0 });
    expect(folded.solutions.length).toBe(8);
    expect(folded.solutions.every((x) => x[0] > 0)).toBe(true);
    expect(solveAllIk(solver, { target })).toEqual(solveAllIk(solver, { target }));
  });
});

describe('joints that no task feels', () => {
  it('keep the values of the start, whatever the random starts draw', () => {
    const limits = { lower: -3, upper: 3 };
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'l0', 'l1', { limits }),
        joint('b', 'revolute', 'l1', 'l2', { limits, origin: placement([0.5, 0, 0]) }),
        joint('t', 'fixed', 'l2', 'tool', { origin: placement([0.4, 0, 0]) }),
        joint('finger', 'prismatic', 'l2', 'l3', { limits: { lower: 0, upper: 0.04 } }),
        joint('head', 'spherical', 'l0', 'l4'),
      ]),
    );
    const frame = findFrame(model, 'tool');
    const start = Float64Array.of(0.2, 0.1, 0.013, 0.6, 0, 0.8, 0);
    const target = originToTransform(createTransform(), [0.3, -0.4, 0], [0, 0, 0]);
    const { solutions } = solveAllIk(createIkSolver(model, frame), { target, task: 'position', start });
    expect(solutions.length).toBe(2);
    // The quaternion is normalised on the way in.
    for (const q of solutions) for (let i = 2; i < 7; i++) expect(q[i]).toBeCloseTo(start[i], 15);
  });
});

describe('a batch', () => {
  const { model, tool } = seven;
  const random = createRandom(5);
  const targets = Array.from({ length: 40 }, () =>
    place(model, tool, randomConfiguration(new Float64Array(7), model, random)),
  );

  it('gives for each target what it gives alone', () => {
    const solver = createIkSolver(model, tool);
    const { results, solved } = solveIkBatch(solver, { targets, seed: 3 });
    expect(solved).toBe(40);
    results.forEach((result, i) => {
      expect(result).toEqual(createIkSolver(model, tool).solve({ target: targets[i], seed: 3 }));
    });
  });

  it('from the nearest solution before, along a line, needs no restarts', () => {
    const solver = createIkSolver(model, tool);
    const line = Array.from({ length: 100 }, (_, k) =>
      originToTransform(createTransform(), [0.4, 0.003 * k, 0.5], [0, Math.PI, 0]),
    );
    const nearest = solveIkBatch(solver, { targets: line, start: 'nearest' });
    expect(nearest.solved).toBe(100);
    expect(nearest.results.slice(1).reduce((sum, { restarts }) => sum + restarts, 0)).toBe(0);
  });
});

describe('a path', () => {
  const circle = (radius: number, z: number, count = 60): Transform[] =>
    Array.from({ length: count }, (_, k) => {
      const t = (2 * Math.PI * k) / (count - 1);
      return originToTransform(
        createTransform(),
        [0.45 + radius * Math.cos(t), radius * Math.sin(t), z],
        [0, Math.PI, 0],
      );
    });

  it('round a circle: every pose is met and neighbours are close', () => {
    const { model, tool } = seven;
    const solver = createIkSolver(model, tool);
    const targets = circle(0.15, 0.4);
    const { status, path, largestChange, reached } = solveIkPath(solver, { targets });
    expect(status).toBe('solved');
    expect(reached).toBe(60);
    expect(largestChange).toBeLessThan(0.2);
    path.forEach((q, k) => {
      const error = relativeTransform(createTransform(), place(model, tool, q), targets[k]);
      expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
    });
    expect(solveIkPath(solver, { targets }).path).toEqual(path);
  });

  it('a goal improves the path within the step limit and never shortens it', () => {
    const { model, tool } = seven;
    const solver = createIkSolver(model, tool);
    const targets = circle(0.15, 0.4);
    const rest = Float64Array.of(0.9, 0.7, -1.2, -1.1, 0.6, 1.3, -0.4);
    const cost = (path: readonly Float64Array[]): number =>
      path.reduce((sum, q) => sum + q.reduce((own, x, i) => own + (x - rest[i]) ** 2, 0), 0);
    const plain = solveIkPath(solver, { targets });
    for (const largestStep of [0.2, 0.02]) {
      const wished = solveIkPath(solver, { targets, largestStep, goal: { kind: 'posture', target: rest } });
      expect(wished.status).toBe('solved');
      expect(cost(wished.path)).toBeLessThan(0.8 * cost(plain.path));
      wished.path.forEach((q, k) => {
        const error = relativeTransform(createTransform(), place(model, tool, q), targets[k]);
        expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
      });
    }
    // Neighbouring poses may be several steps apart; the goal adds none longer than a step.
    const close = circle(0.15, 0.4, 600);
    const fine = solveIkPath(solver, { targets: close, largestStep: 0.05, goal: { kind: 'limits' } });
    expect(fine.status).toBe('solved');
    expect(fine.largestChange).toBeLessThanOrEqual(0.05);
  });

  it('a start in a posture that meets a limit on the way is given up for one that does not', () => {
    const limits = { lower: -1, upper: 3 };
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'l0', 'l1', { limits: { lower: -2, upper: 2 } }),
        joint('b', 'revolute', 'l1', 'l2', { limits, origin: placement([0.5, 0, 0]) }),
        joint('t', 'fixed', 'l2', 'tool', { origin: placement([0.4, 0, 0]) }),
      ]),
    );
    const tool = findFrame(model, 'tool');
    const solver = createIkSolver(model, tool);
    // From far out to close in: the elbow must bend to 2 rad, which only the positive side allows.
    const targets = Array.from({ length: 20 }, (_, k) =>
      originToTransform(createTransform(), [0.85 - 0.018 * k, 0, 0], [0, 0, 0]),
    );
    const start = Float64Array.of(0.2, -0.5);
    const { status, path } = solveIkPath(solver, { targets, start, task: 'position' });
    expect(status).toBe('solved');
    expect(path[19][1]).toBeGreaterThan(1.5);
    for (const q of path) expect(q[1]).toBeGreaterThan(0);
  });

  it('poses out of reach end the path where it ends; a jump is no path', () => {
    const { model, tool } = seven;
    const solver = createIkSolver(model, tool);
    const targets = Array.from({ length: 10 }, (_, k) =>
      originToTransform(createTransform(), [0.5 + 0.1 * k, 0, 0.5], [0, Math.PI / 2, 0]),
    );
    const blocked = solveIkPath(solver, { targets, starts: 4 });
    expect(blocked.status).toBe('blocked');
    expect(blocked.reached).toBe(blocked.path.length);
    expect(blocked.reached).toBeGreaterThan(2);
    expect(blocked.reached).toBeLessThan(8);
    // A wall through joint space that the arm cannot go round.
    const walled = solveIkPath(solver, { targets: circle(0.3, 0.4), starts: 2, isValid: (q) => Math.abs(q[1]) > 2.5 });
    expect(walled.status).toBe('blocked');
    expect(solveIkPath(solver, { targets: [] }).status).toBe('solved');
  });
});
