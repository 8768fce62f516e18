/**
 * What every joint type provides. One file per type; the list is in `index.ts`.
 *
 * A kind works in place on flat arrays: q has `nq` numbers from index `iq`, v has `nv` numbers from `iv`, bounds are laid
 * out like q. P is the joint's fixed frame on the parent body (the joint origin), M its moving frame on the child body
 * (the child link's frame).
 *
 * Tangent convention: right-plus. integrate(q, v) moves by v expressed in the moving frame M, linear part first, and
 * difference is its inverse: integrate(a, difference(a, b)) is the placement of b.
 */
import type { Random } from '../../math/random.js';

/** Every kind: what treats kinds one by one does so in a table or switch over these, which a new kind fails to compile in. */
export type JointKindName =
  | 'revolute'
  | 'continuous'
  | 'continuous-cos-sin'
  | 'prismatic'
  | 'helical'
  | 'planar'
  | 'floating'
  | 'spherical'
  | 'composite';

export interface JointKind {
  readonly name: JointKindName;
  readonly nq: number;
  readonly nv: number;
  /** How many of the last coordinates form a unit vector: 4 for a quaternion, 2 for (cos, sin), otherwise 0; of a
   * composite, those of its last part. */
  readonly unitCoordinates: 0 | 2 | 4;
  /** How many of the first coordinates are lengths; the others are angles or unit vectors. Composites: 0, their parts say it. */
  readonly shiftCoordinates: 0 | 1 | 2 | 3;
  /** Whether it moves along or about an axis, which its description then has to name. */
  readonly usesAxis: boolean;
  /**
   * How the transform looks, so that kinematics can use a shorter product: `rotation` = turn by q about the axis,
   * `translation` = shift by q along it, `general` = whatever `place` writes.
   */
  readonly motion: 'rotation' | 'translation' | 'general';
  /** Whether `difference` takes the short way round, so that a turn beyond half a turn comes out as the rest of the turn. */
  readonly isWrapped: boolean;
  /**
   * How velocities add up: `vector` = number by number, as the coordinates do; `circle` = one velocity, coordinates on a circle;
   * `plane`, `rotation`, `rigid` = the groups SE(2), SO(3), SE(3); `product` = part by part (composites).
   */
  readonly group: 'vector' | 'circle' | 'plane' | 'rotation' | 'rigid' | 'product';
  /** The largest distance between the origins of M and P within the bounds, metres; Infinity where nothing bounds it. */
  largestShift(lower: Float64Array, upper: Float64Array, iq: number): number;
  /** Writes X_PM (12 numbers from `outAt`). Quaternions and cos/sin pairs need not be normalised. */
  place(out: Float64Array, outAt: number, axis: Float64Array, axisAt: number, q: Float64Array, iq: number): void;
  /**
   * Writes the nv columns of the motion subspace S at q, 6 numbers each [linear, angular], in the moving frame M. Only the
   * composite kinds read q: of all others S is constant in M.
   */
  writeSubspace(
    out: Float64Array,
    outAt: number,
    axis: Float64Array,
    axisAt: number,
    q: Float64Array,
    iq: number,
  ): void;
  /** Writes dS/dt in M at (q, v), laid out like S: zeros but for composite kinds. */
  writeSubspaceRate(out: Float64Array, outAt: number, q: Float64Array, v: Float64Array, iq: number, iv: number): void;
  setNeutral(out: Float64Array, iq: number): void;
  /** `out` may be `q`. */
  integrate(out: Float64Array, q: Float64Array, v: Float64Array, iq: number, iv: number): void;
  difference(out: Float64Array, a: Float64Array, b: Float64Array, iq: number, iv: number): void;
  /**
   * Derivative of integrate(q, v) in the tangent at its result, by a right-plus change of q (in the tangent at q) or by v:
   * nv x nv entries with `stride` numbers to a row, the first at `out[at]`. It depends on v alone.
   */
  writeIntegrateJacobian(
    out: Float64Array,
    at: number,
    stride: number,
    v: Float64Array,
    iv: number,
    by: 'q' | 'v',
  ): void;
  /** Derivative of d = difference(a, b) by right-plus changes of a or b, likewise; it depends on d alone. */
  writeDifferenceJacobian(
    out: Float64Array,
    at: number,
    stride: number,
    d: Float64Array,
    id: number,
    by: 'a' | 'b',
  ): void;
  /** The point at t in [0, 1] of the geodesic from a to b; `out` may be `a` or `b`. */
  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number, iq: number): void;
  /** Square of the norm of difference(a, b). */
  squaredDistance(a: Float64Array, b: Float64Array, iq: number): number;
  /** Uniform within the bounds; what stands in for absent bounds is documented at each kind. */
  setRandom(out: Float64Array, lower: Float64Array, upper: Float64Array, random: Random, iq: number): void;
  /** Nearest configuration within the bounds, normalised; `out` may be `q`. */
  clamp(out: Float64Array, q: Float64Array, lower: Float64Array, upper: Float64Array, iq: number): void;
  /** The canonical coordinates of the same placement; `out` may be `q`. */
  normalize(out: Float64Array, q: Float64Array, iq: number): void;
}
