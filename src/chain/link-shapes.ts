/**
 * What the links of a chain are made of, beyond spheres and capsules: clusters of balls (the atoms of a rigid piece) and any
 * other shape, measured by the narrow phase with its own hierarchies.
 *
 * Every link has a shape frame. A sphere or capsule lies along z of it; the frame of a cluster has the principal axes of its
 * balls and the middle of their bounds; other shapes keep their axes, moved to the middle of their bounds. In this frame a
 * link's content lies within its half extents, and within its reach of the origin.
 * Cost of a gap: one segment pair, the product of the clusters' sizes, or one query of the narrow phase; links whose balls
 * of reach are farther apart than the margin cost a square root.
 * Checked by test/contract/chain.test.ts.
 */

import { boundShape } from '../geometry/aabb.js';
import { closestSegmentSegment } from '../geometry/closest-points.js';
import { SHORTEST } from '../geometry/shape-range.js';
import type { Shape } from '../geometry/shapes.js';
import { hypot } from '../math/scalar.js';
import { createTransform, multiplyTransform, setIdentityTransform, type Transform } from '../math/transform.js';
import { type Collider, createCollider } from '../narrowphase/collider.js';
import { distance } from '../narrowphase/distance.js';
import { createDistanceResult } from '../narrowphase/query.js';
import { isWithinBound } from '../narrowphase/tolerance.js';
import { linkGap } from './link-distance.js';
import { writePrincipalAxes } from './principal-axes.js';

/** Balls that move together: the atoms of a rigid piece of a molecule. */
export interface BallCluster {
  readonly type: 'balls';
  /** 3 numbers per ball, in the frame of the link's shape. */
  readonly centers: Float64Array;
  /** One per ball. */
  readonly radii: Float64Array;
}

export type LinkShape = Shape | BallCluster;

export const SEGMENT = 0;
const BALLS = 1;
export const OTHER = 2;

const identity = setIdentityTransform(createTransform());
const poseA = setIdentityTransform(createTransform());
const offsetB = setIdentityTransform(createTransform());
const poseB = createTransform();
const relative = createTransform();
const bounds = new Float64Array(6);
const moment = new Float64Array(9);
const axes = new Float64Array(9);
const segments = new Float64Array(12);
const closest = new Float64Array(6);
const result = createDistanceResult();

/** Radius of the ball that stands for a point: the smallest size that shapes may have. */
export const POINT_RADIUS = SHORTEST;

export class LinkShapes {
  isDisposed = false;
  readonly kinds: Uint8Array;
  /** Half lengths and radii of segments; 0 and the reach for other links. */
  readonly halfLengths: Float64Array;
  readonly radii: Float64Array;
  /** 3 per link. */
  readonly halfExtents: Float64Array;
  readonly reaches: Float64Array;
  /** Balls of link i: rows ballStarts[i] .. ballStarts[i + 1] - 1 of `ballCenters` (3 each) and `ballRadii`. */
  readonly ballStarts: Int32Array;
  readonly ballCenters: Float64Array;
  readonly ballRadii: Float64Array;
  private readonly shapes: readonly LinkShape[];
  private readonly colliders: (Collider | null)[];
  /** Middle of the bounds of other shapes in the shape's own frame, 3 per link. */
  private readonly middles: Float64Array;
  private placed = new Float64Array(0);

  /** `frames`: the links' shape poses, 12 numbers each, turned and moved to the shape frames described above. */
  constructor(shapes: readonly LinkShape[], frames: Float64Array) {
    const n = shapes.length;
    this.shapes = shapes;
    this.kinds = new Uint8Array(n);
    this.halfLengths = new Float64Array(n);
    this.radii = new Float64Array(n);
    this.halfExtents = new Float64Array(3 * n);
    this.reaches = new Float64Array(n);
    this.middles = new Float64Array(3 * n);
    this.colliders = new Array<Collider | null>(n).fill(null);
    this.ballStarts = new Int32Array(n + 1);
    shapes.forEach((shape, i) => {
      this.ballStarts[i + 1] = this.ballStarts[i] + (shape.type === 'balls' ? shape.radii.length : 0);
    });
    this.ballCenters = new Float64Array(3 * this.ballStarts[n]);
    this.ballRadii = new Float64Array(this.ballStarts[n]);
    shapes.forEach((shape, i) => {
      const frame = frames.subarray(12 * i, 12 * i + 12);
      if (shape.type === 'sphere' || shape.type === 'capsule') {
        this.halfLengths[i] = shape.type === 'capsule' ? shape.length / 2 : 0;
        this.radii[i] = shape.radius;
        this.reaches[i] = this.radii[i] + this.halfLengths[i];
        this.halfExtents.set([shape.radius, shape.radius, this.reaches[i]], 3 * i);
        return;
      }
      if (shape.type === 'balls') this.addCluster(i, shape, frame);
      else this.addShape(i, shape, frame);
      this.radii[i] = this.reaches[i];
    });
  }

  /**
   * Gap between links a and b, X_AB (12 numbers from x on) the second shape frame in the first; negative when they cross.
   * A gap beyond `margin` may be given as another one that is beyond it too. b is a link of `other`.
   */
  measure(a: number, b: number, X: Float64Array, x: number, margin: number, other: LinkShapes = this): number {
    const kindA = this.kinds[a];
    const kindB = other.kinds[b];
    const between = linkGap(X, x, this.halfLengths[a], other.halfLengths[b], this.radii[a] + other.radii[b]);
    if ((kindA === SEGMENT && kindB === SEGMENT) || between > margin) return between;
    if (kindA === OTHER || kindB === OTHER) return this.measureShapes(a, b, X, x, margin, other);
    if (kindA === BALLS && kindB === BALLS) return this.measureClusters(a, b, X, x, other);
    if (kindA === BALLS) return this.measureClusterSegment(a, b, X, x, other);
    return this.measureSegmentCluster(a, b, X, x, other);
  }

  /** Whether the gap is at most `margin`, arguments as for `measure`: how deep other shapes cross is not computed. */
  isWithin(a: number, b: number, X: Float64Array, x: number, margin: number, other: LinkShapes = this): boolean {
    if (this.kinds[a] !== OTHER && other.kinds[b] !== OTHER) return this.measure(a, b, X, x, margin, other) <= margin;
    const between = linkGap(X, x, this.halfLengths[a], other.halfLengths[b], this.radii[a] + other.radii[b]);
    if (between > margin) return false;
    this.placePair(a, b, X, x, other);
    return isWithinBound(this.colliderOf(a), poseA, other.colliderOf(b), poseB, margin);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const collider of this.colliders) collider?.dispose();
    this.colliders.fill(null);
  }

  private measureClusters(a: number, b: number, X: Float64Array, x: number, other: LinkShapes): number {
    const { ballStarts, ballCenters, ballRadii } = this;
    const placed = other.placeBalls(b, X, x);
    const radiiB = other.ballRadii;
    const firstA = ballStarts[a];
    const endA = ballStarts[a + 1];
    const firstB = other.ballStarts[b];
    const count = other.ballStarts[b + 1] - firstB;
    let gap = Infinity;
    for (let i = firstA; i < endA; i++) {
      const px = ballCenters[3 * i];
      const py = ballCenters[3 * i + 1];
      const pz = ballCenters[3 * i + 2];
      const radius = ballRadii[i];
      for (let j = 0; j < count; j++) {
        const dx = placed[3 * j] - px;
        const dy = placed[3 * j + 1] - py;
        const dz = placed[3 * j + 2] - pz;
        const reach = radius + radiiB[firstB + j];
        const limit = gap + reach;
        const squared = dx * dx + dy * dy + dz * dz;
        // Below 0 the gap may still grow more negative, and its square would mislead.
        if (limit > 0 && squared >= limit * limit) continue;
        gap = Math.min(gap, Math.sqrt(squared) - reach);
      }
    }
    return gap;
  }

  /** Cluster a, segment b. */
  private measureClusterSegment(a: number, b: number, X: Float64Array, x: number, other: LinkShapes): number {
    const half = other.halfLengths[b];
    for (let k = 0; k < 3; k++) {
      const along = half * X[x + 3 * k + 2];
      segments[k] = X[x + 9 + k] - along;
      segments[3 + k] = X[x + 9 + k] + along;
    }
    return this.nearestBall(a, this.ballCenters, 3 * this.ballStarts[a]) - other.radii[b];
  }

  /** Segment a, cluster b. */
  private measureSegmentCluster(a: number, b: number, X: Float64Array, x: number, other: LinkShapes): number {
    for (let k = 0; k < 6; k++) segments[k] = 0;
    segments[2] = -this.halfLengths[a];
    segments[5] = this.halfLengths[a];
    return other.nearestBall(b, other.placeBalls(b, X, x), 0) - this.radii[a];
  }

  /** Gap between a cluster's balls, their centres from `at` on in `balls`, and the segment in `segments`. */
  private nearestBall(cluster: number, balls: Float64Array, at: number): number {
    const { ballStarts, ballRadii } = this;
    const first = ballStarts[cluster];
    const count = ballStarts[cluster + 1] - first;
    let gap = Infinity;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        segments[6 + k] = balls[at + 3 * i + k];
        segments[9 + k] = balls[at + 3 * i + k];
      }
      gap = Math.min(gap, Math.sqrt(closestSegmentSegment(closest, segments, 0, segments, 6)) - ballRadii[first + i]);
    }
    return gap;
  }

  private measureShapes(a: number, b: number, X: Float64Array, x: number, margin: number, other: LinkShapes): number {
    this.placePair(a, b, X, x, other);
    distance(result, this.colliderOf(a), poseA, other.colliderOf(b), poseB, { upperBound: Math.max(margin, 0) });
    return result.status === 'beyond-bound' ? Infinity : result.distance;
  }

  /** Poses of both links' own shapes in a's shape frame, into poseA and poseB. */
  private placePair(a: number, b: number, X: Float64Array, x: number, other: LinkShapes): void {
    for (let k = 0; k < 12; k++) relative[k] = X[x + k];
    for (let k = 0; k < 3; k++) {
      poseA[9 + k] = -this.middles[3 * a + k];
      offsetB[9 + k] = -other.middles[3 * b + k];
    }
    multiplyTransform(poseB, relative, offsetB);
  }

  /** Centres of link b's balls in a's frame. */
  private placeBalls(b: number, X: Float64Array, x: number): Float64Array {
    const { ballStarts, ballCenters } = this;
    const first = ballStarts[b];
    const count = ballStarts[b + 1] - first;
    if (this.placed.length < 3 * count) this.placed = new Float64Array(6 * count);
    const { placed } = this;
    for (let j = 0; j < count; j++) {
      const px = ballCenters[3 * (first + j)];
      const py = ballCenters[3 * (first + j) + 1];
      const pz = ballCenters[3 * (first + j) + 2];
      placed[3 * j] = X[x] * px + X[x + 1] * py + X[x + 2] * pz + X[x + 9];
      placed[3 * j + 1] = X[x + 3] * px + X[x + 4] * py + X[x + 5] * pz + X[x + 10];
      placed[3 * j + 2] = X[x + 6] * px + X[x + 7] * py + X[x + 8] * pz + X[x + 11];
    }
    return placed;
  }

  /** Gap between link a and a collider, X its pose in the link's shape frame; as `measure`. */
  measureCollider(a: number, collider: Collider, X: Transform, margin: number): number {
    for (let k = 0; k < 3; k++) poseA[9 + k] = -this.middles[3 * a + k];
    distance(result, this.colliderOf(a), poseA, collider, X, { upperBound: Math.max(margin, 0) });
    return result.status === 'beyond-bound' ? Infinity : result.distance;
  }

  /** As `isWithin` for a collider. */
  isColliderWithin(a: number, collider: Collider, X: Transform, margin: number): boolean {
    for (let k = 0; k < 3; k++) poseA[9 + k] = -this.middles[3 * a + k];
    return isWithinBound(this.colliderOf(a), poseA, collider, X, margin);
  }

  /** Made on first use: segments and clusters need one only against other shapes. */
  private colliderOf(link: number): Collider {
    let collider = this.colliders[link];
    if (!collider) {
      const shape = this.shapes[link];
      if (shape.type === 'balls') {
        const first = this.ballStarts[link];
        const children = Array.from(shape.radii, (radius, i) => {
          const [px, py, pz] = this.ballCenters.subarray(3 * (first + i), 3 * (first + i) + 3);
          return {
            shape: { type: 'sphere', radius: Math.max(radius, POINT_RADIUS) } as const,
            pose: [px, py, pz, 0, 0, 0, 1] as const,
          };
        });
        collider = createCollider({ type: 'compound', children });
      } else if (shape.type === 'sphere' || shape.type === 'capsule') {
        // Points and bare segments, which colliders know none of.
        const radius = Math.max(shape.radius, POINT_RADIUS);
        const isRound = shape.type === 'sphere' || shape.length === 0;
        collider = createCollider(isRound ? { type: 'sphere', radius } : { ...shape, radius });
      } else collider = createCollider(shape);
      this.colliders[link] = collider;
    }
    return collider;
  }

  private addCluster(link: number, { centers, radii }: BallCluster, frame: Transform): void {
    const count = radii.length;
    this.kinds[link] = BALLS;
    const mean = [0, 0, 0];
    for (let i = 0; i < 3 * count; i++) mean[i % 3] += centers[i] / count;
    moment.fill(0);
    for (let i = 0; i < count; i++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c <= r; c++) {
          moment[3 * r + c] += (centers[3 * i + r] - mean[r]) * (centers[3 * i + c] - mean[c]);
        }
      }
    }
    writePrincipalAxes(axes, moment);
    const middle = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [lower, upper] = [Infinity, -Infinity];
      for (let i = 0; i < count; i++) {
        const at = axes[k] * centers[3 * i] + axes[3 + k] * centers[3 * i + 1] + axes[6 + k] * centers[3 * i + 2];
        lower = Math.min(lower, at - radii[i]);
        upper = Math.max(upper, at + radii[i]);
      }
      this.halfExtents[3 * link + k] = (upper - lower) / 2;
      middle[k] = (lower + upper) / 2;
    }
    const first = this.ballStarts[link];
    let reach = 0;
    for (let i = 0; i < count; i++) {
      const center = this.ballCenters.subarray(3 * (first + i), 3 * (first + i) + 3);
      for (let k = 0; k < 3; k++) {
        const at = axes[k] * centers[3 * i] + axes[3 + k] * centers[3 * i + 1] + axes[6 + k] * centers[3 * i + 2];
        center[k] = at - middle[k];
      }
      this.ballRadii[first + i] = radii[i];
      reach = Math.max(reach, hypot(center[0], center[1], center[2]) + radii[i]);
    }
    this.reaches[link] = reach;
    const turned = setIdentityTransform(createTransform());
    turned.set(axes, 0);
    for (let r = 0; r < 3; r++) {
      turned[9 + r] = axes[3 * r] * middle[0] + axes[3 * r + 1] * middle[1] + axes[3 * r + 2] * middle[2];
    }
    multiplyTransform(frame, frame, turned);
  }

  private addShape(link: number, shape: Shape, frame: Transform): void {
    this.kinds[link] = OTHER;
    boundShape(bounds, shape, identity);
    const shift = setIdentityTransform(createTransform());
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      shift[9 + k] = 0.5 * (bounds[k] + bounds[k + 3]);
      this.middles[3 * link + k] = shift[9 + k];
      this.halfExtents[3 * link + k] = 0.5 * (bounds[k + 3] - bounds[k]);
      squared += this.halfExtents[3 * link + k] ** 2;
    }
    this.reaches[link] = Math.sqrt(squared);
    multiplyTransform(frame, frame, shift);
  }
}
