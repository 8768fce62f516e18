// Newton's method on the contacts of a robot, in its velocities: what src/simulation/contact-newton.ts and solve-in-velocities.ts do in
// JavaScript, to the same bits.
//
// Method, sources: as there. Cost: per step contacts x depth^2 and nv x depth^2. Tests: src/simulation/robot-kernel.test.ts.
import { readF64, readU32, writeF64, writeU32 } from '../memory';
import {
  addRow,
  addRows,
  B,
  best,
  between,
  biases,
  change,
  copyNumbers,
  diagonals,
  first,
  fixed,
  frictions,
  impulses,
  isPyramidal,
  kindOf,
  lower,
  jacobianOf,
  measureContact,
  measureRow,
  n,
  next,
  p,
  reached,
  regimes,
  rowCount,
  rowOf,
  second,
  start,
  table,
  tableEnd,
  third,
  u,
  upper,
  w,
  wp,
} from './island';
import { solveLinear } from './robot-linear';
import { BLOCK_BYTES } from '../../src/kernel/contact-layout';

const ETA: f64 = 1e-6;
const LEAST_ETA: f64 = 1e-8;
const SHORTEST: f64 = 0.02;
const FARTHEST: f64 = 1024;

const OPEN: u32 = 0;
const STICK: u32 = 1;
const SLIDE: u32 = 2;
const SIDES: u32 = 2;

export let residual: f64 = 0;
export let steps: u32 = 0;
let eta: f64 = 0;
let isSymmetric: bool = true;

/** Frictions, mean diagonals and regimes are those of blocks, by their places in the table. */
@inline
function placeOf(t: usize): usize {
  return (t - table) / BLOCK_BYTES;
}

@inline
function frictionOf(t: usize): f64 {
  return readF64(frictions + 8 * placeOf(t));
}

/** The mean diagonal entry of a block's rows. */
@inline
export function scaleOf(t: usize): f64 {
  const d = diagonals + 64 * placeOf(t);
  return kindOf(t) == 1 ? (readF64(d) + readF64(d, 8) + readF64(d, 16)) / 3 : readF64(d);
}

/** What the block at t leaves of its conditions at impulses f and velocities v. */
export function blockResidual(t: usize, f: usize, v: usize, g: f64): f64 {
  const r = rowOf(t);
  const n0 = readF64(f + r);
  const v0 = readF64(v + r);
  if (kindOf(t) == 0) {
    const moved = n0 - v0 / g;
    return abs(n0 - max(readF64(lower + r), min(readF64(upper + r), moved))) * g;
  }
  const mu = frictionOf(t);
  const x0 = readF64(f + r, 8);
  const y0 = readF64(f + r, 16);
  const v1 = readF64(v + r, 8);
  const v2 = readF64(v + r, 16);
  const extra = isPyramidal ? mu * (abs(v1) + abs(v2)) : mu * sqrt(v1 * v1 + v2 * v2);
  const normal = n0 - (v0 + extra) / g;
  const x = x0 - v1 / g;
  const y = y0 - v2 / g;
  let c0: f64 = 0;
  let c1: f64 = 0;
  let c2: f64 = 0;
  if (isPyramidal) {
    const larger = max(abs(x), abs(y));
    const smaller = min(abs(x), abs(y));
    c0 = normal;
    if (mu * c0 < larger) {
      c0 = (normal + mu * larger) / (1 + mu * mu);
      if (mu * c0 < smaller) c0 = (normal + mu * (larger + smaller)) / (1 + 2 * mu * mu);
    }
    if (!(c0 > 0)) c0 = 0;
    const limit = mu * c0;
    c1 = x > limit ? limit : max(x, -limit);
    c2 = y > limit ? limit : max(y, -limit);
  } else {
    const size = sqrt(x * x + y * y);
    if (size <= mu * normal) {
      c0 = normal;
      c1 = x;
      c2 = y;
    } else {
      const alpha = (normal + mu * size) / (1 + mu * mu);
      if (alpha > 0) {
        c0 = alpha;
        c1 = (mu * alpha * x) / size;
        c2 = (mu * alpha * y) / size;
      }
    }
  }
  c0 = n0 - c0;
  c1 = x0 - c1;
  c2 = y0 - c2;
  return sqrt(c0 * c0 + c1 * c1 + c2 * c2) * g;
}

/** out = start + Z^T f. */
function addImpulses(out: usize, f: usize): void {
  copyNumbers(out, start, n);
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = f + rowOf(t);
    const x = readF64(r);
    if (x == 0) continue;
    if (kindOf(t) == 1) addRows(out, t, x, readF64(r, 8), readF64(r, 16));
    else addRow(out, t, jacobianOf(t), x);
  }
}

/** out = Z a + b. */
function measureRows(out: usize, a: usize): void {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    if (kindOf(t) == 1) {
      measureContact(a, t, readF64(biases + r), readF64(biases + r, 8), readF64(biases + r, 16));
      writeF64(out + r, 0, first);
      writeF64(out + r, 8, second);
      writeF64(out + r, 16, third);
    } else writeF64(out + r, 0, measureRow(a, t, readF64(biases + r)));
  }
}

/** p = the point of all cones and bounds that f stands for. */
function project(): void {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    const f = readF64(impulses + r);
    if (kindOf(t) == 0) {
      const low = readF64(lower + r);
      writeF64(p + r, 0, f < low ? low : min(f, readF64(upper + r)));
      continue;
    }
    const normal = max(f, 0);
    const limit = frictionOf(t) * normal;
    let x = readF64(impulses + r, 8);
    let y = readF64(impulses + r, 16);
    if (isPyramidal) {
      x = max(-limit, min(limit, x));
      y = max(-limit, min(limit, y));
    } else {
      const size = sqrt(x * x + y * y);
      if (size > limit) {
        x *= limit / size;
        y *= limit / size;
      }
    }
    writeF64(p + r, 0, normal);
    writeF64(p + r, 8, x);
    writeF64(p + r, 16, y);
  }
}

/** Root of the sum of squared residuals, each by its block's scale. */
function measureMerit(f: usize, v: usize): f64 {
  let sum: f64 = 0;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const g = scaleOf(t);
    if (!(g > 0)) continue;
    const own = blockResidual(t, f, v, g);
    sum += (own * own) / g;
  }
  return sqrt(sum);
}

/** The largest residual of impulses f at row velocities v. */
export function measureLargest(f: usize, v: usize): f64 {
  let largest: f64 = 0;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const g = scaleOf(t);
    if (g > 0) largest = max(largest, blockResidual(t, f, v, g));
  }
  return largest;
}

/** Regimes of the present impulses and w. */
function readRegimes(): void {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    const g = scaleOf(t);
    const z = g > 0 ? readF64(impulses + r) - readF64(w + r) / g : 0;
    let regime = OPEN;
    if (kindOf(t) == 0)
      regime = !(g > 0) ? OPEN : z <= readF64(lower + r) ? OPEN : z >= readF64(upper + r) ? SLIDE : STICK;
    else if (z > 0) {
      const x = readF64(impulses + r, 8) - readF64(w + r, 8) / g;
      const y = readF64(impulses + r, 16) - readF64(w + r, 16) / g;
      const limit = frictionOf(t) * z;
      if (isPyramidal) {
        const one: u32 = x > limit ? 1 : x < -limit ? 2 : 0;
        const two: u32 = y > limit ? 1 : y < -limit ? 2 : 0;
        regime = one == 0 && two == 0 ? STICK : SIDES + one + 3 * two;
      } else regime = x * x + y * y <= limit * limit ? STICK : SLIDE;
    }
    writeU32(regimes + 4 * placeOf(t), 0, regime);
  }
}

/** Impulses as linear in the row velocities: fixed - B w, B 3 x 3 per contact. */
function linearize(): void {
  isSymmetric = true;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    const o = B + 3 * r;
    const f = impulses + r;
    const v = w + r;
    const g = scaleOf(t);
    const regime = readU32(regimes + 4 * placeOf(t));
    const stiff = 1 / (eta * g);
    if (kindOf(t) == 0) {
      writeF64(o, 0, regime == STICK ? stiff : 0);
      writeF64(
        fixed + r,
        0,
        regime == STICK ? readF64(f) : regime == SLIDE ? readF64(upper + r) : g > 0 ? readF64(lower + r) : 0,
      );
      continue;
    }
    for (let k: usize = 0; k < 72; k += 8) writeF64(o + k, 0, 0);
    for (let k: usize = 0; k < 24; k += 8) writeF64(fixed + r + k, 0, regime == OPEN ? 0 : readF64(f + k));
    if (regime == OPEN) continue;
    writeF64(o, 0, stiff);
    if (regime == STICK) {
      writeF64(o, 32, stiff);
      writeF64(o, 64, stiff);
      continue;
    }
    isSymmetric = false;
    const mu = frictionOf(t);
    if (isPyramidal) {
      const sides = regime - SIDES;
      for (let k: usize = 0; k < 2; k++) {
        const side = k == 0 ? sides % 3 : sides / 3;
        if (side == 0) writeF64(o + 32 * (k + 1), 0, stiff);
        else {
          const slope = side == 1 ? mu : -mu;
          writeF64(o + 24 * (k + 1), 0, slope * stiff);
          writeF64(fixed + r + 8 * (k + 1), 0, slope * readF64(f));
        }
      }
      continue;
    }
    const x = readF64(f, 8) - readF64(v, 8) / g;
    const y = readF64(f, 16) - readF64(v, 16) / g;
    const size = sqrt(x * x + y * y);
    const cx = x / size;
    const cy = y / size;
    writeF64(o, 24, mu * cx * stiff);
    writeF64(o, 48, mu * cy * stiff);
    const radius = mu * max(0, readF64(f) - readF64(v) / g);
    const turn = min(stiff, radius / (g * (size - radius)));
    writeF64(o, 32, turn * cy * cy);
    writeF64(o, 40, -turn * cx * cy);
    writeF64(o, 56, -turn * cx * cy);
    writeF64(o, 64, turn * cx * cx);
    const back = turn * g * (cy * readF64(f, 8) - cx * readF64(f, 16));
    const across = turn * (cx * readF64(v, 16) - cy * readF64(v, 8)) + max(-radius, min(radius, back));
    writeF64(fixed + r, 8, mu * cx * readF64(f) - cy * across);
    writeF64(fixed + r, 16, mu * cy * readF64(f) + cx * across);
  }
}

/** out = fixed - B v. */
function readImpulses(out: usize, v: usize): void {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    const o = B + 3 * r;
    const v0 = readF64(v + r);
    if (kindOf(t) == 0) {
      writeF64(out + r, 0, readF64(fixed + r) - readF64(o) * v0);
      continue;
    }
    const v1 = readF64(v + r, 8);
    const v2 = readF64(v + r, 16);
    for (let k: usize = 0; k < 3; k++)
      writeF64(
        out + r + 8 * k,
        0,
        readF64(fixed + r + 8 * k) -
          readF64(o + 24 * k) * v0 -
          readF64(o + 24 * k, 8) * v1 -
          readF64(o + 24 * k, 16) * v2,
      );
  }
}

function meritAt(alpha: f64): f64 {
  const end = (<usize>rowCount) << 3;
  for (let r: usize = 0; r < end; r += 8) {
    const f = readF64(impulses + r);
    const v = readF64(w + r);
    writeF64(p + r, 0, f + alpha * (readF64(next + r) - f));
    writeF64(between + r, 0, v + alpha * (readF64(wp + r) - v));
  }
  return measureMerit(p, between);
}

/** Impulses and w on their way to the linear solution, whose w is in `wp`, as far as the merit falls most; returns it there. */
function shorten(merit: f64, isWhole: bool): f64 {
  readImpulses(next, wp);
  let least = meritAt(1);
  let far: f64 = 1;
  if (least < merit) {
    for (let alpha: f64 = 2; alpha <= FARTHEST; alpha *= 2) {
      const now = meritAt(alpha);
      if (!(now < least)) break;
      least = now;
      far = alpha;
    }
  } else if (!isWhole)
    for (let alpha = 0.5; alpha > SHORTEST; alpha *= 0.5) {
      const now = meritAt(alpha);
      if (now < least) {
        least = now;
        far = alpha;
      }
      if (now < (1 - 0.5 * alpha) * merit) break;
    }
  const end = (<usize>rowCount) << 3;
  for (let r: usize = 0; r < end; r += 8) {
    const f = readF64(impulses + r);
    const v = readF64(w + r);
    writeF64(impulses + r, 0, f + far * (readF64(next + r) - f));
    writeF64(w + r, 0, v + far * (readF64(wp + r) - v));
  }
  for (let k: usize = 0; k < (<usize>n) << 3; k += 8)
    writeF64(u + k, 0, readF64(u + k) + (far - 1) * readF64(change + k));
  return least;
}

/** u of the linear equation; false where it has none. */
function takeStep(): bool {
  readImpulses(p, w);
  addImpulses(reached, p);
  const end = (<usize>n) << 3;
  for (let k: usize = 0; k < end; k += 8) writeF64(change + k, 0, readF64(reached + k) - readF64(u + k));
  if (!solveLinear(isSymmetric)) return false;
  for (let k: usize = 0; k < end; k += 8) writeF64(u + k, 0, readF64(u + k) + readF64(change + k));
  return true;
}

/** Solves the blocks from the impulses; where it is solved, u is what they lead to. The best impulses are in `best`. */
export function runNewton(isWhole: bool, iterations: u32, tolerance: f64, goal: f64): bool {
  eta = ETA;
  steps = 0;
  project();
  addImpulses(u, p);
  measureRows(w, u);
  residual = measureLargest(p, w);
  copyNumbers(impulses, p, rowCount);
  copyNumbers(best, p, rowCount);
  readRegimes();
  let merit = measureMerit(impulses, w);
  while (residual > goal && steps < iterations) {
    steps++;
    linearize();
    if (!takeStep()) break;
    measureRows(wp, u);
    const now = shorten(merit, isWhole);
    if (!isWhole && !(now < 0.999 * merit)) break;
    if (now > 0.3 * merit) eta = max(LEAST_ETA, 0.1 * eta);
    merit = now;
    readRegimes();
    project();
    addImpulses(reached, p);
    measureRows(wp, reached);
    const left = measureLargest(p, wp);
    if (left < residual) {
      residual = left;
      copyNumbers(best, p, rowCount);
    }
  }
  if (residual > tolerance) return false;
  addImpulses(u, best);
  return true;
}
