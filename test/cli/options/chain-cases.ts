/** The rows of the options of `chain`. */
import { type CommandCases, differs, type Mode, OUTPUT, output } from './option-case.js';

/** Of which atoms an answer is. */
const molecule = (command: string): CommandCases => {
  const ask = (file: string): string[] => ['chain', command, file, '--json'];
  return {
    '--model': differs(ask('protein.pdb'), '--model', '2'),
    '--altloc': differs(ask('protein.pdb'), '--altloc', 'B'),
    '--chains': differs(ask('protein.pdb'), '--chains', 'B'),
    '--select': differs(ask('protein.pdb'), '--select', 'hetero'),
    '--no-hetero': differs(ask('protein.pdb'), '--no-hetero'),
    '--allow-missing': differs(ask('cut.pdb'), '--allow-missing'),
    ...output(ask('protein.pdb')),
  };
};

const clashes = ['chain', 'clashes', 'protein.pdb', '--json'];
const pairs = ['chain', 'pairs', 'protein.pdb', '--json'];
const build = ['chain', 'build', 'GSE', '--out', 'made.pdb'];
const race = (file = 'protein.pdb'): string[] => [
  ...['chain', 'bench', file, '--methods', 'grid'],
  '--steps',
  '20',
  '--json',
];
const fold = (file = 'helix.pdb', ...more: string[]): string[] => [
  'chain',
  'fold',
  file,
  '--steps',
  '400',
  '--json',
  ...more,
];
const replicas = fold('helix.pdb', '--replicas', '2');

/** Runs that others go on from. */
export const CHAIN_BEFORE: readonly (readonly string[])[] = [
  ['chain', 'fold', 'helix.pdb', '--steps', '200', '--checkpoint', 'begun.json'],
  build,
];

export const CHAIN_CASES: Readonly<Record<string, CommandCases>> = {
  'chain info': output(['chain', 'info', 'helix.pdb'], ['chain', 'info', 'cut.pdb']),
  'chain clashes': {
    ...molecule('clashes'),
    '--overlap': differs(clashes, '--overlap', '1'),
    '--hydrogens': differs(clashes, '--hydrogens', 'none'),
  },
  'chain pairs': {
    ...molecule('pairs'),
    '--cutoff': differs(pairs, '--cutoff', '3'),
    '--bonds': differs(pairs, '--bonds', '1'),
  },
  'chain build': {
    '--phi': {
      writes: 'phi.pdb',
      line: ['chain', 'build', 'GSE', '--phi', '-70', '--out', 'phi.pdb'],
      other: 'made.pdb',
    },
    '--psi': {
      writes: 'psi.pdb',
      line: ['chain', 'build', 'GSE', '--psi', '-30', '--out', 'psi.pdb'],
      other: 'made.pdb',
    },
    '--omega': {
      writes: 'omega.pdb',
      line: ['chain', 'build', 'GSE', '--omega', '170', '--out', 'omega.pdb'],
      other: 'made.pdb',
    },
    '--out': { writes: 'other.pdb', line: ['chain', 'build', 'GSE', '--out', 'other.pdb'] },
    '--json': differs(build, '--json'),
    '--quiet': { base: build, same: ['--quiet'], reason: 'it has no messages' },
  },
  'chain bench': {
    '--model': differs(race(), '--model', '2'),
    '--altloc': differs(race(), '--altloc', 'B'),
    '--chain': differs(race(), '--chain', 'B'),
    '--allow-missing': differs(race('cut.pdb'), '--allow-missing'),
    '--steps': differs(['chain', 'bench', 'protein.pdb', '--methods', 'grid', '--json'], '--steps', '30'),
    '--seed': differs(race(), '--seed', '9'),
    '--degrees': differs(race(), '--degrees', '5'),
    '--methods': differs(['chain', 'bench', 'helix.pdb', '--steps', '20', '--json'], '--methods', 'grid'),
    '--plot': { writes: 'bars.svg', line: [...race(), '--plot', 'bars.svg'] },
    ...output(race()),
  },
  'chain fold': {
    '--sequence': differs(['chain', 'fold', '--steps', '200', '--json'], '--sequence', 'GSEAAK'),
    '--model': differs(fold('protein.pdb', '--chains', 'A'), '--model', '2'),
    '--altloc': differs(fold('protein.pdb', '--chains', 'A'), '--altloc', 'B'),
    '--chains': differs(fold('protein.pdb'), '--chains', 'B'),
    '--rigid-side-chains': differs(fold(), '--rigid-side-chains'),
    '--omega': differs(fold(), '--omega'),
    '--disulfides': differs(fold('bridge.pdb'), '--disulfides', 'open'),
    '--steps': differs(['chain', 'fold', '--sequence', 'GS', '--energy', 'none', '--json'], '--steps', '300'),
    '--seed': differs(fold(), '--seed', '9'),
    '--temperature': differs(fold(), '--temperature', '900'),
    '--anneal': differs(fold(), '--anneal', '900'),
    '--moves': differs(fold(), '--moves', 'torsion:3,chi'),
    '--energy': differs(fold(), '--energy', 'none'),
    '--cutoff': differs(fold(), '--cutoff', '6'),
    '--dielectric': differs(fold(), '--dielectric', '40'),
    '--hard-core': differs(
      ['chain', 'fold', '--sequence', 'GSEAAKLFW', '--energy', 'none', '--steps', '400', '--json'],
      '--hard-core',
      '0.1',
    ),
    '--replicas': differs(fold(), '--replicas', '2'),
    '--highest': differs(replicas, '--highest', '2000'),
    '--exchange-every': differs(replicas, '--exchange-every', '50'),
    '--out': { writes: 'run.dcd', line: [...fold(), '--out', 'run.dcd'] },
    '--every': differs(fold(), '--every', '100'),
    '--table': { writes: 'run.csv', line: [...fold(), '--table', 'run.csv'] },
    '--rmsd': differs(fold(), '--rmsd', 'backbone'),
    '--plot': { writes: 'run.svg', line: [...fold(), '--plot', 'run.svg'] },
    '--last': { writes: 'last.pdb', line: [...fold(), '--last', 'last.pdb'] },
    '--checkpoint': { writes: 'run.json', line: [...fold(), '--checkpoint', 'run.json'] },
    '--checkpoint-every': {
      base: [...fold(), '--checkpoint', 'often.json'],
      same: ['--checkpoint-every', '100'],
      reason: 'how often a run can be gone on with changes nothing of it',
    },
    '--resume': differs(['chain', 'fold', '--json'], '--resume', 'begun.json'),
    ...output(fold()),
  },
};

export const CHAIN_MODES: Readonly<Record<string, Mode>> = {
  'chain fold of a sequence by its hard core': {
    command: 'chain fold',
    line: ['chain', 'fold', '--sequence', 'GSEAAK', '--energy', 'none', '--steps', '100'],
    accepts: {},
    optional: [
      ...OUTPUT,
      ...['--sequence', '--rigid-side-chains', '--omega', '--disulfides', '--steps', '--seed', '--temperature'],
      ...['--anneal', '--moves', '--energy', '--hard-core', '--replicas', '--out', '--every', '--table', '--rmsd'],
      ...['--plot', '--last', '--checkpoint', '--resume'],
    ],
  },
};
