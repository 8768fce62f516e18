// Blocks of memory for searches: powers of two, free ones in a list per size, new ones from the end.
//
// The planner shares its memory with what checks motions and begins above it, at the base given to `initialize`. Memory grows
// while trees grow. Cost: constant.
import { FREE_LIST_BYTES } from '../../src/planning/kernel/layout';

const PAGE: usize = 65536;
const LEAST_SHIFT: i32 = 6;

/** Stops the checked build where what must hold does not; nothing in the other. */
@inline
export function must(holds: bool): void {
  if (!ASC_NO_ASSERT) if (!holds) unreachable();
}

let heads: usize = 0;
let end: usize = 0;

/** Forgets all blocks; `base` is the first address that is the planner's. */
export function initialize(base: usize): void {
  heads = (base + 63) & ~63;
  end = heads + FREE_LIST_BYTES;
  while (<usize>memory.size() * PAGE < end) if (memory.grow(1) < 0) unreachable();
  memory.fill(heads, 0, FREE_LIST_BYTES);
}

@inline
function shiftOf(bytes: usize): i32 {
  const shift = 32 - <i32>clz<u32>(<u32>(bytes - 1));
  return shift < LEAST_SHIFT ? LEAST_SHIFT : shift;
}

@inline
function isBlock(block: usize): bool {
  return ((block - heads) & 63) === 0 && block >= heads + FREE_LIST_BYTES && block < end;
}

/** Address of a block of at least `bytes`, aligned to 64; what is in it is left over from its last use. */
export function allocate(bytes: usize): usize {
  const shift = shiftOf(bytes);
  const head = heads + ((<usize>shift) << 2);
  const free = load<u32>(head);
  if (free !== 0) {
    must(isBlock(free));
    store<u32>(head, load<u32>(free));
    return free;
  }
  const block = end;
  const size = (<usize>1) << shift;
  const have = <usize>memory.size() * PAGE;
  if (block + size > have) {
    const missing = (block + size - have + PAGE - 1) / PAGE;
    // A quarter more than asked keeps the number of growths logarithmic.
    const wished = max(missing, <usize>memory.size() >> 2);
    if (memory.grow(<i32>wished) < 0 && memory.grow(<i32>missing) < 0) unreachable();
  }
  end = block + size;
  must(isBlock(block) && end <= <usize>memory.size() * PAGE);
  return block;
}

/** Gives back a block of `allocate`, with the size it was asked for. */
export function release(block: usize, bytes: usize): void {
  must(isBlock(block));
  const head = heads + ((<usize>shiftOf(bytes)) << 2);
  store<u32>(block, load<u32>(head));
  store<u32>(head, <u32>block);
}

/** A larger block with the same beginning; the old one is given back. */
export function enlarge(block: usize, bytes: usize, wanted: usize): usize {
  const next = allocate(wanted);
  memory.copy(next, block, bytes);
  release(block, bytes);
  return next;
}
