/**
 * Plans as fast as spheres allow and returns what is true of the exact shapes: the steps that `planGroup` makes with a planner.
 *
 * Method: 1. the planner's trees grow by samples of motions, spheres first (scene/spheres/sphere-samples.ts); 2. the path is shortened likewise,
 * by fitted spheres nearly alone;
 * 3. every motion of it is judged: as a whole with the exact shapes (`certified`), or at samples with them (`sampled`); 4. one that
 * fails is repaired: RRT-Connect goes round it with motions judged like that, and where it does not within REPAIR_ITERATIONS, the planner
 * begins anew with them. Nothing is returned that was not judged.
 * Where spheres tell nothing (joints of several numbers) the trees grow by judged motions.
 * Ends: the planner's statuses; `timeout` where time is up before the path was judged. Tested by plan-group.test.ts and
 * test/oracle/planning-exact.test.ts.
 */
import type { GoalRegion } from '../planning/goal-region.js';
import { createSampledMotion } from '../planning/motion.js';
import { pathLength } from '../planning/path.js';
import { type PathPlan, planPath } from '../planning/plan-path.js';
import { experience } from '../planning/planners/experience.js';
import type { MovingValidator } from '../planning/planners/prm.js';
import { simplifyPath } from '../planning/simplify.js';
import {
  joinAssumptions,
  type MotionValidator,
  type PlanResult,
  type StateSpace,
  type ValidityChecker,
} from '../planning/types.js';
import type { SphereChecker } from '../scene/spheres/sphere-checker.js';

/** Exact verdicts of what stands and of what moves between queries, apart. */
export interface MotionLayers {
  /** Before every plan. */
  begin(): void;
  isValid(state: Float64Array): boolean;
  readonly still: MotionValidator;
  readonly moving: MovingValidator;
}

export interface ExactProblem {
  readonly space: StateSpace;
  readonly checker: SphereChecker;
  readonly start: Float64Array;
  readonly goals: readonly Float64Array[];
  readonly goalRegion?: GoalRegion;
  readonly planner: string | undefined;
  /** Of the planner. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly maxIterations: number | undefined;
  readonly edges: 'certified' | 'sampled';
  /** Exact motions of what stands and of what moves between queries, apart: what planners are given then needs no further check. */
  readonly layers?: MotionLayers;
  /** Between samples while trees grow, and of sampled motions. */
  readonly resolution: number;
}

export interface ExactPlan extends PlanResult {
  /** Every motion is free at every time, by the exact shapes. */
  readonly certified: boolean;
  readonly planner: string;
  /** Motions that were repaired. */
  readonly repairs: number;
}

/** What ends a plan from outside; the time that is left is asked for before every step. */
export interface ExactLimits {
  readonly clock?: () => number;
  /** By the clock; Infinity without. */
  readonly deadline: number;
}

/** Samples of one motion that exact shapes are asked for while a path is shortened by fitted spheres. */
const SHORTENING_ASKS = 1;
const REPAIR_ITERATIONS = 2000;
const REPAIR_PLANNER = 'rrt-connect';

/** What planners are given: motions by samples where spheres tell, else judged ones. */
export function toPlanRequest(problem: ExactProblem) {
  const { space, checker, start, goals, goalRegion, planner, seed, maxIterations, resolution } = problem;
  const { layers } = problem;
  const explain = (q: Float64Array): string => checker.explain(q);
  const isValid = (q: Float64Array): boolean => (layers ?? checker).isValid(q);
  // Trees beside a roadmap of earlier paths grow by spheres, which are told where everything stands when a tree grows first.
  const isRecalled = layers !== undefined && planner === experience.name && space.coordinates !== undefined;
  const kernel = layers ? undefined : checker.kernel;
  const isSphered = kernel !== undefined && space.coordinates !== undefined;
  const view: ValidityChecker = isRecalled
    ? {
        isValid,
        explain,
        get kernel() {
          return checker.kernel;
        },
      }
    : { isValid, explain, ...(isSphered && { kernel }) };
  const motion = isSphered || isRecalled ? undefined : (layers?.still ?? createJudge(problem));
  const request = { planner, space, checker: view, start, goals, goalRegion, seed, maxIterations, resolution };
  const moving = layers && { moving: layers.moving, ...(isRecalled && { still: layers.still }) };
  return {
    ...request,
    ...problem.settings,
    ...moving,
    verifyResolution: Number.POSITIVE_INFINITY,
    ...(motion && { motion }),
  };
}

/** What decides about the motions of a path that is returned. */
export function createJudge({ space, checker, edges, resolution }: ExactProblem): MotionValidator {
  return edges === 'certified' ? checker.motion : createSampledMotion(space, checker, resolution);
}

/** Judges a found path, shortened where that is wanted, and repairs it. */
export class PlanFinisher {
  /** Milliseconds by the clock. */
  simplifyMs = 0;
  private readonly judge: MotionValidator;
  private checks = 0;
  private repairs = 0;
  private isLate = false;

  constructor(
    private readonly problem: ExactProblem,
    private readonly limits: ExactLimits,
  ) {
    this.judge = createJudge(problem);
  }

  /** `isJudged`: every motion of it has passed what decides about returned ones. */
  finish(found: PathPlan, simplify: boolean, isJudged = false): ExactPlan {
    if (found.status !== 'solved') return this.describe(found, found.path);
    const { space } = this.problem;
    const begin = this.now();
    const path = simplify ? this.shorten(found.path) : found.path;
    this.simplifyMs = this.now() - begin;
    if (isJudged && !simplify) return this.describe(found, path);
    const judged = this.repair(path) ?? (this.isLate ? null : this.planAnew());
    if (this.isLate) {
      const reason = 'time was up before the path had passed the last check';
      return this.describe({ ...found, status: 'timeout', reason, length: 0 }, []);
    }
    if (judged === null) return this.describe(found, []);
    if ('status' in judged)
      return this.describe({ ...judged, iterations: found.iterations + judged.iterations }, judged.path);
    return this.describe({ ...found, length: pathLength(space, judged) }, judged);
  }

  private describe(found: PlanResult & { readonly planner: string }, path: readonly Float64Array[]): ExactPlan {
    const { checker, edges } = this.problem;
    const { checks, repairs } = this;
    const assumptions = joinAssumptions(found, checker, edges === 'certified' ? checker.motion : null);
    const certified = found.status === 'solved' && edges === 'certified';
    const { status, reason, length, iterations, planner } = found;
    const counts = { iterations, checks: found.checks + checks, repairs };
    return { status, reason, path, length, certified, planner, ...counts, ...assumptions };
  }

  private shorten(path: readonly Float64Array[]): readonly Float64Array[] {
    const { space, checker, motion, resolution, verifyResolution } = toPlanRequest({
      ...this.problem,
      layers: undefined,
    });
    const request = { space, checker, motion, resolution, verifyResolution, path };
    // What fitted spheres do not call free is nearly in contact: exact shapes shorten it little, and what they let through is repaired more often.
    const kernel = checker.kernel && this.problem.checker.hasModel ? this.problem.checker.kernel : undefined;
    kernel?.askAtMost(SHORTENING_ASKS);
    try {
      const short = simplifyPath({ ...request, shouldStop: this.shouldStop });
      this.checks += short.checks;
      return short.path;
    } finally {
      kernel?.askAtMost(Number.POSITIVE_INFINITY);
    }
  }

  /** The path with motions that pass; null where one cannot be got round. */
  private repair(path: readonly Float64Array[]): readonly Float64Array[] | null {
    const out: Float64Array[] = [path[0]];
    for (let i = 1; i < path.length; i++) {
      this.checks++;
      if (this.judge.isMotionValid(path[i - 1], path[i], this.shouldStop)) out.push(path[i]);
      else {
        if (this.shouldStop()) return null;
        const round = this.goRound(path[i - 1], path[i]);
        if (round === null) return null;
        out.push(...round.slice(1));
      }
    }
    return out;
  }

  private goRound(start: Float64Array, goal: Float64Array): readonly Float64Array[] | null {
    const { status, path, checks } = planPath({
      ...this.judgedRequest({ ...this.problem, settings: {}, layers: undefined }),
      planner: REPAIR_PLANNER,
      maxIterations: REPAIR_ITERATIONS,
      start,
      goals: [goal],
      goalRegion: undefined,
    });
    this.checks += checks;
    this.repairs++;
    return status === 'solved' ? path : null;
  }

  private planAnew(): PathPlan {
    this.repairs++;
    return planPath(this.judgedRequest(this.problem));
  }

  private judgedRequest(problem: ExactProblem) {
    const { kernel, ...checker } = toPlanRequest(problem).checker;
    return { ...toPlanRequest(problem), checker, motion: this.judge, shouldStop: this.shouldStop };
  }

  private now(): number {
    return this.limits.clock?.() ?? 0;
  }

  private readonly shouldStop = (): boolean => {
    if (!this.isLate && this.now() >= this.limits.deadline) this.isLate = true;
    return this.isLate;
  };
}
