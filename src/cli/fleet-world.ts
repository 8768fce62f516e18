/** Runs a fleet's world file: planning, steps, records, checkpoints. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFleetRun, createFleetSetup, type FleetRun, type FleetSetup } from '../fleet/fleet-run.js';
import type { PathOptions } from '../fleet/plan-paths.js';
import { parseFleetFile } from '../io/fleet-file.js';
import { createFleetRecorder, fleetMetricsHeader, formatFleetMetrics } from '../io/grid/fleet-recording.js';
import { parseGridMap } from '../io/grid/grid-map-file.js';
import { formatIssue, type Issue } from '../io/issue.js';
import { ExitStatus, orUsageError, UsageError } from './exit.js';
import { requireReadable, toJson, writeLine } from './json-lines.js';

export interface WorldArguments {
  readonly seed?: number;
  readonly timeout?: number;
  readonly iterations?: number;
  readonly rounds?: number;
  readonly out?: string;
  readonly for?: number;
  readonly step?: number;
  readonly rate?: number;
  readonly record?: string;
  readonly csv?: string;
  readonly checkpoint?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

/** Seconds of the world between checkpoints, and of one with tasks that names no end. */
const CHECKPOINT_SECONDS = 10;
const TASK_SECONDS = 60;

export async function runFleetWorld(file: string, args: WorldArguments, options: PathOptions): Promise<ExitStatus> {
  if (args.resume && args.checkpoint === undefined) throw new UsageError('--resume: from which --checkpoint');
  const setup = readSetup(file, args.seed);
  const begin = performance.now();
  const { run, plan } = createFleetRun(setup, options);
  const planMs = performance.now() - begin;
  const agents = setup.starts.length;
  if (run === null) {
    const { status, reason, lowerBound } = plan!;
    await writeLine(args.json ? toJson({ status, reason, agents, lowerBound, planMs }) : `${status}: ${reason}`);
    return status === 'impossible' ? ExitStatus.negative : ExitStatus.limit;
  }
  if (args.resume && existsSync(args.checkpoint!)) {
    const text = readFileSync(args.checkpoint!, 'utf8');
    orUsageError(args.checkpoint!, () => run.restore(text));
  }
  const runMs = await drive(run, args);
  const isTimeUp = !run.isDone && args.for === undefined && setup.description.fleet.tasks === undefined;
  const metrics = run.metrics();
  const answer = {
    status: run.collisions > 0 ? 'collides' : isTimeUp ? 'limit' : 'solved',
    agents,
    makespan: plan?.makespan ?? null,
    sumOfCosts: plan?.sumOfCosts ?? null,
    lowerBound: plan?.lowerBound ?? null,
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

/** Steps until the end; returns the milliseconds they took. */
async function drive(run: FleetRun, args: WorldArguments): Promise<number> {
  const { step = 0.1, rate = 1 } = args;
  const end = args.for ?? (run.plan === null ? TASK_SECONDS : LONGEST_SECONDS);
  const recording = args.record === undefined ? null : openSync(args.record, 'w');
  const recorder = recording === null ? null : await createFleetRecorder((bytes) => void writeSync(recording, bytes));
  const rows = args.csv === undefined ? null : [fleetMetricsHeader()];
  const look = async () => {
    await recorder?.record(run);
    rows?.push(formatFleetMetrics(run.metrics()));
  };
  const start = performance.now();
  let steps = Math.round(run.time / step);
  const recordSteps = Math.max(1, Math.round(1 / (rate * step)));
  const checkpointSteps = Math.max(1, Math.round(CHECKPOINT_SECONDS / step));
  await look();
  while (!run.isDone && (steps + 0.5) * step < end) {
    run.step(step);
    steps++;
    if (steps % recordSteps === 0) {
      await look();
      for (const stall of run.stalls()) if (stall.kind !== 'stopped') await recorder?.event(run.time, { ...stall });
    }
    if (args.checkpoint !== undefined && steps % checkpointSteps === 0) writeWhole(args.checkpoint, run.save());
  }
  const ms = performance.now() - start;
  if (args.checkpoint !== undefined) writeWhole(args.checkpoint, run.save());
  if (rows !== null) writeFileSync(args.csv!, `${rows.join('\n')}\n`);
  await recorder?.end();
  if (recording !== null) closeSync(recording);
  return ms;
}

/** A world whose robots have goals is given up after so many seconds. */
const LONGEST_SECONDS = 100_000;

/** All or nothing: a reader never finds half a checkpoint. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
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
  return lines.join('\n');
}
