/**
 * Continuous joint with one angle: q and q + 2 pi are the same placement. Differences take the short way round and lie in
 * [-pi, pi]; integrate leaves the angle unwrapped (normalize wraps), so that a path keeps its turns.
 */
import type { JointKind } from './joint-kind.js';
import { integrateLine, lineJacobians, sampleLine } from './line.js';
import { revolute } from './revolute.js';
import { wrapAngle } from './rotation.js';

export const continuous: JointKind = {
  name: 'continuous',
  nq: 1,
  nv: 1,
  unitCoordinates: 0,
  shiftCoordinates: 0,
  usesAxis: true,
  motion: 'rotation',
  isWrapped: true,
  group: 'vector',
  largestShift: () => 0,
  place: revolute.place,
  writeSubspace: revolute.writeSubspace,
  writeSubspaceRate: revolute.writeSubspaceRate,
  setNeutral: revolute.setNeutral,
  integrate: integrateLine,
  difference(out, a, b, iq, iv) {
    out[iv] = wrapAngle(b[iq] - a[iq]);
  },
  ...lineJacobians,
  interpolate(out, a, b, t, iq) {
    const d = b[iq] - a[iq];
    const short = wrapAngle(d);
    out[iq] = t === 1 && short === d ? b[iq] : a[iq] + t * short;
  },
  squaredDistance(a, b, iq) {
    const d = wrapAngle(b[iq] - a[iq]);
    return d * d;
  },
  /** Without limits, which is the rule: [-pi, pi]. */
  setRandom(out, lower, upper, random, iq) {
    out[iq] = sampleLine(lower[iq], upper[iq], Math.PI, random);
  },
  clamp: revolute.clamp,
  normalize(out, q, iq) {
    out[iq] = wrapAngle(q[iq]);
  },
};
