import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillHoles } from './fill-holes.js';
import { isWatertight, reportMesh } from './mesh-report.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Of a ball of radius 1: `rings` x `sectors` quads, triangles at the poles. */
function ball(rings: number, sectors: number): TriangleMesh {
  const vertices: number[] = [];
  for (let i = 0; i <= rings; i++)
    for (let j = 0; j < sectors; j++) {
      const [polar, around] = [(Math.PI * i) / rings, (2 * Math.PI * j) / sectors];
      const radius = i === 0 || i === rings ? 0 : Math.sin(polar);
      vertices.push(radius * Math.cos(around), radius * Math.sin(around), Math.cos(polar));
    }
  const triangles: number[] = [];
  for (let i = 0; i < rings; i++)
    for (let j = 0; j < sectors; j++) {
      const [a, b] = [i * sectors + j, i * sectors + ((j + 1) % sectors)];
      if (i > 0) triangles.push(a, a + sectors, b);
      if (i < rings - 1) triangles.push(b, a + sectors, b + sectors);
    }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const without = (mesh: TriangleMesh, isGone: (t: number) => boolean): TriangleMesh => ({
  ...mesh,
  triangles: mesh.triangles.filter((_, i) => !isGone(Math.floor(i / 3))),
});

/** Positions alone tell that neighbours meet, as in STL files. */
const soup = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
  vertices: Float64Array.from([...triangles].flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)])),
  triangles: Uint32Array.from(triangles, (_, i) => i),
});

const WHOLE = ball(8, 12);
const COUNT = WHOLE.triangles.length / 3;

describe('fillHoles', () => {
  it('leaves a closed mesh as it is', () => {
    expect(fillHoles(WHOLE, 10)).toEqual({
      mesh: WHOLE,
      filled: 0,
      widestFilled: 0,
      tooWide: 0,
      narrowestLeft: 0,
      ofSheets: 0,
    });
  });

  it('gives a missing triangle back', () => {
    const { mesh, filled, tooWide } = fillHoles(
      without(WHOLE, (t) => t === 50),
      1,
    );
    expect([filled, tooWide]).toEqual([1, 0]);
    expect(mesh.triangles.length).toBe(WHOLE.triangles.length);
    expect(reportMesh(mesh).volume).toBeCloseTo(reportMesh(WHOLE).volume!, 14);
  });

  it('closes a missing face of a box exactly, whatever the turn of the rim', () => {
    const corners = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]).flat();
    const faces = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6];
    const open = { vertices: Float64Array.from(corners), triangles: Uint32Array.from(faces) };
    expect(isWatertight(open)).toBe(false);
    const { mesh, widestFilled } = fillHoles(open, 1);
    expect(widestFilled).toBe(1);
    expect(reportMesh(mesh)).toMatchObject({ watertight: true, consistentlyOriented: true, volume: 1 });
    expect(fillHoles(open, 0.999)).toMatchObject({ mesh: open, filled: 0, tooWide: 1, narrowestLeft: 1 });
  });

  it('cuts a flat notch within itself: least area, not a fan over it', () => {
    // An L-shaped prism without its top.
    const outline = [0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2];
    const vertices = [0, 1].flatMap((z) => [0, 1, 2, 3, 4, 5].flatMap((i) => [outline[2 * i], outline[2 * i + 1], z]));
    const sides = [0, 1, 2, 3, 4, 5].flatMap((i) => {
      const j = (i + 1) % 6;
      return [i, j, 6 + j, i, 6 + j, 6 + i];
    });
    const bottom = [0, 3, 1, 1, 3, 2, 0, 5, 3, 3, 5, 4];
    const { mesh } = fillHoles(
      { vertices: Float64Array.from(vertices), triangles: Uint32Array.from([...sides, ...bottom]) },
      2,
    );
    const { volume, area } = reportMesh(mesh);
    expect(volume).toBeCloseTo(3, 13);
    expect(area).toBeCloseTo(3 + 3 + 8, 13);
  });

  it('fans rims of more corners than the best triangulation is worth', () => {
    const bowl = without(ball(16, 128), (t) => t >= 128 * 15);
    const { mesh, filled } = fillHoles(bowl, 2);
    expect(filled).toBe(1);
    expect(reportMesh(mesh)).toMatchObject({ watertight: true, consistentlyOriented: true });
    expect(mesh.vertices.length).toBe(bowl.vertices.length + 3);
  });

  it('does not double a sheet, and a sheet beside a shell changes nothing for it', () => {
    const sheet = {
      vertices: Float64Array.of(5, 0, 0, 6, 0, 0, 6, 1, 0, 5, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
    expect(fillHoles(sheet, 10)).toMatchObject({ mesh: sheet, filled: 0, ofSheets: 1 });
    const shell = without(WHOLE, (t) => t === 50);
    const count = shell.vertices.length / 3;
    const both = {
      vertices: Float64Array.from([...shell.vertices, ...sheet.vertices]),
      triangles: Uint32Array.from([...shell.triangles, ...[...sheet.triangles].map((v) => v + count)]),
    };
    expect(fillHoles(both, 10)).toMatchObject({ filled: 1, ofSheets: 1 });
  });

  it('leaves edges where the surface turns its side', () => {
    const turned = Uint32Array.from(WHOLE.triangles);
    turned.set([WHOLE.triangles[150], WHOLE.triangles[152], WHOLE.triangles[151]], 150);
    expect(fillHoles({ ...WHOLE, triangles: turned }, 10)).toMatchObject({ filled: 0, tooWide: 0, ofSheets: 0 });
  });

  it('closes whatever few triangles are missing, of meshes and of soups alike', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(COUNT - 1), { minLength: 1, maxLength: 40 }), (gone) => {
        const holed = without(WHOLE, (t) => gone.includes(t));
        for (const mesh of [holed, soup(holed)]) {
          const { mesh: closed, ofSheets, tooWide } = fillHoles(mesh, 10);
          if (ofSheets > 0) continue;
          expect(tooWide).toBe(0);
          const report = reportMesh(closed);
          expect(report).toMatchObject({ watertight: true, consistentlyOriented: true });
          expect(report.volume).toBeLessThan(4.19);
          expect(closed.triangles.subarray(0, mesh.triangles.length)).toEqual(mesh.triangles);
        }
      }),
    );
  });
});
