/**
 * Rigid contacts of one robot with what stands still, and its limits and dry friction, by Newton's method in its velocities
 * (contact-newton.ts).
 *
 * Method: the matrix 1 + Z^T B Z has the sparsity of the tree, since every row is a branch (robot-branches.ts): it costs depth^2 per
 * velocity, and half of that where nothing slides, since it is symmetric then. Contacts of a robot with itself couple branches: then everything before a velocity counts as supporting it.
 * Source: Featherstone 2005, doi:10.1177/0278364905054928 (sparsity).
 * Cost: per step contacts x depth^2 and nv x depth^2; one to three steps where little changes. No allocation once room is there.
 * Ends: true, or false with V as it was and the best impulses it saw. Tested by solve-in-velocities.test.ts.
 */
import { CONTACT, type ConstraintSet, SIDE } from './constraint-set.js';
import { ContactNewton, type NewtonOptions, type VelocitySpace } from './contact-newton.js';
import { solveAlongTree, solveSymmetricAlongTree } from './solve-along-tree.js';
import { meanDiagonalOf } from './solve-gauss-seidel.js';
import type { ProximalResult } from './solve-proximal.js';

const newton = new ContactNewton();
let dense = new Int32Array(0);

/** The velocities of a robot from V[firstV] on, and the rows of blocks[from .. end - 1] in them. */
class RobotSpace implements VelocitySpace {
  set!: ConstraintSet;
  blocks: Int32Array = dense;
  from = 0;
  end = 0;
  firstV = 0;
  n = 0;
  parents: Int32Array = dense;
  u0 = new Float64Array(0);
  private matrix = new Float64Array(0);

  /** Room for n velocities. */
  reserve(n: number): void {
    if (n <= this.u0.length) return;
    this.u0 = new Float64Array(2 * n);
    this.matrix = new Float64Array(4 * n * n);
  }

  /** out = u0 + Z^T f. */
  addImpulses(out: Float64Array, f: Float64Array): void {
    const { blocks, from, end, n, firstV, u0 } = this;
    const { kinds, sides, lists, J } = this.set;
    const { rows } = newton;
    for (let k = 0; k < n; k++) out[k] = u0[k];
    for (let i = from; i < end; i++) {
      const b = blocks[i];
      const r = rows[i - from];
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
  measureRows(out: Float64Array, a: Float64Array): void {
    const { blocks, from, end, firstV } = this;
    const { kinds, rows: own, sides, lists, J, biases } = this.set;
    const { rows } = newton;
    for (let i = from; i < end; i++) {
      const b = blocks[i];
      const r = rows[i - from];
      const o = own[b];
      const isContact = kinds[b] === CONTACT;
      let x = biases[o];
      let y = isContact ? biases[o + 1] : 0;
      let t = isContact ? biases[o + 2] : 0;
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

  solveLinear(change: Float64Array, B: Float64Array): boolean {
    const { blocks, from, end, firstV, n, parents, matrix } = this;
    const { kinds, sides, lists, J } = this.set;
    const { rows } = newton;
    const isSymmetric = newton.isSymmetric;
    matrix.fill(0, 0, n * n);
    for (let k = 0; k < n; k++) matrix[k * n + k] = 1;
    for (let i = from; i < end; i++) {
      const b = blocks[i];
      const o = 3 * rows[i - from];
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
          if (isSymmetric) {
            // All three rows alike: nothing slides.
            const dx = b0 * x;
            const dy = b0 * y;
            const dt = b0 * t;
            for (let c = 0; c <= k; c++)
              matrix[row + lists[list + c]] += dx * J[at + c] + dy * J[second + c] + dt * J[third + c];
            continue;
          }
          const dx = b0 * x + B[o + 3] * y + B[o + 6] * t;
          const dy = B[o + 1] * x + B[o + 4] * y + B[o + 7] * t;
          const dt = B[o + 2] * x + B[o + 5] * y + B[o + 8] * t;
          for (let c = 0; c < count; c++)
            matrix[row + lists[list + c]] += dx * J[at + c] + dy * J[second + c] + dt * J[third + c];
        }
        if (kinds[b] !== CONTACT && !isSymmetric)
          for (let k = 0; k < count; k++)
            for (let c = k + 1; c < count; c++)
              matrix[(lists[list + k] - firstV) * n + lists[list + c] - firstV] += b0 * J[at + k] * J[at + c];
      }
    }
    return isSymmetric
      ? solveSymmetricAlongTree(matrix, change, n, parents)
      : solveAlongTree(matrix, change, n, parents);
  }
}

const space = new RobotSpace();

/** `parents` where every row's velocities are one chain of the tree, else those of a chain of all n velocities. */
export function parentsOf(
  { sides, lists }: ConstraintSet,
  blocks: Int32Array,
  from: number,
  end: number,
  firstV: number,
  n: number,
  parents: Int32Array,
): Int32Array {
  for (let i = from; i < end; i++)
    for (let s = 2 * SIDE * blocks[i]; s < 2 * SIDE * (blocks[i] + 1); s += SIDE) {
      const list = sides[s + 4];
      for (let k = sides[s + 2] - 1; k >= 0; k--)
        if (parents[lists[list + k] - firstV] !== (k > 0 ? lists[list + k - 1] - firstV : -1)) {
          if (dense.length < n) dense = Int32Array.from({ length: 2 * n }, (_, j) => j - 1);
          return dense;
        }
    }
  return parents;
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
  options: NewtonOptions,
  pyramidal: boolean,
  result: ProximalResult,
): boolean {
  space.reserve(n);
  space.set = set;
  space.blocks = blocks;
  space.from = from;
  space.end = end;
  space.firstV = firstV;
  space.n = n;
  space.parents = parentsOf(set, blocks, from, end, firstV, n, parents);
  for (let k = 0; k < n; k++) space.u0[k] = V[firstV + k];
  newton.reserve(end - from, 3 * (end - from), n);
  newton.pyramidal = pyramidal;
  let row = 0;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = set.rows[b];
    const count = set.kinds[b] === CONTACT ? 3 : 1;
    newton.kinds[i - from] = set.kinds[b];
    newton.rows[i - from] = row;
    newton.frictions[i - from] = set.frictions[b];
    newton.scales[i - from] = meanDiagonalOf(set, b);
    for (let k = 0; k < count; k++) {
      newton.lower[row + k] = set.lower[r + k];
      newton.upper[row + k] = set.upper[r + k];
      newton.f[row + k] = set.impulses[r + k];
    }
    row += count;
  }
  newton.rowCount = row;
  const isSolved = newton.solve(space, options, result);
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = set.rows[b];
    const own = newton.rows[i - from];
    for (let k = 0; k < (set.kinds[b] === CONTACT ? 3 : 1); k++) set.impulses[r + k] = newton.best[own + k];
  }
  if (isSolved) for (let k = 0; k < n; k++) V[firstV + k] = newton.u[k];
  return isSolved;
}
