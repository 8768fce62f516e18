// Two boxes: how far apart, between which points, and which push separates them once they overlap.
import { createCollider, createDistanceResult, createTransform, distance, poseToTransform } from 'clearance';

const a = createCollider({ type: 'box', size: [1, 1, 1] });
const b = createCollider({ type: 'box', size: [0.5, 0.5, 0.5] });
const X_WA = createTransform();
const result = createDistanceResult();

for (const x of [2, 0.7]) {
  const X_WB = poseToTransform(createTransform(), [x, 0.1, 0, 0, 0, 0, 1]);
  distance(result, a, X_WA, b, X_WB);
  const direction = Array.from(result.normal, (n) => n.toFixed(0));
  if (result.collides) console.log(`at ${x}: ${(-result.distance).toFixed(3)} m deep, push B along ${direction}`);
  else
    console.log(`at ${x}: ${result.distance.toFixed(3)} m apart, from ${[...result.pointA]} to ${[...result.pointB]}`);
}
