import { describe, expect, it } from 'vitest';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createSixJointArm, lineThroughSingularity } from './arms.test-support.js';
import { findSingularities, NEAR } from './find-singularities.js';
import { followToolPath } from './follow-tool-path.js';

describe('findSingularities', () => {
  it.each([0, 2e-3, 5e-3])('finds the straight wrist that a line passes at %d m', (distance) => {
    const arm = createSixJointArm();
    const { line, q } = lineThroughSingularity(arm, distance);
    const { pieces, end, status } = followToolPath(arm.tool, line, q);
    expect(status).toBe('followed');
    const curve = new JointCurve(
      arm.model,
      pieces.map(({ piece }) => piece),
      end,
    );
    const found = findSingularities(arm.tool, curve, () => true);
    expect(found).toHaveLength(1);
    expect(Math.abs(found[0].at - 0.1)).toBeLessThan(0.01);
    expect(found[0].singularValues).toHaveLength(6);
    expect(found[0].singularValues[5]).toBeLessThan(NEAR);
    if (distance === 0) expect(found[0].singularValues[5]).toBeLessThan(1e-6);
    expect(['j3', 'j5']).toContain(found[0].joint);
    expect(findSingularities(arm.tool, curve, () => false)).toEqual([]);
  });
});
