/**
 * A mesh against a convex shape: does it touch, how far apart. The meshes are the links of a robot (Panda's, where the reference data
 * lies beside the project, else waves on a sphere of as many triangles), each shape among them all in random poses; the box once more as
 * a mesh of 12 triangles, which the kernel for pairs of meshes answers. The peer is FCL (OBBRSS), where libfcl is installed, on one link;
 * `disagree` counts verdicts that differ and distances more than 1e-6 apart. Rows have the work of a query: boxes and triangles tested,
 * GJK rounds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRandom, createTransform, multiplyTransform } from '../../dist/esm/math.js';
import {
  collide,
  createCollider,
  createDistanceResult,
  createPairCache,
  createQueryStats,
  distance,
} from '../../dist/esm/narrowphase.js';
import { loadMesh } from '../../dist/esm/node.js';
import { buildFcl, compareWithFcl } from '../fcl.mjs';
import { createBumpySphere, createPoses, toTransforms } from '../inputs.mjs';
import { compare } from '../measure.mjs';

const suite = 'mesh-primitive';
const links = fileURLToPath(
  new URL('../../../shared/data/robots/panda/panda_description/meshes/collision/', import.meta.url),
);
const posesPerLink = 60;
const peerLink = 5;
const steps = 8;

/** 64 points on an ellipsoid, by the golden angle. */
function createHullPoints() {
  const points = new Float64Array(3 * 64);
  for (let i = 0; i < 64; i++) {
    const z = 1 - (2 * i + 1) / 64;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    points.set([0.12 * r * Math.cos(angle), 0.1 * r * Math.sin(angle), 0.14 * z], 3 * i);
  }
  return points;
}

function createBoxMesh([x, y, z]) {
  const vertices = Float64Array.from(
    { length: 24 },
    (_, i) => ([x, y, z][i % 3] / 2) * ((i / 3) & (1 << (i % 3)) ? 1 : -1),
  );
  const triangles = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ];
  return { vertices, triangles: Uint32Array.from(triangles) };
}

const size = [0.2, 0.15, 0.3];
const shapes = {
  box: { type: 'box', size },
  'box of 12 triangles': { type: 'mesh', mesh: createBoxMesh(size) },
  capsule: { type: 'capsule', radius: 0.06, length: 0.3 },
  sphere: { type: 'sphere', radius: 0.12 },
  cylinder: { type: 'cylinder', radius: 0.08, length: 0.25 },
  cone: { type: 'cone', radius: 0.1, length: 0.25 },
  ellipsoid: { type: 'ellipsoid', semiAxes: [0.08, 0.1, 0.16] },
  'convex 64': { type: 'convex', points: createHullPoints() },
};

async function readLinks() {
  if (existsSync(links))
    return Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const { value } = await loadMesh(`${links}link${i}.stl`);
        return { vertices: value.vertices, triangles: value.triangles };
      }),
    );
  const wave = createBumpySphere(16, 11);
  return Array.from({ length: 8 }, (_, i) => ({
    vertices: wave.vertices.map((x, k) => x * (k % 3 === i % 3 ? 0.16 : 0.08)),
    triangles: wave.triangles,
  }));
}

/** Boxes, triangles and GJK rounds per query, as text. */
function describeWork(inputs, ask) {
  const stats = createQueryStats();
  for (let i = 0; i < inputs; i++) ask(i, stats);
  const { nodeTests, primitiveTests, iterations } = stats;
  return [nodeTests, primitiveTests, iterations].map((n) => (n / inputs).toFixed(1)).join(' / ');
}

export async function* run() {
  const program = buildFcl();
  const meshes = await readLinks();
  const colliders = meshes.map((mesh) => createCollider({ type: 'mesh', mesh }));
  const origin = createTransform();
  const result = createDistanceResult();
  const middle = createTransform();
  for (const [name, shape] of Object.entries(shapes)) {
    const random = createRandom(1);
    const B = createCollider(shape);
    const scenes = colliders.flatMap((A, link) => {
      middle.set(A.center, 9);
      return toTransforms(createPoses(random, posesPerLink, 0.05, 0.45)).map((X) => {
        const X_WB = multiplyTransform(createTransform(), middle, X);
        return { A, link, X_WB, isApart: !collide(A, origin, B, X_WB) };
      });
    });
    const apart = scenes.filter(({ isApart }) => isApart);
    const touch = ({ A, X_WB }, stats) => collide(A, origin, B, X_WB, stats && { stats });
    const measure = ({ A, X_WB }, stats) => distance(result, A, origin, B, X_WB, stats && { stats }).distance;
    const rows = [
      ['collide', scenes, touch],
      ['distance', apart, measure],
    ];
    for (const [query, inputs, ask] of rows)
      yield {
        ...compare({
          suite,
          name: `${query} link / ${name}`,
          inputs: inputs.length,
          ours: (i) => ask(inputs[i]),
          unit: 'us',
        }),
        work: describeWork(inputs.length, (i, stats) => ask(inputs[i], stats)),
      };
    if (shape.type !== 'mesh') {
      const cache = createPairCache();
      yield compare({
        suite,
        name: `distance, ${steps} steps of a path, warm, link / ${name}`,
        inputs: apart.length,
        ours: (i) => {
          const { A, X_WB } = apart[i];
          const X = X_WB.slice();
          for (let k = 0; k < steps; k++) {
            X[9] += 1e-3;
            distance(result, A, origin, B, X, { cache, depth: false });
          }
        },
        unit: 'us',
      });
    }
    if (program && shape.type !== 'convex')
      for (const [query, inputs, ask] of rows) {
        const own = inputs.filter(({ link }) => link === peerLink);
        yield await compareWithFcl({
          program,
          A: { type: 'mesh', ...meshes[peerLink] },
          B: shape.type === 'mesh' ? { type: 'mesh', ...shape.mesh } : shape,
          transforms: own.map(({ X_WB }) => X_WB),
          query,
          tolerance: 1e-6,
          ours: (i) => ask(own[i]),
          suite,
          name: `${query} one link / ${name}`,
          unit: 'us',
        });
      }
    B.dispose();
  }
  for (const collider of colliders) collider.dispose();
}
