/**
 * PRM: a roadmap of the whole space, for many queries.
 *
 * Method, per iteration: 1. a state is drawn, and joined to its nearest neighbours when it is valid; 2. after LEAST_GROWTH more states, or
 * an eighth more, the ends are joined to the roadmap and a way is sought. Motions are checked as they come, or with `lazy` only where a way
 * needs them (roadmap.ts). A roadmap that is given is asked before anything is drawn, grows with the search, and serves the next
 * query; its motions are taken as it knows them, so say `forget` to it when obstacles have moved.
 * Source: see roadmap.ts.
 * Cost: per iteration a search for neighbours and, unless lazy, as many motion checks.
 * Ends: as GraphSearch: `solved`, `limit`, `approximate`, `timeout`. Not finding a path proves nothing.
 * Tested by test/contract/planners.test.ts and src/planning/roadmap.test.ts.
 */
import { requireFlag, requireInstance, requireObject, throwMisuse } from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { type BridgeSamplerOptions, createBridgeSampler } from '../bridge-sampler.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import { createHalton } from '../halton.js';
import { areMotionsValid } from '../motion.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { type AskMotions, BLOCKED, FREE, Roadmap, UNKNOWN } from '../roadmap.js';
import { createUniformSampler, type Sampler } from '../sampler.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator } from '../types.js';
import { GraphSearch } from './graph-search.js';
import { requireSampler } from './require-sampler.js';

/** Decides about motions and what moves between queries. */
export interface MovingValidator extends MotionValidator {
  /** The same of a motion of the roadmap by its number, which stays its own: what it takes up may be remembered. */
  isEdgeValid?(a: Float64Array, b: Float64Array, edge: number): boolean;
  /** A single state: where it is not, no motion from it is. */
  isStateValid?(q: Float64Array): boolean;
}

export interface PrmSettings {
  /** Goes on with this one, of the same space; default: an empty one. */
  readonly roadmap?: Roadmap;
  /** Checks motions only where a way needs them; default false. */
  readonly lazy?: boolean;
  /**
   * What moves between queries, of which `checker` then knows nothing: a way is free where both say so. After a move `forgetMoved` of the
   * roadmap keeps what is known of everything else.
   */
  readonly moving?: MovingValidator;
  /** `random` (default), `halton`, or a sampler. */
  readonly sampler?: 'random' | 'halton' | Sampler;
  /** States drawn in narrow passages (bridge-sampler.ts), in place of `sampler`; default of `bridge-prm`: {}. */
  readonly bridges?: BridgeSamplerOptions;
}

export interface PrmRequest extends PlanningProblem, PrmSettings {}

const LEAST_GROWTH = 16;
const GROWTH = 1 / 8;
const SEED_STEP = 7919;

/** Its row in the registry. */
export const prm: Planner = {
  name: 'prm',
  about: 'a roadmap of the whole space: for many queries, and where obstacles move between them',
  settings: ['roadmap', 'lazy', 'moving', 'sampler', 'bridges'],
  isAnytime: false,
  create: (call, request: PrmRequest, watch) => createPrmSearch(call, request, watch),
};

/** The same, asking about a motion only when a way needs it. */
export const lazyPrm: Planner = {
  name: 'lazy-prm',
  about:
    'a roadmap that asks about a motion only when a way needs it: for many queries where obstacles move between them',
  settings: prm.settings,
  isAnytime: false,
  create: (call, request: PrmRequest, watch) => createPrmSearch(call, { lazy: true, ...request }, watch),
};

/** The same, drawn where passages are narrow. */
export const bridgePrm: Planner = {
  name: 'bridge-prm',
  about: 'a roadmap with states in narrow passages, found by bridges between obstacles: where trees do not get through',
  settings: prm.settings,
  isAnytime: false,
  create: (call, request: PrmRequest, watch) =>
    createPrmSearch(call, request.sampler === undefined ? { bridges: {}, ...request } : request, watch),
};

function createPrmSearch(call: string, request: PrmRequest, watch: StopWatch): PrmSearch {
  requireProblem(call, request);
  const { roadmap, lazy, sampler, moving, bridges } = request;
  if (lazy !== undefined) requireFlag(call, 'lazy', lazy);
  if (moving !== undefined && typeof moving?.isMotionValid !== 'function')
    throwMisuse(call, 'moving', moving, 'an object with isMotionValid(a, b)');
  requireSampler(call, sampler);
  if (bridges !== undefined) requireObject(call, 'bridges', bridges);
  if (bridges !== undefined && sampler !== undefined)
    throwMisuse(call, 'bridges', bridges, 'none beside a sampler, whose place they take');
  if (roadmap !== undefined)
    requireInstance(call, 'roadmap', roadmap, Roadmap, 'what createRoadmap or loadRoadmap returned');
  return new PrmSearch(request, watch);
}

class PrmSearch extends GraphSearch<PrmRequest> {
  private readonly roadmap: Roadmap;
  private readonly random: Random;
  private readonly sampler: Sampler;
  private readonly sample: Float64Array;
  /** Size of the roadmap at which a way is sought next. */
  private next = 0;

  constructor(given: PrmRequest, watch: StopWatch) {
    super(given, watch);
    const { space, problem } = this;
    const seed = problem.seed ?? 1;
    this.roadmap = problem.roadmap ?? new Roadmap(space);
    if (problem.bridges) this.sampler = createBridgeSampler(space, this.checks.checker, problem.bridges);
    else this.sampler = typeof problem.sampler === 'object' ? problem.sampler : createUniformSampler(space);
    // A roadmap that goes on draws other states than those that it has.
    const { size } = this.roadmap;
    const random = createRandom((seed + SEED_STEP * size) % 2 ** 32);
    this.random = problem.sampler === 'halton' ? createHalton(space.dimension, seed, size) : random;
    this.sample = new Float64Array(space.dimension);
    if (this.done) return;
    // With what moves apart the straight motion is one of the roadmap's, and remembered.
    const straight = problem.moving && this.roadmap.size > 0 ? null : this.tryStraight();
    if (straight && this.moves(problem.start, straight))
      this.finish('solved', 'straight line', [problem.start.slice(), straight.slice()]);
    else if (this.roadmap.size > 0) this.query();
    this.plan();
  }

  protected get nodes(): number {
    return this.roadmap.size + 1;
  }

  protected iterate(): void {
    const { sample, roadmap } = this;
    if (this.stream && this.iterations % DRAW_INTERVAL === 0) {
      const goal = this.stream.next();
      if (goal) this.goals.push(goal);
    }
    if (!this.sampler.draw(sample, this.random)) return;
    if (!this.checks.checker.isValid(sample)) return;
    roadmap.addTogether(sample.slice(), this.problem.lazy ? undefined : this.askWhile);
    if (roadmap.size < this.next) return;
    this.query();
    this.plan();
  }

  protected partialPath(): Float64Array[] {
    const { roadmap, problem } = this;
    roadmap.openAgain(problem.start, this.goals);
    return roadmap.partialWay();
  }

  private plan(): void {
    const { size } = this.roadmap;
    this.next = size + Math.max(LEAST_GROWTH, Math.ceil(size * GROWTH));
  }

  /** Of motions that are not free nothing is known once time is up. */
  private readonly askWhile: AskMotions = (starts, end) => {
    const ends = starts.map(() => end);
    const refused = (): number => (this.watch.wasOver ? UNKNOWN : BLOCKED);
    return areMotionsValid(this.grow, starts, ends).map((free) => (free === 1 ? FREE : refused()));
  };

  private moves(a: Float64Array, b: Float64Array): boolean {
    return this.problem.moving?.isMotionValid(a, b) ?? true;
  }

  /** Looks for ways until one passes the last check; with a lazy roadmap the last check is asked about each motion, and remembered. */
  private query(): void {
    const { roadmap, problem, last, askMoving } = this;
    roadmap.open(problem.start, this.goals);
    const isOver = (): boolean => this.watch.wasOver;
    const isFree = problem.lazy ? this.isFreeFinely : this.isFree;
    const { moving } = problem;
    const leaves = moving?.isStateValid && ((q: Float64Array): boolean => moving.isStateValid!(q));
    const questions = { isFree, moving: moving && askMoving, leaves };
    for (;;) {
      const way = roadmap.findWay(questions, Infinity, isOver);
      if (!way) break;
      const blocked =
        last && !problem.lazy ? way.edges.filter((_, i) => !last.isMotionValid(way.path[i], way.path[i + 1])) : [];
      if (this.watch.wasOver) return;
      if (blocked.length === 0) {
        this.finish('solved', `a way along ${way.path.length - 1} motions of the roadmap`, way.path);
        return;
      }
      for (const edge of blocked) roadmap.block(edge);
    }
    // What can be reached tells how far it has come.
    if (problem.allowPartial && !this.watch.wasOver) roadmap.explore(questions, isOver);
  }

  private readonly askMoving = (a: Float64Array, b: Float64Array, edge: number): boolean => {
    const { moving } = this.problem;
    return edge >= 0 && moving?.isEdgeValid ? moving.isEdgeValid(a, b, edge) : this.moves(a, b);
  };
}
