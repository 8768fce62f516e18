export { BOX_STRIDE, LARGEST_TREE_COORDINATE } from './broadphase/box.js';
export type {
  BroadPhase,
  FixedBroadPhase,
  NearPairQuery,
  NearPairVisitor,
  PairVisitor,
  ProxyVisitor,
} from './broadphase/broad-phase.js';
export { createBruteForce } from './broadphase/brute-force.js';
export type { DynamicTreeOptions } from './broadphase/dynamic-tree.js';
export { createDynamicTree } from './broadphase/dynamic-tree.js';
export { createStaticTree } from './broadphase/static-tree.js';
