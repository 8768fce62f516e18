/**
 * The states of a space that satisfy a constraint, as a space: motions are walks on the manifold.
 *
 * Method: a walk goes from a towards b in steps of `step`: along the tangent space where it stands, straight at b, then back onto the manifold
 * by Newton's method (projector.ts), which begins where the last step's bend leads. It ends at b itself when that is within a step. It fails where the projection does, where a step of it is
 * more than twice as long, where it comes no nearer, beyond the bounds, or when it is longer than LONGEST times the distance.
 * `interpolate` is a place of the walk, by length; `joins` says whether it arrives.
 * Source: Kingston, Moll, Kavraki 2019, "Exploring implicit spaces for constrained sampling-based planning", sections 4 and 5,
 * doi:10.1177/0278364919868530; steps along tangent spaces: Kim, Um, Suh, Park 2016, "Tangent bundle RRT", doi:10.1017/S0263574714001234.
 * Metric: that of the space around it, whose states must be independent numbers. Neighbours on a walk lie a step apart; how far the straight line
 * between them leaves the manifold is of second order in it (`Constraint.deviationBound`).
 * Cost: per step a Jacobian and one or two Newton steps. Tested by constrained-space.test.ts.
 */
import { type Fields, requireFields, requirePositive, throwMisuse } from '../../math/arguments.js';
import type { Random } from '../../math/random.js';
import type { TreeSettings, TreeSpace, Trees } from '../planners/trees.js';
import { requireSpace } from '../requests.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator, StateCoordinates, StateSpace } from '../types.js';
import { ConstrainedTrees, type WalkSpace } from './constrained-trees.js';
import { type Constraint, requireConstraint } from './constraint.js';
import { Projector } from './projector.js';

export interface ConstrainedSpaceOptions {
  /** No |f| of a state is larger; default 1e-9. */
  readonly tolerance?: number;
  /** Length of a step of walks; default 0.05. */
  readonly step?: number;
}

const CALL = 'createConstrainedSpace';
const OPTIONS: Fields = { tolerance: requirePositive, step: requirePositive };
const DEFAULT_TOLERANCE = 1e-9;
const DEFAULT_STEP = 0.05;
const LONGEST = 4;
/** Share of a step that goes along the tangent space: coming back makes it a little longer. */
const FORWARD = 0.98;
const SAMPLE_TRIES = 20;
/** Kinds of coordinates that are kept within their bounds when they wrap. */
const WRAPS_INSIDE = 1;

export class ConstrainedSpace implements TreeSpace, WalkSpace {
  readonly dimension: number;
  readonly euclideanScale?: Float64Array;
  readonly step: number;
  readonly tolerance: number;
  /** States that walks have passed so far. */
  steps = 0;
  private readonly projector: Projector;
  private readonly coordinates_: StateCoordinates;
  private readonly change: Float64Array;
  private readonly previous: Float64Array;
  /** Where the last step ended, with a Jacobian from near there. */
  private readonly last: Float64Array;
  private isLinearized = false;
  /** Length of the last step. */
  travelled = 0;
  /**
   * How the last step, `bendLength` along its tangent space, left that, as multiples of the rows of the Jacobian: the next one of the walk will about
   * do the same.
   */
  private readonly bend: Float64Array;
  private bendLength = 0;
  private readonly wraps: boolean;
  private readonly walk: Walk;

  constructor(
    /** The space around it. */
    readonly ambient: StateSpace,
    readonly constraint: Constraint,
    options: ConstrainedSpaceOptions = {},
  ) {
    requireSpace(CALL, ambient);
    requireConstraint(CALL, constraint);
    requireFields(CALL, 'options', options, OPTIONS);
    const { dimension, coordinates } = ambient;
    if (constraint.dimension !== dimension)
      throwMisuse(CALL, 'constraint', constraint.dimension, `one of states of ${dimension} numbers`);
    if (coordinates === undefined) throwMisuse(CALL, 'space', ambient, 'a space of independent numbers');
    this.dimension = dimension;
    this.coordinates_ = coordinates!;
    if (ambient.euclideanScale) this.euclideanScale = ambient.euclideanScale;
    this.tolerance = options.tolerance ?? DEFAULT_TOLERANCE;
    this.step = options.step ?? DEFAULT_STEP;
    this.projector = new Projector(constraint);
    this.change = new Float64Array(dimension);
    this.previous = new Float64Array(dimension);
    this.last = new Float64Array(dimension);
    this.bend = new Float64Array(constraint.equations);
    this.wraps = this.coordinates_.period.some((period) => period > 0);
    this.walk = new Walk(this);
  }

  /** Newton steps of all projections. */
  get newtonSteps(): number {
    return this.projector.steps;
  }

  /** A draw of the space around it, projected; one that fails every time is no state of this space. */
  sample(out: Float64Array, random: Random): Float64Array {
    for (let i = 0; i < SAMPLE_TRIES; i++) {
      this.ambient.sample(out, random);
      if (this.project(out)) return out;
    }
    return out;
  }

  distance(a: Float64Array, b: Float64Array): number {
    return this.ambient.distance(a, b);
  }

  /** The place of the walk from a to b at a share t of its length; where the walk does not arrive, of what there is of it. */
  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array {
    return this.walk.between(a, b).at(out, t);
  }

  /** Whether the walk from a arrives at b. */
  joins(a: Float64Array, b: Float64Array): boolean {
    return this.ambient.distance(a, b) <= this.step || this.walk.between(a, b).arrives;
  }

  /** Valid is a walk that arrives and whose steps are, as straight motions of the space around. */
  followMotion(motion: MotionValidator): MotionValidator {
    const from = new Float64Array(this.dimension);
    const to = new Float64Array(this.dimension);
    const followed = new Walk(this);
    return {
      isExact: motion.isExact,
      isMotionValid: (a, b, shouldStop) => {
        if (this.ambient.distance(a, b) <= this.step) return motion.isMotionValid(a, b, shouldStop);
        // Whoever decides about steps may ask for the space's own walk.
        const walk = followed.between(a, b);
        if (!walk.arrives) return false;
        for (let i = 1; i < walk.size; i++)
          if (!motion.isMotionValid(walk.read(from, i - 1), walk.read(to, i), shouldStop)) return false;
        return true;
      },
    };
  }

  /** The states of the walk from a to b, both ends included; empty where it does not arrive. */
  walkStates(a: Float64Array, b: Float64Array): Float64Array[] {
    const walk = this.walk.between(a, b);
    if (!walk.arrives) return [];
    return Array.from({ length: walk.size }, (_, i) => walk.read(new Float64Array(this.dimension), i));
  }

  satisfiesBounds(q: Float64Array): boolean {
    return this.ambient.satisfiesBounds(q) && this.projector.residual(q) <= this.tolerance;
  }

  explainBounds(q: Float64Array): string {
    if (!this.ambient.satisfiesBounds(q)) return this.ambient.explainBounds?.(q) ?? 'outside the space';
    const residual = this.projector.residual(q);
    const { about } = this.constraint;
    return residual > this.tolerance ? `off the constraint${about ? ` (${about})` : ''} by ${residual}` : '';
  }

  /** The largest |f|. */
  residual(q: Float64Array): number {
    return this.projector.residual(q);
  }

  /** Moves q onto the manifold and within the bounds; false, with q where it came, where that fails. */
  project(q: Float64Array): boolean {
    const { lower, upper } = this.coordinates_;
    this.isLinearized = false;
    return this.projector.project(q, this.tolerance, lower, upper) && this.ambient.satisfiesBounds(q);
  }

  createTrees(
    settings: TreeSettings,
    motion: MotionValidator,
    verify: MotionValidator | null,
    watch: StopWatch,
  ): Trees {
    return new ConstrainedTrees(settings, this, this.coordinates_, motion, verify, watch);
  }

  stepTowards(q: Float64Array, to: Float64Array): 0 | 1 | 2 {
    const { change, previous, last, bend, ambient, step, dimension, projector, wraps } = this;
    const { period, scale } = this.coordinates_;
    this.steps++;
    let isSameWalk = this.isLinearized;
    for (let k = 0; k < dimension; k++) {
      previous[k] = q[k];
      change[k] = to[k] - q[k];
      if (wraps && period[k] > 0) change[k] -= period[k] * Math.round(change[k] / period[k]);
      if (q[k] !== last[k]) isSameWalk = false;
    }
    const left = this.lengthOf(change);
    this.travelled = left;
    if (left <= step) {
      q.set(to);
      return 2;
    }
    // Where the last step ended, Newton's method has just left a Jacobian.
    if (!isSameWalk) projector.linearize(q);
    projector.alongTangent(change);
    const length = this.lengthOf(change);
    if (!(length > 1e-3 * step)) return 0;
    const share = Math.min(1, (FORWARD * step) / length);
    for (let k = 0; k < dimension; k++) q[k] += share * change[k];
    // Of second order in the step.
    const ratio = isSameWalk ? (share * length) / this.bendLength : 0;
    for (let i = 0; i < bend.length; i++) bend[i] *= ratio * ratio;
    if (isSameWalk) projector.subtractRows(q, bend);
    const { jacobians } = projector;
    this.isLinearized = false;
    if (!projector.correct(q, this.tolerance, !isSameWalk)) return 0;
    this.isLinearized = projector.jacobians > jacobians;
    this.bendLength = share * length;
    for (let i = 0; i < bend.length; i++) bend[i] += projector.taken[i];
    let moved = 0;
    let rest = 0;
    for (let k = 0; k < dimension; k++) {
      last[k] = q[k];
      const there = scale[k] * (q[k] - previous[k]);
      let d = to[k] - q[k];
      if (wraps && period[k] > 0) d -= period[k] * Math.round(d / period[k]);
      d *= scale[k];
      moved += there * there;
      rest += d * d;
    }
    if (wraps) this.wrapInside(q);
    this.travelled = Math.sqrt(moved);
    if (this.travelled > 2 * step || !ambient.satisfiesBounds(q)) return 0;
    return Math.sqrt(rest) < left ? 1 : 0;
  }

  /** What wraps goes round to its own bounds. */
  private wrapInside(q: Float64Array): void {
    const { period, kinds, lower, upper } = this.coordinates_;
    for (let k = 0; k < q.length; k++)
      if (period[k] > 0 && (kinds[k] & WRAPS_INSIDE) !== 0 && !(q[k] >= lower[k] && q[k] <= upper[k]))
        q[k] = Math.min(Math.max(q[k] - period[k] * Math.floor((q[k] - lower[k]) / period[k]), lower[k]), upper[k]);
  }

  private lengthOf(change: Float64Array): number {
    const { scale } = this.coordinates_;
    let sum = 0;
    for (let k = 0; k < change.length; k++) {
      const d = scale[k] * change[k];
      sum += d * d;
    }
    return Math.sqrt(sum);
  }
}

/** The last walk, which searches ask about again and again. */
class Walk {
  arrives = false;
  private states = new Float64Array(0);
  private lengths: number[] = [];
  private readonly a: Float64Array;
  private readonly b: Float64Array;
  private readonly q: Float64Array;
  private readonly next: Float64Array;

  constructor(private readonly space: ConstrainedSpace) {
    const { dimension } = space;
    this.a = new Float64Array(dimension).fill(Number.NaN);
    this.b = new Float64Array(dimension);
    this.q = new Float64Array(dimension);
    this.next = new Float64Array(dimension);
  }

  between(a: Float64Array, b: Float64Array): this {
    if (isSame(a, this.a) && isSame(b, this.b)) return this;
    this.a.set(a);
    this.b.set(b);
    const { q, next, space } = this;
    const longest = LONGEST * space.distance(a, b) + 2 * space.step;
    this.lengths = [];
    this.arrives = false;
    q.set(a);
    this.add(q, 0);
    for (let length = 0; length <= longest; ) {
      next.set(q);
      const reached = space.stepTowards(next, this.b);
      if (reached === 0) break;
      length += space.distance(q, next);
      this.add(next, length);
      q.set(next);
      this.arrives = reached === 2;
      if (this.arrives) break;
    }
    return this;
  }

  at(out: Float64Array, t: number): Float64Array {
    const { lengths, space, a, b } = this;
    if (t === 0) return copy(out, a);
    if (t === 1 && this.arrives) return copy(out, b);
    const last = lengths.length - 1;
    const length = t * lengths[last];
    let i = 1;
    while (i < last && lengths[i] < length) i++;
    if (last === 0 || length >= lengths[last]) return this.read(out, last);
    const from = this.read(this.q, i - 1);
    const to = this.read(this.next, i);
    const span = lengths[i] - lengths[i - 1];
    space.ambient.interpolate(out, from, to, span > 0 ? (length - lengths[i - 1]) / span : 1);
    // Between neighbours the straight line is next to the manifold; where Newton's method fails the nearer neighbour is on it.
    return space.project(out) ? out : copy(out, to);
  }

  get size(): number {
    return this.lengths.length;
  }

  private add(q: Float64Array, length: number): void {
    const at = this.lengths.length * q.length;
    if (at + q.length > this.states.length) {
      const states = new Float64Array(Math.max(16 * q.length, 2 * this.states.length));
      states.set(this.states);
      this.states = states;
    }
    this.states.set(q, at);
    this.lengths.push(length);
  }

  read(out: Float64Array, i: number): Float64Array {
    for (let k = 0; k < out.length; k++) out[k] = this.states[i * out.length + k];
    return out;
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function copy(out: Float64Array, from: Float64Array): Float64Array {
  out.set(from);
  return out;
}

/** Throws on a space whose states are not independent numbers. */
export function createConstrainedSpace(
  space: StateSpace,
  constraint: Constraint,
  options?: ConstrainedSpaceOptions,
): ConstrainedSpace {
  return new ConstrainedSpace(space, constraint, options);
}
