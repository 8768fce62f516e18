/**
 * A run of tool moves (lines, arcs, splines, seams) as one leg: their paths, blended where that is asked for, followed by the joints.
 * Tested by plan-motion.test.ts.
 */
import type { JointCurve } from '../../trajectory/joint-curve.js';
import { createBlend } from './blend.js';
import { type CutPiece, cutPieces } from './cut-pieces.js';
import { followToolPath } from './follow-tool-path.js';
import type { Leg, LegPiece, MadeBlend, MoveFault } from './motion-leg.js';
import { placeTarget, type ResolvedMove } from './resolve-program.js';
import type { Tool } from './tool.js';
import { arcPieces, findArc, linePieces, splinePieces, toolCurve } from './tool-path.js';

/** The path of one move: null where it has none. */
export interface ToolMove {
  readonly move: number;
  readonly curve: JointCurve;
  readonly radius: number;
}

/** The path of a tool move from a pose; a text says why there is none. */
export function drawToolMove(resolved: ResolvedMove, from: Float64Array): ToolMove | string {
  const { move, settings, targets, via, index } = resolved;
  const poses: Float64Array[] = [];
  for (const target of targets)
    if (target.kind === 'pose') poses.push(placeTarget(target, poses[poses.length - 1] ?? from));
  const { orientation, radius } = settings;
  const to = poses[poses.length - 1];
  const done = (curve: JointCurve): ToolMove => ({ move: index, curve, radius });
  if (move.move === 'circ') {
    const arc = findArc(from, to, {
      via: via?.kind === 'pose' ? placeTarget(via, from) : undefined,
      center: move.center,
      angle: move.angle,
    });
    return typeof arc === 'string' ? arc : done(toolCurve(arcPieces(from, arc, to, orientation), from));
  }
  if (move.move === 'seam') return done(drawSeam(move.shape ?? 'lin', poses, radius));
  if (move.move === 'spline') return done(toolCurve(splinePieces([from, ...poses], orientation), from));
  return done(toolCurve(linePieces(from, to, orientation), from));
}

/** Through all poses, from the first; straight motions are blended within the radius. */
function drawSeam(shape: 'lin' | 'spline', poses: readonly Float64Array[], radius: number): JointCurve {
  if (shape === 'spline') return toolCurve(splinePieces(poses, 'interpolate'), poses[0]);
  const moves = poses
    .slice(1)
    .map((to, k) => ({ move: 0, curve: toolCurve(linePieces(poses[k], to), poses[k]), radius }));
  return joinMoves(moves, poses[0]).curve;
}

interface RunPiece extends CutPiece {
  readonly move: number;
  readonly into: number;
}

/** The tool's path of a whole run, with what each of its pieces belongs to. */
function joinMoves(
  moves: readonly ToolMove[],
  start: Float64Array,
): { curve: JointCurve; pieces: RunPiece[]; blends: MadeBlend[] } {
  const pieces: RunPiece[] = [];
  const blends: MadeBlend[] = [];
  let from = 0;
  moves.forEach(({ curve, move, radius }, k) => {
    const next = moves[k + 1];
    const canBlend = next && radius > 0 && curve.pieces.length > 0 && next.curve.pieces.length > 0;
    const blend = canBlend
      ? createBlend({
          first: curve,
          second: next.curve,
          earliest: Math.max(0.5 * curve.duration, from),
          latest: 0.5 * next.curve.duration,
          radius,
          position: (q) => q,
          levers: null,
        })
      : null;
    if (next && radius > 0)
      blends.push({ move, asked: radius, made: blend?.radius ?? 0, corner: blend?.corner ?? null });
    for (const cut of cutPieces(curve, from, blend ? blend.leave : curve.duration))
      pieces.push({ ...cut, move, into: -1 });
    if (blend && next) pieces.push({ piece: blend.piece, source: -1, offset: 0, move, into: next.move });
    from = blend ? blend.join : 0;
  });
  return {
    curve: toolCurve(
      pieces.map(({ piece }) => piece),
      start,
    ),
    pieces,
    blends,
  };
}

export interface RunResult {
  readonly leg: Leg;
  readonly blends: readonly MadeBlend[];
  readonly fault: MoveFault | null;
}

export function followRun(tool: Tool, moves: readonly ToolMove[], q: Float64Array, start: Float64Array): RunResult {
  const { curve, pieces: run, blends } = joinMoves(moves, start);
  const followed = followToolPath(tool, curve, q);
  const pieces = followed.pieces.map(
    ({ piece, source, offset }): LegPiece => ({
      piece,
      move: run[source].move,
      into: run[source].into,
      tool: { curve, at: curve.breaks[source] + offset },
    }),
  );
  const leg = { pieces, start: q, end: followed.end, first: moves[0].move, last: moves[moves.length - 1].move };
  if (followed.status === 'followed') return { leg, blends, fault: null };
  const at = Math.min(curve.findPiece(followed.reached), run.length - 1);
  const { move } = run[at];
  const begin = run.findIndex((piece) => piece.move === move);
  const { status, reason, joint, end } = followed;
  return { leg, blends, fault: { status, reason, joint, move, s: followed.reached - curve.breaks[begin], q: end } };
}
