// Whether something touches at the four configurations under `H_HALVES`: links against obstacles, tip first, then pairs of links. In the
// order of src/compile/sphere-checks/emit-obstacles.ts and emit-self.ts, with their operations.
import {
  FORM_ALL,
  FORM_BALLS,
  H_LINK_COUNT,
  H_LINKS,
  H_NOTHING,
  H_PAIR_COUNT,
  H_PAIRS,
  H_PROGRAM,
  H_PROGRAM_END,
  L_BALL,
  L_BALL_RADIUS,
  L_COUNT,
  L_GROWTH,
  L_PROGRAM,
  L_PROGRAM_END,
  L_RADII,
  L_ROW,
  L_SPHERES,
  L_STAMP,
  LINK_BYTES,
  P_BALL_A,
  P_BALL_B,
  P_FORM,
  P_GROWTH,
  P_LINK_A,
  P_LINK_B,
  P_MARGIN,
  P_ROW_COUNT,
  P_ROWS,
  P_SQUARE,
  PAIR_BYTES,
  PAIR_ROW_BYTES,
} from '../../src/compile/sphere-checks/table-layout';
import { add, mul, sub } from '../lanes';
import { touchBlock } from './blocks';
import { measure } from './measures';
import { placeAngles, runProgram, word } from './robot';

const CENTER_BYTES: usize = 48;
const GROUP_BYTES: usize = 112;
const FIRST_BLOCK_KIND = 8;
/** Counts configurations looked at; spheres of a link are placed once for each. */
let stamp: u32 = 0;

@inline
function wordOf(row: usize, offset: usize): usize {
  return load<u32>(row + offset);
}

function placeLink(link: usize): void {
  if (wordOf(link, L_STAMP) === stamp) return;
  store<u32>(link + L_STAMP, stamp);
  runProgram(wordOf(link, L_PROGRAM), wordOf(link, L_PROGRAM_END));
}

@inline
function squareApart(a: usize, b: usize): v128 {
  const x = sub(v128.load(a), v128.load(b));
  const y = sub(v128.load(a, 16), v128.load(b, 16));
  const z = sub(v128.load(a, 32), v128.load(b, 32));
  return add(add(mul(x, x), mul(y, y)), mul(z, z));
}

/** Bits of configurations at which one of `count` spheres touches a record. */
function touch(record: usize, centres: usize, radii: usize, count: u32, growth: usize, all: bool): i32 {
  const kind = load<i32>(record);
  const margin = add(v128.load32_splat(record, 4), v128.load32_splat(growth));
  let bits = 0;
  for (let n = count; n > 0; n--, centres += CENTER_BYTES, radii += 4) {
    const reach = add(v128.load32_splat(radii), margin);
    const x = v128.load(centres);
    const y = v128.load(centres, 16);
    const z = v128.load(centres, 32);
    bits |=
      kind < FIRST_BLOCK_KIND
        ? i32x4.bitmask(measure(kind, record, x, y, z, reach))
        : touchBlock(kind, record, x, y, z, reach, all);
    if (!all && bits !== 0) return bits;
  }
  return bits;
}

@inline
function least(x: v128): v128 {
  const half = f32x4.pmin(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.pmin(half, v128.shuffle<f32>(half, half, 1, 0, 3, 2));
}

@inline
function most(x: v128): v128 {
  const half = f32x4.pmax(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.pmax(half, v128.shuffle<f32>(half, half, 1, 0, 3, 2));
}

@inline
function overlaps(group: usize, offset: usize, x: v128, r: v128): v128 {
  return v128.and(
    f32x4.le(v128.load(group + offset), add(most(x), r)),
    f32x4.ge(v128.load(group + offset, 48), sub(least(x), r)),
  );
}

/** Bits of configurations at which a link may touch an obstacle. */
function sweep(link: usize, all: bool): i32 {
  const row = wordOf(link, L_ROW);
  let groups = load<u32>(row, 4);
  if (groups === 0) return 0;
  let group = <usize>load<u32>(row);
  const ball = wordOf(link, L_BALL);
  const radius = wordOf(link, L_BALL_RADIUS);
  const growth = all ? wordOf(link, L_GROWTH) : word(H_NOTHING);
  const count = <u32>wordOf(link, L_COUNT);
  const r = add(v128.load32_splat(radius), v128.load32_splat(growth));
  const x = v128.load(ball);
  const y = v128.load(ball, 16);
  const z = v128.load(ball, 32);
  let found = 0;
  for (; groups > 0; groups--, group += GROUP_BYTES) {
    let bits = i32x4.bitmask(
      v128.and(v128.and(overlaps(group, 0, x, r), overlaps(group, 16, y, r)), overlaps(group, 32, z, r)),
    );
    for (; bits !== 0; bits &= bits - 1) {
      const record = <usize>load<u32>(group + 96 + ((<usize>ctz(bits)) << 2));
      let hit = touch(record, ball, radius, 1, growth, all);
      if (hit === 0) continue;
      if (count > 0) {
        placeLink(link);
        hit = touch(record, wordOf(link, L_SPHERES), wordOf(link, L_RADII), count, growth, all);
      }
      found |= hit;
      if (all ? found === 15 : found !== 0) return found;
    }
  }
  return found;
}

/** Lanes in which spheres are no farther apart than a size and the growth, or by their square where nothing grows. */
@inline
function near(a: usize, b: usize, sizes: usize, growth: v128, all: bool): v128 {
  const apart = squareApart(a, b);
  if (!all) return f32x4.le(apart, v128.load32_splat(sizes));
  const size = add(v128.load32_splat(sizes, 4), growth);
  return f32x4.le(apart, mul(size, size));
}

function touchRows(pair: usize, growth: v128, all: bool): i32 {
  let row = wordOf(pair, P_ROWS);
  const ball = wordOf(pair, P_BALL_B);
  let hit = i32x4.splat(0);
  for (let n = wordOf(pair, P_ROW_COUNT); n > 0; n--) {
    const own = wordOf(row, 0);
    const count = wordOf(row, 4);
    const isNear = count <= 2 || v128.any_true(near(own, ball, row + 8, growth, all));
    row += PAIR_ROW_BYTES;
    if (isNear) {
      for (let k: usize = 0; k < count; k++) {
        const other = row + PAIR_ROW_BYTES * k;
        hit = v128.or(hit, near(own, wordOf(other, 0), other + 4, growth, all));
      }
      if (!all && v128.any_true(hit)) return i32x4.bitmask(hit);
    }
    row += PAIR_ROW_BYTES * count;
  }
  return i32x4.bitmask(hit);
}

@inline
function reaches(a: usize, b: usize, own: v128, radius: usize): v128 {
  const reach = add(own, v128.load32_splat(radius));
  return f32x4.le(squareApart(a, b), mul(reach, reach));
}

function touchAll(first: usize, second: usize, growth: v128, all: bool): i32 {
  let at = wordOf(first, L_SPHERES);
  let radii = wordOf(first, L_RADII);
  const others = max<usize>(wordOf(second, L_COUNT), 1);
  let hit = i32x4.splat(0);
  for (let n = max<usize>(wordOf(first, L_COUNT), 1); n > 0; n--, at += CENTER_BYTES, radii += 4) {
    const own = add(v128.load32_splat(radii), growth);
    if (!v128.any_true(reaches(at, wordOf(second, L_BALL), own, wordOf(second, L_BALL_RADIUS)))) continue;
    let other = wordOf(second, L_SPHERES);
    let radius = wordOf(second, L_RADII);
    for (let k = others; k > 0; k--, other += CENTER_BYTES, radius += 4)
      hit = v128.or(hit, reaches(at, other, own, radius));
    if (!all && v128.any_true(hit)) break;
  }
  return i32x4.bitmask(hit);
}

function touchSelf(all: bool): i32 {
  let found = 0;
  let pair = word(H_PAIRS);
  for (let n = word(H_PAIR_COUNT); n > 0; n--, pair += PAIR_BYTES) {
    const growth = all ? v128.load32_splat(wordOf(pair, P_GROWTH)) : f32x4.splat(0);
    let hit = i32x4.bitmask(near(wordOf(pair, P_BALL_A), wordOf(pair, P_BALL_B), pair + P_SQUARE, growth, all));
    if (hit === 0) continue;
    const form = wordOf(pair, P_FORM);
    if (form !== FORM_BALLS) {
      const first = wordOf(pair, P_LINK_A);
      const second = wordOf(pair, P_LINK_B);
      if (wordOf(first, L_COUNT) > 0) placeLink(first);
      if (wordOf(second, L_COUNT) > 0) placeLink(second);
      if (form === FORM_ALL) {
        const margin = v128.load32_splat(pair, P_MARGIN);
        hit = touchAll(first, second, all ? add(margin, growth) : margin, all);
      } else hit = touchRows(pair, growth, all);
    }
    found |= hit;
    if (!all && found !== 0) return found;
  }
  return found;
}

/** Bits of configurations at which something touches: of all with `all` and grown radii, of some else. */
export function check(all: bool): i32 {
  stamp++;
  placeAngles();
  runProgram(word(H_PROGRAM), word(H_PROGRAM_END));
  let found = 0;
  let link = word(H_LINKS);
  for (let n = word(H_LINK_COUNT); n > 0; n--, link += LINK_BYTES) {
    found |= sweep(link, all);
    if (all ? found === 15 : found !== 0) return found;
  }
  return found | touchSelf(all);
}
