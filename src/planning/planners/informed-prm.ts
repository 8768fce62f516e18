/**
 * Informed PRM: the first path of RRT-Connect, then shorter and shorter ones, towards the shortest.
 *
 * Method: 1. RRT-Connect runs until it has a path, which is shortened (`simplifyPath`); its states begin a roadmap; 2. states are drawn from
 * which a path through them can be shorter than the best (sampler.ts), and joined to their neighbours, no motion asked; 3. after each
 * batch the cheapest ways are sought that cost less than the best path, and the motions along them are asked, until none is left; what is
 * found is the best path then. Steps 2 and 3 are repeated `batches` times, or until time or iterations are out: at any time
 * `result` has the best path. With an `objective` its costs take the place of length.
 * With more and more states the cost tends to that of the best path (the roadmap's neighbours grow as the logarithm of their number).
 * Source: Gammell, Barfoot, Srinivasa 2020, "Batch Informed Trees (BIT*): informed asymptotically optimal anytime search",
 * doi:10.1177/0278364919890396, whose batches and lazy evaluation these are, on a roadmap that A* searches anew; the first path and the bound it
 * gives as in Wilson, Thomason, Kingston, Gammell 2025, "AORRTC: almost-surely asymptotically optimal planning with RRT-Connect",
 * doi:10.1109/LRA.2025.3615522; neighbours: Karaman, Frazzoli 2011, doi:10.1177/0278364911406761.
 * Cost: RRT-Connect's, then per batch some searches of the roadmap and the checks of the motions on ways that promise to be shorter.
 * Ends: as RRT-Connect until there is a path; then always `solved`.
 * Tested by test/contract/planners.test.ts and src/planning/roadmap.test.ts.
 */
import { createRandom, type Random } from '../../math/random.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import { type Objective, requireObjective } from '../objective.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { requireCount, requirePositive } from '../requests.js';
import { Roadmap } from '../roadmap.js';
import { createInformedSampler, type InformedSampler } from '../sampler.js';
import type { StopWatch } from '../stopping.js';
import { FirstPathSearch } from './first-path-search.js';

export interface InformedPrmSettings {
  /** Batches of states after the first path; default 8. Infinity: until iterations or time are out. */
  readonly batches?: number;
  /** States per batch; default 64. */
  readonly batchSize?: number;
  /** What is made small; default: length in the metric of the space. */
  readonly objective?: Objective;
  /** Longest extension of the first search; default 1. */
  readonly range?: number;
}

export interface InformedPrmRequest extends PlanningProblem, InformedPrmSettings {}

const DEFAULT_BATCHES = 8;
const DEFAULT_SIZE = 64;
const SEED_STEP = 0x51ed270b;
/** Ways that would gain less are not asked about, relatively. */
const LEAST_GAIN = 1e-6;

/** Its row in the registry. */
export const informedPrm: Planner = {
  name: 'informed-prm',
  about: "RRT-Connect's first path, made shorter and shorter towards the shortest there is",
  settings: ['batches', 'batchSize', 'objective', 'range'],
  isAnytime: true,
  create(call, request: InformedPrmRequest, watch) {
    requireProblem(call, request);
    const { batches, batchSize, objective, range } = request;
    requireCount(call, 'batches', batches);
    requireCount(call, 'batchSize', batchSize, 1);
    requireObjective(call, objective);
    requirePositive(call, 'range', range);
    return new InformedPrmSearch(call, request, watch);
  },
};

class InformedPrmSearch extends FirstPathSearch<InformedPrmRequest> {
  private readonly roadmap: Roadmap;
  private readonly random: Random;
  private readonly sample: Float64Array;
  private sampler: InformedSampler;
  private batches = 0;
  private drawn = 0;

  constructor(call: string, given: InformedPrmRequest, watch: StopWatch) {
    super(call, given, watch);
    const { space, problem } = this;
    this.roadmap = new Roadmap(space, this.objective);
    this.random = createRandom(((problem.seed ?? 1) + SEED_STEP) >>> 0);
    this.sample = new Float64Array(space.dimension);
    this.sampler = createInformedSampler(space, problem.start, this.goals);
    this.begin();
  }

  protected get nodes(): number {
    return this.roadmap.size;
  }

  protected improve(): void {
    const { problem, sample, roadmap } = this;
    if (this.stream && this.iterations % DRAW_INTERVAL === 0) this.addGoal();
    this.drawn++;
    if (this.sampler.draw(sample, this.random) && this.checks.checker.isValid(sample)) roadmap.add(sample.slice());
    if (this.drawn % (problem.batchSize ?? DEFAULT_SIZE) !== 0) return;
    this.searchRoadmap();
    if (this.watch.wasOver) return;
    this.batches++;
    if (this.batches >= (problem.batches ?? DEFAULT_BATCHES))
      this.finish(
        'solved',
        `the best of ${this.batches} batches of ${problem.batchSize ?? DEFAULT_SIZE} states`,
        this.path,
      );
  }

  protected takePath(path: readonly Float64Array[]): void {
    this.setBound();
    let previous = this.roadmap.add(path[0]);
    for (const state of path.slice(1)) previous = this.roadmap.addAfter(state, previous);
  }

  private setBound(): void {
    // What bounds the length of the paths of interest, where the cost is never less than that.
    this.sampler.bound = this.problem.objective === undefined ? this.cost : Infinity;
  }

  private addGoal(): void {
    const goal = this.stream?.next();
    if (!goal) return;
    this.goals.push(goal);
    this.sampler = createInformedSampler(this.space, this.problem.start, this.goals);
    this.setBound();
  }

  /** Asks about ways that promise to cost less than the best, until there are none. */
  private searchRoadmap(): void {
    const { roadmap, problem, watch } = this;
    roadmap.open(problem.start, this.goals);
    const isOver = (): boolean => watch.wasOver;
    const way = roadmap.findWay(this.isFreeFinely, this.cost * (1 - LEAST_GAIN), isOver);
    if (!way) return;
    this.path = this.withoutRepeats(way.path);
    this.cost = way.cost;
    this.setBound();
  }
}
