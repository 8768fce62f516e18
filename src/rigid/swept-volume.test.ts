import { describe, expect, it } from 'vitest';
import { collideMeshMesh } from '../bvh/collide-mesh.js';
import { buildMeshBvh } from '../bvh/mesh-bvh.js';
import { reportMesh } from '../geometry/mesh-report.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { interpolatePose, type RigidPose } from './pose.js';
import { boxMesh, pose, ringMesh } from './rigid.test-support.js';
import { sweepRigidPath } from './swept-volume.js';

const turned = (x: number, y: number, z: number, angle: number): RigidPose =>
  Float64Array.of(x, y, z, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2));

describe('the swept volume', () => {
  const path = [pose(0, 0, 0), turned(2, 0, 0, 1), turned(2, 1, 0, -1)];

  it('is watertight and holds the body at a thousand poses', () => {
    for (const body of [boxMesh([-0.5, -0.3, -0.1], [0.5, 0.3, 0.1]), ringMesh([0.2, 0, 0], 0.5, 0.3, 0.1)]) {
      const swept = sweepRigidPath(body, path, { cell: 0.06 });
      expect(reportMesh(swept.mesh)).toMatchObject({
        watertight: true,
        nonManifoldEdges: 0,
        consistentlyOriented: true,
      });
      expect(reportMesh(swept.mesh).volume).toBeCloseTo(swept.volume, 9);
      const [outside, inside] = [buildMeshBvh(swept.mesh), buildMeshBvh(body)];
      const X = createTransform();
      for (let k = 0; k < 1000; k++) {
        const t = (k / 999) * 2;
        const i = Math.min(1, Math.floor(t));
        poseToTransform(X, interpolatePose(new Float64Array(7), path[i], path[i + 1], t - i));
        // A body whose surface crosses none of the mesh, and that is within at the start, is within.
        expect(collideMeshMesh(outside, inside, X).collides, `pose ${k}`).toBe(false);
      }
      outside.dispose();
      inside.dispose();
    }
  });

  it('sticks out by no more than it says', () => {
    const body = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    const swept = sweepRigidPath(body, [pose(0, 0, 0), pose(3, 0, 0)], { cell: 0.1 });
    const v = swept.mesh.vertices;
    for (let i = 0; i < v.length; i += 3) {
      const out = [
        Math.max(-0.5 - v[i], v[i] - 3.5, 0),
        Math.max(Math.abs(v[i + 1]) - 0.5, 0),
        Math.max(Math.abs(v[i + 2]) - 0.5, 0),
      ];
      expect(Math.sqrt(out.reduce((sum, x) => sum + x * x, 0))).toBeLessThanOrEqual(swept.excess);
    }
    expect(swept.volume).toBeGreaterThan(4);
    expect(() => sweepRigidPath(body, path, { cell: 1e-4 })).toThrow(/options.cell/);
  });
});
