/** Ten thousand robots as three instanced meshes: bodies, what they carry, and the cells that are blocked; heat and a path over the floor. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DataTexture,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NearestFilter,
  PlaneGeometry,
  RGBAFormat,
} from 'three';
import { CARRIES, type FleetFloor, FRAME_STRIDE, STOPPED, TOUCHES, WAITS } from './messages.js';

export type Colouring = 'speed' | 'task' | 'contact';

export interface FloorView {
  readonly root: Group;
  /** Places and colours of all robots; what the page itself does for a frame. */
  setFrame(data: Float32Array, colouring: Colouring): void;
  setHeat(heat: Float32Array | null): void;
  setPath(path: Float32Array | null): void;
  addObstacle(x: number, y: number): void;
  /** The robot nearest to a point of the drawing, or -1 where none is within so many metres. */
  find(x: number, y: number, within: number): number;
  dispose(): void;
}

/** Matrix, 16 numbers per instance: the place is at 12, 13, 14. */
const MATRIX = 16;
const MOST_OBSTACLES = 500;

/** Red, green, blue of each kind, as the instances hold them. */
const toRow = (hex: number): readonly [number, number, number] => {
  const { r, g, b } = new Color(hex);
  return [r, g, b];
};
const REST = toRow(0x8b949e);
const FAST = toRow(0x1463c8);
const LOADED = toRow(0xd07a00);
const EMPTY = toRow(0x1d7a4c);
const BAD = toRow(0xc0281a);
const LATE = toRow(0x8f5a00);

export function createFloorView(floor: FleetFloor): FloorView {
  const { width, height, free, cellSize, radius, robots, maxSpeed } = floor;
  const root = new Group();
  const bodies = createInstances(
    new CylinderGeometry(radius, radius, 0.5 * radius, 10).rotateX(Math.PI / 2),
    robots,
    0.25 * radius,
  );
  const colours = new InstancedBufferAttribute(new Float32Array(3 * robots), 3).setUsage(DynamicDrawUsage);
  bodies.instanceColor = colours;
  const loads = createInstances(new BoxGeometry(radius, radius, 0.6 * radius), robots, 0.8 * radius);
  (loads.material as MeshLambertMaterial).color.set(0xe9c46a);
  let blocked = 0;
  for (const isFree of free) if (!isFree) blocked++;
  const walls = createInstances(new BoxGeometry(cellSize, cellSize, 0.8 * cellSize), blocked + MOST_OBSTACLES);
  (walls.material as MeshLambertMaterial).color.set(0x9aa3ab);
  walls.count = 0;
  const addWall = (x: number, y: number): void => {
    if (walls.count === blocked + MOST_OBSTACLES) return;
    place(walls, walls.count++, x * cellSize, -y * cellSize, 0.4 * cellSize);
    walls.instanceMatrix.needsUpdate = true;
  };
  free.forEach((isFree, cell) => {
    if (!isFree) addWall(cell % width, Math.floor(cell / width));
  });

  const pixels = new Uint8Array(4 * width * height);
  const texture = new DataTexture(pixels, width, height, RGBAFormat);
  texture.magFilter = NearestFilter;
  const ground = new Mesh(
    new PlaneGeometry(width * cellSize, height * cellSize),
    new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }),
  );
  ground.position.set(((width - 1) * cellSize) / 2, (-(height - 1) * cellSize) / 2, 0.005);
  ground.visible = false;
  const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0xc0281a, depthTest: false }));
  line.renderOrder = 2;
  line.visible = false;
  line.frustumCulled = false;
  root.add(walls, bodies, loads, ground, line);

  let last: Float32Array = new Float32Array(0);
  return {
    root,
    setFrame(data, colouring) {
      last = data;
      const matrices = bodies.instanceMatrix.array;
      const carried = loads.instanceMatrix.array;
      const tints = colours.array;
      let count = 0;
      for (let i = 0, o = 0, m = 12, c = 0; i < robots; i++, o += FRAME_STRIDE, m += MATRIX, c += 3) {
        const x = data[o];
        const y = -data[o + 1];
        const state = data[o + 3];
        matrices[m] = x;
        matrices[m + 1] = y;
        if ((state & CARRIES) !== 0) {
          const n = MATRIX * count++ + 12;
          carried[n] = x;
          carried[n + 1] = y;
        }
        if (colouring === 'speed') {
          const s = Math.min(1, data[o + 2] / maxSpeed);
          tints[c] = REST[0] + s * (FAST[0] - REST[0]);
          tints[c + 1] = REST[1] + s * (FAST[1] - REST[1]);
          tints[c + 2] = REST[2] + s * (FAST[2] - REST[2]);
          continue;
        }
        let tint = REST;
        if (colouring === 'task') tint = (state & CARRIES) !== 0 ? LOADED : EMPTY;
        else if ((state & TOUCHES) !== 0) tint = BAD;
        else if ((state & (STOPPED | WAITS)) !== 0) tint = LATE;
        tints[c] = tint[0];
        tints[c + 1] = tint[1];
        tints[c + 2] = tint[2];
      }
      loads.count = count;
      bodies.instanceMatrix.needsUpdate = true;
      loads.instanceMatrix.needsUpdate = true;
      colours.needsUpdate = true;
    },
    setHeat(heat) {
      ground.visible = heat !== null;
      if (heat === null) return;
      let most = 1;
      for (const seconds of heat) most = Math.max(most, seconds);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          // Texture rows go up, map rows down. A root, for a few cells collect most.
          const share = Math.sqrt(Math.sqrt(heat[y * width + x] / most));
          const o = 4 * ((height - 1 - y) * width + x);
          pixels[o] = 230;
          pixels[o + 1] = Math.round(170 * (1 - share));
          pixels[o + 2] = 30;
          pixels[o + 3] = Math.round(230 * share);
        }
      texture.needsUpdate = true;
    },
    setPath(path) {
      line.visible = path !== null && path.length > 2;
      if (path === null) return;
      const points = new Float32Array((3 * path.length) / 2);
      for (let k = 0; k < path.length / 2; k++) points.set([path[2 * k], -path[2 * k + 1], radius], 3 * k);
      line.geometry.dispose();
      line.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
    },
    addObstacle: addWall,
    find(x, y, within) {
      let found = -1;
      let least = within * within;
      for (let i = 0, o = 0; i < robots; i++, o += FRAME_STRIDE) {
        const dx = last[o] - x;
        const dy = last[o + 1] + y;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        found = i;
      }
      return found;
    },
    dispose() {
      for (const mesh of [bodies, loads, walls]) {
        mesh.geometry.dispose();
        (mesh.material as MeshLambertMaterial).dispose();
        mesh.dispose();
      }
      ground.geometry.dispose();
      texture.dispose();
      line.geometry.dispose();
    },
  };

  function createInstances(geometry: BufferGeometry, count: number, level = 0): InstancedMesh {
    const mesh = new InstancedMesh(geometry, new MeshLambertMaterial(), Math.max(1, count));
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    // Instances are all over the floor: bounds of one say nothing.
    mesh.frustumCulled = false;
    for (let i = 0; i < count; i++) place(mesh, i, 0, 0, level);
    return mesh;
  }
}

function place(mesh: InstancedMesh, i: number, x: number, y: number, z: number): void {
  const { array } = mesh.instanceMatrix;
  array.fill(0, MATRIX * i, MATRIX * (i + 1));
  for (const [k, value] of [
    [0, 1],
    [5, 1],
    [10, 1],
    [12, x],
    [13, y],
    [14, z],
    [15, 1],
  ])
    array[MATRIX * i + k] = value;
}
