import { describe, expect, it } from 'vitest';
import { updateKinematics } from '../../kinematics/forward-kinematics.js';
import { createRandom } from '../../math/random.js';
import { createTransform, originToTransform } from '../../math/transform.js';
import { integrateConfiguration } from '../../model/configuration.js';
import { createData } from '../../model/model.js';
import { createRandomState, createRandomTree } from '../../model/random-tree.test-support.js';
import type { IkTask } from './task.js';
import { TaskStack } from './task-stack.js';

const model = createRandomTree(12, { joints: 9, mimic: true, base: 'floating' });
const random = createRandom(8);
const last = model.frameCount - 1;
const middle = Math.floor(last / 2);
const pose = originToTransform(createTransform(), [0.3, -0.2, 0.5], [0.4, -1, 2]);
const twist = [0.3, -0.2, 0.1, 0.5, 0.4, -0.6];
const tasks: readonly IkTask[] = [
  { kind: 'pose', frame: last, target: pose, velocity: twist },
  { kind: 'relative-pose', frame: last, base: middle, target: pose, velocity: twist },
  { kind: 'position', frame: last, target: [0.2, 0.1, 0.9], point: [0.1, -0.3, 0.2], velocity: [1, 2, -1] },
  { kind: 'orientation', frame: last, target: pose, velocity: [0.3, 1, -0.2] },
  { kind: 'axis', frame: last, axis: [1, 2, -0.5], target: [0, 0, -3], velocity: [0.2, 0.1, 0] },
  { kind: 'look-at', frame: last, axis: [0, 0, 1], target: [1, 2, -0.5], velocity: [0.2, 0.1, 0] },
  { kind: 'center-of-mass', target: [0.1, 0.2, 0.3], velocity: [0.1, 0, -0.4] },
];

function errorAt(stack: TaskStack, q: Float64Array): Float64Array {
  const data = createData(model);
  updateKinematics(model, data, q);
  stack.evaluate(data, q);
  return Float64Array.from(stack.error);
}

describe('tasks', () => {
  it.each(tasks.map((task) => [task.kind, task] as const))('%s: rows are the derivative of the error', (_, task) => {
    const weighted = { ...task, weight: 2.5 };
    const stack = new TaskStack(model, [weighted]);
    stack.place(0);
    for (let round = 0; round < 20; round++) {
      const { q } = createRandomState(model, random);
      const data = createData(model);
      updateKinematics(model, data, q);
      stack.evaluate(data, q);
      stack.linearize(data);
      const A = Float64Array.from(stack.A);
      const step = 1e-6;
      for (let k = 0; k < model.nv; k++) {
        const v = new Float64Array(model.nv);
        v[k] = step;
        const ahead = errorAt(stack, integrateConfiguration(new Float64Array(model.nq), model, q, v));
        v[k] = -step;
        const behind = errorAt(stack, integrateConfiguration(new Float64Array(model.nq), model, q, v));
        for (let r = 0; r < stack.rows; r++) {
          const slope = -(ahead[r] - behind[r]) / (2 * step);
          expect(Math.abs(A[r * model.nv + k] - slope) / (1 + Math.abs(slope))).toBeLessThan(2e-7);
        }
      }
    }
  });

  it.each(tasks.map((task) => [task.kind, task] as const))('%s: the target moves at its velocity', (_, task) => {
    const stack = new TaskStack(model, [task]);
    const { q } = createRandomState(model, random);
    const at = (time: number): Float64Array => {
      stack.place(time);
      return errorAt(stack, q);
    };
    const [before, now, after] = [at(-1e-5), at(0), at(1e-5)];
    let moved = 0;
    now.forEach((value, r) => {
      expect(Math.abs(after[r] + before[r] - 2 * value)).toBeLessThan(1e-8);
      moved += Math.abs(after[r] - before[r]);
    });
    expect(moved).toBeGreaterThan(1e-6);
  });

  it('posture: the difference of configurations, and where it vanishes', () => {
    const { q } = createRandomState(model, random);
    const stack = new TaskStack(model, [{ kind: 'posture', target: q, velocity: new Float64Array(model.nv).fill(1) }]);
    stack.place(0);
    expect(Math.max(...errorAt(stack, q).map(Math.abs))).toBeLessThan(1e-14);
    stack.place(0.1);
    const ahead = errorAt(stack, q);
    for (let k = 0; k < model.nv; k++) expect(ahead[k]).toBeCloseTo(0.1, 12);
    stack.linearize(createData(model));
    expect(stack.A[0]).toBe(1);
    expect(stack.A[1]).toBe(0);
  });

  it('axis: no fading at half a turn, whichever way the axis points', () => {
    for (const tilt of [0, 1e-12, 1e-6, 0.01, 3]) {
      const stack = new TaskStack(model, [
        { kind: 'axis', frame: middle, axis: [0, 0, 1], target: [0, Math.sin(tilt), -Math.cos(tilt)] },
      ]);
      stack.place(0);
      const data = createData(model);
      data.jointPlacements.fill(0);
      for (let j = 0; j < model.jointCount; j++) for (const i of [0, 4, 8]) data.jointPlacements[12 * j + i] = 1;
      const length = Math.sqrt(stack.evaluate(data, new Float64Array(model.nq)));
      expect(Number.isFinite(length)).toBe(true);
      const level = model.framePlacements.subarray(12 * middle, 12 * middle + 9);
      // The frame's own turn on its joint, as seen from the world.
      const d = [2, 5, 8].map((i) => level[i]);
      const cosine = d[1] * Math.sin(tilt) - d[2] * Math.cos(tilt);
      expect(length).toBeCloseTo(Math.acos(Math.max(-1, Math.min(1, cosine))), 6);
      stack.linearize(data);
      expect([...stack.A].every(Number.isFinite)).toBe(true);
    }
  });

  it('rows of weight 0 are free; weights scale rows by their square roots', () => {
    const free = new TaskStack(model, [{ kind: 'position', frame: last, target: [9, 0, 9], weights: [0, 4, 0] }]);
    const full = new TaskStack(model, [{ kind: 'position', frame: last, target: [9, 0, 9] }]);
    const { q } = createRandomState(model, random);
    free.place(0);
    full.place(0);
    const all = errorAt(full, q);
    expect([...errorAt(free, q)]).toEqual([0, 2 * all[1], 0]);
    expect(free.positionError).toBe(Math.abs(all[1]));
  });

  it('misuse throws and says what', () => {
    expect(() => new TaskStack(model, [{ kind: 'pose', frame: 999, target: pose }])).toThrow('pose: frame, got 999');
    const place = (task: IkTask): void => new TaskStack(model, [task]).place(0);
    expect(() => place({ kind: 'pose', frame: 0, target: [1] })).toThrow('pose: target, got 1 numbers, expected 12');
    expect(() => place({ kind: 'axis', frame: 0, axis: [0, 0, 0], target: [1, 0, 0] })).toThrow(
      'axis: axis, got [0,0,0]',
    );
    expect(() => place({ kind: 'position', frame: 0, target: [0, Number.NaN, 0] })).toThrow(
      'position: target[1], got NaN',
    );
    expect(() => place({ kind: 'position', frame: 0, target: [0, 0, 0], weight: -1 })).toThrow('weight, got -1');
    expect(() => new TaskStack(model, [{ kind: 'dance' } as unknown as IkTask])).toThrow('kind, got "dance"');
  });
});
