/** Monte Carlo of a peptide: cooled down from a stretched chain, stopped half-way, gone on with the same bits. */
import { createChainTree } from 'clearance/chain';
import { encodeDcdFrame, encodeDcdHeader, parseDcd } from 'clearance/io';
import {
  buildMolecule,
  buildPeptide,
  createEnergyTree,
  createForceField,
  createMonteCarlo,
  createMoves,
  createObserver,
  createProteinChain,
  createProteinState,
} from 'clearance/molecule';

const molecule = buildMolecule(buildPeptide('GEWTYDDATKTFTVTE'));
// Links may overlap by 1.2 angstrom before a step is rejected without asking for its energy.
const protein = createProteinChain(molecule, { overlap: 1.2 });
const field = createForceField(molecule, { dielectric: 4 });

function createSimulation() {
  const conformation = createProteinState(protein, createChainTree(protein.chain));
  return createMonteCarlo(conformation, createEnergyTree(conformation, field), {
    moves: createMoves(protein, { torsion: 3, pivot: 1, local: 2, chi: 3 }),
    temperature: { from: 1000, to: 250, steps: 4000 },
    seed: 1,
  });
}

const simulation = createSimulation();
const observer = createObserver(simulation.conformation);
const start = simulation.energy.total;
const frames = [];
for (let sample = 0; sample < 20; sample++) {
  simulation.run(100);
  observer.measure();
  frames.push(encodeDcdFrame(observer.positions));
}
const saved = JSON.parse(JSON.stringify(simulation.save()));
simulation.run(2000);
console.log(
  `${start.toFixed(1)} kcal/mol stretched, ${simulation.energy.total.toFixed(1)} after ${simulation.step} steps`,
);
for (const { name, proposed, accepted } of simulation.listMoves()) {
  console.log(`${name}: ${accepted} of ${proposed} accepted`);
}

const again = createSimulation();
again.restore(saved);
again.run(2000);
console.log(`gone on from half-way: ${again.energy.total - simulation.energy.total} kcal/mol apart`);

const header = encodeDcdHeader({ atomCount: molecule.atomCount, frameCount: frames.length, stepInterval: 100 });
const { value } = parseDcd(Buffer.concat([header, ...frames]));
console.log(`trajectory: ${value.frameCount} frames of ${value.atomCount} atoms`);
