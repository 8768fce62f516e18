/** `clearance coordinate`: robots of a scene on paths that are given, who waits where so that none touches another. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Command } from 'commander';
import { createScene, disposeScene } from '../../scene/scene.js';
import type { Scene } from '../../scene/types.js';
import { type CoordinatedPath, type CoordinatedPaths, coordinatePaths } from '../../tasks/coordinate-paths.js';
import { positionNames } from '../../trajectory/trajectory-table.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { groundText } from '../grounds.js';
import { requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { requireObject } from '../pose-argument.js';
import { addSceneFile, answerGrounds, sceneGrounds } from '../scene-arguments.js';

interface CoordinateArguments {
  readonly paths: string;
  readonly tick?: number;
  readonly seed: number;
  readonly out?: string;
  readonly allowOutside?: boolean;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
}

const exitOf: Readonly<Record<CoordinatedPaths['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  blocked: ExitStatus.negative,
  impossible: ExitStatus.negative,
  limit: ExitStatus.limit,
};

export function coordinateCommand(): Command {
  return new Command('coordinate')
    .description('who waits where: robots on given paths, none touching another at any time')
    .argument('<scene>', 'scene file with the robots (.json)')
    .requiredOption('--paths <file>', 'a path for each robot that moves: {"paths":[{"robot","path","times"?},...]}')
    .option(
      '--tick <s>',
      'seconds that robots go or wait at once (default: a fiftieth of the longest path)',
      parseNumber('--tick', { above: 0 }),
    )
    .option('--seed <n>', 'of the orders of priorities that are tried with many robots', parseCount('--seed'), 1)
    .option('--out <file>', 'write the motions: .json, a list of {"robot","joints","times","path"}')
    .option('--allow-outside', 'the scene file may name meshes outside its folder')
    .option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)')
    .addHelpText(
      'after',
      `
Robots go at full speed or stand, each along its own path; a path without times is gone through at the joints' velocity limits.
"shortest" says that no schedule at this tick is shorter; "impossible" is a proof at this tick.

Exit status 1 when a path touches something by itself or no schedule exists at this tick, 3 when none was found.

Examples:
  clearance coordinate cell.json --paths paths.json
  clearance coordinate cell.json --paths paths.json --tick 0.1 --out motions.json --json`,
    )
    .action(async (file: string, args: CoordinateArguments) => {
      if (args.out !== undefined) {
        if (extname(args.out) !== '.json') throw new UsageError(`--out "${args.out}": expected a .json file`);
        requireWritable('--out', args.out);
      }
      requireReadable(args.paths);
      const scene = createScene({});
      try {
        await addSceneFile(scene, file, { allowOutside: args.allowOutside, allowMissing: args.allowMissing }, null);
        const fixed = sceneGrounds(scene);
        const paths = readPaths(args.paths, scene);
        const begin = performance.now();
        const plan = orUsageError(args.paths, () =>
          coordinatePaths(scene, paths, { tick: args.tick, seed: args.seed }),
        );
        const planMs = performance.now() - begin;
        const motions = plan.motions.map(({ times, path, waits }, i) => ({
          ...{ robot: paths[i].robot.name, joints: positionNames(paths[i].robot.model), waits, times },
          path: path.map((q) => [...q]),
        }));
        if (args.out !== undefined) writeFileSync(args.out, `${JSON.stringify(motions)}\n`);
        const grounds = answerGrounds(scene, fixed, plan);
        const { status, reason, makespan, isShortest, orders, distances } = plan;
        const answer = {
          ...{ status, reason, makespan: Number.isFinite(makespan) ? makespan : null, shortest: isShortest },
          ...{ orders: orders.length, distances, planMs, motions, ...grounds },
        };
        await writeLine(args.json ? toJson(answer) : describe(plan, paths) + groundText(grounds));
        process.exitCode = exitOf[status];
      } finally {
        disposeScene(scene);
      }
    });
}

function readPaths(file: string, scene: Scene): CoordinatedPath[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--paths "${file}": ${(error as Error).message}`);
  }
  const list = (value as { paths?: unknown } | null)?.paths;
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`--paths "${file}": expected {"paths":[{"robot","path"},...]} with at least one`);
  return list.map((entry, i) => {
    const { robot: name, path, times } = requireObject(entry);
    const robot = scene.robots.find((one) => one.name === name);
    if (!robot)
      throw new UsageError(
        `--paths "${file}": paths[${i}].robot: got ${JSON.stringify(name)}, expected ${scene.robots.map((one) => `"${one.name}"`).join(', ') || 'a robot, of which the scene has none'}`,
      );
    return { robot, path: path as CoordinatedPath['path'], times: times as CoordinatedPath['times'] };
  });
}

function describe(
  { status, reason, makespan, isShortest, motions }: CoordinatedPaths,
  paths: readonly CoordinatedPath[],
): string {
  if (status !== 'solved') return `${status}: ${reason}`;
  const ends = motions.map(({ times, waits }, i) => {
    const end = times[times.length - 1];
    return `  ${paths[i].robot.name}: ${end.toFixed(3)} s, of which it waits ${waits.toFixed(3)} s`;
  });
  const bound = isShortest ? ', no schedule at this tick is shorter' : '';
  return [`solved: all have arrived after ${makespan.toFixed(3)} s${bound}`, ...ends].join('\n');
}
