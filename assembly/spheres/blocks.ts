// Spheres at four configurations against blocks of many parts: the operations of src/compile/sphere-checks/emit-trees.ts in their order.
import { H_SCRATCH } from '../../src/compile/sphere-checks/table-layout';
import { add, dot3, mul, sub } from '../lanes';
import { row } from './measures';
import { word } from './robot';

const NODE_BYTES: usize = 32;
const TRIANGLES = 8;
const CUBES = 9;

@inline
function splat(at: usize, k: usize): v128 {
  return v128.load32_splat(at + 4 * k);
}

@inline
function square3(x: v128, y: v128, z: v128): v128 {
  return add(add(mul(x, x), mul(y, y)), mul(z, z));
}

@inline
function outside(at: usize, k: usize, x: v128): v128 {
  return f32x4.pmax(f32x4.pmax(sub(splat(at, k), x), sub(x, splat(at, 4 + k))), f32x4.splat(0));
}

@inline
function toBox(at: usize, x: v128, y: v128, z: v128): v128 {
  return square3(outside(at, 0, x), outside(at, 1, y), outside(at, 2, z));
}

@inline
function toPoint(at: usize, x: v128, y: v128, z: v128): v128 {
  return square3(sub(x, splat(at, 0)), sub(y, splat(at, 1)), sub(z, splat(at, 2)));
}

@inline
function toSide(at: usize, from: usize, to: usize, inverse: usize, x: v128, y: v128, z: v128): v128 {
  const ex = sub(splat(at, to), splat(at, from));
  const ey = sub(splat(at, to + 1), splat(at, from + 1));
  const ez = sub(splat(at, to + 2), splat(at, from + 2));
  const dx = sub(x, splat(at, from));
  const dy = sub(y, splat(at, from + 1));
  const dz = sub(z, splat(at, from + 2));
  const along = mul(dot3(ex, dx, ey, dy, ez, dz), splat(at, inverse));
  const t = f32x4.pmin(f32x4.pmax(along, f32x4.splat(0)), f32x4.splat(1));
  return square3(sub(dx, mul(t, ex)), sub(dy, mul(t, ey)), sub(dz, mul(t, ez)));
}

@inline
function isInward(at: usize, normal: usize, from: usize, x: v128, y: v128, z: v128): v128 {
  const height = dot3(
    splat(at, normal),
    sub(x, splat(at, from)),
    splat(at, normal + 1),
    sub(y, splat(at, from + 1)),
    splat(at, normal + 2),
    sub(z, splat(at, from + 2)),
  );
  return f32x4.gt(height, f32x4.splat(0));
}

function toTriangle(at: usize, x: v128, y: v128, z: v128): v128 {
  const height = dot3(
    splat(at, 9),
    sub(x, splat(at, 0)),
    splat(at, 10),
    sub(y, splat(at, 1)),
    splat(at, 11),
    sub(z, splat(at, 2)),
  );
  const isOver = v128.and(
    v128.and(isInward(at, 12, 0, x, y, z), isInward(at, 15, 3, x, y, z)),
    isInward(at, 18, 6, x, y, z),
  );
  const first = toSide(at, 0, 3, 21, x, y, z);
  const second = toSide(at, 3, 6, 22, x, y, z);
  const third = toSide(at, 6, 0, 23, x, y, z);
  return v128.bitselect(mul(height, height), f32x4.pmin(f32x4.pmin(first, second), third), isOver);
}

@inline
function toPart(kind: i32, at: usize, x: v128, y: v128, z: v128): v128 {
  if (kind === TRIANGLES) return toTriangle(at, x, y, z);
  return kind === CUBES ? toBox(at, x, y, z) : toPoint(at, x, y, z);
}

@inline
function partBytes(kind: i32): usize {
  return kind === TRIANGLES ? 96 : kind === CUBES ? 32 : 16;
}

/** Bits of configurations at which a part is in reach; with `all` every one, else some. */
function walk(kind: i32, block: usize, end: usize, x: v128, y: v128, z: v128, reach: v128, all: bool): i32 {
  const limit = mul(reach, reach);
  let touched = i32x4.splat(0);
  let at = block;
  while (at < end) {
    const isNear = f32x4.le(toBox(at, x, y, z), limit);
    if (!v128.any_true(v128.andnot(isNear, touched))) {
      at = block + load<u32>(at, 12);
      continue;
    }
    const parts = load<u32>(at, 28);
    at += NODE_BYTES;
    if (parts === 0) continue;
    const count = parts & 15;
    let part = block + (parts - count);
    for (let n = count; n > 0; n--, part += partBytes(kind)) {
      touched = v128.or(touched, f32x4.le(toPart(kind, part, x, y, z), limit));
    }
    const bits = i32x4.bitmask(touched);
    if (all ? bits === 15 : bits !== 0) break;
  }
  return i32x4.bitmask(touched);
}

@inline
function cellOf(at: usize, k: usize, x: v128): v128 {
  const along = mul(sub(x, splat(at, k)), splat(at, 4));
  return i32x4.trunc_sat_f32x4_s(f32x4.pmin(f32x4.pmax(along, f32x4.splat(0)), splat(at, 8 + k)));
}

/** Bits of configurations at which the centre is inside, or may be. */
function inside(kind: u32, at: usize, count: u32, root: usize, x: v128, y: v128, z: v128): i32 {
  if (kind === 0) return 0;
  if (kind === 1) {
    let below = v128.and(f32x4.ge(x, splat(root, 0)), f32x4.le(x, splat(root, 4)));
    below = v128.and(below, v128.and(f32x4.ge(y, splat(root, 1)), f32x4.le(y, splat(root, 5))));
    below = v128.and(below, v128.and(f32x4.ge(z, splat(root, 2)), f32x4.le(z, splat(root, 6))));
    for (let n = count; n > 0 && v128.any_true(below); n--, at += 16) {
      const height = dot3(splat(at, 0), x, splat(at, 1), y, splat(at, 2), z);
      below = v128.and(below, f32x4.le(height, splat(at, 3)));
    }
    return i32x4.bitmask(below);
  }
  const rows = i32x4.add(i32x4.mul(cellOf(at, 2, z), splat(at, 13)), cellOf(at, 1, y));
  const index = i32x4.add(i32x4.mul(rows, splat(at, 12)), cellOf(at, 0, x));
  const cells = at + 64;
  return (
    <i32>load<u8>(cells + <usize>i32x4.extract_lane(index, 0)) |
    ((<i32>load<u8>(cells + <usize>i32x4.extract_lane(index, 1))) << 1) |
    ((<i32>load<u8>(cells + <usize>i32x4.extract_lane(index, 2))) << 2) |
    ((<i32>load<u8>(cells + <usize>i32x4.extract_lane(index, 3))) << 3)
  );
}

/** Whether one configuration's list has a point in reach. */
function isListed(entry: usize, block: usize, lane: usize, limit: v128): bool {
  const centre = word(H_SCRATCH) + 4 * lane;
  const x = v128.load32_splat(centre);
  const y = v128.load32_splat(centre, 16);
  const z = v128.load32_splat(centre, 32);
  if (!v128.any_true(f32x4.le(toBox(entry, x, y, z), limit))) return false;
  let at = block + load<u32>(entry, 12);
  for (let n = load<u32>(entry, 28); n > 0; n--, at += 48) {
    const apart = square3(sub(x, v128.load(at)), sub(y, v128.load(at, 16)), sub(z, v128.load(at, 32)));
    if (v128.any_true(f32x4.le(apart, limit))) return true;
  }
  return false;
}

function lists(record: usize, x: v128, y: v128, z: v128, reach: v128, all: bool): i32 {
  const block = <usize>load<u32>(record, 64);
  const entries = <usize>load<u32>(record, 68);
  const levels = load<u32>(record, 72);
  const scratch = word(H_SCRATCH);
  v128.store(scratch, x);
  v128.store(scratch, y, 16);
  v128.store(scratch, z, 32);
  const limit = mul(reach, reach);
  let bits = 0;
  for (let lane: usize = 0; lane < 4; lane++) {
    let cell: usize = 1;
    let axis: usize = 0;
    for (let level: u32 = 0; level < levels; level++) {
      const isBeyond = load<f32>(scratch + axis + 4 * lane) >= load<f32>(block + 4 * cell);
      cell = 2 * cell + <usize>isBeyond;
      axis = axis === 32 ? 0 : axis + 16;
    }
    if (!isListed(entries + 32 * (cell - ((<usize>1) << levels)), block, lane, limit)) continue;
    bits |= 1 << (<i32>lane);
    if (!all) return bits;
  }
  return bits;
}

/** Bits of configurations at which a sphere touches a record that points to a block. */
export function touchBlock(kind: i32, record: usize, x: v128, y: v128, z: v128, reach: v128, all: bool): i32 {
  const dx = sub(x, splat(record, 2));
  const dy = sub(y, splat(record, 3));
  const dz = sub(z, splat(record, 4));
  const u = row(record, 3, dx, dy, dz);
  const v = row(record, 6, dx, dy, dz);
  const w = row(record, 9, dx, dy, dz);
  const block = <usize>load<u32>(record, 56);
  const end = <usize>load<u32>(record, 60);
  if (kind > CUBES) {
    if (load<i32>(record, 72) > 0 && v128.any_true(f32x4.le(reach, splat(record, 19))))
      return lists(record, u, v, w, reach, all);
    return walk(kind, block, end, u, v, w, reach, all);
  }
  const bits = walk(kind, block, end, u, v, w, reach, all);
  if (kind !== TRIANGLES || (!all && bits !== 0)) return bits;
  return bits | inside(load<u32>(record, 64), load<u32>(record, 68), load<u32>(record, 72), block, u, v, w);
}
