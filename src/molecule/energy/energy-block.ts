/**
 * The kernel memory behind an energy tree: its block, laid out as kernel/layout.ts says, and the pool of partial sums,
 * which grows when it has to.
 */

import type { Kernel } from '../../kernel/kernel.js';
import {
  ENERGY_BEHIND,
  ENERGY_BOXES,
  ENERGY_BYTES,
  ENERGY_CENTRES,
  ENERGY_CHANGED_LEAVES,
  ENERGY_CHANGED_SHORTCUTS,
  ENERGY_CHOICE_BYTES,
  ENERGY_CONSTANTS,
  ENERGY_EXACT_STAMPS,
  ENERGY_FLOAT_BYTES,
  ENERGY_FLOATS,
  ENERGY_FRAMES,
  ENERGY_FREE,
  ENERGY_GROUP_BYTES,
  ENERGY_GROUP_RECORDS,
  ENERGY_GROUPS,
  ENERGY_HEADER_BYTES,
  ENERGY_HEIGHT,
  ENERGY_IDENTITY,
  ENERGY_LEAVES,
  ENERGY_LEVEL_COUNTS,
  ENERGY_LEVEL_STARTS,
  ENERGY_LIST,
  ENERGY_LOG_BYTES,
  ENERGY_NEAR,
  ENERGY_NODE_LOG,
  ENERGY_NODE_LOG_BYTES,
  ENERGY_OWN,
  ENERGY_OWN_FLOATS,
  ENERGY_PAIR_SHIFT,
  ENERGY_POOL,
  ENERGY_POOL_BYTES,
  ENERGY_POSES,
  ENERGY_RECORDS,
  ENERGY_SHORTCUTS,
  ENERGY_SLOT_COUNTS,
  ENERGY_SLOT_STARTS,
  ENERGY_SPECIAL_STARTS,
  ENERGY_SPECIALS,
  ENERGY_SPHERES,
  ENERGY_STAMPS,
  ENERGY_TOUCHED,
} from '../../kernel/layout.js';
import { hypot } from '../../math/scalar.js';
import type { ProteinChain } from '../protein-chain.js';
import type { EnergyLeaves } from './energy-leaves.js';
import { type ForceField, pairConstants } from './force-field.js';

/** Groups of the pool per leaf at first: about what a compact protein needs. */
const GROUPS_PER_LEAF = 4;

/** Bytes of a list of so many pairs, with what assembly/energy/energy-pairs.ts keeps before and writes behind it. */
export const listBytes = (pairs: number): number => ENERGY_CHOICE_BYTES + 4 * pairs + 32;

/**
 * The constants of a field as the kernel takes them. The last one is the limit of squared distances computed in f32 from
 * coordinates up to `reach`: each is off by 2^-24 of itself, so a squared distance near the cutoff's by no more than the
 * slack.
 */
export function kernelConstants(field: ForceField, reach: number): number[] {
  const { cutoff2, switch2 } = pairConstants(field);
  const slack = 64 * 2 ** -24 * field.cutoff * (reach + field.cutoff);
  return [cutoff2, switch2, cutoff2 - 3 * switch2, (cutoff2 + slack) * (1 + 2 ** -20)];
}

const roundUp = (bytes: number): number => 16 * Math.ceil(bytes / 16);

/** What bonds make special of two leaves: pairs at most three bonds apart, as the kernel lists them, and those three apart. */
interface SpecialPair {
  readonly other: number;
  readonly bonded: readonly number[];
  readonly near: readonly number[];
}

export class EnergyBlock {
  readonly address: number;
  /** Word (of 8 bytes) of the first slot's own position (3 words each), and of the first shortcut (12 words). */
  readonly ownWord: number;
  readonly shortcutWord: number;
  /** Word (of 4 bytes) of the lists of changes. */
  readonly changedLeavesWord: number;
  readonly changedShortcutsWord: number;
  /** First slot of each leaf, one entry more than leaves. */
  readonly slotStarts: Int32Array;

  constructor(
    readonly kernel: Kernel,
    field: ForceField,
    leaves: EnergyLeaves,
    protein: ProteinChain,
  ) {
    const { atoms } = protein;
    const { count, rows, starts } = leaves;
    const levels = [count];
    while (levels[levels.length - 1] > 1) levels.push((levels[levels.length - 1] + 1) >> 1);
    const levelStarts = levels.map((_, level) => levels.slice(0, level).reduce((sum, n) => sum + n, 0));
    const nodes = levels.reduce((sum, n) => sum + n, 0);
    this.slotStarts = new Int32Array(count + 1);
    for (let leaf = 0; leaf < count; leaf++) {
      this.slotStarts[leaf + 1] = this.slotStarts[leaf] + 4 * Math.ceil((starts[leaf + 1] - starts[leaf]) / 4);
    }
    const slotCounts = Array.from({ length: count }, (_, leaf) => starts[leaf + 1] - starts[leaf]);
    const nothing = this.slotStarts[count];
    const slots = nothing + 2;
    const largest = 4 * Math.ceil(Math.max(...slotCounts) / 4);
    const specials = listSpecials(field, leaves, atoms, this.slotStarts, nothing);
    const specialCount = specials.reduce((sum, list) => sum + list.length, 0);
    const specialBytes = specials
      .flat()
      .reduce((sum, pair) => sum + roundUp(4 * pair.bonded.length) + 4 * pair.near.length, 0);

    let bytes = ENERGY_HEADER_BYTES;
    const offsets = new Map<number, number>();
    const reserve = (field: number, size: number): number => {
      const offset = bytes;
      offsets.set(field, offset);
      bytes += roundUp(size);
      return offset;
    };
    reserve(ENERGY_SLOT_STARTS, 4 * (count + 1));
    reserve(ENERGY_SLOT_COUNTS, 4 * count);
    const own = reserve(ENERGY_OWN, 24 * slots);
    const near = reserve(ENERGY_NEAR, 24 * slots);
    const records = reserve(ENERGY_RECORDS, 48 * slots);
    const floatBytes = roundUp(4 * slots);
    reserve(ENERGY_FLOATS, 3 * floatBytes);
    reserve(ENERGY_LIST, listBytes(largest * largest));
    const shortcuts = reserve(ENERGY_SHORTCUTS, 96 * nodes);
    reserve(ENERGY_SPHERES, 32 * nodes);
    reserve(ENERGY_POSES, 96 * nodes);
    reserve(ENERGY_STAMPS, 4 * nodes);
    reserve(ENERGY_CENTRES, 16 * (nodes + 1));
    reserve(ENERGY_BOXES, 32 * count);
    reserve(ENERGY_FRAMES, 4 * nodes);
    reserve(ENERGY_BEHIND, 4 * nodes);
    reserve(ENERGY_EXACT_STAMPS, 4 * count);
    reserve(ENERGY_OWN_FLOATS, 3 * floatBytes);
    reserve(ENERGY_SPECIAL_STARTS, 4 * (count + 1));
    reserve(ENERGY_SPECIALS, 16 * specialCount);
    const changedLeaves = reserve(ENERGY_CHANGED_LEAVES, 4 * count);
    const changedShortcuts = reserve(ENERGY_CHANGED_SHORTCUTS, 4 * count);
    reserve(ENERGY_TOUCHED, 4 * count);
    reserve(ENERGY_NODE_LOG, ENERGY_NODE_LOG_BYTES * nodes);
    const lists = bytes;
    bytes += roundUp(specialBytes);

    this.address = kernel.allocate(bytes);
    const { u32, f64 } = kernel;
    u32.fill(0, this.address / 4, (this.address + bytes) / 4);
    const header = this.address / 4;
    u32[header + ENERGY_BYTES / 4] = bytes;
    u32[header + ENERGY_HEIGHT / 4] = levels.length - 1;
    u32[header + ENERGY_LEAVES / 4] = count;
    u32[header + ENERGY_FLOAT_BYTES / 4] = floatBytes;
    for (const [at, offset] of offsets) u32[header + at / 4] = offset;
    u32.set(levelStarts, header + ENERGY_LEVEL_STARTS / 4);
    u32.set(levels, header + ENERGY_LEVEL_COUNTS / 4);
    f64.set(kernelConstants(field, reachOf(protein)), (this.address + ENERGY_CONSTANTS) / 8);
    u32.set(this.slotStarts, (this.address + offsets.get(ENERGY_SLOT_STARTS)!) / 4);
    u32.set(slotCounts, (this.address + offsets.get(ENERGY_SLOT_COUNTS)!) / 4);
    for (const k of [0, 4, 8]) f64[(this.address + ENERGY_IDENTITY) / 8 + k] = 1;
    this.ownWord = (this.address + own) / 8;
    this.shortcutWord = (this.address + shortcuts) / 8;
    this.changedLeavesWord = (this.address + changedLeaves) / 4;
    this.changedShortcutsWord = (this.address + changedShortcuts) / 4;
    const [plainWord, nearWord] = [(this.address + records) / 8 + 3, (this.address + near) / 8];
    for (let leaf = 0; leaf < count; leaf++) {
      for (let i = starts[leaf]; i < starts[leaf + 1]; i++) {
        const slot = this.slotStarts[leaf] + i - starts[leaf];
        f64.set(strengthsOf(field, atoms[rows[i]]), plainWord + 6 * slot);
        f64.set(nearStrengthsOf(field, atoms[rows[i]]), nearWord + 3 * slot);
      }
    }
    let special = offsets.get(ENERGY_SPECIALS)!;
    let list = lists;
    specials.forEach((pairs, leaf) => {
      u32[(this.address + offsets.get(ENERGY_SPECIAL_STARTS)!) / 4 + leaf + 1] =
        (special - offsets.get(ENERGY_SPECIALS)!) / 16 + pairs.length;
      for (const { other, bonded, near } of pairs) {
        u32.set([other, list, bonded.length, near.length / 4], (this.address + special) / 4);
        u32.set(bonded, (this.address + list) / 4);
        list += roundUp(4 * bonded.length);
        u32.set(near, (this.address + list) / 4);
        list += 4 * near.length;
        special += 16;
      }
    });
    this.allocatePool(GROUPS_PER_LEAF * count + 64);
  }

  /** Doubles the pool; what it holds stays. */
  growPool(): void {
    const { kernel } = this;
    const header = this.address / 4;
    const old = kernel.u32[header + ENERGY_POOL / 4];
    const groups = kernel.u32[header + ENERGY_GROUPS / 4];
    const free = kernel.u32[header + ENERGY_FREE / 4];
    const oldList = (old + ENERGY_GROUP_BYTES * groups) / 4;
    const freeList = kernel.u32.slice(oldList, oldList + free);
    this.allocatePool(2 * groups);
    const { u32 } = kernel;
    const pool = u32[header + ENERGY_POOL / 4];
    u32.copyWithin(pool / 4, old / 4, (old + ENERGY_GROUP_BYTES * groups) / 4);
    // The free groups of before, and all new ones.
    const list = (pool + ENERGY_GROUP_BYTES * 2 * groups) / 4;
    for (let i = 0; i < groups; i++) u32[list + i] = 2 * groups - 1 - i;
    u32.set(freeList, list + groups);
    u32[header + ENERGY_FREE / 4] = groups + free;
    kernel.release(old);
  }

  release(): void {
    this.kernel.release(this.kernel.u32[this.address / 4 + ENERGY_POOL / 4]);
    this.kernel.release(this.address);
  }

  /** Group 0 holds the root's record; all others are free. */
  private allocatePool(groups: number): void {
    const { kernel } = this;
    const bytes = roundUp(groups * (ENERGY_GROUP_BYTES + 8 + ENERGY_GROUP_RECORDS * ENERGY_LOG_BYTES));
    const pool = kernel.allocate(bytes);
    const { u32 } = kernel;
    u32.fill(0, pool / 4, (pool + ENERGY_GROUP_BYTES) / 4);
    const header = this.address / 4;
    u32[header + ENERGY_POOL / 4] = pool;
    u32[header + ENERGY_POOL_BYTES / 4] = bytes;
    u32[header + ENERGY_GROUPS / 4] = groups;
    u32[header + ENERGY_FREE / 4] = groups - 1;
    const list = (pool + ENERGY_GROUP_BYTES * groups) / 4;
    for (let i = 0; i < groups - 1; i++) u32[list + i] = groups - 1 - i;
  }
}

/** Half minimum, depth root and charge of an atom, such that products carry the scale of the switching function. */
export function strengthsOf(field: ForceField, atom: number): [number, number, number] {
  const { switchScale, coulomb } = pairConstants(field);
  const depthRoot = field.depthRoots[atom] * Math.sqrt(switchScale);
  return [field.halfMinima[atom], depthRoot, field.charges[atom] * Math.sqrt(coulomb * switchScale)];
}

/** The same for pairs three bonds apart. */
export function nearStrengthsOf(field: ForceField, atom: number): [number, number, number] {
  const { switchScale, coulomb14 } = pairConstants(field);
  const depthRoot = field.depthRoots14[atom] * Math.sqrt(switchScale);
  return [field.halfMinima14[atom], depthRoot, field.charges[atom] * Math.sqrt(coulomb14 * switchScale)];
}

/** No atom is ever farther from any link of the chain, angstrom. */
export function reachOf({ offsets, positions }: ProteinChain): number {
  let reach = 0;
  for (let at = 0; at < positions.length; at += 3) {
    reach = Math.max(reach, hypot(positions[at], positions[at + 1], positions[at + 2]));
  }
  for (let at = 0; at < offsets.length; at += 3) reach += hypot(offsets[at], offsets[at + 1], offsets[at + 2]);
  return reach;
}

/** By leaf, for itself and for later leaves that up to three bonds lead to. */
function listSpecials(
  field: ForceField,
  { count, rows, starts }: EnergyLeaves,
  atoms: Int32Array,
  slotStarts: Int32Array,
  nothing: number,
): SpecialPair[][] {
  const placeOf = new Map<number, [leaf: number, place: number]>();
  for (let leaf = 0; leaf < count; leaf++) {
    for (let i = starts[leaf]; i < starts[leaf + 1]; i++) placeOf.set(atoms[rows[i]], [leaf, i - starts[leaf]]);
  }
  return Array.from({ length: count }, (_, leaf) => {
    const pairs = new Map<number, { bonded: number[]; near: number[] }>();
    const pairOf = (other: number) => {
      const pair = pairs.get(other) ?? { bonded: [], near: [] };
      pairs.set(other, pair);
      return pair;
    };
    for (let i = 0; i < starts[leaf + 1] - starts[leaf]; i++) {
      const atom = atoms[rows[starts[leaf] + i]];
      for (const [others, isNear] of [
        [field.excluded[atom], false],
        [field.pairs14[atom], true],
      ] as const) {
        for (const b of others) {
          const [other, j] = placeOf.get(b) ?? [-1, -1];
          if (other < leaf || (other === leaf && j <= i)) continue;
          const pair = pairOf(other);
          pair.bonded.push((i << ENERGY_PAIR_SHIFT) | j);
          if (isNear) pair.near.push(slotStarts[leaf] + i, slotStarts[other] + j);
        }
      }
    }
    return [...pairs.entries()]
      .sort(([a], [b]) => a - b)
      .map(([other, { bonded, near }]) => {
        if (near.length % 4 > 0) near.push(nothing, nothing);
        return { other, bonded: bonded.sort((a, b) => a - b), near };
      });
  });
}
