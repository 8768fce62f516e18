/** `clearance plan`: a collision-free path between joint states, as it is or timed into a motion that is as free. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { writePathCertificates } from '../../io/trajectory/path-certificate.js';
import { parseRoadmap, writeRoadmap } from '../../io/trajectory/roadmap-file.js';
import { writePathsCsv, writePathsJson } from '../../io/trajectory/trajectory-file.js';
import { listPlanners } from '../../planning/registry.js';
import type { Roadmap } from '../../planning/roadmap.js';
import type { PlanStatus } from '../../planning/types.js';
import { certifyPath, type PathCertificate } from '../../scene/motion/certify-path.js';
import type { SphereRobotOptions } from '../../scene/robot-spheres.js';
import { disposeScene } from '../../scene/scene.js';
import { createGroupRoadmap, loadGroupRoadmap } from '../../tasks/group-roadmap.js';
import type { GroupPlan } from '../../tasks/plan-group.js';
import type { PathObjective } from '../../tasks/plan-objective.js';
import { timePath } from '../../tasks/time-path.js';
import { positionNames } from '../../trajectory/trajectory-table.js';
import { parseConfiguration, requireMovable } from '../configuration-argument.js';
import { ExitStatus, UsageError, worseStatus } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText, joinGrounds } from '../grounds.js';
import { requireFolder, requireWritable, runBatch } from '../json-lines.js';
import { clampGiven } from '../limit-check.js';
import { meshMode } from '../mesh-arguments.js';
import { report, startProgress } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { readConstraintFile } from '../plan-constrained.js';
import { type GoalArguments, readGoal, readTriple } from '../plan-goal.js';
import { planInScene, readPlanSpheres } from '../plan-request.js';
import { requireObject } from '../pose-argument.js';
import { addSceneOptions, inertiaGrounds, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, type LoadedScene, loadSceneArguments, placeLoaded, sceneGrounds } from '../scene-arguments.js';
import { parseConfigurationText } from '../state-arguments.js';
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
import { countOf } from '../words.js';

interface PlanArguments extends RobotArguments, TimingArguments, GoalArguments {
  readonly start?: string;
  readonly goal?: string;
  readonly problems?: string;
  readonly planner: string;
  readonly seed: number;
  readonly iterations?: number;
  readonly timeout: number;
  readonly resolution: number;
  readonly edges: 'sampled' | 'certified' | 'continuous';
  readonly simplify?: boolean;
  readonly optimise?: number;
  readonly objective?: PathObjective['kind'];
  readonly explain?: boolean;
  readonly repairStart?: number;
  readonly roadmap?: string;
  readonly moving?: string;
  readonly retreat?: string;
  readonly timed?: boolean;
  readonly out?: string;
  readonly certificate?: string;
  readonly constraint?: string;
  readonly within?: number;
  readonly cache?: string | boolean;
  readonly json?: boolean;
}

/** A finer one would tell apart what no robot can. */
const MIN_RESOLUTION = 1e-5;
/** Gaps that a certificate is still made for. Metres. */
const CERTIFIED_GAP = 1e-7;
/** The default of `--within`. */
const HELD_WITHIN = 1e-4;

const exitOf: Readonly<Record<PlanStatus, ExitStatus>> = {
  solved: ExitStatus.done,
  approximate: ExitStatus.negative,
  limit: ExitStatus.limit,
  impossible: ExitStatus.negative,
  timeout: ExitStatus.limit,
  'invalid-start': ExitStatus.negative,
  'invalid-goal': ExitStatus.negative,
};

export function planCommand(): Command {
  const command = addSceneOptions(new Command('plan'))
    .description('a collision-free path from start to goal')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--start <q>', 'values, JSON, or the name of an SRDF state (default: --state, else neutral)')
    .option('--goal <q>', 'values, JSON, or the name of an SRDF state')
    .option('--goal-pose <frame=pose>', 'a frame at a pose, FRAME=x,y,z,qx,qy,qz,qw, instead of --goal')
    .option(
      '--goal-tolerance <text>',
      'with --goal-pose: POSITION,ROTATION in metres and radians, each one number or three as X/Y/Z along the axes of the pose; rotation any: free',
    )
    .option(
      '--goal-look <frame=point>',
      'a frame whose z axis goes through a point, from a distance, FRAME=x,y,z,DISTANCE or FRAME=x,y,z,LEAST,MOST, instead of --goal',
    )
    .option(
      '--approach <xyz>',
      'with --goal-pose: the path ends with a straight line of the frame, so far in metres along the axes of the pose',
    )
    .option(
      '--retreat <xyz>',
      'the path begins with a straight line of the tip of the group, so far in metres in the world',
    )
    .option('--problems <file>', 'JSON Lines {"start","goal","scene"?}, instead of --start and --goal')
    .addOption(
      new Option(
        '--planner <name>',
        'planner; auto: the one that finds a first path soonest, the best with --optimise, experience with --roadmap',
      )
        .choices(['auto', ...listPlanners().map(({ name }) => name)])
        .default('auto'),
    )
    .option('--seed <n>', 'same seed, same path', parseCount('--seed'), 1)
    .option('--iterations <n>', "the deterministic limit (default: the planner's own)", parseCount('--iterations'))
    .option('--timeout <s>', 'seconds', parseNumber('--timeout', { min: 0 }), 10)
    .option(
      '--resolution <rad>',
      'largest joint step between checked states',
      parseNumber('--resolution', { min: MIN_RESOLUTION }),
      0.02,
    )
    .addOption(
      new Option(
        '--edges <how>',
        'what a path that is returned has passed: each motion as a whole, free at every time, or at states (--resolution)',
      )
        .choices(['sampled', 'certified', 'continuous'])
        .default('certified'),
    )
    .option(
      '--constraint <file>',
      'what holds on the whole way, JSON: an upright tool, a plane, a chain closed by two arms',
    )
    .option(
      '--within <x>',
      'most that the motions of the path leave --constraint by, metres and radians (default: 1e-4)',
      parseNumber('--within', { min: 1e-8 }),
    )
    .option('--simplify', 'shortcut the path')
    .option(
      '--optimise <s>',
      'go on for so many seconds for a path that costs less; what it cost when is in --json',
      parseNumber('--optimise', { min: 0 }),
    )
    .addOption(
      new Option(
        '--objective <kind>',
        'with --optimise, what is to be small: length of the path, way of the tip, length near things',
      ).choices(['length', 'tool', 'clearance']),
    )
    .option(
      '--roadmap <file>',
      'use the roadmap in this file, and write what became of it; a file that is not there begins one',
    )
    .option(
      '--moving <names>',
      'with --roadmap: objects that move between plans, with commas; what is known of everything else stays known',
    )
    .option(
      '--repair-start <mm>',
      'move a start beyond a limit, or in contact by no more than so many millimetres, to the nearest valid state; the path begins there',
      parseNumber('--repair-start', { min: 0 }),
    )
    .option(
      '--explain',
      'without a path, look for the reasons: what touches, what stopped the search, what closes the way',
    )
    .option('--timed', 'the fastest motion along the path too, free at every time; the options below are its own');
  const spheres = command.options.find(({ long }) => long === '--spheres') as Option;
  spheres.description =
    'spheres that contain the links, by which most of the search is decided: auto, which fits them once, or a file as `spheres` writes it (default: a quick cover); with --geometry spheres what collides';
  command
    .option('--cache <folder>', "with --spheres auto: where fitted spheres are kept (default: the user's cache folder)")
    .option('--no-cache', 'with --spheres auto: they are fitted anew, and nothing is kept');
  return addTimingOptions(command, 'blend')
    .option('--out <file>', 'write the path: .json or .csv (one row per waypoint); with --timed the motion, .mcap too')
    .option('--certificate <file>', 'write why the path is free at every time: .json, for `clearance verify-path`')
    .addHelpText(
      'after',
      `
Exit status 1 with a bad start or goal, 3 at --iterations or --timeout, which prove nothing; with --timed 1 when no motion
keeps the limits, too.

Examples:
  clearance plan arm.urdf --srdf arm.srdf --scene table.json --start home --goal ready --simplify
  clearance plan arm.urdf --srdf arm.srdf --scene table.json --start home --goal ready --optimise 0.5 --json
  clearance plan arm.urdf --srdf arm.srdf --scene closed.json --start home --goal ready --explain
  clearance plan arm.urdf --srdf arm.srdf --scene table.json --start home --goal ready --timed --acceleration 3 --out motion.csv`,
    )
    .action(async (file: string, args: PlanArguments, command: Command) => {
      if (
        args.problems === undefined &&
        args.goal === undefined &&
        args.goalPose === undefined &&
        args.goalLook === undefined
      )
        throw new UsageError('plan: expected --goal, --goal-pose, --goal-look, or --problems FILE');
      requireOutput(command, args);
      const isOfSpheres = args.geometry === 'spheres';
      const shown = { ...args, spheres: isOfSpheres && args.spheres !== 'auto' ? args.spheres : undefined };
      if (args.edges !== 'sampled') refuseOptions(command, ['resolution'], 'means nothing without --edges sampled');
      if (args.optimise === undefined) refuseOptions(command, ['objective'], 'means nothing without --optimise');
      if (args.goalPose === undefined)
        refuseOptions(command, ['goalTolerance', 'approach'], 'means nothing without --goal-pose');
      if (args.roadmap === undefined) refuseOptions(command, ['moving'], 'means nothing without --roadmap');
      if (args.spheres !== 'auto' || isOfSpheres)
        refuseOptions(command, ['cache'], 'means nothing without --spheres auto');
      else if (typeof args.cache === 'string') requireFolder('--cache', args.cache);
      const constraints = args.constraint === undefined ? null : readConstraintFile('--constraint', args.constraint);
      const first = await loadSceneArguments(file, shown);
      const roadmap = args.roadmap === undefined ? undefined : readRoadmap(args.roadmap, first);
      const spheres = isOfSpheres ? undefined : readPlanSpheres(args.spheres, collidingShapes(first, args), args.cache);
      const addMotion = args.timed ? createTimer(first, args) : null;
      requireMovable(first.group);
      const progress = startProgress('planning');
      const scenes = createSceneSwitch(file, first, shown);
      const paths: GroupPlan[] = [];
      const certificates: (PathCertificate | null)[] = [];
      try {
        const single = {
          start: args.start === undefined ? {} : parseConfigurationText(args.start),
          goal: args.goal === undefined ? undefined : parseConfigurationText(args.goal),
        };
        process.exitCode = await runBatch(
          { source: args.problems ?? null, single, json: Boolean(args.json) },
          async (value) => {
            const line = requireObject(value);
            const loaded = await scenes.use(line.scene);
            const start = clampGiven(
              loaded.model,
              'start',
              parseConfiguration(loaded, line.start ?? {}, loaded.rest, loaded.group),
            );
            const fixed = sceneGrounds(loaded.scene);
            const goal = readGoal(loaded, args, line.goal, start);
            const settings = {
              ...{ ...args, spheres, roadmap, simplify: Boolean(args.simplify), onProgress: progress.update },
              edges: args.edges === 'sampled' ? ('sampled' as const) : ('certified' as const),
              moving: args.moving?.split(','),
              retreat: args.retreat === undefined ? undefined : readTriple('--retreat', args.retreat),
            };
            const planned = planInScene(loaded, start, goal, constraints ? { ...settings, constraints } : settings);
            paths.push(planned);
            if (args.certificate !== undefined) certificates.push(certify(loaded, planned));
            const { status, reason, path, length, cost, certified, planner } = planned;
            const { prepareMs, planMs, simplifyMs, checks, iterations, repairs } = planned;
            const { costs, repair, reasons, plannerReason } = planned;
            const text =
              status === 'solved'
                ? `solved: ${path.length} waypoints, length ${length.toFixed(3)}, planned in ${planMs.toFixed(1)} ms${args.simplify ? ` and shortened in ${simplifyMs.toFixed(1)} ms` : ''}, ${countOf(checks, 'check')}`
                : [`${status}: ${reason}`, ...(reasons?.text ?? [])].join('\n  ');
            const repaired = repair
              ? `; start repaired: ${repair.distance.toFixed(4)} away, ${[repair.limits, ...repair.contacts.map(({ a, b, depth }) => `${a} was ${(1000 * depth).toFixed(2)} mm deep in ${b}`)].filter(Boolean).join(', ')}`
              : '';
            const motion = addMotion && status === 'solved' ? await addMotion(path, loaded) : null;
            const masses = motion && args.torque !== undefined ? inertiaGrounds(loaded) : {};
            const grounds = joinGrounds(answerGrounds(loaded.scene, fixed, planned, motion ?? {}), masses);
            return {
              result: {
                status,
                reason,
                path,
                length,
                cost,
                certified,
                ...(constraints && { deviation: finiteOrNull(planned.deviation) }),
                ...(motion && { motion: motion.result }),
                planner,
                plannerReason,
                prepareMs,
                planMs,
                simplifyMs,
                checks,
                iterations,
                repairs,
                ...(args.optimise !== undefined && { costs }),
                ...(repair && { repair }),
                ...(reasons && { reasons }),
                ...grounds,
              },
              text: text + repaired + (motion?.text ?? '') + groundText(grounds),
              status: worseStatus(exitOf[status], motion?.status ?? ExitStatus.done),
            };
          },
        );
        if (args.out !== undefined && !args.timed) writePaths(args.out, paths, first);
        if (args.roadmap !== undefined && roadmap)
          writeFileSync(args.roadmap, writeRoadmap(roadmap, groupNames(first)));
        if (args.certificate !== undefined) writeFileSync(args.certificate, writePathCertificates(certificates));
      } finally {
        progress.stop();
        scenes.dispose();
      }
    });
}

/** What spheres have to contain. */
function collidingShapes({ description, meshes }: LoadedScene, args: PlanArguments): SphereRobotOptions {
  return {
    description,
    meshes,
    meshMode: meshMode(args),
    geometry: args.geometry === 'visual' ? 'visual' : 'collision',
  };
}

const finiteOrNull = (x: unknown): number | null => (typeof x === 'number' && Number.isFinite(x) ? x : null);

function requireOutput(command: Command, args: PlanArguments): void {
  if (args.constraint === undefined) refuseOptions(command, ['within'], 'means nothing without --constraint');
  else
    refuseOptions(
      command,
      ['planner', 'edges', 'resolution', 'spheres', 'approach', 'retreat', 'optimise', 'objective', 'roadmap'],
      'is not to be had with --constraint',
    );
  if (args.certificate !== undefined) {
    if (extname(args.certificate) !== '.json')
      throw new UsageError(`--certificate "${args.certificate}": expected a .json file`);
    requireWritable('--certificate', args.certificate);
  }
  if (!args.timed) {
    refuseOptions(command, TIMING_OPTIONS, 'means nothing without --timed');
    if (args.out === undefined) return;
    if (!['.json', '.csv'].includes(extname(args.out)))
      throw new UsageError(`--out "${args.out}": expected a .json or .csv file`);
    requireWritable('--out', args.out);
    return;
  }
  const { method, corners, torque, problems, out } = args;
  if (method === 'stops')
    refuseOptions(command, ['corners', 'deviation', 'intervals'], 'means nothing with --method stops');
  else if (corners !== 'blend' && corners !== 'smooth')
    refuseOptions(command, ['deviation'], 'means nothing without --corners blend or smooth');
  if (torque === undefined) refuseOptions(command, ['gravity'], 'means nothing without --torque');
  if (problems !== undefined && out !== undefined)
    throw new UsageError('--out: holds one motion, so --timed writes it for --start and --goal, not for --problems');
  requireAccelerations(args);
  requireTrajectoryOutput(out);
}

/** Null where there is no path. Planners return what keeps farther from everything than certificates need. */
function certify({ scene, robot }: LoadedScene, { status, path }: GroupPlan): PathCertificate | null {
  if (status !== 'solved') return null;
  const found = certifyPath(scene, robot, path, { tolerance: CERTIFIED_GAP });
  if (!found.certificate)
    report({ severity: 'warning', code: 'not-certified', message: `no certificate: ${found.reason}` });
  return found.certificate;
}

/** Times a path in the scene as it is then, and writes the motion where it is asked for. */
function createTimer({ model }: LoadedScene, args: PlanArguments) {
  const gravity = readGravity(args);
  const limits = readLimits(model, args);
  return async (path: readonly Float64Array[], loaded: LoadedScene) => {
    const begin = performance.now();
    const timing = readTiming(args);
    // Corners leave what is held by no more than the path does.
    const deviation = timing.deviation ?? (args.constraint === undefined ? undefined : (args.within ?? HELD_WITHIN));
    const made = timePath(model, path, { ...timing, deviation, limits, gravity }, loaded);
    const timedMs = performance.now() - begin;
    const { status, reason, trajectory, checked, changes, assumed } = made;
    if (!trajectory) {
      const exit = status === 'limit' ? ExitStatus.limit : ExitStatus.negative;
      return {
        result: { status, reason, checked, timedMs },
        text: `; motion ${status}: ${reason}`,
        status: exit,
        assumed,
      };
    }
    const table = tabulate(trajectory, args, gravity);
    if (args.out !== undefined) await writeTrajectoryFile(args.out, table);
    const { duration } = trajectory;
    return {
      result: { status, reason, duration, samples: table.times.length, checked, changes, timedMs },
      text: `; motion ${duration.toFixed(4)} s${describeCheck(made)}`,
      status: status === 'limit' ? ExitStatus.limit : ExitStatus.done,
      assumed,
    };
  };
}

function groupNames({ model, group }: LoadedScene): string[] {
  const names = positionNames(model);
  return Array.from(group.indices, (i) => names[i]);
}

/** The roadmap of a file, of the same joints; an empty one where there is no file. */
function readRoadmap(file: string, loaded: LoadedScene): Roadmap {
  const { scene, robot, group } = loaded;
  if (extname(file) !== '.json') throw new UsageError(`--roadmap "${file}": expected a .json file`);
  requireWritable('--roadmap', file);
  const options = { group: group.name ?? undefined };
  if (!existsSync(file)) return createGroupRoadmap(scene, robot, options);
  const { value, issues } = parseRoadmap(readFileSync(file, 'utf8'), groupNames(loaded));
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return loadGroupRoadmap(scene, robot, value, options);
}

/**
 * Problems may name scenes, relative to the problem file. The robot then stands in a new scene, so that nothing of an earlier
 * file's is left, its robots and allowed pairs neither.
 */
function createSceneSwitch(file: string, loaded: LoadedScene, args: PlanArguments) {
  let shown = loaded;
  let current: string | null = null;
  const folder = args.problems === undefined || args.problems === '-' ? '.' : dirname(args.problems);
  return {
    async use(name: unknown): Promise<LoadedScene> {
      if (name === undefined || name === null) return shown;
      if (typeof name !== 'string') throw new UsageError('scene: expected a file name');
      const scene = resolve(folder, name);
      if (scene === current) return shown;
      const placed = await placeLoaded(loaded, file, { ...args, scene });
      disposeScene(shown.scene);
      shown = { ...loaded, ...placed };
      current = scene;
      return shown;
    },
    dispose(): void {
      disposeScene(shown.scene);
    },
  };
}

function writePaths(file: string, paths: readonly GroupPlan[], { model }: LoadedScene): void {
  const joints = positionNames(model);
  const text =
    extname(file) === '.json'
      ? writePathsJson(
          joints,
          paths.map(({ status, length, path }) => ({ status, length, path })),
        )
      : writePathsCsv(
          joints,
          paths.map(({ path }) => path),
        );
  writeFileSync(file, text);
}
