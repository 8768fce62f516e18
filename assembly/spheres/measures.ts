// Spheres at four configurations against obstacles with a closed form, or a bound of their own: the operations of
// src/compile/sphere-checks/emit-obstacles.ts in their order, so that verdicts are equal.
import { add, dot3, mul, sub } from '../lanes';

@inline
function field(record: usize, k: usize): v128 {
  return v128.load32_splat(record + 8 + 4 * k);
}

@inline
function zero(): v128 {
  return f32x4.splat(0);
}

@inline
function square3(x: v128, y: v128, z: v128): v128 {
  return add(add(mul(x, x), mul(y, y)), mul(z, z));
}

@inline
function beyond(x: v128, half: v128): v128 {
  return f32x4.pmax(sub(f32x4.abs(x), half), zero());
}

@inline
function within(squared: v128, reach: v128): v128 {
  return f32x4.le(squared, mul(reach, reach));
}

/** Configurations, all bits of a lane, at which a centre is within reach of a record of such a kind. */
export function measure(kind: i32, record: usize, x: v128, y: v128, z: v128, reach: v128): v128 {
  if (kind === 5) {
    const height = sub(dot3(field(record, 0), x, field(record, 1), y, field(record, 2), z), field(record, 3));
    return f32x4.le(height, reach);
  }
  const dx = sub(x, field(record, 0));
  const dy = sub(y, field(record, 1));
  const dz = sub(z, field(record, 2));
  switch (kind) {
    case 0:
      return within(square3(dx, dy, dz), reach);
    case 1:
      return within(
        square3(beyond(dx, field(record, 3)), beyond(dy, field(record, 4)), beyond(dz, field(record, 5))),
        reach,
      );
    case 2:
      return within(
        square3(
          beyond(row(record, 6, dx, dy, dz), field(record, 3)),
          beyond(row(record, 9, dx, dy, dz), field(record, 4)),
          beyond(row(record, 12, dx, dy, dz), field(record, 5)),
        ),
        reach,
      );
    case 3: {
      const t = f32x4.pmin(f32x4.pmax(along(record, dx, dy, dz), zero()), field(record, 6));
      return within(asideOf(record, t, dx, dy, dz), reach);
    }
    case 4: {
      const t = along(record, dx, dy, dz);
      const aside = f32x4.sqrt(asideOf(record, t, dx, dy, dz));
      const ends = beyond(t, field(record, 6));
      const outside = f32x4.pmax(sub(aside, field(record, 7)), zero());
      return within(add(mul(ends, ends), mul(outside, outside)), reach);
    }
    case 6:
      return within(toCone(record, dx, dy, dz), reach);
    case 7:
      return toEllipsoid(record, dx, dy, dz, reach);
    default:
      return i32x4.splat(-1);
  }
}

/** Three numbers of a record from the k-th on, times a vector. */
@inline
export function row(record: usize, k: usize, x: v128, y: v128, z: v128): v128 {
  return dot3(field(record, k), x, field(record, k + 1), y, field(record, k + 2), z);
}

@inline
function along(record: usize, dx: v128, dy: v128, dz: v128): v128 {
  return row(record, 3, dx, dy, dz);
}

/** Squared distance from the point t along the axis. */
@inline
function asideOf(record: usize, t: v128, dx: v128, dy: v128, dz: v128): v128 {
  return square3(
    sub(dx, mul(t, field(record, 3))),
    sub(dy, mul(t, field(record, 4))),
    sub(dz, mul(t, field(record, 5))),
  );
}

function toCone(record: usize, dx: v128, dy: v128, dz: v128): v128 {
  const t = along(record, dx, dy, dz);
  const aside = f32x4.sqrt(asideOf(record, t, dx, dy, dz));
  const r = sub(aside, field(record, 7));
  const z = add(t, field(record, 6));
  const er = field(record, 8);
  const et = field(record, 9);
  const out = f32x4.pmax(r, zero());
  const toBase = add(mul(out, out), mul(z, z));
  const s = f32x4.pmin(f32x4.pmax(add(mul(er, r), mul(et, z)), zero()), field(record, 10));
  const u = sub(r, mul(s, er));
  const v = sub(z, mul(s, et));
  const toSide = add(mul(u, u), mul(v, v));
  const isInside = v128.and(f32x4.le(sub(mul(et, r), mul(er, z)), zero()), f32x4.ge(z, zero()));
  return v128.bitselect(zero(), f32x4.pmin(toBase, toSide), isInside);
}

const ELLIPSOID_ROUNDS = 3;

function toEllipsoid(record: usize, dx: v128, dy: v128, dz: v128, reach: v128): v128 {
  const a = field(record, 12);
  const b = field(record, 13);
  const c = field(record, 14);
  const aa = mul(a, a);
  const bb = mul(b, b);
  const cc = mul(c, c);
  const x = f32x4.abs(row(record, 3, dx, dy, dz));
  const y = f32x4.abs(row(record, 6, dx, dy, dz));
  const z = f32x4.abs(row(record, 9, dx, dy, dz));
  const ax = mul(a, x);
  const by = mul(b, y);
  const cz = mul(c, z);
  let t = f32x4.pmax(f32x4.pmax(f32x4.pmax(sub(ax, aa), sub(by, bb)), sub(cz, cc)), zero());
  for (let round = 0; round < ELLIPSOID_ROUNDS; round++) {
    const u = add(t, aa);
    const v = add(t, bb);
    const w = add(t, cc);
    const p = f32x4.div(ax, u);
    const q = f32x4.div(by, v);
    const r = f32x4.div(cz, w);
    const pp = mul(p, p);
    const qq = mul(q, q);
    const rr = mul(r, r);
    const sum = add(add(pp, qq), rr);
    const slope = add(add(f32x4.div(pp, u), f32x4.div(qq, v)), f32x4.div(rr, w));
    const step = f32x4.div(mul(sum, sub(f32x4.sqrt(sum), f32x4.splat(1))), slope);
    t = f32x4.pmax(add(t, step), zero());
  }
  const u = f32x4.div(x, add(t, aa));
  const v = f32x4.div(y, add(t, bb));
  const w = f32x4.div(z, add(t, cc));
  const support = f32x4.sqrt(square3(mul(u, a), mul(v, b), mul(w, c)));
  const bound = sub(dot3(u, x, v, y, w, z), support);
  return v128.not(f32x4.gt(bound, mul(reach, f32x4.sqrt(square3(u, v, w)))));
}
