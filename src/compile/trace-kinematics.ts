/**
 * Forward kinematics and the Jacobian of all joints as expressions.
 *
 * Method: X_WM = X_WP X_PM, parents first. The Jacobian's column of a motion subspace (v, w) is (R v + p x R w, R w): the
 * velocity of the body point at the world's origin. Rotations that no output needs are never computed.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", sections 2.8 and 4.5, doi:10.1007/978-1-4899-7560-7.
 * Tested by compile-model.test.ts.
 */
import type { Expression } from './expression-graph.js';
import type { Output } from './program.js';
import type { Mechanism } from './trace-mechanism.js';
import type { Vector } from './vector-expressions.js';

interface Placement {
  readonly rotation: readonly Expression[];
  readonly position: Vector;
}

function traceWorld(mechanism: Mechanism): Placement[] {
  const { vectors, joints } = mechanism;
  const world: Placement[] = [mechanism.traceBase()];
  for (let j = 1; j < joints.length; j++) {
    const { parent, position, rotation } = joints[j];
    const P = world[parent];
    world.push({
      rotation: vectors.rotateRows(P.rotation, rotation),
      position: vectors.add(vectors.multiplyMatrix(P.rotation, position), P.position),
    });
  }
  return world;
}

/** X_WJ of every joint but the base. */
export function traceForwardKinematics(mechanism: Mechanism): Output[] {
  const { vectors, joints, layout } = mechanism;
  const outputs: Output[] = [];
  traceWorld(mechanism).forEach(({ rotation, position }, j) => {
    if (j === 0) return;
    const R_MJ = joints[j].toModel;
    const entries = R_MJ === null ? rotation : vectors.multiplyMatrices(rotation, vectors.constants(R_MJ));
    [...entries, ...position].forEach((value, i) => {
      outputs.push({ cell: layout.placements.start + 12 * j + i, value });
    });
  });
  return outputs;
}

/** 6 x nv, row-major, rows linear x y z, angular x y z, in world axes at the world's origin. */
export function traceJointJacobians(mechanism: Mechanism): Output[] {
  const { vectors, joints, layout, graph, model } = mechanism;
  const entries: Expression[] = new Array(6 * model.nv).fill(graph.constant(0));
  traceWorld(mechanism).forEach(({ rotation, position }, j) => {
    for (const { subspace, velocity } of joints[j].columns) {
      const angular = vectors.multiplyMatrix(rotation, vectors.vector(subspace, 3));
      const linear = vectors.add(
        vectors.multiplyMatrix(rotation, vectors.vector(subspace)),
        vectors.cross(position, angular),
      );
      [...linear, ...angular].forEach((value, r) => {
        const at = r * model.nv + velocity;
        entries[at] = graph.add(entries[at], value);
      });
    }
  });
  return entries.map((value, i) => ({ cell: layout.jacobians.start + i, value }));
}
