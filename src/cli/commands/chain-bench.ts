/** `clearance chain bench`: the representations of a moving chain against each other on a file's own chain. */
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { createAutoChain } from '../../chain/auto-chain.js';
import { type Chain, createChain } from '../../chain/chain.js';
import { type ChainRaceResult, raceChains } from '../../chain/chain-race.js';
import { chainRepresentations } from '../../chain/representations.js';
import { parseChainFile } from '../../io/chain-file.js';
import { formatIssue } from '../../io/issue.js';
import { MisuseError } from '../../math/misuse.js';
import { type BackboneChain, createBackboneChain } from '../../molecule/backbone-chain.js';
import type { Molecule } from '../../molecule/molecule.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { writeWhole } from '../fold/fold-files.js';
import { refuseOptions } from '../given-options.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { startBlockingProgress } from '../messages.js';
import { type MoleculeChoice, readMolecule } from '../molecule-input.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { drawBars } from '../plots/bar-plot.js';

interface BenchArguments {
  readonly model: number;
  readonly altloc: string;
  readonly chain?: string;
  readonly allowMissing?: boolean;
  readonly steps: number;
  readonly seed: number;
  readonly degrees: number;
  readonly methods?: string;
  readonly plot?: string;
  readonly json?: boolean;
}

/** Beyond, testing every pair takes longer than all others together: only when asked for by name. */
const LONGEST_FOR_BRUTE_FORCE = 1000;
const SHORT_CHAIN = 2000;
const OURS = 'ChainTree';

export function chainBenchCommand(): Command {
  const names = Object.keys(chainRepresentations);
  return new Command('bench')
    .description("representations of a moving chain on a file's own chain: the same random steps by each")
    .argument(
      '<file>',
      'structure (.pdb .ent .cif .mmcif .pdbx .bcif, also with .gz): its backbone; or a chain file (.json)',
    )
    .addOption(
      new Option('--model <n>', 'which model, from 1 on').argParser(parseCount('--model', { min: 1 })).default(1),
    )
    .option('--altloc <letter>', 'alternate location where a residue has it, or highest occupancy', 'highest')
    .option('--chain <id>', 'which chain of the structure; the first one with amino acids when left out')
    .option('--allow-missing', 'go on though atoms of the file were left out')
    .option('--steps <n>', 'counted steps', parseCount('--steps', { min: 1, max: 10_000_000 }), 1000)
    .option('--seed <n>', 'of the random steps', parseCount('--seed'), 1)
    .option('--degrees <d>', 'largest turn both ways', parseNumber('--degrees', { min: 1e-6, max: 180 }), 180)
    .option('--methods <list>', `of ${names.map((name) => `"${name}"`).join('; ')}, separated by semicolons`)
    .option('--plot <file.svg>', 'update and test of each as bars')
    .addHelpText(
      'after',
      `
A step turns one joint at random, asks for a contact, and takes the turn back when there is one. All methods take the same
steps in turn and must agree. Times are of this machine and moment; box tests and link pairs follow from the seed alone.

Examples:
  clearance chain bench 1shg.pdb
  clearance chain bench 2xhe.pdb --chain A --degrees 5 --steps 5000 --json --plot bench.svg`,
    )
    .action(async (file: string, args: BenchArguments, command: Command) => {
      const { chain, about } = await readChain(file, args, command);
      if (args.plot !== undefined) {
        requireOtherFile('--plot', args.plot, file);
        requireWritable('--plot', args.plot);
      }
      const methods = chooseMethods(chain, args.methods);
      const results = race(chain, methods, args);
      const { method, reason, state } = createAutoChain(chain);
      state.dispose();
      const rows = results.map((result) => toRow(result, results[0]));
      const { freeSteps, collidingSteps } = results[0].times;
      const { steps } = results[0];
      const { seed, degrees } = args;
      if (args.plot !== undefined) writeWhole(args.plot, plot(file, chain, rows));
      if (args.json) {
        const counts = { links: chain.linkCount, steps, freeSteps, collidingSteps, degrees, seed };
        await writeLine(toJson({ file, ...about, ...counts, auto: { method, reason }, methods: rows }));
      } else {
        await writeLine(`${file}: ${describe(about, chain)}`);
        await writeLine(`${steps} steps of up to ${degrees} degrees: ${freeSteps} free, ${collidingSteps} colliding`);
        for (const line of formatTable(rows)) await writeLine(line);
        await writeLine(`auto would take: ${method} (${reason})`);
      }
      process.exitCode = ExitStatus.done;
    });
}

type About =
  | { readonly kind: 'backbone'; readonly chain: string; readonly residues: number; readonly radius: number }
  | { readonly kind: 'chain' };

async function readChain(
  file: string,
  args: BenchArguments,
  command: Command,
): Promise<{ chain: Chain; about: About }> {
  if (!/\.json$/i.test(file)) {
    const { model, altloc, allowMissing } = args;
    const choice: MoleculeChoice = { model, altloc, hetero: false, allowMissing };
    const molecule = await readMolecule(file, args.chain === undefined ? choice : { ...choice, chains: [args.chain] });
    const backbone = createBackbone(file, molecule, args.chain);
    if (!backbone) throw new UsageError(`${file}: no chain with two amino acids that have N, CA and C`);
    const { chain, chainName, residueCount, radius } = backbone;
    return { chain, about: { kind: 'backbone', chain: chainName, residues: residueCount, radius } };
  }
  refuseOptions(command, ['model', 'altloc', 'chain', 'allowMissing'], 'means nothing for a chain file');
  requireReadable(file);
  const { value, issues } = parseChainFile(readFileSync(file, 'utf8'), { file });
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n'));
  return { chain: orUsageError(file, () => createChain(value)), about: { kind: 'chain' } };
}

function createBackbone(file: string, molecule: Molecule, chain: string | undefined): BackboneChain | null {
  try {
    return createBackboneChain(molecule, chain);
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    const match = /molecule, got (.*) in the same place/.exec(error.message);
    const cause = 'as where a file holds a chain twice: remove one, or name another chain with --chain';
    throw new UsageError(`${file}: ${match ? `${match[1]} are in the same place, ${cause}` : error.message}`);
  }
}

function chooseMethods(chain: Chain, list: string | undefined): string[] {
  const all = Object.keys(chainRepresentations);
  if (list === undefined) {
    return all.filter((name) => name !== 'brute force' || chain.linkCount <= LONGEST_FOR_BRUTE_FORCE);
  }
  const named = list.split(';').map((name) => name.trim());
  const unknown = named.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UsageError(`--methods "${unknown}": expected some of ${all.join('; ')}`);
  // Ours comes first whatever was named: the others are told relative to it.
  return [OURS, ...all.filter((name) => name !== OURS && named.includes(name))];
}

function race(chain: Chain, methods: readonly string[], { steps, seed, degrees }: BenchArguments): ChainRaceResult[] {
  const progress = startBlockingProgress('bench');
  try {
    const running = raceChains(chain, {
      runners: methods.map((name) => ({ name, create: chainRepresentations[name] })),
      steps,
      seed,
      reach: (degrees * Math.PI) / 180,
      now: () => performance.now(),
      // The engine compiles what it has seen often; short chains are through with few steps before it did.
      warmUp: chain.linkCount <= SHORT_CHAIN ? 2000 : 200,
    });
    for (;;) {
      const { value, done } = running.next();
      if (done) return value;
      progress.update(`${Math.round(100 * value)} % of ${steps} steps by ${methods.length} methods`);
    }
  } catch (error) {
    if (error instanceof MisuseError) {
      const contact = /got a start in contact \(.*?: (.*)\)/.exec(error.message);
      const words = `the chain touches itself at the start (${contact?.[1]}), so that every step would be taken back`;
      throw new UsageError(contact ? words : error.message.replace('raceChains: ', ''));
    }
    throw error;
  } finally {
    progress.stop();
  }
}

/** Microseconds, and counts per step; null where there was no such step. */
interface Row {
  readonly name: string;
  readonly step: number;
  readonly update: number;
  readonly undo: number | null;
  readonly freeTest: number | null;
  readonly collidingTest: number | null;
  readonly boxTests: number;
  readonly linkPairs: number;
  /** Its step in times of ours. */
  readonly ratio: number;
}

const MICROSECONDS = 1000;

const stepOf = ({ steps, times }: ChainRaceResult): number =>
  (MICROSECONDS * (times.update + times.undo + times.free + times.colliding)) / steps;

function toRow(result: ChainRaceResult, ours: ChainRaceResult): Row {
  const { name, steps, times, volumeTests, pairTests } = result;
  const per = (total: number, count: number) => (count === 0 ? null : (MICROSECONDS * total) / count);
  return {
    name,
    step: stepOf(result),
    update: (MICROSECONDS * times.update) / steps,
    undo: per(times.undo, times.collidingSteps),
    freeTest: per(times.free, times.freeSteps),
    collidingTest: per(times.colliding, times.collidingSteps),
    boxTests: volumeTests,
    linkPairs: pairTests,
    ratio: stepOf(result) / stepOf(ours),
  };
}

function describe(about: About, { linkCount }: Chain): string {
  if (about.kind === 'chain') return `chain of ${linkCount} links`;
  const { chain, residues, radius } = about;
  const name = chain.trim() === '' ? 'the chain without a name' : `chain ${chain}`;
  return `backbone of ${name}, ${residues} residues, ${linkCount} spheres of radius ${radius.toFixed(3)} angstrom`;
}

function formatTable(rows: readonly Row[]): string[] {
  const time = (value: number | null) => (value === null ? '-' : value.toFixed(value < 100 ? 2 : 0));
  const cells = [
    ['us', 'step', 'update', 'undo', 'free test', 'colliding test', 'box tests', 'link pairs', `times ${OURS}`],
    ...rows.map(({ name, step, update, undo, freeTest, collidingTest, boxTests, linkPairs, ratio }) => [
      name,
      ...[step, update, undo, freeTest, collidingTest].map(time),
      boxTests.toFixed(1),
      linkPairs.toFixed(1),
      ratio.toPrecision(3),
    ]),
  ];
  const widths = cells[0].map((_, k) => Math.max(...cells.map((row) => row[k].length)));
  return cells.map((row) =>
    row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '),
  );
}

function plot(file: string, { linkCount }: Chain, rows: readonly Row[]): string {
  return drawBars({
    title: `${file}: a step of a chain of ${linkCount} links`,
    unit: 'us',
    series: ['update', 'free test', 'colliding test'],
    groups: rows.map(({ name, update, freeTest, collidingTest }) => ({
      name,
      values: [update, freeTest ?? 0, collidingTest ?? 0],
    })),
  });
}
