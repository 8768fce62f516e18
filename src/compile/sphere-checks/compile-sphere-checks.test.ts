import { describe, expect, it } from 'vitest';
import { robot } from '../../../test/models.js';
import { BruteForce, makeArm, randomState, scatter } from '../../../test/support/sphere-arms.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import { multiplyTransform, originToTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { compileSphereChecks } from './compile-sphere-checks.js';
import { proveImpossiblePairs } from './impossible-pairs.js';

/** Kinds whose distance the module has in closed form: verdicts equal brute force but for gaps below `lost`. */
const CLOSED: Shape[] = [
  { type: 'sphere', radius: 0.08 },
  { type: 'box', size: [0.1, 0.2, 0.3] },
  { type: 'rounded-box', size: [0.1, 0.2, 0.3], radius: 0.03 },
  { type: 'capsule', radius: 0.05, length: 0.3 },
  { type: 'cylinder', radius: 0.07, length: 0.25 },
  { type: 'rounded-cylinder', radius: 0.08, length: 0.25, edge: 0.02 },
  { type: 'halfspace', normal: [0.6, 0, 0.8], offset: -0.4 },
];
const all = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function compile(arm: ReturnType<typeof makeArm>, margin = 0) {
  const { model, spheres, pairs } = arm;
  const request = { pairs, indices: all(model.nq), rest: new Float64Array(model.nq), margin, samples: 200, boxes: 500 };
  const never = proveImpossiblePairs(model, spheres, request);
  return compileSphereChecks(model, spheres, { pairs, margin, never });
}

describe('compiled sphere checks', () => {
  it('have the verdict of brute force, but for gaps that single precision cannot tell', () => {
    let free = 0;
    let touching = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const arm = makeArm(random, 6);
      const brute = new BruteForce(arm);
      const margin = seed % 2 === 0 ? 0 : 0.01;
      const checks = compile(arm, margin);
      for (let scene = 0; scene < 4; scene++) {
        const obstacles = Array.from({ length: scene * 3 }, () =>
          scatter(random, CLOSED.slice(0, scene === 3 ? 7 : 6), 1.5),
        );
        checks.setEnvironment(obstacles);
        for (let n = 0; n < 40; n++) {
          const q = randomState(arm.model, random);
          const gap = brute.gap(q, obstacles, margin);
          const isFree = checks.isFree(q);
          if (isFree) free++;
          else touching++;
          if (isFree !== gap > 0 && !(gap > 0 && gap < checks.lost))
            expect({ seed, scene, n, gap, isFree }).toBe('one');
        }
      }
    }
    expect(free).toBeGreaterThan(150);
    expect(touching).toBeGreaterThan(150);
  });

  it('only lose verdicts as margins grow', () => {
    const random = createRandom(9);
    const arm = makeArm(random, 5);
    const checks = compile(arm);
    const obstacles = Array.from({ length: 10 }, () => scatter(random, CLOSED.slice(0, 6), 0.9));
    const states = Array.from({ length: 300 }, () => randomState(arm.model, random));
    const verdicts = [0, 0.01, 0.05, 0.2].map((margin) => {
      checks.setEnvironment(obstacles.map((each) => ({ ...each, margin })));
      return states.map((q) => checks.isFree(q));
    });
    for (let k = 1; k < verdicts.length; k++)
      for (let i = 0; i < states.length; i++) if (verdicts[k][i]) expect(verdicts[k - 1][i]).toBe(true);
    expect(verdicts[3].filter(Boolean).length).toBeLessThan(verdicts[0].filter(Boolean).length);
  });

  it('keep their verdicts when robot and obstacles move as one', () => {
    const random = createRandom(12);
    const arm = makeArm(random, 5);
    const X = originToTransform(new Float64Array(12), [0.7, -0.4, 0.3], [0.3, -1.1, 2]);
    const moved = {
      ...arm,
      model: { ...arm.model, basePlacement: multiplyTransform(new Float64Array(12), X, arm.model.basePlacement) },
    };
    const obstacles = Array.from({ length: 6 }, () => scatter(random, CLOSED, 1.2));
    const here = compile(arm);
    const there = compile(moved);
    here.setEnvironment(obstacles);
    there.setEnvironment(
      obstacles.map((each) => ({ ...each, placement: multiplyTransform(new Float64Array(12), X, each.placement) })),
    );
    const brute = new BruteForce(arm);
    for (let n = 0; n < 300; n++) {
      const q = randomState(arm.model, random);
      if (here.isFree(q) !== there.isFree(q)) expect(Math.abs(brute.gap(q, obstacles))).toBeLessThan(there.lost);
    }
  });

  it('sample straight motions with the end and without the start', () => {
    const random = createRandom(5);
    const arm = makeArm(random, 5);
    const checks = compile(arm);
    checks.setEnvironment(Array.from({ length: 5 }, () => scatter(random, CLOSED.slice(0, 6), 1.2)));
    let free = 0;
    for (let n = 0; n < 300; n++) {
      const a = randomState(arm.model, random);
      const b = randomState(arm.model, random);
      const step = 0.02 + 0.2 * random.next();
      const length = Math.sqrt(a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0));
      const count = 4 * Math.max(1, Math.ceil((0.25 * length) / step));
      let expected = true;
      for (let k = 1; k <= count; k++) expected &&= checks.isFree(a.map((x, i) => x + (k / count) * (b[i] - x)));
      expect(checks.isMotionFree(a, b, step)).toBe(expected);
      if (expected) free++;
    }
    expect(free).toBeGreaterThan(5);
  });

  it('answer many motions as one by one', () => {
    const random = createRandom(4);
    const arm = makeArm(random, 5);
    const checks = compile(arm);
    checks.setEnvironment(Array.from({ length: 8 }, () => scatter(random, CLOSED.slice(0, 6), 1.2)));
    const states = Array.from({ length: 400 }, () => randomState(arm.model, random));
    const verdicts = checks.areMotionsFree(Float64Array.from(states.flatMap((q) => [...q])), 0.1);
    expect([...verdicts]).toEqual(
      Array.from({ length: 200 }, (_, k) => (checks.isMotionFree(states[2 * k], states[2 * k + 1], 0.1) ? 1 : 0)),
    );
    expect(new Set(verdicts)).toEqual(new Set([0, 1]));
    expect(checks.areMotionsFree([], 0.1)).toHaveLength(0);
    expect(() => checks.areMotionsFree(states[0], 0.1)).toThrow(
      'SphereChecks.areMotionsFree: motions, got an array of 4, expected a multiple of 8 numbers',
    );
    expect(() => checks.areMotionsFree(states[0], 0)).toThrow('SphereChecks.areMotionsFree: step, got 0');
  });

  it('refuse coordinates beyond limits, and what is no number', () => {
    const arm = makeArm(createRandom(21), 4);
    const checks = compile(arm);
    const { lower, upper } = arm.model;
    const states = Array.from({ length: 200 }, () => randomState(arm.model, createRandom(4)));
    const q = states.find((state) => checks.isFree(state)) as Float64Array;
    for (let i = 0; i < q.length; i++) {
      for (const bad of [lower[i] - 1e-3, upper[i] + 1e-3, Number.NaN, Infinity]) {
        const outside = Float64Array.from(q);
        outside[i] = bad;
        expect(checks.isFree(outside)).toBe(false);
        expect(checks.isMotionFree(q, outside, 0.1)).toBe(false);
        expect(checks.certifyMotion(outside, q).status).toBe('undecided');
      }
    }
  });

  it('hold still what does not vary', () => {
    const random = createRandom(31);
    const arm = makeArm(random, 6);
    const rest = randomState(arm.model, random);
    const indices = [1, 3];
    const { model, spheres, pairs } = arm;
    const never = proveImpossiblePairs(model, spheres, { pairs, indices, rest, samples: 200, boxes: 500 });
    const some = compileSphereChecks(model, spheres, { pairs, indices, rest, never });
    const every = compileSphereChecks(model, spheres, { pairs });
    const brute = new BruteForce(arm);
    const obstacles = Array.from({ length: 3 }, () => scatter(random, CLOSED.slice(0, 6), 1.5));
    for (const checks of [some, every]) checks.setEnvironment(obstacles);
    for (let n = 0; n < 300; n++) {
      const q = Float64Array.from(rest);
      for (const i of indices) q[i] = random.uniform(model.lower[i], model.upper[i]);
      if (some.isFree([q[1], q[3]]) !== every.isFree(q))
        expect(Math.abs(brute.gap(q, obstacles))).toBeLessThan(every.lost);
    }
  });

  it('say what they cannot take', () => {
    const arm = makeArm(createRandom(2), 4);
    const { model, spheres, pairs } = arm;
    const checks = compile(arm);
    const support = { type: 'support', support: () => undefined } as unknown as Shape;
    expect(() => checks.setEnvironment([{ shape: support }])).toThrow(/support/);
    expect(() => checks.setEnvironment([{ shape: CLOSED[0], margin: Number.NaN }])).toThrow(/margin/);
    expect(() => compileSphereChecks(model, spheres, { pairs: [['l0', 'nothing']] })).toThrow(/nothing/);
    expect(() => compileSphereChecks(model, spheres, { pairs, indices: [99] })).toThrow(/indices/);
    expect(() => checks.isFree([0])).toThrow(/state/);
    const tight = compileSphereChecks(model, spheres, { pairs, environmentBytes: 100 });
    const two = [CLOSED[0], CLOSED[1]].map((shape) => ({ shape }));
    expect(() => tight.setEnvironment(two)).toThrow(/environmentBytes/);
    const never = proveImpossiblePairs(model, spheres, {
      pairs,
      indices: [0],
      rest: new Float64Array(model.nq),
      boxes: 10,
    });
    expect(() => compileSphereChecks(model, spheres, { pairs, never })).toThrow(/never/);
    const free = buildModel(robot([]), { base: 'floating' });
    const none = { links: [], proven: true, assumed: [] };
    expect(() => compileSphereChecks(free.model, none, { pairs: [], indices: [0, 3] })).toThrow(/rotation/);
    expect(compileSphereChecks(free.model, none, { pairs: [], indices: [0, 1] }).isStraight).toBe(false);
  });
});
