/**
 * The smallest signed distance of every near pair while a robot goes straight, in joint space, from one configuration to another, and its
 * derivatives by both: where the whole way, not its ends, has to keep clear.
 *
 * Method: 1. d(t) changes by at most L per unit of t, L the speed at which the pair can approach (robot-pairs.ts). An interval of half width h
 * about t, where d was measured, holds nothing below d(t) - L h: halve the intervals that could hold less than the least value found, or
 * less than the reach, until none is below it by more than the tolerance. All pairs share the forward kinematics. 2. The time of the least value
 * is moved to where d' = 0 by a secant on the derivative along the way, where the closest points are unique. 3. By Danskin's theorem
 * the derivative of the minimum is that of d at that time: g (dq(t)/dfrom) and g (dq(t)/dto), the latter two (1 - t) and t for joints whose
 * coordinates are plain numbers.
 * Source: Piyavskii 1972, "An algorithm for finding the absolute extremum of a function", doi:10.1016/0041-5553(72)90115-2; Danskin 1966,
 * doi:10.1137/0114053. TrajOpt sweeps the hull of a link's two poses instead, which cuts the corner of a turning link.
 * Frames: W; t in [0, 1]. `lowerBound` is proven; `distance` is a value that is taken at `t`. Pairs that stay beyond the reach are left out.
 * Ends: `limit` where the number of configurations did not suffice for the tolerance: then `lowerBound` is lower. Cost: about
 * (motion / tolerance)^(1/2) to (motion / tolerance) configurations per near pair. The robot stays where it is. Tested by swept-distance.test.ts.
 */
import { type Fields, requireCount, requireOptions, requirePositiveNumber } from '../../math/arguments.js';
import { differenceConfiguration, integrateConfiguration } from '../../model/configuration.js';
import { computeDifferenceJacobian, computeIntegrateJacobian } from '../../model/configuration-jacobians.js';
import type { Model } from '../../model/model.js';
import { type SceneAssumptions, sceneAssumptions } from '../../scene/assumptions.js';
import { bodyName } from '../../scene/body-names.js';
import { type Variation, varyRobot } from '../../scene/context.js';
import { RobotPairs } from '../../scene/motion/robot-pairs.js';
import { setConfiguration } from '../../scene/robot.js';
import { requireNumbers, requireOpen, requireRobot } from '../../scene/scene-door.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { updateRobot } from '../../scene/update.js';
import { createDistanceGradients, type DistanceGradients } from './distance-gradients.js';

export interface SweptDistanceOptions {
  /** Metres, default 0.1. */
  readonly reach?: number;
  /** Most that `distance` is above the true minimum. Metres, default 1e-3. */
  readonly tolerance?: number;
  /** Default 4096. */
  readonly maxConfigurations?: number;
}

export interface SweptPair {
  readonly a: string;
  readonly b: string;
  /** Smallest value found, and where. */
  readonly distance: number;
  readonly t: number;
  /** The minimum is not below it. */
  readonly lowerBound: number;
  readonly margin: number;
  /** By the velocity coordinates at the one end and at the other; nv numbers each. */
  readonly gradientFrom: Float64Array;
  readonly gradientTo: Float64Array;
  /** The closest points at `t` are unique; else the gradients are those of one side. */
  readonly smooth: boolean;
}

export interface SweptDistances extends SceneAssumptions {
  readonly status: 'solved' | 'limit';
  /** Nearest first. */
  readonly pairs: readonly SweptPair[];
  readonly configurations: number;
}

const OPTIONS: Fields = {
  reach: requirePositiveNumber,
  tolerance: requirePositiveNumber,
  maxConfigurations: (call, what, value) => requireCount(call, what, value, 1),
};
const POLISH_STEPS = 20;
/** Distances are measured a little beyond the reach, so that pairs that stay outside take few configurations. Metres. */
const BEYOND = 0.1;

interface Track {
  best: number;
  t: number;
  lower: number;
}

/** Of two bodies, the nearest of their geometries. */
export function sweptDistances(
  scene: Scene,
  robot: SceneRobot,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  options: SweptDistanceOptions = {},
): SweptDistances {
  const call = 'sweptDistances';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireNumbers(call, 'from', from, robot.model.nq);
  requireNumbers(call, 'to', to, robot.model.nq);
  requireOptions(call, options, OPTIONS);
  return new Sweep(scene, robot, Float64Array.from(from), Float64Array.from(to), options).run();
}

class Sweep {
  private readonly rows: DistanceGradients;
  private readonly model: Model;
  private readonly to: Float64Array;
  private readonly q: Float64Array;
  private readonly v: Float64Array;
  private readonly rates: Float64Array;
  private readonly names = new Map<number, string>();
  private readonly tracks = new Map<string, Track>();
  private readonly reach: number;
  private readonly tolerance: number;
  private readonly limit: number;
  private readonly bounds: RobotPairs;
  private readonly own: Variation;
  private configurations = 0;

  constructor(
    private readonly scene: Scene,
    robot: SceneRobot,
    private readonly from: Float64Array,
    to: Float64Array,
    { reach = 0.1, tolerance = 1e-3, maxConfigurations = 4096 }: SweptDistanceOptions,
  ) {
    const { model } = robot;
    this.model = model;
    this.rows = createDistanceGradients(scene, robot, { nearestOnly: true, reach: reach + BEYOND });
    const own = varyRobot(scene, robot, 'sweptDistances');
    this.own = own;
    this.bounds = new RobotPairs(own, own.robot, 'sweptDistances');
    this.q = new Float64Array(model.nq);
    this.v = differenceConfiguration(new Float64Array(model.nv), model, from, to);
    this.rates = this.v.map(Math.abs);
    this.to = integrateConfiguration(new Float64Array(model.nq), model, from, this.v);
    this.reach = reach;
    this.tolerance = tolerance;
    this.limit = maxConfigurations;
  }

  run(): SweptDistances {
    let level: { middle: number; half: number; open: ReadonlySet<string> | null }[] = [
      { middle: 0.5, half: 0.5, open: null },
    ];
    // The ends first: they often are the least, and no middle ever reaches them.
    for (const t of [0, 1]) this.look(t, null);
    let status: SweptDistances['status'] = 'solved';
    while (level.length > 0) {
      const next: typeof level = [];
      for (const { middle, half, open } of level) {
        const isLast = this.configurations >= this.limit;
        if (isLast) status = 'limit';
        const left = this.examine(middle, half, open, isLast);
        if (left.size === 0 || isLast) continue;
        for (const side of [-0.5, 0.5]) next.push({ middle: middle + side * half, half: 0.5 * half, open: left });
      }
      level = next;
    }
    const pairs = [...this.tracks]
      .filter(([, { best }]) => best <= this.reach)
      .map(([name, track]) => this.finish(name, track));
    pairs.sort((a, b) => a.distance - b.distance);
    return { status, pairs, configurations: this.configurations, ...sceneAssumptions(this.scene) };
  }

  private place(t: number): void {
    this.configurations++;
    const step = this.v.map((x) => t * x);
    integrateConfiguration(this.q, this.model, this.from, step);
    this.rows.update(this.q);
  }

  private trackOf(name: string): Track {
    let track = this.tracks.get(name);
    if (!track) {
      track = { best: Infinity, t: 0, lower: Infinity };
      this.tracks.set(name, track);
    }
    return track;
  }

  /** Distances at t, by the names of the pairs. */
  private look(t: number, open: ReadonlySet<string> | null): Map<string, number> {
    this.place(t);
    const { distances, count } = this.rows;
    const found = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      const name = this.nameOf(i);
      if (open && !open.has(name)) continue;
      found.set(name, distances[i]);
      const track = this.trackOf(name);
      if (distances[i] < track.best) {
        track.best = distances[i];
        track.t = t;
      }
    }
    return found;
  }

  /** Returns the pairs that could come nearer within the interval than what is known. */
  private examine(middle: number, half: number, open: ReadonlySet<string> | null, isLast: boolean): Set<string> {
    const found = this.look(middle, open);
    setConfiguration(this.own.robot, this.q);
    updateRobot(this.own.robot);
    this.bounds.boundSpeeds(this.rates, half);
    const left = new Set<string>();
    for (const pair of this.bounds.pairs) {
      const name = `${bodyName(this.own, pair.a)}\n${bodyName(this.own, pair.b)}`;
      if (open && !open.has(name)) continue;
      const distance = found.get(name) ?? this.reach + BEYOND;
      const track = this.trackOf(name);
      const lower = distance - half * this.bounds.speedOf(pair);
      if (!isLast && lower < Math.min(track.best, this.reach) - this.tolerance) left.add(name);
      else track.lower = Math.min(track.lower, lower);
    }
    return left;
  }

  private rowOf(name: string): number {
    for (let i = 0; i < this.rows.count; i++) if (this.nameOf(i) === name) return i;
    return -1;
  }

  private nameOf(i: number): string {
    const pair = this.rows.pairs[i];
    let name = this.names.get(pair);
    if (name === undefined) {
      const { a, b } = this.rows.pair(i);
      name = `${a}\n${b}`;
      this.names.set(pair, name);
    }
    return name;
  }

  /** d'(t) and d(t) of a pair. */
  private slopeAt(name: string, t: number): { slope: number; distance: number } {
    this.place(t);
    const i = this.rowOf(name);
    let slope = 0;
    for (let k = 0; k < this.v.length; k++) slope += this.rows.gradients[this.rows.nv * i + k] * this.v[k];
    return { slope, distance: this.rows.distances[i] };
  }

  private polish(name: string, track: Track): void {
    // From a narrow bracket about the least value to one whose ends both rise away from it.
    let width = 1e-3;
    let [from, to] = [track.t, track.t];
    let low = this.slopeAt(name, track.t);
    let high = low;
    const grow = (): void => {
      from = Math.max(0, track.t - width);
      to = Math.min(1, track.t + width);
      low = this.slopeAt(name, from);
      high = this.slopeAt(name, to);
      width *= 4;
    };
    for (grow(); !(low.slope < 0 && high.slope > 0) && width < 0.3; ) grow();
    for (const [t, { distance }] of [
      [from, low],
      [to, high],
    ] as const)
      if (distance < track.best) [track.best, track.t] = [distance, t];
    for (let n = 0; n < POLISH_STEPS && low.slope < 0 && high.slope > 0 && to - from > 1e-12; n++) {
      const share = low.slope / (low.slope - high.slope);
      const t = from + (to - from) * Math.min(0.9, Math.max(0.1, share));
      const at = this.slopeAt(name, t);
      if (at.distance < track.best) [track.best, track.t] = [at.distance, t];
      if (at.slope < 0) [from, low] = [t, at];
      else [to, high] = [t, at];
    }
  }

  private finish(name: string, track: Track): SweptPair {
    this.polish(name, track);
    const { best, t, lower } = track;
    this.place(t);
    const i = this.rowOf(name);
    const { gradient, margin, a, b } = this.rows.pair(i);
    const { model, v, from, to } = this;
    const { nv } = model;
    const scaled = v.map((x) => t * x);
    const matrix = (): Float64Array => new Float64Array(nv * nv);
    const byStart = computeIntegrateJacobian(matrix(), model, scaled, 'q');
    const byStep = computeIntegrateJacobian(matrix(), model, scaled, 'v');
    const stepByFrom = computeDifferenceJacobian(matrix(), model, from, to, 'a');
    const stepByTo = computeDifferenceJacobian(matrix(), model, from, to, 'b');
    const along = multiplyRow(gradient, byStep, nv);
    const gradientTo = multiplyRow(along, stepByTo, nv).map((x) => t * x);
    const direct = multiplyRow(gradient, byStart, nv);
    const gradientFrom = multiplyRow(along, stepByFrom, nv).map((x, k) => direct[k] + t * x);
    const smooth = this.rows.examine(i);
    return { a, b, distance: best, t, lowerBound: Math.min(lower, best), margin, gradientFrom, gradientTo, smooth };
  }
}

function multiplyRow(row: Float64Array, M: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n);
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) out[c] += row[r] * M[r * n + c];
  return out;
}
