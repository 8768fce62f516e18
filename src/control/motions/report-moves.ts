/**
 * What became of each move of a program: when it runs, how far the tool goes, how fast, and what made it slower than programmed.
 * Looked at in PLACES times of every move. Tested by plan-motion.test.ts.
 */

import type { JointCurve } from '../../trajectory/joint-curve.js';
import { coordinateName, type MotionLimits } from '../../trajectory/limits.js';
import type { RetimedTrajectory } from '../../trajectory/retimed-trajectory.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import type { LegPiece, MadeBlend } from './motion-leg.js';
import type { ResolvedMove } from './resolve-program.js';
import { timeAt } from './time-at.js';
import type { Tool } from './tool.js';

/** A joint at its velocity limit while the tool is slower than programmed. */
export interface SlowPlace {
  readonly joint: string;
  /** Seconds. */
  readonly time: number;
  /** Of the tool, m/s. */
  readonly speed: number;
}

export interface MoveReport {
  readonly index: number;
  readonly name: string;
  readonly kind: string;
  /** Seconds from the start of the program; a seam begins where the tool is at its start. */
  readonly begin: number;
  readonly end: number;
  /** Metres of the tool's way, blends into it included. */
  readonly length: number;
  /** Of the tool, m/s. */
  readonly fastest: number;
  /** Radius of the blend at its end, as asked for and as it was made; 0 where the corner stayed. */
  readonly radius: number;
  readonly blended: number;
  /** The corner that the blend rounds, x, y, z in W; null without one. */
  readonly corner: readonly number[] | null;
  /** Where a joint's velocity limit holds the tool back most; null where none does. */
  readonly slowest: SlowPlace | null;
}

interface TimedStretch {
  readonly path: JointCurve;
  readonly pieces: readonly LegPiece[];
  readonly trajectory: RetimedTrajectory | null;
  readonly begin: number;
}

const PLACES = 400;
/** Share of a velocity limit from which it holds the motion back, and of a speed below which that shows. */
const AT_LIMIT = 0.999;

export function reportMoves(
  tool: Tool,
  moves: readonly ResolvedMove[],
  stretches: readonly TimedStretch[],
  blends: readonly MadeBlend[],
  limits: MotionLimits,
): MoveReport[] {
  let clock = 0;
  return moves.map((resolved) => {
    const { index, name, move } = resolved;
    const blend = blends.find((made) => made.move === index);
    const common = {
      ...{ index, name, kind: move.move, radius: blend?.asked ?? 0, blended: blend?.made ?? 0 },
      corner: blend?.corner ? Array.from(blend.corner) : null,
    };
    const still = { begin: clock, end: clock, length: 0, fastest: 0, slowest: null };
    if (move.move === 'wait') {
      const begin = clock;
      clock += move.seconds;
      return { ...common, ...still, begin, end: clock };
    }
    const stretch = stretches.find(({ pieces }) =>
      pieces.some((piece) => piece.move === index || piece.into === index),
    );
    if (!stretch?.trajectory) return { ...common, ...still };
    const all = stretch.pieces.flatMap((piece, k) => (piece.move === index ? [k] : []));
    // Of a seam without the way to its start.
    const first = move.move === 'seam' ? all.findIndex((k) => stretch.pieces[k].tool !== null) : 0;
    const own = all.slice(Math.max(first, 0));
    if (own.length === 0) return { ...common, ...still };
    const from = stretch.path.breaks[own[0]];
    const to = stretch.path.breaks[own[own.length - 1] + 1];
    const [begin, end] = [timeAt(stretch.trajectory, from), timeAt(stretch.trajectory, to)];
    clock = stretch.begin + end;
    return { ...common, ...measure(tool, stretch, resolved, limits, [begin, end]) };
  });
}

function measure(
  tool: Tool,
  { trajectory, begin: offset }: TimedStretch,
  { settings }: ResolvedMove,
  limits: MotionLimits,
  [begin, end]: readonly [number, number],
): Pick<MoveReport, 'begin' | 'end' | 'length' | 'fastest' | 'slowest'> {
  const point = createTrajectoryPoint(tool.model);
  const [V, A] = [new Float64Array(6), new Float64Array(6)];
  let length = 0;
  let fastest = 0;
  let slowest: SlowPlace | null = null;
  const step = (end - begin) / PLACES;
  for (let k = 0; k <= PLACES; k++) {
    const time = begin + k * step;
    trajectory?.evaluate(point, time);
    tool.rates(V, A, point);
    const speed = Math.sqrt(V[0] ** 2 + V[1] ** 2 + V[2] ** 2);
    length += speed * step * (k === 0 || k === PLACES ? 0.5 : 1);
    fastest = Math.max(fastest, speed);
    if (!(settings.speed < Infinity) || speed >= AT_LIMIT * settings.speed || (slowest && speed >= slowest.speed))
      continue;
    const joint = point.v.findIndex((v, i) => Math.abs(v) >= AT_LIMIT * settings.jointSpeed * limits.velocity[i]);
    if (joint >= 0) slowest = { joint: coordinateName(tool.model, joint), time: offset + time, speed };
  }
  return { begin: offset + begin, end: offset + end, length, fastest, slowest };
}
