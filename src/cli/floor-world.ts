/** Runs a floor's world file: robots with bases, arms and actions; steps, records, checkpoints. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createFloorRun, type FloorRun } from '../fleet/floor-run.js';
import { createFloorSetup } from '../fleet/floor-setup.js';
import { createRobotRecorder, formatRobotRows, robotTableHeader } from '../io/grid/robot-recording.js';
import { formatIssue } from '../io/issue.js';
import { loadFloor } from '../node/load-floor.js';
import { createArmSolver } from '../tasks/solve-arm.js';
import { ExitStatus, orUsageError, UsageError } from './exit.js';
import { driveRun, ENDLESS_SECONDS, LONGEST_SECONDS, resumeRun, type WorldArguments } from './fleet-drive.js';
import { toJson, writeLine } from './json-lines.js';
import { report } from './messages.js';

export async function runFloorWorld(file: string, args: WorldArguments): Promise<ExitStatus> {
  const run = await loadRun(file, args);
  resumeRun(run, args);
  const repeats = run.setup.repeats.some((actions) => actions !== null);
  const ms = await drive(run, args, args.for ?? (repeats ? ENDLESS_SECONDS : LONGEST_SECONDS));
  const isTimeUp = !run.isDone && args.for === undefined && !repeats;
  const metrics = run.metrics();
  const answer = {
    status: run.touched > 0 ? 'collides' : run.collisions > 0 ? 'unproven' : isTimeUp ? 'limit' : 'solved',
    agents: metrics.robots,
    collisions: metrics.collisions,
    ...(run.firstCollision === null ? {} : { firstCollision: run.firstCollision }),
    seconds: metrics.time,
    realTimeFactor: (1000 * metrics.time) / ms,
    done: metrics.done,
    failed: metrics.failed,
    ...(run.firstFailure === null ? {} : { firstFailure: run.firstFailure }),
    idle: metrics.idle,
    carrying: metrics.carrying,
    contacts: metrics.touched,
    leastGap: metrics.leastGap,
    stalls: run.stalls(),
    state: run.hash(),
  };
  await writeLine(args.json ? toJson(answer) : describe(answer));
  return run.touched + run.collisions > 0 ? ExitStatus.negative : isTimeUp ? ExitStatus.limit : ExitStatus.done;
}

async function loadRun(file: string, args: WorldArguments): Promise<FloorRun> {
  const { value, issues } = await loadFloor(file, args.allowOutside ? { allowOutside: true } : {});
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  for (const issue of issues) report(issue);
  const { seed } = args;
  const { description } = value;
  const world = seed === undefined ? description : { ...description, floor: { ...description.floor, seed } };
  return orUsageError(file, () => createFloorRun(createFloorSetup(world, value, createArmSolver)));
}

/** Steps until the end, with its record; returns the milliseconds they took. */
async function drive(run: FloorRun, args: WorldArguments, end: number): Promise<number> {
  const { world, fleet, setup } = run;
  const recording = args.record === undefined ? null : openSync(args.record, 'w');
  const recorder = recording === null ? null : await createRobotRecorder((bytes) => void writeSync(recording, bytes));
  const rows = args.csv === undefined ? null : [robotTableHeader(setup.joints)];
  const events: { time: number; event: Readonly<Record<string, unknown>> }[] = [];
  world.onContact((phase, a, b) => {
    if (phase !== 'stay' && recorder !== null)
      events.push({ time: world.time, event: { kind: `contact-${phase}`, a: world.nameOf(a), b: world.nameOf(b) } });
  });
  fleet.onAction(({ time, ...event }) => {
    if (recorder !== null) events.push({ time, event: { kind: 'action', ...event } });
  });
  const ms = await driveRun(
    run,
    { ...args, step: args.step ?? setup.description.floor.step ?? 0.1 },
    end,
    async () => {
      for (const { time, event } of events.splice(0)) await recorder!.event(time, event);
      await recorder?.record(fleet);
      rows?.push(...formatRobotRows(fleet, setup.joints));
      for (const stall of run.stalls()) await recorder?.event(run.time, { ...stall });
    },
    () => !run.isGoingOn && run.time > 0 && args.for === undefined,
  );
  for (const { time, event } of events) await recorder!.event(time, event);
  if (rows !== null) writeFileSync(args.csv!, `${rows.join('\n')}\n`);
  await recorder?.end();
  if (recording !== null) closeSync(recording);
  return ms;
}

function describe(answer: Readonly<Record<string, unknown>>): string {
  const { status, agents, seconds, done, failed, idle, collisions, stalls } = answer;
  const lines = [
    `${status}: ${agents} robots, ${Number(seconds).toFixed(1)} s, ${done} actions done, ${failed} failed, ${idle} robots idle, ${collisions} pairs not proven apart`,
  ];
  for (const { kind, robots } of stalls as { kind: string; robots: string[] }[])
    lines.push(`  ${kind}: ${robots.join(', ')}`);
  return lines.join('\n');
}
