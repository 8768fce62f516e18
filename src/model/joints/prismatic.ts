/** Prismatic joint: q = shift in metres along the axis. */
import { constantSubspace } from './constant-subspace.js';
import type { JointKind } from './joint-kind.js';
import {
  clampLine,
  differenceLine,
  integrateLine,
  interpolateLine,
  largestMagnitude,
  lineJacobians,
  sampleTranslation,
  squaredDistanceLine,
} from './line.js';

export const prismatic: JointKind = {
  name: 'prismatic',
  nq: 1,
  nv: 1,
  unitCoordinates: 0,
  shiftCoordinates: 1,
  usesAxis: true,
  motion: 'translation',
  isWrapped: false,
  group: 'vector',
  largestShift: largestMagnitude,
  place(out, outAt, axis, axisAt, q, iq) {
    for (let i = 0; i < 9; i++) out[outAt + i] = i % 4 === 0 ? 1 : 0;
    for (let i = 0; i < 3; i++) out[outAt + 9 + i] = q[iq] * axis[axisAt + i];
  },
  writeSubspace(out, outAt, axis, axisAt) {
    for (let i = 0; i < 3; i++) {
      out[outAt + i] = axis[axisAt + i];
      out[outAt + 3 + i] = 0;
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
  /** Without limits: [-1, 1] m; with one limit: 2 m from it. */
  setRandom(out, lower, upper, random, iq) {
    out[iq] = sampleTranslation(lower[iq], upper[iq], random);
  },
  clamp: clampLine,
  normalize(out, q, iq) {
    out[iq] = q[iq];
  },
};
