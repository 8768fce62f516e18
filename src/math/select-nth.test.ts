import { expect, test } from 'vitest';
import { createRandom } from './random.js';
import { selectNth } from './select-nth.js';

test('smaller keys before, larger after, inside the range only; many equal keys too', () => {
  const random = createRandom(1);
  for (let run = 0; run < 300; run++) {
    const n = 1 + random.integer(50);
    const values = run % 3 === 0 ? 3 : 1000;
    const key = Float64Array.from({ length: n }, () => random.integer(values));
    const order = Int32Array.from({ length: n }, (_, i) => i);
    const left = random.integer(n);
    const right = left + random.integer(n - left);
    const nth = left + random.integer(right - left + 1);
    const inside = order.slice(left, right + 1);
    selectNth(order, key, left, right, nth);
    const sorted = Array.from(inside, (i) => key[i]).sort((a, b) => a - b);
    expect(key[order[nth]]).toBe(sorted[nth - left]);
    expect(Math.max(-1, ...Array.from(order.subarray(left, nth), (i) => key[i]))).toBeLessThanOrEqual(key[order[nth]]);
    expect(Math.min(1001, ...Array.from(order.subarray(nth, right + 1), (i) => key[i]))).toBeGreaterThanOrEqual(
      key[order[nth]],
    );
    expect([...order.slice(left, right + 1)].sort((a, b) => a - b)).toEqual([...inside]);
    order.forEach((value, i) => {
      if (i < left || i > right) expect(value).toBe(i);
    });
  }
});
