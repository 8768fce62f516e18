/** Random programs on a fleet's world against every pair: 5,000, and 10^6 with ORACLE_FULL=1. */
import { expect, it } from 'vitest';
import { runRandomProgram } from '../../src/fleet/random-programs.test-support.js';

it('never a pair fewer than looking at every pair', { timeout: 3_600_000 }, () => {
  const faults: string[] = [];
  const programs = process.env.ORACLE_FULL ? 1_000_000 : 5000;
  for (let seed = 10_000; seed < 10_000 + programs && faults.length < 10; seed++) {
    const fault = runRandomProgram(seed, 6);
    if (fault !== null) faults.push(fault);
  }
  expect(faults).toEqual([]);
});
