/**
 * Containers inside containers, three deep, against brute force over their leaves: compounds, octrees, point clouds, height
 * fields and meshes, solid and surface. Distance and verdicts are those of the nearest or any overlapping pair of leaves,
 * in either order, after a rigid motion and at sizes from 2^-40 to 2^40; a push-out separates; where a surface overlaps
 * something the common point lies in both; contacts lie on both shapes; a cast stops at the first contact of any leaves.
 */
import { describe, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { multiplyTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../../src/narrowphase/query.js';
import { RigidMotion } from '../../src/narrowphase/rigid-motion.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { samplePose, scaleShape } from '../sample-shapes.js';
import {
  isSolidShape,
  type Leaf,
  leafKinds,
  listLeaves,
  measureLeaves,
  sampleNested,
} from '../support/nested-shapes.js';
import { expect } from '../support/quick-expect.js';

const FULL = process.env.ORACLE_FULL === '1';
const PAIRS = FULL ? 2000 : 60;
const CASTS = FULL ? 600 : 40;
const SCALES = [-40, -13, 7, 40];
const EPSILON = 1e-7;

interface Case {
  readonly at: string;
  readonly random: Random;
  readonly A: ReturnType<typeof sampleNested>;
  readonly B: ReturnType<typeof sampleNested>;
  readonly a: Collider;
  readonly b: Collider;
  readonly leavesA: readonly Leaf[];
  readonly leavesB: readonly Leaf[];
  readonly X: Transform;
  readonly Y: Transform;
}

function withCase(seed: number, use: (c: Case) => void): void {
  const random = createRandom(seed);
  const [kindA, kindB] = [0, 0].map(() => leafKinds[random.integer(leafKinds.length)]);
  const [depthA, depthB] = [random.integer(4), random.integer(4)];
  const A = sampleNested(random, kindA, depthA);
  const B = sampleNested(random, kindB, depthB);
  const reach = random.uniform(0, 1) < 0.5 ? 0.6 : 1.5;
  const X = samplePose(random, reach);
  const Y = samplePose(random, reach);
  const a = createCollider(A);
  const b = createCollider(B);
  const leavesA = listLeaves(A);
  const leavesB = listLeaves(B);
  use({ at: `seed ${seed}: ${kindA} in ${depthA}, ${kindB} in ${depthB}`, random, A, B, a, b, leavesA, leavesB, X, Y });
  for (const { collider } of [...leavesA, ...leavesB]) collider.dispose();
  a.dispose();
  b.dispose();
}

function measure(a: Collider, X: Transform, b: Collider, Y: Transform): DistanceResult {
  return distance(createDistanceResult(), a, X, b, Y);
}

const probe: readonly Leaf[] = [
  {
    collider: createCollider({ type: 'sphere', radius: 1e-9 }),
    X: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
  },
];

/** Farthest of a point from the two shapes. */
function offBoth({ leavesA, leavesB, X, Y }: Case, p: ArrayLike<number>): number {
  const Z = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, p[0], p[1], p[2]);
  return Math.max(measureLeaves(leavesA, X, probe, Z), measureLeaves(leavesB, Y, probe, Z));
}

function checkOverlap(c: Case, r: DistanceResult): void {
  const { at, A, B, a, b, leavesA, leavesB, X, Y } = c;
  if (isSolidShape(A) && isSolidShape(B)) {
    const Z = Y.slice();
    for (let k = 0; k < 3; k++) Z[9 + k] += (-r.distance + EPSILON) * r.normal[k];
    expect(collide(a, X, b, Z), `${at}: pushed free`).toBe(false);
    expect(measureLeaves(leavesA, X, leavesB, Z), `${at}: pushed free of all leaves`).toBeGreaterThan(0);
  } else {
    expect(r.distance, `${at}: a surface has no depth`).toBe(0);
    expect(r.status, at).toBe('depth-bound');
    expect(offBoth(c, r.pointA), `${at}: common point`).toBeLessThan(1e-7);
  }
}

function checkContacts(c: Case, collides: boolean): void {
  const { at, a, b, X, Y } = c;
  const contacts = createContacts(8);
  const count = computeContacts(contacts, a, X, b, Y);
  expect(count > 0, `${at}: contacts`).toBe(collides);
  for (const { point, normal, depth } of contacts.slice(0, count)) {
    expect(Math.abs(Math.hypot(...normal) - 1), `${at}: contact normal`).toBeLessThan(1e-9);
    expect(offBoth(c, point), `${at}: contact point`).toBeLessThan(0.5 * Math.max(depth, 0) + 1e-7);
  }
}

function checkScales(c: Case, r: DistanceResult): void {
  for (const power of SCALES) {
    const s = 2 ** power;
    const [p, q] = [c.A, c.B].map((shape) => createCollider(scaleShape(shape, s)));
    const [X, Y] = [c.X, c.Y].map((pose) => pose.map((x, k) => (k < 9 ? x : s * x)));
    const scaled = measure(p, X, q, Y);
    const at = `${c.at}: scaled by 2^${power}`;
    expect(scaled.collides, at).toBe(r.collides);
    expect(collide(p, X, q, Y), at).toBe(r.collides);
    if (r.distance > 0) expect(Math.abs(scaled.distance / s - r.distance), at).toBeLessThan(1e-12);
    p.dispose();
    q.dispose();
  }
}

describe('containers in containers', () => {
  it(`distance, verdicts and contacts of ${PAIRS} pairs`, () => {
    let overlaps = 0;
    for (let seed = 1; seed <= PAIRS; seed++)
      withCase(seed, (c) => {
        const { at, random, a, b, leavesA, leavesB, X, Y } = c;
        const r = measure(a, X, b, Y);
        const nearest = measureLeaves(leavesA, X, leavesB, Y);
        const collides = nearest <= 0;
        expect(r.collides, `${at}: brute force ${nearest}`).toBe(collides);
        expect(Math.abs(Math.hypot(...r.normal) - 1), `${at}: unit normal`).toBeLessThan(1e-9);
        const back = measure(b, Y, a, X);
        const T = samplePose(random, 3);
        const [TX, TY] = [X, Y].map((pose) => multiplyTransform(new Float64Array(12), T, pose));
        const moved = measure(a, TX, b, TY);
        for (const other of [r, back, moved]) {
          expect(other.collides, at).toBe(collides);
          if (!collides) expect(Math.abs(other.distance - nearest), at).toBeLessThan(1e-9);
        }
        expect(collide(a, X, b, Y), at).toBe(collides);
        expect(collide(b, Y, a, X), at).toBe(collides);
        if (collides) {
          overlaps++;
          checkOverlap(c, r);
        } else {
          expect(isWithin(a, X, b, Y, nearest + EPSILON), `${at}: within`).toBe(true);
          expect(isWithin(a, X, b, Y, nearest - EPSILON), `${at}: not within`).toBe(false);
        }
        checkContacts(c, collides);
        if (seed % 4 === 0) checkScales(c, r);
      });
    expect(overlaps).toBeGreaterThan(0.2 * PAIRS);
    expect(overlaps).toBeLessThan(0.8 * PAIRS);
  });

  it(`first contact of ${CASTS} motions`, () => {
    const tolerance = 1e-6;
    for (let seed = 10_001; seed <= 10_000 + CASTS; seed++)
      withCase(seed, ({ at, random, a, b, leavesA, leavesB, X, Y }) => {
        const [X1, Y1] = [samplePose(random, 1), samplePose(random, 1)];
        const result = castPair(createCastResult(), a, b, { a0: X, a1: X1, b0: Y, b1: Y1 }, { tolerance });
        const [moverA, moverB] = [new RigidMotion(), new RigidMotion()];
        moverA.prepare(a, X, X1, false);
        moverB.prepare(b, Y, Y1, false);
        const gapAt = (t: number): number => {
          moverA.moveTo(t);
          moverB.moveTo(t);
          return measureLeaves(leavesA, moverA.X, leavesB, moverB.X);
        };
        const end = result.hit ? result.time : 1;
        if (end === 0) expect(gapAt(0), `${at}: hit at the start`).toBeLessThanOrEqual(tolerance);
        for (let i = 0; i < 20 && end > 0; i++)
          expect(gapAt((end * i) / 20), `${at}: free before ${end}`).toBeGreaterThan(0);
        if (result.hit && result.status === 'ok') expect(gapAt(end), `${at}: contact`).toBeLessThan(1.01 * tolerance);
      });
  });
});
