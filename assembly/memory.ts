// Loads and stores of the kernels. In the checked build every access is tested for alignment and for lying in the
// fixed area or in one of the trees the running query was given; the release build compiles to the bare instruction.
import { HEAP_BASE, INPUT_TRANSFORM, STACK_LIMIT, TREE_BLOCK_BYTES } from '../src/kernel/layout';

let firstTree: usize = 0;
let secondTree: usize = 0;
let firstTreeEnd: usize = 0;
let secondTreeEnd: usize = 0;
let workStart: usize = 0;
let workEnd: usize = 0;
let outputStart: usize = 0;
let outputEnd: usize = 0;

/** Names the trees that the query may read. */
@inline
export function openTrees(a: usize, b: usize): void {
  if (!ASC_NO_ASSERT) {
    assert((a & 15) == 0 && (b & 15) == 0, 'tree is not aligned');
    assert(a >= <usize>HEAP_BASE && b >= <usize>HEAP_BASE, 'tree lies in the fixed area');
    firstTree = a;
    secondTree = b;
    firstTreeEnd = a + load<u32>(a, TREE_BLOCK_BYTES);
    secondTreeEnd = b + load<u32>(b, TREE_BLOCK_BYTES);
  }
}

/** Names what a build may read and write: its work area, and the block of the tree. */
@inline
export function openWork(work: usize, workBytes: usize, output: usize, outputBytes: usize): void {
  if (!ASC_NO_ASSERT) {
    assert((work & 15) == 0 && (output & 15) == 0, 'work area is not aligned');
    workStart = work;
    workEnd = work + workBytes;
    outputStart = output;
    outputEnd = output + outputBytes;
  }
}

/** Ends a build. */
@inline
export function closeWork(): void {
  openWork(0, 0, 0, 0);
}

@inline
function isWork(pointer: usize, end: usize): bool {
  return (pointer >= workStart && end <= workEnd) || (pointer >= outputStart && end <= outputEnd);
}

@inline
function check(pointer: usize, bytes: usize, alignment: usize): void {
  if (!ASC_NO_ASSERT) {
    assert((pointer & (alignment - 1)) == 0, 'misaligned access');
    const end = pointer + bytes;
    assert(
      (pointer >= <usize>INPUT_TRANSFORM && end <= <usize>HEAP_BASE) ||
        (pointer >= firstTree && end <= firstTreeEnd) ||
        (pointer >= secondTree && end <= secondTreeEnd) ||
        isWork(pointer, end),
      'access outside the query memory',
    );
  }
}

/** Kernels write below the constants only: beyond lies what a traversal stack that overflows would destroy. */
@inline
function checkWrite(pointer: usize, bytes: usize, alignment: usize): void {
  if (!ASC_NO_ASSERT) {
    assert((pointer & (alignment - 1)) == 0, 'misaligned write');
    const end = pointer + bytes;
    assert(
      (pointer >= <usize>INPUT_TRANSFORM && end <= <usize>STACK_LIMIT) || isWork(pointer, end),
      'write outside the fixed area and the work area',
    );
  }
}

@inline
export function readF64(pointer: usize, offset: usize = 0): f64 {
  check(pointer + offset, 8, 8);
  return load<f64>(pointer + offset);
}

@inline
export function readF32(pointer: usize, offset: usize = 0): f32 {
  check(pointer + offset, 4, 4);
  return load<f32>(pointer + offset);
}

@inline
export function readU32(pointer: usize, offset: usize = 0): u32 {
  check(pointer + offset, 4, 4);
  return load<u32>(pointer + offset);
}

@inline
export function readSplat(pointer: usize, offset: usize = 0): v128 {
  check(pointer + offset, 4, 4);
  return v128.load32_splat(pointer + offset);
}

/** Two numbers, twice: a, b, a, b. */
@inline
export function readSplat64(pointer: usize, offset: usize = 0): v128 {
  check(pointer + offset, 8, 8);
  return v128.load64_splat(pointer + offset);
}

@inline
export function readV128(pointer: usize, offset: usize = 0): v128 {
  check(pointer + offset, 16, 16);
  return v128.load(pointer + offset);
}

/** Four numbers at once, aligned to one of them. */
@inline
export function readLanes(pointer: usize, offset: usize = 0): v128 {
  check(pointer + offset, 16, 4);
  return v128.load(pointer + offset);
}

@inline
export function writeF64(pointer: usize, offset: usize, value: f64): void {
  checkWrite(pointer + offset, 8, 8);
  store<f64>(pointer + offset, value);
}

@inline
export function writeF32(pointer: usize, offset: usize, value: f32): void {
  checkWrite(pointer + offset, 4, 4);
  store<f32>(pointer + offset, value);
}

@inline
export function writeU32(pointer: usize, offset: usize, value: u32): void {
  checkWrite(pointer + offset, 4, 4);
  store<u32>(pointer + offset, value);
}

/** Four numbers at once; need not be aligned to more than one of them. */
@inline
export function writeV128(pointer: usize, offset: usize, value: v128): void {
  checkWrite(pointer + offset, 16, 4);
  v128.store(pointer + offset, value);
}
