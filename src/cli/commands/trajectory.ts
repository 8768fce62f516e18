/** `clearance trajectory`: times a path under limits, or checks a trajectory against them. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { formatIssue } from '../../io/issue.js';
import {
  type PathTable,
  parseTrajectoryFile,
  writeTrajectoryCsv,
  writeTrajectoryJson,
} from '../../io/trajectory-file.js';
import { writeTrajectoryMcap } from '../../io/trajectory-mcap.js';
import { findJoint, type Model } from '../../model/model.js';
import { createBlendedPath } from '../../trajectory/blended-path.js';
import { joinTrajectories } from '../../trajectory/joined-trajectory.js';
import { createLimits, type MotionLimits } from '../../trajectory/limits.js';
import { planPointToPoint } from '../../trajectory/point-to-point.js';
import { createSampledTrajectory } from '../../trajectory/sampled-trajectory.js';
import { createSplinePath } from '../../trajectory/spline-path.js';
import { parameterizeTimeOptimal } from '../../trajectory/time-optimal.js';
import { sampleTrajectory, type Trajectory } from '../../trajectory/trajectory.js';
import {
  positionNames,
  type TrajectoryTable,
  toTrajectoryTable,
  velocityNames,
} from '../../trajectory/trajectory-table.js';
import { validateTrajectory } from '../../trajectory/validate-trajectory.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { report } from '../messages.js';
import { parseCount, parseNumber, splitNumbers } from '../number-arguments.js';
import { addRobotOptions, loadRobotArgument, type RobotArguments } from '../robot-arguments.js';
import { parseConfigurationText } from '../state-arguments.js';
import { plotTrajectory } from '../trajectory-plot.js';

interface TrajectoryArguments extends RobotArguments {
  readonly path: string;
  readonly problem: number;
  readonly method: 'time-optimal' | 'stops';
  readonly corners: 'stop' | 'blend' | 'smooth' | 'spline';
  readonly deviation: number;
  readonly velocity?: string;
  readonly acceleration?: string;
  readonly jerk?: string;
  readonly torque?: string;
  readonly followers?: boolean;
  readonly gravity: string;
  readonly intervals: number;
  readonly dt: number;
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
}

const OUTPUTS = ['.csv', '.json', '.mcap'];

export function trajectoryCommand(): Command {
  return addRobotOptions(new Command('trajectory'))
    .description('the fastest motion along a path under limits; or a check of a trajectory against them')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .requiredOption('--path <file>', 'path (.json or .csv, as `plan --out` writes it), or a trajectory to check')
    .option('--problem <n>', 'which path, when the file holds several', parseCount('--problem'), 0)
    .addOption(
      new Option('--method <name>', 'time-optimal, or stops: rest at every waypoint, jerk-limited with --jerk')
        .choices(['time-optimal', 'stops'])
        .default('time-optimal'),
    )
    .addOption(
      new Option('--corners <how>', 'stop at corners, round them (blend, smooth), or a spline through all waypoints')
        .choices(['stop', 'blend', 'smooth', 'spline'])
        .default('stop'),
    )
    .option('--deviation <rad>', 'how far blends may leave the waypoints', parseNumber('--deviation', { min: 0 }), 0.01)
    .option(
      '--velocity <limit>',
      "rad/s, m/s: a number, a comma list, JSON by joint name, or model (default: the robot's)",
    )
    .option('--acceleration <limit>', 'rad/s^2, m/s^2: likewise, without model')
    .option('--jerk <limit>', 'rad/s^3, m/s^3: likewise; for --method stops, and when checking')
    .option('--torque <limit>', "N m, N: likewise; model takes the robot's efforts")
    .option('--followers', 'keep mimic joints within their own velocity limits too')
    .option('--gravity <x,y,z>', 'm/s^2, for torques', '0,0,-9.81')
    .option(
      '--intervals <n>',
      'grid intervals of time-optimal',
      parseCount('--intervals', { min: 1, max: 100_000 }),
      500,
    )
    .option('--dt <s>', 'time between samples', parseNumber('--dt', { min: 1e-6 }), 0.001)
    .option('--out <file>', 'write the samples: .csv, .json or .mcap (ROS 2 joint states)')
    .option('--plot <file>', 'write a picture: .svg')
    .addHelpText(
      'after',
      `
Exit status 1 when no motion keeps the limits, or a trajectory breaks them; 3 when the search for one ran out of passes.

Examples:
  clearance plan arm.urdf --start home --goal ready --srdf arm.srdf --simplify --out path.json
  clearance trajectory arm.urdf --path path.json --acceleration 3 --corners blend --out motion.csv --plot motion.svg
  clearance trajectory arm.urdf --path motion.csv --acceleration 3`,
    )
    .action(async (file: string, args: TrajectoryArguments, command: Command) => {
      requireOutputs(args);
      const loaded = await loadRobotArgument(file, args, { meshes: false });
      const { model } = loaded;
      const limits = readLimits(model, args);
      const gravity = splitNumbers(args.gravity);
      if (gravity.length !== 3 || !gravity.every(Number.isFinite))
        throw new UsageError(`--gravity "${args.gravity}": expected x,y,z`);
      const content = readPathFile(args.path);
      const isCheck = content.kind === 'trajectory';
      refuseIdleOptions(command, args, isCheck);
      if (!isCheck) requireAccelerations(args);
      const begin = performance.now();
      const made = isCheck
        ? { trajectory: readTrajectory(model, content.trajectory), reason: '' }
        : timePath(model, readWaypoints(loaded, content.paths, args), limits, { ...args, gravity });
      const ms = performance.now() - begin;
      if (!made.trajectory) {
        process.exitCode = ExitStatus.negative;
        const failed = { status: 'infeasible', reason: made.reason };
        await writeLine(args.json ? toJson(failed) : `infeasible: ${made.reason}`);
        return;
      }
      const { trajectory } = made;
      const dynamics = { gravity };
      // Between the samples of a file nothing is known: it is judged at its samples.
      const times = isCheck ? content.trajectory.times : undefined;
      const report = validateTrajectory(trajectory, { limits, dynamics, times });
      const table = toTrajectoryTable(
        model,
        sampleTrajectory(trajectory, args.dt),
        args.torque === undefined ? undefined : dynamics,
      );
      await writeOutputs(args, table, limits);
      const isHeld = made.reason === '';
      if (!isHeld) process.exitCode = ExitStatus.limit;
      else if (!report.valid) process.exitCode = ExitStatus.negative;
      const status = isCheck ? (report.valid ? 'valid' : 'invalid') : isHeld ? 'solved' : 'limit';
      const { first, usage, valid } = report;
      const { duration } = trajectory;
      const samples = table.times.length;
      const result = { status, reason: made.reason, duration, samples, valid, first, usage, ms };
      const fault = first
        ? `; ${first.kind} of ${first.joint} at ${first.time.toFixed(4)} s: ${first.value}, limit ${first.limit}`
        : '';
      await writeLine(
        args.json
          ? toJson(result)
          : `${status}: ${duration.toFixed(4)} s, ${samples} samples, ${ms.toFixed(1)} ms${fault}`,
      );
    });
}

function refuseIdleOptions(
  command: Command,
  { path, method, corners, torque }: TrajectoryArguments,
  isCheck: boolean,
): void {
  if (isCheck)
    refuseOptions(
      command,
      ['problem', 'method', 'corners', 'deviation', 'intervals', 'state'],
      `means nothing here: ${path} is a trajectory, which is checked as it is`,
    );
  else if (method === 'stops')
    refuseOptions(command, ['corners', 'deviation', 'intervals'], 'means nothing with --method stops');
  else if (corners !== 'blend' && corners !== 'smooth')
    refuseOptions(command, ['deviation'], 'means nothing without --corners blend or smooth');
  if (torque === undefined) refuseOptions(command, ['gravity'], 'means nothing without --torque');
}

function requireAccelerations({ method, acceleration, torque }: TrajectoryArguments): void {
  if (acceleration !== undefined || (method === 'time-optimal' && torque !== undefined)) return;
  const others = method === 'time-optimal' ? ' or --torque' : '';
  throw new UsageError(`--acceleration${others}: expected one, as without it any speed could be reached at once`);
}

function requireOutputs({ out, plot }: TrajectoryArguments): void {
  if (out !== undefined && !OUTPUTS.includes(extname(out)))
    throw new UsageError(`--out "${out}": expected a .csv, .json or .mcap file`);
  if (plot !== undefined && extname(plot) !== '.svg') throw new UsageError(`--plot "${plot}": expected a .svg file`);
  if (out !== undefined) requireWritable('--out', out);
  if (plot !== undefined) requireWritable('--plot', plot);
}

async function writeOutputs({ out, plot }: TrajectoryArguments, table: TrajectoryTable, limits: MotionLimits) {
  if (out !== undefined) {
    if (extname(out) === '.mcap') await writeMcapFile(out, table);
    else writeFileSync(out, extname(out) === '.csv' ? writeTrajectoryCsv(table) : writeTrajectoryJson(table));
  }
  if (plot !== undefined) writeFileSync(plot, plotTrajectory(table, limits));
}

async function writeMcapFile(file: string, table: TrajectoryTable): Promise<void> {
  const handle = openSync(file, 'w');
  try {
    await writeTrajectoryMcap((bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    }, table);
  } finally {
    closeSync(handle);
  }
}

function readPathFile(file: string) {
  const format = extname(file) === '.csv' ? 'csv' : extname(file) === '.json' ? 'json' : undefined;
  if (file !== '-') requireReadable(file);
  const { value, issues } = parseTrajectoryFile(readFileSync(file === '-' ? 0 : file, 'utf8'), format);
  if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  for (const issue of issues) report({ file, ...issue });
  return value;
}

function readLimits(model: Model, args: TrajectoryArguments): MotionLimits {
  const { velocity, acceleration, jerk, torque, followers } = args;
  return createLimits(model, {
    velocity: readLimit(model, '--velocity', velocity, model.velocityLimits) ?? 'model',
    acceleration: readLimit(model, '--acceleration', acceleration, null),
    jerk: readLimit(model, '--jerk', jerk, null),
    torque: readLimit(model, '--torque', torque, model.effortLimits),
    followers,
  });
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

/** Full configurations of one path; joints that the file leaves out keep --state. */
function readWaypoints(
  loaded: Awaited<ReturnType<typeof loadRobotArgument>>,
  paths: readonly PathTable[],
  { path: file, problem, state }: TrajectoryArguments,
): Float64Array[] {
  const { model } = loaded;
  if (problem >= paths.length)
    throw new UsageError(`--problem ${problem}: ${file} holds ${paths.length} paths, numbered from 0`);
  const { joints, path } = paths[problem];
  if (path.length === 0) throw new UsageError(`${file}: the path has no waypoint`);
  const rest = parseConfiguration(loaded, state === undefined ? {} : parseConfigurationText(state), null);
  if (!joints) return path.map((q) => parseConfiguration(loaded, [...q], null));
  const places = locate(file, joints, positionNames(model));
  return path.map((row) => {
    const q = Float64Array.from(rest);
    for (const [k, at] of places.entries()) q[at] = row[k];
    return q;
  });
}

function locate(file: string, names: readonly string[], known: readonly string[]): number[] {
  return names.map((name) => {
    const at = known.indexOf(name);
    if (at < 0) throw new UsageError(`${file}: column "${name}" is no joint of the robot: ${known.join(', ')}`);
    return at;
  });
}

/** The file's trajectory on the robot's coordinates; every one of them must be there. */
function readTrajectory(model: Model, table: TrajectoryTable): Trajectory {
  const q = locateAll(table.positionNames, positionNames(model));
  const reorder = (rows: readonly (readonly number[])[], places: readonly number[]): number[][] =>
    rows.map((row) => places.map((at) => row[at]));
  const { velocities, accelerations } = table;
  const v = velocities ? locateAll(table.velocityNames, velocityNames(model)) : [];
  return createSampledTrajectory(model, {
    times: table.times,
    positions: reorder(table.positions, q),
    velocities: velocities && reorder(velocities, v),
    accelerations: velocities && accelerations && reorder(accelerations, v),
  });
}

function locateAll(names: readonly string[], wanted: readonly string[]): number[] {
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`the trajectory lacks the columns ${missing.join(', ')}`);
  return wanted.map((name) => names.indexOf(name));
}

interface TimeSettings extends Pick<TrajectoryArguments, 'method' | 'corners' | 'deviation' | 'intervals'> {
  readonly gravity: readonly number[];
}

function timePath(
  model: Model,
  waypoints: readonly Float64Array[],
  limits: MotionLimits,
  { method, corners, deviation, intervals, gravity }: TimeSettings,
): { readonly trajectory: Trajectory | null; readonly reason: string } {
  if (method === 'stops') {
    const parts: Trajectory[] = [];
    for (let k = 1; k < Math.max(waypoints.length, 2); k++) {
      const end = waypoints[Math.min(k, waypoints.length - 1)];
      const { trajectory, reason } = planPointToPoint(model, waypoints[k - 1], end, {
        limits,
        synchronize: 'straight',
      });
      if (!trajectory) return { trajectory, reason };
      parts.push(trajectory);
    }
    return { trajectory: joinTrajectories(parts), reason: '' };
  }
  const path =
    corners === 'spline'
      ? createSplinePath(model, waypoints)
      : createBlendedPath(model, waypoints, {
          deviation: corners === 'stop' ? 0 : deviation,
          blend: corners === 'smooth' ? 'smooth' : 'parabolic',
        });
  return parameterizeTimeOptimal(path, { limits, intervals, dynamics: { gravity } });
}
