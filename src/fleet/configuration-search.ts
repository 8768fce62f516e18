/**
 * Complete search over configurations of all robots (the LaCAM class): finds a plan, improves it, and proves where there is none.
 *
 * Method:
 * 1. Nodes are configurations. The node on top of a stack makes one successor at a time: robots fixed by its next constraint go where it
 *    says, the rest by PIBT (pibt.ts), the best of `candidates` trials.
 * 2. Constraints form a tree per node, breadth first: the k-th level fixes the k-th robot of the node's order to each of its vertices. So
 *    every successor is made in the end, and the search is complete: an empty stack without a goal is a proof.
 * 3. A known configuration gets an edge and goes on top again; costs are carried on along edges (the star of LaCAM*), so that the plan to the
 *    goal becomes the cheapest when the stack has emptied.
 * Source: Okumura 2023, "LaCAM: search-based algorithm for quick multi-agent pathfinding", doi:10.1609/aaai.v37i10.26377; Okumura 2023,
 * doi:10.24963/ijcai.2023/28 (anytime part); Okumura 2024, "Engineering LaCAM*", AAMAS, section 4 (several trials per successor).
 * Cost of a step counts the robots that are not at their goal before and after it. Memory: 8 bytes per robot and node; at
 * `mostNodes` the search ends without a proof. Tested by plan-paths.test.ts against exhaustive search.
 */
import type { SeededRandom } from '../math/random.js';
import { ConfigurationTable, isEqual } from './configuration-table.js';
import type { GoalDistances } from './goal-distances.js';
import type { PathGraph } from './path-graph.js';
import { StepGenerator } from './pibt.js';

export type SearchState = 'searching' | 'solved' | 'exhausted' | 'full';

/** Constraint tree of a node: entries of shared pools, a queue per node. */
interface Pools {
  robot: Int32Array;
  vertex: Int32Array;
  parent: Int32Array;
  following: Int32Array;
  depth: Int32Array;
  count: number;
}

export class ConfigurationSearch {
  iterations = 0;
  private readonly table = new ConfigurationTable();
  private readonly orders: Int32Array[] = [];
  private readonly parents: number[] = [];
  private readonly costs: number[] = [];
  private readonly estimates: number[] = [];
  private readonly heads: number[] = [];
  private readonly tails: number[] = [];
  private readonly edges: number[][] = [];
  private readonly edgeCosts: number[][] = [];
  private readonly stack: number[] = [];
  private readonly generator: StepGenerator;
  private readonly rank: Int32Array;
  private readonly trial: Int32Array;
  private readonly pools: Pools;
  private goalNode = -1;

  constructor(
    private readonly graph: PathGraph,
    starts: Int32Array,
    private readonly goals: Int32Array,
    private readonly distances: GoalDistances,
    private readonly random: SeededRandom,
    rotations: boolean,
    private readonly candidates: number,
    private readonly mostNodes: number,
    ways: readonly Int32Array[] | null = null,
  ) {
    this.generator = new StepGenerator(graph, goals, distances, random, rotations, ways);
    const robots = starts.length;
    const far = Float64Array.from(starts, (v, i) => distances.row(i)[v]);
    const byDistance = Array.from(starts.keys()).sort((a, b) => far[b] - far[a] || a - b);
    this.rank = Int32Array.from(byDistance);
    this.trial = new Int32Array(robots);
    this.pools = {
      robot: new Int32Array(256),
      vertex: new Int32Array(256),
      parent: new Int32Array(256),
      following: new Int32Array(256),
      depth: new Int32Array(256),
      count: 0,
    };
    this.addNode(Int32Array.from(starts), -1);
    this.stack.push(0);
  }

  get isSolved(): boolean {
    return this.goalNode >= 0;
  }

  get nodeCount(): number {
    return this.table.list.length;
  }

  /** Cost of the plan to the goal: over the robots, steps not spent resting at their goal. */
  get cost(): number {
    return this.goalNode < 0 ? Number.POSITIVE_INFINITY : this.costs[this.goalNode];
  }

  /** One successor, or less. `exhausted` without a plan is a proof that there is none, with one that it is the cheapest. */
  step(): SearchState {
    const { stack, table, goals } = this;
    if (stack.length === 0) return 'exhausted';
    if (this.nodeCount >= this.mostNodes) return 'full';
    this.iterations++;
    let node = stack[stack.length - 1];
    if (this.goalNode >= 0) {
      if (this.random.next() < 0.01) node = stack[this.random.integer(stack.length)];
      if (this.costs[node] + this.estimate(node) >= this.cost) {
        // Only the top may be taken off.
        if (node === stack[stack.length - 1]) stack.pop();
        return 'searching';
      }
    } else if (isEqual(table.list[node], goals)) {
      this.goalNode = node;
      return 'solved';
    }
    const constraint = this.takeConstraint(node);
    if (constraint < 0) {
      if (node === stack[stack.length - 1]) stack.pop();
      return 'searching';
    }
    const to = this.makeSuccessor(node, constraint);
    if (to === null) return 'searching';
    const known = table.find(to);
    if (known >= 0) {
      this.connect(node, known);
      stack.push(this.goalNode >= 0 && this.random.next() < 0.001 ? 0 : known);
    } else stack.push(this.addNode(to, node));
    return 'searching';
  }

  /** Configurations from the start to the goal, or to the node on top when there is no plan yet. */
  trace(): Int32Array[] {
    const plan: Int32Array[] = [];
    const end = this.goalNode >= 0 ? this.goalNode : this.stack.length > 0 ? this.stack[this.stack.length - 1] : 0;
    for (let node = end; node >= 0; node = this.parents[node]) plan.push(this.table.list[node]);
    return plan.reverse();
  }

  private addNode(configuration: Int32Array, parent: number): number {
    const node = this.table.add(configuration);
    this.orders.push(this.orderFor(configuration, parent));
    this.parents.push(parent);
    this.estimates.push(-1);
    this.edges.push([]);
    this.edgeCosts.push([]);
    this.heads.push(-1);
    this.tails.push(-1);
    if (parent >= 0) {
      const cost = this.stepCost(this.table.list[parent], configuration);
      this.costs.push(this.costs[parent] + cost);
      this.edges[parent].push(node);
      this.edgeCosts[parent].push(cost);
      // Steps can be made backwards.
      this.edges[node].push(parent);
      this.edgeCosts[node].push(cost);
    } else this.costs.push(0);
    this.appendConstraint(node, -1, -1, -1, 0);
    return node;
  }

  /** What is left at least; only a search that has a plan asks. */
  private estimate(node: number): number {
    const known = this.estimates[node];
    if (known >= 0) return known;
    const configuration = this.table.list[node];
    let estimate = 0;
    for (let i = 0; i < configuration.length; i++) estimate += this.distances.row(i)[configuration[i]];
    this.estimates[node] = estimate;
    return estimate;
  }

  /** Robots on their way, longest first, in the parent's order; then those at home. */
  private orderFor(configuration: Int32Array, parent: number): Int32Array {
    const order = new Int32Array(configuration.length);
    const before = parent < 0 ? this.rank : this.orders[parent];
    let n = 0;
    for (let k = 0; k < before.length; k++)
      if (configuration[before[k]] !== this.goals[before[k]]) order[n++] = before[k];
    for (let k = 0; k < this.rank.length; k++) {
      const i = this.rank[k];
      if (configuration[i] === this.goals[i]) order[n++] = i;
    }
    return order;
  }

  private stepCost(a: Int32Array, b: Int32Array): number {
    const { goals } = this;
    let cost = 0;
    for (let i = 0; i < a.length; i++) if (a[i] !== goals[i] || b[i] !== goals[i]) cost++;
    return cost;
  }

  private makeSuccessor(node: number, constraint: number): Int32Array | null {
    const { pools, trial, table, distances } = this;
    const from = table.list[node];
    const order = this.orders[node];
    let best: Int32Array | null = null;
    let bestCost = Number.POSITIVE_INFINITY;
    // With every robot fixed there is nothing left to chance.
    const trials = pools.depth[constraint] === from.length ? 1 : this.candidates;
    for (let k = 0; k < trials; k++) {
      trial.fill(-1);
      for (let c = constraint; pools.robot[c] >= 0; c = pools.parent[c]) trial[pools.robot[c]] = pools.vertex[c];
      if (!this.generator.generate(from, trial, order)) continue;
      let cost = 0;
      if (trials > 1)
        for (let i = 0; i < trial.length; i++)
          cost += distances.row(i)[trial[i]] + (from[i] !== this.goals[i] || trial[i] !== this.goals[i] ? 1 : 0);
      if (cost >= bestCost) continue;
      bestCost = cost;
      if (best === null) best = trial.slice();
      else best.set(trial);
    }
    return best;
  }

  private takeConstraint(node: number): number {
    const { pools, random, graph } = this;
    const taken = this.heads[node];
    if (taken < 0) return -1;
    this.heads[node] = pools.following[taken];
    if (this.heads[node] < 0) this.tails[node] = -1;
    const depth = pools.depth[taken];
    const order = this.orders[node];
    if (depth < order.length) {
      const i = order[depth];
      const v = this.table.list[node][i];
      const choices = [v];
      for (let e = graph.first[v]; e < graph.first[v + 1]; e++) choices.push(graph.next[e]);
      for (let k = choices.length - 1; k > 0; k--) {
        const j = random.integer(k + 1);
        const c = choices[k];
        choices[k] = choices[j];
        choices[j] = c;
      }
      for (const u of choices) this.appendConstraint(node, taken, i, u, depth + 1);
    }
    return taken;
  }

  private appendConstraint(node: number, parent: number, robot: number, vertex: number, depth: number): void {
    const { pools } = this;
    if (pools.count === pools.robot.length)
      for (const name of ['robot', 'vertex', 'parent', 'following', 'depth'] as const) {
        const grown = new Int32Array(2 * pools.count);
        grown.set(pools[name]);
        pools[name] = grown;
      }
    const c = pools.count++;
    pools.robot[c] = robot;
    pools.vertex[c] = vertex;
    pools.parent[c] = parent;
    pools.depth[c] = depth;
    pools.following[c] = -1;
    if (this.tails[node] >= 0) pools.following[this.tails[node]] = c;
    else this.heads[node] = c;
    this.tails[node] = c;
  }

  /** A step between known nodes; carries lower costs on. */
  private connect(node: number, known: number): void {
    const { edges, edgeCosts, costs, stack } = this;
    if (node === known) return;
    if (!edges[node].includes(known)) {
      const cost = this.stepCost(this.table.list[node], this.table.list[known]);
      edges[node].push(known);
      edgeCosts[node].push(cost);
      edges[known].push(node);
      edgeCosts[known].push(cost);
    }
    const queue = [node, known];
    for (let head = 0; head < queue.length; head++) {
      const a = queue[head];
      for (let e = 0; e < edges[a].length; e++) {
        const b = edges[a][e];
        const cost = costs[a] + edgeCosts[a][e];
        if (cost >= costs[b]) continue;
        costs[b] = cost;
        this.parents[b] = a;
        queue.push(b);
        if (this.goalNode >= 0 && cost + this.estimate(b) < this.cost) stack.push(b);
      }
    }
  }
}
