/**
 * What anytime planners have in common that begin with RRT-Connect's path: it is searched for, shortened, and made better from then on.
 *
 * An iteration is one of RRT-Connect until there is a path, then one call of `improve`. Where the straight line from the start is the
 * answer and nothing else could be better, it ends at once.
 */
import { createLengthObjective, type Objective, pathCost } from '../objective.js';
import type { PlanningProblem } from '../problem.js';
import { simplifyPath } from '../simplify.js';
import type { StopWatch } from '../stopping.js';
import type { Improvement } from './anytime-rrt-connect.js';
import { GraphSearch } from './graph-search.js';
import { createRrtConnectSearch, type RrtConnectSearch } from './rrt-connect.js';

/** What is left of a request for the first search. */
interface Improving extends PlanningProblem {
  readonly objective?: Objective;
  readonly range?: number;
  readonly onImprovement?: (improvement: Improvement) => void;
}

export abstract class FirstPathSearch<P extends Improving> extends GraphSearch<P> {
  protected readonly objective: Objective;
  /** Cost of the best path. */
  protected cost = Infinity;
  private first: RrtConnectSearch | null = null;
  private firstChecks = 0;

  constructor(
    private readonly call: string,
    given: P,
    watch: StopWatch,
  ) {
    super(given, watch);
    this.objective = this.problem.objective ?? createLengthObjective(this.space);
  }

  override get progress() {
    const own = super.progress;
    if (this.path.length > 0 || !this.first) return own;
    const { startNodes, goalNodes } = this.first.progress;
    return { ...own, startNodes, goalNodes };
  }

  override dispose(): void {
    this.first?.dispose();
  }

  override keep(): this {
    this.first?.keep();
    return this;
  }

  protected override get checkCount(): number {
    return this.checks.count + this.firstChecks + (this.first?.progress.checks ?? 0);
  }

  /** To be called once by constructors, when their own fields stand. */
  protected begin(): void {
    if (this.done) return;
    const { space, checker, start, seed, maxIterations, resolution, verifyResolution, motion, allowPartial, range } =
      this.problem;
    const request = { space, checker, start, seed, maxIterations, resolution, verifyResolution, motion, allowPartial };
    // The ends have been judged.
    this.first = createRrtConnectSearch(this.call, { ...request, range, goals: this.goals }, this.watch);
    if (this.first.done) this.takeFirst(this.first);
  }

  protected iterate(): void {
    const { first } = this;
    if (this.path.length > 0) {
      this.improve();
      return;
    }
    first?.step(1);
    if (first?.done) this.takeFirst(first);
  }

  protected partialPath(): Float64Array[] {
    return this.path.length > 0 ? this.path : [...(this.first?.result().path ?? [])];
  }

  /** One iteration after the first path. */
  protected abstract improve(): void;

  /** A path that is known to be free has become the best. */
  protected abstract takePath(path: readonly Float64Array[]): void;

  /** Keeps a path that is known to be free, if it is better. */
  protected offer(path: readonly Float64Array[]): boolean {
    const cost = pathCost(this.space, this.objective, path);
    if (!(cost < this.cost)) return false;
    this.path = this.withoutRepeats([...path]);
    this.cost = cost;
    this.problem.onImprovement?.({ cost, iterations: this.iterations });
    this.takePath(this.path);
    return true;
  }

  private takeFirst(first: RrtConnectSearch): void {
    const { status, reason, path } = first.result();
    first.dispose();
    if (status !== 'solved') {
      this.finish(status, reason, [...path]);
      return;
    }
    const isShortest =
      path.length === 2 && this.problem.objective === undefined && this.goals.length === 1 && !this.stream;
    if (isShortest || path.length < 2) {
      this.finish('solved', reason, [...path]);
      return;
    }
    this.offer(path);
    const { space, checker, motion, resolution, verifyResolution } = this.problem;
    const limits = this.watch.isNeverOver ? {} : { shouldStop: this.watch.isOver };
    const short = simplifyPath({ space, checker, motion, resolution, verifyResolution, path, ...limits });
    this.firstChecks += short.checks;
    if (short.verified || (verifyResolution === Infinity && !short.stopped)) this.offer(short.path);
  }
}
