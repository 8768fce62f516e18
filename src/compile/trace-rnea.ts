/**
 * Inverse dynamics as expressions, by a form of the recursive Newton-Euler algorithm with few operations.
 *
 * Method: angular velocity w, angular acceleration and the classical acceleration a of each joint frame's origin go outward;
 * linear velocities are not needed. With Psi = [alpha] + [w]^2 the acceleration of the point r of a body is a + Psi r, so that
 *   a_M = R^T (a_P + Psi_P p) + (w_P' + w) x v_J + dv_J,   w_P' = R^T w_P, v_J the linear part of S v
 *   f = m a + Psi h,   n = h x a + (off-diagonal differences of Psi Sigma)
 * with the first moment h and the second moments Sigma = 1/2 tr(I) 1 - I about the origin. Forces come inward as usual.
 * Source: Balafoutis, Patel, Misra 1988, "Efficient modeling and computation of manipulator dynamics using orthogonal
 * Cartesian tensors" (Psi and Sigma); joints with linear motion are worked out for this file.
 * Tested by compile-model.test.ts.
 */
import type { Expression } from './expression-graph.js';
import type { Output } from './program.js';
import type { Mechanism, TracedJoint } from './trace-mechanism.js';
import type { Vector } from './vector-expressions.js';

export interface BodyMotion {
  readonly angular: Vector;
  /** Classical acceleration of the origin. */
  readonly linearAcceleration: Vector;
  /** Psi, row-major. */
  readonly tensor: readonly Expression[];
  /** zz - yy, xx - zz, yy - xx of Psi, without the rounding of the entries. */
  readonly differences: Vector;
  readonly angularAcceleration: Vector;
}

export interface Rates {
  readonly velocities: readonly Expression[];
  readonly accelerations: readonly Expression[];
}

/** The base, which accelerates and does not turn. */
export function traceBaseMotion(mechanism: Mechanism, linearAcceleration: Vector): BodyMotion {
  const zero = mechanism.vectors.vector([0, 0, 0]);
  return {
    angular: zero,
    linearAcceleration,
    angularAcceleration: zero,
    ...traceTensor(mechanism, zero, zero),
  };
}

/** Motion of a joint's frame from its parent's. */
export function traceMotion(mechanism: Mechanism, joint: TracedJoint, P: BodyMotion, rates: Rates): BodyMotion {
  const { vectors, graph } = mechanism;
  const { columns, rotation, position } = joint;
  const turned = vectors.rotateBack(rotation, P.angular);
  const jointAngular = mechanism.combine(columns, rates.velocities, 3);
  const jointLinear = mechanism.combine(columns, rates.velocities, 0);
  const angular = vectors.add(turned, jointAngular);
  const angularAcceleration = vectors.add(
    vectors.add(vectors.rotateBack(rotation, P.angularAcceleration), vectors.cross(turned, jointAngular)),
    mechanism.combine(columns, rates.accelerations, 3),
  );
  const atOrigin = vectors.add(P.linearAcceleration, vectors.multiplyMatrix(P.tensor, position));
  let linearAcceleration = vectors.rotateBack(rotation, atOrigin);
  if (jointLinear.some((x) => !graph.isZero(x))) {
    const turn = vectors.cross(vectors.add(turned, angular), jointLinear);
    linearAcceleration = vectors.add(
      vectors.add(linearAcceleration, turn),
      mechanism.combine(columns, rates.accelerations, 0),
    );
  }
  return {
    angular,
    linearAcceleration,
    angularAcceleration,
    ...traceTensor(mechanism, angular, angularAcceleration),
  };
}

/** Psi = [alpha] + w w^T - (w . w) 1 */
export function traceTensor(
  mechanism: Mechanism,
  w: Vector,
  alpha: Vector,
): Pick<BodyMotion, 'tensor' | 'differences'> {
  const g = mechanism.graph;
  const xx = g.multiply(w[0], w[0]);
  const yy = g.multiply(w[1], w[1]);
  const zz = g.multiply(w[2], w[2]);
  const xy = g.multiply(w[0], w[1]);
  const xz = g.multiply(w[0], w[2]);
  const yz = g.multiply(w[1], w[2]);
  return {
    tensor: [
      g.negate(g.add(yy, zz)),
      g.subtract(xy, alpha[2]),
      g.add(xz, alpha[1]),
      g.add(xy, alpha[2]),
      g.negate(g.add(xx, zz)),
      g.subtract(yz, alpha[0]),
      g.subtract(xz, alpha[1]),
      g.add(yz, alpha[0]),
      g.negate(g.add(xx, yy)),
    ],
    differences: [g.subtract(zz, yy), g.subtract(xx, zz), g.subtract(yy, xx)],
  };
}

/** Force and moment about the origin that a body needs for its motion. */
export function traceBodyForce(
  mechanism: Mechanism,
  joint: TracedJoint,
  motion: BodyMotion,
): { readonly force: Vector; readonly moment: Vector } {
  const { vectors, graph: g } = mechanism;
  const { tensor: T, linearAcceleration: a, differences: D } = motion;
  const h = vectors.vector(joint.moment);
  const [Ixx, Ixy, Ixz, Iyy, Iyz, Izz] = joint.inertia;
  const half = 0.5 * (Ixx + Iyy + Izz);
  const xx = g.constant(half - Ixx);
  const yy = g.constant(half - Iyy);
  const zz = g.constant(half - Izz);
  const xy = g.constant(-Ixy);
  const xz = g.constant(-Ixz);
  const yz = g.constant(-Iyz);
  const force = vectors.add(vectors.scale(a, g.constant(joint.mass)), vectors.multiplyMatrix(T, h));
  // (Psi Sigma)_zy - (Psi Sigma)_yz and its two siblings; D holds the differences of Psi's diagonal.
  const minus = (x: Expression) => g.negate(x);
  const skew: Vector = [
    vectors.dot([T[6], T[7], minus(T[5]), minus(T[3]), D[0]], [xy, yy, zz, xz, yz]),
    vectors.dot([T[1], T[2], minus(T[6]), minus(T[7]), D[1]], [yz, zz, xx, xy, xz]),
    vectors.dot([T[5], T[3], minus(T[1]), minus(T[2]), D[2]], [xz, xx, yy, yz, xy]),
  ];
  return { force, moment: vectors.add(vectors.cross(h, a), skew) };
}

/** What a joint passes to its parent: turned into P's axes and taken about its origin. */
export function carryForce(
  mechanism: Mechanism,
  joint: TracedJoint,
  force: Vector,
  moment: Vector,
): { readonly force: Vector; readonly moment: Vector } {
  const { vectors } = mechanism;
  const turned = vectors.rotate(joint.rotation, force);
  return {
    force: turned,
    moment: vectors.add(vectors.rotate(joint.rotation, moment), vectors.cross(joint.position, turned)),
  };
}

export interface RneaOptions {
  readonly armature: ArrayLike<number>;
  readonly damping: ArrayLike<number>;
  readonly friction: ArrayLike<number>;
  readonly externalForces: boolean;
  /** False for the torques at zero acceleration. */
  readonly accelerates: boolean;
}

/** tau per velocity. */
export function traceRnea(mechanism: Mechanism, options: RneaOptions): Expression[] {
  const { vectors, joints, graph, model } = mechanism;
  const motions: BodyMotion[] = [traceBaseMotion(mechanism, mechanism.traceBaseAcceleration())];
  const forces: { force: Vector; moment: Vector }[] = [];
  const zero = vectors.vector([0, 0, 0]);
  forces.push({ force: zero, moment: zero });
  for (let j = 1; j < joints.length; j++) {
    const { columns, parent } = joints[j];
    const rates = {
      velocities: columns.map((column) => mechanism.velocity(column)),
      accelerations: columns.map((column) =>
        options.accelerates ? mechanism.acceleration(column) : graph.constant(0),
      ),
    };
    motions.push(traceMotion(mechanism, joints[j], motions[parent], rates));
    forces.push(traceBodyForce(mechanism, joints[j], motions[j]));
  }
  const tau: Expression[] = Array.from({ length: model.nv }, (_, i) => {
    const rotor = options.accelerates
      ? graph.multiply(graph.constant(options.armature[i]), graph.input(mechanism.layout.a.start + i))
      : graph.constant(0);
    return graph.add(rotor, traceFriction(mechanism, i, options));
  });
  for (let j = joints.length - 1; j > 0; j--) {
    let { force, moment } = forces[j];
    if (options.externalForces) {
      const outer = mechanism.externalForce(j);
      force = vectors.add(force, vectors.scale(outer.force, graph.constant(-1)));
      moment = vectors.add(moment, vectors.scale(outer.moment, graph.constant(-1)));
    }
    for (const column of joints[j].columns) {
      const at = column.velocity;
      tau[at] = graph.add(tau[at], mechanism.project(column, force, moment));
    }
    const parent = joints[j].parent;
    if (parent === 0) continue;
    const carried = carryForce(mechanism, joints[j], force, moment);
    forces[parent] = {
      force: vectors.add(forces[parent].force, carried.force),
      moment: vectors.add(forces[parent].moment, carried.moment),
    };
  }
  return tau;
}

/** damping v + friction sign(v) of velocity i */
export function traceFriction(
  mechanism: Mechanism,
  i: number,
  options: Pick<RneaOptions, 'damping' | 'friction'>,
): Expression {
  const g = mechanism.graph;
  const v = g.input(mechanism.layout.v.start + i);
  const viscous = g.multiply(g.constant(options.damping[i]), v);
  if (options.friction[i] === 0) return viscous;
  const dry = g.constant(options.friction[i]);
  const backward = g.selectPositive(g.negate(v), g.negate(dry), g.constant(0));
  return g.add(viscous, g.selectPositive(v, dry, backward));
}

export function outputTorques(mechanism: Mechanism, tau: readonly Expression[]): Output[] {
  return tau.map((value, i) => ({ cell: mechanism.layout.tau.start + i, value }));
}
