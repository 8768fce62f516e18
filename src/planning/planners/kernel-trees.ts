/**
 * RRT-Connect's loop in the kernel: assembly/planning/rrt-connect.ts does what script-trees.ts does.
 * Tested by test/contract/planner-kernel.test.ts.
 */

import type { Random } from '../../math/random.js';
import { createRandom } from '../../math/random.js';
import * as layout from '../kernel/layout.js';
import { type MotionSource, SearchBlock } from '../kernel/search-block.js';
import type { Sampler } from '../sampler.js';
import type { StateCoordinates } from '../types.js';
import { joinSides, type TreeSettings, type Trees } from './trees.js';

const STATES = { [layout.STATUS_JOINED]: 'joined', [layout.STATUS_LIMIT]: 'limit' } as const;

export class KernelTrees implements Trees {
  iterations = 0;
  startNodes = 0;
  goalNodes = 0;
  /** Motions asked of checks that are linked. */
  motions = 0;
  private readonly block: SearchBlock;
  private isDisposed = false;
  /** Draws ahead, where the kernel does not. */
  private readonly ahead: { readonly sampler: Sampler; readonly random: Random; readonly state: Float64Array } | null;

  constructor(
    private readonly settings: TreeSettings,
    coordinates: StateCoordinates,
    motion: MotionSource,
    private readonly isVerified: boolean,
  ) {
    const { space, sampler, seed, maxIterations, range, balance, dynamicDomain } = settings;
    const source = sampler === 'halton' ? sampler : 'random';
    this.ahead =
      typeof sampler === 'object'
        ? { sampler, random: createRandom(seed), state: new Float64Array(space.dimension) }
        : null;
    const block = new SearchBlock(space.dimension, { coordinates, sampler: source, seed, motion });
    this.block = block;
    block.engine.functions.startTrees();
    block.setInt(
      layout.S_FLAGS,
      block.getInt(layout.S_FLAGS) |
        (balance ? layout.FLAG_BALANCE : 0) |
        (dynamicDomain ? layout.FLAG_DOMAIN : 0) |
        (this.ahead ? layout.FLAG_GIVEN : 0) |
        (this.isVerified ? layout.FLAG_LAST_CHECK : 0),
    );
    block.setInt(layout.S_MOST_ITERATIONS, Math.min(maxIterations, 2 ** 31 - 1));
    block.setFloat(layout.S_RANGE, range);
    block.setFloat(layout.S_STEP, block.step);
    block.setFloat(layout.S_LAST_STEP, block.lastStep);
    if (!dynamicDomain) return;
    block.setFloat(layout.S_RADIUS, dynamicDomain.radius);
    block.setFloat(layout.S_LEAST_RADIUS, dynamicDomain.minRadius);
    block.setFloat(layout.S_RATE, dynamicDomain.alpha);
  }

  addRoot(tree: 0 | 1, state: Float64Array): void {
    const { block } = this;
    const { scale } = this.settings.space.coordinates!;
    let largest = 0;
    for (let k = 0; k < state.length; k++) largest = Math.max(largest, Math.abs(state[k] * scale[k]));
    block.widenSlack(largest);
    block.use(() => {
      const at = block.array(layout.A_SAMPLE);
      block.writeState(at, state);
      block.engine.functions.addState(tree, at, -1);
    });
    this.readCounts();
  }

  tryStraight(): number {
    const root = this.block.use(() => this.block.engine.functions.tryStraight());
    this.readCounts();
    return root;
  }

  grow(iterations: number): 'running' | 'joined' | 'limit' {
    const { block } = this;
    const status = block.use(() => {
      const { grow } = block.engine.functions;
      if (!this.ahead) return grow(iterations);
      const last = block.getInt(layout.S_ITERATIONS) + iterations;
      for (;;) {
        const left = last - block.getInt(layout.S_ITERATIONS);
        if (left > 0) this.drawAhead(left);
        const reached = grow(left);
        if (left <= 0 || reached !== layout.STATUS_RUNNING || block.getInt(layout.S_STOPPED) !== 0) return reached;
      }
    });
    this.readCounts();
    return STATES[status as keyof typeof STATES] ?? 'running';
  }

  /** States for the next iterations, where those that were drawn are used up. */
  private drawAhead(most: number): void {
    const { block, ahead } = this;
    if (!ahead || block.getInt(layout.S_GIVEN_NEXT) < block.getInt(layout.S_GIVEN_COUNT)) return;
    const { sampler, random, state } = ahead;
    const first = block.engine.functions.openDraws() >>> 0;
    const count = Math.min(most, layout.GIVEN_STATES);
    for (let i = 0; i < count; i++) {
      if (!sampler.draw(state, random)) state[0] = Infinity;
      block.writeState(first + 8 * i * block.dimension, state);
    }
    block.setInt(layout.S_GIVEN_NEXT, 0);
    block.setInt(layout.S_GIVEN_COUNT, count);
  }

  joinedPath(): Float64Array[] {
    const startSide = this.pathTo(0, this.block.getInt(layout.S_JOIN_START));
    const goalSide = this.pathTo(1, this.block.getInt(layout.S_JOIN_GOAL)).reverse();
    return joinSides(this.settings.space, startSide, goalSide);
  }

  partialPath(): Float64Array[] {
    if (this.isDisposed) return [];
    const { block } = this;
    let best = Infinity;
    let bestNode = -1;
    block.use(() => {
      const { functions } = block.engine;
      for (let g = 0; g < this.goalNodes; g++) {
        if (functions.parent(1, g) !== g) continue;
        const node = functions.nearestTo(0, functions.stateOf(1, g));
        const distance = block.engine.f64[(block.address + layout.S_NEAREST) / 8];
        if (node >= 0 && distance < best) {
          best = distance;
          bestNode = node;
        }
      }
    });
    return bestNode < 0 ? [] : this.pathTo(0, bestNode);
  }

  /** Keeps the search for a caller who may never say that he is done with it. */
  keep(): void {
    this.block.disposeWhenUnused();
  }

  dispose(): void {
    this.isDisposed = true;
    this.block.dispose();
  }

  private pathTo(tree: 0 | 1, last: number): Float64Array[] {
    const { block } = this;
    return block.use(() => {
      const { functions } = block.engine;
      const path: Float64Array[] = [];
      for (let node = last; ; ) {
        path.push(block.readState(functions.stateOf(tree, node) >>> 0));
        const parent = functions.parent(tree, node);
        if (parent === node) return path.reverse();
        node = parent;
      }
    });
  }

  private readCounts(): void {
    const { block } = this;
    this.iterations = block.getInt(layout.S_ITERATIONS);
    this.startNodes = block.getInt(layout.S_START_TREE + layout.T_COUNT);
    this.goalNodes = block.getInt(layout.S_GOAL_TREE + layout.T_COUNT);
    this.motions = block.getInt(layout.S_MOTIONS);
  }
}
