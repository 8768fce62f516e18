/**
 * Which plane to cut a piece by: a look over many parallel planes at once, then a look ahead from the best of them.
 *
 * Method: 1. directions: the axes, and normals of faces at concave edges (piece-edges.ts); offsets: even steps, and those faces' own planes;
 * 2. all are ranked by the excess of the two hulls over the solid (plane-sweep.ts), a side that is convex enough counting as none; 3. between
 * the neighbours of the best of a direction once more, finer; 4. the best few are carried out, and each is judged by the best next cut of
 * its sides.
 * Source: Wei, Liu, Ling, Su 2022, section 4 (looking ahead; there by Monte Carlo tree search along the axes),
 * doi:10.1145/3528223.3530103. Deterministic. Cost: some microseconds per corner and direction, times the number of cuts looked ahead from.
 * Checked by convex-decomposition.test.ts.
 */
import type { Plane } from '../polygon-soup.js';
import { type SweepSubject, sweepPlanes } from './plane-sweep.js';

export interface CutSettings {
  /** Even steps of offsets. */
  readonly steps: number;
  readonly ahead: number;
  /** Directions of faces that are tried, besides the axes. */
  readonly directions: number;
  /** Best directions that are looked at once more. */
  readonly refined: number;
  /** Excess of volume of a side below which it needs no more cuts. */
  readonly enough: number;
}

export interface RankedPlane {
  readonly plane: Plane;
  /** What is left to cut away after it: lower is better. */
  readonly score: number;
}

export const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
export const SAME_DIRECTION = 1 - 1e-6;
/** Of the extent: the least that a plane must leave on either side, and offsets nearer than this are one. */
const LEAST_SIDE = 1e-3;
const FINE_STEPS = 6;

/** Planes by score, best first. */
export function rankPlanes(subject: SweepSubject, settings: CutSettings): RankedPlane[] {
  const { features } = subject.edges;
  const directions: number[][] = AXES.map((axis) => [...axis]);
  const special: number[][] = directions.map(() => []);
  for (const [x, y, z, offset] of features) {
    let at = directions.findIndex((d) => Math.abs(d[0] * x + d[1] * y + d[2] * z) > SAME_DIRECTION);
    if (at < 0 && directions.length >= AXES.length + settings.directions) continue;
    if (at < 0) {
      at = directions.push([x, y, z]) - 1;
      special.push([]);
    }
    const d = directions[at];
    special[at].push(d[0] * x + d[1] * y + d[2] * z < 0 ? -offset : offset);
  }
  const ranked: RankedPlane[] = [];
  const best: { score: number; refine: () => RankedPlane[] }[] = [];
  directions.forEach((direction, i) => {
    const [low, high] = rangeAlong(subject, direction);
    const step = (high - low) / settings.steps;
    const even = Array.from({ length: settings.steps - 1 }, (_, k) => low + (k + 1) * step);
    const found = rankAlong(subject, settings, direction, [...special[i], ...even], low, high);
    ranked.push(...found);
    if (found.length === 0) return;
    const { score, plane } = found.reduce((a, b) => (b.score < a.score ? b : a));
    const fine: number[] = [];
    for (let k = 1; k < FINE_STEPS; k++) fine.push(plane[3] + ((2 * k) / FINE_STEPS - 1) * step);
    best.push({ score, refine: () => rankAlong(subject, settings, direction, fine, low, high) });
  });
  best.sort((a, b) => a.score - b.score);
  for (const { refine } of best.slice(0, settings.refined)) ranked.push(...refine());
  return ranked.sort((a, b) => a.score - b.score);
}

function rangeAlong({ piece: { vertices }, inner }: SweepSubject, d: readonly number[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const points of [vertices, inner])
    for (let i = 0; i < points.length; i += 3) {
      const h = d[0] * points[i] + d[1] * points[i + 1] + d[2] * points[i + 2];
      if (h < low) low = h;
      if (h > high) high = h;
    }
  return [low, high];
}

function rankAlong(
  subject: SweepSubject,
  { enough }: CutSettings,
  direction: readonly number[],
  candidates: readonly number[],
  low: number,
  high: number,
): RankedPlane[] {
  const { extent, volume } = subject;
  const margin = LEAST_SIDE * extent;
  // Faces' own offsets come first and stay where an even one is near.
  const chosen: number[] = [];
  for (const offset of candidates)
    if (offset > low + margin && offset < high - margin && chosen.every((x) => Math.abs(x - offset) > margin))
      chosen.push(offset);
  if (chosen.length === 0) return [];
  const offsets = Float64Array.from(chosen).sort();
  const { solidBelow, hullBelow, hullAbove } = sweepPlanes(subject, direction, offsets);
  const out: RankedPlane[] = [];
  for (let o = 0; o < offsets.length; o++) {
    const below = Math.max(0, hullBelow[o] - solidBelow[o]);
    const above = Math.max(0, hullAbove[o] - (volume - solidBelow[o]));
    out.push({
      plane: [direction[0], direction[1], direction[2], offsets[o]],
      score: judge(below, enough) + judge(above, enough),
    });
  }
  return out;
}

/** Excess of a side as it counts: what is convex enough counts little. */
export function judge(excess: number, enough: number): number {
  return excess > enough ? excess : 0.25 * excess;
}
