/**
 * Every representation of a moving chain by the name under which measurements list it, so that benches, the command line
 * and the tests of their common promises go through the same ones.
 */
import { createBruteForceChain } from './brute-force-chain.js';
import type { Chain } from './chain.js';
import type { ChainState } from './chain-state.js';
import { createChainTree } from './chain-tree.js';
import { createDynamicTreeChain } from './dynamic-tree-chain.js';
import { createHashGridChain } from './hash-grid-chain.js';
import { createObbTreeChain, createPieceObbTreeChain } from './obb-tree-chain.js';

export type CreateChainState = (chain: Chain) => ChainState;

/** Name -> how to make one. The first is the paper's own structure, the five after the variants of its volumes. */
export const chainRepresentations: Readonly<Record<string, CreateChainState>> = {
  ChainTree: (chain) => createChainTree(chain),
  'ChainTree, boxes two levels down': (chain) => createChainTree(chain, { fitDepth: 2 }),
  'ChainTree, boxes three levels down': (chain) => createChainTree(chain, { fitDepth: 3 }),
  'ChainTree, tight boxes': (chain) => createChainTree(chain, { tight: true }),
  'ChainTree, balls': (chain) => createChainTree(chain, { volume: 'ball' }),
  'ChainTree, rss': (chain) => createChainTree(chain, { volume: 'rss' }),
  grid: createHashGridChain,
  '1-OBBTree': createObbTreeChain,
  'K-OBBTree': createPieceObbTreeChain,
  'dynamic tree': createDynamicTreeChain,
  'brute force': createBruteForceChain,
};
