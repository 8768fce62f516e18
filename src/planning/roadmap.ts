/**
 * A roadmap: states joined to their neighbours, with what is known of each motion (nothing, free, blocked). It answers many queries, is
 * saved and loaded, and stays of use when obstacles move.
 *
 * Ends of a query are joined to it for that query only. The shortest way is sought as if motions of which nothing is known were free; those
 * on the way found are then asked, and the search is repeated until a way is free throughout or there is none (lazy evaluation). `forget`
 * makes all motions unknown again: after an obstacle has moved, a query asks only about what its own ways need.
 * A motion costs its lower bound until it is known to be free, then what the objective says.
 * Where only some things move between queries, what is known of the others stays (`forgetMoved`), and ways are asked about the former alone.
 * Shapes: states as of the space; edges by number, each with two nodes.
 * Source: Kavraki, Svestka, Latombe, Overmars 1996, "Probabilistic roadmaps for path planning in high-dimensional configuration spaces",
 * doi:10.1109/70.508439; Bohlin, Kavraki 2000, "Path planning using lazy PRM", doi:10.1109/ROBOT.2000.844107; number of neighbours: Karaman,
 * Frazzoli 2011, "Sampling-based algorithms for optimal motion planning", section 3.3, doi:10.1177/0278364911406761; ways by A*: Hart,
 * Nilsson, Raphael 1968, doi:10.1109/TSSC.1968.300136.
 * Cost: a state as many neighbours as there are to find; a query one A* search, O(edges log nodes), per way that turns out blocked.
 * Tested by roadmap.test.ts.
 */
import { requireObject, throwMisuse } from '../math/arguments.js';
import { log } from '../math/scalar.js';
import { createLengthObjective, type Objective, requireObjective } from './objective.js';
import { requireSpace, requireState } from './requests.js';
import { StateGraph } from './state-graph.js';
import type { StateSpace } from './types.js';
import { type Way, WayFinder } from './way-finder.js';

export const UNKNOWN = 0;
export const FREE = 1;
export const BLOCKED = 2;

/** A roadmap as plain data, for a structured clone. */
export interface RoadmapData {
  readonly kind: 'roadmap';
  readonly version: 1;
  readonly dimension: number;
  /** `dimension` numbers per state. */
  readonly states: Float64Array;
  /** Two numbers of states per motion. */
  readonly edges: Int32Array;
  /** What is known of each motion: 0 nothing, 1 free, 2 blocked. */
  readonly known: Uint8Array;
}

/** What decides about motions, and about those that are free so far what moves between queries. */
export interface EdgeQuestions {
  readonly isFree: AskEdge;
  readonly moving?: AskEdge;
  /** Whether what moves leaves a state free: asked of the ends of motions that it blocks, as then all their motions are blocked. */
  readonly leaves?: (q: Float64Array) => boolean;
}

/** Undefined where nothing can be said. `edge`: number of the motion, by which something may be remembered of it; -1 at ends of queries. */
export type AskEdge = (a: Float64Array, b: Float64Array, edge: number) => boolean | undefined;

/** What is known of the motions from some states to one: UNKNOWN, FREE or BLOCKED each. */
export type AskMotions = (
  starts: readonly Float64Array[],
  end: Float64Array,
  edges: readonly number[],
) => ArrayLike<number>;

/** A way along a roadmap: states, and what it costs. */
export interface RoadmapWay {
  readonly path: Float64Array[];
  readonly cost: number;
  /** Its motions. */
  readonly edges: readonly number[];
  /** Numbers of its states. */
  readonly nodes: readonly number[];
}

/** Neighbours: e (1 + 1/d) times the logarithm of how many states there are, within these. */
const LEAST_NEIGHBOURS = 4;
const MOST_NEIGHBOURS = 32;
/** Of states of paths that are added. */
const FREE_NEIGHBOURS = 8;
/** Motions from ends of queries. */
const MOST_REMEMBERED = 100_000;

export class Roadmap {
  private readonly graph: StateGraph;
  private readonly finder: WayFinder;
  private readonly out = new Int32Array(MOST_NEIGHBOURS);
  private readonly distances = new Float64Array(MOST_NEIGHBOURS);
  /** Start and goals that are opened, those that are no states of the roadmap first. */
  private endStates: Float64Array[] = [];
  private goalStates: readonly Float64Array[] = [];
  private stamp = '';
  private readonly endKnown = new Map<string, { readonly state: number; readonly cost: number }>();
  /** What motions of ends are remembered by, from the number `edges` on. */
  private endKeys: string[] = [];
  private opened: { start: number; goals: number[]; edges: number } | null = null;
  /** Shortcuts that were asked about while ends were opened, and pairs of states that have none. */
  private shortcuts: { readonly a: number; readonly b: number; readonly cost: number }[] = [];
  private readonly refused = new Set<string>();

  constructor(
    readonly space: StateSpace,
    readonly objective: Objective = createLengthObjective(space),
  ) {
    this.graph = new StateGraph(space);
    this.finder = new WayFinder();
  }

  /** States. */
  get size(): number {
    return this.graph.size;
  }

  /** Motions between them. */
  get edgeCount(): number {
    return this.opened?.edges ?? this.finder.edgeCount;
  }

  /** Neighbours that a further state is joined to. */
  get neighbourCount(): number {
    const { size, space } = this;
    const count = Math.ceil(Math.E * (1 + 1 / space.dimension) * log(size + 1));
    return Math.min(size, Math.max(LEAST_NEIGHBOURS, Math.min(MOST_NEIGHBOURS, count)));
  }

  read(node: number): Float64Array {
    return this.graph.read(new Float64Array(this.space.dimension), node);
  }

  /** Adds a state and joins it to its neighbours. `isFree`: asked at once, and blocked motions are kept as such; default: nothing is known. */
  add(state: Float64Array, isFree?: AskEdge): number {
    const verdict = (free: boolean | undefined): number => (free === undefined ? UNKNOWN : free ? FREE : BLOCKED);
    return this.addTogether(
      state,
      isFree && ((starts, end, edges) => Uint8Array.from(starts, (start, i) => verdict(isFree(start, end, edges[i])))),
    );
  }

  /** The same, asking about the motions from all neighbours together. */
  addTogether(state: Float64Array, ask?: AskMotions): number {
    if (this.opened) this.close();
    const count = this.graph.nearest(this.out, this.distances, state, this.neighbourCount);
    const node = this.graph.add(state);
    this.finder.addNode();
    const edges = Array.from(this.out.subarray(0, count), (other) => this.join(node, state, other));
    if (!ask) return node;
    const starts = Array.from(this.out.subarray(0, count), (other) => this.read(other));
    const known = ask(starts, state, edges);
    edges.forEach((edge, i) => {
      if (known[i] === FREE) this.finder.know(edge, FREE, this.objective.motionCost(starts[i], state));
      else if (known[i] === BLOCKED) this.finder.know(edge, BLOCKED, Infinity);
    });
    return node;
  }

  /** Joins a state to another, of which the motion is known to be free. */
  addAfter(state: Float64Array, previous: number): number {
    const node = this.add(state);
    const known = this.finder.findEdge(node, previous);
    const cost = this.objective.motionCost(state, this.read(previous));
    this.finder.know(known >= 0 ? known : this.finder.addEdge(node, previous, cost), FREE, cost);
    return node;
  }

  /**
   * Adds the states of a path of which every motion is free; states that are there already are used. `isFree` is asked about motions to
   * neighbours, of which only those that are free are kept, so that ways along the roadmap need no further question.
   */
  addPath(path: readonly Float64Array[], isFree?: AskEdge): void {
    if (this.opened) this.close();
    let before = -1;
    for (const state of path) {
      let node = this.findState(state);
      if (node < 0) node = this.addFree(state, isFree);
      if (before >= 0 && before !== node) this.knowFree(before, node);
      before = node;
    }
  }

  /** Nothing is known of any motion from now on. */
  forget(): void {
    if (this.opened) this.close();
    this.endKnown.clear();
    this.refused.clear();
    this.finder.forget();
  }

  /** Nothing is known any more of motions and what moves between queries. */
  forgetMoved(): void {
    if (this.opened) this.close();
    this.finder.forgetMoved();
  }

  /** Forgets when what the stamp says has changed since it was last named. */
  watch(stamp: string): void {
    if (this.stamp !== stamp && this.stamp !== '') this.forget();
    this.stamp = stamp;
  }

  /**
   * Joins ends to their neighbours, and the start to the goals, until the next state is added or other ends are opened. What is known of
   * motions from the same ends stays known.
   */
  open(start: Float64Array, goals: readonly Float64Array[]): void {
    if (this.opened) this.close();
    const { finder, graph } = this;
    if (this.endKnown.size > MOST_REMEMBERED) this.endKnown.clear();
    const edges = finder.edgeCount;
    const ends = [start, ...goals].map((state) => state.slice());
    this.endStates = [];
    this.endKeys = [];
    this.goalStates = ends.slice(1);
    const names = ends.map((state) => state.join());
    const nodes = ends.map((state) => {
      const there = this.findState(state);
      if (there >= 0) return there;
      this.endStates.push(state);
      return finder.addNode();
    });
    ends.forEach((state, i) => {
      if (nodes[i] < graph.size) return;
      const count = graph.nearest(this.out, this.distances, state, this.neighbourCount);
      for (let k = 0; k < count; k++)
        this.recall(this.join(nodes[i], state, this.out[k]), `${names[i]} ${this.out[k]}`);
    });
    this.opened = { start: nodes[0], goals: nodes.slice(1), edges };
    for (let g = 1; g < nodes.length; g++) {
      const isKnown = nodes[g] < graph.size && nodes[0] < graph.size && finder.findEdge(nodes[0], nodes[g]) >= 0;
      if (isKnown) continue;
      const edge = finder.addEdge(nodes[0], nodes[g], this.objective.lowerBound(ends[0], ends[g]));
      this.recall(edge, `${names[0]} ${names[g]}`);
    }
  }

  /** As `open`, where nothing was added since. */
  openAgain(start: Float64Array, goals: readonly Float64Array[]): void {
    if (!this.opened) this.open(start, goals);
  }

  /**
   * The cheapest free way between the opened ends that costs less than `bound`, asking about motions of which nothing is known; null where
   * there is none. `shouldStop` ends it, with null, before a refusal is taken for a fact.
   */
  findWay(ask: AskEdge | EdgeQuestions, bound = Infinity, shouldStop: () => boolean = () => false): RoadmapWay | null {
    const { opened, finder } = this;
    if (!opened) return null;
    const left = (node: number): number => {
      const state = this.stateOf(node);
      let least = Infinity;
      for (const goal of this.goalStates) least = Math.min(least, this.objective.lowerBound(state, goal));
      return least;
    };
    const questions = typeof ask === 'function' ? { isFree: ask } : ask;
    const way = this.askAlong(() => finder.find(opened.start, opened.goals, left, bound), questions, shouldStop);
    if (!way) return null;
    return this.describe(way);
  }

  /**
   * The way with states left out where motions past them are free, from each to the farthest. Shortcuts that are free are kept, those that are not are
   * not asked again.
   */
  shortenWay(way: RoadmapWay, { isFree, moving }: EdgeQuestions): RoadmapWay {
    const { finder, refused, objective, graph } = this;
    const nodes = [way.nodes[0]];
    const last = way.nodes.length - 1;
    const tryShortcut = (a: number, b: number): boolean => {
      const key = `${a} ${b}`;
      if (refused.has(key)) return false;
      const [from, to] = [this.stateOf(a), this.stateOf(b)];
      const known = finder.findEdge(a, b);
      if (known >= 0 && finder.known(known) === BLOCKED) return false;
      if (known >= 0 && finder.known(known) === FREE) return moving?.(from, to, this.lastingEdge(known)) ?? true;
      const isLasting = a < graph.size && b < graph.size;
      if (isFree(from, to, -1) === true) {
        if (isLasting) this.shortcuts.push({ a, b, cost: objective.motionCost(from, to) });
        return moving?.(from, to, -1) ?? true;
      }
      if (isLasting) refused.add(key);
      return false;
    };
    for (let i = 0; i < last; ) {
      let next = last;
      while (next > i + 1 && !tryShortcut(way.nodes[i], way.nodes[next])) next--;
      nodes.push(way.nodes[next]);
      i = next;
    }
    const states = nodes.map((node) => this.stateOf(node));
    const cost = states.slice(1).reduce((sum, state, i) => sum + objective.motionCost(states[i], state), 0);
    return this.describe({ nodes, edges: [], cost });
  }

  private describe({ nodes, cost, edges }: Way): RoadmapWay {
    return { path: nodes.map((node) => this.stateOf(node).slice()), cost, edges, nodes };
  }

  /** A motion of a way that turned out blocked. */
  block(edge: number): void {
    this.finder.know(edge, BLOCKED, Infinity);
  }

  /** Asks about ways to the states nearest the goals, until one of each can be reached: how far the start can come. */
  explore(ask: EdgeQuestions, shouldStop: () => boolean): void {
    const { opened, finder, graph, distances } = this;
    if (!opened) return;
    for (const goal of this.goalStates) {
      const near = new Int32Array(MOST_NEIGHBOURS);
      const count = graph.nearest(near, distances, goal, Math.min(this.size, MOST_NEIGHBOURS));
      for (let i = 0; i < count; i++) {
        const target = this.read(near[i]);
        const left = (node: number): number => this.objective.lowerBound(this.stateOf(node), target);
        if (this.askAlong(() => finder.find(opened.start, [near[i]], left, Infinity), ask, shouldStop)) break;
        if (shouldStop()) return;
      }
    }
  }

  /** Along motions known to be free, the states from the opened start to the one nearest an opened goal. */
  partialWay(): Float64Array[] {
    const { opened, finder, space } = this;
    if (!opened) return [];
    let best = Infinity;
    let nearest = opened.start;
    const before = finder.reachable(opened.start, FREE);
    for (const node of before.keys())
      for (const goal of this.goalStates) {
        const distance = space.distance(this.stateOf(node), goal);
        if (distance < best) [best, nearest] = [distance, node];
      }
    const path: Float64Array[] = [];
    for (let node = nearest; node >= 0; node = before.get(node)!) path.push(this.stateOf(node).slice());
    return path.reverse();
  }

  /** Plain data, without ends that are opened. */
  save(): RoadmapData {
    if (this.opened) this.close();
    const { finder, graph, space } = this;
    const edges = new Int32Array(2 * finder.edgeCount);
    const known = new Uint8Array(finder.edgeCount);
    for (let edge = 0; edge < known.length; edge++) {
      edges.set(finder.endsOf(edge), 2 * edge);
      known[edge] = finder.known(edge);
    }
    const states = graph.states.slice(0, graph.size * space.dimension);
    return { kind: 'roadmap', version: 1, dimension: space.dimension, states, edges, known };
  }

  /** Reads what `save` wrote. */
  restore({ states, edges, known }: RoadmapData): void {
    const { dimension } = this.space;
    for (let o = 0; o < states.length; o += dimension) {
      this.graph.add(states.subarray(o, o + dimension));
      this.finder.addNode();
    }
    for (let i = 0; i < known.length; i++) {
      const [a, b] = [this.read(edges[2 * i]), this.read(edges[2 * i + 1])];
      const cost = this.objective.lowerBound(a, b);
      const edge = this.finder.addEdge(edges[2 * i], edges[2 * i + 1], cost);
      if (known[i] === FREE) this.finder.know(edge, FREE, this.objective.motionCost(a, b));
      if (known[i] === BLOCKED) this.finder.know(edge, BLOCKED, Infinity);
    }
  }

  /** Asks about what is not known along the ways found, until one is free throughout; null where there is none. */
  private askAlong(
    find: () => Way | null,
    { isFree, moving, leaves }: EdgeQuestions,
    shouldStop: () => boolean,
  ): Way | null {
    const { finder } = this;
    for (let way = find(); way; way = find()) {
      let isWhole = true;
      for (const edge of way.edges) {
        const isKnown = finder.known(edge) === FREE;
        if (isKnown && (!moving || finder.knownMoved(edge) === FREE)) continue;
        const [a, b] = finder.endsOf(edge).map((node) => this.stateOf(node));
        // What moves is asked first: it is little.
        const still = moving?.(a, b, this.lastingEdge(edge)) ?? true;
        if (moving) finder.knowMoved(edge, still ? FREE : BLOCKED);
        if (!still && leaves && !shouldStop())
          for (const node of finder.endsOf(edge)) if (!leaves(this.stateOf(node))) finder.blockMovedAround(node);
        const free = still && (isKnown || isFree(a, b, this.lastingEdge(edge)));
        if (free === undefined || (!free && shouldStop())) return null;
        if (!isKnown && still) {
          const cost = free ? this.objective.motionCost(a, b) : Infinity;
          // A way that has become dearer than was thought may not be the cheapest.
          if (free && cost <= finder.costOf(edge)) finder.know(edge, FREE, cost);
          else {
            finder.know(edge, free ? FREE : BLOCKED, cost);
            isWhole = false;
          }
        }
        if (!free) {
          isWhole = false;
          break;
        }
      }
      if (isWhole) return way;
    }
    return null;
  }

  /** Motions of ends go with their query, and others then take their numbers. */
  private lastingEdge(edge: number): number {
    return edge < (this.opened?.edges ?? 0) ? edge : -1;
  }

  /** What was known of a motion of an end, and is to be known of it when the ends are closed. */
  private recall(edge: number, key: string): void {
    this.endKeys.push(key);
    const known = this.endKnown.get(key);
    if (known) this.finder.know(edge, known.state, known.cost);
  }

  private close(): void {
    if (!this.opened) return;
    const { finder, graph, opened } = this;
    for (let edge = opened.edges; edge < finder.edgeCount; edge++) {
      const state = finder.known(edge);
      if (state !== UNKNOWN) this.endKnown.set(this.endKeys[edge - opened.edges], { state, cost: finder.costOf(edge) });
    }
    finder.truncate(graph.size, opened.edges);
    this.opened = null;
    for (const { a, b, cost } of this.shortcuts) finder.know(finder.addEdge(a, b, cost), FREE, cost);
    this.shortcuts = [];
  }

  private stateOf(node: number): Float64Array {
    const { size } = this.graph;
    const { dimension } = this.space;
    return node >= size
      ? this.endStates[node - size]
      : this.graph.states.subarray(node * dimension, (node + 1) * dimension);
  }

  /** The number of a state, -1 where it is none of the roadmap's. */
  private findState(state: Float64Array): number {
    const { out, graph } = this;
    if (graph.nearest(out, this.distances, state, Math.min(1, graph.size)) === 0) return -1;
    const there = this.stateOf(out[0]);
    return state.every((x, k) => x === there[k]) ? out[0] : -1;
  }

  private addFree(state: Float64Array, isFree?: AskEdge): number {
    const { graph, finder, out } = this;
    const count = isFree ? graph.nearest(out, this.distances, state, Math.min(FREE_NEIGHBOURS, graph.size)) : 0;
    const near = Array.from(out.subarray(0, count));
    const node = graph.add(state);
    finder.addNode();
    for (const other of near) if (isFree!(this.read(other), state, -1) === true) this.knowFree(other, node);
    return node;
  }

  private knowFree(a: number, b: number): void {
    const { finder } = this;
    const cost = this.objective.motionCost(this.stateOf(a), this.stateOf(b));
    const known = finder.findEdge(a, b);
    finder.know(known >= 0 ? known : finder.addEdge(a, b, cost), FREE, cost);
  }

  private join(node: number, state: Float64Array, other: number): number {
    return this.finder.addEdge(node, other, this.objective.lowerBound(state, this.read(other)));
  }
}

/** An empty roadmap; states come by `add`, or by planning with it. `objective`: what ways shall cost little of; default: length. */
export function createRoadmap(space: StateSpace, objective?: Objective): Roadmap {
  requireSpace('createRoadmap', space);
  requireObjective('createRoadmap', objective);
  return new Roadmap(space, objective);
}

/** Throws on data that `save` did not write, or that is of another space. */
export function loadRoadmap(space: StateSpace, data: RoadmapData, objective?: Objective): Roadmap {
  const call = 'loadRoadmap';
  requireSpace(call, space);
  requireObjective(call, objective);
  requireObject(call, 'data', data);
  const { kind, version, dimension, states, edges, known } = data;
  if (kind !== 'roadmap' || version !== 1)
    throwMisuse(call, 'data', data, 'what save of a roadmap returned, version 1');
  if (dimension !== space.dimension || !(states instanceof Float64Array) || states.length % dimension !== 0)
    throwMisuse(call, 'data.states', states, `states of ${space.dimension} numbers each`);
  const size = states.length / dimension;
  for (let i = 0; i < size; i++)
    requireState(call, `data.states[${i}]`, states.subarray(i * dimension, (i + 1) * dimension));
  if (!states.every((x) => Number.isFinite(x))) throwMisuse(call, 'data.states', 'NaN or infinity', 'finite numbers');
  const isEdge = (node: number): boolean => node >= 0 && node < size;
  if (!(edges instanceof Int32Array) || !(known instanceof Uint8Array) || edges.length !== 2 * known.length)
    throwMisuse(call, 'data.edges', edges, 'two numbers of states per entry of data.known');
  if (!edges.every(isEdge) || !known.every((state) => state <= BLOCKED))
    throwMisuse(call, 'data.edges', edges, `numbers of states below ${size}, and what is known of each from 0 to 2`);
  const roadmap = new Roadmap(space, objective);
  roadmap.restore(data);
  return roadmap;
}
