/** `clearance simulate`: a world file in motion, with reports, a recording, and checkpoints to go on from. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { formatCsvRow } from '../../io/trajectory/csv.js';
import { createSimulationRecorder } from '../../io/trajectory/simulation-mcap.js';
import { writeWorldMjcf } from '../../io/world-mjcf.js';
import { hashContent } from '../../math/content-hash.js';
import { loadWorld } from '../../node/load-world.js';
import { formatAssumption } from '../../scene/assumptions.js';
import type { Assumption } from '../../scene/description.js';
import { describeState, listFrames } from '../../simulation/describe-state.js';
import { computeEnergy } from '../../simulation/energy.js';
import { toWorldOptions } from '../../simulation/from-description.js';
import { createSimulation, type Simulation } from '../../simulation/simulation.js';
import { restoreSnapshot, takeSnapshot } from '../../simulation/snapshot.js';
import { stepSimulation } from '../../simulation/step.js';
import type { StepReport } from '../../simulation/step-report.js';
import { createWorld } from '../../simulation/world.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { type GroundFields, groundText, toGroundFields } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { report, startBlockingProgress, warnOnce } from '../messages.js';
import { parseNumber } from '../number-arguments.js';
import { sealJson, UNSEALED, unsealJson } from '../sealed-json.js';

interface SimulateArguments {
  readonly for: number;
  readonly step?: number;
  readonly contact?: 'rigid' | 'soft' | 'relaxed';
  readonly solver?: 'auto' | 'gauss-seidel' | 'proximal';
  readonly rtf: string;
  readonly every: number;
  readonly record?: string;
  readonly checkpoint?: string;
  readonly mjcf?: string;
  readonly resume?: boolean;
  readonly allowOutside?: boolean;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
}

export function simulateCommand(): Command {
  return new Command('simulate')
    .description('a world of bodies and robots in motion: contacts, friction, drives; reports, recordings, checkpoints')
    .argument('<world>', 'world file: a scene with a "simulation" (.json)')
    .option('--for <s>', 'seconds to simulate, from the start of the world', parseNumber('--for', { above: 0 }), 1)
    .option('--step <s>', 'seconds per step, in place of what the file says', parseNumber('--step', { above: 0 }))
    .addOption(
      new Option('--contact <model>', 'contact model, in place of what the file says').choices([
        'rigid',
        'soft',
        'relaxed',
      ]),
    )
    .addOption(
      new Option('--solver <name>', 'contact solver, in place of what the file says').choices([
        'auto',
        'gauss-seidel',
        'proximal',
      ]),
    )
    .option('--rtf <x>', 'how fast: "max", or simulated seconds per second', 'max')
    .option('--every <s>', 'seconds between reports and samples', parseNumber('--every', { above: 0 }), 0.1)
    .option('--record <file>', 'what happens as .mcap, or the poses of all bodies and links as .csv')
    .option('--mjcf <file>', 'the world as it starts, for MuJoCo (.xml)')
    .option('--checkpoint <file>', 'where the state is kept, at every report')
    .option('--resume', 'go on from the checkpoint, if it is there')
    .option('--allow-outside', "files may lie outside the world file's folder")
    .option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)')
    .addHelpText(
      'after',
      `
A line per report: time, real-time factor, energy (J), contacts, largest penetration (m), residual of the contact solver (m/s).
At the end the state: poses and velocities of bodies, q and v of robots. From a checkpoint a run goes on to the same bits.

Exit status 3 when the state stopped being finite.

Examples:
  clearance simulate stack.json --for 5
  clearance simulate arm-push.json --for 10 --record push.mcap --checkpoint push.ckpt --json`,
    )
    .action(async (file: string, args: SimulateArguments) => {
      const rtf = readFactor(args.rtf);
      requireReadable(file);
      if (args.resume && args.checkpoint === undefined) throw new UsageError('--resume: needs --checkpoint FILE');
      for (const [option, name] of [
        ['--record', args.record],
        ['--checkpoint', args.checkpoint],
        ['--mjcf', args.mjcf],
      ] as const) {
        if (name === undefined) continue;
        requireWritable(option, name);
        requireOtherFile(option, name, file);
      }
      if (args.record !== undefined && !['.mcap', '.csv'].includes(extname(args.record)))
        throw new UsageError(`--record: got ${args.record}, expected a name that ends in .mcap or .csv`);
      const { simulation, assumed, world } = await load(file, args);
      if (args.mjcf !== undefined) {
        const { value, issues } = writeWorldMjcf(simulation);
        for (const issue of issues) report(issue);
        writeFileSync(args.mjcf, value);
      }
      if (args.resume && args.checkpoint !== undefined && existsSync(args.checkpoint))
        readCheckpoint(simulation, args.checkpoint, world);
      const status = await run(simulation, args, rtf, world, toGroundFields(assumed));
      process.exitCode = status;
      simulation.world.dispose();
    });
}

function readFactor(text: string): number {
  if (text === 'max') return Infinity;
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new UsageError(`--rtf: got ${text}, expected max or a positive number`);
  return value;
}

interface LoadedWorld {
  readonly simulation: Simulation;
  readonly assumed: readonly Assumption[];
  /** Hash of what moves how: a checkpoint is of one world. */
  readonly world: string;
}

async function load(file: string, args: SimulateArguments): Promise<LoadedWorld> {
  const { value, issues } = await loadWorld(file, { allowOutside: args.allowOutside });
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  return orUsageError(file, () => {
    const { options, assumed } = toWorldOptions(value.description, value);
    const lost = assumed.find(({ kind }) => kind === 'dropped');
    if (lost && !args.allowMissing)
      throw new UsageError(
        `${file}: ${lost.element}: ${lost.message}; correct it, or go on without it with --allow-missing`,
      );
    const { step, contact, solver } = args;
    const world = createWorld({
      ...options,
      ...(step !== undefined && { step }),
      ...(contact && { contact }),
      ...(solver && { solver }),
    });
    for (const each of assumed)
      if (!value.description.scene.assumed?.includes(each)) warnOnce(formatAssumption(each), formatAssumption(each));
    const content = { description: value.description, robots: [...value.robots], step, contact, solver };
    return { simulation: createSimulation(world), assumed, world: hashContent(toPlain(content)) };
  });
}

/** Without what the meshes of robots hold: their files are named. */
const toPlain = (content: unknown): unknown =>
  JSON.parse(JSON.stringify(content, (_key, value) => (value instanceof Map ? [...value.keys()] : value)));

const CHECKPOINT = 'clearance simulation checkpoint';
const CHECKPOINT_VERSION = 2;

function readCheckpoint(simulation: Simulation, file: string, world: string): void {
  const refuse = (why: string): never => {
    throw new UsageError(`--checkpoint ${file}: ${why}`);
  };
  let text = '';
  let content: { readonly format?: unknown; readonly version?: unknown; world?: unknown; snapshot?: unknown } = {};
  try {
    text = readFileSync(file, 'utf8');
    content = JSON.parse(text) ?? {};
  } catch (error) {
    refuse((error as Error).message);
  }
  const { format, version, snapshot } = content;
  if (format !== CHECKPOINT) refuse('not a checkpoint of simulate');
  if (version !== CHECKPOINT_VERSION)
    refuse(
      `of version ${version}, expected ${CHECKPOINT_VERSION}: go on with the release that wrote it, or start anew`,
    );
  if (unsealJson(text) === null) refuse(UNSEALED);
  if (content.world !== world)
    refuse(
      'of another world, or with another --step, --contact or --solver; start anew, or give what it was begun with',
    );
  orUsageError(`--checkpoint ${file}`, () => restoreSnapshot(simulation, Float64Array.from(snapshot as number[])));
}

/** Whole or not at all: a run that is killed meanwhile leaves the one before. */
function writeCheckpoint(simulation: Simulation, file: string, world: string): void {
  const snapshot = Array.from(takeSnapshot(simulation));
  const content = { format: CHECKPOINT, version: CHECKPOINT_VERSION, t: simulation.state[0], world, snapshot };
  writeFileSync(`${file}.new`, sealJson(JSON.stringify(content)));
  renameSync(`${file}.new`, file);
}

interface Recorder {
  write(simulation: Simulation, line: Readonly<Record<string, unknown>>): Promise<void>;
  end(): Promise<void>;
}

async function startRecording(simulation: Simulation, file: string): Promise<Recorder> {
  const handle = openSync(file, 'w');
  if (extname(file) === '.csv') {
    const columns = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];
    const names = listFrames(simulation).flatMap(({ name }) => columns.map((column) => `${name}.${column}`));
    writeSync(handle, `${formatCsvRow(['t', ...names])}\n`);
    return {
      write: async (now) => {
        const row = [now.state[0], ...listFrames(now).flatMap(({ pose }) => Array.from(pose))];
        writeSync(handle, `${row.join(',')}\n`);
      },
      end: async () => closeSync(handle),
    };
  }
  const sink = (bytes: Uint8Array): void => {
    writeSync(handle, bytes);
  };
  const recorder = await createSimulationRecorder(
    sink,
    simulation.robots.map(({ name }) => name),
  );
  return {
    write: (now, line) =>
      recorder.write({
        t: now.state[0],
        frames: listFrames(now),
        robots: now.robots.map(({ name, model, q, v, applied }) => ({
          name,
          joints: model.jointNames.slice(1),
          position: q,
          velocity: v,
          effort: applied,
        })),
        report: line,
      }),
    end: async () => {
      await recorder.end();
      closeSync(handle);
    },
  };
}

async function run(
  simulation: Simulation,
  args: SimulateArguments,
  rtf: number,
  world: string,
  grounds: GroundFields,
): Promise<ExitStatus> {
  const { step } = simulation.world.step;
  const total = Math.round(args.for / step);
  if (!(total >= 1 && total <= Number.MAX_SAFE_INTEGER))
    throw new UsageError(
      `--for: ${args.for} s are ${toSteps(total)} of ${step} s, expected from 1 to ${Number.MAX_SAFE_INTEGER}`,
    );
  const every = Math.max(1, Math.round(args.every / step));
  const recorder = args.record === undefined ? null : await startRecording(simulation, args.record);
  const progress = startBlockingProgress('simulating');
  const begin = performance.now();
  const first = simulation.state[1];
  let lastWall = begin;
  let lastStep = first;
  let status: ExitStatus = ExitStatus.done;
  let worst = startWorst();
  const tell = async (): Promise<void> => {
    const now = performance.now();
    const done = simulation.state[1] - lastStep;
    const factor = done > 0 ? (1000 * done * step) / Math.max(1e-6, now - lastWall) : null;
    lastWall = now;
    lastStep = simulation.state[1];
    const { contacts, iterations, islands, sleeping } = simulation.report;
    const { penetration, residual, limits, status: solver } = worst;
    worst = startWorst();
    const line = {
      t: simulation.state[0],
      realTimeFactor: factor,
      energy: computeEnergy(simulation).total,
      contacts,
      penetration,
      residual,
      iterations,
      islands,
      sleeping,
      status: solver,
      limits,
    };
    await writeLine(args.json ? toJson(line) : describe(line));
    if (recorder) await recorder.write(simulation, line);
    if (args.checkpoint !== undefined) writeCheckpoint(simulation, args.checkpoint, world);
  };
  await tell();
  while (simulation.state[1] < total) {
    const next = Math.min(total, (Math.floor(simulation.state[1] / every) + 1) * every);
    while (simulation.state[1] < next && status === ExitStatus.done) {
      stepSimulation(simulation);
      addWorst(worst, simulation.report);
      if (simulation.report.status === 'not finite') status = ExitStatus.limit;
      progress.update(`${simulation.state[0].toFixed(2)} of ${args.for} s`);
    }
    await tell();
    if (status !== ExitStatus.done) break;
    if (rtf < Infinity) {
      const due = begin + (1000 * step * (simulation.state[1] - first)) / rtf;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  progress.stop();
  if (recorder) await recorder.end();
  const state = { ...describeState(simulation), ...grounds };
  if (args.json) await writeLine(toJson(state));
  else await writeLine(`${describeEnd(state)}${groundText(grounds)}`);
  return status;
}

const toSteps = (count: number): string => (count === 0 ? 'no step' : `${count} steps`);

/** Of the steps since the line before: a step between two lines may be the one that was not solved. */
interface Worst {
  penetration: number;
  residual: number;
  limits: number;
  status: StepReport['status'];
}

const startWorst = (): Worst => ({ penetration: 0, residual: 0, limits: 0, status: 'ok' });

function addWorst(worst: Worst, { penetration, residual, status }: StepReport): void {
  worst.penetration = Math.max(worst.penetration, penetration);
  worst.residual = Math.max(worst.residual, residual);
  if (status === 'limit') worst.limits++;
  if (status !== 'ok') worst.status = status;
}

interface ReportLine {
  readonly t: number;
  readonly realTimeFactor: number | null;
  readonly energy: number;
  readonly contacts: number;
  readonly penetration: number;
  readonly residual: number;
  readonly status: string;
  readonly limits: number;
}

function describe({ t, realTimeFactor, energy, contacts, penetration, residual, status, limits }: ReportLine): string {
  const factor = realTimeFactor === null ? '' : `, ${realTimeFactor.toPrecision(3)} x real time`;
  const doubt = status === 'ok' ? '' : ` (${status}${limits > 0 ? ` in ${toSteps(limits)}` : ''})`;
  const depth = `${(1000 * penetration).toPrecision(3)} mm deep`;
  return `${t.toFixed(3)} s: ${energy.toPrecision(6)} J, ${contacts} contacts, ${depth}, residual ${residual.toExponential(1)} m/s${doubt}${factor}`;
}

function describeEnd({ bodies, robots }: Pick<ReturnType<typeof describeState>, 'bodies' | 'robots'>): string {
  const round = (values: readonly number[]): string => values.map((x) => x.toPrecision(5)).join(' ');
  return [
    ...Object.entries(bodies).map(([name, { pose }]) => `${name}: ${round(pose)}`),
    ...Object.entries(robots).map(([name, { q }]) => `${name}: q ${round(q)}`),
  ].join('\n');
}
