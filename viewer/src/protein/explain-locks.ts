/** Why bonds of a residue's backbone do not turn: rings, bridges, ends, what the file lacks. One phrase each. */
import { describeResidue, findAtom, type Molecule, type ProteinChain } from 'clearance/molecule';

export function explainLocks({ molecule, torsions }: ProteinChain, residue: number): string[] {
  const { name, chain, kind } = molecule.residues[residue];
  if (kind !== 'amino-acid') return [];
  const own = new Set(torsions.filter((torsion) => torsion.residue === residue).map((torsion) => torsion.name));
  const locked = (['phi', 'psi'] as const).filter((angle) => !own.has(angle));
  if (locked.length === 0) return [];
  const bridge = findBridge(molecule, residue);
  return locked.map((angle) => {
    const symbol = angle === 'phi' ? 'φ' : 'ψ';
    const other = molecule.residues[residue + (angle === 'phi' ? -1 : 1)];
    const isTorn = molecule.gaps.some(({ after }) => after === (angle === 'phi' ? residue : residue + 1));
    if (angle === 'phi' && name === 'PRO') return `${symbol} locked: its bond is in proline's ring`;
    if (!other || other.chain !== chain || other.kind !== kind) return `no ${symbol}: the chain ends here`;
    if (isTorn) return `no ${symbol}: the file has a gap here`;
    if (bridge) return `${symbol} locked: the bridge between ${bridge} would tear`;
    const atoms = angle === 'phi' ? ['N', 'CA', 'C'] : ['N', 'CA', 'C', 'O'];
    const lacks = atoms.filter((atom) => findAtom(molecule, residue, atom) < 0);
    return lacks.length > 0
      ? `${symbol} locked: the file lacks ${lacks.join(', ')}`
      : `${symbol} locked: its bond is in a ring`;
  });
}

/** The two cysteines whose bond spans the residue; null: none does. */
function findBridge({ disulfides, residues }: Molecule, residue: number): string | null {
  for (const pair of disulfides) {
    const [from, to] = [Math.min(...pair), Math.max(...pair)];
    if (from <= residue && residue <= to)
      return `${describeResidue(residues[from])} and ${describeResidue(residues[to])}`;
  }
  return null;
}
