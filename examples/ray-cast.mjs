// Looking through a housing with rays: wall thicknesses, a batch of ten thousand rays, and how near its surface a probe is.
import { requireValue } from 'clearance';
import {
  buildMeshBvh,
  castRayMesh,
  castRays,
  closestPointMesh,
  collectRayHits,
  countCrossings,
  createClosestPoint,
  createRayHit,
  createRayHits,
} from 'clearance/bvh';
import { createRandom } from 'clearance/math';
import { loadMesh } from 'clearance/node';

const mesh = requireValue(await loadMesh('examples/assembly/meshes/housing.stl'));
const bvh = buildMeshBvh(mesh);
const [minX, minY, minZ, maxX, maxY, maxZ] = bvh.bounds;
const mm = (metres) => `${(1000 * metres).toFixed(2)} mm`;

// From the left, through the middle: every wall is entered from the front and left through the back.
const origin = [minX - 0.1, (minY + maxY) / 2 + 0.001, (minZ + maxZ) / 2 + 0.0005];
const hits = collectRayHits([], bvh, origin, [1, 0, 0]);
for (let i = 0; i + 1 < hits.length; i += 2) console.log(`wall ${i / 2 + 1}: ${mm(hits[i + 1].t - hits[i].t)} thick`);
const first = castRayMesh(createRayHit(), bvh, origin, [1, 0, 0]);
console.log(`first hit: triangle ${first.triangle}, from the ${first.isFront ? 'front' : 'back'}`);

// Rays from all round, one array in and three out.
const random = createRandom(1);
const count = 10000;
const rays = new Float64Array(6 * count);
for (let i = 0; i < count; i++) {
  const target = [random.uniform(minX, maxX), random.uniform(minY, maxY), random.uniform(minZ, maxZ)];
  const from = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
  rays.set([...from, ...target.map((x, k) => x - from[k])], 6 * i);
}
const found = castRays(createRayHits(count), bvh, rays);
console.log(`${found.triangle.filter((triangle) => triangle >= 0).length} of ${count} rays hit`);

// A probe: how far from the surface, and on which side of it.
const probe = [(minX + maxX) / 2, (minY + maxY) / 2, (minZ + maxZ) / 2];
const nearest = closestPointMesh(createClosestPoint(), bvh, probe);
const { winding } = countCrossings({ winding: 0, count: 0 }, bvh, ...probe);
console.log(`the middle is ${winding === 0 ? 'outside' : 'inside'} the material, ${mm(nearest.distance)} from it`);
bvh.dispose();
