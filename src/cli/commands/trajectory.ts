/** `clearance trajectory`: times a path under limits, free of collisions where asked, or checks a trajectory against both. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Command } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { type PathTable, parseTrajectoryFile, type TrajectoryFile } from '../../io/trajectory/trajectory-file.js';
import { isMcap, readTrajectoryMcap } from '../../io/trajectory/trajectory-mcap.js';
import type { Model } from '../../model/model.js';
import { disposeScene } from '../../scene/scene.js';
import { type Surroundings, type TimedMotion, timePath } from '../../tasks/time-path.js';
import { checkTrajectory } from '../../trajectory/path-in-scene.js';
import { createSampledTrajectory } from '../../trajectory/sampled-trajectory.js';
import type { Trajectory } from '../../trajectory/trajectory.js';
import { positionNames, type TrajectoryTable, velocityNames } from '../../trajectory/trajectory-table.js';
import { type TrajectoryReport, validateTrajectory } from '../../trajectory/validate-trajectory.js';
import { parseConfiguration, parseNumbersByColumn, selectGroup } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { type GroundFields, groundText, joinGrounds } from '../grounds.js';
import { requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { report } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { plotTrajectory } from '../plots/trajectory-plot.js';
import {
  addSceneOptions,
  GEOMETRY_OPTIONS,
  inertiaGrounds,
  type LoadedRobot,
  loadRobotArgument,
  modelGrounds,
  type RobotArguments,
  SCENE_OPTIONS,
} from '../robot-arguments.js';
import { answerGrounds, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { readRest, type StateContext } from '../state-arguments.js';
import {
  addTimingOptions,
  describeCheck,
  readGravity,
  readLimits,
  readTiming,
  requireAccelerations,
  requireTrajectoryOutput,
  type TimingArguments,
  tabulate,
  writeTrajectoryFile,
} from '../timing.js';
import { formatNumber } from '../words.js';

interface TrajectoryArguments extends RobotArguments, TimingArguments {
  readonly path: string;
  readonly problem: number;
  readonly avoidCollision?: boolean;
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
}

const EXITS: Readonly<Record<TimedMotion['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  infeasible: ExitStatus.negative,
  blocked: ExitStatus.negative,
  limit: ExitStatus.limit,
};

export function trajectoryCommand(): Command {
  const command = addSceneOptions(new Command('trajectory'))
    .description('the fastest motion along a path under limits; or a check of a trajectory against them')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .requiredOption('--path <file>', 'path (.json or .csv, as `plan --out` writes it), or a trajectory to check')
    .option('--problem <n>', 'which path, when the file holds several', parseCount('--problem'), 0)
    .option('--avoid-collision', 'free of collisions at every time, with the robot itself too; as --scene does');
  return addTimingOptions(command, 'stop')
    .option('--out <file>', 'write the samples: .csv, .json or .mcap (ROS 2 joint states)')
    .option('--plot <file>', 'write a picture: .svg')
    .addHelpText(
      'after',
      `
With --scene or --avoid-collision the motion is proven free of collisions at every time: blends shrink and splines get more
waypoints until they are; a trajectory is checked as it is. Without, nothing is compared ("checked":"unchecked").

Exit status 1 when no motion keeps the limits and free, or a trajectory does not; 3 when the search for one ran out of passes.

Examples:
  clearance plan arm.urdf --start home --goal ready --srdf arm.srdf --simplify --out path.json
  clearance trajectory arm.urdf --path path.json --acceleration 3 --corners blend --out motion.csv --plot motion.svg
  clearance trajectory arm.urdf --path path.json --acceleration 3 --corners blend --scene table.json
  clearance trajectory arm.urdf --path motion.csv --acceleration 3`,
    )
    .action(async (file: string, args: TrajectoryArguments, command: Command) => {
      requireOutputs(args);
      const content = await readPathFile(args.path);
      refuseIdleOptions(command, args, content.kind === 'trajectory');
      const gravity = readGravity(args);
      const { context, around, grounds: fixed } = await loadContext(file, args);
      const { model } = context;
      try {
        const limits = readLimits(model, args);
        const begin = performance.now();
        const made =
          content.kind === 'trajectory'
            ? checkGiven(readTrajectory(model, content.trajectory), around)
            : timePath(
                model,
                readWaypoints(context, content.paths, args),
                { ...readTiming(args), limits, gravity },
                around,
              );
        const ms = performance.now() - begin;
        const { trajectory } = made;
        const masses = args.torque === undefined ? {} : inertiaGrounds(context);
        const grounds = joinGrounds(around ? answerGrounds(around.scene, fixed, made) : fixed, masses);
        process.exitCode = EXITS[made.status];
        if (!trajectory) {
          const { status, reason, checked } = made;
          await writeLine(
            args.json ? toJson({ status, reason, checked, ...grounds }) : `${status}: ${reason}${groundText(grounds)}`,
          );
          return;
        }
        // Between the samples of a file nothing is known: it is judged at its samples.
        const times = content.kind === 'trajectory' ? content.trajectory.times : undefined;
        const report = validateTrajectory(trajectory, { limits, dynamics: { gravity }, times });
        const table = tabulate(trajectory, args, gravity);
        if (args.out !== undefined) await writeTrajectoryFile(args.out, table);
        if (args.plot !== undefined) writeFileSync(args.plot, plotTrajectory(table, limits));
        if (made.status === 'solved' && !report.valid) process.exitCode = ExitStatus.negative;
        const answer = { made, report, isCheck: times !== undefined, samples: table.times.length, ms };
        await writeLine(args.json ? toJson({ ...toResult(answer), ...grounds }) : toText(answer) + groundText(grounds));
      } finally {
        if (around) disposeScene(around.scene);
      }
    });
}

interface Answer {
  readonly made: TimedMotion & { readonly trajectory: Trajectory | null };
  readonly report: TrajectoryReport;
  readonly isCheck: boolean;
  readonly samples: number;
  readonly ms: number;
}

function statusOf({ made, report, isCheck }: Answer): string {
  return isCheck && made.status === 'solved' ? (report.valid ? 'valid' : 'invalid') : made.status;
}

function toResult(answer: Answer): Record<string, unknown> {
  const { made, report, samples, ms } = answer;
  const { first, usage, valid } = report;
  const { reason, checked, changes, trajectory } = made;
  const duration = trajectory?.duration ?? null;
  return { status: statusOf(answer), reason, duration, samples, valid, first, usage, checked, changes, ms };
}

function toText(answer: Answer): string {
  const { made, samples, ms } = answer;
  const { first } = answer.report;
  const fault = first
    ? `; ${first.kind} of ${first.joint} at ${first.time.toFixed(4)} s: ${formatNumber(first.value)}, limit ${formatNumber(first.limit)}`
    : '';
  const check = made.reason === '' ? describeCheck(made) : `; ${made.reason}`;
  const duration = (made.trajectory?.duration ?? 0).toFixed(4);
  return `${statusOf(answer)}: ${duration} s, ${samples} samples, ${ms.toFixed(1)} ms${fault}${check}`;
}

interface TrajectoryContext {
  readonly context: StateContext & LoadedRobot;
  readonly around: Surroundings | null;
  readonly grounds: GroundFields;
}

async function loadContext(file: string, args: TrajectoryArguments): Promise<TrajectoryContext> {
  if (args.scene !== undefined || args.avoidCollision) {
    const loaded = await loadSceneArguments(file, args);
    return { context: loaded, around: loaded, grounds: sceneGrounds(loaded.scene) };
  }
  const loaded = await loadRobotArgument(file, args, { meshes: false });
  const grounds = modelGrounds(file, loaded, args);
  const context = { ...loaded, group: selectGroup(loaded, args.group), rest: readRest(loaded, args.state) };
  return { context, around: null, grounds };
}

/** A trajectory as it is, against its surroundings. */
function checkGiven(trajectory: Trajectory, around: Surroundings | null): TimedMotion {
  if (!around) return { status: 'solved', reason: '', trajectory, checked: 'unchecked', changes: 0 };
  const { status, reason, checked, assumed } = checkTrajectory(around.scene, around.robot, trajectory);
  const found = { free: 'solved', blocked: 'blocked', undecided: 'limit' } as const;
  return { status: found[status], reason, trajectory, checked, changes: 0, assumed };
}

function refuseIdleOptions(command: Command, args: TrajectoryArguments, isCheck: boolean): void {
  const { path, method, corners, torque, scene, avoidCollision } = args;
  if (isCheck)
    refuseOptions(
      command,
      ['problem', 'method', 'corners', 'deviation', 'intervals', 'state', 'group'],
      `means nothing here: ${path} is a trajectory, which is checked as it is`,
    );
  else if (method === 'stops')
    refuseOptions(command, ['corners', 'deviation', 'intervals'], 'means nothing with --method stops');
  else if (corners !== 'blend' && corners !== 'smooth')
    refuseOptions(command, ['deviation'], 'means nothing without --corners blend or smooth');
  if (torque === undefined) refuseOptions(command, ['gravity'], 'means nothing without --torque');
  if (scene === undefined && !avoidCollision)
    refuseOptions(
      command,
      [...GEOMETRY_OPTIONS, ...SCENE_OPTIONS],
      'means nothing without --scene or --avoid-collision: no geometry counts',
    );
  if (!isCheck) requireAccelerations(args);
}

function requireOutputs({ out, plot }: TrajectoryArguments): void {
  requireTrajectoryOutput(out);
  if (plot !== undefined && extname(plot) !== '.svg') throw new UsageError(`--plot "${plot}": expected a .svg file`);
  if (plot !== undefined) requireWritable('--plot', plot);
}

async function readPathFile(file: string): Promise<TrajectoryFile> {
  const format = extname(file) === '.csv' ? 'csv' : extname(file) === '.json' ? 'json' : undefined;
  if (file !== '-') requireReadable(file);
  const bytes = readFileSync(file === '-' ? 0 : file);
  if (isMcap(bytes)) {
    const { value, issues } = await readTrajectoryMcap(bytes);
    if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
    return { kind: 'trajectory', trajectory: value };
  }
  const { value, issues } = parseTrajectoryFile(bytes.toString('utf8'), format);
  if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  for (const issue of issues) report({ file, ...issue });
  return value;
}

/** Full configurations of one path; joints that the file leaves out keep --state. */
function readWaypoints(
  context: StateContext,
  paths: readonly PathTable[],
  { path: file, problem }: TrajectoryArguments,
): Float64Array[] {
  const { model, rest, group } = context;
  if (problem >= paths.length)
    throw new UsageError(`--problem ${problem}: ${file} holds ${paths.length} paths, numbered from 0`);
  const { joints, path } = paths[problem];
  if (path.length === 0) throw new UsageError(`${file}: the path has no waypoint`);
  if (!joints) return path.map((q) => parseConfiguration(context, [...q], rest, group));
  const known = positionNames(model);
  return path.map((row) => {
    const named = new Map(joints.map((name, k) => [name, row[k]]));
    try {
      return parseNumbersByColumn(model, named, known, rest);
    } catch (error) {
      throw new UsageError(`${file}: ${(error as Error).message}`);
    }
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
