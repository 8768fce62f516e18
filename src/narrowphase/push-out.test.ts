import { describe, it } from 'vitest';
import { createBoxMesh, joinMeshes, partShapeTypes, sampleShape } from '../../test/sample-shapes.js';
import { expect } from '../../test/support/quick-expect.js';
import { compareToSampled, type PushOutSamples } from '../../test/support/sampled-push-out.js';
import { createBumpySphere, createKnotMesh } from '../../test/support/solid-meshes.js';
import type { Shape } from '../geometry/shapes.js';
import { createRandom } from '../math/random.js';
import { createCollider } from './collider.js';
import { findExit, overlapsAt } from './directional-depth.js';

/** Half of the shapes and of their poses without ORACLE_FULL. */
const SHARE = process.env.ORACLE_FULL ? 1 : 0.5;

function compareShapes(A: Shape, B: Shape, samples: PushOutSamples): number {
  const [a, b] = [createCollider(A), createCollider(B)];
  const worst = compareToSampled(a, b, samples);
  a.dispose();
  b.dispose();
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
    expect(compareShapes(A, B, { seed: 11, overlaps: 4 * SHARE, reach })).toBeLessThan(1.1);
  });
});

describe('push-out of shapes with parts against 500 sampled directions', () => {
  it.each(partShapeTypes)('%s with itself and a box: at most 1.1 times the best', (type) => {
    const random = createRandom(21);
    for (let i = 0; i < 4 * SHARE; i++) {
      const A = sampleShape(random, type);
      const own = { seed: 30 + i, overlaps: 4 * SHARE, reach: 0.3 };
      expect(compareShapes(A, sampleShape(random, type), own), `${type} ${i}`).toBeLessThan(1.1);
      const box = { ...own, seed: 40 + i };
      expect(compareShapes(A, sampleShape(random, 'box'), box), `${type} ${i} box`).toBeLessThan(1.1);
    }
  });
});

describe('exit of a part inside a solid mesh', () => {
  it('is not where its corner lies on the surface and rounding calls it outside', () => {
    const twin = joinMeshes(createBoxMesh([2, 2, 2]), createBoxMesh([2, 1, 1], [1, 0, 0]));
    // An octahedron, its corner towards +x first: the one that containment is decided by.
    const octahedron: Shape = {
      type: 'mesh',
      mesh: {
        vertices: Float64Array.of(0.25, 0, 0, 0, 0.25, 0, -0.25, 0, 0, 0, -0.25, 0, 0, 0, 0.25, 0, 0, -0.25),
        triangles: Uint32Array.of(0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5),
      },
    };
    const [a, b] = [createCollider({ type: 'mesh', mesh: twin }), createCollider(octahedron)];
    for (const [x, y, z] of [
      [0, 0, 0],
      [0.125, 0.25, -0.125],
      [-0.5, 0.5, 0.5],
    ]) {
      const X = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
      for (const u of [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, 0, -1],
      ]) {
        const exit = findExit(a, b, X, u, { from: 0, limit: 10 });
        expect(overlapsAt(a, b, X, u, exit + 1e-5), `${[x, y, z]} along ${u}: ${exit}`).toBe(false);
        expect(overlapsAt(a, b, X, u, exit - 1e-5), `${[x, y, z]} along ${u}: ${exit}`).toBe(true);
      }
    }
    a.dispose();
    b.dispose();
  });
});
