import { describe, expect, it } from 'vitest';
import { aba } from '../../src/dynamics/aba.js';
import { crba } from '../../src/dynamics/crba.js';
import { createDynamicsData } from '../../src/dynamics/dynamics-data.js';
import { computeGravity } from '../../src/dynamics/gravity.js';
import { computeNonlinearEffects, rnea } from '../../src/dynamics/rnea.js';
import { buildModel } from '../../src/model/build-model.js';
import { needsShared, sharedPath } from '../shared.js';
import { readOracleModel, readOracleSamples, toDescription } from './dynamics-data.js';

const ROBOTS = ['panda', 'panda_mimic', 'ur5', 'double_pendulum_continuous', 'tiago_planar', 'anymal', 'talos'];

/** Largest error relative to the largest entry of the reference, at least 1. */
function relative(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let error = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    error = Math.max(error, Math.abs(actual[i] - expected[i]));
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return error / scale;
}

describe.skipIf(!sharedPath('oracles', 'dynamics'))(`reference dynamics${needsShared('oracles', 'dynamics')}`, () => {
  it.each(ROBOTS)('%s', (name) => {
    const oracle = readOracleModel(name);
    const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    const data = createDynamicsData(model);
    const worst: Record<string, number> = {};
    const record = (what: string, error: number) => {
      worst[what] = Math.max(worst[what] ?? 0, Number.isNaN(error) ? Infinity : error);
    };
    for (const sample of readOracleSamples(name)) {
      const { q, v, a, tau, fext } = sample;
      record('rnea', relative(rnea(model, data, q, v, a), sample.rnea));
      record('rnea_fext', relative(rnea(model, data, q, v, a, fext), sample.rnea_fext));
      record('nle', relative(computeNonlinearEffects(model, data, q, v), sample.nle));
      record('gravity', relative(computeGravity(model, data, q), sample.gravity));
      if (sample.M) record('M', relative(crba(model, data, q), sample.M));
      expect(aba(model, data, q, v, tau)).toBe('ok');
      const ddq = Float64Array.from(data.ddq);
      record('aba residual', relative(rnea(model, data, q, v, ddq), tau));
      if (sample.aba) record('aba', relative(ddq, sample.aba));
      expect(aba(model, data, q, v, tau, fext)).toBe('ok');
      record('aba_fext residual', relative(rnea(model, data, q, v, Float64Array.from(data.ddq), fext), tau));
    }
    if (process.env.CLEARANCE_REPORT) console.log(name, worst);
    expect(worst.rnea).toBeLessThan(1e-12);
  });
});
