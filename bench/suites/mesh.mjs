/**
 * Mesh against mesh: does it touch, how far apart. The peers are three-mesh-bvh with trees on both sides and, where libfcl is
 * installed, FCL (OBBRSS). All see the same triangles in the same poses, and every answer is compared before anything is timed.
 */
import { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import {
  buildMeshBvh,
  collideMeshMesh,
  createMeshDistance,
  distanceMeshMesh,
  distanceMeshPoses,
  toleranceMeshMesh,
} from '../../dist/esm/bvh.js';
import { createRandom } from '../../dist/esm/math.js';
import { buildFcl, compareWithFcl } from '../fcl.mjs';
import {
  createBumpySphere,
  createDrilledPlate,
  createKnot,
  createPoses,
  createShells,
  toTransforms,
} from '../inputs.mjs';
import { compare } from '../measure.mjs';

const peerName = 'three-mesh-bvh';
const poseCount = 24;

function createGeometry({ vertices, triangles }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(new BufferAttribute(triangles.slice(), 1));
  geometry.boundsTree = new MeshBVH(geometry);
  return geometry;
}

function toMatrix(pose) {
  const [x, y, z, qx, qy, qz, qw] = pose;
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw).normalize(), new Vector3(1, 1, 1));
}

const pairs = [
  { name: 'knot / bumpy sphere, 2k + 2k', a: () => createKnot(100, 10), b: () => createBumpySphere(40, 26), far: 3 },
  { name: 'knot / bumpy sphere, 20k + 20k', a: () => createKnot(400, 25), b: () => createBumpySphere(125, 81), far: 3 },
  {
    name: 'knot / bumpy sphere, 200k + 200k',
    a: () => createKnot(1000, 100),
    b: () => createBumpySphere(500, 201),
    far: 3,
  },
  {
    name: 'plate of slivers / many shells, 49k + 13k',
    a: () => createDrilledPlate({ columns: 16, rows: 12, segments: 48, ribs: 42, ribSegments: 64 }),
    b: () => createShells(createRandom(7), { shells: 82, segments: 32 }),
    far: 9,
  },
];

export async function* run() {
  const random = createRandom(1);
  const program = buildFcl();
  for (const { name, a, b, far } of pairs) {
    const [meshA, meshB] = [a(), b()];
    const [geometryA, geometryB] = [createGeometry(meshA), createGeometry(meshB)];
    const [bvhA, bvhB] = [buildMeshBvh(meshA), buildMeshBvh(meshB)];
    // Half of the boolean queries touch; distances are asked of poses that do not.
    const poses = createPoses(random, 6 * poseCount, 0.8, far);
    const matrices = poses.map(toMatrix);
    const touches = matrices.map((matrix) => geometryA.boundsTree.intersectsGeometry(geometryB, matrix));
    const transforms = toTransforms(poses);
    transforms.forEach((X_AB, i) => {
      const { collides } = collideMeshMesh(bvhA, bvhB, X_AB);
      if (collides !== touches[i]) throw new Error(`${name}, pose ${i}: we say ${collides}, ${peerName} ${touches[i]}`);
    });
    const touching = transforms.map((_, i) => i).filter((i) => touches[i]);
    const apart = transforms.map((_, i) => i).filter((i) => !touches[i]);
    const mixed = [...touching.slice(0, poseCount / 2), ...apart.slice(0, poseCount / 2)];
    const separated = apart.slice(0, poseCount);

    const result = createMeshDistance();
    const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
    for (const i of separated) {
      const ours = distanceMeshMesh(result, bvhA, bvhB, transforms[i]).distance;
      const peer = geometryA.boundsTree.closestPointToGeometry(geometryB, matrices[i], target, {}).distance;
      if (Math.abs(ours - peer) > 1e-5 * far) throw new Error(`${name}, pose ${i}: ${ours} against ${peer}`);
    }

    yield compare({
      suite: 'mesh',
      name: `collide ${name}`,
      inputs: mixed.length,
      ours: (i) => collideMeshMesh(bvhA, bvhB, transforms[mixed[i]]),
      peer: (i) => geometryA.boundsTree.intersectsGeometry(geometryB, matrices[mixed[i]]),
      peerName,
      unit: 'us',
    });
    yield compare({
      suite: 'mesh',
      name: `distance ${name}`,
      inputs: separated.length,
      ours: (i) => distanceMeshMesh(result, bvhA, bvhB, transforms[separated[i]]),
      peer: (i) => geometryA.boundsTree.closestPointToGeometry(geometryB, matrices[separated[i]], target, {}),
      peerName,
      unit: 'us',
    });
    if (program) {
      const against = {
        program,
        suite: 'mesh',
        unit: 'us',
        A: { type: 'mesh', ...meshA },
        B: { type: 'mesh', ...meshB },
      };
      const pick = (indices) => indices.map((i) => transforms[i]);
      yield await compareWithFcl({
        ...against,
        name: `collide ${name}`,
        transforms: pick(mixed),
        query: 'collide',
        tolerance: 0,
        ours: (i) => collideMeshMesh(bvhA, bvhB, transforms[mixed[i]]).collides,
      });
      yield await compareWithFcl({
        ...against,
        name: `distance ${name}`,
        transforms: pick(separated),
        query: 'distance',
        tolerance: 1e-9,
        ours: (i) => distanceMeshMesh(result, bvhA, bvhB, transforms[separated[i]]).distance,
      });
    }
    // No peer asks these: a tolerance, a warm start with the last pair of triangles, many poses in one call.
    yield compare({
      suite: 'mesh',
      name: `tolerance ${name}`,
      inputs: separated.length,
      ours: (i) => toleranceMeshMesh(bvhA, bvhB, transforms[separated[i]], 0.05),
      unit: 'us',
    });
    yield compare({
      suite: 'mesh',
      name: `distance, 8 steps of a path ${name}`,
      inputs: separated.length,
      ours: (i) => {
        const X_AB = transforms[separated[i]].slice();
        for (let k = 0; k < 8; k++) {
          X_AB[9] += 1e-3;
          distanceMeshMesh(result, bvhA, bvhB, X_AB, k === 0 ? {} : { hint: result });
        }
      },
      unit: 'us',
    });
    const flat = Float64Array.from(separated.flatMap((i) => Array.from(transforms[i])));
    const distances = new Float64Array(separated.length);
    yield compare({
      suite: 'mesh',
      name: `distance, ${separated.length} poses a call ${name}`,
      inputs: 1,
      ours: () => distanceMeshPoses(distances, bvhA, bvhB, flat),
      unit: 'us',
    });
    bvhA.dispose();
    bvhB.dispose();
  }
}
