/**
 * A curve in configuration space: pieces, each a base configuration moved by products of exponentials.
 *
 * On a piece, with w in [0, 1] along it, q(w) = q0 (+) f1(w) W1 (+) f2(w) W2 ..., f polynomials, W constant tangent vectors.
 * One term with f = w is the geodesic; two terms blend two geodesics; n terms with cumulative Bernstein or B-spline
 * polynomials are Bezier pieces and splines of degree n. For joints whose coordinates are numbers this is the ordinary
 * polynomial q0 + sum f W; on rotations it is the same curve without coordinates that could wrap or degenerate.
 * Derivatives: v is the velocity in the moving frames, as the model's v; a its derivative.
 * Source: Kim, Kim, Shin 1995, "A general construction scheme for unit quaternion curves with simple high order derivatives",
 * section 3, doi:10.1145/218380.218486.
 *
 * The parameter is a length for geometric paths and seconds for trajectories: a curve is a `Trajectory` of its own.
 * Cost: linear in terms x nv, no allocation. Tested by joint-curve.test.ts.
 */

import type { Model } from '../model/model.js';
import { HALF_TURN, LONGEST_ARC, type MotionCurve, readInterval, turnsAlong } from './motion-curve.js';
import { boundCurvedSpeed, boundFlatBend, boundFlatSpeed } from './piece-bounds.js';
import { findTangentGroup, isVectorJoint, type TangentGroup } from './tangent-groups.js';
import { createTrajectoryPoint, type TrajectoryPoint } from './trajectory.js';
import { requireEvaluation } from './trajectory-door.js';

export interface CurveTerm {
  /** W, nv numbers. */
  readonly increment: Float64Array;
  /** Coefficients of f by ascending powers of w. */
  readonly polynomial: ArrayLike<number>;
}

export interface CurvePiece {
  /** Extent of the parameter, above 0. */
  readonly length: number;
  /** q0, nq numbers: the piece's start where every f(0) = 0. */
  readonly base: Float64Array;
  readonly terms: readonly CurveTerm[];
  /** The waypoint, as given, whose corner this piece rounds; absent for pieces that round none. */
  readonly corner?: number;
}

const value = new Float64Array(3);

/** f, f' and f'' at w, into `value`. */
function evaluatePolynomial(polynomial: ArrayLike<number>, w: number): void {
  let f = 0;
  let first = 0;
  let second = 0;
  for (let k = polynomial.length - 1; k >= 0; k--) {
    second = second * w + 2 * first;
    first = first * w + f;
    f = f * w + polynomial[k];
  }
  value[0] = f;
  value[1] = first;
  value[2] = second;
}

interface CurvedJoint {
  readonly joint: number;
  readonly group: TangentGroup;
}

/** Rounding of coordinates, relative to 1 and the largest. */
const ROUNDING = 1e-12;

export class JointCurve implements MotionCurve {
  /** Parameter at which each piece starts, and the end. */
  readonly breaks: Float64Array;
  readonly duration: number;
  private readonly vectorJoints: number[] = [];
  /** One velocity, coordinates on a circle. */
  private readonly circleJoints: number[] = [];
  private readonly curvedJoints: CurvedJoint[] = [];
  private readonly sum: Float64Array;
  private readonly scaled: Float64Array;
  private readonly rate: Float64Array;
  /** 1 for entries of v that turn. */
  private readonly turns: Uint8Array;
  private readonly hasWrapped: boolean;
  private readonly speeds = { linear: 0, angular: 0 };
  /** Scratch of bounds. */
  private readonly before: TrajectoryPoint;
  private readonly after: TrajectoryPoint;

  constructor(
    readonly model: Model,
    readonly pieces: readonly CurvePiece[],
    /** q at the end, returned there bit for bit. */
    readonly end: Float64Array,
  ) {
    this.breaks = new Float64Array(pieces.length + 1);
    for (let i = 0; i < pieces.length; i++) this.breaks[i + 1] = this.breaks[i] + pieces[i].length;
    this.duration = this.breaks[pieces.length];
    for (let j = 1; j < model.jointCount; j++) {
      const kind = model.jointKinds[j]!;
      if (model.nqs[j] === 0) continue;
      if (isVectorJoint(kind)) this.vectorJoints.push(j);
      else if (kind.nv === 1) this.circleJoints.push(j);
      else this.curvedJoints.push({ joint: j, group: findTangentGroup(kind)! });
    }
    this.sum = new Float64Array(model.nv);
    this.scaled = new Float64Array(model.nv);
    this.rate = new Float64Array(model.nv);
    this.turns = turnsAlong(model);
    this.hasWrapped = model.jointKinds.some((kind, j) => model.nqs[j] > 0 && kind!.isWrapped);
    this.before = createTrajectoryPoint(model);
    this.after = createTrajectoryPoint(model);
  }

  /** Piece that holds the parameter; the later one at a break, the last one at the end. */
  findPiece(parameter: number): number {
    const { breaks } = this;
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (breaks[middle] <= parameter) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  evaluate(out: TrajectoryPoint, parameter: number): TrajectoryPoint {
    requireEvaluation('evaluate', this.model, out, parameter);
    if (this.pieces.length === 0) {
      out.q.set(this.end);
      out.v.fill(0);
      out.a.fill(0);
      return out;
    }
    const at = Math.min(Math.max(parameter, 0), this.duration);
    const piece = this.findPiece(at);
    this.evaluatePiece(out, piece, at - this.breaks[piece]);
    if (at === this.duration) out.q.set(this.end);
    return out;
  }

  /** At `offset` in [0, length] from the start of a piece. */
  evaluatePiece(out: TrajectoryPoint, index: number, offset: number): TrajectoryPoint {
    const { sum } = this;
    const { base, length, terms } = this.pieces[index];
    const w = offset / length;
    const { q, v, a } = out;
    sum.fill(0);
    v.fill(0);
    a.fill(0);
    for (let i = 0; i < terms.length; i++) {
      const { increment, polynomial } = terms[i];
      evaluatePolynomial(polynomial, w);
      const f = value[0];
      const df = value[1] / length;
      const ddf = value[2] / (length * length);
      for (let k = 0; k < increment.length; k++) {
        sum[k] += f * increment[k];
        v[k] += df * increment[k];
        a[k] += ddf * increment[k];
      }
    }
    this.moveVectors(q, base);
    if (this.curvedJoints.length > 0) this.moveCurved(out, index, w);
    return out;
  }

  private moveVectors(q: Float64Array, base: Float64Array): void {
    const { model, sum, vectorJoints, circleJoints } = this;
    const { idxQ, idxV, nqs } = model;
    for (let i = 0; i < vectorJoints.length; i++) {
      const j = vectorJoints[i];
      for (let k = 0; k < nqs[j]; k++) q[idxQ[j] + k] = base[idxQ[j] + k] + sum[idxV[j] + k];
    }
    for (let i = 0; i < circleJoints.length; i++) {
      const j = circleJoints[i];
      model.jointKinds[j]!.integrate(q, base, sum, idxQ[j], idxV[j]);
    }
  }

  private moveCurved(out: TrajectoryPoint, index: number, w: number): void {
    const { model, scaled, rate, curvedJoints } = this;
    const { base, length, terms } = this.pieces[index];
    const { q, v, a } = out;
    for (let c = 0; c < curvedJoints.length; c++) {
      const { joint, group } = curvedJoints[c];
      const iq = model.idxQ[joint];
      const iv = model.idxV[joint];
      const nv = model.nvs[joint];
      for (let k = 0; k < model.nqs[joint]; k++) q[iq + k] = base[iq + k];
      for (let k = iv; k < iv + nv; k++) {
        v[k] = 0;
        a[k] = 0;
      }
      for (let i = 0; i < terms.length; i++) {
        const { increment, polynomial } = terms[i];
        evaluatePolynomial(polynomial, w);
        const f = value[0];
        const df = value[1] / length;
        const ddf = value[2] / (length * length);
        for (let k = iv; k < iv + nv; k++) {
          scaled[k] = f * increment[k];
          rate[k] = df * increment[k];
        }
        model.jointKinds[joint]!.integrate(q, q, scaled, iq, iv);
        group.pullBack(v, scaled, v, iv);
        group.pullBack(a, scaled, a, iv);
        group.addBracket(a, v, rate, 1, iv);
        for (let k = iv; k < iv + nv; k++) {
          v[k] += rate[k];
          a[k] += ddf * increment[k];
        }
      }
    }
  }

  speedBound(out: Float64Array, from: number, to: number): Float64Array {
    const [start, end] = readInterval('speedBound', this, out, from, to);
    out.fill(0);
    if (start === end && from !== to) return out;
    this.eachPiece(start, end, (index, first, last) => this.raiseSpeeds(out, index, first, last, 1));
    return out;
  }

  chordBound(out: Float64Array, from: number, to: number): Float64Array {
    const [start, end] = readInterval('chordBound', this, out, from, to);
    out.fill(0);
    return this.raiseChord(out, start, end);
  }

  /**
   * out[k] = the larger of itself and `factor` times a bound of the speed along a piece, offsets from `first` to `last`.
   * @internal
   */
  raiseSpeeds(out: Float64Array, index: number, first: number, last: number, factor: number): void {
    const { model, speeds, turns } = this;
    const { length, terms } = this.pieces[index];
    const [from, to] = [first / length, last / length];
    const scale = factor / length;
    for (const joints of [this.vectorJoints, this.circleJoints]) {
      for (const j of joints)
        for (let k = model.idxV[j]; k < model.idxV[j] + model.nvs[j]; k++)
          out[k] = Math.max(out[k], scale * boundFlatSpeed(terms, k, from, to));
    }
    for (const { joint } of this.curvedJoints) {
      const [iv, nv] = [model.idxV[joint], model.nvs[joint]];
      boundCurvedSpeed(speeds, terms, turns, { iv, nv }, from, to);
      for (let k = iv; k < iv + nv; k++)
        out[k] = Math.max(out[k], scale * (turns[k] === 1 ? speeds.angular : speeds.linear));
    }
  }

  /** `chordBound` between parameters inside the curve, added to `out`. @internal */
  raiseChord(out: Float64Array, start: number, end: number): Float64Array {
    const { model, turns } = this;
    if (this.pieces.length === 0) return out;
    const width = end - start;
    const bends = new Float64Array(model.nv);
    const speeds = new Float64Array(model.nv);
    const jumps = new Float64Array(model.nv);
    let isGeodesic = true;
    this.eachPiece(start, end, (index, first, last) => {
      const { length, terms } = this.pieces[index];
      if (last <= first) return;
      const [from, to] = [first / length, last / length];
      const isFirst = start >= this.breaks[index];
      if (!isFirst || terms.length > 1 || terms[0].polynomial.length > 2) isGeodesic = false;
      for (const joints of [this.vectorJoints, this.circleJoints]) {
        for (const j of joints)
          for (let k = model.idxV[j]; k < model.idxV[j] + model.nvs[j]; k++)
            bends[k] = Math.max(bends[k], boundFlatBend(terms, k, from, to) / (length * length));
      }
      if (this.hasWrapped) this.raiseSpeeds(speeds, index, first, last, 1);
      if (!isFirst) this.addJumps(jumps, index);
    });
    const rounding = ROUNDING * this.scaleOf(start, end);
    for (let k = 0; k < model.nv; k++) out[k] += rounding;
    if (this.hasWrapped) this.openWrapped(out, speeds, width);
    if (isGeodesic) return out;
    // |curve - chord| <= h^2/8 sup |q''| + h/4 sum of jumps of q': Green's function of the second derivative.
    for (const joints of [this.vectorJoints, this.circleJoints]) {
      for (const j of joints)
        for (let k = model.idxV[j]; k < model.idxV[j] + model.nvs[j]; k++)
          out[k] += 0.125 * width * width * bends[k] + 0.25 * width * jumps[k];
    }
    // Curve and geodesic start and end together: half of both lengths from one of the ends.
    for (const { joint } of this.curvedJoints)
      for (let k = model.idxV[joint]; k < model.idxV[joint] + model.nvs[joint]; k++)
        out[k] += 0.5 * (1 + (turns[k] === 1 ? 1 : LONGEST_ARC)) * width * speeds[k];
    return out;
  }

  /** Where half a turn may be gone, the chord may go the other way round. */
  private openWrapped(out: Float64Array, speeds: Float64Array, width: number): void {
    const { model, turns } = this;
    for (let j = 1; j < model.jointCount; j++) {
      if (model.nqs[j] === 0 || !model.jointKinds[j]!.isWrapped) continue;
      const end = model.idxV[j] + model.nvs[j];
      let isOpen = false;
      for (let k = model.idxV[j]; k < end; k++) if (turns[k] === 1 && width * speeds[k] >= HALF_TURN) isOpen = true;
      if (isOpen) out.fill(Infinity, model.idxV[j], end);
    }
  }

  /** How much v jumps where piece `index` begins. */
  private addJumps(out: Float64Array, index: number): void {
    const { before, after } = this;
    this.evaluatePiece(before, index - 1, this.pieces[index - 1].length);
    this.evaluatePiece(after, index, 0);
    for (let k = 0; k < out.length; k++) out[k] += Math.abs(after.v[k] - before.v[k]);
  }

  /** 1 and the largest coordinate at the ends, plus how far the curve goes at the most. */
  private scaleOf(start: number, end: number): number {
    let scale = 1;
    for (const at of [start, end])
      for (const x of this.evaluate(this.before, at).q) scale = Math.max(scale, Math.abs(x));
    return scale;
  }

  /** Pieces that hold some of [start, end], with the offsets where it begins and ends in each. */
  private eachPiece(start: number, end: number, visit: (index: number, first: number, last: number) => void): void {
    const { breaks, pieces } = this;
    if (pieces.length === 0) return;
    for (
      let index = this.findPiece(start);
      index < pieces.length && (breaks[index] < end || breaks[index] <= start);
      index++
    ) {
      const { length } = pieces[index];
      const first = Math.min(Math.max(start - breaks[index], 0), length);
      const last = end >= breaks[index + 1] ? length : Math.min(Math.max(end - breaks[index], first), length);
      visit(index, first, last);
    }
  }
}
