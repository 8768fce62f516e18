/** Planning faults that need real shapes: other robots as obstacles, parts that come apart with little play. */
import { describe, expect, it } from 'vitest';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { densifyPath } from '../../src/planning/path.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { createScene } from '../../src/scene/scene.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

describe('planning with real shapes', () => {
  it('U149: a second robot is an obstacle of the first', () => {
    const scene = createScene();
    const urdf = planarArm('arm', 3, 0.4);
    const other = addUrdf(scene, urdf, { name: 'other', placement: [2.15, 0, 0, 0, 0, 1, 0] });
    const mover = addUrdf(scene, urdf, { name: 'mover' });
    setConfiguration(other, [0, 0]);
    const start = Float64Array.from([1.2, 0.6]);
    const goal = Float64Array.from([-1.2, -0.6]);
    setConfiguration(mover, [0, 0]);
    expect(isSceneFree(scene)).toBe(false);
    const space = createConfigurationSpace(mover.model);
    const checker = createSceneChecker(scene, mover);
    const { status, path } = planRrtConnect({ space, checker, start, goals: [goal], seed: 1 });
    expect(status).toBe('solved');
    expect(path.length).toBeGreaterThan(2);
    for (const q of densifyPath(space, path, 0.005)) {
      setConfiguration(mover, q);
      expect(isSceneFree(scene)).toBe(true);
    }
    expect(checker.explain(Float64Array.from([0, 0]))).toMatch(
      /mover\/link\d touches other\/link\d|other\/link\d touches mover\/link\d/,
    );
  });

  it('U156: a peg with 0.01 mm of play comes straight out of its hole, clear all the way', () => {
    const peg = createCollider({ type: 'mesh', mesh: prism([4.99], [0, 34]), mode: 'surface' });
    const block = createCollider({ type: 'mesh', mesh: prism([5, 12], [0, 30]), mode: 'surface' });
    const X_WB = createTransform();
    const X_WP = createTransform();
    const checker = {
      isValid(p: Float64Array): boolean {
        X_WP.set(p, 9);
        return !collide(block, X_WB, peg, X_WP);
      },
    };
    const space = createRealVectorSpace({ lower: [-20, -20, 0], upper: [20, 20, 60] });
    const { status, path } = planRrtConnect({
      space,
      checker,
      start: Float64Array.from([0, 0, 0]),
      goals: [Float64Array.from([0, 0, 40])],
      resolution: 0.5,
    });
    expect(status).toBe('solved');
    const result = createDistanceResult();
    for (const p of densifyPath(space, path, 0.5)) {
      expect(Math.hypot(p[0], p[1])).toBeLessThan(0.011);
      X_WP.set(p, 9);
      expect(distance(result, block, X_WB, peg, X_WP).distance).toBeGreaterThan(0.004);
    }
    expect(checker.isValid(Float64Array.from([0.02, 0, 10]))).toBe(false);
  });
});

/** A 64-gon prism: solid for one radius, a ring for two. Open at no edge, outward winding. */
function prism(radii: readonly number[], heights: readonly [number, number]): TriangleMesh {
  const n = 64;
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const radius of radii) {
    for (const z of heights) {
      for (let k = 0; k < n; k++) {
        const angle = (2 * Math.PI * k) / n;
        vertices.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
      }
    }
  }
  const quad = (a: number, b: number, c: number, d: number): void => void triangles.push(a, b, c, a, c, d);
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    const outer = 2 * n * (radii.length - 1);
    quad(outer + k, outer + next, outer + n + next, outer + n + k);
    if (radii.length === 2) {
      quad(next, k, n + k, n + next);
      quad(n + k, outer + n + k, outer + n + next, n + next);
      quad(k, next, outer + next, outer + k);
    } else if (k >= 1 && k < n - 1) {
      triangles.push(0, k + 1, k, n, n + k, n + k + 1);
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
