/** `clearance coordinate`: robots of a scene on paths that are given, or to goals, none touching another at any time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { createScene, disposeScene } from '../../scene/scene.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { type CoordinatedPath, coordinatePaths } from '../../tasks/coordinate-paths.js';
import { planRobots, type RobotGoal, type RobotsPlan } from '../../tasks/plan-robots.js';
import { positionNames } from '../../trajectory/trajectory-table.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { groundText } from '../grounds.js';
import { requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { requireObject } from '../pose-argument.js';
import { addSceneFile, answerGrounds, sceneGrounds } from '../scene-arguments.js';

interface CoordinateArguments {
  readonly paths?: string;
  readonly goals?: string;
  readonly method: 'coordinated' | 'prioritised' | 'together';
  readonly tick?: number;
  readonly seed: number;
  readonly out?: string;
  readonly allowOutside?: boolean;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
}

/** Of paths that are given, or planned. */
type Answer = Omit<RobotsPlan, 'paths' | 'attempts'>;

const exitOf: Readonly<Record<RobotsPlan['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  'no-path': ExitStatus.negative,
  blocked: ExitStatus.negative,
  impossible: ExitStatus.negative,
  limit: ExitStatus.limit,
};

export function coordinateCommand(): Command {
  return new Command('coordinate')
    .description('who waits where: robots on given paths, none touching another at any time')
    .argument('<scene>', 'scene file with the robots (.json)')
    .option('--paths <file>', 'a path for each robot that moves: {"paths":[{"robot","path","times"?},...]}')
    .option(
      '--goals <file>',
      'in place of paths, which are planned: {"goals":[{"robot","goal","start"?,"group"?},...]}, goals and starts as of planGroup',
    )
    .addOption(
      new Option(
        '--method <how>',
        'with --goals: paths, then who waits where; robots one after the other in space and time, where one may step aside; or all as one robot',
      )
        .choices(['coordinated', 'prioritised', 'together'])
        .default('coordinated'),
    )
    .option(
      '--tick <s>',
      'seconds that robots go or wait at once (default: a fiftieth of the longest path)',
      parseNumber('--tick', { above: 0 }),
    )
    .option(
      '--seed <n>',
      'of the orders of priorities that are tried with many robots, and of planned paths',
      parseCount('--seed'),
      1,
    )
    .option('--out <file>', 'write the motions: .json, a list of {"robot","joints","times","path"}')
    .option('--allow-outside', 'the scene file may name meshes outside its folder')
    .option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)')
    .addHelpText(
      'after',
      `
Robots go at full speed or stand, each along its own path; a path without times is gone through at the joints' velocity limits.
"shortest" says that no schedule at this tick is shorter; "impossible" is a proof at this tick.

Exit status 1 when a path touches something by itself, a robot has none, or no schedule exists at this tick; 3 when none was found.

Examples:
  clearance coordinate cell.json --paths paths.json
  clearance coordinate cell.json --paths paths.json --tick 0.1 --out motions.json --json
  clearance coordinate cell.json --goals goals.json --method prioritised
  clearance coordinate cell.json --goals goals.json --method together`,
    )
    .action(async (file: string, args: CoordinateArguments) => {
      if (args.out !== undefined) {
        if (extname(args.out) !== '.json') throw new UsageError(`--out "${args.out}": expected a .json file`);
        requireWritable('--out', args.out);
      }
      if ((args.paths === undefined) === (args.goals === undefined))
        throw new UsageError('coordinate: expected one of --paths FILE and --goals FILE');
      const given = args.paths === undefined ? '--goals' : '--paths';
      const source = (args.paths ?? args.goals)!;
      requireReadable(source);
      const scene = createScene({});
      try {
        await addSceneFile(scene, file, { allowOutside: args.allowOutside, allowMissing: args.allowMissing }, null);
        const fixed = sceneGrounds(scene);
        const { tick, seed, method } = args;
        const asked = readEntries(given, source, scene);
        const begin = performance.now();
        const plan: Answer = orUsageError(source, () =>
          given === '--paths'
            ? coordinatePaths(scene, asked as unknown as CoordinatedPath[], { tick, seed })
            : planRobots(scene, asked as unknown as RobotGoal[], { tick, seed, method }),
        );
        const planMs = performance.now() - begin;
        const motions = plan.motions.map(({ times, path, waits }, i) => ({
          ...{ robot: asked[i].robot.name, joints: positionNames(asked[i].robot.model), waits, times },
          path: path.map((q) => [...q]),
        }));
        if (args.out !== undefined) writeFileSync(args.out, `${JSON.stringify(motions)}\n`);
        const grounds = answerGrounds(scene, fixed, plan);
        const { status, reason, makespan, isShortest, orders, distances } = plan;
        const answer = {
          ...{ status, reason, makespan: Number.isFinite(makespan) ? makespan : null, shortest: isShortest },
          ...{ orders: orders.length, distances, planMs, motions, ...grounds },
        };
        await writeLine(args.json ? toJson(answer) : describe(plan, asked) + groundText(grounds));
        process.exitCode = exitOf[status];
      } finally {
        disposeScene(scene);
      }
    });
}

/** Entries of `paths` or `goals`, their robots looked up. */
function readEntries(option: '--paths' | '--goals', file: string, scene: Scene): { readonly robot: SceneRobot }[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} "${file}": ${(error as Error).message}`);
  }
  const key = option.slice(2);
  const list = (value as Record<string, unknown> | null)?.[key];
  const what = option === '--paths' ? '"path"' : '"goal"';
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`${option} "${file}": expected {"${key}":[{"robot",${what}},...]} with at least one`);
  return list.map((entry, i) => {
    const { robot: name, ...rest } = requireObject(entry);
    const robot = scene.robots.find((one) => one.name === name);
    if (!robot)
      throw new UsageError(
        `${option} "${file}": ${key}[${i}].robot: got ${JSON.stringify(name)}, expected ${scene.robots.map((one) => `"${one.name}"`).join(', ') || 'a robot, of which the scene has none'}`,
      );
    if (option === '--goals') return { robot, ...rest };
    const { path, times } = rest;
    return { robot, path, times };
  });
}

function describe(
  { status, reason, makespan, isShortest, motions }: Answer,
  asked: readonly { readonly robot: SceneRobot }[],
): string {
  if (status !== 'solved') return `${status}: ${reason}`;
  const ends = motions.map(({ times, waits }, i) => {
    const end = times[times.length - 1];
    return `  ${asked[i].robot.name}: ${end.toFixed(3)} s, of which it waits ${waits.toFixed(3)} s`;
  });
  const bound = isShortest ? ', no schedule at this tick is shorter' : '';
  return [`solved: all have arrived after ${makespan.toFixed(3)} s${bound}`, ...ends].join('\n');
}
