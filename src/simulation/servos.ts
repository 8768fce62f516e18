/**
 * Drives of a robot's joints as implicit springs and dampers: torque = push - damping v+ - stiffness h v+ at the velocity v+ that the
 * step ends with. Checked by motion.test.ts.
 */
import { requireFinite, requireNotNegative, requireOneOf } from '../math/arguments.js';
import { requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import type { RobotOptions, ServoOptions } from './definition.js';

interface Drive {
  readonly options: ServoOptions;
  readonly iq: number;
  readonly iv: number;
  readonly limit: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export interface DriveLaw {
  readonly joint: string;
  readonly type: ServoOptions['type'];
  /** Stiffness of a position drive, damping of a velocity drive, 1 of a torque drive. */
  readonly gain: number;
  readonly damping: number;
  readonly limit: number;
  readonly control: number;
  /** Whether its target changes with the time. */
  readonly isTable: boolean;
}

export interface Servos {
  /** Per v, for the step that was started. */
  readonly push: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  start(q: Float64Array, v: Float64Array, t: number): void;
  /** What each drive does at t: gain x control - (its stiffness) q - damping v, within the limit. */
  list(t: number): readonly DriveLaw[];
  /** Lets drives that would exceed their limit at the velocities V push with it; whether there were any. */
  saturate(V: Float64Array, first: number, h: number): boolean;
}

export function createServos(model: Model, { name, servos = [] }: RobotOptions, q0: Float64Array): Servos {
  const drives = servos.map((servo) => readDrive(model, name, servo, q0));
  const push = new Float64Array(model.nv);
  const stiffness = new Float64Array(model.nv);
  const damping = new Float64Array(model.nv);
  return {
    push,
    stiffness,
    damping,
    start(q, _v, t) {
      push.fill(0);
      stiffness.fill(0);
      damping.fill(0);
      for (const drive of drives) {
        const { iq, iv, options, limit } = drive;
        const target = valueAt(drive, t);
        if (options.type === 'torque') push[iv] += Math.max(-limit, Math.min(limit, target));
        else if (options.type === 'velocity') {
          push[iv] += drive.damping * target;
          damping[iv] += drive.damping;
        } else {
          push[iv] += drive.stiffness * (target - q[iq]) + drive.damping * slopeAt(drive, t);
          stiffness[iv] += drive.stiffness;
          damping[iv] += drive.damping;
        }
      }
    },
    list: (t) => drives.map((drive) => describeLaw(drive, t)),
    saturate(V, first, h) {
      let any = false;
      for (const { iv, limit, options } of drives) {
        if (options.type === 'torque') continue;
        const torque = push[iv] - (damping[iv] + h * stiffness[iv]) * V[first + iv];
        if (Math.abs(torque) <= limit) continue;
        push[iv] = torque > 0 ? limit : -limit;
        stiffness[iv] = 0;
        damping[iv] = 0;
        any = true;
      }
      return any;
    },
  };
}

function describeLaw(drive: Drive, t: number): DriveLaw {
  const { options, stiffness, damping, limit, values } = drive;
  const { joint, type } = options;
  const target = valueAt(drive, t);
  // The targets' own speed comes in by the damping.
  const ahead = type === 'position' && stiffness > 0 ? (damping / stiffness) * slopeAt(drive, t) : 0;
  return {
    joint,
    type,
    gain: type === 'position' ? stiffness : type === 'velocity' ? damping : 1,
    damping: type === 'torque' ? 0 : damping,
    limit,
    control: target + ahead,
    isTable: values.length > 1,
  };
}

function readDrive(model: Model, robot: string, options: ServoOptions, q0: Float64Array): Drive {
  const call = 'createWorld';
  const what = `servo of robot "${robot}"`;
  requireKnownKeys(call, what, options, ['joint', 'type', 'stiffness', 'damping', 'limit', 'target']);
  requireOneOf(call, `${what}: type`, options.type, ['torque', 'position', 'velocity']);
  const j = model.jointIndex.get(options.joint) ?? -1;
  if (j < 1 || model.nvs[j] !== 1 || model.nqs[j] !== 1)
    throw new MisuseError(
      `${call}: ${what}, got joint "${options.joint}", expected a moving joint with one coordinate of its own`,
    );
  const { stiffness = 0, damping = 0, limit, target } = options;
  requireNotNegative(call, `${what}: stiffness`, stiffness);
  requireNotNegative(call, `${what}: damping`, damping);
  if (limit !== undefined) requireNotNegative(call, `${what}: limit`, limit);
  const iq = model.idxQ[j];
  const iv = model.idxV[j];
  const start = options.type === 'position' ? q0[iq] : 0;
  const rows = typeof target === 'object' ? target : [[0, target ?? start] as const];
  for (const [i, row] of rows.entries()) {
    requireFinite(call, `${what}: target[${i}]`, row[0]);
    requireFinite(call, `${what}: target[${i}]`, row[1]);
    if (i > 0 && !(row[0] > rows[i - 1][0]))
      throw new MisuseError(`${call}: ${what}: target[${i}], got time ${row[0]}, expected one after ${rows[i - 1][0]}`);
  }
  return {
    options,
    iq,
    iv,
    limit: limit ?? model.effortLimits[iv],
    stiffness,
    damping,
    times: Float64Array.from(rows, (row) => row[0]),
    values: Float64Array.from(rows, (row) => row[1]),
  };
}

function valueAt({ times, values }: Drive, t: number): number {
  const n = times.length;
  if (t <= times[0]) return values[0];
  if (t >= times[n - 1]) return values[n - 1];
  let i = 1;
  while (times[i] < t) i++;
  const s = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return values[i - 1] + s * (values[i] - values[i - 1]);
}

function slopeAt({ times, values }: Drive, t: number): number {
  const n = times.length;
  if (t < times[0] || t >= times[n - 1]) return 0;
  let i = 1;
  while (times[i] <= t) i++;
  return (values[i] - values[i - 1]) / (times[i] - times[i - 1]);
}
