/**
 * Joints whose velocities do not commute (spherical, planar, floating): how a product of exponentials moves them.
 *
 * For q(s) = q0 exp(f1 W1) exp(f2 W2) ..., with numbers f(s) and constant tangent vectors W, each factor E = exp(f W) maps
 * the body velocity V and its derivative A of what stands before it to
 *   V <- Ad(E)^-1 V + f' W,   A <- Ad(E)^-1 A + [Ad(E)^-1 V, f' W] + f'' W,
 * the second line being the derivative of the first, with d(Ad(E)^-1)/ds = -ad(f' W) Ad(E)^-1.
 * Source: Sommer, Usenko, Schubert, Demmel, Cremers 2020, "Efficient derivative computation for cumulative B-splines on Lie
 * groups" (recursion of the derivatives), doi:10.1109/CVPR42600.2020.01116.
 * Tangent vectors are in the moving frame, laid out as the joint's v. Tested by joint-curve.test.ts.
 */

import { cos, sin } from '../math/scalar.js';
import { expSe3 } from '../math/se3.js';
import { cosineCoefficient, expSo3, sineCoefficient } from '../math/so3.js';
import { crossMotion, inverseTransformMotion } from '../math/spatial.js';
import type { JointKind } from '../model/joints/joint-kind.js';

export interface TangentGroup {
  /** out = Ad(exp(w))^-1 v; nv numbers from `at` in each array; `out` may be `v`. */
  pullBack(out: Float64Array, w: Float64Array, v: Float64Array, at: number): void;
  /** out += scale [a, b] */
  addBracket(out: Float64Array, a: Float64Array, b: Float64Array, scale: number, at: number): void;
}

const rotation = new Float64Array(9);
const placement = new Float64Array(12);
const first = new Float64Array(6);
const second = new Float64Array(6);
const product = new Float64Array(6);

const spatialRotation: TangentGroup = {
  pullBack(out, w, v, at) {
    for (let i = 0; i < 3; i++) first[i] = w[at + i];
    expSo3(rotation, first);
    const x = v[at];
    const y = v[at + 1];
    const z = v[at + 2];
    for (let i = 0; i < 3; i++) out[at + i] = rotation[i] * x + rotation[3 + i] * y + rotation[6 + i] * z;
  },
  addBracket(out, a, b, scale, at) {
    const [x, y, z] = [at, at + 1, at + 2];
    const cx = a[y] * b[z] - a[z] * b[y];
    const cy = a[z] * b[x] - a[x] * b[z];
    const cz = a[x] * b[y] - a[y] * b[x];
    out[x] += scale * cx;
    out[y] += scale * cy;
    out[z] += scale * cz;
  },
};

const planarMotion: TangentGroup = {
  pullBack(out, w, v, at) {
    const turn = w[at + 2];
    const theta = Math.abs(turn);
    const diagonal = 1 - turn * turn * sineCoefficient(theta);
    const off = turn * cosineCoefficient(theta);
    const px = diagonal * w[at] - off * w[at + 1];
    const py = off * w[at] + diagonal * w[at + 1];
    const c = cos(turn);
    const s = sin(turn);
    const rate = v[at + 2];
    const x = v[at] - rate * py;
    const y = v[at + 1] + rate * px;
    out[at] = c * x + s * y;
    out[at + 1] = c * y - s * x;
    out[at + 2] = rate;
  },
  addBracket(out, a, b, scale, at) {
    const x = b[at + 2] * a[at + 1] - a[at + 2] * b[at + 1];
    const y = a[at + 2] * b[at] - b[at + 2] * a[at];
    out[at] += scale * x;
    out[at + 1] += scale * y;
  },
};

const rigidMotion: TangentGroup = {
  pullBack(out, w, v, at) {
    load(first, w, at);
    expSe3(placement, first);
    load(second, v, at);
    inverseTransformMotion(second, placement, second);
    for (let i = 0; i < 6; i++) out[at + i] = second[i];
  },
  addBracket(out, a, b, scale, at) {
    load(first, a, at);
    load(second, b, at);
    crossMotion(product, first, second);
    for (let i = 0; i < 6; i++) out[at + i] += scale * product[i];
  },
};

function load(out: Float64Array, from: Float64Array, at: number): void {
  for (let i = 0; i < 6; i++) out[i] = from[at + i];
}

/** Composites are laid out as their parts: a Model has none. */
const groups: Readonly<Record<JointKind['group'], TangentGroup | null>> = {
  vector: null,
  circle: null,
  product: null,
  plane: planarMotion,
  rotation: spatialRotation,
  rigid: rigidMotion,
};

/** Whether coordinates and velocities are the same numbers: q moves by v, number by number. */
export function isVectorJoint(kind: JointKind): boolean {
  return kind.group === 'vector';
}

/** The group of a joint whose velocities do not commute; null for the others. */
export function findTangentGroup(kind: JointKind): TangentGroup | null {
  return groups[kind.group];
}
