/**
 * Random queries of meshes against convex shapes, each checked against itself and, in one scene of ten, against all triangles by the
 * query of two convex shapes, which knows no tree. Meshes of 1 to 500 triangles: waves, knots, slivers, shells, hulls, cubes, needles and
 * triangles without area, solid and surfaces, by all four kinds of nodes. Sizes, ratios and poses as in pair-fuzz.ts; depths are left out.
 */
import { createBumpySphere, createDrilledPlate, createKnot, createShells } from '../../bench/meshes.mjs';
import { buildMeshBvh, type MeshBvh, type NodeKind } from '../../src/bvh/mesh-bvh.js';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import type { ShapeType } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { multiplyTransform, poseToTransform, relativeTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createPairCache } from '../../src/narrowphase/pair-cache.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { createBoxMesh, sampleHullMesh, sampleShape, scaleShape } from '../sample-shapes.js';
import { nearestByAllTriangles } from '../support/nearest-triangle.js';
import {
  APART,
  checkResult,
  createReport,
  describeCase,
  type FuzzReport,
  place,
  samplePlacement,
  sampleRotation,
  sampleThin,
  TILTED,
} from './pair-fuzz.js';

const kinds: readonly ShapeType[] = ['box', 'capsule', 'sphere', 'cylinder', 'cone', 'ellipsoid', 'convex', 'box'];
const nodes: readonly NodeKind[] = ['obb', 'aabb', 'obb', 'obb-rss', 'rss'];
const MESHES = 6;
const SHAPES = 16;
const PER_POOL = 600;
const ALL_TRIANGLES = 10;
const plain = createDistanceResult();
const other = createDistanceResult();
const X_AB = new Float64Array(12);
const noDepth = { depth: false };
/** What the last query of the same mesh found, wherever that was. */
const warm = { depth: false, cache: createPairCache() };

function sampleMesh(random: Random): TriangleMesh {
  switch (random.integer(8)) {
    case 0:
      return createBumpySphere(6 + random.integer(12), 4 + random.integer(8));
    case 1:
      return createKnot(12 + random.integer(20), 3 + random.integer(4));
    case 2:
      return createDrilledPlate({ columns: 1, rows: 1, segments: 6 + random.integer(8), ribs: 1, ribSegments: 8 });
    case 3:
      return createShells(random, { shells: 1 + random.integer(5), segments: 6 });
    case 4:
      return sampleHullMesh(random, 6 + random.integer(60));
    case 5:
      return createBoxMesh([random.uniform(0.1, 2), 1, random.uniform(0.1, 2)]);
    default: {
      const count = 1 + random.integer(60);
      const vertices = Float64Array.from({ length: 9 * count }, () => random.uniform(-1, 1));
      for (let t = 0; t < count; t++)
        for (let k = 9 * t; k < 9 * t + 3; k++) {
          if (t % 3 === 1) vertices[k + 6] = vertices[k] + 10 ** random.uniform(-12, -1) * random.normal();
          if (t % 6 === 2) vertices[k + 6] = vertices[k];
          if (t % 6 === 5) vertices[k + 6] = vertices[k] + 0.25 * (vertices[k + 3] - vertices[k]);
        }
      return { vertices, triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
    }
  }
}

function createMesh(random: Random, scale: number): { collider: Collider; bvh: MeshBvh } {
  const sample = sampleMesh(random);
  const mesh = { vertices: sample.vertices.map((x) => x * scale), triangles: sample.triangles };
  const bvh = buildMeshBvh(mesh, { node: nodes[random.integer(nodes.length)] });
  const isSolid = random.integer(2) === 0 && reportMesh(mesh).watertight;
  return { collider: new Collider({ type: 'mesh', mesh, mode: isSolid ? 'solid' : 'surface' }, { bvh }), bvh };
}

/** Asks all queries about one pair; adds what is wrong to the report. */
function checkMeshPair(
  report: FuzzReport,
  random: Random,
  pair: readonly [Collider, Transform, Collider, Transform],
  isTilted: boolean,
): void {
  const [a, X_WA, b, X_WB] = pair;
  const fault = (what: string): void => {
    report.faultCount++;
    if (report.faults.length < 20) report.faults.push(`${what}: ${describeCase(a, X_WA, b, X_WB)}`);
  };
  const size = a.boundingRadius + b.boundingRadius;
  const shift = poseToTransform(new Float64Array(12), [
    ...[0, 1, 2].map(() => random.normal() * size),
    ...sampleRotation(random, false),
  ]);
  const Y_WA = multiplyTransform(new Float64Array(12), shift, X_WA);
  const Y_WB = multiplyTransform(new Float64Array(12), shift, X_WB);
  let coordinates = 0;
  for (let k = 9; k < 12; k++)
    coordinates = Math.max(coordinates, Math.abs(X_WA[k]), Math.abs(X_WB[k]), Math.abs(Y_WA[k]), Math.abs(Y_WB[k]));
  const scale = a.extent + b.extent + coordinates;
  const apart = isTilted ? TILTED : APART;
  try {
    distance(plain, a, X_WA, b, X_WB, noDepth);
    const wrong = checkResult(plain, scale, true);
    if (wrong) fault(wrong);
    if (plain.status === 'iteration-limit') report.limits++;
    const d = plain.collides ? Math.min(0, plain.distance) : plain.distance;
    const touching = 1e-10 * (2 * Math.max(a.extent, b.extent) + coordinates);
    const compare = (name: string): void => {
      const bad = checkResult(other, scale, true);
      if (bad) fault(`${name}: ${bad}`);
      if (plain.collides !== other.collides) {
        // The tolerance grows with the coordinates.
        if (Math.max(plain.distance, other.distance) > 2 * touching + apart * scale) fault(`${name}: verdict`);
        return;
      }
      if (plain.collides || plain.status !== 'ok' || other.status !== 'ok') return;
      const off = Math.abs(other.distance - d) / scale;
      report.worstApart = Math.max(report.worstApart, isTilted ? 0 : off);
      report.worstTilted = Math.max(report.worstTilted, isTilted ? off : 0);
      if (!(off <= apart)) fault(`${name}: ${other.distance} instead of ${d}`);
    };
    distance(other, b, X_WB, a, X_WA, noDepth);
    compare('exchanged');
    distance(other, a, Y_WA, b, Y_WB, noDepth);
    compare('moved');
    distance(other, a, X_WA, b, X_WB, warm);
    compare('warm');
    if (Math.abs(d) > 2 * touching + apart * scale || plain.collides) {
      if (collide(a, X_WA, b, X_WB) !== plain.collides && Math.abs(d - touching) > 1e-12 * scale)
        fault('collide and distance disagree');
      if (collide(b, X_WB, a, X_WA) !== plain.collides && Math.abs(d - touching) > 1e-12 * scale)
        fault('collide, exchanged, and distance disagree');
    }
    if (!plain.collides && d > 4 * touching) {
      if (!isWithin(a, X_WA, b, X_WB, 1.0000001 * d)) fault('not within the distance and a little');
      if (plain.status === 'ok' && isWithin(a, X_WA, b, X_WB, 0.5 * d)) fault('within half the distance');
      const bound = random.uniform(0.2, 1.8) * d;
      distance(other, a, X_WA, b, X_WB, { upperBound: bound, depth: false });
      if (plain.status === 'ok' && other.status === 'ok') {
        if (!(Math.abs(other.distance - d) <= 1e-13 * scale))
          fault(`by an upper bound: ${other.distance} instead of ${d}`);
      } else if (other.status !== 'iteration-limit' && !(other.distance >= bound * (1 - 1e-12)))
        fault(`beyond ${bound}: ${other.distance}`);
      if (other.distance > d * (1 + 1e-12) + 1e-13 * scale) fault(`a bound of ${other.distance} above ${d}`);
      report.queries += 3;
    }
    report.queries += 6;
    if (random.integer(ALL_TRIANGLES) > 0) return;
    const [shape, X_WS, mesh, X_WM] = b.bvh ? pair : ([b, X_WB, a, X_WA] as const);
    const expected = nearestByAllTriangles(shape, mesh, relativeTransform(X_AB, X_WS, X_WM));
    if (expected.isLimited) return;
    const least = expected.distances.reduce((x, y) => Math.min(x, y), Infinity);
    if (plain.collides) {
      if (!mesh.isSolid && least > 2 * touching + 1e-13 * scale) fault(`all triangles: ${least} away`);
    } else if (!(Math.abs(least - plain.distance) <= 1e-12 * least + 1e-14 * scale))
      fault(`all triangles: ${least} instead of ${plain.distance}`);
    report.queries += expected.distances.length > 0 ? 1 : 0;
  } catch (error) {
    fault(`threw ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs until `queries` have been asked. */
export function fuzzMeshes(seed: number, queries: number): FuzzReport {
  const random = createRandom(seed);
  const report = createReport();
  while (report.queries < queries) {
    const scale = 10 ** random.uniform(-6, 6);
    const ratio = (): number => (random.integer(2) === 0 ? 1 : 10 ** random.uniform(-3, 3));
    const meshes = Array.from({ length: MESHES }, () => createMesh(random, scale * ratio()));
    const shapes = Array.from({ length: SHAPES }, (_, i) => {
      const type = kinds[i % kinds.length];
      const shape = random.integer(2) === 0 ? sampleThin(random, type) : sampleShape(random, type);
      return createCollider(scaleShape(shape, scale * ratio()));
    });
    for (let i = 0; i < PER_POOL && report.queries < queries; i++) {
      const mesh = meshes[random.integer(MESHES)].collider;
      const shape = shapes[random.integer(SHAPES)];
      const [a, b] = random.integer(2) === 0 ? [mesh, shape] : [shape, mesh];
      const size = a.boundingRadius + b.boundingRadius;
      const X_WA = samplePlacement(random, size, false);
      const { X_WB, isTilted } = place(random, X_WA, a, b, false);
      if (random.integer(3) === 0) {
        distance(plain, a, X_WA, b, X_WB, noDepth);
        report.queries++;
        const gap = (random.integer(2) === 0 ? 1 : -1) * size * 10 ** random.uniform(-14, 0);
        if (plain.status === 'ok') for (let k = 0; k < 3; k++) X_WB[9 + k] += (gap - plain.distance) * plain.normal[k];
      }
      checkMeshPair(report, random, [a, X_WA, b, X_WB], isTilted);
    }
    for (const { collider, bvh } of meshes) {
      collider.dispose();
      bvh.dispose();
    }
    for (const collider of shapes) collider.dispose();
  }
  return report;
}
