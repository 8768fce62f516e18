import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { createSampledMotion } from '../motion.js';
import { pathLength } from '../path.js';
import { planPath } from '../plan-path.js';
import { createRealVectorSpace } from '../real-vector-space.js';
import { createConstrainedSpace } from './constrained-space.js';
import { type Constraint, createNumericConstraint, joinConstraints } from './constraint.js';
import { Projector } from './projector.js';
import { refineWalk, shortenWalk } from './shorten-walk.js';

/** The unit sphere. Between two of its points the chord sinks by at most an eighth of its square, and a little. */
const sphere: Constraint = {
  dimension: 3,
  equations: 1,
  evaluate(f, q) {
    f[0] = Math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2) - 1;
  },
  jacobian(J, q) {
    const r = Math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2);
    for (let i = 0; i < 3; i++) J[i] = q[i] / r;
  },
  deviationBound: (a, b) => 0.13 * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2),
};

const box = (n: number, reach: number) =>
  createRealVectorSpace({ lower: new Float64Array(n).fill(-reach), upper: new Float64Array(n).fill(reach) });

/** Two bands with a gap each, on opposite sides. */
const isValid = (x: Float64Array): boolean => {
  if (Math.abs(x[2] + 0.4) < 0.15) return Math.abs(x[1]) < 0.15 && x[0] > 0;
  if (Math.abs(x[2] - 0.4) < 0.15) return Math.abs(x[1]) < 0.15 && x[0] < 0;
  return true;
};

describe('Projector', () => {
  it('converges quadratically onto a sphere, and says where it cannot', () => {
    const projector = new Projector(sphere);
    const random = createRandom(1);
    for (let i = 0; i < 200; i++) {
      const q = Float64Array.from({ length: 3 }, () => random.uniform(-2, 2));
      const before = projector.steps;
      expect(projector.project(q, 1e-12)).toBe(true);
      expect(projector.steps - before).toBeLessThan(8);
      expect(projector.residual(q)).toBeLessThanOrEqual(1e-12);
    }
    const nowhere = createNumericConstraint(1, 1, (f, [x]) => {
      f[0] = x * x + 1;
    });
    expect(new Projector(nowhere).project(Float64Array.of(0.7), 1e-9)).toBe(false);
  });

  it('takes the shortest step, whatever equations are said twice', () => {
    const twice = joinConstraints([sphere, sphere]);
    const q = Float64Array.of(2, 0, 0);
    expect(new Projector(twice).project(q, 1e-12)).toBe(true);
    expect([...q]).toEqual([1, 0, 0]);
  });
});

describe('createConstrainedSpace', () => {
  const space = createConstrainedSpace(box(3, 2), sphere);
  const start = Float64Array.of(0, 0, -1);
  const goal = Float64Array.of(0, 0, 1);

  it('draws states of the manifold and walks along great circles', () => {
    const random = createRandom(2);
    const [a, b, m] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < 100; i++) {
      space.sample(a, random);
      space.sample(b, random);
      expect(space.satisfiesBounds(a)).toBe(true);
      const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
      // Beyond that a walk is stuck before the point across.
      if (angle > 3) continue;
      expect(space.joins(a, b)).toBe(true);
      const states = space.walkStates(a, b);
      expect(pathLength(space, states)).toBeLessThan(angle * 1.001 + 1e-9);
      expect(pathLength(space, states)).toBeGreaterThan(angle * 0.999);
      for (const state of states) expect(space.residual(state)).toBeLessThanOrEqual(1e-9);
      for (const t of [0, 0.3, 1]) {
        space.interpolate(m, a, b, t);
        expect(space.residual(m)).toBeLessThanOrEqual(1e-9);
      }
      expect([...space.interpolate(m, a, b, 0)]).toEqual([...a]);
      expect([...space.interpolate(m, a, b, 1)]).toEqual([...b]);
    }
  });

  it.each(['rrt-connect', 'prm'])('is planned in by %s', (planner) => {
    for (const seed of [1, 2, 3]) {
      const request = { space, checker: { isValid }, start, goals: [goal], seed, planner, resolution: 0.05 };
      const found = planPath({ ...request, verifyResolution: 0.02 });
      expect(found.status).toBe('solved');
      expect([...found.path[0]]).toEqual([...start]);
      expect([...found.path.at(-1)!]).toEqual([...goal]);
      const motion = createSampledMotion(space, { isValid }, 0.02);
      for (let i = 1; i < found.path.length; i++)
        expect(motion.isMotionValid(found.path[i - 1], found.path[i])).toBe(true);
      for (const state of found.path) expect(space.residual(state)).toBeLessThanOrEqual(1e-9);
      // The same seed, the same bits.
      expect(planPath({ ...request, verifyResolution: 0.02 }).path).toEqual(found.path);
    }
  });

  it('is drawn from by the sampler that is asked for', () => {
    const request = { space, checker: { isValid }, start, goals: [goal], resolution: 0.05, seed: 0 };
    const [random, halton] = (['random', 'halton'] as const).map((sampler) => planPath({ ...request, sampler }));
    expect([random.status, halton.status]).toEqual(['solved', 'solved']);
    expect(halton.path).not.toEqual(random.path);
    expect(planPath({ ...request, sampler: 'halton' }).path).toEqual(halton.path);
  });

  it('is shortened and refined to a stated deviation', () => {
    const motion = createSampledMotion(space, { isValid }, 0.05);
    const found = planPath({ space, checker: { isValid }, start, goals: [goal], resolution: 0.05 });
    const short = shortenWalk(space, motion, found.path);
    expect(pathLength(space, short)).toBeLessThan(found.length);
    const fine = refineWalk(space, short, 1e-6)!;
    expect(fine.deviation).toBeLessThanOrEqual(1e-6);
    let worst = 0;
    const between = new Float64Array(3);
    for (let i = 1; i < fine.path.length; i++)
      for (let k = 0; k <= 10; k++) {
        const [a, b] = [fine.path[i - 1], fine.path[i]];
        for (let j = 0; j < 3; j++) between[j] = a[j] + (k / 10) * (b[j] - a[j]);
        worst = Math.max(worst, space.residual(between));
        expect(isValid(between)).toBe(true);
      }
    expect(worst).toBeLessThanOrEqual(fine.deviation + 1e-9);
  });

  it('does not take straight lines for its motions, whoever decides about them', () => {
    // Straight from pole to pole a checker of whole motions sees nothing in the way; no walk arrives there.
    const motion = { isMotionValid: (): boolean => true, isExact: true };
    const found = planPath({ space, checker: { isValid: () => true, motion }, start, goals: [goal], planner: 'prm' });
    expect(found.status).toBe('solved');
    expect(found.path.length).toBeGreaterThan(2);
  });

  it('refuses what does not fit', () => {
    expect(() => createConstrainedSpace(box(2, 1), sphere)).toThrow(/constraint, got 3, expected one of states of 2/);
    expect(() => createConstrainedSpace(box(3, 1), {} as Constraint)).toThrow(/constraint, got/);
    expect(() => createConstrainedSpace(box(3, 1), sphere, { step: 0 })).toThrow(/step, got 0/);
  });
});
