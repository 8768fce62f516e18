/**
 * A user's own convex shape.
 *
 * Method: the six points along the axes bound it. Its function is tried along 26 directions: it must write finite numbers, the same ones
 * twice, and no point may lie farther along a direction than the one that it gave for that direction.
 * Frames: the shape's. Cost: 52 calls per check. Checked by support-shape.test.ts.
 */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { halfDiagonal } from '../bounds.js';
import type { SupportShape } from '../shapes.js';
import { askSupport, CORE_SUPPORT, SupportCore } from '../support.js';
import { refuse, requirePositive } from './checks.js';
import type { ShapeOperations } from './operations.js';

/** To the corners, edges and faces of a cube. */
const DIRECTIONS = Array.from({ length: 27 }, (_, i) => [
  (i % 3) - 1,
  (Math.floor(i / 3) % 3) - 1,
  Math.floor(i / 9) - 1,
])
  .filter((d) => d.some((x) => x !== 0))
  .map((d) => d.map((x) => x / Math.sqrt(d.reduce((sum, y) => sum + y * y, 0))));
/** By how much, per unit of size, another point may be farther. */
const ROUNDING = 1e-9;

const NO_POINTS = new Float64Array(0);

function createCore({ support, radius = 0 }: SupportShape, center = new Float64Array(3)): SupportCore {
  return new SupportCore(CORE_SUPPORT, radius, 0, 0, 0, NO_POINTS, null, center, support);
}

function heightOf(p: ArrayLike<number>, d: ArrayLike<number>): number {
  return p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
}

function requireSupport(shape: SupportShape): void {
  if (typeof shape.support !== 'function')
    refuse('support', describeValue(shape.support), 'a function (out, direction)');
  const core = createCore(shape);
  const points = DIRECTIONS.map(([x, y, z]) => Float64Array.from(askSupport(core, x, y, z)));
  const size = Math.max(...points.map((p) => Math.max(...p.map(Math.abs))));
  for (const [i, d] of DIRECTIONS.entries()) {
    const again = askSupport(core, d[0], d[1], d[2]);
    if (again.some((x, k) => x !== points[i][k]))
      refuse(`support along ${d}`, `${again.join()} after ${points[i].join()}`, 'the same point each time');
    const reach = heightOf(points[i], d);
    const beyond = points.find((p) => heightOf(p, d) > reach + ROUNDING * size);
    if (beyond !== undefined)
      refuse(`support along ${d}`, points[i].join(), `a point as far as ${beyond.join()}, which it gave for another`);
  }
}

export const support: ShapeOperations<SupportShape> = {
  fields: null,
  validate(shape) {
    const { radius = 0, massProperties } = shape;
    if (radius !== 0) requirePositive('support', 'radius', radius);
    requireSupport(shape);
    if (massProperties === undefined) return;
    const { volume, centerOfMass, inertia } = massProperties ?? {};
    if (!(volume > 0 && volume < Infinity))
      refuse('support massProperties.volume', describeValue(volume), 'a positive finite number');
    for (const [name, list, count] of [['centerOfMass', centerOfMass, 3] as const, ['inertia', inertia, 9] as const])
      if (list?.length !== count || !list.every(Number.isFinite))
        refuse(`support massProperties.${name}`, describeValue(list), `${count} finite numbers`);
  },
  bound(out, shape, X) {
    const core = createCore(shape);
    for (let k = 0; k < 3; k++)
      for (const sign of [-1, 1]) {
        const [x, y, z] = [sign * X[3 * k], sign * X[3 * k + 1], sign * X[3 * k + 2]];
        const p = askSupport(core, x, y, z);
        const reach = x * p[0] + y * p[1] + z * p[2] + core.radius;
        out[sign < 0 ? k : k + 3] = X[9 + k] + sign * reach;
      }
  },
  boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
  core(shape) {
    const core = createCore(shape);
    const center = new Float64Array(3);
    for (const [x, y, z] of DIRECTIONS) {
      const p = askSupport(core, x, y, z);
      for (let k = 0; k < 3; k++) center[k] += p[k] / DIRECTIONS.length;
    }
    return createCore(shape, center);
  },
  massProperties({ massProperties }, density) {
    if (massProperties === undefined)
      throw new MisuseError(
        'computeMassProperties: support massProperties, got none, expected what they are at density 1',
      );
    const { volume, centerOfMass, inertia } = massProperties;
    return {
      volume,
      mass: density * volume,
      centerOfMass: Float64Array.from(centerOfMass),
      inertia: Float64Array.from(inertia, (x) => density * x),
    };
  },
  isData: () => false,
};
