/** The molecule that the arguments of a command choose from a structure file. */
import { formatIssue, type Issue } from '../io/issue.js';
import { buildMolecule } from '../molecule/build-molecule.js';
import type { Molecule } from '../molecule/molecule.js';
import { loadStructure } from '../node/load-structure.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';

export interface MoleculeChoice {
  /** From 1 on. */
  readonly model: number;
  readonly altloc: string;
  /** Identifiers, separated by commas. */
  readonly chains?: string;
  readonly hetero: boolean;
}

/** Issues and warnings are told; throws UsageError for what is not there. */
export async function readMolecule(file: string, args: MoleculeChoice): Promise<Molecule> {
  const { value, issues } = await loadStructure(file);
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${file}: unreadable`);
  for (const issue of issues) report(issue);
  if (args.model < 1 || args.model > value.models.length) {
    throw new UsageError(`--model ${args.model}: ${file} has ${value.models.length}`);
  }
  requireAlternate(file, value.models[args.model - 1].atoms.alternates, args.altloc);
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

/** A location that no residue has would leave the choice to the occupancies without a word. */
function requireAlternate(file: string, alternates: readonly string[], wanted: string): void {
  if (wanted === 'highest' || alternates.includes(wanted)) return;
  const known = [...new Set(alternates)].filter((letter) => letter !== '').sort();
  const expected =
    known.length === 0 ? 'expected highest: it has no alternate locations' : `expected highest, ${known.join(', ')}`;
  throw new UsageError(`--altloc ${wanted}: no atom of ${file} has it, ${expected}`);
}

function asWarning(file: string, message: string): Issue {
  return { severity: 'warning', code: 'bad-bond', file, message };
}
