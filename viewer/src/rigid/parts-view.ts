/** Parts as they stand, the chosen one in blue, red where it touches; what is drawn of a search and of a way. */
import { interpolatePose } from 'clearance/rigid';
import { toBufferGeometry } from 'clearance/three';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { PartData, TightPlace, WayAnswer } from './messages.js';

export interface PartsView {
  readonly root: Group;
  readonly meshes: readonly Mesh[];
  place(part: number, pose: ArrayLike<number>): void;
  /** The chosen part; -1: none, and nothing is seen through. */
  choose(part: number, seeThrough: number): void;
  setTouching(touches: boolean): void;
  setVisible(part: number, visible: boolean): void;
  addEdges(edges: Float32Array, sides: Uint8Array): void;
  clearSearch(): void;
  readonly edgeCount: number;
  /** The way of the balls' centre, the balls, the tightest place; null takes all away. */
  showWay(way: WayAnswer | null): void;
  /** Those that are drawn, and the one that is strongest: the nearest in time. */
  setBalls(visible: boolean, motion: number, t: number): void;
  readonly ballCount: number;
  setTight(visible: boolean): void;
  dispose(): void;
}

const PALETTE = [0x8d9aa8, 0xc2a878, 0x86a68c, 0xa58fae, 0xb58c82, 0x7fa3a5, 0xa9a37c, 0x97a0c0];
const CHOSEN = new Color(0x1463c8);
const CONTACT = new Color(0xd32f1e);
const SIDES = [new Color(0x1463c8), new Color(0x1d7a4c)];
const TIGHT = 0xb56a00;
const MOST_EDGES = 200_000;
const MOST_BALLS = 4000;

export function createPartsView(parts: readonly PartData[]): PartsView {
  const root = new Group();
  const materials = parts.map(
    (_, i) => new MeshStandardMaterial({ color: PALETTE[i % PALETTE.length], roughness: 0.75, side: DoubleSide }),
  );
  const meshes = parts.map(({ name, vertices, triangles, pose }, i) => {
    const mesh = new Mesh(toBufferGeometry({ vertices, triangles }), materials[i]);
    mesh.name = name;
    mesh.castShadow = mesh.receiveShadow = true;
    root.add(mesh);
    placeAt(mesh, pose);
    return mesh;
  });
  let chosen = -1;

  const overlay = { depthTest: false, transparent: true };
  const trees = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55, depthWrite: false }),
  );
  let edgeCount = 0;
  let capacity = 0;
  const wayLine = new Line(new BufferGeometry(), new LineBasicMaterial({ ...overlay, color: TIGHT }));
  wayLine.renderOrder = 8;
  let balls: InstancedMesh | null = null;
  let given: WayAnswer | null = null;
  const strong = new Mesh(
    new SphereGeometry(1, 32, 20),
    new MeshBasicMaterial({ color: 0x1d7a4c, transparent: true, opacity: 0.22, depthWrite: false }),
  );
  const tight = new Group();
  const triangles = [0, 1].map((side) => {
    const mesh = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ ...overlay, color: side === 0 ? TIGHT : 0xd32f1e, opacity: 0.75, side: DoubleSide }),
    );
    mesh.renderOrder = 7;
    return mesh;
  });
  tight.add(...triangles);
  for (const object of [trees, wayLine, strong]) {
    object.visible = false;
    object.frustumCulled = false;
    object.userData.unbounded = true;
  }
  for (const mesh of triangles) mesh.userData.unbounded = true;
  tight.visible = false;
  root.add(trees, wayLine, strong, tight);

  const view: PartsView = {
    root,
    meshes,
    place: (part, pose) => placeAt(meshes[part], pose),
    choose(part, seeThrough) {
      chosen = part;
      materials.forEach((material, i) => {
        material.color.set(PALETTE[i % PALETTE.length]);
        const opacity = part >= 0 && i !== part ? 1 - seeThrough : 1;
        material.opacity = opacity;
        material.transparent = opacity < 1;
        material.depthWrite = opacity === 1;
        material.needsUpdate = true;
        // What is seen through casts no shadow on what is within it.
        meshes[i].castShadow = opacity === 1;
      });
      if (part >= 0) materials[part].color.copy(CHOSEN);
    },
    setTouching(touches) {
      if (chosen >= 0) materials[chosen].color.copy(touches ? CONTACT : CHOSEN);
    },
    setVisible(part, visible) {
      meshes[part].visible = visible;
    },
    get edgeCount() {
      return edgeCount;
    },
    addEdges(edges, sides) {
      const count = Math.min(sides.length, MOST_EDGES - edgeCount);
      if (edgeCount + count > capacity) {
        capacity = Math.min(MOST_EDGES, Math.max(1024, 2 * (edgeCount + count)));
        const grown = new BufferGeometry();
        for (const name of ['position', 'color']) {
          const array = new Float32Array(6 * capacity);
          const before = trees.geometry.getAttribute(name);
          if (before) array.set(before.array.subarray(0, 6 * edgeCount));
          grown.setAttribute(name, new BufferAttribute(array, 3));
        }
        trees.geometry.dispose();
        trees.geometry = grown;
      }
      if (capacity === 0) return;
      const position = trees.geometry.getAttribute('position') as BufferAttribute;
      const color = trees.geometry.getAttribute('color') as BufferAttribute;
      for (let i = 0; i < count; i++) {
        position.array.set(edges.subarray(6 * i, 6 * i + 6), 6 * (edgeCount + i));
        const { r, g, b } = SIDES[sides[i]];
        color.array.set([r, g, b, r, g, b], 6 * (edgeCount + i));
      }
      edgeCount += count;
      trees.geometry.setDrawRange(0, 2 * edgeCount);
      position.needsUpdate = color.needsUpdate = true;
      trees.visible = edgeCount > 0;
    },
    clearSearch() {
      edgeCount = 0;
      trees.visible = false;
    },
    showWay(way) {
      given = way;
      if (balls) {
        root.remove(balls);
        balls.dispose();
        balls = null;
      }
      wayLine.visible = strong.visible = tight.visible = false;
      trees.visible = way === null && edgeCount > 0;
      if (!way || way.path.length < 2) return;
      const points: number[] = [];
      for (let i = 0; i + 1 < way.path.length; i++)
        for (let k = i === 0 ? 0 : 1; k <= 16; k++) points.push(...centerAt(way, i, k / 16).toArray());
      setPoints(wayLine.geometry, points);
      wayLine.visible = true;
      const count = Math.min(MOST_BALLS, way.balls.length / 3);
      balls = new InstancedMesh(
        new SphereGeometry(1, 20, 12),
        new MeshBasicMaterial({ color: 0x1d7a4c, transparent: true, opacity: 0.06, depthWrite: false }),
        Math.max(1, count),
      );
      balls.count = count;
      balls.frustumCulled = false;
      balls.userData.unbounded = true;
      balls.visible = false;
      const matrix = new Matrix4();
      for (let i = 0; i < count; i++) {
        const [motion, t, d] = way.balls.subarray(3 * i, 3 * i + 3);
        matrix.makeScale(d, d, d).setPosition(centerAt(way, motion, t));
        balls.setMatrixAt(i, matrix);
      }
      root.add(balls);
      if (way.tight) showTight(way, way.tight);
    },
    setBalls(visible, motion, t) {
      if (balls) balls.visible = visible;
      strong.visible = false;
      if (!visible || !given) return;
      let best = -1;
      let least = Infinity;
      for (let i = 0; i < given.balls.length; i += 3) {
        const far = Math.abs(given.balls[i] + given.balls[i + 1] - motion - t);
        if (far >= least) continue;
        least = far;
        best = i;
      }
      if (best < 0) return;
      strong.visible = true;
      strong.scale.setScalar(given.balls[best + 2]);
      strong.position.copy(centerAt(given, given.balls[best], given.balls[best + 1]));
    },
    get ballCount() {
      return balls?.visible ? balls.count : 0;
    },
    setTight(visible) {
      tight.visible = visible && given?.tight !== null && given !== null;
    },
    dispose() {
      view.showWay(null);
      for (const mesh of meshes) mesh.geometry.dispose();
      for (const material of materials) material.dispose();
      for (const object of [trees, wayLine, strong, ...triangles]) object.geometry.dispose();
    },
  };
  return view;

  function showTight(way: WayAnswer, place: TightPlace): void {
    setPoints(triangles[0].geometry, place.obstacleCorners);
    setPoints(triangles[1].geometry, place.partCorners);
    placeAt(triangles[1], poseAt(way.path, place.motion, place.t));
  }
}

export function poseAt(path: readonly (readonly number[])[], motion: number, t: number): Float64Array {
  const [a, b] = [path[motion], path[Math.min(motion + 1, path.length - 1)]];
  return interpolatePose(new Float64Array(7), Float64Array.from(a), Float64Array.from(b), t);
}

function centerAt(way: WayAnswer, motion: number, t: number): Vector3 {
  const pose = poseAt(way.path, motion, t);
  return new Vector3(...(way.center as [number, number, number]))
    .applyQuaternion(new Quaternion(pose[3], pose[4], pose[5], pose[6]))
    .add(new Vector3(pose[0], pose[1], pose[2]));
}

function placeAt(object: Mesh, pose: ArrayLike<number>): void {
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}

function setPoints(geometry: BufferGeometry, points: readonly number[]): void {
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
  geometry.computeBoundingSphere();
}
