export type { AutoBroadPhaseOptions, BroadPhaseChoice, BroadPhaseMethod } from './broadphase/auto.js';
export { createAutoBroadPhase } from './broadphase/auto.js';
export { BOX_STRIDE, LARGEST_TREE_COORDINATE } from './broadphase/box.js';
export type {
  BroadPhase,
  FixedBroadPhase,
  NearPairQuery,
  NearPairVisitor,
  NearVisitor,
  PairVisitor,
  PersistentPairOptions,
  ProxyVisitor,
} from './broadphase/broad-phase.js';
export { createBruteForce } from './broadphase/brute-force.js';
export type { CellSizeMode } from './broadphase/cell-size.js';
export type { DynamicTreeOptions } from './broadphase/dynamic-tree.js';
export { createDynamicTree } from './broadphase/dynamic-tree.js';
export type { HashGridOptions } from './broadphase/hash-grid.js';
export { createHashGrid } from './broadphase/hash-grid.js';
export { createStaticTree } from './broadphase/static-tree.js';
export type { SweepAndPruneOptions } from './broadphase/sweep-and-prune.js';
export { createSweepAndPrune } from './broadphase/sweep-and-prune.js';
