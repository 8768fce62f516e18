/**
 * The shortest way of a car that only goes forward and turns no sharper than a radius: an arc, a line or arc, and an arc.
 *
 * Method: the six words LSL, RSR, LSR, RSL, RLR, LRL in closed form, the shortest of those that exist.
 * Source: Dubins 1957, "On curves of minimal length with a constraint on average curvature, and with prescribed initial and terminal positions
 * and tangents", doi:10.2307/2372560; Shkel, Lumelsky 2001, "Classification of the Dubins set", Robotics and Autonomous
 * Systems 34, table 1.
 * Shapes: three pieces, each [curvature, length]. Frames: x, y, yaw in one plane, radians, metres. Always exists.
 * Tested by robot-fleet.test.ts: ends where it should, never longer than another word.
 */
import { atan2, cos, sin } from '../math/scalar.js';

const TURN = 2 * Math.PI;

/** Curvatures and lengths: [k1, l1, k2, l2, k3, l3]. */
export function findDubinsWay(
  x: number,
  y: number,
  yaw: number,
  goal: readonly [number, number, number],
  radius: number,
): number[] {
  const dx = (goal[0] - x) / radius;
  const dy = (goal[1] - y) / radius;
  const d = Math.sqrt(dx * dx + dy * dy);
  const theta = d > 0 ? atan2(dy, dx) : 0;
  const a = wrap(yaw - theta);
  const b = wrap(goal[2] - theta);
  const [sa, ca, sb, cb] = [sin(a), cos(a), sin(b), cos(b)];
  const cab = cos(a - b);
  let best: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  const offer = (word: readonly number[], t: number, p: number, q: number) => {
    const length = t + p + q;
    if (!(length < least)) return;
    least = length;
    best = [word[0] / radius, t * radius, word[1] / radius, p * radius, word[2] / radius, q * radius];
  };
  const lsl = 2 + d * d - 2 * cab + 2 * d * (sa - sb);
  if (lsl >= 0) {
    const to = atan2(cb - ca, d + sa - sb);
    offer([1, 0, 1], wrap(to - a), Math.sqrt(lsl), wrap(b - to));
  }
  const rsr = 2 + d * d - 2 * cab + 2 * d * (sb - sa);
  if (rsr >= 0) {
    const to = atan2(ca - cb, d - sa + sb);
    offer([-1, 0, -1], wrap(a - to), Math.sqrt(rsr), wrap(to - b));
  }
  const lsr = -2 + d * d + 2 * cab + 2 * d * (sa + sb);
  if (lsr >= 0) {
    const p = Math.sqrt(lsr);
    const to = atan2(-ca - cb, d + sa + sb) - atan2(-2, p);
    offer([1, 0, -1], wrap(to - a), p, wrap(to - b));
  }
  const rsl = -2 + d * d + 2 * cab - 2 * d * (sa + sb);
  if (rsl >= 0) {
    const p = Math.sqrt(rsl);
    const to = atan2(ca + cb, d - sa - sb) - atan2(2, p);
    offer([-1, 0, 1], wrap(a - to), p, wrap(b - to));
  }
  const rlr = (6 - d * d + 2 * cab + 2 * d * (sa - sb)) / 8;
  if (Math.abs(rlr) <= 1) {
    const p = wrap(TURN - atan2(Math.sqrt(1 - rlr * rlr), rlr));
    const t = wrap(a - atan2(ca - cb, d - sa + sb) + p / 2);
    offer([-1, 1, -1], t, p, wrap(a - b - t + p));
  }
  const lrl = (6 - d * d + 2 * cab + 2 * d * (sb - sa)) / 8;
  if (Math.abs(lrl) <= 1) {
    const p = wrap(TURN - atan2(Math.sqrt(1 - lrl * lrl), lrl));
    const t = wrap(-a + atan2(cb - ca, d + sa - sb) + p / 2);
    offer([1, -1, 1], t, p, wrap(b - a - t + p));
  }
  return best;
}

/** To [0, 2 pi); what rounding leaves just below a full turn is none. */
function wrap(angle: number): number {
  const r = angle - TURN * Math.floor(angle / TURN);
  return r > TURN - 1e-12 ? 0 : r;
}
