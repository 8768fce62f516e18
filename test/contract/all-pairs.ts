/**
 * What the queries of a chain give by definition, quick enough for long random runs: every pair of links is looked at anew,
 * one whose bounding balls are apart is settled by them, any other is measured part against part. Nothing of the
 * structures under test is used but the joints' transforms.
 */

import type { ChainDescription, ChainLink } from '../../src/chain/chain.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import type { LinkPairs } from '../../src/chain/link-pairs.js';
import {
  createTransform,
  multiplyTransformAt,
  poseToTransform,
  setIdentityTransform,
} from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { descriptionOf, gapBetween, listSegments, listSolids, type PlacedLink } from './random-chains.js';

const result = createDistanceResult();

/** Colliders of a link's parts, as `gapBetween` wants them: one per ball of a cluster. */
function createSolids(shape: ChainLink['shape']): Collider[] {
  if (shape.type !== 'balls') return [createCollider(shape)];
  return Array.from(shape.radii, (radius) => createCollider({ type: 'sphere', radius: Math.max(radius, 1e-30) }));
}

function gapOfSolids(first: [Collider, Float64Array][], second: [Collider, Float64Array][]): number {
  let least = Infinity;
  for (const [one, X_1] of first) {
    for (const [two, X_2] of second) {
      if (collide(one, X_1, two, X_2, { tolerance: 0 })) return 0;
      least = Math.min(least, distance(result, one, X_1, two, X_2).distance);
    }
  }
  return least;
}

/** Links of a chain where the joints put them. */
export class AllPairs {
  readonly linkCount: number;
  /** Bounding balls in the world, 3 numbers per link, and their radii. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
  private readonly description: ChainDescription;
  private readonly exclusion: number;
  private readonly own: Float64Array;
  /** Centres of the balls in the shapes' frames. */
  private readonly local: Float64Array;
  private readonly poses: Float64Array;
  private readonly shapes: Float64Array;
  private readonly joint = createTransform();
  private readonly solids: (Collider[] | null)[];
  private readonly placed: (PlacedLink | null)[];

  constructor(state: ChainState) {
    const description = descriptionOf(state.chain);
    const n = description.links.length;
    this.description = description;
    this.exclusion = description.exclusion ?? 1;
    this.linkCount = n;
    this.centers = new Float64Array(3 * n);
    this.local = new Float64Array(3 * n);
    this.radii = new Float64Array(n);
    this.own = new Float64Array(12 * n);
    this.poses = new Float64Array(12 * n);
    this.shapes = new Float64Array(12 * n);
    this.solids = new Array<Collider[] | null>(n).fill(null);
    this.placed = new Array<PlacedLink | null>(n).fill(null);
    const X = createTransform();
    description.links.forEach(({ shape, pose }, i) => {
      this.own.set(pose ? poseToTransform(X, pose) : setIdentityTransform(X), 12 * i);
      this.boundLink(i, shape);
    });
  }

  /** Takes over the joints of `state`; `base`: pose of link 0. */
  place(state: ChainState, base: ArrayLike<number> = setIdentityTransform(createTransform())): void {
    const { poses, shapes, own, joint, local, centers } = this;
    for (let k = 0; k < 12; k++) poses[k] = base[k];
    for (let i = 0; i < this.linkCount; i++) {
      if (i > 0) multiplyTransformAt(poses, 12 * i, poses, 12 * (i - 1), state.jointTransform(joint, i - 1), 0);
      multiplyTransformAt(shapes, 12 * i, poses, 12 * i, own, 12 * i);
      for (let r = 0; r < 3; r++) {
        const row = 12 * i + 3 * r;
        const turned =
          shapes[row] * local[3 * i] + shapes[row + 1] * local[3 * i + 1] + shapes[row + 2] * local[3 * i + 2];
        centers[3 * i + r] = shapes[12 * i + 9 + r] + turned;
      }
    }
    this.placed.fill(null);
  }

  /** Pose of a link in the frame of `base`. */
  poseOf(link: number): Float64Array {
    return this.poses.subarray(12 * link, 12 * link + 12);
  }

  /** Pairs a < b beyond the exclusion range with a gap of at most `cutoff`, as a n + b, ascending. */
  collect(cutoff: number): number[] {
    const found: number[] = [];
    const n = this.linkCount;
    for (let a = 0; a < n; a++) {
      for (let b = a + this.exclusion + 1; b < n; b++) {
        if (this.isWithin(a, this, b, cutoff)) found.push(a * n + b);
      }
    }
    return found;
  }

  /** The smallest gap beyond the exclusion range, 0 when two links cross. */
  findNearest(): number {
    let nearest = Infinity;
    for (let a = 0; a < this.linkCount; a++) {
      for (let b = a + this.exclusion + 1; b < this.linkCount; b++) nearest = this.approach(a, this, b, nearest);
      if (nearest <= 0) return 0;
    }
    return nearest;
  }

  /** Pairs of a link here and one there with a gap of at most `cutoff`, as a m + b, ascending. */
  collectBetween(other: AllPairs, cutoff: number): number[] {
    const found: number[] = [];
    for (let a = 0; a < this.linkCount; a++) {
      for (let b = 0; b < other.linkCount; b++) {
        if (this.isWithin(a, other, b, cutoff)) found.push(a * other.linkCount + b);
      }
    }
    return found;
  }

  findNearestBetween(other: AllPairs): number {
    let nearest = Infinity;
    for (let a = 0; a < this.linkCount; a++) {
      for (let b = 0; b < other.linkCount; b++) nearest = this.approach(a, other, b, nearest);
      if (nearest <= 0) return 0;
    }
    return nearest;
  }

  /** Gap between link a and a collider at X, 0 when they cross, or a lower bound of it that is beyond `margin`. */
  gapTo(a: number, collider: Collider, X: Float64Array, margin: number): number {
    let squared = 0;
    for (let r = 0; r < 3; r++) {
      const { center } = collider;
      const x = X[3 * r] * center[0] + X[3 * r + 1] * center[1] + X[3 * r + 2] * center[2] + X[9 + r];
      squared += (x - this.centers[3 * a + r]) ** 2;
    }
    const bound = Math.sqrt(squared) - this.radii[a] - collider.boundingRadius;
    if (bound > margin) return bound;
    return gapOfSolids(listSolids(this.link(a)), [[collider, X]]);
  }

  /** Gap of two links, 0 when they cross. */
  gap(a: number, other: AllPairs, b: number): number {
    const [first, second] = [this.link(a), other.link(b)];
    if (first.segments && second.segments) return Math.max(0, gapBetween(first, second));
    return gapOfSolids(listSolids(first), listSolids(second));
  }

  /** Whether the gap of two links is at most `cutoff`; the depth of links that cross is never computed. */
  isWithin(a: number, other: AllPairs, b: number, cutoff: number): boolean {
    if (this.ballGap(a, other, b) > cutoff) return false;
    const [first, second] = [this.link(a), other.link(b)];
    if (first.segments && second.segments) return gapBetween(first, second) <= cutoff;
    const others = listSolids(second);
    return listSolids(first).some(([one, X_1]) =>
      others.some(([two, X_2]) => collide(one, X_1, two, X_2, { tolerance: cutoff })),
    );
  }

  dispose(): void {
    for (const own of this.solids) for (const solid of own ?? []) solid.dispose();
  }

  private approach(a: number, other: AllPairs, b: number, nearest: number): number {
    return this.ballGap(a, other, b) < nearest ? Math.min(nearest, this.gap(a, other, b)) : nearest;
  }

  private ballGap(a: number, other: AllPairs, b: number): number {
    const x = other.centers[3 * b] - this.centers[3 * a];
    const y = other.centers[3 * b + 1] - this.centers[3 * a + 1];
    const z = other.centers[3 * b + 2] - this.centers[3 * a + 2];
    return Math.sqrt(x * x + y * y + z * z) - this.radii[a] - other.radii[b];
  }

  private link(i: number): PlacedLink {
    let placed = this.placed[i];
    if (!placed) {
      const { shape } = this.description.links[i];
      const X_W = this.shapes.subarray(12 * i, 12 * i + 12);
      const solidsOf = () => this.solidsOf(i);
      placed = {
        shape,
        X_W,
        segments: listSegments(shape, X_W),
        get solids() {
          return solidsOf();
        },
      };
      this.placed[i] = placed;
    }
    return placed;
  }

  private solidsOf(link: number): Collider[] {
    this.solids[link] ??= createSolids(this.description.links[link].shape);
    return this.solids[link]!;
  }

  /** A ball about link i's shape, its centre in the shape's frame. */
  private boundLink(i: number, shape: ChainLink['shape']): void {
    const { local, radii } = this;
    if (shape.type === 'balls') {
      const { centers } = shape;
      for (let k = 0; k < centers.length; k++) local[3 * i + (k % 3)] += centers[k] / shape.radii.length;
      shape.radii.forEach((radius, j) => {
        const [x, y, z] = [0, 1, 2].map((k) => centers[3 * j + k] - local[3 * i + k]);
        radii[i] = Math.max(radii[i], Math.hypot(x, y, z) + radius);
      });
    } else if (shape.type === 'sphere') radii[i] = shape.radius;
    else if (shape.type === 'capsule') radii[i] = shape.radius + shape.length / 2;
    else {
      const [solid] = this.solidsOf(i);
      local.set(solid.center, 3 * i);
      radii[i] = solid.boundingRadius;
    }
  }
}

/** Pairs as a n + b, in the order of the list. */
export const pairKeys = (pairs: LinkPairs, n: number): number[] =>
  Array.from({ length: pairs.count }, (_, i) => pairs.linkA(i) * n + pairs.linkB(i));
