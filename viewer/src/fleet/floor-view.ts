/**
 * Ten thousand robots as two instanced meshes that read a frame as it came (robot-instances.ts), the cells that are blocked as a third; heat and a
 * path over the floor. A frame costs the page nothing per robot.
 */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  DataTexture,
  DynamicDrawUsage,
  Group,
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
import { type FleetFloor, FRAME_STRIDE } from './messages.js';
import { type Colouring, createRobotInstances } from './robot-instances.js';
import { createSolidsView } from './solids-view.js';

export interface FloorView {
  readonly root: Group;
  /** Places and colours of all robots. The data are kept, not copied. */
  setFrame(data: Float32Array, places: Float32Array | null, colouring: Colouring): void;
  /** Red, green, blue and opacity of each cell, rows from below; kept, not copied. */
  setHeat(pixels: Uint8Array | null): void;
  setPath(path: Float32Array | null): void;
  addObstacle(x: number, y: number): void;
  /** The robot nearest to a point of the drawing, or -1 where none is within so many metres. */
  find(x: number, y: number, within: number): number;
  dispose(): void;
}

/** Matrix, 16 numbers per instance: the place is at 12, 13, 14. */
const MATRIX = 16;
const MOST_OBSTACLES = 500;

export function createFloorView(floor: FleetFloor): FloorView {
  const { width, height, free, cellSize, radius, maxSpeed, origin } = floor;
  const solids = floor.solids === null ? null : createSolidsView(floor.solids);
  const robots = solids === null ? floor.robots : 0;
  const root = new Group();
  const instances = createRobotInstances(robots, maxSpeed);
  const bodies = instances.add(
    new CylinderGeometry(radius, radius, 0.5 * radius, 10).rotateX(Math.PI / 2).translate(0, 0, 0.25 * radius),
    'body',
  );
  const loads = instances.add(new BoxGeometry(radius, radius, 0.6 * radius).translate(0, 0, 0.8 * radius), 'load');
  let blocked = 0;
  for (const isFree of free) if (!isFree) blocked++;
  const walls = createInstances(new BoxGeometry(cellSize, cellSize, 0.8 * cellSize), blocked + MOST_OBSTACLES);
  (walls.material as MeshLambertMaterial).color.set(0x9aa3ab);
  walls.count = 0;
  const addWall = (x: number, y: number): void => {
    if (walls.count === blocked + MOST_OBSTACLES) return;
    place(walls, walls.count++, origin[0] + x * cellSize, -origin[1] - y * cellSize, 0.4 * cellSize);
    walls.instanceMatrix.needsUpdate = true;
  };
  free.forEach((isFree, cell) => {
    if (!isFree) addWall(cell % width, Math.floor(cell / width));
  });

  const texture = new DataTexture(new Uint8Array(4 * width * height), width, height, RGBAFormat);
  texture.magFilter = NearestFilter;
  const ground = new Mesh(
    new PlaneGeometry(width * cellSize, height * cellSize),
    new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }),
  );
  ground.position.set(origin[0] + ((width - 1) * cellSize) / 2, -origin[1] - ((height - 1) * cellSize) / 2, 0.005);
  ground.visible = false;
  const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0xc0281a, depthTest: false }));
  line.renderOrder = 2;
  line.visible = false;
  line.frustumCulled = false;
  root.add(walls, bodies, loads, ground, line);
  if (solids !== null) root.add(solids.root);

  let last: Float32Array = new Float32Array(0);
  return {
    root,
    setFrame(data, places, colouring) {
      last = data;
      if (solids === null) instances.setFrame(data, colouring);
      else {
        if (places !== null) solids.setPlaces(places);
        solids.setColours(data, colouring, maxSpeed);
      }
    },
    setHeat(pixels) {
      ground.visible = pixels !== null;
      if (pixels === null) return;
      texture.image = { data: pixels, width, height };
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
      for (let i = 0, o = 0; i < floor.robots; i++, o += FRAME_STRIDE) {
        const dx = last[o] - x;
        const dy = last[o + 1] + y;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        found = i;
      }
      return found;
    },
    dispose() {
      instances.dispose();
      solids?.dispose();
      walls.geometry.dispose();
      (walls.material as MeshLambertMaterial).dispose();
      walls.dispose();
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
