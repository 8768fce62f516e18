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
import { findTangentGroup, isVectorJoint, type TangentGroup } from './tangent-groups.js';
import type { Trajectory, TrajectoryPoint } from './trajectory.js';

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

export class JointCurve implements Trajectory {
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
}
