/**
 * The articulated body algorithm as expressions in the common frame of trace-derivatives.ts, from the bodies' inertias and forces in
 * memory: accelerations of joints and bodies, and what the inverse of M is made of.
 *
 * Method: as in dynamics/aba.ts; nothing turns or shifts from joint to joint. Beside the accelerations it leaves U / D and 1 / D
 * of every column (dynamics/inverse-factors.ts).
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 7.1, doi:10.1007/978-1-4899-7560-7.
 * Fails: status 1 as in trace-aba.ts. Tested by compiled-derivatives.test.ts.
 */
import type { ResolvedOptions } from './compile-options.js';
import type { Expression } from './expression-graph.js';
import type { Output } from './program.js';
import { SMALLEST_INERTIA } from './trace-aba.js';
import { addScaled, alignExternalForce, type DerivativeArrays, list, type Spatial } from './trace-derivatives.js';
import { traceFriction } from './trace-rnea.js';
import { SYMMETRIC, type Vector } from './vector-expressions.js';

/** Symmetric 6 x 6, upper triangle row by row. */
type Articulated = readonly Expression[];
const PLACES = Array.from({ length: 6 }, (_, r) =>
  Array.from({ length: 6 }, (_, c) => {
    const [low, high] = r < c ? [r, c] : [c, r];
    return 6 * low - (low * (low - 1)) / 2 + high - low;
  }),
);
const ENTRIES = PLACES.flatMap((row, r) => row.map((_, c) => [r, c])).filter(([r, c]) => r <= c);

interface Eliminated {
  readonly c: number;
  readonly S: readonly Expression[];
  readonly U: readonly Expression[];
  readonly inverse: Expression;
  readonly torque: Expression;
}

export function traceArticulated(arrays: DerivativeArrays, options: ResolvedOptions): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g, joints, layout } = mechanism;
  const outputs: Output[] = [];
  const inertias: Articulated[] = joints.map((_, j) => (j === 0 ? [] : startInertia(arrays, j)));
  const forces: Expression[][] = joints.map((_, j) => (j === 0 ? [] : startForce(arrays, j, options)));
  const biases = joints.map((_, j) => (j === 0 ? [] : list(traceBias(arrays, j))));
  const eliminated: Eliminated[][] = joints.map(() => []);
  let margin: Expression | null = null;
  for (let j = joints.length - 1; j > 0; j--) {
    const { columns, parent } = joints[j];
    for (let i = columns.length - 1; i >= 0; i--) {
      const c = columns[i].velocity;
      const S = arrays.readColumn(cells.subspaces, c, 0, 6);
      const U = multiply(arrays, inertias[j], S);
      const D = g.add(vectors.dot(S, U), g.constant(options.armature[c]));
      const above = g.subtract(D, g.constant(SMALLEST_INERTIA));
      margin = margin === null ? above : g.minimum(margin, above);
      const inverse = g.selectPositive(above, g.divide(g.constant(1), D), g.constant(0));
      const applied = g.subtract(g.input(layout.tau.start + c), traceFriction(mechanism, c, options));
      const torque = g.subtract(applied, vectors.dot(S, forces[j]));
      const scaled = U.map((u) => g.multiply(u, inverse));
      eliminated[j][i] = { c, S, U, inverse, torque };
      outputs.push(
        ...arrays.writeColumn(cells.scaled, c, scaled),
        ...arrays.writeColumn(cells.carried, c, scaled),
        ...arrays.writeColumn(cells.pivots, c, [inverse]),
        { cell: cells.scratchInverse.start + c * mechanism.model.nv + c, value: inverse },
      );
      if (i === 0 && parent === 0) continue;
      inertias[j] = inertias[j].map((x, k) => {
        const [row, column] = ENTRIES[k];
        return g.subtract(x, g.multiply(scaled[row], U[column]));
      });
      forces[j] = forces[j].map((x, k) => g.add(x, g.multiply(scaled[k], torque)));
    }
    if (parent === 0) continue;
    const carried = vectors.addAll(forces[j], multiply(arrays, inertias[j], biases[j]));
    forces[parent] = vectors.addAll(forces[parent], carried);
    inertias[parent] = vectors.addAll(inertias[parent], inertias[j]);
  }
  const status = margin === null ? g.constant(0) : g.selectPositive(margin, g.constant(0), g.constant(1));
  outputs.push({ cell: layout.status.start, value: status });
  spreadAccelerations(arrays, eliminated, biases, outputs);
  return outputs;
}

function startInertia(arrays: DerivativeArrays, j: number): Articulated {
  const { mechanism, cells } = arrays;
  const { graph: g } = mechanism;
  const m = g.constant(mechanism.joints[j].mass);
  const [hx, hy, hz, ...I] = arrays.readBody(cells.moments, j, 0, 9);
  const zero = g.constant(0);
  // [[m 1, -hat(h)], [hat(h), I]]
  const corner = [
    [zero, hz, g.negate(hy)],
    [g.negate(hz), zero, hx],
    [hy, g.negate(hx), zero],
  ];
  return ENTRIES.map(([r, c]) => {
    if (c < 3) return r === c ? m : zero;
    return r < 3 ? corner[r][c - 3] : I[SYMMETRIC[r - 3][c - 3]];
  });
}

/** What the body's velocity takes, less what acts from outside. */
function startForce(arrays: DerivativeArrays, j: number, options: ResolvedOptions): Expression[] {
  const { mechanism, cells } = arrays;
  const force = arrays.readBody(cells.forces, j, 0, 6);
  if (!options.externalForces) return force;
  const outer = list(alignExternalForce(arrays, j));
  return force.map((x, i) => mechanism.graph.subtract(x, outer[i]));
}

/** V_p x V: the sum of P times the rates. */
function traceBias(arrays: DerivativeArrays, j: number): Spatial {
  const { mechanism, cells } = arrays;
  const zero = mechanism.vectors.vector([0, 0, 0]);
  let bias: Spatial = { linear: zero, angular: zero };
  for (const column of mechanism.joints[j].columns) {
    const P = arrays.spatialOfColumn(cells.P, column.velocity);
    bias = addScaled(arrays, bias, P, mechanism.velocity(column));
  }
  return bias;
}

function multiply({ mechanism }: DerivativeArrays, A: Articulated, motion: readonly Expression[]): Expression[] {
  return PLACES.map((row) =>
    mechanism.vectors.dot(
      row.map((at) => A[at]),
      motion,
    ),
  );
}

function spreadAccelerations(
  arrays: DerivativeArrays,
  eliminated: readonly (readonly Eliminated[])[],
  biases: readonly (readonly Expression[])[],
  outputs: Output[],
): void {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g, joints, layout } = mechanism;
  const accelerations: Expression[][] = [[...mechanism.traceBaseAcceleration(), ...vectors.vector([0, 0, 0])]];
  for (let j = 1; j < joints.length; j++) {
    const parent = accelerations[joints[j].parent];
    let acceleration = vectors.addAll(parent, biases[j]);
    for (const { c, S, U, inverse, torque } of eliminated[j]) {
      const gain = g.multiply(g.subtract(torque, vectors.dot(U, acceleration)), inverse);
      outputs.push({ cell: layout.ddq.start + c, value: gain });
      outputs.push(...arrays.writeColumn(cells.parentAccelerations, c, parent));
      acceleration = acceleration.map((x, k) => g.add(x, g.multiply(S[k], gain)));
    }
    accelerations.push(acceleration);
    outputs.push(...arrays.writeBody(cells.accelerations, j, acceleration));
  }
}

/** forces += I A of one body. The loop's body; `masses`: cells of the bodies' masses. */
export function traceInertialForce(arrays: DerivativeArrays, masses: number): Output[] {
  const { mechanism, cells } = arrays;
  const { vectors, graph: g } = mechanism;
  const h = arrays.vectorOfBody(cells.moments, 1);
  const I = arrays.readBody(cells.moments, 1, 3, 6);
  const linear = arrays.vectorOfBody(cells.accelerations, 1);
  const angular = arrays.vectorOfBody(cells.accelerations, 1, 3);
  const force: Vector = vectors.add(vectors.scale(linear, g.input(masses)), vectors.cross(angular, h));
  const moment: Vector = vectors.add(vectors.multiplySymmetric(I, angular), vectors.cross(h, linear));
  const bias = arrays.readBody(cells.forces, 1, 0, 6);
  return arrays.writeBody(cells.forces, 1, vectors.addAll(bias, [...force, ...moment]));
}
