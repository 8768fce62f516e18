/**
 * Robots on a floor, arms and loads and all, run in the fleets' worker. The page draws maps, whose rows go down: y is turned round for frames, paths
 * and obstacles, while solids stay in the world's frame.
 */
import {
  createFloorRun,
  createFloorSetup,
  type FloorDescription,
  type FloorRun,
  type RobotAction,
} from 'clearance/fleet';
import { createArmSolver } from 'clearance/tasks';
import { createFileSet, loadScene } from 'clearance/web';
import { loadKernel } from '../kernel.js';
import type { Live } from './live.js';
import {
  CARRIES,
  type FleetFloor,
  type FloorSolid,
  FRAME_STRIDE,
  type RobotAnswer,
  TOUCHES,
  WAITS,
} from './messages.js';

type Shape = FloorSolid['shape'];

/** Metres around everything; of a cell; of an obstacle. */
const EDGE = 3;
const CELL = 1;
const OBSTACLE = 0.8;
/** A robot that avoids and has come no nearer for so long waits. */
const WAIT_SECONDS = 1;

export async function createFloorLive(
  title: string,
  description: FloorDescription,
  files: readonly (readonly [string, Blob])[],
): Promise<Live> {
  await loadKernel();
  // Arms are found as robots of a scene are: among the files, by the name that the world writes.
  const { version, objects, floor } = description;
  const robots = Object.entries(floor.arms ?? {}).map(([name, { file }]) => ({
    name,
    file,
    pose: [0, 0, 0, 0, 0, 0, 1],
  }));
  const scene = new Blob([JSON.stringify({ version, objects, robots })]);
  const set = await createFileSet([...files, ['floor.scene.json', scene]]);
  const { value, issues } = await loadScene('floor.scene.json', { files: set });
  const [fault] = issues.filter(({ severity }) => severity === 'error');
  if (value === null || fault !== undefined) throw new Error(fault?.message ?? 'The world cannot be read');
  const { meshes, clouds, robots: arms } = value;
  const setup = createFloorSetup(description, { meshes, clouds, arms }, createArmSolver);
  return new FloorLive(title, createFloorRun(setup));
}

class FloorLive implements Live {
  readonly floor: FleetFloor;
  /** Body of each solid. */
  private readonly bodies: number[] = [];
  /** Of solids that stand upright: half their height; NaN of those with a transform. */
  private readonly lifts: number[] = [];
  private obstacles = 0;
  private readonly stepSize: number;

  constructor(
    title: string,
    private readonly run: FloorRun,
  ) {
    const { world, fleet, setup } = run;
    this.stepSize = setup.description.floor.step ?? 0.1;
    const solids: FloorSolid[] = [];
    const loads = new Set(setup.description.floor.loads ?? []);
    const robotOf = new Map<number, number>();
    for (let r = 0; r < fleet.count; r++) {
      robotOf.set(fleet.bodyOf(r), r);
      for (const link of fleet.linksOf(r)) robotOf.set(link, r);
    }
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let id = 0; id < world.bodyCount; id++) {
      const solid = world.solids.find(id);
      const robot = robotOf.get(id) ?? -1;
      const s = 6 * id;
      const [kind, halfX, halfY, low, high] = world.shapes.subarray(s, s + 5);
      const height = high - low;
      const upright: Shape =
        kind === 1
          ? { type: 'box', size: [2 * halfX, 2 * halfY, height] }
          : { type: 'cylinder', radius: halfX, length: height };
      solids.push({
        shape: solid?.collider.shape ?? upright,
        kind: robot >= 0 ? (solid ? 'link' : 'base') : loads.has(world.nameOf(id)) ? 'load' : 'stands',
        robot,
      });
      this.bodies.push(id);
      this.lifts.push(solid ? Number.NaN : height / 2);
      world.refreshBoxes();
      for (const k of [0, 1]) {
        box[k] = Math.min(box[k], world.boxes[s + k]);
        box[2 + k] = Math.max(box[2 + k], world.boxes[s + 3 + k]);
      }
    }
    const ways = Array.from({ length: fleet.count }, (_, r) => fleet.queueOf(r))
      .flat()
      .flatMap(pointsOf);
    for (const [x, y] of ways) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
    const [width, height] = [0, 1].map((k) => Math.ceil((box[2 + k] - box[k] + 2 * EDGE) / CELL));
    this.floor = {
      title,
      width,
      height,
      origin: [box[0] - EDGE, -(box[3] + EDGE)],
      free: new Uint8Array(width * height).fill(1),
      cellSize: CELL,
      radius: 0.4,
      robots: fleet.count,
      maxSpeed: Math.max(...setup.description.floor.robots.map(({ speed = 1 }) => speed)),
      isReplay: false,
      solids,
    };
  }

  get time(): number {
    return this.run.time;
  }

  get isDone(): boolean {
    return this.run.isDone;
  }

  step(dt: number): void {
    for (let left = dt; left > 1e-9; left -= this.stepSize) this.run.step(Math.min(left, this.stepSize));
  }

  readFrame(): Float32Array {
    const { fleet, world } = this.run;
    const data = new Float32Array(FRAME_STRIDE * fleet.count);
    const touching = new Set<number>();
    world.forEachContact((a, b) => {
      touching.add(a).add(b);
    });
    for (let r = 0; r < fleet.count; r++) {
      const body = fleet.bodyOf(r);
      const touches = [body, ...fleet.linksOf(r)].some((id) => touching.has(id));
      const o = FRAME_STRIDE * r;
      data[o] = world.poses[6 * body];
      data[o + 1] = -world.poses[6 * body + 1];
      data[o + 2] = fleet.speedOf(r);
      data[o + 3] =
        (fleet.loadOf(r) >= 0 ? CARRIES : 0) | (fleet.stuckFor(r) > WAIT_SECONDS ? WAITS : 0) | (touches ? TOUCHES : 0);
    }
    return data;
  }

  readPlaces(): Float32Array {
    const { world } = this.run;
    const places = new Float32Array(12 * this.bodies.length);
    this.bodies.forEach((id, k) => {
      const solid = world.solids.find(id);
      if (solid !== undefined) {
        places.set(solid.transform, 12 * k);
        return;
      }
      const [x, y, z, , c, s] = world.poses.subarray(6 * id, 6 * id + 6);
      places.set([c, -s, 0, s, c, 0, 0, 0, 1, x, y, z + this.lifts[k]], 12 * k);
    });
    return places;
  }

  describe(): string {
    const { moving, idle, carrying, done, failed, touched, collisions } = this.run.metrics();
    return `${moving} drive, ${idle} idle, ${carrying} carry, ${done} actions done, ${failed} failed, ${touched} contacts, ${collisions} not proven apart`;
  }

  addHeat(heat: Float32Array, seconds: number): void {
    const { fleet, world } = this.run;
    const { origin, width, height } = this.floor;
    for (let r = 0; r < fleet.count; r++) {
      if (fleet.isIdle(r) || fleet.speedOf(r) > 0) continue;
      const o = 6 * fleet.bodyOf(r);
      const x = Math.round((world.poses[o] - origin[0]) / CELL);
      const y = Math.round((-world.poses[o + 1] - origin[1]) / CELL);
      if (x >= 0 && x < width && y >= 0 && y < height) heat[y * width + x] += seconds;
    }
  }

  tell(robot: number): RobotAnswer {
    const { fleet, world } = this.run;
    const current = fleet.actionOf(robot);
    const all = [...(current === null ? [] : [current]), ...fleet.queueOf(robot)];
    const o = 6 * fleet.bodyOf(robot);
    const path = [world.poses[o], -world.poses[o + 1]];
    for (const action of all) for (const [x, y] of pointsOf(action)) path.push(x, -y);
    const load = fleet.loadOf(robot);
    const doing = all.map(describeAction);
    if (load >= 0) doing.unshift(`carries ${world.nameOf(load)}`);
    return { robot, name: fleet.nameOf(robot), doing, path: Float32Array.from(path) };
  }

  /** A box in the middle of a cell; robots that avoid go around it. */
  addObstacle(x: number, y: number): 'closed' | 'refused' {
    const { world, fleet } = this.run;
    const { origin, width, height } = this.floor;
    if (!(x >= 0 && x < width && y >= 0 && y < height)) return 'refused';
    const [px, py] = [origin[0] + x * CELL, -(origin[1] + y * CELL)];
    // Nothing is built where a robot is, or could no longer stop.
    const ids = Array.from({ length: fleet.count }, (_, r) => [fleet.bodyOf(r), ...fleet.linksOf(r)]).flat();
    const room = OBSTACLE / 2 + 1;
    const isNear = (id: number): boolean => {
      const b = 6 * id;
      const [x0, y0, , x1, y1] = world.boxes.subarray(b, b + 5);
      return x0 < px + room && x1 > px - room && y0 < py + room && y1 > py - room;
    };
    if (ids.some(isNear)) return 'refused';
    const shape = { type: 'box', size: [OBSTACLE, OBSTACLE, OBSTACLE] } as const;
    world.addBody({ name: `obstacle-${++this.obstacles}`, shape, pose: [px, py, 0, 0], mode: 'static' });
    return 'closed';
  }
}

function pointsOf(action: RobotAction): readonly (readonly number[])[] {
  return action.type === 'move' ? [action.to] : action.type === 'path' ? action.points : [];
}

function describeAction(action: RobotAction): string {
  switch (action.type) {
    case 'move':
      return `move to ${action.to.map((x) => x.toFixed(2)).join(', ')}`;
    case 'path':
      return `path of ${action.points.length} points`;
    case 'wait':
    case 'charge':
      return `${action.type} ${action.seconds} s`;
    case 'pick':
      return `pick ${action.body}`;
    case 'joints':
      return `joints to ${action.values.map((x) => x.toFixed(2)).join(', ')}`;
    case 'pose':
      return 'gripper to a pose';
    case 'drop':
      return 'drop';
  }
}
