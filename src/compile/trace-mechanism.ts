/**
 * A Model as expressions: what every traced algorithm starts from.
 *
 * Method: each joint's placement on its parent is a position and a product of rotations (see vector-expressions.ts) whose
 * constants are the model's numbers. Joints with an oblique axis get a frame of the trace's own, turned so that the axis is
 * z: their motion subspaces then have one non-zero entry and their rotations are plane turns; only results that name the
 * model's frames turn back. A joint along a negative axis turns by the opposite angle.
 * Frames: P the parent's traced frame, M the joint's traced frame, J the model's joint frame, fixed to M.
 * Fails: a joint kind that the compiler does not know throws and names the joint.
 * Tested by compile-model.test.ts (against the generic algorithms on random trees of every joint type).
 */

import { multiplyMat3, transposeMat3 } from '../math/mat3.js';
import { MisuseError } from '../math/misuse.js';
import { multiplyTransform } from '../math/transform.js';
import { crossVec3, normalizeVec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { Expression, ExpressionGraph } from './expression-graph.js';
import type { CellLayout } from './layout.js';
import { type Stage, type Vector, VectorExpressions } from './vector-expressions.js';

/** A column of the motion subspace, [linear, angular] in M, and the velocity that drives it. */
export interface TracedColumn {
  readonly subspace: readonly number[];
  readonly velocity: number;
}

export interface TracedJoint {
  readonly parent: number;
  /** p_PM in P. */
  readonly position: Vector;
  /** R_PM */
  readonly rotation: readonly Stage[];
  readonly columns: readonly TracedColumn[];
  /** R_MJ; null where M and J are one. */
  readonly toModel: Float64Array | null;
  readonly mass: number;
  /** m c and the inertia about the origin of M [xx, xy, xz, yy, yz, zz], in M. */
  readonly moment: readonly [number, number, number];
  readonly inertia: readonly number[];
}

export interface MechanismOptions {
  /** Entries of placements this near to 0 or +-1 count as such. */
  readonly snap: number;
  /** Where the base stands and which way gravity pulls are read from memory instead of being constants. */
  readonly movable: boolean;
  readonly gravity: ArrayLike<number>;
}

export class Mechanism {
  readonly vectors: VectorExpressions;
  /** Entry 0, the base, is not used. */
  readonly joints: readonly TracedJoint[];

  constructor(
    readonly graph: ExpressionGraph,
    readonly model: Model,
    readonly layout: CellLayout,
    readonly options: MechanismOptions,
  ) {
    this.vectors = new VectorExpressions(graph);
    const joints: TracedJoint[] = [];
    for (let j = 0; j < model.jointCount; j++) joints.push(this.#traceJoint(j, joints));
    this.joints = joints;
  }

  /** X_WB: row-major rotation and position. */
  traceBase(): { readonly rotation: Expression[]; readonly position: Vector } {
    const { movable } = this.options;
    const entry = (i: number): Expression =>
      movable
        ? this.graph.input(this.layout.placements.start + i)
        : this.graph.constant(snapNumber(this.model.basePlacement[i], this.options.snap));
    return {
      rotation: [0, 1, 2, 3, 4, 5, 6, 7, 8].map(entry),
      position: [entry(9), entry(10), entry(11)],
    };
  }

  /** Acceleration of the base against gravity in the base's axes, -R_WB^T g, which makes gravity act on every body. */
  traceBaseAcceleration(): Vector {
    const { movable, gravity } = this.options;
    const g: Vector = movable
      ? ([0, 1, 2].map((i) => this.graph.input(this.layout.gravity.start + i)) as unknown as Vector)
      : this.vectors.vector(gravity);
    const turned = this.vectors.multiplyTransposed(this.traceBase().rotation, g);
    return turned.map((x) => this.graph.negate(x)) as unknown as Vector;
  }

  velocity(column: TracedColumn): Expression {
    return this.graph.input(this.layout.v.start + column.velocity);
  }

  acceleration(column: TracedColumn): Expression {
    return this.graph.input(this.layout.a.start + column.velocity);
  }

  /** Sum of the columns' linear (from = 0) or angular (from = 3) parts, each times its factor. */
  combine(columns: readonly TracedColumn[], factors: readonly Expression[], from: 0 | 3): Vector {
    let sum = this.vectors.vector([0, 0, 0]);
    columns.forEach((column, i) => {
      sum = this.vectors.add(sum, this.vectors.scale(this.vectors.vector(column.subspace, from), factors[i]));
    });
    return sum;
  }

  /** S . (linear, angular) */
  project(column: TracedColumn, linear: Vector, angular: Vector): Expression {
    return this.vectors.dot(this.vectors.constants(column.subspace), [...linear, ...angular]);
  }

  /** The external force on body j, [force, moment] in the axes of M at its origin. */
  externalForce(j: number): { readonly force: Vector; readonly moment: Vector } {
    const cell = this.layout.forces.start + 6 * j;
    const input = (i: number) => this.graph.input(cell + i);
    const R = this.joints[j].toModel;
    const turn = (v: Vector): Vector => (R === null ? v : this.vectors.multiplyMatrix(this.vectors.constants(R), v));
    return { force: turn([input(0), input(1), input(2)]), moment: turn([input(3), input(4), input(5)]) };
  }

  /**
   * Values of the angles, sines and cosines that the rest of the trace reads, as far as they come from coordinates alone:
   * [cell, value].
   */
  traceAngles(): [number, Expression][] {
    const { model, layout, graph } = this;
    const outputs: [number, Expression][] = [];
    for (let j = 1; j < model.jointCount; j++) {
      const turn = layout.turns[j];
      if (turn < 0) continue;
      if (turn < layout.angles.count) {
        outputs.push([layout.angles.start + turn, this.#coordinate(j)]);
        continue;
      }
      const at = layout.q.start + model.idxQ[j] + model.jointKinds[j]!.shiftCoordinates;
      const c = graph.input(at);
      const s = graph.input(at + 1);
      const n = graph.squareRoot(graph.add(graph.multiply(c, c), graph.multiply(s, s)));
      outputs.push([layout.cosines.start + turn, graph.selectPositive(n, graph.divide(c, n), graph.constant(1))]);
      outputs.push([layout.sines.start + turn, graph.selectPositive(n, graph.divide(s, n), graph.constant(0))]);
    }
    return outputs;
  }

  /** The one coordinate of a joint, of its driver when it mimics. */
  #coordinate(j: number): Expression {
    const { model, graph } = this;
    const own = graph.input(this.layout.q.start + model.idxQ[j]);
    if (model.mimicDrivers[j] === 0) return own;
    const scaled = graph.multiply(graph.constant(model.mimicMultipliers[j]), own);
    return graph.add(scaled, graph.constant(model.mimicOffsets[j]));
  }

  #traceJoint(j: number, joints: readonly TracedJoint[]): TracedJoint {
    const { model } = this;
    const parent = model.parents[j];
    const C = j === 0 ? null : this.#selectFrame(j);
    const placement = Float64Array.from(model.placements.subarray(12 * j, 12 * j + 12));
    const parentFrame = j === 0 ? null : joints[parent].toModel;
    if (parentFrame !== null) {
      const turn = new Float64Array(12);
      turn.set(parentFrame);
      multiplyTransform(placement, turn, placement);
    }
    const body = readBody(model, j, C);
    const toModel = C === null ? null : transposeMat3(new Float64Array(9), C);
    if (j === 0) {
      return { parent, position: this.vectors.vector([0, 0, 0]), rotation: [], columns: [], toModel, ...body };
    }
    // R_PJ as the model has it, then C so that the stages end in M.
    const R = Float64Array.from(placement.subarray(0, 9));
    if (C !== null) multiplyMat3(R, R, C);
    for (let i = 0; i < 9; i++) R[i] = snapNumber(R[i], this.options.snap);
    const p = Array.from(placement.subarray(9), (x) => snapNumber(x, this.options.snap));
    const { turn, shift } = this.#traceMotion(j, C);
    const rotation = this.#joinRotation(R, turn);
    const constantRotation: Stage[] = [{ kind: 'matrix', entries: this.vectors.constants(R) }];
    const position = this.vectors.add(this.vectors.vector(p), this.vectors.rotate(constantRotation, shift));
    return { parent, position, rotation, columns: this.#readColumns(j, C), toModel, ...body };
  }

  /** R_JM; null where M is J: along coordinate axes, and for kinds without an axis. */
  #selectFrame(j: number): Float64Array | null {
    const { model } = this;
    const { usesAxis, group } = model.jointKinds[j]!;
    if (!usesAxis) return null;
    const isPlane = group === 'plane';
    const axis = model.axes.subarray(3 * j, 3 * j + 3);
    if (!isPlane && Array.from(axis).filter((x) => x !== 0).length === 1) return null;
    if (isPlane && axis[2] === 1) return null;
    const C = new Float64Array(9);
    if (isPlane) {
      // The joint's own basis of its plane: its columns are the columns of the motion subspace.
      for (let i = 0; i < 3; i++) {
        C[3 * i] = model.motionSubspaces[6 * model.idxV[j] + i];
        C[3 * i + 1] = model.motionSubspaces[6 * (model.idxV[j] + 1) + i];
        C[3 * i + 2] = axis[i];
      }
      return C;
    }
    const k = axis.reduce((least, x, i) => (Math.abs(x) < Math.abs(axis[least]) ? i : least), 0);
    const side = crossVec3([0, 0, 0], axis, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]);
    normalizeVec3(side, side);
    const other = crossVec3([0, 0, 0], axis, side);
    for (let i = 0; i < 3; i++) C.set([side[i], other[i], axis[i]], 3 * i);
    return C;
  }

  #readColumns(j: number, C: Float64Array | null): TracedColumn[] {
    const { model } = this;
    const mimics = model.mimicDrivers[j] > 0;
    const from = mimics ? model.mimicSubspaces : model.motionSubspaces;
    const count = mimics ? 1 : model.nvs[j];
    return Array.from({ length: count }, (_, i) => {
      const at = mimics ? 6 * j : 6 * (model.idxV[j] + i);
      const subspace = Array.from(from.subarray(at, at + 6));
      return { subspace: C === null ? subspace : turnSubspace(C, subspace), velocity: model.idxV[j] + i };
    });
  }

  /** The joint's own rotation, a turn about z of M where C is given, and its shift in M's axes at q = 0. */
  #traceMotion(j: number, C: Float64Array | null): { readonly turn: Stage | null; readonly shift: Vector } {
    const { model, graph, layout } = this;
    const { name } = model.jointKinds[j]!;
    const zero = this.vectors.vector([0, 0, 0]);
    const qAt = layout.q.start + model.idxQ[j];
    const axis = model.axes.subarray(3 * j, 3 * j + 3);
    const k = C === null ? axis.findIndex((x) => x !== 0) : 2;
    const sign = C === null ? axis[k] : 1;
    const along = (value: Expression): Vector => {
      const shift: [Expression, Expression, Expression] = [zero[0], zero[1], zero[2]];
      shift[k] = sign < 0 ? graph.negate(value) : value;
      return shift;
    };
    const turnAbout = (): Stage => {
      const sine = graph.input(layout.sines.start + layout.turns[j]);
      const cosine = graph.input(layout.cosines.start + layout.turns[j]);
      return { kind: 'turn', axis: k, cosine, sine: sign < 0 ? graph.negate(sine) : sine };
    };
    switch (name) {
      case 'revolute':
      case 'continuous':
      case 'continuous-cos-sin':
        return { turn: turnAbout(), shift: zero };
      case 'helical':
        return {
          turn: turnAbout(),
          shift: along(graph.multiply(graph.constant(readPitch(model, j)), this.#coordinate(j))),
        };
      case 'prismatic':
        return { turn: null, shift: along(this.#coordinate(j)) };
      case 'planar':
        return { turn: turnAbout(), shift: [graph.input(qAt), graph.input(qAt + 1), zero[2]] };
      case 'floating':
        return {
          turn: this.#traceQuaternion(qAt + 3),
          shift: [graph.input(qAt), graph.input(qAt + 1), graph.input(qAt + 2)],
        };
      case 'spherical':
        return { turn: this.#traceQuaternion(qAt), shift: zero };
      default:
        // A Model has the parts of composites as joints of their own.
        throw new MisuseError(
          `compileModel: joint "${model.jointNames[j]}" of robot "${model.name}", got kind ${name}, expected the kind of a part`,
        );
    }
  }

  /** Rotation of a quaternion of any non-zero length; zero gives the identity, as the joint kinds have it. */
  #traceQuaternion(cell: number): Stage {
    const g = this.graph;
    const [x, y, z, w] = [0, 1, 2, 3].map((i) => g.input(cell + i));
    const square = (a: Expression) => g.multiply(a, a);
    const n = g.add(g.add(g.add(square(x), square(y)), square(z)), square(w));
    const s = g.selectPositive(n, g.divide(g.constant(2), n), g.constant(0));
    const twice = (a: Expression, b: Expression) => g.multiply(s, g.multiply(a, b));
    const one = g.constant(1);
    const diagonal = (a: Expression, b: Expression) => g.subtract(one, g.multiply(s, g.add(square(a), square(b))));
    return {
      kind: 'matrix',
      entries: [
        diagonal(y, z),
        g.subtract(twice(x, y), twice(z, w)),
        g.add(twice(x, z), twice(y, w)),
        g.add(twice(x, y), twice(z, w)),
        diagonal(x, z),
        g.subtract(twice(y, z), twice(x, w)),
        g.subtract(twice(x, z), twice(y, w)),
        g.add(twice(y, z), twice(x, w)),
        diagonal(x, y),
      ],
    };
  }

  /**
   * R_PM as the cheapest stages: nothing for an identity, a turn where the constant is one, a sparse matrix (axes that
   * change places) by itself, and a full constant multiplied into the joint's turn.
   */
  #joinRotation(R: Float64Array, turn: Stage | null): Stage[] {
    const own = turn === null ? [] : [turn];
    if (R.every((x, i) => x === (i % 4 === 0 ? 1 : 0))) return own;
    for (let k = 0; k < 3; k++) {
      const a = (k + 1) % 3;
      const b = (k + 2) % 3;
      const isTurn =
        R[4 * k] === 1 && R[3 * k + a] === 0 && R[3 * k + b] === 0 && R[3 * a + k] === 0 && R[3 * b + k] === 0;
      if (!isTurn || R[4 * a] !== R[4 * b] || R[3 * a + b] !== -R[3 * b + a]) continue;
      const cosine = this.graph.constant(R[4 * a]);
      return [{ kind: 'turn', axis: k, cosine, sine: this.graph.constant(R[3 * b + a]) }, ...own];
    }
    const entries = this.vectors.constants(R);
    const isFull = entries.filter((x) => !this.graph.isZero(x)).length > 5;
    if (!isFull || turn === null) return [{ kind: 'matrix', entries }, ...own];
    if (turn.kind === 'matrix') {
      return [{ kind: 'matrix', entries: this.vectors.multiplyMatrices(entries, turn.entries) }];
    }
    return [{ kind: 'matrix', entries: this.vectors.rotateRows(entries, [turn]) }];
  }
}

/** Metres per radian of a helical joint, from the linear part of its motion subspace; a mimicking one's is scaled. */
function readPitch(model: Model, j: number): number {
  const mimics = model.mimicDrivers[j] > 0;
  const S = mimics ? model.mimicSubspaces : model.motionSubspaces;
  const at = 6 * (mimics ? j : model.idxV[j]);
  let along = 0;
  for (let i = 0; i < 3; i++) along += model.axes[3 * j + i] * S[at + i];
  return mimics ? along / model.mimicMultipliers[j] : along;
}

/** Mass, first moment and inertia about the origin, in M. */
function readBody(model: Model, j: number, C: Float64Array | null): Pick<TracedJoint, 'mass' | 'moment' | 'inertia'> {
  const mass = model.masses[j];
  let center = Array.from(model.centersOfMass.subarray(3 * j, 3 * j + 3));
  const about = Float64Array.from(model.inertias.subarray(9 * j, 9 * j + 9));
  if (C !== null) {
    center = turnBack(C, center);
    const CT = transposeMat3(new Float64Array(9), C);
    multiplyMat3(about, multiplyMat3(new Float64Array(9), CT, about), C);
  }
  const [x, y, z] = center;
  const inertia = [
    about[0] + mass * (y * y + z * z),
    about[1] - mass * x * y,
    about[2] - mass * x * z,
    about[4] + mass * (x * x + z * z),
    about[5] - mass * y * z,
    about[8] + mass * (x * x + y * y),
  ];
  return { mass, moment: [mass * x, mass * y, mass * z], inertia };
}

/** C^T v */
function turnBack(C: Float64Array, v: readonly number[]): number[] {
  return [0, 1, 2].map((c) => C[c] * v[0] + C[3 + c] * v[1] + C[6 + c] * v[2]);
}

/** A column of the subspace in M: along one of M's axes, where rounding left ends of other entries. */
function turnSubspace(C: Float64Array, subspace: readonly number[]): number[] {
  const turned = [...turnBack(C, subspace.slice(0, 3)), ...turnBack(C, subspace.slice(3))];
  return turned.map((x) => snapNumber(x, 4 * Number.EPSILON));
}

/** 0, 1 or -1 for numbers at most `snap` away, others as they are. */
function snapNumber(x: number, snap: number): number {
  const nearest = Math.round(x);
  return Math.abs(nearest) <= 1 && Math.abs(x - nearest) <= snap ? nearest + 0 : x;
}
