/** Worlds that several tests use. */
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import type { JointDescription, LinkDescription } from '../model/description.js';
import type { Model } from '../model/model.js';
import { writeBasis } from './build-constraints.js';
import type { BodyOptions, StaticOptions, WorldOptions } from './definition.js';
import { BODY_STRIDE, createSimulation, FIRST_BODY, type Simulation } from './simulation.js';
import { createWorld } from './world.js';

export const GROUND: StaticOptions = {
  name: 'ground',
  shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }],
};

export function box(name: string, x: number, y: number, z: number, more: Partial<BodyOptions> = {}): BodyOptions {
  return { name, shapes: [{ shape: { type: 'box', size: [1, 1, 1] } }], pose: [x, y, z, 0, 0, 0, 1], ...more };
}

export function start(options: WorldOptions): Simulation {
  return createSimulation(createWorld(options));
}

/** Rods of 1 m and 1 kg on hinges about y. */
export function createPendulum(count: number): Model {
  const links: LinkDescription[] = [{ name: 'base' }];
  const joints: JointDescription[] = [];
  for (let i = 0; i < count; i++) {
    const origin = createTransform();
    origin[11] = -0.5;
    links.push({ name: `rod${i}`, inertial: { mass: 1, origin, inertia: [1 / 12, 0, 0, 1 / 12, 0, 1e-3] } });
    const place = createTransform();
    place[11] = i === 0 ? 0 : -1;
    const parent = i === 0 ? 'base' : `rod${i - 1}`;
    joints.push({ name: `hinge${i}`, type: 'continuous', parent, child: `rod${i}`, origin: place, axis: [0, 1, 0] });
  }
  return buildModel({ name: 'pendulum', links, joints }).model;
}

/** Force that all contacts put on what is above them, N. */
export function contactForce({ contacts, world }: Simulation): number[] {
  const h = world.step.step / world.step.substeps;
  const sum = [0, 0, 0];
  for (let c = 0; c < contacts.count; c++) for (let k = 0; k < 3; k++) sum[k] += contacts.impulses[3 * c + k] / h;
  return sum;
}

/** The contacts of one body, and the wrench that they put on it in the last step. */
export function gatherWrench({ contacts, world, state }: Simulation, body: number) {
  const { carrier } = world.bodies[body];
  const count = world.geometries.length;
  const own: number[] = [];
  for (let c = 0; c < contacts.count; c++) {
    const b = contacts.pairs[c] % count;
    if (
      world.geometries[b].carrier === carrier ||
      world.geometries[(contacts.pairs[c] - b) / count].carrier === carrier
    )
      own.push(c);
  }
  const k = own.length;
  const A = new Float64Array(18 * k);
  const wrench = new Float64Array(6);
  const basis = new Float64Array(9);
  for (const [i, c] of own.entries()) {
    const n = contacts.normals.subarray(3 * c, 3 * c + 3);
    basis.set(n);
    writeBasis(basis, 0);
    const s = FIRST_BODY + BODY_STRIDE * body;
    const p = [0, 1, 2].map((m) => contacts.points[3 * c + m] - state[s + m]);
    const f = [0, 1, 2].map((m) => contacts.impulses[3 * c + m] / world.step.step);
    const moment = (d: ArrayLike<number>): number[] => [
      p[1] * d[2] - p[2] * d[1],
      p[2] * d[0] - p[0] * d[2],
      p[0] * d[1] - p[1] * d[0],
    ];
    for (let r = 0; r < 3; r++) {
      const d = basis.subarray(3 * r, 3 * r + 3);
      const t = moment(d);
      for (let m = 0; m < 3; m++) {
        A[3 * k * m + 3 * i + r] = d[m];
        A[3 * k * (3 + m) + 3 * i + r] = t[m];
      }
    }
    const t = moment(f);
    for (let m = 0; m < 3; m++) {
      wrench[m] += f[m];
      wrench[3 + m] += t[m];
    }
  }
  const frictions = own.map((c) => contacts.materials[c].friction);
  return { A, wrench, frictions, size: Math.max(...wrench.map(Math.abs)) };
}
