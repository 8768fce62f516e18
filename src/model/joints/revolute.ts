/** Revolute joint: q = angle in radians about the axis, not wrapped, so limits may lie beyond a half turn. */
import { cos, sin } from '../../math/scalar.js';
import { constantSubspace } from './constant-subspace.js';
import type { JointKind } from './joint-kind.js';
import {
  clampLine,
  differenceLine,
  integrateLine,
  interpolateLine,
  lineJacobians,
  sampleLine,
  squaredDistanceLine,
} from './line.js';
import { placeRotation } from './rotation.js';

export const revolute: JointKind = {
  name: 'revolute',
  nq: 1,
  nv: 1,
  unitCoordinates: 0,
  shiftCoordinates: 0,
  usesAxis: true,
  motion: 'rotation',
  isWrapped: false,
  group: 'vector',
  largestShift: () => 0,
  place: (out, outAt, axis, axisAt, q, iq) => placeRotation(out, outAt, axis, axisAt, cos(q[iq]), sin(q[iq])),
  writeSubspace(out, outAt, axis, axisAt) {
    for (let i = 0; i < 3; i++) {
      out[outAt + i] = 0;
      out[outAt + 3 + i] = axis[axisAt + i];
    }
  },
  writeSubspaceRate: constantSubspace(1),
  setNeutral(out, iq) {
    out[iq] = 0;
  },
  integrate: integrateLine,
  difference: differenceLine,
  ...lineJacobians,
  interpolate: interpolateLine,
  squaredDistance: squaredDistanceLine,
  /** Without limits: [-pi, pi]. */
  setRandom(out, lower, upper, random, iq) {
    out[iq] = sampleLine(lower[iq], upper[iq], Math.PI, random);
  },
  clamp: clampLine,
  normalize(out, q, iq) {
    out[iq] = q[iq];
  },
};
