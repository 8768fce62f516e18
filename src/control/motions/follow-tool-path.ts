/**
 * The joints' path along a path of the tool, from a configuration whose tool stands at its start.
 *
 * Method:
 * 1. q'(s) is integrated (tool-field.ts) by steps of the classical Runge-Kutta method, each corrected onto the path, so that the
 *    branch of solutions is that of the start, and arms with joints to spare move as little as they can;
 * 2. between two such places the joints' path is the quintic piece with their places and derivatives; q'' is the difference of q'
 *    along itself;
 * 3. a step is kept where the tool of the piece is within the tolerance of the path at three inner places, else halved; the next
 *    one is as long as the error allows.
 * Source: Hairer, Norsett, Wanner 1993, "Solving ordinary differential equations I", sections II.1 (the method), II.4 (step
 * control), doi:10.1007/978-3-540-78862-1; Farin 2002, "Curves and surfaces for CAGD", section 7.7.
 *
 * Frames: W. The joints' pieces have the parameter of the tool's. Cost: about ten forward kinematics and decompositions a step.
 * Ends: `followed`; else the part that was, and what is in the way, where: `joint-limit` with the joint; `singular`, no step is short
 * enough although the way goes on for the arm in another posture; `unreachable`, the path leaves what the arm reaches.
 * Tested by follow-tool-path.test.ts.
 */
import { createIkSolver } from '../../ik/solve-ik.js';
import { pow } from '../../math/elementary.js';
import { createTransform, poseToTransform } from '../../math/transform.js';
import { differenceConfiguration, integrateConfiguration } from '../../model/configuration.js';
import { createQuinticPiece } from '../../trajectory/hermite-pieces.js';
import { type CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { positionNames } from '../../trajectory/trajectory-table.js';
import { describeSingular } from './find-singularities.js';
import type { Tool } from './tool.js';
import { ToolField } from './tool-field.js';

/** Metres, and LEVER radians, by which the tool may be off its path. */
export const TOLERANCE = 1e-7;
/** Steps: at the most this share of a piece, this many metres, and so many radians of a joint; at the least so many metres. */
const LARGEST_SHARE = 0.25;
const LONGEST_STEP = 0.05;
const LARGEST_TURN = 0.35;
const SHORTEST_STEP = 1e-6;
const INNER = [0.25, 0.5, 0.75];
/** Share of the step by which q' is differentiated, and the most of it in metres. */
const DIFFERENCE = 1e-3;
const LARGEST_DIFFERENCE = 1e-5;
const BEYOND = 1e-9;
const PLACES = 12;
/** Metres ahead where another posture is looked for. */
const AHEAD = 1e-3;

export type FollowFault = 'joint-limit' | 'singular' | 'unreachable';

export interface FollowedPiece {
  readonly piece: CurvePiece;
  /** Piece of the tool's path it belongs to, and where it begins there. */
  readonly source: number;
  readonly offset: number;
}

export interface Followed {
  readonly status: 'followed' | FollowFault;
  /** Empty when followed. */
  readonly reason: string;
  readonly pieces: readonly FollowedPiece[];
  /** Where the pieces end. */
  readonly end: Float64Array;
  /** Parameter of the tool's path that was reached. */
  readonly reached: number;
  /** Joint in the way. */
  readonly joint: string | null;
}

interface Knot {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
}

export function followToolPath(tool: Tool, curve: JointCurve, start: Float64Array, tolerance = TOLERANCE): Followed {
  return new Follower(tool, curve, start, tolerance).run();
}

class Follower {
  private readonly field: ToolField;
  private readonly pieces: FollowedPiece[] = [];
  private q: Float64Array;

  constructor(
    private readonly tool: Tool,
    private readonly curve: JointCurve,
    start: Float64Array,
    private readonly tolerance: number,
  ) {
    this.field = new ToolField(tool, curve);
    this.q = Float64Array.from(start);
  }

  run(): Followed {
    const { curve } = this;
    for (let piece = 0; piece < curve.pieces.length; piece++) {
      const fault = this.followPiece(piece);
      if (fault) return fault;
    }
    return this.finish('followed', '', curve.duration, null);
  }

  private followPiece(piece: number): Followed | null {
    const { curve, field } = this;
    const { length } = curve.pieces[piece];
    const longest = Math.min(LONGEST_STEP, LARGEST_SHARE * length);
    let step = longest;
    let offset = 0;
    if (!field.correct(this.q, piece, 0)) return this.stuck(piece, 0);
    let knot = this.createKnot(this.q, piece, 0, step);
    while (offset < length) {
      const isLast = offset + step * (1 + 1e-6) >= length;
      const end = isLast ? length : offset + step;
      const made = this.tryStep(knot, piece, offset, end);
      if (!made || made.error > this.tolerance) {
        if (end - offset <= Math.min(SHORTEST_STEP, 1e-3 * length)) return this.stuck(piece, offset);
        step = (end - offset) * (made ? Math.max(0.9 * sixthRoot(this.tolerance / made.error), 0.25) : 0.5);
        continue;
      }
      const beyond = this.findBeyond(made.piece, made.knot.q);
      if (beyond)
        return this.finish('joint-limit', beyond.reason, curve.breaks[piece] + offset + beyond.at, beyond.joint);
      this.pieces.push({ piece: made.piece, source: piece, offset });
      this.q = made.knot.q;
      knot = made.knot;
      step = Math.min(
        longest,
        (end - offset) * Math.min(2, 0.9 * sixthRoot(this.tolerance / Math.max(made.error, 1e-30))),
      );
      offset = end;
    }
    return null;
  }

  private tryStep(
    from: Knot,
    piece: number,
    offset: number,
    end: number,
  ): { piece: CurvePiece; knot: Knot; error: number } | null {
    const { field, tool } = this;
    const { model } = tool;
    const h = end - offset;
    const moved = this.predict(from, piece, offset, h);
    if (!moved || !field.correct(moved, piece, end)) return null;
    const difference = differenceConfiguration(new Float64Array(model.nv), model, from.q, moved);
    if (difference.some((x) => !(Math.abs(x) <= LARGEST_TURN))) return null;
    const to = this.createKnot(moved, piece, end, h);
    const ends = { q0: from.q, q1: to.q, step: difference, v0: from.v, v1: to.v };
    const made = createQuinticPiece(model, ends, from.a, to.a, h);
    const own = new JointCurve(model, [made], to.q);
    const point = createTrajectoryPoint(model);
    let error = 0;
    for (const share of INNER)
      error = Math.max(error, field.measure(own.evaluatePiece(point, 0, share * h).q, piece, offset + share * h));
    return { piece: made, knot: to, error };
  }

  /** One step of the Runge-Kutta method. */
  private predict(from: Knot, piece: number, offset: number, h: number): Float64Array | null {
    const { field, tool } = this;
    const { model } = tool;
    const { nv } = model;
    const moved = new Float64Array(model.nq);
    const sum = new Float64Array(nv);
    let rate = from.v;
    const stages = [
      { share: 0.5, weight: 1 / 6 },
      { share: 0.5, weight: 1 / 3 },
      { share: 1, weight: 1 / 3 },
      { share: 0, weight: 1 / 6 },
    ];
    for (const { share, weight } of stages) {
      for (let k = 0; k < nv; k++) sum[k] += weight * h * rate[k];
      if (share === 0) break;
      const step = rate.map((x) => share * h * x);
      if (step.some((x) => !(Math.abs(x) <= 2 * LARGEST_TURN))) return null;
      integrateConfiguration(moved, model, from.q, step);
      rate = field.rate(new Float64Array(nv), moved, piece, offset + share * h);
    }
    return integrateConfiguration(moved, model, from.q, sum);
  }

  /** q' and q'' where the tool is on its path. */
  private createKnot(q: Float64Array, piece: number, offset: number, step: number): Knot {
    const { field, tool } = this;
    const { model } = tool;
    const v = field.rate(new Float64Array(model.nv), q, piece, offset);
    const e = Math.min(DIFFERENCE * step, LARGEST_DIFFERENCE);
    const at = (sign: number): Float64Array => {
      const moved = integrateConfiguration(
        new Float64Array(model.nq),
        model,
        q,
        v.map((x) => sign * e * x),
      );
      return field.rate(new Float64Array(model.nv), moved, piece, offset + sign * e);
    };
    const [after, before] = [at(1), at(-1)];
    return { q: Float64Array.from(q), v, a: after.map((x, k) => (x - before[k]) / (2 * e)) };
  }

  /** Where a piece of the joints' path first leaves the limits. */
  private findBeyond(piece: CurvePiece, end: Float64Array): { at: number; joint: string; reason: string } | null {
    const { model } = this.tool;
    const own = new JointCurve(model, [piece], end);
    const point = createTrajectoryPoint(model);
    for (let k = 1; k <= PLACES; k++) {
      const first = findBeyondJoint(model, own.evaluate(point, (piece.length * k) / PLACES).q);
      if (first < 0) continue;
      let inside = (piece.length * (k - 1)) / PLACES;
      let outside = (piece.length * k) / PLACES;
      for (let i = 0; i < 40; i++) {
        const middle = 0.5 * (inside + outside);
        if (findBeyondJoint(model, own.evaluate(point, middle).q) < 0) inside = middle;
        else outside = middle;
      }
      const { q } = own.evaluate(point, outside);
      const at = Math.max(findBeyondJoint(model, q), 0);
      const joint = positionNames(model)[at];
      const limit = q[at] > model.upper[at] ? model.upper[at] : model.lower[at];
      return { at: outside, joint, reason: `joint "${joint}" is at its limit ${limit}` };
    }
    return null;
  }

  private stuck(piece: number, offset: number): Followed {
    const { field, tool, curve } = this;
    const at = curve.breaks[piece] + offset;
    const svd = field.decompose(this.q);
    const { joint, singularValues } = describeSingular(tool, svd);
    if (!this.isReachable(Math.min(at + AHEAD, curve.duration)))
      return this.finish('unreachable', 'the path leaves what the arm can reach', at, null);
    return this.finish(
      'singular',
      `the arm is singular (least singular value ${singularValues[singularValues.length - 1].toPrecision(3)}): "${joint}" would have to jump`,
      at,
      joint,
    );
  }

  /** Whether any posture brings the tool there. */
  private isReachable(at: number): boolean {
    const { tool, curve } = this;
    const point = curve.evaluate(createTrajectoryPoint(curve.model), at);
    const target = tool.solverTarget(poseToTransform(createTransform(), point.q));
    return createIkSolver(tool.model, tool.frame).solve({ target, start: this.q, restarts: 30 }).status === 'solved';
  }

  private finish(status: Followed['status'], reason: string, reached: number, joint: string | null): Followed {
    return { status, reason, pieces: this.pieces, end: this.q, reached, joint };
  }
}

/** The first coordinate beyond its limits, -1 when none is. */
function findBeyondJoint({ lower, upper }: Tool['model'], q: Float64Array): number {
  for (let i = 0; i < q.length; i++) if (q[i] < lower[i] - BEYOND || q[i] > upper[i] + BEYOND) return i;
  return -1;
}

const sixthRoot = (x: number): number => pow(x, 1 / 6);
