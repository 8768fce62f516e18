/**
 * Robots that drive among the bodies of a fleet's world: bases with limits, arms on them, queues of actions, and loads they carry.
 *
 * Method: an action of moving becomes pieces (drive-pieces.ts), which all robots follow in one loop over flat arrays, as fast as their limits
 * allow and such that they can stop where the pieces end (braking-step.ts). Those that avoid go by velocities instead (avoiding-drive.ts). An arm's
 * links are bodies of the world that go with the base and the joints (fleet-arm.ts); a load goes with the gripper, or with the base.
 *
 *   state   Float64Array 10 per robot   speed, way along the piece, its length, what follows without a stop, its curvature, from x, y, yaw,
 *                                       turning or not, seconds left of an action
 *
 * Units: metres, radians, seconds. Robots that do not avoid drive to their goals straight; plans of many are plan-execution.ts. What moved within
 * a step is bounded by `boundMotion`, for proofs (world-proof.ts). Cost: O(robots with something to do) per step.
 * Tested by robot-fleet.test.ts, robot-arms.test.ts.
 */
import { requireOneOf, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';
import { AvoidingDrive, type AvoidingRobot } from './avoiding-drive.js';
import { brakingStep } from './braking-step.js';
import { layPieces } from './drive-pieces.js';
import { FleetWorld } from './fleet-world.js';
import { POSE_STRIDE } from './footprint.js';
import {
  type ActionEvent,
  type FleetRobot,
  type PoseSolver,
  type RobotAction,
  requireAction,
} from './robot-actions.js';
import { RobotArms } from './robot-arms.js';
import { createRobotRecord, type RobotRecord } from './robot-record.js';
import { restoreRobots, saveRobots } from './robot-state.js';

export const STATE = 10;
const [SPEED, ALONG, LENGTH, AFTER, CURVATURE, FROM_X, FROM_Y, FROM_YAW, TURNING, LEFT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];

export class RobotFleet {
  private readonly robots: RobotRecord[] = [];
  private readonly byName = new Map<string, number>();
  private readonly byBody = new Map<number, number>();
  private state = new Float64Array(0);
  private readonly listeners: ((event: ActionEvent) => void)[] = [];
  private readonly travel = new Float64Array(2);
  private readonly avoiding: AvoidingDrive;
  private readonly arms: RobotArms;

  constructor(readonly world: FleetWorld) {
    this.avoiding = new AvoidingDrive(world);
    this.arms = new RobotArms(world, this.byBody);
    world.addDriver((_, dt) => this.drive(dt));
  }

  /** Robots that were added; numbers of removed ones are not used again. */
  get count(): number {
    return this.robots.length;
  }

  /** Adds the robot's body to the world, and its arm's links as `NAME/LINK`; returns the robot's number. */
  addRobot(description: FleetRobot): number {
    requireOneOf('addRobot', 'base', description.base, ['omni', 'differential', 'car']);
    for (const name of ['speed', 'acceleration', 'turnRate', 'turningRadius'] as const)
      if (description[name] !== undefined) requirePositiveNumber('addRobot', name, description[name]);
    const { base, avoids = false, speed = 1, acceleration = 1, turnRate = 1, arm } = description;
    if (avoids && base === 'car')
      throw new MisuseError(`addRobot: avoids, got true of a car, expected an omnidirectional or differential base`);
    const values = description.joints?.values ?? new Array(arm?.joints ?? 0).fill(0);
    if (arm !== undefined && values.length !== arm.joints)
      throw new MisuseError(`addRobot: joints.values, got ${values.length} numbers, expected ${arm.joints}`);
    const id = this.world.addBody(description);
    const robot = this.robots.length;
    if (STATE * robot === this.state.length) {
      const grown = new Float64Array(STATE * (2 * robot + 16));
      grown.set(this.state);
      this.state = grown;
    }
    const record = createRobotRecord(id, description, Float64Array.from(values));
    this.robots.push(record);
    this.byName.set(description.name, robot);
    this.byBody.set(id, robot);
    this.arms.add(robot, record);
    if (avoids) {
      const isDifferential = base === 'differential';
      record.avoiding = {
        id,
        radius: this.arms.radiusOf(record),
        speed,
        acceleration,
        turnRate,
        isDifferential,
        vx: 0,
        vy: 0,
        target: null,
        stuckFor: 0,
        nearest: Number.POSITIVE_INFINITY,
        turned: 0,
      };
      if (record.group === 0) {
        record.group = this.world.createGroup();
        this.world.setGroup(id, record.group);
      }
      this.avoiding.groups.add(record.group);
      this.avoiding.add(record.avoiding);
    }
    return robot;
  }

  /** Takes the robot and its links out of the world; what it carries stays. */
  removeRobot(robot: number): void {
    const record = this.record('removeRobot', robot);
    this.arms.drop(record);
    if (record.avoiding !== null) {
      this.avoiding.remove(record.id);
      this.avoiding.groups.delete(record.group);
    }
    for (const id of [record.id, ...record.links]) {
      this.byBody.delete(id);
      this.world.removeBody(id);
    }
    this.byName.delete(record.description.name);
    record.queue.length = 0;
    record.pieces.length = 0;
    record.current = null;
    record.isGone = true;
  }

  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  nameOf(robot: number): string {
    return this.record('nameOf', robot).description.name;
  }

  /** False of one that was removed. */
  isThere(robot: number): boolean {
    return robot >= 0 && robot < this.robots.length && !this.robots[robot].isGone;
  }

  bodyOf(robot: number): number {
    return this.record('bodyOf', robot).id;
  }

  /** Bodies of the arm's shapes, in their order. */
  linksOf(robot: number): readonly number[] {
    return this.record('linksOf', robot).links;
  }

  jointsOf(robot: number): Float64Array {
    return this.record('jointsOf', robot).joints;
  }

  /** The body that it carries, or -1. */
  loadOf(robot: number): number {
    return this.record('loadOf', robot).load;
  }

  speedOf(robot: number): number {
    const { avoiding } = this.record('speedOf', robot);
    if (avoiding !== null && this.state[STATE * robot + SPEED] === 0)
      return Math.sqrt(avoiding.vx * avoiding.vx + avoiding.vy * avoiding.vy);
    return this.state[STATE * robot + SPEED];
  }

  /** Seconds for which a robot that avoids has not come nearer to where it goes; 0 of others. */
  stuckFor(robot: number): number {
    return this.record('stuckFor', robot).avoiding?.stuckFor ?? 0;
  }

  /** What it does now, or null. */
  actionOf(robot: number): RobotAction | null {
    return this.record('actionOf', robot).current;
  }

  queueOf(robot: number): readonly RobotAction[] {
    return this.record('queueOf', robot).queue;
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

  /**
   * What bounds the motion of a body of the fleet in the last step, or false for a body that belongs to no robot. Writes to out: the base's
   * body, with which it goes evenly; how far any of its points may have left that, by turning and joints; and the base's own deviation.
   */
  boundMotion(id: number, out: Float64Array): boolean {
    const robot = this.byBody.get(id);
    if (robot === undefined) return false;
    const record = this.robots[robot];
    out[0] = record.id;
    out[1] = this.arms.boundOf(record, id);
    out[2] = record.deviation;
    return true;
  }

  /** Everything that decides what comes, of the robots and their world, as a text. Throws where a waiting solver has no name. */
  save(): string {
    return saveRobots(this.world, this.robots, this.state.subarray(0, STATE * this.robots.length));
  }

  /** Goes on from what `save` wrote: into a fleet to which the same robots and bodies were added in the same order. */
  restore(text: string, solvers: Readonly<Record<string, PoseSolver>> = {}): void {
    restoreRobots(text, this.world, this.robots, this.state.subarray(0, STATE * this.robots.length), solvers);
    for (const record of this.robots) this.arms.readBack(record);
  }

  private drive(dt: number): void {
    for (let r = 0; r < this.robots.length; r++) {
      const robot = this.robots[r];
      if (robot.isStill && robot.current === null && robot.queue.length === 0) continue;
      robot.turned = 0;
      robot.deviation = 0;
      robot.changes.fill(0);
      robot.isStill = true;
      if (robot.isGone || (robot.current === null && !this.begin(r, robot))) continue;
      robot.isStill = false;
      const { current } = robot;
      if (robot.pieces.length > 0) this.follow(r, robot, dt);
      else if (robot.targets.length > 0) robot.avoiding!.target = robot.targets[0];
      else if (robot.wantedJoints !== null) this.moveJoints(robot, robot.wantedJoints, dt);
      else if (current !== null) {
        this.state[STATE * r + LEFT] -= dt;
        if (this.state[STATE * r + LEFT] <= 1e-12) this.finish(robot, 'done');
      }
    }
    this.avoiding.step(dt);
    for (let r = 0; r < this.robots.length; r++) {
      const robot = this.robots[r];
      if (robot.avoiding !== null && robot.targets.length > 0) this.arrive(r, robot, robot.avoiding, dt);
      if (!robot.isStill) this.arms.place(robot);
    }
  }

  /** Of a robot that avoids: the next target once it stands on this one. */
  private arrive(r: number, robot: RobotRecord, avoiding: AvoidingRobot, dt: number): void {
    robot.turned = Math.abs(avoiding.turned);
    avoiding.turned = 0;
    const { poses } = this.world;
    const p = robot.id * POSE_STRIDE;
    const [to] = robot.targets;
    if (poses[p] !== to[0] || poses[p + 1] !== to[1]) return;
    const speed = Math.sqrt(avoiding.vx * avoiding.vx + avoiding.vy * avoiding.vy);
    // It stands, if one step can brake what is left of its speed; else it comes by again.
    if (speed > avoiding.acceleration * dt * (1 + 1e-9)) return;
    avoiding.vx = 0;
    avoiding.vy = 0;
    avoiding.target = null;
    avoiding.stuckFor = 0;
    avoiding.nearest = Number.POSITIVE_INFINITY;
    robot.targets.shift();
    if (robot.targets.length > 0) return;
    if (robot.finalYaw !== null) {
      robot.pieces.push(...this.layWay(robot, [], robot.finalYaw));
      if (robot.pieces.length > 0) {
        this.startPiece(r, robot);
        return;
      }
    }
    if (robot.wantedJoints === null) this.finish(robot, 'done');
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
          this.goTo(robot, [action.to], action.to[2] ?? null);
          break;
        case 'path':
          this.goTo(robot, action.points, null);
          break;
        case 'wait':
        case 'charge':
          this.state[STATE * r + LEFT] = action.seconds;
          return true;
        case 'joints':
          if (!this.wantJoints(robot, action.values)) this.finish(robot, 'failed');
          break;
        case 'pose': {
          const answer = action.solve(poses[o], poses[o + 1], poses[o + 3], [...robot.joints]);
          const { base, joints } =
            answer !== null && 'length' in answer
              ? { base: answer, joints: undefined }
              : { base: answer?.base, joints: answer?.joints };
          if (answer === null || (joints !== undefined && !this.wantJoints(robot, joints)))
            this.finish(robot, 'failed');
          else if (base !== undefined) this.goTo(robot, [base], base[2]);
          break;
        }
        case 'pick':
          this.finish(robot, this.arms.take(robot, action.body, action.within) ? 'done' : 'failed');
          break;
        case 'drop':
          this.finish(robot, this.arms.drop(robot) ? 'done' : 'failed');
      }
      if (robot.pieces.length > 0) {
        this.startPiece(r, robot);
        return true;
      }
      if (robot.targets.length > 0 || robot.wantedJoints !== null) return true;
      if (robot.current !== null) this.finish(robot, 'done');
      else if (robot.avoiding !== null) robot.avoiding.radius = this.arms.radiusOf(robot);
    }
  }

  private wantJoints(robot: RobotRecord, values: readonly number[]): boolean {
    const { joints, description } = robot;
    if (values.length !== joints.length || !values.every(Number.isFinite)) return false;
    const { model } = description.arm ?? {};
    if (model !== undefined && !values.every((q, k) => q >= model.lower[k] && q <= model.upper[k])) return false;
    robot.wantedJoints = values;
    return true;
  }

  private goTo(robot: RobotRecord, points: readonly (readonly number[])[], yaw: number | null): void {
    if (robot.avoiding === null) {
      robot.pieces.push(...this.layWay(robot, points, yaw));
      return;
    }
    robot.targets.push(...points.map(([x, y]) => [x, y]));
    robot.finalYaw = yaw;
  }

  private layWay(robot: RobotRecord, points: readonly (readonly number[])[], yaw: number | null) {
    const { base, turningRadius = 1 } = robot.description;
    const o = robot.id * POSE_STRIDE;
    const { poses } = this.world;
    return layPieces({ base, turningRadius, from: [poses[o], poses[o + 1], poses[o + 3]], points, yaw });
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
    const { base, speed = 1, acceleration = 1, turnRate = 1, turningRadius = 1 } = robot.description;
    const o = STATE * r;
    const isTurning = state[o + TURNING] !== 0;
    const free = state[o + LENGTH] - state[o + ALONG] + state[o + AFTER];
    // On an arc the base turns as well: neither limit may be passed.
    let limit = isTurning ? turnRate : speed;
    if (!isTurning && state[o + CURVATURE] !== 0) limit = Math.min(speed, turnRate / Math.abs(state[o + CURVATURE]));
    brakingStep(travel, free, state[o + SPEED], limit, isTurning ? TURN_ACCELERATION : acceleration, dt, true);
    state[o + SPEED] = travel[1];
    // Turned, and off the even motion of its base, by no more than this.
    robot.turned = isTurning ? travel[0] : base === 'car' ? travel[0] / turningRadius : 0;
    if (!isTurning)
      robot.deviation = ((acceleration + (base === 'car' ? (speed * speed) / turningRadius : 0)) * dt * dt) / 8;
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
        if (robot.wantedJoints === null) this.finish(robot, 'done');
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

  /** All joints at their rate, each until it is there. */
  private moveJoints(robot: RobotRecord, values: readonly number[], dt: number): void {
    const { joints, changes, description } = robot;
    const most = (description.joints?.rate ?? 1) * dt;
    let isThere = true;
    for (let k = 0; k < joints.length; k++) {
      const before = joints[k];
      const d = values[k] - before;
      if (Math.abs(d) <= most) joints[k] = values[k];
      else {
        joints[k] += d > 0 ? most : -most;
        isThere = false;
      }
      changes[k] = Math.abs(joints[k] - before);
    }
    if (!isThere) return;
    robot.wantedJoints = null;
    this.finish(robot, 'done');
  }

  private finish(robot: RobotRecord, outcome: 'done' | 'failed'): void {
    const { current } = robot;
    robot.current = null;
    robot.pieces.length = 0;
    robot.targets.length = 0;
    robot.wantedJoints = null;
    robot.finalYaw = null;
    if (current !== null) this.tell(robot, current.type, outcome);
  }

  private tell(robot: RobotRecord, action: RobotAction['type'], outcome: ActionEvent['outcome']): void {
    if (this.listeners.length === 0) return;
    const event = { robot: robot.description.name, action, outcome, time: this.world.time };
    for (const listener of this.listeners) listener(event);
  }

  private record(call: string, robot: number): RobotRecord {
    const found = this.robots[robot];
    if (found === undefined || found.isGone)
      throw new MisuseError(
        `${call}: robot, got ${String(robot)}, expected a number from 0 to ${this.robots.length - 1}${found === undefined ? '' : ' that was not removed'}`,
      );
    return found;
  }
}

/** Of turns on the spot, radians per second squared. */
const TURN_ACCELERATION = 4;

export function createRobotFleet(world: FleetWorld): RobotFleet {
  if (!(world instanceof FleetWorld))
    throw new MisuseError(`createRobotFleet: world, got ${typeof world}, expected one of createFleetWorld`);
  return new RobotFleet(world);
}
