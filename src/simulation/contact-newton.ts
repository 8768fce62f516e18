/**
 * Rigid contacts, and rows with bounds, by Newton's method in velocities u whose mass matrix is 1: what the spaces of one robot
 * (solve-in-velocities.ts) and of free bodies (solve-body-velocities.ts) have in common.
 *
 * Method: 1. which contacts open, stick and slide is read off f - w / g, g a block's mean diagonal entry of Z Z^T; 2. for these, with
 * w = Z u + b, the impulses of the next iterate are linear in its w:
 *   open: 0;  stick: f - w / (eta g);  slide: n = f_n - w_n / (eta g), mu n c along the direction c of the disc, and across it
 *   -(mu f_n / |w_t|) of the change of w_t (the direction turns with the velocity);
 * rows with bounds alike; 3. u = u0 + Z^T f is then a linear equation in u with the matrix 1 + Z^T B Z, which each space solves with the
 * sparsity that it has, whatever the number of contacts; redundant ones are no matter. eta regularises, less where steps gain little; it
 * acts on the change of f, so what it leaves shrinks with every step;
 * 4. f, w and u go as far towards that as the sum of squared residuals falls most: all are linear on the way, so trying costs next to
 * nothing. Done when the residual of contact-problem.ts, with u of the projected impulses, is within the tolerance.
 * Source: Alart, Curnier 1991, "A mixed formulation for frictional contact problems prone to Newton like solution methods",
 * doi:10.1016/0045-7825(91)90022-X (the equations and their regimes).
 * Shapes: blocks and rows are numbered from 0 within the island; B is 3 x 3 per contact at 3 x its first row, one number per row.
 * No allocation once room is there. Ends: true with the impulses in `best` and u theirs, or false with the best it saw: where no part of a
 * step is better. Tested by solve-in-velocities.test.ts and solve-body-velocities.test.ts.
 */
import { CONTACT } from './constraint-set.js';
import { blockResidual } from './contact-problem.js';
import type { ProximalResult } from './solve-proximal.js';

/** See above: on the diagonal of Z Z^T, as part of g. */
const ETA = 1e-6;
/** Where steps gain little: smaller and smaller, down to where rounding shows. */
const LEAST_ETA = 1e-8;
/** Least and largest multiple of a step that is tried. */
const SHORTEST = 0.02;
const FARTHEST = 1024;

const OPEN = 0;
const STICK = 1;
const SLIDE = 2;
/** Of pyramids: SLIDE + the side along the first tangent (1, 2: positive, negative; 0: sticks) + 3 times that along the second. */
const SIDES = 2;

/** The velocities of an island, and its rows in them. */
export interface VelocitySpace {
  readonly n: number;
  /** out = u0 + Z^T f. */
  addImpulses(out: Float64Array, f: Float64Array): void;
  /** out = Z a + b. */
  measureRows(out: Float64Array, a: Float64Array): void;
  /** (1 + Z^T B Z) x = change, in place; false where it has no solution. */
  solveLinear(change: Float64Array, B: Float64Array): boolean;
}

export interface NewtonOptions {
  /** Takes steps whole, whatever they bring. */
  readonly isWhole: boolean;
  readonly iterations: number;
  /** Residual at which it is solved, m/s; and at which it ends: steps go on while they bring anything. */
  readonly tolerance: number;
  readonly goal: number;
}

/** One island's blocks, filled by whoever solves it; kept from island to island. */
export class ContactNewton {
  blockCount = 0;
  rowCount = 0;
  pyramidal = false;
  /** Per block: as in contact-problem.ts, and g. */
  kinds = new Uint8Array(0);
  rows = new Int32Array(0);
  frictions = new Float64Array(0);
  scales = new Float64Array(0);
  /** Per row: bounds, first impulses, and those of the end. */
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  f = new Float64Array(0);
  best = new Float64Array(0);
  /** Velocities of the end. */
  u = new Float64Array(0);
  private eta = ETA;
  private change = new Float64Array(0);
  private reached = new Float64Array(0);
  private w = new Float64Array(0);
  private wp = new Float64Array(0);
  private p = new Float64Array(0);
  private fixed = new Float64Array(0);
  private between = new Float64Array(0);
  private next = new Float64Array(0);
  private B = new Float64Array(0);
  private regimes = new Int8Array(0);
  /** Nothing slides in the present step: each B is a multiple of 1. */
  isSymmetric = false;
  readonly law = 'coulomb';

  /** Room for an island of so many blocks, rows and velocities. */
  reserve(blocks: number, rows: number, velocities: number): void {
    this.blockCount = blocks;
    this.rowCount = rows;
    if (blocks > this.kinds.length) {
      const size = Math.max(2 * blocks, 64);
      this.kinds = new Uint8Array(size);
      this.rows = new Int32Array(size);
      this.frictions = new Float64Array(size);
      this.scales = new Float64Array(size);
      this.regimes = new Int8Array(size);
    }
    if (rows > this.f.length) {
      const make = (): Float64Array<ArrayBuffer> => new Float64Array(Math.max(2 * rows, 64));
      [this.lower, this.upper, this.f, this.best, this.w, this.wp] = [make(), make(), make(), make(), make(), make()];
      [this.p, this.fixed, this.between, this.next] = [make(), make(), make(), make()];
      this.B = new Float64Array(3 * this.f.length);
    }
    if (velocities > this.u.length) {
      const make = (): Float64Array<ArrayBuffer> => new Float64Array(2 * velocities);
      [this.u, this.change, this.reached] = [make(), make(), make()];
    }
  }

  /** Solves the blocks from the impulses in `f`. */
  solve(
    space: VelocitySpace,
    { isWhole, iterations, tolerance, goal }: NewtonOptions,
    result: ProximalResult,
  ): boolean {
    const { n } = space;
    const { u, w, wp, p, f, best, reached, rowCount } = this;
    this.eta = ETA;
    result.newtonSteps = 0;
    result.iterations = 0;
    result.status = 'limit';
    this.project();
    space.addImpulses(u, p);
    space.measureRows(w, u);
    result.residual = this.measure(w);
    for (let r = 0; r < rowCount; r++) {
      f[r] = p[r];
      best[r] = p[r];
    }
    this.readRegimes();
    let merit = this.measureMerit(f, w);
    while (result.residual > goal && result.newtonSteps < iterations) {
      result.newtonSteps++;
      this.linearize();
      if (!this.takeStep(space)) break;
      space.measureRows(wp, u);
      const now = this.shorten(n, merit, isWhole);
      if (!isWhole && !(now < 0.999 * merit)) break;
      if (now > 0.3 * merit) this.eta = Math.max(LEAST_ETA, 0.1 * this.eta);
      merit = now;
      this.readRegimes();
      this.project();
      space.addImpulses(reached, p);
      space.measureRows(wp, reached);
      const residual = this.measure(wp);
      if (residual < result.residual) {
        result.residual = residual;
        for (let r = 0; r < rowCount; r++) best[r] = p[r];
      }
    }
    if (result.residual > tolerance) return false;
    result.status = 'solved';
    space.addImpulses(u, best);
    return true;
  }

  /** u of the linear equation; false where it has none. */
  private takeStep(space: VelocitySpace): boolean {
    const { n } = space;
    const { p, w, u, reached, change } = this;
    // (1 + Z^T B Z) (change of u) = u0 + Z^T (fixed - B w) - u.
    this.readImpulses(p, w);
    space.addImpulses(reached, p);
    for (let k = 0; k < n; k++) change[k] = reached[k] - u[k];
    if (!space.solveLinear(change, this.B)) return false;
    for (let k = 0; k < n; k++) u[k] += change[k];
    return true;
  }

  /** p = the point of all cones and bounds that f stands for. */
  private project(): void {
    const { blockCount, pyramidal, kinds, rows, frictions, lower, upper, f, p } = this;
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      if (kinds[i] !== CONTACT) {
        p[r] = f[r] < lower[r] ? lower[r] : Math.min(f[r], upper[r]);
        continue;
      }
      const normal = Math.max(f[r], 0);
      const limit = frictions[i] * normal;
      let x = f[r + 1];
      let y = f[r + 2];
      if (pyramidal) {
        x = Math.max(-limit, Math.min(limit, x));
        y = Math.max(-limit, Math.min(limit, y));
      } else {
        const t = Math.sqrt(x * x + y * y);
        if (t > limit) {
          x *= limit / t;
          y *= limit / t;
        }
      }
      p[r] = normal;
      p[r + 1] = x;
      p[r + 2] = y;
    }
  }

  /**
   * f and w on their way to the linear solution, whose w is in `wp`, as far as the merit falls most; u follows. Both ends have
   * u = u0 + Z^T f, so everything between has. Returns the merit there.
   */
  private shorten(n: number, merit: number, isWhole: boolean): number {
    const { rowCount, f, w, p, wp, between, next, u, change } = this;
    this.readImpulses(next, wp);
    const meritAt = (alpha: number): number => {
      for (let r = 0; r < rowCount; r++) {
        p[r] = f[r] + alpha * (next[r] - f[r]);
        between[r] = w[r] + alpha * (wp[r] - w[r]);
      }
      return this.measureMerit(p, between);
    };
    let best = meritAt(1);
    let far = 1;
    if (best < merit) {
      // Forces of nearly redundant contacts creep, all in one direction: further along it.
      for (let alpha = 2; alpha <= FARTHEST; alpha *= 2) {
        const now = meritAt(alpha);
        if (!(now < best)) break;
        best = now;
        far = alpha;
      }
    } else if (!isWhole)
      for (let alpha = 0.5; alpha > SHORTEST; alpha *= 0.5) {
        const now = meritAt(alpha);
        if (now < best) {
          best = now;
          far = alpha;
        }
        if (now < (1 - 0.5 * alpha) * merit) break;
      }
    for (let r = 0; r < rowCount; r++) {
      f[r] += far * (next[r] - f[r]);
      w[r] += far * (wp[r] - w[r]);
    }
    for (let k = 0; k < n; k++) u[k] += (far - 1) * change[k];
    return best;
  }

  /** Root of the sum of squared residuals, each by its block's scale. */
  private measureMerit(f: Float64Array, w: Float64Array): number {
    const { blockCount, scales } = this;
    let sum = 0;
    for (let i = 0; i < blockCount; i++) {
      const g = scales[i];
      if (!(g > 0)) continue;
      const own = blockResidual(this, i, f, w, g);
      sum += (own * own) / g;
    }
    return Math.sqrt(sum);
  }

  /** The largest residual of p at row velocities a. */
  private measure(a: Float64Array): number {
    const { blockCount, scales, p } = this;
    let largest = 0;
    for (let i = 0; i < blockCount; i++) {
      const g = scales[i];
      if (g > 0) largest = Math.max(largest, blockResidual(this, i, p, a, g));
    }
    return largest;
  }

  /** Regimes of the present f and w. */
  private readRegimes(): void {
    const { blockCount, pyramidal, kinds, rows, frictions, lower, upper, scales, regimes, f, w } = this;
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      const g = scales[i];
      const z = g > 0 ? f[r] - w[r] / g : 0;
      let regime = OPEN;
      if (kinds[i] !== CONTACT) regime = !(g > 0) ? OPEN : z <= lower[r] ? OPEN : z >= upper[r] ? SLIDE : STICK;
      else if (z > 0) {
        const x = f[r + 1] - w[r + 1] / g;
        const y = f[r + 2] - w[r + 2] / g;
        const limit = frictions[i] * z;
        if (pyramidal) {
          const first = x > limit ? 1 : x < -limit ? 2 : 0;
          const second = y > limit ? 1 : y < -limit ? 2 : 0;
          regime = first === 0 && second === 0 ? STICK : SIDES + first + 3 * second;
        } else regime = x * x + y * y <= limit * limit ? STICK : SLIDE;
      }
      regimes[i] = regime;
    }
  }

  /** Impulses as linear in the row velocities: fixed - B w, B 3 x 3 per contact. */
  private linearize(): void {
    const { blockCount, pyramidal, kinds, rows, frictions, lower, upper, scales, regimes, f, w, B, fixed } = this;
    this.isSymmetric = true;
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      const o = 3 * r;
      const g = scales[i];
      const regime = regimes[i];
      const stiff = 1 / (this.eta * g);
      if (kinds[i] !== CONTACT) {
        B[o] = regime === STICK ? stiff : 0;
        fixed[r] = regime === STICK ? f[r] : regime === SLIDE ? upper[r] : g > 0 ? lower[r] : 0;
        continue;
      }
      for (let k = 0; k < 9; k++) B[o + k] = 0;
      for (let k = 0; k < 3; k++) fixed[r + k] = regime === OPEN ? 0 : f[r + k];
      if (regime === OPEN) continue;
      B[o] = stiff;
      if (regime === STICK) {
        B[o + 4] = stiff;
        B[o + 8] = stiff;
        continue;
      }
      this.isSymmetric = false;
      const mu = frictions[i];
      if (pyramidal) {
        const sides = regime - SIDES;
        for (let k = 0; k < 2; k++) {
          const side = k === 0 ? sides % 3 : Math.floor(sides / 3);
          if (side === 0) B[o + 4 * (k + 1)] = stiff;
          else {
            const slope = side === 1 ? mu : -mu;
            B[o + 3 * (k + 1)] = slope * stiff;
            fixed[r + k + 1] = slope * f[r];
          }
        }
        continue;
      }
      const x = f[r + 1] - w[r + 1] / g;
      const y = f[r + 2] - w[r + 2] / g;
      const t = Math.sqrt(x * x + y * y);
      const cx = x / t;
      const cy = y / t;
      B[o + 3] = mu * cx * stiff;
      B[o + 6] = mu * cy * stiff;
      // Across: k / (1 - k) of w / g and of f, k the disc's radius over the distance of what is projected.
      const radius = mu * Math.max(0, f[r] - w[r] / g);
      const turn = Math.min(stiff, radius / (g * (t - radius)));
      B[o + 4] = turn * cy * cy;
      B[o + 5] = -turn * cx * cy;
      B[o + 7] = -turn * cx * cy;
      B[o + 8] = turn * cx * cx;
      const back = turn * g * (cy * f[r + 1] - cx * f[r + 2]);
      const across = turn * (cx * w[r + 2] - cy * w[r + 1]) + Math.max(-radius, Math.min(radius, back));
      fixed[r + 1] = mu * cx * f[r] - cy * across;
      fixed[r + 2] = mu * cy * f[r] + cx * across;
    }
  }

  /** out = fixed - B w. */
  private readImpulses(out: Float64Array, w: Float64Array): void {
    const { blockCount, kinds, rows, fixed, B } = this;
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      const o = 3 * r;
      if (kinds[i] !== CONTACT) out[r] = fixed[r] - B[o] * w[r];
      else
        for (let k = 0; k < 3; k++)
          out[r + k] = fixed[r + k] - B[o + 3 * k] * w[r] - B[o + 3 * k + 1] * w[r + 1] - B[o + 3 * k + 2] * w[r + 2];
    }
  }
}
