/**
 * The arrays of contacts of bodies (body-contacts.ts) in the kernel's memory, where the loops of assembly/contacts/body-contacts.ts run
 * over them, to the bits of sweep-body-contacts.ts.
 *
 * A block belongs to whoever holds the views and is given back with it. Memory grows between steps at most, so views hold for a step.
 * Cost: none beside the loops, since nothing is copied. Memory: 300 bytes per contact there is room for.
 * Tested by contact-kernel.test.ts.
 */

import {
  CONTACTS_BYTES,
  CONTACTS_DATA,
  CONTACTS_HEADER_BYTES,
  CONTACTS_MASSES,
  CONTACTS_MOVERS,
  CONTACTS_ORDER,
  CONTACTS_PUSHED,
  CONTACTS_SHIFTS,
  CONTACTS_VELOCITIES,
  CONTACTS_WANTED,
} from '../kernel/contact-layout.js';
import { getKernel } from '../kernel/kernel.js';
import { contacts } from '../kernel/parts/contacts.js';
import type { ContactBlock, ContactViews } from './contact-block.js';

interface Held {
  block: ContactBlock;
}

const held = new WeakMap<ContactViews, Held>();
const forgotten = new FinalizationRegistry<Held>(({ block }) => block.kernel.release(block.address));
let isKernelRefused = false;

/** The block of `owner`, made anew where it has too little room; null where WebAssembly is refused. */
export function openContactBlock(owner: ContactViews, room: number, bodyCount: number): ContactBlock | null {
  if (isKernelRefused) return null;
  try {
    const own = held.get(owner);
    if (own === undefined) {
      const made = { block: createBlock(room, bodyCount) };
      held.set(owner, made);
      forgotten.register(owner, made);
      return made.block;
    }
    const { block } = own;
    if (block.kernel === getKernel() && block.room >= room) return block;
    own.block = createBlock(room, bodyCount);
    block.kernel.release(block.address);
    return own.block;
  } catch {
    // Worlds of few balls need no WebAssembly.
    isKernelRefused = true;
    return null;
  }
}

function createBlock(room: number, bodyCount: number): ContactBlock {
  const kernel = getKernel();
  const functions = kernel.part(contacts);
  let bytes = CONTACTS_HEADER_BYTES;
  const place = (length: number): number => {
    const at = bytes;
    bytes += Math.ceil(length / 16) * 16;
    return at;
  };
  const bodies = bodyCount + 1;
  const offsets = {
    data: place(8 * 32 * room),
    movers: place(8 * room),
    order: place(4 * room),
    wanted: place(8 * room),
    pushed: place(8 * room),
    velocities: place(48 * bodies),
    masses: place(64 * bodies),
    shifts: place(48 * bodies),
  };
  const address = kernel.allocate(bytes);
  const { u32 } = kernel;
  u32.fill(0, address / 4, (address + bytes) / 4);
  for (const [field, at] of [
    [CONTACTS_DATA, offsets.data],
    [CONTACTS_MOVERS, offsets.movers],
    [CONTACTS_ORDER, offsets.order],
    [CONTACTS_WANTED, offsets.wanted],
    [CONTACTS_PUSHED, offsets.pushed],
    [CONTACTS_VELOCITIES, offsets.velocities],
    [CONTACTS_MASSES, offsets.masses],
    [CONTACTS_SHIFTS, offsets.shifts],
  ])
    u32[(address + field) / 4] = address + at;
  u32[(address + CONTACTS_BYTES) / 4] = bytes;
  return { kernel, functions, address, room, bodyCount, offsets };
}

/** Makes the arrays of `owner` views of the block. */
export function viewContactBlock(
  owner: ContactViews,
  { kernel, address, offsets, room, bodyCount }: ContactBlock,
): void {
  const { buffer } = kernel.memory;
  const view = (at: number, length: number): Float64Array => new Float64Array(buffer, address + at, length);
  const bodies = bodyCount + 1;
  owner.data = view(offsets.data, 32 * room);
  owner.movers = new Int32Array(buffer, address + offsets.movers, 2 * room);
  owner.order = new Int32Array(buffer, address + offsets.order, room);
  owner.wanted = view(offsets.wanted, room);
  owner.pushed = view(offsets.pushed, room);
  owner.velocities = view(offsets.velocities, 6 * bodies);
  owner.masses = view(offsets.masses, 8 * bodies);
  owner.shifts = view(offsets.shifts, 6 * bodies);
}
