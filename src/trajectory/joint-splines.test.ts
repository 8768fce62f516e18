import { describe, expect, it } from 'vitest';
import { interpolateConfiguration } from '../model/configuration.js';
import type { JointCurve } from './joint-curve.js';
import { createBSplineTrajectory, createCubicTrajectory, createQuinticTrajectory } from './joint-splines.js';
import { createSplinePath } from './spline-path.js';
import {
  apart,
  createChain,
  createMixedRobot,
  createWheel,
  derivativeErrors,
  largest,
  randomWalk,
  randomWaypoints,
} from './trajectories.test-support.js';
import { createTrajectoryPoint } from './trajectory.js';

const mixed = createMixedRobot();
const chain = createChain(2);

/** Points just before and at a break. */
function sides(curve: JointCurve, piece: number) {
  const before = createTrajectoryPoint(curve.model);
  const after = createTrajectoryPoint(curve.model);
  curve.evaluatePiece(before, piece - 1, curve.pieces[piece - 1].length);
  curve.evaluatePiece(after, piece, 0);
  return { before, after };
}

function expectContinuous(curve: JointCurve, order: number, tolerance: number): void {
  for (let p = 1; p < curve.pieces.length; p++) {
    const { before, after } = sides(curve, p);
    expect(apart(curve.model, before.q, after.q)).toBeLessThan(tolerance);
    if (order > 0) expect(largest(before.v.map((x, k) => x - after.v[k]))).toBeLessThan(tolerance);
    if (order > 1) expect(largest(before.a.map((x, k) => x - after.a[k]))).toBeLessThan(tolerance);
  }
}

const times = [0, 0.7, 1.1, 2.5, 3];

describe('cubic splines', () => {
  it('reproduce a cubic from its end velocities', () => {
    const f = (t: number) => 1 + t - 2 * t * t + 0.5 * t ** 3;
    const df = (t: number) => 1 - 4 * t + 1.5 * t * t;
    const curve = createCubicTrajectory(
      createChain(1),
      times.map((t) => [f(t)]),
      times,
      { startVelocity: [df(0)], endVelocity: [df(3)] },
    );
    const point = createTrajectoryPoint(curve.model);
    for (let t = 0; t <= 3; t += 0.1) {
      curve.evaluate(point, t);
      expect(point.q[0]).toBeCloseTo(f(t), 12);
      expect(point.v[0]).toBeCloseTo(df(t), 12);
      expect(point.a[0]).toBeCloseTo(-4 + 3 * t, 11);
    }
  });

  it('pass through their waypoints with continuous velocity and acceleration, on every kind of joint', () => {
    for (let seed = 1; seed <= 10; seed++) {
      // Neighbouring waypoints a third of the way apart: no rotation near a half turn.
      const raw = randomWaypoints(mixed, 5, seed);
      const waypoints = [raw[0]];
      for (let k = 1; k < 5; k++)
        waypoints.push(interpolateConfiguration(new Float64Array(mixed.nq), mixed, waypoints[k - 1], raw[k], 0.33));
      const curve = createCubicTrajectory(mixed, waypoints, times);
      expectContinuous(curve, 2, 1e-10);
      const point = createTrajectoryPoint(mixed);
      for (const [k, w] of waypoints.entries())
        expect(apart(mixed, curve.evaluate(point, times[k]).q, w)).toBeLessThan(1e-13);
      expect(largest(curve.evaluate(point, 0).v)).toBe(0);
      expect(largest(curve.evaluate(point, 3).v)).toBeLessThan(1e-13);
      const { v, a } = derivativeErrors(curve, 1.9);
      expect(v).toBeLessThan(1e-8);
      expect(a).toBeLessThan(1e-6);
      const quintic = createQuinticTrajectory(mixed, waypoints, times);
      expectContinuous(quintic, 2, 1e-10);
      expect(largest(quintic.evaluate(point, 0).a)).toBeLessThan(1e-12);
      expect(largest(quintic.evaluate(point, 3).a)).toBeLessThan(1e-9);
    }
  });

  it('take given velocities', () => {
    const velocities = [
      [1, 0],
      [0, -1],
      [2, 2],
    ];
    const curve = createCubicTrajectory(
      chain,
      [
        [0, 0],
        [1, 1],
        [0, 2],
      ],
      [0, 1, 3],
      { velocities },
    );
    const point = createTrajectoryPoint(chain);
    velocities.forEach((v, k) => {
      curve.evaluate(point, [0, 1, 3][k]);
      expect(largest(point.v.map((x, i) => x - v[i]))).toBeLessThan(1e-14);
    });
  });

  it('a turning wheel keeps its turns', () => {
    const wheel = createWheel();
    const angles = Array.from({ length: 9 }, (_, k) => [Math.atan2(Math.sin(k), Math.cos(k))]);
    const curve = createCubicTrajectory(
      wheel,
      angles,
      angles.map((_, k) => k),
      { startVelocity: [1], endVelocity: [1] },
    );
    const point = createTrajectoryPoint(wheel);
    for (let t = 0; t <= 8; t += 0.25) expect(curve.evaluate(point, t).q[0]).toBeCloseTo(t, 12);
  });

  it('refuse times that do not increase', () => {
    expect(() =>
      createCubicTrajectory(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        [0, 0],
      ),
    ).toThrow(/got 0 after 0/);
    expect(() =>
      createCubicTrajectory(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        [0],
      ),
    ).toThrow(/one per waypoint/);
    expect(() =>
      createCubicTrajectory(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        [0, 1],
        { velocities: [[0, 0]] },
      ),
    ).toThrow(/got 1/);
    expect(createCubicTrajectory(chain, [[1, 2]], [0]).duration).toBe(0);
  });
});

describe('quintic splines', () => {
  it('reproduce a quintic from the states at its ends', () => {
    const c = [0.3, -1, 2, 0.4, -0.7, 0.2];
    const at = (t: number, d: number) => {
      let sum = 0;
      for (let k = d; k < 6; k++) {
        let factor = c[k];
        for (let i = 0; i < d; i++) factor *= k - i;
        sum += factor * t ** (k - d);
      }
      return sum;
    };
    const knots = [0, 0.8, 2];
    const states = (d: number) => knots.map((t) => [at(t, d)]);
    const curve = createQuinticTrajectory(createChain(1), states(0), knots, {
      velocities: states(1),
      accelerations: states(2),
    });
    const point = createTrajectoryPoint(curve.model);
    for (let t = 0; t <= 2; t += 0.125) {
      curve.evaluate(point, t);
      for (const [d, x] of [point.q, point.v, point.a].entries()) expect(x[0]).toBeCloseTo(at(t, d), 11);
    }
  });
});

describe('B-splines', () => {
  it.each([1, 2, 3, 4, 5])('degree %d: ends met, degree - 1 derivatives continuous, inside the hull', (degree) => {
    const control = randomWalk(chain, 9, 1, 5);
    const curve = createBSplineTrajectory(chain, control, { degree, duration: 2 });
    expect(curve.duration).toBeCloseTo(2, 14);
    expectContinuous(curve, Math.min(degree - 1, 2), 1e-10);
    const point = createTrajectoryPoint(chain);
    expect(apart(chain, curve.evaluate(point, 0).q, control[0])).toBeLessThan(1e-15);
    expect(curve.evaluate(point, 2).q).toEqual(control[8]);
    for (let k = 0; k < 2; k++) {
      const values = control.map((c) => c[k]);
      for (let t = 0; t <= 2; t += 0.05) {
        const x = curve.evaluate(point, t).q[k];
        expect(x).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(x).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
      }
    }
  });

  it('with as many points as a Bezier curve is the Bezier curve', () => {
    const control = [0, 1, -1, 3].map((x) => [x]);
    const curve = createBSplineTrajectory(createChain(1), control, { duration: 1 });
    const point = createTrajectoryPoint(curve.model);
    for (let t = 0; t <= 1; t += 0.1)
      expect(curve.evaluate(point, t).q[0]).toBeCloseTo(3 * t * (1 - t) ** 2 - 3 * t * t * (1 - t) + 3 * t ** 3, 13);
  });

  it('is smooth on rotations', () => {
    const curve = createBSplineTrajectory(mixed, randomWaypoints(mixed, 7, 2), { duration: 3 });
    expectContinuous(curve, 2, 1e-9);
    const { v, a } = derivativeErrors(curve, 1.3);
    expect(v).toBeLessThan(1e-8);
    expect(a).toBeLessThan(1e-6);
  });

  it('refuses too few control points', () => {
    expect(() =>
      createBSplineTrajectory(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        { duration: 1 },
      ),
    ).toThrow(/at least 4/);
    expect(() =>
      createBSplineTrajectory(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        { duration: 0, degree: 1 },
      ),
    ).toThrow(/duration/);
  });
});

describe('createSplinePath', () => {
  it.each(['centripetal', 'chord', 'uniform'] as const)('%s: through the waypoints, C2, natural ends', (spacing) => {
    const waypoints = randomWalk(chain, 12, 1, 3);
    const curve = createSplinePath(chain, waypoints, { spacing });
    expectContinuous(curve, 2, 1e-9);
    const point = createTrajectoryPoint(chain);
    for (const [k, w] of waypoints.entries())
      expect(apart(chain, curve.evaluate(point, curve.breaks[k]).q, w)).toBeLessThan(1e-13);
    expect(largest(curve.evaluate(point, 0).a)).toBeLessThan(1e-11);
  });

  it('a straight line stays one, and given end directions are taken', () => {
    const line = createSplinePath(
      chain,
      [
        [0, 0],
        [1, 1],
        [3, 3],
      ],
      { spacing: 'chord' },
    );
    const point = createTrajectoryPoint(chain);
    for (let s = 0; s < line.duration; s += 0.2) {
      line.evaluate(point, s);
      expect(point.q[0]).toBeCloseTo(point.q[1], 14);
      expect(largest(point.a)).toBeLessThan(1e-12);
    }
    const bent = createSplinePath(
      chain,
      [
        [0, 0],
        [1, 1],
      ],
      { startDirection: [0, 3], endDirection: [1, 0] },
    );
    expect([...bent.evaluate(point, 0).v]).toEqual([0, 1]);
    expect(largest(bent.evaluate(point, bent.duration).v.map((x, k) => x - [1, 0][k]))).toBeLessThan(1e-14);
    expect(() =>
      createSplinePath(
        chain,
        [
          [0, 0],
          [1, 1],
        ],
        { startDirection: [0, 0] },
      ),
    ).toThrow(/startDirection/);
  });
});
