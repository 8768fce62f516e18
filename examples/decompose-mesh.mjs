// Convex parts of a mesh that is not convex, with a bound of how concave they are, and the depth they make possible.
import { createCollider, createDistanceResult, createTransform, distance, poseToTransform } from 'clearance';
import { decomposeMesh, meshHeightField } from 'clearance/geometry';

// A stairway of four steps, as a closed mesh.
const heights = Float64Array.from({ length: 2 * 9 }, (_, i) => 0.1 * (1 + (((i % 9) + 1) >> 1)));
const mesh = meshHeightField({ type: 'heightfield', rows: 2, columns: 9, heights, spacing: [0.1, 0.5], floor: 0 });

for (const concavity of [0.1, 0.01]) {
  const { status, parts, concavity: reached, shape } = decomposeMesh(mesh, { concavity });
  console.log(`${concavity}: ${status}, ${parts.length} parts, concavity at most ${reached.toFixed(4)} m`);
  const stairs = createCollider(shape);
  const ball = createCollider({ type: 'sphere', radius: 0.05 });
  const X = poseToTransform(createTransform(), [-0.25, 0, 0.26, 0, 0, 0, 1]);
  const result = distance(createDistanceResult(), stairs, createTransform(), ball, X);
  console.log(`  a ball over the second step: ${result.distance.toFixed(3)} m`);
}
