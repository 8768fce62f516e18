export type { AminoAcid } from './molecule/amino-acids.js';
export { aminoAcidFromCode, aminoAcidOf } from './molecule/amino-acids.js';
export type { MoleculeOptions } from './molecule/build-molecule.js';
export { buildMolecule } from './molecule/build-molecule.js';
export { findContacts } from './molecule/cell-list.js';
export type { Clash, ClashOptions, ClashReport } from './molecule/clashes.js';
export { findBondedNeighbors, findClashes } from './molecule/clashes.js';
export type { InternalCoordinates } from './molecule/internal-coordinates.js';
export { placeAtoms, toInternalCoordinates } from './molecule/internal-coordinates.js';
export type { ChainGap, Molecule, Residue, ResidueKind } from './molecule/molecule.js';
export { describeAtom, describeResidue, findAtom } from './molecule/molecule.js';
export type { PeptideTorsions } from './molecule/peptide.js';
export { buildPeptide, countChi } from './molecule/peptide.js';
export type { ProteinChain, ProteinChainOptions, ProteinTorsion, TorsionName } from './molecule/protein-chain.js';
export { createProteinChain } from './molecule/protein-chain.js';
export { ProteinState } from './molecule/protein-state.js';
export { covalentRadius, vanDerWaalsRadius } from './molecule/radii.js';
export { StericTest } from './molecule/steric-test.js';
export type {
  AtomColumns,
  AtomName,
  ResidueName,
  StatedBond,
  Structure,
  StructureModel,
} from './molecule/structure.js';
export type { Superposition } from './molecule/superpose.js';
export { radiusOfGyration, superpose } from './molecule/superpose.js';
export type { ResidueTorsions } from './molecule/torsions.js';
export { computeTorsions, measureAngle, measureTorsion } from './molecule/torsions.js';
