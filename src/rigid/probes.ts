/**
 * Deterministic probes about a pose: the 26 directions of translation, the normals of its contacts and small turns about them and the
 * axes, each as far as it is free; what they reach is probed in turn, three deep.
 *
 * The text behind this planner says that it is deterministic and no more; these probes are what takes a part out of a pocket in a
 * few dozen queries where samples of the whole space rarely fall into it.
 * Work is given out probe by probe, so that a search can take turns with others.
 */

import type { Explorer } from './explorer.js';
import type { RigidPose } from './pose.js';
import type { PoseTree } from './pose-tree.js';

const DEPTH = 3;
/** Distances of a probe at first, and when all were made. */
const QUICK = 100;
const PATIENT = 1 << 16;
/** Queries of the search after which all probes are made again with patience. */
const LATE = 300_000;
/** Gaps that end a probe, of the body's radius: slots may be a ten-thousandth wider than the body. */
const GAP = 1e-3;
const PATIENT_GAP = 1e-5;
/** Radians of a small turn. */
const TURN = 0.15;

interface Site {
  readonly node: number;
  readonly depth: number;
}

export class Probes {
  private readonly sites: Site[];
  private at = 0;
  private twists: Float64Array[] | null = null;
  private next = 0;
  private isPatient = false;
  private readonly from: RigidPose = new Float64Array(7);
  private readonly to: RigidPose = new Float64Array(7);

  /** `reach`: length of a probe of translation. */
  constructor(
    private readonly explorer: Explorer,
    private readonly tree: PoseTree,
    private readonly reach: number,
  ) {
    this.sites = [{ node: 0, depth: 0 }];
  }

  get done(): boolean {
    const isThrough = this.at >= this.sites.length;
    return isThrough && (this.isPatient || this.explorer.pair.queries < LATE);
  }

  /** One probe; the node it made, or -1. */
  step(): number {
    const { explorer, tree, from, to, sites } = this;
    if (this.at >= sites.length) {
      this.isPatient = true;
      this.at = 0;
    }
    const site = sites[this.at];
    // Once everything was probed quickly the straight probes are tried again to the end, however near to contact they pass.
    explorer.settings.gap = (this.isPatient ? PATIENT_GAP : GAP) * explorer.pair.radius;
    tree.read(from, site.node);
    this.twists ??= this.listTwists(from);
    if (this.next >= this.twists.length) {
      this.at++;
      this.next = 0;
      this.twists = null;
      return -1;
    }
    const twist = this.twists[this.next++];
    explorer.apply(to, from, twist);
    explorer.clip(to);
    if (explorer.distance(from, to) === 0) return -1;
    const node = explorer.extendFar(tree, site.node, to, this.isPatient ? PATIENT : QUICK);
    if (node < 0) return -1;
    // What is near something that is known already is not probed again.
    tree.read(from, node);
    if (!this.isPatient && site.depth + 1 < DEPTH && this.isNew(from)) sites.push({ node, depth: site.depth + 1 });
    return node;
  }

  private isNew(pose: RigidPose): boolean {
    const other: RigidPose = new Float64Array(7);
    const near = 0.2 * this.explorer.pair.radius;
    for (const { node } of this.sites)
      if (this.explorer.distance(this.tree.read(other, node), pose) < near) return false;
    return true;
  }

  private listTwists(pose: RigidPose): Float64Array[] {
    const { explorer, reach } = this;
    const twists: Float64Array[] = [];
    const planar = explorer.problem.group === 'SE2';
    for (let code = 0; code < 27; code++) {
      const x = (code % 3) - 1;
      const y = (Math.floor(code / 3) % 3) - 1;
      const z = Math.floor(code / 9) - 1;
      const norm = Math.sqrt(x * x + y * y + z * z);
      if (norm === 0 || (planar && z !== 0)) continue;
      twists.push(Float64Array.of((reach * x) / norm, (reach * y) / norm, (reach * z) / norm, 0, 0, 0));
    }
    // Straight directions before oblique ones.
    twists.sort((a, b) => countOf(a) - countOf(b));
    const { contacts, settings, pair } = explorer;
    contacts.find(pose, Math.max(4 * settings.gap, 0.02 * pair.radius));
    for (let i = 0; i < contacts.count; i++) {
      const row = contacts.rows.subarray(6 * i, 6 * i + 6);
      for (const sign of [1, -1])
        twists.push(Float64Array.of(sign * reach * row[0], sign * reach * row[1], sign * reach * row[2], 0, 0, 0));
    }
    for (let axis = planar ? 5 : 3; axis < 6; axis++)
      for (const sign of [1, -1]) {
        const twist = new Float64Array(6);
        twist[axis] = sign * TURN;
        twists.push(twist);
      }
    return twists;
  }
}

const countOf = (twist: Float64Array): number => twist.reduce((count, x) => count + (x === 0 ? 0 : 1), 0);
