/**
 * What every sampling planner promises, over the planners of the registry and their variants: a point in the plane among walls. A
 * new planner is a row of `rows`.
 */
import { describe, expect, test } from 'vitest';
import type { Random } from '../../src/math/random.js';
import { isMotionValid } from '../../src/planning/motion.js';
import { pathLength } from '../../src/planning/path.js';
import { createPlanSearch, type PlanPathRequest, planPath } from '../../src/planning/plan-path.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { listPlanners, registerPlanner } from '../../src/planning/registry.js';
import { createRrtConnect, planRrtConnect } from '../../src/planning/rrt-connect.js';
import { createGoalBiasedSampler } from '../../src/planning/sampler.js';
import type { PlanResult, ValidityChecker } from '../../src/planning/types.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const plane = createRealVectorSpace({ lower: [0, 0], upper: [10, 10] });

type Wall = readonly [minX: number, minY: number, maxX: number, maxY: number, name: string];

function world(walls: readonly Wall[]): ValidityChecker & { calls: number } {
  const hit = (q: Float64Array): Wall | undefined =>
    walls.find(([x0, y0, x1, y1]) => q[0] >= x0 && q[0] <= x1 && q[1] >= y0 && q[1] <= y1);
  return {
    calls: 0,
    isValid(q) {
      this.calls++;
      return hit(q) === undefined;
    },
    explain: (q) => `tool touches ${hit(q)?.[4]}`,
  };
}

/** Two walls that force an S. */
const maze: Wall[] = [
  [3, 0, 3.5, 8.5, 'left wall'],
  [6, 1.5, 6.5, 10, 'right wall'],
];
const start = f(1, 1);
const goal = f(9, 9);
/** The goal sits in a closed ring. */
const sealed: Wall[] = [
  [8, 8, 10, 8.2, 'ring'],
  [8, 8, 8.2, 10, 'ring'],
];

const rows: [planner: string, variant: string, settings: Record<string, unknown>][] = [
  ['rrt-connect', 'defaults', {}],
  ['rrt-connect', 'loop in TypeScript', { engine: 'script' }],
  ['rrt-connect', 'Halton', { sampler: 'halton' }],
  ['rrt-connect', 'dynamic domain', { dynamicDomain: { radius: 2, minRadius: 0.5, alpha: 0.01 } }],
  ['rrt-connect', 'unbalanced trees', { balance: false }],
  ['rrt-connect', 'a sampler of the user', { sampler: createGoalBiasedSampler(plane, [goal], 0.1) }],
  ['rrt', 'defaults', {}],
  ['rrt', 'short steps, few goals', { range: 0.6, goalBias: 0.01 }],
  ['rrt-star', 'a few rounds', { rounds: 4 }],
  ['rrt-star', 'long steps', { rounds: 2, range: 2 }],
  ['prm', 'defaults', {}],
  ['prm', 'lazy', { lazy: true }],
  ['prm', 'Halton', { sampler: 'halton' }],
  ['lazy-prm', 'defaults', {}],
  ['bridge-prm', 'defaults', {}],
  ['bridge-prm', 'wide bridges, lazy', { bridges: { scale: 2, share: 0.3 }, lazy: true }],
  ['experience', 'defaults', {}],
  ['experience', 'nothing is kept', { remember: false }],
  ['anytime-rrt-connect', 'defaults', {}],
  ['anytime-rrt-connect', 'few rounds', { rounds: 3 }],
  ['informed-prm', 'defaults', {}],
  ['informed-prm', 'small batches', { batches: 3, batchSize: 20 }],
  ['fcit-star', 'small batches', { rounds: 2, batchSize: 16 }],
];
const isAnytime = new Set(
  listPlanners()
    .filter((planner) => planner.isAnytime)
    .map(({ name }) => name),
);

test('every planner of the registry has a row', () => {
  expect(new Set(rows.map(([planner]) => planner))).toEqual(new Set(listPlanners().map(({ name }) => name)));
});

test('a planner of another folder is one by its name until it is taken out again', () => {
  const [{ create }] = listPlanners();
  const problem = { space: plane, checker: world([]), start, goals: [goal] };
  const remove = registerPlanner({
    name: 'borrowed',
    about: 'for a test',
    settings: ['range'],
    isAnytime: false,
    create,
  });
  expect(planPath({ ...problem, planner: 'borrowed', range: 2 }).planner).toBe('borrowed');
  expect(() => planPath({ ...problem, planner: 'borrowed', balance: true })).toThrow(/balance/);
  remove();
  expect(() => planPath({ ...problem, planner: 'borrowed' })).toThrow(/got "borrowed", expected auto, rrt-connect/);
  expect(() => registerPlanner({ name: 'Auto', about: '', settings: [], isAnytime: false, create })).toThrow(/name/);
  expect(planPath({ ...problem, planner: 'auto' }).planner).toBe('rrt-connect');
});

test('the call by name gives what the planner gives', () => {
  const request = { space: plane, checker: world(maze), start, goals: [goal], seed: 4 };
  const { planner, foundLength, ...plan } = planPath(request);
  expect(plan).toEqual(planRrtConnect(request));
  expect([planner, foundLength]).toEqual(['rrt-connect', plan.length]);
  const search = createRrtConnect(request);
  while (!search.step(50));
  expect(search.result()).toEqual(plan);
});

describe.each(rows)('%s, %s', (planner, _variant, settings) => {
  const options = { planner, ...settings };
  const plan = (request: Partial<PlanPathRequest> = {}): PlanResult =>
    planPath({ space: plane, checker: world(maze), start, goals: [goal], ...options, ...request });

  test('simplified: exact ends, shorter, valid at the finest resolution', () => {
    for (const seed of [1, 2, 3]) {
      const found = plan({ seed, resolution: 0.1 });
      const { path, length, status } = plan({ seed, resolution: 0.1, simplify: true });
      expect(status).toBe('solved');
      expect([path[0], path.at(-1)]).toEqual([start, goal]);
      // What is the shortest up to the density of the states may stay as it is.
      if (isAnytime.has(planner)) expect(length).toBeLessThanOrEqual(found.length);
      else expect(length).toBeLessThan(found.length);
      expect(length).toBe(pathLength(plane, path));
      for (let i = 1; i < path.length; i++)
        expect(isMotionValid(plane, world(maze), path[i - 1], path[i], 0.025)).toBe(true);
    }
    expect(plan({ simplify: true, seed: 9 })).toEqual(plan({ simplify: true, seed: 9 }));
  });

  test('finds a way: exact ends, valid motions at the promised resolution, true length', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const resolution = 0.1;
      const { status, path, length, iterations, checks } = plan({ seed, resolution });
      expect(status).toBe('solved');
      expect(path[0]).toEqual(start);
      expect(path[path.length - 1]).toEqual(goal);
      const checker = world(maze);
      for (let i = 1; i < path.length; i++)
        expect(isMotionValid(plane, checker, path[i - 1], path[i], resolution / 4)).toBe(true);
      expect(length).toBe(pathLength(plane, path));
      expect(length).toBeGreaterThan(20);
      expect(iterations).toBeGreaterThan(0);
      expect(checks).toBeGreaterThan(iterations);
    }
  });

  test('the same seed gives the same bits, another seed another path', () => {
    expect(plan({ seed: 11 })).toEqual(plan({ seed: 11 }));
    expect(plan({ seed: 11 }).path).not.toEqual(plan({ seed: 12 }).path);
  });

  test('slices of any size give the same answer as one go', () => {
    const {
      planner: _,
      foundLength: __,
      ...whole
    } = planPath({ space: plane, checker: world(maze), start, goals: [goal], ...options, seed: 5 });
    for (const slice of [1, 7, 1000]) {
      const search = createPlanSearch({
        space: plane,
        checker: world(maze),
        start,
        goals: [goal],
        ...options,
        seed: 5,
      });
      while (!search.step(slice)) {
        const { status, path } = search.result();
        expect(status).toBe(isAnytime.has(planner) && path.length > 0 ? 'solved' : 'timeout');
      }
      expect(search.result()).toEqual(whole);
      expect(search.step(slice)).toBe(true);
    }
  });

  test('two searches stepped in turns do not disturb each other', () => {
    const create = (seed: number) =>
      createPlanSearch({ space: plane, checker: world(maze), start, goals: [goal], ...options, seed });
    const a = create(1);
    const b = create(2);
    while (!a.done || !b.done) {
      a.step(1);
      b.step(1);
    }
    expect(plan({ seed: 1 })).toMatchObject(a.result());
    expect(plan({ seed: 2 })).toMatchObject(b.result());
  });

  test('a straight line is found without searching', () => {
    const result = plan({ checker: world([]) });
    expect(result.status).toBe('solved');
    expect(result.path).toEqual([start, goal]);
    expect(result.iterations).toBe(0);
    expect(plan({ goals: [start] })).toMatchObject({ status: 'solved', length: 0 });
  });

  test('counts every call of the checker', () => {
    const checker = world(maze);
    const { checks } = plan({ checker });
    expect(checks).toBe(checker.calls);
  });

  test('a bad start or goal is named, with what it touches', () => {
    expect(plan({ start: f(3.2, 1) })).toMatchObject({
      status: 'invalid-start',
      reason: 'the start is in collision: tool touches left wall',
      path: [],
      iterations: 0,
    });
    expect(plan({ start: f(-1, 1) })).toMatchObject({
      status: 'invalid-start',
      reason: 'the start is out of bounds: coordinate 0 is -1, limits are 0 to 10',
    });
    expect(plan({ start: f(Number.NaN, 1) }).status).toBe('invalid-start');
    expect(plan({ start: f(1) }).status).toBe('invalid-start');
    expect(plan({ goals: [f(6.2, 5)] })).toMatchObject({
      status: 'invalid-goal',
      reason: 'the goal is in collision: tool touches right wall',
    });
    expect(plan({ goals: [f(6.2, 5), f(11, 0)] }).reason).toMatch(/^goal 0 is in collision.*; goal 1 is out of bounds/);
    expect(plan({ goals: [] })).toMatchObject({ status: 'invalid-goal', reason: 'no goal was given' });
  });

  test('any goal will do; invalid ones among valid ones are passed over', () => {
    const goals = [f(6.2, 5), goal, f(9, 1)];
    const { status, path } = plan({ goals });
    expect(status).toBe('solved');
    expect(goals.slice(1)).toContainEqual(path[path.length - 1]);
  });

  test('a region gives goals; one that gives none is said', () => {
    const isIn = (q: Float64Array): boolean => Math.abs(q[0] - 9) <= 0.7 && Math.abs(q[1] - 8) <= 1;
    const region = {
      about: 'a corner',
      contains: isIn,
      draw: (out: Float64Array, random: Random) => {
        out[0] = random.uniform(8.3, 9.7);
        out[1] = random.uniform(7, 9);
        return random.next() < 0.8;
      },
    };
    const { status, path } = plan({ goals: [], goalRegion: region });
    expect(status).toBe('solved');
    expect(isIn(path[path.length - 1])).toBe(true);
    expect(plan({ goals: [], goalRegion: region })).toEqual(plan({ goals: [], goalRegion: region }));
    expect(plan({ goals: [], goalRegion: region, seed: 8 }).path.at(-1)).not.toEqual(path.at(-1));
    expect(plan({ goals: [f(11, 0)], goalRegion: { ...region, draw: () => false } })).toMatchObject({
      status: 'invalid-goal',
      reason: expect.stringMatching(/out of bounds.*; no valid state came of 200 draws of the goal region, a corner$/),
    });
    expect(() => plan({ goalRegion: {} as never })).toThrow(/goalRegion/);
  });

  test('a sealed goal: `limit` at the iteration limit, and nothing that looks like a path', () => {
    const result = plan({ checker: world([...maze, ...sealed]), maxIterations: 300 });
    expect(result).toMatchObject({ status: 'limit', path: [], length: 0, iterations: 300 });
    expect(result.reason).toBe('no path within 300 iterations, which does not prove that there is none');
  });

  test('a partial path, when asked for, starts at the start and is valid', () => {
    const checker = world([...maze, ...sealed]);
    const { status, path } = plan({ checker, maxIterations: 600, allowPartial: true });
    expect(status).toBe('approximate');
    expect(path[0]).toEqual(start);
    const end = path[path.length - 1];
    expect(plane.distance(end, goal)).toBeLessThan(plane.distance(start, goal));
    for (let i = 1; i < path.length; i++)
      expect(isMotionValid(plane, checker, path[i - 1], path[i], 1 / 32)).toBe(true);
  });

  test('a timeout by the clock given ends the search, and only ends it', () => {
    const checker = world([...maze, ...sealed]);
    let time = 0;
    const result = plan({ checker, timeoutMs: 900, clock: () => time++, allowPartial: true });
    expect(result.status).toBe('timeout');
    // The clock is looked at before every check.
    expect(result.iterations).toBeGreaterThan(1);
    expect(result.iterations).toBeLessThanOrEqual(900);
    expect(result.path[0]).toEqual(start);
    // What whole iterations had found by then is kept.
    const before = plan({ checker, maxIterations: result.iterations - 1, allowPartial: true });
    const left = ({ path }: PlanResult): number => plane.distance(path.at(-1) ?? start, goal);
    expect(left(result)).toBeLessThanOrEqual(left(before));
    const solved = plan({ seed: 3 });
    expect(plan({ seed: 3, timeoutMs: 1e9, clock: () => time++ })).toEqual(solved);
    expect(() => plan({ timeoutMs: 1 })).toThrow(/clock/);
  });

  test('long motions end the search within one of them', () => {
    let time = 0;
    // Every motion takes a second of the clock.
    const motion = {
      isMotionValid: () => {
        time += 1000;
        return false;
      },
    };
    const result = plan({ checker: world(maze), motion, timeoutMs: 10, clock: () => time });
    expect(result).toMatchObject({ status: 'timeout', path: [] });
    expect(result.iterations).toBeLessThanOrEqual(1);
    expect(time).toBe(1000);
    // A validator that can be stopped is.
    time = 0;
    const patient = {
      isMotionValid: (_a: Float64Array, _b: Float64Array, shouldStop?: () => boolean) => {
        for (let k = 0; k < 1000 && !shouldStop?.(); k++) time++;
        return false;
      },
    };
    expect(plan({ checker: world(maze), motion: patient, timeoutMs: 10, clock: () => time }).status).toBe('timeout');
    expect(time).toBe(10);
  });

  test('says what its checkers rest on', () => {
    expect(plan({})).toMatchObject({ complete: true, assumed: [] });
    const checker = { ...world([]), complete: false, assumed: ['dropped: link "arm": no mesh'] };
    const motion = { isMotionValid: () => true, assumed: ['dropped: link "arm": no mesh', 'guessed: metres'] };
    expect(plan({ checker, motion })).toMatchObject({
      complete: false,
      assumed: ['dropped: link "arm": no mesh', 'guessed: metres'],
    });
  });

  test('a stop from outside ends the search; progress is reported', () => {
    let asked = 0;
    const reports: number[] = [];
    const result = plan({
      checker: world(sealed),
      shouldStop: () => ++asked >= 100,
      onProgress: ({ iterations, startNodes, goalNodes, checks }) => {
        reports.push(iterations);
        expect(startNodes).toBeGreaterThan(0);
        expect(goalNodes).toBeGreaterThan(0);
        expect(checks).toBeGreaterThan(0);
      },
      progressInterval: 30,
    });
    expect(result).toMatchObject({ status: 'timeout', path: [], iterations: 100 });
    expect(reports).toEqual([30, 60, 90]);
  });

  test('a wall thinner than the resolution does not end up in the path', () => {
    const thin: Wall[] = [
      [5, 0, 5.03, 9, 'foil'],
      [7, 1, 7.03, 10, 'foil'],
    ];
    for (const seed of [1, 2]) {
      const { status, path } = plan({ checker: world(thin), seed, resolution: 0.08, verifyResolution: 0.01 });
      expect(status).toBe('solved');
      const checker = world(thin);
      for (let i = 1; i < path.length; i++)
        expect(isMotionValid(plane, checker, path[i - 1], path[i], 0.01)).toBe(true);
    }
  });

  test('misuse throws', () => {
    expect(() => plan({ resolution: 0 })).toThrow(/resolution/);
    expect(() => plan({ range: -1 })).toThrow(/range/);
    expect(() => plan({ maxIterations: Number.NaN })).toThrow(/maxIterations/);
  });
});
