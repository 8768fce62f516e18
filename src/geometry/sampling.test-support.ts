/** Seeded samples of shapes for the tests of this folder. */
import { ruleOf } from '../../test/sample-shapes.js';
import type { Random } from '../math/random.js';
import { poseToTransform, type Transform } from '../math/transform.js';
import type { Shape } from './shapes.js';

export const IDENTITY_POSE: Transform = poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]);

export function sampleDirection(random: Random): number[] {
  const d = [random.normal(), random.normal(), random.normal()];
  const norm = Math.hypot(...d);
  return d.map((x) => x / norm);
}

export function sampleTransform(random: Random): Transform {
  const q = [random.normal(), random.normal(), random.normal(), random.normal()];
  return poseToTransform(new Float64Array(12), [random.normal(), random.normal(), random.normal(), ...q]);
}

/** Points on the surface, by each shape's own parametrisation (not by its support mapping). */
export function sampleSurface(shape: Shape, count: number, random: Random): Float64Array {
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    const d = sampleDirection(random);
    const turn = random.uniform(0, 2 * Math.PI);
    const t = random.uniform(-0.5, 0.5);
    switch (shape.type) {
      case 'sphere':
        out.push(...d.map((x) => x * shape.radius));
        break;
      case 'ellipsoid':
        out.push(...d.map((x, k) => x * shape.semiAxes[k]));
        break;
      case 'box': {
        const p = shape.size.map((s) => s * random.uniform(-0.5, 0.5));
        const k = random.integer(3);
        p[k] = (random.integer(2) - 0.5) * shape.size[k];
        out.push(...p);
        break;
      }
      case 'capsule':
        if (i % 2) out.push(shape.radius * Math.cos(turn), shape.radius * Math.sin(turn), t * shape.length);
        else
          out.push(
            shape.radius * d[0],
            shape.radius * d[1],
            shape.radius * d[2] + Math.sign(d[2]) * 0.5 * shape.length,
          );
        break;
      case 'cylinder': {
        const r = shape.radius * (i % 2 ? 1 : Math.sqrt(random.next()));
        out.push(r * Math.cos(turn), r * Math.sin(turn), i % 2 ? t * shape.length : Math.sign(t) * 0.5 * shape.length);
        break;
      }
      case 'cone': {
        const r = shape.radius * (i % 2 ? 0.5 - t : Math.sqrt(random.next()));
        out.push(r * Math.cos(turn), r * Math.sin(turn), i % 2 ? t * shape.length : -0.5 * shape.length);
        break;
      }
      case 'convex': {
        const k = 3 * random.integer(shape.points.length / 3);
        out.push(shape.points[k], shape.points[k + 1], shape.points[k + 2]);
        break;
      }
      default: {
        // Where the rule of inside and outside changes along a ray from the middle.
        let [low, high] = [0, 4];
        for (let step = 0; step < 60; step++) {
          const middle = 0.5 * (low + high);
          if (ruleOf(shape)(d.map((x) => middle * x)) < 0) low = middle;
          else high = middle;
        }
        out.push(...d.map((x) => low * x));
      }
    }
  }
  return Float64Array.from(out);
}
