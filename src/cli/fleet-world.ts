/** Runs a fleet's world file: planning, steps, records, checkpoints. */
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFleetRun, createFleetSetup, type FleetRun, type FleetSetup } from '../fleet/fleet-run.js';
import type { PathOptions } from '../fleet/plan-paths.js';
import { parseFleetFile } from '../io/fleet-file.js';
import { createFleetRecorder, fleetMetricsHeader, formatFleetMetrics } from '../io/grid/fleet-recording.js';
import { parseGridMap } from '../io/grid/grid-map-file.js';
import { formatIssue, type Issue } from '../io/issue.js';
import { ExitStatus, orUsageError, UsageError } from './exit.js';
import { driveRun, ENDLESS_SECONDS, LONGEST_SECONDS, resumeRun, type WorldArguments } from './fleet-drive.js';
import { requireReadable, toJson, writeLine } from './json-lines.js';

export async function runFleetWorld(file: string, args: WorldArguments, options: PathOptions): Promise<ExitStatus> {
  const setup = readSetup(file, args.seed);
  const begin = performance.now();
  // What is resumed has its plan in the checkpoint: any will do to begin with.
  const isKept = args.resume === true && args.checkpoint !== undefined && existsSync(args.checkpoint);
  const { run, plan } = createFleetRun(setup, isKept ? { rounds: 0 } : options);
  const planMs = performance.now() - begin;
  const agents = setup.starts.length;
  if (run === null) {
    const { status, reason, lowerBound } = plan!;
    await writeLine(args.json ? toJson({ status, reason, agents, lowerBound, planMs }) : `${status}: ${reason}`);
    return status === 'impossible' ? ExitStatus.negative : ExitStatus.limit;
  }
  resumeRun(run, args);
  const runMs = await drive(run, args);
  const isTimeUp = !run.isDone && args.for === undefined && setup.description.fleet.tasks === undefined;
  const metrics = run.metrics();
  const answer = {
    status: run.collisions > 0 ? 'collides' : isTimeUp ? 'limit' : 'solved',
    agents,
    makespan: run.costs?.makespan ?? null,
    sumOfCosts: run.costs?.sumOfCosts ?? null,
    lowerBound: run.costs?.lowerBound ?? null,
    planMs,
    collisions: metrics.collisions,
    ...(run.firstCollision === null ? {} : { firstCollision: run.firstCollision }),
    seconds: metrics.time,
    realTimeFactor: (1000 * metrics.time) / runMs,
    arrived: metrics.arrived,
    delivered: metrics.delivered,
    leastGap: metrics.leastGap,
    stalls: run.stalls(),
    state: run.hash(),
  };
  await writeLine(args.json ? toJson(answer) : describe(answer));
  return run.collisions > 0 ? ExitStatus.negative : isTimeUp ? ExitStatus.limit : ExitStatus.done;
}

/** Steps until the end, with its record; returns the milliseconds they took. */
async function drive(run: FleetRun, args: WorldArguments): Promise<number> {
  const recording = args.record === undefined ? null : openSync(args.record, 'w');
  const recorder = recording === null ? null : await createFleetRecorder((bytes) => void writeSync(recording, bytes));
  const rows = args.csv === undefined ? null : [fleetMetricsHeader()];
  const ms = await driveRun(
    run,
    args,
    args.for ?? (run.plan === null ? ENDLESS_SECONDS : LONGEST_SECONDS),
    async () => {
      await recorder?.record(run);
      rows?.push(formatFleetMetrics(run.metrics()));
      for (const stall of run.stalls()) if (stall.kind !== 'stopped') await recorder?.event(run.time, { ...stall });
    },
  );
  if (rows !== null) writeFileSync(args.csv!, `${rows.join('\n')}\n`);
  await recorder?.end();
  if (recording !== null) closeSync(recording);
  return ms;
}

function readSetup(file: string, seed: number | undefined): FleetSetup {
  const description = requireParsed(file, parseFleetFile(readFileSync(file, 'utf8'), { file }));
  const { fleet } = description;
  let map: string;
  let name = file;
  if (typeof fleet.map === 'string') {
    name = resolve(dirname(file), fleet.map);
    requireReadable(name);
    map = readFileSync(name, 'utf8');
  } else
    map = ['type octile', `height ${fleet.map.length}`, `width ${fleet.map[0].length}`, 'map', ...fleet.map].join('\n');
  const world = seed === undefined ? description : { ...description, fleet: { ...fleet, seed } };
  return orUsageError(file, () => createFleetSetup(world, requireParsed(name, parseGridMap(map))));
}

function requireParsed<T>(file: string, { value, issues }: { value: T | null; issues: readonly Issue[] }): T {
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return value;
}

function describe(answer: Readonly<Record<string, unknown>>): string {
  const { status, agents, seconds, arrived, delivered, collisions, stalls } = answer;
  const lines = [
    `${status}: ${agents} robots, ${Number(seconds).toFixed(1)} s, ${arrived} at their goals, ${delivered} deliveries, ${collisions} pairs not proven apart`,
  ];
  for (const { kind, robots, waiting } of stalls as { kind: string; robots: string[]; waiting: string[] }[])
    lines.push(`  ${kind}: ${robots.join(', ')}${waiting.length > 0 ? `; behind: ${waiting.join(', ')}` : ''}`);
  if (lines.some((line) => line.startsWith('  livelock')))
    lines.push(
      '  they drive and come no nearer: fewer robots help, or a second way beside doors and dead ends of one cell',
    );
  return lines.join('\n');
}
