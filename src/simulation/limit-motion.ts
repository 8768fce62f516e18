/**
 * Fast bodies under models whose contacts act only where shapes overlap: within one step none gets from apart to through.
 *
 * Method: where a contact would go deeper within the step by more than a quarter of the thinner shape, both bodies go only so far along their
 * motion that it does by that much, with the velocities that they have: the forces act in the steps that follow. Contacts at a distance have been cast along the motion (confirm-approaches.ts). A wall that is too soft for
 * what hits it is still gone through, against its forces.
 * Source: motion clamping, as in Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3 (stop at the
 * time of impact). Frames: world. Cost: a row of each contact of bodies so fast. Tested by fast-bodies.test.ts.
 */
import { readTwist } from './confirm-approaches.js';
import type { Simulation } from './simulation.js';
import { BODY, LINK } from './world.js';

/** Of the smallest half extent of both. */
const DEEPER = 0.5;

const twistA = new Float64Array(6);
const twistB = new Float64Array(6);

/** `shares`, 1 for each body and then robot, become the shares of h for which they move. */
export function limitMotion(simulation: Simulation, shares: Float64Array, h: number): void {
  const { world, contacts } = simulation;
  const { carriers, geometries, bodies } = world;
  const { count, pairs, points, normals, gaps, firsts, seconds } = contacts;
  for (let c = 0; c < count; c++) {
    const a = Math.floor(pairs[c] / geometries.length);
    const b = pairs[c] - a * geometries.length;
    readTwist(twistA, simulation, firsts[c]);
    readTwist(twistB, simulation, seconds[c]);
    const [x, y, z] = [points[3 * c], points[3 * c + 1], points[3 * c + 2]];
    const [lx, ly, lz, wx, wy, wz] = [0, 1, 2, 3, 4, 5].map((k) => twistB[k] - twistA[k]);
    const u =
      (lx + wy * z - wz * y) * normals[3 * c] +
      (ly + wz * x - wx * z) * normals[3 * c + 1] +
      (lz + wx * y - wy * x) * normals[3 * c + 2];
    const room = Math.max(0, gaps[c]) + DEEPER * Math.min(geometries[a].thinnest, geometries[b].thinnest);
    if (!(-h * u > room)) continue;
    for (const carrier of [firsts[c], seconds[c]]) {
      const { kind, index } = carriers[carrier];
      if (kind !== BODY && kind !== LINK) continue;
      const mover = kind === BODY ? index : bodies.length + index;
      shares[mover] = Math.min(shares[mover], room / (-h * u));
    }
  }
}
