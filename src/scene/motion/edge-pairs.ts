/**
 * Which parts can meet while a robot's joints go along an edge.
 *
 * Method: 1. pairs of bodies that no matrix allows: among the robot's own (links and attached objects), and of those with
 * everything else; free objects come from the scene's tree, by boxes that hold all a body can reach;
 * 2. pairs whose bounding spheres in the middle of the edge are farther apart than both can travel are left out;
 * 3. pairs that do not move against each other keep their verdict over the whole edge: one test;
 * 4. the rest becomes pairs of parts with their motion bounds (edge-motion.ts).
 * Frames: W. Cost: about 50 ns per pair of bodies, a tree query per body. Tested by cast-robot.test.ts.
 */

import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { boxesOverlap } from '../bodies.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { pairSources, visitCandidates } from '../queries/candidates.js';
import { listOwnPairs, type OwnPair } from '../queries/own-pairs.js';
import { compareBodyPairs, marginOfPair, mayTouch, movingBodies } from '../queries/pair-rules.js';
import { requireNumbers } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { type BodySphere, boundBody } from './body-motion.js';
import { type EdgeBody, EdgeMotion, EdgePair } from './edge-motion.js';

export interface EdgeOptions {
  /** Added to every pair's margin. Metres, default 0. */
  readonly margin: number;
  /** Closer than margin + tolerance counts as contact; undefined: 1e-7 x the sum of both parts' extents. */
  readonly tolerance: number | undefined;
}

const DEFAULT_TOLERANCE = 1e-7;

interface BodyPair extends OwnPair {
  /** Last joint that both hang on. */
  readonly common: number;
}

export class EdgePairs {
  readonly motion: EdgeMotion;
  /** The first `count` are the edge's. */
  readonly pairs: EdgePair[] = [];
  count = 0;
  /** Bodies that touch and do not move against each other, null when there are none. */
  still: readonly [SceneBody, SceneBody] | null = null;
  private readonly scene: Scene;
  private revision = -1;
  private bodies: readonly EdgeBody[] = [];
  private spheres: readonly BodySphere[] = [];
  private own = new Set<SceneBody>();
  private table: BodyPair[] = [];
  private readonly sphereOf = new Map<SceneBody, BodySphere>();
  private readonly centers: Float64Array[] = [];
  private readonly box = new Float64Array(6);
  private readonly center = new Float64Array(3);
  private options: EdgeOptions = { margin: 0, tolerance: undefined };

  /** `only`: other pairs are left out, and what stands still with them, free objects too unless `objects` names some. */
  constructor(
    scene: Scene,
    robot: SceneRobot,
    private readonly only: ((a: SceneBody, b: SceneBody) => boolean) | null = null,
    private readonly objects: ((body: SceneBody) => boolean) | null = null,
    isApart: ((a: SceneBody, b: SceneBody, bound: number) => boolean) | null = null,
  ) {
    if (!scene.robots.includes(robot))
      throw new MisuseError(
        `sceneQuery: robot, got ${describeValue(robot?.name)}, which is not in this scene, expected one of it`,
      );
    this.scene = scene;
    this.motion = new EdgeMotion(robot, isApart);
  }

  /** Leaves the robot in the middle of the edge. */
  prepare(from: Float64Array, to: Float64Array, options: EdgeOptions): void {
    const { scene, motion } = this;
    requireNumbers('robot motion', 'from', from, motion.model.nq);
    requireNumbers('robot motion', 'to', to, motion.model.nq);
    this.options = options;
    this.count = 0;
    this.still = null;
    updateScene(scene);
    if (this.revision !== scene.revision) this.rebuild();
    motion.prepare(this.bodies, from, to);
    motion.moveTo(0.5);
    for (let i = 0; i < this.bodies.length; i++) placeSphere(this.centers[i], this.spheres[i], this.bodies[i].body);
    for (const { first, second, other, margin, common } of this.table)
      this.addPair(first, second, other, margin, common);
    if (this.only && !this.objects) return;
    this.addObjects();
    if (!this.only && scene.robots.length > 1 && !this.still) this.checkOthers();
  }

  private rebuild(): void {
    const { scene, motion } = this;
    const bodies = motion.listBodies();
    this.bodies = bodies;
    this.spheres = bodies.map(({ body }) => boundBody(body));
    this.own = new Set(bodies.map(({ body }) => body));
    this.sphereOf.clear();
    this.centers.length = 0;
    for (let i = 0; i < bodies.length; i++) this.centers.push(new Float64Array(3));
    const others = movingBodies(scene).filter((body) => !this.own.has(body));
    const { only } = this;
    const listed = listOwnPairs(scene, [...this.own], others);
    const kept = only ? listed.filter(({ first, other }) => only(bodies[first].body, other)) : listed;
    this.table = kept.map((pair) => ({
      ...pair,
      common: pair.second < 0 ? 0 : motion.findCommonJoint(bodies[pair.first].joint, bodies[pair.second].joint),
    }));
    this.revision = scene.revision;
  }

  /** Free objects within the reach of each body; the tree calls `onProxy` with the current one. */
  private addObjects(): void {
    const { scene, bodies, spheres, centers, motion, box, options } = this;
    if (scene.objectTree.size === 0) return;
    const margin = Math.max(pairSources(scene).largestMargin + options.margin, 0) + (options.tolerance ?? 0);
    for (let i = 0; i < bodies.length; i++) {
      const travel = 0.5 * motion.speedOf(bodies[i], 0);
      const reach = (1 + DEFAULT_TOLERANCE) * spheres[i].radius + travel + margin;
      for (let k = 0; k < 3; k++) {
        box[k] = centers[i][k] - reach;
        box[k + 3] = centers[i][k] + reach;
      }
      this.near.length = 0;
      scene.objectTree.queryBox(box, this.onProxy);
      // By body: what the tree meets first depends on what was added, moved and removed before.
      this.near.sort(byId);
      const { body } = bodies[i];
      for (const other of this.near)
        if (!mayTouch(scene, body, other)) this.addPair(i, -1, other, marginOfPair(scene, body, other), 0);
    }
  }

  private readonly near: SceneBody[] = [];
  private readonly onProxy = (id: number): void => {
    const body = this.scene.bodyOfProxy[id]!;
    if (this.objects?.(body) ?? true) this.near.push(body);
  };

  private sphereFor(body: SceneBody): BodySphere {
    let sphere = this.sphereOf.get(body);
    if (!sphere) {
      sphere = boundBody(body);
      this.sphereOf.set(body, sphere);
    }
    return sphere;
  }

  private addPair(first: number, second: number, other: SceneBody, own: number, common: number): void {
    const { motion, bodies, options } = this;
    const a = bodies[first];
    const b = second < 0 ? null : bodies[second];
    const margin = own + options.margin;
    const fastest = motion.speedOf(a, common) + (b ? motion.speedOf(b, common) : 0);
    if (fastest === 0) {
      if (!this.still && boxesOverlap(a.body.box, other.box, margin) && bodiesTouch(a.body, other, margin))
        this.still = [a.body, other];
      return;
    }
    const sphere = b ? this.spheres[second] : this.sphereFor(other);
    const radii = this.spheres[first].radius + sphere.radius;
    if (radii < Infinity) {
      const p = this.centers[first];
      const q = b ? this.centers[second] : placeSphere(this.center, sphere, other);
      const gap = Math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2) - radii - margin;
      if (gap > 0.5 * fastest + (options.tolerance ?? 2 * DEFAULT_TOLERANCE * radii)) return;
    }
    const bend = motion.bendOf(a, common) + (b ? motion.bendOf(b, common) : 0);
    const blur = motion.blurOf(a, common) + (b ? motion.blurOf(b, common) : 0);
    for (const partA of a.body.parts) {
      for (const partB of other.parts) {
        const pair = this.pairs[this.count] ?? new EdgePair();
        this.pairs[this.count] = pair;
        pair.order = this.count++;
        pair.a = a.body;
        pair.b = other;
        pair.partA = partA;
        pair.partB = partB;
        pair.jointA = a.joint;
        pair.jointB = b ? b.joint : 0;
        pair.common = common;
        pair.margin = margin;
        pair.tolerance = options.tolerance ?? DEFAULT_TOLERANCE * (finiteExtent(partA) + finiteExtent(partB));
        pair.fastest = fastest;
        pair.bend = bend;
        pair.blur = blur;
        pair.time = 0;
      }
    }
  }

  /** Pairs without a body of this robot: they stand still, but the scene is not free when they touch. */
  private checkOthers(): void {
    const { scene, own, options } = this;
    visitCandidates(scene, { margin: options.margin, objectPairs: false }, (a, b, bound) => {
      const { still } = this;
      const isCandidate = !own.has(a) && !own.has(b) && (!still || compareBodyPairs([a, b], still) < 0);
      if (isCandidate && bodiesTouch(a, b, bound)) this.still = [a, b];
      return true;
    });
  }
}

function byId(a: SceneBody, b: SceneBody): number {
  return a.id - b.id;
}

function placeSphere(out: Float64Array, { center: c }: BodySphere, { worldPlacement: X }: SceneBody): Float64Array {
  for (let i = 0; i < 3; i++) out[i] = X[3 * i] * c[0] + X[3 * i + 1] * c[1] + X[3 * i + 2] * c[2] + X[9 + i];
  return out;
}

function finiteExtent({ collider }: SceneBody['parts'][number]): number {
  return collider.boundingRadius === Infinity ? 0 : collider.extent;
}
