/**
 * How far a base without limits need go: bounds for planning, from what stands around a robot.
 *
 * Method: a prismatic, planar or floating joint at the base shifts the robot along some directions without turning the next.
 * Along each of them the bounds hold the states to be joined and the boxes of all other bodies, widened by the robot's own
 * size twice and a metre, so that there is room to go round everything. Other joints without limits get the range of the
 * states, widened by its size and at least by a metre.
 * Frames: W, and the joint's frame. Boxes without end (half-spaces) say nothing. Tested by test/contract/scene-motion-bounds.test.ts.
 */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createTransform, multiplyTransformAt, type Transform } from '../../math/transform.js';
import { listOtherBodies } from '../queries/pair-rules.js';
import { requireNumbers, requireOpen, requireRobot } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';

export interface MotionBounds {
  /** nq numbers each; the model's own limits where it has them. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

const LEAST_REACH = 1;

/** `states`: full configurations to be joined, nq numbers each. For `bounds` of `createConfigurationSpace`. */
export function findMotionBounds(scene: Scene, robot: SceneRobot, states: readonly ArrayLike<number>[]): MotionBounds {
  requireOpen(scene, 'findMotionBounds');
  requireRobot('findMotionBounds', robot);
  const { model } = robot;
  if (!Array.isArray(states))
    throw new MisuseError(`findMotionBounds: states, got ${describeValue(states)}, expected a list of configurations`);
  states.forEach((state, i) => {
    requireNumbers('findMotionBounds', `states[${i}]`, state, model.nq);
  });
  updateScene(scene);
  const lower = model.lower.slice();
  const upper = model.upper.slice();
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j]!;
    if (kind.shiftCoordinates === 0 || model.nqs[j] === 0) continue;
    const around = model.parents[j] === 0 ? surroundings(scene, robot, j) : null;
    let span = 0;
    const ranges = Array.from({ length: kind.shiftCoordinates }, (_, k) => {
      const values = [...states.map((state) => state[model.idxQ[j] + k]), ...(around?.extents[k] ?? [])];
      const range = values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
      span = Math.max(span, range[1] - range[0]);
      return range;
    });
    const reach = around && around.count > 0 ? 2 * around.size + LEAST_REACH : Math.max(span, LEAST_REACH);
    ranges.forEach(([from, to], k) => {
      const i = model.idxQ[j] + k;
      if (!Number.isFinite(lower[i])) lower[i] = from - reach;
      if (!Number.isFinite(upper[i])) upper[i] = to + reach;
    });
  }
  return { lower, upper };
}

interface Surroundings {
  /** Bodies with an end. */
  readonly count: number;
  /** Per shift coordinate: from, to. */
  readonly extents: readonly (readonly number[])[];
  /** No point of the robot is farther from the joint's moving frame. */
  readonly size: number;
}

function surroundings(scene: Scene, robot: SceneRobot, joint: number): Surroundings {
  const { model, data } = robot;
  const X_WJ = createTransform();
  multiplyTransformAt(X_WJ, 0, robot.placement, 0, model.placements, 12 * joint);
  const own = new Set<SceneBody>(robot.links.map(({ body }) => body));
  for (const { body } of robot.attached) own.add(body);
  const others = listOtherBodies(scene, own);
  let size = 0;
  const moving = data.jointPlacements.subarray(12 * joint, 12 * joint + 12);
  for (const { box } of own) {
    if (!box.every(Number.isFinite)) continue;
    for (const corner of corners(box))
      size = Math.max(size, Math.sqrt(corner.reduce((sum, x, i) => sum + (x - moving[9 + i]) ** 2, 0)));
  }
  const kind = model.jointKinds[joint]!;
  const extents = Array.from({ length: kind.nq - kind.unitCoordinates }, (): number[] => []);
  let count = 0;
  for (const { box } of others) {
    if (!box.every(Number.isFinite)) continue;
    count++;
    for (const corner of corners(box))
      for (const [k, range] of extents.entries()) range.push(along(X_WJ, model, joint, k, corner));
  }
  // Only the ends matter.
  return { count, size, extents: extents.map((values) => endsOf(values)) };
}

function endsOf(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  let [from, to] = [Infinity, -Infinity];
  for (const value of values) {
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  return [from, to];
}

/** The coordinate along the joint's k-th direction at which its frame stands beside the point. */
function along(
  X: Transform,
  { motionSubspaces, idxV }: SceneRobot['model'],
  joint: number,
  k: number,
  p: number[],
): number {
  const at = 6 * (idxV[joint] + k);
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    let local = 0;
    for (let r = 0; r < 3; r++) local += X[3 * r + i] * (p[r] - X[9 + r]);
    sum += motionSubspaces[at + i] * local;
  }
  return sum;
}

function* corners(box: Float64Array): Generator<number[]> {
  for (let c = 0; c < 8; c++) yield [box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2]];
}
