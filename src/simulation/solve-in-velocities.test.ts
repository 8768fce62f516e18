import { describe, expect, it } from 'vitest';
import { solveByElimination } from '../math/dense/elimination.js';
import { createRandom } from '../math/random.js';
import { createRandomTree } from '../model/random-tree.test-support.js';
import { largestResidual } from './contact-problem.js';
import { createGatheredProblem, gatherProblem } from './gather-problem.js';
import { box, GROUND, start } from './simulation.test-support.js';
import { restoreSnapshot, takeSnapshot } from './snapshot.js';
import { solveAlongTree } from './solve-along-tree.js';
import { stepSimulation } from './step.js';

describe('solveAlongTree', () => {
  it('solves what elimination solves', () => {
    const random = createRandom(5);
    for (let trial = 0; trial < 40; trial++) {
      const n = 1 + Math.floor(random.uniform(0, 14));
      const parents = Int32Array.from({ length: n }, (_, k) => Math.floor(random.uniform(-1, k)));
      const A = new Float64Array(n * n);
      for (let k = 0; k < n; k++) {
        A[k * n + k] = 8;
        for (let j = parents[k]; j >= 0; j = parents[j]) {
          A[k * n + j] = random.uniform(-1, 1);
          A[j * n + k] = random.uniform(-1, 1);
        }
      }
      const b = Float64Array.from({ length: n }, () => random.uniform(-1, 1));
      const expected = Float64Array.from(b);
      expect(solveByElimination(Float64Array.from(A), expected, n, 1e-14)).toBe(true);
      const x = Float64Array.from(b);
      expect(solveAlongTree(A, x, n, parents)).toBe(true);
      for (let k = 0; k < n; k++) expect(x[k]).toBeCloseTo(expected[k], 10);
    }
    expect(solveAlongTree(new Float64Array(1), new Float64Array(1), 1, Int32Array.of(-1))).toBe(false);
  });
});

describe('a robot that falls on the ground', () => {
  it.each([
    [1, 'elliptic', false],
    [2, 'pyramidal', false],
    [3, 'elliptic', true],
  ] as const)('meets the contact conditions of the dense problem (seed %i, %s)', (seed, cone, touchesItself) => {
    const model = createRandomTree(seed, { joints: 8, base: 'floating' });
    const links = model.linkNames.slice(1);
    const simulation = start({
      statics: [GROUND],
      robots: [
        {
          name: 'tree',
          model,
          pose: [0, 0, 0.7, 0, 0, 0, 1],
          shapes: links.map((link) => ({ link, shape: { type: 'sphere' as const, radius: 0.1 } })),
          ...(!touchesItself && { allowed: links.flatMap((a, i) => links.slice(i + 1).map((b) => [a, b] as const)) }),
        },
      ],
      step: 0.002,
      cone,
    });
    const { constraints: set, velocity } = simulation;
    const [robot] = simulation.robots;
    const problem = createGatheredProblem();
    const w = new Float64Array(600);
    let met = 0;
    for (let i = 0; i < 400; i++) {
      const report = stepSimulation(simulation);
      expect(report.status).not.toBe('not finite');
      if (set.blockCount === 0 || report.status === 'limit') continue;
      met++;
      // At the velocities without impulses: those after the step less what the impulses did.
      const V = Float64Array.from(velocity);
      robot.branches.toScaled(V, robot.firstV);
      const blocks = Int32Array.from({ length: set.blockCount }, (_, b) => b);
      for (const b of blocks)
        for (let r = 0; r < (set.kinds[b] === 1 ? 3 : 1); r++) set.pushRow(b, r, V, -set.impulses[set.rows[b] + r]);
      gatherProblem(problem, set, V, blocks, 0, set.blockCount);
      problem.law = 'coulomb';
      problem.pyramidal = cone === 'pyramidal';
      expect(largestResidual(problem, problem.f, w)).toBeLessThan(2e-7);
      // The problem's products are those of the rows.
      for (const f of problem.f.subarray(0, problem.n)) expect(f).not.toBeNaN();
    }
    expect(met).toBeGreaterThan(150);
  });

  it('goes on to the same bits from a snapshot, whatever order robots were given in', () => {
    const robots = [4, 5].map((seed) => {
      const model = createRandomTree(seed, { joints: 6, base: 'floating' });
      const links = model.linkNames.slice(1);
      return {
        name: `tree${seed}`,
        model,
        pose: [0.3 * seed, 0, 0.6, 0, 0, 0, 1] as const,
        shapes: links.map((link) => ({ link, shape: { type: 'sphere' as const, radius: 0.1 } })),
      };
    });
    const options = { statics: [GROUND], bodies: [box('a', 1.2, 0, 2)], step: 0.002 };
    const whole = start({ ...options, robots });
    const other = start({ ...options, robots: [...robots].reverse() });
    stepSimulation(whole, 150);
    restoreSnapshot(other, takeSnapshot(whole));
    stepSimulation(whole, 150);
    stepSimulation(other, 150);
    expect([...other.state]).toEqual([...whole.state]);
  });
});
