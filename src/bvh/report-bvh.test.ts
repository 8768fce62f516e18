import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSphereMesh } from '../../test/support/brute-force-meshes.js';
import { buildMeshBvh } from './mesh-bvh.js';
import { reportBvh } from './report-bvh.js';

describe('reportBvh', () => {
  it('counts one box for one triangle, with its area and volume', () => {
    const vertices = Float64Array.of(0, 0, 0, 2, 0, 0, 0, 3, 4);
    using bvh = buildMeshBvh({ vertices, triangles: Uint32Array.of(0, 1, 2) }, { node: 'aabb' });
    const report = reportBvh(bvh);
    expect(report).toMatchObject({ node: 'aabb', triangles: 1, boxes: 1, leaves: 1, depth: 1 });
    expect(report.surfaceArea).toBeCloseTo(2 * (6 + 12 + 8), 4);
    expect(report.volume).toBeCloseTo(24, 4);
    expect(report.byteLength).toBe(bvh.byteLength);
  });

  it('is zero for a mesh without triangles', () => {
    using bvh = buildMeshBvh({ vertices: new Float64Array(0), triangles: new Uint32Array(0) });
    expect(reportBvh(bvh)).toMatchObject({ boxes: 0, leaves: 0, surfaceArea: 0, volume: 0 });
  });

  it('counts leaves of one to four triangles, and says that oriented boxes fit a sphere better', () => {
    const mesh = createSphereMesh(30);
    using obb = buildMeshBvh(mesh, { node: 'obb' });
    using aabb = buildMeshBvh(mesh, { node: 'aabb' });
    const [tight, loose] = [reportBvh(obb), reportBvh(aabb)];
    for (const { leaves } of [tight, loose]) {
      expect(leaves).toBeLessThanOrEqual(mesh.triangles.length / 3);
      expect(leaves).toBeGreaterThanOrEqual(mesh.triangles.length / 12);
    }
    expect(tight.volume).toBeLessThan(0.9 * loose.volume);
    expect(tight.surfaceArea).toBeLessThan(loose.surfaceArea);
  });

  it('has at least the box of the whole mesh', () => {
    using bvh = buildMeshBvh(createBoxMesh(1, 2, 3));
    expect(reportBvh(bvh).volume).toBeGreaterThanOrEqual(6);
  });
});
