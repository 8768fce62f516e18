import { describe, expect, it } from 'vitest';
import { collideMeshMesh } from '../../src/bvh/collide-mesh.js';
import { buildMeshBvh, type MeshBvh } from '../../src/bvh/mesh-bvh.js';
import { getKernel } from '../../src/kernel/kernel.js';
import { createTransform } from '../../src/math/transform.js';
import { createBoxMesh } from '../support/brute-force-meshes.js';

describe('wasm memory and lifetime', () => {
  it('U202: 300 boxes a second for 60 s of steps: no fault, memory flat after removal', () => {
    const kernel = getKernel();
    const { usedBytes, blockCount } = kernel;
    let pages = 0;
    const X_AB = createTransform();
    for (let second = 0; second < 60; second++) {
      const live: MeshBvh[] = [];
      for (let i = 0; i < 300; i++) {
        live.push(buildMeshBvh(createBoxMesh(1 + (i % 7), 1, 1)));
        X_AB[9] = 0.5;
        if (i > 0) expect(collideMeshMesh(live[i - 1], live[i], X_AB).collides).toBe(true);
      }
      // Removal out of order, as in a simulation.
      for (let i = 0; i < 300; i += 2) live[i].dispose();
      for (let i = 1; i < 300; i += 2) live[i].dispose();
      expect(kernel.usedBytes).toBe(usedBytes);
      expect(kernel.blockCount).toBe(blockCount);
      if (second === 0) pages = kernel.memory.buffer.byteLength;
      expect(kernel.memory.buffer.byteLength).toBe(pages);
    }
  });
});
