/** `clearance motion`: a program of moves (PTP, LIN, CIRC, splines, seams) as one timed motion, told of before anything moves. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Command } from 'commander';
import { type MotionPlace, type MotionPlan, planMotion } from '../../control/motions/plan-motion.js';
import type { MotionProgram } from '../../control/motions/program.js';
import { formatIssue } from '../../io/issue.js';
import { parseMotionFile } from '../../io/motion-file.js';
import { disposeScene } from '../../scene/scene.js';
import { findNamedState, listNamedStates } from '../../semantics/named-states.js';
import { validateTrajectory } from '../../trajectory/validate-trajectory.js';
import { parseConfiguration, selectGroup } from '../configuration-argument.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { type GroundFields, groundText, joinGrounds } from '../grounds.js';
import { requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { report } from '../messages.js';
import { plotMotion } from '../plots/motion-plot.js';
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
import { answerGrounds, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { parseConfigurationText, readRest } from '../state-arguments.js';
import {
  addLimitOptions,
  type LimitArguments,
  readGravity,
  readLimits,
  requireTrajectoryOutput,
  tabulate,
  writeTrajectoryFile,
} from '../timing.js';
import { formatNumber } from '../words.js';

interface MotionArguments extends RobotArguments, LimitArguments {
  readonly start?: string;
  readonly avoidCollision?: boolean;
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
}

const EXITS: Readonly<Record<MotionPlan['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  blocked: ExitStatus.negative,
  unreachable: ExitStatus.negative,
  singular: ExitStatus.negative,
  'joint-limit': ExitStatus.negative,
  'no-path': ExitStatus.negative,
  infeasible: ExitStatus.negative,
  undecided: ExitStatus.limit,
  limit: ExitStatus.limit,
};

export function motionCommand(): Command {
  const command = addSceneOptions(new Command('motion'))
    .description('a program of moves (PTP, LIN, CIRC, splines, seams), blended, timed and told of before it starts')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .argument('<program>', 'program (.json), format clearance.motion/1')
    .option('--start <q>', "where the program begins, instead of its own start: values, JSON or an SRDF state's name")
    .option('--avoid-collision', 'free of collisions at every time, with the robot itself too; as --scene does');
  return addLimitOptions(command, { jerk: false })
    .option('--out <file>', 'write the samples: .csv, .json or .mcap (ROS 2 joint states)')
    .option('--plot <file>', "write a picture: .svg, the tool's speed and the joints' shares of their limits")
    .addHelpText(
      'after',
      `
With --scene or --avoid-collision the motion is proven free of collisions at every time. Without, nothing is compared
("checked":"unchecked").

Exit status 1 when the program cannot run: out of reach, through a singularity, at a joint limit, touching; the answer says
which move, how many metres along it, and at which joint values.

Examples:
  clearance motion arm.urdf program.json --acceleration 3
  clearance motion arm.urdf program.json --acceleration 3 --scene table.json --out motion.csv --plot motion.svg
  clearance motion arm.urdf program.json --acceleration 3 --start home --srdf arm.srdf --json`,
    )
    .action(async (file: string, programFile: string, args: MotionArguments, command: Command) => {
      requireOptions(command, args);
      const program = readProgram(programFile);
      const gravity = readGravity(args);
      const { loaded, around, grounds: fixed } = await load(file, args);
      const { model } = loaded;
      try {
        const limits = readLimits(model, args);
        const begin = performance.now();
        const plan = orUsageError(programFile, () =>
          planMotion(model, program, {
            limits,
            around,
            start: readStart(loaded, args),
            states: readStates(loaded),
            rest: readRest(loaded, args.state),
            group: selectGroup(loaded, args.group).indices,
            dynamics: args.torque === undefined ? undefined : { gravity },
            intervals: args.intervals,
          }),
        );
        const ms = performance.now() - begin;
        const masses = args.torque === undefined ? {} : inertiaGrounds(loaded);
        const grounds = joinGrounds(around ? answerGrounds(around.scene, fixed, plan) : fixed, masses);
        const { trajectory } = plan;
        process.exitCode = EXITS[plan.status];
        const report = trajectory ? validateTrajectory(trajectory, { limits, dynamics: { gravity } }) : null;
        if (report && !report.valid && plan.status === 'solved') process.exitCode = ExitStatus.limit;
        const table = trajectory ? tabulate(trajectory, args, gravity) : null;
        if (table && plan.status === 'solved') {
          if (args.out !== undefined) await writeTrajectoryFile(args.out, table);
          if (args.plot !== undefined && trajectory)
            writeFileSync(args.plot, plotMotion(model, program, trajectory, table, limits));
        }
        const answer = {
          plan,
          samples: table?.times.length ?? 0,
          ms,
          usage: report?.usage ?? null,
          valid: report?.valid ?? null,
        };
        await writeLine(args.json ? toJson({ ...toResult(answer), ...grounds }) : toText(answer) + groundText(grounds));
      } finally {
        if (around) disposeScene(around.scene);
      }
    });
}

interface Answer {
  readonly plan: MotionPlan;
  readonly samples: number;
  readonly ms: number;
  readonly usage: Readonly<Record<string, number>> | null;
  readonly valid: boolean | null;
}

function toResult({ plan, samples, ms, usage, valid }: Answer): Record<string, unknown> {
  const { status, reason, place, duration, moves, singularities, checked, clearance, pieces } = plan;
  return {
    status,
    reason,
    place: place && toPlace(place),
    duration: plan.trajectory ? duration : null,
    // What optimising commands tell of, too: here the cost is the time.
    cost: plan.trajectory ? duration : null,
    iterations: pieces,
    samples,
    valid,
    usage,
    checked,
    certified: status === 'solved' && checked === 'certified',
    clearance: checked === 'certified' ? clearance : null,
    moves,
    singularities: singularities.map(toPlace),
    ms,
  };
}

function toPlace({ q, pose, singularValues, ...place }: MotionPlace): Record<string, unknown> {
  return {
    ...place,
    q: Array.from(q),
    pose: Array.from(pose),
    singularValues: singularValues && Array.from(singularValues),
  };
}

function toText({ plan, samples, ms }: Answer): string {
  const { status, reason, place, duration, moves, singularities, checked } = plan;
  const lines: string[] = [];
  if (status !== 'solved' && place) lines.push(`${status}: ${reason}; ${where(place)}`);
  else {
    const how =
      checked === 'certified'
        ? 'free at every time'
        : 'not checked against collisions (--scene, or --avoid-collision for itself)';
    lines.push(`${status}: ${duration.toFixed(4)} s, ${samples} samples, ${ms.toFixed(1)} ms; ${how}`);
  }
  for (const { name, begin, end, length, fastest, radius, blended, slowest } of moves) {
    const corner =
      radius > 0 ? `, radius ${formatNumber(blended)} m${blended < radius ? ` of ${formatNumber(radius)}` : ''}` : '';
    const slow = slowest
      ? `; slowed to ${formatNumber(slowest.speed)} m/s at ${slowest.time.toFixed(3)} s by "${slowest.joint}"`
      : '';
    lines.push(
      `  ${name}: ${begin.toFixed(3)} to ${end.toFixed(3)} s, ${formatNumber(length)} m, up to ${formatNumber(fastest)} m/s${corner}${slow}`,
    );
  }
  for (const near of singularities) lines.push(`  near a singularity: ${where(near)}`);
  return lines.join('\n');
}

function where({ name, s, time, q, joint, singularValues }: MotionPlace): string {
  const at = time === null ? '' : `, ${time.toFixed(3)} s`;
  const least = singularValues
    ? `, least singular value ${formatNumber(singularValues[singularValues.length - 1])} m/rad`
    : '';
  const who = joint ? `, "${joint}"` : '';
  return `${name}, ${formatNumber(s)} m along it${at}${who}${least}, q [${Array.from(q, (x) => formatNumber(x)).join(', ')}]`;
}

function readProgram(file: string): MotionProgram {
  requireReadable(file);
  const { value, issues } = parseMotionFile(readFileSync(file, 'utf8'), { file });
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n'));
  for (const issue of issues) report(issue);
  return value;
}

function requireOptions(command: Command, args: MotionArguments): void {
  const { out, plot, torque, acceleration, scene, avoidCollision } = args;
  requireTrajectoryOutput(out);
  if (plot !== undefined && extname(plot) !== '.svg') throw new UsageError(`--plot "${plot}": expected a .svg file`);
  if (plot !== undefined) requireWritable('--plot', plot);
  if (torque === undefined) refuseOptions(command, ['gravity'], 'means nothing without --torque');
  if (acceleration === undefined && torque === undefined)
    throw new UsageError('--acceleration or --torque: expected one, as without it any speed could be reached at once');
  if (scene === undefined && !avoidCollision)
    refuseOptions(
      command,
      [...GEOMETRY_OPTIONS, ...SCENE_OPTIONS],
      'means nothing without --scene or --avoid-collision: no geometry counts',
    );
}

interface Loaded {
  readonly loaded: LoadedRobot;
  readonly around: LoadedScene | null;
  readonly grounds: GroundFields;
}

async function load(file: string, args: MotionArguments): Promise<Loaded> {
  if (args.scene !== undefined || args.avoidCollision) {
    const loaded = await loadSceneArguments(file, args);
    return { loaded, around: loaded, grounds: sceneGrounds(loaded.scene) };
  }
  const loaded = await loadRobotArgument(file, args, { meshes: false });
  return { loaded, around: null, grounds: modelGrounds(file, loaded, args) };
}

function readStart(loaded: LoadedRobot, args: MotionArguments): Float64Array | undefined {
  const rest = readRest(loaded, args.state);
  if (args.start === undefined) return args.state === undefined ? undefined : rest;
  return parseConfiguration(loaded, parseConfigurationText(args.start), rest, selectGroup(loaded, args.group));
}

function readStates({ model, semantic }: LoadedRobot): Map<string, Float64Array> {
  const names = [...listNamedStates(model, semantic).keys()];
  return new Map(names.map((name) => [name, findNamedState(model, semantic, name)]));
}
