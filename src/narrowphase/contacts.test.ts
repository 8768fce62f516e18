import { describe, expect, it } from 'vitest';
import { createBoxMesh } from '../../test/sample-shapes.js';
import type { Shape } from '../geometry/shapes.js';
import { poseToTransform, type Transform } from '../math/transform.js';
import { createCollider } from './collider.js';
import { computeContacts, createContacts } from './contacts.js';
import type { Contact } from './query.js';

function at(x: number, y: number, z: number, q: readonly number[] = [0, 0, 0, 1]): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, ...q]);
}

function contactsOf(A: Shape, X: Transform, B: Shape, Y: Transform, room = 8): Contact[] {
  const out = createContacts(room);
  const count = computeContacts(out, createCollider(A), X, createCollider(B), Y);
  return out.slice(0, count);
}

const cube: Shape = { type: 'box', size: [2, 2, 2] };
const lying = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

describe('computeContacts', () => {
  it('box on box: the corners of the overlap, each at its depth', () => {
    const found = contactsOf(cube, at(0, 0, 0), cube, at(1.5, 0.5, 1.9));
    expect(found.length).toBe(4);
    const spots = found.map(({ point }) => `${point[0].toFixed(6)} ${point[1].toFixed(6)}`).sort();
    expect(spots).toEqual(['0.500000 -0.500000', '0.500000 1.000000', '1.000000 -0.500000', '1.000000 1.000000']);
    for (const { depth, normal, point } of found) {
      expect(depth).toBeCloseTo(0.1, 12);
      expect(normal[2]).toBeCloseTo(1, 12);
      expect(point[2]).toBeCloseTo(0.95, 12);
    }
  });

  it('keeps to the room given, deepest first', () => {
    const tilt = [Math.sin(0.004), 0, 0, Math.cos(0.004)];
    const found = contactsOf(cube, at(0, 0, 0), cube, at(0, 0, 1.99, tilt), 2);
    expect(found.length).toBe(2);
    expect(found[0].depth).toBeGreaterThan(found[1].depth - 1e-12);
    expect(found[0].depth).toBeCloseTo(0.01 + Math.sin(0.008), 3);
  });

  it('lying cylinder on a floor: two points; standing: its rim; capsule along a box: two', () => {
    const floor: Shape = { type: 'halfspace', normal: [0, 0, 1], offset: 0 };
    const cylinder: Shape = { type: 'cylinder', radius: 0.5, length: 2 };
    for (const [found, depth] of [
      [contactsOf(cylinder, at(0, 0, 0.49, lying), floor, at(0, 0, 0)), 0.01],
      [contactsOf(floor, at(0, 0, 0), cylinder, at(0, 0, 0.49, lying)), 0.01],
    ] as const) {
      expect(found.length).toBe(2);
      for (const contact of found) {
        expect(contact.depth).toBeCloseTo(depth, 12);
        expect(Math.abs(contact.point[0])).toBeCloseTo(1, 12);
      }
    }
    expect(contactsOf(cylinder, at(0, 0, 0.99), floor, at(0, 0, 0)).length).toBe(8);
    const along = contactsOf(cube, at(0, 0, 0), { type: 'capsule', radius: 0.5, length: 1 }, at(0, 0, 1.49, lying));
    expect(along.length).toBe(2);
    for (const { depth } of along) expect(depth).toBeCloseTo(0.01, 12);
  });

  it('normal runs from A to B in both orders', () => {
    const ball: Shape = { type: 'sphere', radius: 0.5 };
    const [ab] = contactsOf(cube, at(0, 0, 0), ball, at(0, 0, 1.4));
    const [ba] = contactsOf(ball, at(0, 0, 1.4), cube, at(0, 0, 0));
    expect(ab.normal[2]).toBeCloseTo(1, 12);
    expect(ba.normal[2]).toBeCloseTo(-1, 12);
    expect(ab.depth).toBeCloseTo(0.1, 12);
    expect(ab.point[2]).toBeCloseTo(0.95, 12);
  });

  it('nothing apart, and touching counts', () => {
    expect(contactsOf(cube, at(0, 0, 0), cube, at(0, 0, 2.001))).toEqual([]);
    expect(contactsOf(cube, at(0, 0, 0), cube, at(0, 0, 2)).length).toBe(4);
    const out = createContacts(4);
    const a = createCollider(cube);
    expect(computeContacts(out, a, at(0, 0, 0), a, at(0, 0, 2.05), { margin: 0.1 })).toBe(4);
    expect(out[0].depth).toBeCloseTo(-0.05, 12);
  });

  it('meshes name their triangles; two solids give the depth of the whole first', () => {
    const mesh: Shape = { type: 'mesh', mesh: createBoxMesh([2, 2, 2]) };
    const found = contactsOf(mesh, at(0, 0, 0), { type: 'sphere', radius: 0.5 }, at(0.3, 0.2, 1.4));
    expect(found[0].depth).toBeCloseTo(0.1, 12);
    expect(found.some(({ triangleA }) => triangleA >= 0)).toBe(true);
    for (const { normal } of found) expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
    const surface: Shape = { type: 'mesh', mesh: createBoxMesh([2, 2, 2]), mode: 'surface' };
    const pair = contactsOf(surface, at(0, 0, 0), surface, at(1.5, 0.1, 0.2));
    expect(pair.length).toBeGreaterThan(0);
    for (const { triangleA, triangleB } of pair) {
      expect(triangleA).toBeGreaterThanOrEqual(0);
      expect(triangleB).toBeGreaterThanOrEqual(0);
    }
  });

  it('flat on flat: four points that span the overlap, whatever the shapes', () => {
    const mesh = createBoxMesh([1, 1, 1]);
    const flats: [Shape, readonly number[]][] = [
      [{ type: 'box', size: [1, 1, 1] }, [0, 0, 0, 1]],
      [{ type: 'cylinder', radius: 0.5, length: 1 }, [0, 0, 0, 1]],
      // A cone's flat side is its base: turned over to lie below.
      [{ type: 'cone', radius: 0.5, length: 1 }, [1, 0, 0, 0]],
      [{ type: 'convex', points: mesh.vertices }, [0, 0, 0, 1]],
      [{ type: 'mesh', mesh }, [0, 0, 0, 1]],
      [{ type: 'mesh', mesh, mode: 'surface' }, [0, 0, 0, 1]],
      [{ type: 'halfspace', normal: [0, 0, 1], offset: 0.5 }, [0, 0, 0, 1]],
    ];
    for (const [A, q] of flats)
      for (const [B] of flats.slice(0, 6)) {
        const found = contactsOf(A, at(0, 0, 0, q), B, at(0.1, 0.05, 0.999, [0, 0, 0.1, 1]), 4);
        const where = `${A.type}-${B.type}`;
        expect(found.length, where).toBe(4);
        let area = 0;
        for (const { point: p } of found)
          for (const { point: q1 } of found)
            for (const { point: q2 } of found)
              area = Math.max(area, 0.5 * Math.abs((q1[0] - p[0]) * (q2[1] - p[1]) - (q1[1] - p[1]) * (q2[0] - p[0])));
        // Half of the overlap's area, or of a square in it where it is round.
        expect(area, where).toBeGreaterThan(0.22);
        for (const { depth, normal, point } of found) {
          expect(depth, where).toBeCloseTo(0.001, 9);
          expect(normal[2], where).toBeCloseTo(1, 9);
          expect(point[2], where).toBeCloseTo(0.4995, 9);
        }
      }
  });
});
