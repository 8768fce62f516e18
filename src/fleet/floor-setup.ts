/**
 * A floor's world file as a world with robots: objects as bodies, arms as one shared model each, robots at their places with their actions.
 *
 * Objects are solids that stand still; those of `loads` are compared in all axes and can be carried. Robots of a group are NAME-1, NAME-2, ...;
 * places at random are drawn by the file's seed, in the order of the groups. Pose actions are answered by a solver that is handed in, since what
 * solves them is above this folder. Units: metres, radians, seconds. Tested by floor-run.test.ts.
 */
import { boundShape } from '../geometry/aabb.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireFunction, requireList, requireMap, requireObject, requireSeed } from '../math/arguments.js';
import { hashContent } from '../math/content-hash.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, poseToTransform, transformToPose } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import type { RobotDescription } from '../scene/description.js';
import type {
  FloorAction,
  FloorArm,
  FloorDescription,
  FloorPlaces,
  FloorRobotKind,
} from '../scene/floor-description.js';
import { type CloudContent, createShapeResolver } from '../scene/resolve-shape.js';
import { collectShapes } from '../scene/robot.js';
import { createFleetArm, type FleetArm } from './fleet-arm.js';
import { createFleetWorld, type FleetWorld } from './fleet-world.js';
import type { PoseSolver, RobotAction } from './robot-actions.js';
import { createRobotFleet, type RobotFleet } from './robot-fleet.js';
import { spawnGrid, spawnRandom } from './spawn.js';

/** What a floor's file names, as loaders give it. */
export interface FloorParts {
  /** Of objects, by file name as written. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  readonly clouds?: ReadonlyMap<string, CloudContent>;
  /** By the arm's name in the file. */
  readonly arms: ReadonlyMap<
    string,
    { readonly description: RobotDescription; readonly meshes: ReadonlyMap<string, TriangleMesh> }
  >;
}

/** Joints that bring the arm's gripper to a point (3 numbers) or pose (7) of the world, for a robot whose base stands at z = 0. */
export type ArmSolver = (arm: FleetArm, target: readonly number[], seed: number) => PoseSolver;

export interface FloorSetup {
  readonly description: FloorDescription;
  readonly world: FleetWorld;
  readonly fleet: RobotFleet;
  /** Per robot, what it begins again with; null where it does its actions once. */
  readonly repeats: readonly (readonly RobotAction[] | null)[];
  /** Of pose actions, by their names. */
  readonly solvers: Readonly<Record<string, PoseSolver>>;
  readonly seed: number;
  /** The most joints of any robot. */
  readonly joints: number;
  readonly hash: string;
}

const made = new WeakSet<FloorSetup>();

export function isFloorSetup(setup: unknown): setup is FloorSetup {
  return typeof setup === 'object' && setup !== null && made.has(setup as FloorSetup);
}

/**
 * Throws where a file of it is not loaded, an arm has joints that arms cannot have, places at random find no room, a shape is without end, or
 * poses are asked for and `solveArm` is missing.
 */
export function createFloorSetup(description: FloorDescription, parts: FloorParts, solveArm?: ArmSolver): FloorSetup {
  const call = 'createFloorSetup';
  requireObject(call, 'description', description, 'what parseFloorFile gives');
  requireObject(call, 'description.floor', description.floor, 'what parseFloorFile gives');
  requireList(call, 'description.floor.robots', description.floor.robots);
  requireObject(call, 'parts', parts);
  requireMap(call, 'parts.meshes', parts.meshes);
  requireMap(call, 'parts.arms', parts.arms);
  requireSeed(call, description.floor.seed);
  if (solveArm !== undefined) requireFunction(call, 'solveArm', solveArm);
  const { floor } = description;
  const { seed = 1, checks, cellSizeMode, cellSize, robots } = floor;
  const world = createFleetWorld({
    ...(checks === undefined ? {} : { checks }),
    ...(cellSizeMode === undefined ? {} : { cellSizeMode }),
    ...(cellSize === undefined ? {} : { cellSize }),
  });
  addObjects(call, world, description, parts);
  const arms = new Map(Object.entries(floor.arms ?? {}).map(([name, arm]) => [name, loadArm(call, name, arm, parts)]));
  const fleet = createRobotFleet(world);
  const repeats: (readonly RobotAction[] | null)[] = [];
  const solvers: Record<string, PoseSolver> = {};
  let joints = 0;
  let draws = seed;
  const solverOf = (arm: FleetArm, name: string, target: readonly number[]): { solve: PoseSolver; name: string } => {
    if (solveArm === undefined)
      throw new MisuseError(`${call}: solveArm, got none, expected one since the file has actions of type "pose"`);
    const key = `${name} ${target.join(' ')}`;
    solvers[key] ??= solveArm(arm, target, seed);
    return { solve: solvers[key], name: key };
  };
  for (const robot of robots) {
    const { actions = [], repeat = false, arm: armName } = robot;
    const arm = armName === undefined ? undefined : arms.get(armName);
    if (armName !== undefined && arm === undefined)
      throw new MisuseError(`${call}: arm "${armName}" of "${robot.name}", got none of that name in floor.arms`);
    const queue = actions.map((action) => toAction(action, armName ?? '', arm, solverOf));
    joints = Math.max(joints, arm?.joints ?? 0);
    const add = (name: string, pose: readonly [number, number, number, number], first: RobotAction[]) => {
      const k = fleet.addRobot({ ...toRobot(robot), name, pose, ...(arm === undefined ? {} : withArm(robot, arm)) });
      fleet.enqueue(k, ...first, ...queue);
      repeats.push(repeat ? queue : null);
    };
    if ('count' in robot) {
      const { name, count, at, goals } = robot;
      const starts = placeAll(call, `${name}.at`, at, count, draws++);
      const ends = goals === undefined ? null : placeAll(call, `${name}.goals`, goals, count, draws++);
      for (let i = 0; i < count; i++)
        add(
          `${name}-${i + 1}`,
          [starts[2 * i], starts[2 * i + 1], 0, 0],
          ends === null ? [] : [{ type: 'move', to: [ends[2 * i], ends[2 * i + 1]] }],
        );
    } else add(robot.name, [robot.pose[0], robot.pose[1], 0, robot.pose[2]], []);
  }
  const hash = hashContent({ floor, objects: description.objects });
  const setup = { description, world, fleet, repeats, solvers, seed, joints, hash };
  made.add(setup);
  return setup;
}

function addObjects(call: string, world: FleetWorld, { objects, floor }: FloorDescription, parts: FloorParts): void {
  const resolver = createShapeResolver(parts.meshes, undefined, parts.clouds);
  const loads = new Set(floor.loads ?? []);
  const box = new Float64Array(6);
  for (const { name, shape: described, pose, margin } of objects) {
    const shape = resolver.resolve(described);
    if (shape === undefined) throw new MisuseError(`${call}: object "${name}", got a shape whose file is not loaded`);
    if (margin !== undefined && margin !== 0)
      throw new MisuseError(
        `${call}: object "${name}", got a margin of ${margin}, expected none: floors have no margins`,
      );
    const X = poseToTransform(createTransform(), pose);
    if (!boundShape(box, shape, X).every(Number.isFinite))
      throw new MisuseError(`${call}: object "${name}", got a shape without end, expected one of a size`);
    const id = world.addBody({
      name,
      shape: { type: 'solid', shape },
      pose: [pose[0], pose[1], pose[2], 0],
      mode: loads.has(name) ? '3d' : 'static',
    });
    world.setTransform(id, X);
  }
}

function loadArm(call: string, name: string, arm: FloorArm, parts: FloorParts): FleetArm {
  const robot = parts.arms.get(name);
  if (robot === undefined)
    throw new MisuseError(`${call}: arm "${name}", got no robot in parts.arms, expected ${arm.file}`);
  const { model } = buildModel(robot.description.model);
  const { shapes, missing } = collectShapes(robot);
  if (missing.length > 0)
    throw new MisuseError(
      `${call}: arm "${name}", got no mesh of link "${missing[0].link}", expected all its geometry`,
    );
  const { mount, gripper } = arm;
  return createFleetArm({
    model,
    shapes: [...shapes].flatMap(([link, list]) =>
      list.map(([shape, X]) => ({ link, shape, placement: transformToPose(new Float64Array(7), X) })),
    ),
    ...(mount === undefined ? {} : { mount }),
    ...(gripper === undefined ? {} : { gripper }),
  });
}

function toAction(
  action: FloorAction,
  armName: string,
  arm: FleetArm | undefined,
  solverOf: (arm: FleetArm, name: string, target: readonly number[]) => { solve: PoseSolver; name: string },
): RobotAction {
  switch (action.type) {
    case 'pick':
      return {
        type: 'pick',
        body: action.object,
        ...(action.within === undefined ? {} : { within: action.within }),
      };
    case 'pose':
      if (arm === undefined) throw new MisuseError('createFloorSetup: action "pose", got a robot without an arm');
      return { type: 'pose', ...solverOf(arm, armName, action.target) };
    default:
      return action;
  }
}

/** The fields that robots of the fleet have as well. */
function toRobot({ base, shape, speed, acceleration, turnRate, turningRadius, avoids }: FloorRobotKind) {
  return {
    base,
    shape,
    ...(speed === undefined ? {} : { speed }),
    ...(acceleration === undefined ? {} : { acceleration }),
    ...(turnRate === undefined ? {} : { turnRate }),
    ...(turningRadius === undefined ? {} : { turningRadius }),
    ...(avoids === undefined ? {} : { avoids }),
  };
}

function withArm({ q, jointRate = 1 }: FloorRobotKind, arm: FleetArm) {
  return { arm, joints: { values: q ?? new Array<number>(arm.joints).fill(0), rate: jointRate } };
}

function placeAll(call: string, what: string, places: FloorPlaces, count: number, seed: number): Float64Array {
  if ('grid' in places) return spawnGrid(count, places.grid.columns, places.grid.spacing, places.grid.origin);
  if ('random' in places) {
    const found = spawnRandom(count, places.random.bounds, places.random.apart, seed);
    if (found.length < 2 * count)
      throw new MisuseError(`${call}: ${what}, got room for ${found.length / 2} in its bounds, expected ${count}`);
    return found;
  }
  return Float64Array.from(places.flat());
}
