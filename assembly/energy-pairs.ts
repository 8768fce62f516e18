// Energies of pairs of atoms, two pairs at a time in f64: a leaf of an energy tree against another, or a list of pairs.
//
// Formulas: src/molecule/energy/force-field.ts. The scale of the switching function and Coulomb's constant are part of the
// depths and charges. Beyond the cutoff the switching function is exactly zero, so nothing is masked.
// Slots: kernel/layout.ts. Cost: some 2 ns per pair.
import { readF64, readU32, readV128 } from './memory';

const LEAST_SQUARE: f64 = 0.01;

/** Byte distances of the slot arrays from the first one. */
let slotBytes: usize = 0;
let slots: usize = 0;
let cutoff2: v128 = f64x2.splat(0);
let switch2: v128 = f64x2.splat(0);
let tail: v128 = f64x2.splat(0);

/** Sums since `clearSums`, two lanes each. */
let lennardJones: v128 = f64x2.splat(0);
let electrostatic: v128 = f64x2.splat(0);

export function openPairs(theSlots: usize, theSlotBytes: usize, constants: usize): void {
  slots = theSlots;
  slotBytes = theSlotBytes;
  cutoff2 = f64x2.splat(readF64(constants));
  switch2 = f64x2.splat(readF64(constants, 8));
  tail = f64x2.splat(readF64(constants, 16));
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

/** The switching function without its scale, at squared distances. */
@inline
function weigh(s: v128): v128 {
  const t = f64x2.pmin(f64x2.pmax(s, switch2), cutoff2);
  const u = f64x2.sub(cutoff2, t);
  return f64x2.mul(f64x2.mul(u, u), f64x2.add(f64x2.add(t, t), tail));
}

/** Atoms from slot `firstA` on against the even number of slots from `firstB` on, by their working positions. */
export function addDense(firstA: u32, countA: u32, firstB: u32, endB: u32, boxB: usize): u32 {
  const two = f64x2.splat(2);
  const one = f64x2.splat(1);
  const least = f64x2.splat(LEAST_SQUARE);
  const stride = slotBytes;
  const limit = f64x2.extract_lane(cutoff2, 0);
  let lj = lennardJones;
  let es = electrostatic;
  let computed: u32 = 0;
  const lowX = readF64(boxB);
  const lowY = readF64(boxB, 8);
  const lowZ = readF64(boxB, 16);
  const highX = readF64(boxB, 24);
  const highY = readF64(boxB, 32);
  const highZ = readF64(boxB, 40);
  const startB = slots + (<usize>firstB << 3);
  const stopB = slots + (<usize>endB << 3);
  const endA = slots + (<usize>(firstA + countA) << 3);
  for (let i = slots + (<usize>firstA << 3); i < endA; i += 8) {
    const xi = readF64(i + 3 * stride);
    const yi = readF64(i + 4 * stride);
    const zi = readF64(i + 5 * stride);
    const gapX = max(0, max(lowX - xi, xi - highX));
    const gapY = max(0, max(lowY - yi, yi - highY));
    const gapZ = max(0, max(lowZ - zi, zi - highZ));
    if (gapX * gapX + gapY * gapY + gapZ * gapZ >= limit) continue;
    const x = f64x2.splat(xi);
    const y = f64x2.splat(yi);
    const z = f64x2.splat(zi);
    const minimum = f64x2.splat(readF64(i + 6 * stride));
    const depth = f64x2.splat(readF64(i + 7 * stride));
    const charge = f64x2.splat(readF64(i + 8 * stride));
    computed += endB - firstB;
    for (let j = startB; j < stopB; j += 16) {
      const dx = f64x2.sub(readV128(j + 3 * stride), x);
      const dy = f64x2.sub(readV128(j + 4 * stride), y);
      const dz = f64x2.sub(readV128(j + 5 * stride), z);
      const s = f64x2.pmax(f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz)), least);
      const inverse = f64x2.div(one, s);
      const weight = weigh(s);
      const m = f64x2.add(minimum, readV128(j + 6 * stride));
      const q = f64x2.mul(f64x2.mul(m, m), inverse);
      const q3 = f64x2.mul(f64x2.mul(q, q), q);
      const strength = f64x2.mul(f64x2.mul(depth, readV128(j + 7 * stride)), weight);
      lj = f64x2.add(lj, f64x2.mul(f64x2.mul(strength, q3), f64x2.sub(q3, two)));
      const charges = f64x2.mul(charge, readV128(j + 8 * stride));
      es = f64x2.add(es, f64x2.mul(charges, f64x2.mul(weight, inverse)));
    }
  }
  lennardJones = lj;
  electrostatic = es;
  return computed;
}

@inline
function gather(array: usize, i: usize, j: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(array + i)), 1, readF64(array + j));
}

/**
 * `count` times two pairs of slots, by the positions from array `array` on (0: in the leaf's frame, 3: working) and the
 * strengths from array `strengths` on (6: plain, 9: of atoms three bonds apart).
 */
export function addListed(list: usize, count: u32, array: usize, strengths: usize): void {
  const two = f64x2.splat(2);
  const least = f64x2.splat(LEAST_SQUARE);
  const stride = slotBytes;
  const px = slots + array * stride;
  const py = px + stride;
  const pz = py + stride;
  const minima = slots + strengths * stride;
  const depths = minima + stride;
  const charges = depths + stride;
  const end = list + (<usize>count << 4);
  for (let at = list; at < end; at += 16) {
    const i0 = <usize>readU32(at) << 3;
    const j0 = <usize>readU32(at, 4) << 3;
    const i1 = <usize>readU32(at, 8) << 3;
    const j1 = <usize>readU32(at, 12) << 3;
    const dx = f64x2.sub(gather(px, j0, j1), gather(px, i0, i1));
    const dy = f64x2.sub(gather(py, j0, j1), gather(py, i0, i1));
    const dz = f64x2.sub(gather(pz, j0, j1), gather(pz, i0, i1));
    const s = f64x2.pmax(f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz)), least);
    const inverse = f64x2.div(f64x2.splat(1), s);
    const weight = weigh(s);
    const m = f64x2.add(gather(minima, i0, i1), gather(minima, j0, j1));
    const q = f64x2.mul(f64x2.mul(m, m), inverse);
    const q3 = f64x2.mul(f64x2.mul(q, q), q);
    const strength = f64x2.mul(f64x2.mul(gather(depths, i0, i1), gather(depths, j0, j1)), weight);
    lennardJones = f64x2.add(lennardJones, f64x2.mul(f64x2.mul(strength, q3), f64x2.sub(q3, two)));
    const product = f64x2.mul(gather(charges, i0, i1), gather(charges, j0, j1));
    electrostatic = f64x2.add(electrostatic, f64x2.mul(product, f64x2.mul(weight, inverse)));
  }
}
