/**
 * Convex hulls of 100,000 points. The peer is manifold (WebAssembly), which takes an array of points; making that array is
 * not timed, reading its mesh is, since ours returns one. Every hull of ours is checked before anything is timed: no point
 * outside any of its facets by more than rounding, as many facets as a closed surface has.
 */
import Module from 'manifold-3d';
import { buildConvexHull } from '../../dist/esm/geometry.js';
import { createRandom } from '../../dist/esm/math.js';
import { compareBatch } from '../measure.mjs';

const count = 100000;

const sets = {
  cube: (random) => [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)],
  ball: (random) => {
    const radius = Math.cbrt(random.next());
    return onSphere(random).map((x) => radius * x);
  },
  sphere: (random) => onSphere(random),
  'cube surface': (random) => {
    const p = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
    const k = random.integer(3);
    p[k] = Math.sign(p[k]);
    return p;
  },
  'thin slab': (random) => [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1e-12, 1e-12)],
  'integer grid': (random) => [random.integer(20), random.integer(20), random.integer(20)],
};

function onSphere(random) {
  const p = [random.normal(), random.normal(), random.normal()];
  const radius = Math.hypot(...p);
  return p.map((x) => x / radius);
}

function check(name, points, { vertices, triangles }) {
  const faces = triangles.length / 3;
  if (faces !== 2 * (vertices.length / 3) - 4) throw new Error(`${name}: ${faces} facets do not close`);
  for (let n = 0; n < 200; n++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * Math.floor((n * faces) / 200) + k]);
    const at = (i, k) => vertices[i + k];
    const [u, v] = [b, c].map((i) => [0, 1, 2].map((k) => at(i, k) - at(a, k)));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const rounding = 1e-14 * Math.hypot(...u) * Math.hypot(...v) * 40;
    for (let i = 0; i < points.length; i += 3) {
      const height =
        normal[0] * (points[i] - at(a, 0)) +
        normal[1] * (points[i + 1] - at(a, 1)) +
        normal[2] * (points[i + 2] - at(a, 2));
      if (height > rounding) throw new Error(`${name}: point ${i / 3} is outside`);
    }
  }
}

export async function* run() {
  const wasm = await Module();
  wasm.setup();
  for (const [name, create] of Object.entries(sets)) {
    const random = createRandom(3);
    const list = Array.from({ length: count }, () => create(random));
    const points = Float64Array.from(list.flat());
    check(name, points, buildConvexHull(points));
    yield compareBatch({
      suite: 'hull',
      name: `${count / 1000}k points, ${name}`,
      inputs: 1,
      ours: () => buildConvexHull(points),
      peer: () => {
        const hull = wasm.Manifold.hull(list);
        hull.getMesh();
        hull.delete();
      },
      peerName: 'manifold',
      unit: 'ms',
      rounds: 5,
    });
  }
}
