/**
 * Self-collision of robots of many links (snakes) by a ChainTree: which pairs of a robot's own links may touch.
 *
 * Method:
 *  1. The bodies stand in a row (body-sequence.ts); the gaps of the row are the joints of the ChainTree. Coordinates of q that
 *     differ from the last query's move their gaps, and only the hierarchy above them is computed anew.
 *  2. The search looks at pairs that a changed gap separates and remembers what touched elsewhere (chain/contact-memory.ts).
 *     Links are boxes there, spheres and capsules themselves; what these cannot tell apart is asked of the narrow phase with
 *     all its shapes, in the frame of the first link. Pairs that the matrix allows are no contacts.
 *  3. Distances are compared with the pair's margin and a slack that covers what the frames' rounding and the tolerance of
 *     touching make of it. What comes out is a superset of the pairs that touch, and nearly the same: the scene decides about
 *     each of them by its own placements, as it does about every candidate. So verdicts, pairs and distances are those of
 *     the ordinary path, bit by bit.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, "Efficient maintenance and self-collision testing for kinematic chains",
 *   ACM Symposium on Computational Geometry.
 * Cost: O(k log(N/k)) for k changed joints and the search; nothing else is computed for a robot alone that is free.
 * Checked by self-contacts.test.ts against the ordinary path.
 */

import { type ChainDescription, type ChainLink, createChain } from '../../chain/chain.js';
import { ChainTree } from '../../chain/chain-tree.js';
import { writeRelativePlacement } from '../../kinematics/relative-placements.js';
import { hypot } from '../../math/scalar.js';
import { createTransform, type Pose, setIdentityTransform, transformToPose } from '../../math/transform.js';
import { type Body, placeParts, updateBody } from '../bodies.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { bodiesTouch } from './body-pairs.js';
import { type BodySequence, sequenceBodies, writeGap } from './body-sequence.js';
import { marginOfPair, mayTouch } from './pair-rules.js';
import { framesOf } from './self-check.js';

/** Of the gaps: beyond that pairs are faster (self-check.ts). */
const MANY_CHANGES = 0.25;
/**
 * Slack per size of the robot: far more than rounding (1e-13 after 1,000 joints), the tolerance of touching (1e-10) and what
 * the narrow phase's answers change by with the frame (docs/accuracy.md). A pair this close costs a look, no more.
 */
const SLACK = 1e-7;

/** A body of its own with the colliders of another, in the frame of its link. */
function shadowOf(body: SceneBody): Body {
  const shadow: Body = {
    id: body.id,
    name: body.name,
    margin: 0,
    version: 0,
    ...placeParts(body.parts),
  };
  setIdentityTransform(shadow.worldPlacement);
  updateBody(shadow);
  return shadow;
}

/** No box of a chain may be flat. */
const THIN = 1e-12;

function describeRow(bodies: readonly Body[]): ChainDescription {
  const links = bodies.map(({ parts, box }): ChainLink => {
    const { shape } = parts[0].collider;
    if (parts.length === 1 && (shape.type === 'sphere' || shape.type === 'capsule')) {
      const pose: [...Pose] = [0, 0, 0, 0, 0, 0, 1];
      return { shape, pose: transformToPose(pose, parts[0].placement) };
    }
    const size = (k: number): number => Math.max(box[k + 3] - box[k], THIN);
    const middle = (k: number): number => 0.5 * (box[k] + box[k + 3]);
    return {
      shape: { type: 'box', size: [size(0), size(1), size(2)] },
      pose: [middle(0), middle(1), middle(2), 0, 0, 0, 1],
    };
  });
  const joint = { type: 'fixed', origin: [0, 0, 0, 0, 0, 0, 1] } as const;
  return { links, joints: links.slice(1).map(() => joint), exclusion: 0 };
}

/** Pairs of one robot's links. Ask `prepare` first, then `hasContact` or `collectContacts`: places in `bodies`. */
export class SelfContacts extends ChainTree {
  /** In the order of the row. */
  readonly bodies: readonly SceneBody[];
  readonly robot: SceneRobot;
  /** Margins from which on nearly every neighbour counts: three mean links. Metres. */
  readonly widest: number;
  private readonly row: BodySequence;
  private readonly standing: readonly Body[];
  private readonly moving: readonly Body[];
  private readonly q: Float64Array;
  /** The configuration of the last query, whether the row follows it or not. */
  private readonly asked: Float64Array;
  private readonly everyGap: Int32Array;
  private readonly isMarked: Uint8Array;
  private readonly gap = createTransform();
  /** Joints that move their frame's origin, and how far the others can reach in all. */
  private readonly shifting: readonly number[];
  private readonly length: number;
  private slack = 0;
  private width = 0;
  private extra = 0;
  private scene: Scene | null = null;
  /** Margin by pair of places; null for pairs that are not checked. */
  private readonly margins = new Map<number, number | null>();
  private revision = -1;

  constructor(robot: SceneRobot) {
    const row = sequenceBodies(robot.model, framesOf(robot));
    const bodies = Array.from(row.order, (i) => robot.links[i].body);
    const standing = bodies.map(shadowOf);
    super(createChain(describeRow(standing)));
    this.robot = robot;
    this.row = row;
    this.bodies = bodies;
    this.standing = standing;
    this.moving = bodies.map(shadowOf);
    const gapCount = bodies.length - 1;
    this.q = robot.q.slice();
    this.asked = new Float64Array(this.q.length).fill(Number.NaN);
    this.everyGap = Int32Array.from({ length: gapCount }, (_, i) => i);
    this.isMarked = new Uint8Array(gapCount);
    for (let i = 0; i < gapCount; i++) this.stageTransform(i, writeGap(this.gap, row, i, this.q));
    this.apply();
    const { model } = robot;
    let length = 0;
    const shifting: number[] = [];
    const addReach = (X: Float64Array, at: number): void => {
      length += hypot(X[at + 9], X[at + 10], X[at + 11]);
    };
    for (let j = 1; j < model.jointCount; j++) {
      if (model.jointKinds[j]!.motion === 'rotation') addReach(model.placements, 12 * j);
      else shifting.push(j);
    }
    for (let i = 0; i < bodies.length; i++) addReach(row.placements, 12 * i);
    for (const { box } of standing) for (const side of box) length += Math.abs(side);
    const { reaches } = this.chain.links;
    this.widest = (6 / reaches.length) * reaches.reduce((sum, reach) => sum + reach, 0);
    this.shifting = shifting;
    this.length = length;
  }

  /** Whether so little differs from the last query's configuration that the row is the faster way. To be asked once a query. */
  isWorthFollowing(): boolean {
    const { asked, row, robot } = this;
    const { gapStarts } = row;
    let changes = 0;
    for (let c = 0; c < asked.length; c++) {
      if (asked[c] === robot.q[c]) continue;
      asked[c] = robot.q[c];
      changes += gapStarts[c + 1] - gapStarts[c];
    }
    return robot.selfCheck === 'chain' || changes <= MANY_CHANGES * this.everyGap.length;
  }

  /**
   * Brings the row to the robot's configuration. `largest`: the largest margin of a pair, without `extra`, which every margin
   * grows by. Margins are asked for anew after the scene was edited.
   */
  prepare(scene: Scene, extra: number, largest: number): void {
    const { revision } = scene;
    this.scene = scene;
    this.extra = extra;
    const slack = SLACK * this.measureReach();
    // Kept while it is enough and not much more: what is remembered holds for one width.
    if (slack > this.slack || slack < 0.1 * this.slack) this.slack = 2 * slack;
    const width = Math.max(largest + extra + this.slack, 0);
    if (this.revision !== revision || this.width !== width) {
      this.margins.clear();
      this.memory.addChanges(this.everyGap, this.everyGap.length);
      this.revision = revision;
      this.width = width;
    }
    this.follow();
  }

  protected override get reach(): number {
    return this.width;
  }

  protected override touches(a: number, b: number): boolean {
    const key = a * this.bodies.length + b;
    let margin = this.margins.get(key);
    if (margin === undefined) {
      const [first, second] = [this.bodies[a], this.bodies[b]];
      margin = mayTouch(this.scene!, first, second) ? null : marginOfPair(this.scene!, first, second);
      this.margins.set(key, margin);
    }
    if (margin === null) return false;
    // Depths are for the scene to measure: here a negative margin is none.
    const body = this.moving[b];
    this.writeRelativePose(body.worldPlacement, a, b);
    updateBody(body);
    return bodiesTouch(this.standing[a], body, Math.max(margin + this.extra, 0) + this.slack);
  }

  /** Stages and applies what differs from the configuration before. */
  private follow(): void {
    const { row, q, isMarked, gap } = this;
    const { gapStarts, gaps } = row;
    const next = this.robot.q;
    for (let c = 0; c < q.length; c++) {
      if (q[c] === next[c]) continue;
      q[c] = next[c];
      for (let k = gapStarts[c]; k < gapStarts[c + 1]; k++) isMarked[gaps[k]] = 1;
    }
    for (let i = 0; i < isMarked.length; i++) {
      if (isMarked[i] === 0) continue;
      isMarked[i] = 0;
      this.stageTransform(i, writeGap(gap, row, i, q));
    }
    this.apply();
  }

  /** No coordinate of the robot's points in W is larger. */
  private measureReach(): number {
    const { robot, gap } = this;
    const { placement, model } = robot;
    let reach = this.length + hypot(placement[9], placement[10], placement[11]);
    for (const j of this.shifting) {
      writeRelativePlacement(gap, 0, model, j, robot.q);
      reach += hypot(gap[9], gap[10], gap[11]);
    }
    return reach;
  }
}
