/**
 * Few balls that cover samples and stick out of the shape by no more than a length.
 *
 * Method: a ball about c of radius e - d(c), d the signed distance, sticks out by at most e: its part beyond the inscribed ball about c is
 * a layer of thickness e. Of the candidates (points on the medial axis, found along normals of the surface, and of a lattice) the one that
 * covers most samples that are still bare is taken, until none is bare; the least e for which a number of balls suffices is
 * found by halving. Gains only shrink, so a candidate's last gain is an upper bound and few are counted again.
 * Source: V. Chvatal 1979, "A greedy heuristic for the set-covering problem", doi:10.1287/moor.4.3.233; G. Bradshaw, C. O'Sullivan
 * 2004, "Adaptive medial-axis approximation for sphere-tree construction", doi:10.1145/966131.966132; M. Minoux 1978, "Accelerated
 * greedy algorithms for maximizing submodular set functions", doi:10.1007/BFb0006528.
 * Frames: L link. Ties go to the first. Cost: candidates x samples per length tried. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import type { ShapeField } from './shape-field.js';

export interface Candidates {
  /** x, y, z, signed distance. */
  readonly centers: Float64Array;
  /** Distance of candidate i from sample j at i * samples + j. */
  readonly distances: Float32Array;
  /** The same, ascending per candidate: how many are below a radius is found by halving. */
  readonly sorted: Float32Array;
  readonly samples: number;
}

const HALVINGS = 9;
/** Distances are stored rounded; samples count as covered this much early. */
const ROUNDING = 1e-6;

export function createCandidates(centers: readonly number[], samples: readonly number[]): Candidates {
  const count = samples.length / 3;
  const distances = new Float32Array((centers.length / 4) * count);
  let at = 0;
  for (let i = 0; i < centers.length; i += 4)
    for (let j = 0; j < samples.length; j += 3)
      distances[at++] = Math.sqrt(
        (centers[i] - samples[j]) ** 2 +
          (centers[i + 1] - samples[j + 1]) ** 2 +
          (centers[i + 2] - samples[j + 2]) ** 2,
      );
  const sorted = distances.slice();
  for (let i = 0; i < sorted.length; i += count) sorted.subarray(i, i + count).sort();
  return { centers: Float64Array.from(centers), distances, sorted, samples: count };
}

/** Where the inward normals of surface points meet the medial axis: x, y, z, signed distance each. `reach`: longest distance. */
export function findMedialPoints(
  field: ShapeField,
  surface: readonly number[],
  normals: readonly number[],
  reach: number,
): number[] {
  const out: number[] = [];
  for (let i = 0; i < surface.length; i += 3) {
    let low = 0;
    let high = reach;
    let found: number[] | null = null;
    for (let step = 0; step < 9; step++) {
      const t = 0.5 * (low + high);
      const p = [0, 1, 2].map((k) => surface[i + k] - t * normals[i + k]);
      const d = field.distance(p[0], p[1], p[2]);
      if (d <= -0.98 * t) {
        low = t;
        found = [...p, d];
      } else high = t;
    }
    if (found) out.push(...found);
  }
  return out;
}

/** Candidates, by number, whose balls of excess `e` cover all samples; null where more than `most` would be needed. */
export function coverGreedily(candidates: Candidates, e: number, most: number): number[] | null {
  const { centers, distances, samples } = candidates;
  const count = centers.length / 4;
  // Samples that are bare, in no order.
  const bare = Int32Array.from({ length: samples }, (_, j) => j);
  let left = samples;
  const radii = new Float64Array(count);
  const gains = new Int32Array(count);
  const isFresh = new Uint8Array(count).fill(1);
  const reachOf = (c: number): number => radii[c] - ROUNDING * Math.abs(radii[c]);
  const countGain = (c: number): number => {
    const r = reachOf(c);
    let gain = 0;
    for (let n = 0, at = c * samples; n < left; n++) if (distances[at + bare[n]] <= r) gain++;
    return gain;
  };
  for (let c = 0; c < count; c++) {
    radii[c] = e - centers[4 * c + 3];
    gains[c] = radii[c] > 0 ? countBelow(candidates, c, reachOf(c)) : 0;
  }
  const chosen: number[] = [];
  while (left > 0) {
    if (chosen.length >= most) return null;
    let best = -1;
    for (;;) {
      best = 0;
      for (let c = 1; c < count; c++) if (gains[c] > gains[best]) best = c;
      if (isFresh[best] === 1) break;
      gains[best] = countGain(best);
      isFresh[best] = 1;
    }
    if (gains[best] <= 0) return null;
    chosen.push(best);
    const r = reachOf(best);
    for (let n = left - 1, at = best * samples; n >= 0; n--) if (distances[at + bare[n]] <= r) bare[n] = bare[--left];
    isFresh.fill(0);
  }
  return chosen;
}

/** How many samples lie within r of a candidate. */
function countBelow({ sorted, samples }: Candidates, c: number, r: number): number {
  let low = c * samples;
  let high = low + samples;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= r) low = middle + 1;
    else high = middle;
  }
  return low - c * samples;
}

export interface GreedyCover {
  /** x, y, z, radius each. */
  readonly balls: number[];
  readonly excess: number;
}

/** The least excess, to about one part in 2^9 of `highest`, at which at most `most` balls cover; null if not even the highest does. */
export function coverWithCount(candidates: Candidates, most: number, highest: number): GreedyCover | null {
  let low = 0;
  let high = highest;
  let best = coverGreedily(candidates, high, most);
  if (!best) return null;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = 0.5 * (low + high);
    const chosen = coverGreedily(candidates, middle, most);
    if (chosen) {
      best = chosen;
      high = middle;
    } else low = middle;
  }
  return toBalls(candidates, best, high);
}

export function toBalls({ centers }: Candidates, chosen: readonly number[], excess: number): GreedyCover {
  const balls: number[] = [];
  for (const c of chosen)
    balls.push(centers[4 * c], centers[4 * c + 1], centers[4 * c + 2], excess - centers[4 * c + 3]);
  return { balls, excess };
}

/** Every `step`-th of the entries of `width` numbers, so that about `count` are left. */
export function thin(values: ArrayLike<number>, width: number, count: number): number[] {
  const total = values.length / width;
  const out: number[] = [];
  const step = Math.max(1, total / count);
  for (let i = 0; i < total; i += step) for (let k = 0; k < width; k++) out.push(values[width * Math.floor(i) + k]);
  return out;
}

/** Largest distance of two corners of a box. */
export function diagonalOf(box: ArrayLike<number>): number {
  return hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}
