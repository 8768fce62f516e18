import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createBoxMesh,
  createSoup,
  createSphereMesh,
  distanceMatrix,
  randomTransform,
} from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { getKernel, useInlinedKernel } from '../kernel/kernel.js';
import { FIT_INERTIA, FIT_PQP, FIT_RAPID2, FIT_RAPID2_HULL, KIND_AABB, KIND_OBB } from '../kernel/layout.js';
import { meshBuild } from '../kernel/parts/mesh-build.js';
import { createRandom } from '../math/random.js';
import { type SplitRule, splitCode, withWorkArea } from './build-tree.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh } from './distance-mesh.js';
import { type Fitter, writeHull } from './fitters.js';
import { type BuildOptions, buildMeshBvh, type NodeKind } from './mesh-bvh.js';
import { refitMeshBvh } from './refit-bvh.js';
import { reportBvh } from './report-bvh.js';
import { validateBvh } from './validate-bvh.js';

const splits: SplitRule[] = ['longest', 'area', 'binned', 'binned-longest'];
const nodes: NodeKind[] = ['obb', 'aabb'];
const fitters: { fitter: Fitter; hull?: boolean }[] = [
  { fitter: 'PQP_FIT' },
  { fitter: 'RAPID2_FIT' },
  { fitter: 'RAPID2_FIT', hull: true },
  { fitter: 'INERTIA_FIT' },
];
const every: BuildOptions[] = nodes.flatMap((node) =>
  splits.flatMap((split) => fitters.map((fitter) => ({ node, split, ...fitter }))),
);

function splitCorners(corners: ArrayLike<number>, kind: number, fitter: number, split: SplitRule) {
  const count = corners.length / 9;
  const kernel = getKernel();
  kernel.hullWriter = writeHull;
  const code = splitCode(split);
  return withWorkArea(kernel, kernel.part(meshBuild).buildWorkBytes(count, fitter, code), (work) => {
    kernel.f64.set(corners, work / 8);
    const left = kernel.part(meshBuild).splitTriangles(work, count, kind, fitter, code);
    const at = kernel.part(meshBuild).workOrder() / 4;
    const list = (from: number, to: number): number[] =>
      Array.from(kernel.u32.subarray(at + from, at + to)).sort((x, y) => x - y);
    return { left: list(0, left), right: list(left, count) };
  });
}

/** Small triangles around points on the x axis. */
const along = (...xs: number[]): number[] => xs.flatMap((x) => [x - 1e-3, 0, 0, x + 1e-3, 0, 1e-3, x, 1e-3, -1e-3]);

describe('buildMeshBvh with any fitter and split', () => {
  it('is valid and answers as brute force does', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...every), (seed, options) => {
        const random = createRandom(seed);
        const meshA = createSoup(random, 30, random.uniform(0.05, 1), 0.3);
        const meshB = createSoup(random, 30, random.uniform(0.05, 1), 0.3);
        const X = randomTransform(random, random.uniform(0, 5));
        using a = buildMeshBvh(meshA, options);
        using b = buildMeshBvh(meshB, options);
        expect(validateBvh(a)).toEqual([]);
        const expected = distanceMatrix(meshA, meshB, X).reduce((x, y) => Math.min(x, y), Infinity);
        expect(distanceMeshMesh(createMeshDistance(), a, b, X).distance).toBeCloseTo(expected, 9);
        if (expected > 1e-6) expect(collideMeshMesh(a, b, X).collides).toBe(false);
        if (expected === 0) expect(collideMeshMesh(a, b, X).collides).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  it('stays valid and shallow for identical, collinear and lopsided triangles', () => {
    const same = Array.from({ length: 400 }, () => [1, 2, 3, 2, 2, 3, 1, 3, 3]).flat();
    const points = Array.from({ length: 100 }, () => [5, 5, 5, 5, 5, 5, 5, 5, 5]).flat();
    const powers = Array.from({ length: 400 }, (_, i) => 2 ** (i / 10)).flatMap((x) => [
      x,
      0,
      0,
      x,
      1e-3,
      0,
      x,
      0,
      1e-3,
    ]);
    for (const coordinates of [same, points, powers]) {
      const mesh = {
        vertices: Float64Array.from(coordinates),
        triangles: Uint32Array.from({ length: coordinates.length / 3 }, (_, i) => i),
      };
      for (const options of every) {
        using bvh = buildMeshBvh(mesh, options);
        expect(validateBvh(bvh)).toEqual([]);
        expect(bvh.depth).toBeLessThanOrEqual(2 * 9 + 8 + 9);
      }
    }
  });

  it.each([
    ['release', useInlinedKernel],
    ['checked', useCheckedKernel],
  ])('is valid and answers alike for large meshes, whose wide nodes are made at once, %s kernel', (_, open) => {
    open();
    onTestFinished(() => void useInlinedKernel());
    const random = createRandom(3);
    const large = createSphereMesh(185);
    const bumpy = { ...large, vertices: large.vertices.map((x) => x * random.uniform(0.9, 1)) };
    const count = large.triangles.length / 3;
    expect(count).toBeGreaterThan(65536);
    const small = createSphereMesh(8);
    using tool = buildMeshBvh(small);
    const X = randomTransform(random, 2.5);
    using other = buildMeshBvh(bumpy, { split: 'longest' });
    const expected = distanceMeshMesh(createMeshDistance(), other, tool, X).distance;
    expect(expected).toBeGreaterThan(0);
    for (const options of [
      {},
      { node: 'aabb', split: 'binned' },
      { node: 'obb-rss', fitter: 'PQP_FIT' },
    ] as BuildOptions[]) {
      using bvh = buildMeshBvh(bumpy, options);
      expect(validateBvh(bvh)).toEqual([]);
      expect(bvh.nodeCount).toBeLessThan(count / 3);
      expect(distanceMeshMesh(createMeshDistance(), bvh, tool, X).distance).toBe(expected);
    }
    const same = { vertices: small.vertices, triangles: new Uint32Array(3 * count).fill(1) };
    using points = buildMeshBvh(same);
    expect(validateBvh(points)).toEqual([]);
    expect(points.depth).toBeLessThanOrEqual(18);
  });

  it('refits by the fitter of the build', () => {
    const mesh = createSphereMesh(8);
    const stretched = mesh.vertices.map((x, i) => x * [1, 2, 5][i % 3]);
    for (const options of every) {
      using bvh = buildMeshBvh({ vertices: stretched, triangles: mesh.triangles }, options);
      const before = reportBvh(bvh);
      refitMeshBvh(bvh, stretched);
      expect(validateBvh(bvh)).toEqual([]);
      const after = reportBvh(bvh);
      expect(after.surfaceArea / before.surfaceArea).toBeCloseTo(1, 6);
      expect(after.volume / before.volume).toBeCloseTo(1, 5);
    }
  });

  it('refuses unknown names, and a hull step where there is none', () => {
    const box = createBoxMesh(1, 1, 1);
    expect(() => buildMeshBvh(box, { fitter: 'PQP' as Fitter })).toThrow(
      /fitter, got "PQP", expected one of 'PQP_FIT'/,
    );
    expect(() => buildMeshBvh(box, { split: 'sah' as SplitRule })).toThrow(/split, got "sah"/);
    expect(() => buildMeshBvh(box, { fitter: 'PQP_FIT', hull: true })).toThrow(/hull, got true with PQP_FIT/);
  });
});

describe('splitRange', () => {
  it('left are the centroids below the same centroid that is the split position', () => {
    // A large triangle on the right: its area pulls the centroid of the surface beyond the mean of the corners.
    const corners = [...along(0, 1, 2, 3.5), 4, 0, 0, 6, 1, 0, 5, -1, 0];
    expect(splitCorners(corners, KIND_OBB, FIT_PQP, 'longest').left).toEqual([0, 1, 2]);
    for (const fitter of [FIT_RAPID2, FIT_INERTIA]) {
      expect(splitCorners(corners, KIND_OBB, fitter, 'longest').left).toEqual([0, 1, 2, 3]);
      expect(splitCorners(corners, KIND_AABB, fitter, 'longest').left).toEqual([0, 1, 2, 3]);
    }
  });

  it('takes the next axis when every centroid falls on one side, then the median', () => {
    // Crossed needles with a common centroid in x, apart in y: the longest axis cannot split them.
    const crossed = [0, 1, 2, 3].flatMap((y) => [-9, y, 0, 9, y, 0.1, 0, y, -0.1]);
    for (const fitter of [FIT_PQP, FIT_RAPID2, FIT_INERTIA, FIT_RAPID2_HULL]) {
      for (const kind of [KIND_OBB, KIND_AABB]) {
        const { left, right } = splitCorners(crossed, kind, fitter, 'longest');
        expect([left, right].map((side) => side.join()).sort()).toEqual(['0,1', '2,3']);
      }
    }
    const same = [0, 1, 2, 3, 4].flatMap(() => [0, 0, 0, 1, 0, 0, 0, 1, 0]);
    for (const split of splits) {
      const { left, right } = splitCorners(same, KIND_OBB, FIT_RAPID2, split);
      expect([left.length, right.length]).toEqual([2, 3]);
    }
  });

  it('area: takes the axis with the least SA(left) + SA(right)', () => {
    // Two plates one above the other: across the longest axis both halves stay as high as the pair.
    const plate = (z: number): number[] => [0, 1, 2, 3].flatMap((x) => [x, 0, z, x + 1, 0, z, x, 3, z]);
    const corners = [...plate(0), ...plate(2)];
    expect(splitCorners(corners, KIND_AABB, FIT_RAPID2, 'area').left).toEqual([0, 1, 2, 3]);
    expect(splitCorners(corners, KIND_AABB, FIT_RAPID2, 'longest').left).toEqual([0, 1, 4, 5]);
  });

  it('binned: cuts in the gap, wherever the mean is', () => {
    const corners = along(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 9, 9.1);
    for (const kind of [KIND_OBB, KIND_AABB]) {
      for (const split of ['binned', 'binned-longest'] as const) {
        const { left, right } = splitCorners(corners, kind, FIT_RAPID2, split);
        expect([left, right].map((side) => side.join()).sort()).toEqual(['0,1,2,3,4,5,6,7', '8,9']);
      }
    }
  });
});
