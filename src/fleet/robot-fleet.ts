/**
 * Robots that drive among the bodies of a fleet's world: bases with limits, queues of actions, and loads they carry.
 *
 * Method: an action of moving becomes pieces (lines, arcs, turns on the spot), which all robots follow in one loop over flat arrays, as fast
 * as their limits allow and such that they can stop where the pieces end (braking-step.ts). Omnidirectional bases go straight and turn while they
 * go; differential ones turn, go straight and turn; car-like ones follow the shortest way of their turning radius (dubins.ts).
 *
 *   state   Float64Array 10 per robot   speed, way along the piece, its length, what follows without a stop, its curvature, from x, y, yaw,
 *                                       turning or not, seconds left of an action
 *
 * Units: metres, radians, seconds. Robots do not avoid each other: goals are driven to straight; plans of many are plan-execution.ts.
 * Cost: O(robots with something to do) per step. Tested by robot-fleet.test.ts.
 */
import { requireNumbers, requireOneOf, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { atan2, cos, sin } from '../math/scalar.js';
import { brakingStep } from './braking-step.js';
import { findDubinsWay } from './dubins.js';
import { type FleetBody, FleetWorld } from './fleet-world.js';
import { POSE_STRIDE } from './footprint.js';

export type BaseKind = 'omni' | 'differential' | 'car';

export interface FleetRobot extends FleetBody {
  readonly base: BaseKind;
  /** Metres per second. Default 1. */
  readonly speed?: number;
  /** Metres per second squared. Default 1. */
  readonly acceleration?: number;
  /** Radians per second. Default 1. */
  readonly turnRate?: number;
  /** Of a car, metres. Default 1. */
  readonly turningRadius?: number;
  /** Joint values of what is on the base, and how fast they may change, radians (or metres) per second. */
  readonly joints?: { readonly values: readonly number[]; readonly rate: number };
}

export type RobotAction =
  /** To x, y and, where it is given, yaw. */
  | { readonly type: 'move'; readonly to: readonly [number, number] | readonly [number, number, number] }
  | { readonly type: 'path'; readonly points: readonly (readonly [number, number])[] }
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'charge'; readonly seconds: number }
  /** Takes up a body, which moves along with it and is not told as touching it. */
  | { readonly type: 'pick'; readonly body: string }
  | { readonly type: 'drop' }
  | { readonly type: 'joints'; readonly values: readonly number[] }
  /** Goes where a solver says, asked when the action begins; null ends the action as failed. */
  | {
      readonly type: 'pose';
      readonly solve: (x: number, y: number, yaw: number) => readonly [number, number, number] | null;
    };

export interface ActionEvent {
  readonly robot: string;
  readonly action: RobotAction['type'];
  readonly outcome: 'begun' | 'done' | 'failed';
  readonly time: number;
}

interface Piece {
  readonly curvature: number;
  readonly length: number;
  /** A turn on the spot: length in radians, curvature its sign. */
  readonly isTurn: boolean;
  /** The next piece follows without a stop. */
  readonly flows: boolean;
  readonly yaw: number | null;
}

const STATE = 10;
const [SPEED, ALONG, LENGTH, AFTER, CURVATURE, FROM_X, FROM_Y, FROM_YAW, TURNING, LEFT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];

interface RobotRecord {
  readonly id: number;
  readonly description: FleetRobot;
  readonly queue: RobotAction[];
  readonly pieces: Piece[];
  current: RobotAction | null;
  readonly joints: Float64Array;
  load: number;
  loadX: number;
  loadY: number;
  loadYaw: number;
}

export class RobotFleet {
  private readonly robots: RobotRecord[] = [];
  private readonly byName = new Map<string, number>();
  private state = new Float64Array(0);
  private readonly listeners: ((event: ActionEvent) => void)[] = [];
  private readonly travel = new Float64Array(2);

  constructor(readonly world: FleetWorld) {
    world.addDriver((_, dt) => this.drive(dt));
  }

  get count(): number {
    return this.robots.length;
  }

  /** Adds the robot's body to the world; returns the robot's number. */
  addRobot(description: FleetRobot): number {
    requireOneOf('addRobot', 'base', description.base, ['omni', 'differential', 'car']);
    for (const name of ['speed', 'acceleration', 'turnRate', 'turningRadius'] as const)
      if (description[name] !== undefined) requirePositiveNumber('addRobot', name, description[name]);
    const id = this.world.addBody(description);
    const robot = this.robots.length;
    if (STATE * robot === this.state.length) {
      const grown = new Float64Array(STATE * (2 * robot + 16));
      grown.set(this.state);
      this.state = grown;
    }
    const joints = Float64Array.from(description.joints?.values ?? []);
    this.robots.push({
      id,
      description,
      queue: [],
      pieces: [],
      current: null,
      joints,
      load: -1,
      loadX: 0,
      loadY: 0,
      loadYaw: 0,
    });
    this.byName.set(description.name, robot);
    return robot;
  }

  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  bodyOf(robot: number): number {
    return this.record('bodyOf', robot).id;
  }

  jointsOf(robot: number): Float64Array {
    return this.record('jointsOf', robot).joints;
  }

  speedOf(robot: number): number {
    this.record('speedOf', robot);
    return this.state[STATE * robot + SPEED];
  }

  /** Nothing to do, nothing waiting. */
  isIdle(robot: number): boolean {
    const { current, queue } = this.record('isIdle', robot);
    return current === null && queue.length === 0;
  }

  enqueue(robot: number, ...actions: readonly RobotAction[]): void {
    const { queue } = this.record('enqueue', robot);
    for (const action of actions) {
      requireAction(action);
      queue.push(action);
    }
  }

  /** Drops what waits; what is under way ends where the robot can stop. */
  clearQueue(robot: number): void {
    this.record('clearQueue', robot).queue.length = 0;
  }

  /** A goal per robot: x, y each. */
  moveAll(robots: ArrayLike<number>, goals: ArrayLike<number>): void {
    if (goals.length !== 2 * robots.length)
      throw new MisuseError(
        `moveAll: goals, got ${goals.length} numbers, expected two per robot, ${2 * robots.length}`,
      );
    for (let k = 0; k < robots.length; k++)
      this.enqueue(robots[k], { type: 'move', to: [goals[2 * k], goals[2 * k + 1]] });
  }

  onAction(listener: (event: ActionEvent) => void): void {
    this.listeners.push(listener);
  }

  private drive(dt: number): void {
    for (let r = 0; r < this.robots.length; r++) {
      const robot = this.robots[r];
      if (robot.current === null && !this.begin(r, robot)) continue;
      const { current } = robot;
      if (robot.pieces.length > 0) this.follow(r, robot, dt);
      else if (current !== null && current.type === 'joints') this.moveJoints(r, robot, current.values, dt);
      else {
        this.state[STATE * r + LEFT] -= dt;
        if (this.state[STATE * r + LEFT] <= 1e-12) this.finish(robot, 'done');
      }
      if (robot.load >= 0) this.carry(robot);
    }
  }

  /** Takes the next action; false when there is none. Actions that take no time are done at once. */
  private begin(r: number, robot: RobotRecord): boolean {
    for (;;) {
      const action = robot.queue.shift();
      if (action === undefined) return false;
      robot.current = action;
      this.tell(robot, action.type, 'begun');
      const o = robot.id * POSE_STRIDE;
      const { poses } = this.world;
      this.state[STATE * r + LEFT] = 0;
      switch (action.type) {
        case 'move':
          this.layWay(robot, [action.to], action.to[2] ?? null);
          break;
        case 'path':
          this.layWay(robot, action.points, null);
          break;
        case 'wait':
        case 'charge':
          this.state[STATE * r + LEFT] = action.seconds;
          return true;
        case 'joints':
          return true;
        case 'pose': {
          const to = action.solve(poses[o], poses[o + 1], poses[o + 3]);
          if (to === null) this.finish(robot, 'failed');
          else this.layWay(robot, [to], to[2]);
          break;
        }
        case 'pick':
          this.finish(robot, this.take(robot, action.body) ? 'done' : 'failed');
          break;
        case 'drop':
          this.finish(robot, this.drop(robot) ? 'done' : 'failed');
      }
      if (robot.pieces.length > 0) {
        this.startPiece(r, robot);
        return true;
      }
      if (robot.current !== null) this.finish(robot, 'done');
    }
  }

  /** Pieces from where the robot is through the points. */
  private layWay(robot: RobotRecord, points: readonly (readonly number[])[], yaw: number | null): void {
    const { base, turningRadius = 1 } = robot.description;
    const o = robot.id * POSE_STRIDE;
    let [x, y, heading] = [this.world.poses[o], this.world.poses[o + 1], this.world.poses[o + 3]];
    const turnTo = (to: number) => {
      const angle = shortTurn(to - heading);
      if (angle !== 0)
        robot.pieces.push({
          curvature: Math.sign(angle),
          length: Math.abs(angle),
          isTurn: true,
          flows: false,
          yaw: to,
        });
      heading = to;
    };
    points.forEach((point, k) => {
      const [dx, dy] = [point[0] - x, point[1] - y];
      const length = Math.sqrt(dx * dx + dy * dy);
      const ahead = length > 0 ? atan2(dy, dx) : heading;
      if (base === 'car') {
        const next = points[k + 1];
        const end = next === undefined ? (yaw ?? ahead) : atan2(next[1] - point[1], next[0] - point[0]);
        const way = findDubinsWay(x, y, heading, [point[0], point[1], end], turningRadius);
        for (let p = 0; p < 6; p += 2)
          if (way[p + 1] > 1e-12)
            robot.pieces.push({
              curvature: way[p],
              length: way[p + 1],
              isTurn: false,
              flows: p < 4 || next !== undefined,
              yaw: null,
            });
        heading = end;
      } else {
        if (base === 'differential' && length > 0) turnTo(ahead);
        if (length > 0)
          robot.pieces.push({ curvature: 0, length, isTurn: false, flows: false, yaw: base === 'omni' ? ahead : null });
      }
      [x, y] = [point[0], point[1]];
    });
    if (yaw !== null && base !== 'car') turnTo(yaw);
  }

  private startPiece(r: number, robot: RobotRecord): void {
    const { state } = this;
    const o = STATE * r;
    const p = robot.id * POSE_STRIDE;
    const [piece] = robot.pieces;
    const { poses } = this.world;
    state[o + ALONG] = 0;
    state[o + LENGTH] = piece.length;
    state[o + CURVATURE] = piece.curvature;
    state[o + FROM_X] = poses[p];
    state[o + FROM_Y] = poses[p + 1];
    // An omnidirectional base goes where it looks not.
    state[o + FROM_YAW] = piece.yaw !== null && !piece.isTurn ? piece.yaw : poses[p + 3];
    state[o + TURNING] = piece.isTurn ? 1 : 0;
    let after = 0;
    for (let k = 0; robot.pieces[k]?.flows && k + 1 < robot.pieces.length; k++) after += robot.pieces[k + 1].length;
    state[o + AFTER] = after;
  }

  private follow(r: number, robot: RobotRecord, dt: number): void {
    const { state, travel, world } = this;
    const { speed = 1, acceleration = 1, turnRate = 1 } = robot.description;
    const o = STATE * r;
    const isTurning = state[o + TURNING] !== 0;
    const free = state[o + LENGTH] - state[o + ALONG] + state[o + AFTER];
    // On an arc the base turns as well: neither limit may be passed.
    let limit = isTurning ? turnRate : speed;
    if (!isTurning && state[o + CURVATURE] !== 0) limit = Math.min(speed, turnRate / Math.abs(state[o + CURVATURE]));
    brakingStep(travel, free, state[o + SPEED], limit, isTurning ? TURN_ACCELERATION : acceleration, dt, true);
    state[o + SPEED] = travel[1];
    let along = state[o + ALONG] + travel[0];
    const p = robot.id * POSE_STRIDE;
    for (;;) {
      const length = state[o + LENGTH];
      const isOver = along >= length - 1e-12;
      this.placeOn(robot, o, isOver ? length : along);
      if (!isOver) {
        state[o + ALONG] = along;
        return;
      }
      along -= length;
      const done = robot.pieces.shift()!;
      if (done.isTurn && done.yaw !== null)
        world.setPose(robot.id, world.poses[p], world.poses[p + 1], world.poses[p + 2], done.yaw);
      if (robot.pieces.length === 0) {
        state[o + SPEED] = 0;
        this.finish(robot, 'done');
        return;
      }
      this.startPiece(r, robot);
      if (!done.flows) {
        state[o + SPEED] = 0;
        return;
      }
    }
  }

  private placeOn(robot: RobotRecord, o: number, s: number): void {
    const { state, world } = this;
    const p = robot.id * POSE_STRIDE;
    const z = world.poses[p + 2];
    const [x, y, yaw, k] = [state[o + FROM_X], state[o + FROM_Y], state[o + FROM_YAW], state[o + CURVATURE]];
    if (state[o + TURNING] !== 0) world.setPose(robot.id, x, y, z, yaw + k * s);
    else if (k === 0) {
      const keep = robot.description.base === 'omni' ? world.poses[p + 3] : yaw;
      world.setPose(robot.id, x + s * cos(yaw), y + s * sin(yaw), z, keep);
    } else {
      const end = yaw + k * s;
      world.setPose(robot.id, x + (sin(end) - sin(yaw)) / k, y - (cos(end) - cos(yaw)) / k, z, end);
    }
  }

  private moveJoints(r: number, robot: RobotRecord, values: readonly number[], dt: number): void {
    const { joints, description } = robot;
    if (values.length !== joints.length) {
      this.finish(robot, 'failed');
      return;
    }
    const most = (description.joints?.rate ?? 0) * dt;
    let isThere = true;
    for (let k = 0; k < joints.length; k++) {
      const d = values[k] - joints[k];
      if (Math.abs(d) <= most) joints[k] = values[k];
      else {
        joints[k] += d > 0 ? most : -most;
        isThere = false;
      }
    }
    if (isThere) this.finish(robot, 'done');
    this.state[STATE * r + LEFT] = 0;
  }

  private take(robot: RobotRecord, name: string): boolean {
    const { world } = this;
    const body = world.find(name);
    if (body < 0 || robot.load >= 0 || body === robot.id) return false;
    const p = robot.id * POSE_STRIDE;
    const q = body * POSE_STRIDE;
    const { poses } = world;
    const [dx, dy] = [poses[q] - poses[p], poses[q + 1] - poses[p + 1]];
    robot.load = body;
    robot.loadX = poses[p + 4] * dx + poses[p + 5] * dy;
    robot.loadY = poses[p + 4] * dy - poses[p + 5] * dx;
    robot.loadYaw = poses[q + 3] - poses[p + 3];
    world.ignorePair(robot.id, body, true);
    return true;
  }

  private drop(robot: RobotRecord): boolean {
    if (robot.load < 0) return false;
    this.world.ignorePair(robot.id, robot.load, false);
    robot.load = -1;
    return true;
  }

  private carry(robot: RobotRecord): void {
    const { world } = this;
    const p = robot.id * POSE_STRIDE;
    const { poses } = world;
    const [c, s] = [poses[p + 4], poses[p + 5]];
    world.setPose(
      robot.load,
      poses[p] + c * robot.loadX - s * robot.loadY,
      poses[p + 1] + s * robot.loadX + c * robot.loadY,
      poses[robot.load * POSE_STRIDE + 2],
      poses[p + 3] + robot.loadYaw,
    );
  }

  private finish(robot: RobotRecord, outcome: 'done' | 'failed'): void {
    const { current } = robot;
    robot.current = null;
    robot.pieces.length = 0;
    if (current !== null) this.tell(robot, current.type, outcome);
  }

  private tell(robot: RobotRecord, action: RobotAction['type'], outcome: ActionEvent['outcome']): void {
    if (this.listeners.length === 0) return;
    const event = { robot: robot.description.name, action, outcome, time: this.world.time };
    for (const listener of this.listeners) listener(event);
  }

  private record(call: string, robot: number): RobotRecord {
    const found = this.robots[robot];
    if (found === undefined)
      throw new MisuseError(
        `${call}: robot, got ${String(robot)}, expected a number from 0 to ${this.robots.length - 1}`,
      );
    return found;
  }
}

/** Of turns on the spot, radians per second squared. */
const TURN_ACCELERATION = 4;

function shortTurn(angle: number): number {
  const turns = Math.round(angle / (2 * Math.PI));
  return angle - 2 * Math.PI * turns;
}

function requireAction(action: RobotAction): void {
  const call = 'enqueue';
  requireOneOf(call, 'action.type', action?.type, ['move', 'path', 'wait', 'charge', 'pick', 'drop', 'joints', 'pose']);
  if (action.type === 'move') {
    const to: readonly number[] = action.to;
    requireNumbers(call, 'action.to', to);
    if (to.length !== 2 && to.length !== 3)
      throw new MisuseError(`${call}: action.to, got ${to.length} numbers, expected x, y or x, y, yaw`);
  } else if (action.type === 'path')
    action.points.forEach((point, k) => {
      requireNumbers(call, `action.points[${k}]`, point, 2);
    });
  else if (action.type === 'joints') requireNumbers(call, 'action.values', action.values);
  else if (
    (action.type === 'wait' || action.type === 'charge') &&
    !(action.seconds >= 0 && action.seconds < Number.POSITIVE_INFINITY)
  )
    throw new MisuseError(`${call}: action.seconds, got ${action.seconds}, expected a number, 0 or more`);
}

export function createRobotFleet(world: FleetWorld): RobotFleet {
  if (!(world instanceof FleetWorld))
    throw new MisuseError(`createRobotFleet: world, got ${typeof world}, expected one of createFleetWorld`);
  return new RobotFleet(world);
}
