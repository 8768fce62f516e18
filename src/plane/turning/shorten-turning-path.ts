/**
 * A path of a turning body with fewer poses: each that a straight motion past it makes needless is left out.
 *
 * From every pose the farthest later one that a free motion leads to is taken, found by doubling and halving the number of poses that
 * are passed. Motions are decided by verify-turning-path.ts with few halvings, so what is not certain soon stays as it was. Then the
 * middles of what is left are tried the same way. Tested by plan-turning.test.ts.
 */
import type { PlaneBounds } from '../pieces.js';
import { orWhenStopped, type StopCheck } from '../stop-check.js';
import type { PlanePose, TurningParts } from './turning-problem.js';
import { MotionCheck, measureTurningPath } from './verify-turning-path.js';

const HALVINGS = 8;
const CHECKS = 60;
const ROUNDS = 3;

export function shortenTurningPath(
  parts: TurningParts,
  bounds: PlaneBounds,
  isOpen: boolean,
  path: readonly PlanePose[],
  check: StopCheck,
): PlanePose[] {
  const isFree = (a: PlanePose, b: PlanePose) => {
    check();
    return new MotionCheck(parts, bounds, isOpen, HALVINGS, CHECKS).judge(a, b) === 'free';
  };
  const sizeOf = (poses: readonly PlanePose[]) => {
    const { length, turn } = measureTurningPath(poses);
    return length + parts.radius * turn;
  };
  let best = dropRepeated(path);
  const improve = () => {
    best = skipPoses(best, isFree);
    for (let round = 0; round < ROUNDS; round++) {
      const next = skipPoses(insertMiddles(best), isFree);
      if (!(sizeOf(next) < sizeOf(best) * 0.999)) break;
      best = next;
    }
    return best;
  };
  return orWhenStopped(improve, () => best);
}

function dropRepeated(path: readonly PlanePose[]): PlanePose[] {
  return path.filter((pose, i) => i === 0 || i === path.length - 1 || pose.some((x, k) => x !== path[i - 1][k]));
}

function skipPoses(path: readonly PlanePose[], isFree: (a: PlanePose, b: PlanePose) => boolean): PlanePose[] {
  const kept = [path[0]];
  for (let i = 0; i < path.length - 1; ) {
    let reach = 1;
    for (let step = 2; i + step < path.length; step *= 2) {
      if (!isFree(path[i], path[i + step])) break;
      reach = step;
    }
    for (let step = reach; step >= 1; step = Math.floor(step / 2))
      if (i + reach + step < path.length && isFree(path[i], path[i + reach + step])) reach += step;
    i += reach;
    kept.push(path[i]);
  }
  return kept;
}

function insertMiddles(path: readonly PlanePose[]): PlanePose[] {
  return path.flatMap((pose, i): PlanePose[] => {
    if (i === 0) return [pose];
    const last = path[i - 1];
    const at = (part: number) => pose.map((x, k) => last[k] + part * (x - last[k])) as unknown as PlanePose;
    return [at(1 / 3), at(2 / 3), pose];
  });
}
