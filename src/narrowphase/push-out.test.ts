import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, partShapeTypes, samplePose, sampleShape } from '../../test/sample-shapes.js';
import { createBumpySphere, createKnotMesh } from '../../test/support/solid-meshes.js';
import type { Shape } from '../geometry/shapes.js';
import { createRandom, type Random } from '../math/random.js';
import { copyTransform, type Transform } from '../math/transform.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const SAMPLED = 500;
const STEPS = 60;

function moveAlong(X: Transform, n: ArrayLike<number>, by: number): Transform {
  const out = copyTransform(new Float64Array(12), X);
  for (let k = 0; k < 3; k++) out[9 + k] += by * n[k];
  return out;
}

/**
 * Length of the shortest separating translation among sampled directions, below `limit`: each is walked in small steps until
 * the verdict of collide says free, and the last step halved. Independent of how the push-out is found.
 */
function sampleBest(a: Collider, X: Transform, b: Collider, Y: Transform, limit: number, random: Random): number {
  let best = limit;
  for (let i = 0; i < SAMPLED; i++) {
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

function checkAgainstSampled(A: Shape, B: Shape, seed: number, poses: number, reach: number): number {
  const random = createRandom(seed);
  const a = createCollider(A);
  const b = createCollider(B);
  let overlaps = 0;
  let worst = 0;
  for (let i = 0; i < poses; i++) {
    const X = samplePose(random, 0);
    const Y = samplePose(random, reach);
    const r = distance(createDistanceResult(), a, X, b, Y);
    if (!(r.distance < 0)) continue;
    overlaps++;
    const at = `seed ${seed} pose ${i}`;
    expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance + 1e-7)), `${at}: separates`).toBe(false);
    expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance - 1e-7)), `${at}: not before`).toBe(true);
    const sampled = sampleBest(a, X, b, Y, 1.5 * -r.distance, random);
    worst = Math.max(worst, -r.distance / sampled);
  }
  a.dispose();
  b.dispose();
  expect(overlaps).toBeGreaterThan(0);
  return worst;
}

describe('push-out of solid meshes against 500 sampled directions', () => {
  const knot = createKnotMesh(60, 10);
  const bumpy = createBumpySphere(20, 0.15);
  const frame = [-0.5, 0.5]
    .flatMap((x) => [createBoxMesh([0.2, 1.2, 0.2], [x, 0, 0]), createBoxMesh([1.2, 0.2, 0.2], [0, x, 0])])
    .reduce(joinMeshes);
  const cases: [string, Shape, Shape, number][] = [
    ['knot and knot', { type: 'mesh', mesh: knot }, { type: 'mesh', mesh: knot }, 0.8],
    ['knot and bumpy ball', { type: 'mesh', mesh: knot }, { type: 'mesh', mesh: bumpy }, 0.8],
    ['bumpy balls', { type: 'mesh', mesh: bumpy }, { type: 'mesh', mesh: bumpy }, 0.6],
    ['frames of boxes', { type: 'mesh', mesh: frame }, { type: 'mesh', mesh: frame }, 0.6],
    ['frame and knot', { type: 'mesh', mesh: frame }, { type: 'mesh', mesh: knot }, 0.6],
    ['knot and box', { type: 'mesh', mesh: knot }, { type: 'box', size: [0.5, 0.4, 0.3] }, 0.6],
  ];
  it.each(cases)('%s: at most 1.1 times the best', (_, A, B, reach) => {
    expect(checkAgainstSampled(A, B, 11, 4, reach)).toBeLessThan(1.1);
  });
});

describe('push-out of shapes with parts against 500 sampled directions', () => {
  it.each(partShapeTypes)('%s with itself and a box: at most 1.1 times the best', (type) => {
    const random = createRandom(21);
    for (let i = 0; i < 4; i++) {
      const A = sampleShape(random, type);
      expect(checkAgainstSampled(A, sampleShape(random, type), 30 + i, 3, 0.3), `${type} ${i}`).toBeLessThan(1.1);
      expect(checkAgainstSampled(A, sampleShape(random, 'box'), 40 + i, 3, 0.3), `${type} ${i} box`).toBeLessThan(1.1);
    }
  });
});
