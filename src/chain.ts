export type { ChainChoice, ChainMethod } from './chain/auto-chain.js';
export { createAutoChain } from './chain/auto-chain.js';
export { BruteForceChain, createBruteForceChain } from './chain/brute-force-chain.js';
export type { Chain, ChainDescription, ChainJoint, ChainJointType, ChainLink } from './chain/chain.js';
export { createChain, disposeChain } from './chain/chain.js';
export type { ChainTreeData } from './chain/chain-block.js';
export type { ChainObstacle } from './chain/chain-obstacles.js';
export { ChainObstacles, createChainObstacles } from './chain/chain-obstacles.js';
export { ChainPair, createChainPair } from './chain/chain-pair.js';
export type {
  ChainRaceBlock,
  ChainRaceRequest,
  ChainRaceResult,
  ChainRaceRunner,
  ChainRaceTimes,
} from './chain/chain-race.js';
export { raceChains } from './chain/chain-race.js';
export type { ChainStats } from './chain/chain-state.js';
export { ChainState } from './chain/chain-state.js';
export type { ChainTreeOptions } from './chain/chain-tree.js';
export { ChainTree, createChainTree } from './chain/chain-tree.js';
export { createDynamicTreeChain, DynamicTreeChain } from './chain/dynamic-tree-chain.js';
export { ExplicitChain } from './chain/explicit-chain.js';
export { createHashGridChain, HashGridChain } from './chain/hash-grid-chain.js';
export { LinkPairs } from './chain/link-pairs.js';
export type { BallCluster, LinkShape } from './chain/link-shapes.js';
export { createObbTreeChain, createPieceObbTreeChain, ObbTreeChain } from './chain/obb-tree-chain.js';
export { createPairTracker, PairTracker } from './chain/pair-tracker.js';
export type { CreateChainState } from './chain/representations.js';
export { chainRepresentations } from './chain/representations.js';
export type { TreeLayout } from './chain/tree-layout.js';
