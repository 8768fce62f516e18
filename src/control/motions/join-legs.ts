/**
 * Legs that follow each other without a stop where a radius is given: blended in joint space, the tool within the radius.
 * Tested by plan-motion.test.ts.
 */

import { createTransform } from '../../math/transform.js';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createBlend } from './blend.js';
import { cutPieces } from './cut-pieces.js';
import type { Leg, LegPiece, MadeBlend } from './motion-leg.js';
import type { Tool } from './tool.js';
import { measureLevers } from './tool-levers.js';

/** `radiusOf`: at the end of a move. */
export function joinLegs(
  tool: Tool,
  legs: readonly Leg[],
  radiusOf: (move: number) => number,
): { pieces: LegPiece[]; blends: MadeBlend[] } {
  const pieces: LegPiece[] = [];
  const blends: MadeBlend[] = [];
  const X = createTransform();
  const levers = measureLevers(tool.model, tool.frame, tool.X_FT);
  const position = (q: Float64Array): Float64Array => tool.place(X, q).subarray(9, 12);
  const curves = legs.map(
    (leg) =>
      new JointCurve(
        tool.model,
        leg.pieces.map(({ piece }) => piece),
        leg.end,
      ),
  );
  let from = 0;
  legs.forEach((leg, k) => {
    const curve = curves[k];
    const next = curves[k + 1];
    // The way to a seam ends at its start.
    const radius = next && legs[k + 1].first !== leg.last ? radiusOf(leg.last) : 0;
    const blend =
      radius > 0 && curve.pieces.length > 0 && next.pieces.length > 0
        ? createBlend({
            first: curve,
            second: next,
            earliest: Math.max(middleOf(curve, leg, leg.last, false), from),
            latest: middleOf(next, legs[k + 1], legs[k + 1].first, true),
            radius,
            position,
            levers,
          })
        : null;
    if (radius > 0)
      blends.push({ move: leg.last, asked: radius, made: blend?.radius ?? 0, corner: blend?.corner ?? null });
    for (const { piece, source, offset } of cutPieces(curve, from, blend ? blend.leave : curve.duration)) {
      const own = leg.pieces[source];
      pieces.push({ ...own, piece, tool: own.tool && { curve: own.tool.curve, at: own.tool.at + offset } });
    }
    if (blend) pieces.push({ piece: blend.piece, move: leg.last, into: legs[k + 1].first, tool: null });
    from = blend ? blend.join : 0;
  });
  return { pieces, blends };
}

/** Middle of a move that a leg begins or ends with, without the blends at it. */
function middleOf(curve: JointCurve, leg: Leg, move: number, isFirst: boolean): number {
  const own = leg.pieces.flatMap((piece, k) => (piece.move === move && piece.into < 0 ? [k] : []));
  if (own.length === 0) return isFirst ? 0 : curve.duration;
  return 0.5 * (curve.breaks[own[0]] + curve.breaks[own[own.length - 1] + 1]);
}
