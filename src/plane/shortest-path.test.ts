import { describe, expect, it } from 'vitest';
import { createConfigurationPieces } from './configuration-pieces.js';
import type { HomogeneousPoint } from './dyadic.js';
import { createExactPoint } from './exact-point.js';
import { forbidsPoint, forbidsSegment, type Piece } from './pieces.js';
import { randomScene, type SceneChoice, seedsOf } from './random-scenes.test-support.js';
import { findShortestPath } from './shortest-path.js';

/** a / b as a number pair that compares exactly, b > 0. */
type Fraction = readonly [bigint, bigint];
const less = (a: Fraction, b: Fraction) => a[0] * b[1] < b[0] * a[1];

/** Whether an open convex piece meets a segment: the part of it on the left of every side, by fractions. */
function entersByFractions(corners: readonly HomogeneousPoint[], p: HomogeneousPoint, q: HomogeneousPoint): boolean {
  let low: Fraction = [0n, 1n];
  let high: Fraction = [1n, 1n];
  let isWholeInside = true;
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length];
    const nx = -(b.y * a.w - a.y * b.w);
    const ny = b.x * a.w - a.x * b.w;
    // Distance of a point from the side, times a positive number that is the same for both ends.
    const height = (r: HomogeneousPoint) => nx * (r.x * a.w - a.x * r.w) + ny * (r.y * a.w - a.y * r.w);
    const u = height(p) * q.w;
    const v = height(q) * p.w;
    if (u <= 0n && v <= 0n) return false;
    if (u <= 0n) {
      const t: Fraction = [-u, v - u];
      if (less(low, t)) low = t;
      isWholeInside = false;
    } else if (v <= 0n) {
      const t: Fraction = [u, u - v];
      if (less(t, high)) high = t;
      isWholeInside = false;
    }
  }
  return isWholeInside || less(low, high);
}

/** The least length over all pairs of corners, by Dijkstra without a queue. */
function bruteForce(pieces: readonly Piece[], ends: readonly HomogeneousPoint[]): number {
  const shapes = pieces.map(({ corners }) => corners.map((corner) => corner.homogeneous));
  const nodes = [...ends, ...shapes.flat()];
  const place = nodes.map(({ x, y, w }) => [Number(x) / Number(w), Number(y) / Number(w)]);
  const cost = nodes.map((_, i) => (i === 0 ? 0 : Infinity));
  const isDone = nodes.map(() => false);
  for (;;) {
    let n = -1;
    for (let i = 0; i < nodes.length; i++) if (!isDone[i] && cost[i] < Infinity && (n < 0 || cost[i] < cost[n])) n = i;
    if (n < 0) return Infinity;
    if (n === 1) return cost[1];
    isDone[n] = true;
    for (let m = 0; m < nodes.length; m++) {
      if (isDone[m]) continue;
      const c = cost[n] + Math.sqrt((place[n][0] - place[m][0]) ** 2 + (place[n][1] - place[m][1]) ** 2);
      if (c < cost[m] && !shapes.some((corners) => entersByFractions(corners, nodes[n], nodes[m]))) cost[m] = c;
    }
  }
}

const choices: SceneChoice[] = (['point', 'square', 'triangle', 'random'] as const).flatMap((body) =>
  [1, 0.1].map((unit) => ({ cells: 9, obstacles: 3, unit, touching: 'free' as const, body })),
);
/** 10,000 scenes in all with ORACLE_FULL=1. */
const seeds = seedsOf(12, 1250);

describe('shortest paths', () => {
  it.each(choices)('equal those over all pairs of corners by fractions: $body, unit $unit', (choice) => {
    let solved = 0;
    for (const seed of seeds) {
      const problem = randomScene(seed, choice);
      const { outer } = createConfigurationPieces(problem, 16);
      const start = createExactPoint(...problem.start);
      const goal = createExactPoint(...problem.goal);
      const isForbidden = outer.some((piece) => forbidsPoint(piece, start) || forbidsPoint(piece, goal));
      const dot = (p: HomogeneousPoint) =>
        outer.some(({ corners }) =>
          entersByFractions(
            corners.map((c) => c.homogeneous),
            p,
            p,
          ),
        );
      expect(dot(start.homogeneous) || dot(goal.homogeneous), `seed ${seed}`).toBe(isForbidden);
      if (isForbidden) continue;
      const found = findShortestPath(outer, problem.bounds, start, goal);
      const least = bruteForce(outer, [start.homogeneous, goal.homogeneous]);
      expect(found?.length ?? Infinity, `seed ${seed}`).toBeCloseTo(least, 9);
      if (found !== null) solved++;
    }
    expect(solved).toBeGreaterThan(0);
  });

  it('tests segments as fractions do', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const problem = randomScene(seed, { cells: 4, obstacles: 3, unit: 0.1, touching: 'free', body: 'triangle' });
      const { outer } = createConfigurationPieces(problem, 16);
      const corners = outer.flatMap((piece) => piece.corners);
      for (const piece of outer) {
        const shape = piece.corners.map((corner) => corner.homogeneous);
        for (const p of corners)
          for (const q of corners)
            if (forbidsSegment(piece, p, q) !== entersByFractions(shape, p.homogeneous, q.homogeneous))
              expect.fail(`seed ${seed}: ${p.x} ${p.y} to ${q.x} ${q.y}`);
      }
    }
  });
});
