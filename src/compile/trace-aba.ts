/**
 * Forward dynamics as expressions: the articulated body algorithm, or for robots with mimic joints, which have no such
 * recursion, inverse dynamics at zero acceleration and a sparse factorisation of M.
 *
 * Method: outward, angular velocities and the accelerations that velocities alone cause (classical ones, see trace-rnea.ts,
 * so that linear velocities are not needed); inward, every column S is eliminated in turn, U = I_A S, D = S^T U,
 * I_A -= U U^T / D, p_A += U (tau - S^T p_A) / D; outward again, (u - U^T A) / D. Where S is a coordinate axis and has no
 * armature, its row and column of what remains are zero and not computed. Everything in moving joint frames.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 7.1 and section 6.5 (LTDL), doi:10.1007/978-1-4899-7560-7.
 * Fails: status 1 when some column has no inertia (D not above 1e-100, or a pivot at rounding level of its entry of M). Such
 * a column gets acceleration 0 in the recursion; a singular M gives no usable accelerations.
 * Tested by compile-model.test.ts.
 */
import type { Expression } from './expression-graph.js';
import type { Output } from './program.js';
import { traceCrba } from './trace-crba.js';
import type { Mechanism, TracedColumn, TracedJoint } from './trace-mechanism.js';
import {
  type BodyMotion,
  carryForce,
  type RneaOptions,
  traceBaseMotion,
  traceBodyForce,
  traceFriction,
  traceMotion,
  traceRnea,
  traceTensor,
} from './trace-rnea.js';
import { SYMMETRIC, type Vector } from './vector-expressions.js';

export const SMALLEST_INERTIA = 1e-100;

/** force = [[m, h], [h^T, i]] acceleration; m and i symmetric, h row-major with force rows. */
interface Articulated {
  m: readonly Expression[];
  h: readonly Expression[];
  i: readonly Expression[];
  force: Vector;
  moment: Vector;
}

interface Eliminated {
  readonly column: TracedColumn;
  readonly U: readonly Expression[];
  readonly inverse: Expression;
  /** The joint's torque less friction, and less what the body's bias force takes. */
  readonly applied: Expression;
  readonly torque: Expression;
}

interface Acceleration {
  readonly linear: Vector;
  readonly angular: Vector;
}

export function traceAba(mechanism: Mechanism, options: Omit<RneaOptions, 'accelerates'>): Output[] {
  const { layout, graph, model } = mechanism;
  const isMimic = model.mimicDrivers.some((driver) => driver > 0);
  const { ddq, margin } = isMimic ? solveFactorized(mechanism, options) : solveRecursive(mechanism, options);
  const outputs = ddq.map((value, i) => ({ cell: layout.ddq.start + i, value }));
  const status =
    margin === null ? graph.constant(0) : graph.selectPositive(margin, graph.constant(0), graph.constant(1));
  outputs.push({ cell: layout.status.start, value: status });
  return outputs;
}

interface Solution {
  readonly ddq: Expression[];
  /** Positive when every column can be eliminated. */
  readonly margin: Expression | null;
}

function solveRecursive(mechanism: Mechanism, options: Omit<RneaOptions, 'accelerates'>): Solution {
  const { vectors, graph, joints, model } = mechanism;
  const zero = graph.constant(0);
  const bias = traceBias(mechanism);
  const bodies: Articulated[] = [];
  for (let j = 0; j < joints.length; j++) bodies.push(startBody(mechanism, j, bias.motions[j], options.externalForces));
  const eliminated: Eliminated[][] = joints.map(() => []);
  const torques = Array.from({ length: model.nv }, (_, i) =>
    graph.subtract(graph.input(mechanism.layout.tau.start + i), traceFriction(mechanism, i, options)),
  );
  let margin: Expression | null = null;
  for (let j = joints.length - 1; j > 0; j--) {
    const { columns, parent } = joints[j];
    for (let i = columns.length - 1; i >= 0; i--) {
      const inertia = options.armature[columns[i].velocity];
      const step = projectColumn(mechanism, bodies[j], columns[i], inertia, torques[columns[i].velocity]);
      const above = graph.subtract(step.D, graph.constant(SMALLEST_INERTIA));
      margin = margin === null ? above : graph.minimum(margin, above);
      eliminated[j][i] = step;
      if (i > 0 || parent > 0) bodies[j] = reduce(mechanism, bodies[j], step, inertia);
    }
    if (parent > 0) addBody(mechanism, bodies[parent], joints[j], bodies[j], bias.accelerations[j]);
  }
  const ddq: Expression[] = new Array(model.nv).fill(zero);
  const accelerations: Acceleration[] = [
    { linear: mechanism.traceBaseAcceleration(), angular: vectors.vector([0, 0, 0]) },
  ];
  for (let j = 1; j < joints.length; j++) {
    const { rotation, position, parent } = joints[j];
    const P = accelerations[parent];
    const atOrigin = vectors.add(P.linear, vectors.cross(P.angular, position));
    let linear = vectors.add(vectors.rotateBack(rotation, atOrigin), bias.accelerations[j].linear);
    let angular = vectors.add(vectors.rotateBack(rotation, P.angular), bias.accelerations[j].angular);
    for (const { column, U, inverse, torque } of eliminated[j]) {
      const felt = vectors.dot(U, [...linear, ...angular]);
      const gain = graph.multiply(graph.subtract(torque, felt), inverse);
      ddq[column.velocity] = gain;
      linear = vectors.add(linear, vectors.scale(vectors.vector(column.subspace), gain));
      angular = vectors.add(angular, vectors.scale(vectors.vector(column.subspace, 3), gain));
    }
    accelerations.push({ linear, angular });
  }
  return { ddq, margin };
}

/** Velocities, and what each joint's acceleration has from velocities alone when its parent's is zero, in M. */
function traceBias(mechanism: Mechanism): { motions: BodyMotion[]; accelerations: Acceleration[] } {
  const { vectors, graph, joints } = mechanism;
  const zero = vectors.vector([0, 0, 0]);
  const motions = [traceBaseMotion(mechanism, zero)];
  const accelerations: Acceleration[] = [{ linear: zero, angular: zero }];
  for (let j = 1; j < joints.length; j++) {
    const { columns, parent } = joints[j];
    const rates = {
      velocities: columns.map((column) => mechanism.velocity(column)),
      accelerations: columns.map(() => graph.constant(0)),
    };
    const still = { ...motions[parent], linearAcceleration: zero, angularAcceleration: zero };
    const motion = traceMotion(mechanism, joints[j], still, rates);
    accelerations.push({ linear: motion.linearAcceleration, angular: motion.angularAcceleration });
    // The tensor of what follows holds the velocity terms only.
    motions.push({ ...motion, ...traceTensor(mechanism, motion.angular, zero) });
  }
  return { motions, accelerations };
}

/** A body alone: its inertia, and the force its velocity takes. */
function startBody(mechanism: Mechanism, j: number, motion: BodyMotion, externalForces: boolean): Articulated {
  const { vectors, graph } = mechanism;
  const joint = mechanism.joints[j];
  const [x, y, z] = joint.moment;
  let { force, moment } = traceBodyForce(mechanism, joint, {
    ...motion,
    linearAcceleration: vectors.vector([0, 0, 0]),
  });
  if (externalForces) {
    const outer = mechanism.externalForce(j);
    const minus = graph.constant(-1);
    force = vectors.add(force, vectors.scale(outer.force, minus));
    moment = vectors.add(moment, vectors.scale(outer.moment, minus));
  }
  const m = joint.mass;
  return {
    m: vectors.constants([m, 0, 0, m, 0, m]),
    h: vectors.constants([0, z, -y, -z, 0, x, y, -x, 0]),
    i: vectors.constants(joint.inertia),
    force,
    moment,
  };
}

function projectColumn(
  mechanism: Mechanism,
  body: Articulated,
  column: TracedColumn,
  armature: number,
  applied: Expression,
): Eliminated & { readonly D: Expression } {
  const { vectors, graph } = mechanism;
  const v = vectors.vector(column.subspace);
  const w = vectors.vector(column.subspace, 3);
  const linear = vectors.add(vectors.multiplySymmetric(body.m, v), vectors.multiplyMatrix(body.h, w));
  const angular = vectors.add(vectors.multiplyTransposed(body.h, v), vectors.multiplySymmetric(body.i, w));
  const D = graph.add(mechanism.project(column, linear, angular), graph.constant(armature));
  const one = graph.constant(1);
  const above = graph.subtract(D, graph.constant(SMALLEST_INERTIA));
  return {
    column,
    U: [...linear, ...angular],
    D,
    inverse: graph.selectPositive(above, graph.divide(one, D), graph.constant(0)),
    applied,
    torque: graph.subtract(applied, mechanism.project(column, body.force, body.moment)),
  };
}

/** What is rigid to the column's parent side once the column is free. */
function reduce(mechanism: Mechanism, body: Articulated, step: Eliminated, armature: number): Articulated {
  const g = mechanism.graph;
  const { U, inverse, torque, column, applied } = step;
  const isAlong = column.subspace.map((x) => x !== 0);
  // Along a coordinate axis the row of I_A - U U^T / D is zero, and p_A + U u / D is the torque itself.
  const isAxis = armature === 0 && isAlong.filter(Boolean).length === 1;
  const t = U.map((u) => g.multiply(u, inverse));
  const entry = (A: Expression, r: number, c: number): Expression =>
    isAxis && (isAlong[r] || isAlong[c]) ? g.constant(0) : g.subtract(A, g.multiply(t[r], U[c]));
  const symmetric = (A: readonly Expression[], at: number) =>
    A.map((x, k) => {
      const r = k < 3 ? 0 : k < 5 ? 1 : 2;
      const c = k < 3 ? k : k < 5 ? k - 2 : 2;
      return entry(x, at + r, at + c);
    });
  const bias = [...body.force, ...body.moment].map((x, r) => {
    if (!isAxis || !isAlong[r]) return g.add(x, g.multiply(t[r], torque));
    return g.divide(applied, g.constant(column.subspace[r]));
  });
  return {
    m: symmetric(body.m, 0),
    h: body.h.map((x, k) => entry(x, Math.floor(k / 3), 3 + (k % 3))),
    i: symmetric(body.i, 3),
    force: bias.slice(0, 3) as unknown as Vector,
    moment: bias.slice(3) as unknown as Vector,
  };
}

/**
 * Adds what a reduced body shows at its parent's origin, in the parent's axes, moving with the parent: H' = H - M [p],
 * I' = I + [p] H' + ([p] H)^T, and the force at the bias acceleration.
 */
function addBody(
  mechanism: Mechanism,
  to: Articulated,
  joint: TracedJoint,
  body: Articulated,
  bias: Acceleration,
): void {
  const { vectors, graph: g } = mechanism;
  const { linear: c, angular: d } = bias;
  const force = vectors.add(
    body.force,
    vectors.add(vectors.multiplySymmetric(body.m, c), vectors.multiplyMatrix(body.h, d)),
  );
  const moment = vectors.add(
    body.moment,
    vectors.add(vectors.multiplyTransposed(body.h, c), vectors.multiplySymmetric(body.i, d)),
  );
  const carried = carryForce(mechanism, joint, force, moment);
  const p = joint.position;
  const m = vectors.rotateSymmetric(joint.rotation, body.m);
  const h = vectors.rotateMatrix(joint.rotation, body.h);
  const i = vectors.rotateSymmetric(joint.rotation, body.i);
  // M [p]: row r is M_r x p.
  const rows = [0, 1, 2].map((r) => vectors.cross([0, 1, 2].map((k) => m[SYMMETRIC[r][k]]) as unknown as Vector, p));
  const shifted = h.map((x, k) => g.subtract(x, rows[Math.floor(k / 3)][k % 3]));
  const columns = (A: readonly Expression[]) => [0, 1, 2].map((k) => vectors.cross(p, [A[k], A[3 + k], A[6 + k]]));
  const before = columns(h);
  const after = columns(shifted);
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ];
  const inertia = pairs.map(([r, k], at) => g.add(i[at], g.add(after[k][r], before[r][k])));
  to.m = vectors.addAll(to.m, m);
  to.h = vectors.addAll(to.h, shifted);
  to.i = vectors.addAll(to.i, inertia);
  to.force = vectors.add(to.force, carried.force);
  to.moment = vectors.add(to.moment, carried.moment);
}

/** M ddq = tau - nonlinear effects by M = L^T D L, zeros kept. */
function solveFactorized(mechanism: Mechanism, options: Omit<RneaOptions, 'accelerates'>): Solution {
  const { graph: g, model, layout } = mechanism;
  const n = model.nv;
  const M = traceCrba(mechanism, options.armature);
  const bias = traceRnea(mechanism, { ...options, accelerates: false });
  const x = bias.map((value, i) => g.subtract(g.input(layout.tau.start + i), value));
  const L = [...M];
  let margin: Expression | null = null;
  for (let k = n - 1; k >= 0; k--) {
    const pivot = L[k * n + k];
    const above = g.subtract(pivot, g.multiply(g.constant(n * Number.EPSILON), M[k * n + k]));
    margin = margin === null ? above : g.minimum(margin, above);
    for (let i = k - 1; i >= 0; i--) {
      const ratio = g.divide(L[k * n + i], pivot);
      if (g.isZero(ratio)) continue;
      for (let j = i; j >= 0; j--) L[i * n + j] = g.subtract(L[i * n + j], g.multiply(ratio, L[k * n + j]));
      L[k * n + i] = ratio;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = 0; j < i; j++) x[j] = g.subtract(x[j], g.multiply(L[i * n + j], x[i]));
  }
  for (let i = 0; i < n; i++) {
    x[i] = g.divide(x[i], L[i * n + i]);
    for (let j = 0; j < i; j++) x[i] = g.subtract(x[i], g.multiply(L[i * n + j], x[j]));
  }
  return { ddq: x, margin };
}
