import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTransform, originToTransform, poseToTransform } from '../../src/math.js';
import { quatToRollPitchYaw, rollPitchYawToQuat } from './coordinates.js';

const angle = fc.double({ min: -3.1, max: 3.1, noNaN: true });

describe('roll, pitch, yaw', () => {
  it('turn as URDF origins do', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), (rpy) => {
        const [x, y, z, w] = rollPitchYawToQuat(rpy);
        const ours = poseToTransform(createTransform(), [0, 0, 0, x, y, z, w]);
        const urdf = originToTransform(createTransform(), [0, 0, 0], rpy);
        for (let i = 0; i < 12; i++) expect(ours[i]).toBeCloseTo(urdf[i], 12);
      }),
    );
  });

  it('come back as the same rotation, also near and at pitch of 90 degrees', () => {
    const pitch = fc.oneof(angle, fc.constantFrom(Math.PI / 2, -Math.PI / 2, Math.PI / 2 - 1e-9));
    fc.assert(
      fc.property(fc.tuple(angle, pitch, angle), (rpy) => {
        const q = rollPitchYawToQuat(rpy);
        const again = rollPitchYawToQuat(quatToRollPitchYaw([...q]));
        const dot = q[0] * again[0] + q[1] * again[1] + q[2] * again[2] + q[3] * again[3];
        expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-9);
      }),
    );
  });
});
