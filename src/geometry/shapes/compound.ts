/** Several shapes as one. What lies in two of them counts twice in its mass. */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { multiplyTransform, poseToTransform } from '../../math/transform.js';
import { describeQuaternion } from '../../math/unit-quaternion.js';
import type { MutableNumericArray, NumericArray } from '../../math/vec3.js';
import { halfDiagonal } from '../bounds.js';
import type { Compound, Shape } from '../shapes.js';
import { requireFinite } from './checks.js';
import { type MassProperties, MomentSum } from './moments.js';
import type { ShapeOperations } from './operations.js';

type OperationsOf = (shape: Shape) => ShapeOperations<Shape>;

/** Compounds in compounds. */
const MAX_NESTING = 64;

function validateChildren(validate: (shape: Shape, nesting: number) => void, shape: Compound, nesting: number): void {
  if (!Array.isArray(shape.children) || shape.children.length === 0)
    throw new MisuseError(
      `validateShape: compound children, got ${describeValue(shape.children?.length ?? shape.children)}, expected one or more`,
    );
  if (nesting > MAX_NESTING)
    throw new MisuseError(
      `validateShape: compound, got more than ${MAX_NESTING} compounds in each other, expected fewer`,
    );
  shape.children.forEach((child, i) => {
    if (child?.shape?.type === 'halfspace')
      throw new MisuseError(
        `validateShape: compound children[${i}], got a halfspace, expected a bounded shape: put it beside the compound`,
      );
    validate(child?.shape, nesting + 1);
    if (child.pose === undefined) return;
    if (typeof child.pose !== 'object' || child.pose?.length !== 7)
      throw new MisuseError(
        `validateShape: compound children[${i}] pose, got ${describeValue(child.pose)}, expected x y z and a quaternion`,
      );
    requireFinite('compound', `children[${i}] pose`, child.pose);
    const problem = describeQuaternion(child.pose, 3);
    if (problem !== null) throw new MisuseError(`validateShape: compound children[${i}] pose, ${problem}`);
  });
}

function boundChildren(of: OperationsOf, out: MutableNumericArray, { children }: Compound, X: NumericArray): void {
  const own = new Float64Array(6);
  const placed = new Float64Array(12);
  for (let k = 0; k < 3; k++) {
    out[k] = Infinity;
    out[k + 3] = -Infinity;
  }
  for (const { shape, pose } of children) {
    of(shape).bound(own, shape, pose ? multiplyTransform(placed, X, poseToTransform(placed, pose)) : X);
    for (let k = 0; k < 3; k++) {
      out[k] = Math.min(out[k], own[k]);
      out[k + 3] = Math.max(out[k + 3], own[k + 3]);
    }
  }
}

function sumChildren(of: OperationsOf, { children }: Compound, density: number): MassProperties {
  const sum = new MomentSum();
  const X = new Float64Array(12);
  for (const { shape, pose } of children) {
    const own = of(shape).massProperties(shape, 1);
    poseToTransform(X, pose ?? [0, 0, 0, 0, 0, 0, 1]);
    const { inertia, centerOfMass } = own;
    const trace = 0.5 * (inertia[0] + inertia[4] + inertia[8]);
    const center = new Float64Array(3);
    const covariance = new Float64Array(9);
    for (let k = 0; k < 3; k++) {
      center[k] = X[9 + k];
      for (let m = 0; m < 3; m++) center[k] += X[3 * k + m] * centerOfMass[m];
      for (let m = 0; m < 3; m++)
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++)
            covariance[3 * k + m] += X[3 * k + i] * ((i === j ? trace : 0) - inertia[3 * i + j]) * X[3 * m + j];
    }
    sum.add(own.volume, center, covariance);
  }
  return sum.finish(density);
}

/** `of` and `validate` are those of all shapes, which the table of them makes. */
export function createCompound(
  of: OperationsOf,
  validate: (shape: Shape, nesting: number) => void,
): ShapeOperations<Compound> {
  return {
    fields: null,
    validate: (shape, nesting) => validateChildren(validate, shape, nesting),
    bound: (out, shape, X_WS) => boundChildren(of, out, shape, X_WS),
    boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
    core: null,
    massProperties: (shape, density) => sumChildren(of, shape, density),
    isData: ({ children }) => children.every(({ shape }) => of(shape).isData(shape)),
  };
}
