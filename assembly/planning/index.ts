// The planner's module: linked with what checks motions, and with that module's memory. Addresses of searches are of their blocks;
// every call but `initialize` and `createSearch` is about the search that `openSearch` named last.
// The TypeScript side is src/planning/kernel/.
import {
  GIVEN_STATES,
  S_DIMENSION,
  S_GIVEN,
  S_GOAL_TREE,
  S_NUMBERS,
  S_PATH_ROOM,
  S_STACK,
  S_STACK_ROOM,
  S_START_TREE,
  SEARCH_BYTES,
  T_NODES,
} from '../../src/planning/kernel/layout';
import { allocate, initialize as forgetBlocks, release } from './blocks';
import { addNode, nodeOf, parentOf, releaseTree, removeNode, startTree } from './box-tree';
import { drawState, forgetPoints } from './draws';
import { findNearest } from './nearest';
import { numberBytes, open, search } from './search';
import { closePath } from './simplify';

export { grow, tryStraight } from './rrt-connect';
export { findBlocked, forgetFailures, measurePath, openPath, simplifyRound, tidyPath } from './simplify';

const FIRST_STACK: i32 = 64;

/** Forgets all blocks; `base` is the first address that is the planner's. */
export function initialize(base: usize): void {
  forgetBlocks(base);
  forgetPoints();
}

/** A search without numbers: the host fills them in, then calls `startTrees`. */
export function createSearch(dimension: i32): usize {
  const block = allocate(SEARCH_BYTES);
  memory.fill(block, 0, SEARCH_BYTES);
  store<i32>(block, dimension, S_DIMENSION);
  const bytes = numberBytes(dimension);
  const numbers = allocate(bytes);
  memory.fill(numbers, 0, bytes);
  store<u32>(block, <u32>numbers, S_NUMBERS);
  store<u32>(block, <u32>allocate((<usize>FIRST_STACK) << 3), S_STACK);
  store<i32>(block, FIRST_STACK, S_STACK_ROOM);
  store<i32>(block, 0, S_PATH_ROOM);
  return block;
}

/** Room for states that the host draws ahead. */
export function openDraws(): usize {
  if (load<u32>(search, S_GIVEN) === 0)
    store<u32>(search, <u32>allocate(<usize>GIVEN_STATES * ((<usize>load<i32>(search, S_DIMENSION)) << 3)), S_GIVEN);
  return load<u32>(search, S_GIVEN);
}

export function openSearch(block: usize): void {
  open(block);
}

export function startTrees(): void {
  startTree(search + S_START_TREE);
  startTree(search + S_GOAL_TREE);
}

/** Of searches whose trees were started. */
export function releaseTrees(): void {
  if (load<u32>(search + S_START_TREE, T_NODES) === 0) return;
  releaseTree(search + S_START_TREE);
  releaseTree(search + S_GOAL_TREE);
}

/** Gives the block of the search back, without its trees. */
export function releaseSearch(): void {
  closePath();
  const given = load<u32>(search, S_GIVEN);
  if (given !== 0) release(given, <usize>GIVEN_STATES * ((<usize>load<i32>(search, S_DIMENSION)) << 3));
  release(load<u32>(search, S_STACK), (<usize>load<i32>(search, S_STACK_ROOM)) << 3);
  release(load<u32>(search, S_NUMBERS), numberBytes(load<i32>(search, S_DIMENSION)));
  release(search, SEARCH_BYTES);
}

@inline
function tree(which: i32): usize {
  return search + <usize>(which === 0 ? S_START_TREE : S_GOAL_TREE);
}

export function addState(which: i32, state: usize, parent: i32): i32 {
  return addNode(tree(which), state, parent);
}

export function nearestTo(which: i32, state: usize): i32 {
  return findNearest(tree(which), state);
}

export function remove(which: i32, node: i32): void {
  removeNode(tree(which), node);
}

export function stateOf(which: i32, node: i32): usize {
  return nodeOf(tree(which), node);
}

export function parent(which: i32, node: i32): i32 {
  return parentOf(tree(which), node);
}

export function draw(out: usize): void {
  drawState(out);
}
