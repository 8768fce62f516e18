import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes } from '../../test/sample-shapes.js';
import { createBumpySphere, createKnotMesh } from '../../test/support/solid-meshes.js';
import { createRandom, type Random } from '../math/random.js';
import { decomposeMesh } from './convex-decomposition.js';
import type { ConvexHull } from './hull.js';
import { buildConvexHull } from './hull.js';
import { distanceToSolid, measureDeviation } from './hull-deviation.js';
import { computeMassProperties } from './mass-properties.js';
import { MeshProbe } from './mesh-probe.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Points of a convex hull: random mixtures of its vertices, drawn to corners, edges and the middle. */
function sampleHull(hull: ConvexHull, count: number, random: Random): number[][] {
  const n = hull.vertices.length / 3;
  return Array.from({ length: count }, () => {
    const picks = Array.from({ length: 2 + random.integer(3) }, () => random.integer(n));
    const weights = picks.map(() => -Math.log(1 - random.next()));
    const sum = weights.reduce((a, b) => a + b, 0);
    return [0, 1, 2].map((k) => picks.reduce((x, v, i) => x + (weights[i] / sum) * hull.vertices[3 * v + k], 0));
  });
}

function isInHull(hull: ConvexHull, p: readonly number[], slack: number): boolean {
  const { vertices, triangles } = hull;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const m = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const h = m.reduce((sum, x, k) => sum + x * (p[k] - a[k]), 0);
    // Slivers have no normal to speak of; their neighbours hold the hull.
    if (Math.hypot(...m) > 1e-6 * Math.max(Math.hypot(...u), Math.hypot(...v)) ** 2 && h > slack * Math.hypot(...m))
      return false;
  }
  return true;
}

/** Points of those with ORACLE_FULL. */
const SHARE = process.env.ORACLE_FULL ? 1 : 0.3;

/** The stated guarantee, by sampling: the solid lies in the union, the union within the concavity of the solid. */
function checkGuarantee(mesh: TriangleMesh, concavity: number, maximumParts = 256): number {
  const result = decomposeMesh(mesh, { concavity, maximumParts });
  expect(result.status).toBe('ok');
  expect(result.concavity).toBeLessThanOrEqual(concavity);
  const random = createRandom(5);
  const probe = new MeshProbe(mesh);
  const request = { probe, bound: 0, look: 0 };
  for (const hull of result.parts)
    for (const [x, y, z] of sampleHull(hull, 300 * SHARE, random))
      expect(distanceToSolid(request, x, y, z)).toBeLessThanOrEqual(result.concavity + 1e-9);
  const { vertices, triangles } = mesh;
  for (let i = 0; i < 1500 * SHARE; i++) {
    const t = 3 * random.integer(triangles.length / 3);
    let [s, r] = [random.next(), random.next()];
    if (s + r > 1) [s, r] = [1 - s, 1 - r];
    const corner = (c: number, k: number): number => vertices[3 * triangles[t + c] + k];
    const p = [0, 1, 2].map((k) => (1 - s - r) * corner(0, k) + s * corner(1, k) + r * corner(2, k));
    expect(
      result.parts.some((hull) => isInHull(hull, p, 1e-7)),
      `surface point ${p}`,
    ).toBe(true);
  }
  for (let i = 0; i < 4000 * SHARE; i++) {
    const p = [0, 1, 2].map(() => random.uniform(-0.8, 0.8));
    if (!probe.isInside(p[0], p[1], p[2])) continue;
    expect(
      result.parts.some((hull) => isInHull(hull, p, 1e-7)),
      `inner point ${p}`,
    ).toBe(true);
  }
  return result.parts.length;
}

describe('decomposeMesh', () => {
  it('leaves a convex mesh in one piece, exactly', () => {
    const result = decomposeMesh(createBoxMesh([1, 0.5, 0.3]), { concavity: 1e-3 });
    expect(result.parts.length).toBe(1);
    expect(computeMassProperties(result.shape, 1).volume).toBeCloseTo(0.15, 9);
  });

  it('cuts an L at its inner edge: two boxes', () => {
    const mesh = joinMeshes(createBoxMesh([1, 0.2, 0.2]), createBoxMesh([0.2, 0.2, 0.8], [0.4, 0, 0.5]));
    expect(checkGuarantee(mesh, 0.01)).toBeLessThanOrEqual(3);
  });

  it('keeps its bound on a frame of boxes, a knot and a bumpy ball', () => {
    const frame = [-0.5, 0.5]
      .flatMap((x) => [createBoxMesh([0.2, 1.2, 0.2], [x, 0, 0]), createBoxMesh([1.2, 0.2, 0.2], [0, x, 0])])
      .reduce(joinMeshes);
    checkGuarantee(frame, 0.02);
    checkGuarantee(process.env.ORACLE_FULL ? createKnotMesh(40, 8) : createKnotMesh(24, 6), 0.06);
    checkGuarantee(createBumpySphere(process.env.ORACLE_FULL ? 12 : 8, 0.2), 0.05);
  });

  it('says when the parts do not suffice, and how far it came', () => {
    const result = decomposeMesh(createKnotMesh(40, 8), { concavity: 0.01, maximumParts: 3 });
    expect(result.status).toBe('part-limit');
    expect(result.parts.length).toBeLessThanOrEqual(3);
    expect(result.concavity).toBeGreaterThan(0.01);
    const volumes = result.parts.map((part) => computeMassProperties({ type: 'mesh', mesh: part }, 1).volume);
    expect(result.partsVolume).toBeCloseTo(
      volumes.reduce((sum, volume) => sum + volume, 0),
      12,
    );
    expect(result.partsVolume).toBeGreaterThan(1.5 * result.volume);
  });

  it('is the same every time', () => {
    const mesh = createBumpySphere(6, 0.2);
    expect(decomposeMesh(mesh, { concavity: 0.05 })).toEqual(decomposeMesh(mesh, { concavity: 0.05 }));
  });

  it('throws on misuse', () => {
    const box = createBoxMesh([1, 1, 1]);
    expect(() => decomposeMesh({ ...box, triangles: box.triangles.slice(6) })).toThrow(/open/);
    expect(() => decomposeMesh({ vertices: new Float64Array(9), triangles: new Uint32Array(0) })).toThrow(/triangles/);
    expect(() => decomposeMesh(createBoxMesh([1, 1, 1]), { concavity: 0 })).toThrow(/concavity/);
    expect(() => decomposeMesh(createBoxMesh([1, 1, 1]), { maximumParts: 0 })).toThrow(/maximumParts/);
  });
});

describe('measureDeviation', () => {
  it('finds the depth of a notch between two boxes', () => {
    const mesh = joinMeshes(createBoxMesh([0.2, 1, 1], [-0.5, 0, 0]), createBoxMesh([0.2, 1, 1], [0.5, 0, 0]));
    const request = { probe: new MeshProbe(mesh), look: 2000 };
    const hull = buildConvexHull(mesh.vertices);
    // Halfway between the boxes it is 0.4 to either.
    expect(measureDeviation(hull, { ...request, bound: 0.41 }).upper).toBeLessThanOrEqual(0.41);
    const { lower, upper } = measureDeviation(hull, { ...request, bound: 0.3 });
    expect(lower).toBeGreaterThan(0.38);
    expect(lower).toBeLessThanOrEqual(0.4 + 1e-12);
    expect(upper).toBeGreaterThanOrEqual(0.4);
  });
});
