/**
 * Executes a plan of paths with bodies that have a size, speeds and accelerations: the plan's order holds, its times need not.
 *
 * Method (action dependency graph): a robot may go to a vertex once the robot that stands before it in the plan's order there has arrived at its
 * own next vertex. While it moves a robot so owns both ends of its edge and nobody else any of them. It drives as fast as its limits allow
 * such that it can always stop at the last vertex that it may enter, and stops where its way bends (and turns there, if it has to). A late or
 * stopped robot makes those behind it wait and breaks nothing. The graph has no circle if the plan has no rotation.
 * Source: Hoenig, Kiesel, Tinka, Durham, Ayanian 2019, "Persistent and robust execution of MAPF schedules in warehouses",
 * doi:10.1109/LRA.2019.2894217, section III.
 *
 *   ways, needRobot, needVisit       per robot a list: a place of its way; who has to have come how far before it may be entered. What lies far
 *                                    behind is dropped: the list's first is the way's place number `dropped`
 *   x, y, heading, speed             Float64Array, one per robot: metres, radians, metres per second
 *
 * Within a step every robot stays on one straight line and within its acceleration: motion-proof.ts relies on it.
 * Cost: O(robots) per step. Tested by plan-execution.test.ts.
 */
import { requireCount, requireFields, requireNotNegative, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { atan2 } from '../math/scalar.js';
import { brakingStep } from './braking-step.js';
import type { PathGraph } from './path-graph.js';
import { type RobotPath, requirePathGraph, requireRobotPaths } from './path-problem.js';
import { floatsToText, textToFloats } from './state-text.js';

export interface DriveLimits {
  /** Metres per second. Default 1. */
  readonly speed?: number;
  /** Metres per second squared, for braking too. Default 1. */
  readonly acceleration?: number;
  /** Radians per second in which a robot turns where its way bends; left out: it need not turn. */
  readonly turnRate?: number;
}

/** Where a robot of a plan waits, and for whom. */
export interface Wait {
  readonly robot: number;
  /** Who has to move on first, or -1 where it is stopped itself. */
  readonly for: number;
}

export class PlanExecution {
  time = 0;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly heading: Float64Array;
  readonly speed: Float64Array;
  /** Index of the last place of its way that each robot has arrived at. */
  readonly reached: Int32Array;
  readonly robots: number;
  readonly maxSpeed: number;
  readonly acceleration: number;
  readonly turnRate: number;
  readonly dropped: Int32Array;
  private readonly ways: number[][];
  private readonly needRobot: number[][];
  private readonly needVisit: number[][];
  /** Index of the last place that each may enter. */
  readonly allowed: Int32Array;
  /** Metres from the last place reached. */
  readonly along: Float64Array;
  /** Index of a place of its way at which each stands still for a moment, whatever comes after it; -1: nowhere. */
  readonly halts: Int32Array;
  readonly stoppedUntil: Float64Array;
  readonly turnUntil: Float64Array;
  /** Who comes to each vertex last so far, and as which of its places. */
  readonly lastRobot: Int32Array;
  readonly lastVisit: Int32Array;
  readonly planned: Int32Array;
  private open = 0;
  private readonly travel = new Float64Array(2);

  constructor(
    private readonly graph: PathGraph,
    starts: ArrayLike<number>,
    limits: DriveLimits = {},
  ) {
    const { speed = 1, acceleration = 1, turnRate = Number.POSITIVE_INFINITY } = limits;
    this.maxSpeed = speed;
    this.acceleration = acceleration;
    this.turnRate = turnRate;
    const robots = starts.length;
    this.robots = robots;
    this.x = new Float64Array(robots);
    this.y = new Float64Array(robots);
    this.heading = new Float64Array(robots);
    this.speed = new Float64Array(robots);
    this.along = new Float64Array(robots);
    this.reached = new Int32Array(robots);
    this.allowed = new Int32Array(robots);
    this.dropped = new Int32Array(robots);
    this.halts = new Int32Array(robots).fill(-1);
    this.stoppedUntil = new Float64Array(robots);
    this.turnUntil = new Float64Array(robots);
    this.planned = Int32Array.from(starts);
    this.lastRobot = new Int32Array(graph.vertexCount).fill(-1);
    this.lastVisit = new Int32Array(graph.vertexCount);
    this.ways = Array.from(this.planned, (v) => [v]);
    this.needRobot = Array.from(this.planned, () => [-1]);
    this.needVisit = Array.from(this.planned, () => [0]);
    for (let i = 0; i < robots; i++) {
      const v = this.planned[i];
      this.lastRobot[v] = i;
      this.x[i] = graph.x[v];
      this.y[i] = graph.y[v];
    }
  }

  /** Everybody has arrived at the end of its way. */
  get isDone(): boolean {
    return this.open === 0;
  }

  /** Vertices that each robot is at or on its way to, at the end of what was planned. */
  get plannedVertices(): Int32Array {
    return this.planned;
  }

  /** Places of its way that the robot has not arrived at. */
  pending(robot: number): number {
    return this.ways[robot].length - 1 - this.reached[robot] + this.dropped[robot];
  }

  /** The vertex that the robot is at or has come from. */
  vertexOf(robot: number): number {
    return this.ways[robot][this.reached[robot] - this.dropped[robot]];
  }

  /** From the vertex that the robot is at, or has come from, to the last that is planned. */
  wayOf(robot: number): readonly number[] {
    return this.ways[robot].slice(this.reached[robot] - this.dropped[robot]);
  }

  /** One more step of the plan: a vertex per robot, each its last or a neighbour of it. */
  append(configuration: ArrayLike<number>): void {
    const { planned, lastRobot, lastVisit } = this;
    for (let i = 0; i < this.robots; i++) {
      const v = configuration[i];
      if (v === planned[i]) continue;
      const before = lastRobot[v];
      // The one before has to have arrived at the place after its last visit here; that place is planned in this step at the latest.
      this.needRobot[i].push(before === i ? -1 : before);
      this.needVisit[i].push(before < 0 ? 0 : lastVisit[v] + 1);
      this.ways[i].push(v);
      this.open++;
    }
    for (let i = 0; i < this.robots; i++) {
      const v = configuration[i];
      if (v === planned[i]) continue;
      planned[i] = v;
      lastRobot[v] = i;
      lastVisit[v] = this.ways[i].length - 1 + this.dropped[i];
    }
  }

  /** The robot brakes, and goes on after the time given in seconds. */
  stop(robot: number, seconds: number): void {
    requireNotNegative('stop', 'seconds', seconds);
    this.stoppedUntil[robot] = Math.max(this.stoppedUntil[robot], this.time + seconds);
  }

  isStopped(robot: number): boolean {
    return this.stoppedUntil[robot] > this.time;
  }

  /** All move for `dt` seconds, by where the others were before. */
  step(dt: number): void {
    this.allow();
    for (let i = 0; i < this.robots; i++) this.drive(i, dt);
    this.time += dt;
  }

  /** Robots with something before them that do not move, and whom each waits for. */
  waits(): Wait[] {
    const found: Wait[] = [];
    for (let i = 0; i < this.robots; i++) {
      if (this.speed[i] > 0 || this.pending(i) === 0) continue;
      const k = this.reached[i] + 1 - this.dropped[i];
      if (this.isStopped(i)) found.push({ robot: i, for: -1 });
      else {
        const other = this.needRobot[i][k];
        if (other >= 0 && this.reached[other] < this.needVisit[i][k]) found.push({ robot: i, for: other });
      }
    }
    return found;
  }

  /** All of its state, for `restore`. */
  save(): Record<string, unknown> {
    return {
      time: this.time,
      open: this.open,
      floats: FLOATS.map((name) => floatsToText(this[name])),
      whole: WHOLE.map((name) => [...this[name]]),
      ways: this.ways,
      needRobot: this.needRobot,
      needVisit: this.needVisit,
    };
  }

  /** Of an execution over the same graph with as many robots. Throws RangeError for what is none. */
  restore(data: Record<string, unknown>): void {
    const { time, open, floats, whole, ways, needRobot, needVisit } = data as {
      time: number;
      open: number;
      floats: string[];
      whole: number[][];
      ways: number[][];
      needRobot: number[][];
      needVisit: number[][];
    };
    FLOATS.forEach((name, k) => {
      textToFloats(this[name], floats[k]);
    });
    WHOLE.forEach((name, k) => {
      if (whole[k].length !== this[name].length) throw new RangeError(`${whole[k].length} values of ${name}`);
      this[name].set(whole[k]);
    });
    for (const [into, from] of [
      [this.ways, ways],
      [this.needRobot, needRobot],
      [this.needVisit, needVisit],
    ] as const) {
      if (from.length !== this.robots) throw new RangeError(`${from.length} robots, expected ${this.robots}`);
      from.forEach((list, i) => {
        into[i] = list;
      });
    }
    this.time = time;
    this.open = open;
  }

  private allow(): void {
    const { allowed, reached, needRobot, needVisit, ways, dropped } = this;
    for (let i = 0; i < this.robots; i++) {
      if (reached[i] - dropped[i] > MOST_BEHIND) this.drop(i);
      const d = dropped[i];
      // Nobody needs to know farther ahead than it takes to brake; a few places do.
      const end = Math.min(ways[i].length - 1 + d, reached[i] + 8);
      let k = allowed[i];
      while (k < end) {
        const other = needRobot[i][k + 1 - d];
        if (other >= 0 && reached[other] < needVisit[i][k + 1 - d]) break;
        k++;
      }
      allowed[i] = k;
    }
  }

  /** What nobody asks for any more: places before the one that it is at. */
  private drop(i: number): void {
    const count = this.reached[i] - this.dropped[i];
    for (const lists of [this.ways, this.needRobot, this.needVisit]) lists[i].splice(0, count);
    this.dropped[i] += count;
  }

  private drive(i: number, dt: number): void {
    const { x, y, graph, ways, reached, allowed, along, speed, acceleration, halts } = this;
    const way = ways[i];
    if (this.isStopped(i) ? speed[i] === 0 : allowed[i] === reached[i]) return;
    // Places by their index in the list.
    const dropped = this.dropped[i];
    const last = allowed[i] - dropped;
    const halt = halts[i] - dropped;
    let k = reached[i] - dropped;
    if (speed[i] === 0 && along[i] === 0 && !this.isTurned(i, way[k], way[k + 1])) return;
    // Straight on to the last place that may be entered, or to the bend before it.
    let a = way[k];
    let b = way[k + 1];
    const dx = graph.x[b] - graph.x[a];
    const dy = graph.y[b] - graph.y[a];
    const first = Math.sqrt(dx * dx + dy * dy);
    const ux = dx / first;
    const uy = dy / first;
    let free = first - along[i];
    let end = k + 1;
    for (let m = k + 1; m < last && m !== halt; m++) {
      const ex = graph.x[way[m + 1]] - graph.x[way[m]];
      const ey = graph.y[way[m + 1]] - graph.y[way[m]];
      const length = Math.sqrt(ex * ex + ey * ey);
      if (Math.abs(ex * uy - ey * ux) > 1e-12 * length || ex * ux + ey * uy < 0) break;
      free += length;
      end = m + 1;
    }
    brakingStep(this.travel, free, speed[i], this.maxSpeed, acceleration, dt, !this.isStopped(i));
    speed[i] = this.travel[1];
    let d = along[i] + this.travel[0];
    for (;;) {
      a = way[k];
      b = way[k + 1];
      const ex = graph.x[b] - graph.x[a];
      const ey = graph.y[b] - graph.y[a];
      const length = Math.sqrt(ex * ex + ey * ey);
      // Where a robot lands on a place, rounding must not leave it a hair before it.
      if (d < length - 1e-9) {
        along[i] = d;
        x[i] = graph.x[a] + ux * d;
        y[i] = graph.y[a] + uy * d;
        break;
      }
      d -= length;
      reached[i] = ++k + dropped;
      this.open--;
      if (k < end && d > 0) continue;
      along[i] = 0;
      x[i] = graph.x[b];
      y[i] = graph.y[b];
      if (k === end) speed[i] = 0;
      break;
    }
  }

  /** Turns at a place until the next edge lies ahead; true when it does. */
  private isTurned(i: number, a: number, b: number): boolean {
    const { graph, heading, turnRate } = this;
    const wanted = atan2(graph.y[b] - graph.y[a], graph.x[b] - graph.x[a]);
    if (heading[i] === wanted) return true;
    if (turnRate === Number.POSITIVE_INFINITY) {
      heading[i] = wanted;
      return true;
    }
    if (this.turnUntil[i] === 0) {
      let angle = Math.abs(wanted - heading[i]);
      if (angle > Math.PI) angle = 2 * Math.PI - angle;
      this.turnUntil[i] = this.time + angle / turnRate;
    }
    if (this.time < this.turnUntil[i]) return false;
    this.turnUntil[i] = 0;
    heading[i] = wanted;
    return true;
  }
}

/** Places behind a robot that are kept before they are dropped together. */
const MOST_BEHIND = 64;

const FLOATS = ['x', 'y', 'heading', 'speed', 'along', 'stoppedUntil', 'turnUntil'] as const;
const WHOLE = ['reached', 'allowed', 'planned', 'halts', 'dropped', 'lastRobot', 'lastVisit'] as const;

const LIMITS = { speed: requirePositiveNumber, acceleration: requirePositiveNumber, turnRate: requirePositiveNumber };

/** @param paths of planPaths with `rotations: false`; every path begins where its robot stands */
export function createPlanExecution(
  graph: PathGraph,
  paths: readonly RobotPath[],
  limits: DriveLimits = {},
): PlanExecution {
  requirePathGraph('createPlanExecution', graph);
  requireFields('createPlanExecution', 'limits', limits, LIMITS);
  requireRobotPaths('createPlanExecution', paths);
  requireCount('createPlanExecution', 'paths', paths.length, 1);
  paths.forEach((path, i) => {
    for (const v of path.length > 0 ? path : [-1])
      if (!(v >= 0 && v < graph.vertexCount))
        throw new MisuseError(`createPlanExecution: paths[${i}], got vertex ${v}, expected one of the graph's`);
  });
  const execution = new PlanExecution(
    graph,
    paths.map((path) => path[0]),
    limits,
  );
  const horizon = Math.max(...paths.map((path) => path.length));
  const configuration = new Int32Array(paths.length);
  for (let t = 1; t < horizon; t++) {
    for (let i = 0; i < paths.length; i++) configuration[i] = paths[i][Math.min(t, paths[i].length - 1)];
    refuseRotation(execution.plannedVertices, configuration, graph.vertexCount, t);
    execution.append(configuration);
  }
  return execution;
}

function refuseRotation(before: Int32Array, after: Int32Array, vertexCount: number, t: number): void {
  const at = new Int32Array(vertexCount).fill(-1);
  for (let i = 0; i < before.length; i++) at[before[i]] = i;
  const seen = new Int32Array(before.length).fill(-1);
  for (let i = 0; i < before.length; i++) {
    for (let k = i; k >= 0 && after[k] !== before[k] && seen[k] !== i; k = at[after[k]]) {
      if (seen[k] >= 0) break;
      seen[k] = i;
      if (at[after[k]] === i)
        throw new MisuseError(
          `createPlanExecution: paths, got a rotation with robot ${i} in step ${t}, expected a plan with rotations: false`,
        );
    }
  }
}
