import fc from 'fast-check';
import { BoxGeometry, Matrix4, Quaternion, TorusKnotGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { toBufferGeometry, toTriangleMesh } from './mesh-geometry.js';

function signedVolume({ vertices, triangles }: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromArray(vertices, 3 * triangles[t + k]));
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

function openEdges({ triangles }: TriangleMesh): number {
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  return [...edges.values()].filter((count) => count !== 0).length;
}

describe('toTriangleMesh', () => {
  it('joins the vertices three splits at edges: a box has eight corners and is closed', () => {
    const mesh = toTriangleMesh(new BoxGeometry(1, 2, 3));
    expect(mesh.vertices.length).toBe(24);
    expect(mesh.triangles.length).toBe(36);
    expect(openEdges(mesh)).toBe(0);
    expect(signedVolume(mesh)).toBeCloseTo(6, 12);
  });

  it('keeps the outside outside under mirroring matrices', () => {
    fc.assert(
      fc.property(fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(-2, -1, 0.5, 1, 3))), (scale) => {
        const matrix = new Matrix4().compose(
          new Vector3(1, -2, 0.5),
          new Quaternion(0.5, 0.5, -0.5, 0.5),
          new Vector3().fromArray(scale),
        );
        const mesh = toTriangleMesh(new BoxGeometry(1, 2, 3), matrix);
        expect(signedVolume(mesh)).toBeCloseTo(6 * Math.abs(scale[0] * scale[1] * scale[2]), 4);
      }),
    );
  });

  it('refuses geometry that is not made of triangles', () => {
    const geometry = new BoxGeometry();
    geometry.setIndex([0, 1, 2, 3]);
    expect(() => toTriangleMesh(geometry)).toThrow(/got 4 corners, expected a multiple of 3/);
    geometry.deleteAttribute('position');
    expect(() => toTriangleMesh(geometry)).toThrow(/expected a "position" attribute/);
  });
});

describe('toBufferGeometry', () => {
  const box = toTriangleMesh(new BoxGeometry(1, 2, 3));

  it('returns the same mesh through three and back', () => {
    const back = toTriangleMesh(toBufferGeometry(box));
    expect(signedVolume(back)).toBeCloseTo(6, 6);
    expect(back.vertices.length).toBe(box.vertices.length);
    expect(back.triangles.length).toBe(box.triangles.length);
  });

  it('keeps edges above the crease angle sharp and rounds them below it', () => {
    const sharp = toBufferGeometry(box).getAttribute('normal').array;
    for (let i = 0; i < sharp.length; i += 3) {
      expect(Math.max(Math.abs(sharp[i]), Math.abs(sharp[i + 1]), Math.abs(sharp[i + 2]))).toBeCloseTo(1, 6);
    }
    const round = toBufferGeometry(box, { creaseAngle: 2 }).getAttribute('normal').array;
    for (let i = 0; i < round.length; i += 3) {
      expect(Math.max(Math.abs(round[i]), Math.abs(round[i + 1]), Math.abs(round[i + 2]))).toBeLessThan(0.99);
    }
  });

  it('gives unit normals on the side the winding says', () => {
    const knot = toBufferGeometry(toTriangleMesh(new TorusKnotGeometry(1, 0.3, 60, 12)));
    const positions = knot.getAttribute('position');
    const normals = knot.getAttribute('normal');
    const [a, b, c, n] = [0, 1, 2, 3].map(() => new Vector3());
    for (let corner = 0; corner < positions.count; corner++) {
      const first = corner - (corner % 3);
      a.fromBufferAttribute(positions, first);
      b.fromBufferAttribute(positions, first + 1).sub(a);
      c.fromBufferAttribute(positions, first + 2).sub(a);
      n.fromBufferAttribute(normals, corner);
      expect(n.length()).toBeCloseTo(1, 5);
      expect(b.cross(c).dot(n)).toBeGreaterThan(0);
    }
  });
});
