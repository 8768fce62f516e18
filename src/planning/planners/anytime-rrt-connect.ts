/**
 * Anytime RRT-Connect: a first path soonest, then better and better ones until rounds, iterations or time are out.
 *
 * Method: 1. RRT-Connect finds a path, which is shortened (simplify.ts); 2. a path that is not much dearer than the best is drawn tight
 * (path-refiner.ts) in bursts of attempts, as long as what a burst gains promises to make it the best; 3. the next round begins: RRT-Connect
 * with other draws, by turns from where a path shorter than the best can pass (sampler.ts) and from a tenth and three tenths farther, as what is
 * found there may be drawn tighter than the best; every few rounds the best path is drawn tighter.
 * So other ways round things are found by rounds, and each way's shortest path by bursts. At any time `result` has the best path.
 * With an `objective` its costs take the place of length; draws are then from everywhere.
 * Source: Ferguson, Stentz 2006, "Anytime RRTs", doi:10.1109/IROS.2006.282100; Luna, Sucan, Moll, Kavraki 2013, "Anytime solution
 * optimization for sampling-based motion planning", doi:10.1109/ICRA.2013.6631301, whose shortening between rounds this is; simplification
 * between rounds of RRT-Connect also Wilson, Thomason, Kingston, Gammell 2025, "AORRTC", doi:10.1109/LRA.2025.3615522.
 * An iteration is one of RRT-Connect, or one attempt. Ends: as RRT-Connect until there is a path; then always `solved`.
 * Tested by test/contract/planners.test.ts and src/planning/path-refiner.test.ts.
 */
import { requireFunction } from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import { narrowSpace } from '../narrow-space.js';
import { createLengthObjective, type Objective, pathCost, requireObjective } from '../objective.js';
import { PathRefiner } from '../path-refiner.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { requireCount, requirePositive } from '../requests.js';
import { createInformedSampler } from '../sampler.js';
import { simplifyPath } from '../simplify.js';
import type { StopWatch } from '../stopping.js';
import { GraphSearch } from './graph-search.js';
import { createRrtConnectSearch, type RrtConnectSearch } from './rrt-connect.js';

/** A path that costs less than all before. */
export interface Improvement {
  readonly cost: number;
  readonly iterations: number;
}

export interface AnytimeSettings {
  /** Rounds of the search, the first one included; default 32. Infinity: until iterations or time are out. */
  readonly rounds?: number;
  /** What is made small; default: length in the metric of the space. */
  readonly objective?: Objective;
  /** Longest extension; default 1. */
  readonly range?: number;
  /** Told of every better path. */
  readonly onImprovement?: (improvement: Improvement) => void;
}

export interface AnytimeRequest extends PlanningProblem, AnytimeSettings {}

const DEFAULT_ROUNDS = 32;
const SEED_STEP = 0x3c6ef372;
/** Between the seeds of rounds: far, so that neighbouring seeds do not share them. */
const ROUND_STEP = 0x9e3779b9;
/** Iterations of a later round: so many, and so many times those of the first. */
const ROUND_ITERATIONS = 1000;
const ROUND_SHARE = 2;
/** Attempts between looks at what they gain. */
const BURST = 40;
const MOST_BURSTS = 8;
/** A path that costs so many times the best is not drawn tight. */
const PROMISING = 1.1;
/** What a burst must gain of what is missing to the best. */
const LEAST_PROGRESS = 0.1;
/** Rounds between bursts for the best path. */
const BEST_INTERVAL = 4;
/** Costs below this above the least there can be are the least. */
const OPTIMAL = 1e-6;
/** Rounds by turns draw from where paths of so many times the best length can pass. */
const SLACK = [1, 1.1, 1.3];
const LINKED_SLICE = 16;

/** Its row in the registry. */
export const anytimeRrtConnect: Planner = {
  name: 'anytime-rrt-connect',
  about: 'RRT-Connect again and again, each path drawn tight: the best path within the time that is given',
  settings: ['rounds', 'objective', 'range', 'onImprovement'],
  isAnytime: true,
  create(call, request: AnytimeRequest, watch) {
    requireProblem(call, request);
    const { rounds, objective, range, onImprovement } = request;
    requireCount(call, 'rounds', rounds, 1);
    requireObjective(call, objective);
    requirePositive(call, 'range', range);
    if (onImprovement !== undefined) requireFunction(call, 'onImprovement', onImprovement);
    return new AnytimeSearch(call, request, watch);
  },
};

class AnytimeSearch extends GraphSearch<AnytimeRequest> {
  override readonly slice: number;
  private inner: RrtConnectSearch | null = null;
  /** Of searches that are over, and of simplification. */
  private doneChecks = 0;
  private readonly objective: Objective;
  private readonly isLength: boolean;
  private readonly random: Random;
  private readonly refiner: PathRefiner;
  private cost = Infinity;
  private rounds = 0;
  private roundLimit = Infinity;
  private roundIterations = 0;
  /** Bursts and attempts left for the path that is drawn tight. */
  private bursts = 0;
  private attempts = 0;
  private burstCost = Infinity;

  constructor(
    private readonly call: string,
    given: AnytimeRequest,
    watch: StopWatch,
  ) {
    super(given, watch);
    const { space, problem } = this;
    const { checker, motion } = problem;
    const isLinked = !motion && !checker.motion && checker.kernel !== undefined && space.coordinates !== undefined;
    this.slice = isLinked ? LINKED_SLICE : 1;
    this.isLength = problem.objective === undefined;
    this.objective = problem.objective ?? createLengthObjective(space);
    this.random = createRandom(((problem.seed ?? 1) + SEED_STEP) >>> 0);
    this.refiner = new PathRefiner(space, this.objective, this.isFree, this.random);
    if (!this.done) this.beginRound();
  }

  override step(iterations: number): boolean {
    for (let left = iterations; left > 0 && !this.done && !this.watch.wasOver; ) {
      if (this.iterations >= this.maxIterations) this.giveUp();
      else {
        const before = this.iterations;
        this.advance(Math.min(left, this.maxIterations - this.iterations));
        left -= Math.max(1, this.iterations - before);
      }
    }
    return this.done;
  }

  override get progress() {
    const own = super.progress;
    if (!this.inner) return own;
    const { startNodes, goalNodes } = this.inner.progress;
    return { ...own, startNodes, goalNodes };
  }

  override dispose(): void {
    this.inner?.dispose();
  }

  override keep(): this {
    this.inner?.keep();
    return this;
  }

  protected get nodes(): number {
    return this.inner?.progress.startNodes ?? 0;
  }

  protected override get checkCount(): number {
    return this.checks.count + this.doneChecks + (this.inner?.progress.checks ?? 0);
  }

  protected iterate(): void {
    this.advance(1);
  }

  protected partialPath(): Float64Array[] {
    return this.path.length > 0 ? this.path : [...(this.inner?.result().path ?? [])];
  }

  private advance(most: number): void {
    if (this.bursts > 0) this.draw(Math.min(most, this.attempts));
    else this.search(Math.min(most, this.roundLimit - this.roundIterations));
  }

  // Searches.

  private beginRound(): void {
    const { problem, goals, cost, isLength } = this;
    if (this.isBest() || this.rounds >= (problem.rounds ?? DEFAULT_ROUNDS)) {
      this.finish('solved', `the best of ${this.rounds} rounds`, this.path);
      return;
    }
    const { rounds: _, objective: __, onImprovement: ___, goalRegion, ...plain } = problem;
    const isFirst = this.rounds === 0;
    const bound = isLength ? cost : Infinity;
    this.rounds++;
    this.roundIterations = 0;
    this.addGoal();
    const reachable = goals.filter((goal) => this.space.distance(problem.start, goal) < bound);
    const { space } = this;
    const informed =
      bound < Infinity && space.euclideanScale ? createInformedSampler(space, problem.start, reachable) : null;
    // A path that is drawn tight afterwards may be found longer than the best: other ways round things begin like that.
    if (informed) informed.bound = bound * SLACK[this.rounds % SLACK.length];
    const round = {
      ...{ ...plain, goals: reachable, seed: ((problem.seed ?? 1) + Math.imul(this.rounds - 1, ROUND_STEP)) >>> 0 },
      ...{
        space: informed ? space : narrowSpace(space, problem.start, reachable, bound),
        sampler: informed ?? undefined,
        allowPartial: problem.allowPartial && isFirst,
      },
      // Later paths are checked when they are better.
      ...(!isFirst && { verifyResolution: Infinity }),
      // The first round takes goals as they come.
      ...(isFirst && { goalRegion }),
    };
    this.inner = createRrtConnectSearch(this.call, round, this.watch).keep();
    if (this.inner.done) this.takeRound(this.inner);
  }

  private search(iterations: number): void {
    const { inner } = this;
    if (!inner) return;
    const before = inner.progress.iterations;
    inner.step(iterations);
    const spent = Math.max(1, inner.progress.iterations - before);
    this.iterations += spent;
    this.roundIterations += spent;
    if (inner.done) this.takeRound(inner);
    else if (this.roundIterations >= this.roundLimit) this.endRound();
  }

  private takeRound(inner: RrtConnectSearch): void {
    const { status, reason, path } = inner.result();
    const isFirst = this.rounds === 1;
    if (status !== 'solved') {
      if (isFirst) this.finish(status, reason, [...path]);
      else this.endRound();
      return;
    }
    if (isFirst) {
      this.roundLimit = ROUND_ITERATIONS + ROUND_SHARE * this.roundIterations;
      this.take([...path]);
    } else this.offer(path);
    const { space, checker, motion, resolution } = this.problem;
    const limits = this.watch.isNeverOver ? {} : { shouldStop: this.watch.isOver };
    const request = { space, checker, motion, resolution, path, verifyResolution: Infinity };
    const short = path.length > 2 ? simplifyPath({ ...request, ...limits }) : null;
    this.doneChecks += short?.checks ?? 0;
    if (this.watch.wasOver) return;
    this.tighten(short?.path ?? path, MOST_BURSTS);
  }

  private endRound(): void {
    const { inner } = this;
    if (inner) {
      this.doneChecks += inner.progress.checks;
      inner.dispose();
      this.inner = null;
    }
    if (this.rounds % BEST_INTERVAL === 0 && this.path.length > 2 && this.bursts === 0) this.tighten(this.path, 1);
    else this.beginRound();
  }

  // Bursts.

  private tighten(path: readonly Float64Array[], bursts: number): void {
    this.refiner.open(path);
    this.offer(path);
    this.bursts = bursts;
    this.nextBurst();
  }

  private nextBurst(): void {
    const { refiner } = this;
    this.attempts = BURST;
    this.burstCost = refiner.cost;
    if (this.bursts > 0 && refiner.path.length > 2 && this.burstCost < PROMISING * this.cost) return;
    this.bursts = 0;
    if (this.inner) this.endRound();
    else this.beginRound();
  }

  private draw(attempts: number): void {
    const { refiner } = this;
    for (let i = 0; i < attempts && !this.watch.wasOver; i++) {
      this.iterations++;
      this.attempts--;
      refiner.attempt();
    }
    if (this.watch.wasOver || this.attempts > 0) return;
    const { cost } = refiner;
    const gained = this.burstCost - cost;
    this.offer(refiner.path);
    this.bursts = cost - this.cost > gained / LEAST_PROGRESS ? 0 : this.bursts - 1;
    this.nextBurst();
  }

  // What is found.

  /** Takes a path whose motions are free while growing, if it is better and passes the last check. */
  private offer(path: readonly Float64Array[]): void {
    const cost = pathCost(this.space, this.objective, path);
    if (!(cost < this.cost)) return;
    const { last } = this;
    if (last && !path.every((state, i) => i === 0 || last.isMotionValid(path[i - 1], state))) return;
    if (this.watch.wasOver) return;
    this.take(path, cost);
  }

  private take(path: readonly Float64Array[], cost = pathCost(this.space, this.objective, path)): void {
    this.path = this.withoutRepeats(path.map((state) => state.slice()));
    this.cost = cost;
    this.problem.onImprovement?.({ cost, iterations: this.iterations });
  }

  /** Nothing can be shorter. */
  private isBest(): boolean {
    if (!this.isLength || this.stream || this.path.length === 0) return false;
    const { start } = this.problem;
    return this.goals.every((goal) => this.cost <= this.space.distance(start, goal) * (1 + OPTIMAL));
  }

  private addGoal(): void {
    if (!this.stream || this.rounds < 2 || this.goals.length >= DRAW_INTERVAL) return;
    const goal = this.stream.next();
    if (goal) this.goals.push(goal);
  }
}
