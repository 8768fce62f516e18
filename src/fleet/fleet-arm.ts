/**
 * An arm that stands on bases: one model and one set of link shapes, shared by all robots that have it.
 *
 * Method: forward kinematics of the model with its base placed on the robot's; a link's shape goes where its frame goes. How far a point of a
 * link can have moved when joints move: for each joint its change times its reach, the farthest that the link's shape can be from
 * the joint's axis: the sum of the offsets between the joints after it, their travel where they slide, and the shape's own radius.
 *
 *   reach   Float64Array joints x shapes   metres per radian (1 for joints that slide), 0 for links that a joint does not move
 *
 * Frames: link frames of the model; base frame of the robot. Units: metres, radians. Joints that mimic and those of more than one number are refused.
 * Tested by robot-arms.test.ts: no point of a link moves farther than the bound.
 */
import { boundShape } from '../geometry/aabb.js';
import type { Shape } from '../geometry/shapes.js';
import { forwardKinematics, updateFramePlacements } from '../kinematics/forward-kinematics.js';
import { isArrayOf, requireList, requireNumbers, requireObject, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, multiplyTransform, poseToTransform, type Transform } from '../math/transform.js';
import { createData, type Data, findLink, type Model, setBasePlacement } from '../model/model.js';

export interface ArmShape {
  readonly link: string;
  readonly shape: Shape;
  /** Pose of the shape in the link's frame; default: the frame itself. */
  readonly placement?: ArrayLike<number>;
}

export interface ArmDescription {
  readonly model: Model;
  readonly shapes: readonly ArmShape[];
  /** Pose of the model's base in the frame of the robot's base. */
  readonly mount?: ArrayLike<number>;
  /** What it picks goes along with this link. Default: the last of the model. */
  readonly gripper?: string;
}

const NO_PLACEMENT = [0, 0, 0, 0, 0, 0, 1];

export class FleetArm {
  readonly shapes: readonly Shape[];
  readonly names: readonly string[];
  readonly joints: number;
  /** The farthest that any point of it can be from the robot's own axis. */
  readonly radius: number;
  /** The same of the gripper's frame. */
  readonly gripperRadius: number;
  /** Where the last call of `place` put the shapes, and the gripper. */
  readonly placed: readonly Transform[];
  readonly gripper = createTransform();
  readonly reach: Float64Array;
  /** Of the gripper's frame, per joint: what a load of radius r adds is r. */
  readonly gripperReach: Float64Array;
  /** Frame of the model that carries. */
  readonly gripperFrame: number;
  /** Of the model's base in the robot's. */
  readonly mount: Transform;
  private readonly data: Data;
  private readonly links: Int32Array;
  private readonly placements: readonly Transform[];
  private readonly gripperLink: number;
  private readonly frame = createTransform();

  constructor(
    readonly model: Model,
    { shapes, mount = NO_PLACEMENT, gripper }: ArmDescription,
  ) {
    this.data = createData(model);
    this.mount = poseToTransform(createTransform(), mount);
    this.shapes = shapes.map(({ shape }) => shape);
    this.names = shapes.map(({ link }) => link);
    this.links = Int32Array.from(shapes, ({ link }) => findLink(model, link));
    this.placements = shapes.map(({ placement = NO_PLACEMENT }) => poseToTransform(createTransform(), placement));
    this.placed = shapes.map(() => createTransform());
    this.gripperLink = gripper === undefined ? model.linkCount - 1 : findLink(model, gripper);
    this.gripperFrame = model.linkFrames[this.gripperLink];
    this.joints = model.nq;
    this.reach = new Float64Array(model.nq * shapes.length);
    this.gripperReach = new Float64Array(model.nq);
    const radii = this.placements.map((X, k) => {
      const b = boundShape(new Float64Array(6), shapes[k].shape, X);
      return norm(Math.max(-b[0], b[3]), Math.max(-b[1], b[4]), Math.max(-b[2], b[5]));
    });
    let radius = 0;
    for (let k = 0; k < shapes.length; k++)
      radius = Math.max(
        radius,
        this.measureReaches(this.links[k], radii[k], (q, r) => {
          this.reach[q * shapes.length + k] = r;
        }),
      );
    this.gripperRadius = this.measureReaches(this.gripperLink, 0, (q, r) => {
      this.gripperReach[q] = r;
    });
    this.radius = radius;
  }

  /** Shapes and gripper in the world, of a robot whose base stands at `base`. */
  place(base: Transform, q: Float64Array): void {
    const { model, data, frame, placed, placements, links } = this;
    setBasePlacement(data, multiplyTransform(frame, base, this.mount));
    forwardKinematics(model, data, q);
    updateFramePlacements(model, data);
    for (let k = 0; k < placed.length; k++) multiplyTransform(placed[k], this.linkFrame(links[k]), placements[k]);
    this.gripper.set(this.linkFrame(this.gripperLink));
  }

  private linkFrame(link: number): Transform {
    const o = 12 * this.model.linkFrames[link];
    return this.data.framePlacements.subarray(o, o + 12);
  }

  /** Calls with each joint that moves the link; returns how far the link's shape can be from the robot's axis. */
  private measureReaches(link: number, radius: number, tell: (q: number, reach: number) => void): number {
    const { model, mount } = this;
    const f = 12 * model.linkFrames[link];
    const offset = (list: Float64Array, o: number) => norm(list[o + 9], list[o + 10], list[o + 11]);
    let far = radius + offset(model.framePlacements, f);
    let joint = model.linkJoints[link];
    while (joint > 0) {
      const q = model.idxQ[joint];
      const slides = model.jointDescriptions[joint]?.type === 'prismatic';
      tell(q, slides ? 1 : far);
      if (slides) far += Math.max(Math.abs(model.lower[q]), Math.abs(model.upper[q]));
      far += offset(model.placements, 12 * joint);
      joint = model.parents[joint];
    }
    return far + offset(mount, 0);
  }
}

function norm(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

const JOINT_TYPES: readonly string[] = ['revolute', 'continuous', 'prismatic'];

/** Throws where the model has joints of several numbers or that mimic, or shapes name links that it lacks. */
export function createFleetArm(description: ArmDescription): FleetArm {
  const call = 'createFleetArm';
  requireObject(call, 'description', description);
  const { model, shapes, mount, gripper } = description;
  requireObject(call, 'description.model', model, 'a model of buildModel');
  if (!isArrayOf(model.linkNames)) throwMisuse(call, 'description.model', model, 'a model of buildModel');
  requireList(call, 'description.shapes', shapes);
  if (mount !== undefined) requireNumbers(call, 'description.mount', mount, 7);
  for (let j = 1; j < model.jointCount; j++) {
    const type = model.jointDescriptions[j]?.type ?? 'root';
    if (model.nqs[j] !== 1 || model.nvs[j] !== 1 || !JOINT_TYPES.includes(type))
      throw new MisuseError(
        `${call}: joint "${model.jointNames[j]}", got ${type} of ${model.nqs[j]} numbers, expected one that turns or slides, with a number of its own`,
      );
  }
  const requireLink = (what: string, name: string) => {
    if (!model.linkIndex.has(name)) throw new MisuseError(`${call}: ${what}, got "${name}", expected a link`);
  };
  shapes.forEach((entry, k) => {
    requireObject(call, `description.shapes[${k}]`, entry);
    requireLink(`shapes[${k}].link`, entry.link);
    if (entry.placement !== undefined) requireNumbers(call, `description.shapes[${k}].placement`, entry.placement, 7);
  });
  if (gripper !== undefined) requireLink('gripper', gripper);
  return new FleetArm(model, description);
}
