/** Seeded poses that the suites share, and the meshes of meshes.mjs. */
import { createTransform, poseToTransform } from '../dist/esm/math.js';
import { normalize } from './meshes.mjs';

export { createBumpySphere, createDrilledPlate, createKnot, createShells } from './meshes.mjs';

/** Uniform rotations (Shoemake), positions at a distance in [nearest, farthest) in a uniform direction; float32. */
export function createPoses(random, count, nearest, farthest) {
  return Array.from({ length: count }, () => {
    const [u, a, b] = [random.next(), 2 * Math.PI * random.next(), 2 * Math.PI * random.next()];
    const [s, c] = [Math.sqrt(1 - u), Math.sqrt(u)];
    const direction = normalize([random.normal(), random.normal(), random.normal()]);
    const radius = random.uniform(nearest, farthest);
    return [
      ...direction.map((x) => x * radius),
      s * Math.sin(a),
      s * Math.cos(a),
      c * Math.sin(b),
      c * Math.cos(b),
    ].map(Math.fround);
  });
}

export const toTransforms = (poses) => poses.map((pose) => poseToTransform(createTransform(), pose));
