import { describe, expect, it } from 'vitest';
import { createTransform, transformToPose } from '../../math/transform.js';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import {
  createSevenJointArm,
  createSixJointArm,
  lineThroughSingularity,
  poseAt,
  shifted,
  type TestArm,
} from './arms.test-support.js';
import { followToolPath } from './follow-tool-path.js';
import { linePieces, toolCurve } from './tool-path.js';

function lineOf(arm: TestArm, end: readonly number[]) {
  const from = Float64Array.from(poseAt(arm, arm.start));
  return toolCurve(linePieces(from, Float64Array.from(end)), from);
}

describe('followToolPath', () => {
  it.each([
    ['six', createSixJointArm()],
    ['seven', createSevenJointArm()],
  ])('keeps the tool of an arm of %s joints on a line, ten times finer than its pieces', (_, arm) => {
    const end = shifted(poseAt(arm, arm.start), -0.1, 0.25, 0.05);
    const line = lineOf(arm, [...end.slice(0, 3), 0.3, 0.9, 0.1, Math.sqrt(0.09)]);
    const followed = followToolPath(arm.tool, line, arm.start);
    expect(followed.status).toBe('followed');
    const curve = new JointCurve(
      arm.model,
      followed.pieces.map(({ piece }) => piece),
      followed.end,
    );
    const [joints, tool] = [createTrajectoryPoint(arm.model), createTrajectoryPoint(line.model)];
    const X = createTransform();
    for (let k = 0; k <= 10 * curve.pieces.length; k++) {
      const at = (curve.duration * k) / (10 * curve.pieces.length);
      const pose = transformToPose(new Float64Array(7), arm.tool.place(X, curve.evaluate(joints, at).q));
      line.evaluate(tool, at);
      expect(Math.hypot(...[0, 1, 2].map((i) => pose[i] - tool.q[i]))).toBeLessThan(2e-7);
      const sign = Math.sign([3, 4, 5, 6].reduce((sum, i) => sum + pose[i] * tool.q[i], 0));
      expect(Math.hypot(...[3, 4, 5, 6].map((i) => pose[i] - sign * tool.q[i]))).toBeLessThan(1e-6);
    }
  });

  it('goes straight through a singularity whose joints need not jump', () => {
    const arm = createSixJointArm();
    const { line, q } = lineThroughSingularity(arm, 0);
    expect(followToolPath(arm.tool, line, q).status).toBe('followed');
  });

  it('says what is out of reach, and where', () => {
    const arm = createSixJointArm();
    const here = poseAt(arm, arm.start);
    const { status, reached } = followToolPath(arm.tool, lineOf(arm, shifted(here, 0.6, 0, 0.2)), arm.start);
    expect(['unreachable', 'singular']).toContain(status);
    expect(reached).toBeGreaterThan(0.02);
    expect(reached).toBeLessThan(0.6);
  });

  it('names the joint that is at its limit', () => {
    const arm = createSixJointArm();
    const start = Float64Array.of(2.7, 0.3, 1.4, 0, 0.9, 0);
    const here = poseAt(arm, start);
    const from = Float64Array.from(here);
    const line = toolCurve(linePieces(from, Float64Array.from(shifted(here, -0.1, -0.4, 0))), from);
    const { status, reason, joint } = followToolPath(arm.tool, line, start);
    expect(status).toBe('joint-limit');
    expect(joint).toBe('j0');
    expect(reason).toBe('joint "j0" is at its limit 2.9');
  });
});
