/**
 * What answers over a molecule rest on: atoms left out on the way from its file, numbers and conformations that were chosen,
 * hydrogens that were placed. Readers note it in `Structure.assumed`, building and adding hydrogens in `Molecule.assumed`.
 */
import { requireList, requireObject, throwMisuse } from '../math/arguments.js';
import type { Assumption } from '../model/issue.js';
import type { Molecule } from './molecule.js';

/** Goes with every answer over a molecule. */
export interface MoleculeAssumptions {
  /** False when atoms of the file were left out: then what is not found is not known to be absent. */
  readonly complete: boolean;
  /** What was dropped, altered or guessed, one sentence each; empty when nothing was. */
  readonly assumed: readonly string[];
}

/** The companion of answers that cannot say it themselves: numbers of clashes while a protein moves, energies, pairs. */
export function moleculeAssumptions(
  molecule: Pick<Molecule, 'assumed'>,
  more: readonly Assumption[] = [],
): MoleculeAssumptions {
  requireObject('moleculeAssumptions', 'molecule', molecule, 'the molecule that buildMolecule returned');
  const { assumed = [] } = molecule;
  requireAssumptions('molecule.assumed', assumed);
  requireAssumptions('more', more);
  const all = [...assumed, ...more];
  return {
    complete: all.every(({ kind }) => kind !== 'dropped'),
    assumed: [...new Set(all.map(({ kind, element, message }) => `${kind}: ${element}: ${message}`))],
  };
}

function requireAssumptions(what: string, list: unknown): void {
  const call = 'moleculeAssumptions';
  requireList(call, what, list, 'a list of assumptions');
  list.forEach((each, i) => {
    const { kind, element, message } = (each ?? {}) as Partial<Assumption>;
    if (typeof kind !== 'string' || typeof element !== 'string' || typeof message !== 'string')
      throwMisuse(call, `${what}[${i}]`, each, 'an object with kind, element and message');
  });
}

/** The molecule with what was assumed of its hydrogens, in place of what was before. */
export function assumeHydrogens(molecule: Molecule, messages: readonly string[]): Molecule {
  const others = (molecule.assumed ?? []).filter(({ element }) => element !== HYDROGENS);
  const assumed = [
    ...others,
    ...messages.map((message) => ({ kind: 'guessed' as const, element: HYDROGENS, message })),
  ];
  return { ...molecule, assumed };
}

export const HYDROGENS = 'hydrogens';
