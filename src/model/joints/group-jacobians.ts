/**
 * Jacobians of integrate and difference of joints whose placements form a subgroup of SE(3): turns, planes, all placements.
 *
 * With right-plus, integrate(q, v) = q exp(v) and d = difference(a, b) = log(a^-1 b), so that to first order
 *   (q exp(dq)) exp(v) = q exp(v) exp(Ad(exp v)^-1 dq)      q exp(v + dv) = q exp(v) exp(Jr(v) dv)
 *   log(a^-1 b exp(db)) = d + Jr(d)^-1 db                   log(exp(-da) a^-1 b) = d - Jl(d)^-1 da
 * A subgroup's Jacobians are those rows and columns of SE(3)'s that belong to its tangent.
 * Source: Sola, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics", arXiv:1812.01537, equations
 * (67), (68), (79), (80), (82)-(84).
 * Shapes: twists [linear, angular] in the moving frame; matrices row-major. Cost: constant, no allocation.
 * Holds for turns below a whole one (Jr^-1 has its pole there); difference gives half a turn at most.
 * Tested by test/contract/joints.test.ts (closed forms and difference quotients, near 0 and near pi).
 */
import { expSe3, leftJacobianInverseSe3, rightJacobianInverseSe3, rightJacobianSe3 } from '../../math/se3.js';
import { writeAdjoint } from '../../math/spatial.js';
import { createTransform, invertTransform } from '../../math/transform.js';
import type { JointKind } from './joint-kind.js';

const twist = new Float64Array(6);
const block = new Float64Array(36);
const motion = createTransform();

/** Both Jacobians of a kind whose tangent coordinates are those entries of a twist. */
export function groupJacobians(
  entries: readonly number[],
): Pick<JointKind, 'writeIntegrateJacobian' | 'writeDifferenceJacobian'> {
  function load(v: Float64Array, iv: number): void {
    twist.fill(0);
    for (let i = 0; i < entries.length; i++) twist[entries[i]] = v[iv + i];
  }
  function store(out: Float64Array, at: number, stride: number, sign: number): void {
    for (let r = 0; r < entries.length; r++) {
      for (let c = 0; c < entries.length; c++) out[at + r * stride + c] = sign * block[6 * entries[r] + entries[c]];
    }
  }
  return {
    writeIntegrateJacobian(out, at, stride, v, iv, by) {
      load(v, iv);
      if (by === 'v') rightJacobianSe3(block, twist);
      else writeAdjoint(block, invertTransform(motion, expSe3(motion, twist)));
      store(out, at, stride, 1);
    },
    writeDifferenceJacobian(out, at, stride, d, id, by) {
      load(d, id);
      if (by === 'b') rightJacobianInverseSe3(block, twist);
      else leftJacobianInverseSe3(block, twist);
      store(out, at, stride, by === 'b' ? 1 : -1);
    },
  };
}
