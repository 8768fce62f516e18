/** A world as it is computed: every shape that can touch, and the forces at its contacts as arrows. */

import { createTransform, invertTransform, multiplyTransform, poseToTransform } from 'clearance/math';
import type { Simulation, World } from 'clearance/simulation';
import {
  Box3,
  type BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from 'three';
import { objectGeometry } from '../stage/object-geometry.js';

export interface WorldView {
  readonly root: Group;
  /** What moves, by carrier: what the pointer can take hold of. */
  readonly meshes: readonly Mesh[];
  /** Places of all shapes, and arrows of the last step where `arrows`. Returns how many arrows are drawn. */
  show(simulation: Simulation, arrows: boolean): number;
  /** Places of a recording: seven numbers per name. */
  showPoses(names: readonly string[], poses: Float64Array): void;
  dispose(): void;
}

const STILL = 0xa8b0b8;
const COLOURS = [0x4c8bd6, 0xe0a13b, 0x5aa87a, 0xb56bb0, 0xd0704f, 0x5fa8b8];
const FORCE = 0xc0281a;
const UP = new Vector3(0, 1, 0);
const PLANE_SIZE = 40;
const MOST_ARROWS = 4000;
/** Length of the largest arrow, as part of the size of what moves. */
const LONGEST = 0.2;

export function createWorldView(simulation: Simulation): WorldView {
  const { world, places } = simulation;
  const root = new Group();
  const made: BufferGeometry[] = [];
  const all = world.geometries.map(({ carrier, collider }) => {
    const { kind } = world.carriers[carrier];
    const { shape } = collider;
    const geometry =
      shape.type === 'halfspace' ? createPlane(shape.normal, shape.offset) : objectGeometry(shape as never);
    made.push(geometry);
    const color = kind === 0 ? STILL : COLOURS[carrier % COLOURS.length];
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ color, roughness: 0.7 }));
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = kind !== 0;
    mesh.receiveShadow = true;
    mesh.userData.carrier = carrier;
    root.add(mesh);
    return mesh;
  });
  const moving = all.filter((mesh) => world.carriers[mesh.userData.carrier as number].kind !== 0);
  const shafts = createArrows(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0));
  const heads = createArrows(new ConeGeometry(1, 1, 10).translate(0, 0.5, 0));
  root.add(shafts, heads);
  const X = new Float64Array(12);
  const place = (mesh: Mesh, placement: ArrayLike<number>): void => {
    toMatrix(mesh.matrix, placement);
    mesh.matrixWorldNeedsUpdate = true;
  };
  let size = 1;
  let largest = 0;

  return {
    root,
    meshes: moving,
    show(now, arrows) {
      for (const [g, mesh] of all.entries()) place(mesh, places.placements.subarray(12 * g, 12 * g + 12));
      if (largest === 0) size = measureSize(moving);
      const count = arrows ? drawForces(now) : 0;
      shafts.count = count;
      heads.count = count;
      return count;
    },
    showPoses(names, poses) {
      const byName = new Map(names.map((name, i) => [name, 7 * i]));
      for (const [g, mesh] of all.entries()) {
        const { carrier, placement } = world.geometries[g];
        const at = byName.get(world.carriers[carrier].name);
        if (at === undefined) continue;
        place(mesh, multiplyTransform(X, toCarrier(world, carrier, poses.subarray(at, at + 7)), placement));
      }
      shafts.count = 0;
      heads.count = 0;
    },
    dispose() {
      for (const mesh of all) (mesh.material as MeshStandardMaterial).dispose();
      for (const geometry of [...made, shafts.geometry, heads.geometry]) geometry.dispose();
    },
  };

  /** On the second of both, from the point on; the scale keeps to the largest force seen. */
  function drawForces({ contacts }: Simulation): number {
    const { impulses, points } = contacts;
    const force = new Vector3();
    let most = 0;
    for (let c = 0; c < contacts.count; c++) most = Math.max(most, force.fromArray(impulses, 3 * c).length());
    largest = Math.max(0.98 * largest, most);
    let count = 0;
    for (let c = 0; c < contacts.count && count < MOST_ARROWS; c++) {
      force.fromArray(impulses, 3 * c);
      const length = (LONGEST * size * force.length()) / largest;
      if (!(length > 0.01 * size)) continue;
      const turn = new Quaternion().setFromUnitVectors(UP, force.normalize());
      const at = new Vector3().fromArray(points, 3 * c);
      const wide = 0.004 * size;
      const head = Math.min(0.4 * length, 0.03 * size);
      shafts.setMatrixAt(count, new Matrix4().compose(at, turn, new Vector3(wide, length - head, wide)));
      at.addScaledVector(force, length - head);
      heads.setMatrixAt(count, new Matrix4().compose(at, turn, new Vector3(2.4 * wide, head, 2.4 * wide)));
      count++;
    }
    shafts.instanceMatrix.needsUpdate = true;
    heads.instanceMatrix.needsUpdate = true;
    return count;
  }
}

function createArrows(geometry: BufferGeometry): InstancedMesh {
  const mesh = new InstancedMesh(geometry, new MeshLambertMaterial({ color: FORCE, depthTest: false }), MOST_ARROWS);
  mesh.count = 0;
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  return mesh;
}

/** A square of a half-space's boundary, where the world's origin is nearest. */
function createPlane(normal: ArrayLike<number>, offset: number): BufferGeometry {
  const n = new Vector3().fromArray(Array.from(normal)).normalize();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), n);
  return new PlaneGeometry(PLANE_SIZE, PLANE_SIZE)
    .applyQuaternion(turn)
    .translate(...n.multiplyScalar(offset).toArray());
}

function measureSize(meshes: readonly Mesh[]): number {
  const box = new Box3();
  for (const mesh of meshes) {
    mesh.updateMatrixWorld(true);
    mesh.geometry.computeBoundingBox();
    box.union(mesh.geometry.boundingBox!.clone().applyMatrix4(mesh.matrix));
  }
  return box.isEmpty() ? 1 : Math.max(...box.getSize(new Vector3()).toArray());
}

const placed = createTransform();
const inverse = createTransform();

/** What a geometry's placement is relative to, from the pose of its carrier's own frame. */
function toCarrier(world: World, carrier: number, pose: Float64Array): Float64Array {
  return multiplyTransform(
    placed,
    poseToTransform(placed, pose as never),
    invertTransform(inverse, world.carriers[carrier].frame),
  );
}

function toMatrix(out: Matrix4, X: ArrayLike<number>): void {
  out.set(X[0], X[1], X[2], X[9], X[3], X[4], X[5], X[10], X[6], X[7], X[8], X[11], 0, 0, 0, 1);
}
