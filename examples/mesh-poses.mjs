// A part along a path: collision, distance and tolerance of two meshes in many poses, in one call each.
import { requireValue } from 'clearance';
import { buildMeshBvh, collideMeshPoses, distanceMeshPoses, reportBvh, toleranceMeshPoses } from 'clearance/bvh';
import { loadMesh } from 'clearance/node';

const load = async (file) => requireValue(await loadMesh(`examples/assembly/meshes/${file}`));
const a = buildMeshBvh(await load('housing.stl'));
const b = buildMeshBvh(await load('shaft.stl'));
const { node, triangles, leaves } = reportBvh(a);
console.log(`housing: ${triangles} triangles in ${leaves} leaves of an ${node} tree`);

// Poses are transforms, 12 numbers each: the rotation row by row, then the position. The shaft moves sideways.
const steps = 200;
const poses = new Float64Array(12 * steps);
for (let i = 0; i < steps; i++) poses.set([1, 0, 0, 0, 1, 0, 0, 0, 1, (i * 1e-3) / steps, 0, 0], 12 * i);

const touching = collideMeshPoses(new Uint8Array(steps), a, b, poses);
const distances = distanceMeshPoses(new Float64Array(steps), a, b, poses);
const near = toleranceMeshPoses(new Uint8Array(steps), a, b, poses, 2e-4);
console.log(`at rest ${(1000 * distances[0]).toFixed(3)} mm are left`);
console.log(`closer than 0.2 mm from step ${near.indexOf(1)}, touching from step ${touching.indexOf(1)}`);
a.dispose();
b.dispose();
