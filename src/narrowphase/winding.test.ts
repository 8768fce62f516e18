import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, sampleHullMesh } from '../../test/sample-shapes.js';
import { createBumpySphere } from '../../test/support/solid-meshes.js';
import { buildMeshBvh } from '../bvh/mesh-bvh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { createRandom, type Random } from '../math/random.js';
import { findRim, sumWinding, windingNumber } from './winding.js';

/** Some triangles left out, some turned round. */
function damage(random: Random, { vertices, triangles }: TriangleMesh, out: number, turned: number): TriangleMesh {
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const chance = random.next();
    if (chance < out) continue;
    const [a, b, c] = triangles.subarray(t, t + 3);
    kept.push(...(chance < out + turned ? [a, c, b] : [a, b, c]));
  }
  return { vertices, triangles: Uint32Array.from(kept) };
}

describe('windingNumber', () => {
  it('is the sum of all solid angles for meshes with holes, turned triangles and sheets (seed 33)', () => {
    const random = createRandom(33);
    const kinds = [
      () => sampleHullMesh(random, 40),
      () => createBumpySphere(12, 0.3),
      () => joinMeshes(createBoxMesh([2, 2, 2]), createBoxMesh([1, 1, 1], [0.7, 0.3, 0.1])),
    ];
    let worst = 0;
    for (let m = 0; m < 60; m++) {
      const mesh = damage(random, kinds[m % 3](), [0, 0.03, 0.5][random.integer(3)], [0, 0.1][random.integer(2)]);
      const bvh = buildMeshBvh(mesh);
      const rim = findRim(mesh);
      for (let i = 0; i < 100; i++) {
        const [x, y, z] = [0, 1, 2].map(() => random.uniform(-1.2, 1.2));
        worst = Math.max(worst, Math.abs(windingNumber(bvh, rim, x, y, z) - sumWinding(mesh, x, y, z)));
      }
      bvh.dispose();
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it('where the half-line runs through the rim, its corners, or along it', () => {
    const whole = createBoxMesh([2, 2, 2]);
    // Without the first triangle at x = 1: its corners and edges are the rim.
    const mesh = {
      ...whole,
      triangles: Uint32Array.from([...whole.triangles.slice(0, 6), ...whole.triangles.slice(9)]),
    };
    const bvh = buildMeshBvh(mesh);
    const rim = findRim(mesh);
    expect(rim.length).toBe(21);
    const steps = [-1, -0.5, 0, 0.5, 1, -1e-9, 1e-9, 0.5 + 1e-12];
    for (const y of steps)
      for (const z of steps)
        for (const x of [-1.5, -0.4, 0.3, 1.4])
          if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) !== 1)
            expect(windingNumber(bvh, rim, x, y, z), `${x} ${y} ${z}`).toBeCloseTo(sumWinding(mesh, x, y, z), 6);
    bvh.dispose();
  });

  it('a closed mesh has no rim and whole numbers', () => {
    const mesh = createBoxMesh([2, 2, 2]);
    const bvh = buildMeshBvh(mesh);
    const rim = findRim(mesh);
    expect([rim.length, windingNumber(bvh, rim, 0, 0, 0), windingNumber(bvh, rim, 3, 0, 0)]).toEqual([0, 1, 0]);
    bvh.dispose();
  });
});
