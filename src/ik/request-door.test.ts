/** What no request can mean is refused by name, before anything is solved. */
import { describe, expect, it } from 'vitest';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { createTransform, setIdentityTransform } from '../math/transform.js';
import { createSevenJointArm } from './arm.test-support.js';
import { solveAllIk } from './solve-all.js';
import { createIkSolver, type IkRequest } from './solve-ik.js';
import { solveIkPath } from './solve-path.js';
import { createTracker } from './track.js';

const { model, tool } = createSevenJointArm();
const target = setIdentityTransform(createTransform());
const posture = (weights: number[]) => ({ kind: 'posture', target: new Float64Array(model.nq), weights }) as const;
const nan = Number.NaN;

const FAULTS: readonly (readonly [string, Partial<IkRequest>, RegExp])[] = [
  ['two weights', { goal: posture([1, 2]) }, /^solve: request\.goal\.weights, got 2 numbers, expected \d+ numbers$/],
  ['no weights', { goal: posture([]) }, /goal\.weights, got 0 numbers/],
  ['NaN as a weight', { goal: posture(new Array(model.nv).fill(nan)) }, /goal\.weights\[0\], got NaN/],
  ['a negative weight', { goal: posture(new Array(model.nv).fill(-1)) }, /goal\.weights, got -1/],
  ['a posture of two', { goal: { kind: 'posture', target: new Float64Array(2) } }, /goal\.target, got 2 numbers/],
  ['a posture of nothing', { goal: { kind: 'posture' } as never }, /goal\.target, got undefined/],
  ['a frame that is none', { goal: { kind: 'manipulability', frame: 99 } }, /goal\.frame, got 99/],
  ['a goal that is none', { goal: { kind: 'speed' } as never }, /goal\.kind, got "speed"/],
  ['restarts NaN', { restarts: nan }, /restarts, got NaN, expected a whole number/],
  ['restarts -1', { restarts: -1 }, /restarts, got -1/],
  ['iterations NaN', { iterations: nan }, /iterations, got NaN/],
  ['a tolerance NaN', { positionTolerance: nan }, /positionTolerance, got NaN/],
  ['a tolerance below 0', { rotationTolerance: -1 }, /rotationTolerance, got -1/],
  ['a seed of half', { seed: 0.5 }, /seed, got 0.5/],
  ['a task that is none', { task: 'pos' as never }, /task, got "pos"/],
  ['a start of one', { start: new Float64Array(1) }, /start, got 1 numbers/],
  ['twelve zeros', { target: new Float64Array(12) }, /target, got the rotation .* expected a rotation matrix/],
  ['a mirror', { target: Float64Array.of(-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) }, /expected a rotation matrix/],
  ['a pose of seven', { target: new Float64Array(7) }, /target, got 7 numbers, expected 12/],
];

describe('requests of inverse kinematics', () => {
  it.each(FAULTS)('%s', (_title, request, message) => {
    const solver = createIkSolver(model, tool);
    expect(() => solver.solve({ target, ...request })).toThrow(message);
    expect(() => solver.solve({ target, ...request })).toThrow(MisuseError);
  });

  it('of all solutions and of paths', () => {
    const solver = createIkSolver(model, tool);
    expect(() => solveAllIk(solver, { target, starts: nan })).toThrow(/starts, got NaN/);
    expect(() => solveAllIk(solver, { target, most: 0 })).toThrow(/most, got 0/);
    expect(() => solveAllIk(solver, { target, distinct: nan })).toThrow(/distinct, got NaN/);
    expect(() => solveIkPath(solver, { targets: [target], largestStep: nan })).toThrow(/largestStep, got NaN/);
  });

  it.each([
    [[99], /velocities\[0\], got 99/],
    [[-1], /velocities\[0\], got -1/],
    [[0.5], /velocities\[0\], got 0.5/],
    [[nan], /velocities\[0\], got NaN/],
    [[1, 1], /velocities\[1\], got 1 a second time/],
  ])('coordinates %j that may move', (velocities, message) => {
    expect(() => createIkSolver(model, tool, { velocities })).toThrow(message);
    const levels = [[{ kind: 'pose', frame: tool, target }] as const];
    expect(() => createTracker(model, { levels, velocities })).toThrow(message);
  });

  it('random numbers in every field: an answer that is finite, or misuse', () => {
    const random = createRandom(14);
    const values = [0, 1, -1, 0.5, nan, Infinity, -Infinity, 1e300, 3];
    const draw = () => values[Math.floor(random.next() * values.length)];
    const solver = createIkSolver(model, tool);
    let answered = 0;
    for (let n = 0; n < 400; n++) {
      const request: Record<string, unknown> = { target, restarts: 1 };
      for (const key of ['restarts', 'iterations', 'positionTolerance', 'rotationTolerance', 'seed'])
        if (random.next() < 0.4) request[key] = draw() === 1e300 ? 2 : draw();
      if (Number(request.restarts) > 10) request.restarts = 2;
      if (random.next() < 0.5) request.goal = posture(Array.from({ length: random.next() < 0.7 ? model.nv : 3 }, draw));
      try {
        const { q, positionError, rotationError } = solver.solve(request);
        answered++;
        expect([...q, positionError, rotationError].every(Number.isFinite), JSON.stringify(request)).toBe(true);
      } catch (error) {
        expect(error, JSON.stringify(request)).toBeInstanceOf(MisuseError);
      }
    }
    expect(answered).toBeGreaterThan(20);
  });
});
