/**
 * Several joints in a row that act as one: the moving frame of each part carries the next, the last one carries the body.
 *
 * Method: X_PM = A_1 E_1(q_1) ... A_n E_n(q_n), A_k where part k stands on the frame before it and E_k its motion; a column
 * of part k is its own column carried to M, Ad(X_kM)^-1 S_k, and changes by -V_kM x S, V_kM the velocity of M against the
 * frame of part k. Coordinates and velocities are those of the parts one after the other, and so are all operations on them:
 * integrate moves each part, the distance is that of the product, Jacobians are block diagonal.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", sections 2.9 (velocity of a moving vector) and 4.4,
 * doi:10.1007/978-1-4899-7560-7.
 * A Model lays a composite joint out as its parts with bodies without mass between (see `../lay-out-parts.ts`), so that every
 * algorithm meets subspaces that are constant in their own frames; this is the view of the whole as one joint.
 * Cost: linear in parts (rates: quadratic in columns), no allocation.
 * Tested by test/contract/joints.test.ts and composite.test.ts.
 */
import { crossMotion, inverseTransformMotion } from '../../math/spatial.js';
import { createTransform, multiplyTransform, setIdentityTransform } from '../../math/transform.js';
import type { JointKind } from './joint-kind.js';

export interface CompositePart {
  readonly kind: JointKind;
  /** Unit axis in the frame the part stands on. */
  readonly axis: Float64Array;
  /** Where the part stands on the moving frame of the part before it, or on the joint's frame. */
  readonly placement: Float64Array;
}

export function createComposite(parts: readonly CompositePart[]): JointKind {
  const starts = parts.map((_, k) => ({ q: sum(parts, k, 'nq'), v: sum(parts, k, 'nv') }));
  const nq = sum(parts, parts.length, 'nq');
  const nv = sum(parts, parts.length, 'nv');
  const own = createTransform();
  const ahead = createTransform();
  const column = new Float64Array(6);
  const velocity = new Float64Array(6);
  const subspace = new Float64Array(6 * nv);

  /** f(part, its index in q, its index in v) for all parts. */
  function each(iq: number, iv: number, f: (kind: JointKind, iq: number, iv: number) => void): void {
    for (let k = 0; k < parts.length; k++) f(parts[k].kind, iq + starts[k].q, iv + starts[k].v);
  }

  function writeColumns(out: Float64Array, outAt: number, q: Float64Array, iq: number): void {
    setIdentityTransform(ahead);
    for (let k = parts.length - 1; k >= 0; k--) {
      const { kind, axis, placement } = parts[k];
      const at = outAt + 6 * starts[k].v;
      kind.writeSubspace(out, at, axis, 0, q, iq + starts[k].q);
      for (let c = at; c < at + 6 * kind.nv; c += 6) {
        for (let i = 0; i < 6; i++) column[i] = out[c + i];
        inverseTransformMotion(column, ahead, column);
        for (let i = 0; i < 6; i++) out[c + i] = column[i];
      }
      kind.place(own, 0, axis, 0, q, iq + starts[k].q);
      multiplyTransform(own, placement, own);
      multiplyTransform(ahead, own, ahead);
    }
  }

  return {
    name: 'composite',
    nq,
    nv,
    unitCoordinates: parts[parts.length - 1].kind.unitCoordinates,
    shiftCoordinates: 0,
    usesAxis: false,
    motion: 'general',
    group: 'product',
    largestShift(lower, upper, iq) {
      let shift = 0;
      parts.forEach(({ kind, placement }, k) => {
        shift += kind.largestShift(lower, upper, iq + starts[k].q);
        shift += Math.sqrt(placement[9] ** 2 + placement[10] ** 2 + placement[11] ** 2);
      });
      return shift;
    },
    isWrapped: parts.some(({ kind }) => kind.isWrapped),
    place(out, outAt, _axis, _axisAt, q, iq) {
      setIdentityTransform(ahead);
      for (let k = 0; k < parts.length; k++) {
        const { kind, axis, placement } = parts[k];
        kind.place(own, 0, axis, 0, q, iq + starts[k].q);
        multiplyTransform(ahead, ahead, placement);
        multiplyTransform(ahead, ahead, own);
      }
      for (let i = 0; i < 12; i++) out[outAt + i] = ahead[i];
    },
    writeSubspace: (out, outAt, _axis, _axisAt, q, iq) => writeColumns(out, outAt, q, iq),
    writeSubspaceRate(out, outAt, q, v, iq, iv) {
      writeColumns(subspace, 0, q, iq);
      velocity.fill(0);
      for (let k = parts.length - 1; k >= 0; k--) {
        const from = starts[k].v;
        const end = from + parts[k].kind.nv;
        for (let c = from; c < end; c++) {
          for (let i = 0; i < 6; i++) column[i] = subspace[6 * c + i];
          crossMotion(column, column, velocity);
          for (let i = 0; i < 6; i++) out[outAt + 6 * c + i] = column[i];
        }
        for (let c = from; c < end; c++) for (let i = 0; i < 6; i++) velocity[i] += subspace[6 * c + i] * v[iv + c];
      }
    },
    setNeutral: (out, iq) => each(iq, 0, (kind, at) => kind.setNeutral(out, at)),
    integrate: (out, q, v, iq, iv) => each(iq, iv, (kind, at, to) => kind.integrate(out, q, v, at, to)),
    difference: (out, a, b, iq, iv) => each(iq, iv, (kind, at, to) => kind.difference(out, a, b, at, to)),
    writeIntegrateJacobian(out, at, stride, v, iv, by) {
      clearBlock(out, at, stride, nv);
      each(0, 0, (kind, _, to) => kind.writeIntegrateJacobian(out, at + to * (stride + 1), stride, v, iv + to, by));
    },
    writeDifferenceJacobian(out, at, stride, d, id, by) {
      clearBlock(out, at, stride, nv);
      each(0, 0, (kind, _, to) => kind.writeDifferenceJacobian(out, at + to * (stride + 1), stride, d, id + to, by));
    },
    interpolate: (out, a, b, t, iq) => each(iq, 0, (kind, at) => kind.interpolate(out, a, b, t, at)),
    squaredDistance(a, b, iq) {
      let total = 0;
      for (let k = 0; k < parts.length; k++) total += parts[k].kind.squaredDistance(a, b, iq + starts[k].q);
      return total;
    },
    setRandom: (out, lower, upper, random, iq) =>
      each(iq, 0, (kind, at) => kind.setRandom(out, lower, upper, random, at)),
    clamp: (out, q, lower, upper, iq) => each(iq, 0, (kind, at) => kind.clamp(out, q, lower, upper, at)),
    normalize: (out, q, iq) => each(iq, 0, (kind, at) => kind.normalize(out, q, at)),
  };
}

function sum(parts: readonly CompositePart[], count: number, what: 'nq' | 'nv'): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += parts[k].kind[what];
  return total;
}

/** n x n zeros with `stride` numbers to a row. */
function clearBlock(out: Float64Array, at: number, stride: number, n: number): void {
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) out[at + r * stride + c] = 0;
}
