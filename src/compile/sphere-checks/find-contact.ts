/**
 * Which spheres touch at a configuration: for motions that compiled checks cannot prove free, so that `blocked` says where and what.
 *
 * Method: kinematics in double precision; every sphere against every obstacle that its link is compared with, then pairs of links. A contact
 * is told only where distances say so beyond rounding: obstacles themselves, not what stands in for them.
 * Frames: the compiled robot's. Cost: a distance per sphere and obstacle, about a tenth of a millisecond. Tested by certify-motion.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics, updateFramePlacements } from '../../kinematics/forward-kinematics.js';
import { interpolateConfiguration } from '../../model/configuration.js';
import { createData, type Model } from '../../model/model.js';
import { type Collider, createCollider } from '../../narrowphase/collider.js';
import { distance } from '../../narrowphase/distance.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import type { SphereObstacle } from './environment.js';
import type { SphereCheckOptions } from './options.js';

export interface SphereContact {
  /** Of the motion, in [0, 1]. */
  readonly t: number;
  /** One number per coordinate. */
  readonly state: Float64Array;
  readonly link: string;
  /** The other link, or null where it is an obstacle. */
  readonly other: string | null;
  /** Place in the list of obstacles, or null. */
  readonly obstacle: number | null;
}

interface Group {
  readonly name: string;
  readonly frame: number;
  readonly spheres: Float64Array;
  readonly placed: Float64Array;
}

/** Metres by which a contact must be deeper than nothing. */
const CERTAIN = 1e-9;
const POINT = 1e-12;
const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export class ContactFinder {
  private readonly groups: Group[] = [];
  private readonly q: Float64Array;
  private readonly data;
  private readonly ball = createCollider({ type: 'sphere', radius: POINT });
  private readonly at = Float64Array.from(UNIT);
  private readonly measured = createDistanceResult();
  private obstacles: { collider: Collider; X: Float64Array; margin: number; links: ReadonlySet<string> | null }[] = [];

  constructor(
    private readonly model: Model,
    spheres: SphereModel,
    private readonly options: Pick<SphereCheckOptions, 'pairs' | 'margin' | 'carried'>,
    private readonly indices: readonly number[],
    rest: Float64Array,
  ) {
    this.q = Float64Array.from(rest);
    this.data = createData(model);
    const add = (name: string, frame: number, list: Float64Array): void => {
      this.groups.push({ name, frame, spheres: list, placed: Float64Array.from(list) });
    };
    for (const { link, levels } of spheres.links) {
      const place = model.linkIndex.get(link);
      if (place !== undefined && levels.length > 0) add(link, model.linkFrames[place], levels[levels.length - 1]);
    }
    for (const { name, frame, spheres: list } of options.carried ?? []) add(name, frame, Float64Array.from(list));
  }

  setObstacles(obstacles: readonly SphereObstacle[]): void {
    this.obstacles = obstacles.map(({ shape, placement, margin = 0, links }) => ({
      ...{ collider: createCollider(shape), X: Float64Array.from(placement ?? UNIT), margin, links: links ?? null },
    }));
  }

  /** The first contact among states of the straight motion; null where none is certain. */
  findOnMotion(a: ArrayLike<number>, b: ArrayLike<number>, times: readonly number[]): SphereContact | null {
    const { model, indices } = this;
    const [from, to] = [a, b].map((end) => {
      const q = Float64Array.from(this.q);
      indices.forEach((index, k) => {
        q[index] = end[k];
      });
      return q;
    });
    const q = new Float64Array(model.nq);
    for (const t of times) {
      interpolateConfiguration(q, model, from, to, t);
      const state = t === 1 ? Float64Array.from(b) : Float64Array.from(indices, (index) => q[index]);
      const contact = this.find(t, state);
      if (contact) return contact;
    }
    return null;
  }

  private find(t: number, state: Float64Array): SphereContact | null {
    this.place(state);
    for (const group of this.groups) {
      const obstacle = this.findObstacle(group);
      if (obstacle >= 0) return { t, state, link: group.name, other: null, obstacle };
    }
    const named = new Map(this.groups.map((group) => [group.name, group]));
    for (const [a, b] of this.options.pairs) {
      const [p, r] = [named.get(a), named.get(b)];
      if (p && r && this.doTouch(p.placed, r.placed)) return { t, state, link: a, other: b, obstacle: null };
    }
    return null;
  }

  private place(state: Float64Array): void {
    const { model, data, q, indices } = this;
    indices.forEach((index, k) => {
      q[index] = state[k];
    });
    forwardKinematics(model, data, q);
    updateFramePlacements(model, data);
    for (const { frame, spheres, placed } of this.groups) {
      const X = data.framePlacements.subarray(12 * frame, 12 * frame + 12);
      for (let i = 0; i < spheres.length; i += 4)
        for (let r = 0; r < 3; r++)
          placed[i + r] =
            X[3 * r] * spheres[i] + X[3 * r + 1] * spheres[i + 1] + X[3 * r + 2] * spheres[i + 2] + X[9 + r];
    }
  }

  private findObstacle({ name, placed }: Group): number {
    const { at, ball, measured } = this;
    return this.obstacles.findIndex(({ collider, X, margin, links }) => {
      if (links?.has(name) === false) return false;
      for (let i = 0; i < placed.length; i += 4) {
        at.set(placed.subarray(i, i + 3), 9);
        const reach = placed[i + 3] + margin;
        distance(measured, ball, at, collider, X, { upperBound: reach });
        if (measured.status !== 'beyond-bound' && measured.distance < reach - CERTAIN) return true;
      }
      return false;
    });
  }

  private doTouch(p: Float64Array, r: Float64Array): boolean {
    const margin = this.options.margin ?? 0;
    for (let i = 0; i < p.length; i += 4)
      for (let k = 0; k < r.length; k += 4) {
        const reach = p[i + 3] + r[k + 3] + margin - CERTAIN;
        const d = (p[i] - r[k]) ** 2 + (p[i + 1] - r[k + 1]) ** 2 + (p[i + 2] - r[k + 2]) ** 2;
        if (reach > 0 && d < reach * reach) return true;
      }
    return false;
  }
}
