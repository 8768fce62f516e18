/**
 * Helical (screw) joint: q = angle in radians about the axis, not wrapped; the body advances pitch metres per radian along it.
 * Without limits random angles lie in [-pi, pi].
 */
import type { JointKind } from './joint-kind.js';
import { largestMagnitude } from './line.js';
import { revolute } from './revolute.js';

export function createHelical(pitch: number): JointKind {
  return {
    ...revolute,
    name: 'helical',
    motion: 'general',
    largestShift: (lower, upper, iq) => (pitch === 0 ? 0 : Math.abs(pitch) * largestMagnitude(lower, upper, iq)),
    place(out, outAt, axis, axisAt, q, iq) {
      revolute.place(out, outAt, axis, axisAt, q, iq);
      for (let i = 0; i < 3; i++) out[outAt + 9 + i] = pitch * q[iq] * axis[axisAt + i];
    },
    writeSubspace(out, outAt, axis, axisAt, q, iq) {
      revolute.writeSubspace(out, outAt, axis, axisAt, q, iq);
      for (let i = 0; i < 3; i++) out[outAt + i] = pitch * axis[axisAt + i];
    },
  };
}
