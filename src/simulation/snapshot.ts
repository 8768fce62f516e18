/**
 * A simulation's state as numbers: what `restoreSnapshot` goes on from to the same bits, in this world or one made alike.
 *
 * Layout: version, numbers of the state, the state, forces, torques of robots, contacts, then per contact pair, feature, gap, point 3,
 * normal 3, local point 3, impulse 3. Controllers are functions, and no part of it. Tested by physics.test.ts.
 */
import { requireFloats } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createSimulation, refreshPlacements, requireSimulation, type Simulation } from './simulation.js';

const VERSION = 1;
const CONTACT_STRIDE = 15;

export function takeSnapshot(simulation: Simulation): Float64Array {
  requireSimulation('takeSnapshot', simulation);
  const { state, forces, robots, contacts } = simulation;
  const torques = robots.reduce((n, robot) => n + robot.torques.length, 0);
  const out = new Float64Array(2 + state.length + forces.length + torques + 1 + CONTACT_STRIDE * contacts.count);
  let at = 0;
  const put = (values: ArrayLike<number>): void => {
    out.set(values as Float64Array, at);
    at += values.length;
  };
  put([VERSION, state.length]);
  put(state);
  put(forces);
  for (const robot of robots) put(robot.torques);
  put([contacts.count]);
  for (let c = 0; c < contacts.count; c++) {
    put([contacts.pairs[c], contacts.features[c], contacts.gaps[c]]);
    for (const list of [contacts.points, contacts.normals, contacts.locals, contacts.impulses])
      put(list.subarray(3 * c, 3 * c + 3));
  }
  return out;
}

export function restoreSnapshot(simulation: Simulation, snapshot: Float64Array): void {
  requireSimulation('restoreSnapshot', simulation);
  requireFloats('restoreSnapshot', 'snapshot', snapshot);
  const { state, forces, robots, contacts, world } = simulation;
  const torques = robots.reduce((n, robot) => n + robot.torques.length, 0);
  const fixed = 2 + state.length + forces.length + torques + 1;
  const count = snapshot[fixed - 1];
  if (snapshot[0] !== VERSION || snapshot[1] !== state.length || snapshot.length !== fixed + CONTACT_STRIDE * count)
    throw new MisuseError(
      'restoreSnapshot: snapshot, got one of another world, expected what takeSnapshot gave for this one',
    );
  let at = 2;
  const take = (out: Float64Array): void => {
    out.set(snapshot.subarray(at, at + out.length));
    at += out.length;
  };
  take(state);
  take(forces);
  for (const robot of robots) take(robot.torques);
  at++;
  contacts.clear();
  const geometries = world.geometries.length;
  for (let i = 0; i < count; i++) {
    const pair = snapshot[at];
    const c = contacts.append(pair, snapshot[at + 1], snapshot[at + 2]);
    at += 3;
    for (const list of [contacts.points, contacts.normals, contacts.locals, contacts.impulses])
      take(list.subarray(3 * c, 3 * c + 3));
    const a = Math.floor(pair / geometries);
    const b = pair - a * geometries;
    contacts.materials[c] = world.materialOf(a, b);
    contacts.firsts[c] = world.geometries[a].carrier;
    contacts.seconds[c] = world.geometries[b].carrier;
  }
  refreshPlacements(simulation);
}

/** Another simulation of the same world that stands where this one does; controllers come along. */
export function forkSimulation(simulation: Simulation): Simulation {
  const copy = createSimulation(simulation.world);
  restoreSnapshot(copy, takeSnapshot(simulation));
  copy.controllers.push(...simulation.controllers);
  return copy;
}
