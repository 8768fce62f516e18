import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { type ContactProblem, contactResidual, contactVelocities } from './contact-problem.js';
import { coulombCorrection, differentiateProjection, projectCone } from './friction-cone.js';
import { solveByBarrier } from './interior-point.test-support.js';
import { createPileProblem } from './random-problems.test-support.js';
import { solveContacts } from './solve-contacts.js';

const FULL = Boolean(process.env.ORACLE_FULL);
/** 10,000 piles in slices, each of its own seed. */
const SLICES = FULL ? Array.from({ length: 20 }, (_, i) => 20 + i) : [20];
const COUNT = FULL ? 500 : 40;

describe('projectCone', () => {
  it('is the nearest point of the cone, and its derivative that of differences', () => {
    const random = createRandom(1);
    const p = new Float64Array(3);
    const q = new Float64Array(3);
    const D = new Float64Array(9);
    for (let i = 0; i < 2000; i++) {
      const pyramidal = i % 2 === 0;
      const mu = random.uniform(0.05, 1.5);
      const x = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)] as const;
      projectCone(p, 0, ...x, mu, pyramidal);
      const reach = pyramidal ? Math.max(Math.abs(p[1]), Math.abs(p[2])) : Math.sqrt(p[1] ** 2 + p[2] ** 2);
      expect(reach).toBeLessThanOrEqual(mu * p[0] + 1e-12);
      // Moreau: p is at right angles to what was taken away, which no point of the cone lies along.
      const away = x.map((c, k) => c - p[k]);
      expect(Math.abs(away[0] * p[0] + away[1] * p[1] + away[2] * p[2])).toBeLessThan(1e-12);
      const polar = pyramidal ? Math.abs(away[1]) + Math.abs(away[2]) : Math.sqrt(away[1] ** 2 + away[2] ** 2);
      expect(away[0]).toBeLessThanOrEqual(-mu * polar + 1e-12);
      differentiateProjection(D, ...x, mu, pyramidal);
      for (let k = 0; k < 3; k++) {
        const moved = [...x] as [number, number, number];
        moved[k] += 1e-7;
        projectCone(q, 0, ...moved, mu, pyramidal);
        for (let r = 0; r < 3; r++) expect(Math.abs((q[r] - p[r]) / 1e-7 - D[3 * r + k])).toBeLessThan(1e-4);
      }
    }
  });
});

describe('solveContacts', () => {
  it.each(SLICES)(`solves ${COUNT} random piles to 1e-8 (seed %i)`, { timeout: 600_000 }, (seed) => {
    const random = createRandom(seed);
    for (let i = 0; i < COUNT; i++) {
      const problem = createPileProblem(random, i % 3 === 0 ? 'coulomb' : 'convex');
      const f = new Float64Array(problem.n);
      const { residual, status } = solveContacts(f, problem, { iterations: 3000, tolerance: 1e-8 });
      expect(residual, `pile ${i}`).toBeLessThanOrEqual(1e-8);
      expect(status).toBe('solved');
      expect(Math.abs(contactResidual(problem, f, new Float64Array(problem.n)) - residual)).toBeLessThan(1e-9);
    }
  });

  it.each([
    // What Newton's method and alternations leave: the interior-point method, and branches of solutions; the last one turns back.
    [39, 185],
    [21, 195],
    [29, 189],
  ])('solves pile %i/%i, which takes more than the proximal solver', { timeout: 60_000 }, (seed, index) => {
    const random = createRandom(seed);
    for (let i = 0; i < index; i++) createPileProblem(random);
    const problem = createPileProblem(random, index % 3 === 0 ? 'coulomb' : 'convex');
    const f = new Float64Array(problem.n);
    const { residual, status } = solveContacts(f, problem, { iterations: 300, tolerance: 1e-8 });
    expect(status).toBe('solved');
    expect(contactResidual(problem, f, new Float64Array(problem.n))).toBeLessThanOrEqual(1e-8);
    expect(residual).toBeLessThanOrEqual(1e-8);
  });

  it('finds the velocities that an interior-point method finds', { timeout: 600_000 }, () => {
    const random = createRandom(4);
    let compared = 0;
    for (let i = 0; i < (FULL ? 600 : 12); i++) {
      const problem = createPileProblem(random, i % 2 === 0 ? 'convex' : 'coulomb');
      if (problem.n > 40) continue;
      const f = new Float64Array(problem.n);
      solveContacts(f, problem, { iterations: 4000, tolerance: 1e-10 });
      const w = new Float64Array(problem.n);
      contactVelocities(w, problem, f);
      // Coulomb's law is the convex one with the correction at its solution added to b.
      const b = Float64Array.from(problem.b);
      if (problem.law === 'coulomb')
        for (let c = 0; c < problem.blockCount; c++)
          b[3 * c] += coulombCorrection(w[3 * c + 1], w[3 * c + 2], problem.frictions[c], false);
      const expected = solveByBarrier({ ...problem, b });
      if (!expected) continue;
      compared++;
      // The barrier ends at m = 1e-13, where w of a contact that neither presses nor parts is the root of m times its diagonal entry.
      let largest = 0;
      for (let r = 0; r < problem.n; r++) largest = Math.max(largest, problem.G[r * problem.n + r]);
      const close = 1e-6 * Math.max(1, Math.sqrt(largest));
      for (let r = 0; r < problem.n; r++)
        expect(Math.abs(w[r] + b[r] - problem.b[r] - expected[r]), `pile ${i}`).toBeLessThan(close);
    }
    expect(compared).toBeGreaterThanOrEqual(FULL ? 200 : 5);
  });

  it('keeps pyramids and rows with bounds', () => {
    const random = createRandom(9);
    for (let i = 0; i < 10; i++) {
      const pile = createPileProblem(random);
      const n = pile.n + 1;
      const G = new Float64Array(n * n);
      for (let r = 0; r < pile.n; r++) G.set(pile.G.subarray(r * pile.n, (r + 1) * pile.n), r * n);
      G[n * n - 1] = 2;
      const problem: ContactProblem = {
        ...pile,
        G,
        n,
        b: Float64Array.from([...pile.b, random.uniform(-3, 3)]),
        rows: Int32Array.from([...pile.rows, pile.n]),
        kinds: Uint8Array.from([...pile.kinds, 0]),
        blockCount: pile.blockCount + 1,
        frictions: Float64Array.from([...pile.frictions, 0]),
        lower: new Float64Array(n).fill(-0.5),
        upper: new Float64Array(n).fill(0.5),
        pyramidal: true,
      };
      const f = new Float64Array(n);
      const { residual } = solveContacts(f, problem, { iterations: 500, tolerance: 1e-8 });
      expect(residual).toBeLessThan(0.1);
      expect(f[n - 1]).toBeCloseTo(Math.max(-0.5, Math.min(0.5, -problem.b[n - 1] / 2)), 6);
    }
  });

  it("without friction: Gauss's principle, no admissible acceleration is nearer to the free one", () => {
    // min (v - u)^T M (v - u) / 2 over all v with J v >= 0: what the contacts leave is the nearest.
    const random = createRandom(31);
    for (let i = 0; i < 20; i++) {
      const pile = createPileProblem(random);
      const problem: ContactProblem = { ...pile, frictions: new Float64Array(pile.blockCount) };
      const { n, G, b, blockCount, rows } = problem;
      const f = new Float64Array(n);
      expect(solveContacts(f, problem, { iterations: 3000, tolerance: 1e-10 }).residual).toBeLessThanOrEqual(1e-10);
      // In normal impulses g >= 0 the cost of v = u + M^-1 J^T g is g G g / 2: by duality f is the least of g G g / 2 + b g.
      const cost = (g: Float64Array): number => {
        let sum = 0;
        for (let r = 0; r < n; r++) {
          let w = 0;
          for (let c = 0; c < n; c++) w += G[r * n + c] * g[c];
          sum += g[r] * (0.5 * w + b[r]);
        }
        return sum;
      };
      const least = cost(f);
      for (let trial = 0; trial < 50; trial++) {
        const g = new Float64Array(n);
        for (let c = 0; c < blockCount; c++) {
          expect(f[rows[c]]).toBeGreaterThanOrEqual(0);
          g[rows[c]] = Math.max(0, f[rows[c]] + random.uniform(-1, 1) * 10 ** random.uniform(-6, 0));
        }
        expect(cost(g)).toBeGreaterThanOrEqual(least - 1e-9 * Math.abs(least) - 1e-12);
      }
      // Primal: v + M^-1 J^T f is admissible, and the cost of both agree (no gap), so that it is Gauss's motion.
      const w = new Float64Array(n);
      contactVelocities(w, problem, f);
      let gap = 0;
      for (let c = 0; c < blockCount; c++) {
        expect(w[rows[c]]).toBeGreaterThanOrEqual(-1e-9);
        gap += w[rows[c]] * f[rows[c]];
      }
      expect(Math.abs(gap)).toBeLessThan(1e-7);
    }
  });
});
