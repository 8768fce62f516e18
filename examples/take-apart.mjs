// A bar that turns to get through a window, with the proof of its path; and the order in which a gearbox comes apart.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadMesh, loadRigidProblem } from 'clearance/node';
import { planRigid, planSequence, sweepRigidPath, verifyRigidPath } from 'clearance/rigid';

const folder = new URL('assembly/', import.meta.url);
const pathOf = (name) => fileURLToPath(new URL(name, folder));

const { value: problem } = await loadRigidProblem(pathOf('keyhole.json'));
const { status, path, proof } = planRigid(problem);
const { valid } = verifyRigidPath(problem, path, proof.certificate);
console.log(
  `bar: ${status}, ${valid ? 'verified' : 'not verified'}, clearance ${proof.clearance > 0 ? 'proven' : 'none'}`,
);

const swept = sweepRigidPath(problem.body, path, { cell: 0.005 });
console.log(
  `it sweeps ${(1e6 * swept.volume).toFixed(0)} cm3 at most; the mesh sticks out by up to ${(1000 * swept.excess).toFixed(1)} mm`,
);

const { parts } = JSON.parse(readFileSync(pathOf('gearbox.json'), 'utf8'));
const loaded = [];
for (const { name, file } of parts)
  loaded.push({ name, mesh: (await loadMesh(pathOf(file))).value, pose: Float64Array.of(0, 0, 0, 0, 0, 0, 1) });
const sequence = planSequence(loaded);
console.log(`gearbox: ${sequence.status}`);
for (const step of sequence.steps) console.log(`  ${step.parts.join(' + ')}`);
console.log(
  `before the lid: ${sequence.precedence
    .filter(([, b]) => b === 'lid')
    .map(([a]) => a)
    .join(', ')}`,
);
