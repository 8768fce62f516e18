/** The molecule that the arguments of a command choose from a structure file. */
import { formatIssue, type Issue } from '../io/issue.js';
import { buildMolecule } from '../molecule/build-molecule.js';
import type { Molecule } from '../molecule/molecule.js';
import type { AtomColumns, Structure } from '../molecule/structure.js';
import { loadStructure } from '../node/load-structure.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';

export interface MoleculeChoice {
  /** From 1 on. */
  readonly model: number;
  readonly altloc: string;
  /** All when left out. */
  readonly chains?: readonly string[];
  readonly hetero: boolean;
  /** Go on though atoms of the file were left out. */
  readonly allowMissing?: boolean;
}

/** Identifiers separated by commas; the empty one is the chain without a name. */
export function parseChains(text: string): string[] {
  return text.split(',').map((id) => id.trim());
}

/** Issues are told; throws UsageError for what is no structure. */
export async function readStructure(file: string): Promise<Structure> {
  const { value, issues } = await loadStructure(file);
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  return value;
}

/** Warnings are told; throws UsageError for what is not there. `name` is the file's. */
export function chooseMolecule(name: string, structure: Structure, choice: MoleculeChoice): Molecule {
  const { model, altloc, chains, hetero } = choice;
  const atoms = requireModel(name, structure, model);
  requireAlternate(name, atoms, altloc);
  const unknown = chains?.find((id) => !atoms.chains.includes(id));
  if (unknown !== undefined) {
    const known = [...new Set(atoms.chains)].map((id) => id || '""').join(', ');
    throw new UsageError(`--chains: ${name} has no chain "${unknown}", expected some of ${known}`);
  }
  const molecule = buildMolecule(structure, { model: model - 1, alternate: altloc, chains, hetero });
  for (const issue of listMoleculeIssues(name, molecule)) report(issue);
  if (molecule.atomCount === 0) {
    const left = hetero ? '' : ', waters, ligands and ions left out';
    throw new UsageError(`${name}: no atoms in model ${model}${left}`);
  }
  return molecule;
}

/** Throws UsageError where atoms of the file were left out, unless that is allowed: what is not found may be there. */
export async function readMolecule(file: string, choice: MoleculeChoice): Promise<Molecule> {
  const molecule = chooseMolecule(file, await readStructure(file), choice);
  const dropped = (molecule.assumed ?? []).filter(({ kind }) => kind === 'dropped');
  if (dropped.length > 0 && !choice.allowMissing) {
    const [{ element, message }] = dropped;
    const more = dropped.length > 1 ? `, and ${dropped.length - 1} more` : '';
    throw new UsageError(
      `${file}: not all of it could be taken (${element}: ${message}${more}), so an answer could be wrong; correct the file, or go on with --allow-missing`,
    );
  }
  return molecule;
}

function requireModel(name: string, { models }: Structure, model: number): AtomColumns {
  const held = models.length === 0 ? 'no model with atoms' : `${models.length} model${models.length === 1 ? '' : 's'}`;
  if (!(model >= 1 && model <= models.length)) throw new UsageError(`--model ${model}: ${name} has ${held}`);
  return models[model - 1].atoms;
}

/** A location that no residue has would leave the choice to the occupancies without a word. */
function requireAlternate(name: string, { alternates }: AtomColumns, wanted: string): void {
  if (wanted === 'highest' || alternates.includes(wanted)) return;
  const known = [...new Set(alternates)].filter((letter) => letter !== '').sort();
  const expected =
    known.length === 0 ? 'expected highest: it has no alternate locations' : `expected highest, ${known.join(', ')}`;
  throw new UsageError(`--altloc ${wanted}: no atom of ${name} has it, ${expected}`);
}

export function listMoleculeIssues(file: string, { warnings }: Molecule): Issue[] {
  return warnings.map((message) => ({ severity: 'warning', code: 'bad-molecule', file, message }));
}
