/**
 * Timing a path under limits, as `trajectory` and `plan --timed` do it: options, limits, and the motion itself, which is drawn
 * so that it is free in the scene where there is one.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { writeTrajectoryCsv, writeTrajectoryJson } from '../io/trajectory/trajectory-file.js';
import { writeTrajectoryMcap } from '../io/trajectory/trajectory-mcap.js';
import { findJoint, type Model } from '../model/model.js';
import type { TimedMotion, Timing } from '../tasks/time-path.js';
import { createLimits, type MotionLimits } from '../trajectory/limits.js';
import { listIdleTorqueLimits } from '../trajectory/moved-masses.js';
import { sampleTrajectory, type Trajectory } from '../trajectory/trajectory.js';
import { type TrajectoryTable, toTrajectoryTable, velocityNames } from '../trajectory/trajectory-table.js';
import { UsageError } from './exit.js';
import { requireWritable } from './json-lines.js';
import { parseCount, parseNumber, splitNumbers } from './number-arguments.js';

/** Limits, and how time is cut. */
export interface LimitArguments {
  readonly velocity?: string;
  readonly acceleration?: string;
  readonly jerk?: string;
  readonly torque?: string;
  readonly followers?: boolean;
  readonly gravity: string;
  readonly intervals: number;
  readonly dt: number;
}

export interface TimingArguments extends LimitArguments {
  readonly method: 'time-optimal' | 'stops';
  readonly corners: 'stop' | 'blend' | 'smooth' | 'spline';
  readonly deviation: number;
}

/** Attribute names of the options that `addTimingOptions` adds. */
export const TIMING_OPTIONS = [
  'method',
  'corners',
  'deviation',
  'velocity',
  'acceleration',
  'jerk',
  'torque',
  'followers',
  'gravity',
  'intervals',
  'dt',
];

/** `corners`: how they are taken by default. */
export function addTimingOptions(command: Command, corners: TimingArguments['corners']): Command {
  command
    .addOption(
      new Option('--method <name>', 'time-optimal, or stops: rest at every waypoint, jerk-limited with --jerk')
        .choices(['time-optimal', 'stops'])
        .default('time-optimal'),
    )
    .addOption(
      new Option('--corners <how>', 'stop at corners, round them (blend, smooth), or a spline through all waypoints')
        .choices(['stop', 'blend', 'smooth', 'spline'])
        .default(corners),
    )
    .option(
      '--deviation <rad>',
      'how far blends may leave the waypoints',
      parseNumber('--deviation', { min: 0 }),
      0.01,
    );
  return addLimitOptions(command);
}

/** The limits of joints, and how time is cut; `jerk`: false for a command that does not limit it. */
export function addLimitOptions(command: Command, { jerk = true } = {}): Command {
  command
    .option(
      '--velocity <limit>',
      "rad/s, m/s: a number, a comma list, JSON by joint name, or model (default: the robot's)",
    )
    .option('--acceleration <limit>', 'rad/s^2, m/s^2: likewise, without model');
  if (jerk) command.option('--jerk <limit>', 'rad/s^3, m/s^3: likewise; for --method stops, and when checking');
  return command
    .option('--torque <limit>', "N m, N: likewise; model takes the robot's efforts")
    .option('--followers', 'keep mimic joints within their own velocity limits too')
    .option('--gravity <x,y,z>', 'm/s^2, for torques', '0,0,-9.81')
    .option(
      '--intervals <n>',
      'grid intervals of time-optimal',
      parseCount('--intervals', { min: 1, max: 100_000 }),
      500,
    )
    .option('--dt <s>', 'time between samples', parseNumber('--dt', { min: 1e-6 }), 0.001);
}

const OUTPUTS = ['.csv', '.json', '.mcap'];

export function requireTrajectoryOutput(out: string | undefined): void {
  if (out === undefined) return;
  if (!OUTPUTS.includes(extname(out))) throw new UsageError(`--out "${out}": expected a .csv, .json or .mcap file`);
  requireWritable('--out', out);
}

export async function writeTrajectoryFile(file: string, table: TrajectoryTable): Promise<void> {
  if (extname(file) !== '.mcap') {
    writeFileSync(file, extname(file) === '.csv' ? writeTrajectoryCsv(table) : writeTrajectoryJson(table));
    return;
  }
  const handle = openSync(file, 'w');
  try {
    await writeTrajectoryMcap((bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    }, table);
  } finally {
    closeSync(handle);
  }
}

export function requireAccelerations({ method, acceleration, torque }: TimingArguments): void {
  if (acceleration !== undefined || (method === 'time-optimal' && torque !== undefined)) return;
  const others = method === 'time-optimal' ? ' or --torque' : '';
  throw new UsageError(`--acceleration${others}: expected one, as without it any speed could be reached at once`);
}

export function readGravity({ gravity: text }: LimitArguments): number[] {
  const gravity = splitNumbers(text);
  if (gravity.length !== 3 || !gravity.every(Number.isFinite))
    throw new UsageError(`--gravity "${text}": expected x,y,z`);
  return gravity;
}

/** What the options say of the way, without limits and gravity. */
export function readTiming({ method, corners, deviation, intervals }: TimingArguments): Omit<Timing, 'limits'> {
  return { method, corners, deviation, intervals };
}

export function readLimits(model: Model, args: LimitArguments): MotionLimits {
  const { velocity, acceleration, jerk, torque, followers } = args;
  const limits = createLimits(model, {
    velocity: readLimit(model, '--velocity', velocity, model.velocityLimits) ?? 'model',
    acceleration: readLimit(model, '--acceleration', acceleration, null),
    jerk: readLimit(model, '--jerk', jerk, null),
    torque: readLimit(model, '--torque', torque, model.effortLimits),
    followers,
  });
  if (torque !== undefined) requireTorquesMeanSomething(model, limits);
  return limits;
}

/** Without mass every acceleration costs nothing, which no torque limit would show. */
function requireTorquesMeanSomething(model: Model, limits: MotionLimits): void {
  const light = listIdleTorqueLimits(model, limits);
  if (light.length === 0) return;
  const isLight = (j: number): boolean => light.includes(j) || light.includes(model.mimicDrivers[j]);
  const links = model.linkNames.filter((_, link) => model.supports[model.linkJoints[link]].some(isLight));
  throw new UsageError(
    `--torque: nothing that ${light.map((j) => `"${model.jointNames[j]}"`).join(', ')} moves has mass: give the links ${links.join(', ')} an <inertial>, or leave --torque out`,
  );
}

/** A number, nv numbers, JSON by joint name (others keep `known`, or none), or `model`. */
function readLimit(
  model: Model,
  option: string,
  text: string | undefined,
  known: Float64Array | null,
): number | Float64Array | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === 'model' && known) return Float64Array.from(known);
  if (!text.trim().startsWith('{')) {
    const numbers = splitNumbers(text);
    const isPositive = numbers.every((x) => x > 0 && x < Infinity);
    if (isPositive && numbers.length === 1) return numbers[0];
    if (isPositive && numbers.length === model.nv) return Float64Array.from(numbers);
    throw new UsageError(
      `${option} "${text}": expected a number above 0, ${model.nv} of them (${velocityNames(model).join(', ')}), or JSON by joint name`,
    );
  }
  const out = known ? Float64Array.from(known) : new Float64Array(model.nv).fill(Infinity);
  let named: Record<string, unknown>;
  try {
    named = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} ${text}: not JSON: ${(error as Error).message}`);
  }
  for (const [name, value] of Object.entries(named)) {
    const j = findJoint(model, name);
    if (j < 0 || model.nvs[j] === 0) throw new UsageError(`${option}: "${name}" is no independent joint of the robot`);
    if (typeof value !== 'number' || !(value > 0 && value < Infinity))
      throw new UsageError(`${option}: "${name}": got ${value}, expected a finite number above 0`);
    out.fill(value, model.idxV[j], model.idxV[j] + model.nvs[j]);
  }
  return out;
}

/** Samples every `dt` seconds, torques among them where they count. */
export function tabulate(trajectory: Trajectory, args: LimitArguments, gravity: readonly number[]): TrajectoryTable {
  const dynamics = args.torque === undefined ? undefined : { gravity };
  return toTrajectoryTable(trajectory.model, sampleTrajectory(trajectory, args.dt), dynamics);
}

/** What is told of a motion that nothing was compared with, or that had to change. */
export function describeCheck({ checked, changes }: Pick<TimedMotion, 'checked' | 'changes'>): string {
  if (checked === 'unchecked') return '; not checked against collisions (--scene, or --avoid-collision for itself)';
  const how = checked === 'certified' ? 'free at every time' : 'free at its samples';
  return changes > 0 ? `; ${how}, after ${changes} ${changes === 1 ? 'change' : 'changes'}` : `; ${how}`;
}
