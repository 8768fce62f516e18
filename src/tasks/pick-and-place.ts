/**
 * Takes an object where it stands and puts it where it shall be: all legs of it in one call, each free at every time, each timed.
 *
 * Method: for one grasp after the other, until all legs are found: 1. move to before the grasp (planGroup, the pose by inverse kinematics); 2. approach
 * along a straight line, the tool's orientation held (planConstrained); 3. close; 4. take hold: the object moves with the tool; 5. lift along a
 * straight line; 6. move to above the place; 7. lower; 8. let go; 9. open, and leave along the line it came by. While it approaches, holds and leaves, the touching
 * links may touch the object; while it lifts and lowers, the object may touch its supports. Nothing else may touch anything, at any time.
 * A line is held within `deviation` between states; a timed leg takes corners within it, too.
 * Units: metres, radians, seconds. Ends: `solved`, or `failed` with the leg and the reason, with the legs so far. The scene stays as it is; `place` is
 * where the object stands afterwards. Tested by test/contract/pick-and-place.test.ts and examples/pick-and-place.mjs.
 */
import {
  type Fields,
  isArrayOf,
  requireFields,
  requireList,
  requireObject,
  requirePositive,
  requireSeed,
  requireText,
  requireTexts,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { requireKnownKeys } from '../math/known-keys.js';
import { createTransform, multiplyTransform, type Pose, type Transform } from '../math/transform.js';
import { findFrame } from '../model/model.js';
import { configurationFromNamed } from '../model/named-configuration.js';
import { attachObject, detachObject } from '../scene/attach.js';
import { certifyPath } from '../scene/motion/certify-path.js';
import { setConfiguration } from '../scene/robot.js';
import { readPlacement, requireOpen, requireRobot } from '../scene/scene-door.js';
import { restoreScene, saveScene } from '../scene/transfer/snapshot.js';
import type { Scene, SceneObject, SceneRobot } from '../scene/types.js';
import { findGroupTip, type NamedValues } from '../semantics/named-states.js';
import { joinTrajectories } from '../trajectory/joined-trajectory.js';
import { createLimits, type LimitOptions } from '../trajectory/limits.js';
import type { Trajectory } from '../trajectory/trajectory.js';
import type { GroupState } from './group-states.js';
import { planGroup } from './plan-group.js';
import { planLine } from './plan-line.js';
import { type TimedMotion, timePath } from './time-path.js';

export interface Grasp {
  /** X_OT: the tool in the object. */
  readonly pose: Pose | Transform;
  /** Name in the answer; default its number. */
  readonly name?: string;
}

export interface PickAndPlaceRequest {
  readonly group: string;
  /** Name of a free object of the scene. */
  readonly object: string;
  /** Any of them will do. */
  readonly grasps: readonly Grasp[];
  /** X_WO: where the object shall stand. */
  readonly place: Pose | Transform;
  /** A link; default: the group's tip. */
  readonly tool?: string;
  /** Default: the robot's configuration now. */
  readonly start?: GroupState;
  /** From before the grasp to the grasp, in the tool's axes, metres; default 0.1 along its z. */
  readonly approach?: readonly number[];
  /** Of the lifted object, in the world, metres; default 0.05 up. */
  readonly lift?: readonly number[];
  /** Joint values of the gripper; without them it does not move. */
  readonly open?: NamedValues;
  readonly closed?: NamedValues;
  /** Links that may touch the object while it is taken, held and let go; default: the tool's own. */
  readonly touchLinks?: readonly string[];
  /** Objects that it may touch while it is lifted and lowered: what it stands on. */
  readonly supports?: readonly string[];
  /** Most that the lines are left by; default 1e-3. */
  readonly deviation?: number;
  /** Limits of all motions. */
  readonly limits: LimitOptions;
  /** Default 1. */
  readonly seed?: number;
}

export interface PickLeg {
  readonly name: string;
  readonly path: readonly Float64Array[];
  /** Free at every time, by the exact shapes. */
  readonly certified: boolean;
  readonly motion: TimedMotion;
  /** The object moves with the tool. */
  readonly holds: boolean;
}

export interface PickAndPlacePlan {
  readonly status: 'solved' | 'failed';
  readonly reason: string;
  readonly grasp: string | null;
  /** Of the grasp that came farthest. */
  readonly legs: readonly PickLeg[];
  /** All legs, one after the other; null unless solved. */
  readonly trajectory: Trajectory | null;
  /** X_WO at the end; null unless solved. */
  readonly place: Transform | null;
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

const CALL = 'pickAndPlace';
const REQUEST: Fields = {
  group: requireText,
  object: requireText,
  grasps: requireGrasps,
  place: unchecked,
  tool: requireText,
  start: unchecked,
  approach: requireTriple,
  lift: requireTriple,
  open: requireObject,
  closed: requireObject,
  touchLinks: requireTexts,
  supports: requireTexts,
  deviation: requirePositive,
  limits: requireObject,
  seed: (call, _what, value) => requireSeed(call, value),
};
const LIMITS = ['velocity', 'acceleration', 'jerk', 'torque', 'followers'];
const TRIES = 4;
const DEFAULT_DEVIATION = 1e-3;

export function pickAndPlace(scene: Scene, robot: SceneRobot, request: PickAndPlaceRequest): PickAndPlacePlan {
  requireOpen(scene, CALL);
  requireRobot(CALL, robot);
  requireFields(CALL, 'request', request, REQUEST);
  requireGrasps(CALL, 'request.grasps', request.grasps);
  requireKnownKeys(CALL, 'request.limits', request.limits, LIMITS);
  const object = scene.objects.get(request.object);
  if (!object || object.attachment) throwMisuse(CALL, 'object', request.object, 'the name of a free object');
  const { grasps, seed = 1 } = request;
  if (grasps.length === 0) throwMisuse(CALL, 'grasps', grasps, 'at least one');
  let best: PickAndPlacePlan | null = null;
  for (const [i, grasp] of grasps.entries())
    for (let k = 0; k < TRIES; k++) {
      const task = new PickTask(scene, robot, object!, request, grasp, seed + 1000 * k);
      const name = grasp.name ?? String(i);
      const plan = task.run(name);
      if (plan.status === 'solved') return plan;
      if (!best || plan.legs.length > best.legs.length) best = plan;
    }
  return best!;
}

class LegError extends Error {}

class PickTask {
  private readonly legs: PickLeg[] = [];
  private readonly assumed = new Set<string>();
  private complete = true;
  private readonly tool: string;
  private readonly frame: number;
  private q: Float64Array;
  private readonly limits: ReturnType<typeof createLimits>;
  private readonly lift: readonly number[];
  private readonly approach: readonly number[];
  private readonly touchLinks: readonly string[];
  private holds = false;

  constructor(
    private readonly scene: Scene,
    private readonly robot: SceneRobot,
    private readonly object: SceneObject,
    private readonly request: PickAndPlaceRequest,
    private readonly grasp: Grasp,
    private readonly seed: number,
  ) {
    const { model, semantic, description } = robot;
    const tool = request.tool ?? findGroupTip(semantic, description, request.group);
    this.frame = tool === null ? -1 : findFrame(model, tool);
    if (this.frame < 0) throwMisuse(CALL, 'tool', tool, 'a link of the robot');
    this.tool = tool!;
    this.limits = createLimits(model, request.limits);
    this.lift = request.lift ?? [0, 0, 0.05];
    this.approach = request.approach ?? [0, 0, 0.1];
    this.touchLinks = request.touchLinks ?? [];
    this.q = robot.q.slice();
  }

  run(grasp: string): PickAndPlacePlan {
    const { scene, robot, object, request } = this;
    const before = saveScene(scene);
    const allowed: (readonly [string, string])[] = [];
    try {
      const X_OT = createTransform();
      readPlacement(X_OT, CALL, this.grasp.pose);
      const target = createTransform();
      readPlacement(target, CALL, request.place);
      const X_WT = multiplyTransform(createTransform(), object.body.worldPlacement, X_OT);
      const put = multiplyTransform(createTransform(), target, X_OT);
      const X_TB = createTransform();
      for (let i = 0; i < 3; i++) X_TB[9 + i] = -this.approach[i];
      const behind = (X: Transform): Transform => multiplyTransform(createTransform(), X, X_TB);
      this.q = request.start === undefined ? this.q : this.readStart(request.start);
      if (request.open) this.q = configurationFromNamed(robot.model, request.open as Record<string, number>, this.q);
      this.move('move', behind(X_WT));
      this.allow(allowed, this.touchLinks);
      this.line('approach', X_WT);
      this.moveGripper('close', request.closed);
      this.hold();
      this.allow(allowed, request.supports ?? []);
      this.line('lift', this.raised(X_WT));
      this.forbid(allowed, request.supports ?? []);
      this.move('transfer', this.raised(put));
      this.allow(allowed, request.supports ?? []);
      this.line('lower', put);
      const place = this.letGo();
      this.moveGripper('open', request.open);
      this.line('leave', behind(put));
      const trajectory = joinTrajectories(this.legs.map(({ motion }) => motion.trajectory!));
      return { ...this.describe('solved', '', grasp), trajectory, place };
    } catch (error) {
      if (!(error instanceof LegError)) throw error;
      return this.describe('failed', error.message, grasp);
    } finally {
      this.forbid(allowed, [...this.touchLinks, ...(request.supports ?? [])]);
      restoreScene(scene, before);
    }
  }

  private describe(status: PickAndPlacePlan['status'], reason: string, grasp: string): PickAndPlacePlan {
    const { complete } = this;
    const fixed = { trajectory: null, place: null, complete, assumed: [...this.assumed] };
    return { status, reason, grasp, legs: [...this.legs], ...fixed };
  }

  private readStart(start: GroupState): Float64Array {
    const plan = planGroup(this.scene, this.robot, { group: this.request.group, start, goal: start });
    return plan.start.slice();
  }

  private raised(X: Transform): Transform {
    const out = X.slice();
    for (let i = 0; i < 3; i++) out[9 + i] += this.lift[i];
    return out;
  }

  /** Anywhere, to a pose of the tool. */
  private move(name: string, pose: Transform): void {
    const { group, limits } = this.request;
    const { tool, seed, scene, robot } = this;
    const goal = { frame: tool, pose };
    const plan = planGroup(scene, robot, { group, start: this.q, goal, seed, timed: { ...limits, corners: 'blend' } });
    if (plan.status !== 'solved') throw new LegError(`${name}: ${plan.status}, ${plan.reason}`);
    this.take(name, plan.path, plan.certified, plan.motion!, plan);
  }

  private line(name: string, pose: Transform): void {
    const { scene, robot, tool, request, q, seed } = this;
    const { group, deviation = DEFAULT_DEVIATION } = request;
    const plan = planLine(scene, robot, { group, frame: tool, from: q, pose, deviation, seed });
    if (plan.status !== 'solved') throw new LegError(`${name}: ${plan.reason}`);
    this.take(name, plan.path, plan.certified, this.time(name, plan.path, deviation), plan);
  }

  private moveGripper(name: string, values: NamedValues | undefined): void {
    if (!values) return;
    const { scene, robot, q } = this;
    const end = configurationFromNamed(robot.model, values as Record<string, number>, q);
    if (end.every((x, i) => x === q[i])) return;
    const path = [q, end];
    const verdict = certifyPath(scene, robot, path);
    if (verdict.status !== 'free') throw new LegError(`${name}: ${verdict.reason}`);
    this.take(name, path, true, this.time(name, path, 0), verdict);
  }

  private time(name: string, path: readonly Float64Array[], deviation: number): TimedMotion {
    const { scene, robot, limits } = this;
    const corners = path.length > 2 ? 'blend' : 'stop';
    const motion = timePath(robot.model, path, { limits, corners, deviation }, { scene, robot });
    if (motion.status !== 'solved') throw new LegError(`${name}: its motion is ${motion.status}, ${motion.reason}`);
    return motion;
  }

  private take(
    name: string,
    path: readonly Float64Array[],
    certified: boolean,
    motion: TimedMotion,
    grounds: { readonly complete: boolean; readonly assumed: readonly string[] },
  ): void {
    if (!motion.trajectory) throw new LegError(`${name}: its motion is ${motion.status}, ${motion.reason}`);
    this.legs.push({ name, path, certified, motion, holds: this.holds });
    this.complete &&= grounds.complete;
    for (const sentence of grounds.assumed) this.assumed.add(sentence);
    this.q = path[path.length - 1].slice();
  }

  private hold(): void {
    const { scene, robot, object, tool, touchLinks } = this;
    setConfiguration(robot, this.q);
    attachObject(scene, object, { robot, link: tool, touchLinks });
    this.holds = true;
  }

  private letGo(): Transform {
    const { scene, robot, object } = this;
    setConfiguration(robot, this.q);
    detachObject(scene, object);
    this.holds = false;
    return object.body.worldPlacement.slice();
  }

  /** Remembers what was not allowed before. */
  private allow(added: (readonly [string, string])[], names: readonly string[]): void {
    const { scene, object, robot } = this;
    for (const name of names) {
      const other = scene.objects.has(name) ? name : `${robot.name}/${name}`;
      if (scene.allowed.get(object.name, other) !== undefined) continue;
      scene.allowed.allow({ a: object.name, b: other, reason: 'user' });
      added.push([name, other]);
      this.assumed.add(`altered: "${object.name}" may touch "${name}" while it is taken, lifted, lowered and let go`);
    }
  }

  private forbid(added: (readonly [string, string])[], names: readonly string[]): void {
    for (let i = added.length - 1; i >= 0; i--) {
      if (!names.includes(added[i][0])) continue;
      this.scene.allowed.forbid(this.object.name, added[i][1]);
      added.splice(i, 1);
    }
  }
}

/** One or more objects; a request without them gets here as undefined. */
function requireGrasps(call: string, what: string, value: unknown): void {
  requireList(call, what, value);
  for (const grasp of value as readonly unknown[]) requireObject(call, what, grasp, 'grasps, { pose }');
}

function requireTriple(call: string, what: string, value: unknown): void {
  if (!isArrayOf(value) || value.length !== 3 || !Array.from(value).every(Number.isFinite))
    throwMisuse(call, what, value, '3 numbers');
}
