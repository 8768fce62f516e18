/** `clearance optimise`: a short path by TrajOpt or CHOMP, certified, as it is or timed into a motion. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import type { OptimisationDescription } from '../../control/paths/description.js';
import {
  optimisePath,
  type PathOptimisation,
  type PathOptimisationRequest,
} from '../../control/paths/optimise-path.js';
import { formatIssue } from '../../io/issue.js';
import { parseOptimisationFile } from '../../io/trajectory/optimisation-file.js';
import { writePathCertificates } from '../../io/trajectory/path-certificate.js';
import { writePathsCsv, writePathsJson } from '../../io/trajectory/trajectory-file.js';
import { openJob } from '../../parallel/job.js';
import { createJobPool } from '../../parallel/job-pool.js';
import { orderPathOptimisation } from '../../parallel/order-path-optimisation.js';
import { disposeScene } from '../../scene/scene.js';
import { timePath } from '../../tasks/time-path.js';
import { positionNames } from '../../trajectory/trajectory-table.js';
import { parseConfiguration, requireMovable } from '../configuration-argument.js';
import { ExitStatus, orUsageError, UsageError, worseStatus } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText, joinGrounds } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { clampGiven } from '../limit-check.js';
import { startBlockingProgress, startProgress } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { plotCosts } from '../plots/cost-plot.js';
import { addSceneOptions, inertiaGrounds, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import {
  addTimingOptions,
  describeCheck,
  readGravity,
  readLimits,
  readTiming,
  requireAccelerations,
  requireTrajectoryOutput,
  TIMING_OPTIONS,
  type TimingArguments,
  tabulate,
  writeTrajectoryFile,
} from '../timing.js';
import { countOf, formatNumber } from '../words.js';

interface OptimiseArguments extends RobotArguments, TimingArguments {
  readonly optimiser?: 'trajopt' | 'chomp';
  readonly seeds?: number;
  readonly seed?: number;
  readonly timeout?: number;
  readonly workers?: number;
  readonly timed?: boolean;
  readonly out?: string;
  readonly plot?: string;
  readonly certificate?: string;
  readonly json?: boolean;
}

const EXITS: Readonly<Record<PathOptimisation['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  'not-certified': ExitStatus.limit,
  timeout: ExitStatus.limit,
  'invalid-start': ExitStatus.negative,
  'invalid-goal': ExitStatus.negative,
};

export function optimiseCommand(): Command {
  const command = addSceneOptions(new Command('optimise'))
    .description(
      'a short path from a state to a state by TrajOpt or CHOMP, proven free at every time, or not and where',
    )
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .argument('<problem>', 'what to optimise (.json, clearance.optimisation/1)')
    .addOption(
      new Option('--optimiser <name>', 'in place of what the file says (default: trajopt)').choices([
        'trajopt',
        'chomp',
      ]),
    )
    .option(
      '--seeds <n>',
      'first paths at most, in place of what the file says (default: 8)',
      parseCount('--seeds', { min: 1 }),
    )
    .option('--seed <n>', 'same seed, same path; in place of what the file says (default: 1)', parseCount('--seed'))
    .option('--timeout <s>', 'seconds', parseNumber('--timeout', { min: 0 }))
    .option(
      '--workers <n>',
      'processors for the first paths: the same answer, sooner where the straight path fails',
      parseCount('--workers', { min: 1, max: 64 }),
    )
    .option('--timed', 'the fastest motion along the path too, free at every time; the options below are its own');
  return addTimingOptions(command, 'blend')
    .option('--out <file>', 'write the path: .json or .csv (one row per waypoint); with --timed the motion, .mcap too')
    .option('--plot <file>', 'write a picture of the costs: .svg')
    .option('--certificate <file>', 'write why the path is free at every time: .json, for `clearance verify-path`')
    .addHelpText(
      'after',
      `
A path that is not certified is answered with the place where its proof failed; it is written nowhere.

Exit status 1 with a bad start or goal; 3 without a certified path, which proves nothing, and at --timeout; with --timed 1 when no motion keeps
the limits, too.

Examples:
  clearance optimise arm.urdf problem.json --srdf arm.srdf --scene table.json
  clearance optimise arm.urdf problem.json --srdf arm.srdf --scene table.json --optimiser chomp --plot costs.svg
  clearance optimise arm.urdf problem.json --srdf arm.srdf --scene table.json --timed --acceleration 3 --out motion.mcap --json`,
    )
    .action(async (file: string, problem: string, args: OptimiseArguments, command: Command) => {
      requireOutputs(command, args, [file, problem]);
      const description = readProblem(problem);
      const loaded = await loadSceneArguments(file, args);
      try {
        requireMovable(loaded.group);
        const fixed = sceneGrounds(loaded.scene);
        const begin = performance.now();
        const request = readRequest(loaded, description, args);
        const found =
          args.workers === undefined
            ? orUsageError(problem, () => optimise(loaded, request, args))
            : await optimiseOnWorkers(problem, loaded, request, args.workers);
        const ms = performance.now() - begin;
        const motion = args.timed && found.certified ? await time(loaded, found.path, args) : null;
        const masses = motion && args.torque !== undefined ? inertiaGrounds(loaded) : {};
        const grounds = joinGrounds(answerGrounds(loaded.scene, fixed, found, motion ?? {}), masses);
        if (found.certified && args.out !== undefined && !args.timed) writePath(args.out, found, loaded);
        if (found.certificate && args.certificate !== undefined)
          writeFileSync(args.certificate, writePathCertificates([found.certificate]));
        if (args.plot !== undefined) writeFileSync(args.plot, plotCosts(found.attempts));
        process.exitCode = worseStatus(EXITS[found.status], motion?.status ?? ExitStatus.done);
        const text = describe(found, ms) + (motion?.text ?? '') + groundText(grounds);
        await writeLine(args.json ? toJson({ ...toResult(found), ms, ...motion?.result, ...grounds }) : text);
      } finally {
        disposeScene(loaded.scene);
      }
    });
}

function requireOutputs(command: Command, args: OptimiseArguments, inputs: readonly string[]): void {
  const { out, plot, certificate, timed, method, corners, torque, workers } = args;
  if (workers !== undefined) refuseOptions(command, ['timeout'], 'means nothing with --workers');
  for (const [option, name, ending] of [
    ['--plot', plot, '.svg'],
    ['--certificate', certificate, '.json'],
  ] as const) {
    if (name === undefined) continue;
    if (extname(name) !== ending) throw new UsageError(`${option} "${name}": expected a ${ending} file`);
    requireWritable(option, name);
    for (const input of inputs) requireOtherFile(option, name, input);
  }
  if (out !== undefined) for (const input of inputs) requireOtherFile('--out', out, input);
  if (!timed) {
    refuseOptions(command, TIMING_OPTIONS, 'means nothing without --timed');
    if (out === undefined) return;
    if (!['.json', '.csv'].includes(extname(out)))
      throw new UsageError(`--out "${out}": expected a .json or .csv file`);
    requireWritable('--out', out);
    return;
  }
  if (method === 'stops')
    refuseOptions(command, ['corners', 'deviation', 'intervals'], 'means nothing with --method stops');
  else if (corners !== 'blend' && corners !== 'smooth')
    refuseOptions(command, ['deviation'], 'means nothing without --corners blend or smooth');
  if (torque === undefined) refuseOptions(command, ['gravity'], 'means nothing without --torque');
  requireAccelerations(args);
  requireTrajectoryOutput(out);
}

function readProblem(file: string): OptimisationDescription {
  requireReadable(file);
  const { value, issues } = parseOptimisationFile(readFileSync(file, 'utf8'));
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return value;
}

function readRequest(
  loaded: LoadedScene,
  description: OptimisationDescription,
  { optimiser, seeds, seed }: OptimiseArguments,
): PathOptimisationRequest {
  const { model, rest, group } = loaded;
  const { schema, start, goal, initial, ...settings } = description;
  const from = clampGiven(model, 'start', parseConfiguration(loaded, start ?? {}, rest, group));
  const to = clampGiven(model, 'goal', parseConfiguration(loaded, goal, from, group));
  const paths = initial?.map((path) => path.map((q) => parseConfiguration(loaded, q, from, group)));
  return {
    ...settings,
    start: from,
    goal: to,
    indices: group.indices,
    ...(paths && { initial: paths }),
    ...(optimiser && { method: optimiser }),
    ...(seeds !== undefined && { seeds }),
    ...(seed !== undefined && { seed }),
  };
}

function optimise(
  { scene, robot }: LoadedScene,
  request: PathOptimisationRequest,
  { timeout }: OptimiseArguments,
): PathOptimisation {
  const progress = startBlockingProgress('optimising');
  const end = timeout === undefined ? Infinity : performance.now() + 1000 * timeout;
  try {
    return optimisePath(scene, robot, {
      ...request,
      ...(timeout !== undefined && { shouldStop: () => performance.now() > end }),
      onProgress: ({ seed: path, iterations, cost, violation }) =>
        progress.update(
          `path ${path}, iteration ${iterations}: cost ${formatNumber(cost, 4)}, ${formatNumber(1000 * violation, 3)} mm missed`,
        ),
    });
  } finally {
    progress.stop();
  }
}

async function optimiseOnWorkers(
  problem: string,
  { scene, robot }: LoadedScene,
  request: PathOptimisationRequest,
  workers: number,
): Promise<PathOptimisation> {
  const order = orUsageError(problem, () => orderPathOptimisation(scene, robot, request));
  const progress = startProgress('optimising');
  const pool = await createJobPool({ workers });
  try {
    const job = await openJob(order);
    return await job.run({
      pool,
      onProgress: (share) => progress.update(`${Math.round(100 * share)} % of the first paths`),
    });
  } finally {
    pool.dispose();
    progress.stop();
  }
}

async function time(loaded: LoadedScene, path: readonly Float64Array[], args: OptimiseArguments) {
  const { model } = loaded;
  const gravity = readGravity(args);
  const limits = readLimits(model, args);
  const begin = performance.now();
  const made = timePath(model, path, { ...readTiming(args), limits, gravity }, loaded);
  const timedMs = performance.now() - begin;
  const { status, reason, trajectory, checked, changes, assumed } = made;
  const exit = status === 'solved' ? ExitStatus.done : status === 'limit' ? ExitStatus.limit : ExitStatus.negative;
  if (!trajectory)
    return {
      result: { motion: { status, reason, duration: null, checked, timedMs } },
      text: `; motion ${status}: ${reason}`,
      status: exit,
      assumed,
    };
  const table = tabulate(trajectory, args, gravity);
  if (args.out !== undefined) await writeTrajectoryFile(args.out, table);
  const { duration } = trajectory;
  return {
    result: { motion: { status, reason, duration, samples: table.times.length, checked, changes, timedMs } },
    text: `; motion ${duration.toFixed(4)} s${describeCheck(made)}`,
    status: exit,
    assumed,
  };
}

function toResult(found: PathOptimisation): Record<string, unknown> {
  const { status, reason, certified, path, cost, length, clearance, iterations, place, chosen, attempts } = found;
  return {
    ...{ status, reason, certified, cost, iterations, length },
    clearance: Number.isFinite(clearance) ? clearance : null,
    ...{ path, place, chosen },
    attempts: attempts.map(({ costs, ...attempt }) => ({ ...attempt, costs: costs.map((entry) => entry.cost) })),
  };
}

function describe(found: PathOptimisation, ms: number): string {
  const { status, reason, path, cost, length, clearance, iterations, attempts } = found;
  const effort = `${countOf(iterations, 'iteration')} over ${countOf(attempts.length, 'first path')}, ${ms.toFixed(1)} ms`;
  if (status === 'solved')
    return `solved: ${countOf(path.length, 'waypoint')}, length ${length.toFixed(3)}, cost ${formatNumber(cost, 4)}; certified, nothing nearer than ${formatNumber(1000 * clearance, 3)} mm; ${effort}`;
  return `${status}: ${reason}${attempts.length > 0 ? `; ${effort}` : ''}`;
}

function writePath(file: string, { path, length }: PathOptimisation, { model }: LoadedScene): void {
  const joints = positionNames(model);
  const rows = [...path];
  const text =
    extname(file) === '.json'
      ? writePathsJson(joints, [{ status: 'solved', length, path: rows }])
      : writePathsCsv(joints, [rows]);
  writeFileSync(file, text);
}
