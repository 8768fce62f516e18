/**
 * The velocities of a robot in which its mass matrix is 1, and rows of Jacobians in them.
 *
 * Method: M = L^T D L with the sparsity of the tree (factorize-inertia.ts); u = D^1/2 L v has v M v = u u, and a row j of a Jacobian
 * becomes j L^-1 D^-1/2, which has entries where j has them and between those and the root, nowhere else: a branch. Products
 * J M^-1 J^T are then products of such rows, over what both branches share, and no row is ever as long as the robot has velocities.
 * Source: Featherstone 2010, "Exploiting sparsity in operational-space dynamics", doi:10.1177/0278364909357644.
 * Shapes: rows of a branch have its `velocities.length` numbers. Cost: depth^2 / 2 per row. Mimic joints couple branches: then a branch
 * is everything before its last velocity. Tested by robot-branches.test.ts.
 */
import type { DynamicsData } from '../dynamics/dynamics-data.js';
import type { Model } from '../model/model.js';

export interface Branch {
  /** Velocities of the robot, ascending, with all that support them. */
  readonly velocities: Int32Array;
  /** Per velocity of the robot: its place in `velocities`. */
  readonly places: Int32Array;
  /** The same as runs of velocities that follow each other: first, count. */
  readonly runs: Int32Array;
  /** Whether it is one chain: all before a velocity support it. */
  readonly isChain: boolean;
  /** Start of its list in the simulation's constraint set; -1 until it is asked for. */
  list: number;
}

/** Of M = L^T D L: D on the diagonal, L below it, and the roots of D. */
interface Factors {
  readonly factors: Float64Array;
  readonly roots: Float64Array;
}

const NONE: Factors = { factors: new Float64Array(0), roots: new Float64Array(0) };

export class RobotBranches {
  /** Whether the step has rows of this robot and its velocities are scaled for them; else they stay as they are, to the bit. */
  isInUse = false;
  private readonly ofJoints: (Branch | undefined)[];
  private readonly ofVelocities: (Branch | undefined)[];
  private isSingular = false;
  private source: Factors = NONE;

  constructor(
    private readonly model: Model,
    private readonly data: DynamicsData,
  ) {
    this.ofJoints = new Array<Branch | undefined>(model.jointCount * model.jointCount).fill(undefined);
    this.ofVelocities = new Array<Branch | undefined>(model.nv).fill(undefined);
  }

  /** What moves either of two joints. */
  of(a: number, b: number): Branch {
    const { jointCount } = this.model;
    const key = a * jointCount + b;
    const found = this.ofJoints[key];
    if (found) return found;
    const marks = new Uint8Array(this.model.nv);
    this.markSupport(marks, a);
    this.markSupport(marks, b);
    const made = this.make(marks);
    this.ofJoints[key] = made;
    return made;
  }

  /** What supports a velocity, and itself. */
  to(velocity: number): Branch {
    const found = this.ofVelocities[velocity];
    if (found) return found;
    const marks = new Uint8Array(this.model.nv);
    marks[velocity] = 1;
    const made = this.make(marks);
    this.ofVelocities[velocity] = made;
    return made;
  }

  private markSupport(marks: Uint8Array, joint: number): void {
    const { columnStarts, columnVelocities } = this.data;
    const support = joint > 0 ? this.model.supports[joint] : [];
    for (let i = 0; i < support.length; i++)
      for (let c = columnStarts[support[i]]; c < columnStarts[support[i] + 1]; c++) marks[columnVelocities[c]] = 1;
  }

  private make(marks: Uint8Array): Branch {
    const { factorParents } = this.data;
    for (let k = marks.length - 1; k >= 0; k--)
      if (marks[k] === 1 && factorParents[k] >= 0) marks[factorParents[k]] = 1;
    const list: number[] = [];
    const runs: number[] = [];
    const places = new Int32Array(marks.length).fill(-1);
    let isChain = true;
    for (let k = 0; k < marks.length; k++) {
      if (marks[k] === 0) continue;
      if (factorParents[k] !== (list.length > 0 ? list[list.length - 1] : -1)) isChain = false;
      places[k] = list.length;
      if (list[list.length - 1] === k - 1) runs[runs.length - 1]++;
      else runs.push(k, 1);
      list.push(k);
    }
    return { velocities: Int32Array.from(list), runs: Int32Array.from(runs), places, isChain, list: -1 };
  }

  /** Takes the factors of a step: those of M, and whether they are of any use. */
  load(source: Factors, isSingular: boolean): void {
    this.source = source;
    this.isSingular = isSingular;
    this.isInUse = false;
  }

  /** Rows of J at `start`, in place, and a copy in Y. Rows of a singular robot become 0: nothing can be said of it. */
  scaleRows(
    J: Float64Array,
    Y: Float64Array,
    start: number,
    rows: number,
    { velocities, places, isChain }: Branch,
  ): void {
    const { source, data, isSingular } = this;
    const { factors: L, roots } = source;
    const n = this.model.nv;
    const count = velocities.length;
    const end = start + rows * count;
    if (isSingular) {
      J.fill(0, start, end);
      Y.fill(0, start, end);
      return;
    }
    const parents = data.factorParents;
    for (let i = count - 1; i >= 0; i--) {
      const k = velocities[i];
      const row = k * n;
      if (rows === 3) {
        const x = J[start + i];
        const y = J[start + count + i];
        const z = J[start + 2 * count + i];
        if (x === 0 && y === 0 && z === 0) continue;
        if (isChain)
          for (let p = 0; p < i; p++) {
            const l = L[row + velocities[p]];
            const to = start + p;
            J[to] -= l * x;
            J[to + count] -= l * y;
            J[to + 2 * count] -= l * z;
          }
        else
          for (let j = parents[k]; j >= 0; j = parents[j]) {
            const l = L[row + j];
            const to = start + places[j];
            J[to] -= l * x;
            J[to + count] -= l * y;
            J[to + 2 * count] -= l * z;
          }
        continue;
      }
      for (let r = start; r < end; r += count) {
        const x = J[r + i];
        if (x !== 0) for (let j = parents[k]; j >= 0; j = parents[j]) J[r + places[j]] -= L[row + j] * x;
      }
    }
    for (let i = 0; i < count; i++) {
      const inverse = 1 / roots[velocities[i]];
      for (let at = start + i; at < end; at += count) {
        const x = J[at] * inverse;
        J[at] = x;
        Y[at] = x;
      }
    }
  }

  /** u = D^1/2 L v, in place at V[first ..]. */
  toScaled(V: Float64Array, first: number): void {
    if (this.isSingular) return;
    const { source, data } = this;
    const { factors: L, roots } = source;
    const n = this.model.nv;
    const parents = data.factorParents;
    for (let i = n - 1; i >= 0; i--) {
      let sum = V[first + i];
      for (let j = parents[i]; j >= 0; j = parents[j]) sum += L[i * n + j] * V[first + j];
      V[first + i] = roots[i] * sum;
    }
  }

  /** v = L^-1 D^-1/2 u, in place. */
  fromScaled(V: Float64Array, first: number): void {
    if (this.isSingular) return;
    const { source, data } = this;
    const { factors: L, roots } = source;
    const n = this.model.nv;
    const parents = data.factorParents;
    for (let i = 0; i < n; i++) {
      let sum = V[first + i] / roots[i];
      for (let j = parents[i]; j >= 0; j = parents[j]) sum -= L[i * n + j] * V[first + j];
      V[first + i] = sum;
    }
  }
}
