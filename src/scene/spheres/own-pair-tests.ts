/**
 * Is a robot's state free, pair by pair of a list: what is asked where spheres as a whole could not tell, some ten times in a short plan.
 *
 * Method: the pair that touched last, then all that the robot's motion can bring together, by boxes, by a filter and exactly. For robots of few
 * pairs: a list of these costs less than the trees that queries of a scene ask. The verdict is that of `isSceneFree`; pairs that
 * do not hang on the robot are decided elsewhere (`SceneSpheres.isBlocked`).
 * Frames: W. Cost: about 2 ns a pair whose boxes are apart. Allocates on edits only. Tested by sphere-checker.test.ts.
 */
import { boxesOverlap } from '../bodies.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import type { OwnPair } from '../queries/own-pairs.js';
import type { SceneBody } from '../types.js';
import type { OwnBody } from './scene-spheres.js';

/** More are left to the scene's own trees. */
const MOST_PAIRS = 2048;

export class OwnPairTests {
  private from: readonly OwnPair[] | null = null;
  private first: SceneBody[] = [];
  private second: SceneBody[] = [];
  private bounds = new Float64Array(0);
  private last = -1;

  /** `isApart`: true only where two bodies are farther apart than a bound. */
  constructor(
    private readonly isApart: (a: SceneBody, b: SceneBody, bound: number) => boolean,
    private readonly margin: number,
  ) {}

  /** Whether the list is short enough. */
  take(pairs: readonly OwnPair[], own: readonly OwnBody[]): boolean {
    if (pairs.length > MOST_PAIRS) return false;
    if (pairs === this.from) return true;
    this.from = pairs;
    this.last = -1;
    const real = pairs.filter(({ first, other }) => own[first].body.parts.length > 0 && other.parts.length > 0);
    this.first = real.map(({ first }) => own[first].body);
    this.second = real.map(({ other }) => other);
    this.bounds = Float64Array.from(real, ({ margin }) => margin + this.margin);
    return true;
  }

  /** Of what was taken, as it stands. */
  isFree(): boolean {
    const { first, second, bounds, last, isApart } = this;
    if (last >= 0 && this.touch(last)) return false;
    for (let i = 0; i < bounds.length; i++) {
      const a = first[i];
      const b = second[i];
      if (!boxesOverlap(a.box, b.box, bounds[i]) || isApart(a, b, bounds[i]) || !bodiesTouch(a, b, bounds[i])) continue;
      this.last = i;
      return false;
    }
    return true;
  }

  private touch(i: number): boolean {
    const { first, second, bounds } = this;
    return boxesOverlap(first[i].box, second[i].box, bounds[i]) && bodiesTouch(first[i], second[i], bounds[i]);
  }
}
