/**
 * Why a search comes to nothing: two trees from the ends of a problem, with a record of what stopped them.
 *
 * Method: RRT-Connect's growth by turns, each extension as far as it is free, by states `resolution` apart; where it ends before the state it went
 * for, the first state that is not free is asked who stands there (`blame`), and the pairs are counted. Every other draw goes for the other tree.
 * Then: of each tree, the state nearest to the other one; the motions between these at which least is between what touches. Where the trees meet
 * after all, that is said.
 * Source: Kuffner, LaValle 2000, doi:10.1109/ROBOT.2000.844730, without the hurry.
 * Cost: some tens of states per iteration, and a question of `blame` per extension that is stopped. Tested by reasons.test.ts.
 */
import { createRandom } from '../../math/random.js';
import { countMotionSteps } from '../motion.js';
import { StateTree } from '../state-tree.js';
import type { StateSpace } from '../types.js';

export interface ExploreProblem {
  readonly space: StateSpace;
  readonly isValid: (q: Float64Array) => boolean;
  /** Names of the pairs that touch in a state that is not valid. */
  readonly blame: (q: Float64Array) => readonly (readonly [string, string])[];
  readonly start: Float64Array;
  readonly goals: readonly Float64Array[];
  readonly seed: number;
  readonly iterations: number;
  readonly resolution: number;
  readonly range: number;
  readonly shouldStop?: () => boolean;
}

export interface BlockedPair {
  readonly a: string;
  readonly b: string;
  /** Extensions that it stopped, of the start's tree and of the goals'. */
  readonly start: number;
  readonly goal: number;
}

export interface TreeReach {
  readonly states: number;
  /** From this tree's nearest state to the other's. */
  readonly left: number;
  /** Farthest that it came from its root. */
  readonly reached: number;
  readonly nearest: Float64Array;
}

export interface Exploration {
  readonly met: boolean;
  readonly start: TreeReach;
  readonly goal: TreeReach;
  /** Most often first. */
  readonly blocked: readonly BlockedPair[];
  readonly iterations: number;
}

interface Counts {
  readonly a: string;
  readonly b: string;
  readonly by: [number, number];
}

/** Of draws go for a state of the other tree. */
const TOWARDS_OTHER = 0.5;

export function exploreEnds(problem: ExploreProblem): Exploration {
  const { space, isValid, blame, start, goals, seed, resolution, range, shouldStop } = problem;
  const random = createRandom(seed);
  const trees = [new StateTree(space), new StateTree(space)] as const;
  trees[0].add(start, -1);
  for (const goal of goals) trees[1].add(goal, -1);
  const counts = new Map<string, Counts>();
  const sample = new Float64Array(space.dimension);
  const near = new Float64Array(space.dimension);
  const state = new Float64Array(space.dimension);
  const last = new Float64Array(space.dimension);
  /** Goes as far as it is free; adds what was reached. Null when the target was reached. */
  const extend = (side: 0 | 1, target: Float64Array, most: number): number | null => {
    const tree = trees[side];
    const from = tree.nearest(target);
    const distance = tree.nearestDistance;
    if (distance === 0) return null;
    tree.read(near, from);
    const share = Math.min(1, most / distance);
    const steps = countMotionSteps(distance * share, resolution);
    let free = 0;
    for (let i = 1; i <= steps; i++) {
      space.interpolate(state, near, target, (share * i) / steps);
      if (!isValid(state)) break;
      last.set(state);
      free = i;
    }
    if (free > 0) tree.add(last.slice(), from);
    if (free < steps)
      for (const [a, b] of blame(state)) {
        const key = `${a}\n${b}`;
        const known = counts.get(key) ?? { a, b, by: [0, 0] as [number, number] };
        known.by[side]++;
        counts.set(key, known);
      }
    if (free === steps && share === 1) return null;
    return free > 0 ? tree.size - 1 : -1;
  };
  let met = false;
  let iterations = 0;
  for (; iterations < problem.iterations && !met && !shouldStop?.(); iterations++) {
    const side = (iterations & 1) as 0 | 1;
    const other = trees[1 - side];
    if (random.next() < TOWARDS_OTHER) {
      other.read(sample, random.integer(other.size));
      met = extend(side, sample, Infinity) === null;
    } else {
      space.sample(sample, random);
      const node = extend(side, sample, range);
      if (node !== null && node < 0) continue;
      trees[side].read(sample, trees[side].size - 1);
      met = extend((1 - side) as 0 | 1, sample, Infinity) === null;
    }
  }
  const reach = (side: 0 | 1): TreeReach => reachOf(space, trees[side], trees[1 - side]);
  const blocked = [...counts.values()]
    .map(({ a, b, by }) => ({ a, b, start: by[0], goal: by[1] }))
    .sort((x, y) => y.start + y.goal - (x.start + x.goal));
  return { met, start: reach(0), goal: reach(1), blocked, iterations };
}

function reachOf(space: StateSpace, tree: StateTree, other: StateTree): TreeReach {
  const state = new Float64Array(space.dimension);
  const root = tree.read(new Float64Array(space.dimension), 0);
  let left = Infinity;
  let reached = 0;
  let nearest = 0;
  for (let node = 0; node < tree.size; node++) {
    tree.read(state, node);
    reached = Math.max(reached, space.distance(root, state));
    other.nearest(state);
    if (other.nearestDistance < left) {
      left = other.nearestDistance;
      nearest = node;
    }
  }
  return { states: tree.size, left, reached, nearest: tree.read(new Float64Array(space.dimension), nearest) };
}
