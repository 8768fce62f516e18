/**
 * Growth of a tree of poses: straight as far as it is free, then along the contacts.
 *
 * Every edge of the tree is a motion that was proven free while it was travelled (advance.ts).
 */

import { multiplyQuat } from '../math/quat.js';
import type { Random } from '../math/random.js';
import { expQuat, logQuat } from '../math/so3.js';
import { Advance } from './advance.js';
import type { BodyPair } from './body-pair.js';
import { Contacts } from './contacts.js';
import { interpolatePose, poseDistance, type RigidPose } from './pose.js';
import type { PoseTree } from './pose-tree.js';
import type { RigidProblem } from './problem.js';

export interface ExplorerSettings {
  /** Length of a radian in the metric. */
  weight: number;
  /** Longest step. */
  range: number;
  /** Gaps below are contact. */
  gap: number;
  /** Steps of sliding after a contact. */
  slides: number;
  /** Most distances per motion. */
  most: number;
}

/** Of the range. */
const LONGEST_PUSH = 0.5;

export class Explorer {
  readonly advance: Advance;
  readonly contacts: Contacts;
  private readonly from: RigidPose = new Float64Array(7);
  private readonly to: RigidPose = new Float64Array(7);
  private readonly wanted = new Float64Array(6);
  private readonly twist = new Float64Array(6);
  private readonly q = new Float64Array(4);
  private readonly r = new Float64Array(4);

  constructor(
    readonly problem: RigidProblem,
    readonly pair: BodyPair,
    readonly settings: ExplorerSettings,
  ) {
    this.advance = new Advance(pair);
    this.contacts = new Contacts(pair, settings.weight, problem.group === 'SE2');
  }

  /** Distance of the metric. */
  distance(a: RigidPose, b: RigidPose): number {
    return poseDistance(a, b, 2 * this.settings.weight);
  }

  /** Straight from a node towards a pose by at most `range`. The new node, or -1 where nothing was gained. `reached` says whether it got there. */
  reached = false;

  extend(tree: PoseTree, node: number, target: RigidPose, slides = this.settings.slides): number {
    const { from, to, advance, settings } = this;
    this.reached = false;
    tree.read(from, node);
    const far = this.distance(from, target);
    const part = far > settings.range ? settings.range / far : 1;
    interpolatePose(to, from, target, part);
    const t = advance.run(from, to, tree.gaps[node], settings.gap, settings.most);
    const length = Math.min(far, settings.range);
    let last = node;
    if (t === 1 || t * length > 0.02 * settings.range) {
      last = tree.add(advance.pose, node, advance.distance);
      if (t === 1) {
        this.reached = part === 1;
        return last;
      }
    }
    let left = Math.min(far, settings.range) * (1 - t);
    if (slides > 0) {
      if (last === node && t > 0 && advance.distance < tree.gaps[node]) {
        // Right to the contact, though it is near: sliding starts there.
        last = tree.add(advance.pose, node, advance.distance);
      }
      for (let i = 0; i < slides && left > 0.05 * settings.range; i++) {
        const next = this.slide(tree, last, target, left);
        if (next < 0) break;
        left -= this.distance(tree.read(from, last), tree.read(to, next));
        last = next;
      }
    }
    return last === node ? -1 : last;
  }

  /** Straight from a node to a pose as far as it is free, however far that is; -1 where it did not move. */
  extendFar(tree: PoseTree, node: number, target: RigidPose, most: number): number {
    const { from, advance, settings } = this;
    tree.read(from, node);
    const t = advance.run(from, target, tree.gaps[node], settings.gap, most);
    this.reached = t === 1;
    if (t * this.distance(from, target) < 1e-3 * settings.range) return -1;
    return tree.add(advance.pose, node, advance.distance);
  }

  /**
   * Pushes the body from a node in one direction and lets it give way: straight as far as it is free, then along its contacts, turning
   * as they make it turn, while it gets on in that direction. What does not is tried with half the step. This is how a peg finds its
   * hole: a body that enters a funnel is lined up by it. The last node, or -1 where it did not move.
   */
  push(tree: PoseTree, node: number, way: Float64Array): number {
    const { from, to, twist, settings, advance } = this;
    let step = LONGEST_PUSH * settings.range;
    const shortest = step / 64;
    let last = node;
    for (let i = 0; i < settings.slides && step > shortest; i++) {
      tree.read(from, last);
      const isStraight = i === 0;
      for (let k = 0; k < 6; k++) twist[k] = k < 3 ? (isStraight ? 2 * settings.range : step) * way[k] : 0;
      if (!isStraight) this.giveWay(step);
      this.apply(to, from, twist);
      this.clip(to);
      const t = advance.run(from, to, tree.gaps[last], settings.gap, settings.most);
      const gained = t * (twist[0] * way[0] + twist[1] * way[1] + twist[2] * way[2]);
      if (gained > 0.1 * step) last = tree.add(advance.pose, last, advance.distance, true);
      if (isStraight) continue;
      if (gained <= 0.1 * step) step *= 0.5;
      else if (t > 0.9) step = Math.min(LONGEST_PUSH * settings.range, 2 * step);
      if (t < 0.5) step *= 0.5;
    }
    if (last === node) return -1;
    // Those on the way would draw what grows next to the walls that they lie along.
    tree.show(last);
    return last;
  }

  /** `twist` at the pose `from`, of length `step`, made one that keeps the gaps, at most half as long again. */
  private giveWay(step: number): void {
    const { wanted, twist, contacts, settings } = this;
    contacts.find(this.from, Math.max(4 * settings.gap, 0.3 * step));
    wanted.set(twist);
    contacts.project(twist, wanted, 4 * settings.gap, 0.5);
    let size = 0;
    for (let k = 0; k < 6; k++) size += (k < 3 ? twist[k] : settings.weight * twist[k]) ** 2;
    const scale = Math.min(1, (1.5 * step) / Math.sqrt(size));
    for (let k = 0; k < 6; k++) twist[k] *= scale;
  }

  /** Into the bounds. */
  clip(pose: RigidPose): void {
    const { lower, upper } = this.problem;
    for (let k = 0; k < 3; k++) pose[k] = Math.min(Math.max(pose[k], lower[k]), upper[k]);
  }

  /** One step along the contacts towards the target. */
  private slide(tree: PoseTree, node: number, target: RigidPose, left: number): number {
    const { from, to, wanted, twist, contacts, settings, advance, problem } = this;
    tree.read(from, node);
    const step = Math.min(left, 0.25 * settings.range);
    contacts.find(from, Math.max(4 * settings.gap, 0.25 * step));
    if (contacts.count === 0) return -1;
    this.differ(wanted, from, target);
    let norm = 0;
    for (let k = 0; k < 6; k++) norm += (k < 3 ? wanted[k] : settings.weight * wanted[k]) ** 2;
    norm = Math.sqrt(norm);
    if (norm < 1e-9 * settings.range) return -1;
    const scale = Math.min(1, step / norm);
    for (let k = 0; k < 6; k++) wanted[k] *= scale;
    contacts.project(twist, wanted, 4 * settings.gap, 1);
    let size = 0;
    for (let k = 0; k < 6; k++) size += (k < 3 ? twist[k] : settings.weight * twist[k]) ** 2;
    if (Math.sqrt(size) < 0.1 * step) return -1;
    this.apply(to, from, twist);
    for (let k = 0; k < 3; k++) if (to[k] < problem.lower[k] || to[k] > problem.upper[k]) return -1;
    const before = this.distance(from, target);
    const t = advance.run(from, to, tree.gaps[node], settings.gap, settings.most);
    if (t * Math.sqrt(size) < 0.05 * step) return -1;
    if (this.distance(advance.pose, target) > before) return -1;
    return tree.add(advance.pose, node, advance.distance);
  }

  /** The twist, world axes, that takes a to b: way and rotation vector. */
  differ(out: Float64Array, a: RigidPose, b: RigidPose): void {
    const { q, r } = this;
    for (let k = 0; k < 3; k++) out[k] = b[k] - a[k];
    for (let k = 0; k < 4; k++) {
      q[k] = b[3 + k];
      r[k] = k < 3 ? -a[3 + k] : a[6];
    }
    multiplyQuat(q, q, r);
    logQuat(r, q);
    for (let k = 0; k < 3; k++) out[3 + k] = r[k];
  }

  private readonly aim: RigidPose = new Float64Array(7);

  /** From a node by one range in a direction that is drawn. */
  extendAtRandom(tree: PoseTree, node: number, random: Random): number {
    const { wanted, from, aim, settings, problem } = this;
    let square = 0;
    for (let k = 0; k < 6; k++) {
      wanted[k] = random.normal();
      if (problem.group === 'SE2' && k > 1 && k < 5) wanted[k] = 0;
      square += wanted[k] ** 2;
    }
    const scale = settings.range / Math.sqrt(square);
    for (let k = 0; k < 6; k++) wanted[k] *= k < 3 ? scale : scale / settings.weight;
    tree.read(from, node);
    this.apply(aim, from, wanted);
    for (let k = 0; k < 3; k++) aim[k] = Math.min(Math.max(aim[k], problem.lower[k]), problem.upper[k]);
    return this.extend(tree, node, aim);
  }

  private readonly turn = new Float64Array(3);

  apply(out: RigidPose, a: RigidPose, twist: Float64Array): void {
    const { q, r, turn } = this;
    for (let k = 0; k < 3; k++) {
      out[k] = a[k] + twist[k];
      turn[k] = twist[3 + k];
    }
    expQuat(q, turn);
    for (let k = 0; k < 4; k++) r[k] = a[3 + k];
    multiplyQuat(q, q, r);
    const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (let k = 0; k < 4; k++) out[3 + k] = q[k] / n;
  }
}
