/**
 * The planners' kernel against what it is read and checked by: the loop in TypeScript must give the same path, bit by bit, the
 * same counts and the same partial path; nearest neighbours must be those of a scan with the space's own distance.
 */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { JointType } from '../../src/model/description.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createHalton } from '../../src/planning/halton.js';
import * as layout from '../../src/planning/kernel/layout.js';
import { SearchBlock } from '../../src/planning/kernel/search-block.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { createRrtConnect, planRrtConnect } from '../../src/planning/rrt-connect.js';
import { simplifyPath } from '../../src/planning/simplify.js';
import type { StateSpace, ValidityChecker } from '../../src/planning/types.js';

function arm(...types: JointType[]): StateSpace {
  const { model } = buildModel({
    name: 'arm',
    links: Array.from({ length: types.length + 1 }, (_, i) => ({ name: `link${i}` })),
    joints: types.map((type, i) => ({
      name: `joint${i}`,
      type,
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin: createTransform(),
      axis: [0, 0, 1] as const,
      limits: type === 'revolute' || type === 'prismatic' ? { lower: -1, upper: 1 + (i % 2) } : undefined,
    })),
  });
  return createConfigurationSpace(model, { weights: types.map((_, i) => 1 + 0.3 * i) });
}

const cube = (n: number): StateSpace => createRealVectorSpace({ lower: Array(n).fill(0), upper: Array(n).fill(10) });
const spaces: [string, StateSpace][] = [
  ['a plane', cube(2)],
  ['seven numbers', cube(7)],
  ['one number', cube(1)],
  ['weights', createRealVectorSpace({ lower: [-1, 0, 5], upper: [1, 10, 7], weights: [5, 0.5, 2] })],
  [
    'wrapping',
    createRealVectorSpace({ lower: [-2, 0, 0], upper: [4, 6, 6], wrap: [true, false, true], weights: [1, 1.3, 0.8] }),
  ],
  ['an arm', arm('revolute', 'prismatic', 'revolute', 'revolute', 'revolute')],
  ['an arm that turns without limits', arm('continuous', 'revolute', 'continuous', 'prismatic')],
];

/** Valid outside of balls in the first coordinates: some walls, and enough to make the trees grow. */
function blobs(space: StateSpace, seed: number, count: number, radius: number): ValidityChecker {
  const random = createRandom(seed);
  const centres = Array.from({ length: count }, () => space.sample(new Float64Array(space.dimension), random));
  return { isValid: (q) => centres.every((c) => space.distance(q, c) > radius) };
}

function drawValid(space: StateSpace, checker: ValidityChecker, seed: number): Float64Array {
  const random = createRandom(seed);
  for (;;) {
    const q = space.sample(new Float64Array(space.dimension), random);
    if (checker.isValid(q)) return q;
  }
}

const settings = [
  ['defaults', {}],
  ['Halton', { sampler: 'halton', seed: 0 }],
  ['a shifted Halton sequence, unbalanced', { sampler: 'halton', seed: 5, balance: false }],
  ['dynamic domain', { dynamicDomain: { radius: 2, minRadius: 0.2, alpha: 0.05 } }],
  [
    'a narrow domain, Halton',
    { sampler: 'halton', seed: 3, dynamicDomain: { radius: 0.8, minRadius: 0.1, alpha: 0.2 } },
  ],
  ['no last check', { verifyResolution: Infinity }],
] as const;

describe.each(spaces)('%s', (_, space) => {
  const diameter = space.distance(
    Float64Array.from(space.coordinates!.lower),
    Float64Array.from(space.coordinates!.upper, (x, k) => (space.coordinates!.period[k] > 0 ? x * 0.5 : x)),
  );

  test.each(settings)('the same path as the loop in TypeScript: %s', (_name, options) => {
    for (const seed of [1, 2, 3]) {
      const checker = blobs(space, 40 + seed, 3 * space.dimension, 0.16 * diameter);
      const request = {
        space,
        checker,
        start: drawValid(space, checker, 70 + seed),
        goals: [drawValid(space, checker, 80 + seed), drawValid(space, checker, 90 + seed)],
        seed,
        range: diameter / 15,
        resolution: diameter / 100,
        maxIterations: 1500,
        allowPartial: true,
        ...options,
      };
      const twin = planRrtConnect({ ...request, engine: 'script' });
      expect(planRrtConnect(request), `seed ${seed}`).toEqual(twin);
      expect(twin.checks).toBeGreaterThan(0);
    }
  });

  test('the same simplified path as the rounds in TypeScript', () => {
    let shorter = 0;
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const checker = blobs(space, 140 + seed, 3 * space.dimension, 0.17 * diameter);
      const start = drawValid(space, checker, 170 + seed);
      const goals = [drawValid(space, checker, 180 + seed)];
      const resolution = diameter / 100;
      const found = planRrtConnect({
        space,
        checker,
        start,
        goals,
        seed,
        range: diameter / 15,
        resolution,
        maxIterations: 3000,
      });
      if (found.status !== 'solved') continue;
      for (const verifyResolution of [resolution / 4, resolution / 50, Infinity]) {
        const request = { space, checker, path: found.path, resolution, verifyResolution, leastChange: diameter / 100 };
        const twin = simplifyPath({ ...request, engine: 'script' });
        expect(simplifyPath(request)).toEqual(twin);
        expect(twin.length).toBeLessThanOrEqual(found.length * (1 + 1e-12));
        expect(twin.path[0]).toEqual(found.path[0]);
        expect(twin.path.at(-1)).toEqual(found.path.at(-1));
        if (twin.length < found.length) shorter++;
      }
    }
    // On a line there is nothing to shorten, and where there is a way round both lines mostly are free.
    if (space.euclideanScale && space.dimension > 1) expect(shorter).toBeGreaterThan(1);
  });

  test('trees of thousands of nodes that never meet', () => {
    // A coordinate that does not wrap is cut in two.
    const axis = space.coordinates!.period.indexOf(0);
    const { [axis]: low } = space.coordinates!.lower;
    const { [axis]: high } = space.coordinates!.upper;
    const wall = low + 0.61 * (high - low);
    const checker = { isValid: (q: Float64Array) => Math.abs(q[axis] - wall) > 0.02 * (high - low) };
    const random = createRandom(4);
    const draw = (isLow: boolean): Float64Array => {
      for (;;) {
        const q = space.sample(new Float64Array(space.dimension), random);
        if (checker.isValid(q) && q[axis] < wall === isLow) return q;
      }
    };
    const request = {
      space,
      checker,
      start: draw(true),
      goals: [draw(false)],
      range: diameter / 40,
      resolution: diameter / 200,
      maxIterations: 2500,
      allowPartial: true,
    };
    const search = createRrtConnect(request);
    while (!search.step(333));
    expect(search.progress.startNodes + search.progress.goalNodes).toBeGreaterThan(1000);
    expect(search.result()).toEqual(planRrtConnect({ ...request, engine: 'script' }));
  });

  test('nearest nodes are those of a scan, also after removals', () => {
    const coordinates = space.coordinates!;
    const never = { isMotionValid: () => true };
    const motion = { grow: never, last: null, isOver: () => false };
    const block = new SearchBlock(space.dimension, { coordinates, sampler: 'random', seed: 3, motion });
    const random = createRandom(9);
    const states: Float64Array[] = [];
    const removed = new Set<number>();
    block.use(() => {
      const { functions } = block.engine;
      functions.startTrees();
      const at = block.array(layout.A_SAMPLE);
      for (let i = 0; i < 1200; i++) {
        // Now and then the same state again, and states in a row.
        const q = i % 11 === 5 ? states[i >> 1].slice() : space.sample(new Float64Array(space.dimension), random);
        if (i % 7 === 3) space.interpolate(q, states[i - 1], q, 0.05);
        states.push(q);
        block.writeState(at, q);
        functions.addState(0, at, i - 1);
        if (i % 13 === 12) {
          removed.add(i - 3);
          functions.remove(0, i - 3);
        }
        if (i % 5 !== 0) continue;
        const query = i % 10 === 0 ? q : space.sample(new Float64Array(space.dimension), random);
        block.writeState(at, query);
        const found = functions.nearestTo(0, at);
        let best = Infinity;
        let node = -1;
        const { euclideanScale: scale } = space;
        states.forEach((state, k) => {
          if (removed.has(k)) return;
          let d = 0;
          if (scale) for (let c = 0; c < scale.length; c++) d += (state[c] * scale[c] - query[c] * scale[c]) ** 2;
          else d = space.distance(state, query);
          if (d < best) {
            best = d;
            node = k;
          }
        });
        expect(found, `after ${i}`).toBe(node);
      }
    });
    block.dispose();
  });

  test('the kernel draws what the space draws', () => {
    const coordinates = space.coordinates!;
    const motion = { grow: { isMotionValid: () => true }, last: null, isOver: () => false };
    for (const sampler of ['random', 'halton'] as const) {
      const block = new SearchBlock(space.dimension, { coordinates, sampler, seed: 7, motion });
      const random = sampler === 'halton' ? createHalton(space.dimension, 7) : createRandom(7);
      block.use(() => {
        const at = block.array(layout.A_SAMPLE);
        for (let i = 0; i < 2000; i++) {
          block.engine.functions.draw(at);
          const expected = space.sample(new Float64Array(space.dimension), random);
          if (i % 37 === 0) expect(block.readState(at)).toEqual(expected);
        }
      });
      block.dispose();
    }
  });
});

test('a locked coordinate takes no draw', () => {
  const { model } = buildModel({
    name: 'locked',
    links: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    joints: [0, 1, 2].map((i) => ({
      name: `j${i}`,
      type: 'revolute' as const,
      parent: 'abc'[i],
      child: 'bcd'[i],
      origin: createTransform(),
      axis: [0, 0, 1] as const,
      limits: i === 1 ? { lower: 0.25, upper: 0.25 } : { lower: -1, upper: 1 },
    })),
  });
  const space = createConfigurationSpace(model);
  const checker = { isValid: (q: Float64Array) => Math.hypot(q[0], q[2]) > 0.3 };
  for (const sampler of ['random', 'halton'] as const) {
    const request = {
      space,
      checker,
      start: Float64Array.of(-0.8, 0.25, 0),
      goals: [Float64Array.of(0.8, 0.25, 0)],
      sampler,
      range: 0.2,
    };
    const result = planRrtConnect(request);
    expect(result.status).toBe('solved');
    expect(result).toEqual(planRrtConnect({ ...request, engine: 'script' }));
  }
});

test('a checker that plans itself does not disturb the search that asks it', () => {
  const space = cube(2);
  const inner = {
    space,
    checker: blobs(space, 3, 6, 1.5),
    start: Float64Array.of(0.1, 0.1),
    goals: [Float64Array.of(9.9, 9.9)],
  };
  let calls = 0;
  const plain = blobs(space, 5, 8, 1.4);
  const nested: ValidityChecker = {
    isValid: (q) => {
      if (++calls % 50 === 0) planRrtConnect({ ...inner, seed: calls });
      return plain.isValid(q);
    },
  };
  const request = {
    space,
    start: drawValid(space, plain, 1),
    goals: [drawValid(space, plain, 2)],
    range: 0.5,
    seed: 6,
  };
  expect(planRrtConnect({ ...request, checker: nested })).toEqual(planRrtConnect({ ...request, checker: plain }));
  expect(calls).toBeGreaterThan(50);
});

test('memory is used again', () => {
  const space = cube(3);
  const checker = blobs(space, 2, 12, 2.2);
  const request = {
    space,
    checker,
    start: drawValid(space, checker, 1),
    goals: [drawValid(space, checker, 2)],
    range: 0.5,
  };
  planRrtConnect(request);
  const motion = { grow: { isMotionValid: () => true }, last: null, isOver: () => false };
  const probe = new SearchBlock(3, { coordinates: space.coordinates!, sampler: 'random', seed: 1, motion });
  const bytes = probe.engine.memory.buffer.byteLength;
  probe.dispose();
  for (let seed = 1; seed < 200; seed++) planRrtConnect({ ...request, seed: 1 });
  expect(probe.engine.memory.buffer.byteLength).toBe(bytes);
});
