/**
 * Pick-up and delivery without an end: robots that always have somewhere to go, none colliding.
 *
 * Method: a step of all robots by PIBT (pibt.ts) without rotations whenever all have fewer than `ahead` places before them; a robot whose
 * queue has been full for some seconds (it is stopped or late) stays where its plan ends, and the others are planned around it. Steps go
 * to plan-execution.ts, which drives them with speeds and accelerations. A robot whose plan has come to its place is planned on to its next one
 * (the place to pick up at, then that to deliver to, then the next task's) at once; it stands still there for a moment when it has come so far
 * itself, and only then the load is taken up or given away. Longest without a goal reached goes first.
 * Source: Ma, Li, Kumar, Koenig 2017, "Lifelong multi-agent path finding for online pickup and delivery tasks", AAMAS; Okumura et al. 2022,
 * doi:10.1016/j.artint.2022.103752, section 5.
 * Against the lanes of a grid a move costs double (lanes.ts); robots change places by backing away over bridges alone (bridges.ts).
 * PIBT promises each robot its goal on graphs where every edge lies on a ring and rotations are allowed; elsewhere, and without them, robots may
 * wait for ever: `progress` finds those. Tested by plan-execution.test.ts.
 */
import {
  requireCount,
  requireFields,
  requireFunction,
  requireIndex,
  requirePositiveNumber,
  requireSeed,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom, type SeededRandom } from '../math/random.js';
import { listBridges } from './bridges.js';
import { GoalDistances } from './goal-distances.js';
import { listLaneCosts } from './lanes.js';
import type { PathGraph } from './path-graph.js';
import { requirePathGraph, requireVertices } from './path-problem.js';
import { StepGenerator } from './pibt.js';
import { type DriveLimits, PlanExecution } from './plan-execution.js';
import { ProgressWatch } from './stall-report.js';
import { floatsToText, textToFloats } from './state-text.js';

export interface DeliveryTask {
  readonly pickup: number;
  readonly delivery: number;
}

interface TaskStop {
  /** Index of the place in the robot's way. */
  readonly visit: number;
  readonly task: DeliveryTask;
  readonly isDelivery: boolean;
}

export interface LifelongOptions extends DriveLimits {
  readonly seed?: number;
  /** Places that are planned ahead per robot. Default 16. */
  readonly ahead?: number;
}

export class LifelongFleet {
  delivered = 0;
  readonly execution: PlanExecution;
  readonly progress: ProgressWatch;
  private readonly random: SeededRandom;
  private generator: StepGenerator;
  private distances: GoalDistances;
  /** Places that nobody enters any more. */
  private readonly closed = new Set<number>();
  private readonly goals: Int32Array;
  /** What each is planned for: its task, and whether the plan has come by the pick-up. */
  private readonly tasks: (DeliveryTask | null)[];
  private readonly isPlannedLoaded: Uint8Array;
  /** Places of their tasks that robots are on the way to, in order. */
  private readonly stops: TaskStop[][];
  private readonly isLoaded: Uint8Array;
  private readonly priorities: Float64Array;
  private readonly order: number[];
  private readonly next: Int32Array;
  /** Where each is planned to have come from. */
  private readonly before: Int32Array;
  /** Place that each has come to, and since when. */
  private readonly seen: Int32Array;
  private readonly progressed: Float64Array;

  constructor(
    private readonly graph: PathGraph,
    starts: ArrayLike<number>,
    /** The robot's next task, or null while there is none. */
    private readonly assign: (robot: number) => DeliveryTask | null,
    limits: DriveLimits,
    seed: number,
    private readonly ahead: number,
  ) {
    this.execution = new PlanExecution(graph, starts, limits);
    this.goals = Int32Array.from(starts);
    this.random = createRandom(seed);
    this.before = Int32Array.from(starts);
    [this.distances, this.generator] = this.prepare(graph);
    this.progress = new ProgressWatch(starts.length);
    this.tasks = new Array(starts.length).fill(null);
    this.isPlannedLoaded = new Uint8Array(starts.length);
    this.stops = Array.from(starts, () => []);
    this.isLoaded = new Uint8Array(starts.length);
    this.priorities = Float64Array.from(starts, (_, i) => i / starts.length);
    this.order = [...this.priorities.keys()];
    this.next = new Int32Array(starts.length);
    this.seen = new Int32Array(starts.length);
    this.progressed = new Float64Array(starts.length);
  }

  taskOf(robot: number): DeliveryTask | null {
    return this.stops[robot][0]?.task ?? this.tasks[robot];
  }

  isCarrying(robot: number): boolean {
    return this.isLoaded[robot] !== 0;
  }

  /**
   * Takes a place out of the map for good, while robots move: from now on nobody is planned into it. True once no robot is on it or comes
   * through it: then something may be put there. Ask again after later steps until it is. What cannot be reached any more is told by
   * `progress`. Throws for a place where a robot has its goal.
   */
  close(vertex: number): boolean {
    const { execution, goals } = this;
    requireIndex('close', 'vertex', vertex, this.graph.vertexCount);
    if (!this.closed.has(vertex)) {
      if (goals.includes(vertex) || this.tasks.some((task) => task?.delivery === vertex))
        throw new MisuseError(`close: vertex, got ${vertex}, where a robot has its goal, expected another`);
      this.closed.add(vertex);
      this.replan();
    }
    for (let i = 0; i < execution.robots; i++) {
      if (execution.wayOf(i).includes(vertex)) return false;
    }
    return true;
  }

  /** Graph without ways into what is closed; out of it they stay. */
  private replan(): void {
    const open = withoutWaysInto(this.graph, this.closed);
    [this.distances, this.generator] = this.prepare(open);
  }

  /** On rings who meets is led around by priority: swaps there would only undo each other. */
  private prepare(graph: PathGraph): [GoalDistances, StepGenerator] {
    const distances = new GoalDistances(graph, this.goals, listLaneCosts(graph));
    const swaps = listBridges(graph);
    return [distances, new StepGenerator(graph, this.goals, distances, this.random, false, null, this.before, swaps)];
  }

  /** What the fleet holds besides its execution, for `restore`. */
  save(): Record<string, unknown> {
    return {
      delivered: this.delivered,
      goals: [...this.goals],
      tasks: this.tasks,
      isPlannedLoaded: [...this.isPlannedLoaded],
      stops: this.stops,
      isLoaded: [...this.isLoaded],
      priorities: floatsToText(this.priorities),
      order: this.order,
      random: this.random.saveState(),
      progress: this.progress.save(),
      before: [...this.before],
      seen: [...this.seen],
      progressed: floatsToText(this.progressed),
      ...(this.closed.size === 0 ? {} : { closed: [...this.closed] }),
    };
  }

  restore(data: Record<string, unknown>): void {
    const {
      delivered,
      goals,
      tasks,
      isLoaded,
      priorities,
      order,
      random,
      progress,
      seen,
      progressed,
      closed,
      isPlannedLoaded,
      stops,
      before,
    } = data as {
      before: number[];
      isPlannedLoaded: number[];
      stops: TaskStop[][];
      closed?: number[];
      delivered: number;
      goals: number[];
      tasks: (DeliveryTask | null)[];
      isLoaded: number[];
      priorities: string;
      order: number[];
      random: number[];
      progress: string[];
      seen: number[];
      progressed: string;
    };
    if (goals.length !== this.goals.length)
      throw new RangeError(`${goals.length} robots, expected ${this.goals.length}`);
    this.delivered = delivered;
    goals.forEach((goal, i) => {
      this.goals[i] = goal;
      this.distances.setGoal(i, goal);
      this.tasks[i] = tasks[i];
      this.isLoaded[i] = isLoaded[i];
      this.isPlannedLoaded[i] = isPlannedLoaded[i];
      this.stops[i] = stops[i];
      this.order[i] = order[i];
    });
    textToFloats(this.priorities, priorities);
    this.random.restoreState(random);
    this.progress.restore(progress);
    this.seen.set(seen);
    this.before.set(before);
    textToFloats(this.progressed, progressed);
    this.closed.clear();
    for (const vertex of closed ?? []) this.closed.add(vertex);
    this.replan();
  }

  step(dt: number): void {
    this.plan();
    this.execution.step(dt);
    for (let i = 0; i < this.goals.length; i++) this.arrive(i);
  }

  /** What is to be done at a place is done where its robot stands, not where it is planned to be. */
  private arrive(i: number): void {
    const { execution, stops } = this;
    if (execution.reached[i] !== this.seen[i]) {
      this.seen[i] = execution.reached[i];
      this.progressed[i] = execution.time;
    }
    // First, so that what is to be done where it stands is done before it moves on.
    this.look(i);
    let hasCome = false;
    while (stops[i].length > 0 && execution.reached[i] >= stops[i][0].visit) {
      const { isDelivery } = stops[i].shift()!;
      this.isLoaded[i] = isDelivery ? 0 : 1;
      if (isDelivery) this.delivered++;
      hasCome = true;
    }
    if (hasCome) execution.halts[i] = stops[i][0]?.visit ?? -1;
  }

  /** Where the plan has come to the robot's place: on to the next one. */
  private look(i: number): void {
    const { execution, goals, tasks, distances, stops } = this;
    const v = execution.planned[i];
    if (tasks[i] !== null && v !== goals[i]) {
      this.progress.look(i, distances.row(i)[v], execution.time);
      return;
    }
    const task = tasks[i];
    const isDelivery = this.isPlannedLoaded[i] !== 0;
    if (task !== null) {
      const visit = execution.reached[i] + execution.pending(i);
      stops[i].push({ visit, task, isDelivery });
      if (execution.halts[i] < 0) execution.halts[i] = visit;
    }
    this.progress.look(i, 0, execution.time);
    if (task !== null && !isDelivery) {
      this.isPlannedLoaded[i] = 1;
      this.setGoal(i, task.delivery);
      return;
    }
    this.isPlannedLoaded[i] = 0;
    tasks[i] = this.assign(i);
    if (tasks[i] !== null) this.setGoal(i, tasks[i]!.pickup);
  }

  private setGoal(i: number, goal: number): void {
    if (!Number.isInteger(goal) || goal < 0 || goal >= this.distances.graph.vertexCount)
      throw new MisuseError(`assign: task of robot ${i}, got place ${goal}, expected a vertex of the graph`);
    this.goals[i] = goal;
    this.distances.setGoal(i, goal);
    this.priorities[i] -= Math.floor(this.priorities[i]);
    this.progress.reset(i, this.execution.time);
  }

  private plan(): void {
    const { execution, order, priorities, next, goals } = this;
    const from = execution.plannedVertices;
    let waiting = 0;
    for (let i = 0; i < next.length; i++) {
      const isFull = execution.pending(i) >= this.ahead;
      // Whoever only needs a moment is waited for: around robots that stay where they are few ways are left.
      if (isFull && execution.time - this.progressed[i] <= PATIENCE) return;
      next[i] = isFull ? from[i] : -1;
      if (!isFull && from[i] !== goals[i]) waiting++;
    }
    if (waiting === 0) return;
    for (let i = 0; i < next.length; i++) if (from[i] !== goals[i]) priorities[i] += 1;
    order.sort((a, b) => priorities[b] - priorities[a]);
    if (!this.generator.generate(from, next, order)) return;
    for (let i = 0; i < next.length; i++) if (next[i] !== from[i]) this.before[i] = from[i];
    execution.append(next);
  }
}

function withoutWaysInto(graph: PathGraph, closed: ReadonlySet<number>): PathGraph {
  if (closed.size === 0) return graph;
  const { vertexCount, first, next } = graph;
  const open = new Int32Array(vertexCount + 1);
  const ways: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    for (let e = first[v]; e < first[v + 1]; e++) if (!closed.has(next[e])) ways.push(next[e]);
    open[v + 1] = ways.length;
  }
  return { ...graph, first: open, next: Int32Array.from(ways) };
}

/** Seconds without a new place after which a robot with a full queue is planned around. */
const PATIENCE = 5;

const FIELDS = {
  seed: unchecked,
  ahead: wholeFrom(1),
  speed: requirePositiveNumber,
  acceleration: requirePositiveNumber,
  turnRate: requirePositiveNumber,
};

export function createLifelongFleet(
  graph: PathGraph,
  starts: ArrayLike<number>,
  assign: (robot: number) => DeliveryTask | null,
  options: LifelongOptions = {},
): LifelongFleet {
  requirePathGraph('createLifelongFleet', graph);
  requireVertices('createLifelongFleet', 'starts', starts, graph.vertexCount);
  requireCount('createLifelongFleet', 'starts', starts.length, 1);
  requireFunction('createLifelongFleet', 'assign', assign);
  requireFields('createLifelongFleet', 'options', options, FIELDS);
  requireSeed('createLifelongFleet', options.seed);
  const { seed = 1, ahead = 16, ...limits } = options;
  return new LifelongFleet(graph, starts, assign, limits, seed, ahead);
}
