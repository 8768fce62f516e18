/**
 * Ways along a roadmap of earlier paths; where it has none, RRT-Connect, whose path it keeps. For many queries, also where obstacles move between them.
 *
 * Method: 1. a way is sought along the roadmap, whose motions are known to be free; motions from ends that are no states of it, and what moves
 * between queries, are asked about only where a way needs them (roadmap.ts); 2. states that can be left out are, and such shortcuts are remembered; 3. where
 * there is no way, RRT-Connect looks for one, whose states come into the roadmap with motions to their neighbours. So every query is answered that
 * RRT-Connect answers, and those like earlier ones at the cost of a search in a small graph.
 * Source: Berenson, Abbeel, Goldberg 2012, "A robot path planning framework that learns from experience", doi:10.1109/ICRA.2012.6224742 (a planner
 * beside what is remembered); Coleman, Sucan, Moll, Okada, Correll 2015, "Experience-based planning with sparse roadmap spanners",
 * doi:10.1109/ICRA.2015.7139284 (paths in one graph).
 * Cost: a way: one A* search per motion that turned out blocked; else RRT-Connect's, and as many motion checks as states have neighbours.
 * Ends: as RRT-Connect. Tested by test/contract/planners.test.ts, roadmap.test.ts and test/contract/moving-roadmap.test.ts.
 */
import { requireFlag, requireFunction, requireInstance, throwMisuse } from '../../math/arguments.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { type EdgeQuestions, Roadmap } from '../roadmap.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator } from '../types.js';
import { GraphSearch } from './graph-search.js';
import type { MovingValidator } from './prm.js';
import { createRrtConnectSearch, type RrtConnectSearch } from './rrt-connect.js';

export interface ExperienceSettings {
  /** Goes on with this one, of the same space; default: an empty one. */
  readonly roadmap?: Roadmap;
  /**
   * What moves between queries: a way is free where this says so too. After a move `forgetMoved` of the roadmap keeps what is known of everything
   * else.
   */
  readonly moving?: MovingValidator;
  /** Decides about motions of the roadmap and everything that stands; default: as for the other motions. */
  readonly still?: MotionValidator;
  /** Whether a path that RRT-Connect finds comes into the roadmap; default true. */
  readonly remember?: boolean;
  /** Told of a path that is a way of the roadmap. */
  readonly onRecall?: () => void;
  /** Of RRT-Connect. */
  readonly range?: number;
}

export interface ExperienceRequest extends PlanningProblem, ExperienceSettings {}

/** Its row in the registry. */
export const experience: Planner = {
  name: 'experience',
  about: 'a roadmap of earlier paths, and RRT-Connect where it has no way: for many queries, also where obstacles move',
  settings: ['roadmap', 'moving', 'still', 'remember', 'onRecall', 'range'],
  isAnytime: false,
  create: (call, request: ExperienceRequest, watch) => {
    requireProblem(call, request);
    const { roadmap, moving, still, remember, onRecall } = request;
    if (remember !== undefined) requireFlag(call, 'remember', remember);
    if (onRecall !== undefined) requireFunction(call, 'onRecall', onRecall);
    for (const [name, validator] of [
      ['moving', moving],
      ['still', still],
    ] as const)
      if (validator !== undefined && typeof validator?.isMotionValid !== 'function')
        throwMisuse(call, name, validator, 'an object with isMotionValid(a, b)');
    if (roadmap !== undefined)
      requireInstance(call, 'roadmap', roadmap, Roadmap, 'what createRoadmap or loadRoadmap returned');
    return new ExperienceSearch(call, request, watch);
  },
};

class ExperienceSearch extends GraphSearch<ExperienceRequest> {
  private readonly roadmap: Roadmap;
  private readonly trees: RrtConnectSearch | null = null;

  constructor(call: string, given: ExperienceRequest, watch: StopWatch) {
    super(given, watch);
    this.roadmap = this.problem.roadmap ?? new Roadmap(this.space);
    if (this.done) return;
    if (this.roadmap.size > 0) this.recall();
    if (this.done) return;
    const { space, checker, start, seed, maxIterations, resolution, verifyResolution, motion, allowPartial } =
      this.problem;
    const { goalRegion, range } = this.problem;
    const request = { space, checker, start, seed, maxIterations, resolution, verifyResolution, motion, allowPartial };
    this.trees = createRrtConnectSearch(call, { ...request, range, goalRegion, goals: this.goals }, watch);
    if (this.trees.done) this.take();
  }

  override get progress() {
    const own = super.progress;
    if (this.path.length > 0 || !this.trees) return own;
    const { startNodes, goalNodes } = this.trees.progress;
    return { ...own, startNodes, goalNodes };
  }

  override dispose(): void {
    this.trees?.dispose();
  }

  override keep(): this {
    this.trees?.keep();
    return this;
  }

  protected get nodes(): number {
    return this.roadmap.size;
  }

  protected override get checkCount(): number {
    return this.checks.count + (this.trees?.progress.checks ?? 0);
  }

  protected iterate(): void {
    this.trees?.step(1);
    if (this.trees?.done) this.take();
  }

  protected partialPath(): Float64Array[] {
    return [...(this.trees?.result().path ?? [])];
  }

  private recall(): void {
    const { roadmap, problem } = this;
    const { moving, still, onRecall } = problem;
    const isOver = (): boolean => this.watch.wasOver;
    const isFree = (a: Float64Array, b: Float64Array): boolean =>
      still
        ? still.isMotionValid(a, b, this.watch.isNeverOver ? undefined : this.watch.isOver)
        : this.isFreeFinely(a, b);
    const leaves = moving?.isStateValid && ((q: Float64Array): boolean => moving.isStateValid!(q));
    const questions: EdgeQuestions = { isFree, moving: moving && this.askMoving, leaves };
    roadmap.open(problem.start, this.goals);
    const way = roadmap.findWay(questions, Infinity, isOver);
    if (!way || isOver()) return;
    const short = roadmap.shortenWay(way, questions);
    if (isOver()) return;
    onRecall?.();
    this.finish('solved', `a way along ${short.path.length - 1} motions of the roadmap`, short.path);
  }

  private take(): void {
    const { status, reason, path } = this.trees!.result();
    const { remember = true } = this.problem;
    if (status === 'solved' && remember) this.roadmap.addPath(path, this.isFreeFinely);
    this.finish(status, reason, [...path]);
  }

  private readonly askMoving = (a: Float64Array, b: Float64Array, edge: number): boolean => {
    const moving = this.problem.moving!;
    return edge >= 0 && moving.isEdgeValid ? moving.isEdgeValid(a, b, edge) : moving.isMotionValid(a, b);
  };
}
