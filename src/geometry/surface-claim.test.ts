import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSphereMesh } from '../../test/support/brute-force-meshes.js';
import { reportMesh } from './mesh-report.js';
import { holdsClaim } from './surface-claim.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Every claim about the mesh, and whether it may pass: that of `reportMesh`; the orientation counts in closed meshes only. */
function expectTruth(mesh: TriangleMesh): void {
  const { watertight, consistentlyOriented } = reportMesh(mesh);
  for (const closed of [true, false])
    for (const oriented of [true, false]) {
      const isTrue = closed === watertight && (!watertight || oriented === consistentlyOriented);
      expect(holdsClaim(mesh, { watertight: closed, consistentlyOriented: oriented })).toBe(isTrue);
    }
}

const withTriangles = (mesh: TriangleMesh, triangles: readonly number[]): TriangleMesh => ({
  vertices: mesh.vertices,
  triangles: Uint32Array.from(triangles),
});

describe('claims about the surface of a mesh', () => {
  const box = createBoxMesh(1, 2, 3);
  const faces = [...box.triangles];

  it('tells closed from open and consistently wound from not, as the report does', () => {
    expectTruth(box);
    expectTruth(createSphereMesh(12));
    expectTruth(withTriangles(box, faces.slice(3)));
    expectTruth(withTriangles(box, [faces[1], faces[0], faces[2], ...faces.slice(3)]));
    expectTruth(withTriangles(box, [...faces, ...faces]));
    expectTruth(withTriangles(box, [...faces, ...faces.slice(0, 3)]));
    expectTruth(withTriangles(box, []));
    expectTruth(withTriangles(box, [0, 0, 1]));
    expectTruth(withTriangles(box, [...faces, 2, 2, 1]));
  });

  it('takes vertices of equal position as one, 0 and -0 too', () => {
    const vertices = Float64Array.from(
      faces.flatMap((v, i) =>
        [0, 1, 2].map((k) => {
          const x = box.vertices[3 * v + k] + (k === 0 ? 0.5 : 0);
          return x === 0 && i % 2 === 0 ? -0 : x;
        }),
      ),
    );
    expectTruth({ vertices, triangles: Uint32Array.from(faces.map((_, i) => i)) });
    const moved = vertices.slice();
    moved[4] += 1e-16 + Math.abs(moved[4]) * 2 ** -52;
    expectTruth({ vertices: moved, triangles: Uint32Array.from(faces.map((_, i) => i)) });
  });

  it('agrees with the report on random sets of triangles, most of them closed by pairing', () => {
    const corner = fc.integer({ min: 0, max: 5 });
    const vertices = Float64Array.from({ length: 18 }, (_, i) => (i * i * 7) % 11);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(corner, corner, corner), { maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        (list, twice, turned) => {
          const again = twice ? list.map(([a, b, c]) => (turned ? [b, a, c] : [a, b, c])) : [];
          expectTruth({ vertices, triangles: Uint32Array.from([...list, ...again].flat()) });
        },
      ),
      { numRuns: 2000, seed: 7 },
    );
  });
});
