import { describe, expect, it } from 'vitest';
import { createTransform, poseToTransform } from '../math/transform.js';
import { BodyPair } from './body-pair.js';
import { createMotionProof } from './certify-motion.js';
import { rotatedBack } from './motion-bound.js';
import { certifyRigidPath, certifyScrewMotion } from './plan-rigid.js';
import { angleBetween, interpolatePose, type RigidPose } from './pose.js';
import { boxMesh, pose, randomPose, randomSoup, ringMesh } from './rigid.test-support.js';
import { findScrewAxis, interpolateScrew, ScrewCertifier, toStraightMotions } from './screw.js';

const near = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 9): void => {
  for (let k = 0; k < a.length; k++) expect(a[k]).toBeCloseTo(b[k], digits);
};

/** The same body and motion with the origin at a point on the axis: there a screw is a translation and a slerp. */
function fromAxis(vertices: ArrayLike<number>, a: RigidPose, b: RigidPose) {
  const axis = findScrewAxis(a, b)!;
  const p = rotatedBack(
    new Float64Array(3),
    a,
    Float64Array.from(axis.point, (x, k) => x - a[k]),
  );
  const start = Float64Array.from(a, (x, k) => (k < 3 ? axis.point[k] : x));
  const end = Float64Array.from(b, (x, k) => (k < 3 ? axis.point[k] + axis.way * axis.direction[k] : x));
  return { vertices: Float64Array.from(vertices, (x, i) => x - p[i % 3]), p, start, end };
}

describe('screw motions', () => {
  it('turn about an axis that stands still', () => {
    for (let seed = 0; seed < 40; seed++) {
      const [a, b] = [randomPose(2 * seed, 3), randomPose(2 * seed + 1, 3)];
      const { p, start, end } = fromAxis([], a, b);
      for (const t of [0, 0.2, 0.5, 0.9, 1]) {
        const at = interpolateScrew(new Float64Array(7), a, b, t);
        const X = poseToTransform(createTransform(), at);
        const point = [0, 1, 2].map((k) => X[3 * k] * p[0] + X[3 * k + 1] * p[1] + X[3 * k + 2] * p[2] + X[9 + k]);
        const straight = interpolatePose(new Float64Array(7), start, end, t);
        near(point, straight.subarray(0, 3));
        expect(angleBetween(at, straight)).toBeLessThan(1e-9);
      }
    }
  });

  it('are a quarter about a hinge where the ends are that, and straight where nothing turns', () => {
    const a = pose(2, 0, 0);
    const b = Float64Array.of(0, 2, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
    const axis = findScrewAxis(a, b)!;
    near(axis.direction, [0, 0, 1]);
    near(axis.point, [0, 0, 0]);
    expect(axis.angle).toBeCloseTo(Math.PI / 2, 12);
    expect(axis.way).toBeCloseTo(1, 12);
    const half = interpolateScrew(new Float64Array(7), a, b, 0.5);
    near(half.subarray(0, 3), [Math.SQRT2, Math.SQRT2, 0.5]);
    expect(findScrewAxis(a, pose(0, 1, 0))).toBeNull();
    near(interpolateScrew(new Float64Array(7), a, pose(0, 1, 0), 0.25), [1.5, 0.25, 0, 0, 0, 0, 1]);
  });

  it('are free, with balls that hold, where the motion of the axis is, and blocked where it is', () => {
    const verdicts = { free: 0, blocked: 0, undecided: 0 };
    for (let seed = 0; seed < 120; seed++) {
      const body = randomSoup(seed, 4, 0.3, 0.2);
      const obstacles = randomSoup(1000 + seed, 12, 3, 0.3);
      const [a, b] = [randomPose(3000 + seed, 2), randomPose(4000 + seed, 2)];
      const pair = new BodyPair(body, obstacles, 8);
      const proof = new ScrewCertifier(pair).certify(createMotionProof(), a, b);
      verdicts[proof.verdict]++;
      const distanceAt = (t: number): number => {
        const at = interpolatePose(new Float64Array(7), shifted.start, shifted.end, t);
        return other.distance(at);
      };
      const shifted = fromAxis(body.vertices, a, b);
      const problem = {
        ...{ group: 'SE3' as const, body: { ...body, vertices: shifted.vertices }, obstacles },
        ...{ start: shifted.start, goal: shifted.end },
        ...{ lower: Float64Array.of(-99, -99, -99), upper: Float64Array.of(99, 99, 99) },
      };
      const other = new BodyPair(problem.body, obstacles, 8);
      const path = [shifted.start, shifted.end];
      expect(certifyRigidPath(problem, path).status).toBe(proof.verdict === 'blocked' ? 'collides' : proof.verdict);
      if (proof.verdict !== 'free') continue;
      // What the balls say holds at the poses of the axis' motion, and nothing touches between them.
      for (let i = 0; i < proof.balls.length; i += 2)
        expect(distanceAt(proof.balls[i])).toBeGreaterThan(proof.balls[i + 1] * (1 - 1e-9));
      for (let k = 0; k <= 50; k++) expect(distanceAt(k / 50)).toBeGreaterThan(0);
      pair.dispose();
      other.dispose();
    }
    expect(verdicts.free).toBeGreaterThan(10);
    expect(verdicts.blocked).toBeGreaterThan(10);
    expect(verdicts.undecided).toBe(0);
  });

  it('come into a path as motions that are proven', () => {
    // A door: a bar that turns about the post that it ends at, between an inner and an outer ring.
    const body = boxMesh([0.6, -0.05, -0.2], [1.9, 0.05, 0.2]);
    const obstacles = ringMesh([0, 0, 0], 2.4, 2.0, 0.5);
    const a = pose(0, 0, 0);
    const b = Float64Array.of(0, 0, 0.1, 0, 0, 1, 0);
    const far = Float64Array.from(a, (x, k) => (k === 0 ? x + 1 : x));
    const problem = {
      ...{ group: 'SE3' as const, body, obstacles, start: a, goal: b },
      ...{ lower: Float64Array.of(-9, -9, -9), upper: Float64Array.of(9, 9, 9) },
    };
    const { status, path, clearance } = certifyScrewMotion(problem, a, b);
    expect(status).toBe('free');
    expect(clearance).toBeGreaterThan(0.01);
    expect(certifyRigidPath(problem, path).status).toBe('free');
    expect(certifyScrewMotion(problem, a, far)).toMatchObject({ status: 'collides', path: [] });

    // With its origin elsewhere the straight motion of that cuts through the wall; the screw is what it was.
    const moved = { ...body, vertices: body.vertices.map((x, i) => (i % 3 === 0 ? x - 3 : x)) };
    const [start, goal] = [pose(3, 0, 0), Float64Array.of(-3, 0, 0.1, 0, 0, 1, 0)];
    const elsewhere = { ...problem, body: moved, start, goal };
    expect(certifyRigidPath(elsewhere, [start, goal]).status).toBe('collides');
    const pair = new BodyPair(moved, obstacles, 9);
    const motions = toStraightMotions(pair, start, goal)!;
    pair.dispose();
    expect(motions.length).toBeGreaterThan(2);
    expect(certifyRigidPath(elsewhere, motions).status).toBe('free');
    expect([...motions[motions.length - 1]]).toEqual([...goal]);
  });

  it('begin and end exactly', () => {
    for (let k = 0; k < 20; k++) {
      const [a, b] = [randomPose(2 * k, 2), randomPose(2 * k + 1, 2)];
      expect([...interpolateScrew(new Float64Array(7), a, b, 0)]).toEqual([...a]);
      expect([...interpolateScrew(new Float64Array(7), a, b, 1)]).toEqual([...b]);
    }
  });
});
