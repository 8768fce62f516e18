import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWatertight, reportMesh } from './mesh-report.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { transformMesh } from './triangle-mesh-transform.js';
import { weldVertices } from './triangle-mesh-weld.js';

/** Prism over a polygon given counter-clockwise with its triangulation, from z = 0 to z = height. */
function prism(
  outline: readonly (readonly [number, number])[],
  caps: readonly number[][],
  height: number,
): TriangleMesh {
  const n = outline.length;
  const vertices = [...outline.map(([x, y]) => [x, y, 0]), ...outline.map(([x, y]) => [x, y, height])].flat();
  const triangles: number[] = [];
  for (const [a, b, c] of caps) triangles.push(c, b, a, n + a, n + b, n + c);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    triangles.push(i, j, n + j, i, n + j, n + i);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const SQUARE_CAPS = [
  [0, 1, 2],
  [0, 2, 3],
];
function box(x: number, y: number, size = 1): TriangleMesh {
  const corners = [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ] as const;
  return prism(corners, SQUARE_CAPS, size);
}

function soup(mesh: TriangleMesh): TriangleMesh {
  const vertices = Float64Array.from(mesh.triangles, () => 0);
  const out = new Float64Array(3 * vertices.length);
  mesh.triangles.forEach((v, i) => {
    out.set(mesh.vertices.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return { vertices: out, triangles: Uint32Array.from(mesh.triangles, (_, i) => i) };
}

function join(...meshes: TriangleMesh[]): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const base = vertices.length / 3;
    vertices.push(...mesh.vertices);
    for (const v of mesh.triangles) triangles.push(base + v);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

describe('reportMesh', () => {
  it('measures a unit cube', () => {
    expect(reportMesh(box(0, 0))).toEqual({
      triangles: 12,
      vertices: 8,
      distinctVertices: 8,
      watertight: true,
      consistentlyOriented: true,
      degenerate: 0,
      duplicate: 0,
      boundaryEdges: 0,
      nonManifoldEdges: 0,
      components: 1,
      volume: 1,
      area: 6,
      bounds: [0, 0, 0, 1, 1, 1],
    });
  });

  it('judges a soup as it judges the welded mesh, and 0 equals -0', () => {
    const apart = soup(box(0, 0));
    const zero = apart.vertices.indexOf(0);
    apart.vertices[zero] = -0;
    expect(reportMesh(apart)).toEqual({ ...reportMesh(box(0, 0)), vertices: 36 });
    const welded = weldVertices(apart);
    expect(welded.vertices.length).toBe(24);
    expect(reportMesh(welded).watertight).toBe(true);
    expect(isWatertight(apart)).toBe(true);
  });

  it('has no volume for open or inconsistently oriented meshes', () => {
    const { vertices, triangles } = box(0, 0);
    const open = reportMesh({ vertices, triangles: triangles.slice(3) });
    expect(open).toMatchObject({ watertight: false, consistentlyOriented: true, boundaryEdges: 3, volume: null });
    expect(isWatertight({ vertices, triangles: triangles.slice(3) })).toBe(false);
    const turned = triangles.slice();
    [turned[0], turned[1]] = [turned[1], turned[0]];
    expect(reportMesh({ vertices, triangles: turned })).toMatchObject({
      watertight: true,
      consistentlyOriented: false,
      volume: null,
    });
  });

  it('has a negative volume for a mesh that is inside out', () => {
    const { vertices, triangles } = box(0, 0);
    expect(reportMesh({ vertices, triangles: triangles.slice().reverse() }).volume).toBe(-1);
  });

  it('takes two cubes that share an edge for closed, with one edge used four times', () => {
    const report = reportMesh(join(box(0, 0), box(1, 1)));
    expect(report).toMatchObject({ watertight: true, nonManifoldEdges: 1, components: 1, volume: 2 });
    expect(reportMesh(join(box(0, 0), box(2, 2)))).toMatchObject({ nonManifoldEdges: 0, components: 2, volume: 2 });
  });

  it('takes a cavity away from the volume', () => {
    const inner = box(1, 1, 1);
    const cavity = transformMesh(
      { ...inner, triangles: inner.triangles.slice().reverse() },
      [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1],
    );
    expect(reportMesh(join(box(0, 0, 3), cavity)).volume).toBeCloseTo(26, 12);
  });

  it('counts duplicates in any corner order, and triangles without area', () => {
    const { vertices, triangles } = box(0, 0);
    const more = Uint32Array.from([...triangles, triangles[1], triangles[0], triangles[2], 0, 0, 1, 5, 5, 5]);
    expect(reportMesh({ vertices, triangles: more })).toMatchObject({
      duplicate: 1,
      degenerate: 2,
      watertight: false,
      nonManifoldEdges: 3,
    });
    const line = { vertices: Float64Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2), triangles: Uint32Array.of(0, 1, 2) };
    expect(reportMesh(line)).toMatchObject({ degenerate: 1, area: 0, boundaryEdges: 3 });
  });

  it('reports an empty mesh', () => {
    const empty = { vertices: new Float64Array(0), triangles: new Uint32Array(0) };
    expect(reportMesh(empty)).toMatchObject({ triangles: 0, watertight: false, volume: null, area: 0, bounds: null });
    expect(isWatertight(empty)).toBe(false);
  });

  it('keeps the volume under rigid motion and scales it by the determinant, mirrors included', () => {
    const number = fc.integer({ min: -200, max: 200 }).map((x) => x / 100);
    fc.assert(
      fc.property(fc.array(number, { minLength: 12, maxLength: 12 }), (matrix) => {
        const m = matrix;
        const determinant =
          m[0] * (m[5] * m[10] - m[6] * m[9]) -
          m[1] * (m[4] * m[10] - m[6] * m[8]) +
          m[2] * (m[4] * m[9] - m[5] * m[8]);
        fc.pre(Math.abs(determinant) > 1e-3);
        const image = reportMesh(transformMesh(box(0, 0), m));
        expect(image.volume).toBeCloseTo(Math.abs(determinant), 10);
      }),
    );
  });

  it('loses no digits far from the origin', () => {
    const far = transformMesh(box(0, 0), [1, 0, 0, 2 ** 30, 0, 1, 0, -(2 ** 30), 0, 0, 1, 2 ** 30]);
    expect(reportMesh(far)).toMatchObject({ watertight: true, volume: 1, area: 6 });
  });

  // U126: volume of a concave mesh
  it('measures an L prism of 2 x 2 x 1 minus 1 x 1 x 1 as 3', () => {
    const outline = [
      [0, 0],
      [2, 0],
      [2, 1],
      [1, 1],
      [1, 2],
      [0, 2],
    ] as const;
    const caps = [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
      [0, 4, 5],
    ];
    const report = reportMesh(prism(outline, caps, 1));
    expect(report.volume).toBe(3);
    expect(report.area).toBeCloseTo(2 * 3 + 8, 12);
  });
});
