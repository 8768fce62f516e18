// A drill screwed towards a plate: when and where it first touches, then the clearance on the way, each query started from
// the one before.
import { createCollider, createDistanceResult, createTransform, distance, poseToTransform } from 'clearance';
import { castPair, createCastResult, createPairCache, createQueryStats } from 'clearance/narrowphase';

const drill = createCollider({ type: 'cone', radius: 0.01, length: 0.06 });
const plate = createCollider({ type: 'box', size: [0.2, 0.2, 0.01] });
const X_WP = createTransform();
// Tip down, a quarter turn while it goes from 80 mm above the plate to 10 mm into it.
const start = poseToTransform(createTransform(), [0.02, 0, 0.115, 1, 0, 0, 0]);
const end = poseToTransform(createTransform(), [0.02, 0, 0.025, Math.SQRT1_2, Math.SQRT1_2, 0, 0]);

const contact = castPair(createCastResult(), plate, drill, { a0: X_WP, a1: X_WP, b0: start, b1: end, path: 'screw' });
console.log(
  `touches after ${(100 * contact.time).toFixed(1)} % of the way, ${(1000 * contact.point[2]).toFixed(1)} mm up`,
);

const result = createDistanceResult();
const cache = createPairCache();
const [warm, cold] = [createQueryStats(), createQueryStats()];
const X_WD = createTransform();
for (let step = 0; step <= 80; step++) {
  X_WD.set(start);
  X_WD[11] -= 0.001 * step;
  distance(result, plate, X_WP, drill, X_WD, { stats: cold });
  distance(result, plate, X_WP, drill, X_WD, { stats: warm, cache });
}
console.log(`last clearance ${(1000 * result.distance).toFixed(3)} mm`);
console.log(`rounds with the cache ${warm.iterations}, without ${cold.iterations}`);
