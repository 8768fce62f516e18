/**
 * Hands out blocks of one address range: best fit over a free list kept in address order, neighbours merged on release.
 *
 * The list lives outside the memory it manages, so a kernel that writes out of bounds cannot break it, and a block that
 * is released twice is noticed. Cost: linear in the number of free blocks, which merging keeps small.
 */
import { MisuseError } from '../math/misuse.js';

export interface Allocator {
  /** Address of a free block, or -1 when none is large enough. */
  allocate(bytes: number): number;
  /** Throws when the address is not that of a live block. */
  release(address: number): void;
  /** Adds the addresses up to `end` to the range. */
  extend(end: number): void;
  /** Bytes that `extend` has to add at least for a block of this size to fit. */
  missingBytes(bytes: number): number;
  readonly usedBytes: number;
  readonly blockCount: number;
}

/** Blocks start and end on this boundary: a cache line, and enough for SIMD loads. */
const BLOCK_ALIGNMENT = 64;

export function createAllocator(start: number, end: number): Allocator {
  const live = new Map<number, number>();
  const freeAddress: number[] = [];
  const freeSize: number[] = [];
  let limit = start;
  let usedBytes = 0;

  const roundUp = (bytes: number): number => Math.max(1, Math.ceil(bytes / BLOCK_ALIGNMENT)) * BLOCK_ALIGNMENT;

  /** Index of the first free block at or after the address. */
  const findFree = (address: number): number => {
    let low = 0;
    let high = freeAddress.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (freeAddress[middle] < address) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const addFree = (address: number, size: number): void => {
    const i = findFree(address);
    const joinsLeft = i > 0 && freeAddress[i - 1] + freeSize[i - 1] === address;
    const joinsRight = i < freeAddress.length && address + size === freeAddress[i];
    if (joinsLeft && joinsRight) {
      freeSize[i - 1] += size + freeSize[i];
      freeAddress.splice(i, 1);
      freeSize.splice(i, 1);
    } else if (joinsLeft) {
      freeSize[i - 1] += size;
    } else if (joinsRight) {
      freeAddress[i] = address;
      freeSize[i] += size;
    } else {
      freeAddress.splice(i, 0, address);
      freeSize.splice(i, 0, size);
    }
  };

  const allocator: Allocator = {
    allocate(bytes) {
      const size = roundUp(bytes);
      let best = -1;
      for (let i = 0; i < freeSize.length; i++) {
        if (freeSize[i] >= size && (best < 0 || freeSize[i] < freeSize[best])) best = i;
      }
      if (best < 0) return -1;
      const address = freeAddress[best];
      if (freeSize[best] === size) {
        freeAddress.splice(best, 1);
        freeSize.splice(best, 1);
      } else {
        freeAddress[best] += size;
        freeSize[best] -= size;
      }
      live.set(address, size);
      usedBytes += size;
      return address;
    },
    release(address) {
      const size = live.get(address);
      if (size === undefined)
        throw new MisuseError(`release: address of a live block, got ${address}, expected one not yet released`);
      live.delete(address);
      usedBytes -= size;
      addFree(address, size);
    },
    extend(newEnd) {
      const aligned = Math.floor(newEnd / BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT;
      if (aligned > limit) addFree(limit, aligned - limit);
      limit = Math.max(limit, aligned);
    },
    missingBytes(bytes) {
      const last = freeAddress.length - 1;
      const tail = last >= 0 && freeAddress[last] + freeSize[last] === limit ? freeSize[last] : 0;
      return Math.max(0, roundUp(bytes) - tail);
    },
    get usedBytes() {
      return usedBytes;
    },
    get blockCount() {
      return live.size;
    },
  };
  allocator.extend(end);
  return allocator;
}
