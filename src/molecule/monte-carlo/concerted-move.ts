/**
 * A Monte Carlo move that turns several successive backbone torsions so that the chain on both sides stays where it is.
 *
 * The torsions x of a window (seven by default) that keep the pose of its last link form a surface of n - 6 dimensions.
 * Method: 1. a normal deviate of width `size` in the surface's tangent space at x; 2. Newton's method back onto the surface
 * along the normals at x, giving y; 3. the same from y with the tangent part of x - y must lead back to x, or the move is
 * impossible, as its reverse would not exist; 4. the acceptance gets the ratio of the reverse and forward densities, and
 * of the surface's weight under the torsions' uniform measure, which is 1 / sqrt(det(J J^T)) with the 6 x n Jacobian J of
 * the end pose (coarea formula; for n = 7 the Jacobian of Dodd, Boone and Theodorou in other coordinates).
 * Step 2 and the null space come from a QR factorisation of J^T.
 * Source: Zappa, Holmes-Cerfon, Goodman 2018, "Monte Carlo on manifolds: sampling densities and integrating functions",
 * sections 2.1 to 2.4, doi:10.1002/cpa.21783; Dodd, Boone, Theodorou 1993, "A concerted rotation algorithm for atomistic
 * Monte Carlo simulation of polymer melts and glasses", doi:10.1080/00268979300100641.
 * Frames: end pose and Jacobian in the frame of the link before the window; angstrom and radians.
 * Fails with IMPOSSIBLE: near singular windows, Newton's method without convergence, no way back, no window at all.
 * Cost: about ten evaluations of the window, some 30 microseconds. The end pose is kept to 1e-11.
 * Checked by concerted-move.test.ts: the end stays, and one window visits its surface as uniform torsions would.
 */

import { requirePositiveNumber, throwMisuse } from '../../math/arguments.js';
import { createQr, factorizeQr, multiplyQ, type Qr, solveQr } from '../../math/dense/qr.js';
import type { SeededRandom } from '../../math/random.js';
import { log } from '../../math/scalar.js';
import { expSo3 } from '../../math/so3.js';
import { createTransform, multiplyTransform, setIdentityTransform, type Transform } from '../../math/transform.js';
import type { ProteinChain } from '../protein-chain.js';
import { requireProtein } from '../protein-chain.js';
import type { ProteinState } from '../protein-state.js';
import { IMPOSSIBLE, type Move } from './move.js';

/** Newton's method ends when the pose is this near, in radians and angstrom. */
const CLOSED = 1e-12;
const ITERATIONS = 12;
/** The way back ends this near in every torsion, or elsewhere. */
const RETURNED = 1e-7;
/** Smallest diagonal of R against the largest: below it the surface has no good normals. */
const REGULAR = 1e-6;
/** No torsion may change by more: a branch that is that far away is another one. */
const FARTHEST = Math.PI / 2;

/** Windows of successive backbone torsions, each the next one's parent link. */
function listWindows(protein: ProteinChain, count: number): number[][] {
  const nextOf = new Map<number, number>();
  protein.torsions.forEach(({ name, link }, i) => {
    const before = protein.torsionOf[protein.parents[link]];
    if (name !== 'chi' && before >= 0 && protein.torsions[before].name !== 'chi') nextOf.set(before, i);
  });
  const windows: number[][] = [];
  protein.torsions.forEach(({ name }, first) => {
    if (name === 'chi') return;
    const window = [first];
    for (let i = nextOf.get(first); window.length < count && i !== undefined; i = nextOf.get(i)) window.push(i);
    if (window.length === count) windows.push(window);
  });
  return windows;
}

/** Pose of the end of a window, and its Jacobian, at any torsions. */
class WindowPose {
  readonly end: Transform = createTransform();
  /** J^T: n rows of turning axis and velocity of the end's origin. */
  readonly transposed: Float64Array;
  private readonly step: Transform = createTransform();
  private readonly axis = new Float64Array(3);
  private readonly points: Float64Array;

  constructor(
    private readonly protein: ProteinChain,
    private readonly count: number,
  ) {
    this.transposed = new Float64Array(6 * count);
    this.points = new Float64Array(3 * count);
  }

  evaluate(window: readonly number[], x: Float64Array): void {
    const { protein, count, end, step, axis, points, transposed } = this;
    setIdentityTransform(end);
    for (let i = 0; i < count; i++) {
      const { link, reference } = protein.torsions[window[i]];
      const angle = x[i] - reference;
      for (let k = 0; k < 3; k++) {
        axis[k] = protein.axes[3 * link + k] * angle;
        step[9 + k] = protein.offsets[3 * link + k];
        transposed[6 * i + k] =
          end[3 * k] * protein.axes[3 * link] +
          end[3 * k + 1] * protein.axes[3 * link + 1] +
          end[3 * k + 2] * protein.axes[3 * link + 2];
      }
      expSo3(step, axis);
      multiplyTransform(end, end, step);
      for (let k = 0; k < 3; k++) points[3 * i + k] = end[9 + k];
    }
    for (let i = 0; i < count; i++) {
      const at = 6 * i;
      const [ux, uy, uz] = [transposed[at], transposed[at + 1], transposed[at + 2]];
      const [rx, ry, rz] = [end[9] - points[3 * i], end[10] - points[3 * i + 1], end[11] - points[3 * i + 2]];
      transposed[at + 3] = uy * rz - uz * ry;
      transposed[at + 4] = uz * rx - ux * rz;
      transposed[at + 5] = ux * ry - uy * rx;
    }
  }
}

class ConcertedRotation implements Move {
  readonly name = 'local';
  private readonly windows: readonly (readonly number[])[];
  private readonly pose: WindowPose;
  private readonly target: Transform = createTransform();
  private readonly here: Qr;
  private readonly there: Qr;
  private readonly square: Qr = createQr(6, 6);
  private readonly x: Float64Array;
  private readonly y: Float64Array;
  private readonly back: Float64Array;
  private readonly tangent: Float64Array;
  private readonly normal: Float64Array;
  private readonly move: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly lambda = new Float64Array(6);
  private readonly product = new Float64Array(36);
  /** Q1, the normals: 6 columns of n numbers. */
  private readonly normals: Float64Array;

  constructor(
    protein: ProteinChain,
    private readonly count: number,
    private readonly size: number,
  ) {
    this.windows = listWindows(protein, count);
    this.pose = new WindowPose(protein, count);
    this.here = createQr(count, 6);
    this.there = createQr(count, 6);
    this.x = new Float64Array(count);
    this.y = new Float64Array(count);
    this.back = new Float64Array(count);
    this.tangent = new Float64Array(count);
    this.normal = new Float64Array(count);
    this.move = new Float64Array(count);
    this.normals = new Float64Array(6 * count);
  }

  propose(conformation: ProteinState, random: SeededRandom): number {
    const { windows, pose, count, size, x, y, back, tangent, move } = this;
    if (windows.length === 0) return IMPOSSIBLE;
    const window = windows[random.integer(windows.length)];
    for (let i = 0; i < count; i++) x[i] = conformation.torsions[window[i]];
    pose.evaluate(window, x);
    this.target.set(pose.end);
    const weightHere = this.factorize(this.here);
    if (weightHere === IMPOSSIBLE) return IMPOSSIBLE;
    let forward = 0;
    for (let i = 0; i < count; i++) {
      tangent[i] = i < 6 ? 0 : size * random.normal();
      forward += tangent[i] * tangent[i];
    }
    if (!this.project(window, y, x, this.here)) return IMPOSSIBLE;
    pose.evaluate(window, y);
    const weightThere = this.factorize(this.there);
    if (weightThere === IMPOSSIBLE) return IMPOSSIBLE;
    for (let i = 0; i < count; i++) {
      move[i] = x[i] - y[i];
      if (Math.abs(move[i]) > FARTHEST) return IMPOSSIBLE;
    }
    multiplyQ(tangent, this.there, move, true);
    let reverse = 0;
    for (let i = 0; i < count; i++) {
      if (i < 6) tangent[i] = 0;
      reverse += tangent[i] * tangent[i];
    }
    if (!this.project(window, back, y, this.there)) return IMPOSSIBLE;
    for (let i = 0; i < count; i++) if (Math.abs(back[i] - x[i]) > RETURNED) return IMPOSSIBLE;
    for (let i = 0; i < count; i++) conformation.stage(window[i], y[i]);
    return weightHere - weightThere + (forward - reverse) / (2 * size * size);
  }

  /** Factorises J^T of the pose as it is; returns log sqrt(det(J J^T)), or IMPOSSIBLE where it nearly vanishes. */
  private factorize(qr: Qr): number {
    if (factorizeQr(qr, this.pose.transposed) < 6) return IMPOSSIBLE;
    let product = 1;
    for (let k = 0; k < 6; k++) product *= Math.abs(qr.factors[7 * k]);
    if (Math.abs(qr.factors[35]) < REGULAR * Math.abs(qr.factors[0])) return IMPOSSIBLE;
    return log(product);
  }

  /** From `start` + Q (tangent) along the normals onto the surface, into `out`. False without convergence. */
  private project(window: readonly number[], out: Float64Array, start: Float64Array, qr: Qr): boolean {
    const { count, pose, square, error, lambda, product, normal, normals } = this;
    for (let c = 0; c < 6; c++) {
      normal.fill(0);
      normal[c] = 1;
      multiplyQ(normal, qr, normal);
      normals.set(normal, count * c);
    }
    multiplyQ(normal, qr, this.tangent);
    for (let i = 0; i < count; i++) out[i] = start[i] + normal[i];
    for (let iteration = 0; iteration < ITERATIONS; iteration++) {
      pose.evaluate(window, out);
      if (this.measureError() < CLOSED) return true;
      // The change of the end pose per normal, J Q1.
      for (let r = 0; r < 6; r++) {
        for (let c = 0; c < 6; c++) {
          let sum = 0;
          for (let i = 0; i < count; i++) sum += pose.transposed[6 * i + r] * normals[count * c + i];
          product[6 * r + c] = sum;
        }
      }
      if (factorizeQr(square, product) < 6) return false;
      solveQr(lambda, square, error);
      for (let c = 0; c < 6; c++) {
        for (let i = 0; i < count; i++) out[i] += normals[count * c + i] * lambda[c];
      }
    }
    return false;
  }

  /** What takes the pose to the target, to first order; its largest entry. */
  private measureError(): number {
    const { error, target } = this;
    const { end } = this.pose;
    let worst = 0;
    for (let k = 0; k < 3; k++) {
      // R_target R_end^T = I + hat(w) to first order: w is half the sum of the columns' cross products.
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      let turn = 0;
      for (let c = 0; c < 3; c++) turn += end[3 * a + c] * target[3 * b + c] - end[3 * b + c] * target[3 * a + c];
      error[k] = 0.5 * turn;
      error[3 + k] = target[9 + k] - end[9 + k];
      worst = Math.max(worst, Math.abs(error[k]), Math.abs(error[3 + k]));
    }
    return worst;
  }
}

/** `count` successive torsions, at least 7; `size`: width of the deviates in radians. */
export function createConcertedMove(protein: ProteinChain, count: number, size: number): Move {
  requireProtein('createConcertedMove', protein);
  if (!(Number.isInteger(count) && count >= 7 && count <= 30))
    throwMisuse('createConcertedMove', 'count', count, 'an integer from 7 to 30');
  requirePositiveNumber('createConcertedMove', 'size', size);
  return new ConcertedRotation(protein, count, size);
}
