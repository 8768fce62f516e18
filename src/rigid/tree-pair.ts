/**
 * Two trees of poses, from start and goal, and the ways in which they grow; see rigid-search.ts.
 */

import { createRandom, type SeededRandom } from '../math/random.js';
import type { BodyPair } from './body-pair.js';
import { Cells } from './cells.js';
import { Explorer } from './explorer.js';
import type { RigidPose } from './pose.js';
import { PoseSampler } from './pose-sampler.js';
import { PoseTree } from './pose-tree.js';
import { Probes } from './probes.js';
import type { RigidProblem } from './problem.js';
import { PushWays } from './push-ways.js';

/** A motion of a tree that was proven free; side 0 from the start, 1 from the goal. */
export interface RigidEdge {
  readonly a: RigidPose;
  readonly b: RigidPose;
  readonly side: number;
}

type Mode = 'probes' | 'samples' | 'contacts' | 'cells' | 'fixed' | 'pushes';

interface ModeState {
  readonly mode: Mode;
  readonly share: number;
  spent: number;
}

/** Of the body's radius: length of a radian in the metric. */
const WEIGHT = 0.5;
/** Gaps that are contact, of the body's radius: coarse ones cost few queries, narrow places need finer ones now and then. */
const COARSE_GAP = 1e-2;
const CONTACT_GAPS = [1e-2, 1e-2, 1e-2, 3e-3, 1e-2, 1e-2, 1e-2, 1e-3];
/** Steps, of the space's extent. */
const LONG = 0.1;
const SHORT = 0.05;
const SLIDES = 20;
const MOST = 40;
const PUSHES = 60;
/** Share of samples in the plane, whose poses they fill soon. */
const PLANAR_SAMPLES = 2.5;

export class TreePair {
  readonly weight: number;
  method = '';
  private readonly explorer: Explorer;
  private readonly trees: readonly [PoseTree, PoseTree];
  private readonly cells: readonly [Cells, Cells];
  private readonly filled: [number, number] = [0, 0];
  private readonly sampler: PoseSampler;
  private readonly random: SeededRandom;
  private readonly modes: ModeState[];
  private probes: Probes[] = [];
  private readonly extent: number;
  private readonly ways: PushWays;
  private turn = 0;
  private passes = 0;
  private readonly target: RigidPose = new Float64Array(7);
  private readonly tip: RigidPose = new Float64Array(7);

  constructor(
    private readonly problem: RigidProblem,
    private readonly pair: BodyPair,
    seed: number,
  ) {
    const { lower, upper } = problem;
    this.weight = WEIGHT * pair.radius;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (upper[k] - lower[k]) ** 2;
    this.extent = Math.sqrt(square) + Math.PI * this.weight;
    const gap = COARSE_GAP * pair.radius;
    const range = LONG * this.extent;
    this.explorer = new Explorer(problem, pair, { weight: this.weight, range, gap, slides: 0, most: MOST });
    this.trees = [new PoseTree(this.weight), new PoseTree(this.weight)];
    const size = 0.5 * SHORT * this.extent;
    this.cells = [new Cells(size, this.weight), new Cells(size, this.weight)];
    this.ways = new PushWays(pair.body.mesh, problem.group === 'SE2');
    this.sampler = new PoseSampler(problem, seed);
    this.random = createRandom(seed + 17);
    this.modes = [
      { mode: 'probes', share: 0.4, spent: 0 },
      { mode: 'samples', share: problem.group === 'SE2' ? PLANAR_SAMPLES : 1, spent: 0 },
      { mode: 'contacts', share: 5, spent: 0 },
      { mode: 'cells', share: 0.4, spent: 0 },
      { mode: 'fixed', share: 0.3, spent: 0 },
      { mode: 'pushes', share: 2, spent: 0 },
    ];
  }

  get sizes(): [number, number] {
    return [this.trees[0].count, this.trees[1].count];
  }

  /** Largest way of the body's origin in either tree. */
  get reaches(): [number, number] {
    return [this.trees[0].reach(), this.trees[1].reach()];
  }

  /** Plants the roots: the ends are known to be free. `probing`: with probes about them. */
  begin(probing: boolean): void {
    const { trees, pair, problem } = this;
    trees[0].add(problem.start, -1, pair.distance(problem.start));
    trees[1].add(problem.goal, -1, pair.distance(problem.goal));
    const reach = 0.5 * this.extent;
    if (probing) this.probes = trees.map((tree) => new Probes(this.explorer, tree, reach));
  }

  /** Grows for about so many queries; a path where the trees met. */
  grow(queries: number): RigidPose[] | null {
    const until = this.pair.queries + queries;
    while (this.pair.queries < until) {
      const state = this.chooseMode();
      const before = this.pair.queries;
      const path = this.growOnce(state.mode);
      state.spent += Math.max(1, this.pair.queries - before);
      if (path) {
        this.method = state.mode;
        return path;
      }
    }
    return null;
  }

  edges(beyond: readonly [number, number] = [1, 1]): RigidEdge[] {
    const out: RigidEdge[] = [];
    this.trees.forEach((tree, side) => {
      for (let i = Math.max(1, beyond[side]); i < tree.count; i++)
        out.push({
          a: tree.read(new Float64Array(7), tree.parents[i]),
          b: tree.read(new Float64Array(7), i),
          side,
        });
    });
    return out;
  }

  private chooseMode(): ModeState {
    let best = this.modes[2];
    for (const state of this.modes) {
      if (state.mode === 'probes' && this.probes.every(({ done }) => done)) continue;
      if (state.spent / state.share < best.spent / best.share) best = state;
    }
    return best;
  }

  private growOnce(mode: Mode): RigidPose[] | null {
    const side = this.turn++ & 1;
    const tree = this.trees[side];
    const pass = this.passes++;
    this.set(
      mode === 'samples' || (mode === 'contacts' && (pass & 2) !== 0) ? LONG : SHORT,
      mode === 'samples' ? COARSE_GAP : CONTACT_GAPS[(pass >> 1) % CONTACT_GAPS.length],
    );
    const { settings } = this.explorer;
    let node = -1;
    if (mode === 'probes') node = this.probes[side].done ? -1 : this.probes[side].step();
    else if (mode === 'cells' || mode === 'pushes') node = this.growCell(side, mode === 'pushes');
    else {
      settings.slides = mode === 'samples' ? 0 : SLIDES;
      this.sampler.next(this.target);
      let root = -1;
      if (mode === 'fixed') {
        // At the orientation of one of the ends.
        const end = (this.turn >> 1) & 1 ? this.problem.goal : this.problem.start;
        for (let k = 3; k < 7; k++) this.target[k] = end[k];
      }
      root = tree.nearest(this.target);
      node = this.explorer.extend(tree, root, this.target);
    }
    return node < 0 ? null : this.meet(side, node, mode);
  }

  /** From a cell that little was grown from: a step in a drawn direction, or a push in one. */
  private growCell(side: number, isPush: boolean): number {
    const { cells, filled, trees, random, tip, explorer } = this;
    const tree = trees[side];
    for (; filled[side] < tree.count; filled[side]++) cells[side].add(tree.read(tip, filled[side]), filled[side]);
    explorer.settings.slides = isPush ? PUSHES : SLIDES;
    const { node: root, cell } = cells[side].choose(random.next(), random.next());
    const known = tree.count;
    const node = isPush
      ? explorer.push(tree, root, this.ways.draw(tree.read(tip, root), random))
      : explorer.extendAtRandom(tree, root, random);
    cells[side].report(cell, tree.count > known);
    return node;
  }

  /** Whether the other tree reaches what this one grew; of cells' steps every fourth is tried. */
  private meet(side: number, node: number, mode: Mode): RigidPose[] | null {
    if (mode === 'cells' && (node & 3) !== 0) return null;
    const tree = this.trees[side];
    const other = this.trees[1 - side];
    tree.read(this.tip, node);
    this.set(LONG, COARSE_GAP);
    this.explorer.settings.slides = 0;
    let at = other.nearest(this.tip);
    for (;;) {
      const next = this.explorer.extend(other, at, this.tip);
      if (next < 0) return null;
      at = next;
      if (this.explorer.reached) break;
      if (this.explorer.advance.t < 1) return null;
    }
    const here = tree.path(node);
    const there = other.path(at).reverse();
    return side === 0 ? [...here, ...there.slice(1)] : [...there.reverse(), ...here.reverse().slice(1)];
  }

  private set(step: number, gap: number): void {
    const { settings } = this.explorer;
    settings.range = step * this.extent;
    settings.gap = gap * this.pair.radius;
  }
}
