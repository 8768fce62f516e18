/** Stacks of 7 to 24 rows: more rows than one pose, more rows than joints. */
import { describe, expect, it } from 'vitest';
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData } from '../model/model.js';
import { createSevenJointArm } from './arm.test-support.js';
import { createIkSolver } from './solve-ik.js';
import { drawStack } from './stacks.test-support.js';
import type { IkTask } from './tasks/task.js';

describe('several tasks at once', () => {
  const { model, tool, elbow } = createSevenJointArm();

  it('solves a pose and a position of another link, nine rows', () => {
    const random = createRandom(1);
    const data = createData(model);
    for (let n = 0; n < 50; n++) {
      const goal = randomConfiguration(new Float64Array(model.nq), model, random);
      updateKinematics(model, data, goal);
      const X_WT = computeFramePlacement(createTransform(), model, data, tool);
      const X_WE = computeFramePlacement(createTransform(), model, data, elbow);
      const tasks: IkTask[] = [
        { kind: 'pose', frame: tool, target: X_WT },
        { kind: 'position', frame: elbow, target: X_WE.slice(9) },
      ];
      const result = createIkSolver(model, tasks).solve({ seed: n });
      expect(result.q.every(Number.isFinite), `target ${n}: ${result.q}`).toBe(true);
      expect(result.status, `target ${n}`).toBe('solved');
    }
  });

  it('never gives NaN and solves what is reachable, random stacks of 7 to 24 rows', () => {
    const random = createRandom(7);
    let rows = 0;
    for (let n = 0; n < 200; n++) {
      const { tasks, isReachable, rows: count } = drawStack(model, random, 7, 24);
      rows = Math.max(rows, count);
      const result = createIkSolver(model, tasks).solve({ seed: n, restarts: isReachable ? 50 : 3 });
      const text = `stack ${n}, ${count} rows of ${tasks.map(({ kind }) => kind)}`;
      expect([...result.q, result.positionError, result.rotationError].every(Number.isFinite), text).toBe(true);
      if (isReachable) expect(result.status, text).toBe('solved');
    }
    expect(rows).toBeGreaterThan(20);
  });

  it('solves a large stack after a small one on the same solver, and again', () => {
    const random = createRandom(3);
    for (let n = 0; n < 20; n++) {
      const { tasks } = drawStack(model, random, 13, 24, true);
      const solver = createIkSolver(model, tasks);
      const [first, second] = [solver.solve({ seed: 5 }), solver.solve({ seed: 5 })];
      expect(first.status, `stack ${n}`).toBe('solved');
      expect([...second.q]).toEqual([...first.q]);
    }
  });
});
