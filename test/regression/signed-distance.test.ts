/** Faults other engines had with the sign and value of distances. */
import { describe, expect, it } from 'vitest';
import { buildConvexHull } from '../../src/geometry/hull.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { createBoxMesh, joinMeshes } from '../sample-shapes.js';

function at(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

function measure(A: Shape, X: Transform, B: Shape, Y: Transform) {
  return distance(createDistanceResult(), createCollider(A), X, createCollider(B), Y);
}

describe('sign and value of distance', () => {
  it('U013: overlapping cube meshes: -0.5 solid, 0 with a flag as surfaces', () => {
    const mesh = createBoxMesh([2, 2, 2]);
    const solid = measure({ type: 'mesh', mesh }, at(0, 0, 0), { type: 'mesh', mesh }, at(1.5, 0, 0));
    expect(solid.distance).toBeCloseTo(-0.5, 12);
    expect(solid.status).toBe('ok');
    expect(Array.from(solid.normal)).toEqual([1, 0, 0]);
    const shell: Shape = { type: 'mesh', mesh, mode: 'surface' };
    const surface = measure(shell, at(0, 0, 0), shell, at(1.5, 0, 0));
    expect(surface.distance).toBe(0);
    expect(surface.collides).toBe(true);
    expect(surface.status).toBe('depth-bound');
  });

  it('U015: spheres far apart', () => {
    const r = measure({ type: 'sphere', radius: 7 }, at(0, 0, 0), { type: 'sphere', radius: 3 }, at(0, 25, 0));
    expect(r.distance).toBe(15);
    expect(Array.from(r.pointA)).toEqual([0, 7, 0]);
    expect(Array.from(r.pointB)).toEqual([0, 22, 0]);
  });

  it('U017: the depth inside a union of spheres is flagged as a bound', () => {
    const points: number[] = [];
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < 24; j++) {
        const polar = (Math.PI * (i + 0.5)) / 12;
        const around = (Math.PI * j) / 12;
        points.push(Math.sin(polar) * Math.cos(around), Math.sin(polar) * Math.sin(around), Math.cos(polar));
      }
    const ball = buildConvexHull(points);
    const shifted = (x: number) => ({
      vertices: ball.vertices.map((v, i) => (i % 3 === 0 ? v + x : v)),
      triangles: ball.triangles,
    });
    const union = createCollider({ type: 'mesh', mesh: joinMeshes(shifted(-0.5), shifted(0.5)) });
    const probe = createCollider({ type: 'sphere', radius: 1e-6 });
    const r = distance(createDistanceResult(), union, at(0, 0, 0), probe, at(0, 0, 0));
    expect(r.collides).toBe(true);
    expect(r.status).toBe('depth-bound');
    // The bound is honest: applied, it frees the probe.
    expect(r.distance).toBeLessThan(-0.84);
    const free = at(0, 0, 0);
    for (let k = 0; k < 3; k++) free[9 + k] = (-r.distance + 1e-7) * r.normal[k];
    expect(collide(union, at(0, 0, 0), probe, free)).toBe(false);
  });

  it('U019: a small cube on a much larger one: the contact stays between them', () => {
    const large = createCollider({ type: 'box', size: [5, 5, 5] });
    const small = createCollider({ type: 'box', size: [0.2, 0.2, 0.2] });
    const X = at(0, 0, 0);
    const Y = at(1.3, -0.7, 2.55);
    const r = distance(createDistanceResult(), large, X, small, Y);
    expect(r.distance).toBeCloseTo(-0.05, 12);
    expect(r.normal[2]).toBeCloseTo(1, 12);
    const contacts = createContacts(4);
    const count = computeContacts(contacts, large, X, small, Y);
    expect(count).toBe(4);
    for (const { point, depth } of [...contacts.slice(0, count), { point: r.pointA, depth: 0.05 }]) {
      expect(depth).toBeCloseTo(0.05, 12);
      expect(point[0]).toBeGreaterThanOrEqual(1.2 - 1e-9);
      expect(point[0]).toBeLessThanOrEqual(1.4 + 1e-9);
      expect(point[1]).toBeGreaterThanOrEqual(-0.8 - 1e-9);
      expect(point[1]).toBeLessThanOrEqual(-0.6 + 1e-9);
      expect(point[2]).toBeGreaterThanOrEqual(2.45 - 1e-9);
      expect(point[2]).toBeLessThanOrEqual(2.5 + 1e-9);
    }
  });

  it('U021: a plane is a surface, a half-space is solid', () => {
    const sphere: Shape = { type: 'sphere', radius: 0.5 };
    const quad = Float64Array.of(-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0);
    const plane: Shape = { type: 'mesh', mesh: { vertices: quad, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) } };
    expect(measure(sphere, at(0, 0, -3), plane, at(0, 0, 0)).distance).toBeCloseTo(2.5, 12);
    const ground: Shape = { type: 'halfspace', normal: [0, 0, 1], offset: 0 };
    const r = measure(sphere, at(0, 0, -3), ground, at(0, 0, 0));
    expect(r.distance).toBeCloseTo(-3.5, 12);
    expect(r.normal[2]).toBe(-1);
  });
});
