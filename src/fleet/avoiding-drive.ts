/**
 * Robots that drive freely and keep clear of each other: each proposes a velocity by velocity obstacles, and takes it only if it can still stop.
 *
 * Method: the tube of a robot is what it covers when it goes one step with its velocity and then brakes on a line: a segment with its radius.
 * 1. velocity-obstacles.ts proposes a velocity, cut to what the acceleration (and, of differential bases, the turn rate) allows.
 * 2. It is taken if its tube is clear of the present tubes of all others and of static bodies; else half of it; else the robot brakes on the line it
 *    is on, which never leaves its old tube.
 * So tubes stay apart for good: robots that begin apart and at rest never touch, however late, stopped or in the way the others are. Nobody
 * promises that they arrive: who yields for ever is told by `stuckFor`.
 * Source: van den Berg et al. 2011 (velocity-obstacles.ts); a robot that can stop before whatever others do is what Fraichard 2007, "A short paper
 * about motion safety", ICRA, calls passive safety.
 * Velocities are constant within a step and change by at most acceleration times dt between steps, so that motion is even and proofs are exact.
 * Bodies that others move count as they stood after the last step: nothing is promised of them.
 * Units: metres, seconds. Cost: O(robots x neighbours) per step. Tested by avoiding-drive.test.ts.
 */
import { atan2, cos, sin } from '../math/scalar.js';
import { CellGrid } from './cell-grid.js';
import { shortTurn } from './drive-pieces.js';
import type { FleetWorld } from './fleet-world.js';
import { BOX_STRIDE, POSE_STRIDE } from './footprint.js';
import { distanceSegmentRectangle, distanceSegments } from './plane-gaps.js';
import { VelocityChooser } from './velocity-obstacles.js';

export interface AvoidingRobot {
  readonly id: number;
  /** Of everything on it, about its axis. */
  radius: number;
  readonly speed: number;
  readonly acceleration: number;
  readonly turnRate: number;
  readonly isDifferential: boolean;
  vx: number;
  vy: number;
  /** Where it goes; null: it stays, or brakes. */
  target: readonly number[] | null;
  /** Seconds without coming nearer to its target. */
  stuckFor: number;
  nearest: number;
  /** Of the last step, radians. */
  turned: number;
}

/** Seconds ahead. */
const HORIZON = 3;
/** Rounding never decides whether tubes touch. */
const SKIN = 1e-6;
const MOST_NEIGHBOURS = 12;
/** Who keeps a little to the right does not stand before another for ever. */
const RIGHT_COS = 0.995;
const RIGHT_SIN = 0.0998;
const TUBE = 4;

export class AvoidingDrive {
  private readonly robots: AvoidingRobot[] = [];
  private readonly byId = new Map<number, AvoidingRobot>();
  private boxes = new Float64Array(0);
  private tubes = new Float64Array(0);
  private starts = new Float64Array(0);
  private isPlaced = new Uint8Array(0);
  private grid: CellGrid | null = null;
  private readonly chooser = new VelocityChooser();
  private readonly near: { id: number; gap: number }[] = [];
  /** Groups of the robots: their links and loads are within their radii. */
  readonly groups = new Set<number>();

  constructor(private readonly world: FleetWorld) {}

  get list(): readonly AvoidingRobot[] {
    return this.robots;
  }

  add(robot: AvoidingRobot): void {
    this.robots.push(robot);
    this.byId.set(robot.id, robot);
    // Cells of a size that fits the new one too.
    this.grid = null;
  }

  remove(id: number): void {
    const k = this.robots.findIndex((robot) => robot.id === id);
    if (k < 0) return;
    this.robots.splice(k, 1);
    this.byId.delete(id);
    this.grid = null;
  }

  step(dt: number): void {
    if (this.robots.length === 0) return;
    this.placeAll(dt);
    for (const robot of this.robots)
      if (robot.target !== null || robot.vx !== 0 || robot.vy !== 0) this.decide(robot, dt);
    for (const robot of this.robots) this.move(robot, dt);
  }

  /** Boxes of everything, tubes of the robots if all brake now. */
  private placeAll(dt: number): void {
    const { world } = this;
    const capacity = world.poses.length / POSE_STRIDE;
    if (this.grid === null || this.isPlaced.length < capacity) this.makeGrid(capacity);
    const grid = this.grid!;
    for (const robot of this.robots) {
      const p = robot.id * POSE_STRIDE;
      this.starts[2 * robot.id] = world.poses[p];
      this.starts[2 * robot.id + 1] = world.poses[p + 1];
      const speed = norm(robot.vx, robot.vy);
      const slower = Math.max(0, speed - robot.acceleration * dt);
      this.writeTube(
        robot,
        speed > 0 ? (robot.vx * slower) / speed : 0,
        speed > 0 ? (robot.vy * slower) / speed : 0,
        dt,
      );
    }
    for (let id = 0; id < world.bodyCount; id++) {
      if (this.byId.has(id)) continue;
      const isThere = world.isPresent(id);
      if (!isThere && this.isPlaced[id] !== 0) grid.displace(id);
      else if (isThere) {
        const o = id * BOX_STRIDE;
        let isSame = this.isPlaced[id] !== 0;
        for (let k = o; k < o + BOX_STRIDE; k++) {
          if (this.boxes[k] !== world.boxes[k]) isSame = false;
          this.boxes[k] = world.boxes[k];
        }
        if (!isSame) this.enter(id);
      }
      this.isPlaced[id] = isThere ? 1 : 0;
    }
  }

  private makeGrid(capacity: number): void {
    let widest = 0.5;
    for (const { radius, speed } of this.robots) widest = Math.max(widest, 2 * radius + speed);
    const grow = (old: Float64Array, size: number) => {
      const grown = new Float64Array(size);
      grown.set(old.subarray(0, Math.min(size, old.length)));
      return grown;
    };
    this.boxes = grow(this.boxes, capacity * BOX_STRIDE);
    this.tubes = grow(this.tubes, capacity * TUBE);
    this.starts = grow(this.starts, capacity * 2);
    this.isPlaced = new Uint8Array(capacity);
    this.grid = new CellGrid(widest, 1.5, this.boxes);
    this.grid.reserve(capacity, this.boxes);
  }

  private enter(id: number): void {
    if (this.isPlaced[id] === 0) this.grid!.place(id);
    else this.grid!.shift(id);
    this.isPlaced[id] = 1;
  }

  private writeTube(robot: AvoidingRobot, vx: number, vy: number, dt: number): void {
    const { tubes, starts, boxes } = this;
    const { id, radius } = robot;
    const speed = norm(vx, vy);
    const length = speed > 0 ? stopLength(speed, robot.acceleration, dt) / speed : 0;
    const o = TUBE * id;
    tubes[o] = starts[2 * id];
    tubes[o + 1] = starts[2 * id + 1];
    tubes[o + 2] = tubes[o] + vx * length;
    tubes[o + 3] = tubes[o + 1] + vy * length;
    const b = id * BOX_STRIDE;
    const r = radius + SKIN;
    boxes[b] = Math.min(tubes[o], tubes[o + 2]) - r;
    boxes[b + 1] = Math.min(tubes[o + 1], tubes[o + 3]) - r;
    boxes[b + 3] = Math.max(tubes[o], tubes[o + 2]) + r;
    boxes[b + 4] = Math.max(tubes[o + 1], tubes[o + 3]) + r;
    this.enter(id);
  }

  private decide(robot: AvoidingRobot, dt: number): void {
    const { world, chooser } = this;
    const { id, acceleration } = robot;
    let [wishX, wishY] = this.wish(robot, dt);
    this.findNear(robot, dt);
    chooser.begin();
    if (this.near.some(({ gap }) => gap < 2 * robot.radius + robot.speed) && !this.isNearTarget(robot))
      [wishX, wishY] = [RIGHT_COS * wishX + RIGHT_SIN * wishY, RIGHT_COS * wishY - RIGHT_SIN * wishX];
    const [x, y] = [this.starts[2 * id], this.starts[2 * id + 1]];
    for (let k = 0; k < this.near.length && k < MOST_NEIGHBOURS; k++) {
      const other = this.byId.get(this.near[k].id);
      if (other !== undefined) {
        const [ox, oy] = [this.starts[2 * other.id], this.starts[2 * other.id + 1]];
        // Who is home or stands still by order does not make way.
        const share = other.target === null ? 1 : 0.5;
        chooser.add(
          ox - x,
          oy - y,
          robot.vx - other.vx,
          robot.vy - other.vy,
          robot.radius + other.radius + 10 * SKIN,
          robot.vx,
          robot.vy,
          share,
          HORIZON,
        );
      } else {
        const b = this.near[k].id * BOX_STRIDE;
        const cx = Math.min(Math.max(x, world.boxes[b]), world.boxes[b + 3]);
        const cy = Math.min(Math.max(y, world.boxes[b + 1]), world.boxes[b + 4]);
        chooser.add(cx - x, cy - y, robot.vx, robot.vy, robot.radius + 10 * SKIN, robot.vx, robot.vy, 1, 1);
      }
    }
    chooser.choose(wishX, wishY, robot.speed);
    let [vx, vy] = [chooser.x, chooser.y];
    robot.turned = 0;
    if (robot.isDifferential) [vx, vy] = this.steer(robot, vx, vy, dt);
    else {
      const change = norm(vx - robot.vx, vy - robot.vy);
      const scale = change > acceleration * dt ? (acceleration * dt) / change : 1;
      [vx, vy] = [robot.vx + scale * (vx - robot.vx), robot.vy + scale * (vy - robot.vy)];
    }
    const before = norm(robot.vx, robot.vy);
    for (const part of [1, 0.5, 0.1]) {
      const [px, py] = [part * vx, part * vy];
      const isAllowed = robot.isDifferential
        ? Math.abs(norm(px, py) - before) <= acceleration * dt * (1 + 1e-12)
        : norm(px - robot.vx, py - robot.vy) <= acceleration * dt * (1 + 1e-12);
      if (!isAllowed) break;
      this.writeTube(robot, px, py, dt);
      if (!this.isClear(robot)) continue;
      robot.vx = px;
      robot.vy = py;
      return;
    }
    // Brake on the line.
    const slower = Math.max(0, before - acceleration * dt);
    robot.turned = 0;
    robot.vx = before > 0 ? (robot.vx * slower) / before : 0;
    robot.vy = before > 0 ? (robot.vy * slower) / before : 0;
    this.writeTube(robot, robot.vx, robot.vy, dt);
  }

  /** Straight to the target, as fast as it can still stop there. */
  private wish(robot: AvoidingRobot, dt: number): [number, number] {
    if (robot.target === null) return [0, 0];
    const { id, acceleration } = robot;
    const dx = robot.target[0] - this.starts[2 * id];
    const dy = robot.target[1] - this.starts[2 * id + 1];
    const d = norm(dx, dy);
    if (d < robot.nearest - 1e-3) {
      robot.nearest = d;
      robot.stuckFor = 0;
    } else robot.stuckFor += dt;
    if (d === 0) return [0, 0];
    const most = acceleration * dt;
    const n = Math.max(1, Math.ceil((Math.sqrt(1 + (8 * d) / (most * dt)) - 1) / 2));
    const speed = Math.min(robot.speed, (d / dt + (most * n * (n - 1)) / 2) / n) / d;
    return [dx * speed, dy * speed];
  }

  private isNearTarget({ id, target, radius }: AvoidingRobot): boolean {
    if (target === null) return true;
    return norm(target[0] - this.starts[2 * id], target[1] - this.starts[2 * id + 1]) < 2 * radius;
  }

  /** Turns towards the wished velocity, and drives as much of it as lies ahead. */
  private steer(robot: AvoidingRobot, vx: number, vy: number, dt: number): [number, number] {
    const { world } = this;
    const most = robot.acceleration * dt;
    const speed = norm(robot.vx, robot.vy);
    const yaw = world.poses[robot.id * POSE_STRIDE + 3];
    const wished = norm(vx, vy);
    let turn = wished > 1e-9 ? shortTurn(atan2(vy, vx) - yaw) : 0;
    const rest = Math.abs(turn);
    turn = Math.min(robot.turnRate * dt, Math.max(-robot.turnRate * dt, turn));
    const left = rest - Math.abs(turn);
    const ahead = left < 1e-9 ? wished : left > 1 ? 0 : wished * Math.max(0, cos(left));
    const next = Math.min(speed + most, Math.max(speed - most, 0, ahead));
    robot.turned = turn;
    // Straight ahead exactly, so that a line to the target stays one.
    if (left < 1e-9 && wished > 1e-9) return [(vx * next) / wished, (vy * next) / wished];
    const to = yaw + turn;
    return [next * cos(to), next * sin(to)];
  }

  /** Who may come near, the nearest first. */
  private findNear(robot: AvoidingRobot, dt: number): void {
    const { boxes, near, world } = this;
    const { id } = robot;
    const range =
      robot.radius + Math.max(robot.speed, stopLength(robot.speed + robot.acceleration * dt, robot.acceleration, dt));
    const b = id * BOX_STRIDE;
    const [x, y] = [this.starts[2 * id], this.starts[2 * id + 1]];
    boxes[b] = x - range;
    boxes[b + 1] = y - range;
    boxes[b + 3] = x + range;
    boxes[b + 4] = y + range;
    this.enter(id);
    const count = this.grid!.collect(id, world.bodyCount);
    const { found } = this.grid!;
    near.length = 0;
    for (let k = 0; k < count; k++) {
      const j = found[k];
      if (!this.byId.has(j)) {
        if (this.groups.has(world.groupOf(j))) continue;
        const w = j * BOX_STRIDE;
        const cx = Math.min(Math.max(x, boxes[w]), boxes[w + 3]) - x;
        const cy = Math.min(Math.max(y, boxes[w + 1]), boxes[w + 4]) - y;
        near.push({ id: j, gap: norm(cx, cy) });
      } else
        near.push({
          id: j,
          gap: norm(this.starts[2 * j] - x, this.starts[2 * j + 1] - y) - this.byId.get(j)!.radius,
        });
    }
    near.sort((a, c) => a.gap - c.gap || a.id - c.id);
  }

  /** Whether the robot's tube is apart from those of all that `findNear` found. */
  private isClear(robot: AvoidingRobot): boolean {
    const { tubes, near, world } = this;
    const o = TUBE * robot.id;
    for (const { id } of near) {
      const other = this.byId.get(id);
      if (other === undefined) {
        if (distanceSegmentRectangle(tubes, o, world.boxes, id * BOX_STRIDE) <= robot.radius + SKIN) return false;
      } else if (distanceSegments(tubes, o, TUBE * id) <= robot.radius + other.radius + SKIN) return false;
    }
    return true;
  }

  private move(robot: AvoidingRobot, dt: number): void {
    const { world } = this;
    const { id, target } = robot;
    const [x, y] = [this.starts[2 * id], this.starts[2 * id + 1]];
    if (robot.vx === 0 && robot.vy === 0 && robot.turned === 0) return;
    const p = id * POSE_STRIDE;
    let [toX, toY] = [x + robot.vx * dt, y + robot.vy * dt];
    // What is rounding before the target is the target.
    if (target !== null && norm(target[0] - toX, target[1] - toY) < 1e-9) [toX, toY] = [target[0], target[1]];
    world.setPose(id, toX, toY, world.poses[p + 2], world.poses[p + 3] + robot.turned);
  }
}

/** Of one step with this velocity and steps that brake after it. */
function stopLength(speed: number, acceleration: number, dt: number): number {
  const most = acceleration * dt;
  const n = Math.ceil(speed / most);
  return dt * (n * speed - (most * n * (n - 1)) / 2);
}

function norm(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
