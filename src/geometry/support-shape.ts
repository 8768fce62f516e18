/** The core of a convex shape, and its support mapping for single questions. Checked by support.test.ts. */
import { requireLength, requireNumbers } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import type { MutableNumericArray, NumericArray } from '../math/vec3.js';
import { operationsOf } from './shapes/index.js';
import type { Shape } from './shapes.js';
import { type SupportCore, supportCore } from './support.js';
import { validateShape } from './validate-shape.js';

/** Core of a convex shape; throws for half-spaces and meshes, which have none. Builds the hull of a `convex`. */
export function createSupportCore(shape: Shape): SupportCore {
  validateShape(shape);
  const { core } = operationsOf(shape);
  if (core === null)
    throw new MisuseError(`createSupportCore: type, got ${shape.type}, expected a bounded convex shape`);
  return core(shape);
}

const scratch = new Float64Array(3);

/**
 * Farthest point of a convex shape (radius included) along a direction of any non-zero length, both in the shape's
 * frame. Builds the core each time: keep a core and call `supportCore` in loops. Throws for half-spaces and meshes.
 */
export function supportShape<T extends MutableNumericArray>(out: T, shape: Shape, direction: NumericArray): T {
  requireLength('supportShape', 'out', out, 3);
  requireNumbers('supportShape', 'direction', direction, 3);
  validateShape(shape);
  const [x, y, z] = [direction[0], direction[1], direction[2]];
  const norm = hypot(x, y, z);
  if (!(norm > 0 && norm < Infinity))
    throw new MisuseError(`supportShape: direction, got length ${norm}, expected a finite non-zero vector`);
  const core = createSupportCore(shape);
  supportCore(scratch, core, x / norm, y / norm, z / norm);
  out[0] = scratch[0] + (core.radius * x) / norm;
  out[1] = scratch[1] + (core.radius * y) / norm;
  out[2] = scratch[2] + (core.radius * z) / norm;
  return out;
}
