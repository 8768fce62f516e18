/**
 * A part out of what surrounds it: straight where a direction is free, otherwise by the planner.
 *
 * Method: straight translations along the 26 directions and the normals of the largest faces, each until the part's box has left that of the
 * obstacles, shortest first; then the search of rigid-search.ts to the exit that is nearest. The search turns the part about the centre of
 * its ball, wherever the mesh's own origin lies; its motions are then cut until they are free as motions of that origin, too, which is what
 * paths mean.
 * Tested by take-out.test.ts.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { certifyRigidPoses, type RigidPathProof } from './certify-path.js';
import { listDirections } from './directions.js';
import { boundsOf, placeMesh } from './meshes.js';
import { interpolatePose, type RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';
import { requireTakeOut } from './requests.js';
import {
  createRigidSearch,
  type RigidEdge,
  type RigidPlan,
  type RigidProgress,
  type RigidSearch,
  type RigidSearchOptions,
} from './rigid-search.js';

export interface TakeOutRequest extends RigidSearchOptions {
  readonly part: TriangleMesh;
  readonly obstacles: TriangleMesh;
  readonly start: RigidPose;
  /** Default: out of the obstacles' box. */
  readonly goal?: RigidPose;
  /** Asked now and then; true ends the search with `timeout`. */
  readonly shouldStop?: () => boolean;
}

/** Gap that is left to the obstacles' box, of the part's ball. */
const MARGIN = 0.1;
const SLICE = 512;
const DEPTH = 24;

/** How a part comes out, in one call; throws on what is no request. */
export function takeOut(request: TakeOutRequest): RigidPlan {
  requireTakeOut('takeOut', request);
  const search = new TakeOutSearch(request);
  try {
    // A path that is found is still certified: it is what was asked for.
    while (!search.step(SLICE)) if (!search.isFound && request.shouldStop?.()) break;
    return search.result();
  } finally {
    search.dispose();
  }
}

/** The same in slices, for those who draw it or stop it; `shouldStop` is left to them. Throws on what is no request. */
export function createTakeOutSearch(request: TakeOutRequest): TakeOutSearch {
  requireTakeOut('createTakeOutSearch', request);
  return new TakeOutSearch(request);
}

export class TakeOutSearch {
  private readonly pair: BodyPair;
  private readonly exits: readonly RigidPose[];
  private nextExit = 0;
  private rigid: RigidSearch | null = null;
  private outcome: RigidPlan | null = null;

  constructor(private readonly request: TakeOutRequest) {
    const { part, obstacles, start, goal } = request;
    this.pair = new BodyPair(part, obstacles, reachOf(part, obstacles, start, goal), request.trees);
    this.exits = goal ? [] : listExits(this.pair, part, obstacles, start);
    if (this.pair.collides(start)) this.nextExit = this.exits.length;
  }

  get done(): boolean {
    return this.outcome !== null;
  }

  get isFound(): boolean {
    return this.outcome !== null || (this.rigid?.isFound ?? false);
  }

  get progress(): RigidProgress {
    const inner = this.rigid?.progress ?? { queries: 0, round: 0, startPoses: 0, goalPoses: 0 };
    return { ...inner, queries: this.queries };
  }

  get queries(): number {
    return this.pair.queries + (this.rigid?.queries ?? 0);
  }

  /** Centre of the smallest ball around the part, in its frame. */
  get center(): Float64Array {
    return this.pair.center.slice();
  }

  /** The trees' edges beyond so many poses of either (`progress` counts them), as ways of the centre of the part's ball. */
  edges(beyond?: readonly [number, number]): RigidEdge[] {
    return this.rigid?.edges(beyond) ?? [];
  }

  /** Runs for about so many queries; returns `done`. Slicing changes nothing that is found. */
  step(queries: number): boolean {
    const until = this.queries + queries;
    const found = this.isFound;
    while (!this.done && this.queries < until && this.isFound === found) this.advance(until - this.queries);
    return this.done;
  }

  /** The answer: final when `done`, otherwise `timeout`. */
  result(): RigidPlan {
    if (this.outcome) return this.outcome;
    if (this.rigid) return { ...this.rigid.result(), queries: this.queries };
    const reason = 'stopped from outside before all straight ways were tried';
    const counts = { searchQueries: this.queries, queries: this.queries };
    return { ...{ status: 'timeout', reason, path: [], proof: null, fault: null, method: '' }, ...counts };
  }

  dispose(): void {
    this.rigid?.dispose();
    this.pair.dispose();
  }

  private advance(queries: number): void {
    const { pair, exits, request } = this;
    if (this.nextExit < exits.length) {
      const exit = exits[this.nextExit++];
      const proof = certifyStraight(pair, request.start, exit);
      if (proof) this.outcome = solved(pair, [request.start, exit], proof, 'straight');
      return;
    }
    this.rigid ??= createSearch(request, pair, request.goal ?? exits[0]);
    if (this.rigid.step(queries)) this.outcome = this.finish(this.rigid.result());
  }

  private finish(plan: RigidPlan): RigidPlan {
    const { pair, request } = this;
    const c = pair.center;
    if (plan.status !== 'solved') {
      const fault = plan.fault?.freePose
        ? { ...plan.fault, freePose: shifted(plan.fault.freePose, c, -1) }
        : plan.fault;
      return { ...plan, fault, queries: this.queries };
    }
    const path = toOrigin(pair, plan.path, c);
    const proof = path && certifyRigidPoses(pair, path);
    if (!path || proof?.status !== 'free') {
      const reason = 'a path was found that could not be written as motions of the origin';
      return { ...plan, status: 'limit', reason, path: [], proof: null, queries: this.queries };
    }
    path[0] = request.start;
    return { ...plan, path, proof, queries: this.queries };
  }
}

function reachOf(part: TriangleMesh, obstacles: TriangleMesh, start: RigidPose, goal: RigidPose | undefined): number {
  let reach = 0;
  for (const box of [boundsOf(part), boundsOf(obstacles)])
    for (const x of box) if (Number.isFinite(x)) reach = Math.max(reach, Math.abs(x));
  for (const pose of goal ? [start, goal] : [start])
    for (let k = 0; k < 3; k++) reach = Math.max(reach, Math.abs(pose[k]));
  return 4 * reach;
}

/** Where the part goes along each direction until it has left the obstacles' box, nearest first. */
function listExits(pair: BodyPair, part: TriangleMesh, obstacles: TriangleMesh, start: RigidPose): RigidPose[] {
  const box = boundsOf(placeMesh(part, start));
  const around = boundsOf(obstacles);
  const exits = listDirections([placeMesh(part, start), obstacles]).map((d) => {
    let length = Infinity;
    for (let k = 0; k < 3; k++) {
      if (d[k] > 1e-9) length = Math.min(length, (around[3 + k] - box[k]) / d[k]);
      if (d[k] < -1e-9) length = Math.min(length, (box[3 + k] - around[k]) / -d[k]);
    }
    length = Math.max(0, length) + MARGIN * pair.radius;
    const pose = Float64Array.from(start);
    for (let k = 0; k < 3; k++) pose[k] += length * d[k];
    return { pose, length };
  });
  return exits.sort((a, b) => a.length - b.length).map(({ pose }) => pose);
}

function certifyStraight(pair: BodyPair, a: RigidPose, b: RigidPose): RigidPathProof | null {
  const quick = new MotionCertifier(pair).certify(createMotionProof(), a, b);
  if (quick.verdict !== 'free') return null;
  const proof = certifyRigidPoses(pair, [a, b]);
  return proof.status === 'free' ? proof : null;
}

function solved(pair: BodyPair, path: RigidPose[], proof: RigidPathProof, method: string): RigidPlan {
  return {
    ...{ status: 'solved', reason: '', path, proof, fault: null, method },
    ...{ searchQueries: pair.queries, queries: pair.queries },
  };
}

function createSearch(request: TakeOutRequest, pair: BodyPair, goal: RigidPose): RigidSearch {
  const { part, obstacles, start, seed, maxQueries, shorten, trees } = request;
  const c = pair.center;
  const body: TriangleMesh = {
    vertices: part.vertices.map((x, i) => x - c[i % 3]),
    triangles: part.triangles,
  };
  const problem = createProblem(body, obstacles, shifted(start, c, 1), shifted(goal, c, 1), pair.radius);
  return createRigidSearch(problem, { seed, maxQueries, shorten, trees });
}

function createProblem(
  body: TriangleMesh,
  obstacles: TriangleMesh,
  start: RigidPose,
  goal: RigidPose,
  radius: number,
): RigidProblem {
  const box = boundsOf(obstacles);
  const lower = new Float64Array(3);
  const upper = new Float64Array(3);
  const room = (2 + MARGIN) * radius;
  for (let k = 0; k < 3; k++) {
    lower[k] = Math.min(box[k] - room, start[k] - room, goal[k] - room);
    upper[k] = Math.max(box[3 + k] + room, start[k] + room, goal[k] + room);
  }
  return { group: 'SE3', body, obstacles, start, goal, lower, upper };
}

/** The pose of the frame at c (sign 1), or of the frame that lies at -c of this one (sign -1). */
function shifted(pose: RigidPose, c: Float64Array, sign: number): RigidPose {
  const X = poseToTransform(createTransform(), pose);
  const out = Float64Array.from(pose);
  for (let k = 0; k < 3; k++) out[k] += sign * (X[3 * k] * c[0] + X[3 * k + 1] * c[1] + X[3 * k + 2] * c[2]);
  return out;
}

/** The path as motions of the part's origin, cut where that is not free; null where cutting does not end. */
function toOrigin(pair: BodyPair, path: readonly RigidPose[], c: Float64Array): RigidPose[] | null {
  const certifier = new MotionCertifier(pair);
  const proof = createMotionProof();
  const out: RigidPose[] = [shifted(path[0], c, -1)];
  for (let i = 0; i + 1 < path.length; i++) {
    const times = [1];
    let from = 0;
    while (times.length > 0) {
      const t = times[times.length - 1];
      const pose = shifted(interpolatePose(new Float64Array(7), path[i], path[i + 1], t), c, -1);
      if (certifier.certify(proof, out[out.length - 1], pose).verdict === 'free') {
        out.push(pose);
        from = t;
        times.pop();
      } else if (times.length > DEPTH) return null;
      else times.push(from + (t - from) / 2);
    }
  }
  return out;
}
