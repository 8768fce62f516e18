/**
 * A short fuzz of pair queries between convex shapes, and of meshes against them, on every run. `node scripts/fuzz.mjs` asks as many as wanted, with
 * any seed, by the variables read here, and adds meshes and shapes made of parts, whose overlaps take milliseconds.
 */
import { describe, expect, it } from 'vitest';
import { fuzzMeshes } from './mesh-fuzz.js';
import { fuzzPairs } from './pair-fuzz.js';

const count = Number(process.env.CLEARANCE_FUZZ_QUERIES ?? 30_000);
const asked = process.env.CLEARANCE_FUZZ_QUERIES !== undefined;
const seed = Number(process.env.CLEARANCE_FUZZ_SEED ?? 1);

describe('fuzz of pair queries', () => {
  it.each([
    ['convex', count],
    ['meshes', Math.ceil(Number(process.env.CLEARANCE_FUZZ_MESHES ?? count))],
    ['degenerate', Math.max(3000, Math.ceil(count / 100))],
    ...(asked ? ([['all', Math.ceil(count / 1000)]] as const) : []),
  ] as const)(
    '%s: %i queries with the seed of the run',
    (name, queries) => {
      const report = name === 'meshes' ? fuzzMeshes(seed, queries) : fuzzPairs(seed, queries, name);
      if (asked)
        process.stdout.write(
          `${name}: seed ${seed}, ${report.queries} queries, ${report.faultCount} faults, iteration limits ` +
            `${report.limits}, worst difference per scale apart ${report.worstApart.toExponential(1)}, ` +
            `tilted ${report.worstTilted.toExponential(1)}, overlapping ${report.worstDepth.toExponential(1)}\n`,
        );
      expect(report.queries).toBeGreaterThanOrEqual(queries);
      expect(report.faults, `seed ${seed}: ${report.faultCount} faults`).toEqual([]);
    },
    3_600_000,
  );
});
