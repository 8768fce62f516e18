export type { ChainChoice, ChainMethod } from './chain/auto-chain.js';
export { createAutoChain } from './chain/auto-chain.js';
export type { BruteForceChain } from './chain/brute-force-chain.js';
export { createBruteForceChain } from './chain/brute-force-chain.js';
export type { Chain, ChainDescription, ChainJoint, ChainJointType, ChainLink } from './chain/chain.js';
export { createChain, disposeChain } from './chain/chain.js';
export type { ChainTreeData } from './chain/chain-block.js';
export type { ChainObstacle, ChainObstacles } from './chain/chain-obstacles.js';
export { createChainObstacles } from './chain/chain-obstacles.js';
export type { ChainPair } from './chain/chain-pair.js';
export { createChainPair } from './chain/chain-pair.js';
export type {
  ChainRaceBlock,
  ChainRaceRequest,
  ChainRaceResult,
  ChainRaceRunner,
  ChainRaceTimes,
} from './chain/chain-race.js';
export { raceChains } from './chain/chain-race.js';
export type { ChainState, ChainStats } from './chain/chain-state.js';
export type { ChainTree, ChainTreeOptions } from './chain/chain-tree.js';
export { createChainTree } from './chain/chain-tree.js';
export type { ExplicitChain } from './chain/explicit-chain.js';
export type { HashGridChain } from './chain/hash-grid-chain.js';
export { createHashGridChain } from './chain/hash-grid-chain.js';
export type { LinkPairs } from './chain/link-pairs.js';
export { createLinkPairs } from './chain/link-pairs.js';
export type { BallCluster, LinkShape } from './chain/link-shapes.js';
export type { PairTracker } from './chain/pair-tracker.js';
export { createPairTracker } from './chain/pair-tracker.js';
export type { CreateChainState } from './chain/representations.js';
export { chainRepresentations } from './chain/representations.js';
export type { TreeLayout } from './chain/tree-layout.js';
