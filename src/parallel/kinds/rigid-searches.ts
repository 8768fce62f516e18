/**
 * Searches of one rigid-body problem with different seeds as a job: a unit is one search of one round.
 *
 * Each round gives every seed the same budget of queries, four times that of the round before, from the beginning: what all searches
 * have found is then known of each round whatever ran first. The round in which some search has a path ends the job; its answer is the
 * path that took the fewest queries, of equal ones that of the earlier seed. What is searched again costs a third of the whole at most.
 * Searches keep no state between rounds, so that any worker may have any of them.
 * Source of the rounds: Luby, Sinclair, Zuckerman 1993, doi:10.1016/0020-0190(93)90029-9, for searches side by side.
 * Tested by test/contract/jobs.test.ts, against the searches one by one.
 */
import {
  requireCount,
  requireIndex,
  requireList,
  requireObject,
  requireSeed,
  throwMisuse,
} from '../../math/arguments.js';
import { type RigidProblem, requireRigidProblem } from '../../rigid/problem.js';
import { createRigidSearch, type RigidPlan } from '../../rigid/rigid-search.js';
import type { JobKind, JobPerformer, JobPlan } from './job-kind.js';

export interface RigidSearchesInput {
  readonly problem: RigidProblem;
  readonly seeds: readonly number[];
  /** Queries of a search of the first round, and of the last one at most. */
  readonly firstQueries: number;
  readonly maxQueries: number;
}

interface RigidSearchTask {
  readonly seed: number;
  readonly maxQueries: number;
}

interface RigidSearchesState {
  readonly round: number;
  readonly plans: readonly (RigidPlan | null)[];
}

export interface RigidSearchesOutput {
  /** Place of the search among the seeds whose plan it is. */
  readonly search: number;
  readonly plan: RigidPlan;
}

const GROWTH = 4;

function listBudgets({ firstQueries, maxQueries }: RigidSearchesInput): number[] {
  const budgets = [Math.min(firstQueries, maxQueries)];
  while (budgets[budgets.length - 1] < maxQueries)
    budgets.push(Math.min(maxQueries, GROWTH * budgets[budgets.length - 1]));
  return budgets;
}

class RigidSearchesPlan implements JobPlan<RigidSearchTask, RigidPlan, RigidSearchesOutput> {
  private readonly budgets: readonly number[];
  private round = 0;
  private plans: (RigidPlan | null)[];
  private isTaken: boolean[];
  private isOver = false;

  constructor(
    private readonly input: RigidSearchesInput,
    state: unknown,
  ) {
    this.budgets = listBudgets(input);
    this.plans = new Array(input.seeds.length).fill(null);
    this.isTaken = new Array(input.seeds.length).fill(false);
    if (state !== null) this.restore(state);
    this.endRound();
  }

  get total(): number {
    return this.plans.length * this.budgets.length;
  }

  get done(): number {
    if (this.isOver) return this.total;
    return this.round * this.plans.length + this.plans.reduce((sum, plan) => sum + (plan ? 1 : 0), 0);
  }

  get width(): number {
    return this.isOver ? 0 : this.plans.reduce((sum, _, i) => sum + (this.isOpen(i) ? 1 : 0), 0);
  }

  take(): RigidSearchTask | null {
    if (this.isOver) return null;
    const next = this.plans.findIndex((_, i) => this.isOpen(i));
    if (next < 0) return null;
    this.isTaken[next] = true;
    return { seed: this.input.seeds[next], maxQueries: this.budgets[this.round] };
  }

  unitsOf(): number {
    return 1;
  }

  merge({ seed }: RigidSearchTask, plan: RigidPlan): void {
    const i = this.input.seeds.indexOf(seed);
    this.plans[i] = plan;
    this.isTaken[i] = false;
    this.endRound();
  }

  save(): RigidSearchesState {
    return { round: this.round, plans: [...this.plans] };
  }

  output(): RigidSearchesOutput {
    const plans = this.plans as RigidPlan[];
    let search = 0;
    plans.forEach((plan, i) => {
      const [now, best] = [plan, plans[search]];
      const isSolved = now.status === 'solved';
      if (isSolved && (best.status !== 'solved' || now.searchQueries < best.searchQueries)) search = i;
    });
    return { search, plan: plans[search] };
  }

  describe({ seed }: RigidSearchTask): string {
    return `searched with seed ${seed}`;
  }

  nameOf({ seed }: RigidSearchTask) {
    return { name: `seed ${seed}`, index: this.input.seeds.indexOf(seed) };
  }

  private isOpen(i: number): boolean {
    return this.plans[i] === null && !this.isTaken[i];
  }

  /** Once all of a round are in: the next one, unless one has a path, or nothing can have one. */
  private endRound(): void {
    if (this.plans.some((plan) => plan === null)) return;
    const goesOn = this.plans.every((plan) => plan?.status === 'limit') && this.round + 1 < this.budgets.length;
    if (!goesOn) {
      this.isOver = true;
      return;
    }
    this.round++;
    this.plans = this.plans.map(() => null);
  }

  private restore(given: unknown): void {
    requireObject('resumeJob', 'checkpoint.state', given);
    const { round, plans } = given as RigidSearchesState;
    requireIndex('resumeJob', 'checkpoint.state.round', round, this.budgets.length);
    requireList('resumeJob', 'checkpoint.state.plans', plans);
    if (plans.length !== this.plans.length)
      throwMisuse('resumeJob', 'checkpoint.state.plans', plans, `one for each of ${this.plans.length} seeds`);
    plans.forEach((plan, i) => {
      if (plan !== null) requireObject('resumeJob', `checkpoint.state.plans[${i}]`, plan);
    });
    this.round = round;
    this.plans = [...plans];
  }
}

class RigidSearchPerformer implements JobPerformer<RigidSearchTask, RigidPlan> {
  constructor(private readonly problem: RigidProblem) {}

  perform({ seed, maxQueries }: RigidSearchTask): RigidPlan {
    const search = createRigidSearch(this.problem, { seed, maxQueries });
    try {
      while (!search.step(maxQueries));
      return search.result();
    } finally {
      search.dispose();
    }
  }

  dispose(): void {}
}

export const rigidSearches: JobKind<RigidSearchesInput, RigidProblem, RigidSearchTask, RigidPlan, RigidSearchesOutput> =
  {
    name: 'rigid-searches',
    version: 1,
    requireInput: (call, what, input) => {
      requireObject(call, what, input);
      const { problem, seeds, firstQueries, maxQueries } = input as RigidSearchesInput;
      requireRigidProblem(call, problem);
      requireList(call, `${what}.seeds`, seeds);
      seeds.forEach((seed) => {
        requireSeed(call, seed);
      });
      if (seeds.length === 0 || new Set(seeds).size !== seeds.length)
        throwMisuse(call, `${what}.seeds`, seeds, 'different seeds, one or more');
      requireCount(call, `${what}.firstQueries`, firstQueries, 1);
      requireCount(call, `${what}.maxQueries`, maxQueries, 1);
    },
    share: ({ problem }) => problem,
    prepare: (problem) => new RigidSearchPerformer(problem),
    plan: (input, _seed, state) => new RigidSearchesPlan(input, state),
  };
