/**
 * Re-checks a proof that spheres of two links never touch within a robot's limits. Shares nothing with the search but the model's kinematics.
 *
 * Method: walks the tree of halvings from the whole box of limits. In each box it forms, from the placements of all joints in W at the
 * middle, a lower bound of the distance of each pair of centres that is still open, and closes those whose bound exceeds the sum of radii; in a box
 * that is not halved none may be left, and nothing of the tree may be left over. The bound: with the one link held still, joint k carries the
 * other's centre with a speed of at most its lever r_k and an acceleration of at most sum over j, k of h_j h_k r of the later of
 * the two, where levers at the middle grow by what later joints can move the centre: the distance falls by no more than its slopes times
 * the half widths and half of that, nor by more than the sum of h_k r_k.
 * Fails: returns what is wrong, the first fault found. Cost: a forward kinematics per box. Tested by impossible-pairs.test.ts.
 */

import type { SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { createData, type Data, type Model, requireModel } from '../../model/model.js';
import type { ImpossiblePairs, LinkPairProof } from './impossible-proof.js';
import { requireImpossible, requireSphereModel } from './options.js';

/** Covers the rounding of the sums here, and limits that are met up to 1e-9. Metres. */
const SLACK = 5e-8;

export interface ImpossibleVerdict {
  readonly isProven: boolean;
  /** Empty when proven. */
  readonly reason: string;
  readonly spherePairs: number;
  readonly boxes: number;
}

export function verifyImpossiblePairs(model: Model, spheres: SphereModel, proof: ImpossiblePairs): ImpossibleVerdict {
  const call = 'verifyImpossiblePairs';
  requireModel(call, model);
  requireSphereModel(call, spheres);
  requireImpossible(call, 'proof', proof, model);
  let spherePairs = 0;
  let boxes = 0;
  for (const pair of proof.pairs) {
    if (pair.never.length === 0) continue;
    const walk = new ProofWalk(model, spheres, proof, pair);
    const reason = walk.run();
    boxes += walk.boxes;
    if (reason !== '') return { isProven: false, reason: `${pair.a} and ${pair.b}: ${reason}`, spherePairs, boxes };
    spherePairs += pair.never.length / 2;
  }
  return { isProven: true, reason: '', spherePairs, boxes };
}

/** A joint between the two links: what a unit of its coordinate does, and on which side it is. */
interface Between {
  readonly joint: number;
  readonly coordinate: number;
  readonly rate: number;
  readonly slides: boolean;
  /** +1 on the way to b, -1 on the way to a. */
  readonly side: 1 | -1;
}

class ProofWalk {
  boxes = 0;
  private readonly data: Data;
  private readonly q: Float64Array;
  private readonly between: Between[] = [];
  private readonly half = new Map<number, number>();

  constructor(
    private readonly model: Model,
    private readonly spheres: SphereModel,
    private readonly proof: ImpossiblePairs,
    private readonly pair: LinkPairProof,
  ) {
    this.data = createData(model);
    this.q = Float64Array.from(proof.rest);
  }

  run(): string {
    const { model, pair, proof } = this;
    const ends = [pair.a, pair.b].map((name) => ({
      link: model.linkIndex.get(name),
      spheres: this.spheres.links.find(({ link }) => link === name)?.levels.at(-1),
    }));
    for (const { link, spheres } of ends) if (link === undefined || spheres === undefined) return 'no such link';
    const fault = this.listBetween(ends[0].link as number, ends[1].link as number);
    if (fault !== '') return fault;
    const used = new Set(this.between.map(({ coordinate }) => coordinate));
    if ([...used].some((k) => !pair.coordinates.includes(k))) return 'a coordinate that moves them is missing';
    const box = pair.coordinates.map((k) => {
      const index = proof.indices[k];
      const isTurning = !(model.upper[index] - model.lower[index] < Infinity);
      return isTurning ? [-Math.PI, Math.PI] : [model.lower[index], model.upper[index]];
    });
    const [a, b] = ends.map(({ spheres }) => spheres as Float64Array);
    const rows: Row[] = [];
    for (let n = 0; n < pair.never.length; n += 2) {
      const [i, k] = [4 * pair.never[n], 4 * pair.never[n + 1]];
      if (!(i >= 0 && i < a.length && k >= 0 && k < b.length)) return 'no such sphere';
      rows.push({
        a: this.toJoint(ends[0].link as number, a, i),
        b: this.toJoint(ends[1].link as number, b, k),
        radii: a[i + 3] + b[k + 3] + proof.margin,
      });
    }
    return this.walk(box, rows);
  }

  private walk(whole: number[][], rows: Row[]): string {
    const { splits, coordinates } = this.pair;
    const stack: { box: number[][]; rows: Row[] }[] = [{ box: whole, rows }];
    let at = 0;
    while (stack.length > 0) {
      const { box, rows } = stack.pop() as { box: number[][]; rows: Row[] };
      this.boxes++;
      if (at >= splits.length) return 'the tree ends early';
      const split = splits[at++];
      const open = this.filterOpen(box, rows);
      if (split === -1) {
        if (open.length > 0) return `${open.length} pairs of spheres are not told apart in a box`;
        continue;
      }
      if (!(split >= 0 && split < coordinates.length)) return 'no such coordinate';
      const [lower, upper] = box[split];
      const middle = 0.5 * (lower + upper);
      const part = (range: number[]): number[][] => box.map((each, i) => (i === split ? range : each));
      stack.push({ box: part([middle, upper]), rows: open }, { box: part([lower, middle]), rows: open });
    }
    return at === splits.length ? '' : 'the tree goes on behind its end';
  }

  private filterOpen(box: number[][], rows: Row[]): Row[] {
    const { proof, pair, q, model, data } = this;
    pair.coordinates.forEach((k, i) => {
      const [lower, upper] = box[i];
      this.half.set(k, 0.5 * (upper - lower));
      q[proof.indices[k]] = 0.5 * (lower + upper);
    });
    if (rows.length === 0) return rows;
    forwardKinematics(model, data, q);
    return rows.filter((row) => !(this.boundFromBelow(row) > row.radii + SLACK));
  }

  private boundFromBelow({ a, b }: Row): number {
    const A = this.toWorld(a);
    const B = this.toWorld(b);
    const d = [B[0] - A[0], B[1] - A[1], B[2] - A[2]];
    const distance = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (distance === 0) return 0;
    const n = d.map((x) => x / distance);
    const steps = this.between.map(({ joint, coordinate, rate, slides, side }) => {
      const X = this.data.jointPlacements.subarray(12 * joint, 12 * joint + 12);
      const u = this.model.axes.subarray(3 * joint, 3 * joint + 3);
      const axis = [0, 1, 2].map((r) => X[3 * r] * u[0] + X[3 * r + 1] * u[1] + X[3 * r + 2] * u[2]);
      const h = Math.abs(rate) * (this.half.get(coordinate) as number);
      if (slides) return { h, slope: side * dot(n, axis), slides, leverA: 1, leverB: 1 };
      const fromAxis = (p: readonly number[]): number[] => cross(axis, [p[0] - X[9], p[1] - X[10], p[2] - X[11]]);
      // Below zero and above it alike: what counts is the slope's size.
      const slope = dot(n, fromAxis(side > 0 ? B : A)) * side;
      return { h, slope, slides, leverA: norm(fromAxis(A)), leverB: norm(fromAxis(B)) };
    });
    let slopes = 0;
    let straight = 0;
    const grown = steps.map(({ h, slope, slides, leverA, leverB }, k) => {
      slopes += h * Math.abs(slope);
      return { h, slides, a: leverA, b: leverB, k };
    });
    let carried = 0;
    for (const step of [...grown].reverse()) {
      if (!step.slides) step.b += carried;
      carried += step.h * step.b;
    }
    carried = 0;
    for (const step of grown) {
      if (!step.slides) step.a += carried;
      carried += step.h * step.a;
    }
    let bentA = 0;
    let bentB = 0;
    for (const one of grown) {
      straight += one.h * Math.min(one.a, one.b);
      for (const two of grown) {
        bentB += 0.5 * one.h * two.h * (one.k > two.k ? one.b : two.b);
        bentA += 0.5 * one.h * two.h * (one.k < two.k ? one.a : two.a);
      }
    }
    return distance - Math.min(straight, slopes + Math.min(bentA, bentB));
  }

  /** Joints from a up to what carries both and down to b, in this order. */
  private listBetween(linkA: number, linkB: number): string {
    const { model, proof } = this;
    const climb = (from: number): number[] => {
      const chain: number[] = [];
      for (let j = from; j > 0; j = model.parents[j]) chain.push(j);
      return chain;
    };
    const up = climb(model.linkJoints[linkA]);
    const down = climb(model.linkJoints[linkB]);
    while (up.length > 0 && up.at(-1) === down.at(-1)) {
      up.pop();
      down.pop();
    }
    for (const [list, side] of [
      [up, -1],
      [down.reverse(), 1],
    ] as const) {
      for (const joint of list) {
        const coordinate = proof.indices.indexOf(model.idxQ[joint]);
        const kind = model.jointKinds[joint]?.name ?? '';
        const isFree = Array.from({ length: Math.max(model.nqs[joint], 1) }, (_, i) => model.idxQ[joint] + i).some(
          (index) => proof.indices.includes(index),
        );
        if (!isFree) continue;
        if (!['revolute', 'continuous', 'prismatic'].includes(kind))
          return `joint ${model.jointNames[joint]} of kind ${kind}`;
        const mimics = model.mimicDrivers[joint] > 0;
        this.between.push({
          joint,
          coordinate,
          rate: mimics ? model.mimicMultipliers[joint] : 1,
          slides: kind === 'prismatic',
          side,
        });
      }
    }
    return '';
  }

  private toJoint(link: number, level: Float64Array, i: number): JointPoint {
    const frame = this.model.linkFrames[link];
    const X = this.model.framePlacements.subarray(12 * frame, 12 * frame + 12);
    return { joint: this.model.linkJoints[link], p: move(X, [level[i], level[i + 1], level[i + 2]]) };
  }

  private toWorld({ joint, p }: JointPoint): number[] {
    return move(this.data.jointPlacements.subarray(12 * joint, 12 * joint + 12), p);
  }
}

interface JointPoint {
  readonly joint: number;
  readonly p: readonly number[];
}

interface Row {
  readonly a: JointPoint;
  readonly b: JointPoint;
  readonly radii: number;
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a: readonly number[]): number => Math.sqrt(dot(a, a));
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const move = (X: ArrayLike<number>, p: readonly number[]): number[] =>
  [0, 1, 2].map((r) => X[3 * r] * p[0] + X[3 * r + 1] * p[1] + X[3 * r + 2] * p[2] + X[9 + r]);
