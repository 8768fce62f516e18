/**
 * Mesh sets a (a triangle soup and a robot link) and b (two closed surfaces of 20,000 triangles): every pose, against
 * PQP's answers, which two other libraries and a long-double brute force confirm to 4.6e-13.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collideMeshMesh } from '../../src/bvh/collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from '../../src/bvh/distance-mesh.js';
import { buildMeshBvh } from '../../src/bvh/mesh-bvh.js';
import { validateBvh } from '../../src/bvh/validate-bvh.js';
import { useCheckedKernel } from '../../src/kernel/checked-kernel.js';
import { useInlinedKernel } from '../../src/kernel/kernel.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { needsShared, sharedPath } from '../shared.js';
import { readReferenceMesh } from './reference-mesh.js';

const folder = ['oracles', 'proximity'];

interface Expected {
  readonly collides: boolean;
  readonly distance: number;
  readonly within: boolean;
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(sharedPath(...folder, name) as string, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

const sets = [
  { set: 'a', meshA: 'a_env.ply', meshB: 'a_rob.ply', tolerance: 50 },
  { set: 'b', meshA: 'b_knot.ply', meshB: 'b_bumpy.ply', tolerance: 0.02 },
];
const kernels = {
  release: useInlinedKernel,
  checked: useCheckedKernel,
};

describe.skipIf(!sharedPath(...folder))(`mesh pairs against PQP${needsShared(...folder)}`, () => {
  for (const { set, meshA, meshB, tolerance } of sets) {
    for (const [variant, create] of Object.entries(kernels)) {
      for (const node of ['obb', 'aabb', 'mixed'] as const) {
        it(`set ${set}, ${node} nodes, ${variant} kernel`, () => {
          create();
          using a = buildMeshBvh(readReferenceMesh(sharedPath(...folder, meshA) as string), {
            node: node === 'mixed' ? 'obb' : node,
          });
          using b = buildMeshBvh(readReferenceMesh(sharedPath(...folder, meshB) as string), {
            node: node === 'mixed' ? 'aabb' : node,
          });
          expect(validateBvh(a)).toEqual([]);
          expect(validateBvh(b)).toEqual([]);
          const extent = Math.max(...[a, b].flatMap(({ bounds }) => [0, 1, 2].map((k) => bounds[k + 3] - bounds[k])));
          const expected = readLines<Expected>(`expect_${set}.jsonl`);
          const poses = readLines<{ b: number[] }>(`poses_${set}.jsonl`);
          expect(poses.length).toBe(expected.length);
          expect(poses.length).toBe(set === 'a' ? 2000 : 1000);
          const X_AB = createTransform();
          const result = createMeshDistance();
          let worst = 0;
          const wrong: number[] = [];
          poses.forEach((pose, i) => {
            poseToTransform(X_AB, pose.b);
            const want = expected[i];
            const { collides } = collideMeshMesh(a, b, X_AB);
            const within = toleranceMeshMesh(a, b, X_AB, tolerance);
            distanceMeshMesh(result, a, b, X_AB);
            if (collides !== want.collides || within !== want.within) wrong.push(i);
            const error = Math.abs(result.distance - want.distance) / Math.max(want.distance, extent);
            worst = Math.max(worst, Number.isNaN(error) ? Infinity : error);
          });
          expect(wrong).toEqual([]);
          expect(worst).toBeLessThanOrEqual(1e-12);
        });
      }
    }
  }
});
