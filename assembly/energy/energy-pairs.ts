// Energies of pairs of atoms: which pairs are within the cutoff, four at a time in f32, and what these add up to, two at a
// time in f64. An energy tree asks for a leaf against a leaf, an energy grid for an atom against a stretch of its cells.
//
// Method: 1. Squared distances of one atom to four others, in f32, against a limit that rounding cannot get below the
// cutoff's. The lanes that pass are packed to the front by a table of shuffles and appended to a list, without a branch.
// 2. The listed pairs are computed in f64. Those that rounding let through weigh exactly zero beyond the cutoff.
// Formulas: src/molecule/energy/force-field.ts. The scale of the switching function and Coulomb's constant are part of the
// depths and charges.
// An atom's record is 6 f64: position, half minimum, depth root, charge. An entry of the list is (i << 20) | j, numbers of
// records. Cost: about half a nanosecond per pair looked at, and 2 to 3 per pair listed.
import { ENERGY_CHOICE_BYTES, ENERGY_MOST_LEAF_ATOMS, ENERGY_PAIR_SHIFT } from '../../src/kernel/layout';
import { readF64, readLanes, readSplat, readU32, readV128, writeU32, writeV128 } from '../memory';

export const RECORD_BYTES: usize = 48;
const LEAST_SQUARE: f64 = 0.01;
const FIRST_SHIFT: u32 = ENERGY_PAIR_SHIFT;
const SECOND_MASK: u32 = (1 << FIRST_SHIFT) - 1;
/**
 * Room at the list's start, stretches of these bytes: of the chosen atoms of a leaf number, x, y and z, then the same of those
 * of the other leaf; then bits of pairs to take out.
 */
const CHOICE_ROOM: usize = 4 * (ENERGY_MOST_LEAF_ATOMS + 8);
const BITS_AT: usize = 8 * CHOICE_ROOM;
/** What fills up groups of four lies this far away, angstrom. */
export const FAR_AWAY: f32 = 1e15;

/** By mask of lanes: the shuffle that packs them to the front. */
// biome-ignore format: a table
const packing = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0,
  8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0,
  12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 0, 0, 0, 0,
  8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0,
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
], 16);

/** Positions in f32: all x, then all y, then all z, `floatBytes` apart. */
let floats: usize = 0;
let floatBytes: usize = 0;
let limit: v128 = f32x4.splat(0);
/** Chosen atoms of a leaf, and the list of pairs. */
let choice: usize = 0;
let list: usize = 0;
let listed: usize = 0;
let cutoff2: v128 = f64x2.splat(0);
let switch2: v128 = f64x2.splat(0);
let tail: v128 = f64x2.splat(0);

/** Sums since `clearSums`, two lanes each. */
let lennardJones: v128 = f64x2.splat(0);
let electrostatic: v128 = f64x2.splat(0);

/** `constants`: cutoff^2, switchOn^2, cutoff^2 - 3 switchOn^2, and the limit of squared distances in f32, 4 f64. */
export function openPairs(constants: usize, theFloats: usize, theFloatBytes: usize, theList: usize): void {
  cutoff2 = f64x2.splat(readF64(constants));
  switch2 = f64x2.splat(readF64(constants, 8));
  tail = f64x2.splat(readF64(constants, 16));
  limit = f32x4.splat(<f32>readF64(constants, 24));
  floats = theFloats;
  floatBytes = theFloatBytes;
  choice = theList;
  list = theList + ENERGY_CHOICE_BYTES;
  listed = list;
}

@inline
export function clearSums(): void {
  lennardJones = f64x2.splat(0);
  electrostatic = f64x2.splat(0);
}

@inline
export function lennardJonesSum(): f64 {
  return f64x2.extract_lane(lennardJones, 0) + f64x2.extract_lane(lennardJones, 1);
}

@inline
export function electrostaticSum(): f64 {
  return f64x2.extract_lane(electrostatic, 0) + f64x2.extract_lane(electrostatic, 1);
}

/** Forgets the list. */
@inline
export function clearList(): void {
  listed = list;
}

@inline
export function listedCount(): u32 {
  return <u32>(listed - list) >> 2;
}

/** Packs the lanes of a mask; returns the end of what is kept. */
@inline
function append(out: usize, lanes: v128, mask: i32): usize {
  writeV128(out, 0, i8x16.swizzle(lanes, readV128(packing + ((<usize>mask) << 4))));
  return out + ((<usize>popcnt(mask)) << 2);
}

@inline
function gapOf(low: v128, high: v128, x: v128): v128 {
  return f32x4.pmax(f32x4.splat(0), f32x4.pmax(f32x4.sub(low, x), f32x4.sub(x, high)));
}

@inline
function squareOf(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}

/** The least of four lanes, in all of them. */
@inline
function leastOf(x: v128): v128 {
  const pairs = f32x4.pmin(x, v128.shuffle<f32>(x, x, 1, 0, 3, 2));
  return f32x4.pmin(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
}

@inline
function mostOf(x: v128): v128 {
  const pairs = f32x4.pmax(x, v128.shuffle<f32>(x, x, 1, 0, 3, 2));
  return f32x4.pmax(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
}

/** Packs the numbers and positions of the atoms of a mask behind those kept before; returns the end of what is kept. */
@inline
function keep(out: usize, numbers: v128, x: v128, y: v128, z: v128, mask: i32): usize {
  const packed = readV128(packing + ((<usize>mask) << 4));
  writeV128(out, 0, i8x16.swizzle(numbers, packed));
  writeV128(out, CHOICE_ROOM, i8x16.swizzle(x, packed));
  writeV128(out, 2 * CHOICE_ROOM, i8x16.swizzle(y, packed));
  writeV128(out, 3 * CHOICE_ROOM, i8x16.swizzle(z, packed));
  return out + ((<usize>popcnt(mask)) << 2);
}

/**
 * Lists the pairs of atoms from number `firstA` and from `firstB` on, both multiples of four, the counts rounded up to such:
 * atoms that fill up lie far away. `boxB`: low and high corner of B's atoms, f32, 4 each. First A's atoms near that box are
 * chosen, then B's near the box of those. Returns the distances computed.
 */
export function listBetween(firstA: u32, countA: u32, firstB: u32, countB: u32, boxB: usize): u32 {
  const stride = floatBytes;
  const most = limit;
  const four = i32x4.splat(4);
  const infinite = f32x4.splat(Infinity);
  const ax = floats + ((<usize>firstA) << 2);
  const endA = ax + ((<usize>countA) << 2);
  const boxLowX = readSplat(boxB);
  const boxLowY = readSplat(boxB, 4);
  const boxLowZ = readSplat(boxB, 8);
  const boxHighX = readSplat(boxB, 16);
  const boxHighY = readSplat(boxB, 20);
  const boxHighZ = readSplat(boxB, 24);
  let lowX = infinite;
  let lowY = infinite;
  let lowZ = infinite;
  let highX = f32x4.neg(infinite);
  let highY = highX;
  let highZ = highX;
  let chosen = choice;
  let lanes = i32x4(0, 1, 2, 3);
  for (let k = ax; k < endA; k += 16) {
    const x = readV128(k);
    const y = readV128(k + stride);
    const z = readV128(k + 2 * stride);
    const gaps = squareOf(gapOf(boxLowX, boxHighX, x), gapOf(boxLowY, boxHighY, y), gapOf(boxLowZ, boxHighZ, z));
    const isNear = f32x4.le(gaps, most);
    lowX = f32x4.pmin(lowX, v128.bitselect(x, infinite, isNear));
    lowY = f32x4.pmin(lowY, v128.bitselect(y, infinite, isNear));
    lowZ = f32x4.pmin(lowZ, v128.bitselect(z, infinite, isNear));
    highX = f32x4.pmax(highX, v128.bitselect(x, f32x4.neg(infinite), isNear));
    highY = f32x4.pmax(highY, v128.bitselect(y, f32x4.neg(infinite), isNear));
    highZ = f32x4.pmax(highZ, v128.bitselect(z, f32x4.neg(infinite), isNear));
    chosen = keep(chosen, i32x4.shl(lanes, FIRST_SHIFT), x, y, z, i32x4.bitmask(isNear));
    lanes = i32x4.add(lanes, four);
  }
  listed = list;
  if (chosen == choice) return 0;
  lowX = leastOf(lowX);
  lowY = leastOf(lowY);
  lowZ = leastOf(lowZ);
  highX = mostOf(highX);
  highY = mostOf(highY);
  highZ = mostOf(highZ);
  const others = choice + 4 * CHOICE_ROOM;
  const bx = floats + ((<usize>firstB) << 2);
  const endB = bx + ((<usize>countB) << 2);
  let other = others;
  lanes = i32x4(0, 1, 2, 3);
  for (let k = bx; k < endB; k += 16) {
    const x = readV128(k);
    const y = readV128(k + stride);
    const z = readV128(k + 2 * stride);
    const gaps = squareOf(gapOf(lowX, highX, x), gapOf(lowY, highY, y), gapOf(lowZ, highZ, z));
    other = keep(other, lanes, x, y, z, i32x4.bitmask(f32x4.le(gaps, most)));
    lanes = i32x4.add(lanes, four);
  }
  if (other == others) return 0;
  // Eight at a time; the last ones may be too far away to count.
  writeV128(other, CHOICE_ROOM, f32x4.splat(FAR_AWAY));
  writeV128(other, CHOICE_ROOM + 16, f32x4.splat(FAR_AWAY));
  let out = list;
  for (let k = others; k < other; k += 32) {
    const j0 = readV128(k);
    const j1 = readV128(k, 16);
    const x0 = readV128(k, CHOICE_ROOM);
    const x1 = readV128(k, CHOICE_ROOM + 16);
    const y0 = readV128(k, 2 * CHOICE_ROOM);
    const y1 = readV128(k, 2 * CHOICE_ROOM + 16);
    const z0 = readV128(k, 3 * CHOICE_ROOM);
    const z1 = readV128(k, 3 * CHOICE_ROOM + 16);
    for (let at = choice; at < chosen; at += 4) {
      const i = readSplat(at);
      const x = readSplat(at, CHOICE_ROOM);
      const y = readSplat(at, 2 * CHOICE_ROOM);
      const z = readSplat(at, 3 * CHOICE_ROOM);
      const s0 = squareOf(f32x4.sub(x0, x), f32x4.sub(y0, y), f32x4.sub(z0, z));
      const s1 = squareOf(f32x4.sub(x1, x), f32x4.sub(y1, y), f32x4.sub(z1, z));
      out = append(out, v128.or(j0, i), i32x4.bitmask(f32x4.le(s0, most)));
      out = append(out, v128.or(j1, i), i32x4.bitmask(f32x4.le(s1, most)));
    }
  }
  listed = out;
  return (<u32>(chosen - choice) >> 2) * (<u32>(other - others) >> 2);
}

/**
 * Takes `count` pairs at `pairs` out of the list. `isInside`: of two pairs of the same two atoms keeps the one whose first
 * number is lower, and none of an atom with itself.
 */
export function takeOut(pairs: usize, count: u32, isInside: bool): void {
  const bits = choice + BITS_AT;
  const end = pairs + ((<usize>count) << 2);
  for (let at = pairs; at < end; at += 4) {
    const word = wordOf(bits, readU32(at));
    writeU32(word, 0, readU32(word) | (1 << (readU32(at) & 31)));
  }
  let out = list;
  for (let at = list; at < listed; at += 4) {
    const entry = readU32(at);
    const isOut = (readU32(wordOf(bits, entry)) >> (entry & 31)) & 1;
    const isTwice = <u32>(isInside && (entry & SECOND_MASK) <= entry >> FIRST_SHIFT);
    writeU32(out, 0, entry);
    out += <usize>(((isOut | isTwice) ^ 1) << 2);
  }
  listed = out;
  for (let at = pairs; at < end; at += 4) writeU32(wordOf(bits, readU32(at)), 0, 0);
}

/** Of a table of 64 times 64 bits: the word of a pair. */
@inline
function wordOf(bits: usize, entry: u32): usize {
  return bits + ((<usize>(entry >> FIRST_SHIFT)) << 3) + ((<usize>((entry & 32) >> 5)) << 2);
}

/** Lists the pairs of atom `i` at x, y, z with those from number `from` up to `to`. */
export function listStretch(i: u32, x: v128, y: v128, z: v128, from: u32, to: u32): void {
  const most = limit;
  const stride = floatBytes;
  const end = floats + ((<usize>to) << 2);
  let out = listed;
  let entries = i32x4.add(i32x4.splat((i << FIRST_SHIFT) + from), i32x4(0, 1, 2, 3));
  for (let k = floats + ((<usize>from) << 2); k < end; k += 16) {
    const dx = f32x4.sub(readLanes(k), x);
    const dy = f32x4.sub(readLanes(k + stride), y);
    const dz = f32x4.sub(readLanes(k + 2 * stride), z);
    let mask = i32x4.bitmask(f32x4.le(squareOf(dx, dy, dz), most));
    // Lanes beyond the end belong to other cells.
    const left = <u32>(end - k) >> 2;
    if (left < 4) mask &= (1 << left) - 1;
    out = append(out, entries, mask);
    entries = i32x4.add(entries, i32x4.splat(4));
  }
  listed = out;
}

/** Address and end of the list, for taking entries out of it. */
@inline
export function listStart(): usize {
  return list;
}

@inline
export function setListed(count: u32): void {
  listed = list + ((<usize>count) << 2);
}

/** The switching function without its scale, at squared distances. */
@inline
function weigh(s: v128): v128 {
  const t = f64x2.pmin(f64x2.pmax(s, switch2), cutoff2);
  const u = f64x2.sub(cutoff2, t);
  return f64x2.mul(f64x2.mul(u, u), f64x2.add(f64x2.add(t, t), tail));
}

@inline
function firstOf(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

@inline
function secondOf(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/** Adds up the listed pairs: i counts from record `first` on, j from `second` on. `nothing`: a j without strength. */
export function addListed(first: usize, second: usize, nothing: u32): void {
  const two = f64x2.splat(2);
  const one = f64x2.splat(1);
  const least = f64x2.splat(LEAST_SQUARE);
  // Turns z_i, m_i into z_i, -m_i, so that one difference gives z_j - z_i and m_j + m_i.
  const signs = i64x2(0, i64.MIN_VALUE);
  let lj = lennardJones;
  let es = electrostatic;
  if ((listed - list) & 4) writeU32(listed, 0, nothing);
  for (let at = list; at < listed; at += 8) {
    const e0 = readU32(at);
    const e1 = readU32(at, 4);
    const i0 = first + <usize>(e0 >> FIRST_SHIFT) * RECORD_BYTES;
    const i1 = first + <usize>(e1 >> FIRST_SHIFT) * RECORD_BYTES;
    const j0 = second + <usize>(e0 & SECOND_MASK) * RECORD_BYTES;
    const j1 = second + <usize>(e1 & SECOND_MASK) * RECORD_BYTES;
    const xy0 = f64x2.sub(readV128(j0), readV128(i0));
    const xy1 = f64x2.sub(readV128(j1), readV128(i1));
    const zm0 = f64x2.sub(readV128(j0, 16), v128.xor(readV128(i0, 16), signs));
    const zm1 = f64x2.sub(readV128(j1, 16), v128.xor(readV128(i1, 16), signs));
    const dq0 = f64x2.mul(readV128(j0, 32), readV128(i0, 32));
    const dq1 = f64x2.mul(readV128(j1, 32), readV128(i1, 32));
    const dx = firstOf(xy0, xy1);
    const dy = secondOf(xy0, xy1);
    const dz = firstOf(zm0, zm1);
    const m = secondOf(zm0, zm1);
    const s = f64x2.pmax(f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz)), least);
    const inverse = f64x2.div(one, s);
    const weight = weigh(s);
    const q = f64x2.mul(f64x2.mul(m, m), inverse);
    const q3 = f64x2.mul(f64x2.mul(q, q), q);
    const strength = f64x2.mul(firstOf(dq0, dq1), weight);
    lj = f64x2.add(lj, f64x2.mul(f64x2.mul(strength, q3), f64x2.sub(q3, two)));
    es = f64x2.add(es, f64x2.mul(secondOf(dq0, dq1), f64x2.mul(weight, inverse)));
  }
  lennardJones = lj;
  electrostatic = es;
}

@inline
function gather(i: usize, j: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(i)), 1, readF64(j));
}

/**
 * Adds `count` times two pairs of atoms: their numbers are at `pairs`, positions (3 f64) every `positionBytes`, strengths
 * (half minimum, depth root, charge) every `strengthBytes`.
 */
export function addPairs(
  pairs: usize,
  count: u32,
  positions: usize,
  positionBytes: usize,
  strengths: usize,
  strengthBytes: usize,
): void {
  const two = f64x2.splat(2);
  const least = f64x2.splat(LEAST_SQUARE);
  const end = pairs + ((<usize>count) << 4);
  for (let at = pairs; at < end; at += 16) {
    const i0 = positions + <usize>readU32(at) * positionBytes;
    const j0 = positions + <usize>readU32(at, 4) * positionBytes;
    const i1 = positions + <usize>readU32(at, 8) * positionBytes;
    const j1 = positions + <usize>readU32(at, 12) * positionBytes;
    const a0 = strengths + <usize>readU32(at) * strengthBytes;
    const b0 = strengths + <usize>readU32(at, 4) * strengthBytes;
    const a1 = strengths + <usize>readU32(at, 8) * strengthBytes;
    const b1 = strengths + <usize>readU32(at, 12) * strengthBytes;
    const dx = f64x2.sub(gather(j0, j1), gather(i0, i1));
    const dy = f64x2.sub(gather(j0 + 8, j1 + 8), gather(i0 + 8, i1 + 8));
    const dz = f64x2.sub(gather(j0 + 16, j1 + 16), gather(i0 + 16, i1 + 16));
    const s = f64x2.pmax(f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz)), least);
    const inverse = f64x2.div(f64x2.splat(1), s);
    const weight = weigh(s);
    const m = f64x2.add(gather(a0, a1), gather(b0, b1));
    const q = f64x2.mul(f64x2.mul(m, m), inverse);
    const q3 = f64x2.mul(f64x2.mul(q, q), q);
    const strength = f64x2.mul(f64x2.mul(gather(a0 + 8, a1 + 8), gather(b0 + 8, b1 + 8)), weight);
    lennardJones = f64x2.add(lennardJones, f64x2.mul(f64x2.mul(strength, q3), f64x2.sub(q3, two)));
    const product = f64x2.mul(gather(a0 + 16, a1 + 16), gather(b0 + 16, b1 + 16));
    electrostatic = f64x2.add(electrostatic, f64x2.mul(product, f64x2.mul(weight, inverse)));
  }
}
