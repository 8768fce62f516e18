/**
 * Derivatives of RNEA as expressions: straight-line code where joints follow each other, bodies of loops where every body, or every
 * column of a motion subspace, takes the same steps; emit-derivatives.ts joins them.
 *
 * Method: the one of dynamics/derivative-terms.ts, in the axes of the base at the origin of the first joint, with its letters:
 * V, A, S, P, R, Q, E, D_q, D_v, D_a, B_t.
 * Source: Singh, Russell, Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra",
 * doi:10.1109/LRA.2022.3141194.
 * Tested by compiled-derivatives.test.ts and test/oracle/compiled-derivatives.test.ts.
 */
import type { ResolvedOptions } from './compile-options.js';
import type { Expression } from './expression-graph.js';
import type { CellRange, DerivativeCells } from './layout.js';
import type { Output } from './program.js';
import type { Mechanism } from './trace-mechanism.js';
import { traceFriction } from './trace-rnea.js';
import type { Vector } from './vector-expressions.js';

/** Linear and angular part. */
export interface Spatial {
  readonly linear: Vector;
  readonly angular: Vector;
}

/** Arrays of bodies and columns as expressions and outputs. */
export class DerivativeArrays {
  constructor(
    readonly mechanism: Mechanism,
    readonly cells: DerivativeCells,
  ) {}

  readBody(range: CellRange, j: number, from: number, count: number): Expression[] {
    return this.#read(range, this.cells.bodyStride, j - 1, from, count);
  }

  readColumn(range: CellRange, c: number, from: number, count: number): Expression[] {
    return this.#read(range, this.cells.columnStride, c, from, count);
  }

  vectorOfColumn(range: CellRange, c: number, from = 0): Vector {
    return this.readColumn(range, c, from, 3) as unknown as Vector;
  }

  spatialOfColumn(range: CellRange, c: number, from = 0): Spatial {
    return { linear: this.vectorOfColumn(range, c, from), angular: this.vectorOfColumn(range, c, from + 3) };
  }

  vectorOfBody(range: CellRange, j: number, from = 0): Vector {
    return this.readBody(range, j, from, 3) as unknown as Vector;
  }

  writeBody(range: CellRange, j: number, values: readonly Expression[], from = 0): Output[] {
    const { bodyStride } = this.cells;
    return values.map((value, k) => ({ cell: range.start + (from + k) * bodyStride + j - 1, value }));
  }

  writeColumn(range: CellRange, c: number, values: readonly Expression[], from = 0): Output[] {
    const { columnStride } = this.cells;
    return values.map((value, k) => ({ cell: range.start + (from + k) * columnStride + c, value }));
  }

  #read(range: CellRange, stride: number, at: number, from: number, count: number): Expression[] {
    const { graph } = this.mechanism;
    return Array.from({ length: count }, (_, k) => graph.input(range.start + (from + k) * stride + at));
  }
}

export const list = ({ linear, angular }: Spatial): Expression[] => [...linear, ...angular];

/** Where joints and columns are and how they move; accelerations only `withAccelerations`, from the argument a. */
export function traceAlignedMotion(arrays: DerivativeArrays, withAccelerations: boolean): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph, joints } = mechanism;
  const zero = vectors.vector([0, 0, 0]);
  const still: Spatial = { linear: zero, angular: zero };
  const rotations: Expression[][] = [vectors.constants([1, 0, 0, 0, 1, 0, 0, 0, 1])];
  const positions: Vector[] = [zero];
  const V: Spatial[] = [still];
  const A: Spatial[] = [{ linear: mechanism.traceBaseAcceleration(), angular: zero }];
  const outputs: Output[] = [];
  for (let j = 1; j < joints.length; j++) {
    const { parent, position, rotation, columns } = joints[j];
    rotations.push(vectors.rotateRows(rotations[parent], rotation));
    // Joint 1 stands at the origin.
    const origin = parent === 0 ? vectors.add(position, scaleBy(arrays, joints[1].position, -1)) : position;
    positions.push(j === 1 ? zero : vectors.add(vectors.multiplyMatrix(rotations[parent], origin), positions[parent]));
    outputs.push(...arrays.writeBody(cells.placements, j, [...rotations[j], ...positions[j]]));
    let velocity = V[parent];
    let acceleration = A[parent];
    const own = columns.map(({ subspace, velocity: c }) => {
      const angular = vectors.multiplyMatrix(rotations[j], vectors.vector(subspace, 3));
      const along = vectors.multiplyMatrix(rotations[j], vectors.vector(subspace));
      const S = { linear: vectors.add(along, vectors.cross(positions[j], angular)), angular };
      const P = crossMotion(arrays, V[parent], S);
      const rate = graph.input(mechanism.layout.v.start + c);
      velocity = addScaled(arrays, velocity, S, rate);
      if (withAccelerations) {
        const gain = graph.input(mechanism.layout.a.start + c);
        acceleration = addScaled(arrays, addScaled(arrays, acceleration, S, gain), P, rate);
      }
      return { c, S, P };
    });
    for (const { c, S, P } of own) {
      const two = graph.constant(2);
      const Q =
        own.length === 1
          ? { linear: vectors.scale(P.linear, two), angular: vectors.scale(P.angular, two) }
          : addSpatial(arrays, P, crossMotion(arrays, velocity, S));
      outputs.push(
        ...arrays.writeColumn(cells.subspaces, c, list(S)),
        ...arrays.writeColumn(cells.P, c, list(P)),
        ...arrays.writeColumn(cells.Q, c, list(Q)),
        ...arrays.writeColumn(cells.parentVelocities, c, list(V[parent])),
      );
      if (withAccelerations) outputs.push(...arrays.writeColumn(cells.parentAccelerations, c, list(A[parent])));
    }
    V.push(velocity);
    A.push(acceleration);
    outputs.push(...arrays.writeBody(cells.velocities, j, list(velocity)));
    if (withAccelerations) outputs.push(...arrays.writeBody(cells.accelerations, j, list(acceleration)));
  }
  return outputs;
}

/** Of one body: first moment and inertia about the origin, momentum, E, and the force its motion takes. The loop's body. */
export function traceBody(arrays: DerivativeArrays, constants: number, withAccelerations: boolean): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g } = mechanism;
  const constant = (k: number) => g.input(constants + k * cells.bodyStride);
  const R = arrays.readBody(cells.placements, 1, 0, 9);
  const p = arrays.vectorOfBody(cells.placements, 1, 9);
  const m = constant(0);
  // Parallel axes as in aligned.ts: g = R (m c), k = g + m p.
  const moment = vectors.multiplyMatrix(R, [constant(1), constant(2), constant(3)]);
  const h = vectors.add(moment, vectors.scale(p, m));
  const own = [4, 5, 6, 7, 8, 9].map(constant);
  const turned = vectors.rotateSymmetric([{ kind: 'matrix', entries: R }], own);
  const [x, y, z] = [0, 1, 2].map((i) => g.multiply(p[i], g.add(moment[i], h[i])));
  const off = (i: number, k: number) => g.negate(g.add(g.multiply(moment[i], p[k]), g.multiply(p[i], h[k])));
  const I = vectors.addAll(turned, [g.add(y, z), off(0, 1), off(0, 2), g.add(x, z), off(1, 2), g.add(x, y)]);
  const v = arrays.vectorOfBody(cells.velocities, 1);
  const w = arrays.vectorOfBody(cells.velocities, 1, 3);
  const momentum = vectors.add(vectors.scale(v, m), vectors.cross(w, h));
  const l = vectors.add(vectors.multiplySymmetric(I, w), vectors.cross(h, v));
  let force = vectors.cross(w, momentum);
  let torque = vectors.add(vectors.cross(w, l), vectors.cross(v, momentum));
  if (withAccelerations) {
    const body = { m, h, I };
    const acceleration = {
      linear: arrays.vectorOfBody(cells.accelerations, 1),
      angular: arrays.vectorOfBody(cells.accelerations, 1, 3),
    };
    const inertial = multiplyInertia(arrays, body, acceleration);
    force = vectors.add(force, inertial.linear);
    torque = vectors.add(torque, inertial.angular);
  }
  return [
    ...arrays.writeBody(cells.moments, 1, [...h, ...I]),
    ...arrays.writeBody(cells.momenta, 1, momentum),
    ...arrays.writeBody(cells.rates, 1, traceRates(arrays, I, h, v, w, l)),
    ...arrays.writeBody(cells.forces, 1, [...force, ...torque]),
  ];
}

/** E = 2 (v . h) 1 - h v^T - v h^T + hat(w) I - I hat(w) - hat(l), row-major. */
function traceRates(
  { mechanism }: DerivativeArrays,
  I: readonly Expression[],
  h: Vector,
  v: Vector,
  w: Vector,
  l: Vector,
): Expression[] {
  const { graph: g } = mechanism;
  const [xx, xy, xz, yy, yz, zz] = I;
  const two = g.constant(2);
  const product = [0, 1, 2].map((i) => g.multiply(v[i], h[i]));
  const turn = (a: Expression, b: Expression, c: Expression, d: Expression) =>
    g.subtract(g.multiply(a, b), g.multiply(c, d));
  const diagonal = (a: Expression, b: Expression, t: Expression) => g.multiply(two, g.add(g.add(a, b), t));
  const mixed = (i: number, k: number) => g.add(g.multiply(h[i], v[k]), g.multiply(h[k], v[i]));
  const off = (a: Expression, b: Expression, m: Expression) => g.subtract(g.add(a, b), m);
  const sxy = off(turn(w[1], yz, w[2], yy), turn(w[2], xx, w[0], xz), mixed(0, 1));
  const sxz = off(turn(w[1], zz, w[2], yz), turn(w[0], xy, w[1], xx), mixed(0, 2));
  const syz = off(turn(w[2], xz, w[0], zz), turn(w[0], yy, w[1], xy), mixed(1, 2));
  return [
    diagonal(product[1], product[2], turn(w[1], xz, w[2], xy)),
    g.add(sxy, l[2]),
    g.subtract(sxz, l[1]),
    g.subtract(sxy, l[2]),
    diagonal(product[0], product[2], turn(w[2], xy, w[0], yz)),
    g.add(syz, l[0]),
    g.add(sxz, l[1]),
    g.subtract(syz, l[0]),
    diagonal(product[0], product[1], turn(w[0], yz, w[1], xz)),
  ];
}

/** Sums over subtrees, written once for each column of the joint that carries it. */
export function traceComposites(arrays: DerivativeArrays, options: ResolvedOptions): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, joints } = mechanism;
  const sums: Expression[][] = joints.map(() => []);
  const outputs: Output[] = [];
  for (let j = joints.length - 1; j > 0; j--) {
    const force = arrays.readBody(cells.forces, j, 0, 6);
    if (options.externalForces) {
      const outer = alignExternalForce(arrays, j);
      list(outer).forEach((x, i) => {
        force[i] = mechanism.graph.subtract(force[i], x);
      });
    }
    const own = [
      ...arrays.readBody(cells.moments, j, 0, 9),
      ...arrays.readBody(cells.momenta, j, 0, 3),
      ...arrays.readBody(cells.rates, j, 0, 9),
      ...force,
    ];
    const sum = sums[j].length === 0 ? own : vectors.addAll(own, sums[j]);
    const { parent, columns } = joints[j];
    for (const { velocity } of columns) outputs.push(...arrays.writeColumn(cells.composites, velocity, sum));
    if (parent > 0) sums[parent] = sums[parent].length === 0 ? sum : vectors.addAll(sums[parent], sum);
  }
  return outputs;
}

/** The external force on body j, in the common frame. */
export function alignExternalForce(arrays: DerivativeArrays, j: number): Spatial {
  const { mechanism, cells } = arrays;
  const { vectors } = mechanism;
  const { force, moment } = mechanism.externalForce(j);
  const R = arrays.readBody(cells.placements, j, 0, 9);
  const linear = vectors.multiplyMatrix(R, force);
  const position = arrays.vectorOfBody(cells.placements, j, 9);
  return { linear, angular: vectors.add(vectors.multiplyMatrix(R, moment), vectors.cross(position, linear)) };
}

/** R, D_q, D_v, D_a, B_t of one column and its own entries. The loop's body; `masses`: cells of the subtrees' masses. */
export function traceColumn(arrays: DerivativeArrays, masses: number): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g } = mechanism;
  const S = arrays.spatialOfColumn(cells.subspaces, 0);
  const P = arrays.spatialOfColumn(cells.P, 0);
  const Q = arrays.spatialOfColumn(cells.Q, 0);
  const V = arrays.spatialOfColumn(cells.parentVelocities, 0);
  const A = arrays.spatialOfColumn(cells.parentAccelerations, 0);
  const R = addSpatial(arrays, crossMotion(arrays, A, S), crossMotion(arrays, V, P));
  const h = arrays.vectorOfColumn(cells.composites, 0);
  const I = arrays.readColumn(cells.composites, 0, 3, 6);
  const momentum = arrays.vectorOfColumn(cells.composites, 0, 9);
  const E = arrays.readColumn(cells.composites, 0, 12, 9);
  const f = arrays.spatialOfColumn(cells.composites, 0, 21);
  const body = { m: g.input(masses), h, I };
  const twice = vectors.scale(momentum, g.constant(2));
  /** I first + 2B second. */
  const combine = (first: Spatial, second: Spatial): Spatial => {
    const inertial = multiplyInertia(arrays, body, first);
    return {
      linear: vectors.add(inertial.linear, vectors.cross(second.angular, twice)),
      angular: vectors.add(inertial.angular, vectors.multiplyMatrix(E, second.angular)),
    };
  };
  const byRate = combine(Q, S);
  const still = combine(R, P);
  const turned = {
    linear: vectors.cross(S.angular, f.linear),
    angular: vectors.add(vectors.cross(S.angular, f.angular), vectors.cross(S.linear, f.linear)),
  };
  const transposed = vectors.add(vectors.cross(twice, S.linear), vectors.multiplyTransposed(E, S.angular));
  const inertial = multiplyInertia(arrays, body, S);
  const forceRates = [list(addSpatial(arrays, still, turned)), list(byRate), list(inertial), transposed].flat();
  const own = [still, byRate, f].map((force) => vectors.dot(list(S), list(force)));
  return [
    ...arrays.writeColumn(cells.R, 0, list(R)),
    ...arrays.writeColumn(cells.forceRates, 0, forceRates),
    ...arrays.writeColumn(cells.own, 0, own),
  ];
}

/** Entries within joints, and the torques where they are asked for. */
export function traceOwnEntries(arrays: DerivativeArrays, options: ResolvedOptions, withTorques: boolean): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g, joints, model, layout } = mechanism;
  const outputs: Output[] = [];
  for (let j = 1; j < joints.length; j++) {
    for (const { velocity: c } of joints[j].columns) {
      const [byPlace, byRate, torque] = arrays.readColumn(cells.own, c, 0, 3);
      const diagonal = c * model.nv + c;
      outputs.push({ cell: cells.dtauDq.start + diagonal, value: byPlace });
      outputs.push({ cell: cells.dtauDv.start + diagonal, value: g.add(byRate, g.constant(options.damping[c])) });
      if (withTorques) {
        const rotor = g.multiply(g.constant(options.armature[c]), g.input(layout.a.start + c));
        const value = g.add(torque, g.add(rotor, traceFriction(mechanism, c, options)));
        outputs.push({ cell: layout.tau.start + c, value });
      }
      const f = arrays.spatialOfColumn(cells.composites, c, 21);
      const S = arrays.spatialOfColumn(cells.subspaces, c);
      for (const { velocity: d } of joints[j].columns) {
        if (d === c) continue;
        const other = arrays.spatialOfColumn(cells.subspaces, d);
        // S_d . (S_c x* f) = -(S_c x S_d) . f
        const turn = vectors.dot(list(crossMotion(arrays, S, other)), list(f));
        const force = arrays.readColumn(cells.forceRates, c, 0, 6);
        const rate = arrays.readColumn(cells.forceRates, c, 6, 6);
        const at = d * model.nv + c;
        outputs.push({ cell: cells.dtauDq.start + at, value: g.add(vectors.dot(list(other), force), turn) });
        outputs.push({ cell: cells.dtauDv.start + at, value: vectors.dot(list(other), rate) });
      }
    }
  }
  return outputs;
}

interface Inertia {
  readonly m: Expression;
  readonly h: Vector;
  readonly I: readonly Expression[];
}

function multiplyInertia({ mechanism }: DerivativeArrays, { m, h, I }: Inertia, motion: Spatial): Spatial {
  const { vectors } = mechanism;
  return {
    linear: vectors.add(vectors.scale(motion.linear, m), vectors.cross(motion.angular, h)),
    angular: vectors.add(vectors.multiplySymmetric(I, motion.angular), vectors.cross(h, motion.linear)),
  };
}

export function crossMotion({ mechanism }: DerivativeArrays, a: Spatial, b: Spatial): Spatial {
  const { vectors } = mechanism;
  return {
    linear: vectors.add(vectors.cross(a.angular, b.linear), vectors.cross(a.linear, b.angular)),
    angular: vectors.cross(a.angular, b.angular),
  };
}

export function addSpatial({ mechanism }: DerivativeArrays, a: Spatial, b: Spatial): Spatial {
  const { vectors } = mechanism;
  return { linear: vectors.add(a.linear, b.linear), angular: vectors.add(a.angular, b.angular) };
}

export function addScaled(arrays: DerivativeArrays, a: Spatial, b: Spatial, factor: Expression): Spatial {
  const { vectors } = arrays.mechanism;
  return addSpatial(arrays, a, { linear: vectors.scale(b.linear, factor), angular: vectors.scale(b.angular, factor) });
}

function scaleBy({ mechanism }: DerivativeArrays, v: Vector, factor: number): Vector {
  return mechanism.vectors.scale(v, mechanism.graph.constant(factor));
}
