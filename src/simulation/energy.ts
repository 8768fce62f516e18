/**
 * Energy and momentum of everything that moves in a simulation.
 *
 * Potential energy is that of gravity, 0 at the world's origin, and of springs among the joins; momentum about the world's origin, world axes. Robots on a fixed base
 * hand momentum to the ground, of course. Tested by motion.test.ts.
 */

import { computeCentroidal } from '../dynamics/centroidal.js';
import { computeKineticEnergy, computePotentialEnergy } from '../dynamics/energy.js';
import { requireFloats } from '../math/arguments.js';
import { multiplyMoments } from './free-bodies.js';
import { storedEnergy } from './join-rows.js';
import { BODY_STRIDE, FIRST_BODY, requireSimulation, type Simulation } from './simulation.js';
import { joinsOf } from './step.js';

export interface EnergyReport {
  readonly kinetic: number;
  readonly potential: number;
  readonly total: number;
}

const w = new Float64Array(3);
const L = new Float64Array(3);

export function computeEnergy(simulation: Simulation): EnergyReport {
  requireSimulation('computeEnergy', simulation);
  const { world, state, bodyPlacements: X, robots } = simulation;
  const g = world.gravity;
  let kinetic = 0;
  let potential = 0;
  for (let i = 0; i < world.bodies.length; i++) {
    const { mass, moments } = world.bodies[i];
    const s = FIRST_BODY + BODY_STRIDE * i;
    for (let k = 0; k < 3; k++) {
      kinetic += 0.5 * mass * state[s + 7 + k] * state[s + 7 + k];
      potential -= mass * g[k] * state[s + k];
      w[k] = state[s + 10 + k];
    }
    multiplyMoments(L, X.subarray(12 * i, 12 * i + 9), moments, w, false);
    kinetic += 0.5 * (w[0] * L[0] + w[1] * L[1] + w[2] * L[2]);
  }
  for (const { model, data, q, v } of robots) {
    kinetic += computeKineticEnergy(model, data, q, v);
    potential += computePotentialEnergy(model, data, q);
  }
  if (world.joins.length > 0) potential += storedEnergy(simulation, joinsOf(simulation));
  return { kinetic, potential, total: kinetic + potential };
}

/** out = linear momentum 3, angular momentum about the world's origin 3. */
export function computeMomentum(out: Float64Array, simulation: Simulation): Float64Array {
  requireSimulation('computeMomentum', simulation);
  requireFloats('computeMomentum', 'out', out, 6);
  const { world, state, bodyPlacements: X, robots } = simulation;
  out.fill(0);
  const add = (p: ArrayLike<number>, l: ArrayLike<number>, at: ArrayLike<number>, o: number): void => {
    const [x, y, z] = [at[o], at[o + 1], at[o + 2]];
    for (let k = 0; k < 3; k++) out[k] += p[k];
    out[3] += l[0] + y * p[2] - z * p[1];
    out[4] += l[1] + z * p[0] - x * p[2];
    out[5] += l[2] + x * p[1] - y * p[0];
  };
  for (let i = 0; i < world.bodies.length; i++) {
    const { mass, moments } = world.bodies[i];
    const s = FIRST_BODY + BODY_STRIDE * i;
    for (let k = 0; k < 3; k++) w[k] = state[s + 10 + k];
    multiplyMoments(L, X.subarray(12 * i, 12 * i + 9), moments, w, false);
    add(
      [0, 1, 2].map((k) => mass * state[s + 7 + k]),
      L,
      state,
      s,
    );
  }
  for (const { model, data, q, v } of robots) {
    computeCentroidal(model, data, q, v, new Float64Array(model.nv));
    const h = data.momentum;
    add(h.subarray(0, 3), h.subarray(3), data.centerOfMass, 0);
  }
  return out;
}
