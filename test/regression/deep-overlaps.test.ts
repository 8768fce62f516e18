/** Balls deep inside a solid mesh: the search for a way out goes by rays through the mesh, not by steps of a ball's ten-thousandth. */
import { expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { findExit } from '../../src/narrowphase/directional-depth.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, createQueryStats } from '../../src/narrowphase/query.js';
import { createBumpySphere } from '../support/solid-meshes.js';

const IDENTITY = createTransform();

function drawBalls(count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, () => random.uniform(-0.6, 0.6));
}

it.each([20, 50])(
  '%s balls over a mesh: tens of thousands of triangles looked at, not hundreds of thousands',
  (count) => {
    const mesh = createCollider({ type: 'mesh', mesh: createBumpySphere(8, 0.15) });
    const balls = createCollider({ type: 'points', points: drawBalls(count, 75), radius: 0.075 });
    const stats = createQueryStats();
    const result = distance(createDistanceResult(), mesh, IDENTITY, balls, IDENTITY, { stats });
    expect(result.collides).toBe(true);
    expect(stats.primitiveTests).toBeLessThan(60_000);
    // The depth separates when applied, and the deepest ball alone needs at least the depth of its own.
    const X = createTransform();
    for (let k = 0; k < 3; k++) X[9 + k] = -(result.distance - 1e-6) * result.normal[k];
    expect(collide(mesh, IDENTITY, balls, X)).toBe(false);
    for (const collider of [mesh, balls]) collider.dispose();
  },
);

it('the exit of a ball in a mesh is where sampling finds it (seed 76)', () => {
  const random = createRandom(76);
  const mesh = createCollider({ type: 'mesh', mesh: createBumpySphere(8, 0.3) });
  const ball = createCollider({ type: 'sphere', radius: 0.05 });
  const X = createTransform();
  for (let n = 0; n < 40; n++) {
    const u = [random.normal(), random.normal(), random.normal()];
    const norm = Math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2);
    for (let k = 0; k < 3; k++) u[k] /= norm;
    const start = [0, 1, 2].map(() => random.uniform(-0.3, 0.3));
    const place = (s: number): typeof X => {
      for (let k = 0; k < 3; k++) X[9 + k] = start[k] + s * u[k];
      return X;
    };
    // The first place, on a grid, at which the ball is free.
    let sampled = 0;
    while (collide(mesh, IDENTITY, ball, place(sampled))) sampled += 1e-3;
    const exact = findExit(mesh, ball, place(0).slice() as typeof X, u, { from: 0, limit: 5 });
    expect(exact, `way ${n}`).toBeLessThanOrEqual(sampled);
    expect(exact, `way ${n}`).toBeGreaterThan(sampled - 2e-3);
  }
  for (const collider of [mesh, ball]) collider.dispose();
});
