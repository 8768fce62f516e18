import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findContacts, LIMIT_TOLERANCE } from './cell-list.js';

function brute(positions: Float64Array, cutoff: number): string[] {
  const pairs: string[] = [];
  const n = positions.length / 3;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      let squared = 0;
      for (let k = 0; k < 3; k++) squared += (positions[3 * i + k] - positions[3 * j + k]) ** 2;
      if (squared <= (cutoff + LIMIT_TOLERANCE) ** 2) pairs.push(`${i} ${j}`);
    }
  }
  return pairs.sort();
}

function contacts(positions: Float64Array, cutoff: number): string[] {
  const pairs: string[] = [];
  findContacts(positions, positions.length / 3, cutoff, (i, j) => pairs.push(`${Math.min(i, j)} ${Math.max(i, j)}`));
  return pairs.sort();
}

describe('findContacts', () => {
  it('finds the pairs that a test of all pairs finds, each once, on negative, equal and far-flung points too', () => {
    const coordinate = fc.oneof(
      fc.double({ min: -6, max: 6, noNaN: true }),
      fc.integer({ min: -3, max: 3 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 60 }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        (points, cutoff) => {
          const positions = Float64Array.from(points.flat());
          expect(contacts(positions, cutoff)).toEqual(brute(positions, cutoff));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('counts points at exactly the cutoff', () => {
    expect(contacts(Float64Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0), 1)).toEqual(['0 1']);
  });
});
