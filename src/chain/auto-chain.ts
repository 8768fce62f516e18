/**
 * Chooses a representation for a moving chain by its number of links and how many joints change per step, and says why.
 *
 * Measured per step (update, test, undo on contact) on spheres: up to 24 links testing every pair costs least; beyond, a
 * ChainTree as long as at most one joint in 20 changes, and a hash grid where more do, unless one link is so large that it
 * makes every cell large: then the tree again. Checked by auto-chain.test.ts.
 */

import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createBruteForceChain } from './brute-force-chain.js';
import type { Chain } from './chain.js';
import { requireChain } from './chain.js';
import type { ChainState } from './chain-state.js';
import { createChainTree } from './chain-tree.js';
import { createHashGridChain } from './hash-grid-chain.js';

export type ChainMethod = 'brute force' | 'chain tree' | 'hash grid';

export interface ChainChoice {
  readonly method: ChainMethod;
  readonly reason: string;
  readonly state: ChainState;
}

const FEW_LINKS = 24;
const LINKS_PER_CHANGE = 20;
/** Largest reach over the mean one up to which a grid's cells fit the links. */
const ALIKE = 4;

/** The representation for steps that change `changesPerStep` joints (1 by default), with the reason. */
export function createAutoChain(chain: Chain, changesPerStep = 1): ChainChoice {
  requireChain('createAutoChain', chain);
  if (typeof changesPerStep !== 'number' || !(changesPerStep > 0 && changesPerStep < Infinity)) {
    throw new MisuseError(
      `createAutoChain: changesPerStep, got ${describeValue(changesPerStep)}, expected a finite number > 0`,
    );
  }
  const { linkCount } = chain;
  if (linkCount <= FEW_LINKS) {
    const reason = `${linkCount} links: testing every pair costs less than keeping a hierarchy`;
    return { method: 'brute force', reason, state: createBruteForceChain(chain) };
  }
  const changes = `${changesPerStep} of ${linkCount - 1} joints change per step`;
  if (changesPerStep * LINKS_PER_CHANGE <= linkCount) {
    const reason = `${changes}: only the hierarchy above them is computed anew`;
    return { method: 'chain tree', reason, state: createChainTree(chain) };
  }
  const { reaches } = chain.links;
  const largest = reaches.reduce((most, reach) => Math.max(most, reach), 0);
  const mean = reaches.reduce((sum, reach) => sum + reach, 0) / linkCount;
  if (largest > ALIKE * mean) {
    const reason = `${changes}, but the largest link is ${(largest / mean).toFixed(1)} times the mean: cells would fit neither`;
    return { method: 'chain tree', reason, state: createChainTree(chain) };
  }
  const reason = `${changes}: most links move against each other, cells need no hierarchy`;
  return { method: 'hash grid', reason, state: createHashGridChain(chain) };
}
