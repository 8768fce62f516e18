/**
 * The way of a base as pieces: lines, arcs and turns on the spot, by what the base can do.
 *
 * Omnidirectional bases go straight and keep where they look; differential ones turn, go straight and turn; cars follow the shortest way of
 * their turning radius (dubins.ts) through the points. Units: metres, radians. Cost: O(points). Tested by robot-fleet.test.ts.
 */
import { atan2 } from '../math/scalar.js';
import { findDubinsWay } from './dubins.js';
import type { BaseKind } from './robot-actions.js';

export interface Piece {
  readonly curvature: number;
  readonly length: number;
  /** A turn on the spot: length in radians, curvature its sign. */
  readonly isTurn: boolean;
  /** The next piece follows without a stop. */
  readonly flows: boolean;
  /** Where a turn ends, or which way a line of an omnidirectional base goes. */
  readonly yaw: number | null;
}

export interface WayRequest {
  readonly base: BaseKind;
  readonly turningRadius: number;
  readonly from: readonly [x: number, y: number, yaw: number];
  readonly points: readonly (readonly number[])[];
  readonly yaw: number | null;
}

export function layPieces({ base, turningRadius, from, points, yaw }: WayRequest): Piece[] {
  const pieces: Piece[] = [];
  let [x, y, heading] = from;
  const turnTo = (to: number) => {
    const angle = shortTurn(to - heading);
    if (angle !== 0)
      pieces.push({ curvature: Math.sign(angle), length: Math.abs(angle), isTurn: true, flows: false, yaw: to });
    heading = to;
  };
  points.forEach((point, k) => {
    const [dx, dy] = [point[0] - x, point[1] - y];
    const length = Math.sqrt(dx * dx + dy * dy);
    const ahead = length > 0 ? atan2(dy, dx) : heading;
    if (base === 'car') {
      const next = points[k + 1];
      const end = next === undefined ? (yaw ?? ahead) : atan2(next[1] - point[1], next[0] - point[0]);
      const way = findDubinsWay(x, y, heading, [point[0], point[1], end], turningRadius);
      for (let p = 0; p < 6; p += 2)
        if (way[p + 1] > 1e-12)
          pieces.push({
            curvature: way[p],
            length: way[p + 1],
            isTurn: false,
            flows: p < 4 || next !== undefined,
            yaw: null,
          });
      heading = end;
    } else {
      if (base === 'differential' && length > 0) turnTo(ahead);
      if (length > 0)
        pieces.push({ curvature: 0, length, isTurn: false, flows: false, yaw: base === 'omni' ? ahead : null });
    }
    [x, y] = [point[0], point[1]];
  });
  if (yaw !== null && base !== 'car') turnTo(yaw);
  return pieces;
}

export function shortTurn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
