/**
 * Proof that spheres contain shapes; or the place where they do not.
 *
 * Method: 1. a part that lies in one ball, by the closed form of its farthest point, is done; 2. else its boundary is covered piece
 * by piece (prove-surface.ts); 3. and where its inside counts, no stretch of the spheres' circles that is free of other balls may
 * lie inside (prove-interior.ts, where it is proven that this suffices).
 * Nothing of the fit is used: what is shared is arithmetic of vectors, and what the shapes are.
 *
 * The statement: every point of the shapes, as the numbers given say, lies in a ball, in exact arithmetic. Rounding is paid for with
 * slack: a piece counts as covered when it is 1e-12 of the size deep inside a ball (rotations, middles of pieces and distances lose less than
 * 200 units in the last place, 5e-14), the boundary of a solid when it is 1e-9 deep. What is covered by less is not proven.
 * Frames: L link: spheres and shapes' placements. Units: any. Cost: milliseconds per link, linear in triangles.
 * Checked by verify-spheres.test.ts (random points, shrunk spheres, rigid motions, holes) and test/oracle/sphere-models.test.ts.
 */
import {
  requireList,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireOptions,
  throwMisuse,
} from '../../math/arguments.js';
import { hypot } from '../../math/scalar.js';
import { transformPoint } from '../../math/transform.js';
import { validateShape } from '../validate-shape.js';
import { listParts, type PlacedShape, type ProofPart } from './parts.js';
import { climbHole, findHole, listStretches } from './prove-interior.js';
import { type Balls, boundGap, gapAt, isInOneBall, type SurfaceGap } from './prove-surface.js';

export type { PlacedShape } from './parts.js';

export interface SphereProof {
  /** Every point of every shape lies in a sphere. */
  readonly proven: boolean;
  /** No point of the shapes' surfaces lies farther outside all spheres; 0 when proven. */
  readonly gap: number;
  /** Null when proven. */
  readonly uncovered: UncoveredPlace | null;
  /** Pieces of surface looked at. */
  readonly pieces: number;
}

export interface UncoveredPlace {
  /** Which of the shapes. */
  readonly shape: number;
  /** In the link's frame. */
  readonly point: readonly [number, number, number];
  /** How far the point lies outside all spheres; at or below 0 where it is covered by less than rounding could take away. */
  readonly depth: number;
  /** A hole between spheres, inside a solid whose surface is covered. */
  readonly interior: boolean;
}

export interface VerifySpheresOptions {
  /** The spheres are taken as this much larger. Default 0. */
  readonly tolerance?: number;
  /** Relative accuracy of `gap`, besides 1e-6 of the size. Default 0.01. */
  readonly accuracy?: number;
}

/** Of the size. */
export const SURFACE_SLACK = 1e-12;
export const SOLID_SLACK = 1e-9;
const MOST_PIECES = 1_000_000;

const OPTIONS = { tolerance: requireNotNegative, accuracy: requireNotNegative };

/**
 * `spheres`: x, y, z, radius each, in the frame that the shapes are placed in. Watertight meshes count with their inside, unless their
 * mode is `surface`. Throws MisuseError for shapes that are none and for half-spaces.
 */
export function verifySpheres(
  shapes: readonly PlacedShape[],
  spheres: ArrayLike<number>,
  options: VerifySpheresOptions = {},
): SphereProof {
  requirePlacedShapes('verifySpheres', shapes);
  requireSpheres('verifySpheres', 'spheres', spheres);
  requireOptions('verifySpheres', options, OPTIONS);
  return proveParts(listParts(shapes, 'verifySpheres'), Float64Array.from(spheres), options);
}

export function requirePlacedShapes(call: string, shapes: unknown): asserts shapes is readonly PlacedShape[] {
  requireList(call, 'shapes', shapes, 'a list of { shape, placement }');
  shapes.forEach((item, i) => {
    requireObject(call, `shapes[${i}]`, item, 'an object with a shape');
    const { shape, placement } = item as PlacedShape;
    validateShape(shape);
    if (shape.type === 'halfspace') throwMisuse(call, `shapes[${i}].shape`, shape, 'a bounded shape');
    if (placement !== undefined) requireNumbers(call, `shapes[${i}].placement`, placement, 12);
  });
}

export function requireSpheres(call: string, what: string, spheres: unknown): void {
  requireNumbers(call, what, spheres);
  const numbers = spheres as ArrayLike<number>;
  if (numbers.length % 4 !== 0) throwMisuse(call, what, numbers.length, 'four numbers per sphere');
  for (let i = 3; i < numbers.length; i += 4)
    if (!(numbers[i] >= 0)) throwMisuse(call, `${what}[${i}]`, numbers[i], 'a radius, 0 or more');
}

/** @internal Largest coordinate of shapes and balls: what slack is measured in. */
export function sizeOfProof(parts: readonly ProofPart[], balls: Balls): number {
  let size = 0;
  for (let i = 0; i < balls.length; i += 4)
    size = Math.max(size, hypot(balls[i], balls[i + 1], balls[i + 2]) + balls[i + 3]);
  for (const { surfaces } of parts)
    for (const { X_LP, patches } of surfaces) {
      const away = hypot(X_LP[9], X_LP[10], X_LP[11]);
      for (const patch of patches) size = Math.max(size, away + patch.farthest(0, 0, 0));
    }
  return size;
}

/** @internal */
export function proveParts(
  parts: readonly ProofPart[],
  given: Balls,
  { tolerance = 0, accuracy = 0.01 }: VerifySpheresOptions,
): SphereProof {
  const balls = given.slice();
  for (let i = 3; i < balls.length; i += 4) balls[i] += tolerance;
  const size = sizeOfProof(parts, balls);
  if (balls.length === 0 && parts.length > 0) {
    const [x, y, z] = transformPoint([0, 0, 0], parts[0].surfaces[0].X_LP, parts[0].surfaces[0].patches[0].points);
    return {
      proven: false,
      gap: Infinity,
      uncovered: { shape: parts[0].shape, point: [x, y, z], depth: Infinity, interior: false },
      pieces: 0,
    };
  }
  const open = parts.filter((part) => !isInOneBall(part, balls, SURFACE_SLACK * size));
  let pieces = 0;
  let gap = 0;
  let uncovered: SphereProof['uncovered'] = null;
  const solids: ProofPart[] = [];
  for (const part of open) {
    const slack = (part.inside ? SOLID_SLACK : SURFACE_SLACK) * size;
    const result: SurfaceGap = { upper: -Infinity, lower: -Infinity, point: new Float64Array(3), patches: 0 };
    const request = {
      enough: Math.max(-slack, uncovered?.depth ?? -slack),
      relative: accuracy,
      absolute: 1e-6 * size,
      limit: MOST_PIECES,
    };
    for (const surface of part.surfaces) boundGap(result, surface, balls, request);
    pieces += result.patches;
    if (part.inside) solids.push(part);
    if (result.upper <= -slack) continue;
    gap = Math.max(gap, result.upper);
    const [x, y, z] = result.point;
    if (uncovered && result.lower <= uncovered.depth) continue;
    uncovered = { shape: part.shape, point: [x, y, z], depth: result.lower, interior: false };
  }
  if (!uncovered && solids.length > 0) {
    const hole = findHole(solids, listStretches(balls, size, 0.5 * SOLID_SLACK * size));
    if (hole) {
      const point = climbHole(hole.point, balls, size);
      uncovered = { shape: hole.shape, point, depth: gapAt(balls, ...point), interior: true };
      gap = Math.max(0, uncovered.depth);
    }
  }
  return { proven: uncovered === null, gap, uncovered, pieces };
}
