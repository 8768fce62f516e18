/**
 * The deterministic planner of one rigid body: a search that can be run in slices, of parts that share one budget of queries.
 *
 * Method, in the order in which they begin:
 * 1. the straight motion, and straight motions along the axes in all orders at the start's and the goal's orientation;
 * 2. two trees, from start and goal, that grow in turn. What grows next is the mode that has used the least of its share of queries:
 *    - `probes`: the 26 directions, contact normals and small turns about start and goal, three deep (probes.ts);
 *    - `samples`: long steps towards points of a Kronecker sequence, as far as they are free; whatever grows is met by the other tree;
 *    - `contacts`: shorter steps that go on along the contacts when they touch (contacts.ts);
 *    - `cells`: steps in drawn directions from the cells least grown from (cells.ts);
 *    - `pushes`: from such cells in one direction, giving way along the contacts (`Explorer.push`, push-ways.ts);
 *    - `fixed`: translations at the orientations of start and goal: the search in R^3.
 *    Beside them the `grid` (grid-search.ts): a lazy A* over places and orientations, finer and finer.
 * 3. Rounds: `contacts` and `samples` begin anew with shifted sequences whenever a round's budget, the Luby sequence times a unit of
 *    queries, is used; the trees of the first round stay and take every other turn.
 * Every edge is proven free while it is travelled, so whatever joins start and goal is a certified path; it is then shortened by motions
 * that are proven free, and certified once more as a whole.
 * Sources: Kuffner, LaValle 2000, "RRT-Connect", doi:10.1109/ROBOT.2000.844730; Zhang, Manocha 2008,
 * doi:10.1109/ROBOT.2008.4543785; Sucan, Kavraki 2009, doi:10.1007/978-3-642-00312-7_28; Luby, Sinclair, Zuckerman 1993,
 * "Optimal speedup of Las Vegas algorithms", doi:10.1016/0020-0190(93)90029-9. Li, Shellshear, Bohlin, Carlson 2019 say of their
 * planner only that it is deterministic.
 * Fails: `limit` after so many queries, `timeout` from outside; both prove nothing. Tested by rigid-search.test.ts.
 */

import type { BuildOptions } from '../bvh/mesh-bvh.js';
import { BodyPair } from './body-pair.js';
import { certifyRigidPoses, type RigidPathProof } from './certify-path.js';
import { GridSearch } from './grid-search.js';
import type { RigidPose } from './pose.js';
import { type RigidProblem, requireRigidProblem } from './problem.js';
import { requireSearchOptions } from './requests.js';
import { shortenPoses } from './shorten-path.js';
import { findPoseFault, type PoseFault } from './start-poses.js';
import { findAxisPath } from './straight-paths.js';
import { type RigidEdge, TreePair } from './tree-pair.js';

export type { RigidEdge };

export type RigidStatus = 'solved' | 'limit' | 'timeout' | 'invalid-start' | 'invalid-goal';

export interface RigidSearchOptions {
  /** Shifts the sequences: independent searches of one problem. Default 0. */
  readonly seed?: number;
  /** The deterministic limit: queries of collision and distance. Default 20 million. */
  readonly maxQueries?: number;
  /** Queries that shortening may take, as a share of those of the search; default 1, at least 400. 0 leaves it out. */
  readonly shorten?: number;
  /** How the meshes' hierarchies are built; default as `buildMeshBvh`. Time depends on it, and which of two equally near triangles is named. */
  readonly trees?: BuildOptions;
}

export interface RigidProgress {
  readonly queries: number;
  readonly round: number;
  readonly startPoses: number;
  readonly goalPoses: number;
}

export interface RigidPlan {
  readonly status: RigidStatus;
  readonly reason: string;
  /** Poses of the body; between two of them the origin goes straight and the body turns at a constant rate. */
  readonly path: readonly RigidPose[];
  /** Of a path that is returned: always free, with its clearance and certificate. */
  readonly proof: RigidPathProof | null;
  readonly fault: PoseFault | null;
  /** Collision and distance queries: of the search, and in all. */
  readonly searchQueries: number;
  readonly queries: number;
  /** What joined start and goal. */
  readonly method: string;
}

export const DEFAULT_QUERIES = 20_000_000;
/** Queries of a round of the Luby sequence's ones. */
const ROUND = 60_000;
/** Of the queries of all else, what the grid gets. */
const GRID_SHARE = 0.06;
/** Queries between looks at the limits. */
const SLICE = 256;

export class RigidSearch {
  readonly pair: BodyPair;
  private readonly first: TreePair;
  private readonly grid: GridSearch;
  private gridQueries = 0;
  private current: TreePair | null = null;
  private round = 0;
  private roundEnd = ROUND;
  private used = 0;
  private stage: 'ends' | 'straight' | 'trees' | 'finish' | 'done' = 'ends';
  private found: RigidPose[] | null = null;
  private searchQueries = 0;
  private outcome: RigidPlan | null = null;
  private method = '';
  private readonly seed: number;
  private readonly most: number;
  private readonly shorten: number;

  constructor(
    readonly problem: RigidProblem,
    options: RigidSearchOptions = {},
  ) {
    requireRigidProblem('createRigidSearch', problem);
    requireSearchOptions('createRigidSearch', options);
    this.seed = options.seed ?? 0;
    this.most = options.maxQueries ?? DEFAULT_QUERIES;
    this.shorten = options.shorten ?? 1;
    let reach = 0;
    for (const x of [...problem.lower, ...problem.upper]) reach = Math.max(reach, Math.abs(x));
    this.pair = new BodyPair(problem.body, problem.obstacles, reach, options.trees);
    this.first = new TreePair(problem, this.pair, this.seed);
    this.grid = new GridSearch(problem, this.pair, this.first.weight);
  }

  get done(): boolean {
    return this.stage === 'done';
  }

  /** A path was found; what is left is to shorten and certify it. */
  get isFound(): boolean {
    return this.found !== null;
  }

  get queries(): number {
    return this.pair.queries;
  }

  get progress(): RigidProgress {
    const [startPoses, goalPoses] = this.first.sizes;
    return { queries: this.queries, round: this.round, startPoses, goalPoses };
  }

  /** The edges of the first round's trees, for those who draw them; only those beyond so many poses of either tree. */
  edges(beyond?: readonly [number, number]): RigidEdge[] {
    return this.first.edges(beyond);
  }

  /** Runs for about so many queries, or until a path is found; returns `done`. Slicing changes nothing that is found. */
  step(queries: number): boolean {
    const until = this.queries + queries;
    const found = this.isFound;
    // A path that is found ends the slice, so that its time can be told from that of its proof.
    while (!this.done && this.queries < until && this.isFound === found) this.advance();
    return this.done;
  }

  /** The answer: final when `done`, otherwise `timeout`. */
  result(): RigidPlan {
    if (this.outcome) return this.outcome;
    const reach = this.stage === 'trees' ? `; ${this.reach()}` : '';
    return this.fail('timeout', `stopped from outside after ${this.queries} queries, before a path was found${reach}`);
  }

  dispose(): void {
    this.pair.dispose();
  }

  private advance(): void {
    if (this.stage === 'ends') this.judgeEnds();
    else if (this.stage === 'straight') this.tryStraight();
    else if (this.stage === 'trees') this.grow();
    else if (this.stage === 'finish') this.finish();
  }

  private judgeEnds(): void {
    const { pair, problem } = this;
    for (const [pose, what, status] of [
      [problem.start, 'start', 'invalid-start'],
      [problem.goal, 'goal', 'invalid-goal'],
    ] as const) {
      const fault = findPoseFault(pair, problem, pose, what);
      if (!fault) continue;
      this.end({ ...this.fail(status, fault.reason), fault });
      return;
    }
    this.stage = 'straight';
  }

  private tryStraight(): void {
    const path = findAxisPath(this.pair, this.problem);
    if (path) this.take(path, 'straight');
    else {
      this.stage = 'trees';
      this.first.begin(true);
    }
  }

  /** One slice of the trees of the first round, then one of those of the round that is on. */
  private grow(): void {
    const before = this.queries;
    const turn = this.current && this.used & 1 ? this.current : this.first;
    this.used++;
    const path = turn.grow(SLICE);
    const used = this.queries - before;
    if (path) {
      this.take(path, turn.method);
      return;
    }
    const onGrid = this.growGrid();
    if (onGrid) {
      this.take(onGrid, 'grid');
      return;
    }
    if (this.queries >= this.most) {
      this.end(
        this.fail(
          'limit',
          `no path within ${this.most} queries, which does not mean that there is none; ${this.reach()}`,
        ),
      );
      return;
    }
    if (turn === this.first && this.current) return;
    this.roundEnd -= used;
    if (this.roundEnd > 0) return;
    this.round++;
    this.roundEnd = luby(this.round) * ROUND;
    this.current = new TreePair(this.problem, this.pair, this.seed + 7919 * this.round);
    this.current.begin(false);
  }

  /** The grid's share of what was used up to now. */
  private growGrid(): RigidPose[] | null {
    const { grid } = this;
    const share = GRID_SHARE * (this.queries - this.gridQueries) - this.gridQueries;
    if (grid.done || share < 1) return null;
    const before = this.queries;
    const path = grid.grow(share);
    this.gridQueries += this.queries - before;
    return path;
  }

  private take(path: RigidPose[], method: string): void {
    this.found = path;
    this.method = method;
    this.searchQueries = this.queries;
    this.stage = 'finish';
  }

  private finish(): void {
    const { pair } = this;
    let path = this.found as RigidPose[];
    const share = this.shorten;
    if (share > 0)
      path = shortenPoses(pair, path, this.first.weight, Math.max(400, Math.min(share * this.searchQueries, 200_000)));
    let proof = certifyRigidPoses(pair, path);
    if (proof.status !== 'free') {
      // Every motion was proven free before; a shortened one that cannot be proven so again is not returned.
      path = this.found as RigidPose[];
      proof = certifyRigidPoses(pair, path);
    }
    if (proof.status !== 'free') {
      this.end(this.fail('limit', 'a path was found whose certificate needs more distances than are allowed'));
      return;
    }
    this.end({ ...this.fail('limit', ''), status: 'solved', path, proof });
  }

  /** How far the trees got: of what is stuck, by how little it moves. */
  private reach(): string {
    const { start, goal } = this.problem;
    const between = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (goal[k] - start[k]) ** 2, 0));
    const [a, b] = this.first.reaches.map((x) => Number(x.toPrecision(4)));
    return `the body got ${a} away from the start and ${b} from the goal, which are ${Number(between.toPrecision(4))} apart`;
  }

  private end(plan: RigidPlan): void {
    this.outcome = { ...plan, queries: this.queries };
    this.stage = 'done';
  }

  private fail(status: RigidStatus, reason: string): RigidPlan {
    const searchQueries = this.found ? this.searchQueries : this.queries;
    return {
      ...{ status, reason, path: [], proof: null, fault: null },
      ...{ searchQueries, queries: this.queries, method: this.method },
    };
  }
}

/** 1, 1, 2, 1, 1, 2, 4, ...: term i from 1 on. */
export function luby(i: number): number {
  let size = 1;
  while (size < i + 1) size *= 2;
  if (size === i + 1) return size / 2;
  return luby(i - size / 2 + 1);
}

/** A search of a rigid-body problem, to be run in slices. Throws on what is no problem. */
export function createRigidSearch(problem: RigidProblem, options?: RigidSearchOptions): RigidSearch {
  return new RigidSearch(problem, options);
}
