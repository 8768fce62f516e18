/**
 * What goes along with a base: the links of its arm, and the load that it carries.
 *
 * Method: fleet-arm.ts places the links from the base's pose and the joints; a load keeps its place in the gripper's frame, or in the base's
 * where there is no arm. Upright loads stay upright: they take the frame's position and its yaw alone. All are one group, which the world never
 * compares within. Units: metres, radians. Cost: one pass of forward kinematics per arm that moved. Tested by robot-arms.test.ts.
 */

import { atan2 } from '../math/scalar.js';
import { createTransform, invertTransform, multiplyTransform, type Transform } from '../math/transform.js';
import type { FleetWorld } from './fleet-world.js';
import { POSE_STRIDE, SHAPE_STRIDE, SOLID } from './footprint.js';
import type { RobotRecord } from './robot-record.js';

export class RobotArms {
  private readonly base = createTransform();
  private readonly place1 = createTransform();
  private readonly place2 = createTransform();

  constructor(
    private readonly world: FleetWorld,
    /** Robot of each body. */
    private readonly byBody: Map<number, number>,
  ) {}

  add(robot: number, record: RobotRecord): void {
    const { arm, name, pose } = record.description;
    if (arm === undefined) return;
    const { world } = this;
    this.joinGroup(record, record.id);
    const seen = new Map<string, number>();
    arm.shapes.forEach((shape, k) => {
      const times = seen.get(arm.names[k]) ?? 0;
      seen.set(arm.names[k], times + 1);
      const id = world.addBody({
        name: `${name}/${arm.names[k]}${times === 0 ? '' : `#${times + 1}`}`,
        shape: { type: 'solid', shape },
        pose,
      });
      world.setGroup(id, record.group);
      record.links.push(id);
      this.byBody.set(id, robot);
    });
    this.place(record);
  }

  /** Links and load where base and joints say. */
  place(record: RobotRecord): void {
    const { arm } = record.description;
    if (arm === undefined && record.load < 0) return;
    this.placeFrame(record);
    if (arm !== undefined)
      for (let k = 0; k < record.links.length; k++) this.world.setTransform(record.links[k], arm.placed[k]);
    if (record.load >= 0) this.carry(record);
  }

  /** Takes up a body; false where there is none, it is too far, or another robot's. */
  take(record: RobotRecord, name: string, within: number | undefined): boolean {
    const { world } = this;
    const body = world.find(name);
    if (body < 0 || record.load >= 0 || body === record.id || world.groupOf(body) !== 0 || this.byBody.has(body))
      return false;
    const frame = this.placeFrame(record);
    const load = this.frameOf(body, this.place1);
    const [dx, dy, dz] = [load[9] - frame[9], load[10] - frame[10], load[11] - frame[11]];
    if (within !== undefined && dx * dx + dy * dy + dz * dz > within * within) return false;
    multiplyTransform(record.grip, invertTransform(this.place2, frame), load);
    record.load = body;
    this.measureLoad(record);
    this.joinGroup(record, body);
    this.byBody.set(body, this.byBody.get(record.id)!);
    return true;
  }

  drop(record: RobotRecord): boolean {
    if (record.load < 0) return false;
    this.world.setGroup(record.load, 0);
    this.byBody.delete(record.load);
    record.load = -1;
    record.loadRadius = 0;
    return true;
  }

  /** After `restore`: groups and owners as they were. */
  readBack(record: RobotRecord): void {
    if (record.load < 0) return;
    this.measureLoad(record);
    this.joinGroup(record, record.load);
    this.byBody.set(record.load, this.byBody.get(record.id)!);
  }

  /** Of everything on the base, about its axis, however the joints stand. */
  radiusOf(record: RobotRecord): number {
    const { arm } = record.description;
    const around = this.reachOf(record.id);
    const load = record.load < 0 ? 0 : (arm?.gripperRadius ?? 0) + record.loadRadius;
    return Math.max(around, arm?.radius ?? 0, load);
  }

  /** How far any point of the body may have left the even motion of the base in the last step, by turning and joints. */
  boundOf(record: RobotRecord, id: number): number {
    const { turned, changes, links } = record;
    const { arm } = record.description;
    if (id === record.id) return this.isRound(id) ? 0 : turned * this.reachOf(id);
    if (id === record.load) {
      let bound = turned * ((arm?.gripperRadius ?? 0) + record.loadRadius);
      if (arm !== undefined)
        for (let q = 0; q < changes.length; q++)
          if (changes[q] > 0) bound += changes[q] * (arm.gripperReach[q] + record.loadRadius);
      return bound;
    }
    const k = links.indexOf(id);
    let bound = turned * arm!.radius;
    for (let q = 0; q < changes.length; q++) if (changes[q] > 0) bound += changes[q] * arm!.reach[q * links.length + k];
    return bound;
  }

  private joinGroup(record: RobotRecord, id: number): void {
    const { world } = this;
    if (record.group === 0) {
      record.group = world.createGroup();
      world.setGroup(record.id, record.group);
    }
    world.setGroup(id, record.group);
  }

  /** The frame that carries: the gripper's, or the base's. */
  private placeFrame(record: RobotRecord): Transform {
    const { arm } = record.description;
    this.frameOf(record.id, this.base);
    if (arm === undefined) return this.base;
    arm.place(this.base, record.joints);
    return arm.gripper;
  }

  private carry(record: RobotRecord): void {
    const { world } = this;
    const { arm } = record.description;
    const X = multiplyTransform(this.place1, arm === undefined ? this.base : arm.gripper, record.grip);
    if (world.shapes[record.load * SHAPE_STRIDE] === SOLID) world.setTransform(record.load, X);
    else world.setPose(record.load, X[9], X[10], X[11], atan2(X[3], X[0]));
  }

  private measureLoad(record: RobotRecord): void {
    const { grip } = record;
    const away = Math.sqrt(grip[9] * grip[9] + grip[10] * grip[10] + grip[11] * grip[11]);
    record.loadRadius = away + this.extentOf(record.load);
  }

  private frameOf(id: number, out: Transform): Transform {
    const solid = this.world.solids.find(id);
    if (solid !== undefined) {
      out.set(solid.transform);
      return out;
    }
    const { poses } = this.world;
    const o = id * POSE_STRIDE;
    out.set([
      poses[o + 4],
      -poses[o + 5],
      0,
      poses[o + 5],
      poses[o + 4],
      0,
      0,
      0,
      1,
      poses[o],
      poses[o + 1],
      poses[o + 2],
    ]);
    return out;
  }

  private isRound(id: number): boolean {
    const { shapes, solids } = this.world;
    return solids.find(id) === undefined && shapes[id * SHAPE_STRIDE] !== 1;
  }

  /** Farthest point of a body from the axis through its frame. */
  private reachOf(id: number): number {
    const { shapes, solids } = this.world;
    return solids.find(id) === undefined ? shapes[id * SHAPE_STRIDE + 5] : this.extentOf(id);
  }

  /** Farthest point of a body from the origin of its frame. */
  private extentOf(id: number): number {
    const { shapes, solids } = this.world;
    const solid = solids.find(id);
    if (solid !== undefined) {
      const { center, boundingRadius } = solid.collider;
      return Math.sqrt(center[0] * center[0] + center[1] * center[1] + center[2] * center[2]) + boundingRadius;
    }
    const s = id * SHAPE_STRIDE;
    const high = Math.max(Math.abs(shapes[s + 3]), Math.abs(shapes[s + 4]));
    return Math.sqrt(shapes[s + 5] * shapes[s + 5] + high * high);
  }
}
