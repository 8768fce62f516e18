import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { isMotionValid } from './motion.js';
import { createClearanceObjective, pathCost } from './objective.js';
import { pathLength } from './path.js';
import { planPath } from './plan-path.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { createRoadmap, loadRoadmap, type Roadmap } from './roadmap.js';
import type { ValidityChecker } from './types.js';
import { WayFinder } from './way-finder.js';

const plane = createRealVectorSpace({ lower: [0, 0], upper: [10, 10] });
const f = (...values: number[]): Float64Array => Float64Array.from(values);

interface Disc {
  x: number;
  y: number;
  readonly radius: number;
}

function among(discs: readonly Disc[]): ValidityChecker & { calls: number } {
  return {
    calls: 0,
    isValid(q) {
      this.calls++;
      return discs.every(({ x, y, radius }) => (q[0] - x) ** 2 + (q[1] - y) ** 2 > radius * radius);
    },
  };
}

function expectFree(path: readonly Float64Array[], checker: ValidityChecker): void {
  for (let i = 1; i < path.length; i++) expect(isMotionValid(plane, checker, path[i - 1], path[i], 0.01)).toBe(true);
}

test('ways are the cheapest, as Bellman and Ford find them, also below a bound', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const finder = new WayFinder();
    const n = 40;
    const states = Array.from({ length: n }, () => plane.sample(f(0, 0), random));
    for (let i = 0; i < n; i++) finder.addNode();
    const edges: [number, number, number, boolean][] = [];
    for (let e = 0; e < 120; e++) {
      const [a, b] = [random.integer(n), random.integer(n)];
      if (a === b) continue;
      const cost = plane.distance(states[a], states[b]) * (1 + random.next());
      const isBlocked = random.next() < 0.2;
      const edge = finder.addEdge(a, b, cost);
      if (isBlocked) finder.know(edge, 2, Infinity);
      edges.push([a, b, cost, isBlocked]);
    }
    const goals = [3, 7];
    const lengths = new Array<number>(n).fill(Infinity);
    lengths[0] = 0;
    for (let round = 0; round < n; round++)
      for (const [a, b, cost, isBlocked] of edges) {
        if (isBlocked) continue;
        lengths[a] = Math.min(lengths[a], lengths[b] + cost);
        lengths[b] = Math.min(lengths[b], lengths[a] + cost);
      }
    const shortest = Math.min(...goals.map((goal) => lengths[goal]));
    const left = (node: number): number => Math.min(...goals.map((goal) => plane.distance(states[node], states[goal])));
    const way = finder.find(0, goals, left, Infinity);
    if (shortest === Infinity) expect(way).toBeNull();
    else {
      expect(way!.cost).toBeCloseTo(shortest, 12);
      expect(way!.nodes[0]).toBe(0);
      expect(goals).toContain(way!.nodes.at(-1));
      expect(finder.find(0, goals, left, shortest * (1 - 1e-9))).toBeNull();
      expect(finder.find(0, goals, left, shortest * (1 + 1e-9))).toEqual(way);
    }
    // What came last can go again.
    const [nodes, count] = [finder.nodeCount, finder.edgeCount];
    const extra = finder.addNode();
    for (const goal of goals) finder.addEdge(extra, goal, 0);
    finder.addEdge(0, extra, 0.001);
    expect(finder.find(0, goals, () => 0, Infinity)!.cost).toBe(0.001);
    finder.truncate(nodes, count);
    expect(finder.find(0, goals, left, Infinity)).toEqual(way);
  }
});

describe('a roadmap for many queries', () => {
  const build = (discs: readonly Disc[], lazy: boolean): Roadmap => {
    const roadmap = createRoadmap(plane);
    const random = createRandom(5);
    const checker = among(discs);
    for (let i = 0; i < 300; i++) {
      const q = plane.sample(f(0, 0), random);
      if (!checker.isValid(q)) continue;
      roadmap.add(q, lazy ? undefined : (a, b) => isMotionValid(plane, checker, a, b, 0.02));
    }
    return roadmap;
  };

  test.each([true, false])('serves them while an obstacle moves; every path is free (lazy: %s)', (lazy) => {
    const moving: Disc = { x: 2, y: 5, radius: 1 };
    const discs: Disc[] = [{ x: 5, y: 5, radius: 1.5 }, { x: 5, y: 9, radius: 1 }, moving];
    const roadmap = build(discs.slice(0, 2), lazy);
    const size = roadmap.size;
    const random = createRandom(6);
    let solved = 0;
    for (let query = 0; query < 60; query++) {
      moving.x = 1 + 8 * random.next();
      moving.y = 1 + 8 * random.next();
      roadmap.forget();
      const checker = among(discs);
      const [start, goal] = [plane.sample(f(0, 0), random), plane.sample(f(0, 0), random)];
      const request = {
        planner: 'prm',
        space: plane,
        checker,
        start,
        goals: [goal],
        roadmap,
        lazy: true,
        resolution: 0.04,
      };
      const result = planPath(request);
      if (result.status !== 'solved') {
        expect(result.status).toMatch(/^invalid/);
        continue;
      }
      solved++;
      expect([result.path[0], result.path.at(-1)]).toEqual([start, goal]);
      expect(result.checks).toBe(checker.calls);
      expectFree(result.path, among(discs));
    }
    expect(solved).toBeGreaterThan(40);
    // The roadmap was dense enough: nothing, or little, had to be added.
    expect(roadmap.size).toBeLessThan(size + 40);
  });

  test('saved and loaded it answers the same; data of other spaces and altered data are refused', () => {
    const discs: Disc[] = [{ x: 5, y: 5, radius: 2 }];
    const roadmap = build(discs, false);
    const data = structuredClone(roadmap.save());
    const loaded = loadRoadmap(plane, data);
    expect([loaded.size, loaded.edgeCount]).toEqual([roadmap.size, roadmap.edgeCount]);
    const request = { planner: 'prm', space: plane, checker: among(discs), start: f(1, 1), goals: [f(9, 9)] };
    const result = planPath({ ...request, roadmap: loaded });
    expect(result).toMatchObject({ status: 'solved', iterations: 0 });
    expect(planPath({ ...request, roadmap }).path).toEqual(result.path);
    expect(loaded.save()).toEqual(roadmap.save());
    expect(() => loadRoadmap(createRealVectorSpace({ lower: [0], upper: [1] }), data)).toThrow(/states of 1 numbers/);
    expect(() => loadRoadmap(plane, { ...data, version: 2 as 1 })).toThrow(/version 1/);
    expect(() => loadRoadmap(plane, { ...data, edges: data.edges.map(() => 1e6) })).toThrow(/below/);
    expect(() => loadRoadmap(plane, { ...data, states: data.states.map(() => Number.NaN) })).toThrow(/finite/);
    expect(() => loadRoadmap(plane, { ...data, known: data.known.map(() => 3) })).toThrow(/known/);
  });

  test('what is known of motions from the same ends is not asked again', () => {
    const discs: Disc[] = [{ x: 5, y: 5, radius: 2 }];
    const roadmap = build(discs, true);
    let asked = 0;
    const isFree = (a: Float64Array, b: Float64Array): boolean => {
      asked++;
      return isMotionValid(plane, among(discs), a, b, 0.02);
    };
    roadmap.open(f(1, 1), [f(9, 9)]);
    const way = roadmap.findWay(isFree)!;
    expect(asked).toBeGreaterThan(2);
    const before = asked;
    roadmap.open(f(1, 1), [f(9, 9)]);
    expect(roadmap.findWay(isFree)!.path).toEqual(way.path);
    expect(asked).toBe(before);
    expect(roadmap.partialWay().at(-1)).toEqual(f(9, 9));
    roadmap.forget();
    roadmap.open(f(1, 1), [f(9, 9)]);
    roadmap.findWay(isFree);
    expect(asked).toBeGreaterThan(before);
  });
});

describe('informed planning', () => {
  const disc: Disc = { x: 5, y: 5, radius: 2 };
  const start = f(1, 5);
  const goal = f(9, 5);
  /** Two tangents and the arc between them. */
  const touch = Math.acos(disc.radius / 4);
  const shortest = 2 * Math.sqrt(16 - disc.radius ** 2) + disc.radius * (Math.PI - 2 * touch);

  test('tends to the shortest path, and never gets worse', () => {
    const lengths = [1, 4, 16].map((batches) => {
      const request = { planner: 'informed-prm', space: plane, checker: among([disc]), start, goals: [goal], batches };
      const { path, length } = planPath({ ...request, batchSize: 100, seed: 3 });
      expectFree(path, among([disc]));
      expect(length).toBe(pathLength(plane, path));
      return length;
    });
    expect(lengths[1]).toBeLessThanOrEqual(lengths[0]);
    expect(lengths[2]).toBeLessThanOrEqual(lengths[1]);
    expect(lengths[2]).toBeGreaterThanOrEqual(shortest - 1e-9);
    expect(lengths[2]).toBeLessThan(1.01 * shortest);
  });

  test('keeps away where clearance is what costs', () => {
    const objective = createClearanceObjective(plane, {
      clearance: (q) => Math.hypot(q[0] - disc.x, q[1] - disc.y) - disc.radius,
      margin: 1,
      factor: 20,
    });
    const request = { planner: 'informed-prm', space: plane, checker: among([disc]), start, goals: [goal], seed: 2 };
    const near = planPath({ ...request, batches: 10 });
    const far = planPath({ ...request, batches: 10, objective });
    const gap = (path: readonly Float64Array[]): number => {
      let least = Infinity;
      const q = f(0, 0);
      for (let i = 1; i < path.length; i++)
        for (let k = 0; k <= 100; k++) {
          plane.interpolate(q, path[i - 1], path[i], k / 100);
          least = Math.min(least, Math.hypot(q[0] - disc.x, q[1] - disc.y) - disc.radius);
        }
      return least;
    };
    expect(gap(near.path)).toBeLessThan(0.2);
    expect(gap(far.path)).toBeGreaterThan(0.5);
    expect(pathCost(plane, objective, far.path)).toBeLessThan(pathCost(plane, objective, near.path));
  });
});

test('a roadmap that goes on draws other states than those that it has', () => {
  const roadmap = createRoadmap(plane);
  // A wall from side to side.
  const checker = { isValid: (q: Float64Array) => Math.abs(q[0] - 5) > 0.3 };
  for (let i = 0; i < 4; i++)
    planPath({
      ...{ space: plane, checker, planner: 'lazy-prm', roadmap, seed: 1, maxIterations: 40 },
      ...{ start: f(1, 5), goals: [f(9, 5)] },
    });
  const seen = new Set(Array.from({ length: roadmap.size }, (_, node) => roadmap.read(node).join()));
  expect(roadmap.size).toBeGreaterThan(100);
  expect(seen.size).toBe(roadmap.size);
});

test('earlier paths answer queries among them without a search, and never a path that a moved disc blocks', () => {
  const still: Disc[] = [
    { x: 3, y: 5, radius: 1.5 },
    { x: 7, y: 4, radius: 1.5 },
  ];
  const mover = { x: 5, y: 5, radius: 0.8 };
  const standing = among(still);
  const all = among([...still, mover]);
  const resolution = 0.02;
  const motionOf = (checker: ValidityChecker) => ({
    isExact: true,
    isMotionValid: (a: Float64Array, b: Float64Array) => isMotionValid(plane, checker, a, b, resolution),
  });
  const roadmap = createRoadmap(plane);
  const random = createRandom(4);
  const stations = [f(1, 1), f(9, 1), f(1, 9), f(9, 9), f(5, 1), f(5, 9)];
  let recalled = 0;
  let searched = 0;
  for (let i = 0; i < 200; i++) {
    [mover.x, mover.y] = [random.uniform(2, 8), random.uniform(2, 8)];
    roadmap.forgetMoved();
    const start = stations[random.integer(6)];
    const goal = stations[random.integer(6)];
    const { status, path, iterations } = planPath({
      ...{ space: plane, checker: all, planner: 'experience', roadmap, seed: i + 1, resolution },
      ...{ start, goals: [goal], motion: motionOf(all), still: motionOf(standing), moving: motionOf(among([mover])) },
    });
    expect(status).toBe('solved');
    expectFree(path, all);
    expect([...path[0]]).toEqual([...start]);
    expect([...path[path.length - 1]]).toEqual([...goal]);
    if (iterations === 0) recalled++;
    else searched++;
  }
  expect(recalled).toBeGreaterThan(4 * searched);
  expect(searched).toBeGreaterThan(1);
});
