/**
 * The energy of a conformation by its definition: every pair of atoms, every torsion. The reference for what keeps an
 * energy up to date.
 *
 * Formulas: force-field.ts. Cost: quadratic, some 10 ns per pair within the cutoff. Checked by force-field.test.ts against
 * closed forms.
 */
import { cos } from '../../math/scalar.js';
import { includesSorted } from '../clashes.js';
import { requirePoints } from '../molecule-door.js';
import { measureTorsion } from '../torsions.js';
import { type ForceField, LEAST_SQUARE, pairConstants, requireField } from './force-field.js';

/** Parts of an energy, kcal/mol. */
export interface EnergyTerms {
  readonly lennardJones: number;
  readonly electrostatic: number;
  readonly torsion: number;
  readonly total: number;
}

/** `positions`: 3 per atom of the molecule, angstrom; the molecule's own when left out. */
export function computeEnergy(field: ForceField, given?: Float64Array): EnergyTerms {
  requireField('computeEnergy', field);
  if (given !== undefined) requirePoints('computeEnergy', 'positions', given, field.molecule.atomCount);
  const positions = given ?? field.molecule.positions;
  const { atoms, excluded, pairs14, charges, depthRoots, halfMinima, depthRoots14, halfMinima14 } = field;
  const { cutoff2, switch2, switchScale, coulomb, coulomb14 } = pairConstants(field);
  let lennardJones = 0;
  let electrostatic = 0;
  for (let k = 0; k < atoms.length; k++) {
    const i = atoms[k];
    for (let l = k + 1; l < atoms.length; l++) {
      const j = atoms[l];
      const dx = positions[3 * i] - positions[3 * j];
      const dy = positions[3 * i + 1] - positions[3 * j + 1];
      const dz = positions[3 * i + 2] - positions[3 * j + 2];
      const s = Math.max(dx * dx + dy * dy + dz * dz, LEAST_SQUARE);
      if (s >= cutoff2 || includesSorted(excluded[i], j)) continue;
      const isNear = includesSorted(pairs14[i], j);
      const depth = isNear ? depthRoots14[i] * depthRoots14[j] : depthRoots[i] * depthRoots[j];
      const minimum = isNear ? halfMinima14[i] + halfMinima14[j] : halfMinima[i] + halfMinima[j];
      const t = Math.max(s, switch2);
      const weight = (cutoff2 - t) * (cutoff2 - t) * (cutoff2 + 2 * t - 3 * switch2) * switchScale;
      const q = (minimum * minimum) / s;
      const q3 = q * q * q;
      lennardJones += weight * depth * q3 * (q3 - 2);
      electrostatic += (weight * (isNear ? coulomb14 : coulomb) * charges[i] * charges[j]) / s;
    }
  }
  let torsion = 0;
  for (const { atoms: quartet, height, periodicity, phase } of field.torsions) {
    const [a, b, c, d] = quartet;
    torsion += height * (1 + cos(periodicity * measureTorsion(positions, a, b, c, d) + phase));
  }
  return { lennardJones, electrostatic, torsion, total: lennardJones + electrostatic + torsion };
}
