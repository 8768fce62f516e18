/**
 * The shortest time along a path for a given grid, by a method that shares nothing with the one under test but the rows:
 * minimise sum 2 d / (sqrt(x) + sqrt(x')) over all x at once, every row at both ends of every interval as a logarithmic
 * barrier, Newton's method on the tridiagonal system, barrier lowered step by step.
 */
import type { PathConstraints } from './path-constraints.js';
import type { TimeLaw } from './retimed-trajectory.js';

/** Rows g0 x(i) + g1 x(i + 1) <= h. */
interface Row {
  readonly i: number;
  readonly g0: number;
  readonly g1: number;
  readonly h: number;
}

export function minimizeTime(constraints: PathConstraints, law: TimeLaw): number {
  const n = law.speeds.length;
  const widths = Array.from({ length: n }, (_, i) => law.ends[i] - law.offsets[i]);
  const rows = collectRows(constraints, law, widths);
  // Inside all rows: u = 0 at a crawl.
  let x = new Float64Array(n + 1).fill(1e-6);
  x[0] = 0;
  x[n] = 0;
  for (let weight = 1; weight > 1e-10; weight *= 0.3) {
    for (let step = 0; step < 100; step++) {
      const decrement = newtonStep(x, widths, rows, weight);
      if (decrement.size < 1e-9) break;
      let length = 1;
      const value = objective(x, widths, rows, weight);
      for (; length > 1e-12; length *= 0.5) {
        const next = x.map((value_, k) => value_ + length * decrement.step[k]);
        if (objective(next, widths, rows, weight) < value) {
          x = next;
          break;
        }
      }
      if (length <= 1e-12) break;
    }
  }
  return duration(x, widths);
}

function collectRows(constraints: PathConstraints, law: TimeLaw, widths: readonly number[]): Row[] {
  const out: Row[] = [];
  const { rows } = constraints;
  for (let i = 0; i < widths.length; i++) {
    for (const side of [0, 1]) {
      const k = constraints.add(law.pieces[i], side === 0 ? law.offsets[i] : law.ends[i]);
      const { A, B, C, X } = constraints;
      for (let r = rows * k; r < rows * (k + 1); r++) {
        // u = (x' - x) / (2 d)
        const a = A[r] / (2 * widths[i]);
        const g0 = -a + (side === 0 ? B[r] : 0);
        const g1 = a + (side === 1 ? B[r] : 0);
        if (g0 === 0 && g1 === 0) continue;
        out.push({ i, g0, g1, h: 1 - C[r] }, { i, g0: -g0, g1: -g1, h: 1 + C[r] });
      }
      if (X[k] < Infinity) out.push({ i, g0: side === 0 ? 1 : 0, g1: side === 1 ? 1 : 0, h: X[k] });
    }
  }
  return out;
}

function duration(x: Float64Array, widths: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < widths.length; i++) sum += (2 * widths[i]) / (Math.sqrt(x[i]) + Math.sqrt(x[i + 1]));
  return sum;
}

function objective(x: Float64Array, widths: readonly number[], rows: readonly Row[], weight: number): number {
  for (let i = 1; i < x.length - 1; i++) if (!(x[i] > 0)) return Infinity;
  let sum = duration(x, widths);
  for (const { i, g0, g1, h } of rows) {
    const slack = h - g0 * x[i] - g1 * x[i + 1];
    if (!(slack > 0)) return Infinity;
    sum -= weight * Math.log(slack);
  }
  return sum;
}

function newtonStep(x: Float64Array, widths: readonly number[], rows: readonly Row[], weight: number) {
  const n = x.length;
  const gradient = new Float64Array(n);
  const diagonal = new Float64Array(n);
  const above = new Float64Array(n);
  for (let i = 0; i < widths.length; i++) {
    const a = Math.sqrt(x[i]);
    const b = Math.sqrt(x[i + 1]);
    const f = (2 * widths[i]) / (a + b);
    const s = f / (a + b);
    // df/dx = -s / (2 a); second derivatives by the product rule.
    if (i > 0) {
      gradient[i] -= s / (2 * a);
      diagonal[i] += s / (2 * a * a * (a + b)) + s / (4 * a * a * a);
    }
    if (i + 1 < n - 1) {
      gradient[i + 1] -= s / (2 * b);
      diagonal[i + 1] += s / (2 * b * b * (a + b)) + s / (4 * b * b * b);
    }
    if (i > 0 && i + 1 < n - 1) above[i] += s / (2 * a * b * (a + b));
  }
  for (const { i, g0, g1, h } of rows) {
    const slack = h - g0 * x[i] - g1 * x[i + 1];
    const first = weight / slack;
    const second = first / slack;
    gradient[i] += first * g0;
    gradient[i + 1] += first * g1;
    diagonal[i] += second * g0 * g0;
    diagonal[i + 1] += second * g1 * g1;
    above[i] += second * g0 * g1;
  }
  // The ends are given.
  const step = new Float64Array(n);
  const pivots = new Float64Array(n);
  for (let k = 1; k < n - 1; k++) {
    const factor = k > 1 ? above[k - 1] / pivots[k - 1] : 0;
    pivots[k] = diagonal[k] - factor * (k > 1 ? above[k - 1] : 0);
    step[k] = -gradient[k] - factor * (k > 1 ? step[k - 1] : 0);
  }
  for (let k = n - 2; k >= 1; k--) step[k] = (step[k] - (k < n - 2 ? above[k] * step[k + 1] : 0)) / pivots[k];
  let size = 0;
  for (let k = 1; k < n - 1; k++) size -= step[k] * gradient[k];
  return { step, size };
}
