/** What is asked of a planned group, and what comes back. */
import type { SphereModel } from '../geometry/sphere-model.js';
import type { FrameConstraint } from '../planning/constraints/frame-constraint.js';
import type { Roadmap } from '../planning/roadmap.js';
import type { PlanResult } from '../planning/types.js';
import type { LimitOptions } from '../trajectory/limits.js';
import type { PlanReasons } from './explain-plan.js';
import type { GroupGoal, GroupState } from './group-states.js';
import type { PathObjective } from './plan-objective.js';
import type { StartRepair } from './start-repair.js';
import type { TimedMotion, Timing } from './time-path.js';

export interface GroupRequest {
  /** Default: every joint of the robot. */
  readonly group?: string;
  /** Default: the robot's configuration now. */
  readonly start?: GroupState;
  /** A state, a pose, or a list of which any will do. */
  readonly goal: GroupGoal;
  /** Default 1. */
  readonly seed?: number;
  /** The deterministic limit; default the planner's. */
  readonly maxIterations?: number;
  /** Needs `clock`. */
  readonly timeoutMs?: number;
  readonly clock?: () => number;
  /** Shorten the path; default true. */
  readonly simplify?: boolean;
  /** A name of `listPlanners`, or `auto` (default): the planner that finds a first path soonest. */
  readonly planner?: string;
  /** Spheres that are proven to contain the links' shapes, e.g. of `fitRobotSpheres`. Default: a quick cover of the links. */
  readonly spheres?: SphereModel;
  /**
   * How the path that is returned is checked: as a whole, free at every time by the exact shapes (default), or by states at most
   * `resolution` apart.
   */
  readonly edges?: 'certified' | 'sampled';
  /** Largest step between checked states, radians (metres for prismatic joints); default 0.02, while trees grow 1/32. */
  readonly resolution?: number;
  /** The fastest motion along the path, too: limits as `createLimits` takes them, and how the corners are taken. */
  readonly timed?: Omit<Timing, 'limits'> & LimitOptions;
  /**
   * What holds on the whole way, as of `planConstrained`: a tool upright, a plane, a chain closed by two arms. The search is along the constraints, so that
   * planners, roadmaps, `optimise`, `edges`, `resolution` and `spheres` do not go with it.
   */
  readonly constraints?: readonly FrameConstraint[];
  /** Most that the motions of the path leave constraints, or the lines of `approach` and `retreat`, by; default 1e-4, of lines 1e-3. */
  readonly deviation?: number;
  /** The first part of the path is a straight line of a frame (default: the tip): so far, in the world, metres, its orientation held. */
  readonly retreat?: { readonly frame?: string; readonly by: readonly number[] };
  /** Goes on after the first path for one that costs less; the planner is then `anytime-rrt-connect` unless another one is named. */
  readonly optimise?: OptimiseOptions;
  /**
   * A start beyond a limit, or in contact by no more than so many metres (true: 0.005), is moved to the nearest valid state, and that is
   * reported; the path begins there. Default false: such a start is refused.
   */
  readonly repairStart?: boolean | number;
  /** Without a path: looks for the reasons, which takes seconds. Default false. */
  readonly explain?: boolean;
  /**
   * With a roadmap: names of the objects that move between plans. What is known of everything else stays, and a plan asks about these alone: a
   * small part of the cost.
   */
  readonly moving?: readonly string[];
  /** A roadmap of the group (createGroupRoadmap), for `prm` and `lazy-prm`: what it has is used, and what they draw is kept. */
  readonly roadmap?: Roadmap;
  readonly onProgress?: (progress: { readonly iterations: number; readonly nodes: number }) => void;
}

export interface OptimiseOptions {
  /** Milliseconds by `clock`, after what is prepared; default: until `rounds` are over. */
  readonly ms?: number;
  /** Default 32, without limit where `ms` is given. */
  readonly rounds?: number;
  /** Default: length in joint space. */
  readonly objective?: PathObjective;
}

/** A better path while planning went on. */
export interface CostStep {
  /** Since planning began; by `clock`, 0 without one. */
  readonly ms: number;
  readonly iterations: number;
  readonly cost: number;
}

export interface GroupPlan extends PlanResult {
  /** In full configurations; empty unless solved. */
  readonly path: readonly Float64Array[];
  /** Full configuration the path begins with. */
  readonly start: Float64Array;
  /** With `timed`, where a path was found. */
  readonly motion: TimedMotion | null;
  /** Every motion is free at every time, by the exact shapes. */
  readonly certified: boolean;
  /** With `constraints`: most that the motions of the path leave them by, Infinity without a path; else 0. */
  readonly deviation: number;
  /** Name of the planner. */
  readonly planner: string;
  /** Why `auto` took it, in words. */
  readonly plannerReason: string;
  /** What the planner keeps small: the path's length, or what `optimise.objective` says. */
  readonly cost: number;
  /** What the best path cost when, of anytime planners; before it was judged. */
  readonly costs: readonly CostStep[];
  /** What was done to the start; the path begins with the state that its leg ends with. */
  readonly repair: StartRepair | null;
  /** With `explain`, where there is no path. */
  readonly reasons: PlanReasons | null;
  /** Motions of the path that failed its check and were led round what is there. */
  readonly repairs: number;
  /** Covering the links and compiling their checks; by `clock`, 0 without one. */
  readonly prepareMs: number;
  readonly planMs: number;
  readonly simplifyMs: number;
}

/** A search that its caller drives, between frames of a page say. */
export interface GroupSearch {
  readonly done: boolean;
  readonly progress: { readonly iterations: number; readonly nodes: number };
  /** Goes on for so many iterations; true when nothing is left to do. */
  step(iterations: number): boolean;
  /** The plan so far; when done shortened and timed as asked for. */
  result(): GroupPlan;
}
