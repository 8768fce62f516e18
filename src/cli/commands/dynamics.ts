/** `clearance dynamics`: torques, inertia, accelerations, energies, momenta and Jacobians at joint states. */
import { Command } from 'commander';
import { aba } from '../../dynamics/aba.js';
import { computeCentroidal } from '../../dynamics/centroidal.js';
import { computeCoriolis } from '../../dynamics/coriolis.js';
import { crba } from '../../dynamics/crba.js';
import { createDynamicsData, type DynamicsData } from '../../dynamics/dynamics-data.js';
import { computeKineticEnergy, computePotentialEnergy } from '../../dynamics/energy.js';
import { computeGravity } from '../../dynamics/gravity.js';
import { rnea } from '../../dynamics/rnea.js';
import { computeCenterOfMass } from '../../kinematics/center-of-mass.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian, type JacobianReference } from '../../kinematics/frame-jacobian.js';
import { transformForce } from '../../math/spatial.js';
import { findFrame, findLink, type Model } from '../../model/model.js';
import { velocityNames } from '../../trajectory/trajectory-table.js';
import { selectGroup } from '../configuration-argument.js';
import { UsageError } from '../exit.js';
import { groundText, joinGrounds } from '../grounds.js';
import { runBatch } from '../json-lines.js';
import { warn } from '../messages.js';
import type { StateEntry } from '../motion-file.js';
import { splitNumbers } from '../number-arguments.js';
import {
  addModelOptions,
  inertiaGrounds,
  loadRobotArgument,
  modelGrounds,
  type RobotArguments,
} from '../robot-arguments.js';
import {
  addStateOptions,
  readRates,
  readRest,
  readState,
  type StateArguments,
  stateBatch,
} from '../state-arguments.js';
import { formatNumber } from '../words.js';

interface DynamicsArguments extends RobotArguments, StateArguments {
  readonly compute: string;
  readonly gravity: string;
  readonly json?: boolean;
}

/** One line of input, complete. */
interface DynamicState {
  readonly q: Float64Array;
  readonly v: ArrayLike<number>;
  readonly a: ArrayLike<number>;
  readonly tau: ArrayLike<number>;
  readonly externalForces: Float64Array;
}

type Quantity = (model: Model, data: DynamicsData, state: DynamicState) => unknown;

const QUANTITIES: Readonly<Record<string, Quantity>> = {
  rnea: (model, data, { q, v, a, externalForces }) => [...rnea(model, data, q, v, a, externalForces)],
  crba: (model, data, { q }) => toRows(crba(model, data, q), model.nv),
  aba: (model, data, { q, v, tau, externalForces }) =>
    aba(model, data, q, v, tau, externalForces) === 'ok' ? [...data.ddq] : null,
  gravity: (model, data, { q }) => [...computeGravity(model, data, q)],
  coriolis: (model, data, { q, v }) => toRows(computeCoriolis(model, data, q, v), model.nv),
  com: (model, data, { q }) => {
    const center = new Float64Array(3);
    forwardKinematics(model, data.kinematics, q);
    computeCenterOfMass(center, model, data.kinematics);
    return [...center];
  },
  energy: (model, data, { q, v }) => ({
    kinetic: computeKineticEnergy(model, data, q, v),
    potential: computePotentialEnergy(model, data, q),
  }),
  centroidal: (model, data, { q, v, a }) => {
    computeCentroidal(model, data, q, v, a);
    return {
      momentum: [...data.momentum],
      rate: [...data.momentumRate],
      matrix: toRows(data.centroidalMatrix, model.nv),
    };
  },
};

const REFERENCES: Readonly<Record<string, JacobianReference>> = {
  world: 'world',
  local: 'local',
  aligned: 'local-world-aligned',
};

export function dynamicsCommand(): Command {
  return addStateOptions(addModelOptions(new Command('dynamics')))
    .description('torques, inertia, accelerations, energies, momenta and Jacobians')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option(
      '--compute <names>',
      `separated by commas: ${Object.keys(QUANTITIES).join(', ')}, jacobian:FRAME:world|local|aligned`,
      'rnea',
    )
    .option('--gravity <x,y,z>', 'in the world, m/s^2', '0,0,-9.81')
    .addHelpText(
      'after',
      `
Lines of --states: {"q":..., "v":[...], "a":[...], "tau":[...], "fext":{"link":[fx,fy,fz,tx,ty,tz]}}; all but q may be
left out and are then zero. v of floating, planar and spherical joints is in the child frame. A force acts on the link at
its frame's origin, in its axes. rnea and aba heed fext.
An inertia that no body has, and a body without mass, are computed with as they are; the answers say so ("assumed").

Example:
  clearance dynamics arm.urdf --compute rnea,crba,energy --q 0,0.5,0,-1.2,0,1,0 --json`,
    )
    .action(async (file: string, args: DynamicsArguments) => {
      const loaded = await loadRobotArgument(file, args, { meshes: false });
      const grounds = joinGrounds(modelGrounds(file, loaded, args), inertiaGrounds(loaded));
      const { model } = loaded;
      const gravity = splitNumbers(args.gravity);
      if (gravity.length !== 3 || !gravity.every(Number.isFinite)) {
        throw new UsageError(`--gravity "${args.gravity}": expected x,y,z`);
      }
      const data = createDynamicsData(model, { gravity });
      const quantities = args.compute.split(',').map((name) => ({ name, compute: selectQuantity(model, name) }));
      warnAboutMasses(model);
      const context = { ...loaded, group: selectGroup(loaded, args.group), rest: readRest(loaded, args.state) };
      const vector = (entry: StateEntry, name: 'v' | 'a' | 'tau'): ArrayLike<number> =>
        readRates(loaded, name, entry.rates?.[name]) ?? readVector(entry.line ?? {}, name, model.nv);
      process.exitCode = await runBatch({ ...stateBatch(args), json: Boolean(args.json) }, (entry) => {
        const state: DynamicState = {
          q: readState(context, entry),
          v: vector(entry, 'v'),
          a: vector(entry, 'a'),
          tau: vector(entry, 'tau'),
          externalForces: readForces(model, entry.line?.fext),
        };
        const result: Record<string, unknown> = {};
        for (const { name, compute } of quantities) result[name] = compute(model, data, state);
        if (result.aba === null) result.status = 'singular';
        const text = Object.entries(result).map(([name, item]) => `${name}:${describeQuantity(model, name, item)}`);
        return { result: { ...result, ...grounds }, text: text.join('\n') + groundText(grounds) };
      });
    });
}

function selectQuantity(model: Model, name: string): Quantity {
  if (Object.hasOwn(QUANTITIES, name)) return QUANTITIES[name];
  const jacobian = /^jacobian:(.+):([a-z]+)$/.exec(name);
  if (jacobian === null || !Object.hasOwn(REFERENCES, jacobian[2])) {
    throw new UsageError(
      `--compute "${name}": expected ${Object.keys(QUANTITIES).join(', ')} or jacobian:FRAME:world|local|aligned`,
    );
  }
  const frame = findFrame(model, jacobian[1]);
  if (frame < 0) throw new UsageError(`--compute "${name}": "${jacobian[1]}" is no link or joint`);
  const reference = REFERENCES[jacobian[2]];
  return (_model, data, { q }) => {
    forwardKinematics(model, data.kinematics, q);
    const J = computeFrameJacobian(new Float64Array(6 * model.nv), model, data.kinematics, frame, reference);
    return toRows(J, model.nv);
  };
}

const TORQUES = 'N m, N where a joint slides';
const UNITS: Readonly<Record<string, string>> = {
  rnea: TORQUES,
  gravity: TORQUES,
  aba: 'rad/s^2, m/s^2 where a joint slides',
  com: 'm',
  energy: 'J',
};

/** For people: one number for each velocity beside its name, matrices by rows. */
function describeQuantity(model: Model, name: string, value: unknown): string {
  const unit = UNITS[name] === undefined ? '' : ` (${UNITS[name]})`;
  if (Object.hasOwn(UNITS, name) && name !== 'com' && Array.isArray(value)) {
    const names = velocityNames(model);
    return ` ${value.map((x: number, i) => `${names[i]} ${formatNumber(x)}`).join(', ')}${unit}`;
  }
  const text = describeValue(value);
  return `${text.startsWith('\n') ? '' : ' '}${text}${unit}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) {
    const isMatrix = value.some((row) => Array.isArray(row));
    return value.map((item) => `${isMatrix ? '\n  ' : ''}${describeValue(item)}`).join(isMatrix ? '' : ' ');
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, item]) => `${name} ${describeValue(item)}`)
      .join(', ');
  return value === null ? 'none' : String(value);
}

/** Usually a file that says nothing of inertia; a last joint that moves no mass has no acceleration. */
function warnAboutMasses(model: Model): void {
  const light = model.jointNames.filter((_, j) => j > 0 && model.masses[j] === 0);
  if (light.length > 0) warn(`no mass on the body of these joints (links without <inertial>?): ${light.join(', ')}`);
}

function toRows(matrix: Float64Array, columns: number): number[][] {
  return Array.from({ length: columns === 0 ? 0 : matrix.length / columns }, (_, r) =>
    Array.from(matrix.subarray(r * columns, (r + 1) * columns)),
  );
}

function readVector(line: Readonly<Record<string, unknown>>, name: string, count: number): ArrayLike<number> {
  const value = line[name];
  if (value === undefined || value === null) return new Float64Array(count);
  if (!Array.isArray(value) || value.length !== count || !value.every((n) => typeof n === 'number')) {
    throw new UsageError(`${name}: expected ${count} numbers`);
  }
  return Float64Array.from(value);
}

/** Forces on links, carried to the joints that move them. */
function readForces(model: Model, value: unknown): Float64Array {
  const forces = new Float64Array(6 * model.jointCount);
  if (value === undefined || value === null) return forces;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError('fext: expected an object {"link": [fx, fy, fz, tx, ty, tz]}');
  }
  const force = new Float64Array(6);
  for (const [name, wrench] of Object.entries(value)) {
    const link = findLink(model, name);
    if (link < 0) throw new UsageError(`fext: "${name}" is no link`);
    if (!Array.isArray(wrench) || wrench.length !== 6 || !wrench.every((n) => Number.isFinite(n))) {
      throw new UsageError(`fext: force on "${name}", expected 6 finite numbers`);
    }
    const frame = model.linkFrames[link];
    transformForce(force, model.framePlacements.subarray(12 * frame, 12 * frame + 12), wrench as number[]);
    for (let i = 0; i < 6; i++) forces[6 * model.linkJoints[link] + i] += force[i];
  }
  return forces;
}
