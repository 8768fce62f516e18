/**
 * What instruments in the world would read: forces by pair, accelerations of bodies, fans of rays.
 *
 * Forces are those of the last step, impulses over its (sub)step. Tested by sensors.test.ts.
 */
import { requireFloats, requireIndex, requireNumbers, requirePositiveNumber } from '../math/arguments.js';
import { castRayShape, createShapeRayHit } from '../narrowphase/cast-ray-shape.js';
import { BODY_STRIDE, FIRST_BODY, requireSimulation, type Simulation } from './simulation.js';

export interface PairForce {
  /** Names of carriers: statics, bodies, `robot/link`. */
  readonly a: string;
  readonly b: string;
  /** On b, world axes, N. */
  readonly force: readonly [number, number, number];
  /** About the world's origin, N m. */
  readonly moment: readonly [number, number, number];
  readonly contacts: number;
}

/** Forces between carriers that touch, in the order of their numbers; pairs whose contacts do not push have force 0. */
export function listContactForces(simulation: Simulation): PairForce[] {
  requireSimulation('listContactForces', simulation);
  const { contacts, world } = simulation;
  const { geometries, carriers } = world;
  const h = world.step.step / world.step.substeps;
  const found = new Map<number, { force: number[]; moment: number[]; contacts: number }>();
  for (let c = 0; c < contacts.count; c++) {
    const a = Math.floor(contacts.pairs[c] / geometries.length);
    const b = contacts.pairs[c] - a * geometries.length;
    const key = geometries[a].carrier * carriers.length + geometries[b].carrier;
    let sum = found.get(key);
    if (!sum) {
      sum = { force: [0, 0, 0], moment: [0, 0, 0], contacts: 0 };
      found.set(key, sum);
    }
    sum.contacts++;
    const [fx, fy, fz] = [0, 1, 2].map((k) => contacts.impulses[3 * c + k] / h);
    const [x, y, z] = contacts.points.subarray(3 * c, 3 * c + 3);
    for (const [k, f] of [fx, fy, fz].entries()) sum.force[k] += f;
    for (const [k, t] of [y * fz - z * fy, z * fx - x * fz, x * fy - y * fx].entries()) sum.moment[k] += t;
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([key, { force, moment, contacts: count }]) => ({
      a: carriers[Math.floor(key / carriers.length)].name,
      b: carriers[key % carriers.length].name,
      force: force as [number, number, number],
      moment: moment as [number, number, number],
      contacts: count,
    }));
}

/**
 * out = force and moment about the world's origin that all contacts together put on one carrier, world axes: what a tactile skin over
 * the whole of a link or body would sum up to. `carrier`: its number, as `world.carrierIndex` has it by name.
 */
export function readContactWrench(out: Float64Array, simulation: Simulation, carrier: number): Float64Array {
  requireSimulation('readContactWrench', simulation);
  requireFloats('readContactWrench', 'out', out, 6);
  const { contacts, world } = simulation;
  requireIndex('readContactWrench', 'carrier', carrier, world.carriers.length);
  const h = world.step.step / world.step.substeps;
  out.fill(0);
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.firsts[c] !== carrier && contacts.seconds[c] !== carrier) continue;
    const sign = (contacts.seconds[c] === carrier ? 1 : -1) / h;
    const [fx, fy, fz] = [0, 1, 2].map((k) => sign * contacts.impulses[3 * c + k]);
    const [x, y, z] = contacts.points.subarray(3 * c, 3 * c + 3);
    for (const [k, f] of [fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx].entries()) out[k] += f;
  }
  return out;
}

/**
 * What accelerometers at the centres of mass of a body would read over the last step, in its principal axes: (v+ - v) / h - g.
 * `before`: the body's linear velocity at the start of the step, world axes.
 */
export function readAccelerometer(
  out: Float64Array,
  simulation: Simulation,
  body: number,
  before: ArrayLike<number>,
): Float64Array {
  requireSimulation('readAccelerometer', simulation);
  requireFloats('readAccelerometer', 'out', out, 3);
  requireIndex('readAccelerometer', 'body', body, simulation.world.bodies.length);
  requireNumbers('readAccelerometer', 'before', before, 3);
  const { world, state, bodyPlacements: X } = simulation;
  const s = FIRST_BODY + BODY_STRIDE * body + 7;
  const a = [0, 1, 2].map((k) => (state[s + k] - before[k]) / world.step.step - world.gravity[k]);
  for (let k = 0; k < 3; k++)
    out[k] = X[12 * body + k] * a[0] + X[12 * body + 3 + k] * a[1] + X[12 * body + 6 + k] * a[2];
  return out;
}

const hit = createShapeRayHit();
const direction = new Float64Array(3);
const origin = new Float64Array(3);

/**
 * Distances to what rays from one point meet first, `range` where nothing is nearer. Directions: 3 numbers per ray, unit vectors,
 * world axes. `except`: a carrier that is not seen (the one the sensor is on).
 */
export function castRayFan(
  out: Float64Array,
  simulation: Simulation,
  from: ArrayLike<number>,
  directions: ArrayLike<number>,
  range: number,
  except = -1,
): Float64Array {
  requireSimulation('castRayFan', simulation);
  requireFloats('castRayFan', 'out', out);
  if (except !== -1) requireIndex('castRayFan', 'except', except, simulation.world.carriers.length);
  requireNumbers('castRayFan', 'from', from, 3);
  requireNumbers('castRayFan', 'directions', directions, 3 * out.length);
  requirePositiveNumber('castRayFan', 'range', range);
  const { world, places } = simulation;
  for (let k = 0; k < 3; k++) origin[k] = from[k];
  for (let i = 0; i < out.length; i++) {
    for (let k = 0; k < 3; k++) direction[k] = directions[3 * i + k];
    let nearest = range;
    for (let g = 0; g < world.geometries.length; g++) {
      const { carrier, collider } = world.geometries[g];
      if (carrier === except) continue;
      const X = places.placements.subarray(12 * g, 12 * g + 12);
      nearest = Math.min(nearest, castRayShape(hit, collider, X, origin, direction, nearest).t);
    }
    out[i] = nearest;
  }
  return out;
}
