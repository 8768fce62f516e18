/**
 * Plans a body that moves and turns in the plane: a path that is free at every time, a proof that there is none, or `undecided` with
 * the resolution that was looked at.
 *
 * 1. Slices of the turn with slabs between them that hold at every angle (slices.ts) are searched for a way.
 * 2. Where they have none, boxes of poses (pose-boxes.ts) are divided until the forbidden ones part start and goal: then they
 *    are the proof, which is checked by verify-turning-proof.ts before it is returned. Free boxes that join them are a path too.
 * 3. Otherwise slabs are halved at those angles at which boxes of the way that is left are unknown, and so on, until slabs are as narrow
 *    as `resolution` or there are as many boxes as `boxes`.
 *
 * Paths are shortened by straight motions that are found free, and checked as they are returned by verify-turning-path.ts: `verified`.
 * "No path" is meant of the whole turn: the body may turn any number of times.
 *
 * Tested by plan-turning.test.ts.
 */
import { requireCount, requireFunction, requireOptions, requirePositiveNumber } from '../../math/arguments.js';
import { createExactPoint } from '../exact-point.js';
import { forbidsPoint } from '../pieces.js';
import { type PlanePlan, planInPlane } from '../plan.js';
import type { PlaneScene, Touching } from '../problem.js';
import { createStopCheck, orWhenStopped, type StopCheck } from '../stop-check.js';
import { judgePose } from './judge-pose.js';
import { type BoxNode, PoseBoxes, TURN } from './pose-boxes.js';
import { shortenTurningPath } from './shorten-turning-path.js';
import { Slices } from './slices.js';
import {
  listTurningParts,
  type PlanePose,
  requireTurningProblem,
  type TurningParts,
  type TurningProblem,
} from './turning-problem.js';
import { type TurningProof, writeTurningProof } from './turning-proof.js';
import { checkTurningPath, measureTurningPath } from './verify-turning-path.js';
import { verifyTurningProof } from './verify-turning-proof.js';

export interface TurningOptions {
  /** Slabs that the turn is first cut into; 16 unless said otherwise. */
  readonly slabs?: number;
  /** Slabs are not made narrower than this, radians; 0.001 unless said otherwise. */
  readonly resolution?: number;
  /** Boxes that are made at most; 200,000 unless said otherwise. */
  readonly boxes?: number;
  /** Sides of discs at least, a multiple of 4; 64 unless said otherwise. */
  readonly sides?: number;
  /** Asked now and then; true ends the search: `undecided` with the resolution that was reached, or a path that is known by then. */
  readonly shouldStop?: () => boolean;
}

export interface TurningPlan {
  readonly status: PlanePlan['status'];
  /** Empty where solved. */
  readonly reason: string;
  /** Poses `[x, y, theta]`; between two the place goes straight and the angle changes evenly. Empty without a path. */
  readonly path: readonly PlanePose[];
  readonly length: number;
  /** Sum of all turns, radians. */
  readonly turn: number;
  /** Whether the path, as doubles, was found free at every time. */
  readonly verified: boolean;
  /** What found it: the slices, or boxes. */
  readonly method: 'slices' | 'boxes' | 'translation' | 'none';
  /** The proof, where impossible. */
  readonly proof: TurningProof | null;
  readonly touching: Touching;
  /** How far polygons of discs were from them, m. */
  readonly width: number;
  /** The narrowest slab and the widest that were searched to the end, radians; a whole turn where none was. */
  readonly resolution: readonly [number, number];
  /** Trapezoid maps and boxes that were made. */
  readonly maps: number;
  readonly boxes: number;
  /** Angles of the slices, for pictures. */
  readonly slices: readonly number[];
}

const FIRST_BOXES = 4000;
const MOST_MAPS = 4000;

export function planTurning(problem: TurningProblem, options: TurningOptions = {}): TurningPlan {
  requireTurningProblem('planTurning', 'problem', problem);
  requireOptions('planTurning', options, {
    slabs: (call, what, value) => requireCount(call, what, value, 4),
    resolution: requirePositiveNumber,
    boxes: (call, what, value) => requireCount(call, what, value, 1),
    sides: (call, what, value) => requireCount(call, what, value, 4),
    shouldStop: requireFunction,
  });
  const { shouldStop } = options;
  if ('disc' in problem.body) return planDisc({ ...problem, body: problem.body }, problem, shouldStop);
  const search = new TurningSearch(problem, options, createStopCheck(shouldStop));
  return orWhenStopped(
    () => search.run(),
    () => search.giveUp('it was stopped: '),
  );
}

/** A disc about its reference point is the same at all angles. */
function planDisc(scene: PlaneScene, { start, goal }: TurningProblem, shouldStop?: () => boolean): TurningPlan {
  const still = { ...scene, start: [start[0], start[1]], goal: [goal[0], goal[1]] } as const;
  const plan = planInPlane(still, shouldStop === undefined ? {} : { shouldStop });
  const path: PlanePose[] = plan.path.map(([x, y]) => [x, y, start[2]]);
  if (path.length > 0) path.push([goal[0], goal[1], goal[2]]);
  const { status, reason, verified, touching, width, length } = plan;
  const turn = path.length > 0 ? Math.abs(goal[2] - start[2]) : 0;
  const none = { proof: null, resolution: [0, 0] as const, maps: 1, boxes: 0, slices: [] };
  return { status, reason, path, length, turn, verified, method: 'translation', touching, width, ...none };
}

function reduceAngle(theta: number): number {
  const t = theta - TURN * Math.floor(theta / TURN);
  return t >= TURN || t < 0 ? 0 : t;
}

class TurningSearch {
  private readonly parts: TurningParts;
  private readonly isOpen: boolean;
  private readonly slices: Slices;
  private readonly boxes: PoseBoxes;
  private readonly least: number;
  private readonly limit: number;
  /** With angles within a turn. */
  private readonly start: PlanePose;
  private readonly goal: PlanePose;

  constructor(
    private readonly problem: TurningProblem,
    { slabs = 16, resolution = 0.001, boxes = 200_000, sides = 64 }: TurningOptions,
    private readonly check: StopCheck,
  ) {
    const { start, goal, bounds } = problem;
    this.parts = listTurningParts(problem, sides);
    this.isOpen = problem.touching === 'free';
    this.start = [start[0], start[1], reduceAngle(start[2])];
    this.goal = [goal[0], goal[1], reduceAngle(goal[2])];
    const cuts = Array.from({ length: slabs }, (_, k) => (TURN * k) / slabs);
    this.slices = new Slices(this.parts, bounds, this.isOpen, [...cuts, this.start[2], this.goal[2]], check);
    this.boxes = new PoseBoxes(this.parts, bounds, this.start, this.goal, check);
    this.least = resolution;
    this.limit = boxes;
  }

  run(): TurningPlan {
    const refused = this.judgeEnd(this.start, 'start') ?? this.judgeEnd(this.goal, 'goal');
    if (refused !== null) return refused;
    let budget = Math.min(FIRST_BOXES, this.limit);
    const finest = (this.least * this.parts.radius) / 8;
    for (;;) {
      const found = this.slices.findPath(this.start, this.goal);
      if (found !== null) return this.solve(found, 'slices');
      const { status, way } = this.boxes.search(budget, finest);
      if (status === 'parted') return this.prove();
      if (status === 'free') return this.solve(this.walkBoxes(way), 'boxes');
      const ranges = way.flatMap((box) =>
        box.pairs !== null && box.pairs.length > 0 ? [[TURN * box.t0, TURN * box.t1] as const] : [],
      );
      const added = this.slices.mapCount < MOST_MAPS ? this.slices.refine(ranges, this.least) : 0;
      if (added === 0 && this.boxes.count >= this.limit) return this.giveUp();
      if (added === 0 && budget >= this.limit) return this.giveUp();
      budget = Math.min(budget * 2, this.limit);
    }
  }

  private answer(status: TurningPlan['status'], reason: string, more: Partial<TurningPlan> = {}): TurningPlan {
    const { slices, boxes, parts } = this;
    return {
      status,
      reason,
      path: [],
      length: 0,
      turn: 0,
      verified: false,
      method: 'none',
      proof: null,
      touching: this.isOpen ? 'free' : 'blocked',
      width: parts.width,
      resolution: slices.searched,
      maps: slices.mapCount,
      boxes: boxes.count,
      slices: slices.cuts,
      ...more,
    };
  }

  private judgeEnd(pose: PlanePose, name: 'start' | 'goal'): TurningPlan | null {
    const status = name === 'start' ? 'invalid-start' : 'invalid-goal';
    const [x0, y0, x1, y1] = this.problem.bounds;
    const [x, y, theta] = pose;
    if (x < x0 || x > x1 || y < y0 || y > y1) return this.answer(status, `${name} lies outside the bounds`);
    const point = createExactPoint(x, y);
    const hit = this.slices.sliceAt(theta).freeSpace.pieces.find((piece) => forbidsPoint(piece, point));
    if (hit === undefined) return null;
    const isCertain = theta === 0 && this.parts.width === 0;
    if (isCertain || judgePose(this.parts.body, this.parts.obstacles, pose) === 'overlaps')
      return this.answer(status, `at the ${name} the body meets obstacle ${hit.obstacle}`);
    return this.answer(
      'undecided',
      `at the ${name} the body is too near to obstacle ${hit.obstacle} to say that it is free`,
    );
  }

  private solve(found: readonly PlanePose[], method: 'slices' | 'boxes'): TurningPlan {
    const { start, goal, bounds } = this.problem;
    // From angles within a turn to those that were asked for.
    const first = start[2] - this.start[2];
    const path = found.map(([x, y, theta]): PlanePose => [x, y, theta + first]);
    path[0] = start;
    const turns = Math.round((path[path.length - 1][2] - goal[2]) / TURN);
    path[path.length - 1] = turns === 0 ? goal : [goal[0], goal[1], goal[2] + turns * TURN];
    const short = shortenTurningPath(this.parts, bounds, this.isOpen, path, this.check);
    const { status } = checkTurningPath(this.parts, bounds, this.isOpen, short);
    return this.answer('solved', '', {
      path: short,
      method,
      verified: status === 'free',
      ...measureTurningPath(short),
    });
  }

  /** Places in boxes, and in the sides between them. */
  private walkBoxes(way: readonly BoxNode[]): PlanePose[] {
    const path: PlanePose[] = [this.start];
    let turns = 0;
    for (const [i, box] of way.entries()) {
      if (i > 0) {
        const last = way[i - 1];
        const isUp = last.t1 === 1 && box.t0 === 0 && Math.min(last.t1, box.t1) < Math.max(last.t0, box.t0);
        const isDown = last.t0 === 0 && box.t1 === 1 && Math.min(last.t1, box.t1) < Math.max(last.t0, box.t0);
        const middle = (a0: number, a1: number, b0: number, b1: number) => (Math.max(a0, b0) + Math.min(a1, b1)) / 2;
        const t = isUp ? 1 : isDown ? 0 : middle(last.t0, last.t1, box.t0, box.t1);
        path.push([
          middle(last.x0, last.x1, box.x0, box.x1),
          middle(last.y0, last.y1, box.y0, box.y1),
          TURN * (t + turns),
        ]);
        if (isUp) turns++;
        if (isDown) turns--;
      }
    }
    // Start and goal may lie in the box on the other side of the turn's end.
    const nearest = (theta: number, box: BoxNode) => {
      const middle = (TURN * (box.t0 + box.t1)) / 2;
      return theta + TURN * Math.round((middle - theta) / TURN);
    };
    const shift = this.start[2] - nearest(this.start[2], way[0]);
    const end = nearest(this.goal[2], way[way.length - 1]) + turns * TURN;
    path.push([this.goal[0], this.goal[1], end]);
    return path.map((pose, i) => (i === 0 ? pose : [pose[0], pose[1], pose[2] + shift]));
  }

  private prove(): TurningPlan {
    const proof = writeTurningProof(this.parts, this.boxes.root);
    const verdict = verifyTurningProof(this.problem, proof);
    if (!verdict.accepted)
      return this.answer('undecided', `the proof that there is no path was refused: ${verdict.reason}`);
    const boxes = proof.tree.reduce((count, value) => count + (value >= 0 ? 1 : 0), 0);
    return this.answer('impossible', `${boxes} boxes of forbidden poses part start and goal`, { proof });
  }

  giveUp(begin = ''): TurningPlan {
    const narrowest = this.slices.searched[0];
    if (narrowest === TURN) return this.answer('undecided', `${begin}the first slabs were not searched yet`);
    return this.answer(
      'undecided',
      `${begin}neither a path nor a proof was found with slabs down to ${narrowest.toPrecision(3)} rad and ${this.boxes.count} boxes`,
    );
  }
}
