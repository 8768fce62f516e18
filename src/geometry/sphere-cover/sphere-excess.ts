/**
 * How far spheres stick out of shapes, certified, and how much larger the volume of their union is.
 *
 * Method: the distance from the shapes grows by at most one per length, so in a cube with half diagonal h around p it is at most d(p) + h.
 * Branch and bound over cubes of each ball: those whose bound, or whose ball's own bound r + d(c), is not above what was found are left
 * out, the others are cut in eight.
 * Volume: that of the union of balls by union-volume.ts; of the shape exactly where it is one body, otherwise by counting a lattice.
 * Frames: L link. Cost: a few hundred distances per ball. Checked by fit-spheres.test.ts.
 */
import { computeMassProperties } from '../mass-properties.js';
import { reportMesh } from '../mesh-report.js';
import type { PlacedShape } from '../sphere-proof/parts.js';
import { sampleLattice } from './sample-shapes.js';
import type { ShapeField } from './shape-field.js';

/** Relative accuracy of an excess. */
const ACCURACY = 0.02;
const MOST_CUBES = 4000;

/** No point of the balls is farther from the shapes than this, and some point nearly is. */
export function measureExcess(field: ShapeField, balls: ArrayLike<number>): number {
  const order: { i: number; bound: number }[] = [];
  for (let i = 0; i < balls.length; i += 4)
    order.push({ i, bound: balls[i + 3] + field.distance(balls[i], balls[i + 1], balls[i + 2]) });
  order.sort((p, q) => q.bound - p.bound);
  let lower = 0;
  let upper = 0;
  for (const { i, bound } of order) {
    if (bound <= (1 + ACCURACY) * lower) {
      upper = Math.max(upper, Math.min(bound, (1 + ACCURACY) * lower));
      continue;
    }
    const [x, y, z, r] = [balls[i], balls[i + 1], balls[i + 2], balls[i + 3]];
    let cubes = 0;
    const stack: [number, number, number, number, number][] = [[x, y, z, r, bound]];
    while (stack.length > 0) {
      const [cx, cy, cz, half, above] = stack.pop()!;
      if (above <= (1 + ACCURACY) * lower) {
        upper = Math.max(upper, above);
        continue;
      }
      const away = Math.sqrt((cx - x) ** 2 + (cy - y) ** 2 + (cz - z) ** 2);
      const diagonal = half * SQRT3;
      if (away - diagonal > r) continue;
      // The point of the ball nearest to the cube's middle.
      const scale = away > r ? r / away : 1;
      const shift = away > r ? away - r : 0;
      const d = field.distance(x + scale * (cx - x), y + scale * (cy - y), z + scale * (cz - z));
      lower = Math.max(lower, d);
      const most = Math.min(bound, d + shift + diagonal);
      cubes++;
      if (most <= (1 + ACCURACY) * lower || cubes > MOST_CUBES) {
        upper = Math.max(upper, most);
        continue;
      }
      const h = 0.5 * half;
      for (let k = 0; k < 8; k++)
        stack.push([cx + (k & 1 ? h : -h), cy + (k & 2 ? h : -h), cz + (k & 4 ? h : -h), h, most]);
    }
  }
  return Math.max(lower, upper);
}

const SQRT3 = Math.sqrt(3);
const COUNTED = 40_000;

/** Of what the shapes occupy together; null where it cannot be told (open meshes). */
export function shapeVolume(shapes: readonly PlacedShape[], field: ShapeField): number | null {
  for (const { shape } of shapes) {
    if (shape.type === 'compound' || shape.type === 'points') continue;
    if (shape.type === 'heightfield' && shape.floor === undefined) return null;
    if (shape.type !== 'mesh') continue;
    if (shape.mode === 'surface' || reportMesh(shape.mesh).volume === null) return null;
  }
  if (shapes.length === 1 && !['compound', 'points', 'octree', 'support'].includes(shapes[0].shape.type)) {
    const { shape } = shapes[0];
    if (shape.type === 'mesh') return Math.abs(reportMesh(shape.mesh).volume!);
    return computeMassProperties(shape, 1).volume;
  }
  const { points, spacing } = sampleLattice(field, field.bounds, COUNTED, 1e-12);
  let inside = 0;
  for (let i = 3; i < points.length; i += 4) if (points[i] < 0) inside++;
  return inside * spacing * spacing * spacing;
}
