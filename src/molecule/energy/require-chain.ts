import { MisuseError } from '../../math/misuse.js';
import { type ProteinState, requireConformation } from '../protein-state.js';
import type { ForceField } from './force-field.js';
import { requireField } from './force-field.js';

/** Throws unless field and conformation belong to one molecule and no bond of it can tear. */
export function requireChainOf(name: string, conformation: ProteinState, field: ForceField): void {
  requireConformation(name, conformation);
  requireField(name, field);
  const { protein } = conformation;
  if (field.molecule !== protein.molecule) {
    throw new MisuseError(`${name}: field, got one of another molecule, expected the conformation's own`);
  }
  const { linkOf, torsions, molecule } = protein;
  for (const [a, b] of molecule.disulfides) {
    const links = [a, b].map((residue) => {
      const { first, count } = molecule.residues[residue];
      const atoms = Array.from({ length: count }, (_, i) => first + i);
      return linkOf[atoms.find((atom) => molecule.atomNames[atom] === 'SG') ?? first];
    });
    const isTorn = torsions.some(({ link, end }) => {
      const [isIn, isAlsoIn] = links.map((at) => at >= link && at < end);
      return isIn !== isAlsoIn;
    });
    if (isTorn) {
      throw new MisuseError(`${name}: conformation, got a chain of open disulfides, expected disulfides: 'keep'`);
    }
  }
}
