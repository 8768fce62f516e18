import { describe, expect, it } from 'vitest';
import { createRayCase, type Point, randomPose, rayKinds } from '../../../test/support/ray-cases.js';
import { createRandom } from '../../math/random.js';
import { createTransform, inverseTransformPoint, poseToTransform } from '../../math/transform.js';
import { addObject, createScene, disposeScene } from '../scene.js';
import { findBodiesAt, findBodiesInBox, findBodiesInSphere, nearestBody } from './region.js';

const SCENES = process.env.ORACLE_FULL ? 400 : 3;

describe('points and regions', () => {
  it('are in what the rule of inside and outside of each shape says', () => {
    const random = createRandom(3);
    for (let s = 0; s < SCENES; s++) {
      const scene = createScene();
      const made = rayKinds.map((kind) => {
        const pose = randomPose(random, 2);
        const X = poseToTransform(createTransform(), pose);
        const { shape, rule } = createRayCase(random, kind);
        addObject(scene, { name: kind, shape, pose });
        return { kind, signed: (p: Point): number => rule(inverseTransformPoint([0, 0, 0] as Point, X, p)) };
      });
      for (let r = 0; r < 60; r++) {
        const p: Point = [random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)];
        const values = made.map(({ signed }) => signed(p));
        if (values.some((v) => Math.abs(v) < 1e-9)) continue;
        const within = made.filter((_, i) => values[i] < 0).map(({ kind }) => kind);
        expect(findBodiesAt(scene, p).bodies).toEqual(within);
        const nearest = nearestBody(scene, p)!;
        expect(nearest.distance < 0).toBe(within.length > 0);
        // The closest point lies on the surface, and the point along its normal.
        const { signed } = made.find(({ kind }) => kind === nearest.body)!;
        const isUnion = ['octree', 'points', 'heightfield', 'compound'].includes(nearest.body);
        if (!isUnion || nearest.distance > 0) expect(Math.abs(signed([...nearest.point]))).toBeLessThan(1e-9);
        nearest.point.forEach((x, k) => {
          expect(Math.abs(x + nearest.distance * nearest.normal[k] - p[k])).toBeLessThan(1e-8);
        });
        // Nothing is nearer: along the way to any other body's answer no surface is met.
        for (const { kind } of made) {
          const alone = nearestBody(scene, p, { leaveOut: rayKinds.filter((other) => other !== kind) })!;
          expect(alone.distance).toBeGreaterThanOrEqual(nearest.distance);
        }
        const { distance } = nearest;
        if (distance > 0) {
          expect(findBodiesInSphere(scene, { center: p, radius: 0.999 * distance }).bodies).toEqual([]);
          expect(findBodiesInSphere(scene, { center: p, radius: 1.001 * distance }).bodies).toContain(nearest.body);
          const half = (0.999 * distance) / Math.sqrt(3);
          const box = { min: p.map((x) => x - half), max: p.map((x) => x + half) };
          expect(findBodiesInBox(scene, box).bodies).toEqual([]);
        }
        const box = { min: p.map((x) => x - 0.4), max: p.map((x) => x + 0.4) };
        const touched = findBodiesInBox(scene, box).bodies;
        for (const name of within) expect(touched).toContain(name);
        const byBoxes = findBodiesInBox(scene, box, { boxesOnly: true }).bodies;
        for (const name of touched) expect(byBoxes).toContain(name);
        for (let i = 0; i < 20; i++) {
          const q = p.map((x) => x + random.uniform(-0.4, 0.4)) as Point;
          for (const { kind, signed: rule } of made) if (rule(q) < -1e-9) expect(touched).toContain(kind);
        }
      }
      disposeScene(scene);
    }
  }, 3_600_000);

  it('say that a point is in an open mesh, which counts as a surface', () => {
    const scene = createScene();
    const vertices = Float64Array.from({ length: 24 }, (_, i) => ((i / 3) & (1 << (i % 3)) ? 1 : -1));
    const faces = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5];
    addObject(scene, {
      name: 'crate',
      shape: { type: 'mesh', mesh: { vertices, triangles: Uint32Array.from(faces) } },
    });
    const { bodies, assumed } = findBodiesAt(scene, [0.1, 0, 0]);
    expect(bodies).toEqual([]);
    expect(assumed).toEqual([expect.stringMatching(/^guessed: "crate": its mesh is open .*"the point" inside it/)]);
    expect(findBodiesAt(scene, [3, 0, 0]).assumed).toEqual([]);
    expect(nearestBody(scene, [0.1, 0, 0], { maxDistance: 0.5 })).toBeNull();
    disposeScene(scene);
  });
});
