/**
 * Pairs of primitives and hulls: signed distance with witness points, and the plain verdict. Peers: MuJoCo's
 * mj_geomDistance (doubles, compiled to WebAssembly) for the distance, where it has the pair; Rapier (Parry, single
 * precision) for the distance of the others and for the verdict; Jolt (single precision) for the verdict; where libfcl is installed, FCL for both, hulls left out.
 * Cones have no peer in MuJoCo.
 *
 * Answers are compared first; `disagree` counts pairs whose signed distances differ by more than 2e-3 (Rapier), 1e-4
 * (MuJoCo) or 1e-6 (FCL); sizes are around 1. Both sides are given the pose of B with each query. Rapier has no verdict of its own for two
 * colliders, so it is asked for a contact within 0. Where the reference pairs lie beside the project, their rows are timed
 * too, 500 of each kind, about a fifth of them touching.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import RAPIER from '@dimforge/rapier3d-compat';
import loadMujoco from '@mujoco/mujoco';
import initJolt from 'jolt-physics/wasm-compat';
import { createRandom, createTransform, multiplyTransform, poseToTransform } from '../../dist/esm/math.js';
import {
  collide,
  collidePairs,
  createCollider,
  createDistanceResult,
  createPairCache,
  createQueryStats,
  distance,
  distancePairs,
} from '../../dist/esm/narrowphase.js';
import { buildFcl, compareWithFcl } from '../fcl.mjs';
import { createPoses, toTransforms } from '../inputs.mjs';
import { compare, compareBatch } from '../measure.mjs';

const poseCount = 500;
const reference = fileURLToPath(new URL('../../../shared/oracles/proximity/', import.meta.url));

/** 64 points on a sphere of radius 0.6, by the golden angle. */
function createHullPoints() {
  const points = new Float64Array(3 * 64);
  for (let i = 0; i < 64; i++) {
    const z = 1 - (2 * i + 1) / 64;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    points.set([0.6 * r * Math.cos(angle), 0.6 * r * Math.sin(angle), 0.6 * z].map(Math.fround), 3 * i);
  }
  return points;
}

const half = (x) => 0.5 * x;
const shapes = {
  sphere: { type: 'sphere', radius: 0.5 },
  box: { type: 'box', size: [1, 0.75, 1.25] },
  capsule: { type: 'capsule', radius: 0.25, length: 1 },
  cylinder: { type: 'cylinder', radius: 0.375, length: 1 },
  cone: { type: 'cone', radius: 0.5, length: 1 },
  ellipsoid: { type: 'ellipsoid', semiAxes: [0.3, 0.5, 0.7] },
  'convex 64': { type: 'convex', points: createHullPoints() },
};

/** Rapier's shape; its round shapes run along y, ours along z: those need a quarter turn about x. */
function toRapier(shape) {
  switch (shape.type) {
    case 'sphere':
      return new RAPIER.Ball(shape.radius);
    case 'box':
      return new RAPIER.Cuboid(...shape.size.map(half));
    case 'capsule':
      return new RAPIER.Capsule(half(shape.length), shape.radius);
    case 'cylinder':
      return new RAPIER.Cylinder(half(shape.length), shape.radius);
    case 'cone':
      return new RAPIER.Cone(half(shape.length), shape.radius);
    case 'convex':
      return new RAPIER.ConvexPolyhedron(Float32Array.from(shape.points), undefined);
    default:
      return null;
  }
}

/** Jolt's shape without rounded edges, its round shapes along y; null for what it lacks. */
function toJolt(jolt, shape) {
  switch (shape.type) {
    case 'sphere':
      return new jolt.SphereShape(shape.radius);
    case 'box':
      return new jolt.BoxShape(new jolt.Vec3(...shape.size.map(half)), 0);
    case 'capsule':
      return new jolt.CapsuleShape(half(shape.length), shape.radius);
    case 'cylinder':
      return new jolt.CylinderShape(half(shape.length), shape.radius, 0);
    case 'convex': {
      const settings = new jolt.ConvexHullShapeSettings();
      for (let i = 0; i < shape.points.length; i += 3)
        settings.mPoints.push_back(new jolt.Vec3(...shape.points.subarray(i, i + 3)));
      settings.mMaxConvexRadius = 0;
      return settings.Create().Get();
    }
    default:
      return null;
  }
}

/** The engine registers its pair functions when an interface is made; one layer will do. */
async function loadJolt() {
  const jolt = await initJolt();
  const settings = new jolt.JoltSettings();
  const filter = new jolt.ObjectLayerPairFilterTable(1);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
  layers.MapObjectToBroadPhaseLayer(0, new jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = filter;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, filter, 1);
  new jolt.JoltInterface(settings);
  return jolt;
}

/** Asks Jolt whether B in a pose touches A; null where it lacks a shape. Its poses are those of the centres of mass. */
function createJolt(jolt, A, B, poses) {
  const [a, b] = [toJolt(jolt, A), toJolt(jolt, B)];
  if (!a || !b) return null;
  const quaternion = (pose, shape) => {
    const { x, y, z, w } = toRapierRotation(pose, turned.has(shape.type));
    const n = Math.hypot(x, y, z, w);
    return [x / n, y / n, z / n, w / n];
  };
  const fixed = new jolt.TransformedShape();
  const centerA = a.GetCenterOfMass();
  fixed.mShape = a;
  fixed.mShapePositionCOM = new jolt.RVec3(centerA.GetX(), centerA.GetY(), centerA.GetZ());
  fixed.mShapeRotation = new jolt.Quat(...quaternion([0, 0, 0, 0, 0, 0, 1], A));
  const center = b.GetCenterOfMass();
  const offset = [center.GetX(), center.GetY(), center.GetZ()];
  const places = poses.map((pose) => {
    const q = quaternion(pose, B);
    const R = poseToTransform(createTransform(), [0, 0, 0, ...q]);
    const at = (k) => pose[k] + R[3 * k] * offset[0] + R[3 * k + 1] * offset[1] + R[3 * k + 2] * offset[2];
    return { position: [at(0), at(1), at(2)], q };
  });
  const [settings, filter] = [new jolt.CollideShapeSettings(), new jolt.ShapeFilter()];
  const [scale, base] = [new jolt.Vec3(1, 1, 1), new jolt.RVec3(0, 0, 0)];
  const collector = new jolt.CollideShapeAnyHitCollisionCollector();
  const [rotation, position] = [new jolt.Quat(0, 0, 0, 1), new jolt.RVec3(0, 0, 0)];
  const toMatrix = jolt.RMat44.prototype.sRotationTranslation;
  return (i) => {
    const place = places[i];
    rotation.Set(...place.q);
    position.Set(...place.position);
    collector.Reset();
    fixed.CollideShape(b, scale, toMatrix(rotation, position), settings, base, collector, filter);
    return collector.HadHit();
  };
}

/** MuJoCo's geom; null for a cone. */
function toGeom(shape, mesh) {
  switch (shape.type) {
    case 'sphere':
      return `type="sphere" size="${shape.radius}"`;
    case 'box':
      return `type="box" size="${shape.size.map(half).join(' ')}"`;
    case 'capsule':
    case 'cylinder':
      return `type="${shape.type}" size="${shape.radius} ${half(shape.length)}"`;
    case 'ellipsoid':
      return `type="ellipsoid" size="${shape.semiAxes.join(' ')}"`;
    case 'convex':
      return `type="mesh" mesh="${mesh}"`;
    default:
      return null;
  }
}

const turned = new Set(['capsule', 'cylinder', 'cone']);

/** The peer's rotation: ours times the quarter turn that takes its y axis to our z axis. */
function toRapierRotation([, , , x, y, z, w], isTurned) {
  if (!isTurned) return { x, y, z, w };
  const s = Math.SQRT1_2;
  return { x: s * (w + x), y: s * (y + z), z: s * (z - y), w: s * (w - x) };
}

function createRapier(A, B, poses) {
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  const a = world.createCollider(new RAPIER.ColliderDesc(toRapier(A)));
  const b = world.createCollider(new RAPIER.ColliderDesc(toRapier(B)));
  a.setRotation(toRapierRotation([0, 0, 0, 0, 0, 0, 1], turned.has(A.type)));
  const positions = poses.map(([x, y, z]) => ({ x, y, z }));
  const rotations = poses.map((pose) => toRapierRotation(pose, turned.has(B.type)));
  // Colliders keep their shape inside Rapier; its shape-to-shape calls would build it anew, hulls included.
  const ask = (i, within) => {
    b.setTranslation(positions[i]);
    b.setRotation(rotations[i]);
    return a.contactCollider(b, within);
  };
  return { ask, free: () => world.free() };
}

/** Both geoms in one model; poses are written where mj_forward would put them. */
function createMujoco(mujoco, A, B, transforms) {
  const text = (points) => Array.from(points).join(' ');
  const assets = [A, B]
    .map((shape, i) => (shape.type === 'convex' ? `<mesh name="hull${i}" vertex="${text(shape.points)}"/>` : ''))
    .join('');
  const body = (shape, i) => `<body><freejoint/><geom ${toGeom(shape, `hull${i}`)}/></body>`;
  const xml = `<mujoco><asset>${assets}</asset><worldbody>${body(A, 0)}${body(B, 1)}</worldbody></mujoco>`;
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  mujoco.mj_forward(model, data);
  const fromTo = new mujoco.DoubleBuffer(6);
  // MuJoCo centres meshes on their inertia: geom_pos and geom_quat take that back.
  const [positions, quaternions] = [Array.from(model.geom_pos), Array.from(model.geom_quat)];
  const local = (i) => {
    const [w, x, y, z] = quaternions.slice(4 * i, 4 * i + 4);
    return poseToTransform(createTransform(), [...positions.slice(3 * i, 3 * i + 3), x, y, z, w]);
  };
  const placed = (X, i) => multiplyTransform(createTransform(), X, local(i));
  const [xpos, xmat] = [data.geom_xpos, data.geom_xmat];
  const put = (i, X) => {
    for (let k = 0; k < 3; k++) xpos[3 * i + k] = X[9 + k];
    for (let k = 0; k < 9; k++) xmat[9 * i + k] = X[k];
  };
  put(0, placed(createTransform(), 0));
  const ready = transforms.map((X) => placed(X, 1));
  const ask = (i) => {
    put(1, ready[i]);
    return mujoco.mj_geomDistance(model, data, 0, 1, 100, fromTo);
  };
  const free = () => {
    fromTo.delete();
    data.delete();
    model.delete();
  };
  return { ask, free };
}

const pairs = [
  ['sphere', 'sphere'],
  ['sphere', 'capsule'],
  ['sphere', 'box'],
  ['sphere', 'cylinder'],
  ['sphere', 'cone'],
  ['capsule', 'capsule'],
  ['capsule', 'box'],
  ['capsule', 'cylinder'],
  ['box', 'box'],
  ['cylinder', 'box'],
  ['cylinder', 'cylinder'],
  ['cone', 'cylinder'],
  ['cone', 'box'],
  ['ellipsoid', 'cylinder'],
  ['convex 64', 'convex 64'],
  ['convex 64', 'box'],
  ['convex 64', 'cylinder'],
];

/** Distance rows of one pair; `answers`: indices with distances to compare with both sides. */
function* compareDistance(mujoco, name, A, B, poses) {
  const [a, b] = [createCollider(A), createCollider(B)];
  const X_WA = createTransform();
  const transforms = toTransforms(poses);
  const result = createDistanceResult();
  const stats = createQueryStats();
  for (const X_WB of transforms) distance(result, a, X_WA, b, X_WB, { stats });
  const hasGeom = toGeom(A, '') !== null && toGeom(B, '') !== null;
  const hasRapier = A.type !== 'ellipsoid' && B.type !== 'ellipsoid';
  const peer = hasGeom ? createMujoco(mujoco, A, B, transforms) : hasRapier ? createRapier(A, B, poses) : null;
  const ask = hasGeom ? peer.ask : (i) => peer.ask(i, 10).distance;
  let disagree = 0;
  for (let i = 0; i < transforms.length; i++) {
    const ours = distance(result, a, X_WA, b, transforms[i]).distance;
    if (!(Math.abs(ours - ask(i)) <= (hasGeom ? 1e-4 : 2e-3))) disagree++;
  }
  // MuJoCo has no depth for capsules deep in boxes, and stops early on curved pairs: such rows count, but not as ours.
  if (disagree > transforms.length / 3) throw new Error(`${name}: ${disagree} of ${transforms.length} poses disagree`);
  yield {
    ...compare({
      suite: 'pairs',
      name: `distance ${name}`,
      inputs: transforms.length,
      ours: (i) => distance(result, a, X_WA, b, transforms[i]),
      peer: ask,
      peerName: hasGeom ? 'mujoco' : 'rapier',
      unit: 'ns',
      rounds: 9,
      blockMs: 25,
    }),
    disagree,
    iterations: stats.iterations / transforms.length,
  };
  peer.free();
}

/** A slow pass of B by A: what a warm start saves, both sides ours. */
function* compareWarm(name, A, B) {
  const [a, b] = [createCollider(A), createCollider(B)];
  const X_WA = createTransform();
  const steps = Array.from({ length: 1000 }, (_, i) => {
    const t = i / 1000;
    return poseToTransform(createTransform(), [3 - 6 * t, 0.9 + 0.3 * t, 0.2, 0.2, t, 0.3 * t, 1]);
  });
  const result = createDistanceResult();
  const options = { cache: createPairCache() };
  yield compare({
    suite: 'pairs',
    name: `warm start ${name}`,
    inputs: steps.length,
    ours: (i) => distance(result, a, X_WA, b, steps[i], options),
    peer: (i) => distance(result, a, X_WA, b, steps[i]),
    peerName: 'cold',
    unit: 'ns',
    rounds: 9,
    blockMs: 25,
  });
}

/** All poses in one call against one call each, both sides ours. */
function* compareCalls(name, A, B, poses) {
  const [a, b] = [createCollider(A), createCollider(B)];
  const X_WA = createTransform();
  const transforms = toTransforms(poses);
  const posesB = new Float64Array(12 * poses.length);
  for (const [i, X] of transforms.entries()) posesB.set(X, 12 * i);
  const result = createDistanceResult();
  const outPoints = new Float64Array(6 * poses.length);
  const outNormals = new Float64Array(3 * poses.length);
  const out = new Float64Array(poses.length);
  const verdicts = new Uint8Array(poses.length);
  const often = (f) => () => {
    for (let k = 0; k < 50; k++) f();
  };
  const row = (query, ours, peer) =>
    compareBatch({
      suite: 'pairs',
      name: `batch ${query} ${name}`,
      inputs: 50 * poses.length,
      ours: often(ours),
      peer: often(peer),
      peerName: 'single calls',
      unit: 'ns',
      rounds: 9,
    });
  yield row(
    'distance',
    () => distancePairs(out, a, X_WA, b, posesB, { outPoints, outNormals }),
    () => {
      for (const X_WB of transforms) distance(result, a, X_WA, b, X_WB);
    },
  );
  yield row(
    'collide',
    () => collidePairs(verdicts, a, X_WA, b, posesB),
    () => {
      for (const X_WB of transforms) collide(a, X_WA, b, X_WB);
    },
  );
}

function* compareVerdict(jolt, name, A, B, poses) {
  const [a, b] = [createCollider(A), createCollider(B)];
  const X_WA = createTransform();
  const transforms = toTransforms(poses);
  const peer = createRapier(A, B, poses);
  yield compare({
    suite: 'pairs',
    name: `collide ${name}`,
    inputs: transforms.length,
    ours: (i) => collide(a, X_WA, b, transforms[i]),
    peer: (i) => peer.ask(i, 0) !== null,
    peerName: 'rapier',
    unit: 'ns',
    rounds: 9,
    blockMs: 25,
  });
  peer.free();
  const askJolt = createJolt(jolt, A, B, poses);
  if (!askJolt) return;
  const disagree = transforms.filter((X, i) => collide(a, X_WA, b, X) !== askJolt(i)).length;
  if (disagree > transforms.length / 50) throw new Error(`${name}: Jolt and we disagree on ${disagree} poses`);
  yield {
    ...compare({
      suite: 'pairs',
      name: `collide ${name}`,
      inputs: transforms.length,
      ours: (i) => collide(a, X_WA, b, transforms[i]),
      peer: askJolt,
      peerName: 'jolt',
      unit: 'ns',
      rounds: 9,
      blockMs: 25,
    }),
    disagree,
  };
}

async function* compareFcl(program, name, A, B, poses) {
  const [a, b] = [createCollider(A), createCollider(B)];
  const X_WA = createTransform();
  const transforms = toTransforms(poses);
  const result = createDistanceResult();
  const against = { program, suite: 'pairs', unit: 'ns', blockMs: 25, A, B, transforms };
  yield await compareWithFcl({
    ...against,
    name: `distance ${name}`,
    query: 'distance',
    tolerance: 1e-6,
    ours: (i) => distance(result, a, X_WA, b, transforms[i]).distance,
  });
  yield await compareWithFcl({
    ...against,
    name: `collide ${name}`,
    query: 'collide',
    tolerance: 0,
    ours: (i) => collide(a, X_WA, b, transforms[i]),
  });
}

/** Reference rows of one kind, each with its own shapes; both sides have them prepared. */
function* compareReference(mujoco, kind) {
  const rows = readFileSync(`${reference}pairs_${kind}.jsonl`, 'utf8').trim().split('\n').slice(0, poseCount);
  const pool = JSON.parse(readFileSync(`${reference}convex_pool.json`, 'utf8')).points;
  const shapeOf = (s) => ('pool' in s ? { type: 'convex', points: Float64Array.from(pool[s.pool]) } : s);
  const cases = rows.map((line) => {
    const row = JSON.parse(line);
    const [A, B] = [shapeOf(row.A), shapeOf(row.B)];
    const [X_WA, X_WB] = toTransforms([row.a, row.b]);
    return { A, B, a: createCollider(A), b: createCollider(B), X_WA, X_WB };
  });
  const hasGeom = toGeom(cases[0].A, '') !== null && toGeom(cases[0].B, '') !== null;
  let askPeer = null;
  if (hasGeom && !kind.startsWith('convex')) {
    // All rows' geoms in one model, fixed to the world: moving bodies would take gigabytes for contacts that nobody asks.
    const geom = (shape) => `<geom ${toGeom(shape, '')}/>`;
    const xml = `<mujoco><worldbody>${cases.map(({ A, B }) => geom(A) + geom(B)).join('')}</worldbody></mujoco>`;
    const model = mujoco.MjModel.from_xml_string(xml);
    const data = new mujoco.MjData(model);
    mujoco.mj_forward(model, data);
    const fromTo = new mujoco.DoubleBuffer(6);
    const [xpos, xmat] = [data.geom_xpos, data.geom_xmat];
    cases.forEach(({ X_WA, X_WB }, i) => {
      [X_WA, X_WB].forEach((X, side) => {
        const g = 2 * i + side;
        for (let k = 0; k < 3; k++) xpos[3 * g + k] = X[9 + k];
        for (let k = 0; k < 9; k++) xmat[9 * g + k] = X[k];
      });
    });
    askPeer = (i) => mujoco.mj_geomDistance(model, data, 2 * i, 2 * i + 1, 100, fromTo);
  }
  const result = createDistanceResult();
  yield compare({
    suite: 'pairs',
    name: `reference ${kind}`,
    inputs: cases.length,
    ours: (i) => distance(result, cases[i].a, cases[i].X_WA, cases[i].b, cases[i].X_WB),
    peer: askPeer,
    peerName: askPeer ? 'mujoco' : null,
    unit: 'ns',
    rounds: 9,
    blockMs: 25,
  });
}

export async function* run() {
  await RAPIER.init();
  const mujoco = await loadMujoco();
  const jolt = await loadJolt();
  const program = buildFcl();
  const random = createRandom(2);
  for (const [nameA, nameB] of pairs) {
    const [A, B] = [shapes[nameA], shapes[nameB]];
    const name = `${nameA} - ${nameB}`;
    const poses = createPoses(random, poseCount, 0.3, 2.2);
    yield* compareDistance(mujoco, name, A, B, poses);
    if (A.type !== 'ellipsoid') yield* compareVerdict(jolt, name, A, B, poses);
    if (A.type === 'capsule' || B.type === 'capsule') yield* compareCalls(name, A, B, poses);
    if (program && A.type !== 'convex') yield* compareFcl(program, name, A, B, poses);
  }
  for (const [nameA, nameB] of [
    ['cylinder', 'box'],
    ['cone', 'cylinder'],
    ['convex 64', 'convex 64'],
  ])
    yield* compareWarm(`${nameA} - ${nameB}`, shapes[nameA], shapes[nameB]);
  if (existsSync(reference))
    for (const kind of [
      'box_box',
      'capsule_capsule',
      'sphere_capsule',
      'cylinder_box',
      'cone_cylinder',
      'convex_convex',
    ])
      yield* compareReference(mujoco, kind);
}
