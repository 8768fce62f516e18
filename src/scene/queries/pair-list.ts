/**
 * Pairs of moving bodies as a list, made once per edit of the scene and tested box against box in its order: what a few robots need.
 * Cost: about 2 ns a pair; no allocation.
 */
import { boxDistance, boxesOverlap } from '../bodies.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { marginOfPair, mayTouch } from './pair-rules.js';
import type { MovingPairs, NearVisitor, PairVisitor } from './pair-source.js';

export class PairList implements MovingPairs {
  readonly showsAllowed = false;
  private readonly first: SceneBody[] = [];
  private readonly second: SceneBody[] = [];
  private readonly margins: Float64Array;
  private allowed = 0;

  /** `elsewhere`: robots whose own pairs another source finds. */
  constructor(scene: Scene, moving: readonly SceneBody[], elsewhere: ReadonlySet<SceneRobot>) {
    const margins: number[] = [];
    for (let i = 0; i < moving.length; i++) {
      const a = moving[i];
      const isElsewhere = a.robot !== null && elsewhere.has(a.robot);
      for (let j = i + 1; j < moving.length; j++) {
        const b = moving[j];
        if (isElsewhere && b.robot === a.robot) continue;
        if (mayTouch(scene, a, b)) {
          this.allowed++;
          continue;
        }
        this.first.push(a);
        this.second.push(b);
        margins.push(marginOfPair(scene, a, b));
      }
    }
    this.margins = Float64Array.from(margins);
  }

  get isEmpty(): boolean {
    return this.first.length === 0;
  }

  visit(margin: number, _reach: number, visit: PairVisitor): boolean {
    const { first, second, margins } = this;
    for (let k = 0; k < first.length; k++) {
      const a = first[k];
      const b = second[k];
      const bound = margins[k] + margin;
      if (boxesOverlap(a.box, b.box, bound) && !visit(a, b, bound)) return false;
    }
    return true;
  }

  visitNear(_reach: number, radius: number, visit: NearVisitor): number {
    const { first, second } = this;
    let limit = radius;
    for (let k = 0; k < first.length; k++) {
      const gap = boxDistance(first[k].box, second[k].box);
      if (gap <= limit) limit = visit(first[k], second[k], gap);
    }
    return limit;
  }

  count(): { checked: number; allowed: number } {
    return { checked: this.first.length, allowed: this.allowed };
  }
}
