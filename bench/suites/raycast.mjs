/**
 * Rays against meshes, and closest points of meshes. The peer is three-mesh-bvh with its default tree; ours is the one that
 * BuildOptions names for rays, and the default tree once more for batches and for closest points. Rays are incoherent: origins all round the mesh, targets anywhere in its bounds; a third misses. Batches
 * are timed per query. Every answer is compared before anything is timed. Where Debian's libembree-dev is installed, single rays and
 * batches on meshes of a million triangles are timed beside Embree too, one ray at a time on one thread.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import {
  buildMeshBvh,
  castRayMesh,
  castRays,
  closestPointMesh,
  closestPointsMesh,
  createClosestPoint,
  createClosestPoints,
  createRayHit,
  createRayHits,
} from '../../dist/esm/bvh.js';
import { createRandom } from '../../dist/esm/math.js';
import { createBumpySphere, createKnot } from '../inputs.mjs';
import { compareBatch, compareWithProgram } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const peerName = 'three-mesh-bvh';
const suite = 'raycast';
const rayCount = 20000;
const pointCount = 2000;
const meshes = [
  { name: 'knot 10k', create: () => createKnot(250, 20) },
  { name: 'bumpy sphere 10k', create: () => createBumpySphere(100, 51) },
  { name: 'knot 100k', create: () => createKnot(1000, 50) },
  { name: 'bumpy sphere 100k', create: () => createBumpySphere(320, 157) },
  { name: 'knot 1M', create: () => createKnot(5000, 100) },
  { name: 'bumpy sphere 1M', create: () => createBumpySphere(1000, 501) },
];

function createPeer({ vertices, triangles }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(new BufferAttribute(triangles.slice(), 1));
  return new MeshBVH(geometry);
}

/** Origin and unit direction, 6 numbers per ray. */
function createRays(random, bounds) {
  const rays = new Float64Array(6 * rayCount);
  const radius = 0.75 * Math.hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  for (let i = 0; i < rayCount; i++) {
    const away = [random.normal(), random.normal(), random.normal()];
    const length = Math.hypot(...away);
    const origin = away.map((x, k) => (bounds[k] + bounds[k + 3]) / 2 + (radius * x) / length);
    const direction = origin.map((x, k) => random.uniform(bounds[k], bounds[k + 3]) - x);
    const speed = Math.hypot(...direction);
    rays.set(origin, 6 * i);
    rays.set(
      direction.map((x) => x / speed),
      6 * i + 3,
    );
  }
  return rays;
}

/** Points in and around the bounds, 3 numbers each. */
function createPoints(random, bounds) {
  return Float64Array.from({ length: 3 * pointCount }, (_, i) => {
    const [low, high] = [bounds[i % 3], bounds[(i % 3) + 3]];
    return random.uniform(low - 0.25 * (high - low), high + 0.25 * (high - low));
  });
}

const toVectors = (numbers, stride, offset) =>
  Array.from({ length: numbers.length / stride }, (_, i) => new Vector3().fromArray(numbers, stride * i + offset));
const toArrays = (vectors) => vectors.map((v) => v.toArray());

export async function* run() {
  for (const { name, create } of meshes) {
    const random = createRandom(7);
    const mesh = create();
    const peer = createPeer(mesh);
    const bvh = buildMeshBvh(mesh);
    const rayBvh = buildMeshBvh(mesh, { node: 'aabb', split: 'binned' });
    const rays = createRays(random, bvh.bounds);
    yield* runRays(name, { bvh, rayBvh, peer }, rays);
    if (name.endsWith('1M')) yield* runEmbree(name, mesh, rayBvh, rays);
    yield* runPoints(name, bvh, peer, createPoints(random, bvh.bounds));
    rayBvh.dispose();
    bvh.dispose();
  }
}

function* runRays(name, { bvh, rayBvh, peer }, rays) {
  const origins = toVectors(rays, 6, 0);
  const directions = toVectors(rays, 6, 3);
  const peerRays = origins.map((origin, i) => new Ray(origin, directions[i]));
  const [originArrays, directionArrays] = [toArrays(origins), toArrays(directions)];
  const hits = castRays(createRayHits(rayCount), rayBvh, rays);
  let differing = 0;
  peerRays.forEach((ray, i) => {
    const found = peer.raycastFirst(ray, DoubleSide);
    // The peer's arithmetic is not watertight and its vertices are float32: at silhouettes it may see another surface.
    if ((found?.distance ?? Infinity) !== hits.t[i] && !(Math.abs(found?.distance - hits.t[i]) < 1e-5)) differing++;
  });
  if (differing > rayCount / 1000) throw new Error(`${name}: ${differing} of ${rayCount} rays differ from ${peerName}`);

  const hit = createRayHit();
  const common = { suite, inputs: rayCount, peerName, unit: 'ns' };
  const peerAll = () => {
    for (let i = 0; i < rayCount; i++) peer.raycastFirst(peerRays[i], DoubleSide);
  };
  yield compareBatch({
    ...common,
    name: `first hit ${name}, single`,
    ours: () => {
      for (let i = 0; i < rayCount; i++) castRayMesh(hit, rayBvh, originArrays[i], directionArrays[i]);
    },
    peer: peerAll,
  });
  yield compareBatch({
    ...common,
    name: `first hit ${name}, batch`,
    ours: () => castRays(hits, rayBvh, rays),
    peer: peerAll,
  });
  yield compareBatch({
    ...common,
    name: `first hit ${name}, batch, default tree`,
    ours: () => castRays(hits, bvh, rays),
    peer: peerAll,
  });
}

/** Both sides take all rays in turn; times are per ray. */
async function* runEmbree(name, mesh, bvh, rays) {
  const program = buildNative('rays-embree', [], [], ['-lembree3']);
  if (program === null) return;
  const folder = mkdtempSync(join(tmpdir(), 'clearance-rays-'));
  const file = join(folder, 'rays.bin');
  const { vertices, triangles } = mesh;
  const parts = [
    Int32Array.of(vertices.length / 3, triangles.length / 3, rayCount),
    Float32Array.from(vertices),
    triangles,
    rays,
  ];
  writeFileSync(file, Buffer.concat(parts.map((x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength))));
  const embree = startNative(program, [file]);
  try {
    const hits = castRays(createRayHits(rayCount), bvh, rays);
    const count = hits.t.reduce((sum, t) => sum + (t < Infinity ? 1 : 0), 0);
    const theirs = Number(await embree.ask('hits'));
    if (Math.abs(count - theirs) > rayCount / 1000)
      throw new Error(`${name}: ${count} hits against Embree's ${theirs}`);
    const hit = createRayHit();
    const ends = Array.from({ length: rayCount }, (_, i) => [
      [...rays.subarray(6 * i, 6 * i + 3)],
      [...rays.subarray(6 * i + 3, 6 * i + 6)],
    ]);
    const common = { suite, inputs: 1, unit: 'ns', peerName: 'Embree' };
    const timePeer = async (calls) => Number(await embree.ask(`time ${calls}`));
    const ways = {
      single: () => {
        for (let i = 0; i < rayCount; i++) castRayMesh(hit, bvh, ends[i][0], ends[i][1]);
      },
      batch: () => castRays(hits, bvh, rays),
    };
    for (const [way, ours] of Object.entries(ways)) {
      const row = await compareWithProgram({ ...common, name: `first hit ${name}, ${way}`, ours, timePeer });
      yield { ...row, ours: row.ours / rayCount, peer: row.peer / rayCount, n: rayCount };
    }
  } finally {
    embree.close();
    rmSync(folder, { recursive: true });
  }
}

function* runPoints(name, bvh, peer, points) {
  const vectors = toVectors(points, 3, 0);
  const arrays = toArrays(vectors);
  const found = closestPointsMesh(createClosestPoints(pointCount), bvh, points);
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
  vectors.forEach((vector, i) => {
    const { distance } = peer.closestPointToPoint(vector, target);
    if (!(Math.abs(distance - found.distance[i]) < 1e-5)) {
      throw new Error(`${name}, point ${i}: ${found.distance[i]} against ${distance}`);
    }
  });
  const out = createClosestPoint();
  const common = { suite, inputs: pointCount, peerName, unit: 'ns' };
  const peerAll = () => {
    for (let i = 0; i < pointCount; i++) peer.closestPointToPoint(vectors[i], target);
  };
  yield compareBatch({
    ...common,
    name: `closest point ${name}, single`,
    ours: () => {
      for (let i = 0; i < pointCount; i++) closestPointMesh(out, bvh, arrays[i]);
    },
    peer: peerAll,
  });
  yield compareBatch({
    ...common,
    name: `closest point ${name}, batch`,
    ours: () => closestPointsMesh(found, bvh, points),
    peer: peerAll,
  });
}
