/** Swept distances against dense sampling, their gradients against differences of the whole search, and a closed form. */
import { describe, expect, test } from 'vitest';
import { sampleShape } from '../../../test/sample-shapes.js';
import type { ShapeType } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import { integrateConfiguration, interpolateConfiguration, randomConfiguration } from '../../model/configuration.js';
import { disposeScene } from '../../scene/scene.js';
import { createArms } from './arms.test-support.js';
import { createDistanceGradients } from './distance-gradients.js';
import { sweptDistances } from './swept-distance.js';

const KINDS: readonly ShapeType[] = ['sphere', 'box', 'capsule', 'ellipsoid', 'convex'];
const STEP = 1e-5;

describe('motions of arms with revolute, prismatic and spherical joints', () => {
  test('the minimum is found, bounded from below, and its derivatives are those of both ends', () => {
    const random = createRandom(31);
    let compared = 0;
    let inside = 0;
    for (let n = 0; n < (process.env.ORACLE_FULL ? 60 : 8); n++) {
      const { scene, robots } = createArms(random, {
        types: n % 2 === 0 ? ['revolute', 'prismatic', 'revolute'] : ['revolute', 'spherical'],
        shapes: [sampleShape(random, KINDS[n % KINDS.length])],
        objects: [sampleShape(random, 'sphere'), sampleShape(random, 'capsule')],
      });
      const [robot] = robots;
      const { model } = robot;
      const from = randomConfiguration(new Float64Array(model.nq), model, random);
      const v = Float64Array.from({ length: model.nv }, () => random.uniform(-2, 2));
      const to = integrateConfiguration(new Float64Array(model.nq), model, from, v);
      const options = { reach: 1, tolerance: 2e-3 };
      const { status, pairs } = sweptDistances(scene, robot, from, to, options);
      expect(status).toBe('solved');
      const rows = createDistanceGradients(scene, robot, { nearestOnly: true });
      const q = new Float64Array(model.nq);
      for (const { a, b, distance, lowerBound, t, gradientFrom, gradientTo, smooth } of pairs) {
        let least = Infinity;
        for (let k = 0; k <= 200; k++) {
          rows.update(interpolateConfiguration(q, model, from, to, k / 200));
          for (let i = 0; i < rows.count; i++) {
            const pair = rows.pair(i);
            if (pair.a === a && pair.b === b) least = Math.min(least, pair.distance);
          }
        }
        expect(distance).toBeLessThanOrEqual(least + 1e-6);
        expect(lowerBound).toBeLessThanOrEqual(distance);
        expect(lowerBound).toBeGreaterThanOrEqual(distance - 2.0001e-3);
        expect(least).toBeGreaterThanOrEqual(lowerBound);
        if (t > 1e-3 && t < 1 - 1e-3) inside++;
        if (!smooth) continue;
        const minimumAt = (end: 'from' | 'to', k: number, step: number): number => {
          const small = new Float64Array(model.nv);
          small[k] = step;
          const moved = integrateConfiguration(new Float64Array(model.nq), model, end === 'from' ? from : to, small);
          const found = sweptDistances(scene, robot, end === 'from' ? moved : from, end === 'to' ? moved : to, options);
          return found.pairs.find((pair) => pair.a === a && pair.b === b)!.distance;
        };
        for (const [end, gradient] of [
          ['from', gradientFrom],
          ['to', gradientTo],
        ] as const)
          for (let k = 0; k < model.nv; k++) {
            const slope = (minimumAt(end, k, STEP) - minimumAt(end, k, -STEP)) / (2 * STEP);
            expect(Math.abs(slope - gradient[k]), `${n} ${a} ${b} ${end} ${k}`).toBeLessThan(1e-4);
            compared++;
          }
      }
      disposeScene(scene);
    }
    expect(compared).toBeGreaterThan(20);
    expect(inside).toBeGreaterThan(0);
  });
});
