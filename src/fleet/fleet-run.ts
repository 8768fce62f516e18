/**
 * A fleet's run from a world file to its end: planned, executed, stopped at random, proven apart in every step, kept and resumed.
 *
 * Method: robots with goals follow one plan (plan-paths.ts without rotations), robots with tasks carry loads for ever (lifelong.ts); both are
 * driven by plan-execution.ts and looked at by motion-proof.ts. Objects of the scene block every cell whose square their box touches, so
 * that robots of at most half a cell never meet them. `save` holds everything that decides what comes: a run that is resumed has the
 * bits of one that was never stopped. Units: metres, seconds. Tested by fleet-run.test.ts.
 */
import {
  requireFinite,
  requireIndex,
  requireList,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requirePositiveNumber,
  requireSeed,
  requireText,
  throwMisuse,
} from '../math/arguments.js';
import { hashContent } from '../math/content-hash.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom, type SeededRandom } from '../math/random.js';
import type { FleetDescription } from '../scene/fleet-description.js';
import { fleetBlocks } from './blocked-cells.js';
import { type GridMap, requireGridMap } from './grid-map.js';
import { createLifelongFleet, type DeliveryTask, type LifelongFleet } from './lifelong.js';
import { MotionProof } from './motion-proof.js';
import { createGridGraph, labelComponents, type PathGraph } from './path-graph.js';
import { createPlanExecution, type DriveLimits, type PlanExecution } from './plan-execution.js';
import { type PathOptions, type PathPlan, planPaths, requirePathOptions } from './plan-paths.js';
import { createRandomProblem } from './random-problem.js';
import { readSavedState } from './saved-state.js';
import { explainWaits, type Stall } from './stall-report.js';

export interface FleetMetrics {
  readonly time: number;
  readonly robots: number;
  readonly moving: number;
  readonly waiting: number;
  readonly stopped: number;
  readonly arrived: number;
  readonly delivered: number;
  /** Steps and pairs of robots that could not be proven apart. */
  readonly collisions: number;
  /** Metres; the least gap between any two that was proven, null where no two came near. */
  readonly leastGap: number | null;
}

/** A livelock is told when a robot has come no nearer to its goal for so many seconds. */
const LIVELOCK_SECONDS = 300;

export class FleetRun {
  collisions = 0;
  /** The two of the first step that could not be proven. */
  firstCollision: { readonly time: number; readonly robots: readonly [string, string] } | null = null;
  readonly names: readonly string[];
  readonly execution: PlanExecution;
  /** Of the plan that is driven, which after `restore` is the saved one; null with tasks. */
  costs: Pick<PathPlan, 'makespan' | 'sumOfCosts' | 'lowerBound'> | null;
  private readonly lifelong: LifelongFleet | null;
  private readonly proof: MotionProof;
  private leastGap = Number.POSITIVE_INFINITY;
  private readonly tasks: SeededRandom;
  private readonly stops: SeededRandom;

  constructor(
    private readonly setup: FleetSetup,
    /** Null with tasks. */
    readonly plan: PathPlan | null,
  ) {
    const { graph, starts, limits, description, radius, seed, pickups, deliveries } = setup;
    this.names = setup.names;
    this.costs =
      plan === null ? null : { makespan: plan.makespan, sumOfCosts: plan.sumOfCosts, lowerBound: plan.lowerBound };
    this.tasks = createRandom(seed + 1);
    this.stops = createRandom(seed + 2);
    const draw = (): DeliveryTask => ({
      pickup: pickups[this.tasks.integer(pickups.length)],
      delivery: deliveries[this.tasks.integer(deliveries.length)],
    });
    this.lifelong =
      description.fleet.tasks === undefined ? null : createLifelongFleet(graph, starts, draw, { ...limits, seed });
    this.execution = this.lifelong?.execution ?? createPlanExecution(graph, plan!.paths, limits);
    const { x, y, acceleration } = this.execution;
    this.proof = new MotionProof(x, y, radius, acceleration, setup.cellSize);
  }

  get time(): number {
    return this.execution.time;
  }

  /** All are at their goals; never with tasks. */
  get isDone(): boolean {
    return this.lifelong === null && this.execution.isDone;
  }

  step(dt: number): void {
    if (!(dt > 0 && dt < Number.POSITIVE_INFINITY)) requirePositiveNumber('step', 'dt', dt);
    const { execution, lifelong, stops } = this;
    const { share = 0, seconds = 0 } = this.setup.description.fleet.stops ?? {};
    if (share > 0)
      for (let i = 0; i < execution.robots; i++)
        if (stops.next() < (share * dt) / seconds) execution.stop(i, 2 * seconds * stops.next());
    if (lifelong === null) execution.step(dt);
    else lifelong.step(dt);
    const verdict = this.proof.prove(dt);
    this.leastGap = Math.min(this.leastGap, verdict.leastGap);
    if (verdict.unproven > 0) {
      this.collisions += verdict.unproven;
      this.firstCollision ??= { time: this.time, robots: [this.names[verdict.a], this.names[verdict.b]] };
    }
  }

  /**
   * Closes a cell while robots with tasks are under way: 'closed' once nobody is on it or comes through it, 'closing' until then (ask again), 'refused'
   * where it is no free cell, a place of tasks, or robots follow one plan.
   */
  closeCell(x: number, y: number): 'closed' | 'closing' | 'refused' {
    const { graph, width, pickups, deliveries } = this.setup;
    const isCell = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && x < width && y >= 0;
    const v = isCell ? (graph.vertexOfCell![y * width + x] ?? -1) : -1;
    if (this.lifelong === null || v < 0 || pickups.includes(v) || deliveries.includes(v)) return 'refused';
    return this.lifelong.close(v) ? 'closed' : 'closing';
  }

  isCarrying(robot: number): boolean {
    requireIndex('isCarrying', 'robot', robot, this.names.length);
    return this.lifelong?.isCarrying(robot) ?? false;
  }

  /** What a robot with tasks is about: a vertex to pick up at and one to deliver to; null where it has none. */
  taskOf(robot: number): { readonly pickup: number; readonly delivery: number; readonly isCarrying: boolean } | null {
    requireIndex('taskOf', 'robot', robot, this.names.length);
    const task = this.lifelong?.taskOf(robot) ?? null;
    return task === null ? null : { ...task, isCarrying: this.lifelong!.isCarrying(robot) };
  }

  metrics(): FleetMetrics {
    const { execution, lifelong } = this;
    let [moving, stopped, arrived] = [0, 0, 0];
    for (let i = 0; i < execution.robots; i++) {
      if (execution.speed[i] > 0) moving++;
      else if (execution.isStopped(i)) stopped++;
      else if (execution.pending(i) === 0) arrived++;
    }
    return {
      time: this.time,
      robots: execution.robots,
      moving,
      waiting: execution.robots - moving - stopped - arrived,
      stopped,
      arrived: lifelong === null ? arrived : 0,
      delivered: lifelong?.delivered ?? 0,
      collisions: this.collisions,
      leastGap: this.leastGap < Number.POSITIVE_INFINITY ? this.leastGap : null,
    };
  }

  /** Who holds up whom: stopped robots, deadlocks, and with tasks robots that drive in vain. */
  stalls(): Stall[] {
    const nameOf = (robot: number) => this.names[robot];
    const stalls = explainWaits(this.execution.waits(), nameOf);
    const livelock = this.lifelong?.progress.find(this.time, LIVELOCK_SECONDS, nameOf) ?? null;
    return livelock === null ? stalls : [...stalls, livelock];
  }

  /** Everything that decides what comes, as a text. */
  save(): string {
    return JSON.stringify({
      format: 'clearance-fleet-1',
      setup: this.setup.hash,
      execution: this.execution.save(),
      lifelong: this.lifelong?.save() ?? null,
      costs: this.costs,
      tasks: this.tasks.saveState(),
      stops: this.stops.saveState(),
      collisions: this.collisions,
      firstCollision: this.firstCollision,
      leastGap: this.leastGap < Number.POSITIVE_INFINITY ? this.leastGap : null,
    });
  }

  /** Goes on from what `save` wrote for the same world; throws MisuseError for another's or a broken one. */
  restore(text: string): void {
    const data = readSavedState(text, 'clearance-fleet-1', this.setup.hash);
    try {
      this.execution.restore(data.execution);
      this.lifelong?.restore(data.lifelong);
      this.tasks.restoreState(data.tasks);
      this.stops.restoreState(data.stops);
    } catch (error) {
      throw new MisuseError(
        `restore: text, got a broken state (${(error as Error).message}), expected what save wrote`,
      );
    }
    this.costs = data.costs;
    this.collisions = data.collisions;
    this.firstCollision = data.firstCollision;
    this.leastGap = data.leastGap ?? Number.POSITIVE_INFINITY;
    this.proof.forget();
  }

  /** Equal for equal states, bit for bit. */
  hash(): string {
    return hashContent(this.save());
  }
}

/** A world file with its map, as numbers. */
export interface FleetSetup {
  readonly description: FleetDescription;
  readonly graph: PathGraph;
  /** Of the map, in cells. */
  readonly width: number;
  readonly height: number;
  readonly cellSize: number;
  readonly radius: number;
  readonly limits: DriveLimits;
  readonly seed: number;
  readonly names: readonly string[];
  readonly starts: Int32Array;
  /** Empty with tasks. */
  readonly goals: Int32Array;
  readonly pickups: readonly number[];
  readonly deliveries: readonly number[];
  readonly hash: string;
}

/** Setups are made here alone, so that a run need not look at their numbers again. */
const made = new WeakSet<FleetSetup>();

/** `map`: the rows of the description, or what its file holds. */
export function createFleetSetup(description: FleetDescription, map: GridMap): FleetSetup {
  const call = 'createFleetSetup';
  requireObject(call, 'description', description);
  requireObject(call, 'description.fleet', description.fleet);
  requireGridMap(call, 'map', map);
  requireSection(call, description);
  const { fleet, objects } = description;
  const { cellSize = 1, seed = 1, tasks, speed, acceleration, turnRate } = fleet;
  const radius = fleet.radius ?? 0.35 * cellSize;
  if (!(radius > 0 && radius <= cellSize / 2))
    throw new MisuseError(`${call}: fleet.radius, got ${radius}, expected at most half a cell, ${cellSize / 2}`);
  const open = fleetBlocks(map, cellSize, objects);
  const graph = createGridGraph(open, cellSize);
  const vertex = (what: string, cell: readonly number[]): number => {
    const [x, y] = cell;
    requireFinite(call, `${what}[0]`, x);
    requireFinite(call, `${what}[1]`, y);
    const inside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && x < map.width && y >= 0 && y < map.height;
    const v = inside ? graph.vertexOfCell![y * map.width + x] : -1;
    if (v < 0) throw new MisuseError(`${call}: ${what}, got cell [${x}, ${y}], expected a free cell of the map`);
    return v;
  };
  const { robots } = fleet;
  let starts: Int32Array;
  let goals = new Int32Array(0);
  let names: string[];
  if (typeof robots === 'number') {
    const problem = createRandomProblem(graph, robots, seed);
    starts = Int32Array.from(problem.starts);
    if (tasks === undefined) goals = Int32Array.from(problem.goals);
    names = Array.from(starts, (_, i) => `robot-${i + 1}`);
  } else {
    starts = Int32Array.from(robots, ({ start }, i) => vertex(`robots[${i}].start`, start));
    names = robots.map(({ name }) => name);
    if (tasks === undefined)
      goals = Int32Array.from(robots, ({ name, goal }, i) => {
        if (goal === undefined)
          throw new MisuseError(`${call}: robots[${i}], got no goal of "${name}", expected one, or tasks for all`);
        return vertex(`robots[${i}].goal`, goal);
      });
  }
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (typeof robots !== 'number' && repeated !== undefined)
    throw new MisuseError(`${call}: robots, got the name "${repeated}" twice, expected different names`);
  const pickups = (tasks?.pickups ?? []).map((cell, k) => vertex(`tasks.pickups[${k}]`, cell));
  const deliveries = (tasks?.deliveries ?? []).map((cell, k) => vertex(`tasks.deliveries[${k}]`, cell));
  if (tasks !== undefined) {
    requireIndex(call, 'tasks.pickups: first', 0, pickups.length);
    requireIndex(call, 'tasks.deliveries: first', 0, deliveries.length);
    const label = labelComponents(graph);
    for (const v of [...starts, ...pickups, ...deliveries])
      if (label[v] !== label[starts[0]])
        throw new MisuseError(
          `${call}: tasks, got places that robots cannot reach, expected all in one part of the map`,
        );
  }
  const limits: DriveLimits = {
    ...(speed === undefined ? {} : { speed }),
    ...(acceleration === undefined ? {} : { acceleration }),
    ...(turnRate === undefined ? {} : { turnRate }),
  };
  const hash = hashContent({ fleet, objects: objects ?? [], free: map.free, width: map.width });
  const { width, height } = map;
  const setup = {
    description,
    graph,
    width,
    height,
    cellSize,
    radius,
    limits,
    seed,
    names,
    starts,
    goals,
    pickups,
    deliveries,
    hash,
  };
  made.add(setup);
  return setup;
}

function requireSection(call: string, { fleet, objects }: FleetDescription): void {
  const { robots, tasks, stops, radius, seed } = fleet;
  if (objects !== undefined) requireList(call, 'description.objects', objects);
  for (const name of ['cellSize', 'speed', 'acceleration', 'turnRate'] as const)
    if (fleet[name] !== undefined) requirePositiveNumber(call, `fleet.${name}`, fleet[name]);
  if (radius !== undefined) requirePositiveNumber(call, 'fleet.radius', radius);
  requireSeed(call, seed);
  if (typeof robots !== 'number') {
    requireList(call, 'fleet.robots', robots);
    robots.forEach((robot, i) => {
      requireObject(call, `fleet.robots[${i}]`, robot);
      requireText(call, `fleet.robots[${i}].name`, robot.name);
      requireNumbers(call, `fleet.robots[${i}].start`, robot.start, 2);
      if (robot.goal !== undefined) requireNumbers(call, `fleet.robots[${i}].goal`, robot.goal, 2);
    });
  }
  if (tasks !== undefined) {
    requireObject(call, 'fleet.tasks', tasks);
    for (const name of ['pickups', 'deliveries'] as const) {
      requireList(call, `fleet.tasks.${name}`, tasks[name]);
      tasks[name].forEach((cell, i) => {
        requireNumbers(call, `fleet.tasks.${name}[${i}]`, cell, 2);
      });
    }
  }
  if (stops === undefined) return;
  requireObject(call, 'fleet.stops', stops);
  requireNotNegative(call, 'fleet.stops.share', stops.share);
  requirePositiveNumber(call, 'fleet.stops.seconds', stops.seconds);
}

/** A run, planned; the plan alone where there is none that can be run. */
export function createFleetRun(
  setup: FleetSetup,
  options: PathOptions = {},
): { run: FleetRun | null; plan: PathPlan | null } {
  requirePathOptions('createFleetRun', options);
  if (typeof setup !== 'object' || setup === null || !made.has(setup))
    throwMisuse('createFleetRun', 'setup', setup, 'what createFleetSetup made');
  if (setup.description.fleet.tasks !== undefined) return { run: new FleetRun(setup, null), plan: null };
  const { graph, starts, goals, seed } = setup;
  const plan = planPaths({ graph, starts, goals, rotations: false }, { seed, ...options });
  return { run: plan.status === 'solved' ? new FleetRun(setup, plan) : null, plan };
}
