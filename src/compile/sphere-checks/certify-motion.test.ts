import { describe, expect, it } from 'vitest';
import { BruteForce, makeArm, randomState, scatter } from '../../../test/support/sphere-arms.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import { compileSphereChecks } from './compile-sphere-checks.js';
import { type MotionClaim, verifyMotion } from './verify-motion.js';

const SHAPES: Shape[] = [
  { type: 'sphere', radius: 0.08 },
  { type: 'box', size: [0.1, 0.2, 0.3] },
  { type: 'capsule', radius: 0.05, length: 0.3 },
  { type: 'cylinder', radius: 0.07, length: 0.25 },
];

/** Certified motions of random arms, as claims. */
function findCertified(seed: number, count: number) {
  const random = createRandom(seed);
  const arm = makeArm(random, 5);
  const checks = compileSphereChecks(arm.model, arm.spheres, { pairs: arm.pairs });
  const obstacles = Array.from({ length: 4 }, () => scatter(random, SHAPES, 1.2));
  checks.setEnvironment(obstacles);
  const claims: MotionClaim[] = [];
  let undecided = 0;
  for (let n = 0; n < 400 && claims.length < count; n++) {
    const a = randomState(arm.model, random);
    const b = randomState(arm.model, random).map((x, i) => a[i] + 0.3 * (x - a[i]));
    const { status, intervals } = checks.certifyMotion(a, b, { record: true });
    if (status === 'free') {
      const { nq } = arm.model;
      const indices = Array.from({ length: nq }, (_, i) => i);
      claims.push({
        pairs: arm.pairs,
        indices,
        rest: new Float64Array(nq),
        obstacles,
        a,
        b,
        intervals: intervals as Float64Array,
      });
    } else undecided++;
  }
  return { arm, obstacles, claims, undecided, checks };
}

describe('certified motions', () => {
  it('say where they are blocked, which brute force confirms, and nothing of motions that it finds open', () => {
    let [blocked, undecided] = [0, 0];
    for (let seed = 11; seed <= 14; seed++) {
      const { arm, obstacles, checks } = findCertified(seed, 1);
      const brute = new BruteForce(arm);
      const random = createRandom(seed);
      for (let n = 0; n < 60; n++) {
        const a = randomState(arm.model, random);
        const b = randomState(arm.model, random).map((x, i) => a[i] + 0.3 * (x - a[i]));
        const { status, contact, failed } = checks.certifyMotion(a, b);
        expect(contact === null).toBe(status !== 'blocked');
        if (status === 'undecided') undecided++;
        if (status !== 'blocked') continue;
        blocked++;
        const { t, state, link, other, obstacle } = contact!;
        expect(t >= failed![0] && t <= failed![0] + failed![1]).toBe(true);
        state.forEach((x, i) => {
          expect(x).toBeCloseTo(a[i] + t * (b[i] - a[i]), 12);
        });
        expect(brute.gap(state, obstacles)).toBeLessThan(0);
        expect(arm.spheres.links.some((each) => each.link === link)).toBe(true);
        if (obstacle === null) expect(arm.pairs).toContainEqual([link, other]);
        else expect(obstacles[obstacle]).toBeDefined();
        expect(checks.certifyMotion(a, b, { locate: false })).toMatchObject({ status: 'undecided', contact: null });
      }
    }
    expect(blocked).toBeGreaterThan(20);
    expect(undecided).toBeLessThan(0.2 * blocked);
  });

  it('are free at every time, and their certificates pass the verifier', () => {
    let proven = 0;
    let undecided = 0;
    for (let seed = 1; seed <= 5; seed++) {
      const found = findCertified(seed, 6);
      undecided += found.undecided;
      const brute = new BruteForce(found.arm);
      for (const claim of found.claims) {
        expect(verifyMotion(found.arm.model, found.arm.spheres, claim)).toMatchObject({ isProven: true, reason: '' });
        proven++;
        for (let k = 0; k <= 40; k++) {
          const q = Float64Array.from(claim.a, (x, i) => x + (k / 40) * (claim.b[i] - x));
          expect(brute.gap(q, found.obstacles)).toBeGreaterThan(0);
        }
      }
    }
    expect(proven).toBeGreaterThan(15);
    expect(undecided).toBeGreaterThan(3);
  });

  it('are found wherever spheres keep a gap', () => {
    const { arm, obstacles, checks } = findCertified(4, 0);
    const random = createRandom(77);
    const brute = new BruteForce(arm);
    let kept = 0;
    for (let n = 0; n < 30; n++) {
      const a = randomState(arm.model, random);
      const b = randomState(arm.model, random).map((x, i) => a[i] + 0.4 * (x - a[i]));
      let least = Infinity;
      for (let k = 0; k <= 100; k++)
        least = Math.min(
          least,
          brute.gap(
            a.map((x, i) => x + (k / 100) * (b[i] - x)),
            obstacles,
          ),
        );
      const { status, failed } = checks.certifyMotion(a, b);
      if (least > 2e-3) {
        kept++;
        expect(status).toBe('free');
      } else if (least < 0) {
        expect(status).not.toBe('free');
        expect(failed).not.toBeNull();
      }
    }
    expect(kept).toBeGreaterThan(3);
  });

  it('are refused by the verifier once a certificate no longer covers the motion, or a motion touches', () => {
    const altered = process.env.ORACLE_FULL ? 10_000 : 400;
    const found = [1, 2, 3, 5].map((seed) => findCertified(seed, 6)).filter(({ claims }) => claims.length > 0);
    const random = createRandom(8);
    for (let n = 0; n < altered; n++) {
      const { arm, claims } = found[random.integer(found.length)];
      const claim = claims[random.integer(claims.length)];
      const kind = random.integer(7);
      const wrong = alter(claim, kind, random);
      if (kind === 3) {
        expect(() => verifyMotion(arm.model, arm.spheres, wrong)).toThrow(/intervals/);
        continue;
      }
      const verdict = verifyMotion(arm.model, arm.spheres, wrong);
      if (verdict.isProven) expect({ n, wrong }).toBe('refused');
      expect(verdict.reason).not.toBe('');
    }
  });
});

/** Makes a claim untrue, or its certificate incomplete. */
function alter(claim: MotionClaim, kind: number, random: ReturnType<typeof createRandom>): MotionClaim {
  const intervals = Array.from(claim.intervals);
  const at = 2 * random.integer(intervals.length / 2);
  const changed = (list: number[]): MotionClaim => ({ ...claim, intervals: list });
  switch (kind) {
    case 0:
      return changed([...intervals.slice(0, at), ...intervals.slice(at + 2)]);
    case 1:
      return changed(intervals.map((x, i) => (i === at + 1 ? x * (1 - 1e-3 - 0.9 * random.next()) : x)));
    case 2:
      return changed(intervals.map((x, i) => (i === at ? x + 0.3 * intervals[at + 1] : x)));
    case 3:
      return changed(intervals.map((x, i) => (i === at + random.integer(2) || i === at ? Number.NaN : x)));
    case 4:
      return changed([]);
    case 5:
      return changed(intervals.slice(0, -1));
    default: {
      // An obstacle stands where a link is at some time.
      const shape: Shape = { type: 'halfspace', normal: [0, 0, 1], offset: 100 };
      return { ...claim, obstacles: [...claim.obstacles, { shape }] };
    }
  }
}
