/** `clearance chain`: proteins and other macromolecules. */
import { Command, Option } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { moleculeAssumptions } from '../../molecule/assumptions.js';
import { buildMolecule } from '../../molecule/build-molecule.js';
import { findContacts } from '../../molecule/cell-list.js';
import { findBondedNeighbors, findClashes, includesSorted } from '../../molecule/clashes.js';
import { type AddedHydrogens, addHydrogens, removeHydrogens } from '../../molecule/hydrogens.js';
import { describeAtom, type Molecule } from '../../molecule/molecule.js';
import { buildPeptide } from '../../molecule/peptide.js';
import { selectAtoms } from '../../molecule/select-atoms.js';
import { ExitStatus, UsageError } from '../exit.js';
import { toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { type MoleculeChoice, parseChains, readMolecule } from '../molecule-input.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { requireStructureName, writeStructure } from '../structure-output.js';
import { remarkOnClashes, reportStructure } from '../structure-report.js';

interface MoleculeArguments extends MoleculeChoice {
  readonly select?: string;
  readonly json?: boolean;
}

/** `more`: subcommands that have files of their own. */
export function chainCommand(more: readonly Command[]): Command {
  const chain = new Command('chain').description('long chains and proteins: what a file holds, clashes, close pairs');
  for (const create of [infoCommand, clashesCommand, pairsCommand, buildCommand]) chain.addCommand(create());
  for (const command of more) chain.addCommand(command);
  return chain;
}

const FILES = 'structure (.pdb .ent .cif .mmcif .pdbx .bcif, each also with .gz)';

function addMoleculeOptions(command: Command): Command {
  return command
    .argument('<file>', FILES)
    .addOption(
      new Option('--model <n>', 'which model, from 1 on, in file order').argParser(parseCount('--model')).default(1),
    )
    .option('--altloc <letter>', 'alternate location where a residue has it, or highest occupancy', 'highest')
    .option('--chains <ids>', 'keep these chains, separated by commas', parseChains)
    .option('--select <selection>', 'only pairs with an atom in it, such as "chain A and within 5 of hetero"')
    .option('--no-hetero', 'leave waters, ligands and ions out')
    .option('--allow-missing', 'go on though atoms of the file were left out; answers say so ("complete":false)');
}

function infoCommand(): Command {
  return new Command('info')
    .description('what a structure file holds')
    .argument('<file>', FILES)
    .addHelpText('after', '\nExample:\n  clearance chain info 1shg.pdb --json')
    .action(async (file: string, args: { readonly json?: boolean }) => {
      const { result, text, issues, usable } = await reportStructure(file);
      if (args.json) await writeLine(toJson({ ...result, issues }));
      else if (text) await writeLine(text);
      for (const issue of issues) if (!args.json || issue.severity === 'error') warn(formatIssue(issue));
      process.exitCode = usable ? ExitStatus.done : ExitStatus.unusable;
    });
}

/** Whether a pair has an atom in the selection; every pair does without one. */
function pairFilter(molecule: Molecule, { select }: MoleculeArguments): (a: number, b: number) => boolean {
  if (select === undefined) return () => true;
  const atoms = selectAtoms(molecule, select);
  return (a, b) => includesSorted(atoms, a) || includesSorted(atoms, b);
}

interface ClashesArguments extends MoleculeArguments {
  readonly overlap: number;
  readonly hydrogens: 'add' | 'as-given' | 'none';
}

function withHydrogens(molecule: Molecule, how: ClashesArguments['hydrogens']): AddedHydrogens {
  if (how === 'add') return addHydrogens(molecule);
  return { molecule: how === 'none' ? removeHydrogens(molecule) : molecule, added: 0, remarks: [] };
}

function clashesCommand(): Command {
  return addMoleculeOptions(new Command('clashes'))
    .description('atoms that overlap, bonded ones and hydrogen bonds excepted')
    .option('--overlap <angstrom>', 'least overlap of van der Waals spheres', parseNumber('--overlap'), 0.4)
    .addOption(
      new Option('--hydrogens <how>', 'add: place missing ones by geometry; as-given: those of the file; none')
        .choices(['add', 'as-given', 'none'])
        .default('add'),
    )
    .addHelpText(
      'after',
      `
The score compares with published ones when all hydrogens are there: those that the file lacks are placed by geometry. With
none, and as-given of a file that has only some, heavy atoms alone count, and the report says that it does not compare.

Examples:
  clearance chain clashes 1shg.pdb
  clearance chain clashes 2xhe.pdb --chains A --select "backbone" --json`,
    )
    .action(async (file: string, args: ClashesArguments) => {
      const given = await readMolecule(file, args);
      const { molecule, added, remarks } = withHydrogens(given, args.hydrogens);
      for (const message of remarks) warn(`${file}: ${message}`);
      const isWanted = pairFilter(molecule, args);
      const found = findClashes(molecule, { overlap: args.overlap });
      const { clashes: all, atomCount, score: whole, comparable } = found;
      const clashes = all.filter(({ a, b }) => isWanted(a, b));
      // The score is of all atoms; of some there is none.
      const score = args.select === undefined ? whole : null;
      const rows = clashes.map(({ a, b, distance, overlap }) => ({
        a: describeAtom(molecule, a),
        b: describeAtom(molecule, b),
        distance,
        overlap,
      }));
      const remark = remarkOnClashes(found);
      if (args.json) {
        await writeLine(
          toJson({
            atoms: atomCount,
            added,
            count: clashes.length,
            score,
            comparable,
            remark,
            notes: remarks,
            ...(found.assumed.length > 0 && { complete: found.complete, assumed: found.assumed }),
            clashes: rows,
          }),
        );
      } else {
        for (const { a, b, distance, overlap } of rows) {
          await writeLine(`${a} - ${b}  ${distance.toFixed(3)} apart, overlap ${overlap.toFixed(3)}`);
        }
        const per = score === null ? '' : `: ${score.toFixed(2)} per 1000 atoms${remark ? ` (${remark})` : ''}`;
        const of = score === null ? 'with the selection ' : '';
        const placed = added > 0 ? `, ${added} of them hydrogens placed by geometry` : '';
        const whole = found.complete ? '' : ' (incomplete: atoms of the file were left out)';
        await writeLine(`${clashes.length} clashes ${of}among ${atomCount} atoms${placed}${per}${whole}`);
      }
      process.exitCode = ExitStatus.done;
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
      const isWanted = pairFilter(molecule, args);
      const found: [number, number, number][] = [];
      findContacts(molecule.positions, molecule.atomCount, args.cutoff, (i, j, squared) => {
        if (isWanted(i, j) && !includesSorted(neighbors[i], j))
          found.push([Math.min(i, j), Math.max(i, j), Math.sqrt(squared)]);
      });
      found.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
      const { complete, assumed } = moleculeAssumptions(molecule);
      const grounds = assumed.length > 0 ? { complete, assumed } : {};
      for (const [a, b, distance] of found) {
        const pair = { a: describeAtom(molecule, a), b: describeAtom(molecule, b), distance };
        await writeLine(args.json ? toJson({ ...pair, ...grounds }) : `${pair.a} - ${pair.b}  ${distance.toFixed(3)}`);
      }
      process.exitCode = ExitStatus.done;
    });
}

const DEGREE = Math.PI / 180;

function buildCommand(): Command {
  const degrees = (option: string) => parseNumber(option);
  return new Command('build')
    .description('a peptide of ideal geometry, every residue with the same torsions, as PDB or mmCIF')
    .argument('<sequence>', 'one-letter codes')
    .option('--phi <degrees>', 'C-N-CA-C', degrees('--phi'), -57.8)
    .option('--psi <degrees>', 'N-CA-C-N', degrees('--psi'), -47)
    .option('--omega <degrees>', 'of the peptide bonds', degrees('--omega'), 180)
    .requiredOption('--out <file>', 'file to write, .pdb or .cif')
    .addHelpText(
      'after',
      '\nThe default is an alpha helix.\n\nExample:\n  clearance chain build ACDEFGHIKL --out helix.pdb',
    )
    .action(async (sequence: string, args: BuildArguments) => {
      requireStructureName('--out', args.out);
      if (sequence.trim() === '') throw new UsageError('sequence: empty, expected one-letter codes');
      const torsion = { phi: args.phi * DEGREE, psi: args.psi * DEGREE, omega: args.omega * DEGREE };
      const structure = buildPeptide(
        sequence,
        Array.from(sequence, () => torsion),
      );
      writeStructure(args.out, structure);
      const { atomCount, residues } = buildMolecule(structure);
      if (args.json) await writeLine(toJson({ residues: residues.length, atoms: atomCount, file: args.out }));
      else await writeLine(`${args.out}: ${residues.length} residues, ${atomCount} atoms`);
      process.exitCode = ExitStatus.done;
    });
}

interface BuildArguments {
  readonly phi: number;
  readonly psi: number;
  readonly omega: number;
  readonly out: string;
  readonly json?: boolean;
}
