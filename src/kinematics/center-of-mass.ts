/**
 * Centre of mass of the moving bodies (the base's own mass does not count) in the world, and its Jacobian: its velocity is
 * J v, linear, world axes.
 *
 * Method: mean of the bodies' centres; column of joint j = the velocity that its motion gives to the centre of its subtree,
 * times the subtree's share of the mass.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.13 (sums of inertias), doi:10.1007/978-1-4899-7560-7.
 * Needs: `forwardKinematics` for the same q. Cost: linear in joints and columns, no allocation. A robot without mass has its
 * centre at the base's origin and a zero Jacobian.
 * Tested by dynamics/centroidal.test.ts (finite differences) and test/oracle/dynamics.test.ts.
 */

import { requireFloats, requireLength } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Data, Model } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';
import type { MotionData } from './motion-data.js';
import { requireMotion } from './motion-data.js';

/** Writes the three coordinates and returns the mass, kg. */
export function computeCenterOfMass(out: Float64Array, model: Model, data: Data): number {
  requireModelData('computeCenterOfMass', model, data);
  requireLength('computeCenterOfMass', 'out', out, 3);
  const X = data.jointPlacements;
  const { masses, centersOfMass: c } = model;
  let mass = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let j = 1; j < model.jointCount; j++) {
    const m = masses[j];
    const at = 12 * j;
    const cx = c[3 * j];
    const cy = c[3 * j + 1];
    const cz = c[3 * j + 2];
    mass += m;
    x += m * (X[at] * cx + X[at + 1] * cy + X[at + 2] * cz + X[at + 9]);
    y += m * (X[at + 3] * cx + X[at + 4] * cy + X[at + 5] * cz + X[at + 10]);
    z += m * (X[at + 6] * cx + X[at + 7] * cy + X[at + 8] * cz + X[at + 11]);
  }
  out[0] = mass > 0 ? x / mass : X[9];
  out[1] = mass > 0 ? y / mass : X[10];
  out[2] = mass > 0 ? z / mass : X[11];
  return mass;
}

/** `out`: 3 x nv, row-major. */
export function computeCenterOfMassJacobian(
  out: Float64Array,
  model: Model,
  data: Data,
  motion: MotionData,
): Float64Array {
  requireModelData('computeCenterOfMassJacobian', model, data);
  requireMotion('computeCenterOfMassJacobian', model, motion);
  requireFloats('computeCenterOfMassJacobian', 'out', out);
  const { nv, parents, masses, centersOfMass: c } = model;
  const { columnStarts, columnSubspaces: S, columnVelocities, subtreeMasses, subtreeMoments: h } = motion;
  const X = data.jointPlacements;
  if (out.length !== 3 * nv) {
    throw new MisuseError(`computeCenterOfMassJacobian: out, got ${out.length} numbers, expected 3 x ${nv}`);
  }
  out.fill(0);
  h.fill(0);
  // First moments of the subtrees about their joints' origins, world axes.
  for (let j = model.jointCount - 1; j > 0; j--) {
    const at = 12 * j;
    for (let r = 0; r < 3; r++) {
      const x = at + 3 * r;
      h[3 * j + r] += masses[j] * (X[x] * c[3 * j] + X[x + 1] * c[3 * j + 1] + X[x + 2] * c[3 * j + 2]);
      const p = parents[j];
      if (p > 0) h[3 * p + r] += h[3 * j + r] + subtreeMasses[j] * (X[at + 9 + r] - X[12 * p + 9 + r]);
    }
  }
  const mass = subtreeMasses[0];
  if (!(mass > 0)) return out;
  for (let j = 1; j < model.jointCount; j++) {
    const at = 12 * j;
    const share = subtreeMasses[j] / mass;
    const hx = h[3 * j] / mass;
    const hy = h[3 * j + 1] / mass;
    const hz = h[3 * j + 2] / mass;
    for (let k = columnStarts[j]; k < columnStarts[j + 1]; k++) {
      const s = 6 * k;
      const wx = X[at] * S[s + 3] + X[at + 1] * S[s + 4] + X[at + 2] * S[s + 5];
      const wy = X[at + 3] * S[s + 3] + X[at + 4] * S[s + 4] + X[at + 5] * S[s + 5];
      const wz = X[at + 6] * S[s + 3] + X[at + 7] * S[s + 4] + X[at + 8] * S[s + 5];
      const vx = X[at] * S[s] + X[at + 1] * S[s + 1] + X[at + 2] * S[s + 2];
      const vy = X[at + 3] * S[s] + X[at + 4] * S[s + 1] + X[at + 5] * S[s + 2];
      const vz = X[at + 6] * S[s] + X[at + 7] * S[s + 1] + X[at + 8] * S[s + 2];
      const column = columnVelocities[k];
      out[column] += share * vx + wy * hz - wz * hy;
      out[nv + column] += share * vy + wz * hx - wx * hz;
      out[2 * nv + column] += share * vz + wx * hy - wy * hx;
    }
  }
  return out;
}
