import { describe, expect, it } from 'vitest';
import { settle } from './queries.js';

describe('settle', () => {
  const run = (list: readonly number[]): { readonly shown: number; readonly rounds: number } => {
    let at = 0;
    const time = (): number => list[Math.min(at, list.length - 1)];
    const measurement = settle({ check: time, nearest: () => 2 * list[Math.min(at++, list.length - 1)] });
    for (let rounds = 1; ; rounds++) {
      // The first half of a round answers nothing.
      expect(measurement.advance()).toBeNull();
      const times = measurement.advance();
      if (times) return { shown: times.check, rounds };
    }
  };

  it('shows no time of code that is still being compiled', () => {
    expect(run([900, 400, 60, 21, 20, 20])).toEqual({ shown: 20, rounds: 5 });
    expect(run([10, 10])).toEqual({ shown: 10, rounds: 2 });
  });

  it('ends on a machine whose times never agree', () => {
    expect(run([100, 50, 100, 50, 100, 50, 100, 50, 100, 50]).rounds).toBe(8);
  });
});
