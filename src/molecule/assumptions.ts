/**
 * What answers over a molecule rest on: atoms left out on the way from its file, numbers and conformations that were chosen,
 * hydrogens that were placed. Readers note it in `Structure.assumed`, building and adding hydrogens in `Molecule.assumed`.
 */
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
  { assumed = [] }: Pick<Molecule, 'assumed'>,
  more: readonly Assumption[] = [],
): MoleculeAssumptions {
  const all = [...assumed, ...more];
  return {
    complete: all.every(({ kind }) => kind !== 'dropped'),
    assumed: [...new Set(all.map(({ kind, element, message }) => `${kind}: ${element}: ${message}`))],
  };
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
