/**
 * The joint space inertia matrix as expressions, by the composite rigid body algorithm in moving joint frames.
 *
 * Method: inward, the inertia of every subtree in its joint's frame; the force F = I_c S of a column is a column of I_c when
 * S is a unit vector; F is carried to the base and projected on the columns on its way. Rotations about one coordinate
 * axis make the carrying cheap, which is why the common frame of the generic algorithm is not used here.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 6.2, doi:10.1007/978-1-4899-7560-7.
 * Tested by compile-model.test.ts.
 */
import type { Expression } from './expression-graph.js';
import type { Output } from './program.js';
import type { Mechanism, TracedColumn, TracedJoint } from './trace-mechanism.js';
import { carryForce } from './trace-rnea.js';
import type { Vector } from './vector-expressions.js';

/** Mass, first moment, inertia about the origin [xx, xy, xz, yy, yz, zz]. */
interface Composite {
  mass: number;
  moment: Vector;
  inertia: readonly Expression[];
}

/** M, row-major. */
export function traceCrba(mechanism: Mechanism, armature: ArrayLike<number>): Expression[] {
  const { vectors, graph, joints, model } = mechanism;
  const { nv } = model;
  const M: Expression[] = new Array(nv * nv).fill(graph.constant(0));
  const add = (row: number, column: number, value: Expression): void => {
    M[row * nv + column] = graph.add(M[row * nv + column], value);
  };
  const composites: Composite[] = joints.map(({ mass, moment, inertia }) => ({
    mass,
    moment: vectors.vector(moment),
    inertia: vectors.constants(inertia),
  }));
  for (let i = 0; i < nv; i++) add(i, i, graph.constant(armature[i]));
  for (let j = joints.length - 1; j > 0; j--) {
    const { columns, parent } = joints[j];
    columns.forEach((column, i) => {
      let { force, moment } = traceForce(mechanism, composites[j], column);
      const couple = (other: TracedColumn) => {
        const value = mechanism.project(other, force, moment);
        add(column.velocity, other.velocity, value);
        if (other !== column) add(other.velocity, column.velocity, value);
      };
      columns.slice(0, i + 1).forEach(couple);
      for (let k = j; joints[k].parent > 0; k = joints[k].parent) {
        ({ force, moment } = carryForce(mechanism, joints[k], force, moment));
        joints[joints[k].parent].columns.forEach(couple);
      }
    });
    if (parent > 0) addComposite(mechanism, composites[parent], joints[j], composites[j]);
  }
  return M;
}

/** The force and moment that a unit rate of change of the column takes. */
function traceForce(mechanism: Mechanism, body: Composite, column: TracedColumn): { force: Vector; moment: Vector } {
  const { vectors, graph } = mechanism;
  const v = vectors.vector(column.subspace);
  const w = vectors.vector(column.subspace, 3);
  return {
    force: vectors.add(vectors.scale(v, graph.constant(body.mass)), vectors.cross(w, body.moment)),
    moment: vectors.add(vectors.multiplySymmetric(body.inertia, w), vectors.cross(body.moment, v)),
  };
}

/**
 * Adds a child's composite, turned into the parent's axes and moved to its origin. With g = R h, k = g + m p, s = g + k:
 * I += (p . s) 1 - symmetric part of (g p^T + p k^T) twice.
 */
function addComposite(mechanism: Mechanism, to: Composite, joint: TracedJoint, child: Composite): void {
  const { vectors, graph: g } = mechanism;
  const p = joint.position;
  const h = vectors.rotate(joint.rotation, child.moment);
  const turned = vectors.rotateSymmetric(joint.rotation, child.inertia);
  const k = vectors.add(h, vectors.scale(p, g.constant(child.mass)));
  const s = vectors.add(h, k);
  const [x, y, z] = [0, 1, 2].map((i) => g.multiply(p[i], s[i]));
  const off = (i: number, j: number) => g.negate(g.add(g.multiply(h[i], p[j]), g.multiply(p[i], k[j])));
  const shift = [g.add(y, z), off(0, 1), off(0, 2), g.add(x, z), off(1, 2), g.add(x, y)];
  to.mass += child.mass;
  to.moment = vectors.add(to.moment, k);
  to.inertia = vectors.addAll(to.inertia, vectors.addAll(turned, shift));
}

export function outputInertia(mechanism: Mechanism, M: readonly Expression[]): Output[] {
  // Entries that are zero for every q are zero in fresh data and never written.
  return M.map((value, i) => ({ cell: mechanism.layout.M.start + i, value })).filter(
    ({ value }) => !mechanism.graph.isZero(value),
  );
}
