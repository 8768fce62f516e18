/**
 * Free bodies: velocities without contacts, and the move to the end of a step.
 *
 * Method: v + h (g + F / m), w + h I^-1 M; then p + h v and the orientation by the angular velocity half a step on, found from the
 * angular momentum: L = I w is what torque-free motion keeps, so that the momentum of a tumbling body stays to rounding and its energy
 * to second order; bodies that turn far within the step are moved in parts. Source: Buss 2000, "Accurate and efficient simulation of rigid-body rotations",
 * doi:10.1006/jcph.2000.6602 (momentum-keeping methods); Simo, Wong 1991, doi:10.1002/nme.1620310103.
 * Frames: world; see simulation.ts. Tested by motion.test.ts.
 */

import { multiplyQuat, normalizeQuat, quatToMat3 } from '../math/quat.js';
import { expQuat } from '../math/so3.js';
import { BODY_STRIDE, FIRST_BODY, type Simulation } from './simulation.js';

/** V of all bodies after h without contacts. */
export function accelerateBodies(
  { world, state, forces }: Simulation,
  V: Float64Array,
  h: number,
  inverse: Float64Array,
): void {
  const g = world.gravity;
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i + 7;
    const v = 6 * i;
    const perMass = h / world.bodies[i].mass;
    for (let k = 0; k < 3; k++) V[v + k] = state[s + k] + h * g[k] + perMass * forces[v + k];
    const x = h * forces[v + 3];
    const y = h * forces[v + 4];
    const z = h * forces[v + 5];
    V[v + 3] = state[s + 3] + inverse[v] * x + inverse[v + 1] * y + inverse[v + 2] * z;
    V[v + 4] = state[s + 4] + inverse[v + 1] * x + inverse[v + 3] * y + inverse[v + 4] * z;
    V[v + 5] = state[s + 5] + inverse[v + 2] * x + inverse[v + 4] * y + inverse[v + 5] * z;
  }
}

const turn = new Float64Array(3);
const quaternion = new Float64Array(4);
const half = new Float64Array(4);
const step = new Float64Array(4);
const R = new Float64Array(9);
const L = new Float64Array(3);
const w = new Float64Array(3);

/** Takes body i's velocities from V and moves it for h; `shift`: further velocities for the place alone. */
export function moveBody(
  { world, state, bodyPlacements: X }: Simulation,
  i: number,
  V: Float64Array,
  shift: Float64Array,
  h: number,
): void {
  const s = FIRST_BODY + BODY_STRIDE * i;
  const v = 6 * i;
  const { moments } = world.bodies[i];
  for (let k = 0; k < 3; k++) {
    state[s + 7 + k] = V[v + k];
    state[s + k] += h * (V[v + k] + shift[v + k]);
    w[k] = V[v + 3 + k];
  }
  for (let k = 0; k < 4; k++) quaternion[k] = state[s + 3 + k];
  const isRound = moments[0] === moments[1] && moments[1] === moments[2];
  const parts = isRound ? 1 : countParts(w, h);
  const part = h / parts;
  if (!isRound) {
    for (let k = 0; k < 9; k++) R[k] = X[12 * i + k];
    multiplyMoments(L, R, moments, w, false);
  }
  for (let p = 0; p < parts; p++) {
    if (!isRound) {
      for (let k = 0; k < 3; k++) turn[k] = 0.5 * part * w[k];
      multiplyQuat(half, expQuat(step, turn), quaternion);
      quatToMat3(R, half);
      multiplyMoments(w, R, moments, L, true);
    }
    for (let k = 0; k < 3; k++) turn[k] = part * (w[k] + shift[v + 3 + k]);
    multiplyQuat(quaternion, expQuat(step, turn), quaternion);
    normalizeQuat(quaternion, quaternion);
    if (isRound) continue;
    quatToMat3(R, quaternion);
    multiplyMoments(w, R, moments, L, true);
  }
  for (let k = 0; k < 4; k++) state[s + 3 + k] = quaternion[k];
  for (let k = 0; k < 3; k++) state[s + 10 + k] = w[k];
}

/** Radians that a body turns by in one part of its move, and most parts. */
const PART = 0.1;
const MOST_PARTS = 256;

function countParts(w: Float64Array, h: number): number {
  const squared = h * h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return squared > PART * PART ? Math.min(MOST_PARTS, Math.ceil(Math.sqrt(squared) / PART)) : 1;
}

/** out = R I R^T a, or by I^-1. */
export function multiplyMoments(
  out: Float64Array,
  R: Float64Array,
  moments: Float64Array,
  a: Float64Array,
  inverse: boolean,
): void {
  const [a0, a1, a2] = [a[0], a[1], a[2]];
  let x = R[0] * a0 + R[3] * a1 + R[6] * a2;
  let y = R[1] * a0 + R[4] * a1 + R[7] * a2;
  let z = R[2] * a0 + R[5] * a1 + R[8] * a2;
  x = inverse ? x / moments[0] : x * moments[0];
  y = inverse ? y / moments[1] : y * moments[1];
  z = inverse ? z / moments[2] : z * moments[2];
  for (let k = 0; k < 3; k++) out[k] = R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z;
}
