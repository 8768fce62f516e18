/** Replica exchange on workers: a replica that is stuck in the cold gets out in the heat. */
import {
  buildMolecule,
  buildPeptide,
  createSimulation,
  createTemperatureLadder,
  spaceTemperatures,
} from 'clearance/molecule';
import { createParallelReplicas } from 'clearance/parallel';

const molecule = buildMolecule(buildPeptide('GEWTYDDATKTF'));
const temperatures = spaceTemperatures(300, 900, 4);
const setups = temperatures.map((temperature, i) => ({
  molecule,
  chain: { overlap: 1.2 },
  field: { dielectric: 4 },
  temperature,
  seed: i,
}));
const start = createSimulation(setups[0]).energy.total;
const replicas = await createParallelReplicas(setups, createTemperatureLadder(temperatures, 1), { roundSteps: 100 });
try {
  await replicas.run(2000);
  const coldest = createSimulation(setups[0]);
  coldest.restore(replicas.coldest);
  console.log(`${temperatures.map((kelvin) => kelvin.toFixed(0)).join(', ')} K, ${replicas.step} steps each`);
  console.log(`stretched ${start.toFixed(1)} kcal/mol, the coldest replica ${coldest.energy.total.toFixed(1)}`);
} finally {
  replicas.dispose();
}
