/** `clearance chain fold`: Monte Carlo of a protein's torsions. */
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { findClashes } from '../../molecule/clashes.js';
import { MOVE_NAMES } from '../../molecule/monte-carlo/move-set.js';
import { selectAtoms } from '../../molecule/select-atoms.js';
import { toStructure } from '../../molecule/to-structure.js';
import { ExitStatus, UsageError } from '../exit.js';
import { type FoldCheckpoint, type FoldOutputs, readCheckpoint } from '../fold/fold-checkpoint.js';
import { trajectoryFormatOf, writeWhole } from '../fold/fold-files.js';
import { type FoldResult, runFold } from '../fold/fold-run.js';
import {
  type FoldSettings,
  type FoldSimulation,
  hashFile,
  type Sampler,
  startSimulation,
} from '../fold/fold-settings.js';
import { refuseOptions } from '../given-options.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, toRealPath, writeLine } from '../json-lines.js';
import { startProgress, warn } from '../messages.js';
import { parseChains } from '../molecule-input.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { requireStructureName, writeStructure } from '../structure-output.js';
import { remarkOnClashes } from '../structure-report.js';

interface FoldArguments {
  readonly sequence?: string;
  readonly model: number;
  readonly altloc: string;
  readonly chains?: readonly string[];
  readonly rigidSideChains?: boolean;
  readonly omega?: boolean;
  readonly disulfides: 'keep' | 'open';
  readonly steps: number;
  readonly seed: number;
  readonly temperature: number;
  readonly anneal?: number;
  readonly moves?: string;
  readonly energy: 'charmm19' | 'none';
  readonly cutoff: number;
  readonly dielectric: number;
  readonly hardCore: number;
  readonly replicas: number;
  readonly highest: number;
  readonly exchangeEvery: number;
  readonly every: number;
  readonly out: readonly string[];
  readonly table?: string;
  readonly rmsd: string;
  readonly plot?: string;
  readonly last?: string;
  readonly checkpoint?: string;
  readonly checkpointEvery: number;
  readonly resume?: string;
  readonly json?: boolean;
}

/** Options that a resumed run may be given; all others stand in its checkpoint. */
const FREE_ON_RESUME = new Set(['steps', 'plot', 'last', 'checkpoint', 'checkpointEvery', 'resume', 'json', 'quiet']);

const collect = (value: string, before: readonly string[]): string[] => [...before, value];
const positive = (name: string) => parseNumber(name, { min: 1e-6 });
const steps = (name: string) => parseCount(name, { min: 1 });

export function foldCommand(): Command {
  return new Command('fold')
    .description("Monte Carlo of a protein's torsions: sampling at a temperature, annealing, replica exchange")
    .argument(
      '[file]',
      'structure (.pdb .ent .cif .mmcif .pdbx .bcif, each also with .gz); not with --sequence or --resume',
    )
    .option('--sequence <letters>', 'start from a stretched peptide of this sequence instead of a file')
    .addOption(
      new Option('--model <n>', 'which model, from 1 on').argParser(parseCount('--model', { min: 1 })).default(1),
    )
    .option('--altloc <letter>', 'alternate location where a residue has it, or highest occupancy', 'highest')
    .option('--chains <ids>', 'keep these chains, separated by commas', parseChains)
    .option('--rigid-side-chains', 'side chains keep their chi angles')
    .option('--omega', 'peptide bonds turn too')
    .addOption(
      new Option('--disulfides <how>', 'keep: nothing between two bonded cysteines turns; open: they part')
        .choices(['keep', 'open'])
        .default('keep'),
    )
    .option('--steps <n>', 'steps in all', steps('--steps'), 100_000)
    .option('--seed <n>', 'of the random numbers', parseCount('--seed'), 1)
    .option('--temperature <kelvin>', 'of the run, or its first', positive('--temperature'), 300)
    .option('--anneal <kelvin>', 'cool down (or heat up) to this over the steps', positive('--anneal'))
    .option('--moves <list>', `moves with weights, as torsion:3,chi; of ${MOVE_NAMES.join(', ')} (default: all)`)
    .addOption(
      new Option('--energy <name>', 'charmm19, or none: only the hard core counts')
        .choices(['charmm19', 'none'])
        .default('charmm19'),
    )
    .option('--cutoff <angstrom>', 'of the energy', parseNumber('--cutoff', { min: 1, max: 100 }), 9)
    .option('--dielectric <factor>', 'times the distance', parseNumber('--dielectric', { min: 0.1, max: 1000 }), 4)
    .option(
      '--hard-core <angstrom>',
      'overlap beyond which links block a step',
      parseNumber('--hard-core', { min: 0, max: 4 }),
      1.2,
    )
    .option(
      '--replicas <n>',
      'replicas that exchange temperatures, a worker each',
      parseCount('--replicas', { min: 1, max: 64 }),
      1,
    )
    .option('--highest <kelvin>', 'temperature of the hottest replica', positive('--highest'), 600)
    .option('--exchange-every <n>', 'steps between exchanges', steps('--exchange-every'), 1000)
    .option('--out <file>', 'trajectory, .pdb (models) or .dcd; may be given twice', collect, [])
    .option('--every <n>', 'steps between samples', steps('--every'), 1000)
    .option('--table <file.csv>', 'step, temperature, energies, radius of gyration and RMSD of every sample')
    .option('--rmsd <selection>', 'atoms that the RMSD from the start counts', 'name CA')
    .option('--plot <file.svg>', 'energy, radius of gyration and RMSD over the steps')
    .option('--last <file>', 'the last conformation, .pdb or .cif')
    .option('--checkpoint <file>', 'where to note everything needed to go on')
    .option('--checkpoint-every <n>', 'steps between checkpoints', steps('--checkpoint-every'), 10_000)
    .option('--resume <file>', 'go on from a checkpoint; --steps may be raised')
    .addHelpText(
      'after',
      `
One step tries one move. The same options give the same trajectory, bit by bit, however often the run is stopped (Ctrl-C
writes the checkpoint) or killed and resumed. Exit status 3 when it was stopped before its last step.

Examples:
  clearance chain fold 1shg.pdb --steps 1000000 --out run.dcd --last last.pdb --plot run.svg --checkpoint run.json
  clearance chain fold --resume run.json
  clearance chain fold --sequence GSSGSSGEEAAKKA --temperature 900 --anneal 250 --steps 200000 --last folded.pdb`,
    )
    .action(async (file: string | undefined, args: FoldArguments, command: Command) => {
      const from = args.resume === undefined ? null : readResumed(file, args, command);
      if (!from && (file === undefined) === (args.sequence === undefined)) {
        throw new UsageError('fold: expected a structure file, or --sequence, or --resume');
      }
      if (!from) refuseIdleOptions(command, args);
      const settings = from?.settings ?? (await toSettings(file, args));
      const outputs = from ? toResumedOutputs(from, args, command) : toOutputs(args);
      requireOutputs(settings, outputs, args);
      if (from && 'file' in settings.input) await requireSameInput(settings.input);
      const simulation = await startSimulation(settings);
      for (const remark of simulation.remarks) warn(`note: ${remark}`);
      const checkpointPath = args.checkpoint ?? args.resume;
      const begin = performance.now();
      const stop = watchSignals();
      const progress = startProgress('fold');
      try {
        const result = await runFold({
          settings,
          outputs,
          simulation,
          deviationAtoms: chooseDeviation(simulation, outputs.deviationOf),
          checkpoint: checkpointPath === undefined ? null : { path: checkpointPath, every: args.checkpointEvery },
          from,
          onSlice: (sampler) => {
            progress.update(describeProgress(sampler, outputs.steps, begin, from));
            return stop.isAsked();
          },
        });
        progress.stop();
        await tell({ args, settings, outputs, simulation, result, checkpointPath, ms: performance.now() - begin });
      } finally {
        progress.stop();
        stop.release();
        simulation.sampler.dispose();
      }
    });
}

/** Options that another one gives its meaning. */
function refuseIdleOptions(command: Command, { replicas, energy, checkpoint, sequence }: FoldArguments): void {
  if (replicas === 1) refuseOptions(command, ['highest', 'exchangeEvery'], 'means nothing without --replicas');
  if (energy === 'none') refuseOptions(command, ['cutoff', 'dielectric'], 'means nothing with --energy none');
  if (checkpoint === undefined) refuseOptions(command, ['checkpointEvery'], 'means nothing without --checkpoint');
  if (sequence !== undefined)
    refuseOptions(command, ['model', 'altloc', 'chains'], 'means nothing with --sequence, which is one chain');
}

function readResumed(file: string | undefined, args: FoldArguments, command: Command): FoldCheckpoint {
  if (file !== undefined) throw new UsageError(`--resume: the checkpoint names its structure, got ${file} too`);
  for (const { long, attributeName } of command.options.map((option) => ({
    long: option.long,
    attributeName: option.attributeName(),
  }))) {
    if (command.getOptionValueSource(attributeName) === 'cli' && !FREE_ON_RESUME.has(attributeName)) {
      throw new UsageError(`${long}: stands in the checkpoint, a resumed run cannot change it`);
    }
  }
  requireReadable(args.resume!);
  return readCheckpoint(args.resume!);
}

async function requireSameInput({ file, sha256 }: { readonly file: string; readonly sha256: string }): Promise<void> {
  if (!existsSync(file)) {
    const remedy = 'paths are relative to the folder in which the run was started, go on there';
    throw new UsageError(`--resume: no such file: ${file}, the structure that the checkpoint names; ${remedy}`);
  }
  if ((await hashFile(file)) !== sha256) {
    throw new UsageError(`${file}: not the file that the checkpoint was made from`);
  }
}

async function toSettings(file: string | undefined, args: FoldArguments): Promise<FoldSettings> {
  if (args.replicas > 1 && args.anneal !== undefined) {
    throw new UsageError('--anneal: replicas keep their temperatures, give --replicas or --anneal');
  }
  if (args.replicas > 1 && !(args.highest > args.temperature)) {
    throw new UsageError(`--highest ${args.highest}: expected more than --temperature ${args.temperature}`);
  }
  if (file !== undefined) requireReadable(file);
  else if (args.sequence!.trim() === '') throw new UsageError('--sequence: empty, expected one-letter codes');
  return {
    input: file === undefined ? { sequence: args.sequence! } : { file, sha256: await hashFile(file) },
    model: args.model,
    altloc: args.altloc,
    chains: args.chains ?? null,
    sideChains: args.rigidSideChains ? 'rigid' : 'chi',
    omega: args.omega ?? false,
    disulfides: args.disulfides,
    seed: args.seed,
    temperature: args.temperature,
    anneal: args.anneal ?? null,
    annealSteps: args.steps,
    moves: args.moves === undefined ? null : parseMoves(args.moves),
    energy: args.energy,
    cutoff: args.cutoff,
    dielectric: args.dielectric,
    hardCore: args.hardCore,
    replicas: args.replicas,
    highest: args.highest,
    exchangeEvery: args.exchangeEvery,
  };
}

/** `torsion:3,chi` */
function parseMoves(text: string): Record<string, number | null> {
  const moves: Record<string, number | null> = {};
  for (const part of text.split(',')) {
    const [name, weight, ...more] = part.trim().split(':');
    if (!(MOVE_NAMES as readonly string[]).includes(name) || more.length > 0) {
      throw new UsageError(
        `--moves "${part}": expected one of ${MOVE_NAMES.join(', ')}, with a weight as in torsion:3`,
      );
    }
    if (Object.hasOwn(moves, name)) throw new UsageError(`--moves "${part}": ${name} is named twice`);
    moves[name] = weight === undefined ? null : parseNumber(`--moves ${name}`, { min: 1e-6 })(weight);
  }
  return moves;
}

function toOutputs(args: FoldArguments): FoldOutputs {
  for (const path of args.out) {
    if (!trajectoryFormatOf(path))
      throw new UsageError(`--out ${path}: expected a name that ends in .pdb, .ent or .dcd`);
  }
  return {
    steps: args.steps,
    every: args.every,
    trajectories: args.out,
    table: args.table ?? null,
    deviationOf: args.rmsd,
  };
}

function toResumedOutputs(from: FoldCheckpoint, args: FoldArguments, command: Command): FoldOutputs {
  if (command.getOptionValueSource('steps') !== 'cli') return from.outputs;
  const done = stepOf(from);
  if (args.steps < done) throw new UsageError(`--steps ${args.steps}: the checkpoint has done ${done}, expected more`);
  return { ...from.outputs, steps: args.steps };
}

function requireOutputs(
  { input }: FoldSettings,
  { trajectories, table }: FoldOutputs,
  { plot, last, checkpoint }: FoldArguments,
): void {
  const named: [string, string | null | undefined][] = [
    ...trajectories.map((path): [string, string] => ['--out', path]),
    ['--table', table],
    ['--plot', plot],
    ['--last', last],
    ['--checkpoint', checkpoint],
  ];
  const seen = new Set<string>();
  for (const [option, path] of named) {
    if (path === null || path === undefined) continue;
    if ('file' in input) requireOtherFile(option, path, input.file);
    const real = toRealPath(path);
    if (seen.has(real)) throw new UsageError(`${option} ${path}: named twice, expected a file for each output`);
    seen.add(real);
    requireWritable(option, path);
  }
  if (last !== undefined) requireStructureName('--last', last);
}

function chooseDeviation({ protein }: FoldSimulation, selection: string): Int32Array {
  const atoms = selectAtoms(protein.molecule, selection).filter((atom) => protein.linkOf[atom] >= 0);
  if (atoms.length === 0) throw new UsageError(`--rmsd "${selection}": no atom of the chain is selected`);
  return atoms;
}

/** The first Ctrl-C asks the run to stop, the second one ends the process as usual. */
function watchSignals(): { isAsked(): boolean; release(): void } {
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, ask);
  return {
    isAsked: () => isAsked,
    release: () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, ask);
    },
  };
}

const BAR = 24;

function describeProgress(sampler: Sampler, total: number, begin: number, from: FoldCheckpoint | null): string {
  const { step, current } = sampler;
  const share = Math.min(1, step / total);
  const first = from ? stepOf(from) : 0;
  const left = step > first ? ((performance.now() - begin) / (step - first)) * (total - step) : 0;
  const filled = Math.round(BAR * share);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}]`;
  const time = left > 90_000 ? `${(left / 60_000).toFixed(0)} min` : `${(left / 1000).toFixed(0)} s`;
  return `${bar} ${step} of ${total} steps, ${current.energy.total.toFixed(1)} kcal/mol at ${current.temperature.toFixed(0)} K, ${time} left`;
}

function stepOf({ state }: FoldCheckpoint): number {
  return 'step' in state ? state.step : state.replicas[0].step;
}

interface Telling {
  readonly args: FoldArguments;
  readonly settings: FoldSettings;
  readonly outputs: FoldOutputs;
  readonly simulation: FoldSimulation;
  readonly result: FoldResult;
  readonly checkpointPath: string | undefined;
  readonly ms: number;
}

async function tell({ args, settings, outputs, simulation, result, checkpointPath, ms }: Telling): Promise<void> {
  const { sampler, protein, source } = simulation;
  const { observer, curve, isStopped, frames } = result;
  const { radiusOfGyration, deviation } = observer.measure();
  if (args.plot !== undefined) writeWhole(args.plot, curve.plot());
  if (args.last !== undefined) {
    const atoms = protein.atoms.slice().sort();
    writeStructure(args.last, toStructure(protein.molecule, { models: [observer.positions], source, atoms }));
  }
  const { energy } = sampler.current;
  const found = findClashes({ ...protein.molecule, positions: observer.positions });
  const { score, clashes } = found;
  const clashRemark = remarkOnClashes(found);
  const moves = sampler.countMoves();
  const written = [...outputs.trajectories, outputs.table, args.plot, args.last, checkpointPath].filter(
    (path) => path !== null && path !== undefined,
  );
  if (args.json) {
    await writeLine(
      toJson({
        status: isStopped ? 'stopped' : 'done',
        step: sampler.step,
        steps: outputs.steps,
        seed: settings.seed,
        energy: { ...energy.listTerms(), total: energy.total },
        radiusOfGyration,
        rmsd: deviation,
        clashes: clashes.length,
        clashScore: score,
        clashRemark,
        moves: Object.fromEntries(moves.map(({ name, ...counts }) => [name, counts])),
        exchangeRates: sampler.ladder?.exchangeRates() ?? null,
        samples: frames,
        files: written,
        notes: simulation.remarks,
        ...(found.assumed.length > 0 && { complete: found.complete, assumed: found.assumed }),
        ms,
      }),
    );
  } else {
    const terms = Object.entries(energy.listTerms()).filter(([name]) => name !== 'total');
    const parts = terms.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ');
    const lines = [
      `${isStopped ? 'stopped at' : 'done'}: ${sampler.step} of ${outputs.steps} steps, ${(ms / 1000).toFixed(1)} s`,
      `energy: ${energy.total.toFixed(2)} kcal/mol${parts === '' ? '' : ` (${parts})`}`,
      `radius of gyration ${radiusOfGyration.toFixed(2)}, RMSD from the start ${deviation.toFixed(2)} angstrom (${outputs.deviationOf})`,
      `${clashes.length} clashes${clashRemark ? ` (${clashRemark})` : ''}`,
      `accepted: ${moves.map(({ name, proposed, accepted }) => `${name} ${proposed > 0 ? ((100 * accepted) / proposed).toFixed(1) : '-'} %`).join(', ')}`,
    ];
    const rates = sampler.ladder?.exchangeRates();
    if (rates)
      lines.push(
        `exchanged: ${rates.map((rate) => (rate === null ? '-' : `${(100 * rate).toFixed(0)} %`)).join(', ')}`,
      );
    if (written.length > 0) lines.push(`written: ${written.join(', ')} (${frames} samples)`);
    if (isStopped && checkpointPath !== undefined)
      lines.push(`go on with: clearance chain fold --resume ${checkpointPath}`);
    await writeLine(lines.join('\n'));
  }
  process.exitCode = isStopped ? ExitStatus.limit : ExitStatus.done;
}
