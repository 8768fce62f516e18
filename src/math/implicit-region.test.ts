/** Boxes against dense evaluation: a point that contradicts a verdict is a fault. */
import { describe, expect, it } from 'vitest';
import { boundPolynomial, type ImplicitRegion, judgeImplicitBox, type PolynomialTerm } from './implicit-region.js';
import { createRandom } from './random.js';

const random = createRandom(11);
const boxes = process.env.ORACLE_FULL ? 100_000 : 4000;

function randomTerms(): PolynomialTerm[] {
  return Array.from({ length: 2 + random.integer(5) }, () => ({
    coefficient: 4 * random.next() - 2,
    powers: [random.integer(5), random.integer(5), random.integer(3)],
  }));
}

const evaluate = (terms: readonly PolynomialTerm[], at: readonly number[]) =>
  terms.reduce((sum, { coefficient, powers }) => sum + powers.reduce((p, n, k) => p * at[k] ** n, coefficient), 0);

function holds(region: ImplicitRegion, at: readonly number[]): boolean {
  if ('terms' in region) return evaluate(region.terms, at) <= 0;
  return 'all' in region ? region.all.every((r) => holds(r, at)) : region.any.some((r) => holds(r, at));
}

describe('implicit regions', () => {
  it('are judged over boxes as at every point of them', () => {
    const counts = [0, 0, 0];
    for (let k = 0; k < boxes; k++) {
      const leaf = (): ImplicitRegion => ({ terms: randomTerms() });
      const region = [leaf, () => ({ all: [leaf(), { any: [leaf(), leaf()] }] }), () => ({ any: [leaf(), leaf()] })][
        k % 3
      ]();
      const size = k % 2 === 0 ? 0.5 : 0.05;
      const middle = [0, 1, 2].map(() => 3 * random.next() - 1.5);
      const half = [0, 1, 2].map(() => size * random.next());
      const verdict = judgeImplicitBox(region, middle, half);
      counts[verdict + 1]++;
      if (verdict === 0) continue;
      for (let s = 0; s < 40; s++) {
        const at = middle.map((m, c) => m + half[c] * [-1, 1, 2 * random.next() - 1][random.integer(3)]);
        if (holds(region, at) !== verdict > 0) throw new Error(`box ${k} at ${at.join(' ')}: ${verdict}`);
      }
    }
    for (const count of counts) expect(count).toBeGreaterThan(boxes / 20);
  });

  it('bounds shrink with the square of the box', () => {
    const terms = [
      { coefficient: 1, powers: [2] },
      { coefficient: 1, powers: [0, 2] },
      { coefficient: -1, powers: [] },
    ];
    const over = (h: number) => {
      const [low, high] = boundPolynomial([0, 0], terms, [1, 0, 0], [h, h, 0]);
      // Exactly -2h .. 2h + 2h^2 by the centred form.
      return [low + 2 * h, high - 2 * h - 2 * h * h];
    };
    for (const h of [1e-1, 1e-2, 1e-3]) for (const off of over(h)) expect(Math.abs(off)).toBeLessThan(1e-11);
  });
});
