/** `clearance chain`: proteins and other macromolecules. */
import { Command, Option } from 'commander';
import { formatIssue, type Issue } from '../../io/issue.js';
import { buildMolecule } from '../../molecule/build-molecule.js';
import { findContacts } from '../../molecule/cell-list.js';
import { findBondedNeighbors, findClashes, includesSorted } from '../../molecule/clashes.js';
import { describeAtom, describeResidue, type Molecule } from '../../molecule/molecule.js';
import { residueKey, type Structure } from '../../molecule/structure.js';
import { loadStructure } from '../../node/load-structure.js';
import { ExitStatus, UsageError } from '../exit.js';
import { toJson, writeLine } from '../json-lines.js';
import { report, warn } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';

interface MoleculeArguments {
  readonly model: number;
  readonly altloc: string;
  readonly chains?: string;
  readonly hetero: boolean;
  readonly json?: boolean;
}

export function chainCommand(): Command {
  const chain = new Command('chain').description('long chains and proteins: what a file holds, clashes, close pairs');
  chain.addCommand(infoCommand()).addCommand(clashesCommand()).addCommand(pairsCommand());
  for (const command of chain.commands) {
    command.option('--json', 'machine output on standard output').option('--quiet', 'no messages on standard error');
    command.exitOverride();
  }
  return chain;
}

const FILES = 'structure (.pdb .ent .cif .mmcif .bcif, each also with .gz)';

function addMoleculeOptions(command: Command): Command {
  return command
    .argument('<file>', FILES)
    .addOption(
      new Option('--model <n>', 'which model, from 1 on, in file order').argParser(parseCount('--model')).default(1),
    )
    .option('--altloc <letter>', 'alternate location where a residue has it, or highest occupancy', 'highest')
    .option('--chains <ids>', 'keep these chains, separated by commas')
    .option('--no-hetero', 'leave waters, ligands and ions out');
}

function infoCommand(): Command {
  return new Command('info')
    .description('what a structure file holds')
    .argument('<file>', FILES)
    .addHelpText('after', '\nExample:\n  clearance chain info 1shg.pdb --json')
    .action(async (file: string, args: { readonly json?: boolean }) => {
      const { value, issues } = await loadStructure(file);
      const usable = value !== null && !issues.some(({ severity }) => severity === 'error');
      const result = value ? describeStructure(value) : { kind: 'structure' };
      if (args.json) await writeLine(toJson({ ...result, issues }));
      else if (value) await writeLine(formatStructure(value));
      for (const issue of issues) if (!args.json || issue.severity === 'error') warn(formatIssue(issue));
      process.exitCode = usable ? ExitStatus.done : ExitStatus.unusable;
    });
}

/** The twenty and selenomethionine, counted once in however many models. */
const STANDARD = new Set(
  'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET MSE PHE PRO SER THR TRP TYR VAL'.split(' '),
);

function countResidues(structure: Structure): number {
  const seen = new Set<string>();
  for (const { atoms } of structure.models) {
    for (let i = 0; i < atoms.count; i++) {
      if (!STANDARD.has(atoms.residueNames[i])) continue;
      seen.add(residueKey(atoms.chains[i], atoms.sequences[i], atoms.insertions[i]));
    }
  }
  for (const { name, chain, sequence, insertion } of structure.unplaced) {
    if (STANDARD.has(name)) seen.add(residueKey(chain, sequence, insertion));
  }
  return seen.size;
}

function describeStructure(structure: Structure): Record<string, unknown> {
  const first = structure.models[0];
  const molecule = first ? buildMolecule(structure) : null;
  const count = (kind: string) => molecule?.residues.filter((residue) => residue.kind === kind).length ?? 0;
  return {
    kind: 'structure',
    format: structure.format,
    name: structure.name,
    models: structure.models.length,
    chains: [...new Set(molecule?.residues.map(({ chain }) => chain) ?? [])],
    residues: countResidues(structure),
    aminoAcids: count('amino-acid'),
    nucleotides: count('nucleotide'),
    waters: count('water'),
    others: count('other'),
    atoms: first?.atoms.count ?? 0,
    chosenAtoms: molecule?.atomCount ?? 0,
    hydrogens: molecule?.elements.filter((element) => element === 'H').length ?? 0,
    alternateAtoms: first?.atoms.alternates.filter((letter) => letter !== '').length ?? 0,
    bonds: (molecule?.bonds.length ?? 0) / 2,
    disulfides: molecule?.disulfides.map((pair) => pair.map((i) => describeResidue(molecule.residues[i]))) ?? [],
    gaps:
      molecule?.gaps.map(({ before, after, missing, distance }) => ({
        before: describeResidue(molecule.residues[before]),
        after: describeResidue(molecule.residues[after]),
        missing,
        distance,
      })) ?? [],
    missing: structure.missing.map(describeResidue),
  };
}

function formatStructure(structure: Structure): string {
  const info = describeStructure(structure) as {
    readonly chains: string[];
    readonly residues: number;
    readonly aminoAcids: number;
    readonly nucleotides: number;
    readonly waters: number;
    readonly others: number;
    readonly atoms: number;
    readonly chosenAtoms: number;
    readonly hydrogens: number;
    readonly alternateAtoms: number;
    readonly disulfides: string[][];
    readonly gaps: { before: string; after: string; missing: number; distance: number | null }[];
    readonly missing: string[];
  };
  const lines = [
    `${structure.name || 'structure'} (${structure.format}): ${structure.models.length} models, ${info.chains.length} chains (${info.chains.join(' ')})`,
    `residues: ${info.aminoAcids} amino acids (${info.residues} of the twenty), ${info.nucleotides} nucleotides, ${info.waters} waters, ${info.others} others`,
    `atoms: ${info.atoms}, ${info.chosenAtoms} in the chosen conformation, ${info.hydrogens} hydrogens, ${info.alternateAtoms} with alternate locations`,
    ...info.disulfides.map(([a, b]) => `disulfide: ${a} - ${b}`),
    ...info.gaps.map(
      ({ before, after, missing, distance }) =>
        `gap: ${before} to ${after}, ${missing} residues not observed${distance === null ? '' : `, ${distance.toFixed(1)} angstrom`}`,
    ),
  ];
  if (info.missing.length > 0) lines.push(`not observed: ${info.missing.length} residues`);
  return lines.join('\n');
}

async function readMolecule(file: string, args: MoleculeArguments): Promise<Molecule> {
  const { value, issues } = await loadStructure(file);
  for (const issue of issues) if (value || issue.severity !== 'error') report(issue);
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  if (args.model < 1 || args.model > value.models.length) {
    throw new UsageError(`--model ${args.model}: ${file} has ${value.models.length}`);
  }
  const chains = args.chains?.split(',');
  const molecule = buildMolecule(value, {
    model: args.model - 1,
    alternate: args.altloc,
    chains,
    hetero: args.hetero,
  });
  const unknown = chains?.find((id) => !molecule.residues.some(({ chain }) => chain === id));
  if (unknown !== undefined) throw new UsageError(`--chains: ${file} has no chain "${unknown}"`);
  for (const message of molecule.warnings) report(asWarning(file, message));
  return molecule;
}

function asWarning(file: string, message: string): Issue {
  return { severity: 'warning', code: 'bad-bond', file, message };
}

function clashesCommand(): Command {
  return addMoleculeOptions(new Command('clashes'))
    .description('atoms that overlap, bonded ones and hydrogen bonds excepted')
    .option('--overlap <angstrom>', 'least overlap of van der Waals spheres', parseNumber('--overlap'), 0.4)
    .addHelpText(
      'after',
      '\nExit status 1 when there are clashes.\n\nExample:\n  clearance chain clashes 1shg.pdb --no-hetero',
    )
    .action(async (file: string, args: MoleculeArguments & { readonly overlap: number }) => {
      const molecule = await readMolecule(file, args);
      const { clashes, atomCount, score, comparable } = findClashes(molecule, { overlap: args.overlap });
      const rows = clashes.map(({ a, b, distance, overlap }) => ({
        a: describeAtom(molecule, a),
        b: describeAtom(molecule, b),
        distance,
        overlap,
      }));
      const remark = comparable ? null : 'heavy atoms only, not comparable';
      if (args.json) {
        await writeLine(toJson({ atoms: atomCount, count: clashes.length, score, comparable, remark, clashes: rows }));
      } else {
        for (const { a, b, distance, overlap } of rows) {
          await writeLine(`${a} - ${b}  ${distance.toFixed(3)} apart, overlap ${overlap.toFixed(3)}`);
        }
        const per = `${score.toFixed(2)} per 1000 atoms${remark ? ` (${remark})` : ''}`;
        await writeLine(`${clashes.length} clashes among ${atomCount} atoms: ${per}`);
      }
      process.exitCode = clashes.length > 0 ? ExitStatus.negative : ExitStatus.done;
    });
}

function pairsCommand(): Command {
  return addMoleculeOptions(new Command('pairs'))
    .description('pairs of atoms closer than a cutoff, bonded ones left out')
    .option('--cutoff <angstrom>', 'largest distance', parseNumber('--cutoff'), 4)
    .option('--bonds <n>', 'leave out pairs joined by at most this many bonds', parseCount('--bonds'), 3)
    .addHelpText('after', '\nExample:\n  clearance chain pairs 1shg.pdb --cutoff 4 --no-hetero --json')
    .action(async (file: string, args: MoleculeArguments & { readonly cutoff: number; readonly bonds: number }) => {
      if (!(args.cutoff >= 0 && args.cutoff <= 100)) {
        throw new UsageError(`--cutoff ${args.cutoff}: expected 0 to 100 angstrom`);
      }
      const molecule = await readMolecule(file, args);
      const neighbors = findBondedNeighbors(molecule, args.bonds);
      const found: [number, number, number][] = [];
      findContacts(molecule.positions, molecule.atomCount, args.cutoff, (i, j, squared) => {
        if (!includesSorted(neighbors[i], j)) found.push([Math.min(i, j), Math.max(i, j), Math.sqrt(squared)]);
      });
      found.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
      for (const [a, b, distance] of found) {
        const pair = { a: describeAtom(molecule, a), b: describeAtom(molecule, b), distance };
        await writeLine(args.json ? toJson(pair) : `${pair.a} - ${pair.b}  ${distance.toFixed(3)}`);
      }
      process.exitCode = ExitStatus.done;
    });
}
