/**
 * Several robots that go along paths of their own: whether some, each anywhere within a part of its path, can meet at all.
 *
 * Method: of a part of a path, the placements of all bodies in its middle, and how far each can be from there: joint by joint from the tip, what it turns
 * and shifts at most from the middle, times the distance of the body's bounding sphere from it, grown by what the joints beyond it add. Two
 * bodies whose gap in the middles is larger than both can move do not meet, whatever of the two parts each is in. Bounding spheres first, then
 * the exact distance; what is left open is asked of halves, to `halvings`.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in complex
 * environments", IEEE Transactions on Robotics 21, section IV, doi:10.1109/TRO.2004.838012; cells of a coordination diagram: O'Donnell,
 * Lozano-Perez 1989, doi:10.1109/ROBOT.1989.100033.
 * Frames: W. A path's parameter runs from 0 to 1 per waypoint, joints straight between. `free` is a proof; false may be for want of one. Robots
 * stand in a context of their own. Cost: kinematics once per part, then per pair of bodies a comparison of spheres, few distances.
 * Tested by coordinate-paths.test.ts against dense samples.
 */
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { differenceConfiguration, interpolateConfiguration } from '../../model/configuration.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { bodyName } from '../body-names.js';
import { isTouching, measureBodies } from '../queries/body-pairs.js';
import { isAllowedPair, listOtherBodies, pairMargin } from '../queries/pair-rules.js';
import { setConfiguration } from '../robot.js';
import { createContext, disposeScene, robotIn } from '../scene.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { type BodySphere, boundBody } from './body-motion.js';

export interface RobotPath {
  readonly robot: SceneRobot;
  /** Full configurations, at least one. */
  readonly path: readonly Float64Array[];
}

/** What stops a path by itself. */
export interface OwnContact {
  readonly status: 'collides' | 'undecided';
  /** Of the path. */
  readonly at: number;
  readonly a: string;
  readonly b: string;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly q: Float64Array;
  /** Per body: centre of its bounding sphere in the middle, and how far its points can be from there. */
  readonly centers: Float64Array;
  readonly travels: Float64Array;
}

interface Mover {
  readonly robot: SceneRobot;
  path: readonly Float64Array[];
  readonly motion: MotionData;
  readonly bodies: readonly { readonly body: SceneBody; readonly joint: number; readonly sphere: BodySphere }[];
  readonly parts: Map<string, Part>;
}

interface CellPair {
  readonly first: number;
  readonly second: number;
  readonly margin: number;
}

/** Rounding of placements and distances, and what may be lost in sums. Metres. */
const SLACK = 1e-9;
const HALVINGS = 3;
/** That are remembered of a path. */
const MOST_PARTS = 20_000;
/** Parts shorter than this are a point. */
const LEAST_PART = 1e-9;

export class RobotCells {
  distances = 0;
  private readonly context: Scene;
  private readonly movers: readonly Mover[];
  private readonly others: readonly { readonly body: SceneBody; readonly sphere: BodySphere }[];
  private readonly pairs = new Map<string, readonly CellPair[]>();
  private readonly measured = createDistanceResult();
  private readonly placed: (Part | null)[];

  constructor(scene: Scene, paths: readonly RobotPath[]) {
    this.context = createContext(scene);
    updateScene(this.context);
    this.movers = paths.map(({ robot: given, path }) => {
      const robot = robotIn(this.context, given);
      const { frameJoints } = robot.model;
      const links = robot.links.map(({ body, frame }) => ({ body, joint: frameJoints[frame] }));
      const held = [...robot.attached].map(({ body, attachment }) => ({ body, joint: frameJoints[attachment!.frame] }));
      const bodies = [...links, ...held].map((entry) => ({ ...entry, sphere: boundBody(entry.body) }));
      return { robot, path, motion: createMotionData(robot.model), bodies, parts: new Map() };
    });
    const moving = new Set(this.movers.flatMap(({ bodies }) => bodies.map(({ body }) => body)));
    this.others = listOtherBodies(this.context, moving).map((body) => ({ body, sphere: boundBody(body) }));
    this.placed = this.movers.map(() => null);
  }

  dispose(): void {
    disposeScene(this.context);
  }

  /** Robot i goes along another path from now on. */
  setPath(i: number, path: readonly Float64Array[]): void {
    this.movers[i].path = path;
    this.movers[i].parts.clear();
    this.placed[i] = null;
  }

  /** Robot i anywhere in a part of its path and j anywhere in one of its own never meet. */
  isFree(i: number, from: number, to: number, j: number, from2: number, to2: number, halvings = HALVINGS): boolean {
    const a = this.part(i, from, to);
    const b = this.part(j, from2, to2);
    for (const { first, second, margin } of this.listPairs(i, j)) {
      const needed = a.travels[first] + b.travels[second] + SLACK;
      const apart = this.sphereGap(i, a, first, j, b, second) - margin;
      if (apart > needed) continue;
      const gap = this.measure(i, a, first, j, b, second, needed, margin);
      if (gap > needed) continue;
      if (!(gap > 0) || halvings === 0) return false;
      // The part that moves more is halved; points are as small as they can be.
      const splitsFirst = a.travels[first] >= b.travels[second];
      if (splitsFirst) {
        if (to - from < LEAST_PART) return false;
        const middle = 0.5 * (from + to);
        return (
          this.isFree(i, from, middle, j, from2, to2, halvings - 1) &&
          this.isFree(i, middle, to, j, from2, to2, halvings - 1)
        );
      }
      if (to2 - from2 < LEAST_PART) return false;
      const middle = 0.5 * (from2 + to2);
      return (
        this.isFree(i, from, to, j, from2, middle, halvings - 1) &&
        this.isFree(i, from, to, j, middle, to2, halvings - 1)
      );
    }
    return true;
  }

  /** What is in the way of a path by itself: the robot's own bodies, and what stands still; null when nothing is. */
  findOwnContact(i: number): OwnContact | null {
    const pending: [number, number][] = [];
    const last = this.movers[i].path.length - 1;
    for (let s = Math.max(last, 1) - 1; s >= 0; s--) pending.push([s, Math.min(s + 1, last)]);
    while (pending.length > 0) {
      const [from, to] = pending.pop()!;
      const found = this.examineOwn(i, from, to);
      if (found === null) continue;
      if (found.status === 'collides' || to - from < LEAST_PART) return found;
      const middle = 0.5 * (from + to);
      pending.push([middle, to], [from, middle]);
    }
    return null;
  }

  private examineOwn(i: number, from: number, to: number): OwnContact | null {
    const part = this.part(i, from, to);
    const { bodies } = this.movers[i];
    let open: OwnContact | null = null;
    for (const { first, second, margin } of this.listPairs(i, i)) {
      const isOwn = second < bodies.length;
      const other = isOwn ? bodies[second] : this.others[second - bodies.length];
      const needed = part.travels[first] + (isOwn ? part.travels[second] : 0) + SLACK;
      const apart = this.ownGap(i, part, first, second) - margin;
      if (apart > needed) continue;
      this.place(i, part);
      const gap = this.measureBodies(bodies[first].body, other.body, needed, margin);
      if (gap > needed) continue;
      const [a, b] = [bodies[first].body, other.body].map((body) => bodyName(this.context, body));
      const at = 0.5 * (from + to);
      if (!(gap > 0)) return { status: 'collides', at, a, b };
      open ??= { status: 'undecided', at, a, b };
    }
    return open;
  }

  private listPairs(i: number, j: number): readonly CellPair[] {
    const key = `${i} ${j}`;
    const known = this.pairs.get(key);
    if (known) return known;
    const { context, movers, others } = this;
    const own = movers[i].bodies;
    const seconds: readonly { readonly body: SceneBody }[] = i === j ? [...own, ...others] : movers[j].bodies;
    const pairs: CellPair[] = [];
    own.forEach(({ body: a }, first) => {
      seconds.forEach(({ body: b }, second) => {
        if (i === j && second <= first) return;
        if (!isAllowedPair(context, a, b)) pairs.push({ first, second, margin: pairMargin(context, a, b) });
      });
    });
    this.pairs.set(key, pairs);
    return pairs;
  }

  private part(i: number, from: number, to: number): Part {
    const { parts, robot, path, bodies, motion } = this.movers[i];
    const key = `${from} ${to}`;
    const known = parts.get(key);
    if (known) return known;
    const { model } = robot;
    const last = path.length - 1;
    const at = (s: number): Float64Array => {
      const k = Math.min(Math.floor(s), Math.max(last - 1, 0));
      const q = new Float64Array(model.nq);
      return interpolateConfiguration(q, model, path[k], path[Math.min(k + 1, last)], Math.min(s - k, 1));
    };
    const q = at(0.5 * (from + to));
    // Between waypoints the difference to the middle is largest at the ends of what is straight.
    const most = new Float64Array(model.nv);
    const change = new Float64Array(model.nv);
    const look = (s: number): void => {
      differenceConfiguration(change, model, q, at(s));
      for (let k = 0; k < most.length; k++) most[k] = Math.max(most[k], Math.abs(change[k]));
    };
    look(from);
    look(to);
    for (let s = Math.ceil(from); s <= to; s++) look(s);
    const part: Part = {
      from,
      to,
      q,
      centers: new Float64Array(3 * bodies.length),
      travels: new Float64Array(bodies.length),
    };
    this.place(i, part);
    const linear = new Float64Array(model.jointCount);
    const angular = new Float64Array(model.jointCount);
    for (let j = 1; j < model.jointCount; j++)
      for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
        linear[j] += most[motion.columnVelocities[c]] * norm3(motion.columnSubspaces, 6 * c);
        angular[j] += most[motion.columnVelocities[c]] * norm3(motion.columnSubspaces, 6 * c + 3);
      }
    const X = robot.data.jointPlacements;
    bodies.forEach(({ body, joint, sphere }, b) => {
      const { worldPlacement: P } = body;
      const c = sphere.center;
      for (let k = 0; k < 3; k++)
        part.centers[3 * b + k] = P[3 * k] * c[0] + P[3 * k + 1] * c[1] + P[3 * k + 2] * c[2] + P[9 + k];
      let travel = 0;
      for (let j = joint; j > 0; j = model.parents[j]) {
        const x = part.centers[3 * b] - X[12 * j + 9];
        const y = part.centers[3 * b + 1] - X[12 * j + 10];
        const z = part.centers[3 * b + 2] - X[12 * j + 11];
        if (angular[j] > 0) travel += angular[j] * (Math.sqrt(x * x + y * y + z * z) + sphere.radius + travel);
        travel += linear[j];
      }
      part.travels[b] = travel * (1 + 1e-9);
    });
    if (parts.size >= MOST_PARTS) parts.clear();
    parts.set(key, part);
    return part;
  }

  private place(i: number, part: Part): void {
    if (this.placed[i] === part) return;
    setConfiguration(this.movers[i].robot, part.q);
    this.placed[i] = part;
    updateScene(this.context);
  }

  private sphereGap(i: number, a: Part, first: number, j: number, b: Part, second: number): number {
    const radii = this.movers[i].bodies[first].sphere.radius + this.movers[j].bodies[second].sphere.radius;
    return distance3(a.centers, 3 * first, b.centers, 3 * second) - radii;
  }

  private ownGap(i: number, part: Part, first: number, second: number): number {
    const { bodies } = this.movers[i];
    if (second < bodies.length) return this.sphereGap(i, part, first, i, part, second);
    const { body, sphere } = this.others[second - bodies.length];
    if (sphere.radius === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
    const { worldPlacement: P } = body;
    const c = sphere.center;
    const center = [0, 1, 2].map((k) => P[3 * k] * c[0] + P[3 * k + 1] * c[1] + P[3 * k + 2] * c[2] + P[9 + k]);
    return distance3(part.centers, 3 * first, center, 0) - bodies[first].sphere.radius - sphere.radius;
  }

  private measure(
    i: number,
    a: Part,
    first: number,
    j: number,
    b: Part,
    second: number,
    needed: number,
    margin: number,
  ): number {
    this.place(i, a);
    this.place(j, b);
    return this.measureBodies(this.movers[i].bodies[first].body, this.movers[j].bodies[second].body, needed, margin);
  }

  /** The gap beyond the margin, as far as it matters; 0 or less in contact. */
  private measureBodies(a: SceneBody, b: SceneBody, needed: number, margin: number): number {
    const { measured } = this;
    this.distances++;
    measureBodies(measured, a, b, Math.max(2 * needed + margin, 0), margin, margin < 0 ? 'exact' : 'hull');
    const { status } = measured;
    if (status !== 'ok' && status !== 'beyond-bound') return 0;
    if (status === 'ok' && isTouching(measured, margin)) return 0;
    return measured.distance - margin;
  }
}

function norm3(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

function distance3(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  const x = a[i] - b[k];
  const y = a[i + 1] - b[k + 1];
  const z = a[i + 2] - b[k + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
