/**
 * Pairs of primitives and hulls: signed distance with witness points, and the plain verdict. The peer is Rapier
 * (Parry, compiled to WebAssembly, single precision). Answers are compared first; the row's `disagree` counts pairs whose
 * signed distances differ by more than 2e-3 (sizes are around 1), which is why a deeper look at either is worth it. Both
 * sides are given the pose of B with each query; Rapier has no verdict of its own for two colliders, so it is asked for a
 * contact within 0.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { createRandom, createTransform } from '../../dist/esm/math.js';
import { collide, createCollider, createDistanceResult, distance } from '../../dist/esm/narrowphase.js';
import { createPoses, toTransforms } from '../inputs.mjs';
import { compare } from '../measure.mjs';

const peerName = 'rapier';
const poseCount = 500;

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

/** Our round shapes run along z, Rapier's along y: `turned` says that the peer needs a quarter turn about x. */
function createShapes() {
  const points = createHullPoints();
  return {
    sphere: { shape: { type: 'sphere', radius: 0.5 }, peer: new RAPIER.Ball(0.5), turned: false },
    box: { shape: { type: 'box', size: [1, 0.75, 1.25] }, peer: new RAPIER.Cuboid(0.5, 0.375, 0.625), turned: false },
    capsule: { shape: { type: 'capsule', radius: 0.25, length: 1 }, peer: new RAPIER.Capsule(0.5, 0.25), turned: true },
    cylinder: {
      shape: { type: 'cylinder', radius: 0.375, length: 1 },
      peer: new RAPIER.Cylinder(0.5, 0.375),
      turned: true,
    },
    cone: { shape: { type: 'cone', radius: 0.5, length: 1 }, peer: new RAPIER.Cone(0.5, 0.5), turned: true },
    'convex 64': {
      shape: { type: 'convex', points },
      peer: new RAPIER.ConvexPolyhedron(Float32Array.from(points), undefined),
      turned: false,
    },
  };
}

const pairs = [
  ['sphere', 'capsule'],
  ['capsule', 'capsule'],
  ['box', 'box'],
  ['cylinder', 'box'],
  ['cone', 'cylinder'],
  ['convex 64', 'convex 64'],
];

/** The peer's rotation: ours times the quarter turn that takes its y axis to our z axis. */
function toPeerRotation([, , , x, y, z, w], turned) {
  if (!turned) return { x, y, z, w };
  const s = Math.SQRT1_2;
  return { x: s * (w + x), y: s * (y + z), z: s * (z - y), w: s * (w - x) };
}

export async function* run() {
  await RAPIER.init();
  const shapes = createShapes();
  const random = createRandom(2);
  const X_WA = createTransform();
  for (const [nameA, nameB] of pairs) {
    const [a, b] = [shapes[nameA], shapes[nameB]];
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
    const peerA = world.createCollider(new RAPIER.ColliderDesc(a.peer));
    const peerB = world.createCollider(new RAPIER.ColliderDesc(b.peer));
    const [colliderA, colliderB] = [createCollider(a.shape), createCollider(b.shape)];
    const poses = createPoses(random, poseCount, 0.3, 2.2);
    const transforms = toTransforms(poses);
    const rotationA = toPeerRotation([0, 0, 0, 0, 0, 0, 1], a.turned);
    const positions = poses.map(([x, y, z]) => ({ x, y, z }));
    const rotations = poses.map((pose) => toPeerRotation(pose, b.turned));
    const result = createDistanceResult();
    peerA.setRotation(rotationA);
    // Colliders keep their shape inside Rapier; its shape-to-shape calls would build it anew, hulls included.
    const placePeer = (i) => {
      peerB.setTranslation(positions[i]);
      peerB.setRotation(rotations[i]);
    };
    const askPeer = (i) => {
      placePeer(i);
      return peerA.contactCollider(peerB, 10);
    };

    let disagree = 0;
    transforms.forEach((X_WB, i) => {
      const ours = distance(result, colliderA, X_WA, colliderB, X_WB).distance;
      if (Math.abs(ours - askPeer(i).distance) > 2e-3) disagree++;
    });
    if (disagree > poseCount / 10) throw new Error(`${nameA} - ${nameB}: ${disagree} of ${poseCount} poses disagree`);

    yield {
      ...compare({
        suite: 'pairs',
        name: `distance ${nameA} - ${nameB}`,
        inputs: poseCount,
        ours: (i) => distance(result, colliderA, X_WA, colliderB, transforms[i]),
        peer: askPeer,
        peerName,
        unit: 'ns',
      }),
      disagree,
    };
    yield compare({
      suite: 'pairs',
      name: `collide ${nameA} - ${nameB}`,
      inputs: poseCount,
      ours: (i) => collide(colliderA, X_WA, colliderB, transforms[i]),
      peer: (i) => {
        placePeer(i);
        return peerA.contactCollider(peerB, 0) !== null;
      },
      peerName,
      unit: 'ns',
    });
    world.free();
  }
}
