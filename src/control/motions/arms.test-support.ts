/** Arms for tests: six joints with a spherical wrist, singular where its fifth joint is straight; and seven. */
import { joint, placement, robot } from '../../../test/models.js';
import { createTransform, transformToPose } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { findFrame, type Model } from '../../model/model.js';
import type { JointCurve } from '../../trajectory/joint-curve.js';
import { createLimits, type MotionLimits } from '../../trajectory/limits.js';
import { followToolPath } from './follow-tool-path.js';
import type { MotionProgram, MoveDescription, MoveSettings } from './program.js';
import { Tool } from './tool.js';
import { linePieces, toolCurve } from './tool-path.js';

const Z = [0, 0, 1] as const;
const Y = [0, 1, 0] as const;

export interface TestArm {
  readonly model: Model;
  readonly tool: Tool;
  readonly limits: MotionLimits;
  readonly start: Float64Array;
}

function createArm(
  axes: readonly (readonly [number, number, number])[],
  lifts: readonly number[],
  start: number[],
): TestArm {
  const limits = { lower: -2.9, upper: 2.9, velocity: 2 };
  const { model } = buildModel(
    robot([
      ...axes.map((axis, i) =>
        joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, { axis, limits, origin: placement([0, 0, lifts[i]]) }),
      ),
      joint('tip', 'fixed', `l${axes.length}`, 'tip', { origin: placement([0, 0, 0.1]) }),
    ]),
  );
  const X_FT = Float64Array.from([...placement().subarray(0, 9), 0, 0, 0.05]);
  return {
    model,
    tool: new Tool(model, findFrame(model, 'tip'), X_FT, null),
    limits: createLimits(model, { acceleration: 6 }),
    start: Float64Array.from(start),
  };
}

export const createSixJointArm = (): TestArm =>
  createArm([Z, Y, Y, Z, Y, Z], [0.3, 0, 0.4, 0.2, 0.2, 0.05], [0, 0.3, 1.4, 0, 0.9, 0]);

export const createSevenJointArm = (): TestArm =>
  createArm([Z, Y, Z, Y, Z, Y, Z], [0.34, 0, 0.4, 0, 0.4, 0, 0.1], [0, 0.4, 0.1, 1.4, 0.1, 1.0, 0]);

export function poseAt({ tool }: TestArm, q: Float64Array): number[] {
  return Array.from(transformToPose(new Float64Array(7), tool.place(createTransform(), q)));
}

export function programOf(arm: TestArm, moves: readonly MoveDescription[], defaults: MoveSettings = {}): MotionProgram {
  return {
    format: 'clearance.motion/1',
    tool: { frame: 'tip', offset: [0, 0, 0.05, 0, 0, 0, 1] },
    start: Array.from(arm.start),
    defaults,
    moves,
  };
}

/** A pose moved by so many metres. */
export const shifted = (pose: readonly number[], x: number, y: number, z: number): number[] => [
  pose[0] + x,
  pose[1] + y,
  pose[2] + z,
  ...pose.slice(3),
];

/** A line of 0.2 m that passes the pose of a straight wrist in its middle at a distance, and a configuration at its start. */
export function lineThroughSingularity(arm: TestArm, distance: number): { line: JointCurve; q: Float64Array } {
  const middle = poseAt(arm, Float64Array.of(0, 0.5, 1.2, 0, 0, 0));
  const begin = Float64Array.from(shifted(middle, 0, -0.1, distance));
  const bent = Float64Array.of(0, 0.5, 1.2, 0, 0.2, 0);
  const from = Float64Array.from(poseAt(arm, bent));
  const { end } = followToolPath(arm.tool, toolCurve(linePieces(from, begin), from), bent);
  return { line: toolCurve(linePieces(begin, Float64Array.from(shifted(middle, 0, 0.1, distance))), begin), q: end };
}
