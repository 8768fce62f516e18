import { expect, it } from 'vitest';
import { createRandom } from './random.js';

it('equal seeds give equal numbers, different seeds different ones', () => {
  const first = (seed: number): string => {
    const random = createRandom(seed);
    return Array.from({ length: 4 }, () => random.nextUint32()).join();
  };
  const seeds = [0, 1, 2, -1, -2, 2 ** 32, 2 ** 32 + 1, -(2 ** 32), Number.MAX_SAFE_INTEGER];
  expect(new Set(seeds.map(first)).size).toBe(seeds.length);
  for (const seed of seeds) expect(first(seed)).toBe(first(seed));
  expect(() => createRandom(0.5)).toThrow('createRandom: seed, got 0.5, expected a safe integer');
  expect(() => createRandom(Number.NaN)).toThrow('safe integer');
});

it('follows the recurrence of xoshiro128**, written here with big integers', () => {
  // With seed 0 the state is the finaliser of k * 0x9e3779b9, k = 1..4, the last word made odd.
  const mask = 0xffffffffn;
  const finalise = (x: bigint): bigint => {
    let z = x;
    z = ((z ^ (z >> 16n)) * 0x85ebca6bn) & mask;
    z = ((z ^ (z >> 13n)) * 0xc2b2ae35n) & mask;
    return z ^ (z >> 16n);
  };
  const s = [1n, 2n, 3n, 4n].map((k) => finalise((k * 0x9e3779b9n) & mask));
  s[3] |= 1n;
  const rotate = (x: bigint, k: bigint): bigint => ((x << k) | (x >> (32n - k))) & mask;
  const random = createRandom(0);
  for (let i = 0; i < 200; i++) {
    const expected = (rotate((s[1] * 5n) & mask, 7n) * 9n) & mask;
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11n);
    expect(random.nextUint32()).toBe(Number(expected));
  }
});

it('moments of the uniform and normal numbers, and the range of integers', () => {
  const random = createRandom(42);
  const n = 40_000;
  let sum = 0;
  let squares = 0;
  let normalSum = 0;
  let normalSquares = 0;
  const counts = new Array<number>(7).fill(0);
  for (let i = 0; i < n; i++) {
    const u = random.uniform(-2, 4);
    expect(u >= -2 && u <= 4).toBe(true);
    sum += u;
    squares += (u - 1) ** 2;
    const g = random.normal();
    normalSum += g;
    normalSquares += g * g;
    counts[random.integer(7)]++;
  }
  // Five standard errors.
  expect(Math.abs(sum / n - 1)).toBeLessThan((5 * Math.sqrt(3)) / Math.sqrt(n));
  expect(Math.abs(squares / n - 3)).toBeLessThan((5 * Math.sqrt(7.2)) / Math.sqrt(n));
  expect(Math.abs(normalSum / n)).toBeLessThan(5 / Math.sqrt(n));
  expect(Math.abs(normalSquares / n - 1)).toBeLessThan((5 * Math.SQRT2) / Math.sqrt(n));
  for (const count of counts) expect(Math.abs(count - n / 7)).toBeLessThan(5 * Math.sqrt(n / 7));
});

it('goes on from a saved state, in another generator too', () => {
  const random = createRandom(5);
  for (let i = 0; i < 10; i++) random.normal();
  const state = random.saveState();
  const other = createRandom(6);
  other.restoreState(JSON.parse(JSON.stringify(state)));
  for (let i = 0; i < 10; i++) expect(other.normal()).toBe(random.normal());
  for (const bad of [
    [1, 2, 3],
    [0, 0, 0, 0],
    [1, 2, 3, 2 ** 32],
    [1, 2, 3, 0.5],
  ]) {
    expect(() => random.restoreState(bad)).toThrow(/restoreState: state, got/);
  }
});
