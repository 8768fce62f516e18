// Boxes fall on each other and come to rest; a snapshot goes on to the same bits.
import {
  computeEnergy,
  createSimulation,
  createWorld,
  describeState,
  forkSimulation,
  stepSimulation,
} from 'clearance/simulation';

const floor = { name: 'floor', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] };
const bodies = Array.from({ length: 5 }, (_, i) => ({
  name: `box ${i}`,
  shapes: [{ shape: { type: 'box', size: [0.2, 0.2, 0.2] }, material: { friction: 0.6 } }],
  pose: [0.02 * i, 0, 0.15 + 0.25 * i, 0, 0, 0, 1],
}));
const world = createWorld({ statics: [floor], bodies, step: 0.002 });
const simulation = createSimulation(world);

stepSimulation(simulation, 250);
const other = forkSimulation(simulation);
const report = stepSimulation(simulation, 500);
stepSimulation(other, 500);

console.log(`${report.contacts} contacts, residual ${report.residual.toExponential(0)} m/s`);
console.log(`energy ${computeEnergy(simulation).total.toFixed(3)} J`);
for (const [name, { pose }] of Object.entries(describeState(simulation).bodies))
  console.log(
    name,
    pose
      .slice(0, 3)
      .map((x) => x.toFixed(3))
      .join(' '),
  );
console.log('fork:', simulation.state.every((x, i) => x === other.state[i]) ? 'same bits' : 'different');
world.dispose();
