/**
 * What searches over graphs of states share: the problem as it was admitted, its ends, what decides about motions, how they end.
 *
 * An iteration is one call of `iterate`; a search says `finish` when it is done. Limits from outside are looked at between iterations and in
 * every check.
 */
import type { GoalStream } from '../goal-region.js';
import { pathLength } from '../path.js';
import { admitProblem, DEFAULT_ITERATIONS, DEFAULT_RESOLUTION, judgeEnds, type PlanningProblem } from '../problem.js';
import type { PlanProgress, Search } from '../search.js';
import { type StopWatch, WatchedChecks } from '../stopping.js';
import {
  joinAssumptions,
  type KernelChecks,
  type MotionValidator,
  type PlanResult,
  type PlanStatus,
  type StateSpace,
} from '../types.js';

export abstract class GraphSearch<P extends PlanningProblem> implements Search {
  readonly slice: number = 1;
  done = false;
  iterations = 0;
  protected readonly problem: P;
  protected readonly space: StateSpace;
  protected readonly checks: WatchedChecks;
  /** The valid ones. */
  protected readonly goals: Float64Array[];
  protected readonly stream: GoalStream | null;
  protected readonly maxIterations: number;
  /** The best path so far. */
  protected path: Float64Array[] = [];
  private status: PlanStatus = 'timeout';
  private reason = '';
  private readonly assumed: readonly string[];
  private motions: ReturnType<typeof createMotions> | null = null;

  constructor(
    given: P,
    protected readonly watch: StopWatch,
  ) {
    const { problem, assumed } = admitProblem(given);
    this.problem = problem;
    this.space = problem.space;
    this.assumed = assumed;
    this.maxIterations = problem.maxIterations ?? DEFAULT_ITERATIONS;
    this.checks = new WatchedChecks(problem.checker, watch);
    const ends = judgeEnds(problem, (q) => {
      this.checks.count++;
      return problem.checker.isValid(q);
    });
    this.goals = [...ends.goals];
    this.stream = ends.stream;
    if (ends.status !== 'ready') this.finish(ends.status, ends.reason);
  }

  /** While growing; what it needs is made when it is asked first. */
  protected get grow(): MotionValidator {
    this.motions ??= createMotions(this.problem, this.checks);
    return this.motions.grow;
  }

  /** Of what is returned. */
  protected get last(): MotionValidator | null {
    this.motions ??= createMotions(this.problem, this.checks);
    return this.motions.last;
  }

  get progress(): PlanProgress {
    const best = this.path.length > 0 ? pathLength(this.space, this.path) : Infinity;
    const counts = { startNodes: this.nodes, goalNodes: this.goals.length };
    return { iterations: this.iterations, checks: this.checkCount, ...counts, best };
  }

  step(iterations: number): boolean {
    for (let i = 0; i < iterations && !this.done && !this.watch.wasOver; i++) {
      if (this.iterations >= this.maxIterations) this.giveUp();
      else {
        this.iterations++;
        this.iterate();
      }
    }
    return this.done;
  }

  result(): PlanResult {
    let { status, reason, path } = this;
    if (!this.done && path.length > 0) {
      status = 'solved';
      reason = `the best within ${this.iterations} iterations`;
    } else if (!this.done) {
      reason = `stopped after ${this.iterations} iterations without a path`;
      if (this.problem.allowPartial) path = this.partialPath();
    }
    const { checker, motion } = this.problem;
    const length = pathLength(this.space, path);
    const counts = { iterations: this.iterations, checks: this.checkCount };
    return { status, reason, path, length, ...counts, ...joinAssumptions(checker, motion, { assumed: this.assumed }) };
  }

  dispose(): void {}

  keep(): this {
    return this;
  }

  /** States of the graph. */
  protected abstract get nodes(): number;
  protected abstract iterate(): void;
  /** From the start to where a goal was nearest. */
  protected abstract partialPath(): Float64Array[];

  protected get checkCount(): number {
    return this.checks.count;
  }

  /** The goal that a straight line from the start reaches, null for none. */
  protected tryStraight(): Float64Array | null {
    const { start } = this.problem;
    for (const goal of this.goals) if (this.isFreeFinely(start, goal)) return goal;
    return null;
  }

  protected readonly isFree = (a: Float64Array, b: Float64Array): boolean => this.grow.isMotionValid(a, b);

  /** Passes the check of growing and the last. */
  protected readonly isFreeFinely = (a: Float64Array, b: Float64Array): boolean =>
    this.grow.isMotionValid(a, b) && (this.last?.isMotionValid(a, b) ?? true);

  protected finish(status: PlanStatus, reason: string, path: Float64Array[] = []): void {
    this.done = true;
    this.status = status;
    this.reason = reason;
    this.path = this.withoutRepeats(path);
  }

  /** Ends of a query may lie on states of the roadmap. */
  protected withoutRepeats(path: Float64Array[]): Float64Array[] {
    return path.filter((state, i) => i === 0 || state.some((x, k) => x !== path[i - 1][k]));
  }

  /** The iterations ran out. */
  protected giveUp(): void {
    if (this.path.length > 0) {
      this.finish('solved', `the best within ${this.iterations} iterations`, this.path);
      return;
    }
    const reason = `no path within ${this.maxIterations} iterations, which does not prove that there is none`;
    const path = this.problem.allowPartial ? this.partialPath() : [];
    if (path.length > 1) this.finish('approximate', `${reason}; the path ends where a goal was nearest`, path);
    else this.finish('limit', reason);
  }
}

/** What decides about motions while growing, and about what is returned. */
function createMotions(
  { space, checker, motion, resolution = DEFAULT_RESOLUTION, verifyResolution }: PlanningProblem,
  checks: WatchedChecks,
): { grow: MotionValidator; last: MotionValidator | null } {
  const whole = motion ?? checker.motion;
  const fine = verifyResolution ?? resolution / 4;
  const { kernel } = checker;
  if (!whole && space.coordinates && kernel?.room !== undefined) {
    const linked = kernel as KernelChecks & { readonly room: number };
    const last = fine === Infinity ? null : checks.linked(space, linked, fine, true);
    return { grow: checks.linked(space, linked, resolution, false), last };
  }
  const grow = whole ? checks.whole(whole, space) : checks.sampled(space, resolution);
  if (whole?.isExact) return { grow, last: null };
  if (checker.motion) return { grow, last: checks.whole(checker.motion, space) };
  return { grow, last: fine === Infinity ? null : checks.sampled(space, fine) };
}
