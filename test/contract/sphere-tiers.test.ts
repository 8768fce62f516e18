/**
 * The two tiers of sphere checks, a compiled module and the generic kernel: equal verdicts on every state, sample and motion, to the bit.
 * Neither is the other's oracle alone: both are compared with brute force in double precision by the tests beside the code.
 */
import { describe, it } from 'vitest';
import { compileSphereChecks } from '../../src/compile/sphere-checks/compile-sphere-checks.js';
import { proveImpossiblePairs } from '../../src/compile/sphere-checks/impossible-pairs.js';
import type { SphereChecks } from '../../src/compile/sphere-checks/sphere-checks.js';
import { createSphereChecks } from '../../src/compile/sphere-checks/tabulated-sphere-checks.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { multiplyTransform } from '../../src/math/transform.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { samplePose, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';
import { BruteForce, makeArm, makeMixedArm, randomState, type SphereArm, scatter } from '../support/sphere-arms.js';
import { PARTS, SOLIDS } from '../support/sphere-obstacles.js';

const all = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const seeds = process.env.ORACLE_FULL ? 60 : 4;

function randomShapes(random: Random): Shape[] {
  const kinds = shapeTypes.filter((kind) => kind !== 'support' && kind !== 'halfspace');
  const sampled = kinds.map((kind) => scaleShape(sampleShape(random, kind), 0.2));
  return [...sampled, ...Object.values(PARTS), ...Object.values(SOLIDS)];
}

/** Many spheres per link: pairs are compared by a loop. */
function crowd(arm: SphereArm, random: Random): SphereArm {
  const links = arm.spheres.links.map((link) => ({
    ...link,
    levels: [
      Float64Array.from({ length: 4 * 20 }, (_, i) =>
        i % 4 === 3 ? 0.01 + 0.02 * random.next() : random.uniform(-0.1, 0.1),
      ),
    ],
  }));
  return { ...arm, spheres: { ...arm.spheres, links } };
}

function single(arm: SphereArm): SphereArm {
  const links = arm.spheres.links.map((link, i) =>
    i % 2 === 0 ? { ...link, levels: [link.levels[0].slice(0, 4)] } : link,
  );
  return { ...arm, spheres: { ...arm.spheres, links } };
}

function moveBase(arm: SphereArm, random: Random): SphereArm {
  const basePlacement = multiplyTransform(new Float64Array(12), samplePose(random, 0.3), arm.model.basePlacement);
  return { ...arm, model: { ...arm.model, basePlacement } };
}

/** A state, four of them, a sampled motion, and one that is to be proven. */
function compare(tiers: readonly [SphereChecks, SphereChecks], { model }: SphereArm, random: Random) {
  const n = model.nq;
  const verdicts = tiers.map(() => [] as unknown[]);
  const states = all(4).map(() => randomState(model, random));
  const near = states[0].map((x, i) => x + 0.05 * (states[1][i] - x));
  tiers.forEach((checks, t) => {
    for (const q of states) verdicts[t].push(checks.isFree(q));
    const { memory, four, arguments: room } = checks.exports;
    const at = room.value as number;
    const floats = new Float64Array(memory.buffer, at, 4 * n);
    states.forEach((q, k) => {
      floats.set(q, k * n);
    });
    verdicts[t].push(four(at));
    verdicts[t].push(checks.isMotionFree(states[0], near, 0.01), checks.isMotionFree(states[2], states[3], 0.05));
    for (const b of [near, states[1]]) {
      const { status, intervals, failed } = checks.certifyMotion(states[0], b, { record: true });
      verdicts[t].push(status, intervals === null ? null : [...intervals], failed);
    }
  });
  return verdicts;
}

describe('compiled and generic sphere checks', () => {
  for (let seed = 1; seed <= seeds; seed++)
    it(`have equal verdicts, seed ${seed}`, () => {
      const random = createRandom(seed);
      const plain = makeArm(random, 3 + (seed % 5));
      const arm = [plain, crowd(plain, random), single(plain), moveBase(plain, random)][seed % 4];
      const { model, spheres, pairs } = arm;
      const margin = seed % 3 === 0 ? 0.01 : 0;
      const rest = new Float64Array(model.nq);
      const request = { pairs, indices: all(model.nq), rest, margin, samples: 100, boxes: 200 };
      const options = {
        pairs,
        margin,
        environmentBytes: 2 ** 22,
        ...(seed % 2 === 0 && { never: proveImpossiblePairs(model, spheres, request) }),
      };
      const tiers = [
        compileSphereChecks(model, spheres, options),
        createSphereChecks(model, spheres, options),
      ] as const;
      expect(tiers[1].lost).toBe(tiers[0].lost);
      const counts = { free: 0, touching: 0, proven: 0 };
      for (let scene = 0; scene < 6; scene++) {
        const obstacles = Array.from({ length: 2 * scene }, () => scatter(random, randomShapes(random), 1.2));
        for (const checks of tiers) checks.setEnvironment(obstacles);
        for (let k = 0; k < 15; k++) {
          const [first, second] = compare(tiers, arm, random);
          expect(second).toEqual(first);
          for (const value of first.slice(0, 4)) counts[value ? 'free' : 'touching']++;
          if (first.includes('free')) counts.proven++;
        }
      }
      expect(counts.free).toBeGreaterThan(3);
      expect(counts.touching).toBeGreaterThan(3);
      expect(counts.proven).toBeGreaterThan(0);
    });

  it('take joints of every kind: verdicts of brute force, but for what rounding hides', () => {
    const counts = { free: 0, touching: 0 };
    for (let seed = 1; seed <= 2 * seeds; seed++) {
      const random = createRandom(seed);
      const arm = makeMixedArm(random);
      const { model, spheres, pairs } = arm;
      const tiers = [compileSphereChecks(model, spheres, { pairs }), createSphereChecks(model, spheres, { pairs })];
      const brute = new BruteForce(arm);
      const obstacles = Array.from({ length: 4 }, () =>
        scatter(random, [PARTS.hull, { type: 'box', size: [0.2, 0.3, 0.4] }], 1),
      );
      for (const checks of tiers) checks.setEnvironment(obstacles);
      const q = new Float64Array(model.nq);
      for (let n = 0; n < 60; n++) {
        randomConfiguration(q, model, random);
        const gap = brute.gap(q, obstacles);
        const [first, second] = tiers.map((checks) => checks.isFree(q));
        expect(second).toBe(first);
        if (first) expect(gap).toBeGreaterThan(0);
        else expect(gap).toBeLessThan(tiers[0].lost + 1e-4);
        counts[first ? 'free' : 'touching']++;
      }
      // A quaternion of another length turns as much; one far from one is not answered.
      const at = model.nqs.indexOf(7);
      randomConfiguration(q, model, random);
      const longer = q.map((x, i) => (i >= model.idxQ[at] + 3 && i < model.idxQ[at] + 7 ? 1.3 * x : x));
      if (Math.abs(brute.gap(q, obstacles)) > 1e-3) expect(tiers[0].isFree(longer)).toBe(tiers[0].isFree(q));
      expect(tiers[0].isFree(q.map((x, i) => (i >= model.idxQ[at] + 3 ? 1e-12 * x : x)))).toBe(false);
      expect(tiers.map((checks) => checks.isStraight)).toEqual([false, false]);
      expect(tiers.map((checks) => checks.isMotionFree(q, q, 0.1))).toEqual([false, false]);
    }
    expect(counts.free).toBeGreaterThan(20);
    expect(counts.touching).toBeGreaterThan(20);
  });
});
