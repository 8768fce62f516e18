/**
 * Lazy A* over a grid of positions and a Hopf grid of orientations, finer and finer: slow, and systematic where samples are not.
 *
 * Method: nodes are places of a cubic grid over the bounds times the orientations of orientation-grid.ts; neighbours are the six
 * places beside at the same orientation and the nearest orientations at the same place. Start and goal are joined to the corners
 * of the grid's cell around them, at their nearest orientations. A* by way, a radian as long as in the trees' metric, with the
 * direct distance to the goal as its estimate. It is lazy: an entry's motion is certified when it is taken out, not when it is put in, and
 * a node is closed only by a motion that is free. A level that is exhausted gives way to the next: half the spacing of places, half the
 * angle of orientations.
 * Source: Cohen, Phillips, Likhachev 2014, "Planning single-arm manipulations with n-arm robots", section IV, doi:10.15607/RSS.2014.X.033
 * (lazy weighted A*); Hart, Nilsson, Raphael 1968, doi:10.1109/TSSC.1968.300136.
 * Writes: a path of motions that were certified. Cost: one certified motion per entry taken out. Fails: null while there is none; after the
 * last level `done`. That no level has a path proves nothing. Tested by grid-search.test.ts.
 */
import { KeyedQueue } from '../planning/keyed-queue.js';
import type { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { buildOrientationGrid, findNear, type OrientationGrid } from './orientation-grid.js';
import { poseDistance, type RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';

/** Places along the longest side of the bounds at level 0. */
const PLACES = 12;
const LEVELS = 3;
/** Distances per motion: what needs more is left to the finer level. */
const MOST = 60;
/** Closed nodes after which a level gives way to the next: entries of all take some 80 MB. */
const MOST_NODES = 200_000;
const START = -1;
const GOAL = -2;

export class GridSearch {
  /** Levels that were exhausted. */
  level = 0;
  done = false;
  private readonly certifier: MotionCertifier;
  private readonly proof = createMotionProof();
  private grid: OrientationGrid | null = null;
  private size: [number, number, number] = [1, 1, 1];
  private step: [number, number, number] = [0, 0, 0];
  private queue = new KeyedQueue();
  /** Entries: node, the node before, its way. */
  private nodes: number[] = [];
  private befores: number[] = [];
  private ways: number[] = [];
  /** Closed nodes with the node before. */
  private readonly closed = new Map<number, number>();
  private goalCorners = new Set<number>();
  private readonly a: RigidPose = new Float64Array(7);
  private readonly b: RigidPose = new Float64Array(7);

  /** `weight`: length of a radian. */
  constructor(
    private readonly problem: RigidProblem,
    private readonly pair: BodyPair,
    private readonly weight: number,
  ) {
    this.certifier = new MotionCertifier(pair);
  }

  /** Grows for about so many queries; a path where it reached the goal. */
  grow(queries: number): RigidPose[] | null {
    const until = this.pair.queries + queries;
    while (!this.done && this.pair.queries < until) {
      if (!this.grid) this.begin();
      const path = this.takeOne();
      if (path) return path;
    }
    return null;
  }

  private begin(): void {
    const { problem, level } = this;
    const { lower, upper } = problem;
    this.grid = buildOrientationGrid(level, problem.group === 'SE2');
    const longest = Math.max(...[0, 1, 2].map((k) => upper[k] - lower[k]));
    const spacing = longest / (PLACES << level);
    for (let k = 0; k < 3; k++) {
      const extent = upper[k] - lower[k];
      this.size[k] = extent > 0 ? Math.max(2, Math.round(extent / spacing) + 1) : 1;
      this.step[k] = this.size[k] > 1 ? extent / (this.size[k] - 1) : 0;
    }
    this.queue = new KeyedQueue();
    this.closed.clear();
    this.nodes = [];
    this.befores = [];
    this.ways = [];
    this.goalCorners = new Set(this.listAround(problem.goal));
    for (const node of this.listAround(problem.start)) this.push(node, START, 0);
  }

  /** The corners of the cell around a pose, at the orientations nearest to its own. */
  private listAround(pose: RigidPose): number[] {
    const grid = this.grid as OrientationGrid;
    const near = findNear(grid, pose.subarray(3), this.problem.group === 'SE2' ? 2 : 4);
    const out = new Set<number>();
    for (let corner = 0; corner < 8; corner++) {
      let place = 0;
      for (let k = 2; k >= 0; k--) {
        const at = this.step[k] > 0 ? Math.floor((pose[k] - this.problem.lower[k]) / this.step[k]) : 0;
        const index = Math.min(this.size[k] - 1, Math.max(0, at + ((corner >> k) & 1)));
        place = place * this.size[k] + index;
      }
      for (const orientation of near) out.add(place * grid.count + orientation);
    }
    return [...out];
  }

  private push(node: number, before: number, way: number): void {
    if (node !== GOAL && this.closed.has(node)) return;
    this.read(this.a, before);
    this.read(this.b, node);
    const length = way + this.measure(this.a, this.b);
    const entry = this.nodes.length;
    this.nodes.push(node);
    this.befores.push(before);
    this.ways.push(length);
    this.queue.push(entry, length + this.measure(this.b, this.problem.goal));
  }

  /** Takes the best entry out, certifies its motion, and opens its neighbours. */
  private takeOne(): RigidPose[] | null {
    const entry = this.queue.pop();
    if (entry < 0 || this.closed.size > MOST_NODES) {
      this.level++;
      this.grid = null;
      this.done = this.level >= LEVELS;
      return null;
    }
    const node = this.nodes[entry];
    if (node !== GOAL && this.closed.has(node)) return null;
    const before = this.befores[entry];
    this.read(this.a, before);
    this.read(this.b, node);
    if (this.certifier.certify(this.proof, this.a, this.b, 0, MOST).verdict !== 'free') return null;
    if (node === GOAL) return this.trace(before);
    this.closed.set(node, before);
    this.open(node, this.ways[entry]);
    return null;
  }

  private open(node: number, way: number): void {
    const { count, neighbours, near } = this.grid as OrientationGrid;
    if (this.goalCorners.has(node)) this.push(GOAL, node, way);
    const orientation = node % count;
    let place = Math.floor(node / count);
    let stride = count;
    for (let k = 0; k < 3; k++) {
      const index = place % this.size[k];
      if (index > 0) this.push(node - stride, node, way);
      if (index + 1 < this.size[k]) this.push(node + stride, node, way);
      place = Math.floor(place / this.size[k]);
      stride *= this.size[k];
    }
    for (let i = 0; i < near; i++) this.push(node - orientation + neighbours[near * orientation + i], node, way);
  }

  private trace(last: number): RigidPose[] {
    const out: RigidPose[] = [this.problem.goal];
    for (let node = last; node !== START; node = this.closed.get(node) as number)
      out.push(this.read(new Float64Array(7), node));
    out.push(this.problem.start);
    return out.reverse();
  }

  private read(out: RigidPose, node: number): RigidPose {
    const { problem, size, step } = this;
    if (node < 0) {
      out.set(node === START ? problem.start : problem.goal);
      return out;
    }
    const { count, quaternions } = this.grid as OrientationGrid;
    const orientation = node % count;
    let place = Math.floor(node / count);
    for (let k = 0; k < 3; k++) {
      out[k] = problem.lower[k] + (place % size[k]) * step[k];
      place = Math.floor(place / size[k]);
    }
    if (problem.group === 'SE2') out[2] = problem.start[2];
    for (let k = 0; k < 4; k++) out[3 + k] = quaternions[4 * orientation + k];
    return out;
  }

  private measure(a: RigidPose, b: RigidPose): number {
    return poseDistance(a, b, 2 * this.weight);
  }
}
