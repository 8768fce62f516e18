/** `clearance fleet`: paths of many robots on a map, or a world of robots that is run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { createGridGraph, type PathGraph } from '../../fleet/path-graph.js';
import type { PathProblem, RobotPath } from '../../fleet/path-problem.js';
import { type PathOptions, type PathPlan, type PathStatus, planPaths } from '../../fleet/plan-paths.js';
import { createRandomProblem } from '../../fleet/random-problem.js';
import { verifyPaths } from '../../fleet/verify-paths.js';
import { isFloorFile } from '../../io/floor-file.js';
import { parseGridMap } from '../../io/grid/grid-map-file.js';
import { parseScenario } from '../../io/grid/scenario-file.js';
import { formatIssue, type Issue } from '../../io/issue.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import type { WorldArguments } from '../fleet-drive.js';
import { runFleetWorld } from '../fleet-world.js';
import { runFloorWorld } from '../floor-world.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';

interface FleetArguments extends WorldArguments {
  readonly agents?: number;
  readonly scen?: string;
  readonly rotations: boolean;
}

const statuses: Readonly<Record<PathStatus, ExitStatus>> = {
  solved: ExitStatus.done,
  impossible: ExitStatus.negative,
  timeout: ExitStatus.limit,
  limit: ExitStatus.limit,
};

export function fleetCommand(): Command {
  return new Command('fleet')
    .description('paths of many robots on a map, none colliding; or a world of robots, run and proven apart')
    .argument('<map>', 'a map of cells (.map), or a world (.json)')
    .option('--agents <n>', 'robots at random places with random goals, on a map', parseCount('--agents', { min: 1 }))
    .option('--scen <file>', 'starts and goals of a scenario (.scen), on a map')
    .option('--seed <n>', 'of all random choices (default: 1, or what the world says)', parseCount('--seed'))
    .option(
      '--timeout <s>',
      'seconds for planning; plans are improved until then (default: 10)',
      parseNumber('--timeout', { above: 0 }),
    )
    .option('--iterations <n>', 'successors made before the search is given up', parseCount('--iterations', { min: 1 }))
    .option('--rounds <n>', 'rounds of improvement, in the place of time', parseCount('--rounds'))
    .option('--no-rotations', 'on a map: no closed chain of robots moves into each other at once')
    .option('--out <file>', 'write the paths (.json)')
    .option(
      '--for <s>',
      'seconds that a world is run (default: until all have arrived, 60 with tasks)',
      parseNumber('--for', { above: 0 }),
    )
    .option('--step <s>', "seconds of a world's step (default: 0.1)", parseNumber('--step', { above: 0 }))
    .option('--rate <hz>', "records of a world's second (default: 1)", parseNumber('--rate', { above: 0 }))
    .option('--record <file>', 'write poses, metrics and events of a world (.mcap)')
    .option('--csv <file>', 'write the metrics of a world (.csv)')
    .option('--checkpoint <file>', "write a world's state every ten seconds of it and at the end")
    .option('--resume', 'go on from the checkpoint, where there is one')
    .option('--allow-outside', "files of arms and objects may lie outside a floor's folder")
    .addHelpText(
      'after',
      `
A world has cells ("fleet") on which robots with goals or tasks are planned, or a floor ("floor") on which robots with bases and arms do what
their queues say: move, wait, charge, pick, drop, joints, pose.

Status "impossible" is a proof. "collisions" of a plan are its conflicts, found by an independent check; of a world the pairs of robots that
could not be proven apart at every time of a step. "state" is the hash of a world's state, equal bit for bit.

Exit status 1 when there is no plan, or robots of a world collide; 3 when time or iterations ran out.

Examples:
  clearance fleet warehouse.map --agents 1000 --seed 7 --timeout 30 --out paths.json
  clearance fleet random.map --scen random-1.scen --agents 100
  clearance fleet world.json --for 600 --record run.mcap --checkpoint run.json --resume
  clearance fleet floor.json --csv robots.csv --rate 10`,
    )
    .action(async (file: string, args: FleetArguments) => {
      requireReadable(file);
      for (const option of ['out', 'record', 'csv', 'checkpoint'] as const) {
        const name = args[option];
        if (name === undefined) continue;
        requireWritable(`--${option}`, name);
        requireOtherFile(`--${option}`, name, file);
      }
      if (file.endsWith('.json')) {
        const { agents, scen, rotations, timeout, iterations, rounds, out, allowOutside } = args;
        refuse('a world', { agents, scen, rotations: rotations ? undefined : false, out });
        if (isFloorFile(readFileSync(file, 'utf8'))) {
          refuse('a floor, where nothing is planned', { timeout, iterations, rounds });
          process.exitCode = await runFloorWorld(file, args);
        } else {
          refuse('a world of cells', { 'allow-outside': allowOutside });
          process.exitCode = await runFleetWorld(file, args, toPathOptions(args));
        }
        return;
      }
      const { record, csv, checkpoint, resume, rate, step } = args;
      refuse('a map', {
        record,
        csv,
        checkpoint,
        resume,
        rate,
        step,
        for: args.for,
        'allow-outside': args.allowOutside,
      });
      const { graph, map } = readMap(file);
      const problem = { ...readProblem(graph, map, args), rotations: args.rotations };
      const start = performance.now();
      const plan = planPaths(problem, toPathOptions(args));
      const planMs = performance.now() - start;
      const collisions = plan.status === 'solved' ? verifyPaths(problem, plan.paths).length : 0;
      if (args.out !== undefined) writeFileSync(args.out, `${toJson(toFile(graph, map.width, plan.paths))}\n`);
      await writeLine(
        args.json ? toJson(toAnswer(plan, problem, planMs, collisions)) : describe(plan, problem, planMs),
      );
      process.exitCode = statuses[plan.status];
    });
}

function refuse(what: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined)
      throw new UsageError(`--${value === false ? 'no-' : ''}${name}: means nothing for ${what}`);
}

/** Milliseconds of a command that names no time: long enough to improve a plan, short enough to wait for. */
const DEFAULT_MS = 10_000;

function toPathOptions({ seed, timeout, iterations, rounds }: WorldArguments): PathOptions {
  const isCounted = iterations !== undefined || rounds !== undefined;
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(iterations === undefined ? {} : { iterations }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(timeout === undefined && isCounted
      ? {}
      : { timeoutMs: timeout === undefined ? DEFAULT_MS : 1000 * timeout, clock: () => performance.now() }),
  };
}

function readMap(file: string) {
  const map = requireParsed(file, parseGridMap(readFileSync(file, 'utf8')));
  return { map, graph: createGridGraph(map) };
}

function readProblem(graph: PathGraph, map: { width: number; height: number }, args: FleetArguments): PathProblem {
  const { agents, scen, seed = 1 } = args;
  if (scen === undefined) {
    if (agents === undefined) throw new UsageError('--agents: how many robots, or --scen with their starts and goals');
    return orUsageError('--agents', () => createRandomProblem(graph, agents, seed));
  }
  requireReadable(scen);
  const entries = requireParsed(scen, parseScenario(readFileSync(scen, 'utf8')));
  const count = agents ?? entries.length;
  if (count > entries.length || count === 0)
    throw new UsageError(`--agents ${count}: ${scen} holds ${entries.length} starts and goals`);
  const at = (i: number, [x, y]: readonly [number, number]): number => {
    const v = x < map.width && y < map.height ? graph.vertexOfCell![y * map.width + x] : -1;
    if (v < 0) throw new UsageError(`${scen}: entry ${i + 1}: cell ${x}, ${y} is not free on the map`);
    return v;
  };
  const used = entries.slice(0, count);
  return {
    graph,
    starts: used.map(({ start }, i) => at(i, start)),
    goals: used.map(({ goal }, i) => at(i, goal)),
  };
}

function requireParsed<T>(file: string, { value, issues }: { value: T | null; issues: readonly Issue[] }): T {
  const words = issues.map((issue) => formatIssue({ file, ...issue })).join('\n');
  if (value === null) throw new UsageError(words);
  if (words !== '') warn(words);
  return value;
}

function toAnswer(
  plan: PathPlan,
  { starts }: PathProblem,
  planMs: number,
  collisions: number,
): Record<string, unknown> {
  const { status, reason, makespan, sumOfCosts, lowerBound, firstCost, iterations, rounds } = plan;
  const found = status === 'solved';
  return {
    status,
    reason,
    agents: starts.length,
    makespan: found ? makespan : null,
    sumOfCosts: found ? sumOfCosts : null,
    lowerBound,
    firstCost: found ? firstCost : null,
    iterations,
    rounds,
    planMs,
    collisions: found ? collisions : null,
  };
}

function describe(plan: PathPlan, { starts }: PathProblem, planMs: number): string {
  const { status, reason, makespan, sumOfCosts, lowerBound, firstCost } = plan;
  if (status !== 'solved') return `${status}: ${reason}`;
  return `solved: ${starts.length} robots, ${makespan} steps, sum of costs ${sumOfCosts} (first plan ${firstCost}, at least ${lowerBound}), ${planMs.toFixed(0)} ms, no conflict`;
}

/** Cells by column and row, one path per robot. */
function toFile(graph: PathGraph, width: number, paths: readonly RobotPath[]) {
  const toCell = (v: number) => {
    const c = graph.cellOfVertex![v];
    return [c % width, Math.floor(c / width)];
  };
  return { version: 1, paths: paths.map((path) => Array.from(path, toCell)) };
}
