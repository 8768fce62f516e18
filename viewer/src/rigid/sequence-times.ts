/** Where the parts of a sequence are at a time of it, and where they are drawn apart. */
import { createTransform, multiplyTransform, poseToTransform, transformToPose } from 'clearance/math';
import type { SequenceStepAnswer } from './messages.js';
import { poseAt } from './parts-view.js';

type Pose = readonly number[] | Float64Array;

/** Poses of all parts after `time` steps: whole steps are done, the rest is how far the one is that goes on. */
export function posesAt(homes: readonly Pose[], steps: readonly SequenceStepAnswer[], time: number): Float64Array[] {
  const poses: Float64Array[] = homes.map((home) => Float64Array.from(home));
  steps.forEach(({ parts, displacements }, k) => {
    const share = Math.min(1, Math.max(0, time - k));
    if (share === 0) return;
    const at = Math.min(share * (displacements.length - 1), displacements.length - 1);
    const motion = Math.min(Math.floor(at), displacements.length - 2);
    const move = poseAt(displacements, motion, at - motion);
    for (const i of parts) poses[i] = compose(move, poses[i]);
  });
  return poses;
}

/** Whether a part is out, and alone, at a time: nothing of it is to be taken apart. */
export function isOut(steps: readonly SequenceStepAnswer[], part: number, time: number): boolean {
  let at = -1;
  steps.forEach(({ parts }, k) => {
    if (!parts.includes(part)) return;
    at = k;
  });
  if (at < 0 || time < at + 1) return false;
  // What stays of a set that came out as one is there until the last of the others has left it.
  const { parts } = steps[at];
  if (parts.length === 1) return true;
  const last = steps.reduce((most, step, k) => (k > at && step.parts.some((i) => parts.includes(i)) ? k : most), at);
  return time >= last + 1;
}

/** All parts apart, each along the way that it takes out: those that leave first go farthest. `share` 0 to 1. */
export function explode(
  homes: readonly Pose[],
  steps: readonly SequenceStepAnswer[],
  share: number,
  size: number,
): Float64Array[] {
  const poses = homes.map((home) => Float64Array.from(home));
  const ways = steps.map(({ displacements }) => {
    const last = displacements[displacements.length - 1];
    const length = Math.sqrt(last[0] ** 2 + last[1] ** 2 + last[2] ** 2);
    return [0, 1, 2].map((k) => (length > 0 ? last[k] / length : 0));
  });
  steps.forEach(({ parts }, k) => {
    const after = ways.filter((way, j) => j > k && dot(way, ways[k]) > 0.9).length;
    const far = share * size * 0.45 * (1 + after);
    for (const i of parts) for (let c = 0; c < 3; c++) poses[i][c] += far * ways[k][c];
  });
  return poses;
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function compose(a: Pose, b: Pose): Float64Array {
  const X = poseToTransform(createTransform(), a);
  multiplyTransform(X, X, poseToTransform(createTransform(), b));
  return transformToPose(new Float64Array(7), X);
}
