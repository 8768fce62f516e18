/** Faults other engines had with containment, touching verdicts, hidden margins, and hulls. */
import { describe, expect, it } from 'vitest';
import { buildConvexHull } from '../../src/geometry/hull.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { createBoxMesh } from '../sample-shapes.js';

function at(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

function measure(A: Shape, X: Transform, B: Shape, Y: Transform) {
  return distance(createDistanceResult(), createCollider(A), X, createCollider(B), Y);
}

describe('solid or surface', () => {
  it('U023: a cube mesh inside another: -2.5 solid, 1.5 as surfaces, by an explicit option', () => {
    const outer = createBoxMesh([4, 4, 4]);
    const inner = createBoxMesh([1, 1, 1]);
    const solid = measure({ type: 'mesh', mesh: outer }, at(0, 0, 0), { type: 'mesh', mesh: inner }, at(0, 0, 0));
    expect(solid.collides).toBe(true);
    expect(solid.distance).toBeCloseTo(-2.5, 12);
    const surface = measure(
      { type: 'mesh', mesh: outer, mode: 'surface' },
      at(0, 0, 0),
      { type: 'mesh', mesh: inner, mode: 'surface' },
      at(0, 0, 0),
    );
    expect(surface.collides).toBe(false);
    expect(surface.distance).toBeCloseTo(1.5, 12);
  });

  it('U025: boxes stacked face to face touch, whatever their sizes', () => {
    const unit: Shape = { type: 'box', size: [1, 1, 1] };
    const wide: Shape = { type: 'box', size: [2, 1, 1] };
    const top = at(0.5, 1.5, 0.5);
    const meshes: Shape[] = [
      { type: 'mesh', mesh: createBoxMesh([1, 1, 1]) },
      { type: 'mesh', mesh: createBoxMesh([2, 1, 1]) },
    ];
    for (const [lower, X] of [
      [unit, at(0.5, 0.5, 0.5)],
      [wide, at(0, 0.5, 0.5)],
      [meshes[0], at(0.5, 0.5, 0.5)],
      [meshes[1], at(0, 0.5, 0.5)],
    ] as const)
      for (const upper of [unit, meshes[0]]) {
        const r = measure(lower, X, upper, top);
        expect(r.collides).toBe(true);
        expect(Math.abs(r.distance)).toBeLessThan(1e-12);
        expect(collide(createCollider(lower), X, createCollider(upper), top)).toBe(true);
      }
  });
});

describe('margins, small and far objects', () => {
  it('U027: small cubes have no hidden margin', () => {
    const cube: Shape = { type: 'box', size: [0.01, 0.01, 0.01] };
    expect(measure(cube, at(0, 0, 0), cube, at(0.03, 0, 0)).distance).toBeCloseTo(0.02, 15);
  });

  it('U029: a ball above a very large cuboid: straight down to its face it is 9.6', () => {
    const cuboid: Shape = { type: 'box', size: [1000, 1000, 1000] };
    const r = measure({ type: 'sphere', radius: 0.4 }, at(123.4, -87.6, 510), cuboid, at(0, 0, 0));
    expect(Math.abs(r.distance - 9.6)).toBeLessThan(1e-12 * 500);
    const hit = collide(
      createCollider({ type: 'sphere', radius: 0.4 }),
      at(123.4, -87.6, 510 - 9.6 - 1e-9),
      createCollider(cuboid),
      at(0, 0, 0),
    );
    expect(hit).toBe(true);
  });
});

describe('convex hull', () => {
  it('U051: a planar mesh and its flat hull can be queried', () => {
    const quad = Float64Array.of(-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0);
    const sphere: Shape = { type: 'sphere', radius: 1 };
    const mesh: Shape = { type: 'mesh', mesh: { vertices: quad, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) } };
    expect(measure(mesh, at(0, 0, 0), sphere, at(0, 0, 3)).distance).toBeCloseTo(2, 12);
    expect(buildConvexHull(quad).dimension).toBe(2);
    const flat: Shape = { type: 'convex', points: quad };
    expect(measure(flat, at(0, 0, 0), sphere, at(0, 0, 3)).distance).toBeCloseTo(2, 12);
    expect(measure(flat, at(0, 0, 0), flat, at(1, 1, 0)).distance).toBeCloseTo(0, 12);
    expect(measure(flat, at(0, 0, 0), sphere, at(0, 0, 0.25)).distance).toBeCloseTo(-0.75, 12);
  });

  it('U055: faces wound either way do not change the distance of a convex', () => {
    const cube = createBoxMesh([1, 1, 1]);
    const mixed = { ...cube, triangles: cube.triangles.slice() };
    for (let t = 0; t < mixed.triangles.length; t += 6) {
      const swap = mixed.triangles[t + 1];
      mixed.triangles[t + 1] = mixed.triangles[t + 2];
      mixed.triangles[t + 2] = swap;
    }
    const convex: Shape = { type: 'convex', points: mixed.vertices };
    expect(measure(convex, at(0, 0, 0), convex, at(3, 0, 0)).distance).toBeCloseTo(2, 12);
    const mesh: Shape = { type: 'mesh', mesh: mixed };
    expect(measure(mesh, at(0, 0, 0), mesh, at(3, 0, 0)).distance).toBeCloseTo(2, 12);
    expect(measure(mesh, at(0, 0, 0), { type: 'sphere', radius: 0.1 }, at(0, 0, 0)).collides).toBe(true);
  });
});
