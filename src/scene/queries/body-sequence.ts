/**
 * The bodies of a robot in a row, so that a ChainTree can hold them: neighbours in the row are neighbours in the robot, and
 * the pose of one in the other depends on the joints between the two.
 *
 * Method:
 *  1. Joints and the base are the nodes of a tree without a root. The row starts at one end of its longest path and walks
 *     the tree depth first, the deepest branch last: along a snake every gap of the row is one joint, wherever the robot's
 *     base is; a side branch is left again in one gap that goes back through its joints.
 *  2. Gap i is the pose of body i + 1 in body i: body i's placement on its joint turned back, the joints up and down the
 *     path, body i + 1's placement. Bodies that fixed joints hold together share a node: their gap never changes.
 *  3. Every coordinate of q lists the gaps that it changes, those of joints that mimic it too.
 *
 * Frames: B_i frame of body i (its link), P and M of a joint as in kinematics/relative-placements.ts.
 * Cost: O(joints) to lay out; one product per joint of a gap. Checked by self-contacts.test.ts against forward kinematics.
 */
import { writeRelativePlacement } from '../../kinematics/relative-placements.js';
import {
  copyTransformAt,
  createTransform,
  invertTransform,
  multiplyTransformAt,
  TRANSFORM_STRIDE,
  type Transform,
} from '../../math/transform.js';
import type { Model } from '../../model/model.js';

export interface BodySequence {
  readonly model: Model;
  /** Position in the robot's list of links, by place in the row. */
  readonly order: Int32Array;
  /** Joints of gap i: steps[starts[i]] .. steps[starts[i + 1] - 1], j down through joint j, -j up through it. */
  readonly starts: Int32Array;
  readonly steps: Int32Array;
  /** Gaps that coordinate c changes: gaps[gapStarts[c]] .. gaps[gapStarts[c + 1] - 1]. */
  readonly gapStarts: Int32Array;
  readonly gaps: Int32Array;
  /** Most joints that a gap goes through. */
  readonly longestGap: number;
  /** Placement of each body on its joint, and the inverse, 12 numbers each, in row order. */
  readonly placements: Float64Array;
  readonly inverses: Float64Array;
}

const X_PM = createTransform();
const inverse = createTransform();

/** `frames`: the model's frame of each body. */
export function sequenceBodies(model: Model, frames: ArrayLike<number>): BodySequence {
  const bodiesAt: number[][] = Array.from({ length: model.jointCount }, () => []);
  for (let i = 0; i < frames.length; i++) bodiesAt[model.frameJoints[frames[i]]].push(i);
  const { order: nodes, parents } = walkTree(model, bodiesAt);
  const order: number[] = [];
  const starts = [0];
  const steps: number[] = [];
  const gapsOf: number[][] = Array.from({ length: model.nq }, () => []);
  let longestGap = 0;
  let last = -1;
  for (const node of nodes) {
    for (const body of bodiesAt[node]) {
      if (last >= 0) {
        const path = findPath(model, parents, last, node);
        for (const coordinate of coordinatesOf(model, path)) gapsOf[coordinate].push(order.length - 1);
        for (const step of path) steps.push(step);
        starts.push(steps.length);
        longestGap = Math.max(longestGap, path.length);
      }
      order.push(body);
      last = node;
    }
  }
  const placements = new Float64Array(TRANSFORM_STRIDE * order.length);
  const inverses = new Float64Array(TRANSFORM_STRIDE * order.length);
  order.forEach((body, i) => {
    copyTransformAt(X_PM, 0, model.framePlacements, TRANSFORM_STRIDE * frames[body]);
    copyTransformAt(placements, TRANSFORM_STRIDE * i, X_PM, 0);
    copyTransformAt(inverses, TRANSFORM_STRIDE * i, invertTransform(inverse, X_PM), 0);
  });
  const gapStarts = new Int32Array(model.nq + 1);
  gapsOf.forEach((gaps, c) => {
    gapStarts[c + 1] = gapStarts[c] + gaps.length;
  });
  return {
    model,
    order: Int32Array.from(order),
    starts: Int32Array.from(starts),
    steps: Int32Array.from(steps),
    gapStarts,
    gaps: Int32Array.from(gapsOf.flat()),
    longestGap,
    placements,
    inverses,
  };
}

/** X_{i,i+1}: pose of body i + 1 of the row in body i. */
export function writeGap(out: Transform, row: BodySequence, i: number, q: Float64Array): Transform {
  const { model, starts, steps, placements, inverses } = row;
  copyTransformAt(out, 0, inverses, TRANSFORM_STRIDE * i);
  for (let k = starts[i]; k < starts[i + 1]; k++) {
    const joint = Math.abs(steps[k]);
    writeRelativePlacement(X_PM, 0, model, joint, q);
    if (steps[k] < 0) invertTransform(X_PM, X_PM);
    multiplyTransformAt(out, 0, out, 0, X_PM, 0);
  }
  multiplyTransformAt(out, 0, out, 0, placements, TRANSFORM_STRIDE * (i + 1));
  return out;
}

/** Joints that hold bodies, or lead to one, in the order of the row, and the tree's parents seen from the first of them. */
function walkTree(model: Model, bodiesAt: readonly (readonly number[])[]): { order: number[]; parents: Int32Array } {
  const count = model.jointCount;
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  const depths = new Int32Array(count);
  let start = -1;
  for (let j = 0; j < count; j++) {
    if (j > 0) {
      const parent = model.parents[j];
      neighbours[j].push(parent);
      neighbours[parent].push(j);
      depths[j] = depths[parent] + 1;
    }
    if (bodiesAt[j].length > 0 && (start < 0 || depths[j] > depths[start])) start = j;
  }
  const parents = new Int32Array(count).fill(-1);
  const found = [Math.max(start, 0)];
  for (let i = 0; i < found.length; i++) {
    for (const next of neighbours[found[i]]) {
      if (next === parents[found[i]]) continue;
      parents[next] = found[i];
      found.push(next);
    }
  }
  // Joints from here to the farthest body below; -1 where there is none.
  const heights = new Int32Array(count).fill(-1);
  for (let i = found.length - 1; i >= 0; i--) {
    const node = found[i];
    if (bodiesAt[node].length > 0) heights[node] = Math.max(heights[node], 0);
    if (heights[node] >= 0 && i > 0) heights[parents[node]] = Math.max(heights[parents[node]], heights[node] + 1);
  }
  const order: number[] = [];
  const open = [found[0]];
  while (open.length > 0) {
    const node = open.pop()!;
    order.push(node);
    const branches = neighbours[node].filter((next) => next !== parents[node] && heights[next] >= 0);
    branches.sort((a, b) => heights[b] - heights[a] || a - b);
    open.push(...branches);
  }
  return { order, parents };
}

/** Steps from one joint's moving frame to another's, `parents` being those of the walk. */
function findPath(model: Model, parents: Int32Array, from: number, to: number): number[] {
  const onWay = new Set<number>();
  for (let node = from; node >= 0; node = parents[node]) onWay.add(node);
  const down: number[] = [];
  let meeting = to;
  for (; !onWay.has(meeting); meeting = parents[meeting]) down.push(stepTo(model, parents[meeting], meeting));
  const path: number[] = [];
  for (let node = from; node !== meeting; node = parents[node]) path.push(stepTo(model, node, parents[node]));
  return [...path, ...down.reverse()];
}

/** The joint between two neighbours, negative against its direction. */
function stepTo(model: Model, from: number, to: number): number {
  return model.parents[to] === from && to > 0 ? to : -from;
}

function coordinatesOf(model: Model, path: readonly number[]): Set<number> {
  const coordinates = new Set<number>();
  for (const step of path) {
    const joint = Math.abs(step);
    const first = model.idxQ[joint];
    for (let c = 0; c < model.jointKinds[joint]!.nq; c++) coordinates.add(first + c);
  }
  return coordinates;
}
