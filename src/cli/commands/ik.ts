/** `clearance ik`: joint values that bring a frame to target poses, satisfy several tasks at once, or follow a path. */
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { IkGoal } from '../../ik/improve.js';
import { solveAllIk } from '../../ik/solve-all.js';
import { createIkSolver, type IkRequest, type IkSolver } from '../../ik/solve-ik.js';
import { solveIkPath } from '../../ik/solve-path.js';
import { createTransform } from '../../math/transform.js';
import { findFrame, type Model } from '../../model/model.js';
import { createSceneChecker } from '../../scene/motion/validity.js';
import { disposeScene } from '../../scene/scene.js';
import { parseConfiguration, requireMovable, selectGroup } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { type GroundFields, groundText } from '../grounds.js';
import { readTasks, readVector, TASK_KINDS, type TaskKind, toFrameTask } from '../ik-tasks.js';
import { type BatchAnswer, requireReadable, runBatch, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount, parseNumber, splitNumbers } from '../number-arguments.js';
import { readPose, requireObject } from '../pose-argument.js';
import {
  addSceneOptions,
  GEOMETRY_OPTIONS,
  loadRobotArgument,
  modelGrounds,
  type RobotArguments,
  SCENE_OPTIONS,
} from '../robot-arguments.js';
import { groundsAt, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { readRest, type StateContext } from '../state-arguments.js';
import { formatNumber } from '../words.js';

interface IkArguments extends RobotArguments {
  readonly frame?: string;
  readonly targets?: string;
  readonly path?: string;
  readonly task: TaskKind;
  readonly axis: string;
  readonly position?: boolean;
  readonly goal?: IkGoal['kind'];
  readonly avoid?: boolean;
  readonly avoidCollision?: boolean;
  readonly all?: boolean;
  readonly starts: number;
  readonly restarts: number;
  readonly seed: number;
  readonly positionTolerance: number;
  readonly rotationTolerance: number;
  readonly json?: boolean;
}

const HELP = `
Lines of --targets:
  {"target":pose,"seed":q?}          pose = [x,y,z,qx,qy,qz,qw]; --task axis: a direction [x,y,z]; look-at: a point [x,y,z]
  {"tasks":[task,...],"seed":q?}     all at once; task = {"kind","frame","target","axis"?,"base"?,"point"?,"weight"?},
                                     kinds as --task, and center-of-mass, posture, relative-pose
  pose, or a line of "clearance fk --json", of which the pose of --frame is taken

Exit status 1 when any target is not reached.

Examples:
  clearance ik arm.urdf --frame tool --targets targets.jsonl --json
  clearance ik arm.urdf --frame tool --targets targets.jsonl --all --avoid-collision
  clearance ik arm.urdf --frame tool --path poses.json --goal limits --json`;

export function ikCommand(): Command {
  return addSceneOptions(new Command('ik'))
    .description('inverse kinematics: joint values within the limits that bring a frame to a pose')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--frame <name>', 'link or joint to place')
    .option('--targets <file>', 'JSON Lines, see below, or - for standard input')
    .option('--path <file>', 'JSON array of poses to go through in order without jumps (or {"targets":[...]})')
    .addOption(new Option('--task <kind>', 'what of the target counts').choices(TASK_KINDS).default('pose'))
    .option('--axis <x,y,z>', 'axis of the frame for --task axis and look-at', '0,0,1')
    .option('--position', 'any orientation will do: --task position')
    .addOption(
      new Option('--goal <kind>', 'use of what redundancy is left').choices(['posture', 'limits', 'manipulability']),
    )
    .option('--avoid', 'only solutions free of collisions')
    .option('--avoid-collision', 'the same')
    .option('--all', 'every solution found')
    .option('--starts <n>', 'starts of --all, first solutions of --path', parseCount('--starts'), 200)
    .option('--restarts <n>', 'random starts after the first', parseCount('--restarts'), 50)
    .option('--seed <n>', 'seed of the random starts', parseCount('--seed'), 1)
    .option(
      '--position-tolerance <metres>',
      'how far off a solution may be; more than the default for targets of few digits',
      parseNumber('--position-tolerance', { min: 0 }),
      1e-6,
    )
    .option(
      '--rotation-tolerance <rad>',
      'likewise for rotations',
      parseNumber('--rotation-tolerance', { min: 0 }),
      1e-6,
    )
    .addHelpText('after', HELP)
    .action(async (file: string, args: IkArguments, command: Command) => {
      if ((args.targets === undefined) === (args.path === undefined)) {
        throw new UsageError('ik: give either --targets or --path');
      }
      refuseIdleOptions(command, args);
      const avoid = Boolean(args.avoid || args.avoidCollision);
      if (!avoid)
        refuseOptions(command, [...GEOMETRY_OPTIONS, ...SCENE_OPTIONS], 'means nothing without --avoid-collision');
      const loaded = avoid ? await loadSceneArguments(file, args) : await loadMechanism(file, args);
      const { model, scene, robot, group, rest, grounds: fixed } = withGrounds(loaded);
      const groundsOf = (found: Iterable<Float64Array>): GroundFields =>
        scene && robot ? groundsAt({ scene, robot }, fixed, found) : fixed;
      requireMovable(group);
      const frame = args.frame === undefined ? -1 : findFrame(model, args.frame);
      if (args.frame !== undefined && frame < 0) {
        throw new UsageError(`--frame: "${args.frame}" is no link or joint of ${file}`);
      }
      const checker = scene && robot ? createSceneChecker(scene, robot) : null;
      const { velocities } = group;
      const shared: IkRequest = {
        restarts: args.restarts,
        seed: args.seed,
        positionTolerance: args.positionTolerance,
        rotationTolerance: args.rotationTolerance,
        isValid: checker ? (q) => checker.isValid(q) : undefined,
        goal: args.goal && toGoal(model, args.goal, frame, rest),
      };
      const task = args.position ? 'position' : args.task;
      const progress = startProgress('solving');
      const onProgress = (n: number): void => progress.update(`${n}`);
      try {
        if (args.path !== undefined) {
          requireFrame(frame, '--path');
          const request = { ...shared, start: rest ?? undefined, starts: Math.min(args.starts, 64) };
          process.exitCode = await followPath(
            createIkSolver(model, frame, { velocities }),
            args.path,
            request,
            args,
            groundsOf,
          );
          return;
        }
        const answerTasks = createTaskSolver(model, { frame, task, axis: args.axis, velocities });
        process.exitCode = await runBatch(
          {
            source: args.targets as string,
            json: Boolean(args.json),
            onProgress,
            summarize: ({ answered, negative, firstNegative, invalid }) =>
              `${answered + invalid} targets: ${answered - negative} solved, ${negative} not${firstNegative === null ? '' : `, first ${firstNegative}`}`,
          },
          (value) => {
            const line = readTarget(value, args.frame);
            const start = line.seed === undefined ? rest : parseConfiguration(loaded, line.seed, rest, group);
            const request = { ...shared, start: start ?? undefined };
            const begin = performance.now();
            const { solver, target } = answerTasks(line);
            const answer = args.all
              ? answerAll(solver, { ...request, target, starts: args.starts }, begin)
              : answerOne(solver, { ...request, target }, begin);
            const grounds = groundsOf(answer.found);
            return {
              result: { ...answer.result, ...grounds },
              text: answer.text + groundText(grounds),
              status: answer.status,
            };
          },
        );
      } finally {
        progress.stop();
        if (scene) disposeScene(scene);
      }
    });
}

interface IkContext extends StateContext {
  readonly scene?: LoadedScene['scene'];
  readonly robot?: LoadedScene['robot'];
  readonly grounds?: GroundFields;
}

/** The robot's mechanism alone: no geometry takes part. */
async function loadMechanism(file: string, args: RobotArguments): Promise<IkContext> {
  const loaded = await loadRobotArgument(file, args, { meshes: false });
  const grounds = modelGrounds(file, loaded, args);
  return { ...loaded, group: selectGroup(loaded, args.group), rest: readRest(loaded, args.state), grounds };
}

function withGrounds(loaded: IkContext): IkContext & { readonly grounds: GroundFields } {
  return { ...loaded, grounds: loaded.grounds ?? (loaded.scene ? sceneGrounds(loaded.scene) : {}) };
}

/** A line of targets, a bare pose, or a line of `fk`. */
function readTarget(value: unknown, frame: string | undefined): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) return { target: value };
  const line = requireObject(value);
  const { frames } = line;
  if (frames === undefined || line.target !== undefined || line.tasks !== undefined || frame === undefined) return line;
  const pose = requireObject(frames)[frame];
  if (pose === undefined) throw new UsageError(`"frames": no pose of "${frame}", which --frame names`);
  return { ...line, target: pose };
}

function refuseIdleOptions(command: Command, { path, all, task, position }: IkArguments): void {
  if (path !== undefined) refuseOptions(command, ['all', 'restarts'], 'means nothing with --path');
  else if (all) refuseOptions(command, ['goal', 'restarts'], 'means nothing with --all');
  else refuseOptions(command, ['starts'], 'means nothing without --all or --path');
  if (position) refuseOptions(command, ['task'], '--position is --task position: expected one of them');
  if (position || !['axis', 'look-at'].includes(task))
    refuseOptions(command, ['axis'], 'means nothing without --task axis or look-at');
}

/** With the configurations that were found. */
type IkAnswer = BatchAnswer & { readonly found: readonly Float64Array[] };

function answerOne(solver: IkSolver, request: IkRequest, begin: number): IkAnswer {
  const { goal, ...result } = solver.solve(request);
  const ms = performance.now() - begin;
  const text = `${result.status}: position error ${formatNumber(result.positionError, 2)} m, rotation error ${formatNumber(result.rotationError, 2)} rad, ${ms.toFixed(2)} ms`;
  return {
    result: { ...result, ...(request.goal && { goal }), ms },
    text,
    status: result.status === 'solved' ? ExitStatus.done : ExitStatus.negative,
    found: [result.q],
  };
}

function answerAll(solver: IkSolver, request: IkRequest & { starts: number }, begin: number): IkAnswer {
  const { solutions, isSettled } = solveAllIk(solver, request);
  const ms = performance.now() - begin;
  const rows = solutions.map((q) => `\n  ${Array.from(q, (x) => x.toFixed(4)).join(' ')}`).join('');
  return {
    result: { status: solutions.length > 0 ? 'solved' : 'limit', solutions, isSettled, ms },
    text: `${solutions.length} solutions${isSettled ? '' : ' (more --starts may find more)'}, ${ms.toFixed(1)} ms${rows}`,
    status: solutions.length > 0 ? ExitStatus.done : ExitStatus.negative,
    found: solutions,
  };
}

interface TaskContext {
  readonly frame: number;
  readonly task: TaskKind;
  readonly axis: string;
  readonly velocities: ArrayLike<number>;
}

/** The solver and target of each line; lines of plain targets share one solver. */
function createTaskSolver(model: Model, { frame, task, axis, velocities }: TaskContext) {
  const options = { velocities };
  const poseSolver = frame >= 0 && task === 'pose' ? createIkSolver(model, frame, options) : null;
  return (line: Readonly<Record<string, unknown>>): { solver: IkSolver; target?: Float64Array } => {
    if (line.tasks !== undefined && line.target !== undefined)
      throw new UsageError('"target" and "tasks": expected one of them');
    if (line.tasks !== undefined) return { solver: createIkSolver(model, readTasks(model, line.tasks), options) };
    if (line.target === undefined || line.target === null)
      throw new UsageError('expected an object with "target" or "tasks"');
    requireFrame(frame, '--targets with "target"');
    if (poseSolver) return { solver: poseSolver, target: readPose(createTransform(), line.target, 'target') };
    return {
      solver: createIkSolver(
        model,
        [toFrameTask(task, frame, readVector(splitNumbers(axis), '--axis'), line.target)],
        options,
      ),
    };
  };
}

async function followPath(
  solver: IkSolver,
  file: string,
  request: IkRequest & { starts: number },
  { json, task, position, frame }: IkArguments,
  groundsOf: (found: Iterable<Float64Array>) => GroundFields,
): Promise<ExitStatus> {
  if (!position && task !== 'pose' && task !== 'position')
    throw new UsageError('--path: takes --task pose or position');
  const targets = readPoses(file, frame);
  const begin = performance.now();
  const { status, path, reached, largestChange } = solveIkPath(solver, {
    ...request,
    targets,
    task: position || task === 'position' ? 'position' : 'pose',
  });
  const ms = performance.now() - begin;
  const grounds = groundsOf(path);
  await writeLine(
    json
      ? toJson({ i: 0, status, reached, poses: targets.length, largestChange, path, ms, ...grounds })
      : `${status}: ${reached} of ${targets.length} poses, largest change of a joint ${largestChange.toFixed(4)}, ${ms.toFixed(1)} ms${groundText(grounds)}`,
  );
  return status === 'solved' ? ExitStatus.done : ExitStatus.negative;
}

function readPoses(file: string, frame: string | undefined): Float64Array[] {
  requireReadable(file);
  const value = parseJsonText(file, readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  const list = Array.isArray(value) ? value : fieldOf(value, 'frames') ? [value] : fieldOf(value, 'targets');
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`${file}: expected an array of poses, or {"targets":[...]}`);
  return list.map((pose, i) => {
    const isEntry = typeof pose === 'object' && pose !== null;
    const target = isEntry ? readTarget(pose, frame).target : undefined;
    if (target === undefined || target === null)
      throw new UsageError(`${file}: pose ${i}: expected [x, y, z, qx, qy, qz, qw]`);
    return readPose(createTransform(), target, `${file}: ${i}`);
  });
}

/** One value, or JSON Lines as a list. */
function parseJsonText(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line));
    } catch {
      // Then the fault of the whole is told.
    }
    throw new UsageError(`${file}: not JSON: ${(error as Error).message}`);
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function toGoal(model: Model, kind: IkGoal['kind'], frame: number, rest: Float64Array | null): IkGoal {
  if (kind === 'limits') return { kind };
  if (kind === 'posture') return { kind, target: rest ?? new Float64Array(model.nq) };
  requireFrame(frame, '--goal manipulability');
  return { kind, frame };
}

function requireFrame(frame: number, what: string): void {
  if (frame < 0) throw new UsageError(`${what}: needs --frame, the link or joint it is about`);
}
