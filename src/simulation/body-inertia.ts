/**
 * A free body's mass, centre of mass and principal axes, from what its maker says: numbers, or shapes of one density.
 *
 * Method: moments of the shapes summed by the parallel-axis rule; eigenvectors of the inertia about the centre of mass are the axes
 * of frame C, in which the body is stepped. Parts that overlap count twice. Tested by world.test.ts.
 */
import { computeMassProperties } from '../geometry/mass-properties.js';
import { eigenSymmetric3 } from '../math/dense/eigen.js';
import { addPointInertiaAt, rotateInertia } from '../math/inertia.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, poseToTransform, type Transform, transformPoint } from '../math/transform.js';
import type { BodyOptions } from './definition.js';

export interface PrincipalInertia {
  readonly mass: number;
  /** Moments about the axes of C. */
  readonly moments: Float64Array;
  /** X_BC. */
  readonly frame: Transform;
}

/** Beyond, what masses are multiplied and divided to is 0 or no number, and bodies fell through the ground without a word. */
const LIGHTEST = 1e-100;
const HEAVIEST = 1e100;
const LEAST_MOMENT = 1e-130;
const MOST_MOMENT = 1e130;

const center = new Float64Array(3);

export function findPrincipalInertia(options: BodyOptions): PrincipalInertia {
  const { name, inertia: given } = options;
  const element = `createWorld: body "${name}"`;
  const total = new Float64Array(9);
  const c = new Float64Array(3);
  let mass = 0;
  if (given) {
    mass = given.mass;
    c.set(given.centerOfMass ?? [0, 0, 0]);
    total.set(given.inertia as Float64Array);
  } else mass = sumShapes(total, c, options, element);
  if (!(mass >= LIGHTEST && mass <= HEAVIEST))
    throw new MisuseError(`${element}: mass, got ${mass}, expected a number from ${LIGHTEST} to ${HEAVIEST}`);
  const moments = new Float64Array(3);
  const axes = new Float64Array(9);
  eigenSymmetric3(moments, axes, total);
  const [a, b, d] = moments;
  if (!(d > 0) || a > (b + d) * (1 + 1e-6))
    throw new MisuseError(
      `${element}: inertia, got principal moments ${a}, ${b}, ${d}, expected positive ones, none above the sum of the others`,
    );
  if (!(d >= LEAST_MOMENT && a <= MOST_MOMENT))
    throw new MisuseError(
      `${element}: inertia, got principal moments ${a}, ${b}, ${d}, expected numbers from ${LEAST_MOMENT} to ${MOST_MOMENT}`,
    );
  const frame = createTransform();
  // Axis-parallel bodies keep their axes: no turn of theirs has to be undone.
  const isDiagonal = [1, 2, 5].every((i) => Math.abs(total[i]) <= 1e-14 * a);
  if (isDiagonal) for (let k = 0; k < 3; k++) moments[k] = total[4 * k];
  else frame.set(axes);
  frame.set(c, 9);
  return { mass, moments, frame };
}

function sumShapes(total: Float64Array, c: Float64Array, options: BodyOptions, element: string): number {
  const { shapes, mass: wanted, density = 1000 } = options;
  if (shapes.length === 0) throw new MisuseError(`${element}: inertia, got no shapes, expected shapes or inertia`);
  let mass = 0;
  const parts = shapes.map(({ shape, pose }) => {
    const X = pose ? poseToTransform(createTransform(), pose) : createTransform();
    const own = computeMassProperties(shape, wanted === undefined ? density : 1);
    transformPoint(center, X, own.centerOfMass);
    mass += own.mass;
    for (let k = 0; k < 3; k++) c[k] += own.mass * center[k];
    return { own, X, at: Float64Array.from(center) };
  });
  const scale = wanted === undefined ? 1 : wanted / mass;
  for (let k = 0; k < 3; k++) c[k] /= mass;
  const turned = new Float64Array(9);
  for (const { own, X, at } of parts) {
    rotateInertia(turned, X, own.inertia);
    for (let k = 0; k < 9; k++) total[k] += scale * turned[k];
    addPointInertiaAt(total, 0, scale * own.mass, at[0] - c[0], at[1] - c[1], at[2] - c[2]);
  }
  return scale * mass;
}
