/**
 * Planning that follows the hand, from one place to the next: one robot among obstacles that move, its path kept where it is still free,
 * repaired where it is not, searched anew where that fails. Runs in a worker; nothing here knows of messages.
 *
 * Method: `answer` is quick: the path of before with the new ends is proven again, motion by motion, by spheres around the links
 * (exactly where they cannot tell and time allows); a broken part is planned anew between the free states beside it, in the kernel
 * linked with the compiled spheres; what comes out is shortened and proven. `settle` takes its time, in slices: a search with the scene's
 * own verdicts where spheres found nothing, or by the planner that was asked for, a shorter path where other seeds find one, and the
 * certificate with the exact shapes.
 * A path is called proven only by `certifyMotion` of the spheres, or by `certifyPath`. Tested by plan-session.test.ts.
 */

import type { ValidityChecker } from 'clearance/planning';
import {
  createCompiledChecker,
  createConfigurationSpace,
  createPlanSearch,
  createRoadmap,
  planPath,
  simplifyPath,
} from 'clearance/planning';
import {
  certifyPath,
  createSphereChecker,
  findMotionBounds,
  type SceneRobot,
  type SceneSphereChecks,
} from 'clearance/scene';
import { explainLeg, type HeldEnds, roadmapLines, searchHolding } from './leg-extras.js';
import { lengthOf, type Task, takeTier, widen } from './leg-task.js';
import type { PlanAnswer, PlanEnds, PlanSettings } from './plan-answer.js';
import type { PlanRobot } from './plan-robot.js';

export type PlanProgress = { readonly iterations: number };

type Path = readonly Float64Array[];

/** Of the search in the kernel while something is dragged. */
const QUICK_ITERATIONS = 4000;
/** Of what is compiled: groups, and places of what does not vary. */
const MOST_TASKS = 4;
export const DEFAULTS: PlanSettings = {
  ...{ planner: 'auto', seed: 1, iterations: 50_000, seconds: 60 },
  ...{ hold: 'none', tool: null, explain: false, roadmap: false },
};
/** Planners that a roadmap can be given to. */
const ALONG_ROADMAPS = ['prm', 'lazy-prm', 'bridge-prm', 'experience'];
const RESOLUTION = 1 / 32;
/** Whether a motion is proven is all that is asked: a millimetre's gap and no contact, where finding one takes longer than the rest. */
const PROOF = { locate: false, tolerance: 1e-3 };
/** Exact motions that a kept path may cost while something is dragged. Milliseconds. */
const QUICK_MILLISECONDS = 3;
const SLICE_MILLISECONDS = 8;
/** Other seeds that are tried once nothing moves, and how much shorter a path has to be to take another's place. */
const SEEDS = 8;
const WORTH = 0.93;
const SHORTER = 0.999;

interface Found {
  readonly path: Path;
  readonly how: PlanAnswer['how'];
  readonly proof: PlanAnswer['proof'];
}

export interface LegEnds extends Omit<PlanEnds, 'via'> {
  /** All places of the way: a base without limits goes as far as they ask for. */
  readonly around: readonly Float64Array[];
}

export class PlanLeg {
  private readonly robot: SceneRobot;
  private task: Task | null = null;
  private ends: LegEnds | null = null;
  private group: string | null = null;
  private settings: PlanSettings = DEFAULTS;
  /** States of the task, ends included. */
  private found: Found | null = null;
  /** An end itself is not free. */
  private isHopeless = false;
  private checks = 0;
  private begun = 0;

  constructor(
    private readonly shared: PlanRobot,
    private readonly clock: () => number,
  ) {
    this.robot = shared.scene;
  }

  /** `anew`: the path of before is forgotten. */
  ask(ends: LegEnds, group: string | null, settings: PlanSettings, anew: boolean): void {
    const { planner, seed, hold, tool, roadmap } = this.settings;
    const isSame = seed === settings.seed && planner === settings.planner && roadmap === settings.roadmap;
    if (anew || !isSame || hold !== settings.hold || tool !== settings.tool || hold !== 'none') this.found = null;
    this.settings = settings;
    this.group = group;
    this.ends = ends;
  }

  /** Compiles what `answer` asks, and asks it once. */
  warm(): void {
    const task = this.prepare();
    const [state] = this.readEnds(task);
    task.checker.isValid(state);
    const near = state.map((x, i) => x + (i === 0 ? 0.01 : 0));
    this.searchQuickly(task, takeTier(task.checker), state, near, 'replanned');
  }

  /** What can be said at once. */
  answer(): PlanAnswer {
    this.begun = this.clock();
    this.checks = 0;
    this.isHopeless = false;
    const task = this.prepare();
    const [start, goal] = this.readEnds(task);
    const { checker } = task;
    for (const [state, status] of [
      [start, 'invalid-start'],
      [goal, 'invalid-goal'],
    ] as const) {
      this.checks++;
      this.isHopeless = !task.space.satisfiesBounds(state) || !checker.isValid(state);
      if (this.isHopeless) return this.fail(status, this.explain(task, state));
    }
    const tier = takeTier(checker);
    this.found =
      this.follow(task, tier, start, goal) ??
      (this.isFree ? this.searchQuickly(task, tier, start, goal, 'replanned') : null);
    return this.found
      ? this.describe(task, this.found)
      : this.fail('searching', this.isFree ? 'spheres around the links leave no way' : this.way);
  }

  /** No planner was asked for by name. */
  private get isFree(): boolean {
    const { planner, hold, roadmap } = this.settings;
    return planner === 'auto' && hold === 'none' && !roadmap;
  }

  private get way(): string {
    const { planner, hold } = this.settings;
    if (hold !== 'none') return 'keeping what shall be kept';
    return `by ${this.plannerName === planner ? planner : 'a roadmap'}`;
  }

  /** A roadmap needs a planner that takes one. */
  private get plannerName(): string {
    const { planner, roadmap } = this.settings;
    return roadmap && !ALONG_ROADMAPS.includes(planner) ? 'prm' : planner;
  }

  /** Coordinates that vary, once it was asked. */
  get indices(): Int32Array {
    return this.task?.indices ?? this.shared.all;
  }

  /** What takes longer: yields answers as they come, progress of a search, and null between slices of other work. */
  *settle(): Generator<PlanAnswer | PlanProgress | null> {
    const { task } = this;
    if (!task || !this.ends) return;
    if (this.isHopeless) {
      if (this.settings.explain) yield* this.explainWhy();
      return;
    }
    if (this.settings.hold !== 'none') {
      yield* this.searchHolding(task);
      return;
    }
    const [start, goal] = this.readEnds(task);
    if (this.found && this.isFree) yield* this.improve(task, start, goal);
    else if (!this.found) {
      yield* this.searchExactly(task, start, goal);
      if (!this.found) return;
    }
    let clearance = yield* this.certify(task, this.found as Found);
    if (clearance === null && this.found?.how !== 'searched') {
      // Spheres do not know the pairs that they are too coarse for.
      const before: Found | null = this.found;
      this.found = null;
      yield* this.searchExactly(task, start, goal);
      if (!this.found) {
        this.found = before;
        return;
      }
      clearance = yield* this.certify(task, this.found);
    }
    const found = this.found as Found | null;
    if (!found) return;
    this.found = { ...found, proof: clearance === null ? null : 'certificate' };
    yield this.describe(task, this.found, clearance);
  }

  private prepare(): Task {
    const { shared, robot, ends } = this;
    if (!ends) throw new Error('PlanLeg: ends, got none, expected a start and a goal');
    const indices = this.chooseIndices(ends);
    const known = shared.tasks.find(
      (task) =>
        task.indices === indices && task.rest.every((value, i) => value === ends.start[i] || indices.includes(i)),
    );
    const { model } = robot;
    // A base without limits goes as far as the ends ask for.
    const isOpen = indices.some((i) => !(model.upper[i] - model.lower[i] < Infinity));
    if (!known || known !== this.task) this.found = null;
    if (known && !isOpen) {
      this.task = known;
      return known;
    }
    const bounds = findMotionBounds(shared.built.scene, robot, ends.around);
    const space = createConfigurationSpace(model, { indices, bounds });
    if (known) {
      known.space = space;
      this.task = known;
      return known;
    }
    // Proving pairs impossible takes a second and more: what it saves a search is less.
    const checker = createSphereChecker(shared.built.scene, robot, { indices, rest: ends.start, prove: false });
    this.task = { indices, rest: Float64Array.from(ends.start), space, checker };
    shared.tasks = [this.task, ...shared.tasks].slice(0, MOST_TASKS);
    return this.task;
  }

  /** Along what is kept; the slice in which a path is found shortens and certifies it, too. */
  private *searchHolding(task: Task): Generator<PlanAnswer | PlanProgress | null> {
    const { shared, robot, settings, clock } = this;
    yield null;
    const search = searchHolding(shared.built.scene, robot, this.heldEnds, settings, clock);
    const until = clock() + 1000 * settings.seconds;
    while (!search.done && clock() < until) {
      const end = clock() + SLICE_MILLISECONDS;
      while (!search.step(1) && clock() < end);
      yield { iterations: search.progress.iterations };
    }
    const plan = search.result();
    this.checks += plan.checks;
    const reasons = plan.reasons?.text;
    if (plan.status !== 'solved') {
      const isInvalid = plan.status === 'invalid-start' || plan.status === 'invalid-goal';
      yield { ...this.fail(isInvalid ? (plan.status as PlanAnswer['status']) : 'none', plan.reason), reasons };
      return;
    }
    const path = plan.path.map((q) => Float64Array.from(task.indices, (i) => q[i]));
    this.found = { path, how: 'searched', proof: 'certificate' };
    const clearance = yield* this.certify(task, this.found);
    const moved = plan.assumed.filter((text) => text.startsWith('altered: the goal'));
    const note = [
      `kept within ${plan.deviation.toExponential(1)} m and rad`,
      ...moved.map(() => 'the goal moved onto it'),
    ];
    yield { ...this.describe(task, this.found, clearance), note: note.join(', ') };
  }

  private *explainWhy(failed?: PlanAnswer): Generator<PlanAnswer | null> {
    const { shared, robot, task, clock } = this;
    if (!task) return;
    yield null;
    const reasons = explainLeg(shared.built.scene, robot, this.heldEnds, clock);
    const [start, goal] = this.readEnds(task);
    const isStart = !task.space.satisfiesBounds(start) || !task.checker.isValid(start);
    const status = isStart ? 'invalid-start' : 'invalid-goal';
    yield { ...(failed ?? this.fail(status, this.explain(task, isStart ? start : goal))), reasons };
  }

  private get heldEnds(): HeldEnds {
    const { start, goal } = this.ends as LegEnds;
    const group = this.shared.groups.find(({ indices }) => indices === this.task?.indices)?.name;
    return { start, goal, group };
  }

  /** Of the group that was asked for, else of the SRDF's largest, where start and goal agree beside it; else all. */
  private chooseIndices({ start, goal }: LegEnds): Int32Array {
    const { all, groups } = this.shared;
    const [largest] = groups.filter(({ name }) => this.group === null || name === this.group);
    const isEnough =
      largest?.indices.length > 0 && start.every((value, i) => largest.indices.includes(i) || value === goal[i]);
    return isEnough ? largest.indices : all;
  }

  private readEnds({ indices, space }: Task): [Float64Array, Float64Array] {
    const { start, goal } = this.ends as LegEnds;
    const pick = (q: Float64Array): Float64Array => {
      const state = Float64Array.from(indices, (i) => q[i]);
      return space.admit?.(state).state ?? state;
    };
    return [pick(start), pick(goal)];
  }

  private explain({ space, checker }: Task, state: Float64Array): string {
    return space.satisfiesBounds(state)
      ? checker.explain(state)
      : (space.explainBounds?.(state) ?? 'outside the limits');
  }

  /**
   * The path of before with the new ends: kept, shortened, or repaired; null where it has to be sought anew. Motions that spheres
   * no longer prove are replaced by others that they do; where there are none, exact checks may still find them free.
   */
  private follow(task: Task, tier: SceneSphereChecks | null, start: Float64Array, goal: Float64Array): Found | null {
    if (!this.found) return null;
    const { how } = this.found;
    const old = [start, ...this.found.path.slice(1, -1), goal];
    const free = old.slice(1).map((to, i) => this.isFreeBySpheres(tier, old[i], to));
    const first = free.indexOf(false);
    if (first < 0) {
      const kept: Found = { path: old, how: 'kept', proof: 'motions' };
      return this.shorten(task, tier, kept) ?? kept;
    }
    // A path that was found with the exact shapes passes nearer than spheres can tell.
    const isExact = how === 'searched';
    const repaired = isExact ? null : this.repair(task, tier, old, free);
    if (repaired) return repaired;
    const deadline = this.clock() + QUICK_MILLISECONDS;
    const { motion } = task.checker;
    const isKept = free.every((isFree, i) => {
      if (isFree) return true;
      this.checks++;
      return motion.isMotionValid(old[i], old[i + 1], () => this.clock() > deadline);
    });
    if (isKept) return { path: old, how: isExact ? 'searched' : 'kept', proof: 'motions' };
    return isExact ? this.repair(task, tier, old, free) : null;
  }

  private repair(task: Task, tier: SceneSphereChecks | null, old: Path, free: readonly boolean[]): Found | null {
    if (!tier) return null;
    // From the last state before the fault to the first one after it that spheres call free.
    let from = free.indexOf(false);
    let to = free.lastIndexOf(false) + 1;
    while (from > 0 && !tier.checks.isFree(old[from])) from--;
    while (to < old.length - 1 && !tier.checks.isFree(old[to])) to++;
    if (from === 0 && to === old.length - 1) return null;
    const part = this.searchQuickly(task, tier, old[from], old[to], 'repaired');
    if (!part) return null;
    const path = [...old.slice(0, from), ...part.path, ...old.slice(to + 1)];
    const repaired: Found = { path, how: 'repaired', proof: 'motions' };
    return this.shorten(task, tier, repaired) ?? repaired;
  }

  private isFreeBySpheres(tier: SceneSphereChecks | null, a: Float64Array, b: Float64Array): boolean {
    this.checks++;
    return tier !== null && tier.checks.certifyMotion(a, b, PROOF).status === 'free';
  }

  /** In the kernel, by spheres; every motion of what comes back is proven by them. */
  private searchQuickly(
    task: Task,
    tier: SceneSphereChecks | null,
    start: Float64Array,
    goal: Float64Array,
    how: PlanAnswer['how'],
    seed = this.settings.seed,
  ): Found | null {
    if (!tier?.checks.isFree(start) || !tier.checks.isFree(goal)) return null;
    const { space } = task;
    const checker = createCompiledChecker(tier.checks);
    for (const resolution of [RESOLUTION, RESOLUTION / 4]) {
      const request = { space, checker, start, goals: [goal], seed, resolution, maxIterations: QUICK_ITERATIONS };
      const plan = planPath({ ...request, simplify: true });
      this.checks += plan.checks;
      if (plan.status !== 'solved') return null;
      const isProven = plan.path
        .slice(1)
        .every((to, i) => tier.checks.certifyMotion(plan.path[i], to, PROOF).status === 'free');
      if (isProven) return { path: plan.path, how, proof: 'motions' };
    }
    return null;
  }

  /** A shorter path that spheres prove, null where there is none. */
  private shorten({ space }: Task, tier: SceneSphereChecks | null, { path, how }: Found): Found | null {
    if (!tier || path.length < 3) return null;
    const checker: ValidityChecker = createCompiledChecker(tier.checks);
    const short = simplifyPath({ space, checker, path, resolution: RESOLUTION });
    this.checks += short.checks;
    if (!short.verified || short.length > SHORTER * lengthOf(space, path)) return null;
    const isProven = short.path
      .slice(1)
      .every((to, i) => tier.checks.certifyMotion(short.path[i], to, PROOF).status === 'free');
    return isProven ? { path: short.path, how, proof: 'motions' } : null;
  }

  /** Other seeds may find a way that is much shorter than what the obstacle pushed the path into. */
  private *improve(task: Task, start: Float64Array, goal: Float64Array): Generator<PlanAnswer | null> {
    const tier = takeTier(task.checker);
    let best = this.found as Found;
    for (let k = 0; k < SEEDS && tier; k++) {
      const other = this.searchQuickly(task, tier, start, goal, 'replanned', this.settings.seed + k);
      if (other && lengthOf(task.space, other.path) < WORTH * lengthOf(task.space, best.path)) best = other;
      yield null;
    }
    if (best === this.found) return;
    this.found = best;
    yield this.describe(task, best);
  }

  /** With the scene's verdicts, which spheres answer where they can. */
  private *searchExactly(
    task: Task,
    start: Float64Array,
    goal: Float64Array,
  ): Generator<PlanAnswer | PlanProgress | null> {
    const { space, checker } = task;
    const { seed, iterations: maxIterations, seconds, roadmap: isShown, tool } = this.settings;
    const planner = this.plannerName;
    const roadmap = isShown ? createRoadmap(space) : null;
    const ends = { space, checker, start, goals: [goal], planner, seed, maxIterations };
    const search = createPlanSearch({ ...ends, ...(roadmap && { roadmap }) });
    const until = this.clock() + 1000 * seconds;
    while (!search.done && this.clock() < until) {
      const end = this.clock() + SLICE_MILLISECONDS;
      while (!search.step(1) && this.clock() < end);
      yield { iterations: search.progress.iterations };
    }
    const plan = search.result();
    this.checks += plan.checks;
    const shown = (state: Float64Array): Float64Array => widen(task, state);
    const lines = roadmap && tool !== null ? roadmapLines(roadmap, this.robot, tool, shown) : undefined;
    if (plan.status !== 'solved') {
      const failed = { ...this.fail('none', plan.reason), lines };
      yield failed;
      if (this.settings.explain) yield* this.explainWhy(failed);
      return;
    }
    this.found = { path: plan.path, how: 'searched', proof: null };
    yield { ...this.describe(task, this.found), lines };
    const end = this.clock() + 10 * SLICE_MILLISECONDS;
    const short = simplifyPath({ space, checker, path: plan.path, shouldStop: () => this.clock() > end });
    this.checks += short.checks;
    this.found = { path: short.path, how: 'searched', proof: null };
    yield this.describe(task, this.found);
  }

  /** Null where a motion is not proven free with the exact shapes. */
  private *certify(task: Task, { path }: Found): Generator<null, number | null> {
    let clearance = Infinity;
    const full = path.map((state) => widen(task, state));
    for (let i = 1; i < full.length; i++) {
      const verdict = certifyPath(this.shared.built.scene, this.robot, [full[i - 1], full[i]]);
      this.checks += verdict.configurations;
      if (verdict.status !== 'free') return null;
      clearance = Math.min(clearance, verdict.clearance);
      yield null;
    }
    return clearance;
  }

  private describe(task: Task, { path, how, proof }: Found, clearance: number | null = null): PlanAnswer {
    return {
      status: 'solved',
      reason: '',
      path: path.map((state) => widen(task, state)),
      length: lengthOf(task.space, path),
      how,
      // Spheres say nothing of pairs that they are too coarse for.
      proof: proof === 'motions' && (takeTier(task.checker)?.undecidedPairs ?? 1) > 0 ? null : proof,
      complete: task.checker.complete,
      clearance,
      profile: null,
      milliseconds: this.clock() - this.begun,
      checks: this.checks,
    };
  }

  private fail(status: PlanAnswer['status'], reason: string): PlanAnswer {
    return {
      status,
      reason,
      path: [],
      length: 0,
      how: 'replanned',
      proof: null,
      complete: this.task?.checker.complete ?? true,
      clearance: null,
      profile: null,
      milliseconds: this.clock() - this.begun,
      checks: this.checks,
    };
  }
}
