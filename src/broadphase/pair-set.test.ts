import { expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { PairSet } from './pair-set.js';

test('add, remove and ask at random: the same as a plain set (seed 1)', () => {
  const random = createRandom(1);
  const n = 30;
  const set = new PairSet();
  set.reserveProxies(n);
  const exact = new Float64Array(6 * n);
  const expected = new Set<string>();
  const key = (a: number, b: number): string => `${Math.min(a, b)},${Math.max(a, b)}`;
  const listed = (): string[] => {
    const list: string[] = [];
    set.visit((a, b) => void list.push(`${a},${b}`));
    return list.sort();
  };
  for (let step = 0; step < 3000; step++) {
    const a = random.integer(n);
    const b = random.integer(n);
    if (step % 500 === 250) {
      // Refill whole, without links.
      const all = listed();
      set.clear();
      for (const pair of all) set.append(...(pair.split(',').map(Number) as [number, number]));
    } else if (step % 50 === 10) {
      set.removeAllOf(a);
      for (const pair of [...expected]) if (pair.split(',').includes(`${a}`)) expected.delete(pair);
    } else if (step % 7 === 3) {
      // Every odd proxy is moved out of reach of the even ones.
      for (let id = 0; id < n; id++) exact.fill(id % 2, 6 * id, 6 * id + 6);
      set.keepOverlapping(a, exact, 0);
      for (const pair of [...expected]) {
        const ids = pair.split(',').map(Number);
        if (ids.includes(a) && ids[0] % 2 !== ids[1] % 2) expected.delete(pair);
      }
      for (let id = 0; id < n; id++) expect(set.isPartner(id)).toBe(id === a || expected.has(key(a, id)));
    } else if (a !== b && !expected.has(key(a, b))) {
      expect(set.has(a, b)).toBe(false);
      set.add(a, b);
      expected.add(key(a, b));
    }
    expect(set.count).toBe(expected.size);
    if (step % 20 === 0) expect(listed()).toEqual([...expected].sort());
  }
});

test('the pairs of one proxy, without those that a partner reports', () => {
  const set = new PairSet();
  set.reserveProxies(4);
  for (const [a, b] of [
    [0, 2],
    [1, 2],
    [2, 3],
  ])
    set.append(a, b);
  const pairs: string[] = [];
  set.visitOf(2, { has: (id) => id === 0 || id === 3 }, (a, b) => void pairs.push(`${a},${b}`));
  expect(pairs.sort()).toEqual(['1,2', '2,3']);
});
