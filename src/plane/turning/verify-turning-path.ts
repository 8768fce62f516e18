/**
 * Whether a path of a turning body is free at every time.
 *
 * Between two poses the reference point goes straight and the angle changes evenly, and not by the shorter way but from number to
 * number. A motion is free where its segment of places enters no sum of an obstacle with a polygon that contains the body at every angle
 * of the motion (turned-part.ts), decided exactly. Where one does, the motion is halved; the halves' middle is rounded, which the
 * polygon's margin makes up for. A pose at which the body's inside meets an obstacle ends the search: `collides`.
 *
 * It knows nothing of slices, maps and boxes. Cost: obstacles near each motion times halvings. Tested by plan-turning.test.ts.
 */
import { requireList } from '../../math/arguments.js';
import { hypot } from '../../math/scalar.js';
import type { ConvexPart } from '../convex-parts.js';
import { createExactPoint } from '../exact-point.js';
import type { PlaneBounds } from '../pieces.js';
import { createSumPiece, forbidsSegment } from '../pieces.js';
import { judgePose } from './judge-pose.js';
import { growHull, surroundTurned, TURN_ROUNDING } from './turned-part.js';
import {
  listTurningParts,
  type ObstaclePart,
  type PlanePose,
  requirePlanePose,
  requireTurningProblem,
  type TurningParts,
  type TurningProblem,
} from './turning-problem.js';

export type TurningPathStatus = 'free' | 'collides' | 'undecided' | 'ends';

export interface TurningPathVerdict {
  readonly status: TurningPathStatus;
  /** Which motion is not free, from 0; -1 where none. */
  readonly segment: number;
  /** Motions, and halves of them, that were looked at. */
  readonly checked: number;
}

/** Halvings of one motion. */
const DEPTH = 40;
/** Halves of one motion that are looked at. */
const MOST_CHECKS = 20_000;
const SIDES = 256;

/** A path of poses against a problem. `ends`: it does not lead from start to goal. */
export function verifyTurningPath(problem: TurningProblem, path: readonly PlanePose[]): TurningPathVerdict {
  requireTurningProblem('verifyTurningPath', 'problem', problem);
  requireList('verifyTurningPath', 'path', path);
  for (const [i, pose] of path.entries()) requirePlanePose('verifyTurningPath', `path[${i}]`, pose);
  const first = path[0];
  const last = path[path.length - 1];
  if (path.length < 2 || !isSamePose(first, problem.start) || !isSamePose(last, problem.goal))
    return { status: 'ends', segment: -1, checked: 0 };
  return checkTurningPath(listTurningParts(problem, SIDES), problem.bounds, problem.touching === 'free', path);
}

function isSamePose(a: PlanePose, b: PlanePose): boolean {
  const turns = (a[2] - b[2]) / (2 * Math.PI);
  return a[0] === b[0] && a[1] === b[1] && Math.abs(turns - Math.round(turns)) < 1e-14;
}

export function checkTurningPath(
  parts: TurningParts,
  bounds: PlaneBounds,
  isOpen: boolean,
  path: readonly PlanePose[],
): TurningPathVerdict {
  let checked = 0;
  for (let i = 0; i + 1 < path.length; i++) {
    const check = new MotionCheck(parts, bounds, isOpen, DEPTH, MOST_CHECKS);
    const status = check.judge(path[i], path[i + 1]);
    checked += check.checked;
    if (status !== 'free') return { status, segment: i, checked };
  }
  return { status: 'free', segment: -1, checked };
}

/** One motion: halved at most `depth` times, looked at `limit` times in all. */
export class MotionCheck {
  checked = 0;

  constructor(
    private readonly parts: TurningParts,
    private readonly bounds: PlaneBounds,
    private readonly isOpen: boolean,
    private readonly depth: number,
    private readonly limit: number,
  ) {}

  judge(from: PlanePose, to: PlanePose): 'free' | 'collides' | 'undecided' {
    if (!isWithin(this.bounds, from) || !isWithin(this.bounds, to)) return 'collides';
    return this.halve(from, to, this.parts.obstacles, this.depth);
  }

  private halve(
    from: PlanePose,
    to: PlanePose,
    near: readonly ObstaclePart[],
    depth: number,
  ): 'free' | 'collides' | 'undecided' {
    this.checked++;
    // Wide turns are halved first: the polygon around a quarter turn says little.
    const isWide = Math.abs(to[2] - from[2]) > 0.8;
    const left = isWide ? near : this.findForbidding(from, to, near);
    if (left.length === 0) return 'free';
    const middle: PlanePose = [0, 1, 2].map((k) => from[k] + (to[k] - from[k]) / 2) as unknown as PlanePose;
    if (judgePose(this.parts.body, left, middle) === 'overlaps') return 'collides';
    if ((depth === 0 || this.checked >= this.limit) && !isWide) return 'undecided';
    const first = this.halve(from, middle, left, depth - 1);
    return first === 'free' ? this.halve(middle, to, left, depth - 1) : first;
  }

  /** Obstacles' parts that the motion may meet. */
  private findForbidding(from: PlanePose, to: PlanePose, near: readonly ObstaclePart[]): ObstaclePart[] {
    const low = Math.min(from[2], to[2]);
    const high = Math.max(from[2], to[2]);
    const isTranslation = low === 0 && high === 0;
    const size = Math.max(...[from, to].flatMap(([x, y]) => [Math.abs(x), Math.abs(y)]));
    const margin = isTranslation ? 0 : TURN_ROUNDING * (size + this.parts.radius);
    const bodies = this.parts.body.map((part) => growHull(surroundTurned(part, low, high), margin));
    const p = createExactPoint(from[0], from[1]);
    const q = createExactPoint(to[0], to[1]);
    return near.filter((obstacle) => {
      if (isFar(obstacle.outer, from, to, this.parts.radius)) return false;
      return bodies.some((body) => forbidsSegment(createSumPiece(obstacle.outer, body, this.isOpen, 0), p, q));
    });
  }
}

/** Whether the box of a part is farther from that of a motion than the body reaches. */
function isFar(part: ConvexPart, from: PlanePose, to: PlanePose, radius: number): boolean {
  const reach = radius * (1 + 1e-9);
  for (const k of [0, 1] as const) {
    let low = Infinity;
    let high = -Infinity;
    for (const corner of part) {
      low = Math.min(low, corner[k]);
      high = Math.max(high, corner[k]);
    }
    const off = 1e-9 * (Math.abs(from[k]) + Math.abs(to[k]));
    if (low > Math.max(from[k], to[k]) + reach + off || high < Math.min(from[k], to[k]) - reach - off) return true;
  }
  return false;
}

function isWithin([x0, y0, x1, y1]: PlaneBounds, [x, y]: PlanePose): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Length of a path's places and sum of its turns, radians. */
export function measureTurningPath(path: readonly PlanePose[]): { length: number; turn: number } {
  let length = 0;
  let turn = 0;
  for (let i = 1; i < path.length; i++) {
    length += hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]);
    turn += Math.abs(path[i][2] - path[i - 1][2]);
  }
  return { length, turn };
}
