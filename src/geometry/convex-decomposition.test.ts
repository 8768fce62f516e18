import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes } from '../../test/sample-shapes.js';
import { createBumpySphere, createKnotMesh } from '../../test/support/solid-meshes.js';
import { createRandom, type Random } from '../math/random.js';
import { decomposeMesh } from './convex-decomposition.js';
import { measureConcavity, volumeTerm } from './decomposition/part-concavity.js';
import { simplifyHull } from './decomposition/simplify-hull.js';
import { cutPiece, type SolidPiece, volumeOfPiece } from './decomposition/solid-piece.js';
import type { ConvexHull } from './hull.js';
import { buildConvexHull } from './hull.js';
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

/** Distance of a point from the solid; 0 inside. */
function distanceToSolid(probe: MeshProbe, [x, y, z]: readonly number[]): number {
  return probe.isInside(x, y, z) ? 0 : probe.distance(x, y, z);
}

/** A point of a mesh's surface, triangles drawn evenly. */
function pickSurfacePoint({ vertices, triangles }: TriangleMesh, random: Random): number[] {
  const t = 3 * random.integer(triangles.length / 3);
  let [s, r] = [random.next(), random.next()];
  if (s + r > 1) [s, r] = [1 - s, 1 - r];
  const corner = (c: number, k: number): number => vertices[3 * triangles[t + c] + k];
  return [0, 1, 2].map((k) => (1 - s - r) * corner(0, k) + s * corner(1, k) + r * corner(2, k));
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
  for (const hull of result.parts) {
    for (const p of sampleHull(hull, 300 * SHARE, random))
      expect(distanceToSolid(probe, p)).toBeLessThanOrEqual(4.4 * result.concavity);
    for (let i = 0; i < 300 * SHARE; i++)
      expect(distanceToSolid(probe, pickSurfacePoint(hull, random))).toBeLessThanOrEqual(result.concavity + 1e-9);
  }
  for (let i = 0; i < 1500 * SHARE; i++) {
    const p = pickSurfacePoint(mesh, random);
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
    expect(result.partsVolume).toBeGreaterThan(1.3 * result.volume);
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
    expect(() => decomposeMesh(box, { relativeConcavity: -1 })).toThrow(/relativeConcavity/);
    expect(() => decomposeMesh(box, { concavity: 1, relativeConcavity: 1 })).toThrow(/one of them/);
    expect(() => decomposeMesh(box, { simplification: -1 })).toThrow(/simplification/);
  });
});

function concavityOf(mesh: TriangleMesh, length: number): { lower: number; upper: number } {
  const hull = buildConvexHull(mesh.vertices);
  const volume = computeMassProperties({ type: 'mesh', mesh }, 1).volume;
  const whole = computeMassProperties({ type: 'mesh', mesh: hull }, 1).volume;
  return measureConcavity({ solid: new MeshProbe(mesh), length }, mesh, hull, whole - volume);
}

describe('measureConcavity', () => {
  it('bounds half the gap between two boxes', () => {
    const mesh = joinMeshes(createBoxMesh([0.2, 1, 1], [-0.5, 0, 0]), createBoxMesh([0.2, 1, 1], [0.5, 0, 0]));
    // Halfway between the boxes it is 0.4 to either.
    const { lower, upper } = concavityOf(mesh, 0.5);
    expect(lower).toBeGreaterThan(0.39);
    expect(lower).toBeLessThanOrEqual(0.4 + 1e-12);
    expect(upper).toBeGreaterThanOrEqual(0.4);
    expect(upper).toBeLessThan(0.41);
    expect(concavityOf(mesh, 0.35)).toMatchObject({ upper: Infinity });
  });

  it('counts a narrow slot with its depth, and not the faces that shells share', () => {
    const base = createBoxMesh([3, 3, 2], [0, 0, -0.9]);
    const wall = (x: number): TriangleMesh => createBoxMesh([1.45, 3, 0.6], [x, 0, 0.4]);
    const slotted = joinMeshes(joinMeshes(base, wall(0.775)), wall(-0.775));
    const { lower, upper } = concavityOf(slotted, 1);
    expect(lower).toBeGreaterThan(0.59);
    expect(upper).toBeLessThan(0.62);
    const whole = joinMeshes(base, createBoxMesh([3, 3, 0.6], [0, 0, 0.4]));
    expect(concavityOf(whole, 0.3).upper).toBeLessThan(0.05);
  });

  it('is the volume term for a hollow: a box with a bubble', () => {
    const bubble = createBoxMesh([0.2, 0.2, 0.2]);
    for (let t = 0; t < bubble.triangles.length; t += 3)
      [bubble.triangles[t], bubble.triangles[t + 1]] = [bubble.triangles[t + 1], bubble.triangles[t]];
    const mesh = joinMeshes(createBoxMesh([1, 1, 0.24]), bubble);
    const { lower, upper } = concavityOf(mesh, 0.2);
    expect(volumeTerm(0.008)).toBeCloseTo(0.3 * Math.cbrt((3 * 0.008) / (4 * Math.PI)), 14);
    // Its walls are 0.02 thick where it is nearest, its side faces' middles 0.12 deep.
    expect(lower).toBeGreaterThan(0.115);
    expect(upper).toBeLessThan(0.13);
  });
});

describe('cutPiece', () => {
  it('keeps the volume through random cuts, and that of a box through cuts in its own faces', () => {
    const random = createRandom(8);
    const asPiece = ({ vertices, triangles }: TriangleMesh): SolidPiece => ({
      vertices,
      loops: Int32Array.from(triangles),
      starts: Int32Array.from({ length: triangles.length / 3 + 1 }, (_, i) => 3 * i),
      caps: new Float64Array(0),
      overlaps: new Float64Array(0),
      cell: { corners: new Float64Array(0), starts: Uint32Array.of(0) },
    });
    for (const mesh of [createKnotMesh(24, 6), createBumpySphere(8, 0.2), createBoxMesh([1, 1, 1])]) {
      let pieces = [asPiece(mesh)];
      const whole = volumeOfPiece(pieces[0]);
      expect(whole).toBeCloseTo(computeMassProperties({ type: 'mesh', mesh }, 1).volume, 12);
      for (let cut = 0; cut < 5; cut++) {
        const n = [0, 1, 2].map(() => random.uniform(-1, 1));
        const size = Math.hypot(...n);
        const isAxis = cut % 2 === 1;
        const plane = isAxis
          ? ([0, 0, 1, cut === 1 ? 0.5 : 0] as const)
          : ([n[0] / size, n[1] / size, n[2] / size, random.uniform(-0.2, 0.2)] as const);
        pieces = pieces.flatMap((piece) => Object.values(cutPiece(piece, plane, 1e-12)));
        const sum = pieces.reduce((total, piece) => total + volumeOfPiece(piece), 0);
        expect(sum).toBeCloseTo(whole, 10);
        for (const piece of pieces) expect(volumeOfPiece(piece)).toBeGreaterThan(-1e-12);
      }
    }
  });
});

describe('simplifyHull', () => {
  it('has fewer corners, holds the hull and grows by no more than allowed', () => {
    const random = createRandom(4);
    const points = Array.from({ length: 600 }, () => {
      const p = [0, 1, 2].map(() => random.uniform(-1, 1));
      return p.map((x) => x / Math.hypot(...p));
    });
    const hull = buildConvexHull(points.flat());
    for (const [length, share] of [
      [0.1, 0.3],
      [0.02, 1],
    ]) {
      const simple = simplifyHull(hull, length);
      expect(simple.vertices.length).toBeLessThan(share * hull.vertices.length);
      for (const p of points) expect(isInHull(simple, p, 1e-12)).toBe(true);
      const probe = new MeshProbe(hull);
      for (let i = 0; i < simple.vertices.length; i += 3)
        expect(probe.distance(simple.vertices[i], simple.vertices[i + 1], simple.vertices[i + 2])).toBeLessThanOrEqual(
          length + 1e-9,
        );
    }
  });
});
