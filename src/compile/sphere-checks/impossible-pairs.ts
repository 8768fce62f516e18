/**
 * Which spheres of two links can never touch while a robot's coordinates are within their limits: found with a proof.
 *
 * Method. Seeded random configurations first: pairs that touch at one are possible. For the others the box of the coordinates that
 * move one link against the other is halved again and again (branch and bound). In a box with middle m and half widths h the distance
 * f of two centres is bounded from below, whichever is more, by
 *   f(m) - sum over k of |df/dq_k| h_k - 1/2 sum over j, k of h_j h_k L_max(j, k)        (second order)
 *   f(m) - sum over k of h_k L_k                                                          (first order)
 * where L_k bounds, over the box, how far the centre that joint k moves is from its axis: its distance at m, and what the joints between can add
 * to it, sum over later j of h_j L_j. Seen from the one link the other's centre accelerates by at most the double sum, and f'' is no less than
 * minus that (what a sideways motion adds to f'' is positive). Either link may be the one that holds still: the better bound counts.
 * A pair is closed in a box where the bound exceeds the sum of radii, possible where f(m) does not, and else open in both halves. A box is
 * halved where that takes most off the sums. Pairs that come within 0.2 mm are undecided, and what the limit of boxes leaves open is undecided, and treated as possible.
 * The proof is the tree of halvings, the same for all pairs of two links; verify-impossible.ts walks it with a bound of its own.
 * Source: branch and bound over boxes with Lipschitz constants, Schweikard 1991, "Polynomial time collision detection for manipulator
 * paths specified by joint motions", IEEE Transactions on Robotics and Automation 7, doi:10.1109/70.105397; the second-order bound is as in
 * scene/motion/edge-motion.ts.
 * Cost: a kinematics of the joints between per box, and some hundred operations per open pair. Tested by impossible-pairs.test.ts.
 */
import type { LinkSpheres, SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import {
  type Fields,
  numbers,
  requireFields,
  requireFinite,
  requireFunction,
  requireList,
  requireNotNegative,
  requireNumbers,
  wholeFrom,
} from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { invertTransform, multiplyTransform } from '../../math/transform.js';
import { createData, type Model, requireModel } from '../../model/model.js';
import type { ImpossiblePairs, LinkPairProof } from './impossible-proof.js';
import { requirePairs, requireSphereModel, requireVarying } from './options.js';
import { ChainPlacements, createRelativeChain, type RelativeChain } from './relative-chain.js';
import { canVary } from './sphere-robot.js';
import { spheresInJoint } from './spheres-in-joint.js';

export interface ImpossibleRequest {
  readonly pairs: readonly (readonly [string, string])[];
  /** As in `SphereCheckOptions`. */
  readonly indices: ArrayLike<number>;
  readonly rest: Float64Array;
  readonly seed?: number;
  /** Random configurations looked at first, per pair of links. Default 2000. */
  readonly samples?: number;
  /** Boxes per pair of links. Default 20,000. */
  readonly boxes?: number;
  /** Spheres nearer than this count as touching, metres. Default 0. */
  readonly margin?: number;
  /** Asked now and then; once true, what is not proven yet stays undecided. */
  readonly shouldStop?: () => boolean;
}

const REQUEST: Fields = {
  pairs: requireList,
  indices: numbers,
  rest: numbers,
  seed: requireFinite,
  samples: wholeFrom(0),
  boxes: wholeFrom(1),
  margin: requireNotNegative,
  shouldStop: requireFunction,
};

/** Beyond the sum of radii: covers the rounding of the bounds, and the slack at the limits. Metres. */
const PROOF_SLACK = 1e-7;

/** Pairs that come nearer than this without being seen to touch are left undecided: proving them would take boxes without end. Metres. */
const NARROW = 2e-4;

/** The range of each varying coordinate: limits, or one turn. */
export function rangesOf(model: Model, indices: readonly number[]): { lower: Float64Array; upper: Float64Array } {
  const lower = Float64Array.from(indices, (i) => model.lower[i]);
  const upper = Float64Array.from(indices, (i) => model.upper[i]);
  for (let i = 0; i < indices.length; i++) {
    if (upper[i] - lower[i] < Infinity) continue;
    lower[i] = -Math.PI;
    upper[i] = Math.PI;
  }
  return { lower, upper };
}

/** X_JM of every joint at rest. */
export function restedMotions(model: Model, rest: Float64Array): Map<number, Float64Array> {
  const data = createData(model);
  forwardKinematics(model, data, rest);
  const motions = new Map<number, Float64Array>();
  for (let j = 1; j < model.jointCount; j++) {
    const X = new Float64Array(12);
    const P = data.jointPlacements.subarray(12 * model.parents[j], 12 * model.parents[j] + 12);
    multiplyTransform(X, P, model.placements.subarray(12 * j, 12 * j + 12));
    invertTransform(X, X);
    motions.set(j, multiplyTransform(X, X, data.jointPlacements.subarray(12 * j, 12 * j + 12)));
  }
  return motions;
}

export function proveImpossiblePairs(model: Model, spheres: SphereModel, request: ImpossibleRequest): ImpossiblePairs {
  const call = 'proveImpossiblePairs';
  requireModel(call, model);
  requireSphereModel(call, spheres);
  requireFields(call, 'request', request, REQUEST);
  requirePairs(call, 'request.pairs', request.pairs);
  requireNumbers(call, 'request.rest', request.rest, model.nq);
  const { rest, margin = 0, shouldStop = () => false } = request;
  const indices = requireVarying(call, model, request.indices);
  const place = new Int32Array(model.nq).fill(-1);
  indices.forEach((index, i) => {
    place[index] = i;
  });
  const rested = restedMotions(model, rest);
  const ranges = rangesOf(model, indices);
  const byName = new Map(spheres.links.map((link) => [link.link, link]));
  const random = createRandom(request.seed ?? 1);
  const pairs: LinkPairProof[] = [];
  for (const [a, b] of request.pairs) {
    const A = byName.get(a);
    const B = byName.get(b);
    if (A === undefined || B === undefined) continue;
    const linkA = model.linkIndex.get(a) as number;
    const linkB = model.linkIndex.get(b) as number;
    const chain = createRelativeChain(model, model.linkJoints[linkA], model.linkJoints[linkB], place);
    if (!chain.joints.every(({ joint }) => canVary(model, model.idxQ[joint])) || shouldStop()) {
      pairs.push({ a, b, coordinates: [], ...leaveOpen(A, B) });
      continue;
    }
    const search = new PairSearch(
      new ChainPlacements(chain, rested),
      { a: spheresInJoint(model, linkA, A), b: spheresInJoint(model, linkB, B) },
      ranges,
      { margin, samples: request.samples ?? 2000, boxes: request.boxes ?? 20_000, shouldStop },
    );
    pairs.push({ a, b, coordinates: chain.coordinates, ...search.run(random) });
  }
  return { indices, rest, margin, pairs };
}

/** No proof is tried where a joint between turns or slides by more than one number, or time is up. */
function leaveOpen(A: LinkSpheres, B: LinkSpheres): Omit<LinkPairProof, 'a' | 'b' | 'coordinates'> {
  const [n, m] = [A, B].map(({ levels }) => levels[levels.length - 1].length / 4);
  return { never: new Int32Array(0), possible: 0, undecided: n * m, splits: new Int8Array(0), boxes: 0 };
}

interface SearchLimits {
  readonly margin: number;
  readonly samples: number;
  readonly boxes: number;
  readonly shouldStop: () => boolean;
}

/** Boxes between two questions whether to stop. */
const STOP_BOXES = 16;

interface Ranges {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

const Open = 0;
const Possible = 1;
const Undecided = 2;

class PairSearch {
  private readonly chain: RelativeChain;
  private readonly state: Uint8Array;
  private readonly countB: number;
  private readonly q: Float64Array;
  private readonly half: Float64Array;
  private readonly bound: DistanceBound;
  private readonly centerA = new Float64Array(3);
  private readonly centerB = new Float64Array(3);
  private readonly weight: Float64Array;

  constructor(
    private readonly placements: ChainPlacements,
    private readonly spheres: { readonly a: Float64Array; readonly b: Float64Array },
    private readonly ranges: Ranges,
    private readonly limits: SearchLimits,
  ) {
    this.chain = placements.chain;
    this.countB = spheres.b.length / 4;
    this.state = new Uint8Array((spheres.a.length / 4) * this.countB);
    this.q = Float64Array.from(ranges.lower, (x, i) => 0.5 * (x + ranges.upper[i]));
    this.half = new Float64Array(ranges.lower.length);
    this.bound = new DistanceBound(this.chain);
    this.weight = new Float64Array(ranges.lower.length);
  }

  run(random: Random): Pick<LinkPairProof, 'never' | 'possible' | 'undecided' | 'splits' | 'boxes'> {
    const all = Int32Array.from(this.state, (_, i) => i);
    this.sample(random, all);
    let splits: number[] = [];
    let boxes = 0;
    let open = all.filter((pair) => this.state[pair] === Open);
    // Again with what is left, until the tree is that of the pairs it proves.
    while (open.length > 0) {
      splits = [];
      boxes += this.search(open, splits);
      const left = open.filter((pair) => this.state[pair] === Open);
      if (left.length === open.length) break;
      open = left;
    }
    if (open.length === 0) splits = [];
    const never = [...open].flatMap((pair) => [Math.trunc(pair / this.countB), pair % this.countB]);
    return {
      never: Int32Array.from(never),
      possible: this.state.filter((s) => s === Possible).length,
      undecided: this.state.filter((s) => s === Undecided).length,
      splits: Int8Array.from(splits),
      boxes,
    };
  }

  private sample(random: Random, pairs: Int32Array): void {
    const { lower, upper } = this.ranges;
    for (let n = 0; n < this.limits.samples; n++) {
      for (const k of this.chain.coordinates) this.q[k] = random.uniform(lower[k], upper[k]);
      this.placements.place(this.q);
      for (const pair of pairs) if (this.state[pair] === Open && this.gap(pair) <= 0) this.state[pair] = Possible;
    }
  }

  /** Distance of the centres less radii and margin, and the centres. */
  private gap(pair: number): number {
    const { a, b } = this.spheres;
    const i = 4 * Math.trunc(pair / this.countB);
    const k = 4 * (pair % this.countB);
    placePoint(this.centerA, this.placements.linkA, a, i);
    placePoint(this.centerB, this.placements.linkB, b, k);
    const x = this.centerB[0] - this.centerA[0];
    const y = this.centerB[1] - this.centerA[1];
    const z = this.centerB[2] - this.centerA[2];
    return Math.sqrt(x * x + y * y + z * z) - a[i + 3] - b[k + 3] - this.limits.margin;
  }

  /** Depth first, lower half first; writes the tree in that order. Boxes are rows of middle and half width per coordinate. */
  private search(open: Int32Array, splits: number[]): number {
    const { chain, ranges, state } = this;
    const n = chain.coordinates.length;
    const stack: { box: Float64Array; pairs: Int32Array }[] = [];
    const whole = new Float64Array(2 * n);
    chain.coordinates.forEach((k, i) => {
      whole[i] = 0.5 * (ranges.lower[k] + ranges.upper[k]);
      whole[n + i] = 0.5 * (ranges.upper[k] - ranges.lower[k]);
    });
    stack.push({ box: whole, pairs: open });
    let boxes = 0;
    let isStopped = false;
    while (stack.length > 0) {
      const { box, pairs } = stack.pop() as { box: Float64Array; pairs: Int32Array };
      boxes++;
      const left = this.examine(box, pairs);
      if (left.length === 0) {
        splits.push(-1);
        continue;
      }
      if (!isStopped && boxes % STOP_BOXES === 0) isStopped = this.limits.shouldStop();
      // What waits on the stack counts: it needs a box each.
      if (isStopped || boxes + stack.length >= this.limits.boxes) {
        for (const pair of left) state[pair] = Undecided;
        splits.push(-1);
        continue;
      }
      let along = 0;
      for (let i = 1; i < n; i++) if (this.weight[i] > this.weight[along]) along = i;
      splits.push(along);
      for (const side of [1, -1]) {
        const child = Float64Array.from(box);
        child[n + along] *= 0.5;
        child[along] += side * child[n + along];
        stack.push({ box: child, pairs: left });
      }
    }
    return boxes;
  }

  /** Pairs that stay open in a box; `weight` then says what halving each coordinate would take off. */
  private examine(box: Float64Array, pairs: Int32Array): Int32Array {
    const { chain, state, bound } = this;
    const n = chain.coordinates.length;
    chain.coordinates.forEach((k, i) => {
      this.q[k] = box[i];
      this.half[k] = box[n + i];
    });
    let isPlaced = false;
    this.weight.fill(0);
    const left: number[] = [];
    for (const pair of pairs) {
      if (state[pair] !== Open) continue;
      if (!isPlaced) this.placements.place(this.q);
      isPlaced = true;
      const gap = this.gap(pair);
      if (gap <= 0) {
        state[pair] = Possible;
        continue;
      }
      const loss = bound.loss(this.placements.axes, this.centerA, this.centerB, this.half);
      if (gap - loss > PROOF_SLACK) continue;
      if (loss < NARROW) {
        state[pair] = Undecided;
        continue;
      }
      left.push(pair);
      bound.addShares(this.weight);
    }
    return Int32Array.from(left);
  }
}

function placePoint(out: Float64Array, X: Float64Array, p: Float64Array, at: number): void {
  for (let r = 0; r < 3; r++)
    out[r] = X[3 * r] * p[at] + X[3 * r + 1] * p[at + 1] + X[3 * r + 2] * p[at + 2] + X[9 + r];
}

/** How much nearer two centres can come in a box than they are in its middle. */
class DistanceBound {
  private readonly gradient: Float64Array;
  private readonly towardB: Float64Array;
  private readonly towardA: Float64Array;
  private readonly h: Float64Array;
  private readonly share: Float64Array;

  constructor(private readonly chain: RelativeChain) {
    const n = chain.joints.length;
    this.gradient = new Float64Array(n);
    this.towardB = new Float64Array(n);
    this.towardA = new Float64Array(n);
    this.h = new Float64Array(n);
    this.share = new Float64Array(n);
  }

  /** `half`: per varying coordinate. */
  loss(axes: Float64Array, a: Float64Array, b: Float64Array, half: Float64Array): number {
    const { joints } = this.chain;
    const { gradient, towardA, towardB, h } = this;
    const d0 = b[0] - a[0];
    const d1 = b[1] - a[1];
    const d2 = b[2] - a[2];
    const f = Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
    for (let k = 0; k < joints.length; k++) {
      const { coordinate, factor, slides, isTowardB } = joints[k];
      h[k] = Math.abs(factor) * half[coordinate];
      if (slides) {
        const along = axes[6 * k] * d0 + axes[6 * k + 1] * d1 + axes[6 * k + 2] * d2;
        gradient[k] = along / f;
        towardA[k] = 1;
        towardB[k] = 1;
        continue;
      }
      const moved = isTowardB ? b : a;
      gradient[k] = crossDot(axes, 6 * k, moved, d0, d1, d2) / f;
      towardB[k] = fromAxis(axes, 6 * k, b);
      towardA[k] = fromAxis(axes, 6 * k, a);
    }
    // What the joints between add: those farther on toward B, and toward A.
    let sum = 0;
    for (let k = joints.length - 1; k >= 0; k--) {
      if (!joints[k].slides) towardB[k] += sum;
      sum += h[k] * towardB[k];
    }
    sum = 0;
    for (let k = 0; k < joints.length; k++) {
      if (!joints[k].slides) towardA[k] += sum;
      sum += h[k] * towardA[k];
    }
    return this.combine();
  }

  private combine(): number {
    const { joints } = this.chain;
    const { gradient, towardA, towardB, h, share } = this;
    let first = 0;
    let steep = 0;
    let bentB = 0;
    let bentA = 0;
    let before = 0;
    for (let k = 0; k < joints.length; k++) {
      first += h[k] * Math.min(towardA[k], towardB[k]);
      steep += h[k] * Math.abs(gradient[k]);
      // 1/2 sum over j, k of h_j h_k L_max(j, k): squares once half, pairs once.
      bentB += h[k] * towardB[k] * (0.5 * h[k] + before);
      before += h[k];
    }
    let after = 0;
    for (let k = joints.length - 1; k >= 0; k--) {
      bentA += h[k] * towardA[k] * (0.5 * h[k] + after);
      after += h[k];
    }
    const second = steep + Math.min(bentA, bentB);
    const isFirst = first < second;
    for (let k = 0; k < joints.length; k++) {
      const bent = (bentA < bentB ? towardA[k] : towardB[k]) * before;
      share[k] = h[k] * (isFirst ? Math.min(towardA[k], towardB[k]) : Math.abs(gradient[k]) + bent);
    }
    return Math.min(first, second);
  }

  /** Adds each joint's share of the last loss to that of its coordinate. */
  addShares(weight: Float64Array): void {
    this.chain.joints.forEach(({ coordinate }, k) => {
      weight[this.chain.coordinates.indexOf(coordinate)] += this.share[k];
    });
  }
}

/** d . (u x (p - o)) for the axis u through o. */
function crossDot(axes: Float64Array, at: number, p: Float64Array, d0: number, d1: number, d2: number): number {
  const x = p[0] - axes[at + 3];
  const y = p[1] - axes[at + 4];
  const z = p[2] - axes[at + 5];
  return (
    d0 * (axes[at + 1] * z - axes[at + 2] * y) +
    d1 * (axes[at + 2] * x - axes[at] * z) +
    d2 * (axes[at] * y - axes[at + 1] * x)
  );
}

/** Distance of a point from an axis. */
function fromAxis(axes: Float64Array, at: number, p: Float64Array): number {
  const x = p[0] - axes[at + 3];
  const y = p[1] - axes[at + 4];
  const z = p[2] - axes[at + 5];
  const cx = axes[at + 1] * z - axes[at + 2] * y;
  const cy = axes[at + 2] * x - axes[at] * z;
  const cz = axes[at] * y - axes[at + 1] * x;
  return Math.sqrt(cx * cx + cy * cy + cz * cz);
}
