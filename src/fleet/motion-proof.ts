/**
 * Proof that discs which move on straight lines stayed apart during a step, at every time in it.
 *
 * Method: within a step of dt seconds a body whose acceleration is at most a is never farther than a dt^2 / 8 from the point that goes evenly
 * from where it was to where it is (its deviation vanishes at both ends and its second derivative is at most a). So two bodies are apart at
 * every time if the least distance of the two even motions, a closed form, is above the radii and both deviations. Pairs come from
 * cells over the boxes of the whole step. A pair that cannot be told apart is counted as not proven, never as free.
 * Units: metres, seconds. Cost: O(bodies + pairs near). Tested by motion-proof.test.ts against dense sampling.
 */
import { requireFields, requireFloats, requireNotNegative, requirePositiveNumber } from '../math/arguments.js';
import { CellGrid } from './cell-grid.js';

export interface MotionVerdict {
  /** Pairs looked at with the closed form. */
  readonly pairs: number;
  /** Pairs that may have touched. */
  readonly unproven: number;
  /** Two of the first such pair, or -1. */
  readonly a: number;
  readonly b: number;
  /** Least gap that was proven so far in all steps; infinite where no two came near. */
  readonly leastGap: number;
}

export class MotionProof {
  private readonly beforeX: Float64Array;
  private readonly beforeY: Float64Array;
  private readonly boxes: Float64Array;
  private readonly grid: CellGrid;
  private leastGap = Number.POSITIVE_INFINITY;

  /** @param x, y where the bodies are: read before and after each step */
  constructor(
    private readonly x: Float64Array,
    private readonly y: Float64Array,
    private readonly radius: number,
    private readonly acceleration: number,
    cellSize = 4 * radius,
  ) {
    this.beforeX = x.slice();
    this.beforeY = y.slice();
    this.boxes = new Float64Array(6 * x.length);
    this.grid = new CellGrid(cellSize, 1.5, this.boxes);
    this.grid.reserve(x.length, this.boxes);
    for (let i = 0; i < x.length; i++) {
      this.writeBox(i, 0);
      this.grid.place(i);
    }
  }

  /** Looks at what moved since the last call, or since the beginning. */
  prove(dt: number): MotionVerdict {
    const { x, y, beforeX, beforeY, grid, radius } = this;
    const away = (this.acceleration * dt * dt) / 8;
    for (let i = 0; i < x.length; i++) {
      this.writeBox(i, away);
      grid.shift(i);
    }
    let pairs = 0;
    let unproven = 0;
    let [a, b] = [-1, -1];
    for (let i = 0; i < x.length; i++) {
      const isStill = x[i] === beforeX[i] && y[i] === beforeY[i];
      if (isStill) continue;
      const near = grid.collect(i, x.length);
      for (let k = 0; k < near; k++) {
        const j = grid.found[k];
        if (j < i && (x[j] !== beforeX[j] || y[j] !== beforeY[j])) continue;
        pairs++;
        const gap = this.evenDistance(i, j) - 2 * radius - 2 * away;
        if (gap > 1e-12) this.leastGap = Math.min(this.leastGap, gap);
        else if (unproven++ === 0) [a, b] = [i, j];
      }
    }
    beforeX.set(x);
    beforeY.set(y);
    return { pairs, unproven, a, b, leastGap: this.leastGap };
  }

  /** What was before is not looked at: the next call begins with where the bodies are now. */
  forget(): void {
    this.beforeX.set(this.x);
    this.beforeY.set(this.y);
    this.leastGap = Number.POSITIVE_INFINITY;
  }

  /** Least distance of two even motions. */
  private evenDistance(i: number, j: number): number {
    const { x, y, beforeX, beforeY } = this;
    const px = beforeX[j] - beforeX[i];
    const py = beforeY[j] - beforeY[i];
    const vx = x[j] - x[i] - px;
    const vy = y[j] - y[i] - py;
    const speed = vx * vx + vy * vy;
    const t = speed === 0 ? 0 : Math.min(1, Math.max(0, -(px * vx + py * vy) / speed));
    const dx = px + t * vx;
    const dy = py + t * vy;
    return Math.sqrt(dx * dx + dy * dy);
  }

  private writeBox(i: number, away: number): void {
    const { x, y, beforeX, beforeY, boxes } = this;
    const r = this.radius + away;
    const o = 6 * i;
    boxes[o] = Math.min(x[i], beforeX[i]) - r;
    boxes[o + 1] = Math.min(y[i], beforeY[i]) - r;
    boxes[o + 3] = Math.max(x[i], beforeX[i]) + r;
    boxes[o + 4] = Math.max(y[i], beforeY[i]) + r;
  }
}

/**
 * @param x where the bodies are, one number each: read now and in every call of `prove`
 * @param y the same
 * @param options `acceleration`: the most that any of them is accelerated with, metres per second squared; `radius` in metres
 */
export function createMotionProof(
  x: Float64Array,
  y: Float64Array,
  options: { readonly radius: number; readonly acceleration: number; readonly cellSize?: number },
): MotionProof {
  const call = 'createMotionProof';
  requireFloats(call, 'x', x);
  requireFloats(call, 'y', y, x.length);
  requireFields(call, 'options', options, {
    radius: requirePositiveNumber,
    acceleration: requireNotNegative,
    cellSize: requirePositiveNumber,
  });
  requirePositiveNumber(call, 'options.radius', options.radius);
  requireNotNegative(call, 'options.acceleration', options.acceleration);
  return new MotionProof(x, y, options.radius, options.acceleration, options.cellSize);
}
