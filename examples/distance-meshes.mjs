// A shaft in its bore: clearance of two triangle meshes while the shaft moves sideways, and what a report says of them.
import {
  createCollider,
  createDistanceResult,
  createTransform,
  distance,
  poseToTransform,
  requireValue,
} from 'clearance';
import { reportMesh } from 'clearance/geometry';
import { loadMesh } from 'clearance/node';

const load = async (file) => requireValue(await loadMesh(`examples/assembly/meshes/${file}`));
const housing = await load('housing.stl');
const shaft = await load('shaft.stl');
const { triangles, watertight, volume } = reportMesh(housing);
console.log(`housing: ${triangles} triangles, ${watertight ? 'closed' : 'open'}, ${(1e6 * volume).toFixed(1)} cm3`);

const a = createCollider({ type: 'mesh', mesh: housing });
const b = createCollider({ type: 'mesh', mesh: shaft });
const X_WA = createTransform();
const result = createDistanceResult();
for (const millimetres of [0, 0.1, 0.3]) {
  const X_WB = poseToTransform(createTransform(), [millimetres / 1000, 0, 0, 0, 0, 0, 1]);
  distance(result, a, X_WA, b, X_WB);
  const clearance = result.collides ? 'they touch' : `${(1000 * result.distance).toFixed(3)} mm left`;
  console.log(`shaft ${millimetres} mm aside: ${clearance}`);
}
// Mesh trees live in WebAssembly memory, which the garbage collector does not see.
a.dispose();
b.dispose();
