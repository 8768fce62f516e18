/** Obstacles of the kinds whose distance compiled checks do not have in a few operations. */
import { meshHeightField } from '../../src/geometry/height-field.js';
import type { Shape } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createRandom } from '../../src/math/random.js';
import { createBoxMesh, joinMeshes, sampleHullMesh } from '../sample-shapes.js';

const heights = (count: number): Float64Array => {
  const random = createRandom(count);
  return Float64Array.from({ length: count }, () => 0.15 * random.next());
};

const scaled = (mesh: TriangleMesh, by: number): TriangleMesh => ({
  ...mesh,
  vertices: mesh.vertices.map((x) => by * x),
});

/** Points on the walls of a room, and some anywhere. */
export function cloud(count: number, size: number): Float64Array {
  const random = createRandom(count);
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const wall = random.integer(4);
    for (let k = 0; k < 3; k++) points[3 * i + k] = wall === k ? -0.5 * size : size * (random.next() - 0.5);
  }
  return points;
}

const bumpy = { type: 'heightfield', rows: 5, columns: 6, heights: heights(30), spacing: [0.1, 0.12] } as const;

/** Open or without a boundary that matters: verdicts are exact but for a few micrometres. */
export const PARTS: Readonly<Record<string, Shape>> = {
  cone: { type: 'cone', radius: 0.1, length: 0.3 },
  ellipsoid: { type: 'ellipsoid', semiAxes: [0.05, 0.1, 0.15] },
  'flat ellipsoid': { type: 'ellipsoid', semiAxes: [0.2, 0.01, 0.1] },
  hull: { type: 'convex', points: Float64Array.of(0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2, 0.15, 0.15, 0.1) },
  'flat hull': { type: 'convex', points: Float64Array.of(0.1, 0, 0, 0.3, 0.1, 0, 0.1, 0.25, 0) },
  segment: { type: 'convex', points: Float64Array.of(0, 0.1, 0, 0.1, 0, 0.3) },
  'few points': { type: 'points', points: Float64Array.of(0, 0, 0, 0.1, 0, 0.1, 0, 0.2, 0), radius: 0.02 },
  'many points': { type: 'points', points: cloud(900, 1.2), radius: 0.005 },
  octree: { type: 'octree', resolution: 0.05, cells: Int32Array.of(0, 0, 0, 1, 1, 0, 0, 1, 2, 2, 2, 2, -3, 1, 0, 1) },
  'open height field': bumpy,
  'surface of a mesh': { type: 'mesh', mesh: scaled(sampleHullMesh(createRandom(4), 60), 0.25), mode: 'surface' },
  compound: {
    type: 'compound',
    children: [
      { shape: { type: 'sphere', radius: 0.05 }, pose: [0.1, 0, 0, 0, 0, 0, 1] },
      { shape: { type: 'cone', radius: 0.06, length: 0.1 }, pose: [0, 0.1, 0, 0, 0.6, 0, 0.8] },
    ],
  },
};

/** Closed: a grid tells what is inside, and takes its boundary cells for it. */
export const SOLIDS: Readonly<Record<string, Shape>> = {
  'height field with a floor': { ...bumpy, floor: -0.1 },
  mesh: { type: 'mesh', mesh: meshHeightField({ ...bumpy, floor: -0.3 }) },
  'two boxes': {
    type: 'mesh',
    mesh: joinMeshes(createBoxMesh([0.2, 0.4, 0.3]), createBoxMesh([0.1, 0.1, 0.5], [0.4, 0, 0])),
  },
};
