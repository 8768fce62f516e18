/** Rectangles swept by spheres: apart exactly when points of the rectangles, searched for, are farther apart than the radii. */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom, type Random } from '../math/random.js';
import { expSo3 } from '../math/so3.js';
import { createTransform, setIdentityTransform, type Transform } from '../math/transform.js';
import { areRectanglesApart, sweepBox } from './rectangle-gap.js';

/** Half sides in the frame's axes, 0 along the normal. */
interface Swept {
  readonly core: readonly number[];
  readonly radius: number;
}

function recordOf({ core, radius }: Swept): Float64Array {
  const record = new Float64Array(16);
  core.forEach((h, k) => {
    record[12 + k] = h + radius;
  });
  record[15] = Math.hypot(...core) + radius;
  return record;
}

function randomSwept(random: Random): Swept {
  const core = [0, 1, 2].map(() => (random.next() < 0.1 ? 0 : random.uniform(0, 2)));
  core[random.integer(3)] = 0;
  return { core, radius: random.uniform(0.01, 1) };
}

function randomPose(random: Random): Transform {
  const X = setIdentityTransform(createTransform());
  // Also none, tiny and quarter turns: parallel, nearly parallel and square edges.
  const size = [0, 1e-9, 1e-5, Math.PI / 2, 1, 3][random.integer(6)];
  const axis = size === Math.PI / 2 ? [0, 0, size] : [0, 1, 2].map(() => size * random.normal());
  expSo3(X, axis);
  for (let k = 9; k < 12; k++) X[k] = 1.5 * random.normal();
  return X;
}

/** Distance of the two rectangles, from above: |p - X q| made small by accelerated projected gradient steps. */
function measure(a: Swept, b: Swept, X: Transform): number {
  const clampTo = (p: number[], core: readonly number[]) => p.map((x, k) => Math.min(core[k], Math.max(-core[k], x)));
  let [p, q] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let [lastP, lastQ] = [p, q];
  let least = Infinity;
  for (let i = 1; i < 4000; i++) {
    const weight = (i - 1) / (i + 2);
    const aheadP = p.map((x, k) => x + weight * (x - lastP[k]));
    const aheadQ = q.map((x, k) => x + weight * (x - lastQ[k]));
    const off = [0, 1, 2].map(
      (r) => aheadP[r] - X[9 + r] - X[3 * r] * aheadQ[0] - X[3 * r + 1] * aheadQ[1] - X[3 * r + 2] * aheadQ[2],
    );
    [lastP, lastQ] = [p, q];
    p = clampTo(
      aheadP.map((x, k) => x - 0.5 * off[k]),
      a.core,
    );
    q = clampTo(
      aheadQ.map((x, k) => x + 0.5 * (X[k] * off[0] + X[3 + k] * off[1] + X[6 + k] * off[2])),
      b.core,
    );
    const gap = [0, 1, 2].map((r) => p[r] - X[9 + r] - X[3 * r] * q[0] - X[3 * r + 1] * q[1] - X[3 * r + 2] * q[2]);
    least = Math.min(least, Math.hypot(...gap));
  }
  return least;
}

describe('rectangles swept by spheres', () => {
  it('are apart exactly when their distance says so', () => {
    const random = createRandom(11);
    const counts = { apart: 0, close: 0, crossing: 0 };
    for (let i = 0; i < 600; i++) {
      const [a, b, X] = [randomSwept(random), randomSwept(random), randomPose(random)];
      const distance = measure(a, b, X);
      const isApart = (margin: number) => areRectanglesApart(recordOf(a), 0, recordOf(b), 0, X, 0, margin);
      const gap = distance - a.radius - b.radius;
      if (distance < 1e-4) counts.crossing++;
      if (gap > 1e-4) {
        counts.apart++;
        expect(isApart(gap - 1e-4), `pair ${i}`).toBe(true);
      }
      if (gap > -1e-4) {
        counts.close++;
        // What was found is the distance of two points, so that much is enough.
        expect(isApart(Math.max(0, gap + 1e-12)), `pair ${i}`).toBe(false);
      } else expect(isApart(0), `pair ${i}`).toBe(false);
    }
    expect(Math.min(counts.apart, counts.close, counts.crossing)).toBeGreaterThan(50);
  });

  it('hold the box they are made from', () => {
    const record = Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 4);
    sweepBox(record, 0);
    expect([...record.subarray(12)]).toEqual([4, 1, 3, 4]);
  });
});
