/**
 * Re-checks a certificate that a straight motion is free: with kinematics in double precision and distances, nothing of the compiled code.
 *
 * Method: the intervals must cover [0, 1] without a gap. In the middle of each every sphere must be farther from every obstacle than its centre
 * can move within the interval, and farther from every sphere that it is paired with than the two can approach. The bound: joint k
 * moves a point by at most h_k r_k, h_k what its value changes by and r_k the point's distance from its axis in the middle, plus what joints
 * nearer to the point move it by. Two spheres approach by at most the sum over the joints between them, each with the smaller of both
 * levers. An interval that this bound finds too wide is halved, at most eight times.
 * Source: Schwarzer, Saha, Latombe 2005 (levers.ts), with levers of its own. Fails: returns the first fault. Cost: a kinematics per
 * interval and a distance per sphere and obstacle near it. Tested by certify-motion.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import {
  type Fields,
  numbers,
  requireFields,
  requireFinite,
  requireList,
  requireNumbers,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { createData, type Data, type Model, requireModel } from '../../model/model.js';
import { createCollider } from '../../narrowphase/collider.js';
import { distance } from '../../narrowphase/distance.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import type { SphereObstacle } from './environment.js';
import { requireObstacles, requirePairs, requireSphereModel, requireVarying } from './options.js';

/** What stands at each sphere of a link, and how it is carried. */
interface PlacedSphere {
  readonly link: string;
  readonly joint: number;
  /** In the joint's frame. */
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

export interface MotionClaim {
  readonly pairs: readonly (readonly [string, string])[];
  readonly indices: ArrayLike<number>;
  readonly rest: ArrayLike<number>;
  readonly obstacles: readonly SphereObstacle[];
  /** Between spheres of two links. Default 0. */
  readonly margin?: number;
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
  /** Middle and half width of each interval, in order. */
  readonly intervals: ArrayLike<number>;
}

export interface MotionVerdict {
  readonly isProven: boolean;
  /** Empty when proven. */
  readonly reason: string;
  /** What is left of the smallest gap, metres. */
  readonly slack: number;
  readonly distances: number;
}

const CLAIM: Fields = {
  pairs: requireList,
  indices: numbers,
  rest: numbers,
  obstacles: requireList,
  margin: requireFinite,
  a: numbers,
  b: numbers,
  intervals: numbers,
};

const MOST_HALVINGS = 8;
/** Rounding of distances and bounds, metres per metre. */
const ROUNDING = 1e-12;

export function verifyMotion(model: Model, spheres: SphereModel, claim: MotionClaim): MotionVerdict {
  const call = 'verifyMotion';
  requireModel(call, model);
  requireSphereModel(call, spheres);
  requireFields(call, 'claim', claim, CLAIM);
  requirePairs(call, 'claim.pairs', claim.pairs);
  requireObstacles(call, 'claim.obstacles', claim.obstacles);
  const indices = requireVarying(call, model, claim.indices);
  requireNumbers(call, 'claim.rest', claim.rest, model.nq);
  for (const end of ['a', 'b'] as const) requireNumbers(call, `claim.${end}`, claim[end], indices.length);
  for (const [a, b] of claim.pairs)
    for (const name of [a, b])
      if (!spheres.links.some(({ link }) => link === name))
        throw new MisuseError(`${call}: claim.pairs, got "${name}", expected links that have spheres`);
  return new MotionWalk(model, spheres, claim).run();
}

class MotionWalk {
  private readonly data: Data;
  private readonly q: Float64Array;
  private readonly indices: readonly number[];
  private readonly spheres: PlacedSphere[] = [];
  /** Change of each joint's value over the whole motion; 0 for joints that rest. */
  private readonly changes: Float64Array;
  private readonly deltas: Float64Array;
  private readonly obstacles: {
    collider: ReturnType<typeof createCollider>;
    placement: Float64Array;
    margin: number;
  }[];
  private readonly ball = createCollider({ type: 'sphere', radius: 1e-9 });
  private readonly measured = createDistanceResult();
  private readonly at = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  private slack = Infinity;
  private distances = 0;
  private reason = '';

  constructor(
    private readonly model: Model,
    spheres: SphereModel,
    private readonly claim: MotionClaim,
  ) {
    this.data = createData(model);
    this.indices = Array.from(claim.indices);
    this.q = Float64Array.from(claim.rest);
    this.deltas = Float64Array.from(this.indices, (index, i) => this.differenceOf(index, claim.b[i] - claim.a[i]));
    this.changes = new Float64Array(model.jointCount);
    for (let j = 1; j < model.jointCount; j++) {
      const i = this.indices.indexOf(model.idxQ[j]);
      if (i < 0 || model.jointKinds[j] === null) continue;
      this.changes[j] = this.deltas[i] * (model.mimicDrivers[j] > 0 ? model.mimicMultipliers[j] : 1);
    }
    for (const { link, levels } of spheres.links) this.addSpheres(link, levels[levels.length - 1]);
    this.obstacles = claim.obstacles.map(({ shape, placement, margin = 0 }) => ({
      collider: createCollider(shape),
      placement: Float64Array.from(placement ?? [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
      margin,
    }));
  }

  run(): MotionVerdict {
    const { intervals } = this.claim;
    let end = 0;
    if (intervals.length === 0 || intervals.length % 2 !== 0) this.reason = 'no intervals';
    for (let i = 0; i + 1 < intervals.length && this.reason === ''; i += 2) {
      const [middle, half] = [intervals[i], intervals[i + 1]];
      if (!(half > 0 && middle - half <= end + ROUNDING && middle + half > end)) {
        this.reason = `nothing covers the motion behind ${end}`;
        break;
      }
      end = middle + half;
      this.reason = this.examine(middle, half, MOST_HALVINGS);
    }
    if (this.reason === '' && end < 1 - ROUNDING) this.reason = `nothing covers the motion behind ${end}`;
    return { isProven: this.reason === '', reason: this.reason, slack: this.slack, distances: this.distances };
  }

  /** A coordinate without limits goes the short way. */
  private differenceOf(index: number, difference: number): number {
    const { model } = this;
    for (let j = 1; j < model.jointCount; j++) {
      const isOwn = model.nqs[j] === 1 && model.idxQ[j] === index;
      if (isOwn && model.jointKinds[j]?.name === 'continuous' && !(model.upper[index] - model.lower[index] < Infinity))
        return difference - 2 * Math.PI * Math.round(difference / (2 * Math.PI));
    }
    return difference;
  }

  private addSpheres(name: string, level: Float64Array): void {
    const { model } = this;
    const link = model.linkIndex.get(name) as number;
    const frame = model.linkFrames[link];
    const X = model.framePlacements.subarray(12 * frame, 12 * frame + 12);
    for (let i = 0; i < level.length; i += 4) {
      const center = move(X, [level[i], level[i + 1], level[i + 2]]);
      this.spheres.push({ link: name, joint: model.linkJoints[link], center, radius: level[i + 3] });
    }
  }

  private examine(middle: number, half: number, halvings: number): string {
    const { claim, q, model, data, deltas } = this;
    this.indices.forEach((index, i) => {
      q[index] = claim.a[i] + middle * deltas[i];
    });
    if (!q.every(Number.isFinite)) return `no configuration at ${middle}`;
    forwardKinematics(model, data, q);
    const fault = this.findFault(half);
    if (fault === null) return '';
    if (fault.isTouching || halvings === 0) return `${fault.what} at ${middle}`;
    const quarter = 0.5 * half;
    return (
      this.examine(middle - quarter, quarter, halvings - 1) || this.examine(middle + quarter, quarter, halvings - 1)
    );
  }

  private findFault(half: number): { what: string; isTouching: boolean } | null {
    const { data } = this;
    const placed = this.spheres.map(({ joint, center }) =>
      move(data.jointPlacements.subarray(12 * joint, 12 * joint + 12), center),
    );
    for (let i = 0; i < this.spheres.length; i++) {
      const { link, joint, radius } = this.spheres[i];
      const travel = this.boundTravel(joint, 0, placed[i], half);
      this.at.set(placed[i], 9);
      for (let k = 0; k < this.obstacles.length; k++) {
        const { collider, placement, margin } = this.obstacles[k];
        const needed = radius + margin + travel;
        this.distances++;
        distance(this.measured, this.ball, this.at, collider, placement, { upperBound: needed + 1e-3 });
        const isFar = this.measured.status === 'beyond-bound';
        const gap = isFar ? needed + 1e-3 : this.measured.distance + 1e-9;
        const isKnown = isFar || this.measured.status === 'ok' || this.measured.status === 'collides';
        if (!isKnown || !(gap > needed + ROUNDING * (1 + needed)))
          return { what: `${link} and obstacle ${k}`, isTouching: !(gap > radius + margin) };
        this.slack = Math.min(this.slack, gap - needed);
      }
    }
    return this.findSelfFault(placed, half);
  }

  private findSelfFault(
    placed: readonly (readonly number[])[],
    half: number,
  ): { what: string; isTouching: boolean } | null {
    const { margin = 0, pairs } = this.claim;
    for (const [a, b] of pairs) {
      for (let i = 0; i < placed.length; i++) {
        if (this.spheres[i].link !== a) continue;
        for (let k = 0; k < placed.length; k++) {
          if (this.spheres[k].link !== b) continue;
          const gap =
            norm(placed[i].map((x, c) => x - placed[k][c])) - this.spheres[i].radius - this.spheres[k].radius - margin;
          const approach = this.boundApproach(i, k, placed, half);
          if (!(gap > approach + ROUNDING)) return { what: `${a} and ${b}`, isTouching: !(gap > 0) };
          this.slack = Math.min(this.slack, gap - approach);
        }
      }
    }
    return null;
  }

  /** Levers of the joints from below `top` to `joint`, nearest to the point first: each with what it changes by. */
  private listLevers(joint: number, top: number, p: readonly number[], half: number): Map<number, number> {
    const { model, data, changes } = this;
    const levers = new Map<number, number>();
    let carried = 0;
    for (let j = joint; j !== top; j = model.parents[j]) {
      const h = Math.abs(changes[j]) * half;
      if (h === 0) continue;
      const slides = model.jointKinds[j]?.name === 'prismatic';
      const lever = slides ? 1 : fromAxis(model, data, j, p) + carried;
      levers.set(j, lever);
      carried += h * lever;
    }
    return levers;
  }

  private boundTravel(joint: number, top: number, p: readonly number[], half: number): number {
    let sum = 0;
    for (const [j, lever] of this.listLevers(joint, top, p, half)) sum += Math.abs(this.changes[j]) * half * lever;
    return sum;
  }

  private boundApproach(i: number, k: number, placed: readonly (readonly number[])[], half: number): number {
    const { model, changes, data } = this;
    const [a, b] = [this.spheres[i].joint, this.spheres[k].joint];
    let top = a;
    const above = new Set<number>([0]);
    for (let j = b; j > 0; j = model.parents[j]) above.add(j);
    while (!above.has(top)) top = model.parents[top];
    let sum = 0;
    for (const [own, other, from, to] of [
      [a, b, placed[i], placed[k]],
      [b, a, placed[k], placed[i]],
    ] as const) {
      const levers = this.listLevers(own, top, from, half);
      // Seen from this side, joints carry the other sphere: what lies between adds to its lever.
      let carried = 0;
      for (const [j, lever] of this.listLevers(other, top, to, half)) carried += Math.abs(changes[j]) * half * lever;
      const chain = [...levers.keys()].reverse();
      for (const j of chain) {
        const h = Math.abs(changes[j]) * half;
        const slides = model.jointKinds[j]?.name === 'prismatic';
        const far = slides ? 1 : fromAxis(model, data, j, to) + carried;
        carried += h * far;
        sum += h * Math.min(levers.get(j) as number, far);
      }
    }
    return sum;
  }
}

const norm = (v: readonly number[]): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

function move(X: ArrayLike<number>, p: readonly number[]): [number, number, number] {
  const row = (r: number): number => X[3 * r] * p[0] + X[3 * r + 1] * p[1] + X[3 * r + 2] * p[2] + X[9 + r];
  return [row(0), row(1), row(2)];
}

/** Distance of a point of W from a joint's axis. */
function fromAxis({ axes }: Model, { jointPlacements }: Data, j: number, p: readonly number[]): number {
  const X = jointPlacements.subarray(12 * j, 12 * j + 12);
  const u = [0, 1, 2].map(
    (r) => X[3 * r] * axes[3 * j] + X[3 * r + 1] * axes[3 * j + 1] + X[3 * r + 2] * axes[3 * j + 2],
  );
  const d = [p[0] - X[9], p[1] - X[10], p[2] - X[11]];
  return norm([u[1] * d[2] - u[2] * d[1], u[2] * d[0] - u[0] * d[2], u[0] * d[1] - u[1] * d[0]]);
}
