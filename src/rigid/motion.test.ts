import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { certifyRigidPoses } from './certify-path.js';
import { MotionBound } from './motion-bound.js';
import { angleBetween, interpolatePose, type RigidPose } from './pose.js';
import { boxMesh, pose, randomPose, randomSoup } from './rigid.test-support.js';
import { verifyRigidPoses } from './verify-path.js';

/** The body is off its origin, so that the centre of its ball does not go straight. */
const body = boxMesh([0.3, -0.2, -0.1], [1.1, 0.3, 0.15]);

function vertexAt(at: RigidPose, v: readonly number[]): number[] {
  const [x, y, z, w] = at.subarray(3);
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1] + at[0],
    v[1] + w * t[1] + z * t[0] - x * t[2] + at[1],
    v[2] + w * t[2] + x * t[1] - y * t[0] + at[2],
  ];
}

describe('motions of a rigid body', () => {
  it('are bounded: no vertex gets farther from where it is at the middle', () => {
    const pair = new BodyPair(body, randomSoup(1, 1, 1, 1), 4);
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.double({ min: 0, max: 1, noNaN: true }), (i, j, m) => {
        const [a, b] = [randomPose(i, 2), randomPose(j + 1_000_000, 2)];
        const bound = new MotionBound(pair);
        bound.setMotion(a, b);
        const middle = interpolatePose(new Float64Array(7), a, b, m);
        bound.setMiddle(middle);
        for (const s of [0.001, 0.1, 0.5]) {
          const t = Math.min(1, m + s);
          const there = interpolatePose(new Float64Array(7), a, b, t);
          for (let v = 0; v < 24; v += 3) {
            const corner = [...body.vertices.subarray(v, v + 3)];
            const [p, q] = [vertexAt(middle, corner), vertexAt(there, corner)];
            const moved = Math.sqrt(p.reduce((sum, x, k) => sum + (x - q[k]) ** 2, 0));
            expect(moved).toBeLessThanOrEqual(bound.within(t - m) + 1e-12);
          }
        }
        const d = bound.within(0.3);
        expect(bound.within(bound.reach(d))).toBeLessThanOrEqual(d * (1 + 1e-12));
        expect(bound.reach(d)).toBeGreaterThan(0.3 * (1 - 1e-6));
      }),
      { numRuns: 100 },
    );
    pair.dispose();
  });

  it('are never called free where a dense check finds contact, nor blocked without one', () => {
    const counts = { free: 0, blocked: 0, undecided: 0 };
    for (let seed = 0; seed < 40; seed++) {
      const pair = new BodyPair(body, randomSoup(seed, 6, 1.5, 0.5), 4);
      const certifier = new MotionCertifier(pair);
      const proof = createMotionProof();
      for (let k = 0; k < 4; k++) {
        const a = randomPose(100 * seed + k, 1.5);
        const b =
          k === 3 ? Float64Array.from(a, (x, i) => (i < 3 ? x + 0.5 : x)) : randomPose(100 * seed + k + 50, 1.5);
        certifier.certify(proof, a, b, k === 1 ? 0.9 : 0);
        counts[proof.verdict]++;
        if (proof.verdict === 'blocked') {
          expect(pair.collides(interpolatePose(new Float64Array(7), a, b, proof.t)), `seed ${seed}`).toBe(true);
          continue;
        }
        if (proof.verdict !== 'free') continue;
        const { bound } = proof;
        const path = [a, b];
        const certificate = { motions: [{ balls: [...proof.balls] }] };
        expect(verifyRigidPoses(pair, path, certificate), `seed ${seed}`).toMatchObject({ valid: true, reason: '' });
        let least = Infinity;
        for (let t = 0; t <= 1; t += 1 / 300)
          least = Math.min(least, pair.distance(interpolatePose(new Float64Array(7), a, b, t), least));
        expect(least, `seed ${seed}`).toBeGreaterThan(Math.max(bound, pair.touching));
      }
      pair.dispose();
    }
    expect(counts.undecided).toBe(0);
    expect(Math.min(counts.free, counts.blocked)).toBeGreaterThan(20);
  });

  it('go the shorter way, and end exactly where they end', () => {
    const a = randomPose(3, 1);
    const b = Float64Array.from(randomPose(4, 1), (x, k) => (k < 3 ? x : -x));
    const out = new Float64Array(7);
    expect([...interpolatePose(out, a, b, 1)]).toEqual([...b]);
    expect([...interpolatePose(out, a, b, 0)]).toEqual([...a]);
    const whole = angleBetween(a, b);
    interpolatePose(out, a, b, 0.25);
    expect(angleBetween(a, out)).toBeCloseTo(0.25 * whole, 12);
    expect(angleBetween(out, b)).toBeCloseTo(0.75 * whole, 12);
  });

  it('have a clearance that is proven within a tenth, and certificates that cannot be bent', () => {
    const wall = boxMesh([-2, -2, 2], [2, 2, 3]);
    const pair = new BodyPair(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), wall, 5);
    const path = [pose(-3, 0, 0), pose(0, 0, 1), pose(3, 0, 0.5)];
    const proof = certifyRigidPoses(pair, path);
    expect(proof.status).toBe('free');
    expect(proof.clearance).toBeLessThanOrEqual(0.5);
    expect(proof.clearance).toBeGreaterThan(0.44);
    expect(proof.narrowest?.distance).toBeGreaterThanOrEqual(0.5);
    const certificate = proof.certificate;
    if (!certificate) throw new Error('no certificate');
    expect(verifyRigidPoses(pair, path, certificate).valid).toBe(true);
    const [first, second] = certificate.motions;
    const without = { motions: [{ balls: first.balls.slice(0, 2) }, second] };
    expect(verifyRigidPoses(pair, path, without)).toMatchObject({ valid: false });
    const larger = { motions: [{ balls: first.balls.map((x, i) => (i % 2 === 1 ? 1.5 * x : x)) }, second] };
    expect(verifyRigidPoses(pair, path, larger).reason).toMatch(/nearer than/);
    expect(verifyRigidPoses(pair, [path[0], pose(0, 0, 2), path[2]], certificate).valid).toBe(false);
    expect(verifyRigidPoses(pair, path.slice(1), certificate).reason).toMatch(/motions/);
    const through = certifyRigidPoses(pair, [pose(0, 0, 0), pose(0, 0, 4)]);
    expect(through).toMatchObject({ status: 'collides', certificate: null });
    pair.dispose();
  });
});
