/** The push-out of an overlap against sampled directions: a reference that knows nothing of how the push-out is found. */
import { expect } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { copyTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import type { Collider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { samplePose } from '../sample-shapes.js';

const DIRECTIONS = 500;
const STEPS = 60;

function moveAlong(X: Transform, n: ArrayLike<number>, by: number): Transform {
  const out = copyTransform(new Float64Array(12), X);
  for (let k = 0; k < 3; k++) out[9 + k] += by * n[k];
  return out;
}

/**
 * Length of the shortest separating translation among sampled directions, below `limit`: each is walked in small steps until
 * the verdict of collide says free, and the last step halved.
 */
function sampleBest(a: Collider, X: Transform, b: Collider, Y: Transform, limit: number, random: Random): number {
  let best = limit;
  for (let i = 0; i < DIRECTIONS; i++) {
    const d = [random.normal(), random.normal(), random.normal()];
    const norm = Math.hypot(...d);
    const u = d.map((x) => x / norm);
    let last = 0;
    for (let step = 1; step <= STEPS; step++) {
      const s = (best * step) / STEPS;
      if (collide(a, X, b, moveAlong(Y, u, s))) {
        last = s;
        continue;
      }
      let free = s;
      for (let halving = 0; halving < 20; halving++) {
        const middle = 0.5 * (last + free);
        if (collide(a, X, b, moveAlong(Y, u, middle))) last = middle;
        else free = middle;
      }
      best = free;
      break;
    }
  }
  return best;
}

export interface PushOutSamples {
  readonly seed: number;
  /** Overlaps to check. */
  readonly overlaps: number;
  /** B's centre of bounds lies within this of A's, on each axis. */
  readonly reach: number;
}

/**
 * Random poses until `overlaps` of them overlap: the push-out must separate when applied, not before, and the worst ratio
 * to the best of the sampled directions comes back.
 */
export function compareToSampled(a: Collider, b: Collider, samples: PushOutSamples): number {
  const { seed, overlaps, reach } = samples;
  const random = createRandom(seed);
  const step = 1e-7 * (a.extent + b.extent);
  let found = 0;
  let worst = 0;
  for (let i = 0; found < overlaps && i < 50 * overlaps; i++) {
    const X = samplePose(random, 0);
    const Y = samplePose(random, reach);
    for (let k = 0; k < 3; k++)
      for (let m = 0; m < 3; m++) Y[9 + k] += X[3 * k + m] * a.center[m] - Y[3 * k + m] * b.center[m];
    const r = distance(createDistanceResult(), a, X, b, Y);
    if (!(r.distance < 0)) continue;
    found++;
    const at = `seed ${seed} pose ${i}`;
    expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance + step)), `${at}: separates`).toBe(false);
    expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance - step)), `${at}: not before`).toBe(true);
    worst = Math.max(worst, -r.distance / sampleBest(a, X, b, Y, 1.5 * -r.distance, random));
  }
  expect(found, `seed ${seed}: overlaps`).toBe(overlaps);
  return worst;
}
