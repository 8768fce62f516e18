/**
 * Improves a plan without ever breaking it: takes the paths of a few robots away and finds them new ones that cost no more together.
 *
 * Method:
 * 1. Choose a few robots: one that loses much time and those in its way (a walk along what would be quicker for it), those that come through one
 *    place, or any; how many and which way is drawn by what gained most per searched state so far.
 * 2. Search them new paths one after the other in a random order by interval-search.ts, each with what the sum still allows as its bound.
 * 3. Keep the new ones when their sum is no larger, else put the old ones back.
 * Source: Li, Chen, Harabor, Stuckey, Koenig 2021, "Anytime multi-agent path finding via large neighborhood search",
 * doi:10.24963/ijcai.2021/568, section 4 (neighbourhoods and their adaptive choice).
 * Costs are sums of arrival times. Work is counted in searched states: no clock decides anything here.
 * Tested by plan-paths.test.ts.
 */
import type { SeededRandom } from '../math/random.js';
import type { GoalDistances } from './goal-distances.js';
import { IntervalSearch } from './interval-search.js';
import type { PathGraph } from './path-graph.js';
import { measurePaths, pathCost, type RobotPath } from './path-problem.js';
import { Reservations } from './reservations.js';

const SIZES = [1, 2, 4, 8, 16, 32] as const;
/** How fast what was learnt is forgotten, and what stays of every choice. */
const FORGET = 0.03;
const LEAST_SHARE = 0.03;

export class PathImprover {
  sumOfCosts: number;
  rounds = 0;
  private readonly reservations: Reservations;
  private readonly searcher: IntervalSearch;
  private readonly costs: Int32Array;
  private readonly least: Int32Array;
  private readonly ways = new WorkShares([1, 1, 1]);
  private readonly sizes = new WorkShares(SIZES);
  private readonly chosen: number[] = [];
  private readonly isChosen: Uint8Array;
  private readonly tried: Int32Array;
  private readonly crossings: Int32Array;

  constructor(
    private readonly graph: PathGraph,
    private readonly goals: Int32Array,
    private readonly distances: GoalDistances,
    /** Replaced in place. */
    readonly paths: RobotPath[],
    private readonly random: SeededRandom,
    rotations: boolean,
  ) {
    const { makespan, sumOfCosts } = measurePaths(paths);
    this.sumOfCosts = sumOfCosts;
    this.reservations = new Reservations(graph, makespan + 2);
    for (let i = 0; i < paths.length; i++) {
      const cost = pathCost(paths[i]);
      if (cost + 1 < paths[i].length) paths[i] = paths[i].slice(0, cost + 1);
      this.reservations.add(i, paths[i]);
    }
    this.searcher = new IntervalSearch(graph, this.reservations, paths, rotations);
    this.costs = Int32Array.from(paths, (path) => path.length - 1);
    this.least = Int32Array.from(paths, (path, i) => distances.row(i)[path[0]]);
    this.isChosen = new Uint8Array(paths.length);
    this.tried = new Int32Array(paths.length);
    const crossings: number[] = [];
    for (let v = 0; v < graph.vertexCount; v++) if (graph.first[v + 1] - graph.first[v] > 2) crossings.push(v);
    this.crossings = Int32Array.from(
      crossings.length > 0 ? crossings : Array.from({ length: graph.vertexCount }).keys(),
    );
  }

  get expansions(): number {
    return this.searcher.expansions;
  }

  /** Bytes that an improver of a plan would hold. */
  static bytesFor(graph: PathGraph, makespan: number): number {
    return graph.vertexCount * (makespan + 34) * 4.2;
  }

  /** One neighbourhood; returns what was gained. */
  round(): number {
    const { random, chosen, isChosen, reservations, paths, costs, least } = this;
    this.rounds++;
    const way = this.ways.draw(random.next());
    const sizeIndex = this.sizes.draw(random.next());
    const size = Math.min(SIZES[sizeIndex], paths.length);
    chosen.length = 0;
    if (way === 0) this.chooseDelayed(size);
    else if (way === 1) this.chooseAround(size);
    while (chosen.length < size && (way === 2 || chosen.length === 0)) this.choose(random.integer(paths.length));
    for (const i of chosen) isChosen[i] = 0;
    shuffle(chosen, random);

    let before = 0;
    let leastSum = 0;
    for (const i of chosen) {
      before += costs[i];
      leastSum += least[i];
      reservations.remove(paths[i]);
    }
    const work = this.searcher.expansions;
    const old: RobotPath[] = [];
    let sum = 0;
    let found = before > leastSum;
    for (let k = 0; k < chosen.length && found; k++) {
      const i = chosen[k];
      leastSum -= least[i];
      const path = this.searcher.search(
        paths[i][0],
        this.goals[i],
        this.distances.row(i),
        before - sum - leastSum,
        random.nextUint32() & 7,
      );
      if (path === null) {
        found = false;
        break;
      }
      old.push(paths[i]);
      paths[i] = path;
      sum += path.length - 1;
      reservations.add(i, path);
    }
    if (!found) {
      for (let k = 0; k < old.length; k++) {
        reservations.remove(paths[chosen[k]]);
        paths[chosen[k]] = old[k];
      }
      for (const i of chosen) reservations.add(i, paths[i]);
    } else {
      for (const i of chosen) costs[i] = paths[i].length - 1;
      this.sumOfCosts -= before - sum;
    }
    const gain = found ? before - sum : 0;
    const done = this.searcher.expansions - work;
    this.ways.learn(way, gain, done);
    this.sizes.learn(sizeIndex, gain, done);
    return gain;
  }

  private choose(i: number): void {
    if (this.isChosen[i] !== 0) return;
    this.isChosen[i] = 1;
    this.chosen.push(i);
  }

  /** One that loses much, and who is in the way of a quicker path. */
  private chooseDelayed(size: number): void {
    const { random, paths, costs, least, tried, chosen, graph } = this;
    let worst = -1;
    let most = 0;
    for (let n = 0; n < 12; n++) {
      const i = random.integer(paths.length);
      const delay = (costs[i] - least[i]) / (1 + tried[i]);
      if (delay <= most) continue;
      most = delay;
      worst = i;
    }
    if (worst < 0) return;
    tried[worst]++;
    this.choose(worst);
    const path = paths[worst];
    const row = this.distances.row(worst);
    const { who, horizon } = this.reservations;
    for (let attempt = 0; attempt < 10 && chosen.length < size; attempt++) {
      let t = attempt === 0 ? 0 : random.integer(path.length);
      let v = path[t];
      for (; chosen.length < size && t + 1 < horizon; t++) {
        // Steps, staying among them, from which the goal would be reached sooner than now.
        let u = -1;
        let ways = 0;
        for (let e = graph.first[v]; e <= graph.first[v + 1]; e++) {
          const x = e === graph.first[v + 1] ? v : graph.next[e];
          if (t + 1 + row[x] < costs[worst] && random.integer(++ways) === 0) u = x;
        }
        if (u < 0) break;
        this.chooseAt(u, t + 1);
        const crossing = who[u * horizon + t];
        if (crossing > 0 && who[v * horizon + t + 1] === crossing) this.choose(crossing - 1);
        v = u;
      }
    }
  }

  /** Whoever is at a vertex at a time, on its way or at rest. */
  private chooseAt(v: number, t: number): void {
    const { reservations } = this;
    if (!reservations.isTaken(v, t)) return;
    const on = reservations.who[v * reservations.horizon + t];
    if (on > 0) this.choose(on - 1);
    else if (this.homeOf(v) >= 0) this.choose(this.homeOf(v));
  }

  /** Those that come through places around a crossing. */
  private chooseAround(size: number): void {
    const { random, crossings, reservations, graph, chosen } = this;
    const { who, horizon } = reservations;
    let v = crossings[random.integer(crossings.length)];
    for (let n = 0; n < 2 * size && chosen.length < size; n++) {
      const shift = random.integer(horizon);
      for (let k = 0; k < horizon && chosen.length < size; k++) {
        const i = who[v * horizon + ((k + shift) % horizon)];
        if (i > 0) this.choose(i - 1);
      }
      v = graph.next[graph.first[v] + random.integer(graph.first[v + 1] - graph.first[v])] ?? v;
    }
  }

  private homes: Int32Array | null = null;

  private homeOf(v: number): number {
    if (this.homes === null) {
      this.homes = new Int32Array(this.graph.vertexCount).fill(-1);
      for (let i = 0; i < this.goals.length; i++) this.homes[this.goals[i]] = i;
    }
    return this.homes[v];
  }
}

/** Gives each choice a share of the work in proportion to the square of what it gained per state, and a little to every one. */
class WorkShares {
  private readonly gains: Float64Array;
  private readonly works: Float64Array;

  /** `sizes`: how much work each is thought to be at first. */
  constructor(sizes: readonly number[]) {
    this.works = Float64Array.from(sizes, (size) => 300 * size);
    this.gains = Float64Array.from(sizes, () => 1);
  }

  draw(at: number): number {
    const { gains, works } = this;
    let best = 0;
    for (let k = 0; k < gains.length; k++) best = Math.max(best, gains[k] / works[k]);
    const share = (k: number) => {
      const rate = gains[k] / works[k] / (best + 1e-12);
      return (rate * rate + LEAST_SHARE) / works[k];
    };
    let sum = 0;
    for (let k = 0; k < gains.length; k++) sum += share(k);
    let rest = at * sum;
    for (let k = 0; k < gains.length; k++) {
      rest -= share(k);
      if (rest < 0) return k;
    }
    return gains.length - 1;
  }

  learn(k: number, gain: number, work: number): void {
    this.gains[k] += FORGET * (gain - this.gains[k]);
    this.works[k] += FORGET * (work + 50 - this.works[k]);
  }
}

function shuffle(list: number[], random: SeededRandom): void {
  for (let k = list.length - 1; k > 0; k--) {
    const j = random.integer(k + 1);
    const x = list[k];
    list[k] = list[j];
    list[j] = x;
  }
}
