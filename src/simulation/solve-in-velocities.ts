/**
 * Rigid contacts of one robot with what stands still, and its limits and dry friction, by Newton's method in its velocities.
 *
 * Method: 1. which contacts open, stick and slide is read off f - w / g, g a block's mean diagonal entry of Z Z^T; 2. for these, with
 * w = Z u + b in the velocities u whose mass matrix is 1 (robot-branches.ts), the impulses of the next iterate are linear in its w:
 *   open: 0;  stick: f - w / (eta g);  slide: n = f_n - w_n / (eta g), mu n c along the direction c of the disc, and across it
 *   -(mu f_n / |w_t|) of the change of w_t (the direction turns with the velocity);
 * rows with bounds alike; 3. u = u0 + Z^T f is then a linear equation in u with the matrix 1 + Z^T B Z, which has the sparsity of the
 * tree, since every row is a branch: it costs depth^2 per velocity whatever the number of contacts, and redundant ones are no
 * matter. eta regularises, less where steps gain little; it acts on the change of f, so what it leaves shrinks with every step;
 * 4. f, w and u go as far towards that as the sum of squared residuals falls most: all are linear on the way, so trying costs next to
 * nothing. Done when the residual of contact-problem.ts, with u of the projected impulses, is within the tolerance.
 * Contacts of a robot with itself couple branches: then everything before a velocity counts as supporting it.
 * Source: Alart, Curnier 1991, "A mixed formulation for frictional contact problems prone to Newton like solution methods",
 * doi:10.1016/0045-7825(91)90022-X (the equations and their regimes); Featherstone 2005, doi:10.1177/0278364905054928 (sparsity).
 * Cost: per step contacts x depth^2 and nv x depth^2; one to three steps where little changes. No allocation once room is there.
 * Ends: true, or false with V as it was and the best impulses it saw: where no part of a step is better. Tested by
 * solve-in-velocities.test.ts.
 */
import { CONTACT, type ConstraintSet, SIDE } from './constraint-set.js';
import { blockResidual } from './contact-problem.js';
import { solveAlongTree } from './solve-along-tree.js';
import { meanDiagonalOf } from './solve-gauss-seidel.js';
import type { ProximalResult } from './solve-proximal.js';

/** See above: on the diagonal of Z Z^T, as part of g. */
const ETA = 1e-6;
/** Where steps gain little: smaller and smaller, down to where rounding shows. */
const LEAST_ETA = 1e-8;
/** Least and largest multiple of a step that is tried. */
const SHORTEST = 0.02;
const FARTHEST = 1024;

/** What an island looks like to the functions below: kept, so that a step does not allocate. */
interface Island {
  set: ConstraintSet;
  blocks: Int32Array;
  from: number;
  end: number;
  firstV: number;
  n: number;
  parents: Int32Array;
  eta: number;
  pyramidal: boolean;
}
const island = {} as Island;

let room = 0;
let rowRoom = 0;
let u0 = new Float64Array(0);
let [u, change, reached, matrix, w, wp] = [u0, u0, u0, u0, u0, u0];
let f = u0;
let p = u0;
let scale = u0;
let fixed = u0;
let between = u0;
let next = u0;
let B = u0;
let regimes = new Int8Array(0);
let dense = new Int32Array(0);
const residualOf = { law: 'coulomb' } as { -readonly [K in keyof ResidualProblem]: ResidualProblem[K] };
type ResidualProblem = Parameters<typeof blockResidual>[0];

function reserve(n: number, rows: number): void {
  if (n > room) {
    room = Math.max(n, 2 * room);
    [u0, u, change, reached] = Array.from({ length: 4 }, () => new Float64Array(room));
    matrix = new Float64Array(room * room);
    dense = Int32Array.from({ length: room }, (_, i) => i - 1);
  }
  if (rows > rowRoom) {
    rowRoom = Math.max(rows, 2 * rowRoom, 64);
    [w, wp, f, p, scale, fixed, between, next] = Array.from({ length: 8 }, () => new Float64Array(rowRoom));
    B = new Float64Array(3 * rowRoom);
    regimes = new Int8Array(rowRoom);
  }
}

/**
 * Solves blocks[from .. end - 1], all of whose sides are those of the robot whose n velocities begin at V[firstV]; V holds no impulse
 * of theirs, and afterwards those in `set`. `parents`: the robot's (factorize-inertia.ts).
 */
export function solveInVelocities(
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
  firstV: number,
  n: number,
  parents: Int32Array,
  isWhole: boolean,
  iterations: number,
  tolerance: number,
  pyramidal: boolean,
  result: ProximalResult,
): boolean {
  reserve(n, set.rowCount);
  island.set = set;
  island.blocks = blocks;
  island.from = from;
  island.end = end;
  island.firstV = firstV;
  island.n = n;
  island.eta = ETA;
  island.pyramidal = pyramidal;
  island.parents = isTree(parents) ? parents : dense;
  residualOf.kinds = set.kinds;
  residualOf.rows = set.rows;
  residualOf.frictions = set.frictions;
  residualOf.lower = set.lower;
  residualOf.upper = set.upper;
  residualOf.pyramidal = pyramidal;
  for (let k = 0; k < n; k++) u0[k] = V[firstV + k];
  start();
  result.newtonSteps = 0;
  result.iterations = 0;
  result.status = 'limit';
  project();
  addImpulses(u, p);
  measureRows(w, u);
  result.residual = measure(w);
  for (let i = 0; i < set.rowCount; i++) f[i] = p[i];
  keep();
  readRegimes();
  let merit = measureMerit(f, w);
  while (result.residual > tolerance && result.newtonSteps < iterations) {
    result.newtonSteps++;
    linearize();
    if (!takeStep()) break;
    measureRows(wp, u);
    const now = shorten(merit, isWhole);
    if (!isWhole && !(now < 0.999 * merit)) break;
    if (now > 0.3 * merit) island.eta = Math.max(LEAST_ETA, 0.1 * island.eta);
    merit = now;
    readRegimes();
    project();
    addImpulses(reached, p);
    measureRows(wp, reached);
    const residual = measure(wp);
    if (residual < result.residual) {
      result.residual = residual;
      keep();
    }
  }
  if (result.residual > tolerance) return false;
  result.status = 'solved';
  addImpulses(u, p);
  for (let k = 0; k < n; k++) V[firstV + k] = u[k];
  return true;
}

/** Impulses of the set = p. */
function keep(): void {
  const { set, blocks, from, end } = island;
  for (let i = from; i < end; i++) {
    const r = set.rows[blocks[i]];
    const count = set.kinds[blocks[i]] === CONTACT ? 3 : 1;
    for (let k = r; k < r + count; k++) set.impulses[k] = p[k];
  }
}

/** Whether every row's velocities are one chain of the tree. */
function isTree(parents: Int32Array): boolean {
  const { set, blocks, from, end, firstV } = island;
  const { sides, lists } = set;
  for (let i = from; i < end; i++)
    for (let s = 2 * SIDE * blocks[i]; s < 2 * SIDE * (blocks[i] + 1); s += SIDE) {
      const list = sides[s + 4];
      for (let k = sides[s + 2] - 1; k >= 0; k--)
        if (parents[lists[list + k] - firstV] !== (k > 0 ? lists[list + k - 1] - firstV : -1)) return false;
    }
  return true;
}

/** First impulses and the blocks' scales; a block that nothing can move has none. */
function start(): void {
  const { set, blocks, from, end } = island;
  const { kinds, rows, impulses } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    const count = kinds[b] === CONTACT ? 3 : 1;
    scale[r] = meanDiagonalOf(set, b);
    for (let k = r; k < r + count; k++) f[k] = impulses[k];
  }
}

/** p = the point of all cones and bounds that f stands for. */
function project(): void {
  const { set, blocks, from, end, pyramidal } = island;
  const { kinds, rows, frictions, lower, upper } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    if (kinds[b] !== CONTACT) {
      p[r] = f[r] < lower[r] ? lower[r] : Math.min(f[r], upper[r]);
      continue;
    }
    const normal = Math.max(f[r], 0);
    const limit = frictions[b] * normal;
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

/** out = u0 + Z^T f. */
function addImpulses(out: Float64Array, f: Float64Array): void {
  const { set, blocks, from, end, n, firstV } = island;
  const { kinds, rows, sides, lists, J } = set;
  for (let k = 0; k < n; k++) out[k] = u0[k];
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    for (let s = 2 * SIDE * b; s < 2 * SIDE * (b + 1); s += SIDE) {
      const count = sides[s + 2];
      const list = sides[s + 4];
      const at = sides[s];
      if (kinds[b] === CONTACT) {
        const x = f[r];
        const y = f[r + 1];
        const t = f[r + 2];
        if (x === 0) continue;
        for (let k = 0; k < count; k++)
          out[lists[list + k] - firstV] += J[at + k] * x + J[at + count + k] * y + J[at + 2 * count + k] * t;
      } else if (f[r] !== 0) for (let k = 0; k < count; k++) out[lists[list + k] - firstV] += J[at + k] * f[r];
    }
  }
}

/** out = Z a + b. */
function measureRows(out: Float64Array, a: Float64Array): void {
  const { set, blocks, from, end, firstV } = island;
  const { kinds, rows, sides, lists, J, biases } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    const isContact = kinds[b] === CONTACT;
    let x = biases[r];
    let y = isContact ? biases[r + 1] : 0;
    let t = isContact ? biases[r + 2] : 0;
    for (let s = 2 * SIDE * b; s < 2 * SIDE * (b + 1); s += SIDE) {
      const count = sides[s + 2];
      const list = sides[s + 4];
      const at = sides[s];
      if (isContact)
        for (let k = 0; k < count; k++) {
          const v = a[lists[list + k] - firstV];
          x += J[at + k] * v;
          y += J[at + count + k] * v;
          t += J[at + 2 * count + k] * v;
        }
      else for (let k = 0; k < count; k++) x += J[at + k] * a[lists[list + k] - firstV];
    }
    out[r] = x;
    if (!isContact) continue;
    out[r + 1] = y;
    out[r + 2] = t;
  }
}

/**
 * f and w on their way to the linear solution, whose w is in `wp`, as far as the merit falls most; u follows. Both ends have
 * u = u0 + Z^T f, so everything between has. Returns the merit there.
 */
function shorten(merit: number, isWhole: boolean): number {
  const { set, n } = island;
  const { rowCount } = set;
  readImpulses(next, wp);
  const meritAt = (alpha: number): number => {
    for (let r = 0; r < rowCount; r++) {
      p[r] = f[r] + alpha * (next[r] - f[r]);
      between[r] = w[r] + alpha * (wp[r] - w[r]);
    }
    return measureMerit(p, between);
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
function measureMerit(f: Float64Array, w: Float64Array): number {
  const { set, blocks, from, end } = island;
  let sum = 0;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const g = scale[set.rows[b]];
    if (!(g > 0)) continue;
    const own = blockResidual(residualOf, b, f, w, g);
    sum += (own * own) / g;
  }
  return Math.sqrt(sum);
}

/** The largest residual of p at row velocities a. */
function measure(a: Float64Array): number {
  const { set, blocks, from, end } = island;
  let largest = 0;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const g = scale[set.rows[b]];
    if (g > 0) largest = Math.max(largest, blockResidual(residualOf, b, p, a, g));
  }
  return largest;
}

const OPEN = 0;
const STICK = 1;
const SLIDE = 2;
/** Of pyramids: SLIDE + the side along the first tangent (1, 2: positive, negative; 0: sticks) + 3 times that along the second. */
const SIDES = 2;

/** Regimes of the present f and w. */
function readRegimes(): void {
  const { set, blocks, from, end, pyramidal } = island;
  const { kinds, rows, frictions, lower, upper } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    const g = scale[r];
    const z = g > 0 ? f[r] - w[r] / g : 0;
    let regime = OPEN;
    if (kinds[b] !== CONTACT) regime = !(g > 0) ? OPEN : z <= lower[r] ? OPEN : z >= upper[r] ? SLIDE : STICK;
    else if (z > 0) {
      const x = f[r + 1] - w[r + 1] / g;
      const y = f[r + 2] - w[r + 2] / g;
      const limit = frictions[b] * z;
      if (pyramidal) {
        const first = x > limit ? 1 : x < -limit ? 2 : 0;
        const second = y > limit ? 1 : y < -limit ? 2 : 0;
        regime = first === 0 && second === 0 ? STICK : SIDES + first + 3 * second;
      } else regime = x * x + y * y <= limit * limit ? STICK : SLIDE;
    }
    regimes[r] = regime;
  }
}

/** Impulses as linear in the row velocities: fixed - B w, B 3 x 3 per contact. */
function linearize(): void {
  const { set, blocks, from, end, pyramidal } = island;
  const { kinds, rows, frictions, lower, upper } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = rows[b];
    const o = 3 * r;
    const g = scale[r];
    const regime = regimes[r];
    const stiff = 1 / (island.eta * g);
    if (kinds[b] !== CONTACT) {
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
    const mu = frictions[b];
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
function readImpulses(out: Float64Array, w: Float64Array): void {
  const { set, blocks, from, end } = island;
  const { kinds, rows } = set;
  for (let i = from; i < end; i++) {
    const r = rows[blocks[i]];
    const o = 3 * r;
    if (kinds[blocks[i]] !== CONTACT) out[r] = fixed[r] - B[o] * w[r];
    else
      for (let k = 0; k < 3; k++)
        out[r + k] = fixed[r + k] - B[o + 3 * k] * w[r] - B[o + 3 * k + 1] * w[r + 1] - B[o + 3 * k + 2] * w[r + 2];
  }
}

/** u of the linear equation; false where it has none. */
function takeStep(): boolean {
  const { set, blocks, from, end, firstV, n, parents } = island;
  const { kinds, rows, sides, lists, J } = set;
  // (1 + Z^T B Z) (change of u) = u0 + Z^T (fixed - B w) - u.
  readImpulses(p, w);
  addImpulses(reached, p);
  for (let k = 0; k < n; k++) change[k] = reached[k] - u[k];
  matrix.fill(0, 0, n * n);
  for (let k = 0; k < n; k++) matrix[k * n + k] = 1;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const o = 3 * rows[b];
    const b0 = B[o];
    if (b0 === 0) continue;
    for (let s = 2 * SIDE * b; s < 2 * SIDE * (b + 1); s += SIDE) {
      const count = sides[s + 2];
      const list = sides[s + 4];
      const at = sides[s];
      const second = at + count;
      const third = second + count;
      for (let k = 0; k < count; k++) {
        const row = (lists[list + k] - firstV) * n - firstV;
        const x = J[at + k];
        if (kinds[b] !== CONTACT) {
          const d = b0 * x;
          if (d !== 0)
            for (let c = 0; c <= k; c++) {
              matrix[row + lists[list + c]] += d * J[at + c];
            }
          continue;
        }
        const y = J[second + k];
        const t = J[third + k];
        const dx = b0 * x + B[o + 3] * y + B[o + 6] * t;
        const dy = B[o + 1] * x + B[o + 4] * y + B[o + 7] * t;
        const dt = B[o + 2] * x + B[o + 5] * y + B[o + 8] * t;
        for (let c = 0; c < count; c++)
          matrix[row + lists[list + c]] += dx * J[at + c] + dy * J[second + c] + dt * J[third + c];
      }
      if (kinds[b] !== CONTACT)
        for (let k = 0; k < count; k++)
          for (let c = k + 1; c < count; c++)
            matrix[(lists[list + k] - firstV) * n + lists[list + c] - firstV] += b0 * J[at + k] * J[at + c];
    }
  }
  if (!solveAlongTree(matrix, change, n, parents)) return false;
  for (let k = 0; k < n; k++) u[k] += change[k];
  return true;
}
