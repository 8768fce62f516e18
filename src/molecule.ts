export type { AminoAcid } from './molecule/amino-acids.js';
export { aminoAcidFromCode, aminoAcidOf } from './molecule/amino-acids.js';
export type { MoleculeAssumptions } from './molecule/assumptions.js';
export { moleculeAssumptions } from './molecule/assumptions.js';
export type { BackboneChain } from './molecule/backbone-chain.js';
export { createBackboneChain } from './molecule/backbone-chain.js';
export type { MoleculeOptions } from './molecule/build-molecule.js';
export { buildMolecule } from './molecule/build-molecule.js';
export { findContacts } from './molecule/cell-list.js';
export type { Clash, ClashOptions, ClashReport } from './molecule/clashes.js';
export { findBondedNeighbors, findClashes } from './molecule/clashes.js';
export type { EnergyTerms } from './molecule/energy/compute-energy.js';
export { computeEnergy } from './molecule/energy/compute-energy.js';
export type { EnergyStats, EnergyTree } from './molecule/energy/energy-tree.js';
export { createEnergyTree } from './molecule/energy/energy-tree.js';
export type { ForceField, ForceFieldOptions, ForceFieldTorsion } from './molecule/energy/force-field.js';
export { createForceField } from './molecule/energy/force-field.js';
export type { GridEnergy, GridEnergyOptions } from './molecule/energy/grid-energy.js';
export { createGridEnergy } from './molecule/energy/grid-energy.js';
export type { AddedHydrogens } from './molecule/hydrogens.js';
export { addHydrogens, removeHydrogens } from './molecule/hydrogens.js';
export type { InternalCoordinates } from './molecule/internal-coordinates.js';
export { placeAtoms, toInternalCoordinates } from './molecule/internal-coordinates.js';
export type { ChainGap, Molecule, Residue, ResidueKind } from './molecule/molecule.js';
export { describeAtom, describeResidue, findAtom } from './molecule/molecule.js';
export { createConcertedMove } from './molecule/monte-carlo/concerted-move.js';
export type { ConformationEnergy } from './molecule/monte-carlo/conformation-energy.js';
export type {
  MonteCarlo,
  MonteCarloOptions,
  MonteCarloState,
  MoveCount,
  WeightedMove,
} from './molecule/monte-carlo/monte-carlo.js';
export { createMonteCarlo } from './molecule/monte-carlo/monte-carlo.js';
export type { Move } from './molecule/monte-carlo/move.js';
export { IMPOSSIBLE } from './molecule/monte-carlo/move.js';
export type { MoveName } from './molecule/monte-carlo/move-set.js';
export { createMoves, MOVE_NAMES } from './molecule/monte-carlo/move-set.js';
export type { Observables, Observer } from './molecule/monte-carlo/observables.js';
export { createObserver } from './molecule/monte-carlo/observables.js';
export type {
  LadderState,
  ReplicaExchange,
  ReplicaExchangeState,
  TemperatureLadder,
} from './molecule/monte-carlo/replica-exchange.js';
export {
  createReplicaExchange,
  createTemperatureLadder,
  spaceTemperatures,
} from './molecule/monte-carlo/replica-exchange.js';
export type { SimulationSetup } from './molecule/monte-carlo/simulation-setup.js';
export { createSimulation } from './molecule/monte-carlo/simulation-setup.js';
export type { TemperatureSchedule } from './molecule/monte-carlo/temperature.js';
export { BOLTZMANN } from './molecule/monte-carlo/temperature.js';
export {
  createChiMove,
  createCrankshaftMove,
  createPivotMove,
  createRotamerMove,
  createSeveralTorsionsMove,
  createTorsionMove,
} from './molecule/monte-carlo/torsion-moves.js';
export type { PeptideTorsions } from './molecule/peptide.js';
export { buildPeptide } from './molecule/peptide.js';
export type { ProteinChain, ProteinChainOptions, ProteinTorsion, TorsionName } from './molecule/protein-chain.js';
export { createProteinChain, createProteinChainInSteps } from './molecule/protein-chain.js';
export type { ProteinState } from './molecule/protein-state.js';
export { createProteinState } from './molecule/protein-state.js';
export { covalentRadius, vanDerWaalsRadius } from './molecule/radii.js';
export { selectAtoms } from './molecule/select-atoms.js';
export type { ClashVisitor, StericTest } from './molecule/steric-test.js';
export { createStericTest } from './molecule/steric-test.js';
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
export type { ToStructureOptions } from './molecule/to-structure.js';
export { toAtomColumns, toStructure } from './molecule/to-structure.js';
export type { ResidueTorsions } from './molecule/torsions.js';
export { computeTorsions, measureAngle, measureTorsion } from './molecule/torsions.js';
